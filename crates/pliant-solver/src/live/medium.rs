//! Changes of gravity, wind, damping and drag while a simulation runs.

use nalgebra::Vector3;
use pliant_kernel::{Scalar, widen};

use crate::describe::wind::Wind;
use crate::error::BuildError;
use crate::float::Float;
use crate::live::error::LiveError;
use crate::live::state::Medium;
use crate::observe::moment::Work;
use crate::passes::wind_field::WindField;
use crate::simulation::Simulation;
use crate::world::World;

impl<T: Float> Simulation<T> {
    /// Changes gravity, m/s². The potential energy that this adds or removes counts as external work. Costs
    /// O(1), and O(particles) if a [certificate](crate::Settings::certificate) is kept.
    ///
    /// # Errors
    ///
    /// If it is not finite.
    pub fn set_gravity(&mut self, gravity: impl Into<Vector3<f64>>) -> Result<(), LiveError> {
        let gravity = gravity.into();
        self.change_medium(|medium| medium.gravity = gravity)
    }

    /// Changes the wind, or ends it. It acts on all surfaces of the bodies, or on the triangles that an
    /// [`Assembly`](crate::Assembly) was given. Costs O(1), and O(surfaces) for the first wind of a
    /// simulation that was built without.
    ///
    /// # Errors
    ///
    /// If one of its numbers is invalid.
    pub fn set_wind(&mut self, wind: Option<Wind>) -> Result<(), LiveError> {
        self.change_medium(|medium| medium.wind = wind)
    }

    /// Changes the damping of all motion except rigid motion, 1/s. Costs O(1).
    ///
    /// # Errors
    ///
    /// If the rate is negative or not finite.
    pub fn set_damping(&mut self, rate: f64) -> Result<(), LiveError> {
        self.change_medium(|medium| medium.damping = rate)
    }

    /// Changes the decay of all motion, 1/s. Costs O(1).
    ///
    /// # Errors
    ///
    /// If the rate is negative or not finite.
    pub fn set_drag(&mut self, rate: f64) -> Result<(), LiveError> {
        self.change_medium(|medium| medium.drag = rate)
    }

    fn change_medium(&mut self, change: impl FnOnce(&mut Medium)) -> Result<(), LiveError> {
        let mut medium = Medium::of(&self.world.settings);
        change(&mut medium);
        let mut settings = self.world.settings.clone();
        medium.put(&mut settings);
        settings.check().map_err(BuildError::from)?;
        if self.world.monitor.is_some() && medium.gravity != self.world.settings.gravity {
            let work = -(medium.gravity - self.world.settings.gravity).dot(&self.world.first_moment());
            self.world.take_down(Work::Forces(work));
        }
        self.world.live.act();
        T::take_medium(&mut self.world, Some(medium));
        T::refit(self);
        Ok(())
    }
}

impl<T: Scalar> World<T> {
    /// Sets the medium in which the bodies move; `None` is the one that the simulation was built with.
    pub(crate) fn take_medium(&mut self, medium: Option<Medium>) {
        self.live.medium = medium;
        medium.unwrap_or(self.live.built).put(&mut self.settings);
        if self.settings.wind.is_some()
            && self.wind.is_none()
            && let Some(scene) = &self.scene
        {
            let internal = |v: u32| self.internal(v as usize) as u32;
            let triangles = scene.triangles().into_iter().map(|triangle| triangle.map(internal));
            self.wind = Some(WindField::new(triangles.collect(), self.len()));
        }
    }

    /// Σ m x of the particles that can move, kg·m.
    fn first_moment(&self) -> Vector3<f64> {
        let particles = &self.fine.particles.now[..self.len()];
        let free = particles.iter().filter(|p| p.w > T::zero());
        free.map(|p| widen(&p.x) / p.w.to_f64()).sum()
    }
}
