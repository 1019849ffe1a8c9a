//! [`NeoHookeanTet`].

use nalgebra::{Matrix3, Vector3};
use pliant_constraints::{
    BlockConstraint as _, Deformation, Elastic, Kind as _, Lame, NeoHookeanTet, Update, project,
};
use pliant_testkit::{
    check_finite, check_gradient, check_precision, check_rigid_motion, check_rotation, check_translation,
    degenerate, near_degenerate, points, positive_weights, rigid_motion, rotation, scaled_compliance,
    stencil, weights,
};
use proptest::prelude::*;

use super::support::{
    any_map, check_energy_of, finite, force_scale, oriented, relax, row_suite, volume, young,
};

fn elastic(rest: &[Vector3<f64>; 4]) -> Elastic<NeoHookeanTet<f64>> {
    NeoHookeanTet::with_moduli(&oriented(rest), Lame { mu: 2.0, lambda: 7.0 }).unwrap()
}

fn at_rest(rest: &[Vector3<f64>; 4]) -> NeoHookeanTet<f64> {
    elastic(rest).kind
}

fn ratio(tet: &NeoHookeanTet<f64>, x: &[Vector3<f64>; 4]) -> f64 {
    match NeoHookeanTet::deformation(tet, &tet.values(x)) {
        Deformation::Volume(change) => 1.0 + change,
        other => panic!("{other:?}"),
    }
}

row_suite!(4 points, at_rest);

