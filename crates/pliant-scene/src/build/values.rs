//! Numbers of elements from an attribute of the mesh file, or from a text file: one in a line, or a table
//! whose first line names its columns.

use std::fs;
use std::path::Path;

use pliant_io::unreadable;

use super::group;
use super::held::Held;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::ValuesModel;
use crate::source::Source;
use crate::suggest::{list_of, one_of};

/// A positive number for every element of a body.
pub(super) fn read(
    at: &FieldPath,
    model: &ValuesModel,
    source: &Source,
    held: &Held<'_>,
) -> Result<Vec<f64>, Fault> {
    match (&model.attribute, &model.file) {
        (Some(name), _) => of_attribute(at, name, model.component, held),
        (None, Some(file)) => of_file(at, model, file, source, held.mesh.element_count()),
        // The checks exclude this case.
        (None, None) => Ok(vec![1.0; held.mesh.element_count()]),
    }
}

fn of_attribute(
    at: &FieldPath,
    name: &str,
    component: Option<usize>,
    held: &Held<'_>,
) -> Result<Vec<f64>, Fault> {
    let values = group::values(at, name, component, held)?;
    match values.iter().position(|value| !(*value > 0.0 && value.is_finite())) {
        None => Ok(values),
        Some(element) => {
            let value = values[element];
            let problem = if value.is_nan() {
                format!("the attribute {name:?} has no number for element {element} (from 0)")
            } else {
                format!("the attribute {name:?} of element {element} (from 0) is {value}")
            };
            Err(Fault::new(at.key("attribute"), problem, "a positive, finite number for every element"))
        }
    }
}

/// The numbers of a file, which must be as many as the `elements`.
fn of_file(
    at: &FieldPath,
    model: &ValuesModel,
    file: &Path,
    source: &Source,
    elements: usize,
) -> Result<Vec<f64>, Fault> {
    let path = source.resolve(file);
    let shown = path.display();
    let text = fs::read_to_string(&path).map_err(|error| {
        let expected = "a text file with a number for every triangle or tetrahedron";
        Fault::new(at.key("file"), format!("cannot read {shown}: {}", unreadable(&error)), expected)
    })?;
    let refuse = |problem: String, expected: &str| Fault::new(at.key("file"), problem, expected);
    let table = Table::parse(&text);
    let column = match (&model.field, &table.names) {
        (Some(name), Some(names)) => names.iter().position(|n| n == name).ok_or_else(|| {
            let problem = format!("{shown} has no column {name:?}");
            Fault::new(at.key("field"), problem, one_of(name, names, "a file with columns"))
        })?,
        (Some(name), None) => {
            let problem = format!("{shown} does not name its columns, so there is no column {name:?}");
            return Err(Fault::new(
                at.key("field"),
                problem,
                "a first line with the names of the columns, or no `field`",
            ));
        }
        (None, Some(names)) if names.len() > 1 => {
            let list = list_of(names);
            let problem = format!("{shown} has {} columns", names.len());
            return Err(refuse(problem, &format!("`field = …` with one of {list}")));
        }
        (None, _) => 0,
    };
    let mut values = Vec::new();
    for (line, cells) in table.rows {
        if model.field.is_none() && cells.len() > 1 {
            let problem = format!("{shown}, line {line}: {} numbers in a line", cells.len());
            return Err(refuse(problem, "one, or a first line that names the columns"));
        }
        let cell = cells.get(column).copied().unwrap_or_default();
        let value: f64 = cell.parse().map_err(|_| {
            refuse(format!("{shown}, line {line}: {cell:?} is not a number"), "a number for every element")
        })?;
        if !(value > 0.0 && value.is_finite()) {
            let problem = format!("{shown}, line {line}: the number is {cell}");
            return Err(refuse(problem, "a positive, finite number"));
        }
        values.push(value);
    }
    if values.len() != elements {
        let problem = format!("{shown} has {} numbers, but the mesh has {elements} elements", values.len());
        return Err(refuse(problem, "a line for every triangle or tetrahedron, in the order of the mesh"));
    }
    Ok(values)
}

/// The cells of a text, with the numbers of their lines.
pub(super) struct Table<'a> {
    /// The names of the columns, if the first line is not numbers.
    pub(super) names: Option<Vec<&'a str>>,
    pub(super) rows: Vec<(usize, Vec<&'a str>)>,
}

impl<'a> Table<'a> {
    /// Cells stand between commas, semicolons, tabs or spaces; empty lines and those that begin with `#` are left out.
    pub(super) fn parse(text: &'a str) -> Self {
        let lines = (1..).zip(text.lines().map(str::trim));
        let mut rows: Vec<(usize, Vec<&str>)> =
            lines.filter(|(_, l)| !l.is_empty() && !l.starts_with('#')).map(|(n, l)| (n, cells(l))).collect();
        let is_number = |cell: &&str| cell.parse::<f64>().is_ok();
        let named = rows.first().is_some_and(|(_, cells)| !cells.iter().any(is_number));
        let names = named.then(|| rows.remove(0).1);
        Self { names, rows }
    }
}

fn cells(line: &str) -> Vec<&str> {
    let separated: Box<dyn Iterator<Item = &str>> = if line.contains([',', ';']) {
        Box::new(line.split([',', ';']))
    } else {
        Box::new(line.split_whitespace())
    };
    separated.map(|cell| cell.trim().trim_matches('"')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_with_and_without_names() {
        let plain = Table::parse("1\n\n# a remark\n2.5e3\n");
        assert_eq!((plain.names, plain.rows), (None, vec![(1, vec!["1"]), (4, vec!["2.5e3"])]));
        let named = Table::parse("cell, \"young\"; density\n0, 1e5, 3\n");
        assert_eq!(named.names, Some(vec!["cell", "young", "density"]));
        assert_eq!(named.rows, [(2, vec!["0", "1e5", "3"])]);
        assert_eq!(Table::parse("a\tb c\n").names, Some(vec!["a", "b", "c"]));
        assert!(Table::parse("").rows.is_empty());
    }
}
