//! Object file format.

use std::io::{self, Write};

use nalgebra::Vector3;

use super::number::Short;

/// Writes a surface, every digit of it.
pub(crate) fn write(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
) -> io::Result<()> {
    writeln!(out, "OFF\n{} {} 0", positions.len(), triangles.len())?;
    for p in positions {
        writeln!(out, "{} {} {}", Short(p.x), Short(p.y), Short(p.z))?;
    }
    for [a, b, c] in triangles {
        writeln!(out, "3 {a} {b} {c}")?;
    }
    Ok(())
}
