//! Where a picture is taken from: [`Camera`], and [`StageFit`], which finds a camera that sees everything.

use nalgebra::Vector3;
use pliant_mesh::Aabb;

use crate::error::{RenderError, check};
use crate::picture::Size;

/// A perspective camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where the eye is, metres.
    pub eye: Vector3<f64>,
    /// The point that it looks at, metres: the middle of the picture.
    pub target: Vector3<f64>,
    /// The direction that is up in the picture; it need be neither of unit length nor perpendicular to the view.
    pub up: Vector3<f64>,
    /// The angle between the upper and the lower edge of the picture, degrees.
    pub field_of_view: f64,
}

/// The direction of a view and the framing, from which [`StageFit`] makes a camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Degrees around `up`, from the direction that [`View::up`] describes: 0 looks along −z for y up.
    pub azimuth: f64,
    /// Degrees above the horizon, −89 to 89.
    pub elevation: f64,
    /// Degrees between the upper and the lower edge of the picture, 1 to 150.
    pub field_of_view: f64,
    /// Which way is up; the default is y. The azimuth 0 is seen from +z if up is y, from −y if it is z, from −z
    /// otherwise.
    pub up: Vector3<f64>,
    /// Free space at the left, right, top and bottom, as shares of the picture; 0 to 0.4 each.
    pub margins: [f64; 4],
}

impl Default for View {
    fn default() -> Self {
        Self {
            azimuth: 30.0,
            elevation: 20.0,
            field_of_view: 30.0,
            up: Vector3::y(),
            margins: [0.07, 0.07, 0.07, 0.1],
        }
    }
}

/// Where pictures of an animation are taken: one camera and the space in which everything happens. Shadows, light and
/// the fading of the ground follow the space, so that static parts do not flicker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    /// The camera of every frame.
    pub camera: Camera,
    /// The box around everything in every frame, metres.
    pub bounds: Aabb,
}

/// Fits a stage to points, one frame after another.
///
/// Every point that has been added lies inside the picture, within the margins, and the picture is no larger than that
/// takes: the condition that a point lies right of the left edge, and so on, is linear in the position of the eye.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_render::{Size, StageFit, View};
///
/// let sheet = TriMesh::grid([5, 5], [1.0, 1.0])?;
/// let mut fit = StageFit::new(View::default(), Size::default())?;
/// fit.add(sheet.positions());
/// let stage = fit.stage();
/// assert!(stage.bounds.contains(&sheet.positions()[7]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct StageFit {
    view: View,
    /// Right, up and backward: the axes of the camera.
    axes: [Vector3<f64>; 3],
    /// Slopes of the right, left, upper and lower edge of the free part of the picture.
    slopes: [f64; 4],
    /// The largest `±x − slope · depth` of all points, for each edge.
    reach: [f64; 4],
    bounds: Option<Aabb>,
}

impl StageFit {
    /// A fit without points.
    ///
    /// # Errors
    ///
    /// If an angle or a margin is out of its range, or `up` has no direction.
    pub fn new(view: View, size: Size) -> Result<Self, RenderError> {
        check("the azimuth", view.azimuth, -1e6..=1e6, "a number of degrees")?;
        check("the elevation", view.elevation, -89.0..=89.0, "between -89 and 89 degrees")?;
        check("the field of view", view.field_of_view, 1.0..=150.0, "between 1 and 150 degrees")?;
        check("the length of up", view.up.norm(), 1e-9..=1e9, "above zero")?;
        for margin in view.margins {
            check("a margin", margin, 0.0..=0.4, "between 0 and 0.4")?;
        }
        let tan_y = (view.field_of_view.to_radians() * 0.5).tan();
        let tan_x = tan_y * size.aspect();
        let [left, right, top, bottom] = view.margins.map(|margin| 1.0 - 2.0 * margin);
        Ok(Self {
            view,
            axes: axes(&view),
            slopes: [tan_x * right, tan_x * left, tan_y * top, tan_y * bottom],
            reach: [f64::NEG_INFINITY; 4],
            bounds: None,
        })
    }

