//! Clips that are too large, refused before the run and not at its end.

use pliant_io::GlbAnimation;

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::Format;

/// A surface that is written.
pub(crate) struct Shown<'a> {
    pub(crate) name: &'a str,
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
}

/// Refuses a GLB file among the `formats` at the field `at` if it cannot hold that many frames of the surfaces.
pub(crate) fn check<'a>(
    at: &FieldPath,
    formats: &[Format],
    frames: usize,
    with_normals: bool,
    surfaces: impl IntoIterator<Item = Shown<'a>>,
) -> Result<(), Fault> {
    let Some(i) = formats.iter().position(|format| *format == Format::Glb) else { return Ok(()) };
    let refuse = |problem: String| {
        Err(Fault::new(at.index(i), problem, "fewer `frames`, a larger `every`, or another format"))
    };
    let most = GlbAnimation::MOST_FRAMES;
    if frames > most {
        return refuse(format!("a glb file holds at most {most} frames, and {frames} are to be written"));
    }
    for Shown { name, vertices, triangles } in surfaces {
        let bytes = GlbAnimation::bytes(vertices, triangles, frames, with_normals);
        if bytes > GlbAnimation::MOST_BYTES {
            let [mib, most] = [bytes, GlbAnimation::MOST_BYTES].map(|bytes| bytes.div_ceil(1 << 20));
            return refuse(format!(
                "a glb file holds at most {most} MiB, and {frames} frames of the {vertices} vertices of {name} are {mib} MiB"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_too_large_is_refused() {
        let at = FieldPath::root().key("output").key("formats");
        let refused = |formats: &[Format], frames, vertices, normals| {
            let shown = [Shown { name: "sheet", vertices, triangles: 2 * vertices }];
            check(&at, formats, frames, normals, shown).err().map(|fault| fault.problem)
        };
        let both = [Format::Vtu, Format::Glb];
        assert_eq!(refused(&both, 600, 70_000, false), None);
        assert_eq!(refused(&both[..1], 601, 1 << 30, true), None);
        assert!(refused(&both, 601, 4, false).is_some_and(|why| why.contains("at most 600 frames")));
        let why = refused(&both, 600, 70_000, true).unwrap_or_default();
        assert!(why.contains("600 frames of the 70000 vertices of sheet are 965 MiB"), "{why}");
    }
}
