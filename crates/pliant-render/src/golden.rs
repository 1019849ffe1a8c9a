//! [`Golden`]: a comparison of a picture with an approved one.

use std::path::PathBuf;

use crate::error::RenderError;
use crate::picture::Picture;

/// An approved reference picture, and how far a new picture may differ from it.
///
/// ```
/// use pliant_render::{Golden, Picture, Rgb, Size};
///
/// let folder = tempfile::tempdir()?;
/// let golden = Golden::new(folder.path().join("grey.png"), folder.path().join("comparisons"));
/// let grey = |level| Picture::filled(Size::new(8, 8)?, Rgb(level, level, level)).write_png(&golden.file);
/// grey(120)?;
/// let drawn = Picture::filled(Size::new(8, 8)?, Rgb(124, 120, 120));
/// assert!(golden.check(&drawn).is_ok());
/// grey(180)?;
/// assert!(golden.check(&drawn).is_err());
/// assert!(folder.path().join("comparisons/grey-apart.png").is_file());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Golden {
    /// The picture, a PNG file.
    pub file: PathBuf,
    /// The folder for the expected picture, the new one and their difference, eight times as bright, if they
    /// do not agree.
    pub comparisons: PathBuf,
    /// A pixel is off if a channel differs by more than this, of 255. Default: 8; platforms round differently.
    pub tolerance: u8,
    /// The share of pixels that may be off. Default: 0.004; a sample on an edge may fall to either side.
    pub share: f64,
}

impl Golden {
    /// With the tolerances that fit pictures of this crate's own renderer.
    #[must_use]
    pub fn new(file: impl Into<PathBuf>, comparisons: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), comparisons: comparisons.into(), tolerance: 8, share: 0.004 }
    }

    /// Compares a new picture. With `PLIANT_UPDATE_GOLDEN` in the environment it becomes the reference instead.
    ///
    /// # Errors
    ///
    /// If it differs too much or has another size, or if there is no picture to compare it with.
    pub fn check(&self, drawn: &Picture) -> Result<(), RenderError> {
        if std::env::var_os("PLIANT_UPDATE_GOLDEN").is_some() {
            return drawn.write_png(&self.file);
        }
        let wrong = |reason: String| RenderError::Golden { file: self.file.clone(), reason };
        let bytes = std::fs::read(&self.file).map_err(|error| wrong(error.to_string()))?;
        let expected = Picture::from_png(&bytes)?;
        if drawn.size() != expected.size() {
            let [its, drawn] =
                [expected.size(), drawn.size()].map(|s| format!("{} × {}", s.width(), s.height()));
            return Err(wrong(format!("it has {its} pixels, and {drawn} were drawn")));
        }
        let apart: Vec<u8> =
            drawn.bytes().iter().zip(expected.bytes()).map(|(a, b)| a.abs_diff(*b)).collect();
        let pixels = apart.chunks_exact(3);
        let all = pixels.len();
        let off = pixels.filter(|pixel| pixel.iter().any(|d| *d > self.tolerance)).count();
        if off as f64 <= self.share * all as f64 {
            return Ok(());
        }
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
        let put = |picture: &Picture, what: &str| {
            picture.write_png(self.comparisons.join(format!("{stem}-{what}.png")))
        };
        put(&expected, "expected")?;
        put(drawn, "drawn")?;
        let bright = apart.iter().map(|d| d.saturating_mul(8)).collect();
        put(&Picture::from_bytes(drawn.size(), bright), "apart")?;
        Err(wrong(format!("{off} of {all} pixels are off, see {}", self.comparisons.display())))
    }
}