    /// Adds the points of a frame; those that are not finite are left out.
    pub fn add<'a>(&mut self, points: impl IntoIterator<Item = &'a Vector3<f64>>) {
        for p in points {
            if !p.iter().all(|x| x.abs() < 1e15) {
                continue;
            }
            let [x, y, back] = self.axes.map(|axis| axis.dot(p));
            // Depth grows away from the eye.
            let depth = -back;
            for (reach, (along, slope)) in
                self.reach.iter_mut().zip([x, -x, y, -y].into_iter().zip(self.slopes))
            {
                *reach = reach.max(along - slope * depth);
            }
            let point = Aabb { min: *p, max: *p };
            self.bounds = Some(self.bounds.map_or(point, |bounds| bounds.union(&point)));
        }
    }

    /// The stage that sees all points added so far; without any, a unit cube around the origin.
    #[must_use]
    pub fn stage(&self) -> Stage {
        let Some(bounds) = self.bounds else {
            let half = Vector3::repeat(0.5);
            let mut unit = self.clone();
            unit.add(&Aabb { min: -half, max: half }.corners());
            return unit.stage();
        };
        let [right, left, upper, lower] = self.reach;
        let [to_right, to_left, to_top, to_bottom] = self.slopes;
        // Far enough for the width and for the height; never so near that a single point fills the eye.
        let nearest = bounds.diagonal() * 1e-3 + if bounds.diagonal() == 0.0 { 2.0 } else { 0.0 };
        let apart =
            ((right + left) / (to_right + to_left)).max((upper + lower) / (to_top + to_bottom)) + nearest;
        // Free space in one direction is shared between its two sides.
        let middle = |high: f64, low: f64, to_high: f64, to_low: f64| {
            0.5 * (high - to_high * apart + to_low * apart - low)
        };
        let (x, y) = (middle(right, left, to_right, to_left), middle(upper, lower, to_top, to_bottom));
        let [x_axis, y_axis, back] = self.axes;
        let eye = x_axis * x + y_axis * y + back * apart;
        // The target lies on the axis of the picture beside the middle of the box.
        let distance = (eye - bounds.centre()).dot(&back).max(nearest);
        let camera = Camera {
            eye,
            target: eye - back * distance,
            up: self.view.up,
            field_of_view: self.view.field_of_view,
        };
        Stage { camera, bounds }
    }
}

/// The corners of a box.
trait Corners {
    fn corners(&self) -> [Vector3<f64>; 8];
}

impl Corners for Aabb {
    fn corners(&self) -> [Vector3<f64>; 8] {
        let pick = |corner: usize, axis: usize| [self.min, self.max][corner >> axis & 1][axis];
        std::array::from_fn(|c| Vector3::new(pick(c, 0), pick(c, 1), pick(c, 2)))
    }
}

/// The corners of a box, to fit something else to it.
pub(crate) fn corners(bounds: &Aabb) -> [Vector3<f64>; 8] {
    bounds.corners()
}

/// Right, up and backward of a view.
fn axes(view: &View) -> [Vector3<f64>; 3] {
    let up = view.up.normalize();
    // A horizontal direction to count the azimuth from.
    let reference =
        if up.z.abs() > 0.9 { -Vector3::y() } else { Vector3::z() * if up.y >= 0.0 { 1.0 } else { -1.0 } };
    let ahead = (reference - up * up.dot(&reference)).normalize();
    let aside = up.cross(&ahead);
    let (sin, cos) = view.azimuth.to_radians().sin_cos();
    let level = ahead * cos + aside * sin;
    let (sin, cos) = view.elevation.to_radians().sin_cos();
    let back = level * cos + up * sin;
    let right = up.cross(&back).normalize();
    [right, back.cross(&right), back]
}

/// A camera with its axes, ready to project onto a picture.
#[derive(Debug, Clone)]
pub(crate) struct Projector {
    pub(crate) eye: Vector3<f64>,
    pub(crate) right: Vector3<f64>,
    pub(crate) up: Vector3<f64>,
    /// Away from the eye.
    pub(crate) ahead: Vector3<f64>,
    /// Pixels for a slope of 1.
    pub(crate) focal: f64,
    /// The pixel coordinates of the middle of the picture.
    pub(crate) centre: [f64; 2],
}

