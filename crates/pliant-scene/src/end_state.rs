//! [`EndState`]: the state that a run ends with, from which another scene starts.

use std::fs;
use std::path::Path;

use nalgebra::Vector3;
use pliant_io::unreadable;
use pliant_solver::{Float, Seal, Simulation};
use serde::{Deserialize, Serialize};

use crate::build::BuiltBody;

/// The format of the file. Every change of [`EndState`] needs another version.
const SEAL: Seal = Seal { magic: *b"pliant-e", version: 1 };

/// The state that a run ends with: places and velocities of its bodies, and which pairs of its seams are closed.
///
/// ```
/// use pliant_scene::{EndState, Scene};
///
/// let scene = Scene::parse("[[body]]\nname = \"sheet\"\nmesh = { grid = { vertices = [3, 3], size = [1, 1] } }\nedges = \"rigid\"\n", ".")?;
/// let mut built = scene.build::<f32>()?;
/// built.simulation.advance(scene.time_step())?;
/// let end = EndState::of(&built.bodies, &built.simulation);
/// assert_eq!(EndState::from_bytes(&end.to_bytes())?, end);
/// assert!(end.bodies[0].velocities[4][1] < 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndState {
    /// Frames that were simulated.
    pub frame: u64,
    /// The time, s.
    pub time: f64,
    /// The bodies, in the order of the scene.
    pub bodies: Vec<EndBody>,
    /// The seams, in the order of the scene.
    pub seams: Vec<EndSeam>,
}

/// A body at the end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndBody {
    /// Its name.
    pub name: String,
    /// Where its vertices are, m; exact, whatever the precision of the run.
    pub positions: Vec<[f64; 3]>,
    /// Their velocities, m/s.
    pub velocities: Vec<[f64; 3]>,
}

/// A seam at the end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndSeam {
    /// Its name.
    pub name: String,
    /// Which of its pairs are closed.
    pub closed: Vec<bool>,
}

impl EndState {
    /// Name of the file in the folder of a run.
    pub const FILE: &str = "end.bin";

    /// The present state of a simulation with these bodies.
    #[must_use]
    pub fn of<T: Float>(bodies: &[BuiltBody], simulation: &Simulation<T>) -> Self {
        let numbers = |list: Vec<Vector3<f64>>| list.into_iter().map(Into::into).collect();
        let body = |body: &BuiltBody| EndBody {
            name: body.name.clone(),
            positions: numbers(simulation.positions_of(body.particles.clone())),
            velocities: numbers(simulation.velocities_of(body.particles.clone())),
        };
        let seam = |(name, closed)| EndSeam { name, closed };
        Self {
            frame: simulation.frame(),
            time: simulation.time(),
            bodies: bodies.iter().map(body).collect(),
            seams: simulation.closed_pairs().into_iter().map(seam).collect(),
        }
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        SEAL.close(self)
    }

    /// Reads the bytes of the file.
    ///
    /// # Errors
    ///
    /// If they are damaged, or of another kind of file; the message continues a sentence about them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, pliant_solver::SealError> {
        SEAL.open(bytes)
    }

    /// The state at the end of the run in a folder; the error is a sentence.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join(Self::FILE);
        let shown = folder.display();
        if !folder.is_dir() {
            return Err(format!("there is no folder {shown}"));
        }
        if !path.exists() {
            let is_run = folder.join("run.json").exists();
            return Err(if is_run {
                format!("the run in {shown} has not kept the state at its end")
            } else {
                format!("{shown} holds no finished run")
            });
        }
        let bytes = fs::read(&path)
            .map_err(|error| format!("cannot read {}: {}", path.display(), unreadable(&error)))?;
        Self::from_bytes(&bytes).map_err(|error| format!("{} {error}", path.display()))
    }

    /// A body by its name.
    pub(crate) fn body(&self, name: &str) -> Option<&EndBody> {
        self.bodies.iter().find(|body| body.name == name)
    }

    /// A seam by its name.
    pub(crate) fn seam(&self, name: &str) -> Option<&EndSeam> {
        self.seams.iter().find(|seam| seam.name == name)
    }
}
