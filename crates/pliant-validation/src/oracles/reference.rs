//! [`Reference`]: the program that made the files of `parity/`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::verdict::Problem;
use crate::python::Python;

/// `run_ref.py` of a folder of oracles: it runs a scenario in the order that the file gives, in double precision.
pub(crate) struct Reference {
    python: Python,
    script: PathBuf,
    folder: tempfile::TempDir,
}

impl Reference {
    /// The program in `dir`; the reason if it cannot be run.
    pub(crate) fn of(dir: &Path, python: &Python) -> Result<Self, String> {
        let script = dir.join("run_ref.py");
        if !script.is_file() {
            return Err(format!("there is no {}", script.display()));
        }
        if let Some(reason) = python.lacks(&["numpy", "numba"]) {
            return Err(reason);
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        Ok(Self { python: python.clone(), script, folder })
    }

    /// Positions and velocities of the frames of a scenario, by their numbers.
    pub(crate) fn run(&self, scenario: &Value) -> Result<Value, Problem> {
        let [input, output] = ["in.json", "out.json"].map(|name| self.folder.path().join(name));
        fs::write(&input, serde_json::to_vec(scenario)?)?;
        let ran = self.python.run(&self.script, &[&input, &output], "the reference program failed");
        ran.map_err(|error| Problem(error.to_string()))?;
        Ok(serde_json::from_slice(&fs::read(&output)?)?)
    }
}
