//! [`MembraneEnergy`]: energy, gradient and Hessian, by themselves and against the rows.

use nalgebra::{DMatrix, Matrix2, Vector3};
use pliant_constraints::{Lame, MembraneEnergy, Orthotropic, PlaneStiffness, RestTriangle};
use pliant_testkit::{check_hessian, degenerate, near_degenerate, points, rigid_motion, stencil};
use proptest::prelude::*;

use super::support::{any_map, sheet};

fn isotropic(rest: &[Vector3<f64>; 3], moduli: Lame, thickness: f64) -> MembraneEnergy {
    let shape = RestTriangle::new(rest).unwrap();
    let stiffness = PlaneStiffness::isotropic(moduli).unwrap();
    MembraneEnergy::new(&shape, &stiffness, thickness * shape.area).unwrap()
}

fn woven(rest: &[Vector3<f64>; 3]) -> MembraneEnergy {
    let warp = (rest[1] - rest[0]) + 0.5 * (rest[2] - rest[0]);
    let shape = RestTriangle::new(rest).unwrap().with_warp(rest, &warp).unwrap();
    let cloth = Orthotropic { warp: 3.0, weft: 1.0, poisson: 0.4, shear: 0.3 };
    MembraneEnergy::new(&shape, &cloth.stiffness().unwrap(), 0.1 * shape.area).unwrap()
}

fn dense(hessian: &pliant_constraints::Hessian9) -> DMatrix<f64> {
    DMatrix::from_column_slice(9, 9, hessian.as_slice())
}

/// Current shapes: ordinary, nearly and exactly collapsed.
fn current() -> impl Strategy<Value = [Vector3<f64>; 3]> {
    prop_oneof![2 => stencil::<3>(), 1 => points::<3>(1.0), 1 => near_degenerate::<3>()]
}

proptest! {
    #![proptest_config(pliant_testkit::config(200))]

    #[test]
    fn hessians_agree_with_finite_differences(rest in stencil::<3>(), x in current(), moduli in sheet()) {
        let energy = isotropic(&rest, moduli, 0.01);
        check_hessian(|x| energy.gradient(x), &dense(&energy.hessian(&x)), &x, 1e-7)?;
        let energy = woven(&rest);
        check_hessian(|x| energy.gradient(x), &dense(&energy.hessian(&x)), &x, 1e-7)?;
    }

    #[test]
    fn rows_have_the_same_energy_and_forces(rest in stencil::<3>(), map in any_map()) {
        let energy = woven(&rest);
        let rows = energy.rows();
        let x = rest.map(|p| map * (p - rest[0]));
        let scale = (1.0 + map.norm_squared()).powi(2) / rows.compliance;
        prop_assert!((energy.energy(&x) - rows.energy(&x)).abs() < 1e-13 * scale);
        let (a, b) = (energy.gradient(&x), rows.energy_gradient(&x));
        let steepest = super::support::force_scale(&rows, &x) * (1.0 + map.norm_squared());
        for (a, b) in a.iter().zip(&b) {
            prop_assert!((a - b).norm() <= 1e-13 * steepest + 1e-300, "{a:?} {b:?}");
        }
    }

    /// The form with Gram matrices, whose strain is not symmetric, has the same density.
    #[test]
    fn the_gram_form_is_the_same_energy(rest in stencil::<3>(), x in stencil::<3>(), moduli in sheet()) {
        let gram = |x: &[Vector3<f64>; 3]| {
            let (a, b) = (x[1] - x[0], x[2] - x[0]);
            Matrix2::new(a.dot(&a), a.dot(&b), a.dot(&b), b.dot(&b))
        };
        let e = 0.5 * (gram(&rest).try_inverse().unwrap() * gram(&x) - Matrix2::identity());
        let Lame { mu, lambda } = moduli;
        let expected = mu * (e * e).trace() + 0.5 * lambda * e.trace() * e.trace();
        let found = isotropic(&rest, moduli, 1.0).density(&x);
        let scale = (mu + lambda.abs()) * (1.0 + (e * e).trace());
        prop_assert!((found - expected).abs() < 1e-10 * scale, "{found} {expected}");
    }

    #[test]
    fn the_projected_hessian_is_positive_and_otherwise_the_same(rest in stencil::<3>(), x in current(), moduli in sheet()) {
        let energy = isotropic(&rest, moduli, 0.01);
        let (full, projected) = (dense(&energy.hessian(&x)), dense(&energy.projected_hessian(&x)));
        let scale = full.amax();
        let before = full.clone().symmetric_eigen();
        let after = projected.clone().symmetric_eigen().eigenvalues;
        prop_assert!(after.min() >= -1e-13 * scale, "{after}");
        // The difference is the part of the negative eigenvalues.
        let negative: f64 = before.eigenvalues.iter().filter(|v| **v < 0.0).map(|v| v * v).sum();
        prop_assert!(((&projected - &full).norm() - negative.sqrt()).abs() <= 1e-11 * scale);
        prop_assert!((&projected - projected.transpose()).amax() <= 1e-13 * scale);
    }

    #[test]
    fn in_tension_there_is_nothing_to_project(rest in stencil::<3>(), stretch in 1.01..2.0_f64, motion in rigid_motion(1.0), moduli in sheet()) {
        let moduli = Lame { lambda: moduli.lambda.abs(), ..moduli };
        let energy = isotropic(&rest, moduli, 0.01);
        let x = rest.map(|p| motion.apply(&((p - rest[0]) * stretch)));
        let (full, projected) = (energy.hessian(&x), energy.projected_hessian(&x));
        prop_assert!((full - projected).amax() < 1e-12 * full.amax());
    }

    #[test]
    fn collapsed_shapes_are_finite(rest in stencil::<3>(), x in degenerate::<3>()) {
        let energy = woven(&rest);
        prop_assert!(energy.energy(&x).is_finite() && energy.energy(&x) >= 0.0);
        prop_assert!(energy.gradient(&x).iter().all(|g| g.norm().is_finite()));
        prop_assert!(energy.projected_hessian(&x).iter().all(|h| h.is_finite()));
    }
}

