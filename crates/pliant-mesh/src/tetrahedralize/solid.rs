//! The tetrahedra of the lattice that are inside, as one mesh.

use nalgebra::Vector3;

use super::cut::Cuts;
use super::lattice::{Lattice, NONE};
use super::sample::Field;
use super::stencil::{self, Node};
use crate::quality::{dihedral_cosines, volume_sign};

/// The tetrahedra in the order of their creation, with vertices numbered at their first use.
pub(super) struct Solid<'a> {
    lattice: &'a Lattice,
    cuts: &'a Cuts,
    field: &'a Field,
    pub(super) positions: Vec<Vector3<f64>>,
    pub(super) on_surface: Vec<bool>,
    pub(super) tets: Vec<[u32; 4]>,
    pub(super) cut_points: usize,
    /// The vertex of each point of the lattice and of each cut point, or [`NONE`].
    vertex_of_point: Vec<u32>,
    vertex_of_cut: Vec<u32>,
}

impl<'a> Solid<'a> {
    pub(super) fn new(lattice: &'a Lattice, cuts: &'a Cuts, field: &'a Field) -> Self {
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
    pub(super) fn add(&mut self, tet: [u32; 4], at: &[[i32; 3]; 4]) {
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
