//! [`Passes`]: the passes of a substep, and how they are run.
//!
//! Between two substeps of a frame, deriving the velocities of one and predicting the next is a single walk
//! over the particles, wherever that gives the same bits.

use pliant_kernel::{Scalar, Team};

use super::coarse::Correct;
use super::conclude::Conclude;
use super::contacts::PushOut;
use super::damp::Damp;
use super::draw::{DrawIn, DrawSeams, HoldSeams};
use super::find::Find;
use super::forces::Push;
use super::guard::HoldOpen;
use super::move_held::MoveHeld;
use super::newton::{Remember, Solve};
use super::predict::Predict;
use super::rebound::Rebound;
use super::sweep::Project;
use super::velocity::{Derive, DeriveAndPredict};
use super::wind::Blow;
use crate::describe::book::PredictionBounds;
use crate::describe::settings::{Method, Settings};
use crate::describe::sweep_order::SweepOrder;
use crate::observe::moment::Moment;
use crate::pass::{NonFinite, Now, Pass};
use crate::passes::direction::is_backward;
use crate::passes::kinematics::release_time;
use crate::set::guard::LOOK_EVERY;
use crate::world::World;

/// Passes one after the other.
type List<T> = Vec<Box<dyn Pass<T>>>;

/// The passes of a substep.
pub(crate) struct Passes<T: Scalar> {
    /// Up to the prediction, which is the last of them.
    predict: List<T>,
    /// The passes after the prediction.
    begin: List<T>,
    /// The passes of an iteration.
    iteration: List<T>,
    /// Their order if sweeps go backward: the sweeps are reversed, everything else keeps its place.
    turned: Vec<usize>,
    /// The passes after the iterations and before one more iteration.
    middle: List<T>,
    /// The passes after the iterations and before velocities.
    finish: List<T>,
    after: List<T>,
    /// A pass that may replace `after` and the prediction of the next substep, once the pins of that substep
    /// have moved.
    fused: Option<Box<dyn Pass<T>>>,
}

/// No pass has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no pass is called \"{name}\"; a substep is: {passes}")]
pub struct PassError {
    /// The name that was given.
    pub name: String,
    /// The existing names.
    pub passes: String,
}

impl<T: Scalar> Passes<T> {
    /// The passes that a world and its settings need.
    pub(crate) fn new(world: &World<T>) -> Self {
        let settings = &world.settings;
        let mut predict: List<T> = vec![Box::new(MoveHeld)];
        if world.wind.is_some() {
            predict.push(Box::new(Blow));
        }
        let drawn = world.seams.as_ref().filter(|seams| seams.are_drawn());
        if drawn.is_some() {
            predict.push(Box::new(DrawSeams));
        }
        predict.push(Box::new(Predict));
        let mut begin: List<T> = Vec::new();
        let mut iteration: List<T> = Vec::new();
        let mut finish: List<T> = Vec::new();
        let newton = world.newton.is_asked_for();
        if newton {
            begin.push(Box::new(Remember));
        }
        if world.coarse.is_asked_for() {
            begin.push(Box::new(Correct));
        }
        for (i, running) in world.fine.sets.iter().enumerate() {
            if running.set.is_dynamic() {
                begin.push(Box::new(Find(i)));
            }
            iteration.push(Box::new(Project { set: i, stays: running.set.has_last_word() }));
            if drawn.is_some_and(|seams| seams.group == i) {
                iteration.push(Box::new(DrawIn));
            }
            if running.set.has_last_word() {
                finish.push(Box::new(Conclude(i)));
            }
        }
        // After the contacts of surfaces, which would pull closed pairs open again: the net keeps surfaces apart.
        if world.seams.is_some() {
            iteration.push(Box::new(HoldSeams));
        }
        if !world.contacts.is_empty() {
            iteration.push(Box::new(PushOut));
        }
        if !world.guard.is_empty() {
            iteration.push(Box::new(HoldOpen));
        }
        let mut after: List<T> = vec![Box::new(Derive)];
        for (i, _) in world.fine.sets.iter().enumerate().filter(|(_, running)| running.set.bounces()) {
            after.push(Box::new(Rebound(i)));
        }
        if settings.damping > 0.0 {
            after.push(Box::new(Damp));
        }
        let nothing_between = after.len() == 1
            && predict.len() == 2
            && !world.contacts.bounces()
            && settings.prediction_bounds == PredictionBounds::None;
        let fused = nothing_between.then(|| Box::new(DeriveAndPredict) as Box<dyn Pass<T>>);
        let middle: List<T> = if newton { vec![Box::new(Solve)] } else { Vec::new() };
        let mut passes = Self { predict, begin, turned: Vec::new(), iteration, middle, finish, after, fused };
        passes.turn();
        passes
    }

