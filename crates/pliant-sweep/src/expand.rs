//! From a study to its units: pure in the study, the scene, the files that it names, and the version of the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use pliant_run::digest;
use pliant_run::files::write_whole;
use toml::{Table, Value};

use crate::error::SweepError;
use crate::files::Files;
use crate::shard::Shard;
use crate::study::Study;
use crate::unit::{PARAMETERS, SCENE, UNITS, Unit};

impl Study {
    /// The units of a part of the study, each with its scene and its parameters in a folder of `out`. What is
    /// there already stays; of units that are equal there is one.
    ///
    /// # Errors
    /// If a combination of values is no valid scene, or a file cannot be written; then the units before it are there.
    pub fn expand(&self, out: &Path, shard: Shard) -> Result<Vec<Unit>, SweepError> {
        let root = out.join(UNITS);
        fs::create_dir_all(&root).map_err(SweepError::write(&root))?;
        let root = root.canonicalize().map_err(|error| SweepError::read(&root, &error))?;
        let (mut units, mut names, mut files) = (Vec::new(), BTreeSet::new(), Files::default());
        for number in (0..self.count()).filter(|&number| shard.has(number)) {
            let (unit, scene) = self.unit(number, &root, &mut files)?;
            if names.insert(unit.name.clone()) {
                keep(&root.join(&unit.name), &unit, &scene)?;
                units.push(unit);
            }
        }
        Ok(units)
    }

    /// The unit of a number, and the text of its scene for a folder in `root`.
    fn unit(&self, number: u64, root: &Path, files: &mut Files) -> Result<(Unit, String), SweepError> {
        let values = self.values(number);
        let parameters: BTreeMap<String, serde_json::Value> =
            values.iter().map(|(k, value)| (self.keys[*k].name.clone(), json(value))).collect();
        let scene = self.scene_with(&values).map_err(|problem| SweepError::Read {
            path: self.file.clone(),
            reason: format!("with {}: {problem}", told(&parameters)),
        })?;
        let canonical = scene.to_toml();
        let mut table: Table = canonical.parse().expect("what was written as TOML can be read as such");
        // Folders of units are as deep as this one, whatever their names.
        let named = files.rebase(&mut table, &self.base_dir, &root.join("unit"))?;
        let mut origin = format!("pliant {}\n{canonical}", env!("CARGO_PKG_VERSION"));
        for (path, content) in named {
            let _ = writeln!(origin, "{path} {content}");
        }
        let mut text = String::from("# A unit of a study: what varies is in parameters.json.\n");
        text += &table.to_string();
        Ok((Unit { name: digest(origin), parameters }, text))
    }

    /// The value of every key in the unit of a number. Points of the sample come one after another, so that
    /// more of them come at the end.
    fn values(&self, number: u64) -> Vec<(usize, Value)> {
        let point = (number / self.combinations) as u32;
        let mut rest = number % self.combinations;
        let mut drawn = 0;
        let mut values = Vec::with_capacity(self.keys.len());
        for (k, key) in self.keys.iter().enumerate() {
            let value = match (key.spread.count(), &self.draw) {
                (Some(count), _) => {
                    let value = key.spread.value(rest % count);
                    rest /= count;
                    value
                }
                (None, Some(draw)) => {
                    drawn += 1;
                    key.spread.at(draw.coordinate(point, drawn - 1))
                }
                (None, None) => key.spread.at(0.0),
            };
            values.push((k, value));
        }
        values
    }
}

/// Writes the files of a unit that are not there yet.
fn keep(folder: &Path, unit: &Unit, scene: &str) -> Result<(), SweepError> {
    fs::create_dir_all(folder).map_err(SweepError::write(folder))?;
    let mut parameters =
        serde_json::to_string_pretty(&unit.parameters).expect("values of TOML have a form in JSON");
    parameters.push('\n');
    // The scene last: a folder with a scene is a whole unit.
    for (name, text) in [(PARAMETERS, parameters.as_str()), (SCENE, scene)] {
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|there| there == text) {
            continue;
        }
        write_whole(&path, text).map_err(|error| match error {
            pliant_run::RunError::Io { path, source } => SweepError::Write { path, source },
            other => SweepError::Write { path, source: std::io::Error::other(other.to_string()) },
        })?;
    }
    Ok(())
}

fn json(value: &Value) -> serde_json::Value {
    match value {
        // JSON has no dates.
        Value::Datetime(date) => date.to_string().into(),
        Value::Array(list) => list.iter().map(json).collect(),
        Value::Table(table) => table.iter().map(|(key, value)| (key.clone(), json(value))).collect(),
        Value::String(text) => text.as_str().into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Boolean(truth) => (*truth).into(),
    }
}

/// Parameters in a sentence.
fn told(parameters: &BTreeMap<String, serde_json::Value>) -> String {
    parameters.iter().map(|(key, value)| format!("{key} = {value}")).collect::<Vec<_>>().join(", ")
}
