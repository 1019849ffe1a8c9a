//! A flag in the wind as GIF, as APNG, and as a contact sheet.
//!
//! `cargo run --release -p pliant-render --example animation -- OUT_FOLDER`

use std::path::PathBuf;

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_render::{
    Drawable, Drawing, Renderer, Rgb, Size, StageFit, Style, View, contact_sheet, write_apng, write_gif,
};

const FRAMES: u32 = 30;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder: PathBuf = std::env::args().nth(1).unwrap_or_else(|| "pictures".to_owned()).into();
    let sheet = TriMesh::grid([61, 41], [1.5, 1.0])?;
    let size = Size::new(480, 360)?;
    let flags: Vec<Vec<Vector3<f64>>> = (0..FRAMES).map(|frame| flag(f64::from(frame) / 30.0)).collect();
    let pole = [Vector3::new(0.0, 0.0, 0.0), Vector3::new(0.0, 2.05, 0.0)];

    let mut fit = StageFit::new(View { azimuth: 20.0, elevation: 10.0, ..View::default() }, size)?;
    fit.add(&pole);
    flags.iter().for_each(|flag| fit.add(flag));
    let renderer = Renderer::new(size, fit.stage()).style(Style::default().ground(0.0));

    let mut pictures = Vec::new();
    for (index, flag) in flags.iter().enumerate() {
        let drawing = Drawing::new(vec![
            Drawable::cloth(flag, sheet.triangles()).colour(Rgb::of_body(3)),
            Drawable::lines(&pole, &[[0, 1]], 0.02).colour(Rgb(120, 124, 130)),
        ]);
        let time = index as f64 / 30.0;
        pictures.push(renderer.render(&drawing.caption(format!("t = {time:.2} s")))?.picture);
    }
    write_gif(folder.join("flag.gif"), &pictures, 1.0 / 30.0)?;
    write_apng(folder.join("flag.apng.png"), &pictures, 1.0 / 30.0)?;
    let chosen: Vec<_> = pictures.into_iter().step_by(5).map(|picture| (picture, String::new())).collect();
    contact_sheet(&chosen, 3, Rgb::WHITE)?.write_png(folder.join("flag-sheet.png"))?;
    Ok(())
}

/// A flag of 1.5 m by 1 m, with one wave a second running along it; vertices in the order of the grid.
fn flag(time: f64) -> Vec<Vector3<f64>> {
    let turn = std::f64::consts::TAU;
    let vertex = |i: u32, j: u32| {
        let (x, y) = (f64::from(i) / 40.0, f64::from(j) / 40.0);
        let wave = (turn * (0.8 * x - time) + 0.8 * y).sin();
        Vector3::new(x * 0.94 - 0.02 * x * wave, 1.0 + y - 0.1 * x * x, 0.14 * x.sqrt() * wave * x.min(0.9))
    };
    (0..41).flat_map(|j| (0..61).map(move |i| vertex(i, j))).collect()
}
