//! The properties of every picture, whatever is drawn: the same for any number of threads, without gaps,
//! nearest in front, and never a panic.

use std::io::Cursor;

use nalgebra::Vector3;
use pliant_mesh::{Aabb, TriMesh};
use pliant_render::{
    Camera, Drawable, Drawing, Ground, Picture, RenderError, Renderer, Rgb, Size, Stage, StageFit, Style,
    View, encode_apng, encode_gif,
};
use proptest::prelude::*;

fn ball() -> TriMesh {
    TriMesh::icosphere(1.0, 12).unwrap()
}

fn renderer(size: Size, positions: &[Vector3<f64>]) -> Renderer {
    let mut fit = StageFit::new(View::default(), size).unwrap();
    fit.add(positions);
    Renderer::new(size, fit.stage())
}

#[test]
fn the_picture_is_the_same_for_any_number_of_threads() {
    let ball = ball();
    let size = Size::new(203, 151).unwrap();
    let style = Style::default().ground(-1.0);
    let renderer = renderer(size, ball.positions()).style(style);
    let drawables = vec![
        Drawable::solid(ball.positions(), ball.triangles()).wireframe(Rgb::BLACK, 0.7),
        Drawable::points(ball.positions(), 0.05).colour(Rgb::of_body(2)),
    ];
    let drawing = Drawing::new(drawables).caption("t = 1 s");
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| renderer.render(&drawing).unwrap())
    };
    let one = on(1);
    assert!([2, 3, 7].into_iter().all(|threads| on(threads) == one));
}

#[test]
fn a_closed_surface_shows_neither_its_back_nor_the_background() {
    let ball = ball();
    let size = Size::new(240, 240).unwrap();
    let renderer = renderer(size, ball.positions());
    let green_behind =
        Drawable::cloth(ball.positions(), ball.triangles()).sides(Rgb(200, 30, 30), Rgb(0, 255, 0));
    let picture = renderer.render(&Drawing::new(vec![green_behind])).unwrap().picture;
    for (x, y) in (0..240).flat_map(|y| (0..240).map(move |x| (x, y))) {
        let (dx, dy) = (f64::from(x) - 120.0, f64::from(y) - 117.0);
        let pixel = picture.pixel(x, y);
        assert!(i32::from(pixel.1) <= i32::from(pixel.0) + 20, "the back shows at {x}, {y}: {pixel:?}");
        if dx.hypot(dy) < 80.0 {
            assert!(pixel.0 > pixel.1 && pixel.1 < 140, "a gap at {x}, {y}: {pixel:?}");
        }
    }
}

#[test]
fn the_nearer_of_two_squares_is_in_front_in_either_order() {
    let square =
        |z: f64| [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vector3::new(x, y, z));
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let (near, far) = (square(0.5), square(-0.5));
    let camera =
        Camera { eye: Vector3::z() * 5.0, target: Vector3::zeros(), up: Vector3::y(), field_of_view: 30.0 };
    let bounds = Aabb { min: Vector3::repeat(-1.0), max: Vector3::repeat(1.0) };
    let renderer = Renderer::new(Size::new(64, 64).unwrap(), Stage { camera, bounds });
    let red = Drawable::cloth(&near, &triangles).colour(Rgb(220, 20, 20));
    let blue = Drawable::cloth(&far, &triangles).colour(Rgb(20, 20, 220));
    for drawables in [vec![red.clone(), blue.clone()], vec![blue.clone(), red.clone()]] {
        let pixel = renderer.render(&Drawing::new(drawables)).unwrap().picture.pixel(32, 32);
        assert!(pixel.0 > 2 * pixel.2, "{pixel:?}");
    }
    // Two in the same place: the first one.
    for (first, second) in [(&red, &blue), (&blue, &red)] {
        let twin = Drawable { positions: first.positions, ..second.clone() };
        let alone = renderer.render(&Drawing::new(vec![first.clone()])).unwrap();
        assert!(renderer.render(&Drawing::new(vec![first.clone(), twin])).unwrap() == alone);
    }
}

