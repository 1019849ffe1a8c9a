//! [`Scene::meetings`]: the surfaces of a scene that may touch and cross, without its simulation.

use pliant_solver::Meetings;

use super::{BuiltBody, Described, FineSurfaces};
use crate::error::SceneError;
use crate::load::Scene;

impl Scene {
    /// The surfaces of the bodies that collide, by the rules of the scene, and all its bodies; none if no
    /// body collides. Use it to find what touches or crosses in positions from a run: nothing is planned.
    ///
    /// ```
    /// use pliant_scene::Scene;
    ///
    /// let scene = Scene::parse(
    ///     "[[body]]\nmesh = { grid = { vertices = [6, 6], size = [1.0, 1.0] } }\nedges = \"rigid\"\ncollide = true\ncontact_radius = 0.002\n",
    ///     ".",
    /// )?;
    /// let (meetings, bodies) = scene.meetings()?.expect("the sheet meets itself");
    /// assert_eq!((meetings.surface().triangles().len(), bodies.len()), (50, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Scene::build`].
    pub fn meetings(&self) -> Result<Option<(Meetings, Vec<BuiltBody>)>, SceneError> {
        if self.model.bodies.iter().all(|body| body.meets().is_none()) {
            return Ok(None);
        }
        let Described { builder, bodies, .. } = self.describe().map_err(|fault| self.locate(fault))?;
        let meetings = builder.meetings().map_err(|error| self.locate(self.blame(&error)))?;
        Ok(meetings.map(|meetings| (meetings, bodies)))
    }

    /// The bodies of the scene and where their fine surfaces are drawn, without its simulation.
    ///
    /// # Errors
    ///
    /// As for [`Scene::build`].
    pub fn fine_surfaces(&self) -> Result<(FineSurfaces, Vec<BuiltBody>), SceneError> {
        let Described { bodies, seams, .. } = self.describe().map_err(|fault| self.locate(fault))?;
        Ok((FineSurfaces::of(&self.model, &bodies, &seams).0, bodies))
    }
}
