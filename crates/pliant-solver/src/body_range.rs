//! [`BodyRange`]: the particles of a body.

use std::ops::Range;

/// The name of particles that are in no body.
const UNNAMED: &str = "particles";

/// A named range of particles: a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyRange {
    /// Name used in errors and outputs.
    pub name: String,
    /// Its particles.
    pub particles: Range<usize>,
}

impl BodyRange {
    /// Parts that cover all particles: those that are in none get ranges of their own.
    pub(crate) fn cover(bodies: Vec<Self>, particles: usize) -> Vec<Self> {
        let mut all = Vec::new();
        let mut next = 0;
        let unnamed = |particles: Range<usize>| Self { name: UNNAMED.into(), particles };
        for body in bodies {
            if next < body.particles.start {
                all.push(unnamed(next..body.particles.start));
            }
            next = body.particles.end;
            all.push(body);
        }
        if next < particles {
            all.push(unnamed(next..particles));
        }
        all
    }

    /// Name of the body that holds a particle.
    pub(crate) fn name_at(bodies: &[Self], particle: usize) -> String {
        let body = bodies.iter().find(|body| body.particles.contains(&particle));
        body.map_or_else(|| UNNAMED.to_owned(), |body| body.name.clone())
    }
}
