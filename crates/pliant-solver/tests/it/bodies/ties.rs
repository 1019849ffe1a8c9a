//! Stitches and attachments between bodies.

use nalgebra::Vector3;
use pliant_constraints::Lame;
use pliant_constraints::stitch::{VertexEdgeStitch, VertexTriangleStitch, VertexVertexStitch};
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Attachment, Body, Compliance, Continuum, Keyframe, Motion, Pairs, Pin, Plan, Simulation,
    SimulationBuilder, Stitch,
};

use super::{FRAME, apart, moved, moved_solid, run, standing};

fn sheet() -> TriMesh {
    standing([5, 5], [0.4, 0.4])
}

/// A sheet whose upper rim moves, and one that hangs below it, its upper row a centimetre in front of the
/// lower row of the first.
fn two_sheets(stitch: Stitch) -> SimulationBuilder {
    let rim = Pin::select(|x| x.y > 0.4 - 1e-9).motion(Motion::linear(Vector3::new(0.0, 0.0, 0.3)));
    Simulation::builder()
        .body(Body::cloth(sheet()).name("upper").stretch(Compliance::new(1e-5)).pin_with(rim))
        .body(Body::cloth(moved(&sheet(), [0.0, -0.4, 0.01])).name("lower").stretch(Compliance::new(1e-5)))
        .stitch(stitch)
}

