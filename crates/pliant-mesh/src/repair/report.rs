//! The report of a repair, as data and in words.

use std::fmt;

use serde::Serialize;

/// A kind of repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Vertices that became an earlier one.
    Weld,
    /// Elements that named a vertex twice after welding.
    DropCollapsed,
    /// Elements without area or volume.
    DropFlat,
    /// Elements with the vertices of an earlier one.
    DropDuplicates,
    /// Tetrahedra that were inside out.
    FlipInverted,
    /// Vertices of open boundaries that became an earlier one of another boundary.
    Unite,
    /// Triangles that were divided where vertices lay on their open edges.
    DivideEdge,
    /// Tetrahedra that were divided where diagonals of neighbouring cells crossed.
    MatchDiagonals,
    /// Elements of pieces that were not to be kept.
    DropPieces,
    /// Vertices that sheets shared without sharing an edge, or parts of a solid without sharing a face; each
    /// got copies.
    SplitNonManifold,
    /// Triangles that were turned over.
    Orient,
    /// Holes that were closed, by their first vertices.
    FillHole,
    /// Vertices without elements.
    DropUnreferenced,
}

impl Action {
    /// Its name, as it stands in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Weld => "weld",
            Self::DropCollapsed => "drop-collapsed",
            Self::DropFlat => "drop-flat",
            Self::DropDuplicates => "drop-duplicates",
            Self::Unite => "unite",
            Self::DivideEdge => "divide-edge",
            Self::FlipInverted => "flip-inverted",
            Self::MatchDiagonals => "match-diagonals",
            Self::DropPieces => "drop-pieces",
            Self::SplitNonManifold => "split-non-manifold",
            Self::Orient => "orient",
            Self::FillHole => "fill-hole",
            Self::DropUnreferenced => "drop-unreferenced",
        }
    }

    /// The count and the step, in words.
    fn words(self, count: usize) -> String {
        let (one, many, done) = match self {
            Self::Weld => ("vertex", "vertices", "joined with an earlier one at the same place"),
            Self::DropCollapsed => ("element", "elements", "dropped that named a vertex twice after joining"),
            Self::DropFlat => ("element", "elements", "dropped that had no area or volume"),
            Self::DropDuplicates => ("element", "elements", "dropped that repeated an earlier one"),
            Self::FlipInverted => ("tetrahedron", "tetrahedra", "turned that were inside out"),
            Self::Unite => ("vertex", "vertices", "of an open boundary joined with an earlier one"),
            Self::DivideEdge => ("triangle", "triangles", "divided where vertices lay on an open edge"),
            Self::MatchDiagonals => ("tetrahedron", "tetrahedra", "divided where diagonals crossed"),
            Self::DropPieces => ("element", "elements", "dropped with pieces that were not to be kept"),
            Self::SplitNonManifold => ("vertex", "vertices", "given copies, where parts touched"),
            Self::Orient => ("triangle", "triangles", "turned over to agree with the others"),
            Self::FillHole => ("hole", "holes", "closed"),
            Self::DropUnreferenced => ("vertex", "vertices", "dropped that no element used"),
        };
        format!("{count} {} {done}", if count == 1 { one } else { many })
    }
}

/// One kind of repair with the vertices or elements that it changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The kind of repair.
    pub action: Action,
    /// The vertices or elements that it changed, in the numbers of the mesh before the repair; ascending.
    pub at: Vec<u32>,
}

/// The steps of a repair, and how the numbers of the two meshes correspond.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct RepairReport {
    /// The steps, in order; only those that changed something are listed.
    pub steps: Vec<Step>,
    /// The new vertex of each vertex of the old mesh: itself, the one that it was joined with, or the first
    /// of its copies; none for those dropped.
    pub became: Vec<Option<u32>>,
    /// The vertex of the old mesh that each vertex of the new one was; none for those at which diagonals crossed.
    pub vertex_of: Vec<Option<u32>>,
    /// The element of the old mesh that each element of the new one was, or was a part of; none for those
    /// that close a hole.
    pub element_of: Vec<Option<u32>>,
    /// The defects that could not be repaired, a sentence each.
    pub left: Vec<String>,
}

impl RepairReport {
    /// Whether nothing was done.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.steps.is_empty()
    }
}

impl fmt::Display for RepairReport {
    /// A line for each kind of repair.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            f.write_str("nothing to repair")?;
        }
        for (i, step) in self.steps.iter().enumerate() {
            let line_end = if i > 0 { "\n" } else { "" };
            write!(f, "{line_end}{}", step.action.words(step.at.len()))?;
            if let Some(first) = step.at.first() {
                write!(f, " (first: {first})")?;
            }
        }
        for left in &self.left {
            write!(f, "\nleft: {left}")?;
        }
        Ok(())
    }
}

impl Serialize for Action {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