#[test]
fn what_hides_a_quarter_is_a_quarter_of_the_light_from_the_side_that_it_is_for() {
    let square =
        |z: f64| [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vector3::new(x, y, z));
    let (towards, away) = ([[0, 1, 2], [0, 2, 3]], [[0, 2, 1], [0, 3, 2]]);
    let (near, far) = (square(0.5), square(-0.5));
    let camera =
        Camera { eye: Vector3::z() * 5.0, target: Vector3::zeros(), up: Vector3::y(), field_of_view: 30.0 };
    let bounds = Aabb { min: Vector3::repeat(-1.0), max: Vector3::repeat(1.0) };
    let renderer = Renderer::new(Size::new(64, 64).unwrap(), Stage { camera, bounds });
    let colour = |drawables: Vec<Drawable<'_>>| {
        renderer.render(&Drawing::new(drawables)).unwrap().picture.pixel(32, 32)
    };
    let grey = |triangles| {
        Drawable::cloth(&near, triangles).sides(Rgb(90, 90, 90), Rgb(90, 90, 90)).without_shadow()
    };
    let red = Drawable::cloth(&far, &towards).colour(Rgb(220, 20, 20));
    let [grey_alone, red_alone] = [grey(&towards), red.clone()].map(|drawable| colour(vec![drawable]));
    for (triangles, hidden) in [(&towards, 0.75), (&away, 0.25)] {
        let glass = grey(triangles).opacity(0.75, 0.25);
        let seen = colour(vec![glass.clone(), red.clone()]);
        let expected = red_alone.mix(grey_alone, hidden);
        for (a, b) in [(seen.0, expected.0), (seen.1, expected.1), (seen.2, expected.2)] {
            assert!(a.abs_diff(b) <= 2, "{seen:?} is not {expected:?}");
        }
        // Two in one place hide no more than one.
        assert_eq!(colour(vec![glass.clone(), glass, red.clone()]), seen);
    }
    assert_eq!(colour(vec![grey(&away).opacity(1.0, 0.0), red]), red_alone);
}

#[test]
fn an_empty_drawing_is_the_background_and_an_empty_mesh_too() {
    let size = Size::new(32, 24).unwrap();
    let renderer = renderer(size, &[]).style(Style::default().ground(0.0));
    let background = renderer.render(&Drawing::default()).unwrap();
    let nothing = Drawing::new(vec![
        Drawable::cloth(&[], &[]),
        Drawable::points(&[], 1.0),
        Drawable::lines(&[], &[], 1.0),
    ]);
    assert!(renderer.render(&nothing).unwrap() == background);
    for (width, height) in [(1, 1), (1, 200), (200, 1), (9, 8)] {
        let renderer = Renderer { size: Size::new(width, height).unwrap(), ..renderer.clone() };
        renderer.render(&Drawing::default().caption("caption")).unwrap();
    }
}

#[test]
fn settings_out_of_range_are_errors() {
    let ball = ball();
    let renderer = renderer(Size::default(), ball.positions());
    let of = |style: Style| Renderer { style, ..renderer.clone() }.render(&Drawing::default());
    let ground = Ground { height: f64::NAN, colour: Rgb::WHITE, grid: true };
    for style in [
        Style { softness: f64::NAN, ..Style::default() },
        Style { light: Some(Vector3::zeros()), ..Style::default() },
        Style { text: Some(1e9), ..Style::default() },
        Style { ground: Some(ground), ..Style::default() },
    ] {
        assert!(matches!(of(style), Err(RenderError::Setting { .. })));
    }
    let mut stage = renderer.stage;
    stage.bounds.min.x = f64::NAN;
    assert!(Renderer::new(Size::default(), stage).render(&Drawing::default()).is_err());
}

/// A number that a failed simulation may produce.
fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -2.0..2.0_f64,
        1 => prop::sample::select(vec![0.0, f64::NAN, f64::INFINITY, -f64::MAX, 1e14, -1e14, 1e-300, 1e5]),
    ]
}

