//! Animated GIF out.
//!
//! A GIF has 256 colours in a frame, and frames are laid over each other. The first frame is written whole.
//! Of the following ones only those pixels are written that come nearer to their true colour, in the
//! rectangle around them, and the others are transparent: a still background costs nothing and does not
//! flicker, and moving things leave no trace. All frames share one palette if it is near enough to their
//! colours; a frame has its own if it is not.

use gif::{DisposalMethod, Encoder, Repeat};

use crate::animation::{Changes, check_animation, delay_in};
use crate::error::RenderError;
use crate::palette::{Palette, apart};
use crate::picture::Picture;

/// The last place of a table says "as before".
const AS_BEFORE: u8 = 255;

/// Encodes an animation as GIF.
///
/// `seconds` is the time of one frame; GIF counts in hundredths, and viewers slow down below two of them. The animation
/// repeats for ever.
///
/// # Errors
///
/// If there is no frame, the frames differ in size, or the time is not between 0 and 60 seconds.
///
/// ```
/// use pliant_render::{Picture, Rgb, Size, encode_gif};
///
/// let size = Size::new(40, 30)?;
/// let frames = [Rgb(200, 60, 40), Rgb(40, 60, 200)].map(|colour| Picture::filled(size, colour));
/// let gif = encode_gif(&frames, 0.5)?;
/// assert!(gif.starts_with(b"GIF89a"));
/// # Ok::<(), pliant_render::RenderError>(())
/// ```
pub fn encode_gif(frames: &[Picture], seconds: f64) -> Result<Vec<u8>, RenderError> {
    let size = check_animation(frames, seconds)?;
    let wrong = |error: gif::EncodingError| RenderError::Codec { format: "GIF", reason: error.to_string() };
    // The side of a picture is below the 65535 of the format.
    let (width, height) = (size.width() as u16, size.height() as u16);
    // One table for all frames if that is enough: static parts keep their colour to the bit.
    let mut shared = Palette::of(frames.iter().flat_map(|frame| pixels(frame.bytes())));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &shared.table).map_err(wrong)?;
    encoder.set_repeat(Repeat::Infinite).map_err(wrong)?;
    // The picture that a viewer shows.
    let mut shown = Picture::filled(size, crate::Rgb::BLACK);
    for (index, frame) in frames.iter().enumerate() {
        let mut out = gif::Frame {
            delay: delay_in(100, index, seconds),
            dispose: DisposalMethod::Keep,
            ..Default::default()
        };
        if index == 0 {
            (out.width, out.height) = (width, height);
            out.buffer = pixels(frame.bytes()).map(|p| shared.nearest(p)).collect::<Vec<_>>().into();
            put(&mut shown, out.buffer.iter().map(|&index| Some(shared.colour(index))));
        } else {
            let mut fresh = better(frame, &frames[index - 1], &shown, &mut shared);
            let mut own = None;
            if !shared.serves(pixels(frame.bytes()).zip(&fresh).filter_map(|(p, new)| new.map(|_| p))) {
                let drawn = pixels(frame.bytes()).zip(&fresh).filter_map(|(p, new)| new.map(|_| p));
                let palette = own.insert(Palette::of(drawn));
                fresh = better(frame, &frames[index - 1], &shown, palette);
            }
            let palette = own.as_ref().unwrap_or(&shared);
            let area = Changes::between(&Picture::filled(size, crate::Rgb::BLACK), &mark(&fresh, size));
            out.buffer =
                area.rows(&fresh, size).map(|new| new.unwrap_or(AS_BEFORE)).collect::<Vec<_>>().into();
            (out.left, out.top) = (area.left as u16, area.top as u16);
            (out.width, out.height) = (area.width as u16, area.height as u16);
            out.transparent = Some(AS_BEFORE);
            put(&mut shown, fresh.iter().map(|new| new.map(|index| palette.colour(index))));
            out.palette = own.map(|palette| palette.table);
        }
        encoder.write_frame(&out).map_err(wrong)?;
    }
    drop(encoder);
    Ok(bytes)
}

fn pixels(bytes: &[u8]) -> impl Iterator<Item = [u8; 3]> + Clone {
    bytes.as_chunks().0.iter().copied()
}

/// For each pixel the place of its colour in the palette, if that is nearer to it than the colour shown.
fn better(frame: &Picture, before: &Picture, shown: &Picture, palette: &mut Palette) -> Vec<Option<u8>> {
    let nearer = |((wanted, before), shown): (([u8; 3], [u8; 3]), [u8; 3])| {
        // Static parts are already as near as they can be.
        if wanted == before {
            return None;
        }
        let index = palette.nearest(wanted);
        (apart(palette.colour(index), wanted) < apart(shown, wanted)).then_some(index)
    };
    pixels(frame.bytes()).zip(pixels(before.bytes())).zip(pixels(shown.bytes())).map(nearer).collect()
}

/// Shows the new pixels.
fn put(shown: &mut Picture, fresh: impl Iterator<Item = Option<[u8; 3]>>) {
    for (old, new) in shown.bytes_mut().as_chunks_mut().0.iter_mut().zip(fresh) {
        *old = new.unwrap_or(*old);
    }
}

/// The new pixels in white on black.
fn mark(fresh: &[Option<u8>], size: crate::Size) -> Picture {
    Picture::from_bytes(size, fresh.iter().flat_map(|new| [u8::from(new.is_some()) * 255; 3]).collect())
}
