//! No file names a folder of a single machine, because it would work only there.

use super::{Finding, Tree};

/// Folders that exist on one machine only. In pieces, so that this file does not find itself.
const PLACES: [&str; 6] = [
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("/wo", "rk/"),
    concat!("/mn", "t/"),
    concat!("C:\\Us", "ers\\"),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files() {
        for (line, text) in file.lines() {
            let starts_a_path =
                |(at, _): (usize, &str)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.');
            if let Some(place) = PLACES.iter().find(|place| text.match_indices(**place).any(starts_a_path)) {
                let what = format!("a path of one machine (`{place}…`): use a relative path or a setting");
                findings.push(Finding::new(&file.path, line, what));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_absolute_paths_but_no_relative_ones() {
        let text = format!("{}ann/x\nsee ./doc{}x and https://x.org{}\n", PLACES[0], PLACES[3], PLACES[2]);
        let findings = check(&Tree::of(&[("a.md", &text)]));
        assert_eq!(findings.iter().map(|f| f.line).collect::<Vec<_>>(), [1]);
    }
}
