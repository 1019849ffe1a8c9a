//! A game loop: a flag in the wind, a corner dragged, a ball added and removed, a checkpoint taken and restored.
//!
//! `cargo run --release -p pliant --example game_loop`
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use pliant::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wind = Wind { velocity: Vector3::new(6.0, 0.0, 1.0), ..Wind::default() };
    let flat = TriMesh::grid([31, 21], [1.5, 1.0])?;
    let upright = flat.positions().iter().map(|p| Vector3::new(p.x, 2.0 - p.z, 0.0)).collect();
    let flag = Body::cloth(flat.with_positions(upright)?)
        .name("flag")
        .area_density(0.15)
        .stretch(Compliance::new(1e-6))
        .bend(Compliance::new(1.0));
    let ball = Body::solid(TetMesh::ball(0.2, 4)?.translated([0.0, 0.3, 0.0])?)
        .name("ball")
        .stretch(Compliance::new(1e-5));
    let ball = ball.collide(Collide::new());
    let mut sim = Simulation::builder()
        .body(flag.collide(Collide::new()).pin(|x| x.x < -0.7499))
        .obstacle(Obstacle::floor(0.0).friction(0.5))
        .build()?;
    let flag = sim.body("flag").ok_or("no flag")?;
    let corner = sim.body_range(flag).map_or(0, |part| part.particles.start + 30);
    let mut vertices = vec![[0.0_f32; 3]; sim.positions_of(flag).len()]; // what a renderer draws

    let (mut hand, mut guest, mut saved) = (None, None, None);
    for frame in 0..240 {
        match frame {
            30 => sim.set_wind(Some(wind))?,
            60 => hand = Some(sim.grab(corner, Stiffness::new(200.0))?),
            100 => guest = Some(sim.add_body(ball.clone().velocity(Vector3::new(0.0, 6.0, 0.0)))?),
            120 => hand.take().map_or(Ok(()), |grab| sim.let_go(grab))?,
            150 => saved = Some((sim.snapshot(), sim.state_hash())),
            180 => guest.take().map_or(Ok(()), |body| sim.remove_body(body).map(drop))?,
            _ => {}
        }
        if let Some(grab) = hand {
            let angle = f64::from(frame) * 0.1;
            sim.move_to(grab, Vector3::new(0.6 + 0.1 * angle.sin(), 2.0, 0.4 * angle.cos()))?;
        }
        sim.advance(1.0 / 60.0)?;
        sim.copy_positions(flag, &mut vertices)?;
    }
    println!("after {:.1} s: {} bodies, corner at {:?}", sim.time(), sim.body_ranges().len(), vertices[30]);

    let (checkpoint, hash) = saved.ok_or("no checkpoint")?;
    sim.restore(&checkpoint); // the ball is back, and everything moves as it did
    assert_eq!((sim.body_ranges().len(), sim.state_hash()), (2, hash));
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().unwrap();
    }
}