#[test]
fn the_energy() {
    check_energy_of(elastic);
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn affine_maps_have_the_energy_of_the_formula(rest in stencil::<4>(), map in any_map(), young in young(), poisson in -0.5..0.49_f64) {
        let moduli = Lame::neo_hookean(young, poisson).unwrap();
        let tet = NeoHookeanTet::with_moduli(&rest, moduli).unwrap();
        let volume = volume(&rest);
        let Lame { mu, lambda } = moduli;
        let hydrostatic = map.determinant() - 1.0 - mu / lambda;
        let expected = 0.5 * volume * (lambda * hydrostatic * hydrostatic + mu * map.norm_squared());
        let x = rest.map(|p| map * (p - rest[0]));
        prop_assert!((tet.energy(&x) - expected).abs() < 1e-12 * expected);
        prop_assert!((ratio(&tet.kind, &x) - map.determinant()).abs() < 1e-12 * (1.0 + map.norm().powi(3)));
    }

    #[test]
    fn at_rest_there_is_no_force(rest in stencil::<4>(), young in young(), poisson in -0.5..0.49_f64, motion in rigid_motion(1.0)) {
        let tet = NeoHookeanTet::elastic(&rest, young, poisson).unwrap();
        let x = rest.map(|p| motion.apply(&(p - rest[0])));
        let scale = force_scale(&tet, &x);
        let forces = tet.energy_gradient(&x);
        prop_assert!(forces.iter().all(|f| f.norm() < 1e-12 * scale), "{forces:?} of {scale}");
    }

    /// The rows cancel within the block, so a projection at rest moves nothing.
    #[test]
    fn at_rest_nothing_moves(rest in stencil::<4>(), w in positive_weights::<4>(), stiff in -2.0..2.0_f64) {
        let tet = at_rest(&rest);
        let size = (rest[1] - rest[0]).norm();
        let alpha_tilde = w.iter().sum::<f64>() / (size * size) * 10.0_f64.powf(stiff);
        let mut lambda = [0.0; 2];
        let dx = project(&tet, &rest, &w, alpha_tilde, Update::xpbd(), &mut lambda);
        let reach = rest.iter().map(Vector3::norm).fold(0.0, f64::max);
        prop_assert!(dx.iter().all(|d| d.norm() < 1e-11 * reach), "{dx:?}");
        prop_assert!(lambda[0] != 0.0 && lambda[1] != 0.0, "both rows pull");
    }

    /// Small deformations are those of a linear solid with the given Young's modulus and Poisson's ratio.
    #[test]
    fn small_deformations_honour_young_and_poisson(rest in stencil::<4>(), map in any_map(), young in young(), poisson in -0.4..0.45_f64) {
        let tet = NeoHookeanTet::elastic(&rest, young, poisson).unwrap();
        let volume = volume(&rest);
        let step = 1e-4;
        let energy = |t: f64| tet.energy(&rest.map(|p| (Matrix3::identity() + map * t) * (p - rest[0])));
        // The second difference cancels the energy at rest.
        let found = (energy(step) - 2.0 * energy(0.0) + energy(-step)) / (step * step);
        let strain = 0.5 * (map + map.transpose());
        let Lame { mu, lambda } = Lame::solid(young, poisson).unwrap();
        let expected = volume * (2.0 * mu * strain.norm_squared() + lambda * strain.trace() * strain.trace());
        let scale = volume * (mu + lambda.abs()) * map.norm_squared().max(0.1);
        prop_assert!((found - expected).abs() < 1e-5 * scale, "{found} {expected}");
    }

    #[test]
    fn near_collapsed_shapes(rest in stencil::<4>(), x in near_degenerate::<4>(), w in weights(), alpha_tilde in scaled_compliance()) {
        let tet = at_rest(&rest);
        check_finite(&tet, &x, &w, alpha_tilde)?;
        check_gradient(&tet, &x, 1e-6)?;
        check_translation(&tet, &x, 1e-10)?;
        check_rotation(&tet, &x, 1e-8)?;
    }

    #[test]
    fn at_a_point_only_the_values_are_left(rest in stencil::<4>(), p in pliant_testkit::point(3.0)) {
        let tet = at_rest(&rest);
        let (values, gradients) = tet.values_and_gradients(&[p; 4]);
        prop_assert_eq!(values, [-tet.scale * tet.gamma, 0.0]);
        prop_assert!(gradients.iter().flatten().all(|g| g.norm() == 0.0));
        let single = tet.at::<f32>().values_and_gradients(&[p.map(|c| c as f32); 4]);
        prop_assert!(single.1.iter().flatten().all(|g| g.norm() == 0.0));
    }

    #[test]
    fn collapsed_rest_shapes_are_errors_or_finite(rest in prop_oneof![degenerate::<4>(), near_degenerate::<4>()], x in stencil::<4>()) {
        if let Ok(tet) = NeoHookeanTet::elastic(&rest, 1e5, 0.4) {
            prop_assert!(tet.compliance > 0.0);
            check_finite(&tet.kind, &x, &[1.0; 4], tet.compliance)?;
        }
    }

    #[test]
    fn single_precision_agrees(rest in stencil::<4>(), map in any_map()) {
        let x = rest.map(|p| map * (p - rest[0]));
        check_precision(&at_rest(&rest), &x, 3e-5)?;
    }

    #[test]
    fn motions_are_not_noticed(rest in stencil::<4>(), x in stencil::<4>(), motion in rigid_motion(3.0)) {
        check_rigid_motion(&at_rest(&rest), &x, &motion, 1e-11)?;
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(48))]

    #[test]
    fn inverted_and_flattened_starts_recover(
        turn in rotation(), frame in rotation(), stretches in prop::array::uniform2(0.8..1.5_f64), third in -1.0..1.2_f64, flat in any::<bool>(), poisson in 0.4..0.45_f64,
    ) {
        let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
        let tet = NeoHookeanTet::elastic(&rest, 1e4, poisson).unwrap();
        let third = if flat { 0.0 } else { third };
        let map = turn * Matrix3::from_diagonal(&Vector3::new(stretches[0], stretches[1], third)) * frame;
        let x = rest.map(|p| map * p);
        let mut bounded = true;
        let end = relax(&tet, tet.kind.gradient_floor(), x, 1500, |x| bounded &= finite(x));
        prop_assert!(bounded);
        prop_assert!((ratio(&tet.kind, &end) - 1.0).abs() < 1e-3, "{} from {}", ratio(&tet.kind, &end), ratio(&tet.kind, &x));
        prop_assert!((tet.energy(&end) / tet.energy(&rest) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn any_start_stays_finite(x in points::<4>(1.0), sort in 0..3, poisson in 0.0..0.49_f64) {
        let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
        let tet = NeoHookeanTet::elastic(&rest, 1e5, poisson).unwrap();
        let x = x.map(|p| match sort {
            0 => p,
            1 => Vector3::new(p.x, p.y, 0.0),
            _ => Vector3::new(p.x, 2.0 * p.x, -p.x),
        });
        let mut bounded = true;
        let end = relax(&tet, tet.kind.gradient_floor(), x, 200, |x| bounded &= finite(x));
        prop_assert!(bounded && tet.energy(&end) <= tet.energy(&x) * (1.0 + 1e-9));
    }
}

/// The second minimum of the energy: s³ + s² + s = μ/λ separates elements that collapse from those that recover.
#[test]
fn what_is_squeezed_too_far_in_every_direction_collapses() {
    let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    for (mu, lambda) in [(1e3, 1e3), (1e3, 2.5e3), (1e3, 1e4)] {
        let tet = NeoHookeanTet::with_moduli(&rest, Lame { mu, lambda }).unwrap();
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for _ in 0..60 {
            let s = 0.5 * (low + high);
            if s * s * s + s * s + s < mu / lambda { low = s } else { high = s }
        }
        let end = |share: f64| {
            let x = relax(&tet, tet.kind.gradient_floor(), rest.map(|p| p * low * share), 2000, |_| ());
            ratio(&tet.kind, &x)
        };
        assert!(end(0.95).abs() < 1e-3, "{} at {low}", end(0.95));
        assert!((end(1.05) - 1.0).abs() < 1e-3, "{} at {low}", end(1.05));
    }
}

#[test]
fn materials_without_resistance_are_errors() {
    let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    for (mu, lambda) in [(0.0, 1.0), (1.0, 0.0), (-1.0, 1.0), (1.0, f64::INFINITY), (f64::NAN, 1.0)] {
        assert!(NeoHookeanTet::with_moduli(&rest, Lame { mu, lambda }).is_err());
    }
    assert!(NeoHookeanTet::elastic(&rest, 1e6, 0.5).is_err());
    assert!(NeoHookeanTet::elastic(&[rest[0], rest[2], rest[1], rest[3]], 1e6, 0.3).is_err());
}
