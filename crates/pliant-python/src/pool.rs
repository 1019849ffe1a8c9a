//! [`Pool`]: the thread pools of this process.
//!
//! A fork copies the memory of a process, but of its threads only the one that forks. A pool of the parent is
//! therefore of no use in the child: whoever waits for its threads waits for ever. So each process has pools
//! of its own, made when they are first needed. A child finds the process number of its parent beside the
//! pools, leaves them alone – to drop them would be to wait for their threads – and makes new ones.
//!
//! Nothing here may run in rayon's pool of the process, which cannot be replaced: all that may use threads is
//! called by way of [`Pool::run`].

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pools of the process of that number, by their number of threads; 0 stands for one for every core.
struct Pools {
    process: u32,
    by_threads: BTreeMap<usize, Arc<ThreadPool>>,
}

/// Locked only by who holds the GIL, which it keeps meanwhile. Who forks by `os.fork` holds it too, so that
/// no child finds this locked.
static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

/// A pool of this process.
#[derive(Clone)]
pub(crate) struct Pool(Arc<ThreadPool>);

impl Pool {
    /// The pool of so many threads, or of one for every core.
    pub(crate) fn of(_held: Python<'_>, threads: Option<usize>) -> PyResult<Self> {
        const MOST: usize = 4096;
        if threads.is_some_and(|threads| threads == 0 || threads > MOST) {
            let threads = threads.unwrap_or_default();
            return Err(PyValueError::new_err(format!(
                "threads is {threads}; give a number from 1 to {MOST}, or None for one for every core"
            )));
        }
        let threads = threads.unwrap_or(0);
        let process = std::process::id();
        let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        if pools.as_ref().is_some_and(|pools| pools.process != process) {
            std::mem::forget(pools.take());
        }
        let pools = pools.get_or_insert_with(|| Pools { process, by_threads: BTreeMap::new() });
        if let Some(pool) = pools.by_threads.get(&threads) {
            return Ok(Self(Arc::clone(pool)));
        }
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("pliant-{i}"))
            .build()
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?;
        let pool = Arc::new(pool);
        pools.by_threads.insert(threads, Arc::clone(&pool));
        Ok(Self(pool))
    }

    /// Does the work in the pool, while other threads of Python run.
    pub(crate) fn run<R: Send>(&self, py: Python<'_>, work: impl FnOnce() -> R + Send) -> R {
        py.detach(|| self.install(work))
    }

    /// Does the work in the pool, from a thread that does not hold the interpreter.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.0.install(work)
    }
}

/// Does the work in the pool of one thread for every core.
pub(crate) fn everywhere<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    Ok(Pool::of(py, None)?.run(py, work))
}
