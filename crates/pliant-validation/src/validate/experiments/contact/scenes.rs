//! The parts of the scenes of contact, and their runs.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{Body, Collide, Compliance, Float, FrameReport, Settings, Simulation, SweepOrder, Tally};

use crate::problem::Problem;

/// Length of a frame, s.
pub(super) const FRAME: f64 = 1.0 / 60.0;
/// The distance that surfaces keep, m, unless a scene says otherwise.
pub(super) const THICKNESS: f64 = 0.003;

/// The default settings, except for the work in a frame.
pub(super) fn settings(substeps: u32, iterations: u32) -> Settings {
    Settings { substeps, iterations, ..Settings::default() }
}

/// The same with sweeps that always go the same way, for solids at rest.
pub(super) fn steady(substeps: u32, iterations: u32) -> Settings {
    Settings { order: SweepOrder::Fixed, ..settings(substeps, iterations) }
}

/// A level grid of squares with its middle at a place, m.
pub(super) fn level(cells: [usize; 2], size: [f64; 2], at: Vector3<f64>) -> Result<TriMesh, Problem> {
    Ok(TriMesh::grid(cells.map(|cells| cells + 1), size)?.translated(at)?)
}

/// Lets a body collide, with a friction.
pub(super) fn collides(body: Body, friction: f64) -> Body {
    body.contact_radius(0.5 * THICKNESS).collide(Collide::new().friction(friction))
}

/// Cloth that collides.
pub(super) fn sheet(mesh: TriMesh, friction: f64) -> Body {
    collides(Body::cloth(mesh), friction)
}

/// A mesh that is held as a whole.
pub(super) fn held(mesh: TriMesh, friction: f64) -> Body {
    sheet(mesh, friction).pin(|_| true)
}

/// A soft block whose lowest corner is at a place, m.
pub(super) fn block(
    cells: [usize; 3],
    size: [f64; 3],
    at: Vector3<f64>,
    friction: f64,
) -> Result<Body, Problem> {
    let mesh = TetMesh::block(cells, size, Split::Five)?.translated(at)?;
    Ok(collides(Body::solid(mesh).stretch(Compliance::new(1e-6)), friction))
}

/// The same number of cells along each side of a cube.
pub(super) fn cube(cells: usize, side: f64, at: Vector3<f64>, friction: f64) -> Result<Body, Problem> {
    block([cells; 3], [side; 3], at, friction)
}

/// The record of contact in the frames of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    /// Crossings at the start, the most in a frame, and those of the last.
    pub(super) at_start: usize,
    pub(super) most: usize,
    pub(super) last: usize,
    /// Contacts in the substep that had most.
    pub(super) contacts: usize,
    /// The largest share of particles cut back in the mean of a frame.
    pub(super) truncated: f64,
    /// The total impulse of the net, kg·m/s.
    pub(super) momentum: f64,
}

impl Seen {
    fn take(&mut self, tally: &Tally) {
        self.most = self.most.max(tally.intersections);
        self.last = tally.intersections;
        self.contacts = self.contacts.max(tally.contacts);
        self.truncated = self.truncated.max(tally.truncated_share);
        self.momentum += tally.momentum;
    }
}

/// Runs some frames, and calls a function for every one.
pub(super) fn run<T: Float>(
    sim: &mut Simulation<T>,
    frames: u32,
    mut look: impl FnMut(&Simulation<T>, &FrameReport),
) -> Result<Seen, Problem> {
    let mut seen = Seen::default();
    if let Some(tally) = sim.report().collisions {
        seen.take(&tally);
        seen.at_start = tally.intersections;
    }
    for _ in 0..frames {
        let report = sim.step(FRAME)?;
        if let Some(tally) = &report.collisions {
            seen.take(tally);
        }
        look(sim, &report);
    }
    Ok(seen)
}

/// The middle of the vertices of a body, m.
pub(super) fn middle<T: Float>(sim: &Simulation<T>, body: usize) -> Vector3<f64> {
    let x = sim.positions_of(sim.body_ranges()[body].particles.clone());
    x.iter().sum::<Vector3<f64>>() / x.len().max(1) as f64
}
