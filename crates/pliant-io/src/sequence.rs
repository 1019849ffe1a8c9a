//! [`Sequence`]: an animation as numbered mesh files.

use std::fs;
use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use pliant_mesh::TriMesh;

use crate::error::ImportError;
use crate::read::read_mesh;
use crate::same_polygons::parting;

/// A mesh file for each frame, all with the same triangles: `skin_0001.obj`, `skin_0002.obj`…
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_io::{Frame, FrameWriter, MeshSequence, Sequence};
/// use pliant_mesh::TriMesh;
///
/// let folder = tempfile::tempdir()?;
/// let mesh = TriMesh::grid([3, 3], [1.0, 1.0])?;
/// let mut writer = Box::new(MeshSequence::obj(folder.path(), "flag", &mesh.clone().into())?);
/// for frame in 0..4 {
///     let moved: Vec<_> = mesh.positions().iter().map(|p| p + Vector3::y() * f64::from(frame)).collect();
///     writer.write_frame(&Frame::new(f64::from(frame), &moved))?;
/// }
/// writer.finish()?;
///
/// let sequence = Sequence::open(folder.path().join("flag_*.obj"))?;
/// assert_eq!(sequence.len(), 4);
/// assert_eq!(sequence.frame(3)?[0].y, 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Sequence {
    files: Vec<PathBuf>,
    first: TriMesh,
}

impl Sequence {
    /// Finds the files of a sequence, in the order of their numbers, and reads the first. In the name a `*`,
    /// or a row of `#`, stands for the number.
    ///
    /// # Errors
    ///
    /// If the name does not have exactly one such place, no file fits, a number is missing or occurs twice,
    /// or the first file is not a triangle mesh.
    pub fn open(pattern: impl AsRef<Path>) -> Result<Self, ImportError> {
        let pattern = pattern.as_ref();
        let files = numbered(pattern)?;
        let (first, _) = read_mesh(&files[0])?.into_tri()?;
        Ok(Self { files, first })
    }

    /// Number of frames.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are no frames; always false.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The mesh of the first frame.
    #[must_use]
    pub fn first(&self) -> &TriMesh {
        &self.first
    }

    /// Whether a mesh has as many vertices as the first frame and the same triangles in the same order. Where the files
    /// hold polygons, their triangles may differ: how a polygon is split depends on where its corners are.
    #[must_use]
    pub fn fits(&self, mesh: &TriMesh) -> bool {
        mesh.positions().len() == self.first.positions().len()
            && parting(mesh.triangles(), self.first.triangles()).is_none()
    }

    /// The file of a frame.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    #[must_use]
    pub fn file(&self, frame: usize) -> &Path {
        &self.files[frame]
    }

    /// Reads the positions of a frame, in the units of the file.
    ///
    /// # Errors
    ///
    /// If the file is not a triangle mesh, or does not [fit](Self::fits) the first.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    pub fn frame(&self, frame: usize) -> Result<Vec<Vector3<f64>>, ImportError> {
        let (mesh, _) = read_mesh(&self.files[frame])?.into_tri()?;
        let (found, expected) = (mesh.positions().len(), self.first.positions().len());
        let what = if found != expected {
            format!("its {found} vertices (instead of {expected})")
        } else if let Some(t) = parting(mesh.triangles(), self.first.triangles()) {
            match (mesh.triangles(), self.first.triangles()) {
                (found, expected) if t < found.len().min(expected.len()) => {
                    format!("the corners {:?} of its triangle {t} (instead of {:?})", found[t], expected[t])
                }
                (found, expected) => {
                    format!("its {} triangles (instead of {})", found.len(), expected.len())
                }
            }
        } else {
            return Ok(mesh.into_parts().0);
        };
        let name = |frame: usize| self.files[frame].display().to_string();
        Err(ImportError::Topology { file: name(frame), what, first: name(0) })
    }
}

