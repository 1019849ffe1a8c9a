//! A file read in a process of its own, with limits on time and memory.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::facts::Facts;
use super::manifest::Row;

/// The limits of a reading.
pub(crate) struct Limits {
    time: Duration,
    /// Address space of the child, KiB. Far above the judged limit; it only stops a reader before it harms
    /// other processes.
    address_space: u64,
}

impl Limits {
    /// The limits for a file.
    pub(crate) fn of(row: &Row, seconds: f64) -> Self {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Self { time, address_space: (1 << 20) + row.bytes / 1024 * 64 }
    }
}

/// Reads a file in a child; the error gives the cause if the child crashed.
pub(crate) fn read(path: &Path, limits: &Limits) -> Result<Facts, String> {
    let mut child = command(limits)
        .and_then(|mut command| {
            command.args(["corpus", "--dir", ".", "--child"]).arg(path);
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
        })
        .map_err(|error| format!("cannot start a child: {error}"))?;
    if !ends_in_time(&mut child, limits.time).map_err(|error| error.to_string())? {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("it takes more than {} s", limits.time.as_secs_f64()));
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let told: Vec<&str> = errors.lines().filter(|line| !line.trim().is_empty()).take(3).collect();
        return Err(format!("the reader crashed ({}): {}", output.status, told.join(" | ")));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("the child cannot be understood: {error}"))
}

/// This program; on Unix under a shell that limits its address space.
fn command(limits: &Limits) -> std::io::Result<Command> {
    let program = std::env::current_exe()?;
    if cfg!(unix) {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {} 2>/dev/null; exec \"$0\" \"$@\"", limits.address_space);
        command.arg("-c").arg(script).arg(program);
        Ok(command)
    } else {
        Ok(Command::new(program))
    }
}

fn ends_in_time(child: &mut Child, limit: Duration) -> std::io::Result<bool> {
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > limit {
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(true)
}