    /// Adds the passes that a world needs after it was changed. Passes that no longer have work stay, because
    /// they do not change a bit.
    pub(crate) fn refit(&mut self, world: &World<T>) {
        let has = |list: &List<T>, name: &str| list.iter().any(|pass| pass.name(world) == name);
        if world.wind.is_some() && !has(&self.predict, &Blow.name(world)) {
            self.predict.insert(1, Box::new(Blow));
        }
        if !world.live.forces.is_empty() && !has(&self.predict, &Push.name(world)) {
            // After the wind, whichever was added first, and before the prediction.
            self.predict.insert(self.predict.len() - 1, Box::new(Push));
        }
        // Contacts and sets that keep their place come last in an iteration, and the guard after them.
        let guard = self.iteration.iter().position(|pass| pass.name(world) == HoldOpen.name(world));
        let guard = guard.unwrap_or(self.iteration.len());
        if !world.contacts.is_empty() && !has(&self.iteration, &PushOut.name(world)) {
            self.iteration.insert(guard, Box::new(PushOut));
        }
        if let Some(set) = world.live.grab_set {
            let grabs = Project { set, stays: false };
            if !has(&self.iteration, &grabs.name(world)) {
                let sweeps = self.iteration.iter().rposition(|pass| pass.moment() == Moment::Sweep);
                self.iteration.insert(sweeps.map_or(0, |last| last + 1), Box::new(grabs));
            }
        }
        if world.settings.damping > 0.0 && !has(&self.after, &Damp.name(world)) {
            self.after.push(Box::new(Damp));
        }
        if self.predict.len() > 2 || self.after.len() > 1 || world.contacts.bounces() {
            self.fused = None;
        }
        self.turn();
    }

    /// Finds the order of an iteration whose sweeps go backward.
    fn turn(&mut self) {
        let is_sweep = |i: &usize| self.iteration[*i].moment() == Moment::Sweep;
        let mut sweeps = (0..self.iteration.len()).rev().filter(is_sweep);
        let count = self.iteration.len();
        self.turned = (0..count).map(|i| if is_sweep(&i) { sweeps.next().unwrap_or(i) } else { i }).collect();
    }

    /// The names of the passes, in the order of a substep with one iteration.
    pub(crate) fn names(&self, world: &World<T>) -> Vec<String> {
        let lists = [&self.predict, &self.begin, &self.iteration, &self.middle, &self.finish, &self.after];
        lists.into_iter().flatten().map(|pass| pass.name(world)).collect()
    }

    /// Puts a pass after another.
    pub(crate) fn insert(
        &mut self,
        after: &str,
        pass: Box<dyn Pass<T>>,
        world: &World<T>,
    ) -> Result<(), PassError> {
        let lists = [&self.predict, &self.begin, &self.iteration, &self.middle, &self.finish, &self.after];
        let found = lists.iter().enumerate().find_map(|(which, list)| {
            let place = list.iter().position(|pass| pass.name(world) == after)?;
            Some((which, place + 1, place + 1 == list.len()))
        });
        let Some((which, place, is_last)) = found else {
            return Err(PassError { name: after.to_owned(), passes: self.names(world).join(", ") });
        };
        match which {
            // The passes after the prediction are in the next list.
            0 if is_last => self.begin.insert(0, pass),
            0 => self.predict.insert(place, pass),
            1 => self.begin.insert(place, pass),
            2 => self.iteration.insert(place, pass),
            3 => self.middle.insert(place, pass),
            4 => self.finish.insert(place, pass),
            _ => self.after.insert(place, pass),
        }
        // Passes between the velocities and the next prediction need these two to be separate.
        if self.predict.len() > 2 || self.after.len() > 1 {
            self.fused = None;
        }
        self.turn();
        Ok(())
    }

