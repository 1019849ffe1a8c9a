//! [`Near`]: particles that may touch a surface, found eight at a time. Most are far away from most surfaces.

use nalgebra::Vector3;
use pliant_constraints::{difference, splat_vector};
use pliant_kernel::{LaneJob, Lanes, PACK, Particle, Portable, Scalar, Spots, side_by_side, widen};

use super::geometry::Geometry;

/// Finds the particles that are not certainly out of reach of a surface.
pub(super) struct Near<'a, T: Scalar> {
    pub(super) geometry: &'a Geometry<T>,
    /// The pose of the surface: the columns of its rotation, and where it is, m.
    pub(super) axes: &'a [Vector3<T>; 3],
    pub(super) origin: &'a Vector3<T>,
    pub(super) particles: &'a [Particle<T>],
    /// The gap that each keeps, m.
    pub(super) radius: &'a [T],
    /// For every eight particles a bit for each that may touch.
    pub(super) may_touch: &'a mut [u8],
}

impl<T: Scalar> LaneJob<T> for Near<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { geometry, axes: [a, b, c], origin, particles, radius, may_touch } = self;
        let axes = [splat_vector::<L>(&widen(a)), splat_vector(&widen(b)), splat_vector(&widen(c))];
        let (origin, extent) = (splat_vector::<L>(&widen(origin)), geometry.extent());
        for (number, (bits, radii)) in may_touch.iter_mut().zip(radius.chunks(PACK)).enumerate() {
            // Padding lanes repeat the last.
            let (mut at, mut keep) = ([0; PACK], [T::zero(); PACK]);
            for lane in 0..PACK {
                let place = lane.min(radii.len() - 1);
                (at[lane], keep[lane]) = ((number * PACK + place) as u32, radii[place]);
            }
            let spots = Spots::new(at);
            let mut clear = 0;
            for lane in (0..PACK).step_by(L::WIDTH) {
                let (x, _) = spots.gather::<L>(particles, lane);
                let d = difference(&x, &origin);
                let local = Vector3::new(axes[0].dot(&d), axes[1].dot(&d), axes[2].dot(&d));
                let gap = geometry.distance(&local, &extent) - L::load(&keep[lane..]);
                // What is not a number is looked at.
                clear |= L::bits(L::zero().le(gap)) << lane;
            }
            *bits = !clear as u8 & (0xff >> (PACK - radii.len()));
        }
    }
}
