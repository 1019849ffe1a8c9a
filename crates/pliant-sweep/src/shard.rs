//! [`Shard`]: which part of a study one of several machines has.

use std::str::FromStr;

/// The `part`-th of `of` parts of a study, counted from 1: of every `of` units one. By default the whole.
///
/// ```
/// use pliant_sweep::Shard;
///
/// let shard: Shard = "2/3".parse()?;
/// assert_eq!((0..9).filter(|&unit| shard.has(unit)).collect::<Vec<_>>(), [1, 4, 7]);
/// assert!("4/3".parse::<Shard>().is_err() && "0/3".parse::<Shard>().is_err());
/// # Ok::<(), pliant_sweep::ShardError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    of: u64,
}

/// The error of a text that is not a [`Shard`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a part of a study; write the number of the part, from 1, and how many there are, such as 3/16"
)]
pub struct ShardError(String);

impl Default for Shard {
    fn default() -> Self {
        Self { part: 1, of: 1 }
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let parsed = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match parsed {
            Some((part, of)) if (1..=of).contains(&part) => Ok(Self { part, of }),
            _ => Err(ShardError(text.to_owned())),
        }
    }
}

impl Shard {
    /// Whether it has the unit of this number, from 0.
    #[must_use]
    pub fn has(self, unit: u64) -> bool {
        unit % self.of == self.part - 1
    }
}
