//! Attributes of USD meshes: primvars, and subsets of faces and points.

use crate::error::{ImportError, Place};
use crate::location::Location;
use crate::raw_attributes::RawField;

use super::attributes::Attributes;
use super::lexer::Token;
use super::stage::{Extent, Stage};
use super::value::{Value, Wanted};

impl Extent {
    /// The part after another extent, which reached from the beginning to there.
    pub(super) fn since(self, before: &Self) -> Self {
        Self {
            first_vertex: before.vertices,
            vertices: self.vertices - before.vertices,
            first_cell: before.cells,
            cells: self.cells - before.cells,
        }
    }
}

/// The primvar that a name is of, without the prefix that all have.
fn short(name: &str) -> Option<&str> {
    name.strip_prefix("primvars:").filter(|name| !name.contains(':'))
}

impl Stage<'_> {
    /// All vertices and cells so far.
    pub(super) fn extent(&self) -> Extent {
        let cells = self.raw.attributes.as_ref().map_or(0, |attributes| attributes.cells());
        Extent { first_vertex: 0, vertices: self.raw.positions.len(), first_cell: 0, cells }
    }

    /// The elements that follow belong to the mesh of that name.
    pub(super) fn label(&mut self, name: &str) {
        if let Some(attributes) = &mut self.raw.attributes {
            let group = attributes.group(name);
            attributes.label = attributes.new_label(vec![group]);
        }
    }

    /// `( … interpolation = "vertex" … )` behind a primvar of a type.
    pub(super) fn interpolation(
        &mut self,
        name: &str,
        kind: String,
        into: &mut Attributes,
    ) -> Result<(), ImportError> {
        let mut metadata = Attributes::default();
        self.lexer.punctuation(b'(')?;
        while self.lexer.peek()? != Token::Punctuation(b')') {
            match self.lexer.peek()? {
                Token::Word(_) => {
                    let key = self.lexer.word("a key")?;
                    if self.lexer.peek()? == Token::Punctuation(b'=') {
                        self.lexer.punctuation(b'=')?;
                        let value = Value::read(&mut self.lexer, &key, Wanted::All)?;
                        metadata.push(key, value);
                    }
                }
                Token::Punctuation(b'(' | b'[' | b'{' | b']' | b'}') => self.lexer.pass_brackets()?,
                _ => self.lexer.pass()?,
            }
            if self.lexer.peek()? == Token::End {
                return Err(self.lexer.unexpected("the closing bracket"));
            }
        }
        self.lexer.punctuation(b')')?;
        let word = metadata.word("interpolation").unwrap_or_default().to_owned();
        into.push(format!("{name}.interpolation"), Value { numbers: Vec::new(), words: vec![word, kind] });
        Ok(())
    }

    /// The primvars of a mesh that was just read.
    pub(super) fn primvars(
        &mut self,
        given: &Attributes,
        extent: &Extent,
        line: usize,
    ) -> Result<(), ImportError> {
        let Some(attributes) = &mut self.raw.attributes else { return Ok(()) };
        let source = self.lexer.source();
        for (name, value) in given.list.iter().filter(|(name, _)| !name.ends_with(".interpolation")) {
            let Some(own) = short(name) else { continue };
            let about = given.get(&format!("{name}.interpolation")).map_or(&[][..], |value| &value.words);
            let (location, first, count) = match about.first().map(String::as_str) {
                Some("vertex" | "varying") => (Location::Vertices, extent.first_vertex, extent.vertices),
                Some("uniform") => (Location::Elements, extent.first_cell, extent.cells),
                // One for the whole mesh does not describe its parts.
                None | Some("" | "constant") => continue,
                Some(other) => {
                    let other: String = other.chars().take(40).collect();
                    attributes
                        .note(format!("the primvar {own:?} is of interpolation {other:?} and was left out"));
                    continue;
                }
            };
            if given.get(&format!("{name}:indices")).is_some() || value.numbers.is_empty() {
                attributes.note(format!("the primvar {own:?} has indices or no numbers and was left out"));
                continue;
            }
            let numbers = value.numbers.len();
            if count == 0 || numbers % count != 0 {
                let found = format!("{numbers} numbers of the primvar {own:?}");
                let expected = format!("as many for each of {count} {location}");
                return Err(source.parse_error(Place::Line(line), found.as_bytes(), expected));
            }
            let integer =
                about.get(1).is_some_and(|kind| kind.starts_with("int") || kind.starts_with("bool"));
            let (name, components) = (own.to_owned(), numbers / count);
            let field = RawField { name, location, components, integer, values: value.numbers.clone() };
            attributes.add(&source, first, field)?;
        }
        Ok(())
    }

    /// A named part of the mesh above.
    pub(super) fn subset(&mut self, name: &str, given: &Attributes, line: usize) -> Result<(), ImportError> {
        let (Some(attributes), Some(extent)) = (&mut self.raw.attributes, &self.above) else { return Ok(()) };
        let source = self.lexer.source();
        let (first, count, of_points) = match given.word("elementType") {
            Some("point") => (extent.first_vertex, extent.vertices, true),
            None | Some("face" | "tetrahedron") => (extent.first_cell, extent.cells, false),
            Some(_) => return Ok(()),
        };
        let mut members = Vec::with_capacity(given.numbers("indices").len());
        for &index in given.numbers("indices") {
            if !(index >= 0.0 && index < count as f64 && index.fract() == 0.0) {
                let found = index.to_string();
                let expected = format!("a number below {count}, for the subset {name:?}");
                return Err(source.parse_error(Place::Line(line), found.as_bytes(), expected));
            }
            members.push((first + index as usize) as u32);
        }
        let group = attributes.group(name);
        match of_points {
            true => attributes.extend_vertices(group, members),
            false => attributes.extend_cells(group, members),
        }
        Ok(())
    }
}
