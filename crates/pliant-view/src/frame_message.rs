//! [`FrameMessage`]: a state of a simulation as bytes.
//!
//! All numbers are little-endian. A frame is a count of bytes (`u32`), as many bytes of JSON filled up with
//! spaces to a multiple of four, then positions of all vertices of all bodies that move (`f32`, three for
//! each), in the order of the stage, and after those of every body the numbers of the chosen field (`f32`,
//! one for each), if there is one.

use std::fmt;

use serde_json::Value;

/// A frame as the page reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameMessage {
    /// What is known of it besides the places: time, hash, hands, reports.
    pub head: Value,
    /// The numbers behind the head.
    pub numbers: Vec<f32>,
}

/// Bytes that are not a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameError;

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("these bytes are not a frame: its head is cut off or not JSON")
    }
}

impl std::error::Error for FrameError {}

/// Begins a frame with its head.
pub(crate) fn begin(head: &Value) -> Vec<u8> {
    let mut text = head.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = u32::try_from(text.len()).unwrap_or_default().to_le_bytes().to_vec();
    bytes.extend(text);
    bytes
}

impl FrameMessage {
    /// Reads a frame.
    ///
    /// # Errors
    ///
    /// If the bytes are not one.
    pub fn read(bytes: &[u8]) -> Result<Self, FrameError> {
        let (length, rest) = bytes.split_first_chunk::<4>().ok_or(FrameError)?;
        let (head, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or(FrameError)?;
        let (numbers, tail) = rest.as_chunks::<4>();
        if !tail.is_empty() {
            return Err(FrameError);
        }
        let head = serde_json::from_slice(head).map_err(|_| FrameError)?;
        Ok(Self { head, numbers: numbers.iter().map(|&four| f32::from_le_bytes(four)).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_what_is_cut_off_is_not() {
        let head = serde_json::json!({ "time": 0.5, "name": "ü" });
        let mut bytes = begin(&head);
        assert_eq!(bytes.len() % 4, 0);
        bytes.extend([1.5_f32, -2.0].iter().flat_map(|x| x.to_le_bytes()));
        assert_eq!(FrameMessage::read(&bytes), Ok(FrameMessage { head, numbers: vec![1.5, -2.0] }));
        for length in [0, 3, 10, bytes.len() - 1] {
            assert_eq!(FrameMessage::read(&bytes[..length]), Err(FrameError), "{length}");
        }
    }
}
