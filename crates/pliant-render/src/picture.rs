//! [`Picture`]: pixels, and the sizes that pictures may have.

use crate::colour::Rgb;
use crate::error::RenderError;

/// Width and height of a picture, pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// The most pixels on a side; a picture of that size takes 192 MiB.
    pub const MAX_SIDE: u32 = 8192;

    /// A size in pixels.
    ///
    /// # Errors
    ///
    /// If a side is 0 or above [`Size::MAX_SIDE`].
    ///
    /// ```
    /// use pliant_render::Size;
    ///
    /// assert_eq!(Size::new(640, 480)?.width(), 640);
    /// assert!(Size::new(0, 480).is_err());
    /// assert!(Size::new(640, 4_000_000).is_err());
    /// # Ok::<(), pliant_render::RenderError>(())
    /// ```
    pub fn new(width: u32, height: u32) -> Result<Self, RenderError> {
        let fits = |side| (1..=Self::MAX_SIDE).contains(&side);
        if fits(width) && fits(height) {
            Ok(Self { width, height })
        } else {
            Err(RenderError::Size { width, height, max: Self::MAX_SIDE })
        }
    }

    /// Pixels across.
    #[must_use]
    pub fn width(self) -> u32 {
        self.width
    }

    /// Pixels down.
    #[must_use]
    pub fn height(self) -> u32 {
        self.height
    }

    /// Width over height.
    #[must_use]
    pub fn aspect(self) -> f64 {
        f64::from(self.width) / f64::from(self.height)
    }
}

impl Default for Size {
    /// 640 × 480.
    fn default() -> Self {
        Self { width: 640, height: 480 }
    }
}

/// A picture: rows of sRGB pixels, from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    size: Size,
    bytes: Vec<u8>,
}

impl Picture {
    /// A picture of one colour.
    #[must_use]
    pub fn filled(size: Size, colour: Rgb) -> Self {
        let pixels = size.width as usize * size.height as usize;
        Self { size, bytes: [colour.0, colour.1, colour.2].repeat(pixels) }
    }

    /// A picture from its pixels: red, green, blue, from the top left, row by row.
    ///
    /// # Panics
    ///
    /// If there are not three bytes for each pixel.
    #[must_use]
    pub fn from_bytes(size: Size, bytes: Vec<u8>) -> Self {
        assert_eq!(bytes.len(), 3 * size.width as usize * size.height as usize, "three bytes for each pixel");
        Self { size, bytes }
    }

    /// Width and height.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Red, green and blue of every pixel, from the top left, row by row.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The pixel in column `x` from the left and row `y` from the top.
    ///
    /// # Panics
    ///
    /// If it lies outside the picture.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Rgb {
        assert!(x < self.size.width && y < self.size.height, "pixel ({x}, {y}) lies outside the picture");
        let at = self.offset(x, y);
        Rgb(self.bytes[at], self.bytes[at + 1], self.bytes[at + 2])
    }

    /// Lays a colour over a pixel, `share` of it (0 to 1); outside the picture nothing happens.
    pub fn blend(&mut self, x: i64, y: i64, colour: Rgb, share: f32) {
        let inside = |v: i64, side: u32| u32::try_from(v).ok().filter(|v| *v < side);
        let (Some(x), Some(y)) = (inside(x, self.size.width), inside(y, self.size.height)) else { return };
        let at = self.offset(x, y);
        for (byte, new) in self.bytes[at..at + 3].iter_mut().zip([colour.0, colour.1, colour.2]) {
            let old = f32::from(*byte);
            *byte = (old + (f32::from(new) - old) * share.clamp(0.0, 1.0) + 0.5) as u8;
        }
    }

    /// Lays a colour over a rectangle of pixels, `share` of it (0 to 1); what is outside the picture is left out.
    pub(crate) fn blend_rectangle(
        &mut self,
        left_top: (i64, i64),
        size: (i64, i64),
        colour: Rgb,
        share: f32,
    ) {
        for y in left_top.1.max(0)..(left_top.1 + size.1).min(i64::from(self.size.height)) {
            for x in left_top.0.max(0)..(left_top.0 + size.0).min(i64::from(self.size.width)) {
                self.blend(x, y, colour, share);
            }
        }
    }

    /// Copies another picture onto this one; what falls outside is left out.
    pub fn paste(&mut self, picture: &Self, left: u32, top: u32) {
        let columns = picture.size.width.min(self.size.width.saturating_sub(left));
        let rows = picture.size.height.min(self.size.height.saturating_sub(top));
        for row in 0..rows {
            let (from, to) = (picture.offset(0, row), self.offset(left, top + row));
            let bytes = 3 * columns as usize;
            self.bytes[to..to + bytes].copy_from_slice(&picture.bytes[from..from + bytes]);
        }
    }

    fn offset(&self, x: u32, y: u32) -> usize {
        3 * (y as usize * self.size.width as usize + x as usize)
    }
}
