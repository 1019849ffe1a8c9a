//! [`RawMesh`]: the output of a reader, before the checks that all formats share.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use crate::raw_attributes::RawAttributes;

/// Arrays as read from a file; `finish` checks them and writes the report.
///
/// A reader that knows the line or byte of an element makes the checks itself, for the better message;
/// `finish` checks the rest, and knows only the number of the element.
#[derive(Debug, Default)]
pub(crate) struct RawMesh {
    /// Vertex positions in the order of the file.
    pub(crate) positions: Vec<Vector3<f64>>,
    /// Triangles in the order of the file, counted from 0, polygons as fans until `finish` splits again those that
    /// fold.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Tetrahedra in the order of the file, counted from 0.
    pub(crate) tets: Vec<[u32; 4]>,
    /// The polygons of more than three corners, as fans.
    pub(crate) polygons: Vec<Run>,
    /// Number of faces that name a vertex twice in a row and were read without.
    pub(crate) faces_shortened: usize,
    /// Number of cells left out, by kind.
    pub(crate) skipped: BTreeMap<String, usize>,
    /// Number of copies of vertices that were merged.
    pub(crate) vertices_welded: usize,
    /// Sentences for the report.
    pub(crate) notes: Vec<String>,
    /// The data of vertices and cells, if that is wanted.
    pub(crate) attributes: Option<Box<RawAttributes>>,
}

impl RawMesh {
    /// Adds a polygon as a fan around its first corner: (0, 1, 2), (0, 2, 3)… Fewer than three corners add nothing.
    pub(crate) fn push_polygon(&mut self, corners: &[u32]) {
        let [first, rest @ ..] = corners else { return };
        let start = self.triangles.len();
        self.triangles.extend(rest.windows(2).map(|edge| [*first, edge[0], edge[1]]));
        if corners.len() <= 3 {
            return;
        }
        match self.polygons.last_mut() {
            Some(run)
                if run.corners == corners.len() && run.start + run.count * (run.corners - 2) == start =>
            {
                run.count += 1;
            }
            _ => self.polygons.push(Run { start, corners: corners.len(), count: 1 }),
        }
    }

    /// Number of polygons of more than three corners.
    pub(crate) fn polygon_count(&self) -> usize {
        self.polygons.iter().map(|run| run.count).sum()
    }

    /// Adds a polygon of three corners or more. A vertex that it names twice in a row is taken once, and a
    /// polygon that then has fewer than three corners is counted and left out: it has no area in any pose. (A
    /// polygon may meet a vertex again, as one around a hole does.)
    pub(crate) fn push_face(&mut self, corners: &[u32]) {
        let [first, rest @ ..] = corners else { return };
        let is_sound = |edge: &[u32]| edge[0] != edge[1] && !edge.contains(first);
        if rest.windows(2).all(is_sound) {
            self.push_polygon(corners);
            return;
        }
        let mut kept = corners.to_vec();
        kept.dedup();
        while kept.len() > 1 && kept.first() == kept.last() {
            kept.pop();
        }
        // The fan goes around a corner that does not occur again: no triangle of it names a vertex twice.
        let mut sorted = kept.clone();
        sorted.sort_unstable();
        let once = |corner: &u32| {
            let at = sorted.partition_point(|other| other < corner);
            sorted.get(at + 1) != Some(corner)
        };
        match kept.iter().position(once) {
            Some(corner) if kept.len() >= 3 => {
                self.faces_shortened += usize::from(kept.len() < corners.len());
                kept.rotate_left(corner);
                self.push_polygon(&kept);
            }
            _ => self.skip("face that names a vertex twice", 1),
        }
    }

    /// Counts `count` cells of a kind that is not read, such as `"line"`.
    pub(crate) fn skip(&mut self, kind: &str, count: usize) {
        if count == 0 {
            return;
        }
        // Not `entry`: it would allocate a name for each of millions of cells.
        if let Some(sum) = self.skipped.get_mut(kind) {
            *sum += count;
        } else {
            self.skipped.insert(kind.to_owned(), count);
        }
    }
}

/// Polygons of the same number of corners that were fanned one behind the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    /// The first triangle.
    pub(crate) start: usize,
    /// The number of corners of each, more than three.
    pub(crate) corners: usize,
    /// The number of polygons.
    pub(crate) count: usize,
}
