//! [`StabilisedNeoHookeanTet`], beside implicit Euler by Newton's method on the same energy.

use nalgebra::{SMatrix, SVector, Vector3};
use pliant_constraints::{
    BlockConstraint, Elastic, Lame, NeoHookeanTet, StabilisedNeoHookeanTet, Update, project, residual,
};
use pliant_testkit::{positive_weights, rigid_motion, stencil};
use proptest::prelude::*;

use super::support::{check_momentum_of, oriented};

fn plain(rest: &[Vector3<f64>; 4]) -> Elastic<NeoHookeanTet<f64>> {
    NeoHookeanTet::with_moduli(&oriented(rest), Lame { mu: 2.0, lambda: 7.0 }).unwrap()
}

fn at_rest(rest: &[Vector3<f64>; 4]) -> StabilisedNeoHookeanTet<f64> {
    StabilisedNeoHookeanTet(plain(rest).kind)
}

/// This kind gives up that a projection solves its linearised equation, which the suite of the other kinds tests.
#[test]
fn momentum() {
    check_momentum_of(at_rest);
}

/// A vertex-triangle stitch of default stiffness at a centimetre over a triangle of 10 cm: a thin tetrahedron.
fn stitch() -> (Elastic<NeoHookeanTet<f64>>, [Vector3<f64>; 4]) {
    let rest = [Vector3::new(0.03, 0.03, -0.01), Vector3::zeros(), Vector3::x() * 0.1, Vector3::y() * 0.1];
    let rest = oriented(&rest);
    (NeoHookeanTet::with_moduli(&rest, Lame::solid(120e3, 0.49).unwrap()).unwrap(), rest)
}

/// Inverse mass of the points, 1/kg: cloth of 0.2 kg/m² with 10 cm between its vertices.
const LIGHT: f64 = 500.0;

type Points = [Vector3<f64>; 4];

/// The largest energy over that at rest, J, in half a second after the first point was pushed aside by a
/// millimetre. `step` makes the new positions of a substep from the predicted ones.
fn largest_energy(h: f64, step: impl Fn(&Points, f64) -> Points) -> f64 {
    let (tet, rest) = stitch();
    let mut x = rest;
    x[0].x += 1e-3;
    let mut v = [Vector3::zeros(); 4];
    let mut most = 0.0_f64;
    for _ in 0..(0.5 / h) as usize {
        let predicted = std::array::from_fn(|j| x[j] + v[j] * h);
        let next = step(&predicted, h);
        v = std::array::from_fn(|j| (next[j] - x[j]) / h);
        x = next;
        let kinetic: f64 = v.iter().map(|v| 0.5 * v.norm_squared() / LIGHT).sum();
        most = most.max(kinetic + tet.energy(&x) - tet.energy(&rest));
        if most.is_nan() || most > 1e6 {
            return f64::INFINITY;
        }
    }
    most
}

fn xpbd<K: BlockConstraint<f64, 4, 2>>(
    kind: &K,
    iterations: usize,
) -> impl Fn(&Points, f64) -> Points + use<'_, K> {
    let compliance = stitch().0.compliance;
    move |predicted, h| {
        let (mut x, mut lambda) = (*predicted, [0.0; 2]);
        for _ in 0..iterations {
            let dx = project(kind, &x, &[LIGHT; 4], compliance / (h * h), Update::xpbd(), &mut lambda);
            x = std::array::from_fn(|j| x[j] + dx[j]);
        }
        x
    }
}

/// Implicit Euler: the least of ½|x − x̃|²/(w h²) + energy, with the Hessian by differences of the gradient.
fn newton(predicted: &Points, h: f64) -> Points {
    let (tet, _) = stitch();
    let flat = |x: &Points| SVector::<f64, 12>::from_fn(|i, _| x[i / 3][i % 3]);
    let points = |x: &SVector<f64, 12>| -> Points {
        std::array::from_fn(|j| Vector3::new(x[3 * j], x[3 * j + 1], x[3 * j + 2]))
    };
    let goal = flat(predicted);
    let force = |x: &SVector<f64, 12>| (x - goal) / (LIGHT * h * h) + flat(&tet.energy_gradient(&points(x)));
    let mut x = goal;
    for _ in 0..30 {
        let e = 1e-7;
        let hessian = SMatrix::<f64, 12, 12>::from_fn(|i, j| {
            let step = SVector::<f64, 12>::from_fn(|k, _| if k == j { e } else { 0.0 });
            (force(&(x + step))[i] - force(&(x - step))[i]) / (2.0 * e)
        });
        let dx = hessian.lu().solve(&force(&x)).unwrap();
        x -= dx;
        if dx.norm() < 1e-12 {
            break;
        }
    }
    points(&x)
}

