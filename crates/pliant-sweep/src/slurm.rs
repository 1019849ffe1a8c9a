//! [`slurm`]: a job script for an array of Slurm.

use std::path::Path;

/// A script for `sbatch` that runs a study as an array of `jobs` jobs, each with its part of the units. A job
/// that Slurm warns, a minute before its time is over or when it is pre-empted, makes checkpoints and goes
/// back into the queue; so does one whose node fails. `limit` is the time of a job, such as `01:00:00`.
///
/// ```
/// let script = pliant_sweep::slurm("/data/study.toml".as_ref(), "/data/out".as_ref(), 16, Some("01:00:00"));
/// assert!(script.starts_with("#!/bin/sh\n#SBATCH --job-name=study\n#SBATCH --array=1-16\n"));
/// ```
#[must_use]
pub fn slurm(study: &Path, out: &Path, jobs: u32, limit: Option<&str>) -> String {
    let name = study.file_stem().map_or_else(|| "study".into(), |stem| stem.to_string_lossy());
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let limit = limit.map_or_else(String::new, |limit| format!("#SBATCH --time={limit}\n"));
    let (study, out) = (quoted(study), quoted(out));
    format!(
        r#"#!/bin/sh
#SBATCH --job-name={name}
#SBATCH --array=1-{jobs}
#SBATCH --cpus-per-task=1
{limit}#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60

pliant sweep {study} -o {out} --run --jobs "${{SLURM_CPUS_PER_TASK:-1}}" --shard "$SLURM_ARRAY_TASK_ID/{jobs}" &
child=$!
trap 'kill -TERM "$child"' TERM
wait "$child"
status=$?
# A signal ends the first wait; the program is still writing its checkpoints.
while kill -0 "$child" 2>/dev/null; do
    wait "$child"
    status=$?
done
# 75: there is more to do.
if [ "$status" -eq 75 ]; then
    exec scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
fi
exit "$status"
"#
    )
}

/// A path as one word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_one_word() {
        let script = slurm("it's mine/a study.toml".as_ref(), "out".as_ref(), 2, None);
        assert!(script.contains(r"pliant sweep 'it'\''s mine/a study.toml' -o 'out' --run"), "{script}");
        assert!(script.contains("--job-name=a-study\n") && !script.contains("--time"), "{script}");
    }
}
