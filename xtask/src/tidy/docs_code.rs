//! The parts of a Markdown page that name things: code spans, fenced code, links, headings.

use super::tree::File;

/// A part of a page, with its line from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Span<'a> {
    /// `` `code` `` in a sentence.
    Inline { line: usize, code: &'a str },
    /// A line of a fenced block.
    Fenced { line: usize, code: &'a str },
    /// The target of `[text](target)`.
    Link { line: usize, target: &'a str },
    /// A heading, without its number signs.
    Heading { line: usize, text: &'a str },
}

impl Span<'_> {
    pub(super) fn line(&self) -> usize {
        match self {
            Self::Inline { line, .. }
            | Self::Fenced { line, .. }
            | Self::Link { line, .. }
            | Self::Heading { line, .. } => *line,
        }
    }
}

/// All parts of the page, in order.
pub(super) fn spans(page: &File) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let mut fence: Option<&str> = None;
    for (line, text) in page.lines() {
        let trimmed = text.trim_start();
        if let Some(mark) = fence {
            if trimmed.starts_with(mark) {
                fence = None;
            } else {
                spans.push(Span::Fenced { line, code: text });
            }
        } else if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark)) {
            fence = Some(mark);
        } else {
            if trimmed.starts_with('#') {
                spans.push(Span::Heading { line, text: trimmed.trim_start_matches('#').trim() });
            }
            // Every other piece between backticks is code; links are looked for in the rest.
            for (index, piece) in text.split('`').enumerate() {
                if index % 2 == 1 {
                    spans.push(Span::Inline { line, code: piece });
                }
            }
            spans.extend(links(text).map(|target| Span::Link { line, target }));
        }
    }
    spans
}

fn links(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("](").filter_map(|(at, _)| {
        let in_code = text[..at].matches('`').count() % 2 == 1 && text[at..].contains('`');
        let target = text[at + 2..].split([')', ' ']).next()?;
        (!in_code).then_some(target)
    })
}

#[cfg(test)]
mod tests {
    use super::super::Tree;
    use super::*;

    #[test]
    fn splits_a_page_into_its_parts() {
        let page =
            "# Title\nSee `a.rs` and [the `b`](b.md#x), not `[c](d)`.\n```sh\n# not a heading `x`\n```\n";
        let tree = Tree::of(&[("page.md", page)]);
        let expected = [
            Span::Heading { line: 1, text: "Title" },
            Span::Inline { line: 2, code: "a.rs" },
            Span::Inline { line: 2, code: "b" },
            Span::Inline { line: 2, code: "[c](d)" },
            Span::Link { line: 2, target: "b.md#x" },
            Span::Fenced { line: 4, code: "# not a heading `x`" },
        ];
        assert_eq!(spans(tree.get("page.md").unwrap()), expected);
    }
}
