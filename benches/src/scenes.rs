//! The scenes that speeds are measured on: rigid edges and volumes, gravity, a fixed layer or two fixed
//! corners, no contact.

use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{Body, BuildError, Compliance, Float, Plan, Simulation, SimulationBuilder};

use crate::textbook::Textbook;

/// Length of a frame, s.
pub const DT: f64 = 1.0 / 60.0;
/// Substeps of a frame.
pub const SUBSTEPS: u32 = 10;

/// The unit cube of `cells`³ cells of six tetrahedra.
///
/// # Panics
///
/// If `cells` is zero.
#[must_use]
pub fn block(cells: usize) -> TetMesh {
    TetMesh::block([cells; 3], [1.0; 3], Split::Kuhn).expect("a positive number of cells")
}

/// A horizontal sheet of 1 m with `side`² vertices.
///
/// # Panics
///
/// If `side` is below 2.
#[must_use]
pub fn sheet(side: usize) -> TriMesh {
    TriMesh::grid([side; 2], [1.0; 2]).expect("at least two vertices along a side")
}

/// The block hung by its top layer.
///
/// # Errors
///
/// Never for the meshes of [`block`].
pub fn hung_block<T: Float>(mesh: TetMesh, plan: Plan) -> Result<Simulation<T>, BuildError> {
    block_scene(mesh, plan).build_as()
}

/// What [`hung_block`] builds, for other settings.
#[must_use]
pub fn block_scene(mesh: TetMesh, plan: Plan) -> SimulationBuilder {
    Simulation::builder().substeps(SUBSTEPS).plan(plan).body(block_body(mesh))
}

/// A block that hangs by its top layer. Its volumes are rigid, as those of the textbook are; by default they have the bulk
/// modulus of water.
#[must_use]
pub fn block_body(mesh: TetMesh) -> Body {
    Body::solid(mesh).volume(Compliance::RIGID).pin(|x| x.y > 1.0 - 1e-9)
}

/// The sheet hung by two corners.
///
/// # Errors
///
/// Never for the meshes of [`sheet`].
pub fn hung_sheet<T: Float>(mesh: TriMesh, side: u32, plan: Plan) -> Result<Simulation<T>, BuildError> {
    cloth_scene(mesh, &corners(side), plan).build_as()
}

/// The two corners by which a sheet of `side` × `side` vertices hangs.
#[must_use]
pub fn corners(side: u32) -> [u32; 2] {
    [0, side - 1]
}

/// What [`hung_sheet`] builds, for other settings, and any cloth that hangs by some vertices.
#[must_use]
pub fn cloth_scene(mesh: TriMesh, held: &[u32], plan: Plan) -> SimulationBuilder {
    Simulation::builder().substeps(SUBSTEPS).plan(plan).body(cloth_body(mesh, held))
}

/// Cloth that hangs by some vertices.
#[must_use]
pub fn cloth_body(mesh: TriMesh, held: &[u32]) -> Body {
    Body::cloth(mesh).pin_vertices(held.to_vec())
}

/// The block for the textbook loop.
#[must_use]
pub fn textbook_block(mesh: &TetMesh) -> Textbook {
    Textbook::solid(mesh, |i| mesh.positions()[i].y > 1.0 - 1e-9)
}

/// Cloth that hangs by some vertices, for the textbook loop.
#[must_use]
pub fn textbook_cloth(mesh: &TriMesh, held: &[u32]) -> Textbook {
    let mut is_held = vec![false; mesh.positions().len()];
    held.iter().for_each(|&v| is_held[v as usize] = true);
    Textbook::cloth(mesh, |i| is_held[i])
}

/// The sheet for the textbook loop.
#[must_use]
pub fn textbook_sheet(mesh: &TriMesh, side: u32) -> Textbook {
    textbook_cloth(mesh, &corners(side))
}
