//! The transform of a prim from its `xformOp:…` attributes.

use nalgebra::{Matrix4, Quaternion, Rotation3, UnitQuaternion, Vector3};

use crate::error::{ImportError, Place};
use crate::source::Source;

use super::attributes::Attributes;

/// The matrix of a prim, for column vectors, and whether it forgets those above it.
pub(super) fn local_matrix(
    attributes: &Attributes,
    line: usize,
    source: Source<'_>,
) -> Result<(Matrix4<f64>, bool), ImportError> {
    let Some(order) = attributes.get("xformOpOrder") else { return Ok((Matrix4::identity(), false)) };
    let mut matrix = Matrix4::identity();
    let mut resets = false;
    for name in &order.words {
        if name == "!resetXformStack!" {
            resets = true;
            matrix = Matrix4::identity();
            continue;
        }
        let (name, inverted) = match name.strip_prefix("!invert!") {
            Some(name) => (name, true),
            None => (name.as_str(), false),
        };
        let wrong = || {
            let found = name.chars().take(60).collect::<String>();
            source.parse_error(
                Place::Line(line),
                found.as_bytes(),
                "an operation with the numbers that it needs",
            )
        };
        let operation = operation(name, attributes.numbers(name)).ok_or_else(wrong)?;
        let operation = if inverted { operation.try_inverse().ok_or_else(wrong)? } else { operation };
        matrix *= operation;
    }
    Ok((matrix, resets))
}

/// The matrix of an operation such as `xformOp:rotateXYZ` or `xformOp:translate:pivot`; angles are in degrees.
fn operation(name: &str, numbers: &[f64]) -> Option<Matrix4<f64>> {
    let kind = name.strip_prefix("xformOp:")?.split(':').next()?;
    let axis = |axis: char, degrees: f64| {
        let axis = match axis {
            'X' => Vector3::x_axis(),
            'Y' => Vector3::y_axis(),
            _ => Vector3::z_axis(),
        };
        Rotation3::from_axis_angle(&axis, degrees.to_radians()).to_homogeneous()
    };
    Some(match (kind, numbers) {
        ("translate", &[x, y, z]) => Matrix4::new_translation(&Vector3::new(x, y, z)),
        ("scale", &[x, y, z]) => Matrix4::new_nonuniform_scaling(&Vector3::new(x, y, z)),
        ("rotateX" | "rotateY" | "rotateZ", &[degrees]) => axis(kind.chars().last()?, degrees),
        ("orient", &[w, x, y, z]) => {
            UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)).to_homogeneous()
        }
        // Written row by row for row vectors.
        ("transform", numbers) if numbers.len() == 16 => Matrix4::from_column_slice(numbers),
        (_, &[x, y, z]) => {
            let order = kind.strip_prefix("rotate").filter(|order| order.len() == 3)?;
            // The first letter turns first.
            order.chars().try_fold(Matrix4::identity(), |turned, letter| {
                let degrees = match letter {
                    'X' => x,
                    'Y' => y,
                    'Z' => z,
                    _ => return None,
                };
                Some(axis(letter, degrees) * turned)
            })?
        }
        _ => return None,
    })
}
