//! The pages on the keys of scenes and stacks are complete: they describe every key and every word of the schemas, and
//! no other key.
//!
//! A key must have a row in a table: its name stands as code in the first cell. All keys of one table of a
//! file must be in one section of the page, so that a key is not taken for another one of the same name. Keys
//! that stacks share with scenes may be described on the page of either.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::docs_code::{Span, spans};
use super::tree::File;
use super::{Finding, Tree};

const SCENE: [&str; 2] = ["crates/pliant-scene/schema/scene.schema.json", "docs/src/guide/scene-keys.md"];
const STACK: [&str; 2] = ["crates/pliant-scene/schema/stack.schema.json", "docs/src/guide/stack-keys.md"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut told = Schema::default();
    for [schema, page] in [SCENE, STACK] {
        let Some(text) = tree.get(schema).and_then(|file| file.text.as_deref()) else { continue };
        let known = match serde_json::from_str(text) {
            Ok(value) => Schema::of(&value),
            Err(error) => {
                findings.push(Finding::new(schema, 1, format!("not JSON: {error}")));
                continue;
            }
        };
        let Some(file) = tree.get(page) else {
            findings.push(Finding::new(page, 1, "missing: describe every key of the schema"));
            continue;
        };
        let sections = sections(file);
        for (name, keys) in known.tables.iter().filter(|(name, keys)| told.tables.get(*name) != Some(*keys)) {
            findings.extend(objection(name, keys, &sections).map(|what| Finding::new(page, 1, what)));
        }
        let all: BTreeSet<&String> = known.tables.values().flatten().collect();
        for section in &sections {
            for key in section.keys.iter().filter(|key| !all.contains(key)) {
                let what =
                    format!("a row of \"{}\" has `{key}`, which is not a key: correct it", section.title);
                findings.push(Finding::new(page, 1, what));
            }
        }
        let code = code(file);
        for (word, of) in known.words.difference(&told.words) {
            let quoted = format!("\"{word}\"");
            if !code.iter().any(|code| code.contains(&quoted)) {
                findings.push(Finding::new(
                    page,
                    1,
                    format!("`{quoted}` of {of} is not described: describe it"),
                ));
            }
        }
        told = known;
    }
    findings
}

/// What is wrong with the section that has most of the keys of a table.
fn objection(name: &str, keys: &BTreeSet<String>, sections: &[Section]) -> Option<String> {
    let missing = |section: &Section| keys.difference(&section.keys).cloned().collect::<Vec<_>>();
    let best = sections.iter().min_by_key(|section| missing(section).len())?;
    let missing = missing(best);
    (!missing.is_empty()).then(|| {
        let (keys, section) = (missing.join("`, `"), &best.title);
        format!("no row in the tables of \"{section}\" for `{keys}` of {name}: add one")
    })
}

/// The content of a schema.
#[derive(Default)]
struct Schema {
    /// The keys of each table of a file.
    tables: BTreeMap<String, BTreeSet<String>>,
    /// Words that may stand as a value, and of what.
    words: BTreeSet<(String, String)>,
}

impl Schema {
    fn of(value: &Value) -> Self {
        let mut schema = Self::default();
        schema.collect(value, "the whole file");
        schema
    }

    /// Walks the schema; `of` is the definition that a value is part of.
    fn collect(&mut self, value: &Value, of: &str) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.collect(value, of)),
            Value::Object(map) => {
                for (key, value) in map {
                    match (key.as_str(), value) {
                        ("properties", Value::Object(keys)) => {
                            self.tables.entry(of.to_owned()).or_default().extend(keys.keys().cloned());
                            keys.values().for_each(|value| self.collect(value, of));
                        }
                        ("$defs", Value::Object(all)) => {
                            all.iter().for_each(|(name, value)| self.collect(value, name));
                        }
                        ("const", Value::String(word)) => self.word(word, of),
                        ("enum", Value::Array(words)) => {
                            words.iter().filter_map(Value::as_str).for_each(|word| self.word(word, of));
                        }
                        ("default", _) => {}
                        (_, value) => self.collect(value, of),
                    }
                }
            }
            _ => {}
        }
    }

    fn word(&mut self, word: &str, of: &str) {
        self.words.insert((word.to_owned(), of.to_owned()));
    }
}

