//! The mesh of a body, from a file or generated, and the repairs that a scene may ask for.

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::{GenerateError, TetMesh, TriMesh, counted};
use pliant_solver::Element;

use super::files::Files;
use super::fill;
use super::import::Import;
use super::read_mesh::ReadMesh;
use super::repair::{self, Treatment};
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{self, MeshModel, MeshTable, Positive, Unreferenced};

/// The mesh of a body; `attributes` says whether to read those of its file.
pub(super) fn read(
    at: &FieldPath,
    mesh: &MeshModel,
    attributes: bool,
    files: &Files<'_>,
) -> Result<ReadMesh, Fault> {
    match mesh {
        MeshModel::Path(path) => from_file(at, path, &MeshTable::default(), attributes, files),
        MeshModel::Table(table) => from_table(at, table, attributes, files),
    }
}

fn from_table(
    at: &FieldPath,
    table: &MeshTable,
    attributes: bool,
    files: &Files<'_>,
) -> Result<ReadMesh, Fault> {
    if let Some(path) = &table.file {
        return from_file(&at.key("file"), path, table, attributes, files);
    }
    if let Some(path) = &table.surface {
        let at_surface = at.key("surface");
        let (surface, notes) = files
            .import(&at_surface, path, false)?
            .into_tri()
            .map_err(|error| Fault::new(at_surface, error.to_string(), "a surface of triangles"))?;
        return fill::fill(at, surface, &table.tetrahedralize.unwrap_or_default(), notes);
    }
    let shape = table.chosen(at, "the mesh of the body")?;
    let mesh = generate(table).map_err(|error| Fault::new(at.key(shape), error.to_string(), ""))?;
    match (mesh, &table.tetrahedralize) {
        (Mesh::Tri(surface), Some(how)) => fill::fill(at, surface, how, Vec::new()),
        (mesh, _) => Ok(ReadMesh::whole(mesh, Vec::new())),
    }
}

/// The generated shape of a table; the checks ensure that it has one.
pub(crate) fn generate(table: &MeshTable) -> Result<Mesh, GenerateError> {
    if let Some(m) = &table.grid {
        let diagonals = match m.diagonals {
            model::Diagonals::Parallel => pliant_mesh::Diagonals::Parallel,
            model::Diagonals::Alternating => pliant_mesh::Diagonals::Alternating,
        };
        return TriMesh::grid_with(m.vertices.map(usize::from), m.size.map(Positive::get), diagonals)
            .map(Mesh::Tri);
    }
    if let Some(m) = &table.disc {
        return TriMesh::disc(m.radius.get(), m.rings.into()).map(Mesh::Tri);
    }
    if let Some(m) = &table.cone {
        let radii = [m.top, m.bottom].map(Positive::get);
        return TriMesh::cone(radii, m.height.get(), m.segments.into(), m.rings.into(), m.angle())
            .map(Mesh::Tri);
    }
    if let Some(m) = &table.block {
        let split = match m.split {
            model::Split::Kuhn => pliant_mesh::Split::Kuhn,
            model::Split::Five => pliant_mesh::Split::Five,
        };
        let size = m.size.map(Positive::get);
        let block = TetMesh::block(m.cells.map(usize::from), size, split)?;
        // Every other shape is centred on the origin; the generator starts blocks there.
        let middle = Vector3::from(size) * 0.5;
        return Ok(Mesh::Tet(block.map_positions(|p| p - middle).expect("moved by a finite vector")));
    }
    if let Some(m) = &table.ball {
        return TetMesh::ball(m.radius.get(), m.shells.into()).map(Mesh::Tet);
    }
    if let Some(m) = &table.solid_cylinder {
        return TetMesh::cylinder(m.radius.get(), m.height.get(), m.rings.into(), m.layers.into())
            .map(Mesh::Tet);
    }
    if let Some(m) = &table.solid_torus {
        return TetMesh::torus(m.radius.get(), m.tube.get(), m.segments.into(), m.rings.into())
            .map(Mesh::Tet);
    }
    let surface = Surface {
        sphere: table.sphere.as_ref(),
        icosphere: table.icosphere.as_ref(),
        cylinder: table.cylinder.as_ref(),
        torus: table.torus.as_ref(),
    };
    surface.generate().map(Mesh::Tri)
}

