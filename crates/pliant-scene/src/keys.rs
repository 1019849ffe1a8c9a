//! [`set_key`]: another value for one key of a scene that is still a table.

use toml::{Table, Value};

use crate::toml_writer::inline;

/// The most names of a key: no table of a scene is that deep, and readers and writers of deep tables need much stack.
const MOST: usize = 32;

/// Sets the value of a key such as `body.0.edges.compliance`, numbers being places in lists, from 0. Tables
/// on the way are made where they are missing. What a scene may not say is found when the table is read as
/// one.
///
/// ```
/// let mut scene: toml::Table = "frames = 10\n[[body]]\nmesh = \"flag.obj\"".parse()?;
/// pliant_scene::set_key(&mut scene, "solver.substeps", 20.into())?;
/// pliant_scene::set_key(&mut scene, "body.0.mesh", "sail.obj".into())?;
/// assert_eq!(scene["solver"]["substeps"].as_integer(), Some(20));
/// assert!(pliant_scene::set_key(&mut scene, "body.1.mesh", "sail.obj".into()).unwrap_err().contains("1 entry"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A sentence, if a list on the way has no such entry, something on the way is neither a list nor a table, or the key
/// has more than 32 names.
pub fn set_key(table: &mut Table, key: &str, value: Value) -> Result<(), String> {
    *place_of(table, key)? = value;
    Ok(())
}

/// The value at a key; what is missing on the way, and there, is an empty table.
pub(crate) fn place_of<'a>(table: &'a mut Table, key: &str) -> Result<&'a mut Value, String> {
    if key.split('.').nth(MOST).is_some() {
        return Err(format!("it has more than {MOST} names"));
    }
    let mut steps = key.split('.');
    let first = steps.next().unwrap_or_default();
    let first = table.entry(first).or_insert_with(|| Value::Table(Table::new()));
    steps.try_fold(first, enter)
}

/// A value within another.
fn enter<'a>(value: &'a mut Value, step: &str) -> Result<&'a mut Value, String> {
    match value {
        Value::Table(table) => Ok(table.entry(step).or_insert_with(|| Value::Table(Table::new()))),
        Value::Array(list) => {
            let count = list.len();
            let entries = if count == 1 { "entry" } else { "entries" };
            let place: Option<usize> = step.parse().ok();
            place.and_then(|place| list.get_mut(place)).ok_or_else(|| {
                format!("the list has {count} {entries}, numbered from 0, and none of the number {step:?}")
            })
        }
        leaf => Err(format!("{step:?} cannot be within {}", inline(leaf).unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_too_deep_is_refused_before_tables_are_made() {
        let mut table = Table::new();
        let deep = |names: usize| vec!["a"; names].join(".");
        assert_eq!(set_key(&mut table, &deep(100_000), 1.into()).unwrap_err(), "it has more than 32 names");
        assert!(table.is_empty() && set_key(&mut table, &deep(33), 1.into()).is_err());
        set_key(&mut table, &deep(32), 1.into()).unwrap();
    }
}
