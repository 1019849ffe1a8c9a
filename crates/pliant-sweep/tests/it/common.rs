//! A folder with a small scene and studies of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use pliant_sweep::{Shard, Study, SweepError, Unit};

/// A sheet that hangs from two corners, for a few frames.
pub(crate) const SCENE: &str = r#"frames = 3
[solver]
substeps = 4
[[body]]
name = "sheet"
mesh = { grid = { vertices = [5, 5], size = [0.5, 0.5] } }
edges = { compliance = 1e-6 }
pin = [{ vertices = [0, 4] }]
[output]
formats = ["pc2"]
"#;

pub(crate) struct Bench(tempfile::TempDir);

impl Bench {
    pub(crate) fn new() -> Self {
        let bench = Self(tempfile::tempdir().unwrap());
        bench.write("sheet.toml", SCENE);
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn study(&self, text: &str) -> Result<Study, SweepError> {
        Study::load(&self.write("study.toml", &format!("scene = \"sheet.toml\"\n{text}")))
    }

    /// The units of a study, in the folder `out`.
    pub(crate) fn units(&self, text: &str) -> Vec<Unit> {
        self.study(text).unwrap().expand(&self.path("out"), Shard::default()).unwrap()
    }

    pub(crate) fn names(&self, text: &str) -> BTreeSet<String> {
        self.units(text).into_iter().map(|unit| unit.name).collect()
    }
}
