//! [`Scene::build_precise`]: the simulation of a scene, in the number type that it asks for or needs.

use pliant_solver::Method;

use crate::build::Built;
use crate::error::SceneError;
use crate::load::Scene;
use crate::model::Precision;

/// Times the substeps of a scene that the method `auto` takes in hard frames.
const CHOSEN: u32 = 32;

/// A built scene in either precision.
#[derive(Debug)]
pub enum Precise {
    /// In single precision.
    Single(Built<f32>),
    /// In double precision.
    Double(Built<f64>),
}

impl Scene {
    /// Builds the scene in the precision that it asks for. With [`Precision::Auto`] that is single precision,
    /// unless rounding [matters](pliant_solver::Rounding::matters) because of the number of substeps (that of hard
    /// frames, where the method chooses it), the size of elements or the distance from the origin.
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
    /// scene.model.solver.substeps = None;
    /// scene.model.solver.method = Some(pliant_scene::model::MethodModel::Auto);
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

    /// The same for a run whose number of substeps changes: `most` maps the number of the scene to the one by
    /// which rounding is judged.
    ///
    /// # Errors
    ///
    /// As for [`Scene::build`].
    pub fn build_precise_for(&self, most: impl FnOnce(u32) -> u32) -> Result<Precise, SceneError> {
        match self.model.precision {
            Precision::F32 => Ok(Precise::Single(self.build()?)),
            Precision::F64 => Ok(Precise::Double(self.build()?)),
            Precision::Auto => {
                // A scene that is too coarse for single precision may be valid in double precision.
                let Ok(single) = self.build::<f32>() else { return Ok(Precise::Double(self.build()?)) };
                let simulation = &single.simulation;
                let settings = simulation.settings();
                let chosen = if settings.method == Method::Auto { CHOSEN } else { 1 };
                let h = self.time_step() / f64::from(most(settings.substeps).saturating_mul(chosen).max(1));
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
