//! The scenes of *phys-sim-book* with its own choices, number for number.

use nalgebra::Vector3;
use pliant_constraints::book::BookDistance;
use pliant_constraints::{Distance, TetVolume};
use pliant_mesh::{TetMesh, TriMesh};
use pliant_solver::book::{Book, Multiplier, PredictionBounds};
use pliant_solver::{Assembly, Body, Compliance, Constraints, Masses, Settings, Simulation};

/// The book's grid of 20 × 15 vertices, pinned along the top.
fn grid() -> Body {
    let mut x = Vec::new();
    for row in 0..15 {
        for column in 0..20 {
            x.push(Vector3::new(-0.95 + 0.1 * f64::from(column), 0.5 + 0.1 * f64::from(row), 0.0));
        }
    }
    let mut triangles = Vec::new();
    for row in 0..14 {
        for column in 0..19 {
            let p0 = row * 20 + column;
            let (p1, p2, p3) = (p0 + 1, p0 + 20, p0 + 21);
            triangles.extend([[p0, p1, p2], [p1, p3, p2]]);
        }
    }
    let top = x.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
    let mesh = TriMesh::new(x, triangles).unwrap();
    assert_eq!(mesh.edges().len(), 831);
    assert_eq!(mesh.hinges().opposite_pairs().len(), 765);
    Body::cloth(mesh)
        .stretch(Compliance::RIGID)
        .bend_by_distance(Compliance::new(1.0))
        .pin(move |x| x.y >= top - 1e-6)
}

fn run(sim: &mut Simulation<f64>, frames: u32) {
    for _ in 0..frames {
        sim.advance(1.0 / 60.0).unwrap();
    }
}

fn mean_y(sim: &Simulation<f64>) -> f64 {
    let x = sim.positions();
    x.iter().map(|x| x.y).sum::<f64>() / x.len() as f64
}

fn near(found: f64, expected: f64, digits: i32) {
    let half = 0.501 * 10.0_f64.powi(-digits);
    assert!((found - expected).abs() <= half, "{found} is not {expected} to {digits} digits");
}

#[test]
fn grid_cloth_with_the_books_choices() {
    let mut sim = Simulation::builder().book(Book::Cloth).body(grid()).build_as::<f64>().unwrap();
    run(&mut sim, 1);
    let v0 = sim.positions()[0];
    near(v0.x, -0.950_000_08, 8);
    near(v0.y, 0.498_557_18, 8);
    near(mean_y(&sim), 1.199_252_858, 9);
    run(&mut sim, 59);
    let v0 = sim.positions()[0];
    near(v0.x, -0.951_774_96, 8);
    near(v0.y, 0.498_565_69, 8);
    near(mean_y(&sim), 1.199_165_664, 9);
    near(sim.report().stretch.unwrap().max.value, 2.000e-3, 6);
}

#[test]
fn grid_cloth_with_ten_iterations() {
    for (multiplier, expected) in
        [(Multiplier::Accumulated, 1.199_923_610), (Multiplier::Forgotten, 1.199_924_321)]
    {
        let settings = Settings { iterations: 10, multiplier, ..Settings::book_cloth() };
        let mut sim = Simulation::builder()
            .book(Book::Cloth)
            .settings(settings)
            .body(grid())
            .build_as::<f64>()
            .unwrap();
        run(&mut sim, 60);
        near(mean_y(&sim), expected, 9);
    }
}

#[test]
fn grid_cloth_with_lumped_masses() {
    let body = grid().masses(Masses::Lumped).area_density(1.0);
    let mut sim =
        Simulation::builder().settings(Settings::book_cloth()).body(body).build_as::<f64>().unwrap();
    run(&mut sim, 60);
    near(mean_y(&sim), 1.199_314_073, 9);
    near(sim.report().stretch.unwrap().max.value, 2.343e-3, 6);
}

#[test]
fn the_cube_of_five_tetrahedra() {
    let corner = |k: usize| [(0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5)][k % 4];
    let x: Vec<_> =
        (0..8).map(|k| Vector3::new(corner(k).0, corner(k).1 + 1.0, if k < 4 { 0.0 } else { 0.5 })).collect();
    let tets = vec![[0, 1, 3, 4], [1, 2, 3, 6], [1, 4, 5, 6], [3, 4, 6, 7], [1, 3, 4, 6]];
    let mesh = TetMesh::new(x.clone(), tets).unwrap();
    // The book lists these edges in lexicographic order, which is not the order of first occurrence.
    let mut edges = mesh.edges();
    assert_eq!(edges.len(), 18);
    edges.sort_unstable();
    let length = |[a, b]: &[u32; 2]| Distance::at_rest(&[x[*a as usize], x[*b as usize]]).rest;
    let lengths = edges.iter().map(|e| BookDistance { rest: length(e) }).collect();
    let volumes = (0..5).map(|t| TetVolume { rest: mesh.tet_volume(t) }).collect();

    let mut a = Assembly::new(x.clone(), pliant_mesh::book::sum_of_inverse_tet_masses(&mesh)).unwrap();
    a.add(Constraints::new("edges", edges, lengths, vec![0.0]).unwrap());
    a.add(Constraints::new("volumes", mesh.tets().to_vec(), volumes, vec![0.0]).unwrap());
    let settings = Settings::book_solid();
    assert!(matches!(settings.prediction_bounds, PredictionBounds::Box { .. }));
    assert_eq!((settings.substeps, settings.iterations), (10, 5));
    a.settings(settings);
    let mut sim = a.build::<f64>().unwrap();
    run(&mut sim, 20);
    near(mean_y(&sim), 0.702_833_33, 8);
    run(&mut sim, 40);
    let p0 = sim.positions()[0];
    near(p0.x, -6.642_76e-4, 9);
    near(p0.y, -3.859e-5, 8);
    near(p0.z, 6.921_04e-4, 9);
    near(mean_y(&sim), 0.249_971_22, 8);
    near(mesh.with_positions(sim.positions()).unwrap().volume(), 0.124_998_561, 9);
}

#[test]
fn the_preset_is_never_the_default() {
    let settings = Settings::default();
    assert_eq!(settings.multiplier, Multiplier::Accumulated);
    assert_eq!(settings.prediction_bounds, PredictionBounds::None);
    let lumped = Simulation::builder().body(grid().area_density(1.0)).build_as::<f64>().unwrap();
    let book = Simulation::builder().book(Book::Cloth).body(grid()).build_as::<f64>().unwrap();
    assert!(lumped.inverse_masses()[30] < 0.1 * book.inverse_masses()[30]);
}
