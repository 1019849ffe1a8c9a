//! [`CheckUp`]: the measures and the defects of a mesh, as data and in words.

use std::fmt;

use nalgebra::Vector3;
use serde::Serialize;

use super::defect::{Defect, Finding};
use super::diagonals::mismatched;
use super::holes::boundaries;
use super::intersect::crossing_pairs;
use super::junctions;
use super::manifold::shared_vertices;
use super::orient::Orientation;
use super::pieces::{Pieces, triangle_area};
use super::quality::QualityHistogram;
use super::soup::soup;
use super::touching;
use super::unit::{UnitGuess, guesses};
use crate::enclosed::six_volumes;
use crate::words::counted;
use crate::{TetMesh, TriMesh, min_dihedral, tet_volume};

/// The settings of a check-up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckOptions {
    /// Tetrahedra with a smaller angle between two faces are slivers, radians.
    pub sliver: f64,
    /// How many self-intersections are listed; they are all counted. None leaves them out.
    pub intersections: Option<usize>,
}

impl Default for CheckOptions {
    /// Slivers below 5°, the first thousand self-intersections.
    fn default() -> Self {
        Self { sliver: 5.0_f64.to_radians(), intersections: Some(1000) }
    }
}

/// The result of a check-up.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CheckUp {
    /// `"surface"` or `"solid"`.
    pub kind: &'static str,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles or tetrahedra.
    pub elements: usize,
    /// Number of connected pieces.
    pub components: usize,
    /// Whether a surface has no boundary; solids are closed.
    pub closed: bool,
    /// Area of the surface, or of the boundary of the solid, m².
    pub area: f64,
    /// Volume of a solid, or within a surface that is closed and consistently oriented, m³.
    pub volume: Option<f64>,
    /// Sides of the box around all vertices, m.
    pub extent: [f64; 3],
    /// The units in which the size would be plausible, if it is not in metres.
    pub units: Vec<UnitGuess>,
    /// The shapes of the tetrahedra.
    pub quality: Option<QualityHistogram>,
    /// The defects, in the order of [`Defect`]; only kinds that occur are listed.
    pub findings: Vec<Finding>,
}

impl CheckUp {
    /// Whether no defect makes a simulation wrong.
    #[must_use]
    pub fn is_fit(&self) -> bool {
        self.findings.iter().all(|finding| !finding.defect.is_error())
    }

    /// The defects of one kind.
    #[must_use]
    pub fn finding(&self, defect: Defect) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.defect == defect)
    }
}

impl fmt::Display for CheckUp {
    /// A few lines on the mesh, and one for each kind of defect.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, many) =
            if self.kind == "solid" { ("tetrahedron", "tetrahedra") } else { ("triangle", "triangles") };
        writeln!(
            f,
            "{}: {}, {}, {}",
            self.kind,
            counted(self.vertices, "vertex", "vertices"),
            counted(self.elements, one, many),
            counted(self.components, "piece", "pieces")
        )?;
        let [x, y, z] = self.extent;
        write!(f, "extent {x:.4} × {y:.4} × {z:.4} m, area {:.6} m²", self.area)?;
        if let Some(volume) = self.volume {
            write!(f, ", volume {volume:.6} m³")?;
        }
        if !self.closed {
            f.write_str(", open")?;
        }
        for guess in &self.units {
            write!(
                f,
                "\nin {} it would be {:.3} m large: scale by {}",
                guess.unit, guess.extent, guess.scale
            )?;
        }
        if let Some(quality) = &self.quality {
            f.write_str("\nsmallest dihedral angle:")?;
            for (i, count) in quality.min_dihedral.iter().enumerate().filter(|(_, count)| **count > 0) {
                write!(f, " {}°–{}°: {count}", 10 * i, 10 * (i + 1))?;
            }
        }
        for finding in &self.findings {
            let severity = if finding.defect.is_error() { "error" } else { "note" };
            write!(f, "\n{severity}: {finding}")?;
        }
        if self.findings.is_empty() {
            f.write_str("\nnothing wrong")?;
        }
        Ok(())
    }
}

/// Collects findings.
#[derive(Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    pub(super) fn into_list(self) -> Vec<Finding> {
        self.0
    }

    pub(super) fn add(&mut self, defect: Defect, at: Vec<u32>, place: impl FnOnce(&[u32]) -> Vector3<f64>) {
        if !at.is_empty() {
            let place = Some(place(&at[..defect.width()]).into());
            self.0.push(Finding { defect, count: at.len() / defect.width(), at, place });
        }
    }
}

/// The later of each pair of duplicates.
pub(super) fn later(pairs: &[[u32; 2]]) -> Vec<u32> {
    pairs.iter().map(|pair| pair[0]).collect()
}

