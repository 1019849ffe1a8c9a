//! Rest shapes of finite elements: [`RestTriangle`] and [`RestTet`].
//!
//! Both hold the inverse of the matrix D̄ whose columns are the rest edges at x0, so that the deformation
//! gradient of an element is F = D D̄⁻¹ with D the same edges now.
//!
//! *Hazard of the Gram matrix.* A triangle's edges span a plane in space, and D̄ needs a basis of it.
//! Inverting the Gram matrix of the edges instead squares the condition number. Here the basis is that of the
//! edge x1x2:
//!
//! ```text
//! L = |x2−x1|    ê = (x2−x1)/L    s = (x0−x1)·ê    r = (x0−x1) − sê    h̄ = |r|    A₀ = ½Lh̄
//! D̄ = [[−s, L−s], [−h̄, −h̄]]        D̄⁻¹ = [[−h̄, −(L−s)], [h̄, −s]]/(h̄L)
//! ```
//!
//! with the part of r along ê taken out a second time, which gives the height of a thin triangle all of its digits.
//!
//! *Degenerate rest shapes* have no inverse. A triangle whose height is at most [`FLATTEST`] of its longest
//! side, or a tetrahedron whose volume is at most that share of the cube of its longest edge, is an error;
//! above that everything is finite.

use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};
use thiserror::Error;

/// The share of its size below which a rest shape counts as flat: 10⁻⁹.
pub const FLATTEST: f64 = 1e-9;

/// A rest shape that no element can have.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum RestShapeError {
    /// A coordinate is NaN or infinite.
    #[error("a rest position is not finite")]
    NonFinite,
    /// Two points that span an edge coincide.
    #[error("the rest edge has no length")]
    ShortEdge,
    /// Three points in line.
    #[error("the rest triangle is flat: its height is {height:e} m over a side of {side:e} m")]
    FlatTriangle {
        /// Height over the edge x1x2 (of a hinge: over the shared edge), m.
        height: f64,
        /// Longest side, m.
        side: f64,
    },
    /// Four points in a plane.
    #[error("the rest tetrahedron is flat: its volume is {volume:e} m³ with an edge of {edge:e} m")]
    FlatTet {
        /// Volume, m³.
        volume: f64,
        /// Longest edge, m.
        edge: f64,
    },
    /// A negative volume.
    #[error("the rest tetrahedron is inside out: its volume is {volume:e} m³; exchange two of its vertices")]
    InvertedTet {
        /// Volume, m³.
        volume: f64,
    },
    /// A warp direction at right angles to the triangle, or without length.
    #[error("the warp direction has no part in the plane of the rest triangle")]
    Warp,
}

/// A direction and what is left of a vector at right angles to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foot {
    /// Unit vector along the edge.
    pub(crate) direction: Vector3<f64>,
    /// Length of the edge L, m.
    pub(crate) length: f64,
    /// Where the foot of the point stands along the edge, s, m.
    pub(crate) along: f64,
    /// From the foot to the point, r, m.
    pub(crate) up: Vector3<f64>,
}

impl Foot {
    /// The foot of `point` on the line through `from` and `to`; an edge without length has none.
    pub(crate) fn new(
        point: &Vector3<f64>,
        from: &Vector3<f64>,
        to: &Vector3<f64>,
    ) -> Result<Self, RestShapeError> {
        let (edge, d) = (to - from, point - from);
        if !edge.iter().chain(d.iter()).all(|c| c.is_finite()) {
            return Err(RestShapeError::NonFinite);
        }
        let length = edge.norm();
        if length <= 0.0 || !length.is_finite() {
            return Err(RestShapeError::ShortEdge);
        }
        let direction = edge / length;
        let along = d.dot(&direction);
        let up = d - direction * along;
        let up = up - direction * up.dot(&direction);
        Ok(Self { direction, length, along, up })
    }

    /// The longest side of the triangle of the edge and the point, m.
    fn longest_side(&self, height: f64) -> f64 {
        let other = self.along.abs().max((self.length - self.along).abs());
        self.length.max(Vector2::new(other, height).norm())
    }

    /// The height over the edge, m, if it is enough to divide by.
    pub(crate) fn height(&self) -> Result<f64, RestShapeError> {
        self.checked(self.up.norm())
    }

    fn checked(&self, height: f64) -> Result<f64, RestShapeError> {
        let side = self.longest_side(height);
        if height > FLATTEST * side { Ok(height) } else { Err(RestShapeError::FlatTriangle { height, side }) }
    }
}

/// A triangle at rest: the inverse edge matrix in a material frame, and the area.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::RestTriangle;
///
/// let rest = RestTriangle::new(&[Vector3::zeros(), Vector3::x() * 2.0, Vector3::y()])?;
/// assert!((rest.area - 1.0).abs() < 1e-15);
/// // A point on the edge is lifted off it by a least height.
/// let stitch = RestTriangle::lifted(&[Vector3::x(), Vector3::zeros(), Vector3::x() * 2.0], 0.001)?;
/// assert_eq!(stitch.area, 0.001);
/// # Ok::<(), pliant_constraints::RestShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestTriangle {
    /// D̄⁻¹, 1/m: row j belongs to the edge x_j − x0, column a to the axis a of the material frame.
    pub inverse: Matrix2<f64>,
    /// Area A₀, m².
    pub area: f64,
}

