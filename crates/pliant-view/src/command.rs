//! [`Command`]: what a page asks of a simulation.

mod words;

use serde::{Deserialize, Serialize};

/// What a page asks of a simulation that runs; as JSON `{ "do": "grab", "hand": 1, … }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", try_from = "words::Words")]
#[non_exhaustive]
pub enum Command {
    /// Goes on.
    Play,
    /// Stops until the command to continue.
    Pause,
    /// Takes some frames and pauses.
    Step {
        /// How many; 1000 at most.
        frames: u32,
    },
    /// Goes back to the start, with the present settings.
    Restart,
    /// Changes how fast simulated time runs.
    Speed {
        /// Simulated seconds in a second; 0 for as fast as possible.
        value: f64,
    },
    /// Ties a vertex of a body to a hand by a spring.
    Grab {
        /// The number of the hand, chosen by the page.
        hand: u32,
        /// The body, as numbered in the stage.
        body: usize,
        /// The vertex, as numbered in the stage.
        vertex: usize,
        /// The stiffness of the spring, N/m, if it is not the usual one.
        stiffness: Option<f64>,
    },
    /// Moves a hand in the course of the next frame.
    Move {
        /// Its number.
        hand: u32,
        /// The place, m.
        to: [f64; 3],
    },
    /// Releases what a hand holds.
    Release {
        /// Its number.
        hand: u32,
    },
    /// Moves an obstacle in the course of the next frame.
    Push {
        /// The body of the stage that is the obstacle.
        body: usize,
        /// How far from where it is now, m.
        by: [f64; 3],
    },
    /// Sets a key of the scene.
    Set {
        /// The key, such as `solver.substeps`.
        key: String,
        /// Its value.
        value: serde_json::Value,
    },
    /// Takes back all changes to keys.
    Undo,
    /// Colours the bodies by a field.
    Field {
        /// `strain` or `speed`; nothing for the colours of the bodies.
        name: Option<String>,
    },
    /// Replaces the scene by another text.
    Text {
        /// The text of a scene file.
        toml: String,
    },
    /// Writes the scene as changed to a new file.
    Save,
    /// Begins or ends a recording.
    Record {
        /// Whether it begins.
        on: bool,
    },
}
