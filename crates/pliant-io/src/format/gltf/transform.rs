//! [`Transform`]: where a node puts its mesh.

use nalgebra::{Matrix3, Matrix4, Quaternion, UnitQuaternion, Vector3};
use pliant_mesh::Local;
use serde_json::Value;

use super::json::vector;

/// An affine map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transform {
    linear: Matrix3<f64>,
    shift: Vector3<f64>,
    /// Whether it turns triangles inside out, so that their corners have to be exchanged (glTF 2.0, section 3.7.4).
    pub(super) mirrors: bool,
}

impl Transform {
    /// The identity.
    pub(super) fn identity() -> Self {
        Self { linear: Matrix3::identity(), shift: Vector3::zeros(), mirrors: false }
    }

    /// The transform of a node, by its matrix or by translation, rotation and scale; none if they are malformed.
    pub(super) fn of_node(node: &Value) -> Option<Self> {
        if let Some(matrix) = node.get("matrix") {
            let values: Vec<f64> = matrix.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
            let [a, b, c, _, d, e, f, _, g, h, i, _, x, y, z, _] = values[..] else { return None };
            // Column by column.
            return Some(Self::new(Matrix3::new(a, d, g, b, e, h, c, f, i), Vector3::new(x, y, z)));
        }
        let part = |name: &str, default: Vector3<f64>| node.get(name).map_or(Some(default), vector);
        let scale = part("scale", Vector3::repeat(1.0))?;
        let shift = part("translation", Vector3::zeros())?;
        let rotation = match node.get("rotation") {
            None => Matrix3::identity(),
            Some(value) => {
                UnitQuaternion::new_normalize(quaternion(value)?).to_rotation_matrix().into_inner()
            }
        };
        Some(Self::new(rotation * Matrix3::from_diagonal(&scale), shift))
    }

    fn new(linear: Matrix3<f64>, shift: Vector3<f64>) -> Self {
        Self { linear, shift, mirrors: linear.determinant() < 0.0 }
    }

    /// This one after `inner`.
    pub(super) fn then(&self, inner: &Self) -> Self {
        Self {
            linear: self.linear * inner.linear,
            shift: self.linear * inner.shift + self.shift,
            mirrors: self.mirrors != inner.mirrors,
        }
    }

    /// Where it puts a point.
    pub(super) fn apply(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.linear * point + self.shift
    }
}

/// The place of a node relative to its parent; none if that is malformed.
pub(super) fn local(node: &Value) -> Option<Local> {
    if node.get("matrix").is_some() {
        let Transform { linear, shift, .. } = Transform::of_node(node)?;
        let mut matrix = Matrix4::identity();
        matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&linear);
        matrix.fixed_view_mut::<3, 1>(0, 3).copy_from(&shift);
        return Some(Local::Matrix(matrix));
    }
    let mut local = pliant_mesh::Transform::default();
    if let Some(value) = node.get("translation") {
        local.translation = vector(value)?;
    }
    if let Some(value) = node.get("rotation") {
        local.rotation = quaternion(value)?;
    }
    if let Some(value) = node.get("scale") {
        local.scale = vector(value)?;
    }
    Some(Local::Transform(local))
}

/// A quaternion x, y, z, w that has a direction.
fn quaternion(value: &Value) -> Option<Quaternion<f64>> {
    let values: Vec<f64> = value.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let [x, y, z, w] = values[..] else { return None };
    Some(Quaternion::new(w, x, y, z)).filter(|quaternion| quaternion.norm() > 0.0)
}
