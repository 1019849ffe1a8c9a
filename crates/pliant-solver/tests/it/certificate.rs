//! Certificates against their definitions, and against known answers.

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint, Distance, Kind, TetVolume};
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Assembly, Body, Certificate, Compliance, Constraints, Float, FrameReport, Lanes, Motion, Obstacle, Pin,
    Plan, Requirement, Settings, Simulation, Snapshot,
};

const H: f64 = 1.0 / 60.0;

fn watched(substeps: u32) -> Settings {
    Settings { substeps, certificate: true, ..Settings::default() }
}

/// A soft block with edges and volumes, of different compliance.
fn block(plan: Plan, substeps: u32) -> Assembly {
    block_of(plan, substeps, |edge| if edge % 3 == 0 { 0.0 } else { 1e-4 }, 0.0)
}

/// The block with edges and volumes of these compliances.
fn block_of(plan: Plan, substeps: u32, of_edge: impl Fn(usize) -> f64, of_volumes: f64) -> Assembly {
    let mesh = TetMesh::block([5, 4, 3], [0.5, 0.4, 0.3], Split::Kuhn).unwrap();
    let x = mesh.positions();
    let mut assembly = Assembly::new(
        x.iter().map(|x| x * 1.05).collect(),
        x.iter().map(|x| if x.y > 0.39 { 0.0 } else { 40.0 + 20.0 * x.x }).collect(),
    )
    .unwrap();
    let edges: Vec<[u32; 2]> = mesh.edges();
    let lengths: Vec<_> =
        edges.iter().map(|[a, b]| Distance { rest: (x[*a as usize] - x[*b as usize]).norm() }).collect();
    let compliances = (0..edges.len()).map(of_edge).collect();
    assembly.add(Constraints::new("edges", edges, lengths, compliances).unwrap());
    let volumes: Vec<_> = mesh.tets().iter().map(|t| TetVolume::at_rest(&t.map(|v| x[v as usize]))).collect();
    let tets = mesh.tets().to_vec();
    assembly.add(Constraints::new("volumes", tets, volumes, vec![of_volumes]).unwrap());
    assembly.settings(Settings { plan, iterations: 2, ..watched(substeps) });
    assembly
}

/// Adds the impulses of the constraints of a kind on the particles.
fn add_impulses<K: Kind<N, 1>, const N: usize>(
    stencils: &[[u32; N]],
    kinds: &[K],
    lambda: &[f64],
    x: &[Vector3<f64>],
    sum: &mut [Vector3<f64>],
) {
    for ((stencil, kind), lambda) in stencils.iter().zip(kinds).zip(lambda) {
        let points = stencil.map(|v| x[v as usize]);
        let (_, [gradients]) = kind.at::<f64>().values_and_gradients(&points);
        for (&v, g) in stencil.iter().zip(&gradients) {
            sum[v as usize] += g * *lambda;
        }
    }
}

