//! Materials: no stress at rest, momentum, stiffness that does not depend on the mesh, parameters and their errors.

use nalgebra::Vector3;
use pliant_constraints::{Distance, Orthotropic};
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Assembly, Body, Constraints, Continuum, Factors, Membrane, Moduli, Pressure, Role, Settings, ShapeMatch,
    Simulation,
};

use crate::{FRAME, Numbers, apart, run, standing};

fn block() -> TetMesh {
    TetMesh::block([2, 3, 2], [0.2, 0.3, 0.2], Split::Kuhn).unwrap()
}

fn sheet() -> TriMesh {
    standing([5, 5], [0.4, 0.4])
}

/// A body of every material.
fn bodies() -> Vec<(&'static str, Body)> {
    let ball = TriMesh::icosphere(0.2, 3).unwrap();
    let twill = Orthotropic { warp: 2e6, weft: 1e6, poisson: 0.2, shear: 1e5 };
    let cloth = || Body::cloth(sheet());
    let solid = || Body::solid(block());
    vec![
        ("edges", cloth().stretch(1e-4).bend(1e-2)),
        ("membrane", cloth().membrane(Membrane::isotropic(1e5, 0.3, 1e-3)).bend_isometric(1e-3)),
        ("twill", cloth().membrane(Membrane::orthotropic(twill, Vector3::new(1.0, 1.0, 0.0), 1e-3))),
        ("limited", cloth().stretch(1e-3).limit_edges(0.1, 0.1).limit_stretch(0.1, 0.1)),
        ("tethered", cloth().stretch(1e-3).tethers(0.0).pin_vertices([0, 4])),
        ("springs", solid().stretch(1e-4).volume(1e-9)),
        ("neo-Hookean", solid().continuum(Continuum::neo_hookean(1e5, 0.4))),
        ("StVK", solid().continuum(Continuum::stvk(1e5, 0.3))),
        ("damped", solid().continuum(Continuum::neo_hookean(1e5, 0.4)).damp(Role::Solids, 0.01)),
        ("filled", Body::cloth(ball).stretch(1e-4).pressure(Pressure::factor(1.0).compliance(1e-9))),
        ("shape", cloth().stretch(1e-2).keep_shape(ShapeMatch::all(1e-3)).damp(Role::Shapes, 0.01)),
    ]
}

#[test]
fn at_rest_nothing_moves_and_no_energy_is_stored() {
    for (name, body) in bodies() {
        let mut sim = Simulation::builder().gravity([0.0; 3]).body(body).build_as::<f64>().unwrap();
        let (start, energy) = (sim.positions(), sim.report().energy.elastic);
        assert!(energy.abs() < 1e-11, "{name}: {energy:e} J");
        run(&mut sim, 5);
        let far = apart(&start, &sim.positions());
        assert!(far < 1e-12, "{name}: {far:e} m");
        let energy = sim.report().energy.elastic;
        assert!(energy.abs() < 1e-11, "{name}: {energy:e} J");
    }
}

#[test]
fn free_bodies_of_every_material_keep_their_momentum() {
    for (name, body) in bodies().into_iter().filter(|(name, _)| *name != "tethered") {
        let start = |x: &Vector3<f64>, r: &mut Numbers| x * 1.05 + (r.vector() - Vector3::repeat(0.5)) * 0.02;
        let mut random = Numbers(7);
        let mesh = if ["springs", "neo-Hookean", "StVK", "damped"].contains(&name) {
            block().positions().to_vec()
        } else if name == "filled" {
            TriMesh::icosphere(0.2, 3).unwrap().positions().to_vec()
        } else {
            sheet().positions().to_vec()
        };
        let body = body
            .start(mesh.iter().map(|x| start(x, &mut random)).collect())
            .velocity(Vector3::new(0.3, -0.2, 0.1));
        let mut sim = Simulation::builder().gravity([0.0; 3]).body(body).build_as::<f64>().unwrap();
        let before = sim.report();
        run(&mut sim, 10);
        let after = sim.report();
        let lost = (before.linear_momentum - after.linear_momentum).norm();
        assert!(lost < 1e-12 * before.linear_momentum.norm().max(1.0), "{name}: {lost:e}");
        assert!(after.energy.elastic >= -1e-11, "{name}: {}", after.energy.elastic);
        assert!(after.energy.total() < before.energy.total() * (1.0 + 1e-9), "{name} gains energy");
    }
}

