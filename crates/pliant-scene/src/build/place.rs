//! Placing a mesh: centre, scale, rotate, translate, put to rest.

use nalgebra::{Matrix3, Vector3};
use pliant_io::Mesh;
use pliant_mesh::Aabb;

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BodyModel, Direction, Rotation};

/// The map x ↦ R S (x − c) + t.
#[derive(Debug, Clone)]
pub(crate) struct Placement {
    centre: Vector3<f64>,
    scale: Vector3<f64>,
    rotation: Matrix3<f64>,
    translation: Vector3<f64>,
}

impl Placement {
    /// The placement of a body whose mesh has these positions.
    pub(crate) fn new(body: &BodyModel, positions: &[Vector3<f64>]) -> Self {
        let bounds = Aabb::of_points(positions);
        let centre = match bounds {
            Some(bounds) if body.centre == Some(true) => bounds.centre(),
            _ => Vector3::zeros(),
        };
        let scale = match (body.scale, body.fit, bounds) {
            (Some(scale), ..) => Vector3::from(scale.factors()),
            (None, Some(size), Some(bounds)) => Vector3::repeat(size.get() / bounds.size().max()),
            (None, ..) => Vector3::repeat(1.0),
        };
        let rotation = body.rotate.as_ref().map_or_else(Matrix3::identity, matrix);
        let translation = Vector3::from(body.translate.unwrap_or_default());
        let mut placement = Self { centre, scale, rotation, translation };
        if let Some(height) = body.rest_on {
            let lowest = positions.iter().map(|p| placement.point(p).y).fold(f64::INFINITY, f64::min);
            if lowest.is_finite() {
                placement.translation.y += height.get() - lowest;
            }
        }
        placement
    }

    /// The image of a point.
    pub(super) fn point(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * (x - self.centre).component_mul(&self.scale) + self.translation
    }

    /// The point with this image.
    pub(super) fn back(&self, x: &Vector3<f64>) -> Vector3<f64> {
        (self.rotation.transpose() * (x - self.translation)).component_div(&self.scale) + self.centre
    }

    /// A direction of the mesh in the scene.
    pub(super) fn direction(&self, d: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * d
    }

    /// The images of points.
    pub(crate) fn points(&self, points: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        points.iter().map(|p| self.point(p)).collect()
    }

    /// The mesh, placed in the scene.
    pub(crate) fn apply(&self, at: &FieldPath, mesh: Mesh) -> Result<Mesh, Fault> {
        let placed = match mesh {
            Mesh::Tri(mesh) => mesh.map_positions(|x| self.point(x)).map(Mesh::Tri),
            Mesh::Tet(mesh) => mesh.map_positions(|x| self.point(x)).map(Mesh::Tet),
        };
        placed.map_err(|error| {
            Fault::new(
                at.clone(),
                format!("the placed mesh cannot be used: {error}"),
                "a placement within the range of numbers",
            )
        })
    }
}

/// The matrix of a rotation.
fn matrix(rotation: &Rotation) -> Matrix3<f64> {
    match rotation {
        Rotation::AxisAngle(turn) => about(&unit(turn.axis), turn.degrees.get()),
        Rotation::Euler(angles) => {
            let [x, y, z] = angles.get();
            about(&Vector3::z(), z) * about(&Vector3::y(), y) * about(&Vector3::x(), x)
        }
    }
}

/// The direction of length one, for components of any size.
pub(crate) fn unit(axis: Direction) -> Vector3<f64> {
    let axis = Vector3::from(axis.get());
    let scaled = axis / axis.amax();
    scaled / scaled.norm()
}

/// Rotation about a unit axis (Rodrigues' formula).
fn about(axis: &Vector3<f64>, degrees: f64) -> Matrix3<f64> {
    let (sin, cos) = sin_cos_degrees(degrees);
    let k = axis.cross_matrix();
    Matrix3::identity() + k * sin + k * k * (1.0 - cos)
}

/// Sine and cosine of an angle in degrees, exact at quarter turns and identical on every platform.
fn sin_cos_degrees(degrees: f64) -> (f64, f64) {
    let turn = degrees % 360.0;
    let quarters = libm::round(turn / 90.0);
    let rest = (turn - 90.0 * quarters).to_radians();
    let (sin, cos) = (libm::sin(rest), libm::cos(rest));
    match (quarters as i32).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AxisAngle, Finite, Positive, ScaleModel, Vector};

    fn cube() -> Vec<Vector3<f64>> {
        (0..8)
            .map(|i| Vector3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2) * 2.0))
            .collect()
    }

    #[test]
    fn quarter_turns_are_exact() {
        for (degrees, x, y) in
            [(90.0, 0.0, 1.0), (180.0, -1.0, 0.0), (-90.0, 0.0, -1.0), (450.0, 0.0, 1.0), (720.0, 1.0, 0.0)]
        {
            assert_eq!(about(&Vector3::z(), degrees) * Vector3::x(), Vector3::new(x, y, 0.0), "{degrees}");
        }
        let (sin, cos) = sin_cos_degrees(30.0);
        assert!((sin - 0.5).abs() < 1e-15 && (cos - 0.75_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn steps_follow_their_order() {
        let body = BodyModel {
            centre: Some(true),
            fit: Positive::new(4.0).ok(),
            rotate: Some(Rotation::AxisAngle(AxisAngle {
                axis: Direction::new([2.0, 0.0, 0.0]).unwrap(),
                degrees: Finite::new(90.0).unwrap(),
            })),
            translate: Vector::new([10.0, 5.0, 0.0]).ok(),
            rest_on: Finite::new(0.25).ok(),
            ..BodyModel::default()
        };
        let placed = Placement::new(&body, &cube()).points(&cube());
        let bounds = Aabb::of_points(&placed).unwrap();
        // The long axis z now points down: 4 m high, from a quarter of a metre up; translation along y is
        // overridden.
        assert_eq!(bounds.min, Vector3::new(9.0, 0.25, -1.0));
        assert_eq!(bounds.max, Vector3::new(11.0, 4.25, 1.0));
    }

    #[test]
    fn euler_angles_turn_about_x_then_y_then_z() {
        let angles = Vector::new([90.0, 90.0, 0.0]).unwrap();
        let body = BodyModel { rotate: Some(Rotation::Euler(angles)), ..BodyModel::default() };
        // y goes to z by the first, and to x by the second.
        assert_eq!(Placement::new(&body, &[]).point(&Vector3::y()), Vector3::x());
    }

    #[test]
    fn scale_may_differ_by_axis() {
        let body = BodyModel {
            scale: Some(ScaleModel::PerAxis([1.0, 2.0, 3.0].map(Positive::known))),
            ..BodyModel::default()
        };
        assert_eq!(Placement::new(&body, &[]).point(&Vector3::repeat(1.0)), Vector3::new(1.0, 2.0, 3.0));
    }
}
