//! [`Walls`]: planes and containers, cut to what is seen of them.
//!
//! A plane has no end, and a container may be much larger than what happens in it. Only the part around the
//! bodies is drawn: a sheet with a rim, which ends at the other planes and containers that do not move.
//! Bodies are always on its free side. From there a plane looks like a sheet, from behind like glass; a
//! container looks like glass, so that its content is visible.

use nalgebra::Vector3;
use pliant_mesh::Aabb;
use pliant_solver::{Motion, Pose};

use crate::prop::{Look, Prop, corners};

/// How far a sheet reaches beyond the bodies, as a share of half the diagonal of the space that they move in.
const MARGIN: f64 = 0.35;
/// How many of these half diagonals a plane may be away from all bodies, before it is no longer drawn.
const FAR: f64 = 8.0;
/// How many times larger than what happens in it a container may be to be seen whole.
const ROOMY: f64 = 1.8;
/// How far a sheet is moved back so that bodies on it are visible, as a share of the same; the ground is
/// moved back as far.
const BEHIND: f64 = 4e-3;
/// Half of the thickness of a rim, as a share of the same.
const RIM: f64 = 4e-3;

/// Where the bodies are in a frame.
#[derive(Debug, Clone, Copy)]
pub struct Whereabouts {
    /// Simulated time, s.
    pub time: f64,
    /// The box around all of them, m.
    pub bounds: Aabb,
}

/// All flat obstacles.
#[derive(Debug, Default)]
pub struct Walls {
    all: Vec<Wall>,
}

/// A plane or a container.
#[derive(Debug)]
struct Wall {
    /// Its faces at rest.
    faces: Vec<HalfSpace>,
    /// The space in a container.
    inside: Option<Aabb>,
    motion: Option<Motion>,
}

/// The points with n·x ≥ offset, which are free.
#[derive(Debug, Clone, Copy)]
struct HalfSpace {
    /// n, of unit length.
    normal: Vector3<f64>,
    /// The offset, m.
    offset: f64,
}

impl Walls {
    /// Adds a plane with a normal of unit length into its free side.
    pub(crate) fn add_plane(&mut self, point: Vector3<f64>, normal: Vector3<f64>, motion: Option<Motion>) {
        let faces = vec![HalfSpace { normal, offset: normal.dot(&point) }];
        self.all.push(Wall { faces, inside: None, motion });
    }

    /// Adds a container.
    pub(crate) fn add_container(&mut self, inside: Aabb, motion: Option<Motion>) {
        let pair = |k: usize| {
            let mut normal = Vector3::zeros();
            normal[k] = 1.0;
            [
                HalfSpace { normal, offset: inside.min[k] },
                HalfSpace { normal: -normal, offset: -inside.max[k] },
            ]
        };
        self.all.push(Wall { faces: (0..3).flat_map(pair).collect(), inside: Some(inside), motion });
    }

    /// The most vertices of the sheets and rims of moving walls.
    #[must_use]
    pub fn moving_vertices(&self) -> usize {
        let moving = self.all.iter().filter(|wall| wall.motion.is_some());
        // A square, which the other faces of a container cut to four corners again, and a rod along each side.
        moving.map(|wall| wall.faces.len() * (4 + 4 * 8)).sum()
    }

    /// The points of containers that belong in a picture: their corners, unless they are much larger than
    /// their content.
    #[must_use]
    pub fn in_picture(&self, seen: &[Whereabouts]) -> Vec<Vector3<f64>> {
        let Some(space) = space_of(seen) else { return Vec::new() };
        let mut points = Vec::new();
        for wall in &self.all {
            let Some(corners) = wall.corners_if_whole(&space) else { continue };
            match &wall.motion {
                None => points.extend(corners),
                Some(motion) => points.extend(seen.iter().flat_map(|seen| {
                    let pose = motion.pose(seen.time);
                    corners.map(|corner| pose.apply(&corner))
                })),
            }
        }
        points
    }

