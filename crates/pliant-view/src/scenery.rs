//! [`Scenery`]: the obstacles of a scene, as they are drawn, and its camera.

use nalgebra::Vector3;
use pliant_mesh::{Aabb, TriMesh};
use pliant_scene::model::{CameraModel, ObstacleModel};
use pliant_scene::{Scene, rigid_motion};
use pliant_solver::Motion;

use crate::prop::{Look, Prop};
use crate::solids;
use crate::walls::{Walls, Whereabouts};

/// How finely balls are drawn: pieces along an edge of the icosahedron.
const BALL: usize = 24;
/// The same for balls that move, because every frame of a page holds all their vertices.
const MOVING_BALL: usize = 10;
/// The same for rods: strips at each end.
const ROD: usize = 16;
const MOVING_ROD: usize = 6;

/// How far the ground around the bodies reaches in a picture, as a share of the diagonal of the space that they occupy.
const BESIDE: f64 = 0.5;

/// The obstacles, which bodies cannot pass.
#[derive(Debug, Default)]
pub struct Scenery {
    /// Height of the highest floor, m.
    pub ground: Option<f64>,
    /// All bounded obstacles: balls, boxes, rods, hulls, ground and solids of any shape.
    pub solids: Vec<Prop>,
    /// Planes, floors that move, and containers.
    pub walls: Walls,
    /// A message on what is not drawn.
    pub remark: Option<String>,
    /// The camera of the scene.
    pub camera: CameraModel,
}

impl Scenery {
    /// What a scene has besides its bodies. Files of obstacles are read; one that cannot be is left out, and
    /// the remark says so.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        let mut scenery = Self { camera: scene.model.output.camera, ..Self::default() };
        for (i, obstacle) in scene.model.obstacles.iter().enumerate() {
            match scene.obstacle_surface(i) {
                Ok(Some(surface)) => {
                    let look = if obstacle.height_field.is_some() { Look::Ground } else { Look::Stone };
                    let prop = Prop::of_stone(surface, motion_of(obstacle));
                    scenery.solids.push(Prop { look, obstacle: Some(i), ..prop });
                }
                Ok(None) => scenery.add(i, obstacle),
                Err(error) => scenery.remark = Some(format!("an obstacle is not drawn: {error}")),
            }
        }
        scenery
    }

    /// Adds an obstacle without data of its own from a checked scene.
    fn add(&mut self, number: usize, obstacle: &ObstacleModel) {
        let motion = motion_of(obstacle);
        if let Some(ball) = &obstacle.sphere {
            let fine = if motion.is_some() { MOVING_BALL } else { BALL };
            let centre = Vector3::from(ball.centre);
            self.add_solid(number, solids::ball(centre, ball.radius.get(), fine), motion);
        } else if let Some(solid) = &obstacle.solid_box {
            let solid = Aabb { min: solid.min.into(), max: solid.max.into() };
            self.add_solid(number, solids::cuboid(&solid), motion);
        } else if let Some(rod) = &obstacle.capsule {
            let fine = if motion.is_some() { MOVING_ROD } else { ROD };
            let ends = [rod.from.into(), rod.to.into()];
            self.add_solid(number, solids::capsule(ends, rod.radius.get(), fine), motion);
        } else if let Some(container) = &obstacle.container {
            if motion.is_none() {
                self.add_floor(container.min.get()[1]);
            }
            let inside = Aabb { min: container.min.into(), max: container.max.into() };
            self.walls.add_container(inside, motion);
        } else {
            let floor =
                obstacle.floor.as_ref().map(|floor| (Vector3::y() * floor.height.get(), Vector3::y()));
            let plane = || {
                let plane = obstacle.plane.as_ref()?;
                Some((plane.point.into(), Vector3::from(plane.normal.get()).try_normalize(0.0)?))
            };
            let Some((point, normal)) = floor.or_else(plane) else { return };
            // A level plane that does not move is a floor too.
            if motion.is_none() && normal == Vector3::y() {
                self.add_floor(point.y);
            } else {
                self.walls.add_plane(point, normal, motion);
            }
        }
    }

    fn add_solid(&mut self, number: usize, surface: Option<TriMesh>, motion: Option<Motion>) {
        let prop = |surface| Prop { obstacle: Some(number), ..Prop::of_stone(surface, motion) };
        self.solids.extend(surface.map(prop));
    }

    /// Passes to `take` the points of solids that belong in a picture of bodies at these places: all of a
    /// solid, and the ground under and around the bodies.
    pub fn in_picture(&self, seen: &[Whereabouts], mut take: impl FnMut(&[Vector3<f64>])) {
        for solid in &self.solids {
            // A solid that does not move is taken once.
            let is_still = solid.motion.is_none() && solid.look != Look::Ground;
            for seen in if is_still { &seen[..seen.len().min(1)] } else { seen } {
                let positions = solid.at(seen.time);
                if solid.look != Look::Ground {
                    take(&positions);
                    continue;
                }
                let around = seen.bounds.grown(BESIDE * seen.bounds.diagonal());
                let level = |x: &Vector3<f64>| Vector3::new(x.x, around.centre().y, x.z);
                take(&positions.iter().copied().filter(|x| around.contains(&level(x))).collect::<Vec<_>>());
            }
        }
    }

    /// Bodies are above all floors, so the highest floor hides the others.
    fn add_floor(&mut self, height: f64) {
        self.ground = Some(self.ground.map_or(height, |ground| ground.max(height)));
    }
}

