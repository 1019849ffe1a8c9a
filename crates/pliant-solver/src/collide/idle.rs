//! Contacts that have a place and are idle: their pairs are not near.

use nalgebra::Vector3;
use pliant_constraints::FrictionalContact;
use pliant_kernel::Scalar;

/// The distance that an idle contact keeps, m: all are farther apart.
pub(super) const IDLE: f64 = -1e9;

/// A contact of a pair that is not near: nothing presses, whatever the weights.
pub(super) fn idle<T: Scalar>(friction: [T; 2]) -> FrictionalContact<T> {
    let nothing = [T::zero(); 4];
    FrictionalContact {
        normal: Vector3::x(),
        weights: nothing,
        distance: T::splat(IDLE),
        friction,
        slip: Vector3::zeros(),
    }
}

/// Whether a contact is idle, or not a number.
pub(super) fn is_idle<T: Scalar>(contact: &FrictionalContact<T>) -> bool {
    let presses = contact.distance > T::splat(0.5 * IDLE);
    !presses
}
