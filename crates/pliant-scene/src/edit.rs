//! Values of a scene or a stack by their keys, and its text with other values.

use std::ops::Range;

use serde::Serialize;
use serde_json::Value as Json;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use crate::error::{Fault, SceneError};
use crate::field::FieldPath;
use crate::keys::place_of;
use crate::load::{FileModel, Scene};
use crate::source::Source;
use crate::stack::StackFile;
use crate::toml_reader::from_str;
use crate::toml_writer::{self, to_string, to_table};

/// Said at the head of a text whose comments could not be kept.
const WITHOUT_COMMENTS: &str =
    "# Written by Pliant from a changed scene, without the comments of the file.\n";

impl Scene {
    /// The scene as a table of TOML, with the keys that are set: where [`with_value`](Self::with_value) sets
    /// one, this reads it.
    #[must_use]
    pub fn to_table(&self) -> Table {
        table_of(&self.model)
    }

    /// The same scene with another value at a key: names of tables and numbers of elements from 0, with dots
    /// between. Tables that are not there are made.
    ///
    /// ```
    /// use pliant_scene::Scene;
    ///
    /// let text = "[[body]]\nmesh = { ball = { radius = 1, shells = 2 } }\nedges = { compliance = 1e-4 } # soft\n";
    /// let scene = Scene::parse(text, ".")?;
    /// let stiffer = scene.with_value("body.0.edges.compliance", &1e-6.into())?;
    /// assert_eq!(stiffer.edited_text(), text.replace("1e-4", "1e-6"));
    /// assert!(scene.with_value("body.0.edges.compliance", &(-1).into()).is_err());
    /// # Ok::<(), pliant_scene::SceneError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a scene has no such key, or not such a value there.
    pub fn with_value(&self, key: &str, value: &Json) -> Result<Self, SceneError> {
        let model = model_with(&self.model, &self.source, key, value)?;
        Ok(Self { model, source: self.source.clone() })
    }

    /// The text of the scene as its model has it now. Comments and order of the text that it was read from
    /// stay, wherever only values differ; else it is [all that the model has](Self::to_toml).
    #[must_use]
    pub fn edited_text(&self) -> String {
        patched(&self.model, self.text()).unwrap_or_else(|| WITHOUT_COMMENTS.to_owned() + &self.to_toml())
    }
}

impl StackFile {
    /// The stack as a table of TOML, with the keys that are set and those of deformers that have defaults.
    #[must_use]
    pub fn to_table(&self) -> Table {
        table_of(&self.model)
    }

    /// The same stack with another value at a key, as for a [scene](Scene::with_value).
    ///
    /// ```
    /// use pliant_scene::{StackFile, stack_templates};
    ///
    /// let elbow = &stack_templates()[0];
    /// let stack = StackFile::parse(&elbow.text(), ".")?;
    /// let stiffer = stack.with_value("deformer.1.relax.push", &0.3.into())?;
    /// assert_eq!(stiffer.edited_text(), elbow.text().replace("push = 0.1", "push = 0.3"));
    /// assert!(stack.with_value("deformer.1.relax.push", &2.into()).is_err());
    /// # Ok::<(), pliant_scene::SceneError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a stack has no such key, or not such a value there.
    pub fn with_value(&self, key: &str, value: &Json) -> Result<Self, SceneError> {
        let model = model_with(&self.model, &self.source, key, value)?;
        Ok(Self { model, source: self.source.clone() })
    }

    /// The text of the stack as its model has it now, as for a [scene](Scene::edited_text).
    #[must_use]
    pub fn edited_text(&self) -> String {
        let whole = || to_string(&self.model).expect(IN_TOML);
        patched(&self.model, self.text()).unwrap_or_else(|| WITHOUT_COMMENTS.to_owned() + &whole())
    }
}

/// Every part of a model is made of tables, lists, numbers and words.
const IN_TOML: &str = "every part of the model has a form in TOML";

fn table_of(model: &impl Serialize) -> Table {
    to_table(model).expect(IN_TOML)
}

