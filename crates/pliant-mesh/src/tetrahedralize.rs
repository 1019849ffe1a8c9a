//! Tetrahedra from any surface: isosurface stuffing (Labelle & Shewchuk, *Isosurface Stuffing: Fast Tetrahedral Meshes with
//! Good Dihedral Angles*, 2007) on the signed distance by winding numbers.
//!
//! A lattice of well-shaped tetrahedra is laid over the surface, and what is outside is cut off. Nothing is asked of the triangles:
//! they may intersect each other, have holes, or meet three at an edge. Every dihedral angle of the answer is between
//! 10.5° and 163.8°, whatever the surface; sharp edges are bevelled by about a cube of the lattice. The answer is conforming, its boundary
//! a closed manifold, and it is the same to the last bit on every platform.
//!
//! 1. `sample.rs`: which points of the lattice (`lattice.rs`) are inside, and how far.
//! 2. `cut.rs`: where the surface cuts the lattice's edges; points very near to a cut move onto it.
//! 3. `stencil.rs`: what is left of a tetrahedron with corners outside.
//! 4. `leaves.rs`: in the graded form, larger tetrahedra far inside.
//! 5. `touching.rs`: parts that touch in a vertex or an edge only are separated.

mod cut;
mod lattice;
mod leaves;
mod sample;
mod stencil;
#[cfg(test)]
mod tests;
mod touching;

use nalgebra::Vector3;
use serde::Serialize;
use thiserror::Error;

use crate::quality::{dihedral_cosines, volume_sign};
use crate::{Aabb, RepairOptions, RepairReport, TetMesh, TriMesh};
use cut::Cuts;
use lattice::{Lattice, NONE};
use leaves::Leaves;
use sample::Field;
use stencil::Node;

/// The most cubes that a lattice may have: 256 each way.
pub const MOST_CELLS: u64 = 1 << 24;

/// The least thickness of a shell, in edge lengths: thinner ones fall to pieces between the points of the lattice.
pub const LEAST_SHELL: f64 = 1.5;

/// How fine the tetrahedra are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// So many cubes of the lattice along the longest side of the box around the solid.
    Cells(usize),
    /// Side of a cube, m: the longest edges; the others are 0.87 of it.
    EdgeLength(f64),
}

/// How a surface is filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TetrahedralizeOptions {
    /// How fine the tetrahedra are.
    pub resolution: Resolution,
    /// Instead of what the surface encloses, fill a shell of this thickness around it, half on each side, m: for open
    /// sheets, at least [`LEAST_SHELL`] edge lengths.
    pub shell_thickness: Option<f64>,
    /// Larger tetrahedra far inside, two to one from layer to layer. They are the same within about two cubes of the surface.
    pub graded: bool,
}

impl Default for TetrahedralizeOptions {
    /// 32 cubes, what the surface encloses, not graded.
    fn default() -> Self {
        Self { resolution: Resolution::Cells(32), shell_thickness: None, graded: false }
    }
}

/// What is known of a solid that was made from a surface.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TetrahedralizeReport {
    /// Cubes of the lattice along x, y and z, with a margin of one on each side.
    pub cells: [usize; 3],
    /// Side of a cube, m.
    pub edge_length: f64,
    /// Points of the lattice that moved onto the surface.
    pub warped: usize,
    /// Cut points that became vertices.
    pub cut_points: usize,
    /// Vertices that were doubled because parts of the solid touched only there.
    pub copied_vertices: usize,
    /// Tetrahedra that were dropped because parts of the solid touched there.
    pub dropped_tets: usize,
    /// Smallest and largest angle between two faces of a tetrahedron, radians.
    pub dihedral: [f64; 2],
    /// Volume of the tetrahedra, m³.
    pub volume: f64,
    /// Volume that the surface encloses, where it is closed, faces outwards and is not thickened, m³. Parts that overlap count twice in it.
    pub surface_volume: Option<f64>,
    /// Connected pieces of the solid.
    pub pieces: usize,
    /// Connected pieces of the surface.
    pub surface_pieces: usize,
    /// Edges of the surface with one triangle.
    pub boundary_edges: usize,
    /// What was put right in a copy of the surface before.
    pub prepared: RepairReport,
}