    /// The `substeps` of a frame, each of length `h`, s; the error is a particle that is not finite, and the substep.
    pub(crate) fn walk(
        &mut self,
        world: &mut World<T>,
        h: f64,
        substeps: u32,
        team: Team<'_>,
    ) -> Result<(), (NonFinite, u32)> {
        let Settings { iterations, seed, .. } = world.settings;
        let order = world.sweep_order(h);
        let simd = world.simd();
        let mut predicted = false;
        if let Some(monitor) = &mut world.monitor {
            monitor.begin_frame();
        }
        for substep in 1..=substeps {
            let keep = substep == substeps;
            let end = world.time + f64::from(substep) * h;
            let look = (substep - 1).is_multiple_of(LOOK_EVERY);
            let fresh = substep == 1;
            let now = Now {
                h,
                end,
                first: false,
                last: false,
                backward: false,
                solved: false,
                keep,
                fresh,
                look,
                simd,
                team,
            };
            let failed = |vertex| (vertex, substep);
            if !predicted {
                run_all(&mut self.predict, world, &now).map_err(failed)?;
            }
            run_all(&mut self.begin, world, &now).map_err(failed)?;
            let needs_previous = world.needs_previous();
            if let Some(monitor) = &mut world.monitor
                && keep
            {
                monitor.predict(&world.fine.particles, needs_previous);
            }
            let symmetric = order == SweepOrder::Symmetric;
            let backward = order == SweepOrder::Random && is_backward(seed, world.frame, substep - 1);
            let newton = world.method == Method::Newton;
            let all = iterations + u32::from(newton);
            for iteration in 1..=all {
                let (first, last) = (iteration == 1, iteration == all);
                if iteration > iterations {
                    run_all(&mut self.middle, world, &Now { first, last, backward, ..now })
                        .map_err(failed)?;
                }
                let solved = iteration > iterations;
                let there = Now { first, last: last && !symmetric, backward, solved, ..now };
                self.iterate(world, &there).map_err(failed)?;
                if symmetric {
                    let back = Now { first: false, last, backward: true, solved, ..now };
                    self.iterate(world, &back).map_err(failed)?;
                }
            }
            run_all(&mut self.finish, world, &now).map_err(failed)?;
            let next = Now { end: end + h, ..now };
            // The release of a pin changes the weights between the two substeps.
            let fused = self.fused.as_mut().filter(|_| !keep);
            let fused = fused.filter(|_| !world.kinematics.will_release(release_time(next.end, h)));
            predicted = fused.is_some();
            if let Some(fused) = fused {
                let moves = self.predict.len() - 1;
                run_all(&mut self.predict[..moves], world, &next).map_err(failed)?;
                run(fused.as_mut(), world, &next).map_err(failed)?;
            } else {
                run_all(&mut self.after, world, &now).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Projects everything once.
    fn iterate(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<(), NonFinite> {
        for place in 0..self.iteration.len() {
            let pass = if now.backward { self.turned[place] } else { place };
            run(self.iteration[pass].as_mut(), world, now)?;
        }
        Ok(())
    }
}

fn run_all<T: Scalar>(
    passes: &mut [Box<dyn Pass<T>>],
    world: &mut World<T>,
    now: &Now<'_>,
) -> Result<(), NonFinite> {
    passes.iter_mut().try_for_each(|pass| run(pass.as_mut(), world, now))
}

/// Runs a pass, and lets the monitor observe it.
fn run<T: Scalar>(pass: &mut dyn Pass<T>, world: &mut World<T>, now: &Now<'_>) -> Result<(), NonFinite> {
    world.settle(pass.moment(), now.h, now.end);
    let work = pass.run(world, now)?;
    world.take_down(work);
    Ok(())
}
