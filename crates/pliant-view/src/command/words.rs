//! [`Words`]: the keys of all commands in one table, from which a [`Command`] takes its own.
//!
//! serde can read the commands by itself, but then each is a reader of its own: for these few words that was 60 kB
//! of machine code.

use serde::Deserialize;
use serde_json::Value;

use super::Command;

/// The keys of all commands; each has some of them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    #[serde(rename = "do")]
    what: What,
    frames: Option<u32>,
    hand: Option<u32>,
    body: Option<usize>,
    vertex: Option<usize>,
    stiffness: Option<f64>,
    to: Option<[f64; 3]>,
    by: Option<[f64; 3]>,
    key: Option<String>,
    value: Option<Value>,
    name: Option<String>,
    toml: Option<String>,
    on: Option<bool>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum What {
    Play,
    Pause,
    Step,
    Restart,
    Speed,
    Grab,
    Move,
    Release,
    Push,
    Set,
    Undo,
    Field,
    Text,
    Save,
    Record,
}

/// Takes a key that the command must have.
fn need<T>(key: &str, value: &mut Option<T>) -> Result<T, String> {
    value.take().ok_or_else(|| format!("missing field `{key}`"))
}

impl TryFrom<Words> for Command {
    type Error = String;

    fn try_from(mut words: Words) -> Result<Self, String> {
        let w = &mut words;
        let command = match w.what {
            What::Play => Self::Play,
            What::Pause => Self::Pause,
            What::Step => Self::Step { frames: need("frames", &mut w.frames)? },
            What::Restart => Self::Restart,
            What::Speed => {
                let value = need("value", &mut w.value)?;
                Self::Speed {
                    value: value.as_f64().ok_or_else(|| format!("`value` is not a number: {value}"))?,
                }
            }
            What::Grab => Self::Grab {
                hand: need("hand", &mut w.hand)?,
                body: need("body", &mut w.body)?,
                vertex: need("vertex", &mut w.vertex)?,
                stiffness: w.stiffness.take(),
            },
            What::Move => Self::Move { hand: need("hand", &mut w.hand)?, to: need("to", &mut w.to)? },
            What::Release => Self::Release { hand: need("hand", &mut w.hand)? },
            What::Push => Self::Push { body: need("body", &mut w.body)?, by: need("by", &mut w.by)? },
            What::Set => Self::Set {
                key: need("key", &mut w.key)?,
                // A value that is nothing is a value.
                value: w.value.take().unwrap_or_default(),
            },
            What::Undo => Self::Undo,
            What::Field => Self::Field { name: w.name.take() },
            What::Text => Self::Text { toml: need("toml", &mut w.toml)? },
            What::Save => Self::Save,
            What::Record => Self::Record { on: need("on", &mut w.on)? },
        };
        match words.left() {
            Some(key) => Err(format!("unknown field `{key}`")),
            None => Ok(command),
        }
    }
}

impl Words {
    /// A key that the command does not have.
    fn left(&self) -> Option<&'static str> {
        let given = [
            ("frames", self.frames.is_some()),
            ("hand", self.hand.is_some()),
            ("body", self.body.is_some()),
            ("vertex", self.vertex.is_some()),
            ("stiffness", self.stiffness.is_some()),
            ("to", self.to.is_some()),
            ("by", self.by.is_some()),
            ("key", self.key.is_some()),
            ("value", self.value.is_some()),
            ("name", self.name.is_some()),
            ("toml", self.toml.is_some()),
            ("on", self.on.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(key, _)| key)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let (to, by) = ([1.0, 2.0, 3.0], [0.0, -1.0, 0.5]);
        for command in [
            Command::Play,
            Command::Pause,
            Command::Step { frames: 3 },
            Command::Restart,
            Command::Speed { value: 0.5 },
            Command::Grab { hand: 1, body: 2, vertex: 3, stiffness: None },
            Command::Grab { hand: 1, body: 2, vertex: 3, stiffness: Some(4.5) },
            Command::Move { hand: 1, to },
            Command::Release { hand: 1 },
            Command::Push { body: 1, by },
            Command::Set { key: "solver.substeps".to_owned(), value: json!([1, { "a": 2 }]) },
            Command::Set { key: "solver.wind".to_owned(), value: Value::Null },
            Command::Undo,
            Command::Field { name: Some("strain".to_owned()) },
            Command::Field { name: None },
            Command::Text { toml: "frames = 1".to_owned() },
            Command::Save,
            Command::Record { on: true },
        ] {
            let text = serde_json::to_string(&command).unwrap();
            assert_eq!(serde_json::from_str::<Command>(&text).unwrap(), command, "{text}");
        }
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for (text, said) in [
            (r#"{"do":"dance"}"#, "unknown variant `dance`"),
            (r#"{"hand":1}"#, "missing field `do`"),
            (r#"{"do":"step"}"#, "missing field `frames`"),
            (r#"{"do":"grab","hand":1,"body":0}"#, "missing field `vertex`"),
            (r#"{"do":"play","hand":1}"#, "unknown field `hand`"),
            (r#"{"do":"play","haste":1}"#, "unknown field `haste`"),
            (r#"{"do":"speed","value":"high"}"#, "`value` is not a number"),
            (r#"{"do":"step","frames":-1}"#, "invalid value: integer `-1`"),
            (r#"{"do":"move","hand":1,"to":[0,1]}"#, "invalid length 2"),
        ] {
            let error = serde_json::from_str::<Command>(text).unwrap_err().to_string();
            assert!(error.starts_with(said), "{text}: {error}");
        }
    }
}
