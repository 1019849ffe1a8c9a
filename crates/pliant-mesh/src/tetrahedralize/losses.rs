//! The parts of a surface that a solid made from it lacks.
//!
//! A part of the surface that is thinner than the lattice is lost, completely or except for crumbs. Losses
//! are found in four ways: by pieces that came off, by closed parts of the surface without a tetrahedron, by
//! vertices of the surface that are far from the solid, and by the volume.

#[cfg(test)]
mod tests;

use std::fmt;

use nalgebra::Vector3;
use serde::Serialize;

use super::shells::Shells;
use super::{Field, Work, lattice_of, sample};
use crate::repair::crossing_pairs;
use crate::words::counted;
use crate::{Aabb, Components, SignedDistance, TetMesh, tet_volume};

/// The largest error of the volume that does not count as a loss.
const MOST_VOLUME_ERROR: f64 = 0.1;

/// How far from the solid a vertex of the surface may be without being lost, as a share of the longest side
/// and in edge lengths.
const REACH: [f64; 2] = [0.05, 1.5];

/// A closed part of the surface that encloses a smaller share of the volume may be lost.
const NEGLIGIBLE: f64 = 1e-3;

/// The parts of a surface that a solid made from it lacks.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Losses {
    /// Pieces that are separate although the surface connects them. Crumbs, which are dropped, do not count.
    pub torn: usize,
    /// Closed parts of the surface, of more than a thousandth of its volume, without a tetrahedron.
    pub missing: usize,
    /// The largest distance from the solid of a vertex of the surface outside, m, where that is more than 5 %
    /// of the longest side and one and a half edges; sheets beside closed parts do not count.
    pub reach: Option<f64>,
    /// By how much of the volume within the surface the solid is too large, negative if it is too small;
    /// where the surface is closed.
    pub volume: Option<f64>,
    /// The box around what was lost, its corners of least and greatest coordinates, m.
    pub place: Option<[[f64; 3]; 2]>,
}

impl Losses {
    /// Whether nothing was lost, and the volume is right within a tenth.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.torn == 0 && self.missing == 0 && self.reach.is_none() && !self.is_volume_off()
    }

    fn is_volume_off(&self) -> bool {
        self.volume.is_some_and(|error| error.abs() > MOST_VOLUME_ERROR)
    }
}

impl fmt::Display for Losses {
    /// The losses, in a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("nothing of the surface is lost");
        }
        let mut parts = Vec::new();
        if self.torn > 0 {
            parts.push(format!("{} came off", counted(self.torn, "piece", "pieces")));
        }
        if self.missing > 0 {
            parts.push(format!("{} vanished", counted(self.missing, "closed part", "closed parts")));
        }
        if let Some(reach) = self.reach {
            parts.push(format!("the surface reaches {reach:.3e} m beyond the solid"));
        }
        if let Some(error) = self.volume.filter(|_| self.is_volume_off()) {
            parts.push(format!("the volume is {:+.1} % off", 100.0 * error));
        }
        write!(f, "parts of the surface are lost that are thinner than the edges: {}", parts.join(", "))?;
        if let Some([[a, b, c], [d, e, g]]) = self.place {
            write!(f, " (between {a:.4} {b:.4} {c:.4} and {d:.4} {e:.4} {g:.4})")?;
        }
        Ok(())
    }
}

/// The pieces of a solid, and which of them stand for the parts of the surface.
pub(super) struct Pieces {
    of_tet: Vec<u32>,
    volumes: Vec<f64>,
    bounds: Vec<Aabb>,
    /// Whether each stands for a part of the surface: of those that a part has, the one with the most of its vertices.
    is_home: Vec<bool>,
    /// The parts of the surface that have none.
    without: Vec<u32>,
}

impl Pieces {
    pub(super) fn of(
        positions: &[Vector3<f64>],
        tets: &[[u32; 4]],
        on_surface: &[bool],
        shells: &Shells,
        field: &Field,
    ) -> Self {
        let components = Components::of_elements(positions.len(), tets);
        let mut volumes = vec![0.0; components.count()];
        let mut bounds: Vec<Option<Aabb>> = vec![None; components.count()];
        for (tet, &piece) in tets.iter().zip(components.of_element()) {
            volumes[piece as usize] += tet_volume(&tet.map(|v| positions[v as usize]));
        }
        for (p, piece) in positions.iter().zip(components.of_vertex()) {
            if let Some(piece) = piece {
                let point = Aabb { min: *p, max: *p };
                let bounds = &mut bounds[*piece as usize];
                *bounds = Some(bounds.map_or(point, |b| b.union(&point)));
            }
        }
        // How many vertices of the boundary of a piece are nearest to a part of the surface: [part, piece].
        let mut near: Vec<[u32; 2]> = Vec::new();
        for ((p, piece), _) in
            positions.iter().zip(components.of_vertex()).zip(on_surface).filter(|(_, on)| **on)
        {
            if let Some(piece) = piece {
                let shell =
                    if shells.count() == 1 { 0 } else { shells.of_triangle[field.nearest_triangle(p)] };
                near.push([shell, *piece]);
            }
        }
        near.sort_unstable();
        let mut homes: Vec<Option<(usize, u32)>> = vec![None; shells.count()];
        for same in near.chunk_by(|a, b| a == b) {
            let [shell, piece] = same[0];
            let home = &mut homes[shell as usize];
            if home.is_none_or(|(most, _)| same.len() > most) {
                *home = Some((same.len(), piece));
            }
        }
        let mut is_home = vec![false; components.count()];
        homes.iter().flatten().for_each(|&(_, piece)| is_home[piece as usize] = true);
        Self {
            of_tet: components.of_element().to_vec(),
            volumes,
            bounds: bounds.into_iter().flatten().collect(),
            is_home,
            without: (0..shells.count() as u32).filter(|&shell| homes[shell as usize].is_none()).collect(),
        }
    }

