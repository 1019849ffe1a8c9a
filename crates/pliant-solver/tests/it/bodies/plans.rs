//! All kinds at once in every plan.

use nalgebra::Vector3;
use pliant_constraints::stitch::{VertexEdgeStitch, VertexTriangleStitch, VertexVertexStitch};
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Attachment, Body, Category, Compliance, Continuum, Float, Lanes, Membrane, Pairs, Plan, Pressure,
    ShapeMatch, Simulation, SimulationBuilder, Stiffness, Stitch,
};

use super::{FRAME, apart, moved, moved_solid, run, standing};

/// The start of [`everything`].
#[derive(Clone, Copy, PartialEq)]
enum Start {
    /// With a shock, after which every order of projection buckles differently: a ball is pumped up to 4 bar
    /// at once and torn from its place by springs, and vertices that lie on the line of an edge or in the
    /// plane of a triangle are pushed off it by their stitches.
    Shock,
    /// At rest, and far from a bifurcation.
    Rest,
}

/// Number of groups of [`everything`]: edges, membranes with and without damping, three kinds of bending, two
/// kinds of tetrahedra, shape, pressure, four kinds of stitches, attachments to a triangle and to a
/// tetrahedron, limits of edges and of triangles, tethers.
const EVERYTHING: usize = 19;

/// Bodies of every material, tied in every way, hanging from the first.
fn everything(start: Start) -> SimulationBuilder {
    let sheet = standing([7, 7], [0.6, 0.6]);
    let block = TetMesh::block([2, 2, 2], [0.2; 3], Split::Kuhn).unwrap();
    let ball = TriMesh::icosphere(0.1, 3).unwrap();
    let cloth = Membrane::isotropic(2e5, 0.3, 1e-3);
    let hung = Body::cloth(sheet.clone())
        .name("hung")
        .membrane(cloth.clone())
        .bend_isometric(Stiffness::new(1e-4))
        .limit_edges(0.2, 0.1)
        .tethers(0.05)
        .damp(Category::Membranes, 0.01)
        .pin(|x| x.y > 0.6 - 1e-9);
    let sewn = Body::cloth(moved(&sheet, [0.0, -0.62, 0.0]))
        .name("sewn")
        .membrane(cloth)
        .bend(Compliance::new(1.0))
        .limit_stretch(0.3, 0.2);
    // In front of the sheet, not below it.
    let place = if start == Start::Rest { [0.0, -0.62, 0.01] } else { [0.0, -0.83, -0.1] };
    let soft = Body::solid(moved_solid(&block, place))
        .name("soft")
        .continuum(Continuum::neo_hookean(1e5, 0.4))
        .damp(Category::Solids, 0.005);
    let hard = Body::solid(moved_solid(&block, [0.4, -0.83, -0.1]))
        .name("hard")
        .continuum(Continuum::stvk(1e5, 0.3));
    let (height, factor) = if start == Start::Rest { (-0.72, 1.0) } else { (-0.73, 1.1) };
    let top = (0..ball.positions().len()).max_by(|&a, &b| {
        let height = |v: usize| ball.positions()[v].y;
        height(a).total_cmp(&height(b))
    });
    let held = if start == Start::Rest { vec![top.unwrap() as u32] } else { vec![0, 1] };
    let round = Body::cloth(moved(&ball, [0.3, height, 0.0]))
        .name("round")
        .stretch(Compliance::new(1e-4))
        .pressure(Pressure::factor(factor).compliance(1e-9))
        .keep_shape(ShapeMatch::of(0..40, Compliance::new(1e-3)));
    let hem = if start == Start::Rest {
        Pairs::listed((0..6).flat_map(|i| [[42 + i, i, i + 1], [43 + i, i, i + 1]]).collect::<Vec<_>>())
    } else {
        Pairs::within(0.021)
    };
    let seam =
        VertexEdgeStitch { min_separate_distance: 0.01, ..VertexEdgeStitch::elastic(1e6, 0.3).unwrap() };
    let glue = VertexTriangleStitch { min_separate_distance: 0.01, ..VertexTriangleStitch::default() };
    let spring = VertexVertexStitch { stiffness: 1e3, rest_length: 0.0 };
    // A strip of the book's cloth, sewn to the lower rim of the second sheet point by point.
    let strip = Body::cloth(moved(&standing([3, 4], [0.2, 0.3]), [0.2, -0.92, 0.0]))
        .name("strip")
        .stretch(Compliance::new(1e-4))
        .bend_by_distance(Compliance::new(1e-2));
    let point_by_point = Pairs::listed([[9, 2], [10, 3], [11, 4]]);
    Simulation::builder()
        .body(hung)
        .body(sewn)
        .body(soft)
        .body(hard)
        .body(round)
        .body(strip)
        .stitch(Stitch::edges("sewn", "hung", hem, [seam]))
        .stitch(Stitch::triangles("soft", "sewn", Pairs::within(0.015), [glue]))
        .stitch(Stitch::vertices("hung", "sewn", Pairs::listed([[3, 45], [2, 44]]), [spring]).keep_distance())
        .stitch(Stitch::vertices("strip", "sewn", point_by_point, [spring]))
        .attach(Attachment::nearest("sewn", [4, 5, 6], "hard"))
        .attach(Attachment::nearest("round", held, "sewn").compliance(1e-4))
}

