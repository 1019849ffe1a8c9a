//! [`Generated`]: the numbers that the lines of a set with `GENERATE` stand for.

/// Rows of a first number, a last one and the step between.
///
/// Rows that continue where others end, or lie in others, are one: so the time for the rest does not depend
/// on how often a file repeats them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Generated(Vec<Row>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    step: i64,
    /// The remainder of all numbers on division by the step.
    rest: i64,
    first: i64,
    last: i64,
}

impl Generated {
    /// Rows of first and last numbers, and steps that are positive.
    pub(super) fn new(rows: &[[i64; 3]]) -> Self {
        let row = |&[first, last, step]: &[i64; 3]| Row { step, rest: first.rem_euclid(step), first, last };
        let mut rows: Vec<Row> = rows.iter().filter(|row| row[0] <= row[1]).map(row).collect();
        rows.sort_unstable();
        rows.dedup_by(|next, row| {
            let joins = (next.step, next.rest) == (row.step, row.rest)
                && next.first <= row.last.saturating_add(row.step);
            if joins {
                row.last = row.last.max(next.last);
            }
            joins
        });
        Self(rows)
    }

    /// The places of those numbers that exist, in ascending order, once each; `sorted` has all numbers in
    /// ascending order with their places.
    pub(super) fn places(&self, sorted: &[(i64, u32)]) -> Vec<u32> {
        let mut places = Vec::new();
        for row in &self.0 {
            let from = |number: i64| sorted.partition_point(|&(tag, _)| tag < number);
            let between = &sorted[from(row.first)..sorted.partition_point(|&(tag, _)| tag <= row.last)];
            let terms = (i128::from(row.last) - i128::from(row.first)) / i128::from(row.step) + 1;
            if terms < between.len() as i128 {
                let mut number = Some(row.first);
                while let Some(wanted) = number.filter(|&number| number <= row.last) {
                    let equal = sorted[from(wanted)..].iter().take_while(|(tag, _)| *tag == wanted);
                    places.extend(equal.map(|(_, place)| place));
                    number = wanted.checked_add(row.step);
                }
            } else {
                let fits = |tag: i64| tag.rem_euclid(row.step) == row.rest;
                places.extend(between.iter().filter(|(tag, _)| fits(*tag)).map(|(_, place)| place));
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn every_number_of_a_row_is_found_and_no_other(
            tags in prop::collection::vec(prop_oneof![-20..60_i64, any::<i64>()], 0..60),
            rows in prop::collection::vec((-30..70_i64, -30..70_i64, prop_oneof![1..9_i64, Just(i64::MAX)]), 0..8),
            all: bool,
        ) {
            let mut rows: Vec<[i64; 3]> = rows.into_iter().map(|(first, last, step)| [first, last, step]).collect();
            if all {
                rows.push([i64::MIN, i64::MAX, 7]);
            }
            let mut sorted: Vec<(i64, u32)> = tags.iter().copied().zip(0..).collect();
            sorted.sort_unstable();
            let is_in = |tag: i64, [first, last, step]: [i64; 3]| {
                (first..=last).contains(&tag) && (i128::from(tag) - i128::from(first)) % i128::from(step) == 0
            };
            let wanted = (0..).zip(&tags).filter(|(_, tag)| rows.iter().any(|row| is_in(**tag, *row)));
            let expected: Vec<u32> = wanted.map(|(place, _)| place).collect();
            prop_assert_eq!(Generated::new(&rows).places(&sorted), expected);
        }
    }

    #[test]
    fn rows_that_say_the_same_are_one() {
        let rows: Vec<[i64; 3]> = (0..20_000).map(|i| [i % 100, 30_000 - i % 3, 1]).collect();
        assert_eq!(Generated::new(&rows), Generated::new(&[[0, 30_000, 1]]));
        assert_eq!(Generated::new(&[[1, 5, 2], [7, 9, 2], [2, 2, 2]]).0.len(), 2);
        assert_eq!(Generated::new(&[[5, 1, 1]]).0, []);
    }
}
