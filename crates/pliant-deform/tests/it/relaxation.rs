//! Relaxation against independent numbers, and its invariants.

use nalgebra::Vector3;
use pliant_deform::{
    BindError, Deformer, EdgeConstraints, FrameTime, Layer, Measured, Preserve, Relax, RelaxSettings,
    Restore, Stack, Sweep, VertexWeights, Weld, edge_strain,
};
use pliant_mesh::{Caps, TriMesh};
use proptest::prelude::*;
use serde::Deserialize;

const SWEEPS: [Sweep; 3] = [Sweep::Coloured, Sweep::Sequential, Sweep::JacobiMean];

fn deform(relax: &mut Relax, x: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    let mut x = x.to_vec();
    relax.deform(&FrameTime::default(), &mut x).unwrap();
    x
}

/// A tube and the same tube bent by a right angle: stretched outside, crushed inside.
fn elbow(caps: Caps) -> (TriMesh, Vec<Vector3<f64>>) {
    let rest = TriMesh::cylinder(0.25, 2.0, 20, 30, caps).unwrap();
    let bend = |p: &Vector3<f64>| {
        let angle = std::f64::consts::FRAC_PI_2 * (p.y / 0.4 + 0.5).clamp(0.0, 1.0);
        Vector3::new(p.x * angle.cos() - p.y * angle.sin(), p.x * angle.sin() + p.y * angle.cos(), p.z)
    };
    let bent = rest.positions().iter().map(bend).collect();
    (rest, bent)
}

#[derive(Deserialize)]
struct Oracle {
    rest: Vec<[f64; 3]>,
    edges: Vec<[u32; 2]>,
    edge_rest: Vec<f64>,
    deformed: Vec<[f64; 3]>,
    weights: Vec<f64>,
    results: std::collections::BTreeMap<String, serde_json::Value>,
}

#[test]
fn every_mode_agrees_with_the_reference() {
    let Some(path) = pliant_testkit::shared("oracles/relaxation/elbow90.json") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let oracle: Oracle = serde_json::from_str(&text).unwrap();
    let vectors = |list: &[[f64; 3]]| -> Vec<Vector3<f64>> { list.iter().map(|&v| v.into()).collect() };
    let (rest, deformed) = (vectors(&oracle.rest), vectors(&oracle.deformed));
    for (iterations, result) in &oracle.results {
        let iterations: u32 = iterations.parse().unwrap();
        for (mode, strain, sweep, weights) in [
            ("equal", "equal", Sweep::Sequential, VertexWeights::Equal),
            ("weighted", "weighted", Sweep::Sequential, VertexWeights::InverseMass(oracle.weights.clone())),
            ("blend", "", Sweep::Sequential, VertexWeights::Blend(oracle.weights.clone())),
            ("jacobi_mean", "jacobi", Sweep::JacobiMean, VertexWeights::Equal),
        ] {
            let settings = RelaxSettings {
                iterations,
                push: 1.0,
                pull: 1.0,
                sweep,
                weights,
                ..RelaxSettings::default()
            };
            let edges =
                EdgeConstraints::new(rest.len(), oracle.edges.clone(), oracle.edge_rest.clone()).unwrap();
            let found = deform(&mut Relax::of_edges(&rest, edges, settings).unwrap(), &deformed);
            let expected: Vec<[f64; 3]> = serde_json::from_value(result[mode].clone()).unwrap();
            for (a, b) in found.iter().zip(vectors(&expected)) {
                assert!((a - b).amax() <= 1e-12, "{mode} {iterations}");
            }
            if let Some(expected) = result["rms_strain"].get(strain) {
                let rms = edge_strain(&found, &oracle.edges, &oracle.edge_rest).rms;
                assert!((rms - expected.as_f64().unwrap()).abs() < 1e-12, "{mode} {iterations}");
            }
        }
    }
}

#[test]
fn one_edge_has_the_published_lengths() {
    for (length, expected, tolerance) in [(2.0, 1.000_976_562_5, 1e-12), (0.5, 0.825_660_78, 5e-9)] {
        for sweep in SWEEPS {
            let edges = EdgeConstraints::new(2, vec![[0, 1]], vec![1.0]).unwrap();
            let settings = RelaxSettings { sweep, ..RelaxSettings::default() };
            let start = [Vector3::zeros(), Vector3::y() * length];
            let mut relax = Relax::of_edges(&[Vector3::zeros(), Vector3::y()], edges, settings).unwrap();
            let x = deform(&mut relax, &start);
            let tolerance = if sweep == Sweep::Coloured { 2e-7 } else { tolerance };
            assert!(((x[1] - x[0]).norm() - expected).abs() < tolerance, "{sweep:?} {x:?}");
            assert!((x[0] + x[1] - start[1]).norm() < 1e-7, "the middle stays");
        }
    }
}

