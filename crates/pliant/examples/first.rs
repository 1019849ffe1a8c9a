//! The example of the README: a ball drops on the floor beside a sheet that swings from two corners.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use pliant::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = TetMesh::ball(0.3, 6)?.translated([0.0, 0.8, 0.0])?;
    let sheet = TriMesh::grid([41, 41], [1.0, 1.0])?.translated([0.0, 1.5, -1.0])?;

    let mut sim = Simulation::builder()
        .settings(Settings { substeps: 40, certificate: true, ..Settings::default() })
        .body(
            Body::solid(ball)
                .name("ball")
                .density(1000.0)
                .stretch(Compliance::new(2e-5))
                .volume(Compliance::RIGID),
        )
        .body(
            Body::cloth(sheet)
                .name("sheet")
                .area_density(0.2)
                .stretch(Compliance::new(1e-6))
                .bend(Compliance::new(5e3))
                .pin_vertices([0, 40]),
        )
        .obstacle(Obstacle::floor(0.0).friction(0.5))
        .build()?; // checks everything; the error names the element

    let mut certificate = Certificate::begin(&sim);
    for _ in 0..120 {
        let frame = sim.step(1.0 / 60.0)?; // an error names the first element that is not finite
        certificate.take(&frame);
        println!("{frame}"); // residuals with their units, stretch, volume error
    }
    println!("{}", certificate.judgement()); // good, rough or not to be trusted, and why
    Ok(())
}
