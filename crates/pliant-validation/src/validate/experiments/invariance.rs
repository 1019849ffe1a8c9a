//! Answers do not depend on the time step or on the number of iterations.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::book::Multiplier;
use pliant_solver::{Assembly, Body, Constraints, Continuum, Membrane, Settings, Simulation};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::{Figure, Table};
use super::super::number::{percent, short};
use crate::problem::Problem;
use crate::scenes::Scheme;
use crate::scenes::chain::Chain;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "invariance",
    title: "Time step and iterations",
    what: "
A compliance means the same for every substep and every number of iterations, once the equations of a substep are solved. A chain of 8 links with enough iterations hangs at Hooke's answer
for h from 1/60 to 1/1920 s. Where gradients turn within a substep, in a net and in elastic materials, the static answer depends on h in second order; a strip of rubber and a sheet of
knitwear show that order, and how few iterations are needed. The form that forgets the multiplier has no such answer.
",
    measure,
};

const G: f64 = 9.81;

fn measure(scope: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    chain(&mut findings)?;
    net(&mut findings)?;
    for material in [rubber()?, knitwear()?] {
        material.substeps(&mut findings)?;
        if scope.is_full() {
            material.iterations(&mut findings)?;
        }
    }
    Ok(findings)
}

fn chain(findings: &mut Findings) -> Result<(), Problem> {
    let chain = Chain { links: 8, mass: 0.1, spacing: 0.1, compliance: 1e-3, g: G };
    for (per_second, iterations) in
        [(60.0, 400), (120.0, 200), (240.0, 100), (480.0, 50), (960.0, 20), (1920.0, 10)]
    {
        let hung = chain.hang(1.0 / per_second, Scheme::sweeps(iterations), 2.0, 15.0)?;
        let error = (-hung.heights[8] - 0.8) / chain.extension() - 1.0;
        let name =
            format!("chain, h = 1/{per_second} s, {iterations} iterations, relative error of the extension");
        findings.check(Check::near(name, 0.0, error, 1e-3).from("Hooke's law, within 0.1 %"));
    }
    Ok(())
}

