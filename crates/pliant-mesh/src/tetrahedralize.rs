//! Tetrahedra from any surface: isosurface stuffing (Labelle & Shewchuk, *Isosurface Stuffing: Fast
//! Tetrahedral Meshes with Good Dihedral Angles*, 2007) on the signed distance by winding numbers.
//!
//! A lattice of well-shaped tetrahedra is laid over the surface, and the outside is cut off. The triangles
//! need not meet any condition: they may intersect each other, have holes, or meet three at an edge. Every
//! dihedral angle of the answer is between 10.5° and 163.8°, whatever the surface; sharp edges are bevelled
//! by about a cube of the lattice. The answer is conforming, its boundary a closed manifold, and it is the
//! same to the last bit on every platform.
//!
//! 1. `sample.rs`: which points of the lattice (`lattice.rs`) are inside, and how far.
//! 2. `cut.rs`: where the surface cuts the lattice's edges; points very near to a cut move onto it.
//! 3. `stencil.rs`: the remainder of a tetrahedron with corners outside.
//! 4. `leaves.rs`: in the graded form, larger tetrahedra far inside.
//! 5. `touching.rs`: parts that touch in a vertex or an edge only are separated.
//! 6. `losses.rs`: the parts of the surface that the solid lacks. If it is too much, the lattice is made
//!    finer, or the answer is an error.

mod cut;
mod error;
mod lattice;
mod leaves;
mod losses;
mod report;
mod sample;
mod shells;
mod solid;
mod stencil;
#[cfg(test)]
mod tests;
mod touching;

use nalgebra::Vector3;

use crate::quality::dihedral_cosines;
use crate::{Aabb, RepairOptions, RepairReport, TetMesh, TriMesh};
use cut::Cuts;
pub use error::TetrahedralizeError;
use lattice::{Lattice, NONE};
use leaves::Leaves;
pub use losses::Losses;
pub use report::TetrahedralizeReport;
use sample::Field;
use shells::Shells;
use solid::Solid;

/// The most cubes that a lattice may have: 256 each way.
pub const MOST_CELLS: u64 = 1 << 24;

/// The least thickness of a shell, in edge lengths: thinner ones fall to pieces between the points of the lattice.
pub const LEAST_SHELL: f64 = 1.5;

/// The most by which coordinates may be rounded, in edge lengths: angles change by about as much.
const ROUGHEST: f64 = 1e-4;

/// The numbers of cells that [`Resolution::Auto`] tries.
const AUTO_CELLS: [usize; 5] = [32, 48, 64, 96, MOST_AUTO_CELLS];

/// The most cells along the longest side that [`Resolution::Auto`] tries.
pub const MOST_AUTO_CELLS: usize = 128;

/// [`Resolution::Auto`] tries no number of cells that would make more tetrahedra, extrapolated from the previous try.
pub const MOST_AUTO_TETS: usize = 4_000_000;

/// How fine the tetrahedra are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// 32 cubes along the longest side, and more where those lose parts of the surface, or cannot hold the
    /// shell: 48, 64, 96, at most [`MOST_AUTO_CELLS`], and at most [`MOST_AUTO_TETS`] tetrahedra.
    Auto,
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
    /// Larger tetrahedra far inside, two to one from layer to layer. They are the same within about two cubes
    /// of the surface.
    pub graded: bool,
    /// Accept a solid that lacks parts of the surface, which is an error otherwise.
    pub accept_losses: bool,
}

impl Default for TetrahedralizeOptions {
    /// As fine as necessary, the volume that the surface encloses, not graded, nothing lost.
    fn default() -> Self {
        Self { resolution: Resolution::Auto, shell_thickness: None, graded: false, accept_losses: false }
    }
}

