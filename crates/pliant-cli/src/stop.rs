//! [`Stop`]: SIGTERM and SIGINT, as a question that a run asks between two frames.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::AGAIN;

/// Whether the process has been asked to end.
#[derive(Debug, Clone)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Hears the signals from now on. The first asks, and the second ends the process at once, with the same status.
    pub(crate) fn on_signals() -> Self {
        static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
        let asked = ASKED.get_or_init(|| {
            let asked = Arc::new(AtomicBool::new(false));
            for signal in [SIGTERM, SIGINT] {
                // In this order: the first signal finds that none came before. Where a signal cannot be
                // heard, it ends the process as ever.
                let _ = flag::register_conditional_shutdown(signal, AGAIN.into(), Arc::clone(&asked));
                let _ = flag::register(signal, Arc::clone(&asked));
            }
            asked
        });
        Self(Arc::clone(asked))
    }

    /// The flag that the first signal raises.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
