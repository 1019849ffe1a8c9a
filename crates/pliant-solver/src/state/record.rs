//! [`Record`]: all numbers from which a certificate is computed, to be kept and checked later.

use nalgebra::Vector3;
use pliant_constraints::splat_vector;
use pliant_kernel::{Particle, widen};

use crate::describe::collide::PinchResponse;
use crate::live::changes::{Changes, Room};
use crate::live::state::Cue;
use crate::observe::monitor::Monitor;
use crate::world::World;
use pliant_kernel::Scalar;

/// The state at the end of a frame with the multipliers of its last substep, in `f64`, which holds every bit,
/// and in the caller's numbering.
///
/// A simulation that was built from the same scene can [load it](crate::Simulation::replay) and then reports
/// the same as the one that made it.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Compliance, Simulation};
///
/// let build = || {
///     let cloth = Body::cloth(TriMesh::grid([6, 6], [0.5, 0.5])?).stretch(Compliance::new(1e-5)).pin_vertices([0, 5]);
///     Ok::<Simulation, Box<dyn std::error::Error>>(Simulation::builder().body(cloth).build()?)
/// };
/// let (mut sim, mut other) = (build()?, build()?);
/// let report = sim.step(1.0 / 60.0)?;
/// other.replay(&sim.record())?;
/// assert_eq!(other.report().residuals, report.residuals);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// Number of the frame.
    pub frame: u64,
    /// Time at its end, s.
    pub time: f64,
    /// Length of its last substep, s.
    pub substep: f64,
    /// Substeps of the frame.
    pub substeps: u32,
    /// Positions, m.
    pub positions: Vec<Vector3<f64>>,
    /// Positions at the start of the last substep, m. If no constraint is damped they are not needed, and
    /// they may be the [predicted](Record::predicted) ones.
    pub previous: Vec<Vector3<f64>>,
    /// Where forces alone would have taken the particles in the last substep, m; empty if that was not kept.
    pub predicted: Vec<Vector3<f64>>,
    /// Velocities, m/s.
    pub velocities: Vec<Vector3<f64>>,
    /// Multipliers λ of every group, row after row.
    pub multipliers: Vec<(String, Vec<f64>)>,
    /// For every surface of the obstacles and every particle, the multiplier, kg·m, and the displacement by
    /// friction, m.
    pub contacts: Vec<[f64; 4]>,
    /// The [cues](crate::Simulation::cue) that were given.
    pub cues: Vec<Cue>,
    /// The changes by calls while the simulation ran; `None` if there were none.
    pub live: Option<Changes>,
}

/// A record that does not belong to this simulation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A list has another length.
    #[error(
        "the record is of another simulation: {what} has {found} numbers, not {expected}; build the \
        simulation from the same bodies with the same settings"
    )]
    Length {
        /// Which list.
        what: String,
        /// How many numbers it has.
        found: usize,
        /// How many the simulation has.
        expected: usize,
    },
    /// The changes by calls do not fit.
    #[error(
        "the record is of another simulation: {0}; build the simulation from the same bodies with the same \
        settings"
    )]
    Changes(&'static str),
}

impl<T: Scalar> World<T> {
    pub(crate) fn record_here(&self) -> Record {
        let n = self.len();
        let vectors = |list: &[Particle<T>]| -> Vec<Vector3<f64>> {
            let count = if list.is_empty() { 0 } else { n };
            (0..count).map(|i| widen(&list[self.internal(i)].x)).collect()
        };
        let multipliers =
            |running: &crate::level::RunningSet<T>| (running.name.clone(), running.set.multipliers());
        let contacts = self.contacts.state();
        let surfaces = contacts.len() / n.max(1);
        let predicted = self.monitor.as_ref().and_then(|monitor| monitor.predicted(&self.fine.particles));
        Record {
            frame: self.frame,
            time: self.time,
            substep: self.last_h,
            substeps: self.substeps(),
            positions: vectors(&self.fine.particles.now),
            previous: vectors(&self.fine.particles.previous),
            predicted: predicted.map_or_else(Vec::new, vectors),
            velocities: self.velocities(),
            multipliers: self.fine.sets.iter().map(multipliers).collect(),
            contacts: (0..surfaces)
                .flat_map(|surface| (0..n).map(move |i| (surface, i)))
                .map(|(surface, i)| contacts[surface * n + self.internal(i)])
                .collect(),
            cues: self.cues.clone(),
            live: Changes::of(&self.live, &self.kinematics.pins),
        }
    }

