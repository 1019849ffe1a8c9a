//! `pliant mesh info --batches`: how a simulation would pack the constraints of a mesh.
//!
//! The plan depends on the connectivity and not on the material, so no material is given: every edge, every
//! hinge of cloth and every tetrahedron of a solid is constrained. Pins remove constraints, so a simulation
//! with pins has slightly fewer than reported here.

use pliant_mesh::counted;
use std::fmt::Write as _;

use pliant_constraints::{Dihedral, Distance, TetVolume};
use pliant_io::Mesh;
use pliant_solver::{Assembly, BuildError, Constraints, Float, GroupPlan, Plan, Settings};
use serde::Serialize;

use crate::args::PrecisionArg;
use crate::error::CliError;

/// The default plan of a mesh.
#[derive(Debug, Serialize)]
pub(super) struct Batches {
    /// `"f32"` or `"f64"`.
    precision: &'static str,
    /// The groups in the order in which they are solved.
    groups: Vec<GroupBatches>,
}

/// The plan of a kind of constraint.
#[derive(Debug, Serialize)]
struct GroupBatches {
    name: String,
    constraints: usize,
    /// Constraints that act on a vertex that can move.
    active: usize,
    /// The others.
    dropped: usize,
    clusters: usize,
    cluster_colours: usize,
    /// Number of active constraints of each colour of clusters.
    colour_sizes: Vec<usize>,
    packs: usize,
    empty_lanes: usize,
    /// Packs with empty lanes: the rest of the colours within the clusters.
    tail_packs: usize,
    /// Packs that hold the sides of triangles.
    triangle_packs: usize,
    /// Share of the lanes that hold a constraint; `None` if nothing is packed.
    fill: Option<f64>,
    bytes_per_constraint: usize,
}

impl Batches {
    /// Plans the constraints of a mesh.
    pub(super) fn of(mesh: &Mesh, precision: PrecisionArg) -> Result<Self, CliError> {
        let groups = match precision {
            PrecisionArg::F32 => plan::<f32>(mesh),
            PrecisionArg::F64 => plan::<f64>(mesh),
        };
        let groups = groups.map_err(|error| CliError::Refused(format!("the mesh has no plan: {error}")))?;
        Ok(Self { precision: precision.name(), groups: groups.into_iter().map(GroupBatches::of).collect() })
    }

    /// A paragraph of text.
    pub(super) fn text(&self) -> String {
        let mut text = format!("batches     in {}, without pins\n", self.precision);
        for group in &self.groups {
            group.write(&mut text);
        }
        text
    }
}

impl GroupBatches {
    fn of(group: GroupPlan) -> Self {
        let layout = group.layout;
        let lanes = group.active + layout.empty_lanes;
        Self {
            name: group.name,
            constraints: group.constraints,
            active: group.active,
            dropped: group.constraints - group.active,
            clusters: layout.clusters,
            cluster_colours: layout.colour_sizes.len(),
            colour_sizes: layout.colour_sizes,
            packs: layout.packs,
            empty_lanes: layout.empty_lanes,
            tail_packs: layout.tail_packs,
            triangle_packs: layout.triangle_packs,
            fill: (layout.packs > 0).then(|| group.active as f64 / lanes as f64),
            bytes_per_constraint: layout.bytes_per_constraint,
        }
    }

    fn write(&self, text: &mut String) {
        let mut line = |what: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "batches     {}: {what}", self.name);
        };
        line(&format!(
            "{}, {} active, {} dropped because none of their vertices can move",
            counted(self.constraints, "constraint", "constraints"),
            self.active,
            self.dropped
        ));
        let sizes = match (self.colour_sizes.iter().min(), self.colour_sizes.iter().max()) {
            (Some(min), Some(max)) => format!(" of {min} to {max} constraints"),
            _ => String::new(),
        };
        line(&format!(
            "{} in {}{sizes}",
            counted(self.clusters, "cluster", "clusters"),
            counted(self.cluster_colours, "colour", "colours")
        ));
        let fill =
            self.fill.map_or_else(|| "nothing is packed".to_owned(), |f| format!("{:.1} % full", 100.0 * f));
        line(&format!(
            "{} of eight, {fill}, {} empty in {}; {} per constraint",
            counted(self.packs, "pack", "packs"),
            counted(self.empty_lanes, "lane", "lanes"),
            counted(self.tail_packs, "pack", "packs"),
            counted(self.bytes_per_constraint, "byte", "bytes")
        ));
        if self.triangle_packs > 0 {
            line(&format!("{} of the packs hold the sides of triangles", self.triangle_packs));
        }
    }
}

/// Plans a mesh with equal masses and the constraints that a material has for its kind of mesh.
fn plan<T: Float>(mesh: &Mesh) -> Result<Vec<GroupPlan>, BuildError> {
    let x = mesh.positions();
    let mut assembly = Assembly::new(x.to_vec(), vec![1.0; x.len()])?;
    let edges = match mesh {
        Mesh::Tri(mesh) => mesh.edges(),
        Mesh::Tet(mesh) => mesh.edges(),
    };
    let kinds = edges.iter().map(|e| Distance::at_rest(&e.map(|v| x[v as usize]))).collect();
    assembly.add(Constraints::new("edges", edges, kinds, vec![0.0])?);
    match mesh {
        Mesh::Tri(mesh) => {
            let stencils = mesh.hinges().stencils();
            let kinds = stencils.iter().map(|s| Dihedral::at_rest(&s.map(|v| x[v as usize]))).collect();
            assembly.add(Constraints::new("bending", stencils, kinds, vec![0.0])?);
        }
        Mesh::Tet(mesh) => {
            let kinds = mesh.tets().iter().map(|t| TetVolume::at_rest(&t.map(|v| x[v as usize]))).collect();
            assembly.add(Constraints::new("volumes", mesh.tets().to_vec(), kinds, vec![0.0])?);
        }
    }
    assembly.settings(Settings { plan: Plan::Auto, ..Settings::default() });
    Ok(assembly.build::<T>()?.plan())
}
