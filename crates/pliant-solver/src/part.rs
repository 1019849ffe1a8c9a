//! [`Part`]: the particles of a body.

use std::ops::Range;

/// The name of particles that are in no part.
const UNNAMED: &str = "particles";

/// A named range of particles: a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Name used in errors and outputs.
    pub name: String,
    /// Its particles.
    pub particles: Range<usize>,
}

impl Part {
    /// Parts that cover all particles: those that are in none get parts of their own.
    pub(crate) fn cover(parts: Vec<Self>, particles: usize) -> Vec<Self> {
        let mut all = Vec::new();
        let mut next = 0;
        let unnamed = |particles: Range<usize>| Self { name: UNNAMED.into(), particles };
        for part in parts {
            if next < part.particles.start {
                all.push(unnamed(next..part.particles.start));
            }
            next = part.particles.end;
            all.push(part);
        }
        if next < particles {
            all.push(unnamed(next..particles));
        }
        all
    }

    /// Name of the part that holds a particle.
    pub(crate) fn name_at(parts: &[Self], particle: usize) -> String {
        let part = parts.iter().find(|part| part.particles.contains(&particle));
        part.map_or_else(|| UNNAMED.to_owned(), |part| part.name.clone())
    }
}
