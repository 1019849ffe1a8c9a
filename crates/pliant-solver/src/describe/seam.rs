//! [`Seam`]: vertices sewn to places on edges, which are drawn together until they are closed.

use nalgebra::Vector3;
use pliant_constraints::PointOnEdge;

use crate::build::constraints::Constraints;
use crate::build::foldless::Foldless;
use crate::build::placed::Placed;
use crate::build::weld::find;
use crate::describe::body_ref::BodyRef;
use crate::describe::tie::Context;
use crate::error::BuildError;
use crate::error::tie::{TieNumber, TieProblem};
use crate::set::seams::{Closing, Row, Seams, end_at};

/// A vertex and the place on an edge where it belongs: (1 − t) x_a + t x_b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeamPair {
    /// The vertex, by its number in the first body.
    pub vertex: u32,
    /// The ends a and b of the edge, by their numbers in the second body.
    pub edge: [u32; 2],
    /// The share t of the way from a to b, 0 to 1.
    pub place: f64,
}

impl SeamPair {
    /// Whether the place is inside of the edge: farther from both ends than a thousandth of it.
    #[must_use]
    pub fn is_within_edge(&self) -> bool {
        end_at(self.place).is_none()
    }
}

/// A seam: vertices of one body that are sewn to edges of the same or another body, for good.
///
/// A seam has no elasticity of its own: once closed it stays closed, and what it pulls is what it takes.
/// Stitches that give way are a [`Stitch`](crate::Stitch). Where the pairs start apart they are drawn
/// together, all of them within the [time](Self::close_time) that is given, and with a limited force: what is in
/// the way holds them up, and is not torn through. With the mass M of the bodies, n
/// pairs and the widest gap L a pair pulls with at most F = 100 M L/(n T²), which moves its share of the mass
/// over the gap in a seventh of the time T. Equation: [`PointOnEdge`].
///
/// Parts that a seam joins are not pairs of [contact](crate::Collide): vertices that are sewn to the same
/// place count as one, and a vertex is beside its edge. [`FrameReport::seams`](crate::FrameReport::seams)
/// says how far open a seam is.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Seam, SeamPair, Simulation};
///
/// // Two sheets of 0.4 m beside each other, 0.1 m apart, whose facing borders are sewn together vertex by vertex.
/// let left = TriMesh::grid([5, 5], [0.4, 0.4])?;
/// let right = left.translated([0.5, 0.0, 0.0])?;
/// let pairs: Vec<_> = (0..5).map(|i| SeamPair { vertex: 5 * i + 4, edge: [5 * i, 5 * i + 1], place: 0.0 }).collect();
/// let seam = Seam::new("left", "right", pairs).name("middle").close_time(0.2);
/// let mut sim = Simulation::builder()
///     .gravity(Vector3::zeros())
///     .drag(5.0)
///     .body(Body::cloth(left).name("left"))
///     .body(Body::cloth(right).name("right"))
///     .seam(seam)
///     .build()?;
/// assert!((sim.report().seams[0].max.value - 0.1).abs() < 1e-6);
/// for _ in 0..30 {
///     sim.advance(1.0 / 60.0)?;
/// }
/// assert!(sim.report().seams[0].max.value < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Seam {
    name: Option<String>,
    bodies: [BodyRef; 2],
    pairs: Vec<SeamPair>,
    close_time: f64,
    weld: bool,
    /// Which pairs start closed; empty if none does.
    closed: Vec<bool>,
}

impl Seam {
    /// Sews vertices of the first body to edges of the second, which may be the same.
    #[must_use]
    pub fn new(
        first: impl Into<BodyRef>,
        second: impl Into<BodyRef>,
        pairs: impl Into<Vec<SeamPair>>,
    ) -> Self {
        Self {
            name: None,
            bodies: [first.into(), second.into()],
            pairs: pairs.into(),
            close_time: 0.0,
            weld: false,
            closed: Vec::new(),
        }
    }

    /// The name in reports and errors. Default: `seam-1` and so on.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// The time, s, in which the pairs close, all together, if nothing is in their way. Default: 0, at once.
    #[must_use]
    pub fn close_time(self, time: f64) -> Self {
        Self { close_time: time, ..self }
    }

