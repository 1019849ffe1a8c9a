//! [`HeightField`]: ground that is given by its heights.

use nalgebra::Vector3;
use thiserror::Error;

use crate::{Aabb, Nearest, TriMesh, nearest_on_triangle};

/// The largest number of heights.
const MOST_HEIGHTS: usize = 1 << 26;

/// Why heights do not make a height field.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum HeightFieldError {
    /// Fewer than two rows or columns, or far too many.
    #[error(
        "{rows} × {columns} heights do not make a height field; give at least 2 × 2 and at most {MOST_HEIGHTS}"
    )]
    Size {
        /// Number of rows.
        rows: usize,
        /// Number of heights in a row.
        columns: usize,
    },
    /// A row is shorter or longer than the first.
    #[error(
        "row {row} (from 0) has {found} heights, and the first has {expected}; all rows must be equally long"
    )]
    Ragged {
        /// The row.
        row: usize,
        /// Its number of heights.
        found: usize,
        /// That of the first row.
        expected: usize,
    },
    /// A height is infinite or NaN.
    #[error("the height in row {row}, column {column} (from 0) is {value}; give a finite number, m")]
    NotFinite {
        /// The row.
        row: usize,
        /// The place in the row.
        column: usize,
        /// What was found.
        value: f64,
    },
    /// The place of the field is not valid.
    #[error("the {what} of the heights is {value}; give {expected}")]
    Place {
        /// The number.
        what: &'static str,
        /// What was found.
        value: String,
        /// What is expected.
        expected: &'static str,
    },
}

/// Ground over a grid: everything below its surface is solid, within the grid. Beside the grid there is nothing.
///
/// Each cell is two triangles with the diagonal from its lowest numbers to its highest. The surface faces y,
/// and gaps are distances from its nearest point; a point beside the grid is outside, however low it is.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::HeightField;
///
/// // Rows follow each other along z, the numbers of a row along x.
/// let rows = [[0.0, 0.0, 0.5], [0.0, 0.0, 0.5]];
/// let ground = HeightField::new(Vector3::zeros(), [1.0, 1.0], &rows)?;
/// let (gap, normal) = ground.gap(&Vector3::new(0.3, -0.1, 0.5));
/// assert!((gap + 0.1).abs() < 1e-12 && normal == Vector3::y());
/// # Ok::<(), pliant_mesh::HeightFieldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct HeightField {
    origin: Vector3<f64>,
    /// Between columns and between rows, m.
    spacing: [f64; 2],
    /// Heights in a row, and rows.
    counts: [usize; 2],
    /// Row by row, m above the origin.
    heights: Vec<f64>,
    /// The least and the greatest height of every cell, then of every four of them, and so on to one for all.
    levels: Vec<Level>,
    /// Nearer to the surface than this, m, differences have no direction.
    close: f64,
}

/// Ranges of heights, in rows.
#[derive(Debug, Clone, PartialEq)]
struct Level {
    counts: [usize; 2],
    ranges: Vec<[f64; 2]>,
}

/// Cells that are still to be searched: those under an entry of a level.
#[derive(Debug, Clone, Copy)]
struct Subtree {
    level: usize,
    at: [usize; 2],
    /// No point of them is nearer, m².
    distance_squared: f64,
}

