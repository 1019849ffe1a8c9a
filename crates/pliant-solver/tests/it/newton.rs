//! Newton's method on the implicit step: known answers, the same bits, robustness.

use nalgebra::{Rotation3, Vector3};
use pliant_constraints::{Constraint, Lame, MembraneEnergy, PlaneStiffness, RestTriangle, TetVolume};
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Body, BuildError, Compliance, Continuum, Float, Keyframe, Lanes, Membrane, Method, Motion, Obstacle, Pin,
    Plan, Settings, Simulation, SimulationBuilder, Stiffness,
};
use proptest::prelude::*;

const FRAME: f64 = 1.0 / 60.0;

fn newton() -> SimulationBuilder {
    Simulation::builder().method(Method::Newton).substeps(1)
}

fn column(young: f64) -> Body {
    let mesh = TetMesh::block([3, 18, 3], [0.1, 0.6, 0.1], Split::Kuhn).unwrap();
    Body::solid(mesh).density(1000.0).continuum(Continuum::neo_hookean(young, 0.3)).pin(|x| x.y > 0.6 - 1e-9)
}

/// The lower end of a column that hangs by its upper one sinks by ρgL²/2E, however long the substeps are, and
/// however many sweeps would be needed.
#[test]
fn a_column_hangs_as_low_as_it_should() {
    let young = 1e5;
    let wanted = 1000.0 * 9.81 * 0.6 * 0.6 / (2.0 * young);
    for substeps in [1, 4] {
        let mut sim = newton().substeps(substeps).damping(5.0).body(column(young)).build_as::<f64>().unwrap();
        let rest = sim.positions();
        (0..120).for_each(|_| sim.advance(FRAME).unwrap());
        let foot: Vec<usize> = (0..rest.len()).filter(|&i| rest[i].y < 1e-9).collect();
        let sag = foot.iter().map(|&i| rest[i].y - sim.positions()[i].y).sum::<f64>() / foot.len() as f64;
        assert!(
            (sag / wanted - 1.0).abs() < 0.04,
            "sag of {sag} m instead of {wanted} with {substeps} substeps"
        );
    }
}

/// The residual of the equation of motion is as small as required, while sweeps leave a hundred times as much.
#[test]
fn a_step_is_as_accurate_as_it_should_be() {
    let error = |settings: Settings| {
        let mesh = TetMesh::block([8; 3], [1.0; 3], Split::Kuhn).unwrap();
        let bent = mesh.positions().iter().map(|x| Vector3::new(x.x + 0.1 * x.y * x.y, x.y, x.z)).collect();
        let body = Body::solid(mesh)
            .start(bent)
            .continuum(Continuum::neo_hookean(1e6, 0.4))
            .stretch(Stiffness::new(1e6));
        let body = body.pin(|x| x.y < 1e-9);
        let mut sim = Simulation::builder().settings(settings).body(body).build_as::<f64>().unwrap();
        sim.advance(FRAME).unwrap();
        sim.positions()
    };
    let with = |accuracy| Settings { method: Method::Newton, accuracy, substeps: 1, ..Settings::default() };
    let exact = error(with(1e-9));
    let off =
        |x: &[Vector3<f64>]| x.iter().zip(&exact).map(|(a, b)| (a - b).norm_squared()).sum::<f64>().sqrt();
    let still = off(&error(Settings { substeps: 1, ..Settings::default() }));
    let solved = off(&error(with(1e-2)));
    assert!(solved < 0.01 * still, "{solved} against {still}");
}

