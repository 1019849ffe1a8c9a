//! [`Reach`]: how far particles are from where lists expect them, together with what they go in a substep.

use nalgebra::Vector3;
use pliant_constraints::{difference, norm, splat_vector, sum, times};
use pliant_contact::Surface;
use pliant_kernel::{LaneJob, Lanes, PACK, Particle, Portable, Scalar, Simd, Team, side_by_side, widen};

use super::eight::spots_of;
use super::paths::Paths;

/// Particles that are looked at together.
const PIECE: usize = 2048;

/// Particles of a block: numbers that follow each other, mostly neighbours.
pub(super) const BLOCK: u32 = 16;

/// For every particle how far it has left its path by the start of a substep since pairs were listed or measured, and its
/// way in it beside its island.
pub(super) struct Reach<T: Scalar> {
    /// The sum of both, m, the largest one of every block, and the largest of all.
    pub(super) of: Vec<T>,
    pub(super) blocks: Vec<T>,
    pub(super) most: T,
    /// The age of the paths at the start of the substep.
    pub(super) age: u32,
    /// How far every particle was off its path when distances of pairs were last measured, m, as a place; and the length
    /// of that. Zero before, and for what has been given another path since.
    off: Vec<Particle<T>>,
    pub(super) apart: Vec<T>,
    is_off: bool,
}

impl<T: Scalar> Reach<T> {
    pub(super) fn new(particles: usize) -> Self {
        let blocks = particles.div_ceil(BLOCK as usize);
        Self {
            of: vec![T::zero(); particles],
            blocks: vec![T::zero(); blocks],
            most: T::zero(),
            age: 0,
            off: vec![Particle::new(Vector3::zeros(), T::zero()); particles],
            apart: vec![T::zero(); particles],
            is_off: false,
        }
    }

    /// All have new paths.
    pub(super) fn restart(&mut self) {
        if std::mem::take(&mut self.is_off) {
            self.off.iter_mut().for_each(|off| off.x = Vector3::zeros());
            self.apart.fill(T::zero());
        }
    }

    /// Some have new paths.
    pub(super) fn restart_those(&mut self, particles: &[u32]) {
        for &v in particles {
            self.off[v as usize].x = Vector3::zeros();
            self.apart[v as usize] = T::zero();
        }
    }

    /// The distances of all pairs are measured at the start of a substep: from now on it is told how far particles are from
    /// where they are then.
    pub(super) fn refer(&mut self, surface: &Surface, paths: &Paths<T>, previous: &[Particle<T>]) {
        let (anchors, steps, drift) = paths.parts();
        let age = T::splat(f64::from(paths.age()));
        for &v in surface.vertices() {
            let v = v as usize;
            let off = previous[v].x - (anchors[v].x + steps[v].x * age) - drift;
            self.off[v].x = off;
            self.apart[v] = norm(&off);
        }
        self.is_off = true;
    }

    /// Finds it for the particles of a surface, of which every body moves with an island by `frames`, m, and
    /// particles may go to places of their own. Ways are counted `times`.
    pub(super) fn look(
        &mut self,
        surface: &Surface,
        paths: &Paths<T>,
        (frames, carried): (&[Vector3<T>], Option<&[Particle<T>]>),
        (previous, now): (&[Particle<T>], &[Particle<T>]),
        times: T,
        (simd, team): (Simd, Team<'_>),
    ) {
        let Self { of, blocks, most, age, off, .. } = self;
        *age = paths.age();
        let off = &off[..];
        let vertices = surface.vertices();
        // Vertices ascend, so that each piece has a stretch of particles to itself.
        let (mut rest, mut first) = (&mut of[..], 0);
        let stretches = vertices.chunks(PIECE).map(|vertices| {
            let end = vertices.last().map_or(first, |&v| v as usize + 1);
            let (own, after) = std::mem::take(&mut rest).split_at_mut(end - first);
            let start = std::mem::replace(&mut first, end);
            rest = after;
            (vertices, own, start)
        });
        team.for_each(stretches, |(vertices, own, start)| {
            let far = HowFar {
                surface,
                paths,
                off,
                frames,
                carried,
                previous,
                now,
                factor: times,
                vertices,
                own,
                start,
            };
            T::dispatch(far, simd);
        });
        for (most, of) in blocks.iter_mut().zip(of.chunks(BLOCK as usize)) {
            *most = of.iter().fold(T::zero(), |most, &of| most.max(of));
        }
        *most = blocks.iter().fold(T::zero(), |most, &of| most.max(of));
    }

    /// Adds to the reach of a particle, m.
    pub(super) fn raise(&mut self, v: usize, by: T) {
        self.of[v] += by;
        for most in [&mut self.blocks[v / BLOCK as usize], &mut self.most] {
            *most = most.max(self.of[v]);
        }
    }
}

/// Finds it for some particles, of which the first has the number `start` in the list.
struct HowFar<'a, T: Scalar> {
    surface: &'a Surface,
    paths: &'a Paths<T>,
    off: &'a [Particle<T>],
    frames: &'a [Vector3<T>],
    carried: Option<&'a [Particle<T>]>,
    previous: &'a [Particle<T>],
    now: &'a [Particle<T>],
    factor: T,
    vertices: &'a [u32],
    own: &'a mut [T],
    start: usize,
}

impl<T: Scalar> LaneJob<T> for HowFar<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { surface, paths, off, frames, carried, previous, now, factor, vertices, own, start } = self;
        let (anchors, steps, drift) = paths.parts();
        let (age, drift) = (L::splat(f64::from(paths.age())), splat_vector::<L>(&widen(drift)));
        let (factor, infinity) = (L::splat(factor.to_f64()), L::splat(f64::INFINITY));
        let mut rows = [[T::zero(); PACK]; 3];
        for eight in vertices.chunks(PACK) {
            let spots = spots_of(eight);
            for (lane, &v) in eight.iter().enumerate() {
                let frame = &frames[surface.body_at(v) as usize];
                for axis in 0..3 {
                    rows[axis][lane] = frame[axis];
                }
            }
            let mut found = [T::zero(); PACK];
            for lane in (0..PACK).step_by(L::WIDTH) {
                let [(from, _), (end, _)] = [spots.gather::<L>(previous, lane), spots.gather::<L>(now, lane)];
                let [(anchor, _), (step, _)] =
                    [spots.gather::<L>(anchors, lane), spots.gather::<L>(steps, lane)];
                let load = [L::load(&rows[0][lane..]), L::load(&rows[1][lane..]), L::load(&rows[2][lane..])];
                let frame = Vector3::new(load[0], load[1], load[2]);
                let mut way = norm(&difference(&difference(&end, &from), &frame));
                if let Some(to) = carried {
                    // It stops between there and where it is.
                    let (to, _) = spots.gather::<L>(to, lane);
                    way = way.max(norm(&difference(&difference(&to, &from), &frame)));
                }
                let (off, _) = spots.gather::<L>(off, lane);
                let expected = sum(&anchor, &times(&step, age));
                let left = difference(&difference(&difference(&from, &expected), &drift), &off);
                let reach = norm(&left) + factor * way;
                // What is not a number may be anywhere.
                L::select(reach.lt(infinity), reach, infinity).store(&mut found[lane..]);
            }
            for (&v, reach) in eight.iter().zip(found) {
                own[v as usize - start] = reach;
            }
        }
    }
}
