//! [`Problem`]: what went wrong, as the page shows it.

use pliant_scene::SceneError;
use serde::Serialize;

/// How many lines before and after the place are shown.
const AROUND: usize = 2;

/// What went wrong, with the lines of the scene that it is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Problem {
    /// What is wrong and what to do, one paragraph.
    pub what: String,
    /// Where in the file, if it is about a place in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Spot>,
}

/// A place in a file, and the lines around it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spot {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// How many characters of the line it is about.
    pub length: usize,
    /// The number of the first line that is quoted.
    pub first: usize,
    /// Lines of the file.
    pub lines: Vec<String>,
}

impl Problem {
    /// A problem without a place.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), place: None }
    }
}

impl From<&SceneError> for Problem {
    fn from(error: &SceneError) -> Self {
        let SceneError::Invalid(invalid) = error else { return Self::new(error.to_string()) };
        let place = invalid.place.as_ref().filter(|_| !invalid.text.is_empty());
        let place = place.map(|place| {
            let first = place.line.saturating_sub(AROUND).max(1);
            let all = invalid.text.lines().skip(first - 1);
            let lines: Vec<String> = all.take(place.line - first + 1 + AROUND).map(str::to_owned).collect();
            let offending = invalid.text.get(place.span.clone()).unwrap_or_default();
            let length = offending.lines().next().unwrap_or_default().chars().count().max(1);
            let (line, column) = (place.line, place.column);
            Spot { file: invalid.file.clone(), line, column, length, first, lines }
        });
        Self { what: error.to_string(), place }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_scene::Scene;

    #[test]
    fn it_quotes_the_lines_around_the_place() {
        let text = "frames = 3\n[solver]\nsubsteps = 0\n[[body]]\nmesh = { ball = { radius = 1, shells = 2 } }\nedges = \"rigid\"\n";
        let problem = Problem::from(&Scene::parse_named("a.toml", text, ".").unwrap_err());
        let spot = problem.place.unwrap();
        assert_eq!((spot.file.as_str(), spot.line, spot.column, spot.length), ("a.toml", 3, 12, 1));
        assert_eq!((spot.first, spot.lines.len()), (1, 5));
        assert!(problem.what.contains("substeps"), "{}", problem.what);
    }
}