    /// Welds the pairs whose place is an end of their edge: vertices that meet are one particle, with the mass
    /// of all of them, at their mean. The meshes keep their vertices, which have the same position, velocity
    /// and mass whenever they are asked for. Pairs within an edge stay rigid constraints, and so do pairs that would
    /// make two vertices of one element one.
    ///
    /// They have to be together at the start, but for a tenth of their edge, and closed from the start:
    /// without a [time to close](Self::close_time). Where they collide, those that are farther apart than a tenth of
    /// the thickness stay rigid constraints as well, because what is joined moves, and layers may be that near; and so do
    /// those that another simulation has left farther apart than that tenth of an edge ([`closed`](Self::closed)), with
    /// something caught between them. What is welded bends about the seam without resistance, as
    /// other seams do. Two bodies that both [collide](crate::Collide) cannot be welded to each other, because a
    /// surface has its vertices for itself; panels of one body can.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Seam, SeamPair, Simulation};
    ///
    /// // Two squares side by side: the last column of the first is the first column of the second.
    /// let left = TriMesh::grid([3, 3], [0.2, 0.2])?;
    /// let right = left.translated([0.2, 0.0, 0.0])?;
    /// let pairs: Vec<_> = (0..3).map(|i| SeamPair { vertex: 3 * i + 2, edge: [3 * i, 3 * i + 1], place: 0.0 }).collect();
    /// let mut sim: Simulation = Simulation::builder()
    ///     .body(Body::cloth(left).name("left").pin_vertices([0]))
    ///     .body(Body::cloth(right).name("right"))
    ///     .seam(Seam::new("left", "right", pairs).weld())
    ///     .build()?;
    /// sim.advance(1.0 / 60.0)?;
    /// assert_eq!(sim.positions()[2], sim.positions()[9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn weld(self) -> Self {
        Self { weld: true, ..self }
    }

    /// Has pairs start closed, as they were where another simulation ended
    /// ([`closed_pairs`](crate::World::closed_pairs)): true for each that is, in the order of the pairs.
    #[must_use]
    pub fn closed(self, closed: impl Into<Vec<bool>>) -> Self {
        Self { closed: closed.into(), ..self }
    }

    /// Whether it is welded and names this vertex of that body.
    pub(crate) fn is_welding(&self, body: &Placed<'_>, vertex: u32) -> bool {
        let of = |of: &BodyRef| match of {
            BodyRef::Number(number) => *number == body.number,
            BodyRef::Name(name) => *name == body.name,
        };
        let [first, second] = self.bodies.each_ref().map(of);
        let names = |pair: &SeamPair| first && pair.vertex == vertex || second && pair.edge.contains(&vertex);
        self.weld && self.pairs.iter().any(names)
    }

    /// Its name, if it has one.
    pub(crate) fn given_name(&self) -> Option<&String> {
        self.name.as_ref()
    }

    /// The pairs.
    #[must_use]
    pub fn pairs(&self) -> &[SeamPair] {
        &self.pairs
    }

    /// The bodies that it ties.
    pub(crate) fn bodies_mut(&mut self) -> &mut [BodyRef; 2] {
        &mut self.bodies
    }
}

/// The seams of a scene, in the caller's numbering.
pub(crate) struct Sewing {
    /// One constraint for each row.
    pub(crate) constraints: Constraints,
    pub(crate) seams: Seams,
    /// Particles whose elements are beside each other once the seams are closed.
    pub(crate) ties: Vec<[u32; 2]>,
    /// Particles that are one.
    pub(crate) welds: Vec<[u32; 2]>,
}

/// How far apart what is welded may start, as a share of the edge, and of the distance that layers keep.
const WELDED: f64 = 0.1;

/// How many times more force a pair may use than it takes to move its share of the mass over the widest gap,
/// M L/(n T²).
const STRENGTH: f64 = 100.0;

