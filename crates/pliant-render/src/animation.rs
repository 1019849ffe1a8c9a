//! The common parts of animated formats: pictures of one size, a time per frame, and the part that changes
//! from one to the next.

use crate::error::{RenderError, check};
use crate::picture::{Picture, Size};

/// The size of all frames, if they have one.
pub(crate) fn check_animation(frames: &[Picture], seconds: f64) -> Result<Size, RenderError> {
    check("the time of a frame, in seconds,", seconds, 0.0..=60.0, "between 0 and 60")?;
    let size = frames.first().ok_or(RenderError::Empty)?.size();
    for frame in frames {
        same_size(frame.size(), size)?;
    }
    Ok(size)
}

pub(crate) fn same_size(found: Size, expected: Size) -> Result<(), RenderError> {
    let pair = |size: Size| (size.width(), size.height());
    if found == expected {
        Ok(())
    } else {
        Err(RenderError::Mixed { found: pair(found), expected: pair(expected) })
    }
}

/// How long frame `index` is shown, in ticks, of which there are `per_second`. Rounded so that no error accumulates:
/// 60 frames a second in hundredths are shown for 2, 1, 2, 2, 1 ….
pub(crate) fn delay_in(per_second: u32, index: usize, seconds: f64) -> u16 {
    let tick_of = |frame: usize| (frame as f64 * seconds * f64::from(per_second)).round();
    (tick_of(index + 1) - tick_of(index)).max(0.0) as u16
}

/// The smallest rectangle that holds every pixel that differs between two pictures; one pixel if none does.
pub(crate) struct Changes {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Changes {
    pub(crate) fn between(old: &Picture, new: &Picture) -> Self {
        let row_bytes = 3 * new.size().width() as usize;
        let pairs = old.bytes().chunks_exact(row_bytes).zip(new.bytes().chunks_exact(row_bytes));
        let (mut left, mut right, mut top, mut bottom) = (u32::MAX, 0, u32::MAX, 0);
        for (y, (a, b)) in (0_u32..).zip(pairs) {
            let Some(first) = a.iter().zip(b).position(|(a, b)| a != b) else { continue };
            let last = a.iter().zip(b).rposition(|(a, b)| a != b).unwrap_or(first);
            left = left.min(first as u32 / 3);
            right = right.max(last as u32 / 3);
            top = top.min(y);
            bottom = y;
        }
        if top == u32::MAX {
            return Self { left: 0, top: 0, width: 1, height: 1 };
        }
        Self { left, top, width: right - left + 1, height: bottom - top + 1 }
    }

    /// The pixels within.
    pub(crate) fn rows<'a, T: Copy>(&self, all: &'a [T], size: Size) -> impl Iterator<Item = T> + 'a {
        let (left, width) = (self.left as usize, self.width as usize);
        let rows = all.chunks_exact(size.width() as usize).skip(self.top as usize).take(self.height as usize);
        rows.flat_map(move |row| &row[left..left + width]).copied()
    }

    pub(crate) fn crop(&self, picture: &Picture) -> Vec<u8> {
        let row_bytes = 3 * picture.size().width() as usize;
        let rows = picture.bytes().chunks_exact(row_bytes).skip(self.top as usize).take(self.height as usize);
        rows.flat_map(|row| &row[3 * self.left as usize..3 * (self.left + self.width) as usize])
            .copied()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::Rgb;

    #[test]
    fn changes_are_cropped_to_what_differs() {
        let size = Size::new(9, 7).unwrap();
        let old = Picture::filled(size, Rgb::WHITE);
        let mut new = old.clone();
        let none = Changes::between(&old, &new);
        assert_eq!((none.width, none.height), (1, 1));
        new.blend(2, 3, Rgb::BLACK, 1.0);
        new.blend(6, 4, Rgb(255, 255, 0), 1.0);
        let changes = Changes::between(&old, &new);
        assert_eq!((changes.left, changes.top, changes.width, changes.height), (2, 3, 5, 2));
        let crop = changes.crop(&new);
        assert_eq!((crop.len(), &crop[..3], &crop[27..]), (30, &[0, 0, 0][..], &[255, 255, 0][..]));
    }

    #[test]
    fn delays_add_up() {
        let delays: Vec<u16> = (0..60).map(|i| delay_in(100, i, 1.0 / 60.0)).collect();
        assert_eq!(delays.iter().sum::<u16>(), 100);
        assert!(delays.iter().all(|d| (1..=2).contains(d)));
    }
}