/// A sheet that is hit towards its held border is compressed, where the Hessian lacks a part and steps shrink slowly: after
/// six, 0.06 to 3 % of the forces are left. Where much is asked, the forces and the inertia of every vertex balance all the same.
#[test]
fn a_compressed_sheet_is_solved_as_far_as_is_asked() {
    let (young, poisson, thickness) = (0.82e6, 0.24, 3e-4);
    let h = 1.0 / 600.0;
    let stiffness = PlaneStiffness::isotropic(Lame::plane_stress(young, poisson).unwrap()).unwrap();
    let mesh = TriMesh::grid([9, 9], [0.056, 0.056]).unwrap();
    let border = mesh.positions().iter().map(|x| x.z).fold(f64::MIN, f64::max) - 1e-9;
    for bump in [1e-5, 1e-4, 5e-4] {
        let bend = |x: &Vector3<f64>| x + Vector3::y() * (bump * f64::sin(900.0 * x.x + 570.0 * x.z));
        let body = Body::cloth(mesh.clone())
            .start(mesh.positions().iter().map(bend).collect())
            .area_density(0.15)
            .membrane(Membrane::isotropic(young, poisson, thickness))
            .velocity(Vector3::new(0.1, 0.0, 0.3))
            .pin(move |x| x.z > border);
        let scene = newton().accuracy(1e-9).gravity(Vector3::zeros()).body(body);
        let mut sim = scene.build_as::<f64>().unwrap();
        let (x, v, w) = (sim.positions(), sim.velocities(), sim.inverse_masses());
        let free: Vec<usize> = (0..x.len()).filter(|&i| w[i] > 0.0).collect();
        assert_eq!(free.len(), 72);
        sim.advance(h).unwrap();
        let now = sim.positions();

        let mut forces = vec![Vector3::zeros(); now.len()];
        for triangle in mesh.triangles() {
            let corners = |x: &[Vector3<f64>]| triangle.map(|v| x[v as usize]);
            let rest = RestTriangle::new(&corners(mesh.positions())).unwrap();
            let energy = MembraneEnergy::new(&rest, &stiffness, thickness * rest.area).unwrap();
            for (v, gradient) in triangle.iter().zip(energy.gradient(&corners(&now))) {
                forces[*v as usize] -= gradient;
            }
        }
        let largest = forces.iter().map(Vector3::norm).fold(0.0, f64::max);
        for i in free {
            let inertia = (now[i] - x[i] - v[i] * h) / (w[i] * h * h);
            let off = (inertia - forces[i]).norm() / largest;
            assert!(off < 1e-6, "vertex {i} with bumps of {bump} m: {off} of {largest} N is left");
        }
    }
}

/// A sheet that is hung by two corners is stretched little and creates no energy.
#[test]
fn a_stiff_sheet_gains_nothing() {
    let mesh = TriMesh::grid([24, 24], [1.0, 1.0]).unwrap();
    let sheet = Body::cloth(mesh).area_density(0.2).stretch(Stiffness::new(1e5)).pin_vertices([0, 23]);
    let mut sim = newton().substeps(2).body(sheet).build().unwrap();
    let start = sim.step(1e-6).unwrap().energy.total();
    for _ in 0..60 {
        let report = sim.step(FRAME).unwrap();
        assert!(report.energy.total() < start + 0.05, "{:?}", report.energy);
        assert!(report.stretch.unwrap().max.value < 0.06);
    }
}

/// Two steps of two iterations do not solve a substep of rigid cloth. What they leave creates no energy, and the sheet
/// still swings: converged steps reach 0.9 J.
#[test]
fn a_rigid_sheet_gains_nothing_and_swings() {
    fn check<T: Float>(substeps: u32, tethers: bool) {
        let body = Body::cloth(TriMesh::grid([21, 21], [1.0, 1.0]).unwrap()).area_density(0.2);
        let body = body.pin_vertices([0, 20]);
        let body = if tethers { body.tethers(0.0) } else { body };
        let mut sim = newton().substeps(substeps).body(body).build_as::<T>().unwrap();
        let (mut least, mut rise, mut fastest) = (f64::INFINITY, 0.0_f64, 0.0_f64);
        for _ in 0..40 {
            let energy = sim.step(FRAME).unwrap().energy;
            least = least.min(energy.total());
            rise = rise.max(energy.total() - least);
            fastest = fastest.max(energy.kinetic);
        }
        assert!(rise < 0.05, "{rise} J gained with {substeps} substeps, tethers: {tethers}");
        let wanted = if tethers { 0.15 } else { 0.4 };
        assert!(fastest > wanted, "{fastest} J at most with {substeps} substeps, tethers: {tethers}");
    }
    for tethers in [false, true] {
        for substeps in [3, 10, 30] {
            check::<f32>(substeps, tethers);
            check::<f64>(substeps, tethers);
        }
    }
}

