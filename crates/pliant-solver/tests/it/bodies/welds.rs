//! Seams that are welded: what vertices that are one particle have in common.

use std::f64::consts::TAU;

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_solver::{
    Body, Collide, Compliance, Membrane, Method, Obstacle, Plan, Seam, SeamPair, Simulation, Snapshot,
};

use super::{FRAME, apart, moved, run, standing};

/// Rows of vertices of a panel, and vertices in a row.
const ROWS: usize = 7;
const ROW: usize = 5;

/// Two panels in one mesh, the left one before the right one, whose facing borders are at one place; and the
/// same sheet as one.
fn panels() -> (TriMesh, TriMesh) {
    let left = standing([ROW, ROWS], [0.4, 0.6]);
    let right = moved(&left, [0.4, 0.0, 0.0]);
    let positions: Vec<_> = left.positions().iter().chain(right.positions()).copied().collect();
    let count = left.positions().len() as u32;
    let shifted = right.triangles().iter().map(|t| t.map(|v| v + count));
    let triangles: Vec<_> = left.triangles().iter().copied().chain(shifted).collect();
    let whole: Vec<_> = triangles.iter().map(|t| t.map(|v| first_of(v as usize) as u32)).collect();
    // Vertices that nothing names are left out of the whole.
    let mut numbers: Vec<u32> = whole.iter().flatten().copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let number = |v: u32| numbers.binary_search(&v).unwrap() as u32;
    let of_whole = numbers.iter().map(|&v| positions[v as usize]).collect();
    let whole = TriMesh::new(of_whole, whole.into_iter().map(|t| t.map(number)).collect()).unwrap();
    (TriMesh::new(positions, triangles).unwrap(), whole)
}

/// The vertex of the left panel that one of the right panel meets, or itself.
fn first_of(v: usize) -> usize {
    let count = ROWS * ROW;
    if v >= count && (v - count).is_multiple_of(ROW) { v - count + ROW - 1 } else { v }
}

/// The pairs of the panels, vertices of the right one to ends of edges of the left one.
fn pairs() -> Vec<SeamPair> {
    let count = (ROWS * ROW) as u32;
    let (row, rows) = (ROW as u32, ROWS as u32);
    let pair = |i: u32| {
        let (own, next) = (row * i + row - 1, row * ((i + 1) % rows) + row - 1);
        SeamPair { vertex: count + row * i, edge: [next, own], place: 1.0 }
    };
    (0..rows).map(pair).collect()
}

fn cloth(mesh: TriMesh) -> Body {
    Body::cloth(mesh)
        .membrane(Membrane::isotropic(2e4, 0.3, 1.0))
        .area_density(0.2)
        .pin_vertices([(ROW * (ROWS - 1)) as u32])
}

#[test]
fn welded_panels_move_as_the_sheet_that_they_make() {
    let (panels, whole) = panels();
    let build = |plan, body: Body, seam: Option<Seam>| {
        let builder = Simulation::builder().substeps(30).plan(plan).body(body.name("sheet"));
        seam.into_iter().fold(builder, pliant_solver::SimulationBuilder::seam).build_as::<f64>().unwrap()
    };
    for plan in [Plan::Sequential, Plan::Clustered, Plan::Ordered] {
        let mut one = build(plan, cloth(whole.clone()), None);
        let seam = Seam::new("sheet", "sheet", pairs()).weld().name("middle");
        let mut two = build(plan, cloth(panels.clone()), Some(seam));
        let mass = |sim: &Simulation<f64>| sim.report().bodies[0].mass;
        assert!((mass(&one) - mass(&two)).abs() < 1e-12 * mass(&one));
        assert_eq!(two.report().seams[0].pairs, ROWS);
        for frame in 0..20 {
            one.advance(FRAME).unwrap();
            two.advance(FRAME).unwrap();
            let x = two.positions();
            for v in 0..x.len() {
                assert_eq!(x[v], x[first_of(v)], "{plan:?}, frame {frame}, vertex {v}");
                assert_eq!(two.velocities()[v], two.velocities()[first_of(v)]);
            }
            let kept: Vec<_> = (0..x.len()).filter(|&v| first_of(v) == v).map(|v| x[v]).collect();
            let off = apart(&kept, &one.positions());
            // The same constraints in the same order, or in another one, which 30 substeps make equal to this.
            let most = if plan == Plan::Clustered { 2e-2 } else { 1e-9 };
            assert!(off < most, "{plan:?}, frame {frame}: {off}");
        }
        assert_eq!((two.report().seams[0].max.value, two.report().seams[0].mean), (0.0, 0.0));
        let energy = |sim: &Simulation<f64>| sim.report().energy.kinetic + sim.report().energy.potential;
        assert!((energy(&one) - energy(&two)).abs() < 1e-2 * energy(&one).abs());
    }
}

