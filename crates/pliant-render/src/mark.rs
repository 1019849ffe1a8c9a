//! [`Mark`]: a ring around a place, drawn over everything, so that nothing in front of it hides it.

use nalgebra::Vector3;

use crate::camera::Projector;
use crate::colour::Rgb;
use crate::picture::Picture;

/// Radius of a ring, as a share of the smaller side of the picture, and the least, pixels.
const RADIUS: (f64, f64) = (0.018, 4.0);
/// Width of the ring and of the paler rim on either side, as shares of its radius.
const WIDTH: f64 = 0.45;
const RIM: f64 = 0.18;

/// A place that a picture points at with a ring of always the same size, whatever lies before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// The place, metres. One that is not finite, or behind the camera, is not seen.
    pub at: Vector3<f64>,
    /// The colour of the ring; a white rim sets it off from what is around.
    pub colour: Rgb,
}

/// Draws the rings: all rims first, so that of neighbours none is hidden.
pub(crate) fn draw(picture: &mut Picture, projector: &Projector, marks: &[Mark]) {
    let size = picture.size();
    let radius = (RADIUS.0 * f64::from(size.width().min(size.height()))).max(RADIUS.1);
    let (width, rim) = (WIDTH * radius, 2.0 * RIM * radius);
    let reach = radius + width + rim;
    let (right, bottom) = (f64::from(size.width()) + reach, f64::from(size.height()) + reach);
    let seen = |mark: &Mark| {
        let view = projector.to_view(&mark.at);
        let [x, y] = projector.to_pixel(view);
        let inside = view[2] > 0.0 && (-reach..right).contains(&x) && (-reach..bottom).contains(&y);
        inside.then_some(([x, y], mark.colour))
    };
    let places: Vec<([f64; 2], Rgb)> = marks.iter().filter_map(seen).collect();
    for &(centre, _) in &places {
        ring(picture, centre, radius, width + rim, Rgb::WHITE);
    }
    for &(centre, colour) in &places {
        ring(picture, centre, radius, width, colour);
    }
}

/// Lays a ring over the picture; edges are smooth over one pixel.
fn ring(picture: &mut Picture, [x, y]: [f64; 2], radius: f64, width: f64, colour: Rgb) {
    let reach = radius + 0.5 * width + 1.0;
    for row in (y - reach).floor() as i64..=(y + reach).ceil() as i64 {
        for column in (x - reach).floor() as i64..=(x + reach).ceil() as i64 {
            let (dx, dy) = (column as f64 + 0.5 - x, row as f64 + 0.5 - y);
            let off = ((dx * dx + dy * dy).sqrt() - radius).abs();
            let share = (0.5 + 0.5 * width - off).clamp(0.0, 1.0);
            if share > 0.0 {
                picture.blend(column, row, colour, share as f32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Drawable, Drawing, Renderer, Size, StageFit, View};
    use pliant_mesh::TriMesh;

    const RED: Rgb = Rgb(214, 24, 32);

    /// The pixels of that colour in a picture of a ball, with marks.
    fn coloured(marks: &[Vector3<f64>]) -> Vec<[u32; 2]> {
        let ball = TriMesh::icosphere(1.0, 6).unwrap();
        let size = Size::new(200, 160).unwrap();
        let mut fit = StageFit::new(View::default(), size).unwrap();
        fit.add(ball.positions());
        let mut drawing = Drawing::new(vec![Drawable::solid(ball.positions(), ball.triangles())]);
        drawing.marks.extend(marks.iter().map(|&at| Mark { at, colour: RED }));
        let picture = Renderer::new(size, fit.stage()).render(&drawing).unwrap().picture;
        let all = (0..160).flat_map(|y| (0..200).map(move |x| [x, y]));
        all.filter(|&[x, y]| picture.pixel(x, y) == RED).collect()
    }

    #[test]
    fn a_ring_is_seen_through_what_lies_before_it() {
        assert_eq!(coloured(&[]), [[0; 2]; 0]);
        // The middle of the ball, as far from its outline on all sides.
        let ring = coloured(&[Vector3::zeros()]);
        assert!((8..60).contains(&ring.len()), "{} pixels", ring.len());
        let mean = |axis: usize| ring.iter().map(|p| f64::from(p[axis])).sum::<f64>() / ring.len() as f64;
        let [x, y] = [mean(0), mean(1)];
        assert!((x - 99.5).abs() < 1.0 && (60.0..100.0).contains(&y), "{x}, {y}");
        let away = |&[column, row]: &[u32; 2]| (f64::from(column) - x).hypot(f64::from(row) - y);
        assert!(ring.iter().map(away).all(|r| (2.5..5.5).contains(&r)), "{ring:?}");
    }

    #[test]
    fn what_cannot_be_seen_is_not_marked() {
        let out = [
            Vector3::repeat(f64::NAN),
            Vector3::repeat(1e300),
            Vector3::x() * 50.0,
            Vector3::new(60.0, 30.0, 80.0),
        ];
        assert_eq!(coloured(&out), [[0; 2]; 0]);
    }
}