fn bits(x: &[Vector3<f64>]) -> Vec<[u64; 3]> {
    x.iter().map(|p| [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()]).collect()
}

#[test]
fn nothing_asked_is_nothing_done_to_the_last_bit() {
    let (rest, mut bent) = elbow(Caps::Open);
    bent[0].x = -0.0;
    let count = rest.positions().len();
    let zeros = vec![0.0; count];
    for sweep in SWEEPS {
        let with = |change: fn(&mut RelaxSettings)| {
            let mut settings = RelaxSettings { sweep, ..RelaxSettings::default() };
            change(&mut settings);
            Relax::new(&rest, settings).unwrap()
        };
        let still = with(|s| {
            s.iterations = 0;
            s.restore = Some(Restore { strength: 1.0, smoothing: 3 });
        });
        let mut weightless = [VertexWeights::InverseMass(zeros.clone()), VertexWeights::Blend(zeros.clone())]
            .map(|weights| RelaxSettings { sweep, weights, ..RelaxSettings::default() })
            .map(|settings| Relax::new(&rest, settings).unwrap())
            .to_vec();
        weightless.push(still);
        for relax in &mut weightless {
            assert!(bits(&deform(relax, &bent)) == bits(&bent), "{sweep:?}");
        }
        let mut stack = Stack::new(&rest);
        stack.push(Layer::new(with(|_| {})).envelope(0.0)).unwrap();
        stack.push(Layer::new(with(|_| {})).weights(zeros.clone())).unwrap();
        assert!(bits(&stack.run(&FrameTime::default(), &bent).unwrap()) == bits(&bent));
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(48))]

    #[test]
    fn vertices_without_weight_never_move(
        mesh in pliant_testkit::tri_mesh(), motion in pliant_testkit::rigid_motion(1.0), seed in 0_usize..1000, restore in any::<bool>(),
    ) {
        let n = mesh.positions().len();
        let weights: Vec<f64> = (0..n).map(|v| ((v * 7 + seed) % 3) as f64 / 2.0).collect();
        let x: Vec<_> = mesh.positions().iter().map(|p| motion.apply(p).component_mul(&Vector3::new(1.0, 0.6, 1.2))).collect();
        for sweep in SWEEPS {
            for weights in [VertexWeights::InverseMass(weights.clone()), VertexWeights::Blend(weights.clone())] {
                let restore = restore.then_some(Restore { strength: 0.5, smoothing: 2 });
                let settings = RelaxSettings { sweep, weights: weights.clone(), restore, preserve: Preserve { area: 0.3, volume: 0.0 }, ..RelaxSettings::default() };
                let out = deform(&mut Relax::new(&mesh, settings).unwrap(), &x);
                let (VertexWeights::InverseMass(w) | VertexWeights::Blend(w)) = &weights else { unreachable!("weights are given") };
                for v in 0..n {
                    prop_assert!(w[v] > 0.0 || out[v] == x[v], "{sweep:?} {v}");
                    prop_assert!(out[v].iter().all(|c| c.is_finite()));
                }
            }
        }
    }

    #[test]
    fn a_rigid_motion_of_the_input_moves_the_output(
        mesh in pliant_testkit::tri_mesh(), motion in pliant_testkit::rigid_motion(3.0), detail in any::<bool>(),
    ) {
        let size = mesh.bounds().unwrap().diagonal();
        let bent: Vec<_> = mesh.positions().iter().map(|p| p.component_mul(&Vector3::new(1.3, 0.7, 1.0))).collect();
        let moved: Vec<_> = bent.iter().map(|p| motion.apply(p)).collect();
        for sweep in SWEEPS {
            let restore = detail.then_some(Restore { strength: 1.0, smoothing: 2 });
            let settings = RelaxSettings { sweep, restore, preserve: Preserve { area: 0.2, volume: 0.0 }, ..RelaxSettings::default() };
            let mut relax = Relax::new(&mesh, settings).unwrap();
            let (a, b) = (deform(&mut relax, &bent), deform(&mut relax, &moved));
            // Single precision where it is coloured.
            let tolerance = if sweep == Sweep::Coloured { 3e-5 } else { 1e-9 } * (size + 1.0);
            for (a, b) in a.iter().zip(&b) {
                prop_assert!((motion.apply(a) - b).norm() < tolerance, "{sweep:?}: {}", (motion.apply(a) - b).norm());
            }
        }
    }
}

