//! [`Moving`]: the boxes of the triangles of a patch, in a frame that moves with it.
//!
//! A box is around the whole path of a triangle, as seen in that frame, so that what all of them have in common takes no
//! room. Two patches are compared in the frame of one of them, for as long as the paths last: there the boxes of the
//! other are where they are, and on a straight line from there, on which all of them go.

use nalgebra::Vector3;
use pliant_constraints::{difference, times};
use pliant_kernel::{LaneJob, Lanes, PACK, Portable, Spots, Wide, side_by_side};
use wide::f32x4;

use super::boxes::Hull;
use super::ways::Ways;
use crate::octet::{DIAGONALS, Octet, diagonals};
use crate::patches::{NOBODY, Patch, ROWS};

/// The rounding error of an end of a path and of its place in a frame, of the coordinates that make it up: a few of
/// the last bits.
const NOISE: f64 = 16.0;
/// The root of two, rounded up: the length of a diagonal.
const ROOT_2: f64 = 1.414_213_7;

/// By how much a patch is displaced in the frame of another one in the course of time, m: both ends along the axes and
/// the diagonals.
pub(super) struct Shift<R> {
    pub(super) along_axes: [[R; 3]; 2],
    pub(super) along_diagonals: [[R; DIAGONALS]; 2],
}

impl Shift<f32> {
    /// A box displaced by anything in between.
    #[inline(always)]
    pub(super) fn of(&self, hull: &Hull) -> Hull {
        let [low, high] = self.along_axes.map(|[x, y, z]| f32x4::new([x, y, z, 0.0]));
        Hull { low: hull.low + low, high: hull.high + high }
    }

    /// The same in every lane.
    #[inline(always)]
    pub(super) fn everywhere<L: Lanes<f32>>(&self) -> Shift<L> {
        let mut all = Shift { along_axes: [[L::zero(); 3]; 2], along_diagonals: [[L::zero(); DIAGONALS]; 2] };
        for end in 0..2 {
            for k in 0..3 {
                all.along_axes[end][k] = L::splat(f64::from(self.along_axes[end][k]));
            }
            for k in 0..DIAGONALS {
                all.along_diagonals[end][k] = L::splat(f64::from(self.along_diagonals[end][k]));
            }
        }
        all
    }
}

impl<L: Lanes<f32>> Shift<L> {
    /// What meets a box before it is displaced, in every lane.
    #[inline(always)]
    pub(super) fn before(&self, hull: &Hull) -> [[L; 3]; 2] {
        let mut ends = hull.everywhere::<L>();
        for (ends, by) in ends.iter_mut().zip([&self.along_axes[1], &self.along_axes[0]]) {
            for (end, by) in ends.iter_mut().zip(by) {
                *end -= *by;
            }
        }
        ends
    }
}

/// Boxes of a patch.
#[derive(Clone)]
pub(super) struct Moving {
    /// By how much the frame moves, m per substep.
    pub(super) frame: Vector3<f32>,
    /// The boxes of the triangles, row by row, those around rows, and that around all, at the time of the last full
    /// detection.
    pub(super) boxes: [Octet<3>; ROWS],
    pub(super) slabs: [Octet<DIAGONALS>; ROWS],
    pub(super) rows: Octet<3>,
    pub(super) hull: Hull,
    /// A bit for each triangle of a row that is held, and whether all are.
    pub(super) held: [u8; ROWS],
    pub(super) is_held: bool,
}

impl Moving {
    pub(super) const NEW: Self = Self {
        frame: Vector3::new(0.0, 0.0, 0.0),
        boxes: [Octet::EMPTY; ROWS],
        slabs: [Octet::EMPTY; ROWS],
        rows: Octet::EMPTY,
        hull: Hull::NOTHING,
        held: [0; ROWS],
        is_held: false,
    };

    /// By how much this patch is displaced in a frame that moves by `frame`, m per substep, between two times,
    /// substeps since the last full detection.
    #[inline(always)]
    pub(super) fn shift(&self, frame: &Vector3<f32>, times: [f32; 2]) -> Shift<f32> {
        let by = self.frame - frame;
        let (along, across) = ([by.x, by.y, by.z], diagonals(&by));
        // What is rounded here, and where this is added.
        let [low, high] = [self.hull.low, self.hull.high].map(f32x4::to_array);
        let mut sizes = 0.0;
        for k in 0..3 {
            sizes += low[k].abs().max(high[k].abs()) + (self.frame[k].abs() + frame[k].abs()) * times[1];
        }
        let noise = sizes * (NOISE as f32 * f32::EPSILON);
        let mut shift = Shift { along_axes: [[0.0; 3]; 2], along_diagonals: [[0.0; DIAGONALS]; 2] };
        let ends = |by: f32| {
            let [from, until] = times.map(|time| by * time);
            [from.min(until) - noise, from.max(until) + noise]
        };
        for (k, by) in along.into_iter().enumerate() {
            [shift.along_axes[0][k], shift.along_axes[1][k]] = ends(by);
        }
        for (k, by) in across.into_iter().enumerate() {
            [shift.along_diagonals[0][k], shift.along_diagonals[1][k]] = ends(by);
        }
        shift
    }
}

