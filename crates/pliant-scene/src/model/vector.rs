//! [`Vec3`]: places and directions.

/// Three numbers: x, y, z. y points up.
pub type Vec3 = [f64; 3];
