//! Contact between surfaces of bodies.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Body, Certificate, Collide, Compliance, Concern, ContactPair, Grade, Lanes, Motion, Pin, Settings,
    Simulation, SimulationBuilder, Snapshot, Stiffness,
};

const DT: f64 = 1.0 / 60.0;
/// Half of the thickness, m.
const RADIUS: f64 = 0.0015;

fn settings(substeps: u32) -> Settings {
    Settings { substeps, certificate: true, ..Settings::default() }
}

fn grid(vertices: usize, side: f64, at: Vector3<f64>) -> TriMesh {
    TriMesh::grid([vertices; 2], [side; 2]).unwrap().translated(at).unwrap()
}

fn collide() -> Collide {
    Collide::new().friction(0.3)
}

fn sheet(vertices: usize, side: f64, at: Vector3<f64>) -> Body {
    Body::cloth(grid(vertices, side, at)).contact_radius(RADIUS).collide(collide())
}

/// A sheet that is held as a whole.
fn plate(vertices: usize, side: f64, at: Vector3<f64>) -> Body {
    sheet(vertices, side, at).pin(|_| true)
}

fn cube(cells: usize, side: f64, at: Vector3<f64>, friction: f64) -> Body {
    let mesh = TetMesh::block([cells; 3], [side; 3], Split::Five).unwrap().translated(at).unwrap();
    Body::solid(mesh)
        .stretch(Compliance::new(1e-6))
        .contact_radius(RADIUS)
        .collide(Collide::new().friction(friction))
}

/// Three sheets that fall on a plate, turned so that nothing is parallel.
fn heap() -> SimulationBuilder {
    let mut scene = Simulation::builder().settings(settings(20)).body(plate(5, 0.3, Vector3::zeros()));
    for k in 0..3 {
        let k = f64::from(k);
        scene = scene.body(sheet(13, 0.2, Vector3::new(0.013 * k, 0.01 + 0.008 * k, 0.007 * k)));
    }
    scene
}

fn crossings(sim: &Simulation) -> usize {
    sim.report().collisions.expect("bodies collide").intersections
}

#[test]
fn the_bits_do_not_depend_on_threads_and_lanes() {
    let run = |threads: usize, lanes: Lanes| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut sim: Simulation = heap().lanes(lanes).build().unwrap();
            (0..20).for_each(|_| sim.advance(DT).unwrap());
            assert_eq!(crossings(&sim), 0);
            assert!(sim.report().collisions.unwrap().contacts > 100, "they lie on each other");
            sim.state_hash()
        })
    };
    let one = run(1, Lanes::Auto);
    for (threads, lanes) in [(2, Lanes::Auto), (3, Lanes::Auto), (5, Lanes::Auto), (2, Lanes::Portable)] {
        assert_eq!(run(threads, lanes), one, "{threads} threads");
    }
}

#[test]
fn what_is_resumed_after_any_frame_goes_on_with_the_same_bits() {
    // The sheets fall, then they stick to each other: contacts are a part of the state, and lists that outlive frames.
    let mut sim: Simulation = heap().build().unwrap();
    let mut other: Simulation = heap().build().unwrap();
    let mut without = 0;
    for frame in 0..80 {
        let saved = sim.snapshot();
        sim.advance(DT).unwrap();
        without += usize::from(sim.report().collisions.unwrap().detections[0] == 0);
        let read = Snapshot::from_bytes(&saved.to_bytes(), &other).unwrap();
        for saved in [saved, read] {
            other.restore(&saved);
            // Nothing is lost if it is saved again before it goes on.
            let again = other.snapshot();
            other.restore(&again);
            other.advance(DT).unwrap();
            assert_eq!(other.state_hash(), sim.state_hash(), "from frame {frame}");
            assert_eq!(other.snapshot().to_bytes(), sim.snapshot().to_bytes(), "from frame {frame}");
        }
    }
    assert!(without > 30, "lists are made again in {} frames of 80", 80 - without);
}

#[test]
fn a_stack_comes_to_rest_a_thickness_apart() {
    let mut sim: Simulation = heap().build().unwrap();
    (0..120).for_each(|_| sim.advance(DT).unwrap());
    assert_eq!(crossings(&sim), 0);
    for (k, part) in (1..4).zip(&sim.body_ranges()[1..]) {
        // Borders hang over those below.
        let mut x = sim.positions_of(part.particles.clone());
        x.retain(|x| x.x.abs().max(x.z.abs()) < 0.06);
        let height = x.iter().map(|x| x.y).sum::<f64>() / x.len() as f64;
        let expected = 2.0 * RADIUS * f64::from(k);
        assert!((height - expected).abs() < 0.05 * expected + 1e-4, "sheet {k} lies at {height}");
    }
    assert!(sim.report().energy.kinetic < 1e-5, "{}", sim.report().energy.kinetic);
}

