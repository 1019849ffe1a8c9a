//! [`Stitch`]: vertices of one body sewn to the vertices, edges or triangles of another.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_constraints::stitch::{
    StitchError, VertexEdgeStitch, VertexTriangleStitch, VertexVertexStitch, stitch_edges, stitch_triangles,
    stitch_vertices,
};
use pliant_constraints::{Coincidence, Distance, NeoHookeanTet, StVkMembrane};
use pliant_mesh::{Pair, ProximityError, vertex_edge_pairs, vertex_triangle_pairs, vertex_vertex_pairs};

use crate::build::constraints::{Constraints, ProjectionRule};
use crate::build::grouping::Groups;
use crate::build::placed::Placed;
use crate::describe::body_ref::BodyRef;
use crate::describe::tie::{Context, pick};
use crate::error::BuildError;
use crate::error::tie::{TieNumber, TieProblem};

/// The pairs of a stitch. `N` is the number of vertices of a pair: 2 for a vertex, 3 for an edge, 4 for a
/// triangle of the second body.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs<const N: usize>(Chosen<N>);

#[derive(Debug, Clone, PartialEq)]
enum Chosen<const N: usize> {
    Listed(Vec<[u32; N]>),
    Within { radius: f64, among: Option<Vec<u32>> },
}

impl<const N: usize> Pairs<N> {
    /// The vertex of the first body, then the vertices of the element of the second, each by its number in
    /// its own mesh.
    #[must_use]
    pub fn listed(pairs: impl Into<Vec<[u32; N]>>) -> Self {
        Self(Chosen::Listed(pairs.into()))
    }

    /// All pairs of the surfaces that are at most `radius`, m, from each other at the start: not only the
    /// nearest of each vertex.
    #[must_use]
    pub fn within(radius: f64) -> Self {
        Self(Chosen::Within { radius, among: None })
    }

    /// The same, but only for some vertices of the first body.
    #[must_use]
    pub fn within_of(vertices: impl IntoIterator<Item = u32>, radius: f64) -> Self {
        Self(Chosen::Within { radius, among: Some(vertices.into_iter().collect()) })
    }
}

/// Ties between two bodies, one for each of some pairs of a vertex of the first body and an element of the second.
///
/// The rest shape of a tie is given by the positions of its vertices at the start, unless [other
/// positions](Stitch::rest) are given. Equations, parameters and source: [`pliant_constraints::stitch`].
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::stitch::VertexEdgeStitch;
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Pairs, Simulation, Stitch};
///
/// let upper = TriMesh::grid([5, 5], [0.4, 0.4])?;
/// let lower = upper.with_positions(upper.positions().iter().map(|x| x + Vector3::z() * 0.41).collect())?;
/// let hem = Stitch::edges("lower", "upper", Pairs::within(0.011), [VertexEdgeStitch::elastic(1e6, 0.49)?]);
/// let mut sim = Simulation::builder()
///     .body(Body::cloth(upper).name("upper").pin(|x| x.z < -0.19))
///     .body(Body::cloth(lower).name("lower"))
///     .stitch(hem)
///     .build()?;
/// let frame = sim.step(1.0 / 60.0)?;
/// assert!(frame.residual("vertex-edge stitches").is_some_and(|r| r.constraints >= 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Stitch {
    name: Option<String>,
    bodies: [BodyRef; 2],
    sort: Sort,
    rest: Option<[Vec<Vector3<f64>>; 2]>,
    one_body: bool,
    damping: f64,
}

#[derive(Debug, Clone, PartialEq)]
enum Sort {
    Vertices { pairs: Pairs<2>, parameters: Vec<VertexVertexStitch>, keep_distance: bool },
    Edges { pairs: Pairs<3>, parameters: Vec<VertexEdgeStitch> },
    Triangles { pairs: Pairs<4>, parameters: Vec<VertexTriangleStitch> },
}

impl Stitch {
    /// The bodies that it ties.
    pub(crate) fn bodies_mut(&mut self) -> &mut [BodyRef; 2] {
        &mut self.bodies
    }

    fn new(first: BodyRef, second: BodyRef, sort: Sort) -> Self {
        Self { name: None, bodies: [first, second], sort, rest: None, one_body: false, damping: 0.0 }
    }

    /// Springs between vertices; one set of `parameters` for all pairs or one for each.
    #[must_use]
    pub fn vertices(
        first: impl Into<BodyRef>,
        second: impl Into<BodyRef>,
        pairs: Pairs<2>,
        parameters: impl Into<Vec<VertexVertexStitch>>,
    ) -> Self {
        let sort = Sort::Vertices { pairs, parameters: parameters.into(), keep_distance: false };
        Self::new(first.into(), second.into(), sort)
    }

