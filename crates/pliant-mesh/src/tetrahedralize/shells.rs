//! The connected parts of a surface that is filled: which of them are closed, and which are sheets.

use nalgebra::Vector3;

use crate::enclosed::six_volumes;
use crate::{Aabb, Components, TriMesh};

/// A part whose holes would need lids of more than this share of its area is a sheet, and not nearly closed:
/// a cube without a lid has a fifth, half a ball a half.
const SHEET: f64 = 0.25;

/// A connected part of the surface.
pub(super) struct Shell {
    /// m².
    pub(super) area: f64,
    /// Area of flat lids over its holes, m².
    pub(super) holes: f64,
    /// The volume that it encloses, m³; nothing that counts if it is open.
    pub(super) volume: f64,
    pub(super) is_closed: bool,
    pub(super) bounds: Aabb,
    /// One of its vertices, m.
    pub(super) first: Vector3<f64>,
}

impl Shell {
    pub(super) fn is_sheet(&self) -> bool {
        self.holes > SHEET * self.area
    }
}

/// All parts of a surface.
pub(super) struct Shells {
    pub(super) list: Vec<Shell>,
    /// The part of each triangle.
    pub(super) of_triangle: Vec<u32>,
    /// The part of each vertex that triangles use.
    pub(super) of_vertex: Vec<Option<u32>>,
    /// Edges with one triangle.
    pub(super) boundary_edges: usize,
    /// Whether all is closed and faces the same way.
    is_closed: bool,
}

impl Shells {
    pub(super) fn of(surface: &TriMesh) -> Self {
        let components = surface.components();
        let hinges = surface.hinges();
        let mut list: Vec<Option<Shell>> = (0..components.count()).map(|_| None).collect();
        for (t, &shell) in components.of_element().iter().enumerate() {
            let corners = surface.corners(t);
            let bounds = Aabb { min: corners[0], max: corners[0] };
            let shell = list[shell as usize].get_or_insert(Shell {
                area: 0.0,
                holes: 0.0,
                volume: 0.0,
                is_closed: true,
                bounds,
                first: corners[0],
            });
            shell.area += surface.triangle_area(t);
            shell.volume += six_volumes(&corners, shell.first) / 6.0;
            shell.bounds =
                corners.iter().fold(shell.bounds, |b, p| Aabb { min: b.min.inf(p), max: b.max.sup(p) });
        }
        let mut list: Vec<Shell> = list.into_iter().flatten().collect();
        let of_vertex = components.of_vertex().to_vec();
        for (outline, [a, _]) in outlines(surface, &hinges.boundary) {
            if let Some(shell) = of_vertex[a as usize] {
                list[shell as usize].holes += outline;
                list[shell as usize].is_closed = false;
            }
        }
        Self {
            list,
            of_triangle: components.of_element().to_vec(),
            of_vertex,
            boundary_edges: hinges.boundary.len(),
            is_closed: hinges.is_closed() && hinges.inconsistent.is_empty(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.list.len()
    }

    /// The volume that the surface encloses, m³, if it is closed and faces outwards; parts that overlap count twice.
    pub(super) fn enclosed(&self) -> Option<f64> {
        self.is_closed.then(|| self.list.iter().map(|shell| shell.volume).sum::<f64>().abs())
    }

    /// Area of flat lids over all holes as a share of the area.
    pub(super) fn holes(&self) -> f64 {
        let sum = |what: fn(&Shell) -> f64| self.list.iter().map(what).sum::<f64>();
        sum(|shell| shell.holes) / sum(|shell| shell.area)
    }

    /// Whether most of the surface is sheets.
    pub(super) fn are_sheets(&self) -> bool {
        let sheets: f64 = self.list.iter().filter(|shell| shell.is_sheet()).map(|shell| shell.area).sum();
        2.0 * sheets > self.list.iter().map(|shell| shell.area).sum()
    }
}

/// Area of a flat lid over each open boundary, m², and one of its edges. Edges that share a vertex are one boundary.
fn outlines(surface: &TriMesh, boundary: &[[u32; 2]]) -> Vec<(f64, [u32; 2])> {
    let loops = Components::of_elements(surface.positions().len(), boundary);
    let mut lids: Vec<Option<(Vector3<f64>, [u32; 2])>> = vec![None; loops.count()];
    let at = |v: u32| surface.positions()[v as usize];
    for (edge, &number) in boundary.iter().zip(loops.of_element()) {
        // Twice the vector area, seen from a point of the boundary.
        let (lid, first) = lids[number as usize].get_or_insert((Vector3::zeros(), *edge));
        let [a, b] = edge.map(|v| at(v) - at(first[0]));
        *lid += a.cross(&b);
    }
    lids.into_iter().flatten().map(|(lid, edge)| (0.5 * lid.norm(), edge)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lids_over_holes_have_their_area() {
        let sheet = Shells::of(&TriMesh::grid([5, 4], [2.0, 3.0]).unwrap());
        assert!((sheet.list[0].holes - 6.0).abs() < 1e-12 && (sheet.holes() - 1.0).abs() < 1e-12);
        assert!(sheet.are_sheets() && sheet.enclosed().is_none());
        let ball = TriMesh::icosphere(1.0, 12).unwrap();
        let whole = Shells::of(&ball);
        assert!(!whole.are_sheets() && whole.list[0].is_closed && whole.holes() == 0.0);
        assert!(whole.enclosed().is_some_and(|v| (v / ball.enclosed_volume() - 1.0).abs() < 1e-12));
        // Half a ball: π over 2 π. A lid of a fifth of the height: 2 π h and π (2 h − h²) with h = 0.4.
        let above = |z: f64| {
            let keep = |t: &[u32; 3]| t.iter().any(|&v| ball.positions()[v as usize].z > z);
            let triangles = ball.triangles().iter().copied().filter(keep).collect();
            Shells::of(&TriMesh::new(ball.positions().to_vec(), triangles).unwrap())
        };
        assert!(above(0.0).are_sheets() && (above(0.0).holes() - 0.5).abs() < 0.05);
        assert!(
            !above(-0.6).are_sheets() && (above(-0.6).holes() - 0.2).abs() < 0.05,
            "{}",
            above(-0.6).holes()
        );
    }

    #[test]
    fn parts_are_judged_each_for_itself() {
        let (mut positions, mut triangles) = TriMesh::icosphere(1.0, 8).unwrap().into_parts();
        let sheet = TriMesh::grid([3, 3], [0.5, 0.5]).unwrap();
        let n = positions.len() as u32;
        positions.extend_from_slice(sheet.positions());
        triangles.extend(sheet.triangles().iter().map(|t| t.map(|v| v + n)));
        let both = Shells::of(&TriMesh::new(positions, triangles).unwrap());
        assert_eq!(both.list.iter().map(Shell::is_sheet).collect::<Vec<_>>(), [false, true]);
        assert!(!both.are_sheets());
    }
}