#[test]
fn bullets_do_not_pass() {
    for substeps in [4, 20] {
        for speed in [10.0, 50.0] {
            let down = Vector3::new(0.3, -speed, 0.2);
            let bullets = [
                sheet(9, 0.1, Vector3::new(0.01, 0.4, 0.02)).velocity(down),
                cube(3, 0.1, Vector3::new(0.01, 0.4, 0.02), 0.3).velocity(down),
            ];
            for bullet in bullets {
                // One triangle thin, and held; then one that comes up at 10 m/s.
                for rises in [0.0, 10.0] {
                    let motion = Motion::linear(Vector3::y() * rises);
                    let target =
                        sheet(3, 0.6, Vector3::zeros()).pin_with(Pin::select(|_| true).motion(motion));
                    let mut sim: Simulation = Simulation::builder()
                        .settings(settings(substeps))
                        .body(bullet.clone())
                        .body(target)
                        .build()
                        .unwrap();
                    for frame in 0..6 {
                        sim.advance(DT).unwrap();
                        let found = sim.report().collisions.unwrap();
                        assert_eq!(found.intersections, 0, "{speed} m/s, frame {frame}: {found:?}");
                    }
                    let plate = rises * sim.time();
                    let x = sim.positions_of(sim.body_ranges()[0].particles.clone());
                    assert!(x.iter().all(|x| x.y > plate), "through at {speed} m/s, {substeps} substeps");
                }
            }
        }
    }
}

#[test]
fn free_bodies_that_collide_keep_their_momentum() {
    let mut sim: Simulation<f64> = Simulation::builder()
        .settings(settings(40))
        .gravity(Vector3::zeros())
        .body(cube(3, 0.1, Vector3::zeros(), 0.0).velocity(Vector3::x()))
        .body(cube(3, 0.1, Vector3::new(0.13, 0.03, 0.02), 0.0).velocity(-Vector3::x() * 0.5))
        .build_as()
        .unwrap();
    let before = sim.report();
    let mut touched = 0;
    let mut cut = 0.0;
    for _ in 0..20 {
        let tally = sim.step(DT).unwrap().collisions.unwrap();
        assert_eq!(tally.intersections, 0);
        touched += tally.contacts;
        cut += tally.momentum;
    }
    assert!(touched > 0, "they never met");
    let after = sim.report();
    let size: f64 = before.bodies.iter().map(|body| body.linear_momentum.norm()).sum();
    let linear = (after.linear_momentum - before.linear_momentum).norm() / size;
    assert!(linear < 1e-6 + cut / size, "{linear}, cut {cut}");
    // The torque of a frozen normal is of first order in the sliding distance within a substep: as a lever
    // arm, m, it is small compared with the thickness.
    let arm = (after.angular_momentum - before.angular_momentum).norm() / size;
    assert!(arm < 0.2 * RADIUS + cut / size, "{arm}, cut {cut}");
    assert!(after.energy.kinetic + after.energy.elastic <= before.energy.kinetic * 1.001);
}

#[test]
fn what_lies_on_an_incline_stays_below_the_angle_of_friction_and_slides_above() {
    let mu: f64 = 0.3;
    for (factor, slides) in [(0.98, false), (1.02, true)] {
        let angle = (mu * factor).atan();
        // Gravity is turned instead of the plate.
        let gravity = Vector3::new(angle.sin(), -angle.cos(), 0.0) * 9.81;
        let settings = Settings { substeps: 20, iterations: 2, gravity, ..Settings::default() };
        let mut sim: Simulation<f64> = Simulation::builder()
            .settings(settings)
            .body(plate(41, 1.6, Vector3::zeros()))
            .body(sheet(9, 0.1, Vector3::new(-0.4, 2.0 * RADIUS, 0.013)))
            .build_as()
            .unwrap();
        let place = |sim: &Simulation<f64>| {
            let x = sim.positions_of(sim.body_ranges()[1].particles.clone());
            x.iter().map(|x| x.x).sum::<f64>() / x.len() as f64
        };
        (0..12).for_each(|_| sim.advance(DT).unwrap());
        let (from, time) = (place(&sim), sim.time());
        let speed = sim.velocities_of(sim.body_ranges()[1].particles.clone())[0].x;
        (0..60).for_each(|_| sim.advance(DT).unwrap());
        let (way, time) = (place(&sim) - from, sim.time() - time);
        if slides {
            let expected = speed * time + 0.5 * 9.81 * (angle.sin() - mu * angle.cos()) * time * time;
            assert!((way - expected).abs() < 0.03 * expected, "slid {way} m, {expected} expected");
        } else {
            assert!(way.abs() < 1e-4, "crept {way} m");
        }
    }
}

