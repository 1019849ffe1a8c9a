//! Cones without a tip: skirts, capes and flat rings of cloth.

use std::f64::consts::TAU;

use nalgebra::Vector3;

use super::check::{Check, GenerateError};
use super::turn::{centred, turn};
use crate::TriMesh;

impl TriMesh {
    /// The sheet between two level circles about the y axis: a skirt, a cape, or a flat ring.
    ///
    /// `top` and `bottom` are the radii of the circles and `height` is the distance between them, in metres; with a height of
    /// 0 the sheet is a flat ring. `segments` parts around, `rings` strips from the bottom to the top; cells are divided in
    /// turn one way and the other. With a `sector` in radians below a whole turn the sheet is open, and its opening faces +z.
    ///
    /// Vertex `j * n + i` is number i around, counter-clockwise seen from above, and number j from the bottom. A whole turn has
    /// `segments` vertices around (n) and begins at +x; a sector has one more.
    ///
    /// # Errors
    ///
    /// If there are fewer than three segments or no ring, or far too many, if a radius is not positive or the height is
    /// negative, if the circles are the same, or if the sector is not above 0 and at most a whole turn.
    pub fn cone(
        [top, bottom]: [f64; 2],
        height: f64,
        segments: usize,
        rings: usize,
        sector: f64,
    ) -> Result<Self, GenerateError> {
        let check = Check { shape: "cone" };
        check.length("top radius", top)?;
        check.length("bottom radius", bottom)?;
        if top == bottom || height != 0.0 {
            check.length("height", height)?;
        }
        check.count("segments", segments, 3)?;
        check.count("rings", rings, 1)?;
        check.elements(&[2, segments, rings])?;
        check.sector(sector)?;

        let is_closed = sector == TAU;
        let around = if is_closed { segments } else { segments + 1 };
        let direction = |i: usize| {
            if is_closed {
                return turn(i, segments);
            }
            // From the back, −z.
            let angle = centred(i, segments, sector);
            [-libm::sin(angle), libm::cos(angle)]
        };
        let mut positions = Vec::with_capacity(around * (rings + 1));
        for j in 0..=rings {
            let y = centred(j, rings, height);
            let share = j as f64 / rings as f64;
            let radius = bottom * (1.0 - share) + top * share;
            positions.extend((0..around).map(|i| {
                let [x, z] = direction(i);
                Vector3::new(radius * x, y, -radius * z)
            }));
        }
        let mut triangles = Vec::with_capacity(2 * segments * rings);
        for j in 0..rings {
            for i in 0..segments {
                let at = |i: usize, j: usize| (j * around + i % around) as u32;
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
                let cell = if (i + j) % 2 == 0 { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] };
                triangles.extend(cell);
            }
        }
        Ok(Self::new(positions, triangles).expect("a cone names its own vertices"))
    }
}
