//! [`Attachment`]: vertices of one body held at places inside the triangles or tetrahedra of another.

use nalgebra::Vector3;
use pliant_constraints::{PointInTet, PointInTriangle};
use pliant_mesh::{Embedding, nearest_on_triangle, vertex_triangle_pairs};

use crate::build::constraints::{Constraints, ProjectionRule};
use crate::build::grouping::Groups;
use crate::build::placed::Placed;
use crate::describe::body_ref::BodyRef;
use crate::describe::body_shape::BodyShape;
use crate::describe::compliance::Compliance;
use crate::describe::tie::{Context, pick};
use crate::error::BuildError;
use crate::error::tie::{TieNumber, TieProblem};

/// Vertices of the first body, each held at a place of the second, which moves with it and is pulled by it.
///
/// Equations and source: [`PointInTriangle`], [`PointInTet`]. To hold a vertex at a place in space, use a
/// [`Pin`](crate::Pin).
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::{Split, TetMesh, TriMesh};
/// use pliant_solver::{Attachment, Body, Simulation};
///
/// // A flag on a soft pole.
/// let pole = TetMesh::block([1, 8, 1], [0.1, 0.8, 0.1], Split::Kuhn)?;
/// let flag = TriMesh::grid([5, 5], [0.4, 0.4])?;
/// let upright = flag.positions().iter().map(|x| Vector3::new(x.x + 0.3, x.z + 0.6, 0.05)).collect();
/// let flag = flag.with_positions(upright)?;
/// let left: Vec<u32> = (0..25).filter(|v| v % 5 == 0).collect();
/// let mut sim = Simulation::builder()
///     .body(Body::solid(pole).name("pole").pin(|x| x.y < 1e-9))
///     .body(Body::cloth(flag).name("flag"))
///     .attach(Attachment::nearest("flag", left, "pole"))
///     .build()?;
/// assert!(sim.step(1.0 / 60.0)?.residual("attachments").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    name: Option<String>,
    bodies: [BodyRef; 2],
    places: Places,
    compliance: f64,
    damping: f64,
}

#[derive(Debug, Clone, PartialEq)]
enum Places {
    Nearest(Vec<u32>),
    Triangles(Vec<(u32, [u32; 3], [f64; 3])>),
    Tets(Vec<(u32, [u32; 4], [f64; 4])>),
}

impl Attachment {
    /// The bodies that it ties.
    pub(crate) fn bodies_mut(&mut self) -> &mut [BodyRef; 2] {
        &mut self.bodies
    }

    fn new(first: BodyRef, second: BodyRef, places: Places) -> Self {
        Self { name: None, bodies: [first, second], places, compliance: 0.0, damping: 0.0 }
    }

    /// Holds `vertices` of the first body at the nearest places of the second at the start. In a solid that
    /// is the place of the vertex, even if it is slightly outside; on cloth it is the nearest point of the
    /// surface, to which a vertex elsewhere is pulled.
    #[must_use]
    pub fn nearest(
        first: impl Into<BodyRef>,
        vertices: impl IntoIterator<Item = u32>,
        second: impl Into<BodyRef>,
    ) -> Self {
        let places = Places::Nearest(vertices.into_iter().collect());
        Self::new(first.into(), second.into(), places)
    }

    /// Holds vertices of the first body at given places: a vertex, the three corners in the second body, and
    /// their barycentric weights, whose sum is 1.
    #[must_use]
    pub fn in_triangles(
        first: impl Into<BodyRef>,
        second: impl Into<BodyRef>,
        places: impl Into<Vec<(u32, [u32; 3], [f64; 3])>>,
    ) -> Self {
        Self::new(first.into(), second.into(), Places::Triangles(places.into()))
    }

    /// Holds vertices of the first body at given places: a vertex, the four corners in the second body, and
    /// their barycentric weights, whose sum is 1.
    #[must_use]
    pub fn in_tets(
        first: impl Into<BodyRef>,
        second: impl Into<BodyRef>,
        places: impl Into<Vec<(u32, [u32; 4], [f64; 4])>>,
    ) -> Self {
        Self::new(first.into(), second.into(), Places::Tets(places.into()))
    }

    /// The name that errors use.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Holds by springs of this compliance, m/N, instead of exactly.
    #[must_use]
    pub fn compliance(self, compliance: impl Into<Compliance>) -> Self {
        Self { compliance: compliance.into().value(), ..self }
    }

    /// Damps the springs with a relaxation time, s; see [`Constraints::with_damping`].
    #[must_use]
    pub fn damping(self, relaxation: f64) -> Self {
        Self { damping: relaxation, ..self }
    }
}

/// The attachments of all bodies, by kind.
#[derive(Default)]
pub(crate) struct Attached {
    triangles: Groups<PointInTriangle<f64>, 4>,
    tets: Groups<PointInTet<f64>, 5>,
}