/// A model with another value at a key.
fn model_with<M: FileModel>(model: &M, source: &Source, key: &str, value: &Json) -> Result<M, SceneError> {
    let refuse = |problem: String| source.locate(Fault::new(FieldPath::root(), problem, ""));
    let mut table = table_of(model);
    let place = place_of(&mut table, key).map_err(|why| refuse(format!("there is no key `{key}`: {why}")))?;
    let is_float = matches!(place, Value::Float(_));
    *place = value_of(value, is_float).ok_or_else(|| refuse(format!("`{key}` cannot be {value}")))?;
    let text = to_string(&table).map_err(|error| refuse(format!("`{key}` cannot be {value}: {error}")))?;
    let model: M = from_str(&text).map_err(|error| refuse(format!("`{key}` cannot be {value}: {error}")))?;
    model.check().map_err(|fault| source.locate(fault))?;
    Ok(model)
}

/// The text with the values of a model, if they have places in it.
fn patched<M: FileModel>(model: &M, text: &str) -> Option<String> {
    let before: M = from_str(text).ok()?;
    let document = DeTable::parse(text).ok()?;
    let mut edits = Vec::new();
    let [old, new] = [&before, model].map(|model| Value::Table(table_of(model)));
    differences(&old, &new, &mut Vec::new(), &mut |path, value| {
        // The name that a file without one gives is not written into it.
        if path != ["name"] || before.name().is_some() {
            edits.push(edit(text, document.get_ref(), path, value));
        }
    });
    let mut edits: Vec<(Range<usize>, String)> = edits.into_iter().collect::<Option<_>>()?;
    edits.sort_by_key(|(span, _)| span.start);
    let mut text = text.to_owned();
    for (span, new) in edits.into_iter().rev() {
        text.replace_range(span, &new);
    }
    let mut after: M = from_str(&text).ok()?;
    if after.name().is_none() {
        after.name_mut().clone_from(model.name());
    }
    (after == *model).then_some(text)
}

/// A value of TOML; numbers are whole only where they are written so and `is_float` does not say otherwise.
fn value_of(value: &Json, is_float: bool) -> Option<Value> {
    Some(match value {
        Json::Bool(flag) => Value::Boolean(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(whole) if !is_float => Value::Integer(whole),
            _ => Value::Float(number.as_f64()?),
        },
        Json::String(text) => Value::String(text.clone()),
        Json::Array(items) => {
            Value::Array(items.iter().map(|item| value_of(item, is_float)).collect::<Option<_>>()?)
        }
        Json::Object(entries) => Value::Table(
            entries
                .iter()
                .map(|(key, item)| Some((key.clone(), value_of(item, false)?)))
                .collect::<Option<_>>()?,
        ),
        Json::Null => return None,
    })
}

