//! [`Nodes`]: positions by the order of the file, and the way from a node's number to it.

use nalgebra::Vector3;

use crate::error::ImportError;
use crate::source::Source;

use super::input::Input;

/// The nodes of a file.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    /// Positions in the order of the file.
    pub(crate) positions: Vec<Vector3<f64>>,
    /// The number of each node.
    tags: Vec<i64>,
    lookup: Lookup,
}

/// From the number of a node to its place.
#[derive(Debug)]
enum Lookup {
    /// The node at place `k` has the number `first + k`, as nearly all files have it.
    Dense { first: i64 },
    /// Numbers in ascending order with their places. Its size follows the number of nodes and not the largest number,
    /// which a file may choose freely.
    Sorted(Vec<(i64, u32)>),
}

impl Default for Lookup {
    fn default() -> Self {
        Self::Dense { first: 0 }
    }
}

impl Nodes {
    /// Makes room for nodes whose number has been checked.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.positions.reserve(count);
        self.tags.reserve(count);
    }

    /// Adds a node.
    pub(crate) fn push(&mut self, tag: i64, position: Vector3<f64>) {
        self.tags.push(tag);
        self.positions.push(position);
    }

    /// Prepares [`vertex`](Self::vertex) after nodes have been added.
    pub(crate) fn index(&mut self, source: &Source<'_>) -> Result<(), ImportError> {
        if u32::try_from(self.tags.len()).is_err() {
            return Err(ImportError::TooLarge {
                file: source.name.to_owned(),
                what: "nodes",
                count: self.tags.len() as u64,
                limit: u64::from(u32::MAX),
            });
        }
        let first = self.tags.first().copied().unwrap_or(0);
        if self.tags.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1])) {
            self.lookup = Lookup::Dense { first };
            return Ok(());
        }
        let mut sorted: Vec<(i64, u32)> = self.tags.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(source.unsupported(
                format!("a mesh in which two nodes have the number {} (nodes {} and {} in the order of the file, counted \
                         from 0)", pair[0].0, pair[0].1, pair[1].1),
                "give every node a number of its own",
            ));
        }
        self.lookup = Lookup::Sorted(sorted);
        Ok(())
    }

    /// The vertex that the node numbered `tag` is.
    pub(crate) fn vertex(&self, tag: i64) -> Option<u32> {
        match &self.lookup {
            Lookup::Dense { first } => {
                let place = u32::try_from(tag.checked_sub(*first)?).ok()?;
                ((place as usize) < self.tags.len()).then_some(place)
            }
            Lookup::Sorted(sorted) => {
                sorted.binary_search_by_key(&tag, |&(tag, _)| tag).ok().map(|at| sorted[at].1)
            }
        }
    }

    /// The number of the node that `vertex` is.
    pub(crate) fn tag(&self, vertex: u32) -> i64 {
        self.tags[vertex as usize]
    }

    /// The vertex of node `tag`, which an element names at `at`.
    pub(super) fn resolve(&self, input: &Input<'_>, at: usize, tag: i64) -> Result<u32, ImportError> {
        self.vertex(tag).ok_or_else(|| {
            let (least, most) = (self.tags.iter().min(), self.tags.iter().max());
            let expected = match (least, most) {
                (Some(least), Some(most)) => {
                    format!(
                        "the number of a node (the {} nodes are numbered from {least} to {most})",
                        self.tags.len()
                    )
                }
                _ => "the number of a node, but the file has no nodes".to_owned(),
            };
            input.unexpected(at, tag, expected)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(tags: &[i64]) -> Result<Nodes, ImportError> {
        let mut nodes = Nodes::default();
        for &tag in tags {
            nodes.push(tag, Vector3::zeros());
        }
        nodes.index(&Source { path: None, name: "a.msh", bytes: b"" }).map(|()| nodes)
    }

    #[test]
    fn numbers_may_be_dense_sparse_negative_and_huge() {
        for tags in
            [vec![1, 2, 3], vec![0, 1, 2], vec![7, 5, 6], vec![i64::MIN, i64::MAX, -3], vec![9], vec![]]
        {
            let nodes = nodes(&tags).unwrap();
            for (place, &tag) in tags.iter().enumerate() {
                assert_eq!(nodes.vertex(tag), Some(place as u32));
                assert_eq!(nodes.tag(place as u32), tag);
            }
            for other in [4, -1, i64::MAX - 1, i64::MIN + 1] {
                assert_eq!(nodes.vertex(other), None, "{tags:?} {other}");
            }
        }
    }

    #[test]
    fn a_number_given_twice_is_refused() {
        let error = nodes(&[1, 2, 9, 2]).unwrap_err().to_string();
        assert!(error.contains("the number 2 (nodes 1 and 3"), "{error}");
    }
}
