//! [`Auto`]: chooses the method and the number of substeps of a frame by the measured residuals.
//!
//! Sweeps, coarse levels and Newton's method are *candidates*. For each the number of substeps that it needs
//! is estimated: it is the fewest at first, and every frame that the candidate has solved corrects it. A
//! frame is solved by the candidate that is expected to cost least. If it misses the goal, it is solved again
//! by the candidate that then seems cheapest; the best of all tries is kept. A candidate that is not used
//! slowly becomes cheaper, so that it is tried again when the scene may have changed.
//!
//! Bodies with rigid edges that hang from pins begin with as many substeps as their depth needs, because
//! errors that were once left cannot be taken out in one frame: short substeps would turn them into motion.
//!
//! No clock is used: costs are counted in sweeps, so that the same scene is solved in the same way everywhere.

mod candidate;
pub(crate) mod depth;
pub(crate) mod energy;
#[cfg(test)]
mod tests;

use pliant_kernel::Scalar;

use crate::adaptive::patience::Patience;
use crate::adaptive::tries::Try as Judged;
use crate::describe::settings::{Method, Settings};
use candidate::Candidate;
use depth::Depth;
use energy::Moved;

/// The most tries of a frame.
const TRIES: usize = 3;
/// The candidate that solved the last frame stays, unless another is expected to cost less than this share of it.
const STAYS: f64 = 0.7;
/// A try is clearly better than another if it is less than this share as far from the goal.
const BETTER: f64 = 0.9;
/// Above this multiple of what is allowed, the energy that a try created counts, and by how much more than
/// its residual.
const HARMFUL: f64 = 1.0;
const GRAVITY: f64 = 10.0;

/// A frame, solved once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Try {
    candidate: usize,
    pub(crate) method: Method,
    pub(crate) substeps: u32,
    /// The residual, as a multiple of the goal; infinite if the simulation failed.
    pub(crate) excess: f64,
    /// The energy that it created, as a multiple of what is allowed.
    pub(crate) harm: f64,
}

impl Try {
    /// Whether it reached the goal and created no energy.
    fn is_good(&self) -> bool {
        self.excess <= 1.0 && self.harm <= 1.0
    }

    /// How far it is from what was asked for: created energy counts more than residuals.
    fn badness(&self) -> f64 {
        let harm = if self.harm > HARMFUL { GRAVITY * self.harm } else { 0.0 };
        self.excess.max(harm).max(1.0)
    }

    /// Whether it is clearly better than another; or good, where the other one is not.
    fn is_better_than(&self, other: &Self) -> bool {
        if self.is_good() != other.is_good() {
            return self.is_good();
        }
        self.badness() < BETTER * other.badness()
    }
}

/// How a frame was solved by [`Method::Auto`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Choice {
    /// The method.
    pub method: Method,
    /// Substeps of the try that was kept.
    pub substeps: u32,
    /// How often the frame was solved: more than once if the accuracy was missed.
    pub tries: u32,
    /// Substeps of all tries.
    pub spent: u32,
    /// Whether the accuracy was reached.
    pub reached: bool,
}

/// Chooses, and learns.
#[derive(Debug, Clone)]
pub(crate) struct Auto {
    candidates: Vec<Candidate>,
    /// The candidate of the last frame.
    current: usize,
    patience: Patience,
    /// The tries of the frame that is being solved.
    tries: Vec<Try>,
    /// The energy that the frames so far have moved.
    pub(crate) moved: Moved,
    /// Whether more substeps would leave a smaller residual but were refused because they create energy:
    /// their number then rises gradually.
    climbs: bool,
    pub(crate) last: Option<Choice>,
}