proptest! {
    #![proptest_config(pliant_testkit::config(64))]
    #[test]
    fn no_positions_make_it_panic(
        coordinates in prop::collection::vec([odd(), odd(), odd()], 6),
        values in prop::collection::vec(odd(), 6),
        radius in prop::sample::select(vec![0.0, 0.1, 1e9]),
        ground in odd(), eye in [-3.0..3.0_f64, -3.0..3.0, -3.0..3.0],
    ) {
        let positions: Vec<_> = coordinates.into_iter().map(Vector3::from).collect();
        let triangles = [[0, 1, 2], [2, 1, 3], [3, 4, 5], [0, 0, 5], [5, 1, 0]];
        let camera = Camera { eye: Vector3::from(eye), target: Vector3::repeat(0.25), up: Vector3::y(), field_of_view: 70.0 };
        let bounds = Aabb { min: Vector3::repeat(-1.0), max: Vector3::repeat(1.0) };
        let mut style = Style::default();
        if ground.abs() < 1e15 {
            style = style.ground(ground);
        }
        let renderer = Renderer::new(Size::new(40, 30).unwrap(), Stage { camera, bounds }).style(style);
        let drawing = Drawing::new(vec![
            Drawable::cloth(&positions, &triangles).vertex_field(&values),
            Drawable::solid(&positions, &triangles).wireframe(Rgb::BLACK, 1.0),
            Drawable::points(&positions, radius),
            Drawable::lines(&positions, &[[0, 1], [2, 2], [4, 5]], radius),
        ]);
        let rendered = renderer.render(&drawing).unwrap();
        let lost = positions.iter().filter(|p| !p.iter().all(|x| x.abs() < 1e15)).count();
        prop_assert!(rendered.skipped >= lost);
        prop_assert_eq!(lost == 0, rendered.skipped == 0);
    }
}

/// Three frames of a ball that moves a little before a still background.
fn moving() -> Vec<Picture> {
    let ball = ball();
    let size = Size::new(120, 90).unwrap();
    let frames: Vec<Vec<_>> = (0..3)
        .map(|i| ball.positions().iter().map(|p| p + Vector3::x() * 0.1 * f64::from(i)).collect())
        .collect();
    let mut fit = StageFit::new(View::default(), size).unwrap();
    frames.iter().for_each(|frame| fit.add(frame));
    let renderer = Renderer::new(size, fit.stage()).style(Style::default().ground(-1.0));
    let picture =
        |positions| renderer.render(&Drawing::new(vec![Drawable::cloth(positions, ball.triangles())]));
    frames.iter().map(|positions| picture(positions).unwrap().picture).collect()
}

#[test]
fn an_apng_shows_every_frame_exactly() {
    let pictures = moving();
    let bytes = encode_apng(&pictures, 0.04).unwrap();
    assert_eq!(Picture::from_png(&bytes).unwrap(), pictures[0]);
    let mut reader = png::Decoder::new(Cursor::new(&bytes)).read_info().unwrap();
    assert_eq!(reader.info().animation_control().unwrap().num_frames, 3);
    let mut shown = pictures[0].bytes().to_vec();
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    for picture in &pictures {
        reader.next_frame(&mut buffer).unwrap();
        let control = reader.info().frame_control().unwrap();
        for row in 0..control.height as usize {
            let bytes = 3 * control.width as usize;
            let to = 3 * ((control.y_offset as usize + row) * 120 + control.x_offset as usize);
            shown[to..to + bytes].copy_from_slice(&buffer[row * bytes..(row + 1) * bytes]);
        }
        assert!(shown == picture.bytes());
    }
}

/// The pictures that a viewer shows of a GIF, frame by frame.
fn shown(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let width = usize::from(decoder.width());
    let mut screen = vec![0; 3 * width * usize::from(decoder.height())];
    let mut all = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (row, pixels) in frame.buffer.chunks(4 * usize::from(frame.width)).enumerate() {
            for (column, pixel) in pixels.chunks(4).enumerate().filter(|(_, pixel)| pixel[3] != 0) {
                let at = 3 * ((top + row) * width + left + column);
                screen[at..at + 3].copy_from_slice(&pixel[..3]);
            }
        }
        all.push(screen.clone());
    }
    all
}

