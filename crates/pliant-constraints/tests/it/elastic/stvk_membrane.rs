//! [`StVkMembrane`].

use nalgebra::{Matrix2, Matrix3, Matrix3x2, Vector3};
use pliant_constraints::{
    BlockConstraint as _, Deformation, Elastic, ElasticError, Kind as _, Lame, Orthotropic, RestShapeError,
    StVkMembrane,
};
use pliant_testkit::{
    check_finite, check_gradient, check_precision, check_rigid_motion, check_rotation, check_translation,
    degenerate, near_degenerate, points, rigid_motion, scaled_compliance, stencil, weights,
};
use proptest::prelude::*;

use super::support::{any_map, check_energy_of, finite, force_scale, relax, row_suite, sheet, young};

const CLOTH: Orthotropic = Orthotropic { warp: 3.0, weft: 1.0, poisson: 0.4, shear: 0.3 };

/// Woven, with its warp askew to the edges.
fn elastic(rest: &[Vector3<f64>; 3]) -> Elastic<StVkMembrane<f64>> {
    let warp = (rest[1] - rest[0]).normalize() + 0.3 * (rest[2] - rest[0]).normalize();
    StVkMembrane::orthotropic(rest, &CLOTH, &warp, 0.1).unwrap()
}

fn at_rest(rest: &[Vector3<f64>; 3]) -> StVkMembrane<f64> {
    elastic(rest).kind
}

row_suite!(3 points, at_rest);

#[test]
fn the_energy() {
    check_energy_of(elastic);
}

/// A triangle in the xy plane.
fn flat_triangle() -> impl Strategy<Value = [Vector3<f64>; 3]> {
    let corner = prop::array::uniform2(-0.2..=0.2_f64);
    prop::array::uniform3(corner).prop_map(|j| {
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.4, 0.8]];
        std::array::from_fn(|i| Vector3::new(corners[i][0] + j[i][0], corners[i][1] + j[i][1], 0.0))
    })
}

/// F of an affine map of the plane z = 0, and its Green strain.
fn strain_of(map: &Matrix3<f64>) -> (Matrix3x2<f64>, Matrix2<f64>) {
    let f = Matrix3x2::from_columns(&[map.column(0), map.column(1)]);
    (f, 0.5 * (f.transpose() * f - Matrix2::identity()))
}