impl Auto {
    /// Chooses among sweeps and the other methods that apply. What hangs from pins is as deep as `depth` says.
    pub(crate) fn new(coarse: bool, newton: bool, depth: Depth, settings: &Settings) -> Self {
        let methods = [(Method::Sweeps, true), (Method::Coarse, coarse), (Method::Newton, newton)];
        let applicable = methods.into_iter().filter(|(_, applies)| *applies);
        let candidates: Vec<_> =
            applicable.map(|(method, _)| Candidate::new(method, depth.needs(method, settings))).collect();
        Self {
            candidates,
            current: 0,
            patience: Patience::default(),
            tries: Vec::with_capacity(TRIES + 1),
            moved: Moved::default(),
            climbs: false,
            last: None,
        }
    }

    /// Begins a frame: its first try.
    pub(crate) fn begin(&mut self, settings: &Settings) -> (Method, u32) {
        self.tries.clear();
        let cost = |of: &Candidate| of.cost(settings);
        let best = least(self.candidates.iter().map(cost));
        if self.last.is_none() || cost(&self.candidates[best]) < STAYS * cost(&self.candidates[self.current])
        {
            self.current = best;
        }
        let candidate = &self.candidates[self.current];
        (candidate.method, candidate.substeps(settings))
    }

    /// Records the residual of a try, `excess` times what is allowed, and the energy that it created, `harm`
    /// times what is allowed.
    pub(crate) fn tried(&mut self, method: Method, substeps: u32, excess: f64, harm: f64) {
        let Some(candidate) = self.candidates.iter().position(|of| of.method == method) else { return };
        let before = self.tries.iter().rev().find(|one| one.candidate == candidate);
        let before = before.map(|one| (one.substeps, one.excess));
        self.candidates[candidate].learn(substeps, excess, before);
        self.tries.push(Try { candidate, method, substeps, excess, harm });
    }