/// Steps end early, but not where few edges carry the sheet: there they go on, with the same bits for any number of threads.
#[test]
fn a_rigid_sheet_is_not_stretched_where_it_is_held() {
    let hung = |threads: usize| {
        let body = Body::cloth(TriMesh::grid([60, 60], [1.0, 1.0]).unwrap()).area_density(0.2);
        let body = body.pin_vertices([0, 59]);
        let mut sim = newton().substeps(2).body(body).build_as::<f32>().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut most = 0.0_f64;
            for _ in 0..40 {
                most = most.max(sim.step(FRAME).unwrap().stretch.unwrap().max.value);
            }
            (most, sim.report().state_hash)
        })
    };
    let (most, hash) = hung(1);
    assert!(most < 0.008, "stretched by {most}");
    assert_eq!(hung(3), (most, hash));
}

/// A sheet of rigid edges that turns in flight keeps its momentum, though its steps end early; its linear momentum by multipliers, too.
#[test]
fn a_rigid_sheet_in_flight_keeps_its_momentum() {
    let mesh = TriMesh::grid([21, 21], [1.0, 1.0]).unwrap();
    let bent = mesh.positions().iter().map(|x| Vector3::new(x.x, x.y + 0.1 * x.x * x.z, x.z)).collect();
    let body = Body::cloth(mesh).area_density(0.2).start(bent).velocity(Vector3::new(0.3, 1.0, -0.2));
    let body = body.spin(Vector3::new(0.2, 3.0, -0.7), Vector3::zeros());
    for (accuracy, limits) in
        [(1e-2, [1e-9, 0.02]), (5e-4, [1e-10, f64::INFINITY]), (1e-4, [1e-10, f64::INFINITY])]
    {
        let builder = newton().accuracy(accuracy).substeps(8).gravity(Vector3::zeros());
        let mut sim = builder.body(body.clone()).build_as::<f64>().unwrap();
        let first = sim.step(FRAME).unwrap();
        (0..30).for_each(|_| sim.advance(FRAME).unwrap());
        let last = sim.step(FRAME).unwrap();
        let change = |a: Vector3<f64>, b: Vector3<f64>| (a - b).norm() / a.norm();
        let linear = change(first.linear_momentum, last.linear_momentum);
        let angular = change(first.angular_momentum, last.angular_momentum);
        let [most_linear, most_angular] = limits;
        assert!(
            linear < most_linear && angular < most_angular,
            "accuracy {accuracy}: {linear:e}, {angular:e}"
        );
    }
}

/// A step that ends in equilibrium conserves angular momentum as well as converged sweeps: both turn by the
/// arc tangent of the angle.
#[test]
fn momentum_is_kept() {
    let changes = |builder: SimulationBuilder| {
        let mesh = TetMesh::block([5; 3], [1.0; 3], Split::Kuhn).unwrap();
        let body = Body::solid(mesh).continuum(Continuum::neo_hookean(1e5, 0.3));
        let (velocity, spin) = (Vector3::new(0.3, 1.0, -0.2), Vector3::new(0.2, 3.0, -0.7));
        let body = body.velocity(velocity).spin(spin, Vector3::repeat(0.5));
        let mut sim = builder.substeps(4).gravity(Vector3::zeros()).body(body).build_as::<f64>().unwrap();
        let first = sim.step(FRAME).unwrap();
        (0..30).for_each(|_| sim.advance(FRAME).unwrap());
        let last = sim.step(FRAME).unwrap();
        let change = |a: Vector3<f64>, b: Vector3<f64>| (a - b).norm() / a.norm();
        let linear = change(first.linear_momentum, last.linear_momentum);
        (linear, change(first.angular_momentum, last.angular_momentum))
    };
    let (_, swept) = changes(Simulation::builder().iterations(200));
    let (linear, angular) = changes(newton());
    assert!(linear < 1e-11 && angular < 1.2 * swept + 1e-6, "{linear:e}, {angular:e} against {swept:e}");
}

