//! A hanging cloth, a bent bar coloured by its strain, and a lattice of points and lines, as PNG.
//!
//! `cargo run --release -p pliant-render --example pictures -- OUT_FOLDER`

use std::path::PathBuf;

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_render::{
    ColourMap, Drawable, Drawing, Renderer, Rgb, Scale, Size, StageFit, Style, TetSurface, View,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder: PathBuf = std::env::args().nth(1).unwrap_or_else(|| "pictures".to_owned()).into();
    let size = Size::new(960, 640)?;

    // A sheet held at two corners: its lower edge sags, and folds run down from the corners.
    let sheet = TriMesh::grid([101, 101], [1.0, 1.0])?;
    let cloth: Vec<Vector3<f64>> = (0..101)
        .flat_map(|j| (0..101).map(move |i| hang(f64::from(i) / 100.0, 1.0 - f64::from(j) / 100.0)))
        .collect();
    let ball = TriMesh::icosphere(0.16, 16)?;
    let ball: (Vec<_>, _) = (
        ball.positions().iter().map(|p| p + Vector3::new(0.52, 0.16, 0.42)).collect(),
        ball.triangles().to_vec(),
    );
    let mut fit = StageFit::new(View { azimuth: 28.0, elevation: 16.0, ..View::default() }, size)?;
    fit.add(&cloth);
    fit.add(&ball.0);
    let renderer =
        Renderer::new(size, fit.stage()).style(Style::default().ground(0.0)).title("Hanging cloth");
    let drawing = Drawing::new(vec![
        Drawable::cloth(&cloth, sheet.triangles()),
        Drawable::solid(&ball.0, &ball.1).colour(Rgb::of_body(1)),
    ]);
    renderer.render(&drawing.caption("t = 1.20 s"))?.picture.write_png(folder.join("cloth.png"))?;

    // A bar bent into an arc; the colour is the strain along it.
    let block = TetMesh::block([40, 8, 8], [2.0, 0.4, 0.4], Split::Kuhn)?;
    let radius = 1.1;
    let bent: Vec<Vector3<f64>> = block
        .positions()
        .iter()
        .map(|p| {
            let angle = (p.x - 1.0) / radius;
            let out = radius + p.y - 0.2;
            Vector3::new(out * angle.sin(), out * angle.cos() - 0.3, p.z)
        })
        .collect();
    let strain: Vec<f64> = block.positions().iter().map(|p| 100.0 * (p.y - 0.2) / radius).collect();
    let surface = TetSurface::new(&block);
    let mut fit = StageFit::new(View { margins: [0.06, 0.17, 0.08, 0.1], ..View::default() }, size)?;
    fit.add(&bent);
    let renderer = Renderer::new(size, fit.stage())
        .style(Style::default().ground(0.0))
        .scale(Scale::new(ColourMap::CoolWarm, -20.0, 20.0, "strain (%)")?)
        .title("Bent bar");
    let bar =
        Drawable::solid(&bent, &surface.triangles).vertex_field(&strain).wireframe(Rgb(30, 34, 40), 0.35);
    renderer.render(&Drawing::new(vec![bar]))?.picture.write_png(folder.join("bar.png"))?;

    // Particles and what holds them together.
    let lattice: Vec<Vector3<f64>> = (0..64)
        .map(|i| Vector3::new(f64::from(i % 4), f64::from(i / 4 % 4) + 0.3, f64::from(i / 16)) * 0.3)
        .collect();
    let near = |a: usize, b: usize| (lattice[a] - lattice[b]).norm() < 0.31;
    let rods: Vec<[u32; 2]> = (0..64)
        .flat_map(|a| (a + 1..64).map(move |b| (a, b)))
        .filter(|&(a, b)| near(a, b))
        .map(|(a, b)| [a as u32, b as u32])
        .collect();
    let height: Vec<f64> = lattice.iter().map(|p| p.y).collect();
    let mut fit = StageFit::new(View { margins: [0.06, 0.17, 0.08, 0.1], ..View::default() }, size)?;
    fit.add(&lattice);
    let renderer = Renderer::new(size, fit.stage()).style(Style::dark().ground(0.0));
    let scale = Scale::over(ColourMap::Viridis, height.iter().copied(), "height (m)");
    let drawing = Drawing::new(vec![
        Drawable::points(&lattice, 0.06).vertex_field(&height),
        Drawable::lines(&lattice, &rods, 0.015).colour(Rgb(200, 200, 205)),
    ]);
    renderer.scale(scale).render(&drawing)?.picture.write_png(folder.join("lattice.png"))?;
    Ok(())
}

/// A sheet of one metre hanging from two corners: `u` runs from one corner to the other, `v` downwards.
fn hang(u: f64, v: f64) -> Vector3<f64> {
    let middle = 4.0 * u * (1.0 - u);
    let fold = (u * 19.0 + 1.5 * v).sin() * 0.028 * (0.3 + v) + (u * 7.0 - v).sin() * 0.05 * v;
    Vector3::new(
        0.05 + u * 0.9 + 0.04 * v * (0.5 - u),
        1.25 - 0.13 * middle * (1.0 - 0.45 * v) - 0.88 * v,
        fold + 0.1 * middle * v * (1.0 - 0.4 * v),
    )
}
