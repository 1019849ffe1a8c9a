//! Materials: no stress at rest, momentum, stiffness that does not depend on the mesh, parameters and their errors.

use nalgebra::Vector3;
use pliant_constraints::{Distance, Orthotropic};
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Assembly, Body, Category, Compliance, Constraints, Continuum, Factors, Membrane, Moduli, Plan, Pressure,
    Settings, ShapeMatch, Simulation, Stiffness,
};

use super::{FRAME, Numbers, apart, run, standing};

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
        ("edges", cloth().stretch(Compliance::new(1e-4)).bend(Compliance::new(1e-2))),
        (
            "membrane",
            cloth().membrane(Membrane::isotropic(1e5, 0.3, 1e-3)).bend_isometric(Stiffness::new(1e-3)),
        ),
        ("twill", cloth().membrane(Membrane::orthotropic(twill, Vector3::new(1.0, 1.0, 0.0), 1e-3))),
        ("limited", cloth().stretch(Compliance::new(1e-3)).limit_edges(0.1, 0.1).limit_stretch(0.1, 0.1)),
        ("tethered", cloth().stretch(Compliance::new(1e-3)).tethers(0.0).pin_vertices([0, 4])),
        ("springs", solid().stretch(Compliance::new(1e-4)).volume(Compliance::new(1e-9))),
        ("neo-Hookean", solid().continuum(Continuum::neo_hookean(1e5, 0.4).plain())),
        ("steady", solid().continuum(Continuum::neo_hookean(1e5, 0.4))),
        ("StVK", solid().continuum(Continuum::stvk(1e5, 0.3))),
        ("damped", solid().continuum(Continuum::neo_hookean(1e5, 0.4)).damp(Category::Solids, 0.01)),
        (
            "filled",
            Body::cloth(ball).stretch(Compliance::new(1e-4)).pressure(Pressure::factor(1.0).compliance(1e-9)),
        ),
        (
            "shape",
            cloth()
                .stretch(Compliance::new(1e-2))
                .keep_shape(ShapeMatch::all(Compliance::new(1e-3)))
                .damp(Category::Shapes, 0.01),
        ),
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
        let mesh = body_positions(name);
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

#[test]
fn free_bodies_of_every_material_keep_their_angular_momentum_to_first_order() {
    // The loss comes from the time integrator, not from the projections, so it is halved with the substep.
    for name in ["membrane", "springs", "neo-Hookean", "steady", "StVK", "shape"] {
        let loss = |substeps: u32| {
            let (_, body) = bodies().into_iter().find(|(n, _)| *n == name).unwrap();
            let rest = body_positions(name);
            let stretch = |x: &Vector3<f64>| Vector3::new(1.02 * x.x, 0.99 * x.y, x.z);
            let start: Vec<_> = rest.iter().map(stretch).collect();
            let mut sim = Simulation::builder()
                .gravity([0.0; 3])
                .plan(Plan::Sequential)
                .substeps(substeps)
                .body(body.spin(Vector3::new(1.0, 2.0, 4.0), Vector3::zeros()).start(start))
                .build_as::<f64>()
                .unwrap();
            let before = sim.report().angular_momentum;
            run(&mut sim, 10);
            (sim.report().angular_momentum - before).norm() / before.norm()
        };
        let losses = [40, 80, 160].map(loss);
        let slope = (losses[1] / losses[2]).log2();
        assert!((slope - 1.0).abs() < 0.1, "{name}: slope {slope} of {losses:?}");
        assert!(losses[0] < 1e-3, "{name}: {losses:?}");
    }
}

/// The rest positions of a body of [`bodies`].
fn body_positions(name: &str) -> Vec<Vector3<f64>> {
    match name {
        "springs" | "neo-Hookean" | "steady" | "StVK" | "damped" => block().positions().to_vec(),
        "filled" => TriMesh::icosphere(0.2, 3).unwrap().positions().to_vec(),
        _ => sheet().positions().to_vec(),
    }
}

/// A sheet of equilateral triangles with columns of vertices `height` apart: right triangles bend more easily
/// in one diagonal direction than in the other.
fn equilateral([columns, rows]: [usize; 2], height: f64) -> TriMesh {
    let side = height * 2.0 / 3.0_f64.sqrt();
    let at = move |i: usize, j: usize| {
        Vector3::new(i as f64 * height, 0.0, (j as f64 + 0.5 * (i % 2) as f64) * side)
    };
    let x = (0..columns).flat_map(|i| (0..rows).map(move |j| at(i, j))).collect();
    let mut triangles = Vec::new();
    for i in 0..columns - 1 {
        for j in 0..rows - 1 {
            let [a, b, c, d] =
                [(i, j), (i, j + 1), (i + 1, j), (i + 1, j + 1)].map(|(i, j)| (i * rows + j) as u32);
            triangles.extend(if i % 2 == 0 { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] });
        }
    }
    TriMesh::new(x, triangles).unwrap()
}