/// Elastic and rigid bodies, pins that move and are released, an obstacle.
fn busy<T: Float>(lanes: Lanes) -> Simulation<T> {
    let soft = TetMesh::block([6; 3], [0.5; 3], Split::Kuhn).unwrap();
    let soft = Body::solid(soft).continuum(Continuum::neo_hookean(1e5, 0.4)).name("soft");
    let mesh = TriMesh::grid([20, 20], [1.0, 1.0]).unwrap();
    let lifted: Vec<_> = mesh.positions().iter().map(|x| x + Vector3::y() * 1.5).collect();
    let sheet =
        Body::cloth(mesh).start(lifted).name("sheet").pin_with(Pin::vertices([0, 19]).release_at(0.1));
    newton()
        .substeps(2)
        .lanes(lanes)
        .body(soft)
        .body(sheet)
        .obstacle(Obstacle::plane(Vector3::y(), -0.1))
        .build_as()
        .unwrap()
}

fn hashes<T: Float>(threads: usize, lanes: Lanes) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut sim = busy::<T>(lanes);
        (0..12).map(|_| sim.step(FRAME).unwrap().state_hash).collect()
    })
}

#[test]
fn threads_and_lanes_do_not_change_a_bit() {
    let one = hashes::<f32>(1, Lanes::Auto);
    for threads in [2, 5] {
        assert_eq!(one, hashes::<f32>(threads, Lanes::Auto), "{threads} threads");
    }
    assert_eq!(one, hashes::<f32>(1, Lanes::Portable));
    assert_eq!(hashes::<f64>(1, Lanes::Auto), hashes::<f64>(2, Lanes::Portable));
}

#[test]
fn a_snapshot_goes_on_as_before() {
    let mut sim = busy::<f32>(Lanes::Auto);
    (0..4).for_each(|_| sim.advance(FRAME).unwrap());
    let taken = sim.snapshot();
    let hash = |sim: &mut Simulation<f32>| (0..6).map(|_| sim.step(FRAME).unwrap().state_hash).last();
    let first = hash(&mut sim);
    sim.restore(&taken);
    assert_eq!(hash(&mut sim), first);
}

/// A body on the floor is compressed and stays there.
#[test]
fn a_body_comes_to_rest_on_the_floor() {
    let mesh = TetMesh::block([4; 3], [0.4; 3], Split::Kuhn).unwrap();
    let body = Body::solid(mesh).density(1000.0).continuum(Continuum::neo_hookean(1e5, 0.4));
    let mut sim = newton()
        .substeps(4)
        .damping(2.0)
        .body(body)
        .obstacle(Obstacle::plane(Vector3::y(), -0.05))
        .build()
        .unwrap();
    (0..150).for_each(|_| sim.advance(FRAME).unwrap());
    let report = sim.step(FRAME).unwrap();
    assert!(report.energy.kinetic < 1e-3, "{:?}", report.energy);
    assert!(sim.positions().iter().all(|x| x.y > -0.06 && x.y < 0.4));
}

/// How bodies fall and come to rest: the largest rise of their energy from frame to frame, over their largest kinetic energy so far;
/// that of the whole fall and the last one, J; the largest number of elements inside out, and the largest volume error.
#[derive(Debug, Default)]
struct Fall {
    rise: f64,
    fastest: f64,
    last: f64,
    inverted: usize,
    volume_error: f64,
}