/// Finds the boxes of rows of a patch.
pub(super) struct Fit<'a, T: Wide> {
    pub(super) ways: &'a Ways<T>,
    pub(super) patch: &'a Patch,
    pub(super) moving: &'a mut Moving,
    /// Rows that are wanted, a bit each.
    pub(super) wanted: u32,
    /// By how much a box is larger than the paths on every side, m.
    pub(super) grow: f64,
    /// Whether particles may stop.
    pub(super) may_halt: bool,
    /// For each particle whether it is held, or empty.
    pub(super) held: &'a [bool],
}

impl<T: Wide> LaneJob<T> for Fit<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { ways, patch, moving, wanted, grow, may_halt, held } = self;
        let mut frame = Vector3::new(L::zero(), L::zero(), L::zero());
        for k in 0..3 {
            frame[k] = L::splat(f64::from(moving.frame[k]));
        }
        let (grow, noise) = (L::splat(grow), L::splat(NOISE * T::EPSILON));
        for row in 0..patch.rows {
            if wanted >> row & 1 == 0 {
                continue;
            }
            let spots = Spots::of_rows(&patch.filled(row));
            let mut ends = [[[T::zero(); PACK]; 3]; 2];
            let mut slabs = [[[T::zero(); PACK]; DIAGONALS]; 2];
            for lane in (0..PACK).step_by(L::WIDTH) {
                let nothing = Vector3::new(L::zero(), L::zero(), L::zero());
                let (mut low, mut high, mut size) = (nothing, nothing, nothing);
                let (mut least, mut most) = ([L::zero(); DIAGONALS], [L::zero(); DIAGONALS]);
                for (k, spots) in spots.iter().enumerate() {
                    let (x, from) = spots.gather::<L>(&ways.begin, lane);
                    let (y, until) = spots.gather::<L>(&ways.end, lane);
                    let (p, q) = (times(&frame, from), times(&frame, until));
                    let is_first = k == 0;
                    let (a, b) = (difference(&x, &p), difference(&y, &q));
                    for axis in 0..3 {
                        let (one, two) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
                        low[axis] = if is_first { one } else { low[axis].min(one) };
                        high[axis] = if is_first { two } else { high[axis].max(two) };
                        let far = x[axis].abs().max(y[axis].abs()) + q[axis].abs();
                        size[axis] = size[axis].max(far);
                    }
                    let (a, b) = (diagonals(&a), diagonals(&b));
                    for along in 0..DIAGONALS {
                        let (one, two) = (a[along].min(b[along]), a[along].max(b[along]));
                        least[along] = if is_first { one } else { least[along].min(one) };
                        most[along] = if is_first { two } else { most[along].max(two) };
                    }
                    if may_halt {
                        let (z, _) = spots.gather::<L>(&ways.halt, lane);
                        let c = difference(&z, &q);
                        for axis in 0..3 {
                            (low[axis], high[axis]) = (low[axis].min(c[axis]), high[axis].max(c[axis]));
                            size[axis] = size[axis].max(z[axis].abs() + q[axis].abs());
                        }
                        let c = diagonals(&c);
                        for along in 0..DIAGONALS {
                            (least[along], most[along]) =
                                (least[along].min(c[along]), most[along].max(c[along]));
                        }
                    }
                }
                let more = grow * L::splat(ROOT_2) + (size.x + size.y + size.z) * noise;
                for along in 0..DIAGONALS {
                    (least[along] - more).store(&mut slabs[0][along][lane..]);
                    (most[along] + more).store(&mut slabs[1][along][lane..]);
                }
                for axis in 0..3 {
                    let more = grow + size[axis] * noise;
                    (low[axis] - more).store(&mut ends[0][axis][lane..]);
                    (high[axis] + more).store(&mut ends[1][axis][lane..]);
                }
            }
            let boxes = &mut moving.boxes[row];
            let (mut hull_low, mut hull_high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
            moving.held[row] = 0;
            for lane in 0..PACK {
                if patch.members[row][lane] == NOBODY {
                    continue;
                }
                for axis in 0..3 {
                    let (low, high) = (down(ends[0][axis][lane]), up(ends[1][axis][lane]));
                    (boxes.low[axis][lane], boxes.high[axis][lane]) = (low, high);
                    hull_low[axis] = if low < hull_low[axis] { low } else { hull_low[axis] };
                    hull_high[axis] = if high > hull_high[axis] { high } else { hull_high[axis] };
                }
                let [low, high] = &slabs;
                for along in 0..DIAGONALS {
                    moving.slabs[row].low[along][lane] = down(low[along][lane]);
                    moving.slabs[row].high[along][lane] = up(high[along][lane]);
                }
                if !held.is_empty() {
                    let is_held = patch.corners[row].iter().all(|of| held[of[lane] as usize]);
                    moving.held[row] |= u8::from(is_held) << lane;
                }
            }
            for axis in 0..3 {
                (moving.rows.low[axis][row], moving.rows.high[axis][row]) = (hull_low[axis], hull_high[axis]);
            }
        }
        moving.hull = moving.rows.around();
        moving.is_held = (0..patch.rows).all(|row| moving.held[row] == patch.lanes(row));
    }
}

/// A number of single precision that is not above this one.
#[inline(always)]
fn down<T: Wide>(value: T) -> f32 {
    let wide: f64 = value.into();
    let narrow = wide as f32;
    if f64::from(narrow) > wide { narrow.next_down() } else { narrow }
}

/// A number of single precision that is not below this one.
#[inline(always)]
fn up<T: Wide>(value: T) -> f32 {
    let wide: f64 = value.into();
    let narrow = wide as f32;
    if f64::from(narrow) < wide { narrow.next_up() } else { narrow }
}