    /// The next try of a frame, if there is to be one.
    pub(crate) fn again(&self, settings: &Settings) -> Option<(Method, u32)> {
        let (first, last) = (self.tries.first()?, self.tries.last()?);
        if last.is_good() || self.tries.len() >= TRIES || self.is_patient(first) {
            return None;
        }
        if last.harm > HARMFUL
            && let Some(gentler) = self.gentler(last)
        {
            return Some(gentler);
        }
        let next = |(i, of): (usize, &Candidate)| {
            let most = self.tries.iter().filter(|one| one.candidate == i).map(|one| one.substeps).max();
            let substeps = of.again(settings, most)?;
            let stays = if i == self.current { STAYS } else { 1.0 };
            Some((stays * of.cost_of(f64::from(substeps), settings), of.method, substeps))
        };
        let options = self.candidates.iter().enumerate().filter_map(next);
        options.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, method, substeps)| (method, substeps))
    }

    /// The substeps of the last frame, after a try with more created energy: short substeps turn into motion
    /// the errors that long ones have left. An implicit step of Newton's method takes the more energy from the
    /// motion the longer it is, so it gets fewer still.
    fn gentler(&self, harmful: &Try) -> Option<(Method, u32)> {
        let last = self.last.filter(|last| last.method == harmful.method)?;
        let substeps = match harmful.method {
            Method::Newton if last.substeps >= harmful.substeps => 2 * harmful.substeps / 3,
            _ => last.substeps,
        };
        let is_new = !self.tries.iter().any(|one| one.method == last.method && one.substeps <= substeps);
        (substeps > 0 && is_new).then_some((last.method, substeps))
    }

    /// The best try, which is kept.
    pub(crate) fn best(&self) -> Option<Try> {
        let (first, others) = self.tries.split_first()?;
        Some(others.iter().fold(*first, |best, one| if one.is_better_than(&best) { *one } else { best }))
    }

    /// Ends a frame of which the try `best` is kept; `spent` lists the substeps of every try.
    pub(crate) fn end(&mut self, best: Try, spent: &[u32], falls: bool, settings: &Settings) {
        let judged = |one: &Try| Judged { substeps: one.substeps, harm: 0.0, excess: one.excess };
        let refused =
            |one: &Try| one.harm > HARMFUL && one.substeps > best.substeps && one.excess < best.excess;
        self.climbs = best.excess > 1.0 && (self.climbs || self.tries.iter().any(refused));
        let was_patient = self.tries.first().is_some_and(|first| self.is_patient(first));
        self.current = best.candidate;
        for (i, candidate) in self.candidates.iter_mut().enumerate() {
            if i == best.candidate {
                candidate.settle(best.substeps, best.excess, falls, self.climbs, settings);
            } else if !self.tries.iter().any(|one| one.candidate == i) {
                candidate.fade();
            }
        }
        if best.excess <= 1.0 {
            self.patience = Patience::default();
        } else if was_patient {
            self.patience.wait();
        } else {
            self.patience.give_up(&judged(&best));
        }
        self.last = Some(Choice {
            method: best.method,
            substeps: best.substeps,
            tries: u32::try_from(spent.len()).unwrap_or(u32::MAX),
            spent: spent.iter().sum(),
            reached: best.excess <= 1.0,
        });
    }

    /// Whether a frame is accepted as it is, because more substeps were tried in vain before.
    fn is_patient(&self, first: &Try) -> bool {
        let Try { substeps, excess, harm, .. } = *first;
        excess.is_finite()
            && harm <= HARMFUL
            && self.patience.accepts(&Judged { substeps, harm: 0.0, excess })
    }

    /// What was learnt, as numbers.
    #[cfg(feature = "serde")]
    pub(crate) fn to_numbers(&self) -> Vec<f64> {
        let Patience { left, pause, harm, excess } = self.patience;
        #[allow(clippy::cast_precision_loss, reason = "there are three candidates")]
        let current = self.current as f64;
        let substeps = self.last.map_or(0.0, |last| f64::from(last.substeps));
        let climbs = f64::from(u8::from(self.climbs));
        let head = [current, substeps, climbs, left, pause, harm, excess];
        head.into_iter()
            .chain(self.moved.to_numbers())
            .chain(self.candidates.iter().flat_map(Candidate::to_numbers))
            .collect()
    }

    /// Restores what was learnt; returns whether the numbers fit these candidates.
    #[cfg(feature = "serde")]
    pub(crate) fn take_up(&mut self, numbers: &[f64]) -> bool {
        let Some((&[current, substeps, climbs, left, pause, harm, excess], rest)) =
            numbers.split_first_chunk()
        else {
            return false;
        };
        let Some((&moved, rest)) = rest.split_first_chunk() else { return false };
        let (of_candidates, others) = rest.as_chunks();
        let known = (0..self.candidates.len()).find(|&i| i as f64 == current);
        let fits = others.is_empty() && of_candidates.len() == self.candidates.len();
        let (Some(known), true) = (known, fits) else { return false };
        self.current = known;
        self.patience = Patience { left, pause, harm, excess };
        self.moved = Moved::from_numbers(moved);
        self.climbs = climbs == 1.0;
        for (candidate, numbers) in self.candidates.iter_mut().zip(of_candidates) {
            candidate.take_up(*numbers);
        }
        // Of the last choice only its substeps matter, and whether there was one.
        let Candidate { method, .. } = self.candidates[known];
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let last = Choice { method, substeps: substeps as u32, tries: 0, spent: 0, reached: true };
        self.last = (last.substeps > 0).then_some(last);
        true
    }
}

/// Index of the least cost; the first of equal ones.
fn least(costs: impl Iterator<Item = f64>) -> usize {
    costs.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(i, _)| i)
}

/// How far a frame is from its goal, as a multiple of what is allowed: `residual` is the largest residual, as
/// a share of the size of elements. More inverted tetrahedra than before are a miss, whatever the residual
/// is.
pub(crate) fn excess<T: Scalar>(
    residual: f64,
    settings: &Settings,
    more_inverted: bool,
    failed: bool,
) -> f64 {
    // A goal below the resolution of the number type cannot be reached.
    let goal = settings.accuracy.max(64.0 * T::EPSILON);
    let excess = if residual.is_nan() { f64::INFINITY } else { residual / goal };
    if more_inverted || failed { excess.max(2.0) } else { excess }
}
