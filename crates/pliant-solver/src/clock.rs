//! The clock by which sweeps are timed, in one place: some targets have none.

use std::time::Duration;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) type Moment = std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) type Moment = ();

/// The present moment.
pub(crate) fn now() -> Moment {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    return Moment::now();
}

/// The time since a moment; zero where there is no clock.
pub(crate) fn since(moment: Moment) -> Duration {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    return moment.elapsed();
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    {
        let () = moment;
        Duration::ZERO
    }
}
