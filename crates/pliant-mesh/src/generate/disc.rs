//! A disc of concentric rings, which is also the end of a cylinder and the cross-section of a torus.

use nalgebra::Vector3;

use super::check::{Check, GenerateError};
use super::turn::turn;
use crate::TriMesh;

impl TriMesh {
    /// A horizontal disc of concentric rings about the origin, its upper side outwards.
    ///
    /// `radius` in metres. Ring k has 6 k vertices evenly spaced, so that `rings` rings make 6 `rings`² triangles of
    /// about the same size. Vertex 0 is the centre.
    ///
    /// # Errors
    ///
    /// If there is no ring, or there are far too many, or the radius is not positive.
    pub fn disc(radius: f64, rings: usize) -> Result<Self, GenerateError> {
        let check = Check { shape: "disc" };
        check.length("radius", radius)?;
        check.count("rings", rings, 1)?;
        check.elements(&[6, rings, rings])?;
        let disc = Rings::new(rings, |k| 6 * k);
        let positions = disc.points().map(|[x, z]| Vector3::new(radius * x, 0.0, -radius * z)).collect();
        Ok(Self::new(positions, disc.triangles).expect("a disc names its own vertices"))
    }
}

/// The unit disc as concentric rings: vertex 0 in the centre, then the rings from the inside out.
pub(super) struct Rings {
    /// Vertices of each ring; the first is the centre alone.
    counts: Vec<usize>,
    /// Counter-clockwise triangles.
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Rings {
    /// `rings` rings of the same width, with `count(k)` vertices on ring k = 1, 2, ….
    pub(super) fn new(rings: usize, count: impl Fn(usize) -> usize) -> Self {
        let counts: Vec<usize> = std::iter::once(1).chain((1..=rings).map(count)).collect();
        let mut triangles = Vec::new();
        let mut start = 0;
        for pair in counts.windows(2) {
            bridge(start, pair[0], start + pair[0], pair[1], &mut triangles);
            start += pair[0];
        }
        Self { counts, triangles }
    }

    /// Number of vertices.
    pub(super) fn len(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Number of the first vertex of the outermost ring.
    pub(super) fn rim(&self) -> usize {
        self.len() - self.counts[self.counts.len() - 1]
    }

    /// Vertices as points of the unit disc.
    pub(super) fn points(&self) -> impl Iterator<Item = [f64; 2]> {
        let rings = self.counts.len() - 1;
        self.counts.iter().enumerate().flat_map(move |(k, &n)| {
            let radius = k as f64 / rings as f64;
            (0..n).map(move |i| turn(i, n).map(|c| radius * c))
        })
    }
}

/// Fills the space between a ring of `inner` vertices and a ring of `outer` vertices around it with
/// triangles; both begin at angle zero, at the vertices `inner_start` and `outer_start`. A ring of one vertex
/// is a point.
fn bridge(inner_start: usize, inner: usize, outer_start: usize, outer: usize, triangles: &mut Vec<[u32; 3]>) {
    let at = |start: usize, count: usize, i: usize| (start + i % count) as u32;
    let inner_sides = if inner == 1 { 0 } else { inner };
    let (mut i, mut j) = (0, 0);
    while i < inner_sides || j < outer {
        let (here, there) = (at(inner_start, inner, i), at(outer_start, outer, j));
        // Steps along the ring whose next vertex comes first; angles are compared as integers, and where they are
        // equal the inner ring goes first, so that both rings end together.
        if i < inner_sides && (i + 1) * outer <= (j + 1) * inner {
            triangles.push([here, there, at(inner_start, inner, i + 1)]);
            i += 1;
        } else {
            triangles.push([here, there, at(outer_start, outer, j + 1)]);
            j += 1;
        }
    }
}