fn fall<T: Float>(sim: &mut Simulation<T>, frames: usize, length: f64) -> Fall {
    fall_with(sim, frames, length, &|_| 0.0)
}

/// The same, with energy that reports do not have.
fn fall_with<T: Float>(
    sim: &mut Simulation<T>,
    frames: usize,
    length: f64,
    hidden: &dyn Fn(&[Vector3<f64>]) -> f64,
) -> Fall {
    let (mut fall, mut before) = (Fall::default(), f64::INFINITY);
    for _ in 0..frames {
        let report = sim.step(length).unwrap();
        let (energy, volume) = (report.energy, report.volume.unwrap());
        let total = energy.kinetic + energy.potential + energy.elastic + hidden(&sim.positions());
        fall.fastest = fall.fastest.max(energy.kinetic);
        fall.rise = fall.rise.max((total - before) / fall.fastest);
        fall.inverted = fall.inverted.max(volume.inverted);
        fall.volume_error = fall.volume_error.max(volume.max.value);
        (before, fall.last) = (total, energy.kinetic);
    }
    fall
}

/// A stiff solid of irregular elements, some of them slivers, falls on its edge. It lands, rebounds and comes to rest: no element
/// is inside out in any frame, energy never rises, and it does not tremble in the end.
#[test]
fn a_solid_lands_without_an_element_inside_out_and_comes_to_rest() {
    let mesh = TetMesh::block([8, 3, 3], [0.8, 0.3, 0.3], Split::Kuhn).unwrap();
    let shift = |i: usize| Vector3::from_fn(|axis, _| f64::sin((7 * i + 3 * axis) as f64 * 1.7) * 0.021);
    let jittered = mesh.positions().iter().enumerate().map(|(i, x)| x + shift(i));
    let mesh = turned(&mesh.with_positions(jittered.collect()).unwrap());
    let lowest = mesh.positions().iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    for (substeps, accuracy) in [(1, 0.05), (1, 0.01), (2, 0.01)] {
        let body = Body::solid(mesh.clone()).density(1000.0).continuum(Continuum::neo_hookean(3e5, 0.4));
        let floor = Obstacle::plane(Vector3::y(), lowest - 0.5).friction(0.5);
        let builder = newton().substeps(substeps).accuracy(accuracy).body(body).obstacle(floor);
        let fall = fall(&mut builder.build().unwrap(), 120, 1.0 / 30.0);
        assert_eq!(fall.inverted, 0, "{substeps} substeps, accuracy {accuracy}: {fall:?}");
        assert!(fall.rise < 1e-3, "{substeps} substeps, accuracy {accuracy}: {fall:?}");
        assert!(fall.last < 1e-6 * fall.fastest, "{substeps} substeps, accuracy {accuracy}: {fall:?}");
    }
}

/// The mesh, turned.
fn turned(mesh: &TetMesh) -> TetMesh {
    let turn = Rotation3::from_euler_angles(0.5, 0.3, 0.7);
    mesh.with_positions(mesh.positions().iter().map(|x| turn * x).collect()).unwrap()
}

/// ½C²/α of the springs that stand for rigid volumes, J, where α̃ is a thousandth of J W Jᵀ.
fn energy_of_springs(mesh: &TetMesh, w: &[f64], x: &[Vector3<f64>], h: f64) -> f64 {
    let of_tet = |tet: &[u32; 4]| {
        let [rest, now] = [mesh.positions(), x].map(|x| tet.map(|v| x[v as usize]));
        let (value, gradients) = TetVolume::at_rest(&rest).value_and_gradient(&now);
        let weighted = tet.iter().zip(&gradients).map(|(&v, g)| w[v as usize] * g.norm_squared());
        0.5 * value * value / (1e-3 * weighted.sum::<f64>() * h * h)
    };
    mesh.tets().iter().map(of_tet).sum()
}

