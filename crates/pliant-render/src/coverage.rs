//! Which samples a triangle covers, exactly.
//!
//! Corners are rounded to 256ths of a pixel and the three edge functions are evaluated in integers (Pineda,
//! *A Parallel Algorithm for Polygon Rasterization*, 1988), so that a sample is on the same side of an edge
//! for both triangles. A sample on an edge belongs to the triangle of which it is a top or a left edge:
//! triangles that share an edge cover every sample along it exactly once.

/// 256ths of a pixel in a pixel.
pub(crate) const UNIT: i32 = 256;

/// The furthest that a corner may lie from the origin, pixels: with it the edge functions fit into `i64` with room.
pub(crate) const GUARD: f64 = 32768.0;

/// Rounds a pixel coordinate to the grid.
pub(crate) fn snap(pixel: f64) -> i32 {
    (pixel * f64::from(UNIT)).round() as i32
}

/// The three edges of a triangle as functions that are not negative inside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edges {
    /// `a · x + b · y + c`, in units of the grid.
    a: [i64; 3],
    b: [i64; 3],
    c: [i64; 3],
    /// Columns and rows that can be touched: first and last pixel.
    pub(crate) columns: [i32; 2],
    pub(crate) rows: [i32; 2],
}

impl Edges {
    /// The edges of a triangle of some area on a picture of some size; none if it has no area or lies outside.
    pub(crate) fn new(corners: [[i32; 2]; 3], width: i32, height: i32) -> Option<Self> {
        let [p, q, r] = corners.map(|c| c.map(i64::from));
        let area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
        if area == 0 {
            return None;
        }
        let turn = if area < 0 { [p, r, q] } else { [p, q, r] };
        let (mut a, mut b, mut c) = ([0; 3], [0; 3], [0; 3]);
        for k in 0..3 {
            let (from, to) = (turn[k], turn[(k + 1) % 3]);
            (a[k], b[k]) = (from[1] - to[1], to[0] - from[0]);
            c[k] = -(a[k] * from[0] + b[k] * from[1]);
            // Left: the inside lies to greater x. Top: level, and the inside lies to greater y. Any other edge does
            // not own the samples on it.
            let owns = a[k] > 0 || (a[k] == 0 && b[k] > 0);
            if !owns {
                c[k] -= 1;
            }
        }
        let span = |axis: usize, pixels: i32| {
            let low = corners.iter().map(|c| c[axis]).min().unwrap_or(0);
            let high = corners.iter().map(|c| c[axis]).max().unwrap_or(0);
            [low.div_euclid(UNIT).max(0), high.div_euclid(UNIT).min(pixels - 1)]
        };
        let (columns, rows) = (span(0, width), span(1, height));
        let on_picture = columns[0] <= columns[1] && rows[0] <= rows[1];
        on_picture.then_some(Self { a, b, c, columns, rows })
    }