    pub(crate) fn replay_here(&mut self, record: &Record) -> Result<(), RecordError> {
        let n = self.len();
        if let Some(changes) = &record.live {
            let room = Room { particles: n, sets: self.fine.sets.len() };
            let present = (&self.live, &self.kinematics.pins[..]);
            let (live, pins) = changes.apply(present, room).map_err(RecordError::Changes)?;
            self.take_live(&live, &pins);
        }
        self.check(record)?;
        self.take_cues(&record.cues);
        self.time = record.time;
        self.frame = record.frame;
        self.last_h = record.substep;
        self.last_substeps = record.substeps.max(1);
        // The substeps of a frame that was divided further are not a setting.
        let divided = self.settings.pinch == PinchResponse::Substep || self.settings.motion_limit.is_some();
        if self.auto.is_none() && !divided {
            self.settings.substeps = self.last_substeps;
        }
        let begun = record.time - 0.5 * record.substep;
        let mut repin = false;
        for pin in &mut self.kinematics.pins {
            let released = pin.release.is_some_and(|release| begun > release);
            let released = released || (pin.released && record.live.is_some());
            repin |= std::mem::replace(&mut pin.released, released) != released;
        }
        if repin {
            self.repin();
        }
        for i in 0..n {
            let at = self.internal(i);
            self.fine.particles.now[at].x = splat_vector(&record.positions[i]);
            self.fine.particles.previous[at].x = splat_vector(&record.previous[i]);
            self.fine.particles.velocity[at].v = splat_vector(&record.velocities[i]);
        }
        for (group, constraint, target) in self.kinematics.moving_targets(record.time) {
            self.fine.sets[group].set.set_rest(constraint, target.as_slice());
        }
        if let Some(tethers) = &mut self.tethers {
            tethers.follow(&self.fine.particles, &mut self.fine.sets);
        }
        for (running, (_, multipliers)) in self.fine.sets.iter_mut().zip(&record.multipliers) {
            running.set.set_multipliers(multipliers);
        }
        let order = |i: usize| self.caller(i);
        let surfaces = record.contacts.len() / n.max(1);
        let contacts: Vec<[f64; 4]> =
            (0..surfaces * n).map(|k| record.contacts[(k / n) * n + order(k % n)]).collect();
        self.contacts.set_state(record.time, &contacts);
        if !record.predicted.is_empty() {
            let mut monitor = Monitor::new(n);
            monitor.stepped = true;
            monitor.predicted = self.fine.particles.now[..n].to_vec();
            for (i, x) in record.predicted.iter().enumerate() {
                let at = self.internal(i);
                monitor.predicted[at].x = splat_vector(x);
            }
            self.monitor = Some(monitor);
        }
        Ok(())
    }

    /// Checks that every list has the same length as here.
    fn check(&self, record: &Record) -> Result<(), RecordError> {
        let n = self.len();
        let mut lists = vec![
            ("positions".to_owned(), record.positions.len(), n),
            ("previous positions".to_owned(), record.previous.len(), n),
            ("velocities".to_owned(), record.velocities.len(), n),
            ("groups of constraints".to_owned(), record.multipliers.len(), self.fine.sets.len()),
            ("contacts".to_owned(), record.contacts.len(), self.contacts.state().len()),
        ];
        if !record.predicted.is_empty() {
            lists.push(("predicted positions".to_owned(), record.predicted.len(), n));
        }
        for (running, (name, multipliers)) in self.fine.sets.iter().zip(&record.multipliers) {
            let expected = if *name == running.name { running.set.multipliers().len() } else { 0 };
            lists.push((format!("multipliers of {name}"), multipliers.len(), expected));
        }
        match lists.into_iter().find(|(_, found, expected)| found != expected) {
            None => Ok(()),
            Some((what, found, expected)) => Err(RecordError::Length { what, found, expected }),
        }
    }

    pub(crate) fn pose_here(
        &mut self,
        positions: &[Vector3<f64>],
        frame: u64,
        time: f64,
    ) -> Result<(), RecordError> {
        let n = positions.len();
        self.replay_here(&Record {
            frame,
            time,
            substeps: self.substeps(),
            positions: positions.to_vec(),
            previous: positions.to_vec(),
            velocities: vec![Vector3::zeros(); n],
            multipliers: self
                .fine
                .sets
                .iter()
                .map(|running| (running.name.clone(), vec![0.0; running.set.multipliers().len()]))
                .collect(),
            contacts: vec![[0.0; 4]; self.contacts.state().len()],
            ..Record::default()
        })
    }

    pub(crate) fn set_certificate_here(&mut self, on: bool) {
        self.settings.certificate = on;
        let is_monitored = self.settings.is_monitored();
        if is_monitored != self.monitor.is_some() {
            self.monitor = is_monitored.then(|| Monitor::new(self.len()));
        }
    }
}