/// Bodies on a slope of this angle.
fn on_a_slope(bodies: Vec<Body>, iterations: u32, angle: f64) -> Simulation<f64> {
    let gravity = Vector3::new(angle.sin(), -angle.cos(), 0.0) * 9.81;
    let settings = Settings { substeps: 20, iterations, gravity, ..Settings::default() };
    let scene = bodies.into_iter().fold(Simulation::builder().settings(settings), SimulationBuilder::body);
    scene.build_as().unwrap()
}

/// The middle of a body, along the slope, m.
fn place(sim: &Simulation<f64>, body: usize) -> f64 {
    let x = sim.positions_of(sim.body_ranges()[body].particles.clone());
    x.iter().map(|x| x.x).sum::<f64>() / x.len() as f64
}

/// How far, m, the last of these bodies slides in a second, once it has settled.
fn slides_in_a_second(bodies: Vec<Body>, iterations: u32, angle: f64) -> f64 {
    let last = bodies.len() - 1;
    let mut sim = on_a_slope(bodies, iterations, angle);
    (0..12).for_each(|_| sim.advance(DT).unwrap());
    let from = place(&sim, last);
    (0..60).for_each(|_| sim.advance(DT).unwrap());
    place(&sim, last) - from
}

/// A sheet on a sheet on a plate to which that sticks.
fn two_sheets() -> Vec<Body> {
    let at = Vector3::new(-0.4, 2.0 * RADIUS, 0.013);
    let lower = grid(13, 0.4, at - Vector3::new(0.15, 0.0, 0.15));
    let lower = Body::cloth(lower).contact_radius(RADIUS).collide(collide());
    let rider = sheet(9, 0.1, at + Vector3::y() * (2.0 * RADIUS)).bend_isometric(Stiffness::new(1e-4));
    vec![plate(31, 1.6, Vector3::zeros()).collide(Collide::new().friction(1.2)), lower, rider]
}

#[test]
fn what_sticks_to_something_that_moves_does_not_creep() {
    let way = slides_in_a_second(two_sheets(), 4, (0.98 * 0.3_f64).atan());
    assert!(way.abs() < 1e-6, "crept {way} m");
}

#[test]
fn padding_sticks_as_well() {
    let rider = cube(2, 0.06, Vector3::new(-0.4, 2.0 * RADIUS, 0.013), 0.3);
    let padded = Collide::new().friction(0.3).compliance(Compliance::new(1e-4));
    let below = plate(41, 1.6, Vector3::zeros()).collide(padded);
    let way = slides_in_a_second(vec![below, rider], 2, (0.8 * 0.3_f64).atan());
    assert!(way.abs() < 1e-5, "crept {way} m");
}

#[test]
fn bodies_that_stick_go_on_sticking_while_others_are_added() {
    let mut sim = on_a_slope(two_sheets(), 1, (0.98 * 0.3_f64).atan());
    (0..24).for_each(|_| sim.advance(DT).unwrap());
    let from = place(&sim, 2);
    for k in 0..20 {
        sim.add_body(sheet(3, 0.1, Vector3::new(0.0, 2.0 + 0.1 * f64::from(k), 3.0))).unwrap();
        sim.advance(DT).unwrap();
    }
    let way = place(&sim, 2) - from;
    assert!(way.abs() < 1e-6, "crept {way} m");
}

#[test]
fn what_is_twisted_does_not_cross_itself() {
    let turn = |sign: f64| Motion::Velocity {
        linear: Vector3::zeros(),
        angular: Vector3::new(2.0 * sign * std::f64::consts::PI, 0.0, 0.0),
        pivot: Vector3::zeros(),
    };
    let band = TriMesh::grid([31, 7], [0.6, 0.12]).unwrap();
    let mut sim: Simulation = Simulation::builder()
        .settings(settings(20))
        .gravity(Vector3::zeros())
        .body(
            Body::cloth(band)
                .stretch(Compliance::new(1e-3))
                .contact_radius(RADIUS)
                .collide(collide())
                .pin_with(Pin::select(|x| x.x < -0.299).motion(turn(1.0)))
                .pin_with(Pin::select(|x| x.x > 0.299).motion(turn(-1.0))),
        )
        .build()
        .unwrap();
    for frame in 0..90 {
        sim.advance(DT).unwrap();
        let tally = sim.report().collisions.unwrap();
        assert!(tally.intersections == 0 || tally.pinched > 0, "frame {frame}: {tally:?}");
    }
}