/// The closed surfaces, which bodies and fine surfaces share; exactly one is given.
pub(super) struct Surface<'a> {
    pub(super) sphere: Option<&'a model::SphereModel>,
    pub(super) icosphere: Option<&'a model::IcosphereModel>,
    pub(super) cylinder: Option<&'a model::CylinderModel>,
    pub(super) torus: Option<&'a model::TorusModel>,
}

impl Surface<'_> {
    pub(super) fn generate(&self) -> Result<TriMesh, GenerateError> {
        if let Some(m) = self.sphere {
            return TriMesh::uv_sphere(m.radius.get(), m.segments.into(), m.rings.into());
        }
        if let Some(m) = self.icosphere {
            return TriMesh::icosphere(m.radius.get(), m.frequency.into());
        }
        if let Some(m) = self.cylinder {
            let caps = match m.caps {
                model::Caps::Open => pliant_mesh::Caps::Open,
                model::Caps::Capped => pliant_mesh::Caps::Capped,
            };
            return TriMesh::cylinder(
                m.radius.get(),
                m.height.get(),
                m.segments.into(),
                m.rings.into(),
                caps,
            );
        }
        let m = self.torus.expect("the checks let exactly one shape be given");
        TriMesh::torus(m.radius.get(), m.tube.get(), m.segments.into(), m.sides.into())
    }
}

fn from_file(
    at: &FieldPath,
    path: &std::path::Path,
    table: &MeshTable,
    attributes: bool,
    files: &Files<'_>,
) -> Result<ReadMesh, Fault> {
    let mut imported = files.import(at, path, attributes)?;
    let attributes = std::mem::take(&mut imported.attributes);
    Ok(ReadMesh { attributes, ..treated(at, path, table, imported)? })
}

/// The mesh of a file, refused or corrected as its table says.
fn treated(
    at: &FieldPath,
    path: &std::path::Path,
    table: &MeshTable,
    imported: Import,
) -> Result<ReadMesh, Fault> {
    let mut notes = imported.notes;
    let treatment = Treatment::of(table.repair.as_ref());
    if let Treatment::Repair(options) = &treatment {
        let (mesh, report) = repair::repair(at, path, &imported.mesh, options, &mut notes)?;
        let renumbered = Some(report.became.clone());
        return Ok(ReadMesh { renumbered, repaired: Some(report), ..ReadMesh::whole(mesh, notes) });
    }
    let mesh = upright(at, imported.mesh, table.reorient.unwrap_or(false), &mut notes)?;
    if let Treatment::Report = treatment {
        notes.extend(repair::remarks(&mesh));
    } else {
        repair::refuse(at, path, &mesh)?;
    }
    let loose = imported.unreferenced;
    let Some(&first) = loose.first() else { return Ok(ReadMesh::whole(mesh, notes)) };
    if table.unreferenced == Some(Unreferenced::Refuse) {
        let problem = format!(
            "{} no element and no mass, the first is vertex {first}",
            counted(loose.len(), "vertex has", "vertices have")
        );
        return Err(Fault::new(at.clone(), problem, "a mesh without them, or `unreferenced = \"remove\"`"));
    }
    notes.push(format!(
        "removed: {} without an element, the first is vertex {first}",
        counted(loose.len(), "vertex", "vertices")
    ));
    let (mesh, renumbered) = without(mesh, &loose);
    Ok(ReadMesh { renumbered: Some(renumbered), ..ReadMesh::whole(mesh, notes) })
}