impl TetrahedralizeReport {
    /// What somebody who looks at the solid should know, a sentence each; `is_shell` tells whether a thickness was given.
    #[must_use]
    pub fn remarks(&self, is_shell: bool) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.boundary_edges > 0 && !is_shell {
            remarks.push(format!(
                "the surface is open ({} edges have one triangle only), and its holes were closed in passing; if it is a sheet, give a thickness for a shell",
                self.boundary_edges
            ));
        }
        if self.pieces > self.surface_pieces {
            remarks.push(format!(
                "the solid has {} pieces, but the surface {}: parts that are thinner than the edges came off; more cells keep them",
                self.pieces, self.surface_pieces
            ));
        }
        if self.dropped_tets > 0 {
            remarks.push(format!(
                "{} tetrahedra were dropped where the solid would have touched itself",
                self.dropped_tets
            ));
        }
        remarks
    }
}

/// A surface that cannot be filled.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TetrahedralizeError {
    /// There is nothing to fill.
    #[error("the surface has no triangle with an area")]
    EmptySurface,
    /// The resolution is no number of cubes and no length.
    #[error("{what} must be positive and finite, not {value}")]
    Parameter {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// More cubes than can be looked at.
    #[error(
        "the lattice would have {} × {} × {} cubes, more than {most} in all; ask for fewer cells or a larger edge length",
        cells[0], cells[1], cells[2]
    )]
    TooManyCells {
        /// Cubes along x, y and z.
        cells: [f64; 3],
        /// The most that are allowed, [`MOST_CELLS`].
        most: u64,
    },
    /// A shell so thin that the lattice cannot hold it.
    #[error(
        "a shell of {thickness} m is too thin for edges of {edge_length} m: make it at least {least} m thick, or the edges at most {} m long",
        thickness / LEAST_SHELL
    )]
    ThinShell {
        /// Its thickness, m.
        thickness: f64,
        /// Side of a cube of the lattice, m.
        edge_length: f64,
        /// The least thickness with this lattice, m.
        least: f64,
    },
    /// An open surface that encloses nothing.
    #[error(
        "the surface is open ({boundary_edges} edges have one triangle only) and encloses nothing; give it a thickness of at least {least} m to make a shell of it, or close its holes"
    )]
    Open {
        /// Edges with one triangle.
        boundary_edges: usize,
        /// The least thickness of a shell with this lattice, m.
        least: f64,
    },
    /// No point of the lattice is inside of a surface that is closed.
    #[error(
        "no point of the lattice is within the surface, which encloses {volume} m³: ask for more cells than edges of {edge_length} m make"
    )]
    TooThin {
        /// The volume that the surface encloses, m³.
        volume: f64,
        /// Side of a cube of the lattice, m.
        edge_length: f64,
    },
    /// A closed surface without a volume, such as a doubled sheet.
    #[error("the surface is closed but encloses no volume; give it a thickness to make a shell of it")]
    NoVolume,
}

