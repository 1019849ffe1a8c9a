//! [`Surface`]: what is drawn of a body or an obstacle, and where its vertices are.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::TriMesh;
use pliant_render::Rgb;
use pliant_scene::Binding;
use pliant_solver::{Motion, Pose};

use crate::act::Act;
use crate::corners::{Corners, single};
use crate::drawn::Drawn;
use crate::prop::{Look, Prop};

/// The surface of a body or an obstacle.
#[derive(Debug)]
pub(crate) struct Surface {
    pub(crate) name: String,
    pub(crate) colour: Rgb,
    /// Its look, if it is an obstacle.
    pub(crate) look: Option<Look>,
    /// Whether both of its sides are seen.
    pub(crate) is_cloth: bool,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) carrier: Carrier,
    /// The edges of the simulated mesh with their lengths at rest, m, by which strains are measured.
    edges: Vec<([u32; 2], f64)>,
}

/// What moves the vertices of a surface.
#[derive(Debug)]
pub(crate) enum Carrier {
    /// Each is a particle, counted from the first of the body.
    Particles { particles: Range<usize>, vertices: Vec<u32> },
    /// They are those of the fine surface of the body.
    Bound {
        particles: Range<usize>,
        binding: Binding,
        /// The point of the fine surface that each is.
        points: Vec<u32>,
    },
    /// They keep their places, or move as a whole.
    Rigid { positions: Vec<[f32; 3]>, obstacle: Option<usize>, motion: Motion },
}

impl Surface {
    /// The surface of a body.
    pub(crate) fn of_body(number: usize, body: Drawn) -> Self {
        let Drawn { name, particles, mesh, rest, visual, is_obstacle } = body;
        let rest = rest.as_ref().unwrap_or(&mesh);
        let all = match &mesh {
            Mesh::Tri(mesh) => mesh.edges(),
            Mesh::Tet(mesh) => mesh.edges(),
        };
        let edges = measured(all, rest.positions());
        let is_cloth = matches!(mesh, Mesh::Tri(_));
        let (triangles, carrier) = match (mesh, visual) {
            (_, Some(visual)) => {
                let Corners { vertex_of: points, triangles } =
                    Corners::of(visual.mesh.positions(), visual.mesh.triangles(), !is_cloth);
                (triangles, Carrier::Bound { particles, binding: visual.binding, points })
            }
            (Mesh::Tri(mesh), None) => {
                let Corners { vertex_of: vertices, triangles } =
                    Corners::of(mesh.positions(), mesh.triangles(), false);
                (triangles, Carrier::Particles { particles, vertices })
            }
            (Mesh::Tet(mesh), None) => {
                let Corners { vertex_of: vertices, triangles } =
                    Corners::of(mesh.positions(), &mesh.boundary_triangles(), true);
                (triangles, Carrier::Particles { particles, vertices })
            }
        };
        let colour = if is_obstacle { Look::Stone.colour() } else { Rgb::of_body(number) };
        Self { name, colour, look: None, is_cloth, triangles, carrier, edges }
    }

    /// The surface of a skin, whose vertices are its own.
    pub(crate) fn of_skin(name: String, mesh: &TriMesh) -> Self {
        let is_cloth = !mesh.hinges().is_closed();
        let Corners { vertex_of: vertices, triangles } =
            Corners::of(mesh.positions(), mesh.triangles(), !is_cloth);
        let carrier = Carrier::Particles { particles: 0..mesh.positions().len(), vertices };
        let edges = measured(mesh.edges(), mesh.positions());
        Self { name, colour: Rgb::of_body(0), look: None, is_cloth, triangles, carrier, edges }
    }

    /// The surface of a prop.
    pub(crate) fn of_prop(prop: &Prop) -> Self {
        let corners = Corners::of_prop(prop);
        Self {
            name: String::new(),
            colour: prop.look.colour(),
            look: Some(prop.look),
            is_cloth: false,
            carrier: Carrier::Rigid {
                positions: corners.places(&prop.positions).collect(),
                obstacle: prop.obstacle,
                motion: prop.motion.clone().unwrap_or_default(),
            },
            triangles: corners.triangles,
            edges: Vec::new(),
        }
    }

    /// Number of vertices of the page.
    pub(crate) fn vertices(&self) -> usize {
        match &self.carrier {
            Carrier::Particles { vertices, .. } => vertices.len(),
            Carrier::Bound { points, .. } => points.len(),
            Carrier::Rigid { positions, .. } => positions.len(),
        }
    }

    /// The particles of its body, if it has one.
    pub(crate) fn particles(&self) -> Option<Range<usize>> {
        match &self.carrier {
            Carrier::Particles { particles, .. } | Carrier::Bound { particles, .. } => {
                Some(particles.clone())
            }
            Carrier::Rigid { .. } => None,
        }
    }