/// A sheet rolled to a tube that lies above the floor, whose two ends meet in a row of vertices.
fn tube(around: usize, rows: usize) -> (TriMesh, Vec<SeamPair>) {
    let flat = TriMesh::grid([around + 1, rows], [1.0, 0.4]).unwrap();
    let round = |(i, x): (usize, &Vector3<f64>)| {
        let angle = TAU * (i % (around + 1)) as f64 / around as f64;
        Vector3::new(x.z, 0.45 + 0.16 * angle.sin(), 0.16 * angle.cos())
    };
    let positions = flat.positions().iter().enumerate().map(round).collect();
    let row = around as u32 + 1;
    let pair = |i: u32| SeamPair { vertex: row * i + row - 1, edge: [row * i, row * i + 1], place: 0.0 };
    (flat.with_positions(positions).unwrap(), (0..rows as u32).map(pair).collect())
}

fn falling_tube(method: Method) -> Simulation<f32> {
    let (mesh, pairs) = tube(24, 8);
    let body = Body::cloth(mesh)
        .name("tube")
        .membrane(Membrane::isotropic(1e4, 0.3, 1.0))
        .bend(Compliance::new(1e4))
        .area_density(0.2)
        .contact_radius(0.002)
        .collide(Collide::new().friction(0.2));
    Simulation::builder()
        .substeps(20)
        .method(method)
        .body(body)
        .seam(Seam::new("tube", "tube", pairs).weld())
        .obstacle(Obstacle::floor(0.25))
        .build()
        .unwrap()
}

#[test]
fn a_welded_tube_collides_with_itself_and_has_the_same_bits_everywhere() {
    let hash = |threads: usize, frames: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut sim = falling_tube(Method::Sweeps);
            run(&mut sim, frames);
            sim.state_hash()
        })
    };
    let mut sim = falling_tube(Method::Sweeps);
    let mut most = 0;
    for frame in 0..30 {
        sim.advance(FRAME).unwrap();
        let report = sim.report();
        let tally = report.collisions.unwrap();
        assert_eq!(tally.intersections, 0, "frame {frame}");
        most = most.max(tally.contacts);
        for row in 0..8 {
            assert_eq!(sim.position(25 * row + 24), sim.position(25 * row));
        }
    }
    assert!(most > 0, "it falls flat");
    for threads in [1, 2, 5] {
        assert_eq!(hash(threads, 30), sim.state_hash(), "{threads} threads");
    }
    // Half of the way, kept as bytes, and the rest.
    let mut again = falling_tube(Method::Sweeps);
    run(&mut again, 15);
    let bytes = again.snapshot().to_bytes();
    let mut other = falling_tube(Method::Sweeps);
    other.restore(&Snapshot::from_bytes(&bytes, &other).unwrap());
    run(&mut other, 15);
    assert_eq!(other.state_hash(), sim.state_hash());
    // A record has welded vertices twice, and is the same state.
    let record = sim.record();
    let mut replayed = falling_tube(Method::Sweeps);
    replayed.replay(&record).unwrap();
    assert_eq!(replayed.positions(), sim.positions());
}