impl Attached {
    /// Adds an attachment, number `index`.
    pub(crate) fn attach(
        &mut self,
        index: usize,
        attachment: &Attachment,
        bodies: &[Placed<'_>],
    ) -> Result<(), BuildError> {
        let context = Context { tie: TieNumber::Attachment(index), name: attachment.name.as_ref(), bodies };
        let [a, b] = [context.find(&attachment.bodies[0])?, context.find(&attachment.bodies[1])?];
        if a == b {
            return Err(context.fault(TieProblem::AttachedToItself { body: bodies[a].name.clone() }));
        }
        if !(attachment.compliance >= 0.0 && attachment.compliance.is_finite()) {
            return Err(context.fault(TieProblem::Compliance(attachment.compliance)));
        }
        context.check_damping(attachment.damping)?;
        let mut found = Found { attachment, context: &context, bodies: [a, b], attached: self };
        match &attachment.places {
            Places::Nearest(vertices) => found.nearest(vertices),
            Places::Triangles(list) => list
                .iter()
                .try_for_each(|(vertex, corners, weights)| found.in_triangle(*vertex, *corners, *weights)),
            Places::Tets(list) => list
                .iter()
                .try_for_each(|(vertex, corners, weights)| found.in_tet(*vertex, *corners, *weights)),
        }
    }

    /// The groups.
    pub(crate) fn finish(self) -> Result<Vec<Constraints>, BuildError> {
        let mut all = self.triangles.finish("attachments")?;
        let name = if all.is_empty() { "attachments" } else { "attachments (inside solids)" };
        all.extend(self.tets.finish(name)?);
        Ok(all)
    }
}

/// An attachment whose bodies have been found.
struct Found<'a> {
    attachment: &'a Attachment,
    context: &'a Context<'a>,
    bodies: [usize; 2],
    attached: &'a mut Attached,
}

impl Found<'_> {
    fn stencil<const N: usize, const M: usize>(
        &self,
        vertex: u32,
        corners: [u32; N],
        weights: &[f64; N],
    ) -> Result<[u32; M], BuildError> {
        let sum: f64 = weights.iter().sum();
        if (sum - 1.0).abs() > 1e-6 || !weights.iter().all(|w| w.is_finite()) {
            return Err(self.context.fault(TieProblem::Weights { vertex, weights: weights.to_vec() }));
        }
        let mut stencil = [0; M];
        stencil[0] = self.context.particle(self.bodies[0], vertex)?;
        for (place, corner) in stencil[1..].iter_mut().zip(corners) {
            *place = self.context.particle(self.bodies[1], corner)?;
        }
        Ok(stencil)
    }

    fn in_triangle(&mut self, vertex: u32, corners: [u32; 3], weights: [f64; 3]) -> Result<(), BuildError> {
        let stencil = self.stencil::<3, 4>(vertex, corners, &weights)?;
        let Attachment { compliance, damping, .. } = *self.attachment;
        let (kinds, compliances) = (vec![PointInTriangle::new(weights)], vec![compliance]);
        self.attached.triangles.add_all(
            ProjectionRule::Compliant,
            damping,
            vec![stencil],
            kinds,
            compliances,
        );
        Ok(())
    }

    fn in_tet(&mut self, vertex: u32, corners: [u32; 4], weights: [f64; 4]) -> Result<(), BuildError> {
        let stencil = self.stencil::<4, 5>(vertex, corners, &weights)?;
        let Attachment { compliance, damping, .. } = *self.attachment;
        let (kinds, compliances) = (vec![PointInTet::new(weights)], vec![compliance]);
        self.attached.tets.add_all(ProjectionRule::Compliant, damping, vec![stencil], kinds, compliances);
        Ok(())
    }

    fn nearest(&mut self, vertices: &[u32]) -> Result<(), BuildError> {
        for &v in vertices {
            self.context.particle(self.bodies[0], v)?;
        }
        let [a, b] = self.bodies.map(|body| self.context.body(body));
        let points = pick(a.body.initial(), vertices);
        match &b.body.shape {
            BodyShape::Solid(mesh, _) => {
                let start = mesh.with_positions(b.body.initial().to_vec());
                let start = start.map_err(|error| self.context.fault(error))?;
                let embedding = Embedding::new(&start, &points).map_err(|error| self.context.fault(error))?;
                for ((&v, corners), weights) in
                    vertices.iter().zip(embedding.vertices()).zip(embedding.weights())
                {
                    self.in_tet(v, *corners, *weights)?;
                }
            }
            BodyShape::Cloth(mesh, _) => {
                let nearest = nearest_triangles(&points, b.body.initial(), mesh.triangles());
                for (i, &v) in vertices.iter().enumerate() {
                    let Some(t) = nearest[i] else {
                        return Err(self.context.fault(TieProblem::NoPlace { vertex: v }));
                    };
                    let corners = mesh.triangles()[t as usize];
                    let x = corners.map(|c| b.body.initial()[c as usize]);
                    self.in_triangle(v, corners, nearest_on_triangle(&points[i], &x).weights)?;
                }
            }
        }
        Ok(())
    }
}

/// The nearest triangle of every point, the first of equally near ones, by searching farther and farther.
fn nearest_triangles(
    points: &[Vector3<f64>],
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
) -> Vec<Option<u32>> {
    let mut nearest = vec![None; points.len()];
    let [a, b, _] = triangles[0].map(|v| positions[v as usize]);
    let mut radius = (b - a).norm().max(f64::MIN_POSITIVE);
    let mut left: Vec<usize> = (0..points.len()).collect();
    while !left.is_empty() && radius.is_finite() {
        let wanted: Vec<_> = left.iter().map(|&i| points[i]).collect();
        let Ok(pairs) = vertex_triangle_pairs(&wanted, positions, triangles, radius) else { break };
        for group in pairs.chunk_by(|a, b| a.vertex == b.vertex) {
            let closer = |best: pliant_mesh::Pair, p: &pliant_mesh::Pair| {
                if p.distance < best.distance { *p } else { best }
            };
            let best = group.iter().fold(group[0], closer);
            nearest[left[best.vertex as usize]] = Some(best.element);
        }
        left.retain(|&i| nearest[i].is_none());
        radius *= 2.0;
    }
    nearest
}