impl TriMesh {
    /// Fills the surface with tetrahedra, or a shell around it.
    ///
    /// Copies of vertices are joined, neighbours made to face the same way, and triangles without area left out first, in a
    /// copy of the surface. What is inside is where the surface goes round by more than half.
    ///
    /// ```
    /// use pliant_mesh::{Resolution, TetrahedralizeOptions, TriMesh};
    ///
    /// let ring = TriMesh::torus(0.3, 0.1, 60, 24)?;
    /// let options = TetrahedralizeOptions { resolution: Resolution::Cells(24), ..Default::default() };
    /// let (solid, report) = ring.tetrahedralize(&options)?;
    /// assert!(solid.inverted().is_empty());
    /// assert!(report.dihedral[0].to_degrees() > 10.0);
    /// assert!((solid.volume() / ring.enclosed_volume() - 1.0).abs() < 0.03);
    /// assert!(solid.surface().mesh.hinges().is_closed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the surface has no area, encloses nothing, or is too thin or too large for the lattice; [`TetrahedralizeError`] says what to do.
    pub fn tetrahedralize(
        &self,
        options: &TetrahedralizeOptions,
    ) -> Result<(TetMesh, TetrahedralizeReport), TetrahedralizeError> {
        check(options)?;
        let (surface, prepared) =
            self.repair(&RepairOptions { split_non_manifold: false, ..RepairOptions::default() });
        let bounds = surface.bounds().ok_or(TetrahedralizeError::EmptySurface)?;
        let lattice = lattice_of(&bounds, options)?;
        let hinges = surface.hinges();
        let field = Field::new(&surface, options.shell_thickness);
        let values = sample::sample(&field, &lattice);
        if !values.iter().any(|&value| value > 0.0) {
            return Err(nothing_inside(&surface, hinges.boundary.len(), &lattice));
        }
        let cuts = Cuts::new(&field, &lattice, &values);
        drop(values);
        let leaves =
            if options.graded { Leaves::graded(&lattice, &cuts.signs) } else { Leaves::uniform(&lattice) };

        let mut solid = Solid::new(&lattice, &cuts, &field);
        leaves.each_tet(|tet, at| solid.add(tet, at));
        let Solid { mut positions, mut tets, mut on_surface, cut_points, .. } = solid;
        let separated = touching::separate(&mut positions, &mut tets, &mut on_surface);
        if tets.is_empty() {
            return Err(nothing_inside(&surface, hinges.boundary.len(), &lattice));
        }
        if separated.dropped > 0 {
            drop_unused(&mut positions, &mut tets);
        }
        let mesh = TetMesh::new(positions, tets).expect("the vertices of the lattice are finite");

        let closed =
            hinges.is_closed() && hinges.inconsistent.is_empty() && options.shell_thickness.is_none();
        let report = TetrahedralizeReport {
            cells: lattice.cells.map(|n| n as usize),
            edge_length: lattice.side,
            warped: cuts.warped,
            cut_points,
            copied_vertices: separated.copies,
            dropped_tets: separated.dropped,
            dihedral: dihedral_range(&mesh),
            volume: mesh.volume(),
            surface_volume: closed.then(|| surface.enclosed_volume().abs()),
            pieces: mesh.components().count(),
            surface_pieces: surface.components().count(),
            boundary_edges: hinges.boundary.len(),
            prepared,
        };
        Ok((mesh, report))
    }
}

fn check(options: &TetrahedralizeOptions) -> Result<(), TetrahedralizeError> {
    let (what, value) = match options.resolution {
        Resolution::Cells(cells) => ("the number of cells", cells as f64),
        Resolution::EdgeLength(length) => ("the edge length", length),
    };
    let lengths = [(what, value), ("the thickness of the shell", options.shell_thickness.unwrap_or(1.0))];
    match lengths.into_iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
        Some((what, value)) => Err(TetrahedralizeError::Parameter { what, value }),
        None => Ok(()),
    }
}

/// The lattice over a surface, centred, with a margin of one cube on each side.
fn lattice_of(bounds: &Aabb, options: &TetrahedralizeOptions) -> Result<Lattice, TetrahedralizeError> {
    let bounds = bounds.grown(0.5 * options.shell_thickness.unwrap_or(0.0));
    let size = bounds.size();
    let longest = size.max();
    let side = match options.resolution {
        Resolution::Cells(cells) => longest / cells as f64,
        Resolution::EdgeLength(length) => length,
    };
    if !(side > 0.0 && longest.is_finite()) {
        return Err(TetrahedralizeError::EmptySurface);
    }
    // Whole numbers stay what they are: the sides of a box then lie in planes of the lattice.
    let counts = size.map(|s| (s / side - 1e-6).ceil().max(0.0) + 2.0);
    if counts.product() > MOST_CELLS as f64 {
        return Err(TetrahedralizeError::TooManyCells { cells: counts.into(), most: MOST_CELLS });
    }
    if let Some(thickness) = options.shell_thickness
        && thickness < LEAST_SHELL * side * (1.0 - 1e-9)
    {
        let least = LEAST_SHELL * side;
        return Err(TetrahedralizeError::ThinShell { thickness, edge_length: side, least });
    }
    let cells = [0, 1, 2].map(|k| counts[k] as i32);
    Ok(Lattice { origin: bounds.centre() - counts * (0.5 * side), side, cells })
}

/// Why no point of the lattice is inside.
fn nothing_inside(surface: &TriMesh, boundary_edges: usize, lattice: &Lattice) -> TetrahedralizeError {
    if boundary_edges > 0 {
        return TetrahedralizeError::Open { boundary_edges, least: LEAST_SHELL * lattice.side };
    }
    let volume = surface.enclosed_volume().abs();
    let extent = surface.bounds().map_or(0.0, |bounds| bounds.diagonal());
    if volume <= 1e-9 * extent * surface.area() {
        return TetrahedralizeError::NoVolume;
    }
    TetrahedralizeError::TooThin { volume, edge_length: lattice.side }
}

