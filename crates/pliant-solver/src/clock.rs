//! The clock by which work is timed, in one place: some targets have none.
//!
//! ```
//! use pliant_solver::clock;
//!
//! let begun = clock::now();
//! let spent = clock::since(begun).unwrap_or_default();
//! assert!(spent <= clock::since(begun).unwrap_or_default());
//! ```

use std::time::Duration;

/// A moment; nothing where there is no clock.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub type Moment = std::time::Instant;
/// A moment; nothing where there is no clock.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub type Moment = ();

/// The present moment.
#[must_use]
pub fn now() -> Moment {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    return Moment::now();
}

/// The time since a moment; `None` where there is no clock.
#[must_use]
pub fn since(moment: Moment) -> Option<Duration> {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    return Some(moment.elapsed());
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    {
        let () = moment;
        None
    }
}
