//! Solids that start inside out.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh};
use pliant_solver::{Body, Compliance, Continuum, Simulation};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::Table;
use super::super::number::percent;
use super::random::Numbers;
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "inverted",
    title: "Recovery from inverted starts",
    what: "
A block of 0.3 m and 3³ cells (162 tetrahedra) starts with its vertices at random places of its bounding box, flattened, or mirrored, without gravity; two seconds later the inverted tetrahedra are
counted. 40 substeps of one iteration, `f64`, damping 4 1/s. The neo-Hookean energy pushes every flat or inverted tetrahedron back, so none may be left. That is less than being back at rest: from some random starts the block comes to rest
in a tangle, a minimum of its energy in which no tetrahedron is inverted but some are far from their volume; the table gives the worst. Saint Venant–Kirchhoff elements cannot tell a mirrored place from
the right one, and edges with signed volumes can only where enough of them pull: how many stay inverted is reported.
",
    measure,
};

#[derive(Clone, Copy)]
enum Material {
    NeoHookean,
    StVk,
    EdgesAndVolumes,
}

fn block() -> Result<TetMesh, Problem> {
    Ok(TetMesh::block([3, 3, 3], [0.3; 3], Split::Kuhn)?)
}

fn measure(scope: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    let rest = block()?.positions().to_vec();
    let random = |seed: u64| {
        let mut numbers = Numbers(seed);
        rest.iter().map(|_| numbers.vector() * 0.3).collect::<Vec<_>>()
    };
    let flat = rest.iter().map(|x| Vector3::new(x.x, 0.0, x.z)).collect::<Vec<_>>();
    let mirrored = rest.iter().map(|x| Vector3::new(x.x, x.y, 0.3 - x.z)).collect::<Vec<_>>();
    let seeds = scope.pick(&[3_u64, 4], &[3, 4, 5, 6, 7, 8, 9, 10]);
    let mut starts: Vec<(String, Vec<_>)> =
        seeds.iter().map(|s| (format!("random {s}"), random(*s))).collect();
    starts.extend([("flattened".to_owned(), flat), ("mirrored".to_owned(), mirrored)]);

    let columns = [
        "start",
        "inverted at first",
        "neo-Hookean (worst volume error then, and after ten seconds)",
        "StVK",
        "edges and volumes",
    ];
    let mut table = Table::new("Inverted tetrahedra of 162 after two seconds", columns);
    for (name, start) in &starts {
        let mut row = vec![name.clone()];
        for (label, material) in [
            ("neo-Hookean", Material::NeoHookean),
            ("StVK", Material::StVk),
            ("edges and volumes", Material::EdgesAndVolumes),
        ] {
            let (before, after, worst) = recover(start, material)?;
            if row.len() == 1 {
                row.push(before.to_string());
            }
            let inverted = format!("{name}, {label}, inverted after 2 s");
            if matches!(material, Material::NeoHookean) {
                findings.check(Check::at_most(inverted, 0.0, after as f64).from("the energy of inversion"));
                let name = format!("{name}, {label}, worst volume error after 2 s");
                findings.check(Check::reported(name, worst[0]).drifting(0.5));
                row.push(format!("{after} ({}, {})", percent(worst[0]), percent(worst[1])));
            } else {
                // The last bits decide where a chaotic start ends.
                findings.check(Check::reported(inverted, after as f64).drifting(0.5));
                row.push(after.to_string());
            }
        }
        table.row(row);
    }
    findings.tables.push(table);
    Ok(findings)
}

/// Inverted tetrahedra before and after, and the worst volume error after.
fn recover(start: &[Vector3<f64>], material: Material) -> Result<(usize, usize, [f64; 2]), Problem> {
    let body = Body::solid(block()?).density(1000.0).start(start.to_vec());
    let body = match material {
        Material::NeoHookean => body.continuum(Continuum::neo_hookean(1e5, 0.45).plain()),
        Material::StVk => body.continuum(Continuum::stvk(1e5, 0.45)),
        Material::EdgesAndVolumes => body.stretch(Compliance::new(1e-4)).volume(Compliance::RIGID),
    };
    let builder = Simulation::builder().gravity([0.0; 3]).substeps(40).damping(4.0).recover(false);
    let mut sim = builder.body(body).build_as::<f64>()?;
    let inverted =
        |sim: &Simulation<f64>| sim.report().volume.map_or((0, 0.0), |v| (v.inverted, v.max.value));
    let (before, _) = inverted(&sim);
    for _ in 0..120 {
        sim.advance(1.0 / 60.0)?;
    }
    let (after, soon) = inverted(&sim);
    for _ in 0..480 {
        sim.advance(1.0 / 60.0)?;
    }
    Ok((before, after, [soon, inverted(&sim).1]))
}