fn hashes<T: Float>(plan: Plan, lanes: Lanes, threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut sim = everything(Start::Shock).plan(plan).lanes(lanes).iterations(2).build_as::<T>().unwrap();
        (0..4).map(|_| sim.step(FRAME).unwrap().state_hash).collect()
    })
}

#[test]
fn every_kind_gives_the_same_bits_on_any_threads_and_lanes() {
    for plan in [Plan::Clustered, Plan::Ordered] {
        let one = hashes::<f32>(plan, Lanes::Auto, 1);
        assert!(one.windows(2).all(|pair| pair[0] != pair[1]), "it moves");
        for threads in [2, 4] {
            assert_eq!(one, hashes::<f32>(plan, Lanes::Auto, threads), "{plan:?}, {threads} threads");
        }
        assert_eq!(one, hashes::<f32>(plan, Lanes::Portable, 1), "{plan:?}");
    }
    let double = hashes::<f64>(Plan::Clustered, Lanes::Auto, 1);
    assert_eq!(double, hashes::<f64>(Plan::Clustered, Lanes::Portable, 2));
}

#[test]
fn lanes_in_order_give_the_bits_of_one_constraint_after_the_other() {
    // This covers all kinds, in which lanes could be wrong; the groups are counted to ensure that none is missing.
    let kinds = everything(Start::Shock).build().unwrap().plan().len();
    assert_eq!(kinds, EVERYTHING, "a kind is missing from the scene, or one is new");
    for lanes in [Lanes::Auto, Lanes::Portable] {
        let (ordered, one_by_one) =
            (hashes::<f32>(Plan::Ordered, lanes, 2), hashes::<f32>(Plan::Sequential, lanes, 1));
        assert_eq!(ordered, one_by_one, "{lanes:?}, f32");
        let (ordered, one_by_one) =
            (hashes::<f64>(Plan::Ordered, lanes, 2), hashes::<f64>(Plan::Sequential, lanes, 1));
        assert_eq!(ordered, one_by_one, "{lanes:?}, f64");
    }
}

#[test]
fn many_elements_give_the_same_bits_on_any_threads() {
    // Enough of them that four threads share every pass.
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let block = TetMesh::block([20, 17, 20], [1.0, 0.85, 1.0], Split::Kuhn).unwrap();
            let block = Body::solid(block)
                .continuum(Continuum::neo_hookean(1e5, 0.4))
                .pressure(Pressure::factor(1.1));
            let builder =
                Simulation::builder().substeps(2).body(block.velocity(Vector3::new(0.1, -1.0, 0.0)));
            builder.build().unwrap().step(FRAME).unwrap()
        })
    };
    let one = run(1);
    // The report too: its sums are taken in a fixed order.
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
}