/// The residual of the equation of motion from its definition, using only positions, velocities and
/// multipliers of the solver.
#[test]
fn the_residual_of_the_equation_of_motion_is_what_its_definition_says() {
    let mesh = TetMesh::block([5, 4, 3], [0.5, 0.4, 0.3], Split::Kuhn).unwrap();
    let rest = mesh.positions();
    for plan in [Plan::Sequential, Plan::Clustered, Plan::Ordered] {
        // One substep, so that the state before it is known.
        let mut sim: Simulation<f64> = block(plan, 1).build().unwrap();
        assert!(sim.report().motion.is_none(), "nothing has been predicted yet");
        sim.advance(H).unwrap();
        let (before, speed, w) = (sim.positions(), sim.velocities(), sim.inverse_masses());
        sim.advance(H).unwrap();
        let x = sim.positions();
        let mut sum = vec![Vector3::zeros(); x.len()];
        let edges: Vec<[u32; 2]> = mesh.edges();
        let lengths: Vec<_> = edges
            .iter()
            .map(|[a, b]| Distance { rest: (rest[*a as usize] - rest[*b as usize]).norm() })
            .collect();
        add_impulses(&edges, &lengths, &sim.multipliers("edges").unwrap(), &x, &mut sum);
        let volumes: Vec<_> =
            mesh.tets().iter().map(|t| TetVolume::at_rest(&t.map(|v| rest[v as usize]))).collect();
        add_impulses(mesh.tets(), &volumes, &sim.multipliers("volumes").unwrap(), &x, &mut sum);
        let gravity = Vector3::new(0.0, -9.81, 0.0);
        let residuals: Vec<f64> = (0..x.len())
            .map(|i| {
                if w[i] == 0.0 {
                    0.0
                } else {
                    (x[i] - before[i] - (speed[i] + gravity * H) * H - sum[i] * w[i]).norm()
                }
            })
            .collect();
        let motion = sim.report().motion.unwrap();
        let largest = residuals.iter().copied().fold(0.0, f64::max);
        let free = w.iter().filter(|&&w| w > 0.0).count() as f64;
        let rms = (residuals.iter().map(|r| r * r).sum::<f64>() / free).sqrt();
        assert!(
            largest > 1e-4,
            "{plan:?}: the block turns so much that there is something to see: {largest}"
        );
        assert!((motion.max.value - largest).abs() < 1e-12, "{plan:?}: {motion:?} {largest}");
        assert!((residuals[motion.max.at.unwrap()] - largest).abs() < 1e-12, "{plan:?}");
        assert!((motion.rms - rms).abs() < 1e-12, "{plan:?}: {motion:?} {rms}");
    }
}

#[test]
fn where_gradients_are_constant_the_equation_of_motion_holds() {
    // A chain that hangs straight: no gradient turns.
    let mut sim = chain(20, 1);
    for _ in 0..30 {
        sim.advance(H).unwrap();
    }
    assert!(sim.report().motion.unwrap().max.value < 1e-14);
}

/// Lanes against one constraint after the other.
#[test]
fn an_evaluation_in_lanes_finds_what_a_walk_over_the_constraints_finds() {
    fn compare<T: Float>(tolerance: f64) {
        for lanes in [Lanes::Auto, Lanes::Portable] {
            let mut assembly = block(Plan::Clustered, 3);
            assembly.settings(Settings { lanes, ..watched(3) });
            let mut sim: Simulation<T> = assembly.build().unwrap();
            for _ in 0..4 {
                sim.advance(H).unwrap();
            }
            let report = sim.report();
            for group in ["edges", "volumes"] {
                let (mut largest, mut at, mut squares, mut rows) = (0.0, None, 0.0, 0.0);
                assert!(sim.for_each_residual(group, |constraint, _, residuals| {
                    for r in residuals {
                        squares += r * r;
                        rows += 1.0;
                        if r.abs() > largest {
                            (largest, at) = (r.abs(), Some(constraint));
                        }
                    }
                }));
                let found = report.residual(group).unwrap();
                assert_eq!(found.max.value, largest, "{group}");
                assert_eq!(found.max.at, at, "{group}");
                let rms = f64::sqrt(squares / rows);
                assert!((found.rms - rms).abs() < tolerance * rms, "{group}: {} {rms}", found.rms);
            }
            let volumes = report.volumes.unwrap();
            assert_eq!(volumes.count(), 6 * 5 * 4 * 3);
            let (largest, all) = (report.volume.unwrap().max.value, volumes.quantile(1.0).unwrap());
            assert!(largest <= all && all < 1.13 * largest);
            assert_eq!(
                report.stretches.unwrap().count(),
                sim.multipliers("edges").unwrap().len() as u64 - dropped(&sim)
            );
        }
    }
    /// Edges between pinned particles are not in the plan.
    fn dropped<T: Float>(sim: &Simulation<T>) -> u64 {
        let plan = sim.plan();
        (plan[0].constraints - plan[0].active) as u64
    }
    compare::<f64>(1e-12);
    compare::<f32>(1e-5);
}

