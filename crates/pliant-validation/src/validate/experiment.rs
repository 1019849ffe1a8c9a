//! [`Experiment`]: a scene with a known answer, and [`Findings`]: its results.

use serde::{Deserialize, Serialize};

use super::check::{Check, Verdict};
use super::figure::{Figure, Table};
use crate::problem::Problem;

/// A page of the book.
pub(super) struct Experiment {
    /// Its name on the command line and that of its page.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The description: the scene, and why its answer is known, with the source, in Markdown.
    pub(super) what: &'static str,
    pub(super) measure: fn(Scope) -> Result<Findings, Problem>,
}

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Rows that take little time. Each is one of the full form, with the same settings and so the same numbers.
    Quick,
    Full,
}

impl Scope {
    pub(super) fn is_full(self) -> bool {
        self == Self::Full
    }

    /// The rows of the quick form, or all of them.
    pub(super) fn pick<'a, T>(self, quick: &'a [T], full: &'a [T]) -> &'a [T] {
        if self.is_full() { full } else { quick }
    }
}

/// The results of an experiment.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Findings {
    pub(super) checks: Vec<Check>,
    /// Sentences that depend on the measurement, in Markdown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) remarks: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tables: Vec<Table>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) figures: Vec<Figure>,
}

impl Findings {
    pub(super) fn check(&mut self, check: Check) {
        self.checks.push(check);
    }

    pub(super) fn count(&self, verdict: Verdict) -> usize {
        self.checks.iter().filter(|check| check.verdict() == verdict).count()
    }

    /// How many checks have which verdict, in words.
    pub(super) fn summary(&self) -> String {
        let words = [
            (Verdict::Met, "met"),
            (Verdict::Missed, "NOT MET"),
            (Verdict::Known, "known not to be met"),
            (Verdict::Reported, "reported"),
        ];
        let counts = words.iter().filter_map(|&(verdict, word)| {
            let n = self.count(verdict);
            (n > 0).then(|| format!("{n} {word}"))
        });
        counts.collect::<Vec<_>>().join(", ")
    }
}
