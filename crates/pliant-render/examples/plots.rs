//! Energy and residual of a swinging weight over time, as SVG and PNG.
//!
//! `cargo run --release -p pliant-render --example plots -- OUT_FOLDER`

use std::path::PathBuf;

use pliant_render::{Axis, Plot, Size};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder: PathBuf = std::env::args().nth(1).unwrap_or_else(|| "pictures".to_owned()).into();
    let over_time =
        |f: &dyn Fn(f64) -> f64| (0..=240).map(|i| f64::from(i) / 60.0).map(|t| (t, f(t))).collect();
    let swing = |t: f64| (3.1 * t).sin().powi(2) * (-0.25 * t).exp();
    let size = Size::new(720, 440)?;

    let energy = Plot::new("Energy of a swinging weight", "time (s)", "energy (J)")
        .curve("kinetic", over_time(&|t| 2.0 * swing(t)))
        .curve("potential", over_time(&|t| 2.0 * (-0.25 * t).exp() - 2.0 * swing(t)))
        .curve("total", over_time(&|t| 2.0 * (-0.25 * t).exp()));
    energy.write_svg(folder.join("energy.svg"), size)?;
    energy.write_png(folder.join("energy.png"), size)?;

    let residual = Plot::new("What each iteration leaves", "time (s)", "largest residual (m)")
        .y_axis(Axis::Logarithmic)
        .curve("10 substeps", over_time(&|t| 1e-4 * (0.2 + swing(t))))
        .curve("40 substeps", over_time(&|t| 6e-7 * (0.2 + swing(t))));
    residual.write_svg(folder.join("residual.svg"), size)?;
    residual.write_png(folder.join("residual.png"), size)?;
    Ok(())
}
