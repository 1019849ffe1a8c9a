//! Crossings of edges and triangles of a mesh, as `pliant mesh info` and `mesh check` report them.

use nalgebra::Vector3;
use pliant_contact::{CrossingCounter, Surface};
use pliant_io::Mesh;
use pliant_mesh::{TriMesh, coincident_vertices, counted, duplicate_elements};
use serde::Serialize;

/// How many crossings are listed.
const LISTED: usize = 5;
/// How many are counted.
const COUNTED: usize = 1_000_000;

/// Edge–triangle pairs of a surface, or of the boundary of a solid, that cross or touch and have no vertex in common.
#[derive(Debug, Serialize)]
pub(crate) struct Crossings {
    /// How many there are; of more than a million, a million.
    pub(crate) count: usize,
    /// Whether there are more than that.
    pub(crate) more: bool,
    /// The first of them, numbers from zero; if there are more, any.
    pub(crate) first: Vec<Crossing>,
}

/// An edge and a triangle that cross.
#[derive(Debug, Serialize)]
pub(crate) struct Crossing {
    /// The vertices at the ends of the edge.
    pub(crate) edge: [u32; 2],
    /// The vertices at the corners of the triangle.
    pub(crate) triangle: [u32; 3],
}

impl Crossings {
    /// Counts them exactly. Vertices at the same place count as one, so that seams do not count as crossings.
    pub(crate) fn of(mesh: &Mesh) -> Self {
        match mesh {
            Mesh::Tri(mesh) => Self::of_surface(mesh, |vertex| vertex),
            Mesh::Tet(mesh) => {
                let surface = mesh.surface();
                Self::of_surface(&surface.mesh, |vertex| surface.vertex_of[vertex as usize])
            }
        }
    }

    fn of_surface(mesh: &TriMesh, number: impl Fn(u32) -> u32) -> Self {
        let x = mesh.positions();
        let triangles = joined(x, mesh.triangles());
        let none = Self { count: 0, more: false, first: Vec::new() };
        // A mesh has no indices out of range and no coordinates that are not finite; coordinates that are too
        // large are reported elsewhere.
        let Ok(surface) = Surface::new(x.len(), &[&triangles]) else { return none };
        let Ok(found) = CrossingCounter::default().find_up_to(COUNTED + 1, &surface, x) else { return none };
        let name = |crossing: &pliant_contact::Crossing| Crossing {
            edge: surface.edges()[crossing.edge as usize].map(&number),
            triangle: surface.triangles()[crossing.triangle as usize].map(&number),
        };
        Self {
            count: found.len().min(COUNTED),
            more: found.len() > COUNTED,
            first: found.iter().take(LISTED).map(name).collect(),
        }
    }

    /// One line, and one more for each listed crossing.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![match self.count {
            0 => "crossings   none: no edge crosses a triangle".to_owned(),
            n if self.more => {
                format!("crossings   more than {n} edge–triangle pairs cross or touch, among them:")
            }
            n => format!(
                "crossings   {}, the first:",
                counted(n, "edge–triangle pair crosses or touches", "edge–triangle pairs cross or touch")
            ),
        }];
        lines.extend(self.first.iter().map(|crossing| {
            let ([p, q], [a, b, c]) = (crossing.edge, crossing.triangle);
            format!("            edge {p}–{q} and triangle {a}, {b}, {c}")
        }));
        lines
    }
}

/// The triangles with one vertex at each place, without those that have no area then and without duplicates.
fn joined(positions: &[Vector3<f64>], triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut first: Vec<u32> = (0..positions.len() as u32).collect();
    for [later, earlier] in coincident_vertices(positions) {
        first[later as usize] = earlier;
    }
    let joined = triangles.iter().map(|corners| corners.map(|v| first[v as usize]));
    let joined: Vec<[u32; 3]> = joined.filter(|&[a, b, c]| a != b && b != c && c != a).collect();
    let copies = duplicate_elements(positions.len(), &joined);
    let mut copies = copies.iter().map(|&[later, _]| later).peekable();
    (0..).zip(joined).filter(|&(i, _)| copies.next_if_eq(&i).is_none()).map(|(_, corners)| corners).collect()
}
