//! [`Scenery`]: what the bodies of a run met and where they are seen from, from the copy of the scene in its folder.

use std::path::Path;

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_scene::Scene;
use pliant_scene::model::{CameraModel, ObstacleModel};

use crate::args::RenderArgs;

/// Floors, balls and boxes that stay where they are.
#[derive(Default)]
pub(super) struct Scenery {
    /// Height of the highest floor, m.
    pub(super) ground: Option<f64>,
    /// Surfaces of the others.
    pub(super) solids: Vec<TriMesh>,
    /// What is not drawn, for people.
    pub(super) remark: Option<String>,
    /// Where the scene wants its pictures to be taken from.
    pub(super) camera: CameraModel,
}

impl Scenery {
    /// Reads the scene of a run; without one there is no scenery.
    pub(super) fn of_run(folder: &Path) -> Self {
        let path = folder.join("scene.toml");
        if !path.is_file() {
            return Self::default();
        }
        match Scene::load(&path) {
            Ok(scene) => Self { camera: scene.model.output.camera, ..Self::of(&scene.model.obstacles) },
            Err(error) => {
                let remark = format!("obstacles are not drawn: {error}");
                Self { remark: Some(remark), ..Self::default() }
            }
        }
    }

    /// Where the camera stands: where the command line says, else where the scene does.
    pub(super) fn camera(&self, args: &RenderArgs) -> CameraModel {
        CameraModel {
            azimuth: args.azimuth.unwrap_or(self.camera.azimuth),
            elevation: args.elevation.unwrap_or(self.camera.elevation),
        }
    }

    fn of(obstacles: &[ObstacleModel]) -> Self {
        let mut scenery = Self::default();
        let mut left_out = 0;
        for obstacle in obstacles {
            if obstacle.motion.is_some() {
                left_out += 1;
            } else if let Some(floor) = &obstacle.floor {
                scenery.ground = Some(scenery.ground.map_or(floor.height, |height| height.max(floor.height)));
            } else if let Some(ball) = &obstacle.sphere {
                let centre = Vector3::from(ball.centre);
                let mesh = TriMesh::icosphere(ball.radius, 24).ok().and_then(|ball| {
                    ball.with_positions(ball.positions().iter().map(|p| p + centre).collect()).ok()
                });
                scenery.solids.extend(mesh);
            } else if let Some(solid) = &obstacle.solid_box {
                scenery.solids.extend(cuboid(solid.min.into(), solid.max.into()));
            } else if obstacle.container.is_none() {
                left_out += 1;
            }
        }
        if left_out > 0 {
            scenery.remark =
                Some(format!("{left_out} of the obstacles are not drawn: planes, and those that move"));
        }
        scenery
    }
}

/// The surface of a box; none if a coordinate is not finite.
fn cuboid(min: Vector3<f64>, max: Vector3<f64>) -> Option<TriMesh> {
    let pick = |corner: u32, axis: usize| if corner >> axis & 1 == 0 { min[axis] } else { max[axis] };
    let corners = (0..8).map(|c| Vector3::new(pick(c, 0), pick(c, 1), pick(c, 2))).collect();
    // Corners by bits x, y, z; each face counter-clockwise from outside.
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    TriMesh::new(corners, faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_closed_and_turned_outwards() {
        let mesh = cuboid(Vector3::new(-1.0, 0.0, 2.0), Vector3::new(1.0, 3.0, 2.5)).unwrap();
        assert!((mesh.enclosed_volume() - 3.0).abs() < 1e-12);
        assert_eq!(2 * mesh.edges().len(), 3 * mesh.triangles().len());
    }

    #[test]
    fn obstacles_become_scenery_and_the_others_are_told() {
        let text = "[[body]]\nmesh = { grid = { vertices = [2, 2], size = [1, 1] } }\nedges = { compliance = 1e-6 }\n\
                    [[obstacle]]\nfloor = { height = -1.0 }\n[[obstacle]]\nfloor = { height = 0.5 }\n\
                    [[obstacle]]\nsphere = { centre = [0, 1, 0], radius = 0.5 }\n\
                    [[obstacle]]\nplane = { point = [0, 0, 0], normal = [1, 0, 0] }\n";
        let scene = Scene::parse(text, ".").unwrap();
        let scenery = Scenery::of(&scene.model.obstacles);
        assert_eq!((scenery.ground, scenery.solids.len()), (Some(0.5), 1));
        assert!(
            scenery.solids[0].positions().iter().all(|p| ((p - Vector3::y()).norm() - 0.5).abs() < 1e-12)
        );
        assert!(scenery.remark.unwrap().starts_with("1 of the obstacles"));
    }
}
