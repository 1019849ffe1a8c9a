//! Damage to files, as transfers and editors do it.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// One injury.
#[derive(Debug, Clone)]
pub(crate) enum Damage {
    /// The file ends here.
    Truncated(Index),
    /// A byte has another value.
    Byte(Index, u8),
    /// So many bytes are missing.
    Removed(Index, usize),
    /// Bytes have been put in.
    Inserted(Index, Vec<u8>),
    /// A byte range stands twice.
    Repeated(Index, usize),
}

/// Up to four injuries.
pub(crate) fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let number = prop_oneof![
        Just(b"-1".to_vec()),
        Just(b"4294967296".to_vec()),
        Just(b"18446744073709551615".to_vec()),
        Just(b" nan ".to_vec()),
        Just(b"1e999".to_vec()),
        Just(vec![0xff; 8]),
        Just(b"\n".to_vec()),
        vec(any::<u8>(), 1..6),
    ];
    let one = prop_oneof![
        any::<Index>().prop_map(Damage::Truncated),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        (any::<Index>(), prop::sample::select(&b"0123456789 -\n$<>\"="[..]))
            .prop_map(|(at, byte)| Damage::Byte(at, byte)),
        (any::<Index>(), 1..40_usize).prop_map(|(at, count)| Damage::Removed(at, count)),
        (any::<Index>(), number).prop_map(|(at, bytes)| Damage::Inserted(at, bytes)),
        (any::<Index>(), 1..100_usize).prop_map(|(at, count)| Damage::Repeated(at, count)),
    ];
    vec(one, 1..5)
}

/// The file after the damage.
pub(crate) fn damaged(file: &[u8], damages: &[Damage]) -> Vec<u8> {
    let mut file = file.to_vec();
    for damage in damages {
        if file.is_empty() {
            break;
        }
        match damage {
            Damage::Truncated(at) => file.truncate(at.index(file.len())),
            Damage::Byte(at, byte) => {
                let at = at.index(file.len());
                file[at] = *byte;
            }
            Damage::Removed(at, count) => {
                let at = at.index(file.len());
                file.drain(at..(at + count).min(file.len()));
            }
            Damage::Inserted(at, bytes) => {
                let at = at.index(file.len());
                file.splice(at..at, bytes.iter().copied());
            }
            Damage::Repeated(at, count) => {
                let at = at.index(file.len());
                let copy = file[at..(at + count).min(file.len())].to_vec();
                file.splice(at..at, copy);
            }
        }
    }
    file
}
