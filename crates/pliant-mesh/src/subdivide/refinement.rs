//! [`Refinement`]: a fine surface carried by a coarse one, by fixed weights.
//!
//! Subdivision is linear in the positions, so that every vertex of the fine surface is a sum of coarse vertices whose
//! weights depend on the triangles alone. They are found once, by the [rules](super::rule) applied to weights in
//! place of positions. With the rule of Loop (1987) the vertices are then put at the places to which further
//! subdivision would take them, see [`ring`](super::ring).

use std::ops::{Add, Mul, Sub};

use nalgebra::Vector3;

use super::ring::Rings;
use super::rule::{Cut, Subdivision, check_levels};
use crate::TriMesh;
use crate::generate::GenerateError;

/// A fine surface whose vertices are fixed sums of the vertices of a coarse one.
///
/// Its triangles are those of [`TriMesh::subdivide`]: old vertices keep their numbers, and the triangles 4ᵏ t to
/// 4ᵏ (t + 1) − 1 are those of triangle t after k levels.
///
/// ```
/// use pliant_mesh::{Refinement, Subdivision, TriMesh};
///
/// let coarse = TriMesh::icosphere(1.0, 2)?;
/// let fine = Refinement::new(&coarse, 2, Subdivision::Loop)?;
/// let at_rest = fine.apply(coarse.positions());
/// assert_eq!((at_rest.len(), fine.triangles().len()), (642, 16 * 80));
/// // Seen from outside, normals point out.
/// assert!(fine.normals(coarse.positions()).iter().zip(&at_rest).all(|(n, x)| n.dot(x) > 0.0));
/// # Ok::<(), pliant_mesh::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Refinement {
    coarse_vertices: usize,
    levels: usize,
    triangles: Vec<[u32; 3]>,
    /// Places in the coarse triangles.
    flat: Rows,
    /// Of the scheme of Loop.
    smooth: Option<Smooth>,
}

/// The smooth surface.
#[derive(Debug, Clone, PartialEq)]
struct Smooth {
    /// The vertices of the last level.
    control: Rows,
    /// Their neighbours, by which they go to their limits.
    rings: Rings,
}

impl Refinement {
    /// Divides each triangle into four, `levels` times.
    ///
    /// # Errors
    ///
    /// If there would be more than 2²⁷ triangles.
    pub fn new(coarse: &TriMesh, levels: usize, scheme: Subdivision) -> Result<Self, GenerateError> {
        check_levels(coarse, levels)?;
        let vertices = coarse.positions().len();
        let mut triangles = coarse.triangles().to_vec();
        let mut flat: Vec<Row> = (0..).take(vertices).map(Row::one).collect();
        let mut control = if scheme == Subdivision::Loop { flat.clone() } else { Vec::new() };
        for _ in 0..if triangles.is_empty() { 0 } else { levels } {
            let cut = Cut::new(&triangles);
            triangles = cut.triangles(&triangles, flat.len());
            flat = cut.values(&flat, Subdivision::Midpoint);
            if scheme == Subdivision::Loop {
                control = cut.values(&control, scheme);
            }
        }
        let smooth = (scheme == Subdivision::Loop)
            .then(|| Smooth { control: Rows::of(&control), rings: Rings::of(control.len(), &triangles) });
        Ok(Self { coarse_vertices: vertices, levels, triangles, flat: Rows::of(&flat), smooth })
    }

    /// The vertices where those of the coarse surface are at `coarse`, m.
    ///
    /// # Panics
    ///
    /// If `coarse` is not as long as the coarse surface's vertices.
    #[must_use]
    pub fn apply(&self, coarse: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        match &self.smooth {
            None => self.flat(coarse),
            Some(Smooth { control, rings }) => {
                self.check(coarse.len());
                rings.limits(&control.apply(coarse))
            }
        }
    }

    /// The vertices in the coarse triangles, where the midpoint scheme has them: the coarse surface in more triangles.
    ///
    /// # Panics
    ///
    /// If `coarse` is not as long as the coarse surface's vertices.
    #[must_use]
    pub fn flat(&self, coarse: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        self.check(coarse.len());
        self.flat.apply(coarse)
    }

