//! [`Groups`]: constraints of one kind of several bodies, grouped by their rule of projection.

use std::borrow::Cow;

use nalgebra::{Matrix3, Vector3};
use pliant_constraints::{Kind, NeoHookeanTet, StabilisedNeoHookeanTet};

use crate::build::constraints::{Constraints, ProjectionRule};
use crate::build::placed::Placed;
use crate::describe::category::Category;
use crate::describe::elasticity::Elasticity;
use crate::error::BuildError;
use crate::error::body::BodyPart;
use crate::set::entries::the_same;

/// Constraints of one kind of all bodies with the same rule of projection.
struct Gathered<K, const N: usize> {
    rule: ProjectionRule,
    relaxation: f64,
    stencils: Vec<[u32; N]>,
    kinds: Vec<K>,
    /// One for every constraint, or one for all.
    compliances: Vec<f64>,
}

impl<K, const N: usize> Gathered<K, N> {
    /// Appends constraints with their compliances, of which there is one for each or one for all.
    fn append(&mut self, stencils: Vec<[u32; N]>, kinds: impl IntoIterator<Item = K>, compliances: Vec<f64>) {
        let (before, more) = (self.stencils.len(), stencils.len());
        // Lists can be long, so the first one is moved and not copied.
        if before == 0 {
            self.stencils = stencils;
            self.kinds = kinds.into_iter().collect();
            self.compliances = compliances;
            return;
        }
        self.stencils.extend(stencils);
        self.kinds.extend(kinds);
        if !(self.compliances.len() == 1 && compliances == self.compliances) {
            self.compliances = for_each(std::mem::take(&mut self.compliances), before);
            self.compliances.extend(for_each(compliances, more));
        }
    }
}

/// A number for each of `count` constraints, from a list that may have one for all.
fn for_each(mut numbers: Vec<f64>, count: usize) -> Vec<f64> {
    if let [all] = numbers[..] {
        numbers.resize(count, all);
    }
    numbers
}

/// Groups the constraints of the bodies by their rule of projection.
pub(crate) struct Groups<K, const N: usize>(Vec<Gathered<K, N>>);

impl<K, const N: usize> Default for Groups<K, N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K, const N: usize> Groups<K, N> {
    /// Adds constraints with their compliances, of which there is one for each or one for all, and returns
    /// their place: the group, among those that [`finish`](Self::finish) makes if no addition is empty, and
    /// their first constraint in it.
    pub(crate) fn add_all(
        &mut self,
        rule: ProjectionRule,
        relaxation: f64,
        stencils: Vec<[u32; N]>,
        kinds: impl IntoIterator<Item = K>,
        compliances: Vec<f64>,
    ) -> (usize, usize) {
        if stencils.is_empty() {
            return (0, 0);
        }
        let found = self.0.iter().position(|g| g.rule == rule && g.relaxation == relaxation);
        let at = found.unwrap_or_else(|| {
            let (stencils, kinds, compliances) = (Vec::new(), Vec::new(), Vec::new());
            self.0.push(Gathered { rule, relaxation, stencils, kinds, compliances });
            self.0.len() - 1
        });
        let first = self.0[at].stencils.len();
        self.0[at].append(stencils, kinds, compliances);
        (at, first)
    }