/// libuipc's test scene, pair (.25, .5, 0) with the edge (0,0,0)–(1,0,0): numbers of an independent derivation.
#[test]
fn the_stitch_of_the_reference_scene() {
    let rest = [Vector3::new(0.25, 0.5, 0.0), Vector3::zeros(), Vector3::x()];
    let shape = RestTriangle::lifted(&rest, 0.1).unwrap();
    let stiffness = PlaneStiffness::isotropic(Lame::plane_stress(1e6, 0.49).unwrap()).unwrap();
    let stitch = MembraneEnergy::new(&shape, &stiffness, 2.0 * 0.1 * shape.area).unwrap();
    let x = [rest[0] + Vector3::new(0.05, -0.1, 0.02), rest[1], rest[2]];
    assert!((stitch.density(&x) - 21_644.716_410_1).abs() < 1e-6);
    assert!((stitch.energy(&x) - 1_082.235_820_5).abs() < 1e-6);
    let [g0, g1, _] = stitch.gradient(&x);
    assert!((g0 - Vector3::new(1063.2978, -18339.255, -916.96276)).amax() < 1e-3, "{g0:?}");
    assert!((g1 - Vector3::new(4651.1383, 12412.159, 620.60797)).amax() < 1e-3, "{g1:?}");
}

#[test]
fn a_position_that_is_no_number_is_answered_in_kind() {
    let energy = woven(&[Vector3::zeros(), Vector3::x(), Vector3::y()]);
    let hessian = energy.projected_hessian(&[Vector3::repeat(f64::NAN), Vector3::x(), Vector3::y()]);
    assert!(hessian.iter().any(|h| h.is_nan()));
}

#[test]
fn a_sheet_without_volume_or_stiffness_is_an_error() {
    let shape = RestTriangle::new(&[Vector3::zeros(), Vector3::x(), Vector3::y()]).unwrap();
    let good = PlaneStiffness { k11: 2.0, k12: 1.0, k22: 2.0, k33: 1.0 };
    assert!(MembraneEnergy::new(&shape, &good, 0.0).is_err());
    assert!(MembraneEnergy::new(&shape, &good, f64::NAN).is_err());
    for broken in [
        PlaneStiffness { k12: 2.0, ..good },
        PlaneStiffness { k11: -1.0, ..good },
        PlaneStiffness { k33: 0.0, ..good },
    ] {
        assert!(MembraneEnergy::new(&shape, &broken, 1.0).is_err(), "{broken:?}");
    }
}
