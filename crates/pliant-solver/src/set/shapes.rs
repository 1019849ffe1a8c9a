//! [`MatchedShape`]: particles pulled to a rest shape that may be anywhere, and the group of such constraints
//! in a running simulation.

use nalgebra::Vector3;
use pliant_constraints::{ShapeDamping, ShapeGroup};
use pliant_kernel::{Particle, State, Summary, Sweep, Team};

use crate::build::constraints::Constraints;
use crate::error::BuildError;
use crate::error::constraint::ConstraintError;
use crate::set::many_points::{ManyPointSet, ManyPoints, State64, displace, update64};
use pliant_kernel::Scalar;

/// Particles with the shape that they keep.
#[derive(Debug, Clone)]
pub struct MatchedShape {
    /// The particles.
    pub vertices: Vec<u32>,
    /// Their rest positions, m, in any place and orientation.
    pub rest: Vec<Vector3<f64>>,
    /// Their masses, kg; for pinned particles those without the pin.
    pub masses: Vec<f64>,
    /// Compliance of the group as a whole, m/N; 0 is rigid.
    pub compliance: f64,
}

impl Constraints {
    /// Pulls groups of particles to their rest shapes; see [`ShapeGroup`]. Each is one constraint; they may
    /// overlap and are solved one after the other.
    ///
    /// # Errors
    ///
    /// If lists differ in length or are empty, a particle is in a group twice, a mass is not positive, or a
    /// compliance negative.
    pub fn shapes(
        name: impl Into<String>,
        shapes: impl IntoIterator<Item = MatchedShape>,
    ) -> Result<Self, BuildError> {
        let name = name.into();
        let mut all = Vec::new();
        for (constraint, given) in shapes.into_iter().enumerate() {
            let compliance = given.compliance;
            if !(compliance >= 0.0 && compliance.is_finite()) {
                return Err(ConstraintError::Compliance { group: name, constraint, value: compliance }.into());
            }
            let shape = ShapeConstraint::new(given).map_err(|problem| {
                let group = name.clone();
                ConstraintError::Shape { group, constraint, problem }
            })?;
            all.push(shape);
        }
        Ok(Self::of_data(name, "m", Box::new(ManyPointSet::new(all))))
    }
}

/// One constraint in a running simulation.
struct ShapeConstraint {
    given: MatchedShape,
    group: ShapeGroup,
    /// The displacement of every vertex by the constraint in this substep, m.
    moved: Vec<Vector3<f64>>,
    /// Deviations at the start of the substep, m, if damped.
    before: Vec<Vector3<f64>>,
    /// Scratch.
    dx: Vec<Vector3<f64>>,
}

impl ShapeConstraint {
    fn new(given: MatchedShape) -> Result<Self, pliant_constraints::ShapeError> {
        let group = ShapeGroup::new(given.vertices.clone(), &given.rest, given.masses.clone())?;
        let zero = vec![Vector3::zeros(); given.vertices.len()];
        Ok(Self { group, moved: zero.clone(), before: zero.clone(), dx: zero, given })
    }
}

impl ManyPoints for ShapeConstraint {
    fn vertices(&self) -> &[u32] {
        &self.given.vertices
    }

    /// A group stays one under another numbering.
    fn renumbered(&self, map: &[u32]) -> Option<Self> {
        let mut given = self.given.clone();
        given.vertices.iter_mut().for_each(|v| *v = map[*v as usize]);
        Self::new(given).ok()
    }

    fn project<T: Scalar>(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        _team: Team<'_>,
    ) {
        let gamma = sweep.gamma.to_f64();
        if sweep.first {
            self.moved.fill(Vector3::zeros());
            if gamma > 0.0 {
                self.group.deviations(&State64(previous), &mut self.before);
            }
        }
        let alpha_tilde = self.given.compliance * sweep.inverse_h2.to_f64();
        let damping = (gamma > 0.0).then_some(ShapeDamping { previous: &self.before, gamma });
        let (points, update) = (State64(particles), update64(sweep.update));
        self.group.step(&points, alpha_tilde, damping, update, &mut self.moved, &mut self.dx);
        for (&v, dx) in self.given.vertices.iter().zip(&self.dx) {
            let particle = &mut particles[v as usize];
            if particle.w > T::zero() {
                displace(particle, dx);
            }
        }
    }

    fn summarise<T: Scalar>(&self, at: usize, state: &State<'_, T>, summary: &mut Summary) {
        let points = State64(state.now);
        let alpha_tilde = self.given.compliance * state.inverse_h2.to_f64();
        let softness = alpha_tilde * self.group.mass();
        let gamma = if alpha_tilde > 0.0 { state.gamma.to_f64() } else { 0.0 };
        let back = self.group.fit(&points).rotation.transpose();
        let mut deviations = vec![Vector3::zeros(); self.moved.len()];
        self.group.deviations(&points, &mut deviations);
        let mut before = deviations.clone();
        if gamma > 0.0 {
            self.group.deviations(&State64(state.previous), &mut before);
        }
        for (i, deviation) in deviations.iter().enumerate() {
            if state.now[self.given.vertices[i] as usize].w > T::zero() {
                let rate = (deviation - before[i]) * gamma;
                let left = deviation + back * self.moved[i] * softness + rate;
                summary.residual.take(left.norm(), at);
                summary.residual_squares += left.norm_squared();
                summary.rows += 3;
            }
        }
        // The goal rotates with the group, so no bound on the error is known.
        summary.rigid_rows += summary.rows;
        summary.energy += self.group.energy(&points, self.given.compliance);
    }

    /// The impulse is the displacement of every vertex over its inverse mass.
    const PULLS_ALL: bool = false;

    fn add_impulses<T: Scalar>(&self, now: &[Particle<T>], impulses: &mut [Particle<T>]) {
        for (&v, moved) in self.given.vertices.iter().zip(&self.moved) {
            let w = now[v as usize].w.to_f64();
            if w > 0.0 {
                displace(&mut impulses[v as usize], &(moved / w));
            }
        }
    }

    /// Three for every vertex: m u, its displacement by the group times its mass, kg·m.
    fn multipliers(&self, all: &mut Vec<f64>) {
        let moved = self.moved.iter().zip(&self.given.masses);
        all.extend(moved.flat_map(|(u, m)| [u.x * m, u.y * m, u.z * m]));
    }

    fn set_multipliers(&mut self, multipliers: &[f64]) -> usize {
        let (triples, _) = multipliers.as_chunks::<3>();
        for ((moved, &triple), m) in self.moved.iter_mut().zip(triples).zip(&self.given.masses) {
            *moved = Vector3::from(triple) / *m;
        }
        3 * self.moved.len()
    }
}