    /// Adds the constraints of a body on its `elements`, made stiffer or softer by the factors of the body.
    pub(crate) fn add<'a>(
        &mut self,
        at: &Placed<'_>,
        category: Category,
        rule: ProjectionRule,
        elements: impl Into<Cow<'a, [[u32; N]]>>,
        kinds: impl IntoIterator<Item = K>,
        mut compliances: Vec<f64>,
    ) -> Result<(), BuildError> {
        let elements = elements.into();
        if let Some((_, factors)) = at.body.factors.iter().rev().find(|(r, _)| *r == category) {
            let factors = factors.resolve(&elements, at.body.positions());
            let factors = factors.map_err(|problem| at.fault(BodyPart::StiffnessFactors, problem))?;
            compliances = for_each(compliances, elements.len());
            for (compliance, factor) in compliances.iter_mut().zip(factors) {
                *compliance /= factor;
            }
        }
        self.add_all(rule, at.body.damping_of(category), at.shift(elements), kinds, compliances);
        Ok(())
    }

    /// The same for springs of one elasticity.
    pub(crate) fn add_springs<'a>(
        &mut self,
        at: &Placed<'_>,
        category: Category,
        elasticity: Elasticity,
        elements: impl Into<Cow<'a, [[u32; N]]>>,
        kinds: impl IntoIterator<Item = K>,
    ) -> Result<(), BuildError> {
        self.add(at, category, elasticity.rule, elements, kinds, vec![elasticity.compliance])
    }

    /// The groups. If there are several, their names state the rule of projection.
    pub(crate) fn finish<const M: usize>(self, name: &str) -> Result<Vec<Constraints>, BuildError>
    where
        K: Kind<N, M>,
    {
        self.finish_from(name, |_| None)
    }

    /// The same, where `rest` may give positions of the points of a constraint from which its energy counts, m.
    fn finish_from<const M: usize>(
        self,
        name: &str,
        rest: impl Fn(&K) -> Option<[Vector3<f64>; N]>,
    ) -> Result<Vec<Constraints>, BuildError>
    where
        K: Kind<N, M>,
    {
        let several = self.0.len() > 1;
        let groups = self.0.into_iter().filter(|g| !g.stencils.is_empty());
        groups
            .map(|g| {
                let name = if several { answering(name, g.rule, g.relaxation) } else { name.to_owned() };
                // A list of one number serves for all.
                let compliances =
                    the_same(g.compliances.iter().copied(), 0.0).map_or(g.compliances, |a| vec![a]);
                let unloaded: Option<Vec<_>> = g.kinds.iter().map(&rest).collect();
                let mut constraints = Constraints::new(name, g.stencils, g.kinds, compliances)?;
                if let Some(unloaded) = unloaded {
                    constraints =
                        constraints.with_rest_positions(unloaded.into_iter().flatten().collect())?;
                }
                constraints.with_rule(g.rule)?.with_damping(g.relaxation)
            })
            .collect()
    }

    /// The same constraints as another kind.
    pub(crate) fn map<L>(self, f: impl Fn(K) -> L) -> Groups<L, N> {
        let convert = |g: Gathered<K, N>| Gathered {
            rule: g.rule,
            relaxation: g.relaxation,
            stencils: g.stencils,
            kinds: g.kinds.into_iter().map(&f).collect(),
            compliances: g.compliances,
        };
        Groups(self.0.into_iter().map(convert).collect())
    }
}

impl Groups<NeoHookeanTet<f64>, 4> {
    /// The groups; their energy counts from that at rest.
    pub(crate) fn finish_counted(self, name: &str) -> Result<Vec<Constraints>, BuildError> {
        self.finish_from(name, at_rest)
    }

    /// The same, as the stabilised kind, which does not gain energy with long substeps.
    pub(crate) fn finish_stabilised(self, name: &str) -> Result<Vec<Constraints>, BuildError> {
        self.map(StabilisedNeoHookeanTet).finish_from(name, |tet| at_rest(&tet.0))
    }
}

/// The corners of a tetrahedron at rest.
fn at_rest(tet: &NeoHookeanTet<f64>) -> Option<[Vector3<f64>; 4]> {
    // The edges at rest are the columns of D̄.
    let edges = Matrix3::from_fn(|j, axis| tet.inverse[j][axis]).try_inverse()?;
    let corner = |j: usize| edges.column(j).into_owned();
    Some([Vector3::zeros(), corner(0), corner(1), corner(2)])
}

/// A name that states the rule of projection of a group.
pub(crate) fn answering(name: &str, rule: ProjectionRule, relaxation: f64) -> String {
    let name = match rule {
        ProjectionRule::Pbd { stiffness, .. } => format!("{name} (k = {stiffness})"),
        ProjectionRule::Compliant => name.to_owned(),
    };
    if relaxation > 0.0 { format!("{name} (τ = {relaxation} s)") } else { name }
}
