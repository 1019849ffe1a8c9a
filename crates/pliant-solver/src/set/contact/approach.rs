//! When the next particle hits an obstacle.

use nalgebra::Vector3;
use pliant_kernel::{Particles, widen};

use crate::world::World;
use pliant_kernel::Scalar;

use super::{Contacts, LocalFrame, Surface};

/// Time, s, after which a point that approaches a surface at `speed`, m/s, pulled towards it by `pull`, m/s²,
/// has moved the distance `gap`, m, and its speed then: gap = speed t + ½ pull t². `None` if it turns before.
/// A point inside has arrived already.
fn arrival(gap: f64, speed: f64, pull: f64) -> Option<(f64, f64)> {
    if gap <= 0.0 {
        return Some((0.0, speed));
    }
    let square = speed * speed + 2.0 * pull * gap;
    let last = square.max(0.0).sqrt();
    // This form of the root avoids cancellation if speed and pull point towards the surface.
    let sum = speed + last;
    (square >= 0.0 && sum > 0.0).then(|| (2.0 * gap / sum, last))
}

impl<T: Scalar> Surface<T> {
    /// The pose of the surface at `time`, s.
    fn at(&self, time: f64) -> LocalFrame<T> {
        if self.motion.is_fixed() { self.now } else { LocalFrame::new(&self.motion.pose(time)) }
    }
}

impl<T: Scalar> Contacts<T> {
    /// The time, s from now, until the first free particle hits an obstacle, if one will before `horizon`, s.
    /// Particles fly freely; obstacles keep their mean velocity over the next `dt`, s, and that over the
    /// horizon, whichever gives the earlier time. A particle that arrives slower than after two frames of
    /// `dt` under gravity lies or settles: that is not an impact.
    fn time_to_impact(
        &self,
        particles: &Particles<T>,
        gravity: &Vector3<f64>,
        time: f64,
        dt: f64,
        horizon: f64,
    ) -> Option<f64> {
        let slow = 2.0 * gravity.norm() * dt;
        let Particles { now, velocity, .. } = particles;
        let mut soonest: Option<f64> = None;
        for surface in &self.surfaces {
            let ahead = if surface.motion.is_fixed() { &[dt][..] } else { &[dt, horizon] };
            for &ahead in ahead {
                let later = surface.at(time + ahead);
                let free = now[..self.radius.len()].iter().zip(velocity).zip(&self.radius);
                for ((p, velocity), radius) in free.filter(|((p, _), _)| p.w > T::zero()) {
                    let (gap, normal) = surface.gap(&p.x);
                    let carried = later.to_world(&surface.now.to_local(&p.x)) - p.x;
                    let normal = widen(&normal);
                    let speed = normal.dot(&(widen(&carried) / ahead - widen(&velocity.v)));
                    let found = arrival((gap - *radius).to_f64(), speed, -normal.dot(gravity));
                    let hits = found.filter(|&(t, speed)| t < horizon && speed > slow).map(|(t, _)| t);
                    soonest = match (soonest, hits) {
                        (Some(a), Some(b)) => Some(a.min(b)),
                        (a, b) => a.or(b),
                    };
                }
            }
        }
        soonest
    }
}

impl<T: Scalar> World<T> {
    /// The time, s from now, until the first particle hits an obstacle, predicted for frames of `dt`, s;
    /// `None` if none does within `horizon`, s. Every particle is assumed to fall by itself, even if it rests
    /// on others, so horizons should be short.
    pub(crate) fn time_to_impact(&self, dt: f64, horizon: f64) -> Option<f64> {
        let gravity = &self.settings.gravity;
        self.contacts.time_to_impact(&self.fine.particles, gravity, self.time, dt, horizon)
    }
}

#[cfg(test)]
mod tests {
    use pliant_mesh::{ConvexHull, DistanceGrid, HeightField, Split, TetMesh};

    use super::*;
    use crate::Simulation;
    use crate::{Body, Compliance, Motion, Obstacle, Settings};

