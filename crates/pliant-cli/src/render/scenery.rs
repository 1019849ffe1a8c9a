//! [`Scenery`]: what the bodies of a run met and where they are seen from, from the copy of the scene in its folder.

use std::path::Path;

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_scene::model::{CameraModel, ObstacleModel};
use pliant_scene::{Scene, rigid_motion};
use pliant_solver::Motion;

use crate::args::RenderArgs;

/// How finely balls are drawn: pieces along an edge of the icosahedron.
const BALL: usize = 24;
/// Of those that move, every frame of a page holds all vertices.
const MOVING_BALL: usize = 10;

/// Floors, balls and boxes.
#[derive(Default)]
pub(super) struct Scenery {
    /// Height of the highest floor, m.
    pub(super) ground: Option<f64>,
    /// Surfaces of the others that stay where they are.
    pub(super) solids: Vec<TriMesh>,
    /// Surfaces of those that move, where they rest, and how.
    pub(super) moving: Vec<(TriMesh, Motion)>,
    /// Time from one written frame to the next, s, for files that do not tell it.
    between: f64,
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
            Ok(scene) => Self {
                camera: scene.model.output.camera,
                between: f64::from(scene.model.output.every) / scene.model.frame_rate,
                ..Self::of(&scene.model.obstacles)
            },
            Err(error) => {
                let remark = format!("obstacles are not drawn: {error}");
                Self { remark: Some(remark), ..Self::default() }
            }
        }
    }

    /// Where the camera stands: where the command line says, else where the scene does.
    pub(super) fn camera(&self, args: &RenderArgs) -> CameraModel {
        let mut camera = self.camera;
        if args.azimuth.is_some() || args.elevation.is_some() {
            (camera.eye, camera.target) = (None, None);
        }
        camera.azimuth = args.azimuth.unwrap_or(camera.azimuth);
        camera.elevation = args.elevation.unwrap_or(camera.elevation);
        camera
    }

    /// Where what moves is in a written frame, whose time may be known, s: positions for each of [`moving`](Self::moving), m.
    pub(super) fn moved(&self, frame: usize, time: Option<f64>) -> Vec<Vec<Vector3<f64>>> {
        let time = time.unwrap_or(frame as f64 * self.between);
        let positions = |(mesh, motion): &(TriMesh, Motion)| {
            let pose = motion.pose(time);
            mesh.positions().iter().map(|x| pose.apply(x)).collect()
        };
        self.moving.iter().map(positions).collect()
    }

    fn of(obstacles: &[ObstacleModel]) -> Self {
        let mut scenery = Self::default();
        let mut left_out = 0;
        for obstacle in obstacles {
            let motion = obstacle.motion.as_ref().map(rigid_motion);
            let mesh = if let Some(ball) = &obstacle.sphere {
                let fine = if motion.is_some() { MOVING_BALL } else { BALL };
                let centre = Vector3::from(ball.centre);
                TriMesh::icosphere(ball.radius, fine).ok().and_then(|ball| {
                    ball.with_positions(ball.positions().iter().map(|p| p + centre).collect()).ok()
                })
            } else {
                let solid = obstacle.solid_box.as_ref();
                solid.and_then(|solid| cuboid(solid.min.into(), solid.max.into()))
            };
            // What bodies stay inside of has a floor too; its walls would hide them.
            let floor = obstacle.floor.as_ref().map(|floor| floor.height);
            let floor = floor.or(obstacle.container.as_ref().map(|container| container.min[1]));
            match (mesh, motion, floor) {
                (Some(mesh), Some(motion), _) => scenery.moving.push((mesh, motion)),
                (Some(mesh), None, _) => scenery.solids.push(mesh),
                (None, None, Some(floor)) => {
                    scenery.ground = Some(scenery.ground.map_or(floor, |height| height.max(floor)));
                }
                _ => left_out += 1,
            }
        }
        if left_out > 0 {
            let obstacles = if left_out == 1 { "obstacle is" } else { "obstacles are" };
            scenery.remark =
                Some(format!("{left_out} {obstacles} not drawn: planes and floors that move are left out"));
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
        assert!(scenery.remark.unwrap().starts_with("1 obstacle is not drawn"));
    }

    #[test]
    fn what_moves_is_where_the_simulation_has_it() {
        let text = "frame_rate = 20\n[[body]]\nmesh = { grid = { vertices = [2, 2], size = [1, 1] } }\nedges = { compliance = 1e-6 }\n\
                    [[obstacle]]\ncontainer = { min = [-1, -2, -1], max = [1, 1, 1] }\n\
                    [[obstacle]]\nbox = { min = [0, 0, 0], max = [1, 1, 1] }\nmotion = { velocity = [0, 3, 0] }\n\
                    [output]\nevery = 2\n";
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("scene.toml"), text).unwrap();
        let scenery = Scenery::of_run(folder.path());
        assert!(scenery.remark.is_none() && scenery.solids.is_empty());
        assert_eq!(scenery.ground, Some(-2.0));
        for (time, height) in [(Some(0.5), 1.5), (None, 0.9)] {
            let moved = scenery.moved(3, time);
            assert_eq!(moved.len(), 1);
            let lowest = moved[0].iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
            assert!((lowest - height).abs() < 1e-12, "{lowest}");
        }
    }
}