impl RestTriangle {
    /// The rows of D̄⁻¹, 1/m, which belong to the points 1 and 2.
    pub(crate) fn inverse_rows(&self) -> [[f64; 2]; 2] {
        let i = &self.inverse;
        [[i[(0, 0)], i[(0, 1)]], [i[(1, 0)], i[(1, 1)]]]
    }

    /// From rest positions, m. The first material axis runs along the edge x1x2.
    ///
    /// # Errors
    ///
    /// If the triangle is flat (see [`FLATTEST`]) or a position not finite.
    pub fn new(rest: &[Vector3<f64>; 3]) -> Result<Self, RestShapeError> {
        Self::lifted(rest, 0.0)
    }

    /// The same, but with the point x0 lifted to at least the height `least`, m, over the *line* through x1 and x2.
    ///
    /// The result does not depend on the direction in which a point on the line is lifted.
    ///
    /// # Errors
    ///
    /// If x1 and x2 coincide, the lifted triangle is still flat, or a position or height not finite.
    pub fn lifted(rest: &[Vector3<f64>; 3], least: f64) -> Result<Self, RestShapeError> {
        let foot = Foot::new(&rest[0], &rest[1], &rest[2])?;
        if !least.is_finite() {
            return Err(RestShapeError::NonFinite);
        }
        let height = foot.checked(foot.up.norm().max(least))?;
        Ok(Self::in_edge_frame(foot.length, foot.along, height))
    }

    /// Turns the material frame so that its first axis is the direction `warp`, given at rest; only the part
    /// in the triangle's plane counts.
    ///
    /// `rest` are the positions that the triangle was made of.
    ///
    /// # Errors
    ///
    /// If that part is shorter than [`FLATTEST`] of `warp`, or the triangle flat.
    pub fn with_warp(self, rest: &[Vector3<f64>; 3], warp: &Vector3<f64>) -> Result<Self, RestShapeError> {
        let foot = Foot::new(&rest[0], &rest[1], &rest[2])?;
        let up = foot.up / foot.height()?;
        let direction = Vector2::new(warp.dot(&foot.direction), warp.dot(&up));
        let length = direction.norm();
        if !(length > FLATTEST * warp.norm() && length.is_finite()) {
            return Err(RestShapeError::Warp);
        }
        let (c, s) = (direction.x / length, direction.y / length);
        // F' = F Q with the warp and the weft, in the frame of the edge, as columns of Q.
        Ok(Self { inverse: self.inverse * Matrix2::new(c, -s, s, c), ..self })
    }

    /// From the length of the edge x1x2, the place of the foot of x0 along it and the height of x0 over it, m.
    fn in_edge_frame(length: f64, along: f64, height: f64) -> Self {
        let inverse = Matrix2::new(
            -1.0 / length,
            -(length - along) / (height * length),
            1.0 / length,
            -along / (height * length),
        );
        Self { inverse, area: 0.5 * length * height }
    }
}

/// A tetrahedron at rest: the inverse edge matrix and the volume.
///
/// ```
/// use nalgebra::{Matrix3, Vector3};
/// use pliant_constraints::RestTet;
///
/// let rest = RestTet::new(&[Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()])?;
/// assert_eq!(rest.inverse, Matrix3::identity());
/// assert_eq!(rest.volume, 1.0 / 6.0);
/// # Ok::<(), pliant_constraints::RestShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestTet {
    /// D̄⁻¹, 1/m: row j belongs to the edge x_j − x0, column a to the axis a of space at rest.
    pub inverse: Matrix3<f64>,
    /// Volume V₀, m³, positive.
    pub volume: f64,
}

impl RestTet {
    /// From rest positions, m.
    ///
    /// # Errors
    ///
    /// If the tetrahedron is flat (see [`FLATTEST`]) or inside out, or a position not finite.
    pub fn new(rest: &[Vector3<f64>; 4]) -> Result<Self, RestShapeError> {
        let (a, b, c) = (rest[1] - rest[0], rest[2] - rest[0], rest[3] - rest[0]);
        if ![a, b, c].iter().all(|e| e.iter().all(|c| c.is_finite())) {
            return Err(RestShapeError::NonFinite);
        }
        let edge = [a, b, c, b - a, c - a, c - b].iter().map(Vector3::norm).fold(0.0, f64::max);
        let faces = [b.cross(&c), c.cross(&a), a.cross(&b)];
        let determinant = faces[2].dot(&c);
        let volume = determinant / 6.0;
        if !(edge.is_finite() && volume.abs() > FLATTEST * (edge * edge * edge)) {
            return Err(RestShapeError::FlatTet { volume, edge });
        }
        if volume < 0.0 {
            return Err(RestShapeError::InvertedTet { volume });
        }
        let row = |j: usize| faces[j].transpose() / determinant;
        Ok(Self { inverse: Matrix3::from_rows(&[row(0), row(1), row(2)]), volume })
    }
}
