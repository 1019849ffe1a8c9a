//! Letters on pictures, from the one font that comes with the crate.

use std::sync::LazyLock;

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _, point};

use crate::colour::Rgb;
use crate::picture::Picture;

/// The Latin and Greek letters, digits and mathematical signs of DejaVu Sans (licence beside the file).
pub(crate) const FONT_FILE: &[u8] = include_bytes!("../assets/DejaVuSans-subset.ttf");

static FONT: LazyLock<FontRef<'static>> =
    LazyLock::new(|| FontRef::try_from_slice(FONT_FILE).expect("the font beside this file is one"));

/// The longest line that is written, in letters.
const LONGEST: usize = 500;

/// Width in pixels of a line of text `height` pixels high.
pub(crate) fn width(text: &str, height: f64) -> f64 {
    let font = FONT.as_scaled(PxScale::from(height as f32));
    text.chars().take(LONGEST).map(|c| f64::from(font.h_advance(font.glyph_id(c)))).sum()
}

/// Writes a line of text `height` pixels high with its upper left corner at a place. Letters that the font does not
/// have are drawn as boxes; parts outside the picture are left out.
pub(crate) fn write(picture: &mut Picture, text: &str, place: (f64, f64), height: f64, colour: Rgb) {
    let scale = PxScale::from(height as f32);
    let font = FONT.as_scaled(scale);
    let mut x = place.0 as f32;
    let baseline = (place.1 as f32 + font.ascent()).round();
    for c in text.chars().take(LONGEST) {
        let id = font.glyph_id(c);
        let glyph = id.with_scale_and_position(scale, point(x, baseline));
        x += font.h_advance(id);
        let Some(outline) = FONT.outline_glyph(glyph) else { continue };
        let bounds = outline.px_bounds();
        let (left, top) = (bounds.min.x as i64, bounds.min.y as i64);
        outline.draw(|dx, dy, share| picture.blend(left + i64::from(dx), top + i64::from(dy), colour, share));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Size;

    #[test]
    fn letters_stay_within_their_width_and_the_picture() {
        let size = Size::new(200, 40).unwrap();
        let mut picture = Picture::filled(size, Rgb::WHITE);
        let text = "Strain ε (10⁻³)";
        write(&mut picture, text, (5.0, 5.0), 20.0, Rgb::BLACK);
        let dark = |x: u32| (0..40).any(|y| picture.pixel(x, y).luminance() < 0.5);
        let end = 5 + width(text, 20.0).ceil() as u32;
        assert!((5..end).filter(|x| dark(*x)).count() as u32 > end / 3);
        assert!(!(end + 1..200).any(dark) && !(0..5).any(dark));
        write(&mut picture, &"x".repeat(10_000), (-50.0, 30.0), 30.0, Rgb::BLACK);
    }

    #[test]
    fn every_sign_that_captions_use_is_in_the_font() {
        for c in "AZaz09 .,:;-–—−+±×·/%°²³⁻⁰⁹₀αβγεκλμνρστφωΔΣΩ≤≥≈∞√→öüéÅ".chars()
        {
            assert_ne!(FONT.glyph_id(c).0, 0, "{c} is missing");
        }
    }
}
