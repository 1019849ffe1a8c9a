//! The rest shape of a body that starts in another pose: the positions of another mesh file, or texture coordinates.
//!
//! The elements are those of the mesh. Only the positions without stress differ: lengths, areas, angles,
//! volumes and masses follow from the rest shape; pins, regions and contact follow from the positions at the
//! start.

mod texture;

use std::path::Path;

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::counted;

use super::held::Held;
use super::import::import;
use super::place::Placement;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BodyModel, UvScaleModel};
use crate::source::Source;

/// Edges that are on average this many times as long at rest as at the start, or the reverse, suggest another unit.
const OTHER_UNIT: f64 = 10.0;
/// Area of a triangle, as a fraction of the square of its longest edge, up to which it counts as zero:
/// coordinates are rounded.
const NO_AREA: f64 = 1e-12;

/// The placed body without stress, and remarks on it, one sentence each; `None` if that is the mesh.
pub(super) fn rest(
    at: &FieldPath,
    model: &BodyModel,
    held: &Held<'_>,
    placement: &Placement,
    source: &Source,
) -> Result<Option<(Mesh, Vec<String>)>, Fault> {
    let Some(path) = &model.rest else { return Ok(None) };
    let at = at.key("rest");
    let (positions, unit) = if model.rests_in_texture() {
        let scale = model.uv_scale.map_or([1.0; 2], UvScaleModel::lengths);
        (texture::positions(&at, held, scale, placement)?, "`uv_scale`")
    } else {
        (of_file(&at, path, held, placement, source)?, "the unit of its file")
    };
    let refuse = |problem: String| Fault::new(at.clone(), problem, "finite positions");
    let mesh = match held.mesh {
        Mesh::Tri(mesh) => mesh.with_positions(positions).map(Mesh::Tri),
        Mesh::Tet(mesh) => mesh.with_positions(positions).map(Mesh::Tet),
    };
    let mesh = mesh.map_err(|error| refuse(format!("the rest shape cannot be used: {error}")))?;
    refuse_flat(&at, &mesh)?;
    let notes = strain_notes(held.mesh, &mesh, unit);
    Ok(Some((mesh, notes)))
}

/// The vertices of a mesh file that has the body in another pose, placed as the body is.
fn of_file(
    at: &FieldPath,
    path: &Path,
    held: &Held<'_>,
    placement: &Placement,
    source: &Source,
) -> Result<Vec<Vector3<f64>>, Fault> {
    let there = import(at, path, false, source)?.mesh;
    let shown = path.display();
    let refuse = |problem: String, expected: &str| Err(Fault::new(at.clone(), problem, expected));
    let same = "the mesh of the body in another pose, with the same vertices and elements in the same order";
    let (found, wanted) = (there.positions().len(), held.file_vertices());
    if found != wanted {
        let problem = format!("{shown} has {found} vertices, but body {:?} has {wanted}", held.body);
        return refuse(problem, same);
    }
    match (&there, held.mesh) {
        (Mesh::Tri(there), Mesh::Tri(here)) => {
            same_elements(at, &shown, there.triangles(), here.triangles(), held)?;
        }
        (Mesh::Tet(there), Mesh::Tet(here)) => same_elements(at, &shown, there.tets(), here.tets(), held)?,
        (Mesh::Tri(_), Mesh::Tet(_)) => {
            return refuse(format!("{shown} is a surface, but the body is a solid"), same);
        }
        (Mesh::Tet(_), Mesh::Tri(_)) => {
            return refuse(format!("{shown} is a solid, but the body is a surface"), same);
        }
    }
    let of = |old: Option<usize>| match old {
        Some(old) => Ok(placement.point(&there.positions()[old])),
        None => Err(Fault::new(
            at.clone(),
            format!("the repair of body {:?} made vertices, for which {shown} has no position", held.body),
            "a mesh that is repaired beforehand (`pliant mesh repair`), and a rest shape of that",
        )),
    };
    held.file_numbers().into_iter().map(of).collect()
}

