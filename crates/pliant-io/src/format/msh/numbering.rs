//! [`Numbering`]: from the number that a file gives to a node or an element to its place in the order of the file.

use crate::error::ImportError;
use crate::source::Source;

/// The numbers of things in the order in which they stand in a file.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    tags: Vec<i64>,
    lookup: Lookup,
}

#[derive(Debug)]
enum Lookup {
    /// The one at place `k` has the number `first + k`, as in nearly all files.
    Dense { first: i64 },
    /// Numbers in ascending order with their places. Its size follows how many there are and not the largest number,
    /// which a file may choose freely.
    Sorted(Vec<(i64, u32)>),
}

impl Default for Lookup {
    fn default() -> Self {
        Self::Dense { first: 0 }
    }
}

impl Numbering {
    /// Reserves memory for as many more.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.tags.reserve(count);
    }

    /// Adds the next.
    pub(crate) fn push(&mut self, tag: i64) {
        self.tags.push(tag);
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.tags.len()
    }

    /// The number of the one at a place.
    pub(crate) fn tag(&self, place: u32) -> i64 {
        self.tags[place as usize]
    }

    /// All numbers in ascending order, with their places.
    pub(crate) fn sorted(&self) -> Vec<(i64, u32)> {
        let mut sorted: Vec<(i64, u32)> = self.tags.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        sorted
    }

    /// The least and the greatest number.
    pub(crate) fn range(&self) -> Option<(i64, i64)> {
        Some((*self.tags.iter().min()?, *self.tags.iter().max()?))
    }

    /// Prepares [`place`](Self::place). `what` they are is for errors, such as `"nodes"`; a number that is
    /// given twice is one, unless that is allowed, and then means the first.
    pub(crate) fn index(
        &mut self,
        source: &Source<'_>,
        what: &'static str,
        twice: bool,
    ) -> Result<(), ImportError> {
        if u32::try_from(self.tags.len()).is_err() {
            return Err(ImportError::TooLarge {
                file: source.name.to_owned(),
                what,
                count: self.tags.len() as u64,
                limit: u64::from(u32::MAX),
            });
        }
        let first = self.tags.first().copied().unwrap_or(0);
        if self.tags.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1])) {
            self.lookup = Lookup::Dense { first };
            return Ok(());
        }
        let mut sorted = self.sorted();
        if twice {
            sorted.dedup_by_key(|(tag, _)| *tag);
        }
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(source.unsupported(
                format!(
                    "a mesh in which two {what} have the number {} ({what} {} and {} in the order of the file, counted \
                     from 0)",
                    pair[0].0, pair[0].1, pair[1].1
                ),
                format!("give every one of the {what} a number of its own"),
            ));
        }
        self.lookup = Lookup::Sorted(sorted);
        Ok(())
    }

    /// The place of the one with that number.
    pub(crate) fn place(&self, tag: i64) -> Option<u32> {
        match &self.lookup {
            Lookup::Dense { first } => {
                let place = u32::try_from(tag.checked_sub(*first)?).ok()?;
                ((place as usize) < self.tags.len()).then_some(place)
            }
            Lookup::Sorted(sorted) => {
                sorted.binary_search_by_key(&tag, |&(tag, _)| tag).ok().map(|at| sorted[at].1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbering(tags: &[i64], twice: bool) -> Result<Numbering, ImportError> {
        let mut numbering = Numbering::default();
        for &tag in tags {
            numbering.push(tag);
        }
        numbering.index(&Source::of("a.msh", b""), "nodes", twice).map(|()| numbering)
    }

    #[test]
    fn numbers_may_be_dense_sparse_negative_and_huge() {
        for tags in
            [vec![1, 2, 3], vec![0, 1, 2], vec![7, 5, 6], vec![i64::MIN, i64::MAX, -3], vec![9], vec![]]
        {
            let numbering = numbering(&tags, false).unwrap();
            for (place, &tag) in tags.iter().enumerate() {
                assert_eq!(numbering.place(tag), Some(place as u32));
                assert_eq!(numbering.tag(place as u32), tag);
            }
            for other in [4, -1, i64::MAX - 1, i64::MIN + 1] {
                assert_eq!(numbering.place(other), None, "{tags:?} {other}");
            }
        }
    }

    #[test]
    fn a_number_given_twice_is_refused_or_means_the_first() {
        let error = numbering(&[1, 2, 9, 2], false).unwrap_err().to_string();
        assert!(error.contains("the number 2 (nodes 1 and 3"), "{error}");
        assert_eq!(numbering(&[1, 2, 9, 2], true).unwrap().place(2), Some(1));
    }
}