    /// Triangles of membrane between vertices of the first body and edges of the second; one set of
    /// `parameters` for all pairs or one for each.
    #[must_use]
    pub fn edges(
        first: impl Into<BodyRef>,
        second: impl Into<BodyRef>,
        pairs: Pairs<3>,
        parameters: impl Into<Vec<VertexEdgeStitch>>,
    ) -> Self {
        let sort = Sort::Edges { pairs, parameters: parameters.into() };
        Self::new(first.into(), second.into(), sort)
    }

    /// Tetrahedra between vertices of the first body and triangles of the second; one set of `parameters` for
    /// all pairs or one for each.
    ///
    /// *Substeps.* The tetrahedra are thin and the masses are those of the bodies, so light cloth with the
    /// default moduli needs far more substeps than the cloth itself. With fewer, the stitches hold and do not
    /// shake ([`StabilisedNeoHookeanTet`](pliant_constraints::StabilisedNeoHookeanTet)), but they give way more than
    /// their moduli imply, and their residual shows this.
    #[must_use]
    pub fn triangles(
        first: impl Into<BodyRef>,
        second: impl Into<BodyRef>,
        pairs: Pairs<4>,
        parameters: impl Into<Vec<VertexTriangleStitch>>,
    ) -> Self {
        let sort = Sort::Triangles { pairs, parameters: parameters.into() };
        Self::new(first.into(), second.into(), sort)
    }

    /// The name that errors use.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Gives the positions, m, of all vertices of the two bodies at which the ties have no stress.
    #[must_use]
    pub fn rest(self, first: Vec<Vector3<f64>>, second: Vec<Vector3<f64>>) -> Self {
        Self { rest: Some([first, second]), ..self }
    }

    /// Uses the distance at rest as the rest length of every vertex–vertex tie, in place of the one in its parameters.
    #[must_use]
    pub fn keep_distance(mut self) -> Self {
        if let Sort::Vertices { keep_distance, .. } = &mut self.sort {
            *keep_distance = true;
        }
        self
    }

    /// Allows both bodies to be the same, which is an error otherwise.
    #[must_use]
    pub fn within_one_body(self) -> Self {
        Self { one_body: true, ..self }
    }

    /// Damps the ties with a relaxation time, s; see [`Constraints::with_damping`].
    #[must_use]
    pub fn damping(self, relaxation: f64) -> Self {
        Self { damping: relaxation, ..self }
    }
}

/// The stitches of all bodies, by kind.
#[derive(Default)]
pub(crate) struct Sewn {
    coincident: Groups<Coincidence, 2>,
    apart: Groups<Distance<f64>, 2>,
    edges: Groups<StVkMembrane<f64>, 3>,
    triangles: Groups<NeoHookeanTet<f64>, 4>,
}

