//! [`GlobalVolume`] on closed surfaces.

use nalgebra::Vector3;
use pliant_constraints::{
    ClosedSurface, Constraint as _, GlobalVolume, GroupDamping, PointSlices, SUM_CHUNK, TetVolume, Update,
    VolumeState, VolumeSums, gas_compliance, overpressure, pressure_factor,
};
use pliant_testkit::{derivative, point, rigid_motion, scaled_compliance, stencil};
use proptest::prelude::*;

/// The boundary of a tetrahedron, seen from outside.
const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

/// The octahedron with every face divided `levels` times, its vertices on the unit sphere.
fn sphere(levels: u32) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let axis = [Vector3::x(), Vector3::y(), Vector3::z()];
    let mut x: Vec<Vector3<f64>> = axis.iter().copied().chain(axis.iter().map(|a| -a)).collect();
    let mut triangles = vec![];
    for side in 0..8_u32 {
        let corner = |k: u32| if side >> k & 1 == 0 { k } else { k + 3 };
        let [a, b, c] = [corner(0), corner(1), corner(2)];
        triangles.push(if side.count_ones() % 2 == 0 { [a, b, c] } else { [a, c, b] });
    }
    for _ in 0..levels {
        let mut middles = std::collections::BTreeMap::new();
        let mut finer = vec![];
        for [a, b, c] in triangles {
            let mut middle = |p: u32, q: u32| {
                *middles.entry((p.min(q), p.max(q))).or_insert_with(|| {
                    x.push((x[p as usize] + x[q as usize]).normalize());
                    x.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    (x, triangles)
}

/// A crumpled sphere of 18 or 66 vertices somewhere in space, with inverse masses of which some may be zero.
fn crumpled() -> impl Strategy<Value = (Vec<Vector3<f64>>, Vec<[u32; 3]>, Vec<f64>)> {
    (1..=2_u32, rigid_motion(5.0), -2.0..2.0_f64, 0.0..0.4_f64, any::<bool>()).prop_flat_map(
        |(levels, motion, size, roughness, pinned)| {
            let (x, triangles) = sphere(levels);
            let count = x.len();
            let jitter = prop::collection::vec(point(roughness), count);
            let w = prop::collection::vec((-1.0..2.0_f64, 0..8_u8), count);
            (jitter, w).prop_map(move |(jitter, w)| {
                let scale = 10.0_f64.powf(size);
                let x = x.iter().zip(&jitter).map(|(x, j)| motion.apply(&(x + j)) * scale).collect();
                let w = w
                    .iter()
                    .map(|(e, sort)| if pinned && *sort == 0 { 0.0 } else { 10.0_f64.powf(*e) })
                    .collect();
                (x, triangles.clone(), w)
            })
        },
    )
}

/// Length of the gradients and arms that a sum is compared with.
fn lengths(g: &[Vector3<f64>]) -> f64 {
    g.iter().map(Vector3::norm).sum()
}

fn centre(x: &[Vector3<f64>]) -> Vector3<f64> {
    x.iter().sum::<Vector3<f64>>() / x.len() as f64
}

fn size(x: &[Vector3<f64>]) -> f64 {
    let c = centre(x);
    x.iter().map(|x| (x - c).norm()).fold(0.0, f64::max)
}

/// Projects once and moves the points.
fn project(
    volume: &GlobalVolume,
    surface: &ClosedSurface,
    x: &mut [Vector3<f64>],
    w: &[f64],
    alpha_tilde: f64,
    state: &mut VolumeState,
) -> f64 {
    let delta = volume.step(surface, &PointSlices { x, w }, alpha_tilde, None, Update::xpbd(), state);
    for (&v, g) in surface.vertices().iter().zip(&state.gradients) {
        x[v as usize] += g * (w[v as usize] * delta);
    }
    delta
}

proptest! {
    #![proptest_config(pliant_testkit::config(200))]

    #[test]
    fn a_tetrahedron_is_the_constraint_of_one(x in stencil::<4>()) {
        let surface = ClosedSurface::new(&TETRAHEDRON).unwrap();
        let (volume, gradients) = TetVolume { rest: 0.0 }.value_and_gradient(&x);
        let points = PointSlices { x: &x, w: &[1.0; 4] };
        prop_assert!((surface.volume(&points) - volume).abs() < 1e-14 * volume);
        for (k, g) in gradients.iter().enumerate() {
            prop_assert!((surface.gradient(k, &points) - g).norm() < 1e-14 * g.norm());
        }
    }

    #[test]
    fn gradients_agree_with_finite_differences((x, triangles, w) in crumpled(), pick in any::<prop::sample::Index>()) {
        let surface = ClosedSurface::new(&triangles).unwrap();
        let k = pick.index(x.len());
        let g = surface.gradient(k, &PointSlices { x: &x, w: &w });
        let scale = size(&x);
        for axis in 0..3 {
            let along = |t: f64| {
                let mut moved = x.clone();
                moved[k][axis] = t;
                surface.volume(&PointSlices { x: &moved, w: &w })
            };
            let slope = derivative(along, x[k][axis], 0.1 * scale);
            prop_assert!((g[axis] - slope.value).abs() <= 1e-10 * scale * scale + 2.0 * slope.error);
        }
    }

    #[test]
    fn gradients_of_a_closed_surface_cancel((x, triangles, w) in crumpled(), far in point(1e4)) {
        let surface = ClosedSurface::new(&triangles).unwrap();
        let away: Vec<_> = x.iter().map(|x| x + far).collect();
        for x in [&x, &away] {
            let c = centre(x);
            let mut g = vec![Vector3::zeros(); x.len()];
            surface.gradients(&PointSlices { x, w: &w }, None, &mut g);
            let rounding = 1e-15 * (far.norm() + x[0].norm()) / size(x);
            prop_assert!(g.iter().sum::<Vector3<f64>>().norm() <= (1e-13 + rounding) * lengths(&g));
            let torque: Vector3<f64> = x.iter().zip(&g).map(|(x, g)| (x - c).cross(g)).sum();
            prop_assert!(torque.norm() <= (1e-13 + 10.0 * rounding) * lengths(&g) * size(x));
        }
        // The volume does not notice the place either.
        let volume = |x: &[Vector3<f64>]| surface.volume(&PointSlices { x, w: &w });
        prop_assert!((volume(&x) - volume(&away)).abs() <= 1e-10 * size(&x).powi(2) * (size(&x) + 1.0));
    }

    #[test]
    fn rigid_motion_keeps_the_volume_and_scaling_has_its_cube((x, triangles, w) in crumpled(), motion in rigid_motion(5.0), scale in 0.1..10.0_f64) {
        let surface = ClosedSurface::new(&triangles).unwrap();
        let volume = |x: &[Vector3<f64>]| surface.volume(&PointSlices { x, w: &w });
        let moved: Vec<_> = x.iter().map(|x| motion.apply(x) * scale).collect();
        let rounding = 1e-13 * size(&x).powi(2) * (size(&x) + x[0].norm() + 10.0);
        prop_assert!((volume(&moved) / scale.powi(3) - volume(&x)).abs() <= rounding);
        let inside_out: Vec<_> = triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        let turned = ClosedSurface::new(&inside_out).unwrap().volume(&PointSlices { x: &x, w: &w });
        prop_assert!((turned + volume(&x)).abs() <= rounding);
    }

    #[test]
    fn a_projection_solves_the_linearised_equation_and_keeps_momentum(
        (x, triangles, w) in crumpled(), alpha_tilde in scaled_compliance(), factor in 0.5..2.0_f64, earlier in -1.0..1.0_f64, gamma in 0.0..10.0_f64,
        moved in point(0.2), damped in any::<bool>(),
    ) {
        let surface = ClosedSurface::new(&triangles).unwrap();
        let scale = size(&x);
        let rest = 4.0 * scale.powi(3);
        // A compliance in proportion to the surface, so that it matters.
        let alpha_tilde = alpha_tilde * scale.powi(4);
        let volume = GlobalVolume { rest, factor };
        let mut state = VolumeState::new(&surface);
        state.lambda = if alpha_tilde > 0.0 { earlier * rest / alpha_tilde } else { 0.0 };
        let before = state.lambda;
        let points = PointSlices { x: &x, w: &w };
        let old: Vec<_> = x.iter().enumerate().map(|(j, x)| x + moved * scale * (j as f64).sin()).collect();
        let old = PointSlices { x: &old, w: &w };
        let damping = damped.then_some(GroupDamping { previous: &old, gamma });
        let delta = volume.step(&surface, &points, alpha_tilde, damping, Update::xpbd(), &mut state);
        prop_assert_eq!(state.lambda, before + delta);
        let dx: Vec<_> = (0..x.len()).map(|j| state.gradients[j] * (w[j] * delta)).collect();
        let along: f64 = dx.iter().zip(&state.gradients).map(|(d, g)| d.dot(g)).sum();
        let error = volume.value(surface.volume(&points));
        let mut left = error + along + alpha_tilde * state.lambda;
        let mut terms = error.abs() + along.abs() + alpha_tilde * (before.abs() + delta.abs());
        if damped && alpha_tilde > 0.0 {
            for j in 0..x.len() {
                let change = x[j] + dx[j] - old.x[j];
                left += gamma * state.gradients[j].dot(&change);
                terms += gamma * state.gradients[j].norm() * change.norm();
            }
        }
        prop_assert!(left.abs() <= 1e-12 * terms, "{left} of {terms}");
        for j in 0..x.len() {
            prop_assert!(w[j] > 0.0 || dx[j] == Vector3::zeros());
        }
        if w.iter().all(|w| *w > 0.0) {
            let impulses: Vec<_> = dx.iter().zip(&w).map(|(d, w)| d / *w).collect();
            let c = centre(&x);
            let rounding = 1e-12 * lengths(&impulses) * (1.0 + x[0].norm() / scale);
            prop_assert!(impulses.iter().sum::<Vector3<f64>>().norm() <= rounding);
            let torque: Vector3<f64> = x.iter().zip(&impulses).map(|(x, p)| (x - c).cross(p)).sum();
            prop_assert!(torque.norm() <= rounding * scale);
        }
    }

    #[test]
    fn projections_converge((x, triangles, w) in crumpled(), factor in 0.8..1.5_f64, softness in prop_oneof![Just(0.0), 1e-3..1e1_f64]) {
        let surface = ClosedSurface::new(&triangles).unwrap();
        let rest = surface.volume(&PointSlices { x: &x, w: &w });
        prop_assume!(rest > 0.5 * size(&x).powi(3));
        let volume = GlobalVolume { rest, factor };
        let alpha_tilde = softness * size(&x).powi(4);
        let (mut y, mut state) = (x.clone(), VolumeState::new(&surface));
        for _ in 0..40 {
            project(&volume, &surface, &mut y, &w, alpha_tilde, &mut state);
        }
        let left = volume.residual(&surface, &PointSlices { x: &y, w: &w }, alpha_tilde, None, state.lambda);
        prop_assert!(left.abs() <= 1e-12 * rest, "{left} of {rest}");
    }

    #[test]
    fn chunks_in_any_order_give_the_same_bits(levels in 4..=5_u32, jitter in point(0.1)) {
        let (x, triangles) = sphere(levels);
        let x: Vec<_> = x.iter().enumerate().map(|(j, x)| x + jitter * (j as f64).sin()).collect();
        let w = vec![1.0; x.len()];
        let points = PointSlices { x: &x, w: &w };
        let surface = ClosedSurface::new(&triangles).unwrap();
        prop_assert_eq!(surface.triangle_chunks(), triangles.len().div_ceil(SUM_CHUNK));
        prop_assert!(surface.triangle_chunks() > 1);
        let mut sums: Vec<f64> = (0..surface.triangle_chunks()).rev().map(|c| surface.volume_of_chunk(c, &points)).collect();
        sums.reverse();
        prop_assert_eq!(sums.iter().sum::<f64>().to_bits(), surface.volume(&points).to_bits());
        let (mut whole, mut parts) = (vec![Vector3::zeros(); x.len()], vec![Vector3::zeros(); x.len()]);
        let expected = surface.gradients(&points, Some(&points), &mut whole);
        let mut sums: Vec<_> = parts
            .chunks_mut(SUM_CHUNK)
            .enumerate()
            .rev()
            .map(|(c, g)| surface.gradients_of_chunk(c, &points, Some(&points), g))
            .collect();
        prop_assert_eq!((sums.len(), surface.vertex_chunks()), (x.len().div_ceil(SUM_CHUNK), x.len().div_ceil(SUM_CHUNK)));
        sums.reverse();
        let mut total = VolumeSums::default();
        sums.into_iter().for_each(|s| total += s);
        prop_assert_eq!((total, parts), (expected, whole));
    }

    #[test]
    fn in_single_precision((x, triangles, w) in crumpled(), factor in 0.5..2.0_f64) {
        // The positions are rounded, the sums are not.
        let surface = ClosedSurface::new(&triangles).unwrap();
        let x32: Vec<Vector3<f32>> = x.iter().map(|x| x.map(|c| c as f32)).collect();
        let w32: Vec<f32> = w.iter().map(|w| *w as f32).collect();
        let exact: Vec<Vector3<f64>> = x32.iter().map(|x| x.map(f64::from)).collect();
        let exact_w: Vec<f64> = w32.iter().map(|w| f64::from(*w)).collect();
        let volume = GlobalVolume { rest: size(&x).powi(3), factor };
        let (mut a, mut b) = (VolumeState::new(&surface), VolumeState::new(&surface));
        let single = volume.step(&surface, &PointSlices { x: &x32, w: &w32 }, 0.5, None, Update::xpbd(), &mut a);
        let double = volume.step(&surface, &PointSlices { x: &exact, w: &exact_w }, 0.5, None, Update::xpbd(), &mut b);
        prop_assert_eq!((single, a), (double, b));
    }

    #[test]
    fn forces_are_the_gradient_of_the_energy((x, triangles, w) in crumpled(), factor in 0.5..2.0_f64, alpha in 1e-3..1e3_f64, pick in any::<prop::sample::Index>()) {
        let surface = ClosedSurface::new(&triangles).unwrap();
        let scale = size(&x);
        let volume = GlobalVolume { rest: 3.0 * scale.powi(3), factor };
        let k = pick.index(x.len());
        let points = PointSlices { x: &x, w: &w };
        let force = surface.gradient(k, &points) * volume.value(surface.volume(&points)) / alpha;
        let along = |t: f64| {
            let mut moved = x.clone();
            moved[k].x = t;
            volume.energy(surface.volume(&PointSlices { x: &moved, w: &w }), alpha)
        };
        let slope = derivative(along, x[k].x, 0.1 * scale);
        prop_assert!((force.x - slope.value).abs() <= 1e-10 * scale.powi(5) / alpha + 2.0 * slope.error);
        prop_assert_eq!(volume.energy(1.0, 0.0), 0.0);
    }

    #[test]
    fn a_soft_gas_is_a_constant_pressure((x, triangles, w) in crumpled(), pressure in 1.0..1e5_f64, h in 1e-4..1e-2_f64) {
        // Every vertex moves by w h² times the force on it, pressure times a third of the area around it.
        let surface = ClosedSurface::new(&triangles).unwrap();
        let points = PointSlices { x: &x, w: &w };
        let rest = surface.volume(&points);
        prop_assume!(rest > 0.5 * size(&x).powi(3));
        let mobility: f64 = w.iter().sum::<f64>() * size(&x).powi(4);
        let alpha = 1e9 * mobility * h * h;
        let volume = GlobalVolume { rest, factor: pressure_factor(pressure, alpha, rest) };
        let mut state = VolumeState::new(&surface);
        let delta = volume.step(&surface, &points, alpha / (h * h), None, Update::xpbd(), &mut state);
        prop_assert!((overpressure(delta, h) / pressure - 1.0).abs() < 1e-6, "{}", overpressure(delta, h));
    }
}

#[test]
fn a_sphere_has_its_volume() {
    let (x, triangles) = sphere(5);
    let surface = ClosedSurface::new(&triangles).unwrap();
    let w = vec![1.0; x.len()];
    let points = PointSlices { x: &x, w: &w };
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    assert!((surface.volume(&points) / ball - 1.0).abs() < 2e-3);
    // The gradients are the outward areas of the vertices' thirds.
    let mut area = 0.0;
    for (k, &v) in surface.vertices().iter().enumerate() {
        let g = surface.gradient(k, &points);
        assert!(g.normalize().dot(&x[v as usize]) > 0.99);
        area += g.norm();
    }
    assert!((area / (4.0 * std::f64::consts::PI) - 1.0).abs() < 5e-3);
}

#[test]
fn holes_are_found() {
    let open = ClosedSurface::new(&TETRAHEDRON[..3]).unwrap_err();
    assert_eq!((open.vertices, open.surplus), ([0, 2], 1));
    assert!(open.to_string().contains("the edge 0–2"), "{open}");
    // One triangle the wrong way round.
    let mut twisted = TETRAHEDRON;
    twisted[3].swap(0, 1);
    assert_eq!(ClosedSurface::new(&twisted).unwrap_err().vertices, [0, 2]);
    // The volumes of two parts add up; without triangles the volume is zero.
    let two: Vec<_> = TETRAHEDRON.iter().flat_map(|t| [*t, t.map(|v| v + 7)]).collect();
    let surface = ClosedSurface::new(&two).unwrap();
    assert_eq!(surface.vertices(), [0, 1, 2, 3, 7, 8, 9, 10]);
    let nothing = ClosedSurface::new(&[]).unwrap();
    let empty = PointSlices::<f64> { x: &[], w: &[] };
    assert_eq!(nothing.volume(&empty), 0.0);
    let volume = GlobalVolume { rest: 1.0, factor: 1.0 };
    assert_eq!(
        volume.step(&nothing, &empty, 0.0, None, Update::xpbd(), &mut VolumeState::new(&nothing)),
        0.0
    );
}

#[test]
fn the_gradients_of_an_open_surface_do_not_cancel() {
    // The reason for the check above: the boundary of a tetrahedron without one face pushes itself along the
    // normal of that face.
    let (x, triangles) = sphere(1);
    let w = vec![1.0; x.len()];
    let whole = ClosedSurface::new(&triangles).unwrap();
    let points = PointSlices { x: &x, w: &w };
    let sum: Vector3<f64> = (0..x.len()).map(|k| whole.gradient(k, &points)).sum();
    assert!(sum.norm() < 1e-15);
    let of_triangle = |[a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(|v| x[v as usize]);
        3.0 * (b - a).cross(&(c - a)) / 6.0
    };
    let without: Vector3<f64> = triangles[1..].iter().map(|t| of_triangle(*t)).sum();
    assert!((without + of_triangle(triangles[0])).norm() < 1e-14 && without.norm() > 0.1);
}

#[test]
fn collapsed_surfaces_are_left_alone() {
    let (sphere, triangles) = sphere(2);
    let surface = ClosedSurface::new(&triangles).unwrap();
    let w = vec![1.0; sphere.len()];
    let volume = GlobalVolume { rest: 4.0, factor: 1.0 };
    for squash in [Vector3::new(0.0, 0.0, 0.0), Vector3::new(1.0, 0.0, 0.0), Vector3::new(1.0, 1e-12, 1e-12)]
    {
        let mut x: Vec<_> = sphere.iter().map(|x| x.component_mul(&squash)).collect();
        for alpha_tilde in [0.0, 1.0] {
            let mut state = VolumeState::new(&surface);
            let before = x.clone();
            project(&volume, &surface, &mut x, &w, alpha_tilde, &mut state);
            assert_eq!((state.lambda, &x), (0.0, &before));
        }
    }
    // A flat one is inflated again.
    let mut x: Vec<_> = sphere.iter().map(|x| x.component_mul(&Vector3::new(1.0, 1.0, 1e-3))).collect();
    let mut state = VolumeState::new(&surface);
    for _ in 0..20 {
        project(&volume, &surface, &mut x, &w, 0.0, &mut state);
    }
    assert!((surface.volume(&PointSlices { x: &x, w: &w }) - 4.0).abs() < 1e-12);
}

#[test]
fn a_gas_is_as_stiff_as_its_law() {
    // P V^κ is constant: the slope of P at V is −1/α.
    for exponent in [1.0, 1.4] {
        let (v, p) = (0.01, 1.5e5);
        let law = |volume: f64| p * (v / volume).powf(exponent);
        let slope = derivative(law, v, 0.1 * v);
        let alpha = gas_compliance(v, p, exponent);
        assert!((slope.value * alpha + 1.0).abs() < 1e-9);
    }
}
