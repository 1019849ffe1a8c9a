//! Prediction and velocities: the two ends of a substep.

use nalgebra::Vector3;
use pliant_constraints::splat_vector;
use rayon::prelude::*;

use crate::contact::Contacts;
use crate::float::Float;
use crate::particles::{Particle, Particles};
use crate::settings::PredictionBounds;

/// Particles handled by one task.
const CHUNK: usize = 4096;

/// Moves every free particle as far as its velocity and `gravity`, m/s², take it in `h`, s.
pub(crate) fn predict<T: Float>(
    particles: &mut Particles<T>,
    gravity: &Vector3<f64>,
    bounds: &PredictionBounds,
    h: f64,
    parallel: bool,
) {
    let dv = splat_vector::<T>(&(gravity * h));
    let step = T::splat(h);
    let bounds = Bounds::new(bounds);
    let Particles { now, previous, velocity, .. } = particles;
    let one = |((p, previous), velocity): ((&mut Particle<T>, &mut Vector3<T>), &mut Vector3<T>)| {
        if p.w > T::zero() {
            *velocity += dv;
            *previous = p.x;
            p.x = bounds.apply(p.x + *velocity * step, previous);
        }
    };
    if parallel && now.len() > CHUNK {
        now.par_iter_mut()
            .zip(previous.par_iter_mut())
            .zip(velocity.par_iter_mut())
            .with_min_len(CHUNK)
            .for_each(one);
    } else {
        now.iter_mut().zip(previous.iter_mut()).zip(velocity.iter_mut()).for_each(one);
    }
}

/// What velocities are besides the displacement over the time.
pub(crate) struct Impulse<'a, T: Float> {
    /// Obstacles that give velocity back, if there are any.
    pub(crate) bounces: Option<&'a Contacts<T>>,
    /// Normal speed below which an impact does not bounce, m/s.
    pub(crate) rest_speed: f64,
    /// Share of the velocity that drag leaves.
    pub(crate) keep: f64,
}

/// Takes the velocity of every free particle from its displacement in `h`, s. The error is the first particle whose velocity is not finite.
pub(crate) fn derive_velocities<T: Float>(
    particles: &mut Particles<T>,
    impulse: &Impulse<'_, T>,
    h: f64,
    parallel: bool,
) -> Result<(), usize> {
    let (step, inverse_h) = (T::splat(h), T::splat(1.0 / h));
    let (keep, rest_speed) = (T::splat(impulse.keep), T::splat(impulse.rest_speed));
    let Particles { now, previous, velocity, .. } = particles;
    let one = |first: usize, velocity: &mut [Vector3<T>]| {
        let mut finite = true;
        for (i, velocity) in (first..).zip(velocity) {
            let p = &now[i];
            if p.w > T::zero() {
                // (x − x_previous)/h, written as the prediction's velocity and what the constraints changed: where none act, not a bit is lost.
                let predicted = previous[i] + *velocity * step;
                let mut v = *velocity + (p.x - predicted) * inverse_h;
                if let Some(contacts) = impulse.bounces {
                    v = contacts.bounce(i, &p.x, velocity, v, rest_speed, inverse_h);
                }
                *velocity = v * keep;
                finite &= v.x.is_finite() && v.y.is_finite() && v.z.is_finite();
            }
        }
        finite
    };
    let finite = if parallel && now.len() > CHUNK {
        let chunks = velocity.par_chunks_mut(CHUNK).enumerate();
        chunks.map(|(k, chunk)| one(k * CHUNK, chunk)).reduce(|| true, |a, b| a && b)
    } else {
        one(0, velocity)
    };
    if finite {
        return Ok(());
    }
    let bad = velocity.iter().position(|v| !v.iter().all(|c| c.is_finite()));
    Err(bad.unwrap_or_default())
}

/// Prediction bounds in the scalar of the simulation.
enum Bounds<T: Float> {
    None,
    Floor,
    Box(Vector3<T>, Vector3<T>),
}

impl<T: Float> Bounds<T> {
    fn new(bounds: &PredictionBounds) -> Self {
        match bounds {
            PredictionBounds::None => Self::None,
            PredictionBounds::Floor => Self::Floor,
            PredictionBounds::Box { min, max } => Self::Box(splat_vector(min), splat_vector(max)),
        }
    }

    #[inline(always)]
    fn apply(&self, x: Vector3<T>, previous: &Vector3<T>) -> Vector3<T> {
        match self {
            Self::Floor if x.y < T::zero() => Vector3::new(previous.x, T::zero(), previous.z),
            Self::None | Self::Floor => x,
            Self::Box(min, max) => x.zip_zip_map(min, max, |x, min, max| x.max(min).min(max)),
        }
    }
}