    #[test]
    fn a_point_arrives_when_its_parabola_does() {
        let (t, speed) = arrival(2.0, 1.0, 10.0).unwrap();
        assert!((t + 5.0 * t * t - 2.0).abs() < 1e-12 && (speed - (1.0 + 10.0 * t)).abs() < 1e-12);
        // It leaves, and is pulled back.
        let (t, _) = arrival(2.0, -1.0, 10.0).unwrap();
        assert!((-t + 5.0 * t * t - 2.0).abs() < 1e-12);
        assert_eq!(arrival(2.0, 0.0, 0.0), None, "it stays");
        assert_eq!(arrival(2.0, 1.0, -1.0), None, "it turns after half a metre");
        assert_eq!(arrival(-0.1, 3.0, 1.0), Some((0.0, 3.0)));
    }

    fn block(obstacle: Obstacle, gravity: f64) -> Simulation<f64> {
        let mesh = TetMesh::block([1, 1, 1], [0.2; 3], Split::Kuhn).unwrap();
        let settings = Settings { gravity: Vector3::new(0.0, -gravity, 0.0), ..Settings::default() };
        Simulation::builder()
            .settings(settings)
            .body(Body::solid(mesh).stretch(Compliance::new(1e-6)))
            .obstacle(obstacle)
            .build_as()
            .unwrap()
    }

    #[test]
    fn an_impact_is_foreseen_when_it_happens() {
        let dt = 1.0 / 60.0;
        let mut sim = block(Obstacle::floor(-1.3), 9.81);
        let lowest = sim.positions().iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        let expected = (2.0 * (lowest + 1.3) / 9.81).sqrt();
        let found = sim.time_to_impact(dt, 1.0).unwrap();
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        assert_eq!(sim.time_to_impact(dt, 0.9 * expected), None);
        // The time decreases step by step, and there is no impact once the block lies.
        for _ in 0..20 {
            sim.advance(dt).unwrap();
        }
        let left = sim.time_to_impact(dt, 1.0).unwrap();
        assert!((left + sim.time() - expected).abs() < 0.02, "{left}");
        // The block is undamped and would bounce for a long time, so a block at rest is built.
        let mut lying = block(Obstacle::floor(lowest), 9.81);
        for _ in 0..200 {
            lying.advance(dt).unwrap();
        }
        assert_eq!(lying.time_to_impact(dt, 0.1), None, "it lies");
        // Particles are predicted one by one: for the upper ones it is not known that they rest on others.
        let upper = (2.0 * 0.2 / 9.81_f64).sqrt();
        assert!((lying.time_to_impact(dt, 1.0).unwrap() - upper).abs() < 1e-3);
    }

    #[test]
    fn impacts_on_shapes_with_data_of_their_own_are_foreseen() {
        let (low, high) = (Vector3::new(-1.0, -1.5, -1.0), Vector3::new(1.0, -1.3, 1.0));
        let corner = |c: usize| Vector3::from_fn(|k, _| if c >> k & 1 == 1 { high[k] } else { low[k] });
        let corners: Vec<_> = (0..8).map(corner).collect();
        let hull = ConvexHull::new(&corners).unwrap();
        let ground = HeightField::new(Vector3::new(-1.0, -1.4, -1.0), [0.5; 2], &[[0.1; 5]; 5]).unwrap();
        // Far beyond its grid.
        let slab = DistanceGrid::new(hull.surface(), 0.05, 0.1).unwrap();
        let floor = block(Obstacle::floor(-1.3), 9.81).time_to_impact(1.0 / 60.0, 1.0).unwrap();
        for obstacle in [Obstacle::hull(hull), Obstacle::height_field(ground), Obstacle::distance_grid(slab)]
        {
            let found = block(obstacle, 9.81).time_to_impact(1.0 / 60.0, 1.0).unwrap();
            assert!((found - floor).abs() < 1e-6, "{found} instead of {floor}");
        }
    }

    #[test]
    fn obstacles_that_come_are_foreseen_too() {
        let obstacle = |speed| Obstacle::floor(-1.3).motion(Motion::linear(Vector3::new(0.0, speed, 0.0)));
        let sim = block(obstacle(2.0), 0.0);
        let lowest = sim.positions().iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        let found = sim.time_to_impact(0.01, 1.0).unwrap();
        assert!((found - (lowest + 1.3) / 2.0).abs() < 1e-9);
        assert_eq!(block(obstacle(-2.0), 0.0).time_to_impact(0.01, 1.0), None);
    }
}