impl TriMesh {
    /// Fills the surface with tetrahedra, or a shell around it.
    ///
    /// Copies of vertices are joined, neighbours made to face the same way, and triangles without area left
    /// out first, in a copy of the surface. A point is inside if the winding number of the surface there is
    /// above ½ in magnitude. Crumbs are dropped: pieces smaller than a cube of the lattice that came off
    /// something larger.
    ///
    /// The solid is connected where the surface is, has its volume within a tenth, and no vertex of the
    /// surface is farther from it than 5 % of the longest side or one and a half edges; [`Losses`] has the
    /// measured values, and [`accept_losses`](TetrahedralizeOptions::accept_losses) accepts less.
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
    /// If the surface has no area, encloses nothing, is too thin or too large for the lattice, or parts of it
    /// would be lost; [`TetrahedralizeError`] says what to do.
    pub fn tetrahedralize(
        &self,
        options: &TetrahedralizeOptions,
    ) -> Result<(TetMesh, TetrahedralizeReport), TetrahedralizeError> {
        check(options)?;
        let work = Work::new(self, options)?;
        let side = match options.resolution {
            Resolution::Auto => return work.refined(0, None),
            Resolution::Cells(cells) => work.longest() / cells as f64,
            Resolution::EdgeLength(length) => length,
        };
        let (mesh, report) = work.filled(side)?;
        if options.accept_losses || report.losses.is_none() {
            return Ok((mesh, report));
        }
        let cells = (work.longest() / side).ceil() as usize;
        let finer = work.refined(cells, Some(mesh.tets().len()));
        let enough = finer.ok().map(|(_, finer)| work.cells_of(finer.edge_length));
        Err(TetrahedralizeError::Lost { cells, losses: Box::new(report.losses), enough })
    }
}

/// The data that is the same for every lattice over a surface.
struct Work<'a> {
    options: &'a TetrahedralizeOptions,
    surface: TriMesh,
    prepared: RepairReport,
    /// The box around the surface, with its thickness.
    bounds: Aabb,
    shells: Shells,
    field: Field,
}

impl<'a> Work<'a> {
    fn new(surface: &TriMesh, options: &'a TetrahedralizeOptions) -> Result<Self, TetrahedralizeError> {
        let (surface, prepared) =
            surface.repair(&RepairOptions { split_non_manifold: false, ..RepairOptions::default() });
        let bounds = surface.bounds().ok_or(TetrahedralizeError::EmptySurface)?;
        let bounds = bounds.grown(0.5 * options.shell_thickness.unwrap_or(0.0));
        let shells = Shells::of(&surface);
        let field = Field::new(&surface, options.shell_thickness);
        Ok(Self { options, surface, prepared, bounds, shells, field })
    }

    fn longest(&self) -> f64 {
        self.bounds.size().max()
    }

    fn cells_of(&self, side: f64) -> usize {
        (self.longest() / side).round() as usize
    }

    /// The coarsest lattice of more than `cells` cubes along the longest side that loses nothing, of those
    /// that [`Resolution::Auto`] tries; `tets` are those with `cells` cubes.
    fn refined(
        &self,
        cells: usize,
        tets: Option<usize>,
    ) -> Result<(TetMesh, TetrahedralizeReport), TetrahedralizeError> {
        let mut tried = Vec::new();
        let mut before = tets.map(|tets| (cells, tets));
        let mut error = None;
        for cells in AUTO_CELLS.into_iter().filter(|&finer| finer > cells) {
            let expected = before.map_or(0.0, |(n, tets)| tets as f64 * (cells as f64 / n as f64).powi(3));
            if expected > MOST_AUTO_TETS as f64 {
                break;
            }
            match self.filled(self.longest() / cells as f64) {
                Ok((mesh, report)) if self.options.accept_losses || report.losses.is_none() => {
                    return Ok((mesh, TetrahedralizeReport { tried, ..report }));
                }
                Ok((mesh, report)) => {
                    before = Some((cells, mesh.tets().len()));
                    let losses = Box::new(report.losses);
                    error = Some(TetrahedralizeError::Lost { cells, losses, enough: None });
                }
                Err(thin @ (TetrahedralizeError::TooThin { .. } | TetrahedralizeError::ThinShell { .. })) => {
                    error = Some(thin);
                }
                Err(other) => return Err(other),
            }
            tried.push(cells);
        }
        Err(error.unwrap_or(TetrahedralizeError::Lost { cells, losses: Box::default(), enough: None }))
    }