#[test]
fn bodies_meet_only_where_their_groups_say_so() {
    let drop_on = |below: Collide, above: Collide| {
        let mut sim: Simulation = Simulation::builder()
            .settings(settings(10))
            .body(plate(5, 0.4, Vector3::zeros()).collide(below))
            .body(sheet(5, 0.1, Vector3::y() * 0.02).collide(above))
            .build()
            .unwrap();
        (0..30).for_each(|_| sim.advance(DT).unwrap());
        sim.positions()[30].y
    };
    assert!(drop_on(collide(), collide()) > 0.0);
    assert!(drop_on(collide().in_groups(2), collide().hits(1)) < -0.5, "it passes");
    assert!(drop_on(collide().in_groups(2), collide().hits(2)) > 0.0);
}

/// An upright sheet that a plate cuts, `beside` the middle of it.
fn cut_by_a_plate(beside: f64) -> Simulation {
    let upright = |x: Vector3<f64>| Vector3::new(x.x, x.z, 0.0);
    let through = grid(9, 0.1, Vector3::zeros());
    let x = through.positions().iter().map(|&x| upright(x) + Vector3::new(beside, 0.001, 0.004)).collect();
    let through = TriMesh::new(x, through.triangles().to_vec()).unwrap();
    Simulation::builder()
        .settings(settings(20))
        .body(plate(9, 0.2, Vector3::zeros()))
        .body(Body::cloth(through).contact_radius(RADIUS).collide(collide()))
        .build()
        .unwrap()
}

#[test]
fn starts_that_cross_are_named_and_half_of_them_come_apart() {
    // The others come to rest crossed: the way out leads to a local minimum.
    let mut apart = 0;
    for k in 0..10 {
        let mut sim = cut_by_a_plate(0.003 + 1e-4 * f64::from(k));
        let at_start = crossings(&sim);
        assert!(at_start > 0);
        let mut certificate = Certificate::begin(&sim);
        for _ in 0..120 {
            certificate.take(&sim.step(DT).unwrap());
        }
        let judgement = certificate.judgement();
        let found =
            judgement.findings.iter().find(|finding| finding.concern == Concern::Contact).expect("named");
        assert!(found.what.contains("body 1") || found.what.contains("body 0"), "{}", found.what);
        assert_ne!(found.grade, Grade::Good);
        let most = certificate.worst("intersections").unwrap().value;
        // While a vertex passes, its edges on the other side cross for a while.
        assert!(most <= 1.5 * at_start as f64, "{most} of {at_start}");
        apart += usize::from(crossings(&sim) == 0);
    }
    assert!(apart >= 5, "{apart} of 10 are driven out");
}

#[test]
fn what_presses_can_be_asked_for() {
    let friction = Collide::new().friction(0.5);
    let mut sim: Simulation<f64> = Simulation::builder()
        .settings(settings(10))
        .body(
            Body::cloth(grid(5, 0.3, Vector3::zeros()))
                .contact_radius(RADIUS)
                .collide(friction)
                .pin(|_| true),
        )
        .body(
            Body::cloth(grid(7, 0.2, Vector3::y() * 0.004))
                .contact_radius(RADIUS)
                .area_density(1.25)
                .collide(friction),
        )
        .build_as()
        .unwrap();
    assert!(sim.contacts().is_empty(), "nothing has been stepped yet");
    for _ in 0..60 {
        sim.step(DT).unwrap();
    }
    let contacts = sim.contacts();
    assert!(!contacts.is_empty());
    let x = sim.positions();
    let mut sum = Vector3::zeros();
    for contact in &contacts {
        let signs = contact.weights.map(f64::signum);
        assert!(contact.weights.iter().sum::<f64>().abs() < 1e-12);
        assert_ne!(contact.bodies[0], contact.bodies[1]);
        for (particle, sign) in contact.particles.iter().zip(signs) {
            let body = contact.bodies[usize::from(sign < 0.0)];
            let weight = contact.weights[contact.particles.iter().position(|p| p == particle).unwrap()];
            assert!(weight == 0.0 || sim.body_ranges()[body].particles.contains(particle));
        }
        let between: Vector3<f64> =
            contact.particles.iter().zip(contact.weights).map(|(&i, b)| x[i] * b).sum();
        assert!((between.dot(&contact.normal) - contact.distance).abs() < 1e-12);
        assert!((contact.normal.norm() - 1.0).abs() < 1e-9 && contact.point.y.abs() < 0.01);
        assert!(contact.impulse.dot(&contact.normal) > 0.0, "contacts do not pull");
        sum += contact.impulse * if contact.bodies[0] == 1 { 1.0 } else { -1.0 };
    }
    let weight = 0.05 * 9.81;
    let force = sum * (10.0 / DT);
    assert!((force.y - weight).abs() < 0.03 * weight, "{force}");
    assert!(force.xz().norm() < 0.05 * weight, "{force}");
}