/// Energies and the bound on a step, with equal compliances and with different ones.
#[test]
fn lanes_find_the_energies_that_a_walk_over_the_constraints_finds() {
    let uniform = |_: usize| 2e-4;
    let varied = |edge: usize| if edge.is_multiple_of(2) { 1e-4 } else { 3e-5 };
    let of_edges: [&dyn Fn(usize) -> f64; 2] = [&uniform, &varied];
    for of_edge in of_edges {
        let build = |plan| -> Simulation<f64> { block_of(plan, 3, of_edge, 1e-9).build().unwrap() };
        let (mut packed, mut plain) = (build(Plan::Clustered), build(Plan::Sequential));
        for _ in 0..4 {
            packed.advance(H).unwrap();
        }
        plain.replay(&packed.record()).unwrap();
        let (packed, plain) = (packed.report(), plain.report());
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs() && b > 0.0;
        assert!(near(packed.energy.elastic, plain.energy.elastic), "{:?} {:?}", packed.energy, plain.energy);
        let (a, b) = (packed.step_error.unwrap(), plain.step_error.unwrap());
        assert!(near(a, b), "{a} {b}");
        assert_eq!(packed.stretches, plain.stretches);
        let (a, b) = (packed.stretch.unwrap(), plain.stretch.unwrap());
        assert_eq!((a.max, a.max_compression), (b.max, b.max_compression));
        assert_eq!(packed.volumes, plain.volumes);
    }
}

/// A mesh so large that edges are packed as sides of triangles and strains are counted in a sample.
#[test]
fn a_large_sheet_is_certified_as_one_edge_after_the_other() {
    let mesh = TriMesh::grid([205, 200], [2.05, 2.0]).unwrap();
    let build = |plan| -> Simulation<f64> {
        let body = Body::cloth(mesh.clone()).area_density(0.2).pin_vertices([0, 204]);
        let settings = Settings { plan, ..watched(6) };
        Simulation::builder().settings(settings).body(body).build_as().unwrap()
    };
    let (mut packed, mut plain) = (build(Plan::Clustered), build(Plan::Sequential));
    assert!(packed.plan()[0].layout.triangle_packs > 1000);
    for _ in 0..3 {
        packed.advance(1.0 / 60.0).unwrap();
    }
    plain.replay(&packed.record()).unwrap();
    let (packed, plain) = (packed.report(), plain.report());
    let (a, b) = (packed.residual("edges").unwrap(), plain.residual("edges").unwrap());
    assert_eq!(a.max, b.max);
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-10 * b.abs() && b > 0.0;
    assert!(near(a.rms, b.rms), "{} {}", a.rms, b.rms);
    let (a, b) = (packed.motion.unwrap(), plain.motion.unwrap());
    assert!(near(a.max.value, b.max.value) && a.max.at == b.max.at, "{a:?} {b:?}");
    assert!(near(a.rms, b.rms), "{a:?} {b:?}");
    let (a, b) = (packed.stretch.unwrap(), plain.stretch.unwrap());
    assert_eq!((a.max, a.max_compression), (b.max, b.max_compression));
    assert!(near(a.mean, b.mean), "{a:?} {b:?}");
    let (sample, all) = (packed.stretches.unwrap(), plain.stretches.unwrap());
    let (counted, edges) = (sample.count() as f64, all.count() as f64);
    assert!((counted - edges).abs() < 0.02 * edges, "each strain counted stands for four: {counted} {edges}");
    for share in [0.25, 0.5, 0.9, 0.99] {
        let (sample, all) = (sample.quantile(share).unwrap(), all.quantile(share).unwrap());
        assert!((0.88..1.14).contains(&(sample / all)), "at most a class apart: {share}: {sample} {all}");
    }
}