/// Calls `found` with the path of every smallest value that differs, and the new value.
fn differences<'a>(
    before: &Value,
    after: &'a Value,
    path: &mut Vec<String>,
    found: &mut impl FnMut(&[String], Option<&'a Value>),
) {
    match (before, after) {
        (Value::Table(old), Value::Table(new)) => {
            for key in old.keys().filter(|key| !new.contains_key(*key)) {
                path.push(key.clone());
                found(path, None);
                path.pop();
            }
            for (key, value) in new {
                path.push(key.clone());
                match old.get(key) {
                    Some(known) => differences(known, value, path, found),
                    None => found(path, Some(value)),
                }
                path.pop();
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (number, (known, value)) in old.iter().zip(new).enumerate() {
                path.push(number.to_string());
                differences(known, value, path, found);
                path.pop();
            }
        }
        _ if before == after => {}
        _ => found(path, Some(after)),
    }
}

/// What to replace in the text, and by what; `None` if that is not known.
fn edit(
    text: &str,
    document: &DeTable<'_>,
    path: &[String],
    value: Option<&Value>,
) -> Option<(Range<usize>, String)> {
    let value = inline(value?);
    let (key, around) = path.split_last()?;
    if let Some(span) = value_at(document, path) {
        return Some((span, value));
    }
    // A key that is not there: below the header of its table, or below a header of its own at the end.
    let line = format!("{key} = {value}\n");
    if let [table] = around {
        if document.iter().any(|(name, _)| name.get_ref() == table) {
            let header = format!("[{table}]");
            let start = text.lines().scan(0, |at, line| {
                let here = *at;
                *at += line.len() + 1;
                Some((here, line))
            });
            let mut headers =
                start.filter(|(_, line)| line.split('#').next().map(str::trim) == Some(&header));
            let (at, found) = headers.next()?;
            let end = (at + found.len() + 1).min(text.len());
            return Some((end..end, line));
        }
        return Some((text.len()..text.len(), format!("\n[{table}]\n{line}")));
    }
    None
}

/// The bytes of the value at a path.
fn value_at(document: &DeTable<'_>, path: &[String]) -> Option<Range<usize>> {
    let (first, rest) = path.split_first()?;
    let mut value = document.iter().find(|(name, _)| name.get_ref() == first).map(|(_, value)| value)?;
    for part in rest {
        value = match value.get_ref() {
            DeValue::Table(table) => {
                table.iter().find(|(name, _)| name.get_ref() == part).map(|(_, value)| value)?
            }
            DeValue::Array(items) => items.get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    (!value.span().is_empty()).then(|| value.span())
}

/// A value in one line.
fn inline(value: &Value) -> String {
    match value {
        Value::Table(table) => {
            let entries: Vec<String> =
                table.iter().map(|(key, value)| format!("{key} = {}", inline(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Float(number)
            if *number != 0.0 && number.is_finite() && !(1e-3..1e6).contains(&number.abs()) =>
        {
            format!("{number:e}")
        }
        leaf => toml_writer::inline(leaf).expect("numbers, texts and dates have a form in TOML"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A sheet.\n[solver] # how\ngravity = [0.0, -9.81, 0.0] # m/s²\n\n[[body]]\n\
        mesh = { grid = { vertices = [3, 3], size = [1, 1] } }\nedges = \"rigid\"\n";

    fn changed(scene: &Scene, key: &str, value: impl Into<Json>) -> Scene {
        scene.with_value(key, &value.into()).unwrap()
    }

    #[test]
    fn values_change_in_their_places_and_comments_stay() {
        let scene = Scene::parse(TEXT, ".").unwrap();
        assert_eq!(scene.edited_text(), TEXT);
        let light = changed(&scene, "solver.gravity.1", -1.5);
        assert_eq!(light.edited_text(), TEXT.replace("-9.81", "-1.5"));
        let fine = changed(&light, "solver.substeps", 40);
        let text = TEXT.replace("-9.81", "-1.5").replace("# how\n", "# how\nsubsteps = 40\n");
        assert_eq!(fine.edited_text(), text);
        let windy = changed(&scene, "solver.wind", serde_json::json!({ "velocity": [1, 0, 0] }));
        assert_eq!(Scene::parse(&windy.edited_text(), ".").unwrap().model, windy.model);
        assert!(windy.edited_text().contains("# m/s²"), "{}", windy.edited_text());
    }

    #[test]
    fn what_has_no_place_is_written_whole() {
        let scene = Scene::parse(&TEXT.replace("[solver] # how\ngravity", "solver.gravity"), ".").unwrap();
        let fine = changed(&scene, "solver.substeps", 40);
        assert!(fine.edited_text().starts_with(WITHOUT_COMMENTS));
        assert_eq!(Scene::parse(&fine.edited_text(), ".").unwrap().model, fine.model);
        let without = Scene::parse(&TEXT[TEXT.find("[[").unwrap()..], ".").unwrap();
        let drag = changed(&without, "solver.drag", 0.5);
        assert!(drag.edited_text().ends_with("\n[solver]\ndrag = 0.5\n"), "{}", drag.edited_text());
    }

    #[test]
    fn keys_and_values_that_do_not_exist_are_refused() {
        let scene = Scene::parse(TEXT, ".").unwrap();
        for (key, value) in [
            ("solver.sorcery", 1.into()),
            ("body.3.edges", 1.into()),
            ("solver.substeps", Json::from("many")),
        ] {
            let error = scene.with_value(key, &value).unwrap_err().to_string();
            assert!(error.contains(key), "{error}");
        }
        let error = scene.with_value("solver.substeps", &0.into()).unwrap_err().to_string();
        assert!(error.contains("substeps"), "{error}");
    }
}
