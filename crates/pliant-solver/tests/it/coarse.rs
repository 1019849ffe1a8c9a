//! Coarse levels: better answers for the same substeps, the same momentum, the same bits.

use std::f64::consts::PI;

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Body, BuildError, Certificate, Compliance, Float, Lanes, Method, Motion, Obstacle, Pin, Plan, Samples,
    Setting, Settings, Simulation, SimulationBuilder, Snapshot,
};
use proptest::prelude::*;

const FRAME: f64 = 1.0 / 60.0;

fn block(cells: usize) -> TetMesh {
    TetMesh::block([cells; 3], [1.0; 3], Split::Kuhn).unwrap()
}

fn hung_block(cells: usize, method: Method) -> SimulationBuilder {
    let body = Body::solid(block(cells)).pin(|x| x.y > 1.0 - 1e-9);
    Simulation::builder().substeps(3).method(method).body(body)
}

/// Mean |ΔL|/L and |ΔV|/V of the last of some frames, and the largest changes of volume.
fn errors(builder: SimulationBuilder, frames: usize) -> (f64, f64) {
    let mut sim = builder.build().unwrap();
    (1..frames).for_each(|_| sim.advance(FRAME).unwrap());
    let report = sim.step(FRAME).unwrap();
    (report.stretch.unwrap().mean, report.volume.map_or(0.0, |volume| volume.max.value))
}

#[test]
fn a_block_is_stretched_less_by_far() {
    let (sweeps, volumes) = errors(hung_block(12, Method::Sweeps), 30);
    let (coarse, better) = errors(hung_block(12, Method::Coarse), 30);
    assert!(20.0 * coarse < sweeps, "mean stretch {coarse} against {sweeps}");
    assert!(10.0 * better < volumes, "volume error {better} against {volumes}");
}

/// What falls in a substep is lifted up to the pins. By less beside them, as held patches would have it, it is 0.115 %; now 0.035 %.
#[test]
fn what_is_beside_pins_is_not_left_behind() {
    let (_, volumes) = errors(hung_block(12, Method::Coarse), 30);
    assert!(volumes < 6e-4, "volume error {volumes}");
}

#[test]
fn a_sheet_is_stretched_less() {
    let of = |method| {
        let sheet = Body::cloth(TriMesh::grid([60, 60], [1.0, 1.0]).unwrap()).pin_vertices([0, 59]);
        errors(Simulation::builder().method(method).body(sheet), 40).0
    };
    let (sweeps, coarse) = (of(Method::Sweeps), of(Method::Coarse));
    assert!(3.0 * coarse < sweeps, "mean stretch {coarse} against {sweeps}");
}

/// A block that spins in free flight.
fn thrown<T: Float>(method: Method) -> Simulation<T> {
    let velocity = Vector3::new(0.3, 1.0, -0.2);
    let body =
        Body::solid(block(9)).velocity(velocity).spin(Vector3::new(0.2, 3.0, -0.7), Vector3::repeat(0.4));
    Simulation::builder().method(method).substeps(4).gravity(Vector3::zeros()).body(body).build_as().unwrap()
}

#[test]
fn momentum_is_kept() {
    let mut sim = thrown::<f64>(Method::Coarse);
    assert!(!sim.coarse_levels().is_empty());
    let before = sim.report();
    (0..30).for_each(|_| sim.advance(FRAME).unwrap());
    let after = sim.report();
    let linear = (after.linear_momentum - before.linear_momentum).norm() / before.linear_momentum.norm();
    let angular = (after.angular_momentum - before.angular_momentum).norm() / before.angular_momentum.norm();
    assert!(linear < 1e-12, "linear momentum changed by {linear:e}");
    // As with sweeps: positions are corrected along the present gradients, which turn.
    let mut swept = thrown::<f64>(Method::Sweeps);
    let start = swept.report().angular_momentum;
    (0..30).for_each(|_| swept.advance(FRAME).unwrap());
    let of_sweeps = (swept.report().angular_momentum - start).norm() / start.norm();
    assert!(
        angular < 1e-6_f64.max(1.5 * of_sweeps),
        "angular momentum changed by {angular:e}, by sweeps {of_sweeps:e}"
    );
    assert!(after.energy.total() <= before.energy.total() * (1.0 + 1e-9), "energy rose");
}

