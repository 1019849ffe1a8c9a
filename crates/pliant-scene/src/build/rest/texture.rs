//! Texture coordinates as the rest shape of cloth.
//!
//! Every vertex has one rest position, so it needs one pair of coordinates. A seam of the texture gives its
//! vertices two: such a mesh is refused, because either pair would stretch the triangles on the other side.
//! If the file has a copy of the vertex for each side, as glTF does, the pieces are separate and stitches sew
//! them.

use nalgebra::{Vector2, Vector3};
use pliant_io::{Attributes, Location, Mesh};
use pliant_mesh::{Components, TriMesh, counted};

use super::super::held::Held;
use super::super::named::Named;
use super::super::place::Placement;
use crate::error::Fault;
use crate::field::FieldPath;

/// The names of texture coordinates in formats and programs.
const NAMES: [&str; 8] =
    ["uv", "UV", "TEXCOORD_0", "st", "texcoord", "texture_coordinates", "TCoords", "Texture Coordinates"];
/// The same if each coordinate is an attribute of its own, as in PLY.
const PAIRS: [[&str; 2]; 4] =
    [["s", "t"], ["u", "v"], ["texture_u", "texture_v"], ["texture_s", "texture_t"]];

/// The positions of the vertices in the texture, m: u along the x axis of the mesh, v against its z axis,
/// rotated like the body. Pieces of the mesh are placed side by side, whatever their places in the texture.
pub(super) fn positions(
    at: &FieldPath,
    held: &Held<'_>,
    scale: [f64; 2],
    placement: &Placement,
) -> Result<Vec<Vector3<f64>>, Fault> {
    let Mesh::Tri(mesh) = held.mesh else {
        let problem = "texture coordinates are flat, but the mesh is made of tetrahedra";
        return Err(Fault::new(at.clone(), problem, "a file with the solid at rest, or cloth"));
    };
    let expected = "a mesh file with texture coordinates at its vertices: `vt` of OBJ, TEXCOORD_0 of glTF, or an attribute `uv` or `st`";
    let refuse = |problem: String| Fault::new(at.clone(), problem, expected);
    let (file, attributes) = match held.named {
        Named::File(file, attributes) => (file, attributes),
        Named::Nothing(why) => {
            return Err(refuse(format!("body {:?} has no texture coordinates: {why}", held.body)));
        }
    };
    let found =
        coordinates(attributes).ok_or_else(|| refuse(format!("{file} has no texture coordinates")))?;
    let missing = |x: &Vector2<f64>| !(x.x.is_finite() && x.y.is_finite());
    if let Some(first) = found.iter().position(missing) {
        let count = found.iter().filter(|x| missing(x)).count();
        let problem = format!(
            "{count} of {} {} no texture coordinates of {} own in {file}, the first is vertex {first} (from 0)",
            counted(found.len(), "vertex", "vertices"),
            if count == 1 { "has" } else { "have" },
            if count == 1 { "its" } else { "their" },
        );
        return Err(Fault::new(
            at.clone(),
            problem,
            "one pair for each vertex: where a seam of the texture gives a vertex two, split the mesh along the seam and sew it with a `[[stitch]]`",
        ));
    }
    let flat: Vec<Vector2<f64>> =
        found.iter().map(|x| Vector2::new(x.x * scale[0], x.y * scale[1])).collect();
    refuse_folds(at, mesh, &flat)?;
    let apart = apart(mesh, flat);
    Ok(apart.iter().map(|x| placement.direction(&Vector3::new(x.x, 0.0, -x.y))).collect())
}

/// The texture coordinates of every vertex; NaN if it has none.
fn coordinates(attributes: &Attributes) -> Option<Vec<Vector2<f64>>> {
    let field = |name: &str| attributes.field(name, Location::Vertices);
    let whole = NAMES.into_iter().filter_map(field).find(|field| field.components() >= 2);
    let of_pair = |[u, v]: [&str; 2]| Some((field(u)?, field(v)?));
    let (u, v) = match whole {
        Some(field) => (field.component(0), field.component(1)),
        None => {
            let single = PAIRS.into_iter().filter_map(of_pair);
            let (u, v) = single.into_iter().find(|(u, v)| u.components() == 1 && v.components() == 1)?;
            (u.component(0), v.component(0))
        }
    };
    Some(u.into_iter().zip(v).map(|(u, v)| Vector2::new(u, v)).collect())
}

/// Refuses neighbours that lie on top of each other in the texture: their rest angle would be a full fold.
fn refuse_folds(at: &FieldPath, mesh: &TriMesh, x: &[Vector2<f64>]) -> Result<(), Fault> {
    let hinges = mesh.hinges();
    let side = |[a, b]: [u32; 2], c: u32| {
        let [a, b, c] = [a, b, c].map(|v| x[v as usize]);
        (b - a).perp(&(c - a))
    };
    let folded = |hinge: &&pliant_mesh::Hinge| {
        let [c, d] = hinge.opposite.map(|v| side(hinge.edge, v));
        c * d > 0.0
    };
    let count = hinges.interior.iter().filter(folded).count();
    let Some(first) = hinges.interior.iter().find(folded) else { return Ok(()) };
    let [a, b] = first.edge;
    let problem = format!(
        "the texture is folded over at {}, the first joins the vertices {a} and {b} (from 0)",
        counted(count, "edge", "edges")
    );
    let expected = "a texture in which neighbouring triangles lie side by side; a mirrored half needs a seam";
    Err(Fault::new(at.clone(), problem, expected))
}

/// The pieces of the mesh moved apart along u: islands of the texture may overlap, and pieces that overlap at
/// rest would touch.
fn apart(mesh: &TriMesh, mut x: Vec<Vector2<f64>>) -> Vec<Vector2<f64>> {
    let pieces = Components::of_elements(x.len(), mesh.triangles());
    if pieces.count() < 2 {
        return x;
    }
    let mut extents = vec![[f64::INFINITY, f64::NEG_INFINITY]; pieces.count()];
    for (piece, x) in pieces.of_vertex().iter().zip(&x) {
        let Some(piece) = piece else { continue };
        let [low, high] = &mut extents[*piece as usize];
        (*low, *high) = (low.min(x.x), high.max(x.x));
    }
    let gap = extents.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
    let mut next = 0.0;
    let shifts: Vec<f64> = extents
        .iter()
        .map(|[low, high]| {
            let shift = next - low;
            next += high - low + gap;
            shift
        })
        .collect();
    for (piece, x) in pieces.of_vertex().iter().zip(&mut x) {
        x.x += piece.map_or(0.0, |piece| shifts[piece as usize]);
    }
    x
}
