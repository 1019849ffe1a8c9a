//! Animated GIF out.
//!
//! A GIF has 256 colours in a frame, and frames are laid over each other. The first frame is written whole. Of the next
//! ones only the pixels that change are written, in the rectangle around them, the others transparent: a still
//! background costs nothing and does not flicker. A frame uses the colours of the first one where they are near enough,
//! and brings its own where they are not.

use std::collections::HashMap;

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Repeat};

use crate::animation::{Changes, check_animation, delay_in};
use crate::error::RenderError;
use crate::picture::Picture;

/// Colours of a frame; the last index of the table says "as before".
const COLOURS: usize = 255;
const AS_BEFORE: u8 = 255;

/// A colour of the shared table is near enough if no channel is further away than this, for all but 2 % of the pixels.
const NEAR: u8 = 12;

/// A channel that changes by no more than this is as before: it is less than the colours themselves are off.
const STILL: u8 = 2;

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
    let mut shared = Palette::of(pixels(frames[0].bytes()));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &shared.table).map_err(wrong)?;
    encoder.set_repeat(Repeat::Infinite).map_err(wrong)?;
    // What a viewer shows, in the colours before they were reduced.
    let mut shown = frames[0].clone();
    for (index, frame) in frames.iter().enumerate() {
        let mut out = gif::Frame {
            delay: delay_in(100, index, seconds),
            dispose: DisposalMethod::Keep,
            ..Default::default()
        };
        if index == 0 {
            (out.width, out.height) = (width, height);
            out.buffer = pixels(frame.bytes()).map(|p| shared.nearest(p)).collect::<Vec<_>>().into();
        } else {
            let changed: Vec<bool> =
                pixels(frame.bytes()).zip(pixels(shown.bytes())).map(|(a, b)| differ(a, b)).collect();
            for (at, _) in changed.iter().enumerate().filter(|(_, changed)| **changed) {
                shown.bytes_mut()[3 * at..3 * at + 3].copy_from_slice(&frame.bytes()[3 * at..3 * at + 3]);
            }
            let before = mark(&changed, size);
            let area = Changes::between(&Picture::filled(size, crate::Rgb::BLACK), &before);
            let fresh: Vec<Option<[u8; 3]>> = pixels(&area.crop(frame))
                .zip(pixels(&area.crop(&before)))
                .map(|(pixel, mark)| (mark[0] != 0).then_some(pixel))
                .collect();
            let mut own = (!shared.serves(fresh.iter().flatten().copied()))
                .then(|| Palette::of(fresh.iter().flatten().copied()));
            let palette = own.as_mut().unwrap_or(&mut shared);
            let index_of = |pixel: &Option<[u8; 3]>| pixel.map_or(AS_BEFORE, |pixel| palette.nearest(pixel));
            out.buffer = fresh.iter().map(index_of).collect::<Vec<_>>().into();
            (out.left, out.top) = (area.left as u16, area.top as u16);
            (out.width, out.height) = (area.width as u16, area.height as u16);
            out.transparent = Some(AS_BEFORE);
            out.palette = own.map(|palette| palette.table);
        }
        encoder.write_frame(&out).map_err(wrong)?;
    }
    drop(encoder);
    Ok(bytes)
}

fn pixels(bytes: &[u8]) -> impl Iterator<Item = [u8; 3]> {
    bytes.chunks_exact(3).map(|p| [p[0], p[1], p[2]])
}

fn differ(a: [u8; 3], b: [u8; 3]) -> bool {
    (0..3).any(|k| a[k].abs_diff(b[k]) > STILL)
}

/// The changed pixels in white on black, so that they can be cropped like a picture.
fn mark(changed: &[bool], size: crate::Size) -> Picture {
    Picture::from_bytes(size, changed.iter().flat_map(|c| [u8::from(*c) * 255; 3]).collect())
}

/// Up to 255 colours, and the nearest of them to any other.
struct Palette {
    table: Vec<u8>,
    /// What has been asked for before. Only looked up, never walked.
    known: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// The colours that serve some pixels best: all of them if they are few, otherwise those that a neural net learns.
    fn of(pixels: impl Iterator<Item = [u8; 3]>) -> Self {
        let all: Vec<[u8; 3]> = pixels.collect();
        let mut distinct = all.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let mut table: Vec<u8> = if distinct.len() <= COLOURS {
            distinct.concat()
        } else {
            // Half of the lessons are the distinct colours, so that a small bright thing counts beside a large dull one.
            let every = (all.len() / distinct.len()).max(1);
            let lessons = distinct.iter().chain(all.iter().step_by(every));
            let rgba: Vec<u8> = lessons.flat_map(|p| [p[0], p[1], p[2], 255]).collect();
            // A net that sees every fourth pixel is as good as one that sees all.
            let sample = if rgba.len() > 400_000 { 4 } else { 1 };
            NeuQuant::new(sample, COLOURS, &rgba).color_map_rgb()
        };
        table.resize(3 * (COLOURS + 1), 0);
        Self { table, known: HashMap::new() }
    }

    fn nearest(&mut self, pixel: [u8; 3]) -> u8 {
        if let Some(&index) = self.known.get(&pixel) {
            return index;
        }
        let distance = |entry: &[u8]| -> i32 {
            // Weights near to how bright the channels look.
            let part = |k: usize, weight: i32| weight * (i32::from(entry[k]) - i32::from(pixel[k])).pow(2);
            part(0, 3) + part(1, 5) + part(2, 2)
        };
        let entries = self.table.chunks_exact(3).take(COLOURS).enumerate();
        let index = entries.min_by_key(|(_, entry)| distance(entry)).map_or(0, |(index, _)| index as u8);
        self.known.insert(pixel, index);
        index
    }

    /// Whether these colours are near enough to the pixels.
    fn serves(&mut self, pixels: impl Iterator<Item = [u8; 3]>) -> bool {
        let (mut all, mut far) = (0_usize, 0_usize);
        for pixel in pixels {
            let at = 3 * usize::from(self.nearest(pixel));
            all += 1;
            far += usize::from((0..3).any(|k| self.table[at + k].abs_diff(pixel[k]) > NEAR));
        }
        far * 50 <= all
    }
}
