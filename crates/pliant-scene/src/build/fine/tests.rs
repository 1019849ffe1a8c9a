use std::f64::consts::PI;

use super::*;
use crate::load::Scene;

/// Sheets bent round the z axis, one within the other.
fn nested(visuals: [&str; 2], heights: [f64; 2]) -> (crate::Built<f64>, Vec<Vector3<f64>>) {
    let body = |name: &str, visual: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nmesh = {{ grid = {{ vertices = [9, 5], size = [1, 1] }} }}\n\
             edges = \"rigid\"\narea_density = 0.1\ncontact_radius = 1e-4\ncollide = true\n{visual}\n"
        )
    };
    let scene = Scene::parse(&(body("a", visuals[0]) + &body("b", visuals[1])), ".").unwrap();
    let built = scene.build::<f64>().unwrap();
    let bend = |x: &Vector3<f64>, radius: f64| {
        let angle = PI * x.x;
        Vector3::new(radius * angle.sin(), radius * angle.cos(), x.z)
    };
    let x = built.bodies.iter().zip(heights).flat_map(|(body, height)| {
        body.mesh.positions().iter().map(move |x| bend(x, 0.3 + height)).collect::<Vec<_>>()
    });
    let x = x.collect();
    (built, x)
}

const SMOOTH_SHEET: &str = "visual = { sheet = { subdivide = 2, smooth = true } }";

#[test]
fn what_would_cross_is_drawn_in_its_triangles() {
    // The smooth surface of the outer sheet lies within its polygon by 2.5 % of the radius at its vertices, where those
    // of the inner one are.
    let (built, x) = nested([SMOOTH_SHEET, ""], [0.0, -0.004]);
    let meetings = built.fine.meetings.as_ref().unwrap();
    let bodies = || built.bodies.iter().map(|body| &x[body.particles.clone()]);
    let smooth: Vec<_> = built
        .bodies
        .iter()
        .zip(bodies())
        .flat_map(|(body, x)| match &body.visual {
            Some(visual) => visual.binding.apply(x),
            None => x.to_vec(),
        })
        .collect();
    let before = meetings.crossings(&smooth).unwrap().len();
    assert!(before > 0, "the smooth surfaces cross, or this proves nothing");
    let places = built.fine.place(&x);
    let of_simulated = coarse_crossings(&built, &x);
    assert_eq!(of_simulated, 0, "the triangles do not");
    assert_eq!(places.intersections, Some(0));
    assert!(places.flattened > 0 && places.flattened < smooth.len(), "{places:?}");
    assert_eq!(built.fine.place(&x), places);
}

fn coarse_crossings(built: &crate::Built<f64>, x: &[Vector3<f64>]) -> usize {
    let mut builder = Simulation::builder();
    for body in &built.bodies {
        let Mesh::Tri(mesh) = &body.mesh else { unreachable!() };
        let cloth = Body::cloth(mesh.clone()).name(body.name.clone()).stretch(Compliance::new(1.0));
        builder = builder.body(cloth.contact_radius(0.0).collide(pliant_solver::Collide::new()));
    }
    builder.meetings().unwrap().unwrap().crossings(x).unwrap().len()
}

#[test]
fn what_crosses_in_the_simulation_too_is_counted() {
    let (built, mut x) = nested([SMOOTH_SHEET; 2], [0.0, 0.1]);
    assert_eq!(built.fine.place(&x).intersections, Some(0));
    assert_eq!(built.fine.place(&x).flattened, 0);
    let middle = built.bodies[1].particles.start + 22;
    x[middle] *= 0.2;
    let places = built.fine.place(&x);
    assert!(places.intersections.unwrap() > 0);
    assert!(places.flattened > 0);
}

#[test]
fn bodies_without_fine_cloth_are_not_counted() {
    let (built, x) = nested([""; 2], [0.0, 0.1]);
    assert!(built.fine.is_empty() && !built.fine.is_counted());
    let places = built.fine.place(&x);
    assert_eq!((places.intersections, places.flattened), (None, 0));
    assert_eq!(places.surfaces, [None, None]);
}

#[test]
fn what_is_sewn_lies_beside_its_seam_and_does_not_count() {
    let panel = |name: &str, z: f64, n: u32| {
        format!(
            "[[body]]\nname = \"{name}\"\nmesh = {{ grid = {{ vertices = [5, {n}], size = [0.3, 0.3] }} }}\nrotate = [90, 0, 0]\n\
             translate = [0, 1, {z}]\nmaterial = \"cotton\"\ncollide = true\ncontact_radius = 1e-3\n{SMOOTH_SHEET}\n"
        )
    };
    let seam = |share: &str| format!("[[seam]]\nbodies = [\"front\", \"back\"]\n{share}");
    let pairs =
        "pairs = [[0, 0, 5, 0], [5, 0, 5, 0.75], [10, 5, 10, 0.5], [15, 10, 15, 0.25], [20, 15, 20, 0]]\n";
    let count = |seam: &str| {
        let scene = Scene::parse(&(panel("front", 0.1, 5) + &panel("back", -0.1, 5) + seam), ".").unwrap();
        let built = scene.build::<f64>().unwrap();
        // Both panels hang from one line, along which the second is divided elsewhere.
        let mut x = built.simulation.positions();
        let [front, back] = [0, 1].map(|body: usize| built.bodies[body].particles.clone());
        for v in front {
            x[v].z = 0.3 * (x[v].x + 0.15);
        }
        for v in back {
            x[v].z = -0.3 * (x[v].x + 0.15);
            x[v].x += 0.002 * (40.0 * x[v].y).sin();
        }
        built.fine.place(&x).intersections.unwrap()
    };
    assert!(count("") > 0, "without the seam they cross along the line");
    assert_eq!(count(&seam(pairs)), 0);
}
