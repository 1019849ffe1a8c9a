//! [`Thin`] surfaces, through which particles can go, and the [`Passage`] of particles in a frame.

use nalgebra::Vector3;
use pliant_kernel::Peak;

use crate::describe::obstacle::Shape;

/// How particles met obstacles in the substeps of a frame.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Passage {
    /// How often a particle went through an obstacle, and the first particle that did.
    pub(crate) passed: usize,
    pub(crate) first: Option<usize>,
    /// The largest displacement of a particle relative to an obstacle that it touched or went through, in a
    /// substep, m, and the particle.
    pub(crate) way: Peak,
}

impl Passage {
    pub(super) fn pass(&mut self, particle: usize, way: f64) {
        self.passed += 1;
        self.first = self.first.or(Some(particle));
        self.way.take(way, particle);
    }
}

/// What the search for passages needs to know of a surface with something behind it.
#[derive(Debug, Clone)]
pub(super) struct Thin {
    /// The least thickness that is looked for, m.
    pub(super) thickness: f64,
    /// Corners of a box around it at rest, m.
    pub(super) corners: [Vector3<f64>; 8],
}

impl Thin {
    /// Of the surfaces of a shape; `None` if nothing is behind them.
    pub(super) fn of(shape: &Shape) -> Option<Self> {
        let bounds = shape.bounds()?;
        // Of a solid of any shape parts may be thinner, down to some cells.
        let least = if let Shape::DistanceGrid(solid) = shape { 4.0 * solid.cell() } else { f64::INFINITY };
        let corner =
            |c: usize| Vector3::from_fn(|k, _| if c >> k & 1 == 1 { bounds.max[k] } else { bounds.min[k] });
        let thickness = shape.thickness()?.min(least);
        Some(Self { thickness, corners: [0, 1, 2, 3, 4, 5, 6, 7].map(corner) })
    }
}
