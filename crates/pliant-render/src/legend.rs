//! Text on a picture: title, caption, and the legend of a colour scale.

use crate::colour::Rgb;
use crate::colour_map::Scale;
use crate::picture::Picture;
use crate::style::Style;
use crate::text;

/// Writes title, caption and legend.
pub(crate) fn annotate(
    picture: &mut Picture,
    style: &Style,
    title: &str,
    caption: &str,
    scale: Option<&Scale>,
) {
    let size = picture.size();
    let (width, height) = (f64::from(size.width()), f64::from(size.height()));
    let letters = letter_height(style, size.width(), size.height());
    let margin = 0.8 * letters;
    let ink = ink_on(style.haze);
    if !title.is_empty() {
        text::write(picture, title, (margin, margin), 1.15 * letters, ink_on(style.sky));
    }
    if !caption.is_empty() {
        text::write(picture, caption, (margin, height - margin - letters), letters, ink);
    }
    if let Some(scale) = scale {
        draw_legend(picture, scale, letters, (width, height), style);
    }
}

/// The height of letters: as asked, or so that they can be read at the size of the picture.
fn letter_height(style: &Style, width: u32, height: u32) -> f64 {
    let by_size = 0.033 * f64::from(height.min(width));
    style.text.unwrap_or(by_size.clamp(11.0, 64.0))
}

/// Dark letters on a light ground, and the other way round.
pub(crate) fn ink_on(ground: Rgb) -> Rgb {
    if ground.luminance() > 0.25 { Rgb(44, 48, 56) } else { Rgb(232, 234, 238) }
}

/// A bar of colours at the right edge with round numbers beside it, on a panel that keeps them legible.
fn draw_legend(
    picture: &mut Picture,
    scale: &Scale,
    letters: f64,
    (width, height): (f64, f64),
    style: &Style,
) {
    let bar_height = (0.42 * height).round();
    if bar_height < 3.0 * letters {
        return;
    }
    let ticks = scale.ticks((bar_height / (2.2 * letters)).clamp(2.0, 7.0) as usize);
    let labels = tick_labels(&ticks);
    let widest = labels.iter().map(|label| text::width(label, letters)).fold(0.0, f64::max);
    let bar_width = letters.round();
    let content = (bar_width + 0.7 * letters + widest).max(text::width(&scale.label, letters));
    let margin = 0.8 * letters;
    let left = (width - margin - content).round();
    let label_height = if scale.label.is_empty() { 0.0 } else { 1.6 * letters };
    let top = (0.5 * (height - bar_height - label_height) + label_height).round();
    let panel = ((left - 0.6 * letters) as i64, (top - label_height - 0.6 * letters) as i64);
    let panel_size = ((content + 1.2 * letters) as i64, (bar_height + label_height + 1.4 * letters) as i64);
    picture.blend_rectangle(panel, panel_size, style.haze, 0.72);
    let ink = ink_on(style.haze);
    text::write(picture, &scale.label, (left, top - label_height), letters, ink);
    let rows = bar_height as i64;
    for row in 0..rows {
        let value = scale.high + (scale.low - scale.high) * (row as f64 + 0.5) / bar_height;
        let at = (left as i64, top as i64 + row);
        picture.blend_rectangle(at, (bar_width as i64, 1), scale.colour(value), 1.0);
    }
    for (tick, label) in ticks.iter().zip(&labels) {
        let down = top + bar_height * (scale.high - tick) / (scale.high - scale.low);
        let row = (down as i64).clamp(top as i64, top as i64 + rows - 1);
        let mark = (0.35 * letters).round() as i64;
        picture.blend_rectangle((left as i64 + bar_width as i64, row), (mark, 1), ink, 0.8);
        let place = (left + bar_width + 0.7 * letters, down - 0.55 * letters);
        text::write(picture, label, place, letters, ink);
    }
}

/// Numbers with as many digits as are needed to distinguish them; powers of ten where that is shorter.
fn tick_labels(ticks: &[f64]) -> Vec<String> {
    let largest = ticks.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let step = if step.is_finite() { step } else { largest };
    if largest == 0.0 {
        return ticks.iter().map(|_| "0".to_owned()).collect();
    }
    // The power of ten is read off the printed number: logarithms round.
    let exponent_of =
        |x: f64| format!("{x:e}").split_once('e').and_then(|(_, e)| e.parse::<i32>().ok()).unwrap_or(0);
    let (least, most) = (exponent_of(step), exponent_of(largest));
    if (-4..=5).contains(&most) && least >= -6 {
        let digits = usize::try_from(-least).unwrap_or(0);
        return ticks.iter().map(|tick| minus(&format!("{tick:.digits$}"))).collect();
    }
    let digits = usize::try_from(most - least).unwrap_or(0).min(6);
    let power = |tick: f64| if tick == 0.0 { "0".to_owned() } else { minus(&format!("{tick:.digits$e}")) };
    ticks.iter().map(|&tick| power(tick)).collect()
}

/// A real minus sign, as wide as the digits.
fn minus(number: &str) -> String {
    number.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour_map::ColourMap;
    use crate::picture::Size;

    #[test]
    fn numbers_have_as_many_digits_as_tell_them_apart() {
        assert_eq!(tick_labels(&[0.0, 0.5, 1.0]), ["0.0", "0.5", "1.0"]);
        assert_eq!(tick_labels(&[-20.0, 0.0, 20.0]), ["−20", "0", "20"]);
        assert_eq!(tick_labels(&[0.0, 1e-7, 2e-7]), ["0", "1e−7", "2e−7"]);
        assert_eq!(tick_labels(&[1.0e9, 1.5e9]), ["1.0e9", "1.5e9"]);
        assert_eq!(tick_labels(&[0.0]), ["0"]);
    }

    #[test]
    fn the_legend_shows_the_whole_map_with_the_large_numbers_on_top() {
        let size = Size::new(320, 240).unwrap();
        let mut picture = Picture::filled(size, Rgb::WHITE);
        let scale = Scale::new(ColourMap::Viridis, 0.0, 1.0, "strain (%)").unwrap();
        annotate(&mut picture, &Style::default(), "", "", Some(&scale));
        let row_of = |colour: Rgb| {
            let near = |p: Rgb| {
                p.0.abs_diff(colour.0) < 8 && p.1.abs_diff(colour.1) < 8 && p.2.abs_diff(colour.2) < 8
            };
            (0..240).find(|y| (0..320).any(|x| near(picture.pixel(x, *y))))
        };
        let (top, bottom) = (row_of(scale.colour(0.99)).unwrap(), row_of(scale.colour(0.01)).unwrap());
        assert!(top + 90 < bottom, "{top} {bottom}");
    }

    #[test]
    fn a_picture_too_small_for_a_legend_has_none() {
        let size = Size::new(2, 1).unwrap();
        let mut picture = Picture::filled(size, Rgb::WHITE);
        let scale = Scale::new(ColourMap::Viridis, 0.0, 1.0, "x").unwrap();
        annotate(&mut picture, &Style::default(), "title", "caption", Some(&scale));
    }
}
