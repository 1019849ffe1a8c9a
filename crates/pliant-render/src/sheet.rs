//! [`contact_sheet`]: an animation at a glance.

use crate::animation::same_size;
use crate::colour::Rgb;
use crate::error::{RenderError, check};
use crate::legend::ink_on;
use crate::picture::{Picture, Size};
use crate::text;

/// Lays pictures of one size out in rows of `columns`, from the upper left, each with its label below it.
///
/// The pictures keep their size; `ground` is the colour between them.
///
/// # Errors
///
/// If there is no picture, the pictures differ in size, there are no columns, or the sheet becomes larger than a
/// [`Size`] may be: draw smaller pictures then.
///
/// ```
/// use pliant_render::{Picture, Rgb, Size, contact_sheet};
///
/// let frame = Picture::filled(Size::new(80, 60)?, Rgb(90, 120, 160));
/// let frames = vec![(frame.clone(), "0.0 s".to_owned()), (frame.clone(), "0.5 s".to_owned()), (frame, "1.0 s".to_owned())];
/// let sheet = contact_sheet(&frames, 2, Rgb::WHITE)?;
/// assert!(sheet.size().width() > 160 && sheet.size().height() > 120);
/// # Ok::<(), pliant_render::RenderError>(())
/// ```
pub fn contact_sheet(
    pictures: &[(Picture, String)],
    columns: u32,
    ground: Rgb,
) -> Result<Picture, RenderError> {
    let cell = pictures.first().ok_or(RenderError::Empty)?.0.size();
    check("the number of columns", f64::from(columns), 1.0..=8192.0, "between 1 and 8192")?;
    for (picture, _) in pictures {
        same_size(picture.size(), cell)?;
    }
    let columns = columns.min(pictures.len() as u32);
    let rows = pictures.len().div_ceil(columns as usize) as u64;
    let gap = u64::from(cell.width().max(cell.height()) / 40).clamp(2, 16);
    let letters = (0.07 * f64::from(cell.height())).clamp(11.0, 28.0);
    let labelled = pictures.iter().any(|(_, label)| !label.is_empty());
    let label = if labelled { (1.5 * letters).round() as u64 } else { 0 };
    let [width, height] = [u64::from(cell.width()), u64::from(cell.height()) + label];
    let side = |cells: u64, size: u64| u32::try_from(cells * (size + gap) + gap).unwrap_or(u32::MAX);
    let size = Size::new(side(u64::from(columns), width), side(rows, height))?;
    let mut sheet = Picture::filled(size, ground);
    for (index, (picture, label)) in pictures.iter().enumerate() {
        let (column, row) = (index as u64 % u64::from(columns), index as u64 / u64::from(columns));
        // Within the size that has been checked above.
        let (left, top) = ((gap + column * (width + gap)) as u32, (gap + row * (height + gap)) as u32);
        sheet.paste(picture, left, top);
        let aside = 0.5 * (f64::from(cell.width()) - text::width(label, letters)).max(0.0);
        let place = (f64::from(left) + aside, f64::from(top + cell.height()) + 0.2 * letters);
        text::write(&mut sheet, label, place, letters, ink_on(ground));
    }
    Ok(sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_in_rows() {
        let size = Size::new(40, 30).unwrap();
        let colours = [Rgb(200, 0, 0), Rgb(0, 200, 0), Rgb(0, 0, 200)];
        let pictures = colours.map(|colour| (Picture::filled(size, colour), String::new()));
        let sheet = contact_sheet(&pictures, 2, Rgb::WHITE).unwrap();
        assert_eq!((sheet.size().width(), sheet.size().height()), (86, 66));
        assert_eq!(sheet.pixel(2, 2), colours[0]);
        assert_eq!(sheet.pixel(44, 2), colours[1]);
        assert_eq!(sheet.pixel(2, 34), colours[2]);
        assert_eq!(sheet.pixel(44, 34), Rgb::WHITE);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let picture = |side| (Picture::filled(Size::new(side, side).unwrap(), Rgb::WHITE), String::new());
        assert!(matches!(contact_sheet(&[], 3, Rgb::WHITE), Err(RenderError::Empty)));
        assert!(contact_sheet(&[picture(8)], 0, Rgb::WHITE).is_err());
        assert!(matches!(
            contact_sheet(&[picture(8), picture(9)], 3, Rgb::WHITE),
            Err(RenderError::Mixed { .. })
        ));
        let large = vec![picture(900); 10];
        assert!(matches!(contact_sheet(&large, 10, Rgb::WHITE), Err(RenderError::Size { .. })));
    }
}
