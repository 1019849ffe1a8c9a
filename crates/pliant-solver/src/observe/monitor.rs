//! [`Monitor`]: the data that are kept while a simulation steps so that a report can be a complete certificate.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use nalgebra::Vector3;
use pliant_kernel::{Particle, Particles};

use crate::set::contact::{Contacts, Passage};
use pliant_kernel::Scalar;

/// Kept if [`Settings::certificate`](crate::Settings::certificate) is set.
#[derive(Debug, Clone)]
pub(crate) struct Monitor<T: Scalar> {
    /// Whether a frame has been stepped.
    pub(crate) stepped: bool,
    /// Where forces alone would have taken the particles in the last substep of the last frame; empty if that
    /// replaces the previous positions.
    pub(crate) predicted: Vec<Particle<T>>,
    /// Work of the contacts, of pins and targets that move, and of the wind, since the start, J.
    pub(crate) contact_work: f64,
    pub(crate) pin_work: f64,
    pub(crate) wind_work: f64,
    /// The particles that have been in contact since the start.
    pub(crate) touched: Vec<bool>,
    /// How particles met obstacles in the last frame.
    pub(crate) passage: Passage,
    /// Whether the work of the last substep has been added.
    settled: bool,
    pub(crate) scratch: Scratch<T>,
}

/// A list in which a report sums the impulses of constraints, kept from one report to the next: a new one would
/// have to be cleared, and often be obtained from the system page by page. It holds no state: a copy starts
/// without a list.
#[derive(Debug)]
pub(crate) struct Scratch<T: Scalar>(Mutex<Vec<Particle<T>>>);

impl<T: Scalar> Default for Scratch<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

/// The initial entry of a list for sums.
pub(crate) fn nothing<T: Scalar>() -> Particle<T> {
    Particle::new(Vector3::zeros(), T::zero())
}

impl<T: Scalar> Clone for Scratch<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T: Scalar> Scratch<T> {
    /// A list of `len` zeros. A caller that asks while another has the list gets a new one.
    pub(crate) fn take(&self, len: usize) -> Vec<Particle<T>> {
        let mut list = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        list.resize(len, nothing());
        list
    }

    /// Takes back a list, whose entries are all zero again.
    pub(crate) fn give_back(&self, list: Vec<Particle<T>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = list;
    }
}

impl<T: Scalar> Monitor<T> {
    pub(crate) fn new(particles: usize) -> Self {
        Self {
            stepped: false,
            predicted: Vec::new(),
            contact_work: 0.0,
            pin_work: 0.0,
            wind_work: 0.0,
            touched: vec![false; particles],
            passage: Passage::default(),
            settled: true,
            scratch: Scratch::default(),
        }
    }

    /// Remembers the prediction of the last substep of a frame, in a list of its own if `apart`; otherwise
    /// deriving velocities stores it in place of the previous positions.
    pub(crate) fn predict(&mut self, particles: &Particles<T>, apart: bool) {
        self.stepped = true;
        self.predicted.clear();
        if apart {
            self.predicted.extend_from_slice(&particles.now[..particles.len()]);
        }
    }

    /// Where forces alone would have taken the particles in the last substep of the last frame, if there was one.
    pub(crate) fn predicted<'a>(&'a self, particles: &'a Particles<T>) -> Option<&'a [Particle<T>]> {
        let apart = !self.predicted.is_empty();
        let list = if apart { &self.predicted[..] } else { &particles.previous[..particles.len()] };
        self.stepped.then_some(list)
    }

    /// Whether one of the particles has been in contact since the start.
    pub(crate) fn has_touched(&self, particles: Range<usize>) -> bool {
        // Without branches inside, many are tested together.
        self.touched[particles].chunks(1024).any(|some| some.iter().fold(false, |any, touched| any | touched))
    }

    /// Whether the work of the substep is still to be added.
    pub(crate) fn is_open(&self) -> bool {
        !self.settled
    }

    /// Starts a frame.
    pub(crate) fn begin_frame(&mut self) {
        self.passage = Passage::default();
    }

    /// Adds the work of a substep of length `h`, s, that ends at `end`, s, under `gravity`, m/s², once. Call it
    /// when positions are final and velocities are not derived yet. The work of the pins, J, is known by then.
    pub(crate) fn settle(
        &mut self,
        contacts: &Contacts<T>,
        particles: &Particles<T>,
        gravity: &Vector3<f64>,
        [end, h]: [f64; 2],
        pin_work: f64,
    ) {
        if std::mem::replace(&mut self.settled, true) {
            return;
        }
        self.pin_work += pin_work;
        if !contacts.is_empty() {
            let (touched, passage) = (&mut self.touched, &mut self.passage);
            self.contact_work += contacts.work(particles, gravity, h, |i, way| {
                touched[i] = true;
                passage.way.take(way, i);
            });
            contacts.passages(particles, end, h, passage);
        }
    }

    /// Work of contacts, pins and wind since the start, J.
    pub(crate) fn work(&self) -> [f64; 3] {
        [self.contact_work, self.pin_work, self.wind_work]
    }

    /// Whether it is settled, and whether a frame has been stepped.
    #[cfg(feature = "serde")]
    pub(crate) fn flags(&self) -> [bool; 2] {
        [self.settled, self.stepped]
    }

    /// The monitor with these predictions, particles that touched, [work](Monitor::work) and [flags](Monitor::flags).
    pub(crate) fn from_parts(
        predicted: Vec<Particle<T>>,
        touched: Vec<bool>,
        [contact_work, pin_work, wind_work]: [f64; 3],
        [settled, stepped]: [bool; 2],
    ) -> Self {
        let scratch = Scratch::default();
        let passage = Passage::default();
        Self { stepped, predicted, contact_work, pin_work, wind_work, touched, passage, settled, scratch }
    }

    /// Starts a substep.
    pub(crate) fn begin(&mut self) {
        self.settled = false;
    }
}