#[test]
fn the_other_methods_weld_too() {
    for method in [Method::Newton, Method::Auto] {
        let mut sim = falling_tube(method);
        run(&mut sim, 5);
        for row in 0..8 {
            assert_eq!(sim.position(25 * row + 24), sim.position(25 * row), "{method:?}");
        }
    }
}

#[test]
fn a_pin_or_a_push_on_one_of_the_vertices_is_one_on_all() {
    let (mesh, _) = panels();
    // A vertex of the right panel, which is not the first of its particle.
    let corner = (ROWS * ROW + ROW * (ROWS - 1)) as u32;
    let body = Body::cloth(mesh).name("sheet").membrane(Membrane::isotropic(2e4, 0.3, 1.0)).area_density(0.2);
    let mut sim: Simulation = Simulation::builder()
        .body(body.pin_vertices([corner]))
        .seam(Seam::new("sheet", "sheet", pairs()).weld())
        .build()
        .unwrap();
    let before = sim.position(corner as usize);
    run(&mut sim, 10);
    assert_eq!(sim.position(corner as usize), before);
    assert_eq!(sim.position(first_of(corner as usize)), before);
    assert!(sim.position(0).y < -1e-3, "the rest hangs");
}

#[test]
fn what_cannot_be_welded_is_refused() {
    let refused = |body: Body, pairs: Vec<SeamPair>, time: f64| {
        let seam = Seam::new("sheet", "sheet", pairs).weld().close_time(time);
        let built: Result<Simulation, _> = Simulation::builder().body(body.name("sheet")).seam(seam).build();
        built.unwrap_err().to_string()
    };
    let (mesh, _) = panels();
    let answer = refused(cloth(mesh.clone()), pairs(), 1.0);
    assert_eq!(
        answer,
        "seam 0: it is welded, and so closed from the start, but has 1 s to close; leave one of them out"
    );
    let mut wide = pairs();
    wide[2].vertex += 1;
    let answer = refused(cloth(mesh.clone()), wide, 0.0);
    assert!(
        answer.contains(
            "pair 2 is to be welded, but starts 1.00e-1 m apart, and a tenth of its edge is 1.00e-2 m"
        ),
        "{answer}"
    );
    let answer =
        refused(cloth(mesh).keep_shape(pliant_solver::ShapeMatch::all(Compliance::new(1.0))), pairs(), 0.0);
    assert!(answer.contains("welds vertices of body \"sheet\", which has shape matching"), "{answer}");
}

#[test]
fn a_pair_that_another_simulation_left_apart_stays_a_rigid_constraint() {
    let (mesh, _) = panels();
    let mut wide = pairs();
    wide[2].vertex += 1;
    let ends = |pair: &SeamPair| [pair.vertex as usize, pair.edge[1] as usize];
    let seam = Seam::new("sheet", "sheet", wide.clone()).weld().closed([true; ROWS]);
    let mut sim: Simulation =
        Simulation::builder().body(cloth(mesh).name("sheet")).seam(seam).build().unwrap();
    let gaps = |sim: &Simulation| {
        let gap = |[v, end]: [usize; 2]| (sim.position(v) - sim.position(end)).norm();
        wide.iter().map(|pair| gap(ends(pair))).collect::<Vec<_>>()
    };
    let start = gaps(&sim);
    assert!(
        start.iter().enumerate().all(|(i, gap)| if i == 2 { *gap > 0.09 } else { *gap == 0.0 }),
        "{start:?}"
    );
    run(&mut sim, 2);
    let end = gaps(&sim);
    assert!(end.iter().all(|gap| *gap < 1e-3), "{end:?}");
}