/// Scenes of one or two kinds whose motion depends little on rounding: nothing is compressed so much that it
/// buckles.
fn calm() -> Vec<(&'static str, SimulationBuilder)> {
    let sheet = standing([7, 7], [0.6, 0.6]);
    let block = TetMesh::block([2, 3, 2], [0.2, 0.3, 0.2], Split::Kuhn).unwrap();
    let ball = TriMesh::icosphere(0.1, 3).unwrap();
    let hanging = |body: Body, top: f64| Simulation::builder().body(body.pin(move |x| x.y > top - 1e-9));
    let cloth = || Body::cloth(sheet.clone()).velocity(Vector3::new(0.0, 0.0, 0.5));
    let solid = || Body::solid(block.clone()).velocity(Vector3::new(0.3, 0.0, 0.0));
    let free = || Simulation::builder().gravity([0.0; 3]);
    let lower = Body::cloth(moved(&sheet, [0.0, -0.6, 0.01])).name("lower").stretch(Compliance::new(1e-4));
    let seam = VertexEdgeStitch::elastic(1e6, 0.3).unwrap();
    let glue = Attachment::nearest("lower", [43, 45, 47], "upper").compliance(1e-4);
    let upper = || Body::cloth(sheet.clone()).name("upper").stretch(Compliance::new(1e-4));
    vec![
        (
            "membrane",
            hanging(
                cloth().membrane(Membrane::isotropic(1e5, 0.2, 1e-3)).bend_isometric(Stiffness::new(1e-3)),
                0.6,
            ),
        ),
        ("limits", hanging(cloth().stretch(Compliance::new(1e-2)).limit_edges(0.1, 0.1).tethers(0.1), 0.6)),
        (
            "neo-Hookean",
            hanging(solid().continuum(Continuum::neo_hookean(1e5, 0.4)).damp(Category::Solids, 0.01), 0.3),
        ),
        ("StVK", hanging(solid().continuum(Continuum::stvk(1e5, 0.3)), 0.3)),
        (
            "pressure",
            free().drag(20.0).body(
                Body::cloth(ball.clone())
                    .stretch(Compliance::new(1e-3))
                    .pressure(Pressure::overpressure(200.0, 1e-6)),
            ),
        ),
        (
            "shape",
            free().body(
                Body::cloth(ball)
                    .stretch(Compliance::new(1e-2))
                    .keep_shape(ShapeMatch::of(0..40, Compliance::new(1e-3)))
                    .velocity(Vector3::x()),
            ),
        ),
        (
            "seam",
            hanging(upper(), 0.6).body(lower.clone()).stitch(Stitch::edges(
                "lower",
                "upper",
                Pairs::within(0.0101),
                [seam],
            )),
        ),
        ("attachment", hanging(upper(), 0.6).body(lower).attach(glue)),
        ("everything", everything(Start::Rest)),
    ]
}

#[test]
fn every_order_finds_the_same_motion_with_finer_steps() {
    for (i, (name, _)) in calm().into_iter().enumerate() {
        let after = |plan, substeps| {
            let (_, builder) = calm().swap_remove(i);
            let mut sim = builder.plan(plan).substeps(substeps).build_as::<f64>().unwrap();
            run(&mut sim, 6);
            sim.positions()
        };
        let gap = |substeps| apart(&after(Plan::Sequential, substeps), &after(Plan::Clustered, substeps));
        let (coarse, fine) = (gap(20), gap(80));
        eprintln!(
            "{name}: sequential and clustered are {coarse:e} m apart with 20 substeps, {fine:e} m with 80"
        );
        assert!(fine < 0.6 * coarse + 1e-9 && fine < 2e-3, "{name}: {coarse:e} {fine:e}");
    }
}