impl Sewn {
    /// Adds a stitch, number `index`, to particles that start at `positions`, m.
    pub(crate) fn sew(
        &mut self,
        index: usize,
        stitch: &Stitch,
        bodies: &[Placed<'_>],
        positions: &[Vector3<f64>],
    ) -> Result<(), BuildError> {
        let context = Context { tie: TieNumber::Stitch(index), name: stitch.name.as_ref(), bodies };
        let [a, b] = [context.find(&stitch.bodies[0])?, context.find(&stitch.bodies[1])?];
        if a == b && !stitch.one_body {
            return Err(context.fault(TieProblem::StitchedToItself { body: bodies[a].name.clone() }));
        }
        context.check_damping(stitch.damping)?;
        let rest = rest_positions(&context, [a, b], stitch.rest.as_ref(), positions)?;
        let search = Search { context: &context, bodies: [a, b], positions };
        let fault = |error: StitchError| context.fault(error);
        let (rule, damping) = (ProjectionRule::Compliant, stitch.damping);
        match &stitch.sort {
            Sort::Vertices { pairs, parameters, keep_distance } => {
                let others = bodies[b].surface_vertices();
                let others: Vec<[u32; 1]> = others.into_iter().map(|v| [v]).collect();
                let pairs = search.pairs(pairs, &others, |points, corners, radius| {
                    let corners: Vec<_> = corners.iter().map(|&[v]| positions[v as usize]).collect();
                    vertex_vertex_pairs(points, &corners, radius)
                })?;
                let mut parameters = parameters.clone();
                if *keep_distance && (parameters.len() == 1 || parameters.len() == pairs.len()) {
                    let length = |p: &[u32; 2]| (rest[p[0] as usize] - rest[p[1] as usize]).norm();
                    parameters = (0..pairs.len())
                        .map(|i| VertexVertexStitch {
                            rest_length: length(&pairs[i]),
                            ..parameters[if parameters.len() == 1 { 0 } else { i }]
                        })
                        .collect();
                }
                let made = stitch_vertices(&pairs, positions.len(), &parameters).map_err(fault)?;
                let (near, far) = (made.coincident, made.apart);
                self.coincident.add_all(rule, damping, near.stencils, near.kinds, near.compliances);
                self.apart.add_all(rule, damping, far.stencils, far.kinds, far.compliances);
            }
            Sort::Edges { pairs, parameters } => {
                let edges = bodies[b].surface_edges();
                let pairs = search.pairs(pairs, &edges, |points, corners, radius| {
                    vertex_edge_pairs(points, positions, corners, radius)
                })?;
                let made = stitch_edges(&pairs, &rest, parameters).map_err(fault)?;
                self.edges.add_all(rule, damping, made.stencils, made.kinds, made.compliances);
            }
            Sort::Triangles { pairs, parameters } => {
                let triangles = bodies[b].surface();
                let pairs = search.pairs(pairs, &triangles, |points, corners, radius| {
                    vertex_triangle_pairs(points, positions, corners, radius)
                })?;
                let made = stitch_triangles(&pairs, &rest, parameters).map_err(fault)?;
                self.triangles.add_all(rule, damping, made.stencils, made.kinds, made.compliances);
            }
        }
        Ok(())
    }

    /// The groups.
    pub(crate) fn finish(self) -> Result<Vec<Constraints>, BuildError> {
        let mut all = self.coincident.finish("vertex-vertex stitches")?;
        all.extend(self.apart.finish("vertex-vertex stitches (with rest length)")?);
        all.extend(self.edges.finish("vertex-edge stitches")?);
        all.extend(self.triangles.finish_stabilised("vertex-triangle stitches")?);
        Ok(all.into_iter().map(Constraints::without_measures).collect())
    }
}

/// The positions without stress.
fn rest_positions(
    context: &Context<'_>,
    bodies: [usize; 2],
    given: Option<&[Vec<Vector3<f64>>; 2]>,
    positions: &[Vector3<f64>],
) -> Result<Vec<Vector3<f64>>, BuildError> {
    let mut rest = positions.to_vec();
    for (body, given) in bodies.into_iter().zip(given.into_iter().flatten()) {
        let at = context.body(body);
        let range: Range<usize> = at.particles.clone();
        if given.len() != range.len() {
            let (given, body, vertices) = (given.len(), at.name.clone(), range.len());
            return Err(context.fault(TieProblem::RestPositions { given, body, vertices }));
        }
        rest[range].copy_from_slice(given);
    }
    Ok(rest)
}

/// Finds pairs of particles.
struct Search<'a> {
    context: &'a Context<'a>,
    bodies: [usize; 2],
    positions: &'a [Vector3<f64>],
}

impl Search<'_> {
    /// The pairs as particles. `elements` are those of the second body, in the numbering of its mesh; `find`
    /// searches among them.
    fn pairs<const E: usize, const N: usize>(
        &self,
        pairs: &Pairs<N>,
        elements: &[[u32; E]],
        find: impl Fn(&[Vector3<f64>], &[[u32; E]], f64) -> Result<Vec<Pair>, ProximityError>,
    ) -> Result<Vec<[u32; N]>, BuildError> {
        let [a, b] = self.bodies;
        match &pairs.0 {
            Chosen::Listed(list) => {
                let mut all = Vec::with_capacity(list.len());
                for pair in list {
                    let mut particles = *pair;
                    for (k, v) in particles.iter_mut().enumerate() {
                        *v = self.context.particle(if k == 0 { a } else { b }, *v)?;
                    }
                    all.push(particles);
                }
                Ok(all)
            }
            Chosen::Within { radius, among } => {
                let vertices = among.clone().unwrap_or_else(|| self.context.body(a).surface_vertices());
                let points = vertices.iter().map(|&v| self.context.particle(a, v));
                let points = points.collect::<Result<Vec<u32>, _>>()?;
                let elements = self.context.body(b).shift(elements);
                let found = find(&pick(self.positions, &points), &elements, *radius);
                let found = found.map_err(|error| self.context.fault(error))?;
                let mut all = Vec::with_capacity(found.len());
                for pair in found {
                    let (vertex, element) = (points[pair.vertex as usize], elements[pair.element as usize]);
                    // Within one body an element has distance zero from its own corners, and every pair of
                    // vertices is found twice.
                    let twice = a == b && N == 2 && element[0] < vertex;
                    if !element.contains(&vertex) && !twice {
                        all.push(std::array::from_fn(|k| if k == 0 { vertex } else { element[k - 1] }));
                    }
                }
                if all.is_empty() {
                    return Err(self.context.fault(TieProblem::NoPair { radius: *radius }));
                }
                Ok(all)
            }
        }
    }
}