#[test]
fn the_same_certificate_for_any_number_of_threads_and_lanes() {
    let run = |threads: usize, lanes: Lanes| -> (Vec<FrameReport>, String) {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            // Large enough that the work is divided among threads.
            // The block stands just above the floor.
            let mesh = TetMesh::block([18; 3], [1.0; 3], Split::Kuhn).unwrap();
            let body =
                Body::solid(mesh).stretch(Compliance::new(1e-6)).velocity(Vector3::new(0.3, -1.0, 0.0));
            let settings = Settings { lanes, ..watched(4) };
            let mut sim: Simulation = Simulation::builder()
                .settings(settings)
                .body(body)
                .obstacle(Obstacle::floor(-0.02).friction(0.4))
                .build()
                .unwrap();
            let mut certificate = Certificate::begin(&sim);
            let reports: Vec<_> = (0..3).map(|_| sim.step(H).unwrap()).collect();
            reports.iter().for_each(|report| drop(certificate.take(report)));
            (reports, certificate.to_string())
        })
    };
    let one = run(1, Lanes::Auto);
    assert!(one.0[2].contacts > 0 && one.0[2].motion.unwrap().rms > 0.0);
    for (threads, lanes) in [(2, Lanes::Auto), (5, Lanes::Auto), (3, Lanes::Portable)] {
        assert!(run(threads, lanes) == one, "{threads} threads, {lanes:?}");
    }
}

/// A chain of `n` links of 5 cm between nodes of 50 g, compliance 1e-4 m/N, hung from node 0.
fn chain(n: u32, substeps: u32) -> Simulation<f64> {
    let x = (0..=n).map(|i| Vector3::new(0.0, -0.05 * f64::from(i), 0.0)).collect();
    let w = (0..=n).map(|i| if i == 0 { 0.0 } else { 20.0 }).collect();
    let mut assembly = Assembly::new(x, w).unwrap();
    let links = (0..n).map(|i| [i, i + 1]).collect();
    assembly.add(
        Constraints::new("edges", links, vec![Distance { rest: 0.05 }; n as usize], vec![1e-4]).unwrap(),
    );
    // Drag brings it to rest and does not move a chain at rest.
    assembly.settings(Settings { drag: 6.0, ..watched(substeps) });
    assembly.build().unwrap()
}

/// Errors of the nodes of a chain that has come to rest: link i bears the nodes below it.
fn chain_errors(sim: &Simulation<f64>, n: u32) -> Vec<f64> {
    let mut exact = 0.0;
    sim.positions()
        .iter()
        .zip(0..)
        .map(|(x, i)| {
            if i > 0 {
                exact -= 0.05 + 1e-4 * 9.81 * 0.05 * f64::from(n - i + 1);
            }
            (x.y - exact).abs()
        })
        .collect()
}

#[test]
fn the_error_of_a_hanging_chain_is_at_most_the_sum_of_its_residuals() {
    let mut before = f64::INFINITY;
    for substeps in [1, 2, 4, 8, 16] {
        let mut sim = chain(20, substeps);
        let mut report = None;
        for _ in 0..600 {
            report = Some(sim.step(H).unwrap());
        }
        assert!(report.unwrap().energy.kinetic < 1e-16, "{substeps}: it is at rest");
        let (errors, bounds) = (chain_errors(&sim, 20), sim.reach_errors("edges").unwrap());
        for (i, (error, bound)) in errors.iter().zip(&bounds).enumerate() {
            assert!(*error <= bound + 1e-9, "{substeps} substeps, node {i}: {error} > {bound}");
        }
        // The bound is nearly reached, because all residuals of a chain have the same sign.
        let (error, bound) = (errors[20], bounds[20]);
        assert!(*errors.last().unwrap() > 0.5 * bound || error < 1e-9, "{substeps}: {error} {bound}");
        assert!(error < before, "{substeps}: more substeps, less error");
        before = error;
    }
}

#[test]
fn a_required_residual_gives_the_error_that_it_promises() {
    for bound in [1e-3, 1e-4, 1e-5] {
        let required: Requirement = format!("residual.edges<={bound}").parse().unwrap();
        // The least number of substeps that keeps the bound at rest.
        let met = (1..200).find_map(|substeps| {
            let mut sim = chain(20, substeps);
            for _ in 0..599 {
                sim.advance(H).unwrap();
            }
            let mut certificate = Certificate::begin(&sim).with_requirements([required.clone()]).unwrap();
            certificate.take(&sim.step(H).unwrap());
            certificate.is_met().then_some(sim)
        });
        let sim = met.expect("some number of substeps is enough");
        let worst = chain_errors(&sim, 20).into_iter().fold(0.0, f64::max);
        assert!(worst <= 20.0 * bound, "{bound}: {worst}");
    }
}

