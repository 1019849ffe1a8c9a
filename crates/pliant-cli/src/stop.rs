//! [`Stop`]: SIGTERM and SIGINT, as a question that a run asks between two frames. Before the first one there is nothing to
//! keep, and they end the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::AGAIN;

/// Whether the process has been asked to end.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    asked: Arc<AtomicBool>,
    /// Whether the next signal ends the process.
    is_next_last: Arc<AtomicBool>,
}

impl Stop {
    /// Hears the signals from now on. The first asks, and the second ends the process at once, with the same status.
    pub(crate) fn on_signals() -> Self {
        static STOP: OnceLock<Stop> = OnceLock::new();
        let heard = || {
            let stop = Self { asked: Arc::default(), is_next_last: Arc::default() };
            for signal in [SIGTERM, SIGINT] {
                // In this order: the first signal finds that none came before. Where a signal cannot be
                // heard, it ends the process as ever.
                let is_last = Arc::clone(&stop.is_next_last);
                let _ = flag::register_conditional_shutdown(signal, AGAIN.into(), is_last);
                let _ = flag::register(signal, Arc::clone(&stop.is_next_last));
                let _ = flag::register(signal, Arc::clone(&stop.asked));
            }
            stop
        };
        STOP.get_or_init(heard).clone()
    }

    /// Until the work is ready to be stopped, the first signal ends the process: reading and preparing a large scene takes
    /// minutes, in which nobody looks at the flag.
    pub(crate) fn at_once_until_ready() -> Self {
        let stop = Self::on_signals();
        stop.is_next_last.store(true, Ordering::Relaxed);
        stop
    }

    /// From now on the first signal asks.
    pub(crate) fn ready(&self) {
        self.is_next_last.store(false, Ordering::Relaxed);
    }

    /// The flag that the first signal raises.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.asked)
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}