/// The tetrahedra as they come, with vertices numbered at their first use.
struct Solid<'a> {
    lattice: &'a Lattice,
    cuts: &'a Cuts,
    field: &'a Field,
    positions: Vec<Vector3<f64>>,
    on_surface: Vec<bool>,
    tets: Vec<[u32; 4]>,
    cut_points: usize,
    /// The vertex of each point of the lattice and of each cut point, or [`NONE`].
    vertex_of_point: Vec<u32>,
    vertex_of_cut: Vec<u32>,
}

impl<'a> Solid<'a> {
    fn new(lattice: &'a Lattice, cuts: &'a Cuts, field: &'a Field) -> Self {
        Self {
            lattice,
            cuts,
            field,
            positions: Vec::new(),
            on_surface: Vec::new(),
            tets: Vec::new(),
            cut_points: 0,
            vertex_of_point: vec![NONE; cuts.signs.len()],
            vertex_of_cut: vec![NONE; cuts.points.len()],
        }
    }

    /// Adds what is inside of a tetrahedron between points of the lattice.
    fn add(&mut self, tet: [u32; 4], at: &[[i32; 3]; 4]) {
        let signs = tet.map(|n| self.cuts.signs[n as usize]);
        if signs == [0; 4] {
            self.add_flat(tet);
            return;
        }
        stencil::pieces(signs, at, |nodes| {
            let vertices = nodes.map(|node| match node {
                Node::Corner(i) => self.point(tet[i]),
                Node::Cut(i, j) => self.cut(self.cuts.between([tet[i], tet[j]], [at[i], at[j]])),
            });
            self.tets.push(vertices);
        });
    }

    /// A tetrahedron whose corners are all on the surface is kept if it is inside and well shaped.
    fn add_flat(&mut self, tet: [u32; 4]) {
        let corners = tet.map(|n| self.cuts.position(self.lattice, n));
        let [least, greatest] = dihedral_cosines(&corners);
        let good = volume_sign(&corners).is_gt()
            && least > GREATEST_DIHEDRAL_COSINE
            && greatest < LEAST_DIHEDRAL_COSINE;
        if good && self.field.at(&(corners.iter().sum::<Vector3<f64>>() * 0.25)) > 0.0 {
            let vertices = tet.map(|n| self.point(n));
            self.tets.push(vertices);
        }
    }

    fn point(&mut self, number: u32) -> u32 {
        if self.vertex_of_point[number as usize] == NONE {
            self.vertex_of_point[number as usize] = self.positions.len() as u32;
            self.positions.push(self.cuts.position(self.lattice, number));
            self.on_surface.push(self.cuts.signs[number as usize] == 0);
        }
        self.vertex_of_point[number as usize]
    }

    fn cut(&mut self, cut: u32) -> u32 {
        if self.vertex_of_cut[cut as usize] == NONE {
            self.vertex_of_cut[cut as usize] = self.positions.len() as u32;
            self.positions.push(self.cuts.points[cut as usize]);
            self.on_surface.push(true);
            self.cut_points += 1;
        }
        self.vertex_of_cut[cut as usize]
    }
}

/// Cosines of the angles that the stencils keep to, 10.5° and 163.8°.
const LEAST_DIHEDRAL_COSINE: f64 = 0.983;
const GREATEST_DIHEDRAL_COSINE: f64 = -0.960;

/// Drops vertices without tetrahedra.
fn drop_unused(positions: &mut Vec<Vector3<f64>>, tets: &mut [[u32; 4]]) {
    let mut new_of = vec![NONE; positions.len()];
    let mut kept = Vec::new();
    for v in tets.iter_mut().flatten() {
        let new = &mut new_of[*v as usize];
        if *new == NONE {
            *new = kept.len() as u32;
            kept.push(positions[*v as usize]);
        }
        *v = *new;
    }
    *positions = kept;
}

/// The smallest and the largest dihedral angle, radians.
fn dihedral_range(mesh: &TetMesh) -> [f64; 2] {
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for t in 0..mesh.tets().len() {
        let [low, high] = dihedral_cosines(&mesh.corners(t));
        (least, greatest) = (least.min(low), greatest.max(high));
    }
    [libm::acos(greatest.min(1.0)), libm::acos(least.max(-1.0))]
}
