//! `compressed_block`: a block pressed flat keeps its volume and bulges.

use std::path::Path;

use pliant_mesh::{TetMesh, unique_tet_edges};
use pliant_solver::Method;
use serde_json::Value;

use super::super::vectors;
use super::super::verdict::{Problem, Tally};
use super::mesh::Mesh;
use super::{number, number_in, scheme};
use crate::scenes::Scheme;
use crate::scenes::pressed_block::Press;

/// What methods are asked for: no shape of the block has all volumes, so there is none to come as near to as one likes.
const ACCURACY: f64 = 1e-2;

pub(crate) fn judge(json: &Value, path: &Path, method: Method) -> Result<Tally, Problem> {
    let setup = json["setup"].as_str().unwrap_or_default();
    let file = read_mesh(setup, path)?;
    let mesh = TetMesh::new(vectors(&file.verts), file.tets)?;
    let edges = file.edges.unwrap_or_else(|| unique_tet_edges(mesh.tets()));
    let value = |key: &str, usual: f64| number_in(setup, key).unwrap_or(usual);
    let press = Press {
        mesh: &mesh,
        edges: &edges,
        density: value("rho ", 1000.0),
        height: value("linearly to ", 0.8),
        lowering: value(" in ", 1.0),
        holding: value("held ", 2.0),
        dt: value("dt=", 1.0 / 60.0),
        rate: value("v*=1-", 0.0),
    };
    let measured = json["measured"].as_object().ok_or_else(|| Problem("nothing is measured".into()))?;
    let mut tally = Tally::default();
    for (name, measured) in measured {
        let wrong = || Problem(format!("\"{name}\" does not say ec and nsub"));
        let (compliance, substeps) = name.split_once('_').ok_or_else(wrong)?;
        let compliance = number_in(compliance, "ec").ok_or_else(wrong)?;
        let substeps = number_in(substeps, "nsub").ok_or_else(wrong)?;
        let scheme = Scheme { accuracy: ACCURACY, ..scheme(method, 1) };
        let block = press.press(compliance, substeps as u32, scheme)?;
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
