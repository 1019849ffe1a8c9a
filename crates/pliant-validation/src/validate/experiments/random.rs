//! Pseudorandom numbers that are the same on every platform.

use nalgebra::Vector3;

/// A linear congruential generator (Knuth's MMIX constants).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    /// In [0, 1).
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// In [0, 1)³.
    pub(super) fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.next(), self.next(), self.next())
    }

    /// In [−size, size)³.
    pub(super) fn around(&mut self, size: f64) -> Vector3<f64> {
        (self.vector() * 2.0 - Vector3::repeat(1.0)) * size
    }
}
