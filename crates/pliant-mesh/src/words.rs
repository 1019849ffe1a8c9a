//! Numbers in sentences.

use std::fmt::Display;

/// A number and what it counts: `one` or `many`.
///
/// ```
/// use pliant_mesh::counted;
///
/// assert_eq!([1, 2].map(|n| counted(n, "vertex", "vertices")), ["1 vertex", "2 vertices"]);
/// ```
pub fn counted(number: impl Display + Copy + PartialEq + From<u8>, one: &str, many: &str) -> String {
    let what = if number == From::from(1) { one } else { many };
    format!("{number} {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        let vertices = |n: usize| counted(n, "vertex", "vertices");
        assert_eq!([0, 1, 2].map(vertices), ["0 vertices", "1 vertex", "2 vertices"]);
    }
}
