//! Only the findings that make a simulation wrong: the check before a simulation accepts a mesh.

use nalgebra::Vector3;

use super::check::{Findings, later, mixed, without_duplicates};
use super::defect::{Defect, Finding};
use super::diagonals::mismatched;
use super::orient::Orientation;
use super::soup::soup;
use crate::defects::{duplicate_elements, unreferenced_vertices};
use crate::surface::Faces;
use crate::{TetMesh, TriMesh};

impl TriMesh {
    /// Those of the findings of [`check_up`](Self::check_up) that are [errors](Defect::is_error), in less time.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    ///
    /// let sheet = TriMesh::grid([3, 3], [1.0, 1.0])?;
    /// assert!(sheet.errors().is_empty());
    /// let mut triangles = sheet.triangles().to_vec();
    /// triangles[5].swap(0, 1);
    /// let turned = TriMesh::new(sheet.positions().to_vec(), triangles)?;
    /// assert_eq!(turned.errors()[0].at, [5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn errors(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        let vertex = |at: &[u32]| self.positions()[at[0] as usize];
        let triangle = |at: &[u32]| self.corners(at[0] as usize).iter().sum::<Vector3<f64>>() / 3.0;
        let loose = unreferenced_vertices(self.positions().len(), self.triangles());
        let duplicates = duplicate_elements(self.positions().len(), self.triangles());
        findings.add(Defect::UnreferencedVertices, loose, vertex);
        findings.add(Defect::FlatElements, self.without_area(), triangle);
        findings.add(Defect::DuplicateElements, later(&duplicates), triangle);
        let (alone, turned) = if duplicates.is_empty() {
            let orientation = Orientation::of(self);
            (soup(self, &orientation), mixed(&orientation))
        } else {
            let (triangles, number) = without_duplicates(self.triangles(), &duplicates);
            let single =
                Self::new(self.positions().to_vec(), triangles).expect("fewer of the same triangles");
            let orientation = Orientation::of(&single);
            let numbered = |list: Vec<u32>| list.into_iter().map(|t| number[t as usize]).collect();
            (numbered(soup(&single, &orientation)), numbered(mixed(&orientation)))
        };
        findings.add(Defect::TriangleSoup, alone, triangle);
        findings.add(Defect::MixedOrientation, turned, triangle);
        findings.into_list()
    }
}

impl TetMesh {
    /// Those of the findings of [`check_up`](Self::check_up) that are [errors](Defect::is_error), in less time.
    #[must_use]
    pub fn errors(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        let vertex = |at: &[u32]| self.positions()[at[0] as usize];
        let tet = |at: &[u32]| self.corners(at[0] as usize).iter().sum::<Vector3<f64>>() / 4.0;
        let loose = unreferenced_vertices(self.positions().len(), self.tets());
        let Faces { boundary, mut crowded, repeated } = self.look_at_faces();
        let duplicates =
            if repeated { duplicate_elements(self.positions().len(), self.tets()) } else { Vec::new() };
        let (flat, inverted) = self.flat_and_inverted();
        findings.add(Defect::UnreferencedVertices, loose, vertex);
        findings.add(Defect::FlatElements, flat, tet);
        findings.add(Defect::DuplicateElements, later(&duplicates), tet);
        findings.add(Defect::InvertedTets, inverted, tet);
        if !duplicates.is_empty() {
            let (tets, _) = without_duplicates(self.tets(), &duplicates);
            let single = Self::new(self.positions().to_vec(), tets).expect("fewer of the same tetrahedra");
            crowded = single.look_at_faces().crowded;
        }
        findings.add(Defect::CrowdedFaces, crowded.into_flattened(), vertex);
        findings.add(Defect::MismatchedDiagonals, mismatched(self, &boundary).into_flattened(), vertex);
        findings.into_list()
    }
}
