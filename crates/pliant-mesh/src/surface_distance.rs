//! How far one surface is from another, by samples.

use nalgebra::Vector3;
use serde::Serialize;

use crate::{SignedDistance, TriMesh};

/// The most parts that the sides of a triangle are divided into for samples.
const MOST_PARTS: f64 = 64.0;

/// Distances of the points of one surface from another. One way only: if one surface lacks a part of the
/// other, only the distance of the other shows it, so compute both.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SurfaceDistance {
    /// The largest distance of a sample, m: the one-sided Hausdorff distance, up to the spacing of the samples.
    pub max: f64,
    /// The mean over the area, m.
    pub mean: f64,
    /// The root of the mean square over the area, m.
    pub rms: f64,
    /// The sample at the largest distance, m.
    pub farthest: [f64; 3],
}

impl TriMesh {
    /// How far this surface is from another one: of its vertices, and of samples in its triangles about
    /// `spacing` metres apart. None if either has no triangle.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    ///
    /// let (large, small) = (TriMesh::icosphere(1.0, 16)?, TriMesh::icosphere(0.9, 16)?);
    /// let distance = large.distance_to(&small, 0.1).expect("both have triangles");
    /// assert!((distance.mean - 0.1).abs() < 0.01 && distance.max < 0.11);
    /// # Ok::<(), pliant_mesh::GenerateError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If `spacing` is not positive.
    #[must_use]
    pub fn distance_to(&self, other: &Self, spacing: f64) -> Option<SurfaceDistance> {
        assert!(spacing > 0.0, "samples need a positive spacing, not {spacing}");
        if self.triangles().is_empty() || other.triangles().is_empty() {
            return None;
        }
        let field = SignedDistance::new(other);
        let (mut max, mut farthest) = (-1.0, [0.0; 3]);
        let (mut sum, mut sum_of_squares, mut area) = (0.0, 0.0, 0.0);
        let mut look = |point: &Vector3<f64>, share: f64| {
            let distance = field.distance(point);
            if distance > max {
                (max, farthest) = (distance, (*point).into());
            }
            sum += share * distance;
            sum_of_squares += share * distance * distance;
            area += share;
        };
        for &v in self.triangles().iter().flatten() {
            look(&self.positions()[v as usize], 0.0);
        }
        for t in 0..self.triangles().len() {
            let [a, b, c] = self.corners(t);
            let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
            let parts = (longest / spacing).ceil().clamp(1.0, MOST_PARTS);
            let (u, v) = ((b - a) / parts, (c - a) / parts);
            let share = self.triangle_area(t) / (parts * parts);
            // The centroids of the parts, those that stand like the whole and those turned round.
            let n = parts as u32;
            for i in 0..n {
                for j in 0..n - i {
                    let corner = a + u * f64::from(i) + v * f64::from(j);
                    look(&(corner + (u + v) / 3.0), share);
                    if i + j + 1 < n {
                        look(&(corner + (u + v) * (2.0 / 3.0)), share);
                    }
                }
            }
        }
        let per_area = if area > 0.0 { 1.0 / area } else { 0.0 };
        Some(SurfaceDistance { max, mean: sum * per_area, rms: (sum_of_squares * per_area).sqrt(), farthest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_sheets_have_their_gap() {
        let sheet = TriMesh::grid([4, 3], [1.0, 1.0]).unwrap();
        let above = |height: f64, width: f64| {
            let moved = |p: &Vector3<f64>| Vector3::new(p.x * width, height, p.z);
            sheet.with_positions(sheet.positions().iter().map(moved).collect()).unwrap()
        };
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        let there = sheet.distance_to(&above(0.25, 1.0), 0.1).unwrap();
        assert!(near(there.max, 0.25) && near(there.mean, 0.25) && near(there.rms, 0.25), "{there:?}");
        // A larger sheet reaches farther: 0.5 m beyond each side.
        let back = above(0.0, 2.0).distance_to(&sheet, 0.05).unwrap();
        assert!(near(back.max, 0.5) && (back.mean - 0.125).abs() < 0.002, "{back:?}");
        assert!(near(back.farthest[0].abs(), 1.0));
        assert!(near(sheet.distance_to(&above(0.0, 2.0), 0.05).unwrap().max, 0.0));
        assert_eq!(sheet.distance_to(&TriMesh::default(), 0.1), None);
    }
}