#[test]
fn strain_falls_with_every_iteration() {
    let (rest, bent) = elbow(Caps::Open);
    let measured = Measured::new(&rest);
    for sweep in SWEEPS {
        for (push, pull) in [(0.1, 0.5), (1.0, 1.0), (0.6, 0.3)] {
            let mut last = measured.statistics(&bent).strain.rms;
            for iterations in 1..=40 {
                let settings = RelaxSettings { iterations, push, pull, sweep, ..RelaxSettings::default() };
                let out = deform(&mut Relax::new(&rest, settings).unwrap(), &bent);
                let now = measured.statistics(&out).strain.rms;
                assert!(now < last, "{sweep:?} {push} {pull}, iteration {iterations}: {now} after {last}");
                last = now;
            }
        }
    }
}

/// Both sweeps end where every edge has its length, and a fixed point of one is a fixed point of the other.
#[test]
fn all_sweeps_have_the_same_fixed_points() {
    let rest = TriMesh::icosphere(1.0, 2).unwrap();
    let bumpy: Vec<_> =
        rest.positions().iter().map(|p| p.component_mul(&Vector3::new(1.2, 0.9, 1.0))).collect();
    let relax = |sweep, iterations| {
        let settings = RelaxSettings { iterations, push: 1.0, pull: 1.0, sweep, ..RelaxSettings::default() };
        Relax::new(&rest, settings).unwrap()
    };
    let settled: Vec<_> = SWEEPS.iter().map(|&sweep| deform(&mut relax(sweep, 20_000), &bumpy)).collect();
    for (x, sweep) in settled.iter().zip(SWEEPS) {
        let residual = relax(sweep, 1).residual(x);
        let bound = if sweep == Sweep::Coloured { 1e-6 } else { 1e-9 };
        assert!(residual.max < bound && residual.rms <= residual.max, "{sweep:?} {residual:?}");
        for other in SWEEPS {
            let after = deform(&mut relax(other, 10), x);
            let moved = after.iter().zip(x).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(moved < 1e-5, "{other:?} moves what {sweep:?} has settled by {moved}");
        }
    }
}

#[test]
fn in_its_own_order_the_sequential_sweep_does_what_the_coloured_one_does() {
    let (rest, bent) = elbow(Caps::Open);
    let mut coloured = Relax::new(&rest, RelaxSettings::default()).unwrap();
    let order = coloured.order().unwrap();
    let edges = coloured.edges();
    let pick = |e: &u32| (edges.pairs()[*e as usize], edges.rest_lengths()[*e as usize]);
    let (pairs, lengths) = order.iter().map(pick).unzip();
    let reordered = EdgeConstraints::new(rest.positions().len(), pairs, lengths).unwrap();
    let settings = RelaxSettings { sweep: Sweep::Sequential, ..RelaxSettings::default() };
    let mut sequential = Relax::of_edges(rest.positions(), reordered, settings).unwrap();
    let (a, b) = (deform(&mut coloured, &bent), deform(&mut sequential, &bent));
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).norm() < 2e-6));
}

