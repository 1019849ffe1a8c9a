//! Changes of the compliances of a group while a simulation runs.

use std::collections::BTreeMap;

use pliant_kernel::{Scalar, Team};

use crate::describe::compliance::Compliance;
use crate::describe::settings::Method;
use crate::float::Float;
use crate::live::error::{LiveError, checked};
use crate::observe::moment::Work;
use crate::set::constraint_set::Resistance;
use crate::simulation::Simulation;
use crate::world::World;

impl<T: Float> Simulation<T> {
    /// Gives all constraints of a group the same compliance, in the unit of the group (m/N for edges); zero
    /// makes them rigid. Groups are named as in [reports](crate::FrameReport::residuals), and hold the
    /// constraints of all bodies with the same rule of projection.
    ///
    /// Costs O(group): the group is planned again. The elastic energy that this adds or removes counts as
    /// external work.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Compliance, Simulation};
    ///
    /// let sheet = Body::cloth(TriMesh::grid([6, 6], [0.5, 0.5])?).stretch(Compliance::new(1e-2)).pin_vertices([0, 5]);
    /// let mut sim = Simulation::builder().body(sheet).build()?;
    /// for _ in 0..60 {
    ///     sim.advance(1.0 / 60.0)?;
    /// }
    /// let soft = sim.report().stretch.unwrap().max.value;
    /// sim.set_compliance("edges", 1e-6)?;
    /// for _ in 0..60 {
    ///     sim.advance(1.0 / 60.0)?;
    /// }
    /// assert!(sim.report().stretch.unwrap().max.value < 0.5 * soft);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such group, the compliance is negative or not finite, or the group cannot take it: its
    /// compliances differ from element to element, as those of materials do
    /// ([`scale_stiffness`](Self::scale_stiffness) can), it uses a stiffness of position based dynamics, its
    /// constraints act on many points each, or they are those of [coarse levels](crate::Method::Coarse).
    pub fn set_compliance(
        &mut self,
        group: &str,
        compliance: impl Into<Compliance>,
    ) -> Result<(), LiveError> {
        let compliance = compliance.into().value();
        let expected = "0 (rigid) or a positive number";
        let compliance = checked("compliance of a group", compliance, expected, compliance >= 0.0)?;
        T::resist(&mut self.world, group, Resistance::Compliance(compliance))
    }

    /// Makes the constraints of a group this many times as stiff as they were built, whatever was set since.
    ///
    /// Costs as [`set_compliance`](Self::set_compliance).
    ///
    /// # Errors
    ///
    /// If there is no such group, the factor is not a positive number, or the group cannot take it: it is
    /// rigid, it uses a stiffness of position based dynamics, or its constraints act on many points each.
    pub fn scale_stiffness(&mut self, group: &str, factor: f64) -> Result<(), LiveError> {
        let factor = checked("factor of a stiffness", factor, "a positive number", factor > 0.0)?;
        T::resist(&mut self.world, group, Resistance::Stiffer(factor))
    }

    /// How many times as stiff as they were built the constraints of a group are: what
    /// [`scale_stiffness`](Self::scale_stiffness) has made them, or else 1. `None` if there is no such group, or
    /// [`set_compliance`](Self::set_compliance) has given it another compliance.
    #[must_use]
    pub fn stiffness_scale(&self, group: &str) -> Option<f64> {
        let set = self.world.fine.sets.iter().position(|running| running.name == group)?;
        match self.world.live.compliances.get(&set) {
            None => Some(1.0),
            Some(&Resistance::Stiffer(factor)) => Some(factor),
            Some(Resistance::Compliance(_)) => None,
        }
    }
}

impl<T: Scalar> World<T> {
    pub(crate) fn resist_here(&mut self, group: &str, resistance: Resistance) -> Result<(), LiveError> {
        let found = self.fine.sets.iter().position(|running| running.name == group);
        let Some(set) = found.filter(|&set| Some(set) != self.live.grab_set) else {
            let known = self.fine.sets.iter().map(|running| running.name.clone()).collect();
            return Err(LiveError::NoGroup { name: group.to_owned(), known });
        };
        let running = &self.fine.sets[set];
        let refused = |problem| Err(LiveError::Compliance { group: group.to_owned(), problem });
        if !running.has_energy {
            return refused("it uses a stiffness of position based dynamics");
        }
        if matches!(self.settings.method, Method::Coarse | Method::Auto)
            && running.measured
            && self.coarse.is_asked_for()
        {
            return refused("coarse levels need rigid edges");
        }
        let is_uniform = matches!(resistance, Resistance::Compliance(_));
        if is_uniform && !running.rest_energies.is_empty() {
            return refused("they differ from element to element; use scale_stiffness");
        }
        let before = self.energy_of(set);
        if let Err(problem) = self.put_compliances(set, Some(resistance)) {
            return refused(problem);
        }
        let work = self.energy_of(set) - before;
        self.take_down(Work::Forces(work));
        self.live.compliances.insert(set, resistance);
        self.live.act();
        Ok(())
    }

    /// Elastic energy of a set, J, if the balance of energy is kept.
    fn energy_of(&self, set: usize) -> f64 {
        if self.monitor.is_none() {
            return 0.0;
        }
        let running = &self.fine.sets[set];
        running.set.evaluate(&self.state_of(running), None, self.simd(), Team::alone()).energy
    }

    /// Gives a set other compliances, or those that it was built with.
    fn put_compliances(&mut self, set: usize, resistance: Option<Resistance>) -> Result<(), &'static str> {
        let running = &mut self.fine.sets[set];
        running.set.set_compliances(resistance, &self.fine.particles.now)?;
        let factor = |resistance: Option<Resistance>| match resistance {
            Some(Resistance::Stiffer(factor)) => factor,
            _ => 1.0,
        };
        let stiffer = factor(resistance) / factor(self.live.compliances.get(&set).copied());
        running.rest_energies.iter_mut().for_each(|energy| *energy *= stiffer);
        Ok(())
    }

    /// Gives all sets the compliances of another state.
    pub(crate) fn take_compliances(&mut self, compliances: &BTreeMap<usize, Resistance>) {
        let present = self.live.compliances.clone();
        for &set in present.keys().chain(compliances.keys()) {
            let wanted = compliances.get(&set);
            // Compliances of a checkpoint may belong to another scene: those that do not fit are left out.
            if self.live.compliances.get(&set) != wanted
                && set < self.fine.sets.len()
                && self.put_compliances(set, wanted.copied()).is_ok()
            {
                match wanted {
                    Some(&wanted) => self.live.compliances.insert(set, wanted),
                    None => self.live.compliances.remove(&set),
                };
            }
        }
    }
}
