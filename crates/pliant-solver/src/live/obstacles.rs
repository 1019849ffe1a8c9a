//! Obstacles moved, added and removed while a simulation runs.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::Vector3;
use pliant_kernel::Scalar;

use crate::describe::motion::Motion;
use crate::describe::obstacle::Obstacle;
use crate::error::BuildError;
use crate::error::obstacle::ObstacleError;
use crate::float::Float;
use crate::live::error::{LiveError, finite};
use crate::live::state::{ObstacleId, Standing};
use crate::simulation::Simulation;
use crate::world::World;

impl<T: Scalar> World<T> {
    /// The obstacles, in the order in which they were given or added.
    pub fn obstacles(&self) -> impl ExactSizeIterator<Item = ObstacleId> {
        self.live.obstacles.iter().map(|standing| ObstacleId(standing.id))
    }

    fn place_of_obstacle(&self, obstacle: ObstacleId) -> Result<usize, LiveError> {
        let found = self.live.obstacles.iter().position(|standing| standing.id == obstacle.0);
        found.ok_or(LiveError::Gone { what: "obstacle" })
    }

    /// The surfaces of the obstacle at a place.
    pub(crate) fn surfaces_of_obstacle(&self, at: usize) -> Range<usize> {
        let count = |standing: &Standing| standing.obstacle.shape.surfaces();
        let first = self.live.obstacles[..at].iter().map(count).sum();
        first..first + count(&self.live.obstacles[at])
    }

    /// Gives the obstacle at a place another motion.
    pub(crate) fn give_motion(&mut self, at: usize, motion: Motion) {
        self.live.touched = true;
        self.contacts.set_motion(self.surfaces_of_obstacle(at), &motion);
        self.live.obstacles[at].motion = Some(Arc::new(motion));
    }

    /// Replaces all obstacles.
    pub(crate) fn replace_obstacles(&mut self, obstacles: Vec<Standing>) {
        let count: usize = obstacles.iter().map(|standing| standing.obstacle.shape.surfaces()).sum();
        let mut kept = 0;
        for (old, new) in self.live.obstacles.iter().zip(&obstacles) {
            if !Arc::ptr_eq(&old.obstacle, &new.obstacle) {
                break;
            }
            let surfaces = kept..kept + new.obstacle.shape.surfaces();
            kept = surfaces.end;
            self.contacts.set_motion(surfaces, new.motion());
        }
        self.contacts.remove(kept..self.contacts.poses().len());
        let mut at = 0;
        for standing in &obstacles {
            if at >= kept {
                self.contacts.add(&standing.obstacle, standing.motion(), self.time);
            }
            at += standing.obstacle.shape.surfaces();
        }
        debug_assert_eq!(self.contacts.poses().len(), count, "every obstacle has its surfaces");
        self.live.obstacles = obstacles;
    }

    pub(crate) fn add_obstacle_here(&mut self, obstacle: Obstacle) -> Result<ObstacleId, LiveError> {
        obstacle.check(self.live.obstacles.len()).map_err(BuildError::from)?;
        self.contacts.add(&obstacle, &obstacle.motion, self.time);
        let id = self.live.take_number();
        let obstacle = Arc::new(obstacle);
        self.live.obstacles.push(Standing { id, obstacle, built: false, motion: None, goal: None });
        Ok(ObstacleId(id))
    }

    pub(crate) fn remove_obstacle_here(&mut self, obstacle: ObstacleId) -> Result<(), LiveError> {
        let at = self.place_of_obstacle(obstacle)?;
        let surfaces = self.surfaces_of_obstacle(at);
        self.contacts.remove(surfaces);
        self.live.obstacles.remove(at);
        self.live.touched = true;
        Ok(())
    }
}

impl<T: Float> Simulation<T> {
    /// Gives an obstacle another motion, from the next substep on. If the motion starts at another place, the
    /// obstacle jumps there within that substep; [`move_obstacle`](Self::move_obstacle) avoids this. Costs
    /// O(obstacles).
    ///
    /// # Errors
    ///
    /// If the obstacle was removed, or the motion is invalid.
    pub fn set_obstacle_motion(&mut self, obstacle: ObstacleId, motion: Motion) -> Result<(), LiveError> {
        let at = self.world.place_of_obstacle(obstacle)?;
        if let Some(problem) = motion.problem(None) {
            let error = ObstacleError { obstacle: at, problem: problem.into() };
            return Err(BuildError::from(error).into());
        }
        self.world.live.obstacles[at].goal = None;
        T::give_motion(&mut self.world, at, motion);
        Ok(())
    }

    /// Moves an obstacle evenly in the course of the next frame, from its present pose to the one given by a
    /// displacement from rest, m, and a rotation, axis times angle in rad; it stays there until it is moved
    /// again. It turns about the pivot of its motion, or about the origin. The last call before a frame
    /// counts. Costs O(obstacles).
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Compliance, Obstacle, Simulation};
    ///
    /// let sheet = Body::cloth(TriMesh::grid([9, 9], [0.5, 0.5])?).stretch(Compliance::new(1e-6)).pin_vertices([0, 8, 72, 80]);
    /// let mut sim = Simulation::builder().gravity(Vector3::zeros()).body(sheet).build()?;
    /// let ball = sim.add_obstacle(Obstacle::sphere(Vector3::new(0.0, -0.2, 0.0), 0.1))?;
    /// for frame in 1..=20 {
    ///     sim.move_obstacle(ball, Vector3::new(0.0, 0.01 * f64::from(frame), 0.0), Vector3::zeros())?;
    ///     sim.advance(1.0 / 60.0)?;
    /// }
    /// assert!(sim.position(40).y > 0.09, "the ball has pushed the middle of the sheet up");
    /// sim.remove_obstacle(ball)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the obstacle was removed, or a number is not finite.
    pub fn move_obstacle(
        &mut self,
        obstacle: ObstacleId,
        displacement: impl Into<Vector3<f64>>,
        rotation: impl Into<Vector3<f64>>,
    ) -> Result<(), LiveError> {
        let at = self.world.place_of_obstacle(obstacle)?;
        let displacement = finite("displacement of an obstacle", displacement.into())?;
        let rotation = finite("rotation of an obstacle", rotation.into())?;
        self.world.live.obstacles[at].goal = Some([displacement, rotation]);
        self.world.live.touched = true;
        Ok(())
    }

    /// Adds an obstacle at the pose of its motion at the present time. Particles inside are pushed out in the
    /// next substep, at whatever speed that takes: it is better to add it in free space and to move it. Costs
    /// O(particles).
    ///
    /// # Errors
    ///
    /// If the obstacle is invalid.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) -> Result<ObstacleId, LiveError> {
        let id = T::add_obstacle(&mut self.world, obstacle)?;
        T::refit(self);
        Ok(id)
    }

    /// Removes an obstacle. Costs O(obstacles).
    ///
    /// # Errors
    ///
    /// If it was removed already.
    pub fn remove_obstacle(&mut self, obstacle: ObstacleId) -> Result<(), LiveError> {
        T::remove_obstacle(&mut self.world, obstacle)
    }
}