#[test]
fn geometric_stiffness_shakes_the_plain_rows_apart_and_neither_implicit_euler_nor_the_steady_ones() {
    let (tet, _) = stitch();
    let steady = StabilisedNeoHookeanTet(tet.kind);
    // The energy that the push has stored.
    let stored = largest_energy(1e-5, xpbd(&tet.kind, 1));
    assert!((1e-3..1e-1).contains(&stored), "{stored} J");
    for substeps in [5.0, 10.0, 40.0, 200.0, 800.0, 4000.0] {
        let h = 1.0 / (60.0 * substeps);
        let found = largest_energy(h, xpbd(&steady, 1));
        assert!(found < 1.05 * stored, "{substeps} substeps: {found} J of {stored} J");
        let plain = largest_energy(h, xpbd(&tet.kind, 1));
        assert_eq!(plain > 10.0 * stored, substeps < 20.0, "{substeps} substeps: {plain} J of {stored} J");
    }
    for substeps in [10.0, 40.0] {
        let implicit = largest_energy(1.0 / (60.0 * substeps), newton);
        assert!(implicit < 1.05 * stored, "{substeps} substeps: {implicit} J of {stored} J");
    }
}

/// C + α̃λ = 0 is reached, only later, at the solution of implicit Euler, except that earlier iterations used
/// gradients at earlier positions, as in all of XPBD.
#[test]
fn iterations_converge() {
    let (tet, rest) = stitch();
    let steady = StabilisedNeoHookeanTet(tet.kind);
    let mut predicted = rest;
    predicted[0] += Vector3::new(1e-4, -5e-5, 2e-5);
    for substeps in [10.0, 40.0, 200.0] {
        let h = 1.0 / (60.0 * substeps);
        let alpha_tilde = tet.compliance / (h * h);
        let (mut x, mut lambda) = (predicted, [0.0; 2]);
        let mut left = Vec::new();
        for _ in 0..2000 {
            let dx = project(&steady, &x, &[LIGHT; 4], alpha_tilde, Update::xpbd(), &mut lambda);
            x = std::array::from_fn(|j| x[j] + dx[j]);
            let rows = residual(&steady.values(&x), alpha_tilde, &lambda);
            left.push(rows[0].abs().max(rows[1].abs()));
        }
        assert!(left[1999] < 1e-9, "{substeps} substeps: {:e} and {:e}", left[0], left[1999]);
        let exact = newton(&predicted, h);
        let most = |a: &Points, b: &Points| (0..4).map(|j| (a[j] - b[j]).norm()).fold(0.0, f64::max);
        let (off, moved) = (most(&x, &exact), most(&exact, &predicted));
        assert!(off < 0.4 * moved, "{substeps} substeps: {off:e} of {moved:e}");
    }
}

#[test]
fn scaled_rows() {
    pliant_testkit::Suite::<4>::new().with_stencils(stencil::<4>()).scaled_rows(at_rest);
}

proptest! {
    #![proptest_config(pliant_testkit::config(256))]

    #[test]
    fn soft_elements_are_the_plain_ones_to_the_bit(rest in stencil::<4>(), x in stencil::<4>(), w in positive_weights::<4>(), softer in 1.0..1e3_f64) {
        let (plain, steady) = (plain(&rest).kind, at_rest(&rest));
        let [a, b, c] = plain.inverse.map(Vector3::from);
        let rows = [-(a + b + c), a, b, c];
        let sum: f64 = rows.iter().zip(&w).map(|(b, w)| w * b.norm_squared()).sum();
        let alpha_tilde = 4.0 * sum * softer * (1.0 + 1e-12);
        let (mut one, mut two) = ([0.1, -0.2], [0.1, -0.2]);
        let dx = project(&plain, &x, &w, alpha_tilde, Update::xpbd(), &mut one);
        prop_assert_eq!(dx, project(&steady, &x, &w, alpha_tilde, Update::xpbd(), &mut two));
        prop_assert_eq!(one, two);
    }

    #[test]
    fn at_rest_nothing_moves(rest in stencil::<4>(), w in positive_weights::<4>(), stiff in -6.0..2.0_f64, motion in rigid_motion(1.0)) {
        let steady = at_rest(&rest);
        let x = oriented(&rest).map(|p| motion.apply(&(p - rest[0])));
        let size = (rest[1] - rest[0]).norm();
        let alpha_tilde = w.iter().sum::<f64>() / (size * size) * 10.0_f64.powf(stiff);
        let dx = project(&steady, &x, &w, alpha_tilde, Update::xpbd(), &mut [0.0; 2]);
        let reach = x.iter().map(Vector3::norm).fold(0.0, f64::max);
        prop_assert!(dx.iter().all(|d| d.norm() < 1e-10 * reach), "{dx:?}");
    }
}
