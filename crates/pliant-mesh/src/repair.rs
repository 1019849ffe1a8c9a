//! The mesh doctor: finds the defects of a mesh, and returns a mesh in which they are repaired.
//!
//! [`TriMesh::check_up`] and [`TetMesh::check_up`] list [`Finding`]s; [`TriMesh::repair`] and
//! [`TetMesh::repair`] return another mesh with a [`RepairReport`] that says what was done to which vertices
//! and elements and how the numbers of the old mesh and the new one belong together. Only the steps that
//! [`RepairOptions`] names are done.

mod check;
mod compact;
mod defect;
mod diagonals;
mod errors;
mod groups;
mod holes;
mod intersect;
mod junctions;
mod manifold;
mod nearest;
mod orient;
mod pieces;
mod quality;
mod report;
mod soup;
mod touching;
mod unit;
mod unite;
mod weld;

use std::cmp::Ordering;

use crate::quality::volume_sign;
use crate::{TetMesh, TriMesh, tet_volume};

pub use check::{CheckOptions, CheckUp};
pub use defect::{Defect, Finding};
pub(crate) use intersect::crossing_pairs;
pub use pieces::Keep;
pub use quality::QualityHistogram;
pub use report::{Action, RepairReport, Step};
pub use unit::UnitGuess;

use compact::Parts;
use pieces::triangle_area;

/// What a repair does. The steps run in the order of the fields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepairOptions {
    /// Vertices within this distance of an earlier one become that one, m; zero joins vertices at exactly the
    /// same place.
    pub weld: Option<f64>,
    /// Drop elements that name a vertex twice after welding, triangles without area and tetrahedra without volume.
    pub drop_flat: bool,
    /// Drop elements with the vertices of an earlier one.
    pub drop_duplicates: bool,
    /// Join open boundaries within this distance, m, into one conforming piece: their vertices become one,
    /// and their edges are divided where vertices of others lie on them. Vertices within a piece are left
    /// alone. Zero only divides edges at vertices that lie on them to within rounding. Of solids, vertices on
    /// the surface are joined.
    pub unite: Option<f64>,
    /// Turn tetrahedra of negative volume.
    pub flip_inverted: bool,
    /// Divide tetrahedra where diagonals of neighbouring cells cross, by a new vertex at each crossing.
    pub match_diagonals: bool,
    /// Give the sheets that meet along an edge of more than two triangles, or in a single vertex, vertices of
    /// their own.
    pub split_non_manifold: bool,
    /// Give the parts of a solid that touch in an edge or a vertex only vertices of their own: a hinge comes apart.
    pub split_solids: bool,
    /// Drop all pieces but these.
    pub keep: Option<Keep>,
    /// Turn triangles so that neighbours agree: outwards where a piece is closed, else the way most of its
    /// triangles face.
    pub orient: bool,
    /// Close holes of at most so many edges, 500 at most.
    pub fill_holes: Option<usize>,
    /// Drop vertices without elements.
    pub drop_unreferenced: bool,
}

impl Default for RepairOptions {
    /// All but splitting solids, closing holes and dropping pieces; joins only vertices at exactly the same place.
    fn default() -> Self {
        Self {
            weld: Some(0.0),
            drop_flat: true,
            drop_duplicates: true,
            unite: Some(0.0),
            flip_inverted: true,
            match_diagonals: true,
            split_non_manifold: true,
            split_solids: false,
            keep: None,
            orient: true,
            fill_holes: None,
            drop_unreferenced: true,
        }
    }
}

impl RepairOptions {
    /// No step, so that single ones can be switched on.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            weld: None,
            drop_flat: false,
            drop_duplicates: false,
            unite: None,
            flip_inverted: false,
            match_diagonals: false,
            split_non_manifold: false,
            split_solids: false,
            keep: None,
            orient: false,
            fill_holes: None,
            drop_unreferenced: false,
        }
    }
}

