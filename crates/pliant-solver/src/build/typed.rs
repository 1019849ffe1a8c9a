//! [`GroupData`]: a list of constraints without its kind in the type, and how it is planned.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::{Kind, MAX_REST, potential_energy};
use pliant_kernel::{Item, Scalar, Simd};

use crate::describe::plan::Plan;
use crate::error::constraint::ConstraintError;
use crate::plan::schedule::ClusterMap;
use crate::set::constraint_set::ConstraintSet;
use crate::set::entries::the_same;
use crate::set::frozen::{Given, KindGroup, Planner};

/// A scalar in which a list can be planned.
pub trait Planned: Scalar {
    /// Plans a list.
    #[doc(hidden)]
    fn plan(data: Box<dyn GroupData>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<Self>>;
}

impl Planned for f32 {
    fn plan(data: Box<dyn GroupData>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<Self>> {
        data.build_f32(context)
    }
}

#[cfg(feature = "f64")]
impl Planned for f64 {
    fn plan(data: Box<dyn GroupData>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<Self>> {
        data.build_f64(context)
    }
}

/// The data that planning a group needs.
pub struct PlanContext<'a> {
    pub(crate) plan: Plan,
    /// Inverse mass of every particle as it starts, in the caller's numbering, zero where it is pinned.
    pub(crate) w: &'a [f64],
    /// Number in the simulation of every particle of the caller's, if they differ.
    pub(crate) to_internal: Option<&'a [u32]>,
    /// Number of all particles, dummies included.
    pub(crate) total: usize,
    /// The first of the dummies that dynamic sets use, one after the other.
    pub(crate) spare: u32,
    /// The instructions that the settings allow.
    pub(crate) simd: Simd,
    /// The clusters of a clustered plan.
    pub(crate) clusters: Option<&'a Arc<ClusterMap>>,
}

/// Constraints whose kind is not part of the type.
pub trait GroupData: Send + Sync {
    /// Number of constraints.
    fn len(&self) -> usize;
    /// Number of points of a stencil.
    fn points(&self) -> usize;
    /// Whether the constraints are found again in every substep.
    fn is_dynamic(&self) -> bool {
        false
    }
    /// Calls `look` with the particles of every constraint that is known beforehand.
    fn for_each_stencil(&self, _look: &mut dyn FnMut(&[u32])) {}
    /// Calls `look` with the particles and the compliance of every constraint that is known beforehand.
    fn for_each_compliance(&self, _look: &mut dyn FnMut(&[u32], f64)) {}
    /// The first constraint and index that is not below `particles`.
    fn first_out_of_range(&self, particles: usize) -> Option<(usize, u32)>;
    /// Energies, J, with the points at the given positions, m, constraint by constraint, and data rounded by
    /// `round`; empty if the energies are not known.
    fn energies(&self, _positions: &[Vector3<f64>], _round: fn(f64) -> f64) -> Vec<f64> {
        Vec::new()
    }
    /// Plans the constraints for a simulation in `f32`.
    fn build_f32(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<f32>>;
    /// Plans the constraints for a simulation in `f64`.
    #[cfg(feature = "f64")]
    fn build_f64(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<f64>>;
}

/// The list of a kind.
pub(crate) struct Typed<K, const N: usize, const M: usize> {
    pub(crate) stencils: Vec<[u32; N]>,
    pub(crate) kinds: Vec<K>,
    pub(crate) compliances: Vec<f64>,
}

impl<K: Kind<N, M>, const N: usize, const M: usize> Typed<K, N, M> {
    /// The list of a group, checked as [`Constraints::new`](crate::Constraints::new) says.
    pub(crate) fn new(
        group: &str,
        stencils: Vec<[u32; N]>,
        kinds: Vec<K>,
        compliances: Vec<f64>,
    ) -> Result<Self, ConstraintError> {
        let group = || group.to_owned();
        let count = stencils.len();
        if kinds.len() != count || (compliances.len() != count && compliances.len() != 1) {
            let (kinds, compliances) = (kinds.len(), compliances.len());
            return Err(ConstraintError::Counts { group: group(), stencils: count, kinds, compliances });
        }
        if let Some(constraint) = compliances.iter().position(|&a| !(a >= 0.0 && a.is_finite())) {
            let value = compliances[constraint];
            return Err(ConstraintError::Compliance { group: group(), constraint, value });
        }
        let mut rest = [0.0; MAX_REST];
        let rest = &mut rest[..K::REST];
        for (constraint, (stencil, kind)) in stencils.iter().zip(&kinds).enumerate() {
            if (1..N).any(|j| stencil[..j].contains(&stencil[j])) {
                return Err(ConstraintError::RepeatedParticle { group: group(), constraint });
            }
            kind.write_rest(rest);
            if !rest.iter().all(|r| r.is_finite()) {
                return Err(ConstraintError::RestData { group: group(), constraint });
            }
        }
        Ok(Self { stencils, kinds, compliances })
    }

    /// Plans the list.
    pub(crate) fn build<T: Scalar>(mut self, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<T>> {
        let planner = match (context.plan, context.clusters) {
            (Plan::Ordered, Some(clusters)) => Planner::Ordered(Arc::clone(clusters)),
            (_, Some(clusters)) => Planner::Clustered(Arc::clone(clusters)),
            (_, None) => Planner::Sequential,
        };
        let total = context.total;
        let is_free = |stencil: &[u32; N]| stencil.iter().any(|&v| context.w[v as usize] > 0.0);
        let dropped: Vec<u32> =
            (0_u32..).zip(&self.stencils).filter(|(_, s)| !is_free(s)).map(|(i, _)| i).collect();
        if let Some(map) = context.to_internal {
            self.stencils.iter_mut().flatten().for_each(|v| *v = map[*v as usize]);
        }
        let Self { stencils, kinds, compliances } = self;
        let compliance = |i: usize| compliances[if compliances.len() == 1 { 0 } else { i }];
        let uniform = the_same(compliances.iter().copied(), 0.0).map(T::splat);
        let given = Given {
            stencils: &stencils,
            item: &|i: usize| Item::new(stencils[i], &kinds[i], compliance(i), i as u32),
            uniform,
            dropped,
        };
        Box::new(KindGroup::new(&given, planner, total))
    }
}

impl<K: Kind<N, M>, const N: usize, const M: usize> GroupData for Typed<K, N, M> {
    fn len(&self) -> usize {
        self.stencils.len()
    }

    fn points(&self) -> usize {
        N
    }

    fn for_each_stencil(&self, look: &mut dyn FnMut(&[u32])) {
        self.stencils.iter().for_each(|stencil| look(stencil));
    }

    fn for_each_compliance(&self, look: &mut dyn FnMut(&[u32], f64)) {
        let one = self.compliances.len() == 1;
        for (i, stencil) in self.stencils.iter().enumerate() {
            look(stencil, self.compliances[if one { 0 } else { i }]);
        }
    }

    fn first_out_of_range(&self, particles: usize) -> Option<(usize, u32)> {
        self.stencils.iter().enumerate().find_map(|(constraint, stencil)| {
            stencil.iter().find(|&&v| v as usize >= particles).map(|&v| (constraint, v))
        })
    }

    fn energies(&self, positions: &[Vector3<f64>], round: fn(f64) -> f64) -> Vec<f64> {
        let mut rest = [0.0; MAX_REST];
        let of = |i: usize| {
            self.kinds[i].write_rest(&mut rest[..K::REST]);
            let rounded = rest.map(round);
            let x: [_; N] = std::array::from_fn(|k| positions[N * i + k]);
            let compliance = round(self.compliances[if self.compliances.len() == 1 { 0 } else { i }]);
            potential_energy(&K::from_rest::<f64>(&rounded[..K::REST]), &x, compliance)
        };
        (0..self.kinds.len()).map(of).collect()
    }

    fn build_f32(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<f32>> {
        (*self).build(context)
    }

    #[cfg(feature = "f64")]
    fn build_f64(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<f64>> {
        (*self).build(context)
    }
}
