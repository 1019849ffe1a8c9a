//! [`Watch`]: what has to be kept while a simulation steps so that a report can be a whole certificate.

use nalgebra::Vector3;

use crate::contact::Contacts;
use crate::float::Float;
use crate::particles::{Particle, Particles};

/// Kept where [`Settings::certificate`](crate::Settings::certificate) is set.
#[derive(Debug, Clone)]
pub(crate) struct Watch<T: Float> {
    /// Where forces alone would have taken the particles in the last substep of the last frame; empty before the first.
    pub(crate) predicted: Vec<Particle<T>>,
    /// Work of the contacts since the start, J.
    pub(crate) contact_work: f64,
    /// The particles that have been in contact since the start.
    pub(crate) touched: Vec<bool>,
    /// Whether the work of the last substep has been added.
    settled: bool,
}

impl<T: Float> Watch<T> {
    pub(crate) fn new(particles: usize) -> Self {
        Self { predicted: Vec::new(), contact_work: 0.0, touched: vec![false; particles], settled: true }
    }

    /// Remembers the prediction of the last substep of a frame.
    pub(crate) fn predict(&mut self, particles: &Particles<T>) {
        self.predicted.clear();
        self.predicted.extend_from_slice(&particles.now[..particles.len()]);
    }

    /// Adds the work of a substep of length `h`, s, under `gravity`, m/s², once: to be called when positions are final and velocities not yet derived.
    pub(crate) fn settle(
        &mut self,
        contacts: &Contacts<T>,
        particles: &Particles<T>,
        gravity: &Vector3<f64>,
        h: f64,
    ) {
        if !std::mem::replace(&mut self.settled, true) && !contacts.is_empty() {
            let touched = &mut self.touched;
            self.contact_work += contacts.work(particles, gravity, h, |i| touched[i] = true);
        }
    }

    /// What it is made of: predictions, the particles that touched, the work and whether it is settled.
    pub(crate) fn parts(&self) -> (&[Particle<T>], &[bool], f64, bool) {
        (&self.predicted, &self.touched, self.contact_work, self.settled)
    }

    /// The watch that is made of these.
    pub(crate) fn from_parts(
        predicted: Vec<Particle<T>>,
        touched: Vec<bool>,
        contact_work: f64,
        settled: bool,
    ) -> Self {
        Self { predicted, contact_work, touched, settled }
    }

    /// A substep begins.
    pub(crate) fn begin(&mut self) {
        self.settled = false;
    }
}
