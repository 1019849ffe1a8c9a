//! Quotations from files: cut, and without control characters.

/// A text that comes from the file, such as a name, or from another crate's message about it, for the middle
/// of a sentence.
pub(crate) fn shown(text: &str) -> String {
    cut(text, 160)
}

/// A part of the sentence of an error, which may hold names of the file.
pub(crate) fn clause(text: impl Into<String>) -> String {
    const MOST: usize = 400;
    let text = text.into();
    if text.len() <= MOST && !text.contains(char::is_control) { text } else { cut(&text, MOST) }
}

/// Cuts a text after `most` characters and escapes control characters, so that no file can control a terminal.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    let mut out = String::new();
    for (i, character) in text.chars().enumerate() {
        match character {
            _ if i == most => {
                out.push('…');
                break;
            }
            _ if character.is_control() => out.extend(character.escape_default()),
            _ => out.push(character),
        }
    }
    out
}

/// The bytes in quotes, escaped and cut after 40.
pub(crate) fn quote(found: &[u8]) -> String {
    const MOST: usize = 40;
    if found.is_empty() {
        return "nothing".to_owned();
    }
    let cut = &found[..found.len().min(MOST)];
    let dots = if found.len() > MOST { "…" } else { "" };
    format!("\"{}{dots}\"", cut.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Place;
    use crate::source::Source;

    #[test]
    fn what_stands_in_the_file_is_cut_and_escaped() {
        let source = Source::of("a.vtu", b"");
        let error = source.unsupported("the compression \u{1b}[2J", "x".repeat(9000)).to_string();
        assert!(error.starts_with("a.vtu: the compression \\u{1b}[2J cannot be read; xxx"), "{error}");
        assert!(error.len() < 500 && error.ends_with('…'), "{error}");
        let plain = source.truncated(Place::Line(1), "a café").to_string();
        assert!(plain.contains("expected a café; is it complete?"), "{plain}");
        assert_eq!(shown(&"ä".repeat(160)), "ä".repeat(160));
    }
}
