//! [`on_threads`]: work in a pool with a given number of threads.

use crate::error::CliError;

/// Runs the work in a pool of `threads` threads, or in the pool of the process if no number is given.
pub(crate) fn on_threads<R: Send>(
    threads: Option<u16>,
    work: impl FnOnce() -> Result<R, CliError> + Send,
) -> Result<R, CliError> {
    let Some(threads) = threads else { return work() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build();
    pool.map_err(|error| CliError::Refused(format!("cannot start {threads} threads: {error}")))?.install(work)
}