/// The elements without those that repeat an earlier one, and the number that each had.
pub(super) fn without_duplicates<const N: usize>(
    elements: &[[u32; N]],
    duplicates: &[[u32; 2]],
) -> (Vec<[u32; N]>, Vec<u32>) {
    let mut is_later = vec![false; elements.len()];
    for [later, _] in duplicates {
        is_later[*later as usize] = true;
    }
    let number: Vec<u32> = (0..elements.len() as u32).filter(|&e| !is_later[e as usize]).collect();
    (number.iter().map(|&e| elements[e as usize]).collect(), number)
}

impl TriMesh {
    /// Measures the surface and searches it for all kinds of defects.
    ///
    /// ```
    /// use pliant_mesh::{CheckOptions, Defect, TriMesh};
    ///
    /// let sheet = TriMesh::grid([3, 3], [1.0, 1.0])?;
    /// let check = sheet.check_up(&CheckOptions::default());
    /// assert!(check.is_fit() && !check.closed);
    /// assert_eq!(check.finding(Defect::Holes).map(|holes| holes.count), Some(1));
    /// println!("{check}");
    /// # Ok::<(), pliant_mesh::GenerateError>(())
    /// ```
    #[must_use]
    pub fn check_up(&self, options: &CheckOptions) -> CheckUp {
        let report = self.report();
        let mut findings = Findings::default();
        let vertex = |at: &[u32]| self.positions()[at[0] as usize];
        let triangle = |at: &[u32]| self.corners(at[0] as usize).iter().sum::<Vector3<f64>>() / 3.0;
        findings.add(Defect::UnreferencedVertices, report.unreferenced.clone(), vertex);
        findings.add(Defect::CoincidentVertices, later(&report.coincident), vertex);
        findings.add(Defect::FlatElements, report.without_area.clone(), triangle);
        findings.add(Defect::DuplicateElements, later(&report.duplicates), triangle);

        // Defects of connections are reported of the mesh without its duplicates, or each would be reported many times.
        let (triangles, number) = without_duplicates(self.triangles(), &report.duplicates);
        let single = Self::new(self.positions().to_vec(), triangles).expect("fewer of the same triangles");
        let numbered = |at: Vec<u32>| at.into_iter().map(|t| number[t as usize]).collect::<Vec<u32>>();
        let hinges = single.hinges();
        let orientation = Orientation::of(&single);
        findings.add(Defect::TriangleSoup, numbered(soup(&single, &orientation)), triangle);
        findings.add(Defect::MixedOrientation, numbered(mixed(&orientation)), triangle);
        if hinges.is_closed() && hinges.inconsistent.is_empty() {
            findings.add(Defect::InsideOut, numbered(inside_out(&single, &orientation)), triangle);
        }
        let first_of = |piece: u32| orientation.piece_of.iter().position(|&p| p == piece).unwrap_or(0) as u32;
        let one_sided = orientation.one_sided.iter().map(|&piece| first_of(piece)).collect();
        findings.add(Defect::OneSided, numbered(one_sided), triangle);
        let edges = hinges.non_manifold.iter().flat_map(|n| n.edge).collect();
        findings.add(Defect::NonManifoldEdges, edges, vertex);
        findings.add(Defect::NonManifoldVertices, shared_vertices(&single), vertex);
        findings.add(Defect::TJunctions, junctions::listed(&single).into_flattened(), vertex);
        findings.add(Defect::Holes, boundaries(self.positions().len(), &hinges.boundary), vertex);
        let pieces = Pieces::of(self.positions(), self.triangles(), triangle_area);
        findings.add(Defect::SeparatePieces, pieces.beside_the_largest(), triangle);
        if let Some(most) = options.intersections {
            let (pairs, count) = crossing_pairs(&single, most.max(1));
            findings.add(Defect::SelfIntersections, numbered(pairs.into_flattened()), triangle);
            if let Some(finding) = findings.0.last_mut().filter(|f| f.defect == Defect::SelfIntersections) {
                finding.count = count;
            }
        }
        let extent = report.bounds.map_or(Vector3::zeros(), |bounds| bounds.max - bounds.min);
        CheckUp {
            kind: "surface",
            vertices: report.vertices,
            elements: report.triangles,
            components: report.components,
            closed: hinges.is_closed(),
            area: report.area,
            volume: report.enclosed_volume,
            extent: extent.into(),
            units: guesses(&extent),
            quality: None,
            findings: findings.0,
        }
    }
}

/// The triangles that face the other way than most of their piece, ascending.
pub(super) fn mixed(orientation: &Orientation) -> Vec<u32> {
    let mut balance = vec![0_i64; orientation.pieces];
    for (&piece, &turned) in orientation.piece_of.iter().zip(&orientation.turned) {
        balance[piece as usize] += if turned { -1 } else { 1 };
    }
    let is_odd = |t: usize| {
        let piece = orientation.piece_of[t];
        !orientation.one_sided.contains(&piece) && orientation.turned[t] == (balance[piece as usize] >= 0)
    };
    (0..orientation.turned.len()).filter(|&t| is_odd(t)).map(|t| t as u32).collect()
}