/// The files of a pattern by their numbers, without a gap.
fn numbered(pattern: &Path) -> Result<Vec<PathBuf>, ImportError> {
    let wrong = |problem: String| ImportError::Sequence { pattern: pattern.to_owned(), problem };
    let name = pattern.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let place = name.find(['*', '#']).map(|start| {
        let row = name[start..].bytes().take_while(|&b| b == b'#').count();
        (&name[..start], &name[start + row.max(1)..])
    });
    let Some((before, after)) = place.filter(|(_, after)| !after.contains(['*', '#'])) else {
        return Err(wrong(
            "the name of the file must have one `*`, or one row of `#`, for the number of the frame".into(),
        ));
    };
    let folder = match pattern.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let io_error = |source| ImportError::Io { path: folder.to_owned(), source };
    let mut found: Vec<(u64, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder).map_err(io_error)? {
        let entry = entry.map_err(io_error)?;
        let name = entry.file_name();
        let digits = name.to_str().and_then(|name| name.strip_prefix(before)?.strip_suffix(after));
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        if let Some(number) = digits.and_then(|digits| digits.parse().ok()) {
            found.push((number, entry.path()));
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(wrong(format!("no file in {} has such a name", folder.display())));
    }
    for pair in found.windows(2) {
        let [(a, first), (b, second)] = pair else { continue };
        if a == b {
            return Err(wrong(format!("{} and {} have the same number", first.display(), second.display())));
        }
        if *b != a + 1 {
            return Err(wrong(format!(
                "frame {} is missing, between {} and {}",
                a + 1,
                first.display(),
                second.display()
            )));
        }
    }
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

    fn open(files: &[(&str, &str)], pattern: &str) -> Result<Vec<Vector3<f64>>, String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let sequence = Sequence::open(folder.path().join(pattern)).map_err(|error| error.to_string())?;
        assert_eq!(sequence.len(), files.len());
        let last = sequence.frame(sequence.len() - 1).map_err(|error| error.to_string());
        last.map_err(|error| error.replace(&*folder.path().to_string_lossy(), ""))
    }

    #[test]
    fn frames_come_by_their_numbers() {
        let moved = TRIANGLE.replace("v 0 0 0", "v 0 0 5");
        // 10 comes after 9, although not alphabetically.
        let last = open(&[("a_10.obj", &moved), ("a_9.obj", TRIANGLE)], "a_*.obj").unwrap();
        assert_eq!(last[0], Vector3::z() * 5.0);
        assert!(open(&[("a_0009.obj", TRIANGLE), ("a_0010.obj", &moved)], "a_####.obj").is_ok());
    }

    #[test]
    fn polygons_may_fold_from_frame_to_frame() {
        let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
        let dented = square.replace("v 1 0 0", "v 0.4 0.6 0");
        for files in [[square, dented.as_str()], [dented.as_str(), square]] {
            let last = open(&[("a_1.obj", files[0]), ("a_2.obj", files[1])], "a_*.obj").unwrap();
            assert_eq!(last.len(), 4);
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a_1.obj"), dented).unwrap();
        let sequence = Sequence::open(folder.path().join("a_*.obj")).unwrap();
        let rest =
            crate::read_mesh_bytes(crate::Format::Obj, square.as_bytes(), "a").unwrap().into_tri().unwrap().0;
        assert_ne!(rest.triangles(), sequence.first().triangles());
        assert!(sequence.fits(&rest));
        let (positions, mut triangles) = rest.into_parts();
        triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        assert!(!sequence.fits(&TriMesh::new(positions, triangles).unwrap()));
    }

    #[test]
    fn gaps_and_other_meshes_are_refused() {
        let refused = |files: &[(&str, &str)], pattern: &str, part: &str| {
            let error = open(files, pattern).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        let two = |second: &str| open(&[("a_1.obj", TRIANGLE), ("a_2.obj", second)], "a_*.obj").unwrap_err();
        refused(&[("a_1.obj", TRIANGLE), ("a_3.obj", TRIANGLE)], "a_*.obj", "frame 2 is missing");
        refused(&[("a_1.obj", TRIANGLE), ("a_01.obj", TRIANGLE)], "a_*.obj", "the same number");
        refused(&[("a_x.obj", TRIANGLE)], "a_*.obj", "no file");
        refused(&[("a_1.obj", TRIANGLE)], "a.obj", "one `*`");
        refused(&[("a_1.obj", TRIANGLE)], "a_*_*.obj", "one `*`");
        assert_eq!(
            two("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n"),
            "/a_2.obj: its 4 vertices (instead of 3) differ from those of /a_1.obj; the mesh must be the same in all frames"
        );
        assert!(
            two("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\n")
                .contains("the corners [0, 2, 1] of its triangle 0 (instead of [0, 1, 2])")
        );
        assert!(
            two("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 3\n").contains("its 2 triangles (instead of 1)")
        );
    }
}
