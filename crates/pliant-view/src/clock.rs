//! The clock by which work is timed, in one place: some targets have none.

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

/// The time since a moment; `None` where there is no clock.
pub(crate) fn since(moment: Moment) -> Option<Duration> {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    return Some(moment.elapsed());
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    {
        let () = moment;
        None
    }
}