    /// The particle that a hand takes hold of at a vertex.
    pub(crate) fn particle_at(&self, vertex: usize) -> Option<usize> {
        match &self.carrier {
            Carrier::Particles { particles, vertices } => {
                Some(particles.start + *vertices.get(vertex)? as usize)
            }
            Carrier::Bound { particles, binding, points } => {
                Some(particles.start + binding.carrier(*points.get(vertex)? as usize) as usize)
            }
            Carrier::Rigid { .. } => None,
        }
    }

    /// Appends the positions of its vertices, m, as the page reads them; nothing for an obstacle.
    pub(crate) fn write_positions(&self, act: &dyn Act, into: &mut Vec<u8>) {
        self.each_place(act, &mut |x| into.extend(single(&x).iter().flat_map(|c| c.to_le_bytes())));
    }

    /// The positions of its vertices, m; none for an obstacle.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn places(&self, act: &dyn Act) -> Vec<Vector3<f64>> {
        let mut places = Vec::with_capacity(self.vertices());
        self.each_place(act, &mut |x| places.push(x));
        places
    }

    fn each_place(&self, act: &dyn Act, put: &mut dyn FnMut(Vector3<f64>)) {
        match &self.carrier {
            Carrier::Particles { particles, vertices } => act.each_position(particles.start, vertices, put),
            Carrier::Bound { particles, binding, points } => {
                let coarse: Vec<_> = particles.clone().map(|particle| act.position(particle)).collect();
                let fine = binding.apply(&coarse);
                points.iter().for_each(|&point| put(fine[point as usize]));
            }
            Carrier::Rigid { .. } => {}
        }
    }

    /// The numbers of a field at its vertices; `None` for an obstacle.
    pub(crate) fn numbers(&self, field: Field, act: &dyn Act) -> Option<Vec<f64>> {
        let particles = self.particles()?;
        let of_particles: Vec<f64> = match field {
            Field::Speed => particles.map(|particle| act.velocity(particle).norm()).collect(),
            Field::Strain => {
                self.strains(&particles.map(|particle| act.position(particle)).collect::<Vec<_>>())
            }
        };
        self.at_vertices(&of_particles)
    }

    /// The strains at its vertices where its particles are at `x`, %; `None` for an obstacle.
    pub(crate) fn strains_at(&self, x: &[Vector3<f64>]) -> Option<Vec<f64>> {
        self.at_vertices(&self.strains(x))
    }

    /// Numbers of its particles at its vertices; `None` for an obstacle.
    fn at_vertices(&self, of_particles: &[f64]) -> Option<Vec<f64>> {
        match &self.carrier {
            Carrier::Particles { vertices, .. } => {
                Some(vertices.iter().map(|&v| of_particles[v as usize]).collect())
            }
            Carrier::Bound { binding, points, .. } => {
                let fine = binding.interpolate(of_particles);
                Some(points.iter().map(|&point| fine[point as usize]).collect())
            }
            Carrier::Rigid { .. } => None,
        }
    }

    /// The root of the mean square of the strains of the edges at each vertex, %.
    fn strains(&self, x: &[Vector3<f64>]) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); x.len()];
        for &(edge, rest) in self.edges.iter().filter(|(_, rest)| *rest > 0.0) {
            let strain = (x[edge[1] as usize] - x[edge[0] as usize]).norm() / rest - 1.0;
            for vertex in edge {
                let (sum, count) = &mut sums[vertex as usize];
                *sum += strain * strain;
                *count += 1.0;
            }
        }
        sums.into_iter().map(|(sum, count): (f64, f64)| 100.0 * (sum / count.max(1.0)).sqrt()).collect()
    }
}

/// Edges with their lengths, m.
fn measured(edges: Vec<[u32; 2]>, x: &[Vector3<f64>]) -> Vec<([u32; 2], f64)> {
    let length = |[a, b]: [u32; 2]| (x[b as usize] - x[a as usize]).norm();
    edges.into_iter().map(|edge| (edge, length(edge))).collect()
}

/// What bodies may be coloured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Strain,
    Speed,
}

impl Field {
    pub(crate) const ALL: [Self; 2] = [Self::Strain, Self::Speed];

    /// Its name in commands, what it is, and its unit.
    pub(crate) fn words(self) -> [&'static str; 3] {
        match self {
            Self::Strain => ["strain", "change of lengths", "%"],
            Self::Speed => ["speed", "speed", "m/s"],
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.words()[0] == name)
    }
}

/// A pose as the page takes it: a matrix of four columns.
pub(crate) fn columns(pose: &Pose) -> [f64; 16] {
    let (r, t) = (&pose.rotation, &pose.translation);
    std::array::from_fn(|at| match (at / 4, at % 4) {
        (3, 3) => 1.0,
        (_, 3) => 0.0,
        (3, row) => t[row],
        (column, row) => r[(row, column)],
    })
}