impl HeightField {
    /// Ground through heights above `origin`, m: row by row along z, the numbers of a row along x, `spacing`
    /// apart along x and z, m.
    ///
    /// # Errors
    ///
    /// If there are fewer than two rows or columns, rows of different lengths, more than 2²⁶ heights, or
    /// numbers that are not finite or spacings that are not positive.
    pub fn new<R: AsRef<[f64]>>(
        origin: Vector3<f64>,
        spacing: [f64; 2],
        rows: &[R],
    ) -> Result<Self, HeightFieldError> {
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        if rows.len() < 2 || columns < 2 || rows.len().saturating_mul(columns) > MOST_HEIGHTS {
            return Err(HeightFieldError::Size { rows: rows.len(), columns });
        }
        let place = |what, value, expected| Err(HeightFieldError::Place { what, value, expected });
        if !origin.iter().all(|c| c.is_finite()) {
            return place("origin", format!("{:?}", origin.as_slice()), "finite numbers, m");
        }
        if !spacing.iter().all(|&s| s > 0.0 && s.is_finite()) {
            return place("spacing", format!("{spacing:?}"), "positive numbers, m");
        }
        let mut heights = Vec::with_capacity(rows.len() * columns);
        for (row, numbers) in rows.iter().map(AsRef::as_ref).enumerate() {
            if numbers.len() != columns {
                return Err(HeightFieldError::Ragged { row, found: numbers.len(), expected: columns });
            }
            if let Some(column) = numbers.iter().position(|h| !h.is_finite()) {
                return Err(HeightFieldError::NotFinite { row, column, value: numbers[column] });
            }
            heights.extend_from_slice(numbers);
        }
        let counts = [columns, rows.len()];
        let mut field =
            Self { origin, spacing, counts, levels: levels(counts, &heights), heights, close: 0.0 };
        field.close = 1e-10 * field.bounds().diagonal();
        Ok(field)
    }

    /// The surface, facing y.
    #[must_use]
    pub fn surface(&self) -> TriMesh {
        let [columns, rows] = self.counts;
        let positions = (0..rows).flat_map(|j| (0..columns).map(move |i| self.node([i, j]))).collect();
        let vertex = |[i, j]: [usize; 2]| (j * columns + i) as u32;
        let cells = (0..rows - 1).flat_map(|j| (0..columns - 1).map(move |i| [i, j]));
        let triangles = cells.flat_map(|cell| triangles_of(cell).map(|nodes| nodes.map(vertex))).collect();
        TriMesh::new(positions, triangles).expect("ground names its own vertices")
    }

