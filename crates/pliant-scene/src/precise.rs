//! [`Scene::build_precise`]: the simulation of a scene, in the number type that it asks for or needs.

use pliant_solver::{Concern, Method};

use crate::build::Built;
use crate::error::SceneError;
use crate::load::Scene;
use crate::model::Precision;

/// So many frames at most are searched for the fastest motion.
const LOOKED_AT: u32 = 2_000;
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
    /// unless rounding [shows](pliant_solver::Rounding::matters) because of the number of substeps (that of hard
    /// frames, where the method chooses it), the size of elements or the distance from the origin. With
    /// [`Precision::F32`] it is double precision too where rounding can [ruin](pliant_solver::Rounding::ruins) the run,
    /// unless the scene [accepts](crate::model::AcceptModel::Resolution) that.
    ///
    /// ```
    /// use pliant_scene::{Precise, Scene};
    ///
    /// let mut scene = Scene::parse(
    ///     "[[body]]\nmesh = { grid = { vertices = [6, 6], size = [1.0, 1.0] } }\narea_density = 0.3\nedges = \"rigid\"\n",
    ///     ".",
    /// )?;
    /// assert!(matches!(scene.build_precise()?, Precise::Single(_)));
    /// scene.model.solver.substeps = Some(2000.try_into()?);
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
        let precision = self.model.precision;
        if precision == Precision::F64 {
            return Ok(Precise::Double(self.build()?));
        }
        let single = match self.build::<f32>() {
            Ok(single) => single,
            // A scene that is too coarse for single precision may be valid in double precision.
            Err(_) if precision == Precision::Auto => return Ok(Precise::Double(self.build()?)),
            Err(error) => return Err(error),
        };
        let simulation = &single.simulation;
        let settings = simulation.settings();
        let chosen = if settings.method == Method::Auto { CHOSEN } else { 1 };
        // The shortest substeps decide what is best; a few frames with short ones do not ruin a run.
        let substeps = match precision {
            Precision::Auto => {
                simulation.most_substeps(self.model.frames.get().min(LOOKED_AT), self.time_step())
            }
            _ => settings.substeps,
        };
        let h = self.time_step() / f64::from(most(substeps).saturating_mul(chosen).max(1));
        let time = f64::from(self.model.frames) * self.time_step();
        let rounding = simulation.rounding();
        let is_too_coarse = match precision {
            Precision::Auto => rounding.matters(h, time),
            _ => rounding.ruins(h, time) && !self.model.accepts(Concern::Resolution),
        };
        if is_too_coarse {
            drop(single);
            return Ok(Precise::Double(self.build()?));
        }
        Ok(Precise::Single(single))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sheet that names `precision`, and whether it is solved in double precision.
    fn is_double(precision: &str, substeps: u32, more: &str) -> bool {
        let text = format!(
            "frames = 120\nprecision = \"{precision}\"\n{more}\n[solver]\nsubsteps = {substeps}\n[[body]]\n\
            mesh = {{ grid = {{ vertices = [6, 6], size = [1.0, 1.0] }} }}\narea_density = 0.3\nedges = \"rigid\"\n"
        );
        matches!(Scene::parse(&text, ".").unwrap().build_precise().unwrap(), Precise::Double(_))
    }

    #[test]
    fn single_precision_that_is_asked_for_is_kept_until_rounding_could_ruin_the_run() {
        let ladder = [15, 60, 120, 240, 480, 960, 2000];
        let first = |precision| ladder.iter().position(|&n| is_double(precision, n, "")).unwrap();
        assert!(first("auto") < first("f32"), "{} {}", first("auto"), first("f32"));
        assert!(is_double("f64", 15, ""));
        assert!(is_double("f32", 2000, "accept = [\"energy\"]"));
        assert!(!is_double("f32", 2000, "accept = [\"resolution\"]"));
        assert!(!is_double("f32", 2000, "accept = [\"all\"]"));
    }
}