/// A faint shadow and a bright thing of many colours pass over a slope of near white, and are gone.
#[test]
fn what_passes_leaves_no_trace_in_a_gif() {
    let (width, height) = (96, 64);
    let picture = |middle: f64| {
        let mut picture = Picture::filled(Size::new(width, height).unwrap(), Rgb(0, 0, 0));
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let (fx, fy) = (f64::from(x), f64::from(y));
            let away = (fx - middle).hypot(fy - 32.0);
            let ground = 252.0 - 0.3 * fy - 9.0 * (-away * away / 300.0).exp();
            let bright = away < 9.0;
            let colour = match bright {
                true => [20.0 * away + 60.0, 10.0 * fy - 200.0, 3.0 * (fx - middle) + 90.0],
                false => [ground - 4.0, ground - 2.0, ground],
            };
            let [r, g, b] = colour.map(|c| c.clamp(0.0, 255.0).round() as u8);
            picture.blend(i64::from(x), i64::from(y), Rgb(r, g, b), 1.0);
        }
        picture
    };
    let mut middles: Vec<f64> = (0..20).map(|k| -30.0 + 8.0 * f64::from(k)).collect();
    middles.insert(0, -1000.0);
    middles.push(-1000.0);
    let pictures: Vec<Picture> = middles.into_iter().map(picture).collect();
    let frames = shown(&encode_gif(&pictures, 0.04).unwrap());
    let off = |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert_eq!(off(&frames[0], frames.last().unwrap()), 0, "nothing is left");
    for (frame, picture) in frames.iter().zip(&pictures) {
        let ground = picture.bytes().chunks(3).zip(frame.chunks(3)).filter(|(p, _)| p[2] > 220);
        assert!(ground.into_iter().all(|(p, f)| off(p, f) <= 3), "no rings on the ground");
    }
}

#[test]
fn a_gif_shows_every_frame_nearly_and_stores_only_what_changes() {
    let pictures = moving();
    let bytes = encode_gif(&pictures, 0.04).unwrap();
    assert_eq!(encode_gif(&pictures, 0.04).unwrap(), bytes);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = options.read_info(Cursor::new(&bytes)).unwrap();
    let mut shown = vec![0_u8; 120 * 90 * 3];
    for (index, picture) in pictures.iter().enumerate() {
        let frame = reader.read_next_frame().unwrap().unwrap();
        assert_eq!(frame.delay, 4);
        if index > 0 {
            let area = usize::from(frame.width) * usize::from(frame.height);
            assert!(area < 120 * 90 * 9 / 10, "frame {index} stores {area} pixels");
        }
        for (at, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            let (x, y) = (at % usize::from(frame.width), at / usize::from(frame.width));
            let to = 3 * ((usize::from(frame.top) + y) * 120 + usize::from(frame.left) + x);
            shown[to..to + 3].copy_from_slice(&pixel[..3]);
        }
        let apart: u64 = shown.iter().zip(picture.bytes()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        let mean = apart as f64 / shown.len() as f64;
        assert!(mean < 2.0, "frame {index} is off by {mean} on average");
    }
    assert!(reader.read_next_frame().unwrap().is_none());
}

#[test]
fn animations_of_nothing_or_of_mixed_sizes_are_refused() {
    let picture = |side| Picture::filled(Size::new(side, side).unwrap(), Rgb::WHITE);
    assert!(matches!(encode_gif(&[], 0.1), Err(RenderError::Empty)));
    assert!(matches!(encode_apng(&[picture(2), picture(3)], 0.1), Err(RenderError::Mixed { .. })));
    assert!(matches!(encode_gif(&[picture(2)], f64::NAN), Err(RenderError::Setting { .. })));
    // A still animation is one, too.
    encode_gif(&[picture(2), picture(2)], 0.0).unwrap();
    encode_apng(&[picture(2), picture(2)], 0.0).unwrap();
}
