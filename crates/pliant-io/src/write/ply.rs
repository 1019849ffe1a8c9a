//! PLY, binary with the least significant byte first.

use std::io::{self, Write};

use nalgebra::Vector3;

use super::Precision;

/// Writes a surface.
pub(crate) fn write(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    precision: Precision,
) -> io::Result<()> {
    let real = match precision {
        Precision::Single => "float",
        Precision::Double => "double",
    };
    // Most programs only know signed indices; beyond their range there is no choice.
    let index = if i32::try_from(positions.len()).is_ok() { "int" } else { "uint" };
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty {real} x\nproperty {real} y\nproperty {real} z\n\
         element face {}\nproperty list uchar {index} vertex_indices\nend_header\n",
        positions.len(),
        triangles.len()
    )?;
    for coordinate in positions.iter().flat_map(Vector3::iter) {
        match precision {
            Precision::Single => out.write_all(&(*coordinate as f32).to_le_bytes())?,
            Precision::Double => out.write_all(&coordinate.to_le_bytes())?,
        }
    }
    for triangle in triangles {
        out.write_all(&[3])?;
        for vertex in triangle {
            out.write_all(&vertex.to_le_bytes())?;
        }
    }
    Ok(())
}
