//! One run: the time and the remaining errors for a scene, an order of projection and a number of substeps.

use std::fmt;
use std::time::Instant;

use nalgebra::Vector3;
use pliant_benches::scenes::{
    DT, block, block_scene, cloth_scene, corners, sheet, textbook_block, textbook_cloth,
};
use pliant_benches::textbook::Textbook;
use pliant_mesh::{TetMesh, TriMesh, tet_volume};
use pliant_solver::{Plan, Simulation};
use serde::{Deserialize, Serialize};

use crate::bench::{Scene, SceneSize, median};

/// An order of projection, perhaps with coarse levels before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Method {
    /// The textbook loop in the order of the mesh
    Textbook,
    /// The solver in the order of the mesh
    Sequential,
    /// The solver in the order of the mesh, eight constraints side by side
    Ordered,
    /// The solver in clusters, the default
    Clustered,
    /// The solver in clusters, with coarse levels before each sweep
    Coarse,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Textbook => "textbook",
            Self::Sequential => "sequential",
            Self::Ordered => "ordered",
            Self::Clustered => "clustered",
            Self::Coarse => "coarse",
        })
    }
}

/// A point of a curve.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Point {
    /// Substeps per frame.
    pub(super) substeps: u32,
    /// Median time of a frame, ms.
    pub(super) ms_per_frame: f64,
    /// Medians over the last half of the frames; none if the simulation broke down.
    pub(super) errors: Option<Errors>,
}

/// Errors of a state, relative to rest.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Errors {
    /// Mean of |L − L₀|/L₀ over the edges.
    pub(crate) stretch_mean: f64,
    /// Largest (L − L₀)/L₀.
    pub(crate) stretch_max: f64,
    /// Mean of |V − V₀|/V₀ over the tetrahedra of a solid.
    pub(crate) volume_mean: Option<f64>,
    /// Largest |V − V₀|/V₀.
    pub(crate) volume_max: Option<f64>,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:4} substeps {:10.3} ms", self.substeps, self.ms_per_frame)?;
        match &self.errors {
            None => write!(f, "  broke down"),
            Some(e) => {
                write!(f, "  stretch mean {:.2e} max {:.2e}", e.stretch_mean, e.stretch_max)?;
                match (e.volume_mean, e.volume_max) {
                    (Some(mean), Some(max)) => write!(f, "  volume mean {mean:.2e} max {max:.2e}"),
                    _ => Ok(()),
                }
            }
        }
    }
}

/// A scene with the lengths and volumes at rest.
pub(crate) struct Subject {
    mesh: Mesh,
    edges: Vec<([u32; 2], f64)>,
    tets: Vec<([u32; 4], f64)>,
}

enum Mesh {
    Block(TetMesh),
    /// Cloth, and the vertices that are held.
    Cloth(TriMesh, Vec<u32>),
}

/// A run that has begun; both hold `f32`.
enum Running {
    Textbook(Box<Textbook>, u32),
    Solver(Box<Simulation<f32>>),
}

impl Running {
    /// Steps by a frame; false if the solver gave up.
    fn frame(&mut self) -> bool {
        match self {
            Self::Textbook(book, substeps) => {
                #[allow(clippy::cast_possible_truncation, reason = "the baseline computes in f32")]
                book.frame(DT as f32, *substeps);
                true
            }
            Self::Solver(sim) => sim.advance(DT).is_ok(),
        }
    }

    fn positions(&self) -> Vec<Vector3<f64>> {
        match self {
            Self::Textbook(book, _) => {
                book.particles().iter().map(|p| Vector3::from(p.x.map(f64::from))).collect()
            }
            Self::Solver(sim) => sim.positions(),
        }
    }
}

impl Subject {
    pub(crate) fn new(scene: Scene) -> Self {
        match scene.size() {
            SceneSize::Block(cells) => {
                let mesh = block(cells);
                let x = mesh.positions();
                let edges = mesh.edges().into_iter().map(|e| (e, length(x, e))).collect();
                let tets = mesh.tets().iter().map(|&t| (t, volume(x, t))).collect();
                Self { edges, tets, mesh: Mesh::Block(mesh) }
            }
            SceneSize::Sheet(side) => Self::of_cloth(sheet(side as usize), corners(side).to_vec()),
        }
    }

    /// Cloth, and the vertices that are held.
    pub(crate) fn of_cloth(mesh: TriMesh, held: Vec<u32>) -> Self {
        let x = mesh.positions();
        let edges = mesh.edges().into_iter().map(|e| (e, length(x, e))).collect();
        Self { edges, tets: Vec::new(), mesh: Mesh::Cloth(mesh, held) }
    }

