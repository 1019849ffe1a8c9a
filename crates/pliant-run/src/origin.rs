//! [`digest`]: names for what bytes say, and by it for what a run follows from.

use std::fmt::Write;

use pliant_scene::Scene;
use siphasher::sip128::SipHasher24;

use crate::options::Options;

/// What the answer of a run follows from, apart from its files of meshes.
pub(crate) fn origin(scene: &Scene, options: &Options) -> String {
    let mut text = scene.to_toml();
    for (name, value) in options.named() {
        let _ = writeln!(text, "{name} = {value}");
    }
    digest(&text)
}

/// A name for what bytes say: their SipHash-2-4 with 128 bits (Aumasson & Bernstein 2012) under the key of
/// its published test vectors, in 32 hexadecimal digits.
///
/// ```
/// assert_eq!(pliant_run::digest([]), "a3817f04ba25a8e66df67214c7550293");
/// ```
#[must_use]
pub fn digest(bytes: impl AsRef<[u8]>) -> String {
    const KEY: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let all = SipHasher24::new_with_key(&KEY).hash(bytes.as_ref()).as_bytes();
    all.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
