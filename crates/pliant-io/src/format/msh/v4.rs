//! Nodes and elements of the versions 4.0 and 4.1: blocks by geometric entity.

use nalgebra::Vector3;

use crate::error::ImportError;
use crate::format::cells::Cells;

use super::elements::{Element, MOST_NODES, element};
use super::input::Input;
use super::nodes::Nodes;
use super::tags::Tags;

/// The head of a section: the number of blocks, and of what is in all of them together.
struct Head {
    blocks: u64,
    left: u64,
}

impl Head {
    fn read<'a>(
        input: &mut Input<'a>,
        what: &str,
        size: fn(&mut Input<'a>, &str) -> Result<u64, ImportError>,
        text_words: usize,
        binary_bytes: usize,
    ) -> Result<Self, ImportError> {
        let blocks = size(input, "the number of blocks")?;
        let at = input.here();
        let left = size(input, &format!("the number of {what}"))?;
        input.count(at, left, what, text_words, binary_bytes)?;
        Ok(Self { blocks, left })
    }

    /// The size of a block as read at `at`, checked against what the head of the section announces.
    fn take(&mut self, input: &Input<'_>, at: usize, count: u64, what: &str) -> Result<usize, ImportError> {
        let expected = || format!("at most {} {what} in the block, by the head of the section", self.left);
        let size = usize::try_from(count).ok().filter(|_| count <= self.left);
        let size = size.ok_or_else(|| {
            input.cursor.source().parse_error(
                input.cursor.place_of(at),
                count.to_string().as_bytes(),
                expected(),
            )
        })?;
        self.left -= count;
        Ok(size)
    }

    /// Demands that all blocks together had what the head of the section announces.
    fn finish(&self, input: &Input<'_>, what: &str) -> Result<(), ImportError> {
        if self.left == 0 {
            return Ok(());
        }
        let source = input.cursor.source();
        let place = input.cursor.place_of(input.cursor.pos());
        Err(source.parse_error(place, b"the end of the blocks", format!("{} more {what}", self.left)))
    }
}

fn tag_of(input: &Input<'_>, at: usize, tag: u64) -> Result<i64, ImportError> {
    i64::try_from(tag).map_err(|_| {
        let found = tag.to_string();
        input.cursor.source().parse_error(input.cursor.place_of(at), found.as_bytes(), "a number below 2^63")
    })
}

/// How many parameters follow the coordinates of each node of a block.
fn parameters(input: &Input<'_>, at: usize, dimension: i64, parametric: i64) -> Result<usize, ImportError> {
    let dimension = match dimension {
        0..=3 => dimension as usize,
        _ => return Err(input.unexpected(at, dimension, "the dimension of an entity, 0 to 3")),
    };
    match parametric {
        0 => Ok(0),
        1 => Ok(dimension),
        _ => Err(input.unexpected(at, parametric, "0 or 1: whether the nodes have parameters")),
    }
}

fn position(input: &mut Input<'_>, parameters: usize) -> Result<Vector3<f64>, ImportError> {
    let position = Vector3::new(input.coordinate()?, input.coordinate()?, input.coordinate()?);
    for _ in 0..parameters {
        input.parameter()?;
    }
    input.end_of_line("the coordinates")?;
    Ok(position)
}

/// Version 4.1: in each block first the numbers of all its nodes, then their coordinates.
pub(super) fn nodes_41(input: &mut Input<'_>, nodes: &mut Nodes) -> Result<(), ImportError> {
    let mut head = Head::read(input, "nodes", Input::size, 4, 32)?;
    input.size("the least node number")?;
    input.size("the greatest node number")?;
    input.end_of_line("the head of the nodes")?;
    let mut tags = Vec::new();
    for _ in 0..head.blocks {
        let at = input.here();
        let dimension = input.int("the dimension of an entity")?;
        input.int("the number of an entity")?;
        let parametric = input.int("whether the nodes have parameters")?;
        let parameters = parameters(input, at, dimension, parametric)?;
        let count_at = input.here();
        let count = input.size("the number of nodes of a block")?;
        input.end_of_line("the head of a block of nodes")?;
        let count = head.take(input, count_at, count, "nodes")?;
        let count = input.count(count_at, count as u64, "nodes", 4, 32)?;
        tags.clear();
        for _ in 0..count {
            let at = input.here();
            let tag = input.size("the number of a node")?;
            tags.push(tag_of(input, at, tag)?);
        }
        nodes.reserve(count);
        for &tag in &tags {
            let position = position(input, parameters)?;
            nodes.push(tag, position);
        }
    }
    head.finish(input, "nodes")
}

