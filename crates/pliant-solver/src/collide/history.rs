//! [`History`]: how the lists of pairs of a moment came about.
//!
//! Lists outlive frames, and what they hold depends on where particles were when they were made. So their history is a
//! part of the state: the paths of the last detection of all pairs, and the paths that strays were given since. From
//! these the same lists are made again, in the same order, where a state is restored.

use nalgebra::Vector3;
use pliant_kernel::Scalar;

/// What the paths of a detection have in common, and how far they have been followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Course<T> {
    /// What all steps have in common, m per substep.
    pub(crate) frame: Vector3<T>,
    /// Substeps since the detection, and those for which it is good.
    pub(crate) age: u32,
    pub(crate) horizon: u32,
    /// How far the surfaces of listed pairs go past each other in a substep, m: what nine in ten do not
    /// exceed. Known from the second detection on.
    pub(crate) past: Option<f64>,
    /// How far two particles together may stray from their paths before lists no longer hold, m.
    pub(crate) slack: f64,
    /// How far all have drifted together since the detection, m; nothing where something is held.
    pub(crate) drift: Vector3<T>,
    /// The same at the start of this substep.
    pub(crate) drift_before: Vector3<T>,
    pub(crate) drifts: bool,
    /// Length of a substep, s.
    pub(crate) h: f64,
}

impl<T: Scalar> Course<T> {
    /// Before any detection.
    pub(super) fn none() -> Self {
        let nothing = Vector3::zeros();
        Self {
            frame: nothing,
            age: 0,
            horizon: 0,
            past: None,
            slack: 0.0,
            drift: nothing,
            drift_before: nothing,
            drifts: false,
            h: 0.0,
        }
    }

    /// Whether the lists have served their time.
    pub(super) fn is_over(&self) -> bool {
        self.age >= self.horizon
    }
}

/// Where a particle is expected: at anchor + k step after k substeps, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Way<T> {
    pub(crate) anchor: Vector3<T>,
    pub(crate) step: Vector3<T>,
}

/// Strays that were given new paths together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Update<T> {
    /// The course at that time.
    pub(crate) age: u32,
    pub(crate) horizon: u32,
    pub(crate) drift: Vector3<T>,
    pub(crate) strays: Vec<(u32, Way<T>)>,
}

/// How lists came about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListHistory<T> {
    /// The paths of all particles at the detection of all pairs, and how many substeps it was good for then.
    pub(crate) ways: Vec<Way<T>>,
    pub(crate) horizon: u32,
    /// Particles that were held then.
    pub(crate) held: Vec<bool>,
    pub(crate) updates: Vec<Update<T>>,
    /// Particles that are off their paths now, and the island of every body.
    pub(crate) strays: Vec<u32>,
    pub(crate) islands: Vec<u32>,
}

/// What a state knows of lists.
#[derive(Debug, Clone, PartialEq)]
pub struct History<T> {
    pub(crate) course: Course<T>,
    /// Where the lists are of use to the substeps that follow.
    pub(crate) lists: Option<ListHistory<T>>,
}

impl<T: Scalar> History<T> {
    /// Whether it may be one of so many particles and bodies, at most so many substeps long and with at most this
    /// slack, m.
    pub(super) fn fits(&self, (particles, bodies): (usize, usize), longest: u32, most: f64) -> bool {
        let Course { age, horizon, slack, past, h, .. } = self.course;
        let is_listed = |&v: &u32| (v as usize) < particles;
        let lists = self.lists.as_ref().is_none_or(|lists| {
            let updates = || lists.updates.iter();
            lists.ways.len() == particles
                && lists.held.len() == particles
                && lists.islands.len() == bodies
                && lists.islands.iter().all(|&island| (island as usize) < bodies)
                && lists.strays.iter().all(is_listed)
                && lists.horizon <= longest
                && updates().all(|update| update.age < update.horizon && update.horizon <= lists.horizon)
                && updates().all(|update| update.strays.iter().all(|(v, _)| is_listed(v)))
        });
        let is_length = |x: f64| (0.0..=most).contains(&x);
        lists
            && age <= horizon
            && horizon <= longest
            && is_length(slack)
            && past.is_none_or(|past| past >= 0.0)
            && h.is_finite()
    }
}