    /// Interpolates a quantity from its values `coarse` at the coarse vertices, in any unit, linearly in the coarse
    /// triangles, so that it keeps its range.
    ///
    /// # Panics
    ///
    /// If `coarse` is not as long as the coarse surface's vertices.
    #[must_use]
    pub fn interpolate(&self, coarse: &[f64]) -> Vec<f64> {
        self.check(coarse.len());
        self.flat.apply(coarse)
    }

    /// Unit normals of the smooth surface at its vertices, on the side from which the triangles are counterclockwise.
    /// Those of the faces around a vertex with the midpoint scheme, and where the surface is not smooth; zero where it
    /// has no area.
    ///
    /// # Panics
    ///
    /// If `coarse` is not as long as the coarse surface's vertices.
    #[must_use]
    pub fn normals(&self, coarse: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        self.check(coarse.len());
        let control = self.smooth.as_ref().map_or(&self.flat, |smooth| &smooth.control).apply(coarse);
        let mut normals = vec![Vector3::zeros(); control.len()];
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|v| control[v as usize]);
            let area = (b - a).cross(&(c - a));
            corners.iter().for_each(|&v| normals[v as usize] += area);
        }
        if let Some(Smooth { rings, .. }) = &self.smooth {
            for (v, normal) in normals.iter_mut().enumerate() {
                let smooth = rings.normal(v, &control);
                // Opposite to its faces, a ring is folded over.
                if smooth.dot(normal) > 0.0 {
                    *normal = smooth;
                }
            }
        }
        normals.iter_mut().for_each(|normal| {
            *normal = normal.try_normalize(0.0).unwrap_or_default();
        });
        normals
    }

    /// The place of a vertex in the coarse triangles: the vertices of the triangle or of the edge that it lies on,
    /// ascending, with their weights.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn place(&self, vertex: usize) -> &[(u32, f64)] {
        self.flat.row(vertex)
    }

    /// The fine triangles.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// How many times each triangle was divided.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// Number of fine vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.flat.len()
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn check(&self, given: usize) {
        assert_eq!(given, self.coarse_vertices, "values given, vertices of the coarse surface");
    }
}

/// A sum of vertices: their numbers, ascending, with their weights.
#[derive(Debug, Clone, Default)]
pub(super) struct Row(Vec<(u32, f64)>);

impl Row {
    fn one(vertex: u32) -> Self {
        Self(vec![(vertex, 1.0)])
    }

    fn merge(self, other: Self, sign: f64) -> Self {
        let mut merged = Vec::with_capacity(self.0.len() + other.0.len());
        let mut rest = other.0.into_iter().peekable();
        for (v, weight) in self.0 {
            while let Some((before, weight)) = rest.next_if(|&(u, _)| u < v) {
                merged.push((before, sign * weight));
            }
            let same = rest.next_if(|&(u, _)| u == v).map_or(0.0, |(_, weight)| sign * weight);
            merged.push((v, weight + same));
        }
        merged.extend(rest.map(|(v, weight)| (v, sign * weight)));
        Self(merged)
    }
}

impl Add for Row {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.merge(other, 1.0)
    }
}

impl Sub for Row {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.merge(other, -1.0)
    }
}

impl Mul<f64> for Row {
    type Output = Self;

    fn mul(mut self, factor: f64) -> Self {
        self.0.iter_mut().for_each(|(_, weight)| *weight *= factor);
        self
    }
}

/// [`Row`]s one after the other.
#[derive(Debug, Clone, PartialEq)]
struct Rows {
    starts: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl Rows {
    fn of(rows: &[Row]) -> Self {
        let mut all = Self { starts: vec![0], entries: Vec::new() };
        for row in rows {
            all.entries.extend(row.0.iter().filter(|(_, weight)| *weight != 0.0));
            all.starts.push(all.entries.len());
        }
        all
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn row(&self, at: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[at]..self.starts[at + 1]]
    }

    fn apply<V: Copy + Default + Add<Output = V> + Mul<f64, Output = V>>(&self, values: &[V]) -> Vec<V> {
        let sum = |row: &[(u32, f64)]| {
            row.iter().fold(V::default(), |sum, &(v, weight)| sum + values[v as usize] * weight)
        };
        (0..self.len()).map(|at| sum(self.row(at))).collect()
    }
}

#[cfg(test)]
mod tests;