/// Version 4.0: number and coordinates of each node together.
pub(super) fn nodes_40(input: &mut Input<'_>, nodes: &mut Nodes) -> Result<(), ImportError> {
    let mut head = Head::read(input, "nodes", Input::long, 4, 28)?;
    input.end_of_line("the head of the nodes")?;
    for _ in 0..head.blocks {
        let at = input.here();
        input.int("the number of an entity")?;
        let dimension = input.int("the dimension of an entity")?;
        let parametric = input.int("whether the nodes have parameters")?;
        let parameters = parameters(input, at, dimension, parametric)?;
        let count_at = input.here();
        let count = input.long("the number of nodes of a block")?;
        input.end_of_line("the head of a block of nodes")?;
        let count = head.take(input, count_at, count, "nodes")?;
        let count = input.count(count_at, count as u64, "nodes", 4, 28)?;
        nodes.reserve(count);
        for _ in 0..count {
            let tag = input.int("the number of a node")?;
            let position = position(input, parameters)?;
            nodes.push(tag, position);
        }
    }
    head.finish(input, "nodes")
}

/// Version 4.1.
pub(super) fn elements_41(
    input: &mut Input<'_>,
    nodes: &Nodes,
    cells: &mut Cells<'_>,
    tags: &mut Tags,
) -> Result<(), ImportError> {
    let size_bytes = input.binary.map_or(8, |binary| binary.size_bytes);
    let mut head = Head::read(input, "elements", Input::size, 2, 2 * size_bytes)?;
    input.size("the least element number")?;
    input.size("the greatest element number")?;
    input.end_of_line("the head of the elements")?;
    for _ in 0..head.blocks {
        let dimension = input.int("the dimension of an entity")?;
        let entity = input.int("the number of an entity")?;
        tags.block(&mut cells.raw, dimension, entity);
        let kind_at = input.here();
        let kind = input.int("the type of the elements of a block")?;
        let count_at = input.here();
        let count = input.size("the number of elements of a block")?;
        input.end_of_line("the head of a block of elements")?;
        let count = head.take(input, count_at, count, "elements")?;
        block(input, nodes, (cells, tags), (kind_at, kind), count, |input, what| {
            let at = input.here();
            let tag = input.size(what)?;
            tag_of(input, at, tag)
        })?;
    }
    head.finish(input, "elements")
}

/// Version 4.0.
pub(super) fn elements_40(
    input: &mut Input<'_>,
    nodes: &Nodes,
    cells: &mut Cells<'_>,
    tags: &mut Tags,
) -> Result<(), ImportError> {
    let mut head = Head::read(input, "elements", Input::long, 2, 8)?;
    input.end_of_line("the head of the elements")?;
    for _ in 0..head.blocks {
        let entity = input.int("the number of an entity")?;
        let dimension = input.int("the dimension of an entity")?;
        tags.block(&mut cells.raw, dimension, entity);
        let kind_at = input.here();
        let kind = input.int("the type of the elements of a block")?;
        let count_at = input.here();
        let count = input.long("the number of elements of a block")?;
        input.end_of_line("the head of a block of elements")?;
        let count = head.take(input, count_at, count, "elements")?;
        block(input, nodes, (cells, tags), (kind_at, kind), count, Input::int)?;
    }
    head.finish(input, "elements")
}

/// `count` elements of one type: `number nodes…` each.
fn block<'a>(
    input: &mut Input<'a>,
    nodes: &Nodes,
    (cells, tags): (&mut Cells<'_>, &mut Tags),
    (kind_at, kind): (usize, i64),
    count: usize,
    tag: fn(&mut Input<'a>, &str) -> Result<i64, ImportError>,
) -> Result<(), ImportError> {
    let Some(Element { kind, nodes: own }) = element(kind) else {
        if input.binary.is_some() {
            return Err(input.unexpected(
                kind_at,
                kind,
                "the number of an element type that can be read here",
            ));
        }
        for _ in 0..count {
            let number = tag(input, "the number of an element")?;
            tags.number(&cells.raw, number);
            input.cursor.line();
        }
        cells.raw.end_cells(count);
        cells.raw.skip(&format!("element of Gmsh type {kind}"), count);
        return Ok(());
    };
    let mut vertices = [0; MOST_NODES];
    for _ in 0..count {
        let at = input.here();
        let number = tag(input, "the number of an element")?;
        tags.number(&cells.raw, number);
        for vertex in &mut vertices[..own] {
            let here = input.here();
            let tag = tag(input, "the number of a node")?;
            *vertex = nodes.resolve(input, here, tag)?;
        }
        input.end_of_line("the element")?;
        cells.push(kind, &vertices[..own], |v| nodes.tag(v), || input.cursor.place_of(at))?;
    }
    Ok(())
}
