//! The names of files and folders of a run.

use std::path::Path;

use crate::files::from_slashes;

/// The report, whose existence marks a finished run.
pub const COMPLETE: &str = "run.json";
/// The list of files of an unfinished run.
pub const UNFINISHED: &str = "run.unfinished";
/// Its first line.
pub(crate) const HEADING: &str = "# This run was not finished. It wrote these files:";
/// The folder of the journal, and its files.
pub(crate) const JOURNAL: &str = "continue";
pub(crate) const JOURNAL_FILES: [&str; 3] =
    ["continue/frames.bin", "continue/frames.jsonl", "continue/state.bin"];
/// The folder of the repaired meshes.
pub(crate) const REPAIRED: &str = "repaired";
/// The folder of the states with their multipliers.
pub(crate) const MULTIPLIERS: &str = "multipliers";

/// The contact sheet of a run, which the caller draws.
pub const SHEET: &str = "sheet.png";
/// The animated picture of a run.
pub const ANIMATION: &str = "animation.gif";
/// The folder of plots over time.
pub const PLOTS: &str = "plots";

/// The origin of a run: its scene or stack.
#[derive(Debug, Clone)]
pub struct Origin {
    /// Its name.
    pub name: String,
    /// The name of its copy in the folder: `scene.toml` or `stack.toml`.
    pub copy: &'static str,
    /// The text of its file.
    pub text: String,
}

/// Whether a folder holds a run, or a part of one.
pub(crate) fn holds_run(path: &Path) -> bool {
    [COMPLETE, UNFINISHED].iter().any(|marker| path.join(marker).symlink_metadata().is_ok())
}

/// Whether a folder holds a whole run.
pub(crate) fn is_finished(path: &Path) -> bool {
    path.join(COMPLETE).exists()
}

/// Whether a folder holds a part of a run.
pub(crate) fn is_part(path: &Path) -> bool {
    path.join(UNFINISHED).is_file() && !is_finished(path)
}

/// Whether a folder holds a whole run, and also what marks a part of one.
pub(crate) fn is_part_of_whole(path: &Path) -> bool {
    is_finished(path) && path.join(UNFINISHED).is_file()
}

/// Whether the run in a folder has a checkpoint.
pub(crate) fn has_checkpoint(root: &Path) -> bool {
    root.join(from_slashes(JOURNAL_FILES[2])).is_file()
}