#[test]
fn a_pair_that_is_one_by_others_is_no_constraint() {
    // A corner of each of three triangles, the third too far from the first but not from the second.
    let corners = |k: usize| {
        let x = 0.04 * k as f64;
        [[x, 0.0, 0.0], [x + 0.2, 0.5, k as f64], [x - 0.2, 0.5, k as f64]].map(Vector3::from)
    };
    let positions = (0..3).flat_map(corners).collect();
    let triangles = (0..3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let body =
        Body::cloth(TriMesh::new(positions, triangles).unwrap()).name("sheet").stretch(Compliance::new(1e-3));
    let pair = |vertex, end| SeamPair { vertex, edge: [end, end + 1], place: 0.0 };
    let pairs = vec![pair(6, 0), pair(3, 0), pair(6, 3)];
    let seam = Seam::new("sheet", "sheet", pairs).weld().closed([true; 3]);
    let sim: Simulation = Simulation::builder().body(body.pin_vertices([1])).seam(seam).build().unwrap();
    assert!(sim.position(0) == sim.position(3) && sim.position(3) == sim.position(6));
}

#[test]
fn a_pair_that_is_far_apart_for_the_thickness_of_the_cloth_stays_a_rigid_constraint() {
    let (mesh, _) = panels();
    let right = ROWS * ROW;
    let place = |(v, x): (usize, &Vector3<f64>)| x + Vector3::z() * if v < right { 0.0 } else { 1e-3 };
    let positions = mesh.positions().iter().enumerate().map(place).collect();
    let mesh = TriMesh::new(positions, mesh.triangles().to_vec()).unwrap();
    let gap = |radius: f64| {
        let body = cloth(mesh.clone()).name("sheet").collide(Collide::default()).contact_radius(radius);
        let seam = Seam::new("sheet", "sheet", pairs()).weld();
        let sim: Simulation = Simulation::builder().body(body).seam(seam).build().unwrap();
        (sim.position(ROW - 1) - sim.position(right)).norm()
    };
    assert_eq!(gap(0.006), 0.0);
    assert!(gap(0.004) > 0.9e-3);
}

#[test]
fn a_pair_that_would_fold_an_element_stays_a_rigid_constraint() {
    // A triangle so thin that two of its corners are near each other, in front of others.
    let corners = [[0.0, 0.0], [0.001, 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, -1.0]];
    let corners = corners.map(|[x, y]| Vector3::new(x, y, 0.0)).to_vec();
    let sheet = TriMesh::new(corners, vec![[0, 1, 2], [3, 5, 4]]).unwrap();
    let pair = |vertex, edge| SeamPair { vertex, edge, place: 0.0 };
    let seam = Seam::new("sheet", "sheet", vec![pair(3, [0, 2]), pair(3, [1, 2])]).weld();
    let body = Body::cloth(sheet).name("sheet").stretch(Compliance::new(1e-3)).pin_vertices([2]);
    let mut sim: Simulation = Simulation::builder().body(body).seam(seam).build().unwrap();
    run(&mut sim, 10);
    assert_eq!(sim.position(0), sim.position(3), "the first pair is welded");
    assert!((sim.position(1) - sim.position(3)).norm() < 1e-4, "the second is held by a constraint");
    assert!(sim.position(1) != sim.position(3));
}

#[test]
fn two_bodies_that_collide_are_not_welded() {
    let left = standing([ROW, ROWS], [0.4, 0.6]);
    let right = moved(&left, [0.4, 0.0, 0.0]);
    let pair = |i: u32| SeamPair { vertex: 5 * i + 4, edge: [5 * i, 5 * i + 1], place: 0.0 };
    let build = |collide: bool| {
        let body = |mesh: &TriMesh, name: &str| {
            let body = Body::cloth(mesh.clone()).name(name).membrane(Membrane::isotropic(1e4, 0.3, 1.0));
            if collide { body.collide(Collide::new()) } else { body }
        };
        let seam = Seam::new("left", "right", (0..7).map(pair).collect::<Vec<_>>()).weld();
        let builder = Simulation::builder().body(body(&left, "left")).body(body(&right, "right"));
        builder.seam(seam).build_as::<f32>()
    };
    let answer = build(true).unwrap_err().to_string();
    assert!(answer.contains("it welds the bodies \"left\" and \"right\", which both collide"), "{answer}");
    let mut sim = build(false).unwrap();
    run(&mut sim, 5);
    for i in 0..7 {
        assert_eq!(sim.position(5 * i + 4), sim.position(35 + 5 * i));
    }
}