#[test]
fn momentum_in_single_precision_does_not_drift() {
    let mut sim = thrown::<f32>(Method::Coarse);
    let before = sim.report().linear_momentum;
    (0..120).for_each(|_| sim.advance(FRAME).unwrap());
    let drift = (sim.report().linear_momentum - before).norm() / before.norm();
    // Rounding, which a fixed order of sweeps repeats: less than a unit in the last place of a position in a substep.
    assert!(drift < 2e-4, "{drift:e}");
}

/// Enough of everything that passes are divided among threads: a hung block, a sheet that is dragged and
/// released, and a floor.
fn busy<T: Float>(lanes: Lanes) -> Simulation<T> {
    let block = Body::solid(block(14)).name("block").pin(|x| x.y > 1.0 - 1e-9);
    let sheet = TriMesh::grid([70, 50], [1.0, 0.8]).unwrap();
    let place = sheet.positions().iter().map(|x| x + Vector3::new(2.0, 0.1, 0.0)).collect();
    let drag = Motion::linear(Vector3::new(0.5, 0.3, 0.0));
    let sheet = Body::cloth(sheet.with_positions(place).unwrap())
        .name("sheet")
        .pin_with(Pin::vertices([0, 69]).motion(drag).release_at(0.05));
    Simulation::builder()
        .method(Method::Coarse)
        .lanes(lanes)
        .substeps(3)
        .body(block)
        .body(sheet)
        .obstacle(Obstacle::floor(0.0).friction(0.3))
        .build_as()
        .unwrap()
}

fn hashes<T: Float>(threads: usize, lanes: Lanes) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut sim = busy::<T>(lanes);
        (0..6).map(|_| sim.step(FRAME).unwrap().state_hash).collect()
    })
}

#[test]
fn threads_and_lanes_do_not_change_a_bit() {
    let one = hashes::<f32>(1, Lanes::Auto);
    for threads in [2, 5] {
        assert_eq!(one, hashes::<f32>(threads, Lanes::Auto), "{threads} threads");
    }
    assert_eq!(one, hashes::<f32>(1, Lanes::Portable));
    assert_eq!(hashes::<f64>(1, Lanes::Auto), hashes::<f64>(3, Lanes::Portable));
}

#[test]
fn a_snapshot_goes_back_behind_a_pin_that_let_go() {
    let mut sim = busy::<f32>(Lanes::Auto);
    sim.advance(FRAME).unwrap();
    let snapshot = sim.snapshot();
    let run = |sim: &mut Simulation<f32>| (0..6).map(|_| sim.step(FRAME).unwrap().state_hash).last();
    let once = run(&mut sim);
    sim.restore(&snapshot);
    assert_eq!(once, run(&mut sim), "in place");
    let mut other = busy::<f32>(Lanes::Auto);
    other.restore(&Snapshot::from_bytes(&snapshot.to_bytes(), &other).unwrap());
    assert_eq!(once, run(&mut other), "in another run");
}

#[test]
fn what_is_let_go_falls() {
    let mut sim = hung_block(10, Method::Coarse).build().unwrap();
    (0..5).for_each(|_| sim.advance(FRAME).unwrap());
    sim.release(0);
    assert!(!sim.coarse_levels().is_empty());
    let centre = |sim: &Simulation| sim.positions().iter().sum::<Vector3<f64>>().y / sim.len() as f64;
    let before = centre(&sim);
    (0..30).for_each(|_| sim.advance(FRAME).unwrap());
    let fallen = before - centre(&sim);
    assert!((fallen - 0.5 * 9.81 * 0.25).abs() < 0.03 * fallen, "{fallen} m in half a second");
}