/// Sews all seams, if there are any.
pub(crate) fn sew(
    all: &[Seam],
    bodies: &[Placed<'_>],
    positions: &[Vector3<f64>],
) -> Result<Option<Sewing>, BuildError> {
    let (mut rows, mut closings, mut welds) = (Vec::new(), Vec::new(), Vec::new());
    let mut classes = all.iter().any(|seam| seam.weld).then(|| Foldless::new(bodies));
    let context = |i: usize| Context { tie: TieNumber::Seam(i), name: all[i].name.as_ref(), bodies };
    let mut rows_of_all = Vec::new();
    for (i, seam) in all.iter().enumerate() {
        let of_seam = rows_of(&context(i), seam)?;
        if let Some(classes) = classes.as_mut().filter(|_| seam.weld) {
            weld(&context(i), seam, &of_seam, positions, (classes, &mut welds))?;
        }
        rows_of_all.push(of_seam);
    }
    for (i, (seam, mut of_seam)) in all.iter().zip(rows_of_all).enumerate() {
        let context = context(i);
        let first = rows.len();
        if let Some(classes) = classes.as_mut().filter(|_| seam.weld) {
            of_seam.retain(|row| row.end().is_none_or(|end| !classes.are_one(row.points[0], end)));
        }
        let mut widest = 0.0_f64;
        rows.extend(of_seam.into_iter().map(|row| {
            let start = row.gap_at(|v| positions[v as usize]).norm();
            widest = widest.max(start);
            row.starting_at(start)
        }));
        let mut force = f64::INFINITY;
        if seam.close_time > 0.0 {
            let share = mass_of(&context, seam)? / seam.pairs.len() as f64;
            force = STRENGTH * share * widest / (seam.close_time * seam.close_time);
        }
        let name = seam.name.clone().unwrap_or_else(|| format!("seam-{}", i + 1));
        closings.push(Closing {
            name,
            rows: first..rows.len(),
            pairs: seam.pairs.len(),
            widest,
            force,
            time: seam.close_time,
        });
    }
    if closings.is_empty() {
        return Ok(None);
    }
    let stencils = rows.iter().map(|row| row.points).collect();
    let kinds = rows.iter().map(|row| PointOnEdge { place: row.place }).collect();
    let constraints = Constraints::new("seams", stencils, kinds, vec![0.0])?.without_measures();
    let ties = ties(&rows, positions.len());
    Ok(Some(Sewing { constraints, seams: Seams::new(closings, rows), ties, welds }))
}

/// The pairs of particles that a seam welds go to a list: not those that would fold an element, nor those that are too
/// far apart.
fn weld(
    context: &Context<'_>,
    seam: &Seam,
    rows: &[Row],
    positions: &[Vector3<f64>],
    (classes, welds): (&mut Foldless, &mut Vec<[u32; 2]>),
) -> Result<(), BuildError> {
    if seam.close_time > 0.0 {
        return Err(context.fault(TieProblem::WeldTime(seam.close_time)));
    }
    let [a, b] = [context.find(&seam.bodies[0])?, context.find(&seam.bodies[1])?];
    let [one, other] = [a, b].map(|body| context.body(body));
    if a != b && one.body.collide.is_some() && other.body.collide.is_some() {
        let bodies = [one, other].map(|at| at.name.clone());
        return Err(context.fault(TieProblem::WeldedSurfaces { bodies }));
    }
    let mut thin = f64::INFINITY;
    for at in [one, other].into_iter().filter(|at| at.body.collide.is_some()) {
        thin = thin.min(WELDED * 2.0 * at.contact_radius()?);
    }
    for (pair, row) in rows.iter().enumerate() {
        let Some(end) = row.end() else { continue };
        let [_, from, to] = row.points.map(|v| positions[v as usize]);
        let distance = row.gap_at(|v| positions[v as usize]).norm();
        let most = WELDED * (to - from).norm();
        if distance > most && seam.closed.is_empty() {
            return Err(context.fault(TieProblem::Apart { pair, distance, most }));
        }
        if distance <= most.min(thin) && classes.join(row.points[0], end) {
            welds.push([row.points[0], end]);
        }
    }
    Ok(())
}

/// The mass of what of the bodies can move, kg.
fn mass_of(context: &Context<'_>, seam: &Seam) -> Result<f64, BuildError> {
    let [a, b] = [context.find(&seam.bodies[0])?, context.find(&seam.bodies[1])?];
    let of = |body: usize| -> f64 {
        let weights = context.body(body).inverse_masses.iter();
        weights.filter(|&&w| w > 0.0).map(|w| 1.0 / w).sum()
    };
    Ok(if a == b { of(a) } else { of(a) + of(b) })
}

/// The rows of a seam.
fn rows_of(context: &Context<'_>, seam: &Seam) -> Result<Vec<Row>, BuildError> {
    let [a, b] = [context.find(&seam.bodies[0])?, context.find(&seam.bodies[1])?];
    if seam.pairs.is_empty() {
        return Err(context.fault(TieProblem::NoPairs));
    }
    if !seam.closed.is_empty() && seam.closed.len() != seam.pairs.len() {
        let (found, pairs) = (seam.closed.len(), seam.pairs.len());
        return Err(context.fault(TieProblem::ClosedCount { found, pairs }));
    }
    if !(seam.close_time >= 0.0 && seam.close_time.is_finite()) {
        return Err(context.fault(TieProblem::CloseTime(seam.close_time)));
    }
    let row = |(pair, &SeamPair { vertex, edge, place }): (usize, &SeamPair)| {
        let points =
            [context.particle(a, vertex)?, context.particle(b, edge[0])?, context.particle(b, edge[1])?];
        if edge[0] == edge[1] {
            return Err(context.fault(TieProblem::NoEdge { pair, vertex: edge[0] }));
        }
        if points[1..].contains(&points[0]) {
            return Err(context.fault(TieProblem::SewnToItself { pair, vertex }));
        }
        if !(0.0..=1.0).contains(&place) {
            return Err(context.fault(TieProblem::Place { pair, place }));
        }
        Ok(Row::new(points, place).of_pair(pair, seam.closed.get(pair) == Some(&true)))
    };
    seam.pairs.iter().enumerate().map(row).collect()
}

/// Which particles are beside each other once all is closed: those that are sewn to the same place are one,
/// and one that is sewn to the inside of an edge is beside its ends and beside what is sewn to the same edge.
fn ties(rows: &[Row], particles: usize) -> Vec<[u32; 2]> {
    let mut place: Vec<u32> = (0..).take(particles).collect();
    for row in rows {
        if let Some(end) = row.end() {
            let [a, b] = [row.points[0], end].map(|v| find(&mut place, v));
            place[a.max(b) as usize] = a.min(b);
        }
    }
    // What is sewn, by its place.
    let mut members: Vec<(u32, u32)> =
        rows.iter().flat_map(|row| row.points).map(|v| (find(&mut place, v), v)).collect();
    members.sort_unstable();
    members.dedup();
    let all_at = |at: u32| {
        let start = members.partition_point(|&(other, _)| other < at);
        members[start..].iter().take_while(move |&&(other, _)| other == at).map(|&(_, v)| v)
    };
    let mut ties = Vec::new();
    let mut join = |a: u32, b: u32| {
        for v in all_at(a) {
            ties.extend(all_at(b).filter(|&other| other != v).map(|other| [v.min(other), v.max(other)]));
        }
    };
    let mut on_edges: Vec<([u32; 2], u32)> = Vec::new();
    for row in rows {
        let [v, a, b] = row.points.map(|v| find(&mut place, v));
        join(v, v);
        if row.end().is_none() {
            join(v, a);
            join(v, b);
            on_edges.push(([a.min(b), a.max(b)], v));
        }
    }
    on_edges.sort_unstable();
    for same in on_edges.chunk_by(|a, b| a.0 == b.0) {
        for (i, &(_, v)) in same.iter().enumerate() {
            same[..i].iter().for_each(|&(_, other)| join(v, other));
        }
    }
    ties.sort_unstable();
    ties.dedup();
    ties
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sewn_to_one_place_is_one() {
        // 0 and 1 at the end 2 of the edge 2–3; 4 in the middle of it, 5 a third along.
        let row = |v, t| Row::new([v, 2, 3], t);
        let found = ties(&[row(0, 0.0), row(1, 0.0005), row(4, 0.5), row(5, 0.3)], 7);
        let at_one_place = [[0, 1], [0, 2], [1, 2]];
        let beside = [[0, 4], [1, 4], [2, 4], [3, 4], [0, 5], [1, 5], [2, 5], [3, 5], [4, 5]];
        let mut expected: Vec<_> = at_one_place.into_iter().chain(beside).collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
        assert!(ties(&[], 3).is_empty());
    }
}
