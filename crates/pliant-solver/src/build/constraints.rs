//! [`Constraints`]: a named list of constraints of one kind, as a caller gives it.

use nalgebra::Vector3;
use pliant_constraints::Kind;

use crate::build::built_in::erase;
use crate::build::typed::{GroupData, PlanContext, Planned, Typed};
use crate::error::BuildError;
use crate::error::constraint::ConstraintError;
use crate::set::constraint_set::ConstraintSet;
use crate::set::dynamic::Finding;
use crate::set::found::Find;
use pliant_kernel::Scalar;

/// Constraints of one kind on the particles of an [`Assembly`](crate::Assembly).
///
/// ```
/// use pliant_constraints::Distance;
/// use pliant_solver::Constraints;
///
/// let edges = Constraints::new("edges", vec![[0, 1]], vec![Distance { rest: 1.0 }], vec![0.0])?;
/// assert_eq!(edges.len(), 1);
/// # Ok::<(), pliant_solver::BuildError>(())
/// ```
pub struct Constraints {
    name: String,
    rule: ProjectionRule,
    unit: &'static str,
    gradient_floor: f64,
    relaxation: f64,
    measured: bool,
    /// Positions of the points of every constraint, m, from which its elastic energy counts.
    unloaded: Option<Vec<Vector3<f64>>>,
    data: Box<dyn GroupData>,
}

/// How the projections of a group correct an error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ProjectionRule {
    /// By compliance: XPBD with an accumulated multiplier, or the book's step when the
    /// [settings](crate::Settings::multiplier) ask for it.
    #[default]
    Compliant,
    /// By the stiffness k ∈ [0, 1] of position based dynamics: every projection removes the share k of the
    /// error. Compliances are ignored.
    Pbd {
        /// Stiffness k.
        stiffness: f64,
        /// Use k' = 1 − (1 − k)^(1/n) for n iterations, so that the result depends less on n.
        iteration_independent: bool,
    },
}

impl std::fmt::Debug for Constraints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Constraints")
            .field("name", &self.name)
            .field("len", &self.len())
            .field("rule", &self.rule)
            .finish_non_exhaustive()
    }
}

impl Constraints {
    /// Constraints on the particles `stencils[i]`, with the rest data `kinds[i]` and the compliance
    /// `compliances[i]` (a list of one element serves for all; unit as the kind says).
    ///
    /// # Errors
    ///
    /// If the lists differ in length, a stencil names a particle twice, or a compliance or the rest data are
    /// negative where they cannot be, infinite or NaN.
    pub fn new<K: Kind<N, M>, const N: usize, const M: usize>(
        name: impl Into<String>,
        stencils: Vec<[u32; N]>,
        kinds: Vec<K>,
        compliances: Vec<f64>,
    ) -> Result<Self, BuildError> {
        let name = name.into();
        let list = Typed::new(&name, stencils, kinds, compliances)?;
        Ok(Self {
            name,
            rule: ProjectionRule::Compliant,
            unit: K::UNIT,
            gradient_floor: K::least_gradient_floor(&list.kinds),
            relaxation: 0.0,
            measured: true,
            unloaded: None,
            data: erase(list),
        })
    }

    /// Constraints that `finder` finds again in every substep, after the prediction. They are projected in packs like
    /// others; the first colour that is free decides their order.
    ///
    /// The constraints found are not part of a [`Snapshot`](crate::Snapshot) or [`Record`](crate::Record): a
    /// finder should find them from positions alone.
    #[must_use]
    pub fn found<K: Kind<N, M>, const N: usize, const M: usize>(
        name: impl Into<String>,
        finder: impl Find<K, N, M> + 'static,
    ) -> Self {
        Self::of_data(name.into(), K::UNIT, Box::new(Finding(Box::new(finder))))
    }

    /// Whether they are found again in every substep.
    pub(crate) fn is_dynamic(&self) -> bool {
        self.data.is_dynamic()
    }

    /// Calls `look` with the particles of every constraint that is known beforehand.
    pub(crate) fn for_each_stencil(&self, look: &mut dyn FnMut(&[u32])) {
        self.data.for_each_stencil(look);
    }

    /// Calls `look` with the particles and the compliance of every constraint that is known beforehand.
    pub(crate) fn for_each_compliance(&self, look: &mut dyn FnMut(&[u32], f64)) {
        self.data.for_each_compliance(look);
    }