/// The first triangles of pieces of negative volume, in a mesh that is closed and consistently oriented.
fn inside_out(mesh: &TriMesh, orientation: &Orientation) -> Vec<u32> {
    let mut volume = vec![0.0; orientation.pieces];
    let mut first = vec![u32::MAX; orientation.pieces];
    for (t, &piece) in orientation.piece_of.iter().enumerate() {
        first[piece as usize] = first[piece as usize].min(t as u32);
        // Seen from a point of the piece, so that nothing cancels far from the origin.
        let near = mesh.corners(first[piece as usize] as usize)[0];
        volume[piece as usize] += six_volumes(&mesh.corners(t), near);
    }
    (0..orientation.pieces).filter(|&piece| volume[piece] < 0.0).map(|piece| first[piece]).collect()
}

impl TetMesh {
    /// Measures the solid and searches it for all kinds of defects.
    ///
    /// ```
    /// use pliant_mesh::{CheckOptions, TetMesh};
    ///
    /// let check = TetMesh::ball(0.5, 4)?.check_up(&CheckOptions::default());
    /// assert!(check.is_fit() && check.findings.is_empty(), "{check}");
    /// # Ok::<(), pliant_mesh::GenerateError>(())
    /// ```
    #[must_use]
    pub fn check_up(&self, options: &CheckOptions) -> CheckUp {
        let (report, surface) = self.report_with_surface();
        let mut findings = Findings::default();
        let vertex = |at: &[u32]| self.positions()[at[0] as usize];
        let tet = |at: &[u32]| self.corners(at[0] as usize).iter().sum::<Vector3<f64>>() / 4.0;
        findings.add(Defect::UnreferencedVertices, report.unreferenced.clone(), vertex);
        findings.add(Defect::CoincidentVertices, later(&report.coincident), vertex);
        let slivers = (0..self.tets().len() as u32)
            .filter(|t| report.flat.binary_search(t).is_err())
            .filter(|&t| min_dihedral(&self.corners(t as usize)) < options.sliver)
            .collect();
        findings.add(Defect::FlatElements, report.flat.clone(), tet);
        findings.add(Defect::DuplicateElements, later(&report.duplicates), tet);
        findings.add(Defect::InvertedTets, report.inverted.clone(), tet);
        findings.add(Defect::Slivers, slivers, tet);
        let single = if report.duplicates.is_empty() {
            report.clone()
        } else {
            let (tets, _) = without_duplicates(self.tets(), &report.duplicates);
            Self::new(self.positions().to_vec(), tets).expect("fewer of the same tetrahedra").report()
        };
        let boundary: Vec<[u32; 3]> = surface
            .mesh
            .triangles()
            .iter()
            .map(|corners| corners.map(|v| surface.vertex_of[v as usize]))
            .collect();
        let mismatched = mismatched(self, &boundary);
        // The sides of those are edges of four faces of the boundary only because of this defect.
        let mut explained: Vec<[u32; 2]> = mismatched
            .iter()
            .flat_map(|&[a, c, b, d]| [[a, b], [b, c], [c, d], [d, a]])
            .chain(single.crowded_faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [a, c]]))
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        explained.sort_unstable();
        let edges = single.non_manifold.iter().map(|n| n.edge);
        let edges: Vec<[u32; 2]> = edges
            .map(|[a, b]| [a.min(b), a.max(b)])
            .filter(|edge| explained.binary_search(edge).is_err())
            .collect();
        findings.add(Defect::CrowdedFaces, single.crowded_faces.into_flattened(), vertex);
        findings.add(Defect::MismatchedDiagonals, mismatched.into_flattened(), vertex);
        findings.add(Defect::NonManifoldEdges, edges.into_flattened(), vertex);
        findings.add(Defect::NonManifoldVertices, touching::shared_vertices(self, &surface), vertex);
        let pieces = Pieces::of(self.positions(), self.tets(), tet_volume);
        findings.add(Defect::SeparatePieces, pieces.beside_the_largest(), tet);
        let extent = report.bounds.map_or(Vector3::zeros(), |bounds| bounds.max - bounds.min);
        CheckUp {
            kind: "solid",
            vertices: report.vertices,
            elements: report.tets,
            components: report.components,
            closed: true,
            area: report.boundary_area,
            volume: Some(report.volume),
            extent: extent.into(),
            units: guesses(&extent),
            quality: (report.tets > 0).then(|| QualityHistogram::of(self)),
            findings: findings.0,
        }
    }
}
