//! Why a surface cannot be filled.

use thiserror::Error;

use super::losses::Losses;
use super::{LEAST_SHELL, MOST_AUTO_CELLS};
use crate::words::counted;

/// A surface that cannot be filled.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TetrahedralizeError {
    /// The surface has no area.
    #[error("the surface has no triangle with an area")]
    EmptySurface,
    /// The resolution is not a positive number of cubes or length.
    #[error("{what} must be positive and finite, not {value}")]
    Parameter {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// More cubes than can be evaluated.
    #[error(
        "the lattice would have {} × {} × {} cubes, more than {most} in all; ask for fewer cells or a larger edge length",
        cells[0], cells[1], cells[2]
    )]
    TooManyCells {
        /// Cubes along x, y and z.
        cells: [f64; 3],
        /// The most that are allowed, [`MOST_CELLS`](crate::MOST_CELLS).
        most: u64,
    },
    /// Coordinates so large that the lattice would not keep its shape.
    #[error(
        "the surface reaches {farthest:e} m from the origin, where coordinates are rounded to {rounding:e} m: too much for edges of {edge_length} m; move it to the origin in the program that made it"
    )]
    TooFar {
        /// Its largest coordinate, m.
        farthest: f64,
        /// How far apart numbers are there, m.
        rounding: f64,
        /// Side of a cube of the lattice, m.
        edge_length: f64,
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
    /// An open surface that encloses nothing, or whose holes are too large to be closed in passing.
    #[error(
        "the surface is open ({} of one triangle only, and lids over its holes would be {:.0} % of its area): a sheet encloses nothing; give it a thickness of at least {least} m to make a shell of it, or close its holes",
        counted(*boundary_edges, "edge", "edges"),
        100.0 * holes
    )]
    Open {
        /// Edges with one triangle.
        boundary_edges: usize,
        /// The area of lids over the holes, as a share of the area of the surface.
        holes: f64,
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
    /// A lattice that is too coarse for parts of the surface.
    #[error("with {} {losses}; {}", counted(*cells, "cell", "cells"), advice(*enough))]
    Lost {
        /// Cells along the longest side of the box around the solid.
        cells: usize,
        /// The parts that the solid would lack.
        losses: Box<Losses>,
        /// A number of cells that was tried and loses nothing; none if the finest that was tried loses something too.
        enough: Option<usize>,
    },
    /// A closed surface without a volume, such as a doubled sheet.
    #[error("the surface is closed but encloses no volume; give it a thickness to make a shell of it")]
    NoVolume,
}

/// The advice about losses.
fn advice(enough: Option<usize>) -> String {
    match enough {
        Some(cells) => format!("{cells} cells lose nothing: ask for so many"),
        None => format!(
            "nothing up to {MOST_AUTO_CELLS} cells was enough: ask for more, thicken what is thin there, or accept the losses"
        ),
    }
}