    /// The box around the surface, m.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let top = self.levels.len() - 1;
        self.box_of(top, [0, 0])
    }

    /// The height of the surface over a place of the grid, m; none beside it.
    #[must_use]
    pub fn height(&self, x: f64, z: f64) -> Option<f64> {
        let place = [(x - self.origin.x) / self.spacing[0], (z - self.origin.z) / self.spacing[1]];
        let mut cell = [0; 2];
        let mut share = [0.0; 2];
        for k in 0..2 {
            let last = self.counts[k] - 1;
            if !(0.0..=last as f64).contains(&place[k]) {
                return None;
            }
            // The last node belongs to the cell before it.
            cell[k] = (place[k] as usize).min(last - 1);
            share[k] = place[k] - cell[k] as f64;
        }
        let h = |i: usize, j: usize| self.heights[(cell[1] + j) * self.counts[0] + cell[0] + i];
        let [u, v] = share;
        let above = if u < v {
            h(0, 0) + v * (h(0, 1) - h(0, 0)) + u * (h(1, 1) - h(0, 1))
        } else {
            h(0, 0) + u * (h(1, 0) - h(0, 0)) + v * (h(1, 1) - h(1, 0))
        };
        Some(self.origin.y + above)
    }

    /// The signed distance of a point, m, and the direction out.
    #[must_use]
    pub fn gap(&self, x: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let is_inside = self.height(x.x, x.z).is_some_and(|height| x.y < height);
        let (near, corners) = self.nearest(x);
        let sign = if is_inside { -1.0 } else { 1.0 };
        let (out, distance) = (x - near.point, near.distance());
        let normal = if distance > self.close {
            out * (sign / distance)
        } else {
            (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize()
        };
        (sign * distance, normal)
    }

    /// The nearest point of the surface, and the corners of its triangle.
    fn nearest(&self, x: &Vector3<f64>) -> (Nearest<3>, [Vector3<f64>; 3]) {
        let mut best = None;
        self.descend(x, self.part(x, self.levels.len() - 1, [0, 0]), &mut best);
        best.expect("ground has cells")
    }

    /// Searches a part of the ground for a nearer point.
    fn descend(&self, x: &Vector3<f64>, part: Subtree, best: &mut Option<(Nearest<3>, [Vector3<f64>; 3])>) {
        if best.is_some_and(|(near, _)| near.distance_squared <= part.distance_squared) {
            return;
        }
        if part.level == 0 {
            for nodes in triangles_of(part.at) {
                let corners = nodes.map(|node| self.node(node));
                let near = nearest_on_triangle(x, &corners);
                if best.is_none_or(|(best, _)| near.distance_squared < best.distance_squared) {
                    *best = Some((near, corners));
                }
            }
            return;
        }
        let below = part.level - 1;
        let (mut parts, mut count) = ([part; 4], 0);
        for [i, j] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            let at = [2 * part.at[0] + i, 2 * part.at[1] + j];
            if (0..2).all(|k| at[k] < self.levels[below].counts[k]) {
                parts[count] = self.part(x, below, at);
                count += 1;
            }
        }
        // The nearest of them is searched first.
        parts[..count].sort_by(|a, b| b.distance_squared.total_cmp(&a.distance_squared));
        parts[..count].iter().rev().for_each(|part| self.descend(x, *part, best));
    }

    fn part(&self, x: &Vector3<f64>, level: usize, at: [usize; 2]) -> Subtree {
        Subtree { level, at, distance_squared: self.box_of(level, at).distance_squared(x) }
    }

    /// The box around the cells under an entry of a level.
    fn box_of(&self, level: usize, at: [usize; 2]) -> Aabb {
        let [low, high] = self.levels[level].ranges[at[1] * self.levels[level].counts[0] + at[0]];
        let node = |k: usize, entry: usize| (entry << level).min(self.counts[k] - 1) as f64 * self.spacing[k];
        let corner = |entry: [usize; 2], height: f64| {
            self.origin + Vector3::new(node(0, entry[0]), height, node(1, entry[1]))
        };
        Aabb { min: corner(at, low), max: corner([at[0] + 1, at[1] + 1], high) }
    }

    fn node(&self, [i, j]: [usize; 2]) -> Vector3<f64> {
        let height = self.heights[j * self.counts[0] + i];
        self.origin + Vector3::new(i as f64 * self.spacing[0], height, j as f64 * self.spacing[1])
    }
}

/// The nodes of the two triangles of a cell, counter-clockwise seen from above.
fn triangles_of([i, j]: [usize; 2]) -> [[[usize; 2]; 3]; 2] {
    let (low, high) = ([i, j], [i + 1, j + 1]);
    [[low, [i, j + 1], high], [low, high, [i + 1, j]]]
}

fn levels(counts: [usize; 2], heights: &[f64]) -> Vec<Level> {
    let join = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
    let nodes = Level { counts, ranges: heights.iter().map(|&h| [h; 2]).collect() };
    // Of nodes to cells neighbours overlap, of cells to fours they do not.
    let joined = |below: &Level, counts: [usize; 2], stride: usize| {
        let entry = |i: usize, j: usize| {
            let columns = (stride * i)..below.counts[0].min(stride * i + 2);
            let rows = (stride * j)..below.counts[1].min(stride * j + 2);
            let all = rows.flat_map(|row| columns.clone().map(move |column| row * below.counts[0] + column));
            all.map(|at| below.ranges[at]).fold([f64::INFINITY, f64::NEG_INFINITY], join)
        };
        let ranges = (0..counts[1]).flat_map(|j| (0..counts[0]).map(move |i| (i, j)));
        Level { counts, ranges: ranges.map(|(i, j)| entry(i, j)).collect() }
    };
    let mut levels = vec![joined(&nodes, counts.map(|n| n - 1), 1)];
    while let Some(below) = levels.last().filter(|level| level.ranges.len() > 1) {
        let next = joined(below, below.counts.map(|n| n.div_ceil(2)), 2);
        levels.push(next);
    }
    levels
}
