//! [`Held`]: a body whose parts are selected by the numbers of its file.

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::RepairReport;

use super::named::Named;
use crate::error::Fault;
use crate::field::FieldPath;

/// A body whose parts are selected.
pub(crate) struct Held<'a> {
    pub(crate) body: &'a str,
    pub(crate) mesh: &'a Mesh,
    /// Where the vertices start, m, if not where the mesh has them, by which parts are selected.
    pub(crate) start: Option<&'a [Vector3<f64>]>,
    /// The new number of each vertex of the file, if some were removed.
    pub(crate) renumbered: Option<&'a [Option<u32>]>,
    /// The repairs, which may have copied vertices and created new ones.
    pub(crate) repaired: Option<&'a RepairReport>,
    /// The groups and attributes of its mesh file.
    pub(crate) named: &'a Named,
}

impl<'a> Held<'a> {
    /// A mesh as it is, without groups or attributes.
    pub(crate) fn plain(body: &'a str, mesh: &'a Mesh) -> Self {
        Self { body, mesh, start: None, renumbered: None, repaired: None, named: &Named::NOTHING }
    }

    /// Where the vertices start, m.
    pub(crate) fn start_positions(&self) -> &[Vector3<f64>] {
        self.start.unwrap_or_else(|| self.mesh.positions())
    }

    /// Number of vertices of the file.
    pub(super) fn file_vertices(&self) -> usize {
        self.renumbered.map_or(self.mesh.positions().len(), <[_]>::len)
    }

    /// The number in the file of each vertex; `None` for those that a repair created.
    pub(super) fn file_numbers(&self) -> Vec<Option<usize>> {
        match (self.repaired, self.renumbered) {
            (Some(report), _) => report.vertex_of.iter().map(|old| old.map(|old| old as usize)).collect(),
            (None, None) => (0..self.mesh.positions().len()).map(Some).collect(),
            // Removal keeps the order, so the kept vertices are numbered consecutively.
            (None, Some(renumbered)) => {
                (0..renumbered.len()).filter(|&old| renumbered[old].is_some()).map(Some).collect()
            }
        }
    }

    /// Adds the copies that a repair made of some vertices.
    pub(super) fn with_copies(&self, mut vertices: Vec<u32>) -> Vec<u32> {
        if let Some(report) = self.repaired {
            let mut copied = vec![false; self.file_vertices()];
            for &v in &vertices {
                if let Some(old) = report.vertex_of[v as usize] {
                    copied[old as usize] = true;
                }
            }
            let is_copied = |old: &Option<u32>| old.is_some_and(|old| copied[old as usize]);
            vertices
                .extend((0_u32..).zip(&report.vertex_of).filter(|(_, old)| is_copied(old)).map(|(v, _)| v));
        }
        vertices
    }

    /// The vertex with this number in the file; `who` names the owner in messages.
    pub(super) fn vertex(&self, at: &FieldPath, number: u32, who: &str) -> Result<u32, Fault> {
        let count = self.file_vertices();
        if number as usize >= count {
            let problem =
                format!("{who} holds vertex {number}, but body {:?} has {count} vertices", self.body);
            let expected = format!("a number from 0 to {}", count.saturating_sub(1));
            return Err(Fault::new(at.clone(), problem, expected));
        }
        let here = self.renumbered.map_or(Some(number), |renumbered| renumbered[number as usize]);
        here.ok_or_else(|| {
            let problem = match self.repaired {
                Some(_) => format!("{who} holds vertex {number}, which the repair of the mesh dropped"),
                None => format!("{who} holds vertex {number}, which belongs to no element and was removed"),
            };
            Fault::new(at.clone(), problem, "a vertex of an element")
        })
    }
}