    /// Calls `visit(x, y, samples)` for every pixel in the given rows with covered samples, row by row from the left;
    /// bit `s` of `samples` says that sample `s` of the pattern is covered.
    pub(crate) fn for_each(
        &self,
        pattern: &[[i32; 2]],
        rows: [i32; 2],
        mut visit: impl FnMut(i32, i32, u32),
    ) {
        let mut offsets = [[0_i64; 3]; 16];
        let (mut least, mut most) = ([i64::MAX; 3], [i64::MIN; 3]);
        let offsets = &mut offsets[..pattern.len()];
        for (offset, sample) in offsets.iter_mut().zip(pattern) {
            let [x, y] = sample.map(i64::from);
            *offset = std::array::from_fn(|k| self.a[k] * x + self.b[k] * y);
            least = std::array::from_fn(|k| least[k].min(offset[k]));
            most = std::array::from_fn(|k| most[k].max(offset[k]));
        }
        let all = u32::MAX >> (32 - pattern.len());
        let unit = i64::from(UNIT);
        let step = self.a.map(|a| a * unit);
        for y in self.rows[0].max(rows[0])..=self.rows[1].min(rows[1]) {
            let start = i64::from(self.columns[0]) * unit;
            let mut value: [i64; 3] =
                std::array::from_fn(|k| self.a[k] * start + self.b[k] * i64::from(y) * unit + self.c[k]);
            for x in self.columns[0]..=self.columns[1] {
                // A set sign bit in any of them means outside.
                if (value[0] + most[0]) | (value[1] + most[1]) | (value[2] + most[2]) >= 0 {
                    let mut samples = all;
                    if (value[0] + least[0]) | (value[1] + least[1]) | (value[2] + least[2]) < 0 {
                        samples = 0;
                        for (s, offset) in offsets.iter().enumerate() {
                            let any =
                                (value[0] + offset[0]) | (value[1] + offset[1]) | (value[2] + offset[2]);
                            samples |= u32::from(any >= 0) << s;
                        }
                    }
                    if samples != 0 {
                        visit(x, y, samples);
                    }
                }
                for k in 0..3 {
                    value[k] += step[k];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::Smoothing;
    use proptest::prelude::*;

    const SIDE: i32 = 24;

    fn add(counts: &mut [u32], corners: [[i32; 2]; 3], pattern: &[[i32; 2]]) {
        if let Some(edges) = Edges::new(corners, SIDE, SIDE) {
            edges.for_each(pattern, [0, SIDE - 1], |x, y, samples| {
                for s in (0..pattern.len()).filter(|s| samples >> s & 1 == 1) {
                    counts[((y * SIDE + x) * pattern.len() as i32) as usize + s] += 1;
                }
            });
        }
    }

    fn point() -> impl Strategy<Value = [i32; 2]> {
        // A coarse grid, so that corners and edges often pass through samples.
        [-2..SIDE * 4 + 8, -2..SIDE * 4 + 8].prop_map(|p| p.map(|x| x * UNIT / 4))
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn a_fan_around_a_point_covers_a_square_exactly_once(
            inner in [1..SIDE * UNIT - 1, 1..SIDE * UNIT - 1], flip in any::<bool>(),
            smoothing in prop::sample::select(vec![Smoothing::Off, Smoothing::Four, Smoothing::Eight, Smoothing::Sixteen]),
        ) {
            let end = SIDE * UNIT;
            let corners = [[0, 0], [end, 0], [end, end], [0, end]];
            let pattern = smoothing.pattern();
            let mut counts = vec![0; (SIDE * SIDE) as usize * pattern.len()];
            for k in 0..4 {
                let (a, b) = (corners[k], corners[(k + 1) % 4]);
                add(&mut counts, if flip { [b, a, inner] } else { [a, b, inner] }, pattern);
            }
            prop_assert!(counts.iter().all(|n| *n == 1));
        }

        #[test]
        fn two_triangles_on_opposite_sides_of_an_edge_share_no_sample_and_leave_none(a in point(), b in point(), c in point(), d in point()) {
            let side = |p: [i32; 2]| {
                let f = |k: usize, p: [i32; 2]| i64::from(p[k]);
                (f(0, b) - f(0, a)) * (f(1, p) - f(1, a)) - (f(1, b) - f(1, a)) * (f(0, p) - f(0, a))
            };
            prop_assume!(side(c) != 0 && side(d) != 0);
            // Turned by half about the middle of the edge, a point comes to its other side.
            let d = if side(c).signum() == side(d).signum() { [a[0] + b[0] - d[0], a[1] + b[1] - d[1]] } else { d };
            let pattern = Smoothing::Eight.pattern();
            let mut both = vec![0; (SIDE * SIDE) as usize * pattern.len()];
            add(&mut both, [a, b, c], pattern);
            add(&mut both, [a, b, d], pattern);
            prop_assert!(both.iter().all(|n| *n <= 1));
            // Cut the other way, a convex quadrilateral is the same set of samples.
            let mut other = vec![0; both.len()];
            add(&mut other, [c, d, a], pattern);
            add(&mut other, [c, d, b], pattern);
            let turn = |p: [i32; 2], q: [i32; 2], r: [i32; 2]| {
                let f = |k: usize, p: [i32; 2]| i64::from(p[k]);
                (f(0, q) - f(0, p)) * (f(1, r) - f(1, p)) - (f(1, q) - f(1, p)) * (f(0, r) - f(0, p))
            };
            if turn(c, d, a).signum() * turn(c, d, b).signum() < 0 {
                prop_assert_eq!(both, other);
            }
        }
    }

    #[test]
    fn corners_at_the_guard_do_not_overflow() {
        let far = snap(GUARD);
        let mut counts = vec![0; (SIDE * SIDE) as usize];
        add(&mut counts, [[-far, -far], [far, -far], [-far, far]], Smoothing::Off.pattern());
        add(&mut counts, [[far, far], [far, -far], [-far, far]], Smoothing::Off.pattern());
        assert!(counts.iter().all(|n| *n == 1));
        assert!(Edges::new([[0, 0], [5, 5], [10, 10]], SIDE, SIDE).is_none());
    }
}