#[test]
fn the_bound_on_a_step_holds() {
    let sheet = || {
        let mesh = TriMesh::grid([8, 8], [0.7, 0.7]).unwrap();
        let body = Body::cloth(mesh)
            .area_density(0.3)
            .stretch(Compliance::new(2e-3))
            .bend(Compliance::new(1e-1))
            .pin_vertices([0, 7]);
        let settings = Settings { plan: Plan::Sequential, ..watched(1) };
        Simulation::builder().settings(settings).body(body)
    };
    for iterations in [1, 2, 5] {
        let (mut rough, mut exact) = {
            let settings = Settings { plan: Plan::Sequential, iterations, ..watched(1) };
            (sheet().settings(settings).build_as::<f64>().unwrap(), {
                let settings = Settings { plan: Plan::Sequential, iterations: 3000, ..watched(1) };
                sheet().settings(settings).build_as::<f64>().unwrap()
            })
        };
        let masses: Vec<f64> =
            rough.inverse_masses().iter().map(|&w| if w > 0.0 { 1.0 / w } else { 0.0 }).collect();
        let total: f64 = masses.iter().sum();
        for _ in 0..12 {
            exact.restore(&rough.snapshot());
            let bound = rough.step(H).unwrap().step_error.expect("every constraint is compliant");
            exact.advance(H).unwrap();
            let (a, b) = (rough.positions(), exact.positions());
            let squares: f64 =
                a.iter().zip(&b).zip(&masses).map(|((a, b), m)| m * (a - b).norm_squared()).sum();
            let error = (squares / total).sqrt();
            assert!(error <= 1.05 * bound, "{iterations} iterations: {error} > {bound}");
            assert!(error > 1e-3 * bound, "{iterations} iterations: {error} is nothing beside {bound}");
        }
    }
    // With one rigid constraint there is no bound.
    let body = Body::cloth(TriMesh::grid([4, 4], [1.0; 2]).unwrap()).pin_vertices([0]);
    let mut rigid: Simulation = Simulation::builder().settings(watched(4)).body(body).build().unwrap();
    assert_eq!(rigid.step(H).unwrap().step_error, None);
}

/// One particle of 2 kg above a floor.
fn marble(velocity: [f64; 3], height: f64, floor: Obstacle, substeps: u32) -> Simulation<f64> {
    let mut assembly = Assembly::new(vec![Vector3::new(0.0, height, 0.0)], vec![0.5]).unwrap();
    assembly.velocities(vec![velocity.into()]).unwrap();
    assembly.obstacle(floor);
    assembly.settings(watched(substeps));
    assembly.build().unwrap()
}

#[test]
fn contacts_do_the_work_that_energy_misses() {
    // It falls 1.25 m, and the floor takes all of its energy.
    let mut sim = marble([0.0; 3], 1.25, Obstacle::floor(0.0), 40);
    let mut certificate = Certificate::begin(&sim);
    let (mut work, mut loss) = (0.0, 0.0);
    for _ in 0..60 {
        let frame = certificate.take(&sim.step(H).unwrap());
        work += frame.get("work.contacts").unwrap().value;
        loss += frame.get("energy.loss").unwrap().value;
    }
    let fallen = 2.0 * 9.81 * 1.25;
    assert!((work + fallen).abs() < 0.01 * fallen, "{work} {fallen}");
    assert!(loss.abs() < 0.01 * fallen, "the scheme itself loses little: {loss}");

    // It slides to rest: friction does the work.
    let mut sim = marble([1.5, 0.0, 0.0], 0.0, Obstacle::floor(0.0).friction(0.5), 40);
    let mut certificate = Certificate::begin(&sim);
    let work: f64 =
        (0..60).map(|_| certificate.take(&sim.step(H).unwrap()).get("work.contacts").unwrap().value).sum();
    assert!((work + 0.5 * 2.0 * 1.5 * 1.5).abs() < 0.02, "{work}");
    assert!(sim.report().energy.kinetic < 1e-12);

    // It bounces: the returned energy is work too.
    let mut sim = marble([0.0; 3], 0.5, Obstacle::floor(0.0).restitution(0.8), 60);
    let mut certificate = Certificate::begin(&sim);
    let (mut work, mut loss) = (0.0, 0.0);
    for _ in 0..30 {
        let frame = certificate.take(&sim.step(H).unwrap());
        work += frame.get("work.contacts").unwrap().value;
        loss += frame.get("energy.loss").unwrap().value;
    }
    let fallen = 2.0 * 9.81 * 0.5;
    assert!((work + (1.0 - 0.64) * fallen).abs() < 0.02 * fallen, "{work} {fallen}");
    assert!(loss.abs() < 0.02 * fallen, "{loss}");
}