    /// The sheets and rims to be drawn, if these are all the frames in which something is; `ground` is the
    /// height of what is drawn as the ground, m.
    #[must_use]
    pub fn around(&self, seen: &[Whereabouts], ground: Option<f64>) -> Vec<Prop> {
        let Some(space) = space_of(seen) else { return Vec::new() };
        let reach = 0.5 * space.diagonal().max(1e-9);
        let behind = |face: &HalfSpace| HalfSpace { offset: face.offset - BEHIND * reach, ..*face };
        let floor = ground.map(|height| HalfSpace { normal: Vector3::y(), offset: height });
        // Walls that do not move end at each other.
        let still = self.all.iter().filter(|wall| wall.motion.is_none()).flat_map(|wall| &wall.faces);
        let still: Vec<HalfSpace> = still.chain(&floor).map(behind).collect();
        let mut props = Vec::new();
        for wall in &self.all {
            let own: Vec<HalfSpace> = wall.faces.iter().map(behind).collect();
            let borders = if wall.motion.is_none() { &still } else { &own };
            let look = if wall.inside.is_some() { Look::Pane } else { Look::Wall };
            let [mut sheet, mut rim] = [look, Look::Rim].map(|look| Prop::empty(look, &wall.motion));
            let whole = wall.corners_if_whole(&space);
            let poses: Vec<Pose> = seen
                .iter()
                .map(|seen| wall.motion.as_ref().map_or_else(Pose::identity, |m| m.pose(seen.time)))
                .collect();
            // The corners of the boxes around the bodies, in the rest coordinates of the wall.
            let of_bodies: Vec<Vector3<f64>> = seen
                .iter()
                .zip(&poses)
                .flat_map(|(seen, pose)| {
                    corners(&seen.bounds).map(|x| pose.rotation.transpose() * (x - pose.translation))
                })
                .collect();
            for face in &own {
                let points = whole.as_ref().map_or(of_bodies.as_slice(), |corners| corners.as_slice());
                let nearest = points.iter().map(|x| face.height(x)).fold(f64::INFINITY, f64::min);
                let is_ground = wall.motion.is_none()
                    && face.is_level()
                    && floor.is_some_and(|floor| face.offset <= floor.offset);
                if nearest > FAR * reach || is_ground {
                    continue;
                }
                let corners = borders.iter().fold(face.square(points, MARGIN * reach), |polygon, border| {
                    border.free_part(&polygon, 1e-9 * reach)
                });
                sheet.add_polygon(&corners);
                for (k, from) in corners.iter().enumerate() {
                    rim.add_rod([*from, corners[(k + 1) % corners.len()]], face.normal, RIM * reach);
                }
            }
            props.extend([sheet, rim].into_iter().filter(|prop| !prop.triangles.is_empty()));
        }
        props
    }
}

impl Wall {
    /// The corners of a container that is drawn whole in a view of a space.
    fn corners_if_whole(&self, space: &Aabb) -> Option<[Vector3<f64>; 8]> {
        self.inside
            .filter(|inside| inside.diagonal() <= ROOMY * space.diagonal())
            .map(|inside| corners(&inside))
    }
}

impl HalfSpace {
    /// How far a point lies in the free side, m.
    fn height(&self, x: &Vector3<f64>) -> f64 {
        self.normal.dot(x) - self.offset
    }

    /// Whether it is a floor.
    fn is_level(&self) -> bool {
        self.normal.y > 1.0 - 1e-12
    }

    /// A rectangle in its plane that covers the points and a margin around them, m; counter-clockwise seen
    /// from the free side. Two of its sides are level.
    fn square(&self, points: &[Vector3<f64>], margin: f64) -> Vec<Vector3<f64>> {
        let level = self.normal.cross(&Vector3::y()).try_normalize(1e-6).unwrap_or_else(Vector3::x);
        let axes = [level, self.normal.cross(&level)];
        let [across, along] = axes.map(|axis| {
            let ends = points.iter().map(|x| axis.dot(x));
            ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
        });
        let at = |u: f64, v: f64| self.normal * self.offset + axes[0] * u + axes[1] * v;
        let ([left, right], [near, far]) = (across, along);
        [
            (left - margin, near - margin),
            (right + margin, near - margin),
            (right + margin, far + margin),
            (left - margin, far + margin),
        ]
        .map(|(u, v)| at(u, v))
        .to_vec()
    }

    /// The part of a convex polygon that lies in the free side, or in a plane of some thickness, m (Sutherland and
    /// Hodgman, 1974).
    fn free_part(&self, polygon: &[Vector3<f64>], thickness: f64) -> Vec<Vector3<f64>> {
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (k, from) in polygon.iter().enumerate() {
            let to = &polygon[(k + 1) % polygon.len()];
            let (a, b) = (self.height(from), self.height(to));
            if a >= -thickness {
                kept.push(*from);
            }
            if (a >= -thickness) != (b >= -thickness) {
                kept.push(from.lerp(to, (a / (a - b)).clamp(0.0, 1.0)));
            }
        }
        kept
    }
}

