//! Elements in a homogeneous deformation.

use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};
use pliant_constraints::{Lame, NeoHookeanTet, StVkMembrane, StVkTet};
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{Body, Continuum, Membrane, Settings, Simulation};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::random::Numbers;
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "patch-test",
    title: "Patch test",
    what: "
In a homogeneous deformation x = F X every mesh is one big element. The energy of a triangle under twenty random affine maps, and of a block of tetrahedra under five, is the closed form of its
law, and the forces on the block's inner vertices cancel. In whole simulations the boundary of an irregular sheet or block is held where an affine map puts it
and the inner vertices start somewhere else, without gravity: they must come to rest where the map puts them. Under stress the equilibrium of a substep is met to second order in h, because gradients turn while positions move; so the
place is, too.
",
    measure,
};

fn measure(_: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    triangle(&mut findings)?;
    block(&mut findings)?;
    simulated_sheet(&mut findings)?;
    for (name, material) in [
        ("neo-Hookean block", Continuum::neo_hookean(1e5, 0.3).plain()),
        ("StVK block", Continuum::stvk(1e5, 0.3)),
    ] {
        simulated_block(&mut findings, name, material)?;
    }
    Ok(findings)
}

/// μ tr(E²) + ½λ tr(E)².
fn stvk<const N: usize>(e: &nalgebra::SMatrix<f64, N, N>, moduli: Lame) -> f64 {
    let trace = |m: &nalgebra::SMatrix<f64, N, N>| (0..N).map(|i| m[(i, i)]).sum::<f64>();
    moduli.mu * trace(&(e * e)) + 0.5 * moduli.lambda * trace(e).powi(2)
}

fn triangle(findings: &mut Findings) -> Result<(), Problem> {
    let mut numbers = Numbers(5);
    let (moduli, thickness) = (Lame { mu: 3e4, lambda: 5e4 }, 1e-3);
    let flat = [Vector2::new(0.1, -0.2), Vector2::new(1.3, 0.2), Vector2::new(0.4, 0.9)];
    let rest = flat.map(|p| Vector3::new(p.x, p.y, 0.0));
    let element = StVkMembrane::isotropic(&rest, moduli, thickness)?;
    let area = 0.5 * (rest[1] - rest[0]).cross(&(rest[2] - rest[0])).norm();
    let mut worst = 0.0_f64;
    for _ in 0..20 {
        let columns = [numbers.around(1.5), numbers.around(1.5)];
        let x = flat.map(|p| columns[0] * p.x + columns[1] * p.y);
        let gram = Matrix2::from_fn(|i, j| columns[i].dot(&columns[j]));
        let expected = stvk(&((gram - Matrix2::identity()) * 0.5), moduli) * thickness * area;
        worst = worst.max((element.energy(&x) / expected - 1.0).abs());
    }
    let name = "StVK triangle, 20 affine maps, worst relative error of the energy";
    findings.check(Check::at_most(name, 1e-12, worst).from("μ tr E² + ½λ tr² E"));
    Ok(())
}

fn block(findings: &mut Findings) -> Result<(), Problem> {
    let mut numbers = Numbers(11);
    let moduli = Lame { mu: 1e4, lambda: 3e4 };
    let mesh = TetMesh::block([3, 3, 3], [1.0; 3], Split::Kuhn)?;
    let inner = inside(mesh.positions());
    // Relative errors of the energy and forces left inside, neo-Hookean and StVK.
    let mut worst = [[0.0_f64; 2]; 2];
    for _ in 0..5 {
        let f = Matrix3::identity() + Matrix3::from_fn(|_, _| 0.3 * (numbers.next() - 0.5));
        let mut forces =
            [vec![Vector3::zeros(); mesh.positions().len()], vec![Vector3::zeros(); mesh.positions().len()]];
        let mut energies = [0.0; 2];
        for tet in mesh.tets() {
            let rest = tet.map(|v| mesh.positions()[v as usize]);
            let x = rest.map(|x| f * x);
            let rubber = NeoHookeanTet::with_moduli(&rest, moduli)?;
            let hard = StVkTet::elastic(&rest, moduli)?;
            energies[0] += rubber.energy(&x);
            energies[1] += hard.energy(&x);
            for (forces, gradient) in
                forces.iter_mut().zip([rubber.energy_gradient(&x), hard.energy_gradient(&x)])
            {
                for (&v, g) in tet.iter().zip(gradient) {
                    forces[v as usize] += g;
                }
            }
        }
        let right = f.transpose() * f;
        let gamma = 1.0 + moduli.mu / moduli.lambda;
        let expected = [
            0.5 * moduli.mu * right.trace() + 0.5 * moduli.lambda * (f.determinant() - gamma).powi(2),
            stvk(&((right - Matrix3::identity()) * 0.5), moduli),
        ];
        for law in 0..2 {
            let largest = forces[law].iter().map(nalgebra::Matrix::norm).fold(0.0, f64::max);
            let left = inner.iter().map(|&v| forces[law][v].norm()).fold(0.0, f64::max);
            worst[law][0] = worst[law][0].max((energies[law] / expected[law] - 1.0).abs());
            worst[law][1] = worst[law][1].max(left / largest);
        }
    }
    for (law, [energy, force]) in ["neo-Hookean", "StVK"].into_iter().zip(worst) {
        let name = format!("{law} block, 5 affine maps, worst relative error of the energy");
        findings.check(Check::at_most(name, 1e-12, energy).from("closed form"));
        let name = format!("{law} block, force on an inner vertex over the largest");
        findings.check(Check::at_most(name, 1e-9, force).from("equilibrium"));
    }
    Ok(())
}

