//! [`Question`]: the query of a detection, and the relation between the bodies of two elements.

use nalgebra::Vector3;
use pliant_kernel::Wide;

use super::calm::Calm;
use super::places::Places;
use super::rules::{Paths, Rules};
use crate::Surface;
use crate::patches::NOBODY;

/// The relation between the bodies of two elements: the sum of their radii, m, and whether they are the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bodies {
    pub(super) sum: f64,
    pub(super) are_one: bool,
}

/// The query of a detection.
#[derive(Clone, Copy)]
pub(super) struct Question<'a, T: Wide> {
    pub(super) surface: &'a Surface,
    pub(super) paths: &'a Paths<'a, T>,
    pub(super) rules: &'a Rules<'a>,
    pub(super) calm: &'a Calm,
    /// Positions and steps, as those of `paths`.
    pub(super) places: &'a Places<T>,
    /// Pairs with one of these particles only.
    pub(super) only: Option<&'a [bool]>,
}

impl<T: Wide> Question<'_, T> {
    /// By how much particles that keep to their balls may be nearer than their paths, m: half of the slack on
    /// either side.
    #[inline(always)]
    pub(super) fn off(&self) -> f64 {
        self.rules.slack
    }

    /// The corners of a triangle whose fans are calm enough: triangles that share one of them need not be
    /// tested. [`NOBODY`] for the others.
    #[inline(always)]
    pub(super) fn out_of_the_way(&self, triangle: u32) -> [u32; 3] {
        let mut corners = self.surface.triangles()[triangle as usize];
        let near = 2.0 * self.rules.radii[self.body(corners[0])] + self.off();
        for corner in &mut corners {
            if f64::from(self.calm.apart(*corner)) <= near {
                *corner = NOBODY;
            }
        }
        corners
    }

    /// The body of a particle.
    #[inline(always)]
    pub(super) fn body(&self, particle: u32) -> usize {
        self.surface.body_of(particle).map_or(0, |body| body as usize)
    }

    /// The displacement beside which the particles of an element may stop anywhere, if they may.
    #[inline(always)]
    pub(super) fn halt(&self, particle: u32) -> Option<&Vector3<T>> {
        self.paths.halts.map(|frames| &frames[self.body(particle)])
    }

    /// Whether particles may go in other directions than their paths: those that stop may do so, too.
    #[inline(always)]
    pub(super) fn may_turn(&self) -> bool {
        self.paths.may_turn || self.paths.halts.is_some()
    }

    /// The relation between two bodies, if they may meet.
    #[inline(always)]
    pub(super) fn bodies(&self, a: usize, b: usize) -> Option<Bodies> {
        let bodies = Bodies { sum: self.rules.radii[a] + self.rules.radii[b], are_one: a == b };
        let masks = self.rules.masks;
        let meet = masks.is_empty()
            || if a == b {
                masks[a].itself
            } else {
                masks[a].groups & masks[b].hits != 0 && masks[b].groups & masks[a].hits != 0
            };
        meet.then_some(bodies)
    }
}