    /// Constraints that plan themselves.
    pub(crate) fn of_data(name: String, unit: &'static str, data: Box<dyn GroupData>) -> Self {
        let rule = ProjectionRule::Compliant;
        let (gradient_floor, relaxation) = (0.0, 0.0);
        Self { name, rule, unit, gradient_floor, relaxation, measured: false, unloaded: None, data }
    }

    /// Leaves the stretches and volumes of the constraints out of the reports: they are not elements of a body.
    #[must_use]
    pub(crate) fn without_measures(self) -> Self {
        Self { measured: false, ..self }
    }

    /// Sets how projections correct an error.
    ///
    /// # Errors
    ///
    /// If a stiffness is not in [0, 1].
    pub(crate) fn with_rule(mut self, rule: ProjectionRule) -> Result<Self, BuildError> {
        if let ProjectionRule::Pbd { stiffness, .. } = rule
            && !(0.0..=1.0).contains(&stiffness)
        {
            return Err(ConstraintError::Stiffness { group: self.name, value: stiffness }.into());
        }
        self.rule = rule;
        Ok(self)
    }

    /// Damps the constraints with the relaxation time τ = αβ, s: beside a spring of stiffness k acts a
    /// dashpot of kτ, in N·s/m for a length. Rigid constraints (α = 0) are not damped. Zero removes the
    /// damping.
    ///
    /// Unlike drag this does not slow the motion of the body as a whole. Source: Macklin, Müller & Chentanez
    /// (2016), section 5.2; see [`Damping`](pliant_constraints::Damping).
    ///
    /// # Errors
    ///
    /// If the time is negative or not finite.
    pub fn with_damping(mut self, relaxation: f64) -> Result<Self, BuildError> {
        if !(relaxation >= 0.0 && relaxation.is_finite()) {
            return Err(ConstraintError::Relaxation { group: self.name, value: relaxation }.into());
        }
        self.relaxation = relaxation;
        Ok(self)
    }

    /// Counts the elastic energy of every constraint from that at the given positions, m, of its points: for
    /// kinds such as [`NeoHookeanTet`](pliant_constraints::NeoHookeanTet), whose rows are not zero at rest.
    /// The positions are listed constraint by constraint, in the order of the stencils.
    ///
    /// # Errors
    ///
    /// If there are not as many positions as points of all constraints.
    pub(crate) fn with_rest_positions(mut self, positions: Vec<Vector3<f64>>) -> Result<Self, BuildError> {
        let points = self.len() * self.points();
        if positions.len() != points {
            let found = positions.len();
            return Err(ConstraintError::RestPositions { group: self.name, points, found }.into());
        }
        self.unloaded = Some(positions);
        Ok(self)
    }

    /// The name of the group in reports.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of constraints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of points of a stencil.
    pub(crate) fn points(&self) -> usize {
        self.data.points()
    }

    pub(crate) fn rule(&self) -> ProjectionRule {
        self.rule
    }

    pub(crate) fn unit(&self) -> &'static str {
        self.unit
    }

    pub(crate) fn gradient_floor(&self) -> f64 {
        self.gradient_floor
    }

    pub(crate) fn relaxation(&self) -> f64 {
        self.relaxation
    }

    pub(crate) fn measured(&self) -> bool {
        self.measured
    }

    /// The energy, J, of every constraint at rest; empty if it is zero.
    pub(crate) fn rest_energies<T: Scalar>(&self) -> Vec<f64> {
        let round: fn(f64) -> f64 = |x| T::splat(x).to_f64();
        self.unloaded.as_ref().map_or_else(Vec::new, |x| self.data.energies(x, round))
    }

    /// The first constraint that refers to a particle that does not exist.
    pub(crate) fn check_range(&self, particles: usize) -> Result<(), BuildError> {
        match self.data.first_out_of_range(particles) {
            None => Ok(()),
            Some((constraint, index)) => {
                let group = self.name.clone();
                Err(ConstraintError::ParticleOutOfRange { group, constraint, index, particles }.into())
            }
        }
    }

    pub(crate) fn plan<T: Planned>(self, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<T>> {
        T::plan(self.data, context)
    }
}