fn motion_of(obstacle: &ObstacleModel) -> Option<Motion> {
    obstacle.motion.as_ref().map(rigid_motion)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "frame_rate = 20\n[[body]]\nmesh = { grid = { vertices = [2, 2], size = [1, 1] } }\nedges = { compliance = 1e-6 }\n";

    fn scenery(obstacles: &str) -> Scenery {
        Scenery::of(&Scene::parse(&format!("{BODY}{obstacles}"), ".").unwrap())
    }

    #[test]
    fn obstacles_become_scenery() {
        let scenery = scenery(
            "[[obstacle]]\nfloor = { height = -1.0 }\n[[obstacle]]\nfloor = { height = 0.5 }\n\
             [[obstacle]]\nsphere = { centre = [0, 1, 0], radius = 0.5 }\n\
             [[obstacle]]\nplane = { point = [0, 0, 0], normal = [1, 0, 0] }\n",
        );
        assert_eq!((scenery.ground, scenery.solids.len()), (Some(0.5), 1));
        let ball = &scenery.solids[0];
        assert!(ball.at(3.0).iter().all(|p| ((p - Vector3::y()).norm() - 0.5).abs() < 1e-12));
        assert_eq!(ball.look, Look::Stone);
    }

    #[test]
    fn rods_are_drawn_where_they_are() {
        let scenery =
            scenery("[[obstacle]]\ncapsule = { from = [0, 1, 0], to = [0, 1, 2], radius = 0.25 }\n");
        let highest = scenery.solids[0].at(0.0).iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
        assert!((highest - 1.25).abs() < 1e-2, "{highest}");
        assert_eq!((scenery.ground, scenery.solids.len()), (None, 1));
    }

    #[test]
    fn shapes_with_data_of_their_own_are_drawn_by_their_surface() {
        let hull = "[[obstacle]]\nhull = { points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] }\n";
        let ground = "[[obstacle]]\nheight_field = { heights = [[0, 1, 0], [0, 0, 0]], spacing = 1 }\n";
        let drawn = scenery(&format!("{hull}motion = {{ velocity = [0, 1, 0] }}\n{ground}"));
        let counts: Vec<usize> = drawn.solids.iter().map(|solid| solid.triangles.len()).collect();
        assert_eq!(counts, [4, 4]);
        assert!((drawn.solids[0].at(2.0)[0].y - 2.0).abs() < 1e-12);
        // A missing file is reported, and the others are drawn.
        let rest = scenery(&format!("[[obstacle]]\nsdf = {{ mesh = \"no.obj\", cell = 1 }}\n{hull}"));
        assert_eq!(rest.solids.len(), 1);
        assert!(rest.remark.unwrap().contains("no.obj"));
    }

    #[test]
    fn a_picture_is_of_bodies_and_the_ground_around_them() {
        let rows = format!("[{}]", ["[0, 0, 0, 0, 0, 0, 0, 0, 0]"; 9].join(", "));
        let ground = format!("height_field = {{ heights = {rows}, spacing = 10, origin = [-40, -1, -40] }}");
        let drawn = scenery(&format!(
            "[[obstacle]]\n{ground}\n[[obstacle]]\nsphere = {{ centre = [9, 9, 9], radius = 1 }}\n"
        ));
        let bounds = Aabb { min: Vector3::repeat(-6.0), max: Vector3::repeat(6.0) };
        let mut points = Vec::new();
        drawn.in_picture(&[Whereabouts { time: 0.0, bounds }; 2], |more| points.extend(more.to_vec()));
        let low: Vec<_> = points.iter().filter(|x| x.y < 0.0).collect();
        // The ground is the same in both frames; the ball is taken once.
        assert_eq!(low.len(), 2 * 9);
        assert_eq!(points.len() - low.len(), drawn.solids[1].positions.len());
    }

    #[test]
    fn a_level_plane_is_a_floor_unless_it_moves() {
        let plane = "[[obstacle]]\nplane = { point = [3, 0.25, 0], normal = [0, 2, 0] }\n";
        assert_eq!(scenery(plane).ground, Some(0.25));
        assert_eq!(scenery(&format!("{plane}motion = {{ velocity = [0, 1, 0] }}\n")).ground, None);
        let container = "[[obstacle]]\ncontainer = { min = [-1, -2, -1], max = [1, 1, 1] }\n";
        assert_eq!(scenery(container).ground, Some(-2.0));
        assert_eq!(scenery(&format!("{container}motion = {{ velocity = [0, 1, 0] }}\n")).ground, None);
    }
}
