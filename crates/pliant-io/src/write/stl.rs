//! STL, binary: coordinates lose digits beyond f32, and vertices their numbers.

use std::io::{self, Write};

use nalgebra::Vector3;

/// Writes a surface of at most `u32::MAX` triangles.
pub(crate) fn write(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
) -> io::Result<()> {
    // Not "solid": that would make some programs take the file for text.
    let mut header = [b' '; 80];
    header[..12].copy_from_slice(b"binary STL  ");
    out.write_all(&header)?;
    out.write_all(&(triangles.len() as u32).to_le_bytes())?;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
        for coordinate in [normal, a, b, c].iter().flat_map(Vector3::iter) {
            out.write_all(&(*coordinate as f32).to_le_bytes())?;
        }
        out.write_all(&[0; 2])?;
    }
    Ok(())
}
