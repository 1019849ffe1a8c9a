//! Rust source with comments and literals blanked out, so that a word in a sentence is not taken for code.

/// The source with every comment, string and character literal replaced by spaces; line breaks are kept, so line
/// numbers stay true.
pub(super) fn code_only(source: &str) -> String {
    let bytes: Vec<char> = source.chars().collect();
    let mut code = String::with_capacity(source.len());
    let mut at = 0;
    while at < bytes.len() {
        let end = literal_end(&bytes, at);
        if end > at {
            code.extend(bytes[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            at = end;
        } else {
            code.push(bytes[at]);
            at += 1;
        }
    }
    code
}

/// The lines of the code that hold `word` as a whole word, numbered from 1.
pub(super) fn lines_with_word(code: &str, word: &str) -> Vec<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let has = |line: &str| {
        line.match_indices(word).any(|(start, _)| {
            !line[..start].ends_with(is_word) && !line[start + word.len()..].starts_with(is_word)
        })
    };
    code.lines().enumerate().filter(|(_, line)| has(line)).map(|(index, _)| index + 1).collect()
}

/// Where the comment or literal that starts at `at` ends (exclusive), or `at` where none starts.
fn literal_end(text: &[char], at: usize) -> usize {
    let next = text.get(at + 1).copied();
    let word_before = at > 0 && (text[at - 1].is_alphanumeric() || text[at - 1] == '_');
    match text[at] {
        '/' if next == Some('/') => end_of_line(text, at),
        '/' if next == Some('*') => end_of_block_comment(text, at),
        '"' => end_of_quoted(text, at + 1, '"'),
        '\'' => end_of_char(text, at),
        'r' if !word_before => end_of_raw_string(text, at),
        'b' | 'c' if !word_before && next == Some('r') => {
            let end = end_of_raw_string(text, at + 1);
            if end > at + 1 { end } else { at }
        }
        _ => at,
    }
}

fn end_of_line(text: &[char], at: usize) -> usize {
    text[at..].iter().position(|&c| c == '\n').map_or(text.len(), |length| at + length)
}

fn end_of_block_comment(text: &[char], at: usize) -> usize {
    let mut depth = 0;
    let mut i = at;
    while i < text.len() {
        match (text[i], text.get(i + 1)) {
            ('/', Some('*')) => (depth, i) = (depth + 1, i + 2),
            ('*', Some('/')) => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            return i;
        }
    }
    text.len()
}

fn end_of_quoted(text: &[char], mut i: usize, quote: char) -> usize {
    while i < text.len() {
        match text[i] {
            '\\' => i += 2,
            c if c == quote => return i + 1,
            _ => i += 1,
        }
    }
    text.len()
}

/// A character literal, or `at` for a lifetime.
fn end_of_char(text: &[char], at: usize) -> usize {
    let escaped = text.get(at + 1) == Some(&'\\');
    if escaped || text.get(at + 2) == Some(&'\'') { end_of_quoted(text, at + 1, '\'') } else { at }
}

/// `r"…"`, `r#"…"#` and so on, or `at` for a word that starts with r.
fn end_of_raw_string(text: &[char], at: usize) -> usize {
    let hashes = text[at + 1..].iter().take_while(|&&c| c == '#').count();
    let open = at + 1 + hashes;
    if text.get(open) != Some(&'"') {
        return at;
    }
    let closes =
        |i: usize| text[i] == '"' && text[i + 1..].iter().take_while(|&&c| c == '#').count() >= hashes;
    (open + 1..text.len()).find(|&i| closes(i)).map_or(text.len(), |i| i + 1 + hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_comments_and_literals_only() {
        let source = concat!(
            "let a = \"word \\\" word\"; // word\n",
            "/* word /* word */ word */ let b = r#\"word \"# ; let c: &'a word = '\"';\n",
            "/// word\n",
            "fn word_other() { b\"word\"; br\"word\"; raw; r }\n",
        );
        let code = code_only(source);
        assert_eq!(code.lines().count(), 4);
        assert_eq!(lines_with_word(&code, "word"), [2]);
        assert!(code.contains("let c: &'a word"));
        assert!(code.contains("fn word_other() {"));
    }

    #[test]
    fn unfinished_literals_do_not_hang_or_panic() {
        for source in ["\"", "'", "r#\"", "/*", "'\\", "b", "r", "r#"] {
            assert_eq!(code_only(source).chars().count(), source.chars().count());
        }
    }
}
