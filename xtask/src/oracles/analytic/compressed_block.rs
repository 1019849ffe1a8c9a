//! `compressed_block`: a block pressed flat keeps its volume and bulges.

use std::path::Path;

use nalgebra::Vector3;
use pliant_constraints::{Distance, TetVolume};
use pliant_mesh::{TetMesh, lumped_mass_tets, unique_tet_edges};
use pliant_solver::{Assembly, Constraints, Keyframe, Motion, Pin, Plan, Settings};
use serde_json::Value;

use super::super::vectors;
use super::super::verdict::{Problem, Tally};
use super::mesh::Mesh;
use super::{drag, number, number_in};

pub(crate) fn judge(json: &Value, path: &Path) -> Result<Tally, Problem> {
    let setup = json["setup"].as_str().unwrap_or_default();
    let mesh = read_mesh(setup, path)?;
    let measured = json["measured"].as_object().ok_or_else(|| Problem("nothing is measured".into()))?;
    let mut tally = Tally::default();
    for (name, measured) in measured {
        let wrong = || Problem(format!("\"{name}\" does not say ec and nsub"));
        let (compliance, substeps) = name.split_once('_').ok_or_else(wrong)?;
        let compliance = number_in(compliance, "ec").ok_or_else(wrong)?;
        let substeps = number_in(substeps, "nsub").ok_or_else(wrong)?;
        let block = press(&mesh, setup, compliance, substeps as u32)?;
        tally.case();
        let expected = number(measured, &["total_volume_ratio"])?;
        let allowed = (2.0 * (expected - 1.0).abs()).max(1e-4);
        tally.check(block.volume_ratio - 1.0, allowed, || format!("{name}, total volume"));
        tally.require(block.inverted == 0, || format!("{name}: {} inverted tetrahedra", block.inverted));
        tally.require(block.bulge > 0.0, || format!("{name}: the sides do not bulge"));
    }
    Ok(tally)
}

/// The mesh that the setup names, beside the file.
fn read_mesh(setup: &str, path: &Path) -> Result<Mesh, Problem> {
    let word = |c: char| !(c.is_alphanumeric() || c == '_' || c == '.');
    let name = setup.split(word).find(|word| word.ends_with(".json")).unwrap_or("block_mesh.json");
    Mesh::beside(path, name)
}

struct Pressed {
    volume_ratio: f64,
    inverted: usize,
    /// How far the vertices half way up the sides have moved outwards, all together, m.
    bulge: f64,
}

fn press(file: &Mesh, setup: &str, compliance: f64, substeps: u32) -> Result<Pressed, Problem> {
    let mesh = TetMesh::new(vectors(&file.verts), file.tets.clone())?;
    let rest = mesh.positions();
    let value = |key: &str, usual: f64| number_in(setup, key).unwrap_or(usual);
    let density = value("rho ", 1000.0);
    let w = lumped_mass_tets(&mesh, density).iter().map(|m| 1.0 / m).collect();
    let edges = file.edges.clone().unwrap_or_else(|| unique_tet_edges(mesh.tets()));
    let length = |[a, b]: &[u32; 2]| Distance::at_rest(&[rest[*a as usize], rest[*b as usize]]);
    let lengths = edges.iter().map(length).collect();
    let volumes = (0..mesh.tets().len()).map(|t| TetVolume { rest: mesh.tet_volume(t) }).collect();

    let mut assembly = Assembly::new(rest.to_vec(), w)?;
    assembly.add(Constraints::new("edges", edges, lengths, vec![compliance])?);
    assembly.add(Constraints::new("volumes", mesh.tets().to_vec(), volumes, vec![0.0])?);
    let (height, lowering, holding) = (value("linearly to ", 0.8), value(" in ", 1.0), value("held ", 2.0));
    let key = |time, y| Keyframe { time, translation: Vector3::new(0.0, y, 0.0), rotation: Vector3::zeros() };
    let keys = vec![key(0.0, 0.0), key(lowering, height - 1.0)];
    assembly.pin(Pin::select(|x| x.y < 1e-9));
    assembly
        .pin(Pin::select(|x| x.y > 1.0 - 1e-9).motion(Motion::Keyframes { pivot: Vector3::zeros(), keys }));
    let dt = value("dt=", 1.0 / 60.0);
    let rate = value("v*=1-", 0.0);
    assembly.settings(Settings {
        substeps,
        gravity: Vector3::zeros(),
        plan: Plan::Sequential,
        drag: drag(rate, dt / f64::from(substeps)),
        ..Settings::default()
    });
    let mut sim = assembly.build::<f64>()?;
    for _ in 0..((lowering + holding) / dt).round() as u64 {
        sim.advance(dt)?;
    }

    let now = mesh.with_positions(sim.positions())?;
    // All four sides together: the softest block sways to one of them, and which is chaotic.
    let outwards = |rest: &f64, now: &f64| match rest {
        side if *side < 1e-9 => rest - now,
        side if *side > 1.0 - 1e-9 => now - rest,
        _ => 0.0,
    };
    let bulge = rest.iter().zip(now.positions()).filter(|(rest, _)| (rest.y - 0.5).abs() < 1e-9);
    let bulge = bulge.map(|(rest, x)| outwards(&rest.x, &x.x) + outwards(&rest.z, &x.z));
    Ok(Pressed {
        volume_ratio: now.volume() / mesh.volume(),
        inverted: (0..now.tets().len()).filter(|&t| now.tet_volume(t) <= 0.0).count(),
        bulge: bulge.sum(),
    })
}