fn sorts() -> [(&'static str, Stitch); 3] {
    let springs = [VertexVertexStitch { stiffness: 1e4, rest_length: 0.0 }];
    let near = Pairs::within(0.0101);
    [
        ("vertex-vertex stitches", Stitch::vertices("lower", "upper", near, springs).keep_distance()),
        (
            "vertex-edge stitches",
            Stitch::edges(
                "lower",
                "upper",
                Pairs::within(0.0101),
                [VertexEdgeStitch::elastic(1e6, 0.3).unwrap()],
            ),
        ),
        ("vertex-triangle stitches", tetrahedra()),
    ]
}

/// Stitches of default stiffness, which is far too stiff for cloth of 0.2 kg/m² with few substeps.
fn tetrahedra() -> Stitch {
    Stitch::triangles("lower", "upper", Pairs::within(0.0101), [VertexTriangleStitch::default()])
}

#[test]
fn a_moving_rim_drags_what_is_sewn_to_its_sheet() {
    for (name, stitch) in sorts() {
        let mut sim = two_sheets(stitch).drag(1.0).substeps(40).build_as::<f64>().unwrap();
        run(&mut sim, 59);
        let report = sim.step(FRAME).unwrap();
        let group = report.residuals.iter().find(|r| r.name.starts_with(name)).unwrap();
        assert!(group.constraints >= 5, "{name}: {}", group.constraints);
        let lower = sim.positions_of(sim.body_ranges()[1].particles.clone());
        let mean = lower.iter().sum::<Vector3<f64>>() / lower.len() as f64;
        assert!(mean.z > 0.1, "{name}: dragged along to {}", mean.z);
        assert!((-0.35..-0.1).contains(&mean.y), "{name}: it hangs and does not fall, {}", mean.y);
        // The seam holds: the upper row of the lower sheet is near the lower row of the upper one.
        let upper = sim.positions_of(sim.body_ranges()[0].particles.clone());
        for v in 0..5 {
            let gap = (lower[20 + v] - upper[v]).norm();
            assert!(gap < 0.03, "{name}, vertex {v}: {gap}");
        }
        assert_eq!(report.volume, None, "a stitch is no element of a body");
    }
}

#[test]
fn stitches_at_rest_are_free_of_stress() {
    for (name, stitch) in sorts() {
        let still = Pin::select(|x| x.y > 0.4 - 1e-9);
        let mut sim = Simulation::builder()
            .gravity([0.0; 3])
            .substeps(40)
            .body(Body::cloth(sheet()).name("upper").pin_with(still))
            .body(Body::cloth(moved(&sheet(), [0.0, -0.4, 0.01])).name("lower"))
            .stitch(stitch)
            .build_as::<f64>()
            .unwrap();
        let start = sim.positions();
        run(&mut sim, 5);
        assert!(apart(&start, &sim.positions()) < 1e-12, "{name}");
        assert!(sim.report().energy.elastic < 1e-12);
    }
}

#[test]
fn a_vertex_edge_stitch_bears_the_weight_that_hangs_from_it() {
    let high =
        TriMesh::new(vec![Vector3::zeros(), Vector3::x(), Vector3::new(0.5, 1.0, 0.0)], vec![[0, 1, 2]])
            .unwrap();
    let corner = Vector3::new(0.5, -0.1, 0.0);
    let low = hanging_from(corner);
    let stitch = VertexEdgeStitch {
        moduli: Lame::plane_stress(1e4, 0.49).unwrap(),
        thickness: 1e-3,
        min_separate_distance: 1e-3,
    };
    let rest = [corner, Vector3::zeros(), Vector3::x()];
    let weight = 9.81 * 10.0 * low.area();
    let mut sim = Simulation::builder()
        .gravity([0.0, -9.81, 0.0])
        .drag(5.0)
        .substeps(20)
        .body(Body::cloth(high).name("high").pin(|_| true))
        .body(Body::cloth(low).name("low").area_density(10.0))
        .stitch(Stitch::edges("low", "high", Pairs::listed([[0, 0, 1]]), [stitch]))
        .build_as::<f64>()
        .unwrap();
    run(&mut sim, 180);
    let x = sim.positions();
    let force = -stitch.element(&rest).unwrap().energy_gradient(&[x[3], x[0], x[1]])[0];
    assert!((force.y / weight - 1.0).abs() < 1e-3, "{} N and {weight} N", force.y);
    assert!(x[3].y < corner.y - 1e-3, "it gives");
}

/// A triangle of 10 kg/m² whose vertex 0 is at a place, the others below it.
fn hanging_from(corner: Vector3<f64>) -> TriMesh {
    let low = [Vector3::zeros(), Vector3::new(-0.1, -0.2, 0.0), Vector3::new(0.1, -0.2, 0.0)];
    TriMesh::new(low.map(|d| corner + d).to_vec(), vec![[0, 1, 2]]).unwrap()
}

#[test]
fn a_vertex_vertex_stitch_is_stretched_by_the_weight_over_its_stiffness() {
    let weight = 9.81 * 10.0 * hanging_from(Vector3::zeros()).area();
    for (stiffness, rest_length) in [(50.0, 0.1), (400.0, 0.1), (400.0, 0.0)] {
        // It starts slightly too high and to the side, so that it must find its length and its direction.
        let low = hanging_from(Vector3::new(0.01, -0.05, 0.0));
        let high = TriMesh::new(vec![Vector3::zeros(), Vector3::x(), Vector3::y()], vec![[0, 1, 2]]).unwrap();
        let spring = VertexVertexStitch { stiffness, rest_length };
        let mut sim = Simulation::builder()
            .gravity([0.0, -9.81, 0.0])
            .drag(4.0)
            .substeps(20)
            .body(Body::cloth(high).name("high").pin(|_| true))
            .body(Body::cloth(low).name("low").area_density(10.0))
            .stitch(Stitch::vertices("low", "high", Pairs::listed([[0, 0]]), [spring]))
            .build_as::<f64>()
            .unwrap();
        run(&mut sim, 300);
        let x = sim.positions();
        let (gap, expected) = ((x[3] - x[0]).norm(), rest_length + weight / stiffness);
        assert!(
            (gap / expected - 1.0).abs() < 1e-4,
            "{stiffness} N/m, {rest_length} m: {gap} for {expected}"
        );
        assert!(x[3].y < -gap * (1.0 - 1e-4), "it hangs straight down: {:?}", x[3]);
    }
}

#[test]
fn a_vertex_triangle_stitch_bears_the_weight_that_hangs_from_it() {
    let high = [Vector3::zeros(), Vector3::x(), Vector3::new(0.5, 0.0, 1.0)];
    let high = TriMesh::new(high.to_vec(), vec![[0, 1, 2]]).unwrap();
    let corner = Vector3::new(0.5, -0.1, 0.3);
    let low = hanging_from(corner);
    let weight = 9.81 * 10.0 * low.area();
    let stitch = VertexTriangleStitch {
        min_separate_distance: 1e-3,
        ..VertexTriangleStitch::elastic(1e4, 0.4).unwrap()
    };
    let rest = [corner, high.positions()[0], high.positions()[1], high.positions()[2]];
    let mut sim = Simulation::builder()
        .gravity([0.0, -9.81, 0.0])
        .drag(5.0)
        // Steady tetrahedra give way slightly more than their moduli imply if substeps are few: by 1 % with 40.
        .substeps(200)
        .body(Body::cloth(high).name("high").pin(|_| true))
        .body(Body::cloth(low).name("low").area_density(10.0))
        .stitch(Stitch::triangles("low", "high", Pairs::listed([[0, 0, 1, 2]]), [stitch]))
        .build_as::<f64>()
        .unwrap();
    run(&mut sim, 180);
    let x = sim.positions();
    let (order, tet) = stitch.element(&rest).unwrap();
    let now = [x[3], x[0], x[1], x[2]];
    let corner_of = order.iter().position(|&k| k == 0).unwrap();
    let force = -tet.energy_gradient(&order.map(|k| now[k]))[corner_of];
    assert!((force.y / weight - 1.0).abs() < 2e-3, "{} N and {weight} N", force.y);
    assert!(force.x.abs() + force.z.abs() < 2e-3 * weight, "straight up: {force:?}");
    assert!(x[3].y < corner.y - 1e-5, "it gives: {}", x[3].y - corner.y);
}

#[test]
fn bodies_sewn_together_keep_their_momentum() {
    for (name, stitch) in sorts() {
        let flying = |body: Body, v: Vector3<f64>| body.stretch(Compliance::new(1e-5)).velocity(v);
        let mut sim = Simulation::builder()
            .gravity([0.0; 3])
            .substeps(20)
            .body(flying(Body::cloth(sheet()).name("upper"), Vector3::new(0.2, 0.0, 0.0)))
            .body(flying(
                Body::cloth(moved(&sheet(), [0.0, -0.4, 0.01])).name("lower").area_density(0.5),
                Vector3::new(0.0, -0.3, 0.4),
            ))
            .stitch(stitch.damping(1e-3))
            .build_as::<f64>()
            .unwrap();
        let before = sim.report();
        let mass = |part: usize| -> f64 {
            sim.body_ranges()[part].particles.clone().map(|i| 1.0 / sim.inverse_masses()[i]).sum()
        };
        let expected = Vector3::new(0.2, 0.0, 0.0) * mass(0) + Vector3::new(0.0, -0.3, 0.4) * mass(1);
        assert!((before.linear_momentum - expected).norm() < 1e-12);
        run(&mut sim, 29);
        let report = sim.step(FRAME).unwrap();
        let lost = (report.linear_momentum - expected).norm() / expected.norm();
        assert!(lost < 1e-11, "{name}: {lost:e}");
        // Neither continues as before: the seam pulls.
        let upper = sim.positions_of(sim.body_ranges()[0].particles.clone());
        let moved = upper.iter().zip(sheet().positions()).map(|(x, r)| (x - r).z).sum::<f64>() / 25.0;
        assert!(moved > 0.01, "{name}: {moved}");
    }
}

#[test]
fn stiff_tetrahedra_on_light_cloth_gain_no_energy_at_any_number_of_substeps() {
    // The sheets can lose 0.03 J by falling to where they hang. Without `StabilisedNeoHookeanTet` the elastic
    // energy is 100 J and more up to 40 substeps.
    for (substeps, allowed) in [(5, 5.0), (10, 0.5), (40, 1e-3), (200, 1e-3), (800, 1e-3)] {
        let still = Pin::select(|x| x.y > 0.4 - 1e-9);
        let mut sim = Simulation::builder()
            .substeps(substeps)
            .body(Body::cloth(sheet()).name("upper").stretch(Compliance::new(1e-5)).pin_with(still))
            .body(
                Body::cloth(moved(&sheet(), [0.0, -0.4, 0.01])).name("lower").stretch(Compliance::new(1e-5)),
            )
            .stitch(tetrahedra())
            .build_as::<f64>()
            .unwrap();
        for _ in 0..30 {
            let report = sim.step(FRAME).unwrap();
            let elastic = report.energy.elastic;
            assert!((-1e-9..allowed).contains(&elastic), "{substeps} substeps: {elastic} J");
        }
        let report = sim.report();
        let lower = sim.positions_of(sim.body_ranges()[1].particles.clone());
        let mean = lower.iter().map(|x| x.y).sum::<f64>() / lower.len() as f64;
        assert!((mean + 0.2).abs() < 0.01, "{substeps} substeps: it hangs at {mean}");
        // The residual shows whether the substeps resolve the stitches.
        let residual = report.residual("vertex-triangle stitches").unwrap().max.value;
        assert_eq!(residual < 1e-2, substeps >= 200, "{substeps} substeps: {residual}");
    }
}

/// A vertex that starts on the element that it is sewn to, or must return to its other side, or is pushed through it.
#[test]
fn degenerate_and_inverted_ties_stay_finite() {
    let over = |height: f64| -> Vec<_> {
        sheet().positions().iter().map(|x| Vector3::new(x.x, x.y - 0.4, height)).collect()
    };
    let ties = || -> Vec<(&'static str, Stitch)> {
        let edges: Vec<_> = (0..4).map(|i| [20 + i, i, i + 1]).collect();
        let triangles: Vec<_> = sheet().triangles()[..4].iter().map(|t| [21, t[0], t[1], t[2]]).collect();
        vec![
            ("edges", Stitch::edges("lower", "upper", Pairs::listed(edges), [VertexEdgeStitch::default()])),
            (
                "triangles",
                Stitch::triangles(
                    "lower",
                    "upper",
                    Pairs::listed(triangles),
                    [VertexTriangleStitch::default()],
                ),
            ),
        ]
    };
    for start in [0.0, 0.01, -0.02] {
        for rest in [None, Some(0.01), Some(0.0)] {
            for (name, stitch) in ties() {
                let stitch = match rest {
                    None => stitch,
                    Some(height) => stitch.rest(over(height), sheet().positions().to_vec()),
                };
                // The lower rim is pushed through the plane of the upper sheet and back again.
                let key = |time, z| Keyframe {
                    time,
                    translation: Vector3::new(0.0, -0.5 * z, z),
                    rotation: Vector3::zeros(),
                };
                let keys = vec![key(0.0, 0.0), key(0.3, -0.2), key(0.6, 0.0)];
                let push = Motion::Keyframes { pivot: Vector3::zeros(), keys };
                let body =
                    Body::cloth(sheet()).name("lower").start(over(start)).stretch(Compliance::new(1e-5));
                let mut sim = Simulation::builder()
                    .substeps(10)
                    .body(
                        Body::cloth(sheet())
                            .name("upper")
                            .stretch(Compliance::new(1e-5))
                            .pin(|x| x.y > 0.4 - 1e-9),
                    )
                    .body(body.pin_with(Pin::vertices([0, 4]).motion(push)))
                    .stitch(stitch)
                    .build()
                    .unwrap();
                for frame in 0..60 {
                    let report = sim.step(FRAME);
                    let report = report.unwrap_or_else(|e| panic!("{name}, {start}, {rest:?}: {frame}: {e}"));
                    assert!(report.energy.elastic.is_finite(), "{name}, {start}, {rest:?}");
                }
                let far = sim.positions().iter().map(Vector3::norm).fold(0.0, f64::max);
                assert!(far < 3.0, "{name}, {start}, {rest:?}: {far} m away");
            }
        }
    }
}

#[test]
fn pairs_and_bodies_that_make_no_sense_are_refused() {
    let parameters = [VertexEdgeStitch::default()];
    let says = |stitch: Stitch, words: &[&str]| {
        let error = two_sheets(stitch.name("hem")).build().err().unwrap().to_string();
        assert!(error.contains("hem") && words.iter().all(|word| error.contains(word)), "{error}");
    };
    says(Stitch::edges("lower", "lower", Pairs::within(0.2), parameters), &["lower", "two bodies"]);
    says(Stitch::edges("lower", "uper", Pairs::within(0.2), parameters), &["uper", "\"upper\""]);
    says(Stitch::edges(0, 2, Pairs::within(0.2), parameters), &["body 2"]);
    says(Stitch::edges("lower", "upper", Pairs::within(1e-4), parameters), &["no pair"]);
    says(Stitch::edges("lower", "upper", Pairs::within(-1.0), parameters), &["distance"]);
    says(Stitch::edges("lower", "upper", Pairs::listed([[25, 0, 1]]), parameters), &["vertex 25", "lower"]);
    says(Stitch::edges("lower", "upper", Pairs::listed([[0, 1, 1]]), parameters), &["twice"]);
    says(
        Stitch::edges("lower", "upper", Pairs::listed([[0, 0, 1]]), vec![parameters[0]; 2]),
        &["1 pairs", "2"],
    );
    let thin = VertexEdgeStitch { thickness: -1.0, ..parameters[0] };
    says(Stitch::edges("lower", "upper", Pairs::listed([[0, 0, 1]]), [thin]), &["thickness"]);
    let few = Stitch::edges("lower", "upper", Pairs::listed([[0, 0, 1]]), parameters);
    says(few.rest(vec![Vector3::zeros()], vec![]), &["1 rest positions"]);
    // With `within_one_body`, a stitch may stay within a body.
    let own =
        Stitch::vertices("lower", "lower", Pairs::within_of([0], 0.11), [VertexVertexStitch::default()]);
    let sim = two_sheets(own.keep_distance().within_one_body()).build().unwrap();
    let group = sim.plan().into_iter().find(|g| g.name.starts_with("vertex-vertex")).unwrap();
    assert_eq!(group.constraints, 2, "a corner has two neighbours");
}

#[test]
fn given_rest_positions_make_the_ties_pull() {
    let below = moved(&sheet(), [0.0, -0.5, 0.0]);
    let sewn = Stitch::vertices(
        "lower",
        "upper",
        Pairs::listed([[20, 0], [24, 4]]),
        [VertexVertexStitch { stiffness: 1e4, rest_length: 1.0 }],
    );
    let rest = sheet().positions().to_vec();
    let close = moved(&sheet(), [0.0, -0.42, 0.0]).positions().to_vec();
    let mut sim = Simulation::builder()
        .gravity([0.0; 3])
        .drag(5.0)
        .body(Body::cloth(sheet()).name("upper").pin(|x| x.y < 1e-9))
        .body(Body::cloth(below).name("lower").stretch(Compliance::new(1e-5)))
        .stitch(sewn.keep_distance().rest(close, rest))
        .build_as::<f64>()
        .unwrap();
    run(&mut sim, 120);
    let x = sim.positions();
    for (low, high) in [(45, 0), (49, 4)] {
        assert!(((x[low] - x[high]).norm() - 0.02).abs() < 1e-3, "{}", (x[low] - x[high]).norm());
    }
}

#[test]
fn attachments_pull_both_ways_and_keep_momentum() {
    let block = TetMesh::block([2, 2, 2], [0.2; 3], Split::Five).unwrap();
    let flag = moved(&sheet(), [0.2, 0.05, 0.1]);
    let left: Vec<u32> =
        (0..25).filter(|v| v % 5 == 0).filter(|v| flag.positions()[*v as usize].y < 0.2).collect();
    let scene = |attachment: Attachment| {
        Simulation::builder()
            .gravity([0.0; 3])
            .substeps(20)
            .body(Body::solid(block.clone()).name("block").continuum(Continuum::neo_hookean(1e5, 0.3)))
            .body(
                Body::cloth(flag.clone())
                    .name("flag")
                    .stretch(Compliance::new(1e-4))
                    .velocity(Vector3::new(0.5, 0.0, 0.2)),
            )
            .attach(attachment)
            .build_as::<f64>()
            .unwrap()
    };
    let mut sim = scene(Attachment::nearest("flag", left.clone(), "block"));
    let before = sim.report().linear_momentum;
    run(&mut sim, 30);
    let report = sim.step(FRAME).unwrap();
    assert!((report.linear_momentum - before).norm() < 1e-10);
    let block_now = sim.positions_of(sim.body_ranges()[0].particles.clone());
    let drift = block_now.iter().zip(block.positions()).map(|(x, r)| (x - r).x).sum::<f64>();
    assert!(drift > 0.01, "the block is pulled along: {drift}");
    assert!(report.residual("attachments").unwrap().max.value < 1e-3, "{report}");

    // The other way round: corners of the block on the cloth, and given places.
    let corner = block.positions().iter().position(|x| *x == Vector3::new(0.2, 0.0, 0.0)).unwrap() as u32;
    let on_cloth = [(corner, [0, 1, 5], [0.5, 0.25, 0.25])];
    let mut sim = scene(Attachment::in_triangles("block", "flag", on_cloth).compliance(1e-4).damping(0.01));
    run(&mut sim, 10);
    assert!((sim.report().linear_momentum - before).norm() < 1e-10);
    assert!(scene(Attachment::nearest("block", [corner], "flag")).step(FRAME).is_ok());
}

/// The two directions differ: one vertex has two dozen places, or as many vertices have one place.
#[test]
fn many_attachments_at_one_vertex_or_place_gain_no_energy() {
    let block = TetMesh::block([2, 2, 2], [0.2; 3], Split::Five).unwrap();
    let tets = block.tets();
    for one_vertex in [true, false] {
        for plan in [Plan::Sequential, Plan::Clustered] {
            let places: Vec<_> = (0..24)
                .map(|i| if one_vertex { (0, tets[i], [0.25; 4]) } else { (i as u32, tets[0], [0.25; 4]) })
                .collect();
            let mut sim = Simulation::builder()
                .gravity([0.0; 3])
                .substeps(20)
                .plan(plan)
                .body(Body::solid(block.clone()).name("block").continuum(Continuum::neo_hookean(1e5, 0.3)))
                .body(
                    Body::cloth(moved(&sheet(), [0.2, 0.05, 0.1]))
                        .name("flag")
                        .stretch(Compliance::new(1e-4)),
                )
                .attach(Attachment::in_tets("flag", "block", places).compliance(1e-4))
                .build_as::<f64>()
                .unwrap();
            let before = sim.report().energy.total();
            let mut most = 0.0_f64;
            for _ in 0..60 {
                most = most.max(sim.step(FRAME).unwrap().energy.total());
            }
            assert!(most < before, "{plan:?}: {before} J became {most} J");
            let momentum = sim.report().linear_momentum.norm();
            assert!(momentum < 1e-9, "{plan:?}: {momentum:e}");
        }
    }
}

#[test]
fn attachments_that_make_no_sense_are_refused() {
    let says = |attachment: Attachment, words: &[&str]| {
        let builder = Simulation::builder()
            .body(
                Body::solid(moved_solid(&TetMesh::block([1; 3], [0.2; 3], Split::Kuhn).unwrap(), [1.0; 3]))
                    .name("a"),
            )
            .body(Body::cloth(sheet()).name("b"));
        let error = builder.attach(attachment).build().err().unwrap().to_string();
        assert!(error.contains("attachment 0") && words.iter().all(|word| error.contains(word)), "{error}");
    };
    says(Attachment::nearest("a", [0], "a"), &["two bodies"]);
    says(Attachment::nearest("a", [8], "b"), &["vertex 8"]);
    says(Attachment::nearest("a", [0], "b").compliance(-1.0), &["compliance"]);
    says(Attachment::in_triangles("a", "b", [(0, [0, 1, 2], [0.5, 0.5, 0.5])]), &["sum is not 1"]);
    says(Attachment::in_tets("b", "a", [(0, [0, 1, 2, 9], [0.25; 4])]), &["vertex 9"]);
}
