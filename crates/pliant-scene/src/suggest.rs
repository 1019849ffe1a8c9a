//! Suggestions for misspelt words, and lists of valid ones.

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
    let length = word.chars().count();
    let most = length.max(3) / 3;
    // Words whose lengths are too different need not be compared letter by letter, which takes the product of
    // the lengths.
    let alike = known.iter().filter(|known| known.chars().count().abs_diff(length) <= most);
    let near = alike.map(|&k| (distance(word, k), k)).min_by_key(|&(d, _)| d)?;
    (near.0 <= most).then_some(near.1)
}

/// The words in quotes: only the first if there are many, and shortened if they are long.
pub(crate) fn list_of(words: &[&str]) -> String {
    /// More would hide the rest of the message.
    const MOST: (usize, usize) = (20, 60);
    let quoted = |word: &&str| match word.char_indices().nth(MOST.1) {
        Some((end, _)) => format!("{:?}…", &word[..end]),
        None => format!("{word:?}"),
    };
    let mut list = words.iter().take(MOST.0).map(quoted).collect::<Vec<_>>().join(", ");
    if words.len() > MOST.0 {
        list += &format!(" and {} more", words.len() - MOST.0);
    }
    list
}

/// What may be given instead of a word, with the one that was probably meant; `none` if there are no such
/// words.
pub(crate) fn one_of(word: &str, known: &[&str], none: &str) -> String {
    if known.is_empty() {
        return none.to_owned();
    }
    let list = list_of(known);
    match nearest(word, known) {
        Some(near) => format!("one of {list} (did you mean {near:?}?)"),
        None => format!("one of {list}"),
    }
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
    fn long_lists_and_long_words_are_cut() {
        let (long, many) = ("w".repeat(61), ["a"; 22]);
        assert_eq!(list_of(&[&long, "b\u{7}"]), format!("{:?}…, \"b\\u{{7}}\"", "w".repeat(60)));
        assert!(list_of(&many).ends_with("\"a\", \"a\" and 2 more"));
        assert_eq!(one_of("lond", &["long", "b"], ""), r#"one of "long", "b" (did you mean "long"?)"#);
        assert_eq!(one_of("lond", &[], "nothing"), "nothing");
    }

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["compliance", "stiffness", "pbd"];
        assert_eq!(nearest("complience", &known), Some("compliance"));
        assert_eq!(nearest("stifness", &known), Some("stiffness"));
        assert_eq!(nearest("young", &known), None);
        assert_eq!(nearest("x", &[]), None);
    }
}