impl TriMesh {
    /// Another mesh in which the defects that `options` names are repaired.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::{RepairOptions, TriMesh};
    ///
    /// // Two triangles of a square with vertices of their own, one of them turned over.
    /// let (o, x, y) = (Vector3::zeros(), Vector3::x(), Vector3::y());
    /// let torn = TriMesh::new(vec![o, x, x + y, o, x + y, y], vec![[0, 1, 2], [3, 5, 4]])?;
    /// let (mesh, report) = torn.repair(&RepairOptions::default());
    /// assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
    /// assert_eq!(report.vertex_of, [Some(0), Some(1), Some(2), Some(5)]);
    /// assert_eq!(report.became, [0, 1, 2, 0, 2, 3].map(Some));
    /// println!("{report}");
    /// # Ok::<(), pliant_mesh::MeshError>(())
    /// ```
    #[must_use]
    pub fn repair(&self, options: &RepairOptions) -> (Self, RepairReport) {
        let mut parts = Parts::new(self.positions().to_vec(), self.triangles().to_vec());
        if let Some(distance) = options.weld {
            weld::weld(&mut parts, distance);
        }
        // This step must follow welding directly: a mesh cannot have an element that names a vertex twice.
        parts.drop_collapsed();
        if options.drop_flat {
            parts.drop_elements(Action::DropFlat, |positions, corners| {
                crate::defects::is_flat_triangle(&corners.map(|v| positions[v as usize]))
            });
        }
        if options.drop_duplicates {
            parts.drop_duplicates();
        }
        if let Some(distance) = options.unite {
            unite::surfaces(&mut parts, distance);
        }
        if options.split_non_manifold {
            manifold::split(&mut parts);
        }
        if let Some(which) = options.keep {
            pieces::keep(&mut parts, which, triangle_area);
        }
        if options.orient {
            orient::orient(&mut parts);
        }
        if let Some(edges) = options.fill_holes {
            holes::fill(&mut parts, edges);
        }
        if options.drop_unreferenced {
            parts.drop_unreferenced();
        }
        let (positions, triangles, report) = parts.finish();
        (Self::new(positions, triangles).expect("repairs leave valid triangles"), report)
    }
}

impl TetMesh {
    /// Another mesh in which the defects that `options` names are repaired. Steps for surfaces do nothing.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::{RepairOptions, TetMesh};
    ///
    /// let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z(), Vector3::repeat(9.0)];
    /// let bad = TetMesh::new(corners, vec![[0, 2, 1, 3], [0, 1, 2, 3]])?;
    /// let (mesh, report) = bad.repair(&RepairOptions::default());
    /// assert_eq!((mesh.tets().len(), mesh.positions().len()), (1, 4));
    /// assert!(mesh.volume() > 0.0);
    /// assert_eq!(report.steps.len(), 3);
    /// # Ok::<(), pliant_mesh::MeshError>(())
    /// ```
    #[must_use]
    pub fn repair(&self, options: &RepairOptions) -> (Self, RepairReport) {
        let mut parts = Parts::new(self.positions().to_vec(), self.tets().to_vec());
        if let Some(distance) = options.weld {
            weld::weld(&mut parts, distance);
        }
        parts.drop_collapsed();
        if options.drop_flat {
            parts.drop_elements(Action::DropFlat, |positions, corners| {
                volume_sign(&corners.map(|v| positions[v as usize])) == Ordering::Equal
            });
        }
        if options.drop_duplicates {
            parts.drop_duplicates();
        }
        if let Some(distance) = options.unite {
            unite::solids(&mut parts, distance);
        }
        if options.flip_inverted {
            let inverted: Vec<usize> = (0..parts.elements.len())
                .filter(|&t| {
                    let corners = parts.elements[t].map(|v| parts.positions[v as usize]);
                    volume_sign(&corners) == Ordering::Less
                })
                .collect();
            for &t in &inverted {
                parts.elements[t].swap(2, 3);
            }
            parts.note_elements(Action::FlipInverted, &inverted);
        }
        if options.match_diagonals {
            diagonals::match_up(&mut parts);
        }
        if options.split_solids {
            touching::split(&mut parts);
        }
        if let Some(which) = options.keep {
            pieces::keep(&mut parts, which, tet_volume);
        }
        if options.drop_unreferenced {
            parts.drop_unreferenced();
        }
        let (positions, tets, report) = parts.finish();
        (Self::new(positions, tets).expect("repairs leave valid tetrahedra"), report)
    }
}
