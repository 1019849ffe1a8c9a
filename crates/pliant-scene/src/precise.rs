//! [`Scene::build_precise`]: the simulation of a scene, in the number type that it asks for or needs.

use crate::build::Built;
use crate::error::SceneError;
use crate::load::Scene;
use crate::model::Precision;

/// What a scene has been built into.
#[derive(Debug)]
pub enum Precise {
    /// In single precision.
    Single(Built<f32>),
    /// In double precision.
    Double(Built<f64>),
}

impl Scene {
    /// Builds the scene in the precision that it asks for. With [`Precision::Auto`] that is the single one, unless rounding [matters](pliant_solver::Rounding::matters) with so many substeps, such
    /// small elements or so far from the origin.
    ///
    /// ```
    /// use pliant_scene::{Precise, Scene};
    ///
    /// let mut scene = Scene::parse(
    ///     "[[body]]\nmesh = { grid = { vertices = [6, 6], size = [1.0, 1.0] } }\narea_density = 0.3\nedges = \"rigid\"\n",
    ///     ".",
    /// )?;
    /// assert!(matches!(scene.build_precise()?, Precise::Single(_)));
    /// scene.model.solver.substeps = Some(2000);
    /// assert!(matches!(scene.build_precise()?, Precise::Double(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Scene::build`].
    pub fn build_precise(&self) -> Result<Precise, SceneError> {
        self.build_precise_for(|substeps| substeps)
    }

    /// The same for a run whose number of substeps changes: `most` gives the number, from that of the scene, that rounding is judged by.
    ///
    /// # Errors
    ///
    /// As for [`Scene::build`].
    pub fn build_precise_for(&self, most: impl FnOnce(u32) -> u32) -> Result<Precise, SceneError> {
        match self.model.precision {
            Precision::F32 => Ok(Precise::Single(self.build()?)),
            Precision::F64 => Ok(Precise::Double(self.build()?)),
            Precision::Auto => {
                // What is too coarse for single precision may be no fault in double.
                let Ok(single) = self.build::<f32>() else { return Ok(Precise::Double(self.build()?)) };
                let simulation = &single.simulation;
                let h = self.time_step() / f64::from(most(simulation.settings().substeps).max(1));
                let time = f64::from(self.model.frames) * self.time_step();
                if simulation.rounding().matters(h, time) {
                    drop(single);
                    return Ok(Precise::Double(self.build()?));
                }
                Ok(Precise::Single(single))
            }
        }
    }
}