#[test]
fn pins_that_move_do_the_work() {
    let mesh = block(10);
    let top: Vec<u32> =
        (0_u32..).zip(mesh.positions()).filter(|(_, x)| x.y > 1.0 - 1e-9).map(|(v, _)| v).collect();
    let at = |i: i32| Vector3::y() * (0.5 - 0.5 * libm::cos(PI * f64::from(i.min(1000)) / 1000.0));
    let rest: Vec<_> = top.iter().map(|&v| mesh.positions()[v as usize]).collect();
    let frames = (0..=1001).map(|i| rest.iter().map(|x| x + at(i)).collect()).collect();
    let lift = Motion::Samples(Samples::new(0.0, 1000.0, frames));
    let body = Body::solid(mesh).pin_with(Pin::vertices(top).motion(lift));
    let settings = Settings { method: Method::Coarse, certificate: true, ..Settings::default() };
    let mut sim = Simulation::builder().settings(settings).body(body).build_as::<f64>().unwrap();
    let start = sim.report().energy.total();
    let mut certificate = Certificate::begin(&sim);
    let mut work = 0.0;
    for _ in 0..60 {
        work += certificate.take(&sim.step(FRAME).unwrap()).get("work.pins").unwrap().value;
    }
    let gained = sim.report().energy.total() - start;
    assert!(gained > 5000.0, "a ton is lifted by a metre, less what the pins carry: {gained} J");
    let lost = (work - gained) / gained;
    assert!((-1e-4..0.02).contains(&lost), "{work} J of work made {gained} J");
}

#[test]
fn a_certificate_knows_what_coarse_levels_moved() {
    let of = |method| {
        let mut sim = hung_block(10, method).build_as::<f64>().unwrap();
        sim.set_certificate(true);
        (0..20).for_each(|_| sim.advance(FRAME).unwrap());
        sim.step(FRAME).unwrap().motion.unwrap().rms
    };
    let (sweeps, coarse) = (of(Method::Sweeps), of(Method::Coarse));
    assert!(coarse < sweeps, "{coarse} m against {sweeps} m");
}

#[test]
fn a_sleeve_can_be_pressed_flat() {
    // Rolled up at rest; laid flat, points on opposite sides are farther apart than at rest.
    let (around, along) = (96_u32, 24_u32);
    let place = |radius: f64, i: u32, j: u32| {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(around);
        Vector3::new(radius * angle.cos(), 0.02 * f64::from(j), radius * angle.sin())
    };
    let all = |f: &dyn Fn(u32, u32) -> Vector3<f64>| {
        (0..along).flat_map(|j| (0..around).map(move |i| (i, j))).map(|(i, j)| f(i, j)).collect::<Vec<_>>()
    };
    let rest = all(&|i, j| place(0.3, i, j));
    let quarter = 0.3 * std::f64::consts::PI;
    let flat = all(&|i, j| {
        let s = f64::from(i) / f64::from(around);
        let x = if s < 0.5 { quarter * (1.0 - 4.0 * s) } else { quarter * (4.0 * s - 3.0) };
        Vector3::new(0.5 * x, 0.02 * f64::from(j), if s < 0.5 { 0.004 } else { -0.004 })
    });
    let index = |i: u32, j: u32| j * around + i % around;
    let triangles = (0..along - 1).flat_map(|j| {
        (0..around).flat_map(move |i| {
            [
                [index(i, j), index(i + 1, j), index(i, j + 1)],
                [index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)],
            ]
        })
    });
    let mesh = TriMesh::new(rest, triangles.collect()).unwrap();
    let body = Body::cloth(mesh).start(flat.clone());
    let builder = Simulation::builder().gravity(Vector3::zeros()).method(Method::Coarse).body(body);
    let mut sim = builder.build_as::<f64>().unwrap();
    (0..10).for_each(|_| sim.advance(FRAME).unwrap());
    let width = |x: &[Vector3<f64>]| {
        x.iter().map(|x| x.x).fold(f64::MIN, f64::max) - x.iter().map(|x| x.x).fold(f64::MAX, f64::min)
    };
    let (before, after) = (width(&flat), width(&sim.positions()));
    assert!(after > 0.97 * before, "{after} m wide, was {before} m");
}