#[test]
fn nonsense_is_refused_by_name() {
    let refused = |collide: Collide| {
        let body = Body::cloth(grid(3, 0.1, Vector3::zeros())).name("flag").collide(collide);
        Simulation::builder().body(body).build().unwrap_err().to_string()
    };
    assert!(refused(Collide::new().friction(-1.0)).contains("\"flag\": static friction is -1"));
    assert!(refused(Collide::new().friction_of(0.1, 0.2)).contains("kinetic friction is 0.2"));
    let twice = TriMesh::new(
        grid(2, 0.1, Vector3::zeros()).positions().to_vec(),
        vec![[0, 1, 2], [1, 3, 2], [2, 1, 0]],
    );
    if let Ok(mesh) = twice {
        let body = Body::cloth(mesh).name("flag").collide(collide());
        let error = Simulation::builder().body(body).build().unwrap_err().to_string();
        assert!(error.contains("\"flag\", collision"), "{error}");
    }
}

#[test]
fn two_sheets_pushed_through_each_other_come_apart() {
    // Side by side, the border of one 20 mm through the other, which leans.
    let lean = |x: Vector3<f64>| Vector3::new(x.x, 0.9 * x.z, 0.3 * x.x + 0.2 * x.z);
    let one = grid(13, 0.2, Vector3::zeros());
    let other = grid(13, 0.2, Vector3::new(0.08, 0.0, 0.011));
    let upright = one.positions().iter().map(|&x| lean(x)).collect();
    let one = TriMesh::new(upright, one.triangles().to_vec()).unwrap();
    let other_x = other.positions().iter().map(|x| Vector3::new(x.x, x.z, 0.004)).collect();
    let other = TriMesh::new(other_x, other.triangles().to_vec()).unwrap();
    let body = |mesh| Body::cloth(mesh).contact_radius(RADIUS).collide(collide());
    let mut sim: Simulation = Simulation::builder()
        .settings(Settings { drag: 2.0, ..settings(20) })
        .gravity(Vector3::zeros())
        .body(body(one))
        .body(body(other))
        .build()
        .unwrap();
    let at_start = crossings(&sim);
    assert!(at_start > 10);
    let mut most = 0;
    for _ in 0..120 {
        sim.advance(DT).unwrap();
        most = most.max(crossings(&sim));
    }
    assert_eq!(crossings(&sim), 0, "of {at_start}, at most {most}");
    assert!(most <= at_start + at_start / 5, "{most} of {at_start}");
}

/// The largest height that a small flake reaches after it has fallen from 0.1 m on a plate, as a share of that.
fn rebound(flake: Collide, on: Collide, pair: Option<ContactPair>) -> f64 {
    let flake = Body::cloth(grid(2, 0.02, Vector3::new(0.01, 0.1 + 2.0 * RADIUS, 0.01)))
        .name("flake")
        .contact_radius(RADIUS)
        .collide(flake);
    let plate = Body::cloth(grid(4, 0.3, Vector3::zeros()))
        .name("plate")
        .contact_radius(RADIUS)
        .collide(on)
        .pin(|_| true);
    let mut scene = Simulation::builder().settings(settings(40)).body(flake).body(plate);
    if let Some(pair) = pair {
        scene = scene.contact_pair(pair);
    }
    let mut sim: Simulation<f64> = scene.build_as().unwrap();
    let (mut highest, mut down) = (0.0_f64, true);
    for _ in 0..40 {
        let report = sim.step(DT).unwrap();
        assert_eq!(report.collisions.unwrap().intersections, 0);
        down &= sim.velocities()[0].y <= 0.0;
        highest = highest.max(if down { 0.0 } else { sim.positions()[0].y - 2.0 * RADIUS });
    }
    highest / 0.1
}