/// Refuses a file whose elements are not those of the body. A repaired mesh is not compared, because a repair
/// renumbers and divides elements.
fn same_elements<const N: usize>(
    at: &FieldPath,
    shown: &dyn std::fmt::Display,
    there: &[[u32; N]],
    here: &[[u32; N]],
    held: &Held<'_>,
) -> Result<(), Fault> {
    if held.repaired.is_some() {
        return Ok(());
    }
    let what = if N == 3 { "triangle" } else { "tetrahedron" };
    let expected = match N {
        3 => "the same triangles in the same order; triangulate both files alike where they have polygons",
        _ => "the same tetrahedra in the same order",
    };
    if there.len() != here.len() {
        let plural = if N == 3 { "triangles" } else { "tetrahedra" };
        let (found, wanted) = (there.len(), here.len());
        let problem = format!("{shown} has {found} {plural}, but body {:?} has {wanted}", held.body);
        return Err(Fault::new(at.clone(), problem, expected));
    }
    // In the numbers of the file; a solid that was turned round has its vertices in another order.
    let file = held.file_numbers();
    let number = |v: u32| file[v as usize].map_or(u32::MAX, |old| old as u32);
    let sorted = |mut element: [u32; N]| {
        element.sort_unstable();
        element
    };
    let differs = |(theirs, ours): (&[u32; N], &[u32; N])| sorted(*theirs) != sorted(ours.map(number));
    let Some(first) = there.iter().zip(here).position(differs) else { return Ok(()) };
    let (theirs, ours) = (there[first], here[first].map(number));
    let problem = format!(
        "{what} {first} (from 0) of {shown} has the vertices {theirs:?}, but that of body {:?} has {ours:?}",
        held.body
    );
    Err(Fault::new(at.clone(), problem, expected))
}

/// Refuses elements that have no size at rest, or are inside out.
fn refuse_flat(at: &FieldPath, mesh: &Mesh) -> Result<(), Fault> {
    let (bad, total, what, how) = match mesh {
        Mesh::Tri(mesh) => {
            let longest = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|v| mesh.positions()[v as usize]);
                (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared())
            };
            let flat = |(t, corners): (usize, &[u32; 3])| {
                (mesh.triangle_area(t) <= NO_AREA * longest(corners)).then_some(t)
            };
            let bad: Vec<usize> = mesh.triangles().iter().enumerate().filter_map(flat).collect();
            (bad, mesh.triangles().len(), "triangles", "no area")
        }
        Mesh::Tet(mesh) => (mesh.inverted(), mesh.tets().len(), "tetrahedra", "no positive volume"),
    };
    let Some(&first) = bad.first() else { return Ok(()) };
    let have = if bad.len() == 1 { "has" } else { "have" };
    let problem = format!(
        "{} of {total} {what} {have} {how} in the rest shape, the first is number {first} (from 0)",
        bad.len()
    );
    Err(Fault::new(at.clone(), problem, format!("a rest shape in which all {what} have a size")))
}

/// How far the edges are from rest at the start, and whether the units differ.
fn strain_notes(start: &Mesh, rest: &Mesh, unit: &str) -> Vec<String> {
    let edges = match rest {
        Mesh::Tri(mesh) => mesh.edges(),
        Mesh::Tet(mesh) => mesh.edges(),
    };
    let length =
        |mesh: &Mesh, [a, b]: [u32; 2]| (mesh.positions()[a as usize] - mesh.positions()[b as usize]).norm();
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    let (mut at_start, mut at_rest) = (0.0, 0.0);
    for &edge in &edges {
        let (here, there) = (length(start, edge), length(rest, edge));
        (least, most) = (least.min(here / there), most.max(here / there));
        (at_start, at_rest) = (at_start + here, at_rest + there);
    }
    let mut notes = vec![format!(
        "it starts away from its rest shape: {} {least:.3} to {most:.3} times as long as at rest",
        counted(edges.len(), "edge is", "edges are")
    )];
    let ratio = at_rest / at_start;
    if !(1.0 / OTHER_UNIT..=OTHER_UNIT).contains(&ratio) {
        notes.push(format!(
            "its rest shape is {ratio:.3e} times as large as its start, so it will snap to another size; \
            check {unit}"
        ));
    }
    notes
}