/// A net of 5 × 5 knots that hangs by its corners: the sum of its heights, m.
fn sag(h: f64, multiplier: Multiplier, iterations: u32) -> Result<f64, Problem> {
    let n = 5_u32;
    let at = |i: u32, j: u32| i * n + j;
    let knots = || (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let x: Vec<_> = knots().map(|(i, j)| Vector3::new(f64::from(j), 0.0, f64::from(i)) * 0.1).collect();
    let mut edges = Vec::new();
    for (i, j) in knots() {
        if j + 1 < n {
            edges.push([at(i, j), at(i, j + 1)]);
        }
        if i + 1 < n {
            edges.push([at(i, j), at(i + 1, j)]);
        }
    }
    let mut w = vec![1.0 / 0.02; x.len()];
    for corner in [at(0, 0), at(0, n - 1), at(n - 1, 0), at(n - 1, n - 1)] {
        w[corner as usize] = 0.0;
    }
    let mut assembly = Assembly::new(x, w)?;
    let rest = vec![Distance { rest: 0.1 }; edges.len()];
    assembly.add(Constraints::new("edges", edges, rest, vec![2e-2])?);
    assembly.settings(Settings { substeps: 1, iterations, multiplier, drag: 3.0, ..Settings::default() });
    let mut sim = assembly.build::<f64>()?;
    for _ in 0..(12.0 / h) as u32 {
        sim.advance(h)?;
    }
    Ok(sim.positions().iter().map(|x| x.y).sum())
}

fn net(findings: &mut Findings) -> Result<(), Problem> {
    let reference = sag(1.0 / 1920.0, Multiplier::Accumulated, 20)?;
    for (per_second, iterations) in [(240.0, 60), (480.0, 40), (960.0, 20)] {
        let error = sag(1.0 / per_second, Multiplier::Accumulated, iterations)? / reference - 1.0;
        let name =
            format!("net, h = 1/{per_second} s, {iterations} iterations, sag against that at 1/1920 s");
        findings.check(Check::near(name, 0.0, error, 1e-3).from("within 0.1 %"));
    }
    let forgetful = sag(1.0 / 480.0, Multiplier::Forgotten, 40)? / reference;
    let name = "net, h = 1/480 s, 40 iterations, multiplier forgotten, share of the sag";
    findings.check(Check::at_most(name, 0.6, forgetful).from("stiffer with every iteration"));
    Ok(())
}

/// A body of an elastic material that hangs by its upper end.
pub(super) struct Hanging {
    pub(super) name: &'static str,
    body: Body,
    /// Sum of the heights of all particles, m, unloaded.
    unloaded: f64,
}

/// Iterations that solve the equations of a substep to rounding.
const MANY: u32 = 10;

fn pinned(body: Body, x: &[Vector3<f64>], name: &'static str) -> Hanging {
    let top = x.iter().map(|x| x.y).fold(f64::MIN, f64::max);
    Hanging { name, body: body.pin(move |x| x.y > top - 1e-9), unloaded: x.iter().map(|x| x.y).sum() }
}

/// A strip of neo-Hookean rubber, a tenth of a metre wide.
pub(super) fn rubber() -> Result<Hanging, Problem> {
    let mesh = TetMesh::block([1, 4, 1], [0.1, 0.4, 0.1], Split::Kuhn)?;
    let x = mesh.positions().to_vec();
    let body = Body::solid(mesh).density(1000.0).continuum(Continuum::neo_hookean(4e4, 0.3).plain());
    Ok(pinned(body, &x, "neo-Hookean strip"))
}

/// A sheet of membrane that stands upright.
pub(super) fn knitwear() -> Result<Hanging, Problem> {
    let grid = TriMesh::grid([4, 6], [0.3, 0.5])?;
    let x: Vec<_> = grid.positions().iter().map(|x| Vector3::new(x.x, x.z, 0.0)).collect();
    let mesh = TriMesh::new(x.clone(), grid.triangles().to_vec())?;
    let body = Body::cloth(mesh).area_density(0.3).membrane(Membrane::isotropic(1e4, 0.3, 1e-3));
    Ok(pinned(body, &x, "StVK membrane"))
}

impl Hanging {
    /// How far all particles together have sunk after so many sweeps in every substep, m.
    fn sag(&self, h: f64, iterations: u32, multiplier: Multiplier) -> Result<f64, Problem> {
        self.settle(h, &Settings { iterations, multiplier, ..Settings::default() })
    }

    /// How far all particles together have sunk when the body has settled, m.
    pub(super) fn settle(&self, h: f64, settings: &Settings) -> Result<f64, Problem> {
        let gravity = Vector3::new(0.0, -G, 0.0);
        let settings = Settings { substeps: 1, gravity, drag: 10.0, ..settings.clone() };
        let builder = Simulation::builder().settings(settings).body(self.body.clone());
        let mut sim = builder.build_as::<f64>()?;
        for _ in 0..(4.0 / h) as u32 {
            sim.advance(h)?;
        }
        Ok(self.unloaded - sim.positions().iter().map(|x| x.y).sum::<f64>())
    }

    /// Sags by sweeps at 960 and 1920 substeps a second have a limit without an error of second order, m.
    fn limit_of([coarse, fine]: [f64; 2]) -> f64 {
        fine + (fine - coarse) / 3.0
    }

    /// That limit.
    pub(super) fn limit(&self) -> Result<f64, Problem> {
        let sag = |rate: f64| self.sag(1.0 / rate, MANY, Multiplier::Accumulated);
        Ok(Self::limit_of([sag(960.0)?, sag(1920.0)?]))
    }

    fn substeps(&self, findings: &mut Findings) -> Result<(), Problem> {
        let rates = [240.0, 480.0, 960.0, 1920.0];
        let mut sags = Vec::new();
        for rate in rates {
            sags.push(self.sag(1.0 / rate, MANY, Multiplier::Accumulated)?);
        }
        let limit = Self::limit_of([sags[2], sags[3]]);
        let errors: Vec<f64> = sags.iter().map(|sag| (sag / limit - 1.0).abs()).collect();
        let of = |what: &str| format!("{}, {what}", self.name);
        let order = (errors[1] / errors[2]).log2();
        findings.check(
            Check::near(of("order in h, from 1/480 to 1/960 s"), 2.0, order, 0.15).from("second order"),
        );
        let name = of("relative error at h = 1/1920 s");
        findings.check(Check::at_most(name, 1e-3, errors[3]).from("extrapolated, within 0.1 %"));
        let mut figure = Figure::logarithmic(
            &self.name.replace([' ', '-'], "_").to_lowercase(),
            &format!("Sag of a {}", self.name),
            "substeps per second",
            "relative error of the sag",
        );
        figure.curve("", rates.into_iter().zip(errors));
        findings.figures.push(figure);
        Ok(())
    }

    fn iterations(&self, findings: &mut Findings) -> Result<(), Problem> {
        let h = 1.0 / 480.0;
        let converged = self.sag(h, 40, Multiplier::Accumulated)?;
        let columns = ["iterations", "accumulated", "forgotten"];
        let title = format!("{}: sag at h = 1/480 s, relative to that with 40 iterations", self.name);
        let mut table = Table::new(title, columns);
        for (n, tolerance) in [(1, 2e-2), (2, 1e-3), (5, 1e-7), (10, 1e-11), (20, 1e-11)] {
            let error = self.sag(h, n, Multiplier::Accumulated)? / converged - 1.0;
            let name = format!("{}, h = 1/480 s, {n} iterations, relative error of the sag", self.name);
            findings.check(Check::at_most(name, tolerance, error.abs()).from("40 iterations"));
            let forgotten = self.sag(h, n, Multiplier::Forgotten)? / converged;
            table.row([n.to_string(), short(error), percent(forgotten)]);
        }
        findings.tables.push(table);
        Ok(())
    }
}
