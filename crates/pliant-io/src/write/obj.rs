//! Wavefront OBJ.

use std::io::{self, Write};

use nalgebra::Vector3;

use super::number::Short;

/// Writes a surface, every digit of it.
pub(crate) fn write(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
) -> io::Result<()> {
    for p in positions {
        writeln!(out, "v {} {} {}", Short(p.x), Short(p.y), Short(p.z))?;
    }
    for &[a, b, c] in triangles {
        writeln!(out, "f {} {} {}", u64::from(a) + 1, u64::from(b) + 1, u64::from(c) + 1)?;
    }
    Ok(())
}