#[test]
fn drift_is_told_of_free_bodies_only() {
    let spinning = |substeps: u32| {
        let mesh = TetMesh::ball(0.3, 3).unwrap();
        let x = mesh.positions().to_vec();
        let mut assembly = Assembly::new(x.clone(), vec![5.0; x.len()]).unwrap();
        assembly
            .velocities(
                x.iter().map(|x| Vector3::new(2.0 * x.z - 3.0 * x.y + 0.5, 3.0 * x.x, -2.0 * x.x)).collect(),
            )
            .unwrap();
        let edges: Vec<[u32; 2]> = mesh.edges();
        let kinds =
            edges.iter().map(|[a, b]| Distance { rest: (x[*a as usize] - x[*b as usize]).norm() }).collect();
        assembly.add(Constraints::new("edges", edges, kinds, vec![1e-6]).unwrap());
        assembly.settings(watched(substeps));
        let mut sim: Simulation<f64> = assembly.build().unwrap();
        let mut certificate = Certificate::begin(&sim);
        for _ in 0..30 {
            certificate.take(&sim.step(H).unwrap());
        }
        let worst = |name: &str| certificate.worst(name).unwrap().value;
        (worst("drift.linear"), worst("drift.angular"))
    };
    let [(linear, coarse), (_, fine)] = [spinning(10), spinning(20)];
    assert!(linear < 1e-9, "{linear}");
    let slope = (coarse / fine).log2();
    assert!((slope - 1.0).abs() < 0.2, "angular momentum drifts to first order: {coarse} {fine}");

    let cloth = || Body::cloth(TriMesh::grid([5, 5], [1.0; 2]).unwrap());
    let scene = |body: Body| Simulation::builder().settings(watched(5)).body(body).build_as::<f64>().unwrap();
    let free = |sim: &Simulation<f64>| sim.report().bodies[0].free;
    assert!(free(&scene(cloth())));
    assert!(!free(&scene(cloth().pin_vertices([3]))), "a pin holds it");
    assert!(!free(&scene(cloth().pin_with(Pin::vertices([3]).compliance(1e-3)))), "a target draws it");
    let mut falling = Simulation::builder()
        .settings(watched(5))
        .body(cloth())
        .obstacle(Obstacle::floor(-0.2))
        .build_as::<f64>()
        .unwrap();
    assert!(free(&falling));
    for _ in 0..30 {
        falling.advance(H).unwrap();
    }
    assert!(!free(&falling), "it has touched the floor");
}

#[test]
fn a_state_can_be_come_back_to() {
    let build = || {
        let mesh = TriMesh::grid([9, 9], [0.8, 0.8]).unwrap();
        let swing = Motion::linear(Vector3::new(0.5, 0.0, 0.0));
        let body = Body::cloth(mesh)
            .stretch(Compliance::new(1e-5))
            .pin_with(Pin::vertices([0]).release_at(0.05))
            .pin_with(Pin::vertices([8]).motion(swing.clone()))
            .pin_with(Pin::vertices([40]).compliance(1e-3).motion(swing).release_at(0.08))
            .tethers(0.01);
        let ball = Obstacle::sphere(Vector3::new(0.4, -0.3, 0.4), 0.25)
            .motion(Motion::linear(Vector3::new(0.0, 1.0, 0.0)))
            .friction(0.3);
        Simulation::builder().settings(watched(6)).body(body).obstacle(ball).build_as::<f32>().unwrap()
    };
    let mut sim = build();
    for frame in 0..9 {
        let before = sim.snapshot();
        let once = sim.step(H).unwrap();
        // Other substeps in between leave no trace.
        sim.restore(&before);
        sim.set_substeps(17);
        sim.advance(H).unwrap();
        sim.advance(H).unwrap();
        sim.restore(&before);
        sim.set_substeps(6);
        let mut again = sim.step(H).unwrap();
        again.pin_version = once.pin_version;
        assert!(once == again, "frame {frame}");
    }
    let mut straight = build();
    (0..9).for_each(|_| straight.advance(H).unwrap());
    assert_eq!(straight.state_hash(), sim.state_hash());
}