/// Refuses elements that cannot be simulated, or turns tetrahedra round if that is asked for and sufficient.
fn upright(at: &FieldPath, mesh: Mesh, reorient: bool, notes: &mut Vec<String>) -> Result<Mesh, Fault> {
    match mesh {
        Mesh::Tri(mesh) => {
            let flat = |&t: &usize| mesh.triangle_area(t) <= 0.0;
            let count = (0..mesh.triangles().len()).filter(flat).count();
            match (0..mesh.triangles().len()).find(flat) {
                None => Ok(Mesh::Tri(mesh)),
                Some(first) => {
                    let total = mesh.triangles().len();
                    let problem = format!(
                        "{count} of {total} triangles have no area, the first is triangle {first} (from 0)"
                    );
                    Err(Fault::new(
                        at.clone(),
                        problem,
                        "a mesh without them; `repair = true` in a table with `file` drops them",
                    )
                    .at_element(Some(Element::Triangle(first))))
                }
            }
        }
        Mesh::Tet(mesh) => {
            let bad = mesh.inverted();
            let Some(&first) = bad.first() else { return Ok(Mesh::Tet(mesh)) };
            if !reorient {
                return Err(inverted(at, &mesh, &bad, first));
            }
            let (positions, mut tets) = mesh.into_parts();
            for &t in &bad {
                tets[t].swap(2, 3);
            }
            let mesh = TetMesh::new(positions, tets).expect("the same vertices in another order");
            let flat = mesh.inverted();
            if let Some(&first) = flat.first() {
                return Err(inverted(at, &mesh, &flat, first));
            }
            notes.push(format!(
                "turned round: {} inside out, the first is {first}",
                counted(bad.len(), "tetrahedron", "tetrahedra")
            ));
            Ok(Mesh::Tet(mesh))
        }
    }
}

fn inverted(at: &FieldPath, mesh: &TetMesh, bad: &[usize], first: usize) -> Fault {
    let total = mesh.tets().len();
    let volume = mesh.tet_volume(first);
    let count = bad.len();
    let problem = format!(
        "{count} of {total} tetrahedra are inverted or flat, the first is tetrahedron {first} (from 0) with the volume {volume:e}"
    );
    let turned = bad.iter().filter(|&&t| mesh.tet_volume(t) < 0.0).count();
    let repair = if count == turned {
        "only tetrahedra of positive volume; `mesh = { file = \"…\", reorient = true }` turns these round"
    } else {
        "only tetrahedra of positive volume; flat ones must be removed by the program that made the mesh \
        (Gmsh: Mesh.Optimize, fTetWild, TetGen -q), or by `repair = true`"
    };
    Fault::new(at.clone(), problem, repair).at_element(Some(Element::Tetrahedron(first)))
}

/// The mesh without some vertices that no element uses, and the new number of each old vertex.
fn without(mesh: Mesh, loose: &[usize]) -> (Mesh, Vec<Option<u32>>) {
    let mut keep = vec![true; mesh.positions().len()];
    for &v in loose {
        keep[v] = false;
    }
    let mut next = 0;
    let renumbered: Vec<Option<u32>> = keep
        .iter()
        .map(|&kept| {
            kept.then(|| {
                next += 1;
                next - 1
            })
        })
        .collect();
    let place = |v: u32| renumbered[v as usize].expect("vertices of elements are kept");
    let thin = |positions: Vec<Vector3<f64>>| -> Vec<Vector3<f64>> {
        positions.into_iter().zip(&keep).filter_map(|(p, &kept)| kept.then_some(p)).collect()
    };
    let sound = "the elements of a good mesh, renumbered";
    let mesh = match mesh {
        Mesh::Tri(mesh) => {
            let (positions, triangles) = mesh.into_parts();
            let triangles = triangles.into_iter().map(|t| t.map(place)).collect();
            Mesh::Tri(TriMesh::new(thin(positions), triangles).expect(sound))
        }
        Mesh::Tet(mesh) => {
            let (positions, tets) = mesh.into_parts();
            let tets = tets.into_iter().map(|t| t.map(place)).collect();
            Mesh::Tet(TetMesh::new(thin(positions), tets).expect(sound))
        }
    };
    (mesh, renumbered)
}
