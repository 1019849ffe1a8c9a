//! PNG in and out, and animated PNG out.

use std::io::Cursor;
use std::path::Path;

use png::{BitDepth, BlendOp, ColorType, Compression, Decoder, DisposeOp, Encoder, Filter, Transformations};

use crate::animation::{Changes, check_animation, delay_in};
use crate::error::RenderError;
use crate::file::write;
use crate::picture::{Picture, Size};

fn codec(format: &'static str) -> impl Fn(png::EncodingError) -> RenderError {
    move |error| RenderError::Codec { format, reason: error.to_string() }
}

fn encoder(bytes: &mut Vec<u8>, size: Size) -> Encoder<'_, &mut Vec<u8>> {
    let mut encoder = Encoder::new(bytes, size.width(), size.height());
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::Adaptive);
    encoder
}

impl Picture {
    /// Encodes the picture as PNG.
    ///
    /// # Errors
    ///
    /// If the encoder fails, which happens only if memory runs out.
    pub fn to_png(&self) -> Result<Vec<u8>, RenderError> {
        let mut bytes = Vec::new();
        let mut writer = encoder(&mut bytes, self.size()).write_header().map_err(codec("PNG"))?;
        writer.write_image_data(self.bytes()).map_err(codec("PNG"))?;
        writer.finish().map_err(codec("PNG"))?;
        Ok(bytes)
    }

    /// Writes the picture as PNG; the file appears whole or not at all.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write_png(&self, path: impl AsRef<Path>) -> Result<(), RenderError> {
        write(path.as_ref(), &self.to_png()?)
    }

    /// Decodes a PNG of eight bits a channel; transparency is dropped.
    ///
    /// # Errors
    ///
    /// If it is not a PNG, is damaged, or is larger than a [`Size`] may be.
    ///
    /// ```
    /// use pliant_render::{Picture, Rgb, Size};
    ///
    /// let picture = Picture::filled(Size::new(3, 2)?, Rgb(1, 2, 3));
    /// assert_eq!(Picture::from_png(&picture.to_png()?)?, picture);
    /// assert!(Picture::from_png(b"no picture").is_err());
    /// # Ok::<(), pliant_render::RenderError>(())
    /// ```
    pub fn from_png(bytes: &[u8]) -> Result<Self, RenderError> {
        let broken = |reason: String| RenderError::Codec { format: "PNG", reason };
        let mut decoder = Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
        let mut reader = decoder.read_info().map_err(|error| broken(error.to_string()))?;
        let size = Size::new(reader.info().width, reader.info().height)?;
        let length = reader.output_buffer_size().ok_or_else(|| broken("too large".to_owned()))?;
        let mut pixels = vec![0; length];
        let info = reader.next_frame(&mut pixels).map_err(|error| broken(error.to_string()))?;
        let rgb = match info.color_type {
            ColorType::Rgb => pixels,
            ColorType::Rgba => pixels.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect(),
            ColorType::Grayscale => pixels.iter().flat_map(|&p| [p; 3]).collect(),
            ColorType::GrayscaleAlpha => pixels.chunks_exact(2).flat_map(|p| [p[0]; 3]).collect(),
            ColorType::Indexed => return Err(broken("a palette that was not expanded".to_owned())),
        };
        Ok(Self::from_bytes(size, rgb))
    }
}

/// Encodes an animation as APNG, which any PNG viewer opens at its first frame.
///
/// Colours are exact. After the first frame only the rectangle that changes is stored. `seconds` is the time of one
/// frame; the animation repeats for ever.
///
/// # Errors
///
/// If there is no frame, the frames differ in size, or the time is not between 0 and 60 seconds.
pub fn encode_apng(frames: &[Picture], seconds: f64) -> Result<Vec<u8>, RenderError> {
    let size = check_animation(frames, seconds)?;
    let wrong = codec("APNG");
    let mut bytes = Vec::new();
    let mut encoder = encoder(&mut bytes, size);
    encoder.set_animated(frames.len() as u32, 0).map_err(&wrong)?;
    encoder.set_blend_op(BlendOp::Source).map_err(&wrong)?;
    encoder.set_dispose_op(DisposeOp::None).map_err(&wrong)?;
    let mut writer = encoder.write_header().map_err(&wrong)?;
    for (index, frame) in frames.iter().enumerate() {
        let (delay, per_second) = (delay_in(1000, index, seconds), 1000);
        writer.set_frame_delay(delay, per_second).map_err(&wrong)?;
        if index == 0 {
            writer.write_image_data(frame.bytes()).map_err(&wrong)?;
            continue;
        }
        let changes = Changes::between(&frames[index - 1], frame);
        writer.reset_frame_position().map_err(&wrong)?;
        writer.set_frame_dimension(changes.width, changes.height).map_err(&wrong)?;
        writer.set_frame_position(changes.left, changes.top).map_err(&wrong)?;
        writer.write_image_data(&changes.crop(frame)).map_err(&wrong)?;
    }
    writer.finish().map_err(&wrong)?;
    Ok(bytes)
}
