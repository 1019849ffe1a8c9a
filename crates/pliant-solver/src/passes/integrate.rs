//! Prediction and velocities: the two ends of a substep.

use nalgebra::Vector3;
use pliant_constraints::splat_vector;
use pliant_kernel::{Particles, Simd, Step, Team, walk, widen};

use crate::describe::book::PredictionBounds;
use crate::set::contact::Contacts;
use pliant_kernel::Scalar;

/// The threads and instructions of a walk over the particles.
#[derive(Clone, Copy)]
pub(crate) struct Walker<'a> {
    pub(crate) simd: Simd,
    pub(crate) team: Team<'a>,
}

/// The numbers of a substep of `h`, s, under `gravity`, m/s², of which drag keeps a share `keep` of the
/// velocities. If `leave`, deriving them leaves the predictions in the place of the previous positions.
pub(crate) fn step<T: Scalar>(gravity: &Vector3<f64>, h: f64, keep: f64, leave: bool) -> Step<T> {
    let [x, y, z] = (gravity * h).into();
    Step {
        h: T::splat(h),
        inverse_h: T::splat(1.0 / h),
        keep: T::splat(keep),
        leave,
        gravity: [x, y, z, 0.0, x, y, z, 0.0].map(T::splat),
    }
}

/// Moves every free particle as far as its velocity and gravity take it.
pub(crate) fn predict<T: Scalar>(
    particles: &mut Particles<T>,
    step: Step<T>,
    bounds: &PredictionBounds,
    walker: Walker<'_>,
) {
    walk::<T, false, true>(particles, step, walker.simd, walker.team);
    apply_bounds(particles, bounds);
}

/// Derives the velocity of every free particle from its displacement. The error is the first particle whose
/// velocity is not finite.
pub(crate) fn derive_velocities<T: Scalar>(
    particles: &mut Particles<T>,
    step: Step<T>,
    walker: Walker<'_>,
) -> Result<(), usize> {
    let finite = walk::<T, true, false>(particles, step, walker.simd, walker.team);
    check(particles, finite)
}

/// [`derive_velocities`] and, for the substep that follows, [`predict`], in one walk.
pub(crate) fn derive_and_predict<T: Scalar>(
    particles: &mut Particles<T>,
    step: Step<T>,
    walker: Walker<'_>,
) -> Result<(), usize> {
    let finite = walk::<T, true, true>(particles, step, walker.simd, walker.team);
    check(particles, finite)
}

/// [`derive_velocities`] if obstacles give velocity back. Impacts slower than `rest_speed`, m/s, do not
/// bounce. Returns the kinetic energy, J, that was given back.
pub(crate) fn derive_bouncing_velocities<T: Scalar>(
    particles: &mut Particles<T>,
    step: Step<T>,
    contacts: &Contacts<T>,
    rest_speed: f64,
    walker: Walker<'_>,
) -> Result<f64, usize> {
    let arriving: Vec<_> = contacts.bouncing().map(|i| (i, particles.velocity[i].v)).collect();
    let undamped = Step { keep: T::one(), ..step };
    let finite = walk::<T, true, false>(particles, undamped, walker.simd, walker.team);
    let rest_speed = T::splat(rest_speed);
    let mut given = 0.0;
    for (i, before) in arriving {
        let p = particles.now[i];
        if p.w > T::zero() {
            let velocity = &mut particles.velocity[i].v;
            let still = widen(velocity).norm_squared();
            *velocity = contacts.bounce(i, &p.x, &before, *velocity, rest_speed, step.inverse_h);
            given += 0.5 * (widen(velocity).norm_squared() - still) / p.w.to_f64();
        }
    }
    for (p, velocity) in particles.now.iter().zip(&mut particles.velocity) {
        if p.w > T::zero() {
            velocity.v *= step.keep;
        }
    }
    check(particles, finite)?;
    Ok(given)
}

fn check<T: Scalar>(particles: &Particles<T>, finite: bool) -> Result<(), usize> {
    if finite {
        return Ok(());
    }
    let bad = particles.velocity.iter().position(|v| !v.v.iter().all(|c| c.is_finite()));
    Err(bad.unwrap_or_default())
}

/// Moves predictions of free particles back into the bounds.
fn apply_bounds<T: Scalar>(particles: &mut Particles<T>, bounds: &PredictionBounds) {
    let Particles { now, previous, .. } = particles;
    let free = now.iter_mut().zip(previous).filter(|(p, _)| p.w > T::zero());
    match bounds {
        PredictionBounds::None => {}
        PredictionBounds::Floor => {
            for (p, previous) in free {
                if p.x.y < T::zero() {
                    p.x = Vector3::new(previous.x.x, T::zero(), previous.x.z);
                }
            }
        }
        PredictionBounds::Box { min, max } => {
            let (min, max) = (splat_vector::<T>(min), splat_vector::<T>(max));
            for (p, _) in free {
                p.x = p.x.zip_zip_map(&min, &max, |x, min, max| x.max(min).min(max));
            }
        }
    }
}