impl Projector {
    pub(crate) fn new(camera: &Camera, size: Size) -> Result<Self, RenderError> {
        check("the field of view", camera.field_of_view, 1.0..=150.0, "between 1 and 150 degrees")?;
        let finite = |v: &Vector3<f64>| v.iter().all(|x| x.abs() < 1e15);
        let sight = camera.target - camera.eye;
        let given = finite(&camera.eye) && finite(&camera.target) && finite(&camera.up);
        let length = if given { sight.norm() } else { f64::NAN };
        check("the distance of the camera from its target", length, 1e-12..=1e16, "above zero, and finite")?;
        let ahead = sight / length;
        let across = ahead.cross(&camera.up);
        // Straight along `up` any right will do.
        let right = if across.norm() > 1e-9 * camera.up.norm() {
            across.normalize()
        } else {
            let other = if ahead.x.abs() < 0.9 { Vector3::x() } else { Vector3::z() };
            ahead.cross(&ahead.cross(&other)).normalize()
        };
        let half = f64::from(size.height()) * 0.5;
        Ok(Self {
            eye: camera.eye,
            right,
            up: right.cross(&ahead),
            ahead,
            focal: half / (camera.field_of_view.to_radians() * 0.5).tan(),
            centre: [f64::from(size.width()) * 0.5, half],
        })
    }

    /// Right, down and away from the eye, metres.
    pub(crate) fn to_view(&self, p: &Vector3<f64>) -> [f64; 3] {
        let from_eye = p - self.eye;
        [self.right.dot(&from_eye), -self.up.dot(&from_eye), self.ahead.dot(&from_eye)]
    }

    /// The pixel coordinates of a point in view coordinates.
    pub(crate) fn to_pixel(&self, view: [f64; 3]) -> [f64; 2] {
        let per_metre = self.focal / view[2];
        [self.centre[0] + view[0] * per_metre, self.centre[1] + view[1] * per_metre]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points() -> impl Strategy<Value = Vec<Vector3<f64>>> {
        prop::collection::vec([-9.0..9.0, -9.0..9.0, -9.0..9.0_f64].prop_map(Vector3::from), 1..20)
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn every_point_lies_within_the_margins_and_two_edges_are_touched(
            points in points(), azimuth in -180.0..180.0_f64, elevation in -89.0..89.0_f64,
            fov in 5.0..100.0_f64, width in 20..2000_u32, height in 20..2000_u32,
            margins in [0.0..0.4_f64, 0.0..0.4, 0.0..0.4, 0.0..0.4],
            up in prop::sample::select(vec![Vector3::y(), Vector3::z(), Vector3::x(), -Vector3::y()]),
        ) {
            let view = View { azimuth, elevation, field_of_view: fov, up, margins };
            let size = Size::new(width, height).unwrap();
            let mut fit = StageFit::new(view, size).unwrap();
            fit.add(&points);
            fit.add(&[Vector3::repeat(f64::NAN)]);
            let projector = Projector::new(&fit.stage().camera, size).unwrap();
            let (w, h) = (f64::from(width), f64::from(height));
            let [left, right, top, bottom] = [margins[0] * w, w - margins[1] * w, margins[2] * h, h - margins[3] * h];
            let mut slack = f64::INFINITY;
            for p in &points {
                let view = projector.to_view(p);
                prop_assert!(view[2] > 0.0);
                let [x, y] = projector.to_pixel(view);
                let inside = [x - left, right - x, y - top, bottom - y];
                prop_assert!(inside.iter().all(|d| *d > -1e-6 * (w + h)), "{inside:?}");
                slack = inside.iter().fold(slack, |a, b| a.min(*b));
            }
            if points.len() > 3 {
                prop_assert!(slack < 0.05 * (w + h), "the nearest point is {slack} pixels from the margins");
            }
        }
    }

    #[test]
    fn a_single_point_and_no_point_can_be_looked_at() {
        let mut fit = StageFit::new(View::default(), Size::default()).unwrap();
        assert!(Projector::new(&fit.stage().camera, Size::default()).is_ok());
        fit.add(&[Vector3::new(3.0, 4.0, 5.0)]);
        let projector = Projector::new(&fit.stage().camera, Size::default()).unwrap();
        assert!(projector.to_view(&Vector3::new(3.0, 4.0, 5.0))[2] > 0.5);
    }

    #[test]
    fn a_camera_without_direction_is_refused() {
        let eye = Vector3::zeros();
        let camera = Camera { eye, target: eye, up: Vector3::y(), field_of_view: 40.0 };
        assert!(Projector::new(&camera, Size::default()).is_err());
        assert!(
            Projector::new(&Camera { target: Vector3::repeat(f64::NAN), ..camera }, Size::default()).is_err()
        );
        let straight_up = Camera { target: Vector3::y(), ..camera };
        assert!(Projector::new(&straight_up, Size::default()).unwrap().right.norm() > 0.99);
    }
}