/// A sheet held at one side bends under its weight as a beam does: w = q L⁴/(8 D). It is wide and hard to
/// stretch, so that it cannot curve the other way or twist.
#[test]
fn a_clamped_sheet_hangs_as_beam_theory_says() {
    let (length, rigidity, density, gravity) = (0.2_f64, 1e-3_f64, 0.2_f64, 0.2_f64);
    let found = |cells: usize, isometric: bool| {
        let side = length / cells as f64;
        // Half a cell more than the length is free, because the first hinge bends over half of each of its sides.
        let sheet = equilateral([cells + 2, cells + 1], side);
        let near = sheet.positions().iter().map(|x| x.x).fold(f64::MAX, f64::min);
        let far = sheet.positions().iter().map(|x| x.x).fold(f64::MIN, f64::max);
        let rim: Vec<_> =
            (0..sheet.positions().len()).filter(|&v| sheet.positions()[v].x > far - 1e-9).collect();
        let held = move |x: &Vector3<f64>| x.x < near + side + 1e-9;
        let stiff = Membrane::isotropic(1e7, 0.0, 1e-3);
        let body = Body::cloth(sheet.clone()).area_density(density).membrane(stiff);
        let body = if isometric {
            body.bend_isometric(Stiffness::new(rigidity / 3.0))
        } else {
            let weight = |h: &[u32; 4]| {
                let [a, b, c, d] = h.map(|v| sheet.positions()[v as usize]);
                let e = b - a;
                2.0 * e.norm_squared() / (e.cross(&(c - a)).norm() + e.cross(&(d - a)).norm())
            };
            let weights: Vec<f64> = sheet.hinges().stencils().iter().map(weight).collect();
            body.bend(Stiffness::new(rigidity)).vary(Category::Bending, weights)
        };
        let substeps = 8 * (cells * cells) as u32;
        let builder = Simulation::builder().gravity([0.0, -gravity, 0.0]).substeps(substeps).drag(12.0);
        let mut sim = builder.body(body.pin(held)).build_as::<f64>().unwrap();
        run(&mut sim, 90);
        let x = sim.positions();
        -rim.iter().map(|&v| x[v].y).sum::<f64>() / rim.len() as f64
    };
    for isometric in [true, false] {
        let error = |cells: usize| {
            let free = length + 0.5 * length / cells as f64;
            found(cells, isometric) / (density * gravity * free.powi(4) / (8.0 * rigidity)) - 1.0
        };
        let errors = [4, 8].map(error);
        assert!(errors.iter().all(|e| e.abs() < 0.03), "isometric {isometric}: {errors:?}");
    }
}

#[test]
fn steady_material_is_the_same_where_substeps_are_enough_and_bounded_where_they_are_not() {
    let run_with = |young: f64, steady: bool, substeps: u32| {
        let rubber = Continuum::neo_hookean(young, 0.45);
        let rubber = if steady { rubber } else { rubber.plain() };
        let body = Body::solid(block()).continuum(rubber).pin(|x| x.x < 1e-9);
        let mut sim = Simulation::builder().substeps(substeps).body(body).build_as::<f64>().unwrap();
        let most = (0..30).map(|_| sim.step(FRAME).unwrap().energy.elastic).fold(0.0, f64::max);
        (sim.state_hash(), most)
    };
    assert_eq!(run_with(1e5, true, 40), run_with(1e5, false, 40));
    let (steady, plain) = (run_with(1e8, true, 10).1, run_with(1e8, false, 10).1);
    assert!(plain > 1e3 && steady < 0.01 * plain, "{steady} J and {plain} J");
}

/// How far the lowest vertices of a hanging body have sunk on average, m.
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
    // Bent to a cylinder of curvature c a sheet stores ½·3k·c² per area; the rim, where hinges are missing,
    // matters less the finer the mesh is.
    let (modulus, curvature, width) = (1e-2, 2.0, 0.4);
    let expected = 0.5 * 3.0 * modulus * curvature * curvature * width * width;
    for (n, allowed) in [(10, 0.2), (20, 0.1), (40, 0.05)] {
        let flat = standing([n + 1, n + 1], [width, width]);
        let bend = |x: &Vector3<f64>| {
            let (sin, cos) = (curvature * x.x).sin_cos();
            Vector3::new(sin / curvature, x.y, (1.0 - cos) / curvature)
        };
        let bent = flat.positions().iter().map(bend).collect();
        let sim =
            Simulation::builder().body(Body::cloth(flat).bend_isometric(Stiffness::new(modulus)).start(bent));
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
    assert_eq!(hash(solid(1e5).vary(Category::Solids, Factors::by_place(|_| 2.0))), stiff);
    assert_eq!(hash(solid(1e5).vary(Category::Solids, vec![2.0; tets])), stiff);
    let each = Continuum::neo_hookean_with(vec![Moduli::young(2e5, 0.4); tets]);
    assert_eq!(hash(Body::solid(block()).continuum(each)), stiff);
    let half = Factors::by_place(|x| if x.y < 0.15 { 2.0 } else { 1.0 });
    let mixed = hash(solid(1e5).vary(Category::Solids, half));
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
    says(solid().continuum(Continuum::stvk_with(vec![])), &["continuum", "0 moduli", "elements"]);
    says(solid().membrane(Membrane::isotropic(1e5, 0.3, 1e-3)), &["membrane", "solid"]);
    says(cloth().continuum(Continuum::stvk(1e5, 0.3)), &["continuum", "cloth"]);
    says(cloth().membrane(Membrane::isotropic(1e5, 0.3, 0.0)), &["thickness"]);
    says(cloth().bend_isometric(Stiffness::new(0.0)), &["bending", "stiffness"]);
    says(cloth().vary(Category::Edges, vec![1.0; 3]), &["3 factors"]);
    says(
        cloth().stretch(Compliance::new(1e-3)).vary(Category::Edges, Factors::by_place(|_| 0.0)),
        &["element 0", "positive"],
    );
    says(cloth().damp(Category::Edges, -1.0), &["relaxation time"]);
    says(cloth().pressure(Pressure::factor(1.0)), &["pressure", "not closed"]);
    says(cloth().tethers(-0.5), &["slack"]);
    says(cloth().limit_edges(-0.1, 0.1), &["strain limit"]);
    says(solid().limit_stretch(0.1, 0.1), &["strain limit", "cloth only"]);
    says(cloth().keep_shape(ShapeMatch::of([0, 99], Compliance::RIGID)), &["vertex 99"]);
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
