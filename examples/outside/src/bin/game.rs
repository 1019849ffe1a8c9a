//! A game loop: a flag in the wind, a corner dragged, a ball dropped in and taken out, a checkpoint kept in a
//! file and gone back to.

use pliant::prelude::*;

type Failure = Box<dyn std::error::Error>;

fn flag() -> Result<Simulation, Failure> {
    let flat = TriMesh::grid([31, 21], [1.5, 1.0])?;
    let upright = flat.positions().iter().map(|p| Vector3::new(p.x, 2.0 - p.z, 0.0)).collect();
    let flag = Body::cloth(flat.with_positions(upright)?)
        .name("flag")
        .area_density(0.15)
        .stretch(Compliance::new(1e-6))
        .bend(Compliance::new(1.0));
    let floor = Obstacle::floor(0.0).friction(0.5);
    Ok(Simulation::builder()
        .body(flag.collide(Collide::new()).pin(|x| x.x < -0.7499))
        .obstacle(floor)
        .build()?)
}

fn main() -> Result<(), Failure> {
    let file = std::env::temp_dir().join(format!("pliant-game-{}.snapshot", std::process::id()));
    let ball = Body::solid(TetMesh::ball(0.2, 4)?.translated([0.0, 3.0, 0.0])?)
        .name("ball")
        .stretch(Compliance::new(1e-5));
    let mut sim = flag()?;
    let cloth = sim.body("flag").ok_or("no flag")?;
    let corner = sim.body_range(cloth).map_or(0, |part| part.particles.start + 30);
    let mut vertices = vec![[0.0_f32; 3]; sim.positions_of(cloth).len()]; // what a renderer draws

    let (mut hand, mut guest) = (None, None);
    for frame in 0..120 {
        match frame {
            10 => sim.set_wind(Some(Wind { velocity: Vector3::new(6.0, 0.0, 1.0), ..Wind::default() }))?,
            20 => hand = Some(sim.grab(corner, Stiffness::new(200.0))?),
            30 => guest = Some(sim.add_body(ball.clone().collide(Collide::new()))?),
            70 => guest.take().map_or(Ok(()), |body| sim.remove_body(body).map(drop))?,
            80 => std::fs::write(&file, sim.snapshot().to_bytes())?,
            _ => {}
        }
        if let Some(grab) = hand {
            sim.move_to(grab, way(frame))?;
        }
        sim.advance(1.0 / 60.0)?;
        sim.copy_positions(cloth, &mut vertices)?;
    }
    println!("after {:.1} s the corner is at {:?}", sim.time(), vertices[30]);

    // Another program, started later: the same bodies, the checkpoint, and the same calls.
    let mut other = flag()?;
    let hand = hand.ok_or("nothing is held")?;
    other.restore(&Snapshot::from_bytes(&std::fs::read(&file)?, &other)?);
    for frame in 80..120 {
        other.move_to(hand, way(frame))?;
        other.advance(1.0 / 60.0)?;
    }
    std::fs::remove_file(&file)?;
    assert_eq!(other.state_hash(), sim.state_hash());
    Ok(())
}

fn way(frame: i32) -> Vector3<f64> {
    let angle = f64::from(frame) * 0.1;
    Vector3::new(0.6 + 0.1 * angle.sin(), 2.0, 0.4 * angle.cos())
}
