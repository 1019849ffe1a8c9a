//! The data of a PLY file as text: a line for each element.

use nalgebra::Vector3;

use super::builder::Builder;
use super::element_kind::ElementKind;
use super::header::Header;
use crate::error::{ImportError, Place};
use crate::source::Source;
use crate::text::{Lines, next_number, number, words};

/// Reads all elements.
pub(super) fn read(
    source: &Source<'_>,
    header: &Header<'_>,
    builder: &mut Builder<'_>,
) -> Result<(), ImportError> {
    let mut lines = Lines::new(&source.bytes[header.end..])
        .map(|(line, text)| (line + header.lines, text))
        .filter(|(_, text)| !text.trim_ascii().is_empty());
    let mut last = header.lines;
    for element in &header.elements {
        let element_kind = ElementKind::of(source, element)?;
        if element.properties.is_empty() {
            continue;
        }
        let name = element.name.escape_ascii();
        builder.begin(element, element_kind);
        for i in 0..element.count {
            let (line, text) = lines.next().ok_or_else(|| {
                source
                    .truncated(Place::Line(last), format!("element {i} of {} of kind {name}", element.count))
            })?;
            last = line;
            let place = || Place::Line(line);
            let mut words = words(text);
            let mut position = Vector3::zeros();
            for (p, property) in element.properties.iter().enumerate() {
                let Some(_) = property.list else {
                    let word = words.next().unwrap_or_default();
                    let value: f64 = number(word).ok_or_else(|| {
                        source.parse_error(
                            place(),
                            word,
                            format!("a number ({})", property.name.escape_ascii()),
                        )
                    })?;
                    builder.columns.push(p, value);
                    if let ElementKind::Vertex(axes) = element_kind {
                        for (coordinate, _) in position.iter_mut().zip(axes).filter(|&(_, axis)| axis == p) {
                            *coordinate = value;
                        }
                    }
                    continue;
                };
                let length: usize = next_number(source, line, &mut words, "the length of a list")?;
                let wanted =
                    matches!(element_kind, ElementKind::Face(list) | ElementKind::Strips(list) if list == p);
                for _ in 0..length {
                    let word = words.next().unwrap_or_default();
                    let value: f64 = number(word)
                        .ok_or_else(|| source.parse_error(place(), word, "one more number of a list"))?;
                    if wanted {
                        builder.corner(place, element_kind, whole(source, place(), word, value)?)?;
                    }
                }
                if wanted {
                    builder.end_list(element_kind);
                }
            }
            if let Some(more) = words.next() {
                return Err(source.parse_error(place(), more, "the end of the line, after all properties"));
            }
            if let ElementKind::Vertex(_) = element_kind {
                builder.vertex(place, position)?;
            }
        }
        builder.end()?;
        if element_kind == ElementKind::Other {
            builder.raw.skip(&name.to_string(), element.count);
        }
    }
    if let Some((line, _)) = lines.next() {
        builder.raw.notes.push(format!("line {line} and what follows it belong to no element"));
    }
    Ok(())
}

/// The value as an index.
fn whole(source: &Source<'_>, place: Place, word: &[u8], value: f64) -> Result<i64, ImportError> {
    // Exact for every index there can be; a value beyond saturates and is out of range.
    let index = value as i64;
    if value.fract() == 0.0 {
        Ok(index)
    } else {
        Err(source.parse_error(place, word, "the number of a vertex"))
    }
}