#[test]
fn requirements_name_what_there_is_and_where_they_fail() {
    let body = || {
        Body::cloth(TriMesh::grid([6, 6], [0.5; 2]).unwrap())
            .stretch(Compliance::new(1e-3))
            .bend(Compliance::RIGID)
            .pin_vertices([0, 5])
    };
    let mut sim: Simulation = Simulation::builder().settings(watched(4)).body(body()).build().unwrap();
    let certificate = || Certificate::begin(&sim);
    let unknown =
        certificate().with_requirements(["residual.edge<=1".parse().unwrap()]).unwrap_err().to_string();
    assert!(unknown.contains("`residual.edge`") && unknown.contains("residual.edges, "), "{unknown}");
    let bounds = ["stretch.max<=0.001", "residual.edges<=1", "energy.kinetic>=0", "error.step<=1"];
    let mut certificate = certificate().with_requirements(bounds.map(|b| b.parse().unwrap())).unwrap();
    for _ in 0..5 {
        certificate.take(&sim.step(H).unwrap());
    }
    let [stretch, residual, energy, error] = certificate.verdicts() else { panic!("four were required") };
    assert!(stretch.unmet > 0 && residual.is_met() && energy.is_met() && !certificate.is_met());
    let worst = stretch.worst.as_ref().unwrap();
    assert!(worst.value > 0.001 && worst.at.is_some() && worst.frame >= 1);
    // Bending is rigid, so the measure is not known, and the requirement is not met.
    assert!(!error.is_met() && error.first_unknown == Some(1) && error.worst.is_none());
    for bad in ["", "stretch.max", "stretch.max<0.1", "<=3", "stretch.max<=", "stretch.max<=a", "x<=nan"] {
        assert!(bad.parse::<Requirement>().is_err(), "{bad}");
    }
}

#[test]
fn predictions_are_kept_apart_where_previous_positions_are_needed() {
    // Two independent rods; the damping of the second does not affect the measures of the first.
    let run = |relaxation: f64| {
        let x: Vec<Vector3<f64>> = (0..4).map(|i| Vector3::new(0.3 * f64::from(i), 0.0, 0.0)).collect();
        let mut assembly = Assembly::new(x, vec![0.0, 1.0, 0.0, 1.0]).unwrap();
        let rod = |name: &str, ends: [u32; 2]| {
            Constraints::new(name, vec![ends], vec![Distance { rest: 0.3 }], vec![1e-4]).unwrap()
        };
        assembly.add(rod("first", [0, 1]));
        assembly.add(rod("second", [2, 3]).with_damping(relaxation).unwrap());
        assembly.settings(Settings { gravity: Vector3::x() * 9.81, ..watched(3) });
        let mut sim: Simulation<f64> = assembly.build().unwrap();
        let reports: Vec<FrameReport> = (0..5).map(|_| sim.step(H).unwrap()).collect();
        (sim.record(), reports[4].clone(), sim)
    };
    let (free, _, _) = run(0.0);
    let (damped, report, sim) = run(0.1);
    assert_eq!(free.positions[1], damped.positions[1]);
    assert_ne!(free.positions[3], damped.positions[3]);
    assert_eq!(free.predicted[..2], damped.predicted[..2], "kept in one place or in another");
    assert!(damped.previous[1] != damped.predicted[1], "damping needs both");
    assert!(report.residual("second").unwrap().max.value < 1e-9, "{report}");
    // A restored state reports the same.
    let bytes = sim.snapshot().to_bytes();
    assert!(Snapshot::from_bytes(&bytes, &sim).is_ok());
}
