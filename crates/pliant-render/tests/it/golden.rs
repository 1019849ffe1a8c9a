//! Small pictures compared with committed ones. A failure leaves the expected picture, the new one and their
//! difference under `comparisons/`; `PLIANT_UPDATE_GOLDEN=1` makes the new picture the expected one.

use std::path::PathBuf;

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_render::{
    Axis, ColourMap, Drawable, Drawing, Golden, Picture, Plot, Renderer, Rgb, Scale, Size, Smoothing,
    StageFit, Style, TetSurface, View, contact_sheet,
};

fn compare(name: &str, drawn: &Picture) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let golden = Golden::new(root.join("tests/golden").join(format!("{name}.png")), root.join("comparisons"));
    golden.check(drawn).unwrap_or_else(|error| panic!("{error}"));
}

fn size() -> Size {
    Size::new(160, 120).unwrap()
}

fn stage(view: View, positions: &[Vector3<f64>]) -> Renderer {
    let mut fit = StageFit::new(view, size()).unwrap();
    fit.add(positions);
    Renderer::new(size(), fit.stage())
}

/// A sheet with folds, standing upright.
fn folded() -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let sheet = TriMesh::grid([41, 41], [1.0, 1.0]).unwrap();
    let fold = |x: f64, y: f64| Vector3::new(x, y + 0.2, 0.06 * (14.0 * x + 2.0 * y).sin() * (1.3 - y));
    let positions = (0..41 * 41).map(|i| fold(f64::from(i % 41) / 40.0, f64::from(i / 41) / 40.0)).collect();
    (positions, sheet.triangles().to_vec())
}

#[test]
fn a_cloth_on_its_ground() {
    let (positions, triangles) = folded();
    let renderer = stage(View::default(), &positions).style(Style::default().ground(0.0)).title("Cloth");
    let drawing = Drawing::new(vec![Drawable::cloth(&positions, &triangles)]).caption("t = 0.5 s");
    compare("cloth", &renderer.render(&drawing).unwrap().picture);
}

#[test]
fn a_cloth_from_behind_shows_its_other_side() {
    let (positions, triangles) = folded();
    let renderer = stage(View { azimuth: 200.0, ..View::default() }, &positions);
    let drawing = Drawing::new(vec![
        Drawable::cloth(&positions, &triangles).sides(Rgb(40, 90, 160), Rgb(230, 140, 40)),
    ]);
    compare("cloth-behind", &renderer.render(&drawing).unwrap().picture);
}

#[test]
fn a_block_coloured_by_element_with_legend_and_wires() {
    let block = TetMesh::block([4, 3, 3], [1.2, 0.8, 0.8], Split::Kuhn).unwrap();
    let surface = TetSurface::new(&block);
    let of_tet = |t: &[u32; 4]| t.iter().map(|v| block.positions()[*v as usize].x).sum::<f64>() / 4.0;
    let mut values: Vec<f64> = block.tets().iter().map(of_tet).collect();
    values[0] = f64::NAN;
    let colours = surface.of_tets(&values);
    let renderer = stage(View { margins: [0.05, 0.3, 0.1, 0.1], ..View::default() }, block.positions())
        .scale(Scale::new(ColourMap::CoolWarm, 0.0, 1.2, "x (m)").unwrap());
    let drawable = Drawable::solid(block.positions(), &surface.triangles).element_field(&colours);
    let drawing = Drawing::new(vec![drawable.wireframe(Rgb::BLACK, 1.0)]);
    compare("block", &renderer.render(&drawing).unwrap().picture);
}

#[test]
fn points_and_lines_in_the_dark() {
    let positions: Vec<_> =
        (0..8).map(|i| Vector3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
    let lines =
        [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];
    let height: Vec<f64> = positions.iter().map(|p| p.y).collect();
    let style = Style { smoothing: Smoothing::Four, ..Style::dark() };
    let renderer =
        stage(View { margins: [0.15; 4], ..View::default() }, &positions).style(style.ground(-0.2));
    let drawing = Drawing::new(vec![
        Drawable::points(&positions, 0.14).vertex_field(&height),
        Drawable::lines(&positions, &lines, 0.04).colour(Rgb(190, 190, 195)),
    ]);
    compare("lattice", &renderer.render(&drawing).unwrap().picture);
}

#[test]
fn a_ball_on_a_slope_before_a_wall_and_behind_glass() {
    let ball = TriMesh::icosphere(0.3, 12).unwrap();
    let ball: (Vec<_>, _) = (
        ball.positions().iter().map(|p| p + Vector3::new(0.0, 0.75, 0.0)).collect(),
        ball.triangles().to_vec(),
    );
    let quad = |corners: [[f64; 3]; 4]| corners.map(Vector3::from);
    let slope = quad([[-0.7, 0.8, 0.6], [0.7, 0.0, 0.6], [0.7, 0.0, -0.6], [-0.7, 0.8, -0.6]]);
    let wall = quad([[-0.7, 0.0, -0.6], [0.7, 0.0, -0.6], [0.7, 1.2, -0.6], [-0.7, 1.2, -0.6]]);
    // Its front looks away from the camera, towards the ball.
    let pane = quad([[-0.1, 0.0, 0.6], [-0.7, 0.0, 0.6], [-0.7, 1.2, 0.6], [-0.1, 1.2, 0.6]]);
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let sheet = |corners| {
        let stone = Rgb(214, 218, 224);
        Drawable::solid(corners, &triangles).sides(stone, stone).opacity(1.0, 0.25)
    };
    let renderer = stage(View::default(), &[&slope[..], &wall].concat()).style(Style::default().ground(0.0));
    let drawing =
        Drawing::new(vec![Drawable::solid(&ball.0, &ball.1), sheet(&slope), sheet(&wall), sheet(&pane)]);
    compare("slope", &renderer.render(&drawing).unwrap().picture);
}

#[test]
fn a_sheet_of_frames_and_a_plot() {
    let cell = Size::new(64, 40).unwrap();
    let pictures: Vec<_> =
        (0..3).map(|i| (Picture::filled(cell, Rgb::of_body(i)), format!("frame {i}"))).collect();
    compare("sheet", &contact_sheet(&pictures, 2, Rgb::WHITE).unwrap());
    let curve = (0..60).map(|i| (f64::from(i) / 60.0, 10_f64.powf(-f64::from(i) / 20.0))).collect();
    let plot = Plot::new("Residual", "time (s)", "m").y_axis(Axis::Logarithmic).curve("edges", curve);
    compare("plot", &plot.to_picture(Size::new(240, 160).unwrap()).unwrap());
}