#[test]
fn what_has_no_coarse_levels_is_an_error() {
    let elastic = Simulation::builder()
        .method(Method::Coarse)
        .body(Body::solid(block(3)).stretch(Compliance::new(1e-5)));
    let error = elastic.build().unwrap_err();
    assert!(matches!(error, BuildError::Setting(ref error) if error.setting == Setting::Method), "{error}");
    assert!(error.to_string().contains("rigid"), "{error}");
    let in_order = hung_block(3, Method::Coarse).plan(Plan::Sequential).build().unwrap_err();
    assert!(in_order.to_string().contains("clusters"), "{in_order}");
    // Too few particles for a patch, so there are only sweeps.
    assert!(hung_block(1, Method::Coarse).build().unwrap().coarse_levels().is_empty());
}

#[derive(Debug, Clone)]
enum AnyMesh {
    Cloth(TriMesh),
    Solid(TetMesh),
}

/// Meshes of all kinds, from a single element upwards.
fn any_shape() -> impl Strategy<Value = AnyMesh> {
    let corners = || vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    let triangle = TriMesh::new(corners()[..3].to_vec(), vec![[0, 1, 2]]).unwrap();
    prop_oneof![
        Just(AnyMesh::Solid(TetMesh::new(corners(), vec![[0, 1, 2, 3]]).unwrap())),
        Just(AnyMesh::Cloth(triangle)),
        (1..7_usize, 1..7_usize).prop_map(|(a, b)| AnyMesh::Solid(
            TetMesh::block([a, b, 5], [1.0, 0.01, 1.0], Split::Five).unwrap()
        )),
        (1..6_usize).prop_map(|shells| AnyMesh::Solid(TetMesh::ball(0.5, shells).unwrap())),
        (2..20_usize, 2..20_usize)
            .prop_map(|(a, b)| AnyMesh::Cloth(TriMesh::grid([a, b], [1.0, 2.0]).unwrap())),
    ]
}

proptest! {
    #![proptest_config(pliant_testkit::config(48))]

    #[test]
    fn nothing_breaks(
        shape in any_shape(),
        modulus in 1..1000_u32,
        jitter in 0.0..0.3_f64,
        gravity in prop_oneof![Just(0.0), Just(-9.81)],
        pins in prop::collection::vec(0..1000_u32, 0..4),
        substeps in 1..4_u32,
    ) {
        let (rest, elements) = match &shape {
            AnyMesh::Cloth(mesh) => (mesh.positions().to_vec(), mesh.triangles().len()),
            AnyMesh::Solid(mesh) => (mesh.positions().to_vec(), mesh.tets().len()),
        };
        // Shaken, and with different masses.
        let noise = |i: usize| {
            let bits = (i as u32).wrapping_mul(2_654_435_761).wrapping_mul(2 * modulus + 1) >> 16;
            f64::from(bits) / 65536.0 - 0.5
        };
        let shake = |i: usize| Vector3::new(noise(3 * i), noise(3 * i + 1), noise(3 * i + 2)) * jitter;
        let start = rest.iter().enumerate().map(|(i, x)| x + shake(i)).collect();
        let factors: Vec<f64> = (0..elements).map(|e| libm::pow(10.0, 6.0 * noise(e))).collect();
        let body = match shape {
            AnyMesh::Cloth(mesh) => Body::cloth(mesh),
            AnyMesh::Solid(mesh) => Body::solid(mesh),
        };
        let mut body = body.start(start).vary_density(factors);
        let vertices = rest.len() as u32;
        for pin in &pins {
            body = body.pin_with(Pin::vertices([pin % vertices]).release_at(0.05));
        }
        let builder = Simulation::builder().gravity(Vector3::y() * gravity).method(Method::Coarse);
        let mut sim = builder.substeps(substeps).body(body).build().unwrap();
        for _ in 0..6 {
            let report = sim.step(FRAME).unwrap();
            prop_assert!(report.energy.total().is_finite());
        }
        prop_assert!(sim.positions().iter().flatten().all(|x| x.is_finite() && x.abs() < 100.0));
    }
}