/// Bodies of water: soft edges and rigid volumes, for which springs stand. With those alone steps are not rough. The block has more
/// volumes than coordinates. Springs hold energy for a few frames after the impact, which no report counts.
#[test]
fn bodies_with_rigid_volumes_land_and_gain_nothing() {
    let block = turned(&TetMesh::block([4; 3], [0.3; 3], Split::Kuhn).unwrap());
    for (mesh, accuracy) in [(TetMesh::ball(0.2, 4).unwrap(), 1e-2), (block.clone(), 1e-2), (block, 1e-4)] {
        for substeps in [1, 2, 4] {
            let body = Body::solid(mesh.clone()).density(1000.0).stretch(Stiffness::new(8e3));
            let floor = Obstacle::plane(Vector3::y(), -0.6).friction(0.5);
            let builder = newton().substeps(substeps).accuracy(accuracy).obstacle(floor);
            let mut sim = builder.body(body.volume(Compliance::RIGID)).build().unwrap();
            let (w, h) = (sim.inverse_masses(), FRAME / f64::from(substeps));
            let fall = fall_with(&mut sim, 90, FRAME, &|x| energy_of_springs(&mesh, &w, x, h));
            let what =
                format!("{} vertices, {substeps} substeps, {accuracy}: {fall:?}", mesh.positions().len());
            assert_eq!(fall.inverted, 0, "{what}");
            assert!(fall.rise < 1e-3, "{what}");
            assert!(fall.volume_error < 0.2, "{what}");
        }
    }
}

/// A cantilever of the plain law, which sweeps over few substeps burst: its steps start from where it was.
#[test]
fn a_cantilever_that_sweeps_burst_swings_and_gains_nothing() {
    let mesh = TetMesh::block([10, 2, 2], [1.0, 0.2, 0.2], Split::Kuhn).unwrap();
    for substeps in [1, 2, 3, 5] {
        let law = Continuum::neo_hookean(1e7, 0.3).plain();
        let body = Body::solid(mesh.clone()).density(1000.0).continuum(law).pin(|x| x.x < 1e-3);
        let mut sim = newton().substeps(substeps).body(body).build_as::<f64>().unwrap();
        let fall = fall(&mut sim, 60, FRAME);
        assert_eq!(fall.inverted, 0, "{substeps} substeps: {fall:?}");
        assert!(fall.rise < 0.02 && (0.5..2.0).contains(&fall.fastest), "{substeps} substeps: {fall:?}");
    }
}