/// How far the lowest vertices of a hanging body have sunk on the mean, m.
fn sag(body: Body, start: &[Vector3<f64>], substeps: u32) -> f64 {
    let low = start.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let high = start.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
    let builder = Simulation::builder().gravity([0.0, -10.0, 0.0]).substeps(substeps).drag(20.0);
    let mut sim = builder.body(body.pin(move |x| x.y > high - 1e-9)).build_as::<f64>().unwrap();
    run(&mut sim, 60);
    assert!(sim.report().energy.kinetic < 1e-6, "at rest");
    let lowest: Vec<usize> = (0..start.len()).filter(|&i| start[i].y < low + 1e-9).collect();
    let x = sim.positions();
    lowest.iter().map(|&i| start[i].y - x[i].y).sum::<f64>() / lowest.len() as f64
}

#[test]
fn finer_meshes_are_as_stiff() {
    // A rod or strip under its own weight grows by ρ g H²/(2E).
    let expected = 1000.0 * 10.0 * 0.25 / (2.0 * 5e5);
    for n in [1, 2] {
        let mesh = TetMesh::block([n, 5 * n, n], [0.1, 0.5, 0.1], Split::Kuhn).unwrap();
        let start = mesh.positions().to_vec();
        let found = sag(Body::solid(mesh).continuum(Continuum::neo_hookean(5e5, 0.0)), &start, 20 * n as u32);
        assert!((found / expected - 1.0).abs() < 0.05, "solid, {n}: {found} and {expected}");
    }
    for n in [1, 2] {
        let mesh = standing([2 * n + 1, 10 * n + 1], [0.1, 0.5]);
        let start = mesh.positions().to_vec();
        let body = Body::cloth(mesh).area_density(1.0).membrane(Membrane::isotropic(5e5, 0.0, 1e-3));
        let found = sag(body, &start, 60 * n as u32);
        assert!((found / expected - 1.0).abs() < 0.05, "sheet, {n}: {found} and {expected}");
    }
}

#[test]
fn a_bent_sheet_of_any_mesh_stores_the_same_energy() {
    // Bent to a cylinder of curvature c a sheet stores ½·3k·c² per area; the rim, where hinges are missing, matters less the finer the mesh is.
    let (modulus, curvature, width) = (1e-2, 2.0, 0.4);
    let expected = 0.5 * 3.0 * modulus * curvature * curvature * width * width;
    for (n, allowed) in [(10, 0.2), (20, 0.1), (40, 0.05)] {
        let flat = standing([n + 1, n + 1], [width, width]);
        let bend = |x: &Vector3<f64>| {
            let (sin, cos) = (curvature * x.x).sin_cos();
            Vector3::new(sin / curvature, x.y, (1.0 - cos) / curvature)
        };
        let bent = flat.positions().iter().map(bend).collect();
        let sim = Simulation::builder().body(Body::cloth(flat).bend_isometric(modulus).start(bent));
        let found = sim.build_as::<f64>().unwrap().report().energy.elastic;
        assert!((found / expected - 1.0).abs() < allowed, "{n}: {found} J and {expected} J");
    }
}

#[test]
fn factors_scale_the_moduli_of_their_elements() {
    let hash = |body: Body| {
        let mut sim = Simulation::builder().body(body.pin(|x| x.x < 1e-9)).build_as::<f64>().unwrap();
        run(&mut sim, 5);
        sim.state_hash()
    };
    let solid = |young| Body::solid(block()).continuum(Continuum::neo_hookean(young, 0.4));
    let stiff = hash(solid(2e5));
    let tets = block().tets().len();
    // Doubling is exact.
    assert_eq!(hash(solid(1e5).vary(Role::Solids, Factors::by_place(|_| 2.0))), stiff);
    assert_eq!(hash(solid(1e5).vary(Role::Solids, vec![2.0; tets])), stiff);
    let each = Continuum::neo_hookean_with(vec![Moduli::young(2e5, 0.4); tets]);
    assert_eq!(hash(Body::solid(block()).continuum(each)), stiff);
    let half = Factors::by_place(|x| if x.y < 0.15 { 2.0 } else { 1.0 });
    let mixed = hash(solid(1e5).vary(Role::Solids, half));
    assert!(mixed != stiff && mixed != hash(solid(1e5)));
}

