//! The checks that both kinds of mesh make on construction.

use nalgebra::Vector3;

use crate::error::MeshError;

/// Checks positions for finiteness.
pub(crate) fn check_positions(positions: &[Vector3<f64>]) -> Result<(), MeshError> {
    match positions.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
        Some(vertex) => Err(MeshError::NonFinitePosition { vertex, position: positions[vertex].into() }),
        None => Ok(()),
    }
}

/// Checks positions for finiteness and elements for range and repetition.
pub(crate) fn check_elements<const N: usize>(
    kind: &'static str,
    positions: &[Vector3<f64>],
    elements: &[[u32; N]],
) -> Result<(), MeshError> {
    let vertices = positions.len();
    if u32::try_from(vertices).is_err() {
        return Err(MeshError::TooManyVertices { vertices });
    }
    check_positions(positions)?;
    for (element, corners) in elements.iter().enumerate() {
        for (i, &index) in corners.iter().enumerate() {
            if index as usize >= vertices {
                return Err(MeshError::IndexOutOfRange { kind, element, index, vertices });
            }
            if corners[..i].contains(&index) {
                return Err(MeshError::RepeatedVertex { kind, element, index });
            }
        }
    }
    Ok(())
}