    /// Whether a piece is a crumb of a lattice with this side.
    fn is_crumb(&self, piece: usize, side: f64) -> bool {
        !self.is_home[piece] && self.volumes[piece] < side.powi(3)
    }

    /// Drops the crumbs of a lattice with cubes of this side, m. How many there are, and their volume, m³.
    pub(super) fn drop_crumbs(&self, tets: &mut Vec<[u32; 4]>, side: f64) -> (usize, f64) {
        let crumbs: Vec<usize> = (0..self.volumes.len()).filter(|&p| self.is_crumb(p, side)).collect();
        if !crumbs.is_empty() {
            let mut piece = self.of_tet.iter();
            tets.retain(|_| piece.next().is_some_and(|&p| !self.is_crumb(p as usize, side)));
        }
        (crumbs.len(), crumbs.iter().map(|&p| self.volumes[p]).sum())
    }
}

impl Work<'_> {
    /// The losses of a solid that was made with a lattice of this side, m; its pieces are those before crumbs
    /// were dropped.
    pub(super) fn losses(&self, solid: &TetMesh, pieces: &Pieces, side: f64) -> Losses {
        let boundary = SignedDistance::new(&solid.surface().mesh);
        let mut place: Option<Aabb> = None;
        let mut lost = |bounds: Aabb| place = Some(place.map_or(bounds, |all| all.union(&bounds)));
        let mut torn = 0;
        for piece in (0..pieces.volumes.len()).filter(|&p| !pieces.is_home[p] && !pieces.is_crumb(p, side)) {
            torn += 1;
            lost(pieces.bounds[piece]);
        }

        let whole: f64 = self.shells.list.iter().filter(|s| s.is_closed).map(|s| s.volume.abs()).sum();
        let mut missing = 0;
        for &shell in &pieces.without {
            let shell = &self.shells.list[shell as usize];
            let counts = shell.is_closed && shell.volume.abs() > NEGLIGIBLE * whole;
            // A part within another one is not lost.
            if counts && !boundary.is_inside(&shell.first) {
                missing += 1;
                lost(shell.bounds);
            }
        }

        let limit = (REACH[0] * self.longest()).max(REACH[1] * side);
        let mut reach: Option<f64> = None;
        for (p, shell) in self.surface.positions().iter().zip(&self.shells.of_vertex) {
            if shell.is_none_or(|shell| self.shells.list[shell as usize].is_sheet()) {
                continue;
            }
            if boundary.distance_squared_below(p, limit * limit) < limit * limit || boundary.is_inside(p) {
                continue;
            }
            reach = Some(reach.unwrap_or(0.0).max(boundary.distance(p)));
            lost(Aabb { min: *p, max: *p });
        }

        let error = |enclosed: f64| solid.volume() / enclosed - 1.0;
        let mut volume = self.shells.enclosed().map(error);
        if volume.is_some_and(|error| error.abs() > MOST_VOLUME_ERROR)
            && let Some(union) = self.volume_of_union(side)
        {
            volume = Some(error(union));
        }
        Losses { torn, missing, reach, volume, place: place.map(|b| [b.min.into(), b.max.into()]) }
    }

    /// The volume inside of a surface whose parts overlap, by counting the points of a lattice twice as fine
    /// that are; none if nothing overlaps.
    fn volume_of_union(&self, side: f64) -> Option<f64> {
        const LEAST_CELLS: f64 = 96.0;
        if self.shells.count() == 1 && crossing_pairs(&self.surface, 1).1 == 0 {
            return None;
        }
        let side = (0.5 * side).min(self.longest() / LEAST_CELLS);
        let lattice = lattice_of(&self.bounds, side).ok()?;
        let inside = sample::sample(&self.field, &lattice).iter().filter(|&&value| value > 0.0).count();
        // A cube has one centre and shares its corners with seven others.
        Some(inside as f64 * 0.5 * side.powi(3))
    }
}
