//! [`Table`]: what the units of a folder have found.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use pliant_run::report::Report;
use pliant_run::{COMPLETE, CertificateFile, UNFINISHED};
use serde::Serialize;
use serde_json::Value;

use crate::error::SweepError;
use crate::unit::{FAILURE, PARAMETERS, RUN, SCENE, UNITS};

/// How far a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Its run has not begun.
    Waiting,
    /// Its run has begun.
    Unfinished,
    /// Its run failed, or cannot begin.
    Failed,
    /// Its run is there.
    Finished,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Waiting => "waiting",
            Self::Unfinished => "unfinished",
            Self::Failed => "failed",
            Self::Finished => "finished",
        })
    }
}

/// A unit in a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Its name.
    pub unit: String,
    /// How far it is.
    pub state: State,
    /// The values that vary, by their keys.
    pub parameters: BTreeMap<String, Value>,
    /// The worst value of every quantity of the certificate, and `solve_s`, the time to solve all frames;
    /// empty before the run is finished.
    pub quantities: BTreeMap<String, f64>,
    /// Whether the requirements were met.
    pub met: Option<bool>,
    /// The verdict.
    pub verdict: Option<String>,
    /// The state hash at the end.
    pub state_hash: Option<String>,
}

/// All units of a folder.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The units, sorted by name.
    pub rows: Vec<Row>,
}

impl Table {
    /// Reads the units of the folder of a study, of all studies that were expanded there.
    ///
    /// # Errors
    /// If there are none, or a file of one is not what a run writes.
    pub fn read(out: &Path) -> Result<Self, SweepError> {
        let root = out.join(UNITS);
        let entries = fs::read_dir(&root).map_err(|error| SweepError::Read {
            path: out.to_owned(),
            reason: format!("it holds no units ({error}); `pliant sweep STUDY.toml -o DIR` makes them"),
        })?;
        let mut folders: Vec<_> =
            entries.flatten().map(|entry| entry.path()).filter(|path| path.join(SCENE).is_file()).collect();
        folders.sort();
        Ok(Self { rows: folders.iter().map(|folder| row(folder)).collect::<Result<_, _>>()? })
    }

    /// The keys that vary in any unit.
    #[must_use]
    pub fn parameters(&self) -> BTreeSet<&str> {
        self.rows.iter().flat_map(|row| row.parameters.keys()).map(String::as_str).collect()
    }

    /// The quantities that any unit has.
    #[must_use]
    pub fn quantities(&self) -> BTreeSet<&str> {
        self.rows.iter().flat_map(|row| row.quantities.keys()).map(String::as_str).collect()
    }

    /// The table as CSV (RFC 4180 with plain line ends): a heading, and a line for every unit. A value that
    /// is missing is empty; lists and tables are JSON.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let (parameters, quantities) = (self.parameters(), self.quantities());
        let heading = ["unit", "state"].into_iter().chain(parameters.iter().copied());
        let heading = heading.chain(["met", "verdict", "state_hash"]).chain(quantities.iter().copied());
        let mut text = line(heading.map(str::to_owned));
        for row in &self.rows {
            let given = parameters.iter().map(|&key| row.parameters.get(key).map_or_else(String::new, plain));
            let found = quantities
                .iter()
                .map(|&name| row.quantities.get(name).map_or_else(String::new, f64::to_string));
            let judged = [
                row.met.map_or_else(String::new, |met| met.to_string()),
                row.verdict.clone().unwrap_or_default(),
                row.state_hash.clone().unwrap_or_default(),
            ];
            let named = [row.unit.clone(), row.state.to_string()];
            text += &line(named.into_iter().chain(given).chain(judged).chain(found));
        }
        text
    }
}

fn row(folder: &Path) -> Result<Row, SweepError> {
    let unit = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let parameters = read(&folder.join(PARAMETERS))?;
    let run = folder.join(RUN);
    let is_there = |name: &str| run.join(name).is_file();
    let state = match () {
        () if is_there(COMPLETE) => State::Finished,
        () if folder.join(FAILURE).is_file() => State::Failed,
        () if is_there(UNFINISHED) => State::Unfinished,
        () => State::Waiting,
    };
    let mut row = Row {
        unit,
        state,
        parameters,
        quantities: BTreeMap::new(),
        met: None,
        verdict: None,
        state_hash: None,
    };
    if state == State::Finished {
        let report: Report = read(&run.join(COMPLETE))?;
        let certificate: CertificateFile = read(&run.join("certificate.json"))?;
        row.quantities = certificate.worst.iter().map(|(name, worst)| (name.clone(), worst.value)).collect();
        row.quantities.insert("solve_s".to_owned(), report.summary.solve_s);
        row.met = Some(certificate.met);
        row.verdict = report.verdict.map(|verdict| verdict.grade().to_string());
        row.state_hash = Some(report.summary.state_hash);
    }
    Ok(row)
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, SweepError> {
    let text = fs::read_to_string(path).map_err(|error| SweepError::read(path, &error))?;
    serde_json::from_str(&text).map_err(|error| SweepError::Read {
        path: path.to_owned(),
        reason: format!(
            "it is not what a run writes ({error}); delete the folder of the unit, and run it again"
        ),
    })
}

/// A value of a parameter without quotation marks.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells = cells.map(|cell| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    });
    cells.collect::<Vec<_>>().join(",") + "\n"
}