#[test]
fn loose_triangles_relax_as_the_surface_does() {
    let (rest, bent) = elbow(Caps::Open);
    let loose = |x: &[Vector3<f64>]| -> Vec<Vector3<f64>> {
        rest.triangles().iter().flatten().map(|&v| x[v as usize]).collect()
    };
    let triangles = (0..rest.triangles().len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let soup = TriMesh::new(loose(rest.positions()), triangles).unwrap();
    // With weights, in which the seam of one row is split off: it then moves by itself.
    let weights: Vec<f64> = rest.positions().iter().map(|p| if p.y > 0.5 { 0.25 } else { 1.0 }).collect();
    let of_corners: Vec<f64> = rest.triangles().iter().flatten().map(|&v| weights[v as usize]).collect();
    for (a, b) in [
        (VertexWeights::Equal, VertexWeights::Equal),
        (VertexWeights::InverseMass(weights), VertexWeights::InverseMass(of_corners)),
    ] {
        let settings = |weights| RelaxSettings {
            sweep: Sweep::Sequential,
            weights,
            pin_borders: true,
            ..RelaxSettings::default()
        };
        let whole = deform(&mut Relax::new(&rest, settings(a)).unwrap(), &bent);
        let parts = deform(&mut Relax::new(&soup, settings(b)).unwrap(), &loose(&bent));
        assert!(loose(&whole).iter().zip(&parts).all(|(a, b)| (a - b).norm() < 1e-12));
    }
}

#[test]
fn borders_stay_where_they_are_pinned() {
    let (rest, bent) = elbow(Caps::Open);
    let border: Vec<u32> = rest.hinges().boundary.iter().flatten().copied().collect();
    for sweep in SWEEPS {
        let settings = RelaxSettings { sweep, pin_borders: true, ..RelaxSettings::default() };
        let out = deform(&mut Relax::new(&rest, settings).unwrap(), &bent);
        assert!(border.iter().all(|&v| out[v as usize] == bent[v as usize]));
        assert!(out != bent);
    }
}

#[test]
fn a_preserved_volume_is_nearer_to_the_rest() {
    let (rest, bent) = elbow(Caps::Capped);
    let measured = Measured::new(&rest);
    let volume = |x: &[Vector3<f64>]| measured.statistics(x).volume.unwrap();
    let settings = RelaxSettings { pull: 1.0, push: 0.1, ..RelaxSettings::default() };
    let plain = deform(&mut Relax::new(&rest, settings.clone()).unwrap(), &bent);
    let preserve = Preserve { volume: 1.0, area: 0.0 };
    let kept = deform(&mut Relax::new(&rest, RelaxSettings { preserve, ..settings }).unwrap(), &bent);
    let off = |x: &[Vector3<f64>]| (volume(x) / volume(rest.positions()) - 1.0).abs();
    assert!(off(&kept) < 1e-4 && off(&plain) > 0.01, "{} {}", off(&kept), off(&plain));
}

#[test]
fn restoring_detail_brings_the_rest_shape_back() {
    let ball = TriMesh::icosphere(1.0, 4).unwrap();
    let measured = Measured::new(&ball);
    let spiky: Vec<_> = (0..ball.positions().len())
        .map(|v| ball.positions()[v] * if v % 17 == 0 { 1.3 } else { 1.0 })
        .collect();
    let rms = |restore| {
        let settings = RelaxSettings { restore, iterations: 3, ..RelaxSettings::default() };
        measured.statistics(&deform(&mut Relax::new(&ball, settings).unwrap(), &spiky)).strain.rms
    };
    assert!(rms(Some(Restore { strength: 1.0, smoothing: 8 })) < 0.5 * rms(None));
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let mesh = TriMesh::grid([3, 3], [1.0, 1.0]).unwrap();
    let refused = |change: fn(&mut RelaxSettings)| {
        let mut settings = RelaxSettings::default();
        change(&mut settings);
        Relax::new(&mesh, settings).unwrap_err()
    };
    assert!(matches!(refused(|s| s.push = 1.5), BindError::Number { what: "push", .. }));
    assert!(matches!(refused(|s| s.pull = f64::NAN), BindError::Number { what: "pull", .. }));
    assert!(matches!(
        refused(|s| s.weights = VertexWeights::Blend(vec![1.0; 8])),
        BindError::Count { found: 8, vertices: 9, .. }
    ));
    assert!(matches!(
        refused(|s| s.weights = VertexWeights::InverseMass(vec![2.0; 9])),
        BindError::Weight { vertex: 0, .. }
    ));
    assert!(matches!(refused(|s| s.preserve.volume = 1.0), BindError::Open { boundary: 8, .. }));
    let edges = EdgeConstraints::new(2, vec![[0, 1]], vec![1.0]).unwrap();
    let settings = RelaxSettings { pin_borders: true, ..RelaxSettings::default() };
    let no_mesh = Relax::of_edges(&[Vector3::zeros(); 2], edges, settings);
    assert!(matches!(no_mesh, Err(BindError::NeedsTriangles { .. })));
    let other = Weld::none(4);
    assert!(matches!(
        Relax::welded(&mesh, &other, RelaxSettings::default()),
        Err(BindError::Count { found: 4, .. })
    ));
    let mut relax = Relax::new(&mesh, RelaxSettings::default()).unwrap();
    assert!(relax.deform(&FrameTime::default(), &mut [Vector3::zeros(); 8]).is_err());
}
