//! Separating axes: the cheap proof that an edge and a triangle have no point in common.
//!
//! Of a triangle there are four: its normal n, and the normals m_i = (c_{i+1} − c_i) × n of its rims within
//! its plane. An edge that lies beyond the triangle along one of them does not touch it. *Any* vector will do
//! as an axis, so that rounding of the axes costs nothing; only the projections must be bounded. With
//! coordinates up to M, differences up to L and ε = 2⁻²⁴,
//!
//! ```text
//! |fl(a·(x − c)) − a·(x − c)| ≤ |a|₁ (2 ε M + 6 ε L)
//! ```
//!
//! where positions in double precision were rounded to single first. Pairs that are not apart by twice that
//! are left to the exact test, and so are those that overflow or are not numbers: no comparison holds then.

use wide::f32x4;

/// 2⁻²⁰: sixteen ε, four times what the bound on two projections requires.
const ROUNDING: f32 = 1.0 / 1_048_576.0;

/// The four axes of a triangle side by side: n, m₀, m₁, m₂.
#[derive(Clone, Copy)]
pub(super) struct Axes {
    /// The first corner, from which everything is measured.
    from: f32x4,
    axis: [f32x4; 3],
    /// The triangle's own extent along each; along n both ways.
    top: f32x4,
    /// Sum of the magnitudes of each axis.
    size: f32x4,
}

impl Axes {
    /// The axes of a triangle, whose edges times `scale` are of the order of one.
    pub(super) fn new(corners: [f32x4; 3], scale: f32) -> Self {
        let [a, b, c] = corners;
        let [e0, e1, e2] = [b - a, c - b, a - c].map(|edge| {
            let [x, y, z, _] = (edge * scale).to_array();
            [x, y, z]
        });
        let n = cross(e0, e1);
        let (m0, m1, m2) = (cross(e0, n), cross(e1, n), cross(e2, n));
        let axis = [0, 1, 2].map(|k| f32x4::new([n[k], m0[k], m1[k], m2[k]]));
        let size = axis[0].abs() + axis[1].abs() + axis[2].abs();
        let mut axes = Self { from: a, axis, top: f32x4::ZERO, size };
        // As computed, not as intended: the computed normal of a sliver is not quite normal to it.
        let (b, c) = (axes.project(b), axes.project(c));
        let [below, ..] = (-b.fast_min(c)).to_array();
        axes.top = b.fast_max(c).fast_max(f32x4::new([below, 0.0, 0.0, 0.0]));
        axes
    }

    #[inline(always)]
    fn project(&self, x: f32x4) -> f32x4 {
        let [dx, dy, dz, _] = (x - self.from).to_array();
        self.axis[0] * dx + self.axis[1] * dy + self.axis[2] * dz
    }

    /// Whether all of these points are certainly on one side of the plane of the triangle.
    #[inline(always)]
    pub(super) fn all_on_one_side(&self, points: [f32x4; 3], slack: f32) -> bool {
        let [nx, ny, nz] = self.axis.map(|a| a.to_array()[0]);
        let margin = self.top.to_array()[0] + self.size.to_array()[0] * slack;
        let along = points.map(|point| {
            let [dx, dy, dz, _] = (point - self.from).to_array();
            nx * dx + ny * dy + nz * dz
        });
        let above = |a: f32| a > margin;
        let below = |a: f32| a < -margin;
        above(along[0]) & above(along[1]) & above(along[2])
            | below(along[0]) & below(along[1]) & below(along[2])
    }

    /// Whether the fifth axis, n × (q − p), certainly separates the edge from `p` to `q` from `corners`: it
    /// separates an edge from a corner that points at it within a plane.
    pub(super) fn separate_beside(&self, p: f32x4, q: f32x4, corners: [f32x4; 3], slack: f32) -> bool {
        let [nx, ny, nz] = self.axis.map(|a| a.to_array()[0]);
        let [dx, dy, dz, _] = (q - p).to_array();
        let [x, y, z] = cross([nx, ny, nz], [dx, dy, dz]);
        let margin = (x.abs() + y.abs() + z.abs()) * slack;
        let along = |to: f32x4| {
            let [dx, dy, dz, _] = (to - p).to_array();
            x * dx + y * dy + z * dz
        };
        let (end, corners) = (along(q), corners.map(along));
        // Written so that NaN separates nothing.
        corners.iter().all(|&c| c > margin && c - end > margin)
            || corners.iter().all(|&c| c < -margin && end - c > margin)
    }

    /// Whether the edge from `p` to `q` is certainly apart; `slack` is [`slack`] of the pair.
    #[inline(always)]
    pub(super) fn separate(&self, p: f32x4, q: f32x4, slack: f32) -> bool {
        let (p, q) = (self.project(p), self.project(q));
        let margin = self.size * slack;
        let beyond = (p.fast_min(q) - self.top).simd_gt(margin).to_bitmask();
        // The lower side counts along the normal only: along the other axes it is inside.
        let below = (p.fast_max(q) + self.top).simd_lt(-margin).to_bitmask() & 1;
        beyond | below != 0
    }
}

/// How far projections on an axis of length one may be off, with coordinates up to `coordinate` and
/// differences up to `difference`.
#[inline(always)]
pub(super) fn slack(coordinate: f32, difference: f32) -> f32 {
    ROUNDING * (coordinate + 2.0 * difference)
}

#[inline(always)]
fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