impl Prop {
    fn empty(look: Look, motion: &Option<Motion>) -> Self {
        Self { positions: Vec::new(), triangles: Vec::new(), motion: motion.clone(), look, obstacle: None }
    }

    /// Adds a convex polygon as a fan; nothing for fewer than three corners.
    fn add_polygon(&mut self, corners: &[Vector3<f64>]) {
        let first = self.positions.len() as u32;
        self.triangles.extend((2..corners.len() as u32).map(|k| [first, first + k - 1, first + k]));
        if corners.len() > 2 {
            self.positions.extend(corners);
        }
    }

    /// Adds a rod with four sides, of a radius in metres, in a plane with that normal; nothing if it has no
    /// length.
    fn add_rod(&mut self, ends: [Vector3<f64>; 2], normal: Vector3<f64>, radius: f64) {
        let Some(aside) = normal.cross(&(ends[1] - ends[0])).try_normalize(1e-3 * radius) else { return };
        let first = self.positions.len() as u32;
        for end in ends {
            self.positions.extend([aside, normal, -aside, -normal].map(|out| end + out * radius));
        }
        for side in 0..4 {
            let [a, b] = [first + side, first + (side + 1) % 4];
            self.triangles.extend([[a, a + 4, b + 4], [a, b + 4, b]]);
        }
    }
}

