//! [`write_mesh`]: a single mesh to a file.

use std::borrow::Cow;
use std::path::Path;

use nalgebra::Vector3;
use pliant_mesh::TriMesh;

use super::atomic::write_file;
use super::{
    ExportError, Frame, Precision, VtuOptions, abaqus, glb, medit, msh, obj, off, ply, stl, usda, vtk_legacy,
    vtu,
};
use crate::{Format, Mesh};

/// Writes a mesh in the format that the extension stands for: `.obj`, `.ply`, `.stl`, `.off`, `.glb`, `.usda`, `.vtu`,
/// `.vtk`, `.msh`, `.mesh` or `.inp`.
///
/// OBJ, PLY, STL, OFF, GLB and USDA hold surfaces only: of a solid they get the boundary, with the vertices that it uses.
/// All but STL and GLB keep every digit. The file appears whole or not at all, over one that stands there.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_io::{Mesh, read_mesh, write_mesh};
/// use pliant_mesh::TriMesh;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("triangle.ply");
/// let mesh = Mesh::Tri(TriMesh::new(vec![Vector3::zeros(), Vector3::x(), Vector3::y() / 3.0], vec![[0, 1, 2]])?);
/// write_mesh(&path, &mesh)?;
/// assert_eq!(read_mesh(&path)?.mesh, mesh);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the extension is another, or the file cannot be written.
pub fn write_mesh(path: impl AsRef<Path>, mesh: &Mesh) -> Result<(), ExportError> {
    let path = path.as_ref();
    match Format::from_path(path) {
        Some(Format::Obj) => {
            let surface = surface(mesh);
            write_file(path, |out| obj::write(out, surface.positions(), surface.triangles()))
        }
        Some(Format::Ply) => {
            let surface = surface(mesh);
            write_file(path, |out| {
                ply::write(out, surface.positions(), surface.triangles(), Precision::Double)
            })
        }
        Some(Format::Stl) => {
            let surface = surface(mesh);
            let count = surface.triangles().len();
            if u32::try_from(count).is_err() {
                let (path, limit) = (path.to_owned(), u32::MAX as usize);
                return Err(ExportError::TooLarge { path, what: "triangles", count, limit });
            }
            fits_f32(path, &surface)?;
            write_file(path, |out| stl::write(out, surface.positions(), surface.triangles()))
        }
        Some(Format::Vtu) => {
            let grid =
                vtu::Grid::new(mesh, VtuOptions { precision: Precision::Double, ..VtuOptions::default() });
            write_file(path, |out| grid.write(out, &Frame::new(0.0, mesh.positions())))
        }
        Some(Format::VtkLegacy) => write_file(path, |out| vtk_legacy::write(out, mesh)),
        Some(Format::Msh) => write_file(path, |out| msh::write(out, mesh)),
        Some(Format::Medit) if has_extension(path, "mesh") => write_file(path, |out| medit::write(out, mesh)),
        Some(Format::Abaqus) => write_file(path, |out| abaqus::write(out, mesh)),
        Some(Format::Off) => {
            let surface = surface(mesh);
            write_file(path, |out| off::write(out, surface.positions(), surface.triangles()))
        }
        Some(Format::Usda) if has_extension(path, "usda") => {
            let surface = surface(mesh);
            write_file(path, |out| usda::write(out, surface.positions(), surface.triangles()))
        }
        Some(Format::Gltf) if has_extension(path, "glb") => {
            let surface = surface(mesh);
            fits_f32(path, &surface)?;
            write_file(path, |out| glb::write(out, surface.positions(), surface.triangles()))
        }
        Some(_) | None => Err(ExportError::UnknownFormat { path: path.to_owned() }),
    }
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// Refuses coordinates that become infinite as f32.
fn fits_f32(path: &Path, surface: &TriMesh) -> Result<(), ExportError> {
    let fits = |p: &Vector3<f64>| p.iter().all(|&c| (c as f32).is_finite());
    match surface.positions().iter().position(|p| !fits(p)) {
        Some(index) => {
            let (path, what) = (path.to_owned(), "as f32, vertex".to_owned());
            Err(ExportError::NonFinite { path, frame: 0, what, index })
        }
        None => Ok(()),
    }
}

fn surface(mesh: &Mesh) -> Cow<'_, TriMesh> {
    match mesh {
        Mesh::Tri(mesh) => Cow::Borrowed(mesh),
        Mesh::Tet(mesh) => Cow::Owned(mesh.surface().mesh),
    }
}
