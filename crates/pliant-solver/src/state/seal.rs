//! [`Seal`]: the header of files, by which damage and foreign files are recognised.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | the writer: a word that is the same in all files of a kind |
//! | 4 | version of the format, little-endian as all numbers here |
//! | 4 | CRC-32 (IEEE 802.3) of the body |
//! | 8 | length of the body |
//! | … | the body, in the format of the crate postcard, version 1 |

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Length of the header before the body.
const HEAD: usize = 24;

/// The format of a kind of file: a header with a checksum before a body that serde reads and writes.
///
/// ```
/// use pliant_solver::{Seal, SealError};
///
/// const NOTES: Seal = Seal { magic: *b"my notes", version: 1 };
/// let mut bytes = NOTES.close(&("rest length, m", 0.25));
/// let read: (String, f64) = NOTES.open(&bytes)?;
/// assert_eq!(read, ("rest length, m".into(), 0.25));
/// bytes[30] ^= 1;
/// assert_eq!(NOTES.open::<(String, f64)>(&bytes), Err(SealError::Checksum));
/// # Ok::<(), SealError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seal {
    /// The first bytes of files of this kind.
    pub magic: [u8; 8],
    /// Version of the format; files of another version are refused.
    pub version: u32,
}

/// Bytes that are damaged, or of another kind of file. The message continues a sentence that names what was
/// read: "the snapshot …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// They begin with other bytes.
    #[error("is not in the format of Pliant: it begins like another kind of file")]
    Foreign,
    /// They were written by another version.
    #[error(
        "has version {found} of its format, and this version of Pliant reads version {known}; use the \
        version that wrote it"
    )]
    Version {
        /// The version of the bytes.
        found: u32,
        /// The version that can be read.
        known: u32,
    },
    /// Some are missing.
    #[error("is cut off: it has {found} bytes of {expected}")]
    Short {
        /// Number of bytes.
        found: u64,
        /// Expected number of bytes, as far as it is known.
        expected: u64,
    },
    /// There are more bytes after the end.
    #[error("is damaged: {0} bytes follow its end")]
    Long(u64),
    /// They were changed.
    #[error("is damaged: its checksum does not match its bytes")]
    Checksum,
    /// They are intact, but do not have the expected form.
    #[error("is damaged: its body does not have the expected form ({0})")]
    Form(String),
}

impl Seal {
    /// The bytes of a file with this body.
    ///
    /// # Panics
    ///
    /// If the body cannot be written: a map or list whose length is not known, or a variant that is skipped.
    #[must_use]
    pub fn close(&self, body: &impl Serialize) -> Vec<u8> {
        let mut head = self.magic.to_vec();
        head.extend(self.version.to_le_bytes());
        head.resize(HEAD, 0);
        let mut bytes = postcard::to_extend(body, head).expect("a body whose lists know their lengths");
        let (head, body) = bytes.split_at_mut(HEAD);
        head[12..16].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
        head[16..24].copy_from_slice(&(body.len() as u64).to_le_bytes());
        bytes
    }

    /// The body of a file.
    ///
    /// # Errors
    ///
    /// If the bytes are not those of such a file. Memory is allocated only for existing bytes, whatever
    /// lengths they claim.
    pub fn open<X: DeserializeOwned>(&self, bytes: &[u8]) -> Result<X, SealError> {
        let (body, rest) = self.open_first(bytes)?;
        if rest.is_empty() { Ok(body) } else { Err(SealError::Long(rest.len() as u64)) }
    }

    /// The body of a file that continues after it, and the bytes that follow.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_first<'b, X: DeserializeOwned>(&self, bytes: &'b [u8]) -> Result<(X, &'b [u8]), SealError> {
        let short = |expected: u64| SealError::Short { found: bytes.len() as u64, expected };
        if !bytes.starts_with(&self.magic) {
            return Err(SealError::Foreign);
        }
        let (head, rest) = bytes.split_first_chunk::<HEAD>().ok_or_else(|| short(HEAD as u64))?;
        let four = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (version, checksum) = (four(8), four(12));
        if version != self.version {
            return Err(SealError::Version { found: version, known: self.version });
        }
        let length = u64::from(four(16)) | u64::from(four(20)) << 32;
        let split = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
        let (body, rest) = split.ok_or_else(|| short(length.saturating_add(HEAD as u64)))?;
        if crc32fast::hash(body) != checksum {
            return Err(SealError::Checksum);
        }
        match postcard::take_from_bytes(body) {
            Ok((read, [])) => Ok((read, rest)),
            Ok((_, left)) => Err(SealError::Form(format!("{} bytes are left over", left.len()))),
            Err(error) => Err(SealError::Form(error.to_string())),
        }
    }
}