    fn begin(&self, method: Method, substeps: u32) -> Result<Running, String> {
        let plan = match method {
            Method::Textbook => {
                return Ok(Running::Textbook(Box::new(self.textbook()), substeps));
            }
            Method::Sequential => Plan::Sequential,
            Method::Ordered => Plan::Ordered,
            Method::Clustered | Method::Coarse => Plan::Clustered,
        };
        let scene = match &self.mesh {
            Mesh::Block(mesh) => block_scene(mesh.clone(), plan),
            Mesh::Cloth(mesh, held) => cloth_scene(mesh.clone(), held, plan),
        };
        let reduce = match method {
            Method::Coarse => pliant_solver::Method::Coarse,
            _ => pliant_solver::Method::Sweeps,
        };
        let sim = scene.substeps(substeps).method(reduce).build().map_err(|error| error.to_string())?;
        Ok(Running::Solver(Box::new(sim)))
    }

    /// Runs `frames` frames.
    pub(super) fn measure(&self, method: Method, substeps: u32, frames: u32) -> Result<Point, String> {
        let mut running = self.begin(method, substeps)?;
        let mut times = Vec::new();
        let mut states = Vec::new();
        let mut broken = false;
        for frame in 0..frames {
            let start = Instant::now();
            let good = running.frame();
            let time = 1e3 * start.elapsed().as_secs_f64();
            // Arithmetic with infinities would take another time, so a run ends with its first frame that is
            // not finite.
            let x = running.positions();
            broken = !good || !x.iter().flatten().all(|x| x.is_finite() && x.abs() < 1e6);
            if broken {
                // The point needs at least one time.
                times.resize(times.len().max(1), time);
                break;
            }
            times.push(time);
            if frame >= frames / 2 {
                states.push(self.errors(&x));
            }
        }
        let errors = (!broken).then(|| medians(&states));
        Ok(Point { substeps, ms_per_frame: median(&mut times), errors })
    }

    /// The textbook loop on it.
    pub(crate) fn textbook(&self) -> Textbook {
        match &self.mesh {
            Mesh::Block(mesh) => textbook_block(mesh),
            Mesh::Cloth(mesh, held) => textbook_cloth(mesh, held),
        }
    }

    /// The errors of a state, relative to rest.
    pub(crate) fn errors(&self, x: &[Vector3<f64>]) -> Errors {
        let stretches = self.edges.iter().map(|&(e, rest)| (length(x, e) - rest) / rest);
        let (mut stretch_sum, mut stretch_max) = (0.0, 0.0_f64);
        for stretch in stretches {
            stretch_sum += stretch.abs();
            stretch_max = stretch_max.max(stretch);
        }
        let (mut volume_sum, mut volume_max) = (0.0, 0.0_f64);
        for &(t, rest) in &self.tets {
            let error = ((volume(x, t) - rest) / rest).abs();
            volume_sum += error;
            volume_max = volume_max.max(error);
        }
        let solid = !self.tets.is_empty();
        Errors {
            stretch_mean: stretch_sum / self.edges.len() as f64,
            stretch_max,
            volume_mean: solid.then(|| volume_sum / self.tets.len() as f64),
            volume_max: solid.then_some(volume_max),
        }
    }
}

fn medians(states: &[Errors]) -> Errors {
    let of = |value: &dyn Fn(&Errors) -> f64| median(&mut states.iter().map(value).collect::<Vec<_>>());
    let of_some = |value: &dyn Fn(&Errors) -> Option<f64>| {
        let mut values: Vec<f64> = states.iter().filter_map(value).collect();
        (!values.is_empty()).then(|| median(&mut values))
    };
    Errors {
        stretch_mean: of(&|e| e.stretch_mean),
        stretch_max: of(&|e| e.stretch_max),
        volume_mean: of_some(&|e| e.volume_mean),
        volume_max: of_some(&|e| e.volume_max),
    }
}

fn length(x: &[Vector3<f64>], [a, b]: [u32; 2]) -> f64 {
    (x[b as usize] - x[a as usize]).norm()
}

fn volume(x: &[Vector3<f64>], t: [u32; 4]) -> f64 {
    tet_volume(&t.map(|v| x[v as usize]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_at_rest_have_no_error_and_scaled_ones_a_known_one() {
        let subject = Subject::new(Scene::Block5k);
        let Mesh::Block(mesh) = &subject.mesh else { panic!("a block is one") };
        let rest = subject.errors(mesh.positions());
        assert!(rest.stretch_mean < 1e-15 && rest.volume_max == Some(0.0), "{rest:?}");
        let larger: Vec<_> = mesh.positions().iter().map(|x| x * 1.1).collect();
        let found = subject.errors(&larger);
        for (found, expected) in [
            (found.stretch_mean, 0.1),
            (found.stretch_max, 0.1),
            (found.volume_mean.unwrap_or_default(), 0.331),
            (found.volume_max.unwrap_or_default(), 0.331),
        ] {
            assert!((found - expected).abs() < 1e-10, "{found} instead of {expected}");
        }
    }

    #[test]
    fn the_textbook_and_the_sequential_plan_leave_the_same_error() {
        let subject = Subject::new(Scene::Block5k);
        let error = |method| {
            let point = subject.measure(method, 2, 4).expect("the block can be simulated");
            point.errors.expect("a block does not break down").stretch_mean
        };
        let (book, plan) = (error(Method::Textbook), error(Method::Sequential));
        assert!(book > 1e-4 && (book - plan).abs() < 0.01 * book, "{book} and {plan}");
    }
}
