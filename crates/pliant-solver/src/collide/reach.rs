//! [`Reach`]: how far particles are from where lists expect them, together with what they go in a substep.

use nalgebra::Vector3;
use pliant_constraints::norm;
use pliant_contact::Surface;
use pliant_kernel::{Particle, Scalar, Team};

use super::paths::Paths;

/// Particles that are looked at together.
const PIECE: usize = 2048;

/// For every particle its distance from its path at the start of a substep, and its way in it beside its island.
pub(super) struct Reach<T> {
    /// The sum of both, m.
    pub(super) of: Vec<T>,
    /// The age of the paths at the start of the substep.
    pub(super) age: u32,
}

impl<T: Scalar> Reach<T> {
    pub(super) fn new(particles: usize) -> Self {
        Self { of: vec![T::zero(); particles], age: 0 }
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
        team: Team<'_>,
    ) {
        let Self { of, age } = self;
        *age = paths.age();
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
        let infinity = T::splat(f64::INFINITY);
        team.for_each(stretches, |(vertices, own, start)| {
            for &v in vertices {
                let i = v as usize;
                let from = previous[i].x;
                let frame = frames[surface.body_at(v) as usize];
                let mut way = norm(&(now[i].x - from - frame));
                if let Some(to) = carried {
                    // It stops between there and where it is.
                    way = way.max(norm(&(to[i].x - from - frame)));
                }
                let reach = norm(&paths.off(i, &from)) + times * way;
                // What is not a number may be anywhere.
                let reach = if reach < infinity { reach } else { infinity };
                own[i - start] = reach;
            }
        });
    }
}
