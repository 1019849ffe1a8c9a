//! [`CustomConstraints`]: constraints of your own kind on the vertices of bodies.

use std::fmt;
use std::sync::Arc;

use pliant_constraints::Kind;

use crate::build::constraints::{Constraints, ProjectionRule};
use crate::build::placed::Placed;
use crate::describe::body_ref::BodyRef;
use crate::describe::compliance::Compliance;
use crate::error::BuildError;
use crate::error::constraint::ConstraintError;

/// Constraints of one [`Kind`], which may be your own, on the vertices of bodies: the counterpart of
/// [`Constraints`] in a simulation that is [built from bodies](crate::SimulationBuilder::constraints).
///
/// They are solved like those of materials: in clusters and lanes, with residuals under their name in
/// reports. A body still has its default rigid edges, unless they are made soft.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{BlockConstraint, Constraint, Kind, Real, norm};
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Compliance, CustomConstraints, Simulation, Stiffness};
///
/// /// The logarithmic strain of an edge, C = ln(L/L₀): its energy grows without bound as it shrinks to zero.
/// #[derive(Clone, Copy)]
/// struct LogStrain<T> {
///     rest: T,
/// }
///
/// impl<T: Real> Constraint<T, 2> for LogStrain<T> {
///     fn value(&self, x: &[Vector3<T>; 2]) -> T {
///         (norm(&(x[1] - x[0])) / self.rest).ln()
///     }
///
///     fn value_and_gradient(&self, x: &[Vector3<T>; 2]) -> (T, [Vector3<T>; 2]) {
///         let d = x[1] - x[0];
///         let gradient = d / d.dot(&d);
///         (self.value(x), [-gradient, gradient])
///     }
/// }
///
/// impl Kind<2, 1> for LogStrain<f64> {
///     type At<T: Real> = LogStrain<T>;
///     const UNIT: &'static str = "1";
///     const REST: usize = 1;
///
///     fn constraint(&self) -> Self {
///         *self
///     }
///     fn rest_of<T: Real>(constraint: &LogStrain<T>, rest: &mut [T]) {
///         rest[0] = constraint.rest;
///     }
///     fn from_rest<T: Real>(rest: &[T]) -> LogStrain<T> {
///         LogStrain { rest: rest[0] }
///     }
/// }
///
/// let mesh = TriMesh::grid([5, 5], [0.4, 0.4])?;
/// let diagonals: Vec<[u32; 2]> = (0..4).map(|i| [6 * i, 6 * i + 6]).collect();
/// let length = 0.1 * 2.0_f64.sqrt();
/// // The energy of a constraint is ½ C²/α, so the stiffness of a strain is in J.
/// let stays = CustomConstraints::within("stays", "kite", diagonals, vec![LogStrain { rest: length }; 4])
///     .compliance(Stiffness::new(50.0));
/// let kite = Body::cloth(mesh).name("kite").stretch(Compliance::new(1e-3)).pin_vertices([0]);
/// let mut sim = Simulation::builder().body(kite).constraints(stays).build()?;
/// let frame = sim.step(1.0 / 60.0)?;
/// assert!(frame.residual("stays").is_some_and(|r| r.constraints == 4 && r.max.value < 1e-2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CustomConstraints {
    name: String,
    /// The body of every point of a constraint.
    bodies: Vec<BodyRef>,
    list: Arc<dyn List>,
    compliances: Vec<f64>,
    rule: ProjectionRule,
    relaxation: f64,
}

impl fmt::Debug for CustomConstraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomConstraints")
            .field("name", &self.name)
            .field("bodies", &self.bodies)
            .field("len", &self.list.len())
            .finish_non_exhaustive()
    }
}

impl CustomConstraints {
    /// Rigid constraints between vertices of one body: `stencils[i]` are the vertices of the constraint `kinds[i]`.
    /// `name` is the name of the group in reports.
    #[must_use]
    pub fn within<K: Kind<N, M>, const N: usize, const M: usize>(
        name: impl Into<String>,
        body: impl Into<BodyRef>,
        stencils: Vec<[u32; N]>,
        kinds: Vec<K>,
    ) -> Self {
        let body = body.into();
        Self::on(name.into(), vec![body; N], stencils, kinds)
    }

