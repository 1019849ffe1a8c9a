//! [`Host`]: one simulation, and bytes that come and go.

use pliant_scene::Scene;
use pliant_view::{Command, Problem, Show};
use serde_json::{Value, json};

/// One simulation, with the bytes of the last question and the last answer.
#[derive(Default)]
pub struct Host {
    /// Bytes of the question.
    pub input: Vec<u8>,
    /// Bytes of the answer.
    pub output: Vec<u8>,
    show: Option<Show<'static>>,
}

impl Host {
    /// Builds the scene whose file is the input. Whether it could; if not, the answer is the [problem](Problem)
    /// as JSON.
    pub fn open(&mut self) -> bool {
        let text = String::from_utf8_lossy(&self.input);
        let opened = Scene::parse_named("scene", &text, ".").and_then(Show::of_scene);
        match opened {
            Ok(show) => {
                self.show = Some(show);
                true
            }
            Err(error) => self.refuse(&Problem::from(&error)),
        }
    }

    /// Does the [command](Command) that is the input, as JSON. Whether it could; the answer is the value, or
    /// the problem.
    pub fn act(&mut self) -> bool {
        let command = serde_json::from_slice::<Command>(&self.input);
        let command = match command {
            Ok(command) => command,
            Err(error) => return self.refuse(&Problem::new(error.to_string())),
        };
        let Some(show) = &mut self.show else { return self.refuse(&nothing()) };
        match show.act(&command) {
            Ok(value) => {
                self.say(&value);
                true
            }
            Err(refusal) => self.refuse(&refusal.0),
        }
    }

    /// Takes some frames. Whether it could; if not, the answer is the problem.
    pub fn step(&mut self, frames: u32) -> bool {
        let Some(show) = &mut self.show else { return self.refuse(&nothing()) };
        for _ in 0..frames {
            if let Err(refusal) = show.step() {
                return self.refuse(&refusal.0);
            }
        }
        true
    }

    /// Answers with [what to draw](Show::stage).
    pub fn stage(&mut self) {
        let stage = self.show.as_ref().map_or(Value::Null, Show::stage);
        self.say(&stage);
    }

    /// Answers with the present [frame](pliant_view::FrameMessage).
    pub fn frame(&mut self) {
        self.output = self.show.as_ref().map(Show::frame).unwrap_or_default();
    }

    /// The simulation, once there is one.
    #[must_use]
    pub fn show(&self) -> Option<&Show<'static>> {
        self.show.as_ref()
    }

    fn say(&mut self, value: &Value) {
        self.output = value.to_string().into_bytes();
    }

    fn refuse(&mut self, problem: &Problem) -> bool {
        self.say(&json!(problem));
        false
    }
}

fn nothing() -> Problem {
    Problem::new("there is no simulation yet: open a scene first")
}