#[test]
fn what_makes_no_sense_is_told() {
    let says = |body: Body, words: &[&str]| {
        let error = Simulation::builder().body(body.name("it")).build().err().unwrap().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    };
    let (cloth, solid) = (|| Body::cloth(sheet()), || Body::solid(block()));
    says(solid().continuum(Continuum::neo_hookean(1e5, 0.5)), &["it", "tetrahedron 0", "0.5"]);
    says(solid().continuum(Continuum::stvk(-1.0, 0.3)), &["Young's modulus", "-1"]);
    says(solid().continuum(Continuum::stvk_with(vec![])), &["0 moduli", "tetrahedra"]);
    says(solid().membrane(Membrane::isotropic(1e5, 0.3, 1e-3)), &["membrane", "solid"]);
    says(cloth().continuum(Continuum::stvk(1e5, 0.3)), &["continuum", "cloth"]);
    says(cloth().membrane(Membrane::isotropic(1e5, 0.3, 0.0)), &["thickness"]);
    says(cloth().bend_isometric(0.0), &["bending", "stiffness"]);
    says(cloth().vary(Role::Edges, vec![1.0; 3]), &["3 factors"]);
    says(cloth().stretch(1e-3).vary(Role::Edges, Factors::by_place(|_| 0.0)), &["element 0", "positive"]);
    says(cloth().damp(Role::Edges, -1.0), &["relaxation time"]);
    says(cloth().pressure(Pressure::factor(1.0)), &["pressure", "not closed"]);
    says(cloth().tethers(-0.5), &["slack"]);
    says(cloth().limit_edges(-0.1, 0.1), &["strain limit"]);
    says(solid().limit_stretch(0.1, 0.1), &["strain limit", "cloth only"]);
    says(cloth().keep_shape(ShapeMatch::of([0, 99], 0.0)), &["vertex 99"]);
    says(cloth().start(vec![Vector3::zeros()]), &["start", "1 positions"]);
}

#[test]
fn a_damped_spring_follows_the_closed_form() {
    let (mass, stiffness, relaxation, start) = (1.0_f64, 100.0_f64, 0.02_f64, 0.1_f64);
    let rate = stiffness * relaxation / (2.0 * mass);
    let turn = (stiffness / mass - rate * rate).sqrt();
    let closed = |t: f64| start * (-rate * t).exp() * ((turn * t).cos() + rate / turn * (turn * t).sin());
    let error = |substeps: u32| {
        let mut a =
            Assembly::new(vec![Vector3::zeros(), Vector3::x() * (1.0 + start)], vec![0.0, 1.0 / mass])
                .unwrap();
        let spring =
            Constraints::new("spring", vec![[0, 1]], vec![Distance { rest: 1.0 }], vec![1.0 / stiffness])
                .unwrap();
        a.add(spring.with_damping(relaxation).unwrap());
        a.settings(Settings { substeps, gravity: Vector3::zeros(), ..Settings::default() });
        let mut sim = a.build::<f64>().unwrap();
        let mut worst = 0.0_f64;
        for frame in 1..=60 {
            sim.advance(FRAME).unwrap();
            let t = f64::from(frame) * FRAME;
            worst = worst.max((sim.positions()[1].x - 1.0 - closed(t)).abs());
        }
        worst
    };
    let (coarse, fine) = (error(40), error(80));
    assert!(fine < 0.01 * start, "{fine:e}");
    assert!((coarse / fine - 2.0).abs() < 0.2, "first order in h: {coarse:e}, {fine:e}");
}
