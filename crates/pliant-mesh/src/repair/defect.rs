//! [`Defect`] and [`Finding`]: kinds of defects of a mesh, and their places.

use std::fmt;

use serde::Serialize;

/// A kind of defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Defect {
    /// Vertices without elements.
    UnreferencedVertices,
    /// Vertices at exactly the same place as an earlier one: a seam, at which the two sides come apart.
    CoincidentVertices,
    /// Triangles without area, tetrahedra without volume.
    FlatElements,
    /// Elements with the vertices of an earlier one.
    DuplicateElements,
    /// Tetrahedra of negative volume.
    InvertedTets,
    /// Tetrahedra whose smallest angle between faces is below the threshold.
    Slivers,
    /// Faces of more than two tetrahedra, by the three vertices of each.
    CrowdedFaces,
    /// Quadrilaterals that the cells on the two sides cut along different diagonals, by the ends of both.
    MismatchedDiagonals,
    /// Triangles that share no edge with another one, if that holds for most triangles of a mesh: the
    /// vertices of neighbours were never joined.
    TriangleSoup,
    /// Triangles that face the other way than the first one of their piece.
    MixedOrientation,
    /// Closed pieces that face inwards, by their first triangles.
    InsideOut,
    /// Pieces that have one side only, by their first triangles.
    OneSided,
    /// Edges of more than two triangles, of solids of the boundary, by their two ends.
    NonManifoldEdges,
    /// Vertices in which sheets or parts of a solid meet that share no edge there.
    NonManifoldVertices,
    /// Vertices that lie on an open edge of other triangles without being joined with it, by the vertex and the ends of
    /// the edge.
    TJunctions,
    /// Open boundaries: connected edges of one triangle each, by the smallest vertex of each.
    Holes,
    /// Pieces beside the largest one, by their first elements.
    SeparatePieces,
    /// Pairs of triangles that pass through one another, by the two triangles.
    SelfIntersections,
}

impl Defect {
    /// Whether the defect makes a simulation wrong, and is not only perhaps unintended.
    #[must_use]
    pub fn is_error(self) -> bool {
        matches!(
            self,
            Self::UnreferencedVertices
                | Self::FlatElements
                | Self::DuplicateElements
                | Self::InvertedTets
                | Self::CrowdedFaces
                | Self::MismatchedDiagonals
                | Self::TriangleSoup
                | Self::MixedOrientation
        )
    }

    /// How many numbers of [`Finding::at`] identify one of the defects.
    #[must_use]
    pub fn width(self) -> usize {
        match self {
            Self::NonManifoldEdges | Self::SelfIntersections => 2,
            Self::CrowdedFaces | Self::TJunctions => 3,
            Self::MismatchedDiagonals => 4,
            _ => 1,
        }
    }

    /// Names one or several of the defects.
    fn words(self, one: bool) -> &'static str {
        let (single, several) = match self {
            Self::UnreferencedVertices => (
                "vertex without elements: it would fall alone",
                "vertices without elements: each would fall alone",
            ),
            Self::CoincidentVertices => (
                "vertex at the place of an earlier one: a seam that comes apart unless a repair joins it",
                "vertices at the place of an earlier one: seams that come apart unless a repair joins them",
            ),
            Self::FlatElements => ("element without area or volume", "elements without area or volume"),
            Self::DuplicateElements => (
                "element that repeats an earlier one: twice the mass and stiffness",
                "elements that repeat an earlier one: twice the mass and stiffness",
            ),
            Self::InvertedTets => ("tetrahedron that is inside out", "tetrahedra that are inside out"),
            Self::Slivers => (
                "tetrahedron with a smaller angle than the threshold",
                "tetrahedra with a smaller angle than the threshold",
            ),
            Self::CrowdedFaces => ("face of more than two tetrahedra", "faces of more than two tetrahedra"),
            Self::MismatchedDiagonals => (
                "quadrilateral cut along different diagonals on its two sides",
                "quadrilaterals cut along different diagonals on their two sides",
            ),
            Self::TriangleSoup => (
                "triangle that shares no edge with another: its vertices are not united, and it would fall alone",
                "triangles that share no edge with another: their vertices are not united, and each would fall alone",
            ),
            Self::MixedOrientation => (
                "triangle that faces the other way than the rest of its piece",
                "triangles that face the other way than the rest of their piece",
            ),
            Self::InsideOut => ("closed piece that faces inwards", "closed pieces that face inwards"),
            Self::OneSided => ("piece with one side only", "pieces with one side only"),
            Self::NonManifoldEdges => ("edge of more than two triangles", "edges of more than two triangles"),
            Self::NonManifoldVertices => (
                "vertex in which parts touch without an edge",
                "vertices in which parts touch without an edge",
            ),
            Self::TJunctions => (
                "vertex on an open edge that is not joined with it",
                "vertices on an open edge that are not joined with it",
            ),
            Self::SeparatePieces => ("piece beside the largest one", "pieces beside the largest one"),
            Self::Holes => ("open boundary", "open boundaries"),
            Self::SelfIntersections => (
                "pair of triangles that pass through one another",
                "pairs of triangles that pass through one another",
            ),
        };
        if one { single } else { several }
    }
}

/// All defects of one kind in a mesh.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The kind.
    pub defect: Defect,
    /// How many there are.
    pub count: usize,
    /// The numbers that identify them, as documented at [`Defect`], [`Defect::width`] for each; of
    /// self-intersections the first ones.
    pub at: Vec<u32>,
    /// Where the first one is, m.
    pub place: Option<[f64; 3]>,
}

impl fmt::Display for Finding {
    /// The count, the kind, and the place of the first one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.count, self.defect.words(self.count == 1))?;
        if let Some(first) = self.at.get(..self.defect.width()) {
            let first: Vec<String> = first.iter().map(u32::to_string).collect();
            write!(f, " (first: {}", first.join(" "))?;
            match self.place {
                Some([x, y, z]) => write!(f, ", at {x:.4} {y:.4} {z:.4})")?,
                None => f.write_str(")")?,
            }
        }
        Ok(())
    }
}
