//! Nodes and elements of the versions 1 and 2.

use nalgebra::Vector3;

use crate::error::ImportError;
use crate::format::cells::Cells;
use crate::text::{number, words};

use super::elements::{Element, MOST_NODES, element};
use super::input::Input;
use super::nodes::Nodes;
use super::tags::Tags;

/// The number at the head of a section: text alone on its line, in binary files too.
fn head(
    input: &mut Input<'_>,
    what: &str,
    text_words: usize,
    binary_bytes: usize,
) -> Result<usize, ImportError> {
    let cursor = &mut input.cursor;
    cursor.skip_space();
    let at = cursor.pos();
    let line = cursor.line().trim_ascii();
    let Some(count) = number::<u64>(line) else {
        let expected = format!("the number of {what}, alone on its line");
        return Err(cursor.unexpected(at, line, expected));
    };
    input.count(at, count, what, text_words, binary_bytes)
}

/// `number x y z` each; in `$ParametricNodes` also the dimension and number of the geometric entity that carries the
/// node and its parameters there.
pub(super) fn nodes(input: &mut Input<'_>, nodes: &mut Nodes, parametric: bool) -> Result<(), ImportError> {
    let count = head(input, "nodes", 4, 28)?;
    nodes.reserve(count);
    for _ in 0..count {
        let tag = input.int("the number of a node")?;
        let position = Vector3::new(input.coordinate()?, input.coordinate()?, input.coordinate()?);
        nodes.push(tag, position);
        if !parametric {
            input.end_of_line("the node")?;
        } else if input.binary.is_none() {
            input.cursor.line();
        } else {
            let dimension = input.int("the dimension of the entity that carries the node")?;
            input.int("the number of the entity that carries the node")?;
            // A curve has one parameter, a surface two; points and volumes have none.
            for _ in 0..if matches!(dimension, 1 | 2) { dimension } else { 0 } {
                input.parameter()?;
            }
        }
    }
    Ok(())
}

/// `number type physical-group entity number-of-nodes nodes…`, a line each (version 1).
pub(super) fn elements_1(
    input: &mut Input<'_>,
    nodes: &Nodes,
    cells: &mut Cells<'_>,
    marks: &mut Tags,
) -> Result<(), ImportError> {
    let count = head(input, "elements", 6, 0)?;
    for _ in 0..count {
        let at = input.here();
        let tag = input.int("the number of an element")?;
        let kind = input.int("the type of an element")?;
        let physical = input.int("the physical group of an element")?;
        let entity = input.int("the entity of an element")?;
        marks.element(&mut cells.raw, tag, element(kind).map(|e| e.kind), physical, entity);
        let own = input.int("the number of nodes of an element")?;
        text_nodes(input, nodes, cells, at, kind, Some(own))?;
    }
    Ok(())
}

/// `number type number-of-tags tags… nodes…`, a line each.
pub(super) fn elements_text(
    input: &mut Input<'_>,
    nodes: &Nodes,
    cells: &mut Cells<'_>,
    marks: &mut Tags,
) -> Result<(), ImportError> {
    let count = head(input, "elements", 4, 0)?;
    let mut longer = 0;
    for _ in 0..count {
        let at = input.here();
        let tag = input.int("the number of an element")?;
        let kind = input.int("the type of an element")?;
        let tags_at = input.here();
        let tags = input.int("the number of tags of an element")?;
        let room = words(input.cursor.clone().line()).count();
        let skip = match element(kind) {
            // Some programs write more tags than they announce; the nodes stand last.
            Some(known) if usize::try_from(tags).is_ok_and(|tags| tags + known.nodes < room) => {
                longer += 1;
                room - known.nodes
            }
            _ => match usize::try_from(tags).ok().filter(|&tags| tags < room) {
                Some(tags) => tags,
                None => {
                    let expected =
                        format!("a number of tags that leaves nodes on the line ({room} words follow)");
                    return Err(input.unexpected(tags_at, tags, expected));
                }
            },
        };
        let mut first = [0; 2];
        for i in 0..skip {
            let word = input.cursor.word();
            if let Some(slot) = first.get_mut(i) {
                *slot = number(word).unwrap_or(0);
            }
        }
        marks.element(&mut cells.raw, tag, element(kind).map(|e| e.kind), first[0], first[1]);
        text_nodes(input, nodes, cells, at, kind, None)?;
    }
    if longer > 0 {
        cells.raw.notes.push(format!(
            "{longer} elements have more numbers on their line than they announce; the last ones were taken as their nodes"
        ));
    }
    Ok(())
}

/// The rest of the line: the nodes of an element that began at `at`.
fn text_nodes(
    input: &mut Input<'_>,
    nodes: &Nodes,
    cells: &mut Cells<'_>,
    at: usize,
    kind: i64,
    announced: Option<i64>,
) -> Result<(), ImportError> {
    let Some(Element { kind, nodes: own }) = element(kind) else {
        cells.raw.skip(&format!("element of Gmsh type {kind}"), 1);
        cells.raw.end_cells(1);
        input.cursor.line();
        return Ok(());
    };
    if let Some(announced) = announced.filter(|&announced| usize::try_from(announced) != Ok(own)) {
        return Err(input.unexpected(at, announced, format!("{own} nodes for this type of element")));
    }
    let mut vertices = [0; MOST_NODES];
    for vertex in &mut vertices[..own] {
        let here = input.here();
        let tag = input.int("the number of a node")?;
        *vertex = nodes.resolve(input, here, tag)?;
    }
    input.end_of_line("the element")?;
    cells.push(kind, &vertices[..own], |v| nodes.tag(v), || input.cursor.place_of(at))
}

/// Blocks of elements of one type: `type count number-of-tags`, then `number tags… nodes…` each.
pub(super) fn elements_binary(
    input: &mut Input<'_>,
    nodes: &Nodes,
    cells: &mut Cells<'_>,
    marks: &mut Tags,
) -> Result<(), ImportError> {
    let total = head(input, "elements", 4, 4)?;
    let mut left = total;
    while left > 0 {
        let at = input.here();
        let kind = input.int("the type of the elements of a block")?;
        let Some(Element { kind, nodes: own }) = element(kind) else {
            return Err(input.unexpected(at, kind, "the number of an element type that can be read here"));
        };
        let at = input.here();
        let follow = input.int("the number of elements of a block")?;
        let block = match usize::try_from(follow) {
            Ok(block) if (1..=left).contains(&block) => block,
            _ => {
                return Err(input.unexpected(
                    at,
                    follow,
                    format!("between 1 and {left} elements in the block"),
                ));
            }
        };
        let at = input.here();
        let tags = input.int("the number of tags of the elements of a block")?;
        let bytes = usize::try_from(tags).ok().and_then(|tags| tags.checked_mul(4));
        let Some(tag_bytes) = bytes.filter(|&bytes| bytes <= input.cursor.rest().len()) else {
            return Err(input.unexpected(at, tags, "a number of tags that the rest of the file can hold"));
        };
        for _ in 0..block {
            let at = input.here();
            let tag = input.int("the number of an element")?;
            let first = input.ints(tag_bytes, "the tags of an element")?;
            marks.element(&mut cells.raw, tag, Some(kind), first[0], first[1]);
            let mut vertices = [0; MOST_NODES];
            for vertex in &mut vertices[..own] {
                let here = input.here();
                let tag = input.int("the number of a node")?;
                *vertex = nodes.resolve(input, here, tag)?;
            }
            cells.push(kind, &vertices[..own], |v| nodes.tag(v), || input.cursor.place_of(at))?;
        }
        left -= block;
    }
    Ok(())
}