fn area(x: &[Vector3<f64>; 3]) -> f64 {
    0.5 * (x[1] - x[0]).cross(&(x[2] - x[0])).norm()
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn affine_maps_have_the_energy_of_the_formula(rest in flat_triangle(), map in any_map(), moduli in sheet(), thickness in 1e-4..1.0_f64) {
        let element = StVkMembrane::isotropic(&rest, moduli, thickness).unwrap();
        let (_, e) = strain_of(&map);
        let Lame { mu, lambda } = moduli;
        let density = mu * e.norm_squared() + 0.5 * lambda * e.trace() * e.trace();
        let expected = thickness * area(&rest) * density;
        let found = element.energy(&rest.map(|p| map * p));
        let scale = thickness * area(&rest) * (mu + lambda.abs()) * (1.0 + e.norm_squared());
        prop_assert!((found - expected).abs() < 1e-12 * scale, "{found} {expected}");
        prop_assert!(found >= 0.0);
    }

    #[test]
    fn woven_sheets_have_theirs_in_the_frame_of_the_warp(
        rest in flat_triangle(), map in any_map(), angle in -3.0..3.0_f64, warp in young(), ratio in 0.1..10.0_f64, share in -0.9..0.9_f64, shear in 0.01..2.0_f64,
    ) {
        let poisson = share / ratio.sqrt();
        let cloth = Orthotropic { warp, weft: ratio * warp, poisson, shear: shear * warp };
        let direction = Vector3::new(angle.cos(), angle.sin(), 0.0);
        let element = StVkMembrane::orthotropic(&rest, &cloth, &direction, 0.02).unwrap();
        let frame = Matrix2::new(angle.cos(), -angle.sin(), angle.sin(), angle.cos());
        let (_, e) = strain_of(&map);
        let e = frame.transpose() * e * frame;
        // A mirrored weft changes the sign of E12 only.
        let k = cloth.stiffness().unwrap();
        let (a, b, c) = (e[(0, 0)], e[(1, 1)], e[(0, 1)]);
        let density = 0.5 * (k.k11 * a * a + k.k22 * b * b + k.k33 * c * c) + k.k12 * a * b;
        let expected = 0.02 * area(&rest) * density;
        let scale = 0.02 * area(&rest) * (k.k11 + k.k22 + k.k33) * (1.0 + e.norm_squared());
        prop_assert!((element.energy(&rest.map(|p| map * p)) - expected).abs() < 1e-12 * scale);
    }

    #[test]
    fn at_rest_there_is_no_energy_and_no_force(rest in stencil::<3>(), moduli in sheet(), motion in rigid_motion(1.0)) {
        let element = StVkMembrane::isotropic(&rest, moduli, 0.01).unwrap();
        let x = rest.map(|p| motion.apply(&(p - rest[0])));
        prop_assert!(element.energy(&x) * element.compliance < 1e-24);
        let scale = force_scale(&element, &x);
        prop_assert!(element.energy_gradient(&x).iter().all(|f| f.norm() < 1e-12 * scale));
    }

    #[test]
    fn the_measure_is_the_principal_stretch_farthest_from_one(rest in flat_triangle(), map in any_map()) {
        let sheet = at_rest(&rest);
        let x = rest.map(|p| map * p);
        let (f, _) = strain_of(&map);
        let stretches = f.singular_values();
        let Deformation::Stretch(found) = StVkMembrane::deformation(&sheet, &sheet.values(&x)) else { panic!() };
        let (a, b) = (stretches[0] - 1.0, stretches[1] - 1.0);
        let expected = if a.abs() >= b.abs() { a } else { b };
        prop_assert!((found.abs() - expected.abs()).abs() < 1e-7, "{found} {expected}");
        prop_assert!((found - expected).abs() < 1e-7 || (a.abs() - b.abs()).abs() < 1e-7);
    }

    #[test]
    fn near_collapsed_shapes(rest in stencil::<3>(), x in near_degenerate::<3>(), w in weights(), alpha_tilde in scaled_compliance()) {
        let sheet = at_rest(&rest);
        check_finite(&sheet, &x, &w, alpha_tilde)?;
        check_gradient(&sheet, &x, 1e-6)?;
        check_translation(&sheet, &x, 1e-11)?;
        check_rotation(&sheet, &x, 1e-9)?;
    }

    #[test]
    fn collapsed_rest_shapes_are_errors_or_finite(rest in prop_oneof![degenerate::<3>(), near_degenerate::<3>()], x in stencil::<3>()) {
        if let Ok(sheet) = StVkMembrane::isotropic(&rest, Lame { mu: 1e4, lambda: 1e4 }, 1e-3) {
            prop_assert!(sheet.compliance > 0.0);
            check_finite(&sheet.kind, &x, &[1.0; 3], sheet.compliance)?;
            let single = sheet.kind.at::<f32>();
            prop_assert!(single.values(&x.map(|p| p.map(|c| c as f32))).iter().all(|c| c.is_finite()));
        }
    }

    #[test]
    fn single_precision_agrees(rest in stencil::<3>(), map in any_map()) {
        let x = rest.map(|p| map * (p - rest[0]));
        check_precision(&at_rest(&rest), &x, 2e-5)?;
    }

    #[test]
    fn motions_are_not_noticed(rest in stencil::<3>(), x in stencil::<3>(), motion in rigid_motion(3.0)) {
        check_rigid_motion(&at_rest(&rest), &x, &motion, 1e-11)?;
    }

    /// A sheet is as stiff as its material says, however it is cut into triangles.
    #[test]
    fn refining_changes_nothing(map in any_map(), moduli in sheet(), cut in 0.1..0.9_f64) {
        let corners = [Vector3::zeros(), Vector3::x(), Vector3::y()];
        let energy = |rest: [Vector3<f64>; 3]| {
            StVkMembrane::isotropic(&rest, moduli, 0.01).unwrap().energy(&rest.map(|p| map * p))
        };
        let middle = corners[1] + (corners[2] - corners[1]) * cut;
        let halves = energy([corners[0], corners[1], middle]) + energy([corners[0], middle, corners[2]]);
        let scale = (moduli.mu + moduli.lambda.abs()) * 0.005 * (1.0 + map.norm_squared().powi(2));
        prop_assert!((energy(corners) - halves).abs() < 1e-11 * scale);
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(24))]

    #[test]
    fn random_starts_stay_finite(x in points::<3>(1.0), in_line in any::<bool>()) {
        let rest = [Vector3::zeros(), Vector3::x(), Vector3::y()];
        let sheet = StVkMembrane::isotropic(&rest, Lame::plane_stress(1e5, 0.4).unwrap(), 0.01).unwrap();
        let x = if in_line { x.map(|p| Vector3::new(p.x, 2.0 * p.x, -p.x)) } else { x };
        let mut bounded = true;
        let end = relax(&sheet, sheet.kind.gradient_floor(), x, 400, |x| bounded &= finite(x));
        prop_assert!(bounded);
        prop_assert!(sheet.energy(&end) <= sheet.energy(&x) * (1.0 + 1e-9));
    }
}

#[test]
fn errors_name_the_cause() {
    let rest = [Vector3::zeros(), Vector3::x(), Vector3::y()];
    let rubber = Lame { mu: 1.0, lambda: 1.0 };
    let line = [rest[0], rest[1], rest[1] * 2.0];
    assert!(matches!(
        StVkMembrane::isotropic(&line, rubber, 0.1),
        Err(ElasticError::RestShape(RestShapeError::FlatTriangle { .. }))
    ));
    for thickness in [0.0, -1.0, f64::NAN] {
        assert!(matches!(StVkMembrane::isotropic(&rest, rubber, thickness), Err(ElasticError::Moduli(_))));
    }
    assert!(matches!(
        StVkMembrane::orthotropic(&rest, &CLOTH, &Vector3::z(), 0.1),
        Err(ElasticError::RestShape(RestShapeError::Warp))
    ));
}