/// The box around all places of the bodies.
fn space_of(seen: &[Whereabouts]) -> Option<Aabb> {
    seen.iter().map(|seen| seen.bounds).reduce(|a, b| a.union(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies in a cube with sides of 2 m around a point, at a time.
    fn cube(middle: [f64; 3], time: f64) -> Whereabouts {
        let middle = Vector3::from(middle);
        Whereabouts { time, bounds: Aabb { min: middle.add_scalar(-1.0), max: middle.add_scalar(1.0) } }
    }

    fn sheets(props: &[Prop]) -> Vec<&Prop> {
        props.iter().filter(|prop| prop.look != Look::Rim).collect()
    }

    /// Whether a point of a plane lies in a sheet of it.
    fn covers(sheet: &Prop, x: &Vector3<f64>) -> bool {
        sheet.triangles.iter().any(|t| {
            let [a, b, c] = t.map(|v| sheet.positions[v as usize]);
            let normal = (b - a).cross(&(c - a));
            [(a, b), (b, c), (c, a)].iter().all(|(p, q)| (q - p).cross(&(x - p)).dot(&normal) > 0.0)
        })
    }

    #[test]
    fn a_slope_lies_under_the_bodies_and_ends_at_the_ground() {
        let normal = Vector3::new(0.6, 0.8, 0.0);
        let mut walls = Walls::default();
        walls.add_plane(Vector3::zeros(), normal, None);
        let seen = [cube([-1.0, 2.5, 0.0], 0.0), cube([2.0, 1.0, 3.0], 1.0)];
        let props = walls.around(&seen, Some(0.0));
        let [sheet, rim] = props.as_slice() else { panic!("a sheet and its rim, not {}", props.len()) };
        assert_eq!((sheet.look, rim.look), (Look::Wall, Look::Rim));
        let reach: f64 = 0.5 * Vector3::<f64>::new(5.0, 3.5, 5.0).norm();
        assert!(sheet.positions.iter().all(|x| (normal.dot(x) + BEHIND * reach).abs() < 1e-12));
        let lowest = sheet.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!((lowest + BEHIND * reach).abs() < 1e-12, "{lowest}");
        for corner in seen.iter().flat_map(|seen| corners(&seen.bounds)) {
            let below = corner - normal * (normal.dot(&corner) + BEHIND * reach);
            assert_eq!(covers(sheet, &below), below.y > 0.0, "{below}");
        }
        // Its front faces the bodies.
        for t in &sheet.triangles {
            let [a, b, c] = t.map(|v| sheet.positions[v as usize]);
            assert!((b - a).cross(&(c - a)).dot(&normal) > 0.0);
        }
        assert!(sheet.positions.iter().all(|x| x.norm() < 12.0), "not without an end");
    }

    #[test]
    fn a_plane_that_moves_lies_under_the_bodies_at_all_times() {
        let motion = Motion::Velocity {
            linear: Vector3::new(0.0, 0.5, 1.0),
            angular: Vector3::new(0.1, 2.0, -0.2),
            pivot: Vector3::x(),
        };
        let mut walls = Walls::default();
        walls.add_plane(Vector3::zeros(), Vector3::y(), Some(motion.clone()));
        let seen = [cube([0.0, 1.0, 0.0], 0.0), cube([0.5, 2.0, 1.0], 1.0), cube([0.0, 3.0, 2.0], 2.0)];
        let props = walls.around(&seen, None);
        let sheet = sheets(&props)[0];
        for seen in seen {
            let pose = motion.pose(seen.time);
            let normal = pose.rotation * Vector3::y();
            let moved = sheet.at(seen.time);
            let there = Prop {
                positions: moved.to_vec(),
                triangles: sheet.triangles.clone(),
                motion: None,
                ..*sheet
            };
            for corner in corners(&seen.bounds) {
                assert!(covers(&there, &(corner - normal * normal.dot(&(corner - moved[0])))));
            }
        }
    }

    #[test]
    fn a_container_is_seen_whole_unless_it_is_much_larger_than_the_bodies() {
        let seen = [cube([0.0, 1.0, 0.0], 0.0)];
        let of = |half: f64| {
            let mut walls = Walls::default();
            let inside =
                Aabb { min: Vector3::new(-half, 0.0, -half), max: Vector3::new(half, 2.0 * half, half) };
            walls.add_container(inside, None);
            let props = walls.around(&seen, Some(0.0));
            let panes = sheets(&props)[0];
            assert_eq!(panes.look, Look::Pane);
            let bounds = Aabb::of_points(&panes.positions).unwrap();
            (walls.in_picture(&seen), bounds, panes.positions.len(), inside)
        };
        // Four sides and the top: the ground is its floor.
        let (points, bounds, vertices, inside) = of(1.5);
        assert_eq!((points.len(), vertices), (8, 20));
        let behind = BEHIND * 0.5 * 12.0_f64.sqrt();
        assert!(
            (bounds.min - inside.min).norm() < 2.0 * behind
                && (bounds.max - inside.max).norm() < 2.0 * behind
        );
        // Only the near part of a larger container is drawn, and the camera ignores it.
        let (points, bounds, vertices, _) = of(4.0);
        assert_eq!((points.len(), vertices), (0, 20));
        assert!(bounds.size().max() > 7.9, "the sides are where they are");
    }

    #[test]
    fn what_is_far_from_all_bodies_is_left_out_and_without_bodies_everything() {
        let mut walls = Walls::default();
        walls.add_plane(Vector3::x() * -50.0, Vector3::x(), None);
        assert!(walls.around(&[cube([0.0; 3], 0.0)], None).is_empty());
        assert_eq!(walls.around(&[cube([0.0; 3], 0.0), cube([-45.0, 0.0, 0.0], 1.0)], None).len(), 2);
        assert!(walls.around(&[], None).is_empty() && walls.in_picture(&[]).is_empty());
    }

    #[test]
    fn sheets_end_at_each_other_and_those_that_move_keep_to_themselves() {
        // A chute of two slopes: neither continues behind the other.
        let mut walls = Walls::default();
        for x in [-1.0, 1.0] {
            walls.add_plane(Vector3::zeros(), Vector3::new(x, 1.0, 0.0).normalize(), None);
        }
        let props = walls.around(&[cube([0.0, 2.0, 0.0], 0.0)], None);
        let least = props.iter().filter(|p| p.look == Look::Wall).flat_map(|p| &p.positions).map(|x| x.y);
        let least = least.fold(f64::INFINITY, f64::min);
        assert!(least > -0.02 && least < 0.0, "{least}");

        let mut moving = Walls::default();
        let inside = Aabb { min: Vector3::repeat(-1.5), max: Vector3::repeat(1.5) };
        moving.add_container(inside, Some(Motion::linear(Vector3::x())));
        let props = moving.around(&[cube([0.0; 3], 0.0), cube([0.5, 0.0, 0.0], 0.5)], Some(1.0));
        assert_eq!(sheets(&props)[0].positions.len(), 24, "all six sides, whatever the ground is");
        let vertices: usize = props.iter().map(|prop| prop.positions.len()).sum();
        assert_eq!(vertices, moving.moving_vertices());
    }
}
