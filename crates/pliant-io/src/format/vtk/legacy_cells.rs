//! The cells of a legacy VTK file, in the layouts before and from version 5.1.

use crate::error::ImportError;
use crate::format::cursor::found_other;

use super::cell_list::{CellList, Origin};
use super::legacy_numbers::{Count, Numbers};
use super::scalar::Scalar;

impl<'a> Numbers<'a> {
    /// `CELLS n size` and the like: `n` rows of a number of vertices and the vertices, `size` numbers in all. From
    /// version 5.1 on instead the number of offsets and of vertices, with the keywords `OFFSETS` and `CONNECTIVITY`.
    pub(crate) fn cell_list(&mut self) -> Result<CellList<'a>, ImportError> {
        let (count, count_at) = self.count("the number of cells")?;
        let (size, size_at) = self.count("the number of numbers that make the cells")?;
        let mut ahead = self.cursor.clone();
        if ahead.word().eq_ignore_ascii_case(b"OFFSETS") {
            self.cursor = ahead;
            return self.offset_list((count, count_at), (size, size_at));
        }
        let origin = self.begin(Scalar::I32, "the size of the cells")?;
        self.room((size, size_at), Scalar::I32, "numbers")?;
        if count > size {
            let expected = format!("a size of at least one number for each of the {count} cells");
            let place = self.cursor.place_of(size_at);
            return Err(found_other(&self.cursor.source(), place, size.to_string(), expected));
        }
        let flat = self.integers(size, Scalar::I32, "the vertices of the cells")?;
        let mut vertices = Vec::with_capacity(size - count);
        let mut ends = Vec::with_capacity(count);
        let mut next = 0;
        for cell in 0..count {
            // The least that the other cells need.
            let left = flat.len() - next - (count - cell).min(flat.len() - next);
            match flat.get(next).and_then(|&own| usize::try_from(own).ok()).filter(|&own| own <= left) {
                Some(own) => {
                    vertices.extend_from_slice(&flat[next + 1..=next + own]);
                    ends.push(vertices.len());
                    next += own + 1;
                }
                None => {
                    let found = flat.get(next).map_or("nothing".to_owned(), i64::to_string);
                    let expected =
                        format!("how many vertices cell {cell} has, at most {left} by the size {size}");
                    let place = origin.place(next.min(size.saturating_sub(1)));
                    return Err(found_other(&self.cursor.source(), place, found, expected));
                }
            }
        }
        if next != size {
            let found = format!("{count} cells of {next} numbers in all");
            let place = self.cursor.place_of(size_at);
            return Err(found_other(&self.cursor.source(), place, found, format!("{size} numbers")));
        }
        Ok(CellList { vertices, ends, origin, sizes_between: true })
    }

    /// The layout of version 5.1, behind the keyword `OFFSETS`.
    fn offset_list(&mut self, count: Count, size: Count) -> Result<CellList<'a>, ImportError> {
        let (offsets, offsets_origin) = self.typed_integers(count, "offsets")?;
        let word = self.cursor.word();
        if !word.eq_ignore_ascii_case(b"CONNECTIVITY") {
            return Err(self.cursor.unexpected(self.cursor.pos() - word.len(), word, "CONNECTIVITY"));
        }
        let (vertices, origin) = self.typed_integers(size, "vertices")?;
        let mut ends = Vec::with_capacity(offsets.len().saturating_sub(1));
        let mut last = 0;
        for (index, &offset) in offsets.iter().enumerate() {
            let wanted = if index == 0 {
                0..=0
            } else if index + 1 == offsets.len() {
                vertices.len()..=vertices.len()
            } else {
                last..=vertices.len()
            };
            let Some(end) = usize::try_from(offset).ok().filter(|end| wanted.contains(end)) else {
                let expected = format!("an offset from {} to {}", wanted.start(), wanted.end());
                let place = offsets_origin.place(index);
                let found = offset.to_string();
                return Err(found_other(&self.cursor.source(), place, found, expected));
            };
            if index > 0 {
                ends.push(end);
            }
            last = end;
        }
        Ok(CellList { vertices, ends, origin, sizes_between: false })
    }

    /// The type and the numbers behind `OFFSETS` or `CONNECTIVITY`.
    fn typed_integers(&mut self, count: Count, what: &str) -> Result<(Vec<i64>, Origin<'a>), ImportError> {
        let at = self.cursor.pos();
        let scalar = self.scalar()?;
        if !scalar.is_integer() {
            let expected = format!("an integer type for the {what}, such as vtktypeint64");
            return Err(self.cursor.unexpected(at, b"a floating-point type", expected));
        }
        let origin = self.begin(scalar, what)?;
        self.room(count, scalar, what)?;
        Ok((self.integers(count.0, scalar, what)?, origin))
    }

    /// `CELL_TYPES n`.
    pub(crate) fn cell_types(&mut self) -> Result<(Vec<i64>, Origin<'a>), ImportError> {
        let count = self.count("the number of cell types")?;
        let origin = self.begin(Scalar::I32, "the number of cell types")?;
        self.room(count, Scalar::I32, "cell types")?;
        Ok((self.integers(count.0, Scalar::I32, "the type of a cell")?, origin))
    }
}
