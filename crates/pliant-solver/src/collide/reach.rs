//! [`Reach`]: how far particles are from where lists expect them, together with what they go in a substep.
//!
//! Which pairs are near at the end of a substep is asked while it is known where particles end: there they go
//! [beside their paths](Beside::Paths), which have told by how much they approach each other. Where they may still stop
//! anywhere, they go [beside their islands](Beside::Islands).

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

/// What particles go beside in a substep.
#[derive(Clone, Copy)]
pub(super) enum Beside<'a, T: Scalar> {
    /// The next step of their paths.
    Paths,
    /// What they are cut back to: their islands, or places of their own.
    Islands(Option<&'a [Particle<T>]>),
}

/// For every particle how far it has left its path by the start of a substep since pairs were listed or measured, and its
/// way in it beside its path or its island.
pub(super) struct Reach<T: Scalar> {
    /// The sum of both, m, the largest one of every block, and the largest of all.
    pub(super) of: Vec<T>,
    pub(super) blocks: Vec<T>,
    pub(super) most: T,
    /// The way beside the island alone, m, and the longest one of every block.
    ways: Vec<T>,
    pub(super) ways_of_blocks: Vec<T>,
    /// The age of the paths by which pairs have approached each other: at the start of the substep, or at the end of the
    /// next step.
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
            ways: vec![T::zero(); particles],
            ways_of_blocks: vec![T::zero(); blocks],
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

    /// Finds it for the particles of a surface, of which every body moves with an island by `frames`, m.
    pub(super) fn look(
        &mut self,
        surface: &Surface,
        paths: &Paths<T>,
        (frames, beside): (&[Vector3<T>], Beside<'_, T>),
        (previous, now): (&[Particle<T>], &[Particle<T>]),
        (simd, team): (Simd, Team<'_>),
    ) {
        let Self { of, blocks, most, ways, ways_of_blocks, age, off, .. } = self;
        *age = paths.age() + u32::from(matches!(beside, Beside::Paths));
        let off = &off[..];
        let vertices = surface.vertices();
        // Vertices ascend, so that each piece has a stretch of particles to itself.
        let (mut rest, mut rest_of_ways, mut first) = (&mut of[..], &mut ways[..], 0);
        let stretches = vertices.chunks(PIECE).map(|vertices| {
            let end = vertices.last().map_or(first, |&v| v as usize + 1);
            let start = std::mem::replace(&mut first, end);
            let (own, after) = std::mem::take(&mut rest).split_at_mut(end - start);
            let (ways, ways_after) = std::mem::take(&mut rest_of_ways).split_at_mut(end - start);
            (rest, rest_of_ways) = (after, ways_after);
            (vertices, (own, ways), start)
        });
        team.for_each(stretches, |(vertices, (own, ways), start)| {
            let far =
                HowFar { surface, paths, off, frames, beside, previous, now, vertices, own, ways, start };
            T::dispatch(far, simd);
        });
        for (blocks, of) in [(&mut *blocks, of), (ways_of_blocks, ways)] {
            for (most, of) in blocks.iter_mut().zip(of.chunks(BLOCK as usize)) {
                *most = of.iter().fold(T::zero(), |most, &of| most.max(of));
            }
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
    beside: Beside<'a, T>,
    previous: &'a [Particle<T>],
    now: &'a [Particle<T>],
    vertices: &'a [u32],
    own: &'a mut [T],
    ways: &'a mut [T],
    start: usize,
}

impl<T: Scalar> LaneJob<T> for HowFar<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { surface, paths, off, frames, beside, previous, now, vertices, own, ways, start } = self;
        let (anchors, steps, drift) = paths.parts();
        let (age, drift) = (L::splat(f64::from(paths.age())), splat_vector::<L>(&widen(drift)));
        let infinity = L::splat(f64::INFINITY);
        let mut rows = [[T::zero(); PACK]; 3];
        for eight in vertices.chunks(PACK) {
            let spots = spots_of(eight);
            for (lane, &v) in eight.iter().enumerate() {
                let frame = &frames[surface.body_at(v) as usize];
                for axis in 0..3 {
                    rows[axis][lane] = frame[axis];
                }
            }
            let (mut found, mut alone) = ([T::zero(); PACK], [T::zero(); PACK]);
            for lane in (0..PACK).step_by(L::WIDTH) {
                let [(from, _), (end, _)] = [spots.gather::<L>(previous, lane), spots.gather::<L>(now, lane)];
                let [(anchor, _), (step, _)] =
                    [spots.gather::<L>(anchors, lane), spots.gather::<L>(steps, lane)];
                let load = [L::load(&rows[0][lane..]), L::load(&rows[1][lane..]), L::load(&rows[2][lane..])];
                let frame = Vector3::new(load[0], load[1], load[2]);
                let went = difference(&end, &from);
                let way = norm(&difference(&went, &frame));
                let own = match beside {
                    Beside::Paths => norm(&difference(&went, &step)),
                    Beside::Islands(None) => way,
                    Beside::Islands(Some(to)) => {
                        // It stops between there and where it is.
                        let (to, _) = spots.gather::<L>(to, lane);
                        way.max(norm(&difference(&difference(&to, &from), &frame)))
                    }
                };
                let (off, _) = spots.gather::<L>(off, lane);
                let expected = sum(&anchor, &times(&step, age));
                let left = difference(&difference(&difference(&from, &expected), &drift), &off);
                let reach = norm(&left) + own;
                // What is not a number may be anywhere.
                L::select(reach.lt(infinity), reach, infinity).store(&mut found[lane..]);
                L::select(way.lt(infinity), way, infinity).store(&mut alone[lane..]);
            }
            for (&v, (reach, way)) in eight.iter().zip(found.into_iter().zip(alone)) {
                (own[v as usize - start], ways[v as usize - start]) = (reach, way);
            }
        }
    }
}
