//! [`Results`]: `results.json`, all data of the book.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::experiment::{Findings, Scope};
use crate::problem::Problem;

const FILE: &str = "results.json";

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Results {
    /// By name.
    pub(super) experiments: BTreeMap<String, Measured>,
}

/// An experiment that was measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Measured {
    /// The time of the full form, s; not compared with anything.
    pub(super) seconds: f64,
    #[serde(flatten)]
    pub(super) findings: Findings,
}

impl Results {
    pub(super) fn read(folder: &Path) -> Result<Self, Problem> {
        let path = folder.join(FILE);
        let named = |error: &dyn std::fmt::Display| Problem(format!("{}: {error}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|error| named(&error))?;
        serde_json::from_str(&text).map_err(|error| named(&error))
    }

    pub(super) fn read_or_new(folder: &Path) -> Result<Self, Problem> {
        if folder.join(FILE).exists() { Self::read(folder) } else { Ok(Self::default()) }
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), Problem> {
        std::fs::create_dir_all(folder)?;
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(folder.join(FILE), text)
            .map_err(|error| Problem(format!("{}: {error}", folder.display())))
    }

    /// Adds a measurement. A time is replaced only if it differs markedly, not by the load of the machine.
    pub(super) fn take(&mut self, name: &str, findings: Findings, seconds: f64) {
        let earlier = self.experiments.get(name).map(|measured| measured.seconds);
        let usual = earlier.filter(|e| (0.5..2.0).contains(&((seconds + 0.5) / (e + 0.5))));
        let seconds = usual.unwrap_or((seconds * 10.0).round() / 10.0);
        self.experiments.insert(name.to_owned(), Measured { seconds, findings });
    }

    /// Where the measurements of an experiment differ from those here.
    pub(super) fn differences(&self, name: &str, fresh: &Findings, scope: Scope) -> Vec<String> {
        let Some(Measured { findings: here, .. }) = self.experiments.get(name) else {
            return vec![format!("{name} is not in the book")];
        };
        let find = |among: &Findings, name: &str| among.checks.iter().find(|c| c.name == name).cloned();
        let mut differences = Vec::new();
        for check in &fresh.checks {
            match find(here, &check.name) {
                Some(committed) => differences.extend(check.difference(&committed)),
                None => differences.push(format!("{} is not in the book", check.name)),
            }
        }
        if scope.is_full() {
            let gone = here.checks.iter().filter(|check| find(fresh, &check.name).is_none());
            differences.extend(gone.map(|check| format!("{} is in the book but not measured", check.name)));
        }
        differences.into_iter().map(|difference| format!("{name}: {difference}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::Check;
    use super::*;

    fn findings(checks: &[(&str, f64)]) -> Findings {
        let checks = checks.iter().map(|(name, x)| Check::near(*name, 1.0, *x, 1e-2)).collect();
        Findings { checks, ..Findings::default() }
    }

    #[test]
    fn differences_are_named() {
        let mut results = Results::default();
        results.take("beam", findings(&[("tip", 1.0), ("middle", 1.0)]), 1.0);
        let differ = |name, fresh: &[_], scope| results.differences(name, &findings(fresh), scope).len();
        assert_eq!(differ("beam", &[("tip", 1.0), ("middle", 1.000_5)], Scope::Full), 0);
        assert_eq!(differ("beam", &[("tip", 1.005)], Scope::Quick), 1, "another number");
        assert_eq!(differ("beam", &[("tip", 1.0)], Scope::Quick), 0, "the quick form has fewer rows");
        assert_eq!(differ("beam", &[("tip", 1.0)], Scope::Full), 1, "a row is gone");
        assert_eq!(differ("beam", &[("tip", 1.0), ("end", 1.0)], Scope::Quick), 1, "a new row");
        assert_eq!(differ("chain", &[], Scope::Quick), 1, "a new experiment");
    }

    #[test]
    fn files_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut results = Results::default();
        results.take("beam", findings(&[("tip", 1.0 / 3.0), ("lost", f64::NAN)]), 1.23);
        results.write(folder.path()).unwrap();
        let read = Results::read(folder.path()).unwrap();
        let checks = &read.experiments["beam"].findings.checks;
        assert_eq!(checks[0].measured, 1.0 / 3.0);
        assert!(checks[1].measured.is_nan());
        std::fs::write(folder.path().join(FILE), "{").unwrap();
        assert!(Results::read(folder.path()).unwrap_err().0.contains(FILE));
    }

    #[test]
    fn times_do_not_change_with_the_load() {
        let mut results = Results::default();
        for (seconds, kept) in [(10.0, 10.0), (13.0, 10.0), (40.0, 40.0)] {
            results.take("beam", Findings::default(), seconds);
            assert_eq!(results.experiments["beam"].seconds, kept);
        }
    }
}