/// A section under a heading of the second level.
struct Section {
    title: String,
    /// The words of the code in the first cells of its tables.
    keys: BTreeSet<String>,
}

fn sections(page: &File) -> Vec<Section> {
    let mut sections = vec![Section { title: "the beginning".to_owned(), keys: BTreeSet::new() }];
    for (_, line) in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            sections.push(Section { title: title.to_owned(), keys: BTreeSet::new() });
        }
        let Some(cell) = line.strip_prefix('|').and_then(|row| row.split('|').next()) else { continue };
        // A quoted name is a word and not a key.
        let code = cell.split('`').skip(1).step_by(2).filter(|code| !code.starts_with('"'));
        let names = code.flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let section = sections.last_mut().expect("there is one from the beginning");
        section.keys.extend(names.filter(|name| !name.is_empty()).map(str::to_owned));
    }
    sections
}

/// The code in the sentences and tables of a page.
fn code(page: &File) -> Vec<&str> {
    let inline = |span| if let Span::Inline { code, .. } = span { Some(code) } else { None };
    spans(page).into_iter().filter_map(inline).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r##"{ "properties": { "frames": { "default": { "properties": 3 } }, "wind": { "$ref": "#/$defs/Wind" } },
        "$defs": { "Wind": { "properties": { "drag": {}, "plan": { "$ref": "#/$defs/Plan" } } },
                   "Plan": { "oneOf": [{ "const": "auto" }, { "enum": ["slow"] }] } } }"##;
    const PAGE: &str = "| key | |\n|---|---|\n| `frames` | |\n| `[wind]` | |\n## Wind\n| `wind.drag` | |\n| `plan` | `\"auto\"` or `\"slow\"` |\n";

    fn said(files: &[(&str, &str)]) -> Vec<String> {
        let mut said: Vec<_> = check(&Tree::of(files)).into_iter().map(|finding| finding.message).collect();
        said.sort();
        said
    }

    fn of_scene(page: &str) -> Vec<String> {
        said(&[(SCENE[0], SCHEMA), (SCENE[1], page)])
    }

    #[test]
    fn a_whole_page_is_fine() {
        assert_eq!(of_scene(PAGE), [""; 0]);
        assert_eq!(said(&[]), [""; 0]);
    }

    #[test]
    fn keys_need_rows_and_words_code() {
        assert_eq!(
            of_scene(&PAGE.replace("| `plan` |", "| plan | `plan`")),
            ["no row in the tables of \"Wind\" for `plan` of Wind: add one"]
        );
        assert_eq!(
            of_scene(&PAGE.replace("`wind.drag`", "`wind.lift`")),
            [
                "a row of \"Wind\" has `lift`, which is not a key: correct it",
                "no row in the tables of \"Wind\" for `drag` of Wind: add one"
            ]
        );
        assert_eq!(
            of_scene(&PAGE.replace("`\"slow\"`", "slow")),
            ["`\"slow\"` of Plan is not described: describe it"]
        );
        assert_eq!(said(&[(SCENE[0], SCHEMA)]), ["missing: describe every key of the schema"]);
        assert_eq!(said(&[(SCENE[0], "{")]).len(), 1);
    }

    #[test]
    fn a_key_is_not_taken_for_one_of_another_table() {
        // In two sections, `drag` and `plan` are those of no single table.
        let apart = PAGE.replace("| `plan`", "## Other\n| `plan`");
        assert_eq!(of_scene(&apart).len(), 1);
    }

    #[test]
    fn what_scenes_have_is_not_told_again() {
        let stack = SCHEMA.replace("frames", "rate");
        let files = [(SCENE[0], SCHEMA), (SCENE[1], PAGE), (STACK[0], stack.as_str())];
        let told = [files[0], files[1], files[2], (STACK[1], "| `rate`, `wind` |\n")];
        assert_eq!(said(&told), [""; 0]);
        let untold = [files[0], files[1], files[2], (STACK[1], "| `wind` |\n")];
        assert_eq!(said(&untold).len(), 1);
    }
}
