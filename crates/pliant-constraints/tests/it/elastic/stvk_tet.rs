//! [`StVkTet`].

use nalgebra::{Matrix3, Vector3};
use pliant_constraints::{
    BlockConstraint as _, Elastic, ElasticError, Kind as _, Lame, RestShapeError, StVkTet,
};
use pliant_testkit::{
    check_finite, check_gradient, check_precision, check_rigid_motion, check_rotation, check_translation,
    degenerate, near_degenerate, rigid_motion, scaled_compliance, stencil, weights,
};
use proptest::prelude::*;

use super::support::{
    any_map, check_energy_of, finite, force_scale, oriented, relax, row_suite, solid, volume,
};

fn elastic(rest: &[Vector3<f64>; 4]) -> Elastic<StVkTet<f64>> {
    StVkTet::elastic(&oriented(rest), Lame { mu: 2.0, lambda: 3.0 }).unwrap()
}

fn at_rest(rest: &[Vector3<f64>; 4]) -> StVkTet<f64> {
    elastic(rest).kind
}

row_suite!(4 points, at_rest);

#[test]
fn the_energy() {
    check_energy_of(elastic);
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn affine_maps_have_the_energy_of_the_formula(rest in stencil::<4>(), map in any_map(), moduli in solid()) {
        let tet = StVkTet::elastic(&rest, moduli).unwrap();
        let strain = 0.5 * (map.transpose() * map - Matrix3::identity());
        let volume = volume(&rest);
        let Lame { mu, lambda } = moduli;
        let expected = volume * (mu * strain.norm_squared() + 0.5 * lambda * strain.trace() * strain.trace());
        // Relative to the origin of the map, which costs no digits.
        let x = rest.map(|p| map * (p - rest[0]));
        let scale = volume * (mu + lambda.abs()) * (1.0 + strain.norm_squared());
        let found = tet.energy(&x);
        prop_assert!((found - expected).abs() < 1e-12 * scale, "{found} {expected}");
        prop_assert!(found >= 0.0);
    }

    #[test]
    fn at_rest_there_is_no_energy_and_no_force(rest in stencil::<4>(), moduli in solid(), motion in rigid_motion(1.0)) {
        let tet = StVkTet::elastic(&rest, moduli).unwrap();
        let x = rest.map(|p| motion.apply(&(p - rest[0])));
        let scale = force_scale(&tet, &x);
        prop_assert!(tet.energy(&x) * tet.compliance < 1e-24);
        prop_assert!(tet.energy_gradient(&x).iter().all(|f| f.norm() < 1e-12 * scale));
    }

    #[test]
    fn near_collapsed_shapes(rest in stencil::<4>(), x in near_degenerate::<4>(), w in weights(), alpha_tilde in scaled_compliance()) {
        let tet = at_rest(&rest);
        check_finite(&tet, &x, &w, alpha_tilde)?;
        check_gradient(&tet, &x, 1e-6)?;
        check_translation(&tet, &x, 1e-11)?;
        check_rotation(&tet, &x, 1e-9)?;
    }

    #[test]
    fn collapsed_rest_shapes_are_errors_or_finite(rest in prop_oneof![degenerate::<4>(), near_degenerate::<4>()], x in stencil::<4>()) {
        if let Ok(tet) = StVkTet::elastic(&rest, Lame { mu: 1e4, lambda: 1e6 }) {
            prop_assert!(tet.compliance > 0.0);
            check_finite(&tet.kind, &x, &[1.0; 4], tet.compliance)?;
            let single = tet.kind.at::<f32>();
            let values = single.values(&x.map(|p| p.map(|c| c as f32)));
            prop_assert!(values.iter().all(|c| c.is_finite()), "{values:?}");
        }
    }

    #[test]
    fn single_precision_agrees(rest in stencil::<4>(), map in any_map()) {
        let x = rest.map(|p| map * (p - rest[0]));
        check_precision(&at_rest(&rest), &x, 2e-5)?;
    }

    #[test]
    fn motions_are_not_noticed(rest in stencil::<4>(), x in stencil::<4>(), motion in rigid_motion(3.0)) {
        check_rigid_motion(&at_rest(&rest), &x, &motion, 1e-11)?;
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(24))]

    #[test]
    fn random_starts_stay_finite(x in pliant_testkit::points::<4>(1.0), flat in any::<bool>()) {
        let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
        let tet = StVkTet::elastic(&rest, Lame::solid(1e4, 0.3).unwrap()).unwrap();
        let x = if flat { x.map(|p| Vector3::new(p.x, p.y, 0.0)) } else { x };
        let mut bounded = true;
        let end = relax(&tet, tet.kind.gradient_floor(), x, 400, |x| bounded &= finite(x));
        prop_assert!(bounded);
        prop_assert!(tet.energy(&end) <= tet.energy(&x) * (1.0 + 1e-9));
    }
}

#[test]
fn errors_name_the_cause() {
    let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    let inverted = StVkTet::elastic(&[rest[1], rest[0], rest[2], rest[3]], Lame { mu: 1.0, lambda: 1.0 });
    assert!(matches!(inverted, Err(ElasticError::RestShape(RestShapeError::InvertedTet { .. }))));
    assert!(matches!(StVkTet::elastic(&rest, Lame { mu: 0.0, lambda: 1.0 }), Err(ElasticError::Moduli(_))));
}
