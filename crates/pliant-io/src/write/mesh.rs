//! [`write_mesh`]: a single mesh to a file.

use std::borrow::Cow;
use std::path::Path;

use nalgebra::Vector3;
use pliant_mesh::TriMesh;

use super::atomic::write_file;
use super::columns::{boundary, colours};
use super::{
    ExportError, Frame, Precision, VtuOptions, abaqus, glb, medit, msh, obj, off, ply, stl, tetgen, usda,
    vtk_legacy, vtu,
};
use crate::{Attribute, Attributes, Format, Group, Location, Mesh};

/// Writes a mesh in the format that the extension stands for: `.obj`, `.ply`, `.stl`, `.off`, `.glb`, `.usda`, `.vtp`,
/// `.vtu`, `.vtk`, `.msh`, `.mesh`, `.inp`, or `.node` and `.ele`, of which either writes both.
///
/// OBJ, PLY, STL, OFF, GLB and USDA hold surfaces only: of a solid they get the boundary, with the vertices
/// that it uses. VTP holds surfaces only too, and is VTU's name for them: it refuses solids, which belong in
/// `.vtu`. TetGen's files hold solids only. All but STL and GLB keep every digit. The file appears whole or
/// not at all, over one that stands there.
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
    write_mesh_with(path, mesh, &Attributes::default()).map(|_| ())
}

/// Writes a mesh as [`write_mesh`] does, with those of its attributes that the format supports. Returns the
/// names of the others.
///
/// | format | attributes | groups |
/// |---|---|---|
/// | VTU, VTP, legacy VTK | all | as numbers 0 and 1, which [`Attributes::group`] knows |
/// | MSH | as data of nodes and elements, `gmsh:physical` and `gmsh:geometrical` as tags | physical groups; of vertices by point elements; as data of 0 and 1 where elements are in two |
/// | PLY | a property for each component | as numbers 0 and 1 |
/// | OBJ | colours of vertices | of triangles |
/// | MEDIT | references (`medit:ref`, `gmsh:physical`, `tetgen:ref`) | – |
/// | Abaqus | – | node and element sets |
///
/// Where a format holds surfaces only, a triangle of the boundary has the numbers and groups of its tetrahedron.
///
/// # Errors
///
/// As [`write_mesh`], and if the attributes do not [fit](Attributes::fit) the mesh.
pub fn write_mesh_with(
    path: impl AsRef<Path>,
    mesh: &Mesh,
    attributes: &Attributes,
) -> Result<Vec<String>, ExportError> {
    let path = path.as_ref();
    let fits = attributes.fit(mesh.positions().len(), mesh.element_count());
    fits.map_err(|source| ExportError::Attribute { path: path.to_owned(), source })?;
    let format = Format::from_path(path);
    let mut left_out = without_room(format, attributes);
    match format {
        Some(Format::Obj) => {
            let (surface, attributes) = surface_with(mesh, attributes);
            write_file(path, |out| {
                obj::write_with(out, surface.positions(), surface.triangles(), &attributes)
            })
        }
        Some(Format::Ply) => {
            let (surface, attributes) = surface_with(mesh, attributes);
            let (positions, triangles) = (surface.positions(), surface.triangles());
            write_file(path, |out| {
                ply::write_with(out, positions, triangles, Precision::Double, &attributes, &mut left_out)
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
            let options = VtuOptions { precision: Precision::Double, ..VtuOptions::default() };
            let grid = match mesh {
                _ if !has_extension(path, "vtp") => vtu::Grid::new(mesh, options),
                Mesh::Tri(surface) => vtu::Grid::polygons(surface, options),
                Mesh::Tet(_) => return Err(ExportError::NotASurface { path: path.to_owned() }),
            };
            let frame = Frame::new(attributes.time.unwrap_or(0.0), mesh.positions());
            write_file(path, |out| grid.write_with(out, &frame, attributes, &mut left_out))
        }
        Some(Format::VtkLegacy) => {
            write_file(path, |out| vtk_legacy::write(out, mesh, attributes, &mut left_out))
        }
        Some(Format::Msh) => write_file(path, |out| msh::write(out, mesh, attributes)),
        Some(Format::Medit) if has_extension(path, "mesh") => {
            write_file(path, |out| medit::write(out, mesh, attributes))
        }
        Some(Format::TetGen) => match mesh {
            Mesh::Tet(mesh) => tetgen::write(path, mesh),
            Mesh::Tri(_) => Err(ExportError::NotASolid { path: path.to_owned() }),
        },
        Some(Format::Abaqus) => write_file(path, |out| abaqus::write(out, mesh, attributes)),
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
    }?;
    left_out.sort_unstable();
    left_out.dedup();
    Ok(left_out)
}

/// The names of attributes and groups that a format does not keep at all.
fn without_room(format: Option<Format>, attributes: &Attributes) -> Vec<String> {
    let group_fits = |group: &&Group| match format {
        Some(Format::Vtu | Format::VtkLegacy | Format::Msh | Format::Ply | Format::Abaqus) => true,
        Some(Format::Obj) => group.location() == Location::Elements,
        _ => false,
    };
    let same = |field: &Attribute, other: Option<&Attribute>| {
        other.is_some_and(|other| (other.name(), other.location()) == (field.name(), field.location()))
    };
    let field_fits = |field: &&Attribute| match format {
        Some(Format::Vtu | Format::VtkLegacy | Format::Msh | Format::Ply) => true,
        Some(Format::Obj) => same(field, colours(attributes)),
        Some(Format::Medit) => same(field, medit::references(attributes, field.location())),
        _ => false,
    };
    let fields = attributes.fields().iter().filter(|field| !field_fits(field)).map(Attribute::name);
    let groups = attributes.groups().iter().filter(|group| !group_fits(group)).map(Group::name);
    fields.chain(groups).map(str::to_owned).collect()
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

/// A surface with its attributes; of a solid the boundary with those there.
fn surface_with<'a>(mesh: &'a Mesh, attributes: &'a Attributes) -> (Cow<'a, TriMesh>, Cow<'a, Attributes>) {
    match mesh {
        Mesh::Tri(mesh) => (Cow::Borrowed(mesh), Cow::Borrowed(attributes)),
        Mesh::Tet(mesh) => {
            let (surface, attributes) = boundary(mesh, attributes);
            (Cow::Owned(surface), Cow::Owned(attributes))
        }
    }
}
