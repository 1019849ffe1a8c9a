//! The word that was probably meant.

/// The known word nearest to `word`, if it is near: at most a third of its letters wrong.
///
/// ```
/// use pliant_scene::nearest;
///
/// assert_eq!(nearest("stifness", &["compliance", "stiffness"]), Some("stiffness"));
/// assert_eq!(nearest("colour", &["compliance", "stiffness"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = known.iter().map(|&k| (distance(word, k), k)).min_by_key(|&(d, _)| d)?;
    (near.0 * 3 <= word.chars().count().max(3)).then_some(near.1)
}

/// Number of letters to insert, delete or replace (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["compliance", "stiffness", "pbd"];
        assert_eq!(nearest("complience", &known), Some("compliance"));
        assert_eq!(nearest("stifness", &known), Some("stiffness"));
        assert_eq!(nearest("young", &known), None);
        assert_eq!(nearest("x", &[]), None);
    }
}
