//! [`Host`]: one simulation or skin, and bytes that come and go.

use std::path::Path;

use pliant_view::{Command, Exhibit, Problem};
use serde_json::{Value, json};

/// One simulation or skin, with the bytes of the last question and the last answer.
#[derive(Default)]
pub struct Host {
    /// Bytes of the question.
    pub input: Vec<u8>,
    /// Bytes of the answer.
    pub output: Vec<u8>,
    shown: Option<Box<dyn Exhibit>>,
}

impl Host {
    /// Builds the scene, or the stack of deformers, whose file is the input. Whether it could; if not, the answer is the
    /// [problem](Problem) as JSON.
    pub fn open(&mut self) -> bool {
        let text = String::from_utf8_lossy(&self.input);
        match pliant_view::open("scene", &text, Path::new(".")) {
            Ok(shown) => {
                self.shown = Some(shown);
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
        let Some(shown) = &mut self.shown else { return self.refuse(&nothing()) };
        match shown.act(&command) {
            Ok(value) => {
                self.say(&value);
                true
            }
            Err(refusal) => self.refuse(&refusal.0),
        }
    }

    /// Takes some frames. Whether it could; if not, the answer is the problem.
    pub fn step(&mut self, frames: u32) -> bool {
        let Some(shown) = &mut self.shown else { return self.refuse(&nothing()) };
        for _ in 0..frames {
            if let Err(refusal) = shown.step() {
                return self.refuse(&refusal.0);
            }
        }
        true
    }

    /// Answers with [what to draw](Exhibit::stage).
    pub fn stage(&mut self) {
        let stage = self.shown().map_or(Value::Null, Exhibit::stage);
        self.say(&stage);
    }

    /// Answers with the present [frame](pliant_view::FrameMessage).
    pub fn frame(&mut self) {
        self.output = self.shown().map(Exhibit::frame).unwrap_or_default();
    }

    /// What is shown, once there is something.
    #[must_use]
    pub fn shown(&self) -> Option<&dyn Exhibit> {
        self.shown.as_deref()
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