#[test]
fn an_impact_gives_back_its_share_of_the_velocity() {
    for e in [0.5, 0.8] {
        let of = Collide::new().restitution(e);
        let height = rebound(of, of, None);
        assert!((height - e * e).abs() < 0.1 * e * e, "{e}: {height}");
    }
    let (springy, dull) = (Collide::new().restitution(0.8), Collide::new());
    assert!(rebound(springy, dull, None) < 0.02, "a mean with nothing is nothing");
    let own = ContactPair::new("plate", "flake").restitution(0.7);
    let height = rebound(springy, dull, Some(own));
    assert!((height - 0.49).abs() < 0.05, "{height}");
}

#[test]
fn what_gives_way_sinks_in_by_its_compliance() {
    let side = 0.02;
    let depth = |compliance: f64| {
        let on = Collide::new().compliance(compliance);
        let flake = grid(2, side, Vector3::new(0.01, 2.0 * RADIUS, 0.01));
        let mut sim: Simulation<f64> = Simulation::builder()
            .settings(Settings { drag: 5.0, ..settings(40) })
            .body(Body::cloth(flake).contact_radius(RADIUS).area_density(2.0).collide(Collide::new()))
            .body(
                Body::cloth(grid(4, 0.3, Vector3::zeros())).contact_radius(RADIUS).collide(on).pin(|_| true),
            )
            .build_as()
            .unwrap();
        (0..120).for_each(|_| sim.advance(DT).unwrap());
        assert_eq!(sim.report().collisions.unwrap().intersections, 0);
        2.0 * RADIUS - sim.positions()[..4].iter().map(|x| x.y).sum::<f64>() / 4.0
    };
    assert!(depth(0.0).abs() < 2e-5, "{}", depth(0.0));
    // Four corners carry 8 mN of weight.
    let (soft, weight) = (depth(0.4), 2.0 * side * side * 9.81);
    assert!((soft - 0.4 * weight / 4.0).abs() < 0.2 * soft, "{soft}");
}

#[test]
fn a_pair_of_bodies_can_have_a_friction_of_its_own() {
    let slides = |pair: Option<ContactPair>| {
        let flake = Body::cloth(grid(3, 0.05, Vector3::new(0.1, 2.0 * RADIUS, 0.1)));
        let plate = Body::cloth(grid(4, 0.4, Vector3::zeros())).pin(|_| true);
        let of = |body: Body, name: &str| body.name(name).contact_radius(RADIUS).collide(collide());
        let mut scene = Simulation::builder()
            .settings(settings(20))
            .gravity([1.5, -9.81, 0.0])
            .body(of(flake, "flake"))
            .body(of(plate, "plate"));
        if let Some(pair) = pair {
            scene = scene.contact_pair(pair);
        }
        let mut sim: Simulation<f64> = scene.build_as().unwrap();
        let start = sim.positions()[0].x;
        (0..20).for_each(|_| sim.advance(DT).unwrap());
        sim.positions()[0].x - start
    };
    assert!(slides(None) < 1e-3);
    assert!(slides(Some(ContactPair::new("flake", "plate").friction(0.0))) > 0.05);
    let both = ContactPair::new("plate", "flake").friction_of(0.2, 0.1);
    assert!(slides(Some(both)) < 1e-3, "it sticks");
}

#[test]
fn what_is_wrong_with_a_pair_is_named() {
    let build = |pair: ContactPair| {
        let named = |name: &str| sheet(3, 0.1, Vector3::zeros()).name(name);
        let deaf = Body::cloth(grid(3, 0.1, Vector3::y())).name("deaf");
        let scene = Simulation::builder().body(named("a")).body(deaf).contact_pair(pair);
        scene.build().unwrap_err().to_string()
    };
    let error = build(ContactPair::new("a", "deaf"));
    assert_eq!(
        error,
        "contact of \"a\" and \"deaf\": no body that collides is called \"deaf\"; there are \"a\""
    );
    for (pair, what) in [
        (ContactPair::new("a", "a").restitution(1.5), "restitution is 1.5"),
        (ContactPair::new("a", "a").friction(-1.0), "static friction is -1"),
        (ContactPair::new("a", "a").friction_of(0.1, 0.2), "kinetic friction is 0.2"),
        (ContactPair::new("a", "a").compliance(f64::NAN), "compliance is NaN"),
    ] {
        let error = build(pair);
        assert!(error.contains(what), "{error}");
    }
}
