//! The obstacles and the camera of a run, from the copy of the scene in its folder.

use std::ops::Deref;
use std::path::Path;

use pliant_scene::model::CameraModel;
use pliant_view::Scenery;

use crate::args::RenderArgs;
use crate::origin::scene_of_run;

/// The obstacles of a run, and when they are where.
#[derive(Default)]
pub(super) struct RunScenery {
    pub(super) scenery: Scenery,
    /// Time from one written frame to the next, s, for files without it.
    between: f64,
}

impl Deref for RunScenery {
    type Target = Scenery;

    fn deref(&self) -> &Scenery {
        &self.scenery
    }
}

impl RunScenery {
    /// Reads the scene of a run; without one there is no scenery.
    pub(super) fn of_run(folder: &Path) -> Self {
        match scene_of_run(folder) {
            None => Self::default(),
            Some(Ok(scene)) => Self {
                between: f64::from(scene.model.output.every) / scene.model.frame_rate.get(),
                scenery: Scenery::of(&scene),
            },
            Some(Err(error)) => {
                let remark = format!("obstacles are not drawn: {error}");
                Self { scenery: Scenery { remark: Some(remark), ..Scenery::default() }, between: 0.0 }
            }
        }
    }

    /// The camera of the command line, or else of the scene.
    pub(super) fn camera(&self, args: &RenderArgs) -> CameraModel {
        let mut camera = self.camera;
        if args.azimuth.is_some() || args.elevation.is_some() {
            (camera.eye, camera.target) = (None, None);
        }
        camera.azimuth = args.azimuth.unwrap_or(camera.azimuth);
        camera.elevation = args.elevation.unwrap_or(camera.elevation);
        camera
    }

    /// The time of a written frame, s; `told` is the time in its files, if they have one.
    pub(super) fn time(&self, frame: usize, told: Option<f64>) -> f64 {
        told.unwrap_or(frame as f64 * self.between)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "frame_rate = 20\n[[body]]\nmesh = { grid = { vertices = [2, 2], size = [1, 1] } }\nedges = { compliance = 1e-6 }\n";

    #[test]
    fn what_moves_is_where_the_simulation_has_it() {
        let text = format!(
            "{BODY}[[obstacle]]\nbox = {{ min = [0, 0, 0], max = [1, 1, 1] }}\nmotion = {{ velocity = [0, 3, 0] }}\n\
             [output]\nevery = 2\n"
        );
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("scene.toml"), text).unwrap();
        let scenery = RunScenery::of_run(folder.path());
        assert!(scenery.remark.is_none());
        for (told, height) in [(Some(0.5), 1.5), (None, 0.9)] {
            let moved = scenery.solids[0].at(scenery.time(3, told));
            let lowest = moved.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
            assert!((lowest - height).abs() < 1e-12, "{lowest}");
        }
    }
}