    /// The solid from a lattice of cubes with this side, m, whatever it lacks.
    fn filled(&self, side: f64) -> Result<(TetMesh, TetrahedralizeReport), TetrahedralizeError> {
        let Self { options, shells, field, .. } = self;
        let lattice = lattice_of(&self.bounds, side)?;
        if let Some(thickness) = options.shell_thickness {
            let least = LEAST_SHELL * side;
            if thickness < least * (1.0 - 1e-9) {
                return Err(TetrahedralizeError::ThinShell { thickness, edge_length: side, least });
            }
        } else if shells.are_sheets() && !options.accept_losses {
            return Err(self.open(side));
        }
        let values = sample::sample(field, &lattice);
        if !values.iter().any(|&value| value > 0.0) {
            return Err(self.nothing_inside(side));
        }
        let cuts = Cuts::new(field, &lattice, &values);
        drop(values);
        let leaves =
            if options.graded { Leaves::graded(&lattice, &cuts.signs) } else { Leaves::uniform(&lattice) };

        let mut solid = Solid::new(&lattice, &cuts, field);
        leaves.each_tet(|tet, at| solid.add(tet, at));
        let Solid { mut positions, mut tets, mut on_surface, cut_points, .. } = solid;
        let separated = touching::separate(&mut positions, &mut tets, &mut on_surface);
        if tets.is_empty() {
            return Err(self.nothing_inside(side));
        }
        let pieces = losses::Pieces::of(&positions, &tets, &on_surface, shells, field);
        let (crumbs, crumb_volume) = pieces.drop_crumbs(&mut tets, side);
        if separated.dropped > 0 || crumbs > 0 {
            drop_unused(&mut positions, &mut tets);
        }
        let mesh = TetMesh::new(positions, tets).expect("the vertices of the lattice are finite");

        let losses = if options.shell_thickness.is_some() {
            Losses::default()
        } else {
            self.losses(&mesh, &pieces, side)
        };
        let enclosed = shells.enclosed().filter(|_| options.shell_thickness.is_none());
        let report = TetrahedralizeReport {
            cells: lattice.cells.map(|n| n as usize),
            edge_length: lattice.side,
            warped: cuts.warped,
            cut_points,
            copied_vertices: separated.copies,
            dropped_tets: separated.dropped,
            dihedral: dihedral_range(&mesh),
            tried: Vec::new(),
            crumbs,
            crumb_volume,
            losses,
            volume: mesh.volume(),
            surface_volume: enclosed,
            pieces: mesh.components().count(),
            surface_pieces: shells.count(),
            boundary_edges: shells.boundary_edges,
            prepared: self.prepared.clone(),
        };
        Ok((mesh, report))
    }

    fn open(&self, side: f64) -> TetrahedralizeError {
        TetrahedralizeError::Open {
            boundary_edges: self.shells.boundary_edges,
            holes: self.shells.holes(),
            least: LEAST_SHELL * side,
        }
    }

    /// Why no point of the lattice is inside.
    fn nothing_inside(&self, side: f64) -> TetrahedralizeError {
        if self.shells.boundary_edges > 0 {
            return self.open(side);
        }
        let volume = self.surface.enclosed_volume().abs();
        let extent = self.surface.bounds().map_or(0.0, |bounds| bounds.diagonal());
        if volume <= 1e-9 * extent * self.surface.area() {
            return TetrahedralizeError::NoVolume;
        }
        TetrahedralizeError::TooThin { volume, edge_length: side }
    }
}

fn check(options: &TetrahedralizeOptions) -> Result<(), TetrahedralizeError> {
    let (what, value) = match options.resolution {
        Resolution::Auto => ("the number of cells", 1.0),
        Resolution::Cells(cells) => ("the number of cells", cells as f64),
        Resolution::EdgeLength(length) => ("the edge length", length),
    };
    let lengths = [(what, value), ("the thickness of the shell", options.shell_thickness.unwrap_or(1.0))];
    match lengths.into_iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
        Some((what, value)) => Err(TetrahedralizeError::Parameter { what, value }),
        None => Ok(()),
    }
}

/// The lattice of cubes with this side over a box, centred, with a margin of one cube on each side.
fn lattice_of(bounds: &Aabb, side: f64) -> Result<Lattice, TetrahedralizeError> {
    let size = bounds.size();
    if !(side > 0.0 && size.max().is_finite()) {
        return Err(TetrahedralizeError::EmptySurface);
    }
    // Whole numbers stay what they are: the sides of a box then lie in planes of the lattice.
    let counts = size.map(|s| (s / side - 1e-6).ceil().max(0.0) + 2.0);
    if counts.product() > MOST_CELLS as f64 {
        return Err(TetrahedralizeError::TooManyCells { cells: counts.into(), most: MOST_CELLS });
    }
    let farthest = bounds.min.abs().sup(&bounds.max.abs()).max();
    let rounding = farthest * f64::EPSILON;
    if rounding > ROUGHEST * side {
        return Err(TetrahedralizeError::TooFar { farthest, rounding, edge_length: side });
    }
    let cells = [0, 1, 2].map(|k| counts[k] as i32);
    Ok(Lattice { origin: bounds.centre() - counts * (0.5 * side), side, cells })
}

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