/// A cube of rigid volumes bounces three times. Six steps are not enough in many substeps in which it turns over an edge.
#[test]
fn a_cube_of_rigid_volumes_bounces_and_gains_nothing() {
    let block = TetMesh::block([4; 3], [0.3; 3], Split::Kuhn).unwrap();
    let turn = Rotation3::from_euler_angles(28_f64.to_radians(), 17_f64.to_radians(), 40_f64.to_radians());
    let turned = block.positions().iter().map(|x| turn * (x - Vector3::repeat(0.15))).collect();
    let mesh = block.with_positions(turned).unwrap();
    let lowest = mesh.positions().iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let mut bad = Vec::new();
    for substeps in [12, 16, 20] {
        let body = Body::solid(mesh.clone()).density(1000.0).stretch(Stiffness::new(8e3));
        let floor = Obstacle::plane(Vector3::y(), lowest - 0.4).friction(0.5);
        let builder = newton().substeps(substeps).obstacle(floor);
        let mut sim = builder.body(body.volume(Compliance::RIGID)).build_as::<f32>().unwrap();
        let fall = fall(&mut sim, 90, FRAME);
        if fall.rise > 1e-3 || fall.inverted > 0 {
            bad.push(format!("{substeps} substeps: {fall:?}"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// A block of rigid volumes between soft edges, pressed flat by a fifth: it has no shape in which all volumes are right. It keeps
/// its whole volume, bulges on all sides, and no element is inside out.
#[test]
fn a_block_of_rigid_volumes_that_is_pressed_flat_bulges() {
    let mesh = TetMesh::block([4; 3], [1.0; 3], Split::Kuhn).unwrap();
    let key = |time, y| Keyframe { time, translation: Vector3::new(0.0, y, 0.0), rotation: Vector3::zeros() };
    let keys = vec![key(0.0, 0.0), key(1.0, -0.2)];
    let plate = Pin::select(|x| x.y > 1.0 - 1e-9).motion(Motion::Keyframes { pivot: Vector3::zeros(), keys });
    for (accuracy, alpha) in [(1e-2, 1e-6), (1e-2, 1e-4), (1e-4, 1e-5)] {
        let body = Body::solid(mesh.clone()).stretch(Compliance::new(alpha)).volume(Compliance::RIGID);
        let body = body.pin(|x| x.y < 1e-9).pin_with(plate.clone());
        let builder = newton().gravity([0.0; 3]).substeps(10).accuracy(accuracy).drag(2.0).body(body);
        let mut sim = builder.build_as::<f64>().unwrap();
        (0..90).for_each(|_| sim.advance(FRAME).unwrap());
        let now = mesh.with_positions(sim.positions()).unwrap();
        let what = format!("accuracy {accuracy}, compliance {alpha}");
        assert!((now.volume() - 1.0).abs() < 5e-3, "{what}: volume {}", now.volume());
        assert!((0..now.tets().len()).all(|t| now.tet_volume(t) > 0.0), "{what}");
        let middle = |side: f64, sign: f64| {
            let rest = mesh.positions().iter().zip(now.positions());
            let there = rest.filter(|(rest, _)| (rest.y - 0.5).abs() < 1e-9 && rest.x == side);
            there.map(|(rest, x)| sign * (x.x - rest.x)).sum::<f64>()
        };
        let bulge = middle(0.0, -1.0) + middle(1.0, 1.0);
        assert!((0.3..1.5).contains(&bulge), "{what}: bulge of {bulge} m");
    }
}

/// Steps of a sheet of rigid edges are rough, so nothing is carried, whether it meets a wall before them or by them: it swings against
/// the wall and stays in one piece.
#[test]
fn a_rigid_sheet_swings_against_a_wall_in_one_piece() {
    let mesh = TriMesh::grid([12, 12], [1.0, 1.0]).unwrap();
    let far = Vector3::new(10.0, -20.0, 5.0);
    let start: Vec<_> = mesh.positions().iter().map(|x| far + x).collect();
    let (edges, rest) = (mesh.edges().to_vec(), mesh.positions().to_vec());
    for wall in 0..6 {
        let body = Body::cloth(mesh.clone()).start(start.clone()).pin_vertices([0, 11]);
        let wall = Obstacle::plane(Vector3::z(), far.z - 0.51 - 0.07 * f64::from(wall));
        let mut sim: Simulation = newton().body(body).obstacle(wall).build().unwrap();
        for frame in 0..75 {
            sim.advance(FRAME).unwrap();
            let x = sim.positions();
            let stretch = |&[a, b]: &[u32; 2]| length(&x, a, b) / length(&rest, a, b);
            let longest = edges.iter().map(stretch).fold(0.0, f64::max);
            assert!(longest < 1.5, "an edge is {longest} times as long in frame {frame}");
        }
    }
}

fn length(x: &[Vector3<f64>], a: u32, b: u32) -> f64 {
    (x[b as usize] - x[a as usize]).norm()
}

/// A solid on a slope stays where friction can hold it, and slides by Coulomb's law where it cannot.
#[test]
fn a_solid_on_a_slope_sticks_or_slides() {
    let slid = |angle: f64| {
        let normal = Vector3::new(angle.sin(), angle.cos(), 0.0);
        let downhill = Vector3::new(angle.cos(), -angle.sin(), 0.0);
        let mesh = TetMesh::block([4; 3], [0.4; 3], Split::Kuhn).unwrap();
        let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), -angle);
        let positions = mesh.positions().iter().map(|x| turn * x).collect();
        let mesh = TetMesh::new(positions, mesh.tets().to_vec()).unwrap();
        let body = Body::solid(mesh).density(1000.0).continuum(Continuum::neo_hookean(1e6, 0.3));
        let slope = Obstacle::plane(normal, 0.0).friction(0.5);
        let mut sim = newton().substeps(4).body(body).obstacle(slope).build_as::<f64>().unwrap();
        let along = |sim: &Simulation<f64>| {
            sim.positions().iter().map(|x| downhill.dot(x)).sum::<f64>() / sim.positions().len() as f64
        };
        // The first half of a second settles it.
        let places: Vec<f64> = (0..90)
            .map(|_| {
                sim.advance(FRAME).unwrap();
                along(&sim)
            })
            .collect();
        // The second difference over half a second each is a quarter of the acceleration.
        [places[89] - places[29], 4.0 * (places[89] - 2.0 * places[59] + places[29])]
    };
    let [way, _] = slid(f64::atan(0.5 * 0.96));
    assert!(way.abs() < 1e-4, "{way} m");
    let angle = f64::atan(0.5 * 1.3);
    let [_, found] = slid(angle);
    let wanted = 9.81 * (angle.sin() - 0.5 * angle.cos());
    assert!((found / wanted - 1.0).abs() < 0.03, "{found} m/s² instead of {wanted}");
}

#[test]
fn settings_that_cannot_be_are_errors() {
    let of = |settings: Settings| newton().settings(settings).body(column(1e5)).build().map(|_| ());
    let newton = Settings { method: Method::Newton, ..Settings::default() };
    for wrong in [
        Settings { accuracy: 0.0, ..newton.clone() },
        Settings { accuracy: f64::NAN, ..newton.clone() },
        Settings { plan: Plan::Sequential, ..newton.clone() },
        Settings { method: Method::Newton, ..Settings::book_cloth() },
    ] {
        assert!(matches!(of(wrong), Err(BuildError::Setting(_))));
    }
    assert!(of(newton).is_ok());
}

proptest! {
    #![proptest_config(pliant_testkit::config(24))]

    /// Whatever is built stays finite: turned inside out, light beside heavy, without gravity, released at once.
    #[test]
    fn nothing_breaks(
        young in 3.0..9.0_f64,
        factors in proptest::collection::vec(-0.4..0.4_f64, 81),
        ratio in 0.0..5.0_f64,
        gravity in any::<bool>(),
        release in any::<bool>(),
        stretch in prop_oneof![Just(0.0), 1e-9..1e-2_f64],
    ) {
        let mesh = TetMesh::block([2; 3], [0.3; 3], Split::Kuhn).unwrap();
        let start: Vec<_> = mesh.positions().iter().zip(factors.chunks(3)).map(|(x, f)| x + Vector3::new(f[0], f[1], f[2]) * 0.5).collect();
        let body = Body::solid(mesh).start(start).density(10.0_f64.powf(ratio)).continuum(Continuum::neo_hookean(10.0_f64.powf(young), 0.4));
        let body = body.stretch(Compliance::new(stretch)).pin_with(Pin::vertices([0, 1, 2]).release_at(if release { FRAME } else { 1e3 }));
        let light = Body::cloth(TriMesh::grid([4, 4], [0.3, 0.3]).unwrap()).area_density(1e-3);
        let builder = newton().body(body).body(light).obstacle(Obstacle::plane(Vector3::y(), -0.5));
        let builder = if gravity { builder } else { builder.gravity(Vector3::zeros()) };
        let mut sim = builder.build().unwrap();
        for _ in 0..6 {
            sim.advance(FRAME).unwrap();
        }
        prop_assert!(sim.positions().iter().all(|x| x.amax() < 1e3), "{:?}", sim.positions());
    }
}