    /// Rigid constraints between several bodies: the vertex `stencils[i][k]` of the constraint `kinds[i]` is one of
    /// `bodies[k]`.
    ///
    /// ```
    /// use pliant_constraints::Distance;
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, CustomConstraints, Simulation};
    ///
    /// // A rod of 0.5 m between the corners of two sheets.
    /// let sheet = || TriMesh::grid([4, 4], [0.3, 0.3]);
    /// let rod = CustomConstraints::between("rod", ["upper", "lower"], vec![[15, 0]], vec![Distance { rest: 0.5 }]);
    /// let mut sim = Simulation::builder()
    ///     .body(Body::cloth(sheet()?.translated([0.0, 0.5, 0.0])?).name("upper").pin_vertices([0, 3]))
    ///     .body(Body::cloth(sheet()?).name("lower"))
    ///     .constraints(rod)
    ///     .build()?;
    /// sim.step(1.0 / 60.0)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn between<K: Kind<N, M>, const N: usize, const M: usize>(
        name: impl Into<String>,
        bodies: [impl Into<BodyRef>; N],
        stencils: Vec<[u32; N]>,
        kinds: Vec<K>,
    ) -> Self {
        Self::on(name.into(), bodies.into_iter().map(Into::into).collect(), stencils, kinds)
    }

    fn on<K: Kind<N, M>, const N: usize, const M: usize>(
        name: String,
        bodies: Vec<BodyRef>,
        stencils: Vec<[u32; N]>,
        kinds: Vec<K>,
    ) -> Self {
        let list = Arc::new(Listed::<K, N, M> { stencils, kinds });
        Self { name, bodies, list, compliances: vec![0.0], rule: ProjectionRule::Compliant, relaxation: 0.0 }
    }

    /// Gives all of them one compliance, in the square of the unit of C per J: m/N for lengths.
    #[must_use]
    pub fn compliance(self, compliance: impl Into<Compliance>) -> Self {
        Self { compliances: vec![compliance.into().value()], ..self }
    }

    /// Gives each of them its own compliance.
    #[must_use]
    pub fn compliances(self, compliances: impl IntoIterator<Item = impl Into<Compliance>>) -> Self {
        Self { compliances: compliances.into_iter().map(|a| a.into().value()).collect(), ..self }
    }

    /// Sets how projections correct an error; by compliance by default.
    #[must_use]
    pub fn rule(self, rule: ProjectionRule) -> Self {
        Self { rule, ..self }
    }

    /// Damps them with a relaxation time, s; see [`Constraints::with_damping`].
    #[must_use]
    pub fn damping(self, relaxation: f64) -> Self {
        Self { relaxation, ..self }
    }

    /// The bodies that they act on.
    pub(crate) fn bodies_mut(&mut self) -> &mut [BodyRef] {
        &mut self.bodies
    }

    /// The constraints on the particles that the bodies became.
    pub(crate) fn place(&self, placed: &[Placed<'_>]) -> Result<Constraints, BuildError> {
        let found: Result<Vec<_>, _> = self.bodies.iter().map(|body| self.find(body, placed)).collect();
        let particle = |constraint: usize, point: usize, vertex: u32, found: &[&Placed<'_>]| {
            let at = found[point];
            let vertices = at.particles.len();
            if (vertex as usize) < vertices {
                return Ok(at.first() + vertex);
            }
            let (group, body) = (self.name.clone(), at.name.clone());
            Err(ConstraintError::VertexOutOfRange { group, constraint, body, vertex, vertices })
        };
        let found = found?;
        let placed = self.list.place(&self.name, &self.compliances, &|constraint, point, vertex| {
            particle(constraint, point, vertex, &found)
        });
        placed?.with_rule(self.rule)?.with_damping(self.relaxation)
    }

    fn find<'a>(&self, body: &BodyRef, placed: &'a [Placed<'a>]) -> Result<&'a Placed<'a>, ConstraintError> {
        body.among(placed.iter().map(|at| at.name.as_str())).map(|number| &placed[number]).ok_or_else(|| {
            ConstraintError::NoBody {
                group: self.name.clone(),
                body: body.clone(),
                known: placed.iter().map(|at| at.name.clone()).collect(),
            }
        })
    }
}

/// Finds the particle of a vertex, given its constraint and its point there.
type FindParticle<'a> = dyn Fn(usize, usize, u32) -> Result<u32, ConstraintError> + 'a;

/// A list without its kind in the type.
trait List: Send + Sync {
    fn len(&self) -> usize;
    fn place(
        &self,
        name: &str,
        compliances: &[f64],
        particle: &FindParticle<'_>,
    ) -> Result<Constraints, BuildError>;
}

struct Listed<K, const N: usize, const M: usize> {
    /// Vertices of their bodies.
    stencils: Vec<[u32; N]>,
    kinds: Vec<K>,
}

impl<K: Kind<N, M>, const N: usize, const M: usize> List for Listed<K, N, M> {
    fn len(&self) -> usize {
        self.stencils.len()
    }

    fn place(
        &self,
        name: &str,
        compliances: &[f64],
        particle: &FindParticle<'_>,
    ) -> Result<Constraints, BuildError> {
        let mut stencils = self.stencils.clone();
        for (constraint, stencil) in stencils.iter_mut().enumerate() {
            for (point, vertex) in stencil.iter_mut().enumerate() {
                *vertex = particle(constraint, point, *vertex)?;
            }
        }
        Constraints::new(name, stencils, self.kinds.clone(), compliances.to_vec())
    }
}