/// Vertices that are not on the boundary of a box, or of a rectangle.
fn inside(x: &[Vector3<f64>]) -> Vec<usize> {
    let low = x.iter().fold(Vector3::repeat(f64::MAX), |low, x| low.inf(x));
    let high = x.iter().fold(Vector3::repeat(f64::MIN), |high, x| high.sup(x));
    let flat = |axis: usize| high[axis] - low[axis] < 1e-9;
    let within = |at: f64, axis: usize| at > low[axis] + 1e-9 && at < high[axis] - 1e-9;
    (0..x.len()).filter(|&v| (0..3).all(|axis| flat(axis) || within(x[v][axis], axis))).collect()
}

/// Lets the inner vertices of a body find their places, with 40 and with 80 substeps.
fn simulate(
    findings: &mut Findings,
    name: &str,
    body: &Body,
    map: &[Vector3<f64>],
    inner: &[usize],
) -> Result<(), Problem> {
    let coarse = find_places(body.clone(), map, inner, 40)?;
    let fine = find_places(body.clone(), map, inner, 80)?;
    let place = format!("{name}, worst of {} inner vertices with 80 substeps (m)", inner.len());
    findings.check(Check::at_most(place, 5e-6, fine).from("x = F X"));
    let order = format!("{name}, order in h of that");
    findings.check(Check::near(order, 2.0, (coarse / fine).log2(), 0.2).from("second order"));
    Ok(())
}

/// The largest distance of a vertex from where the map puts it, m.
fn find_places(body: Body, map: &[Vector3<f64>], inner: &[usize], substeps: u32) -> Result<f64, Problem> {
    let mut numbers = Numbers(23);
    let mut start = map.to_vec();
    for &v in inner {
        start[v] += numbers.around(0.01);
    }
    let held: Vec<u32> = (0..map.len()).filter(|v| !inner.contains(v)).map(|v| v as u32).collect();
    let body = body.start(start).pin_vertices(held);
    let settings =
        Settings { substeps, iterations: 5, gravity: Vector3::zeros(), drag: 20.0, ..Settings::default() };
    let mut sim = Simulation::builder().settings(settings).body(body).build_as::<f64>()?;
    for _ in 0..240 {
        sim.advance(1.0 / 60.0)?;
    }
    Ok(sim.positions().iter().zip(map).map(|(x, m)| (x - m).norm()).fold(0.0, f64::max))
}

fn simulated_sheet(findings: &mut Findings) -> Result<(), Problem> {
    let grid = TriMesh::grid([7, 7], [0.6, 0.6])?;
    let mut x = grid.positions().to_vec();
    let inner = inside(&x);
    let mut numbers = Numbers(29);
    for &v in &inner {
        let shift = numbers.around(0.025);
        x[v] += Vector3::new(shift.x, 0.0, shift.z);
    }
    let mesh = TriMesh::new(x.clone(), grid.triangles().to_vec())?;
    let f = Matrix3::new(1.15, 0.0, 0.08, 0.1, 1.0, -0.05, 0.02, 0.0, 1.25);
    let map: Vec<_> = x.iter().map(|x| f * x).collect();
    let body = Body::cloth(mesh).area_density(0.3).membrane(Membrane::isotropic(1e4, 0.3, 1e-3));
    simulate(findings, "membrane of 7 × 7 vertices", &body, &map, &inner)
}

fn simulated_block(findings: &mut Findings, name: &str, material: Continuum) -> Result<(), Problem> {
    let block = TetMesh::block([3, 3, 3], [0.3; 3], Split::Kuhn)?;
    let mut x = block.positions().to_vec();
    let inner = inside(&x);
    let mut numbers = Numbers(31);
    for &v in &inner {
        x[v] += numbers.around(0.015);
    }
    let mesh = block.with_positions(x.clone())?;
    let f = Matrix3::new(1.1, 0.05, 0.0, -0.1, 1.05, 0.1, 0.02, 0.0, 0.95);
    let map: Vec<_> = x.iter().map(|x| f * x).collect();
    let body = Body::solid(mesh).density(1000.0).continuum(material);
    simulate(findings, &format!("{name} of 3³ cells"), &body, &map, &inner)
}
