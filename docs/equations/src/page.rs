//! A page of Markdown: its mathematics, and nothing else, becomes HTML.

use std::fmt;

use crate::display::Display;
use crate::inline::convert_text;

/// What is wrong with an equation of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line of the page on which the block or the formula begins, from 1.
    pub line: usize,
    /// What is wrong, and where in the formula.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Fault {}

/// The page with its mathematics as HTML.
///
/// A block of it is fenced with three or more backticks or tildes and has the word `math` after them. It may
/// be indented, as in a list, but not quoted with `>`. A formula within a sentence is inline code with a
/// dollar on either side; it stays in its paragraph and out of headings. Everything else, other fenced blocks
/// and inline code among it, comes out as it went in. Code that is marked by its indentation alone is not
/// known as code.
///
/// ```
/// let page = "Let $`x_j`$ be `x^2`.\n\n```math\nx^2\n```\n\n```text\nx^2\n```\n";
/// let html = pliant_equations::convert_page(page).unwrap();
/// assert!(html.starts_with("Let <span class=\"formula\"><math display=\"inline\">"));
/// assert!(html.contains(" be `x^2`.\n\n<div class=\"equation\">"));
/// assert!(html.ends_with("</div>\n\n```text\nx^2\n```\n"));
/// ```
///
/// # Errors
///
/// All formulas that cannot be set: LaTeX that does not parse, a number that is malformed or used twice, a
/// fence or a formula that is not closed.
pub fn convert_page(page: &str) -> Result<String, Vec<Fault>> {
    let mut html = String::with_capacity(page.len());
    let mut faults = Vec::new();
    let mut numbers: Vec<(String, usize)> = Vec::new();
    let mut lines = page.split_inclusive('\n').zip(1..);
    // Text since the last block, and the line it begins on.
    let (mut prose, mut begin) = (String::new(), 1);
    while let Some((text, line)) = lines.next() {
        let Some(fence) = Fence::open(text) else {
            prose.push_str(text);
            continue;
        };
        html.push_str(&convert_text(&prose, begin, &mut faults));
        prose.clear();
        let mut latex = String::new();
        let mut closed = None;
        begin = line + 1;
        for (inside, number) in lines.by_ref() {
            begin = number + 1;
            if fence.closes(inside) {
                closed = Some(inside);
                break;
            }
            latex.push_str(inside);
        }
        if !fence.is_math() {
            html.extend([text, &latex, closed.unwrap_or_default()]);
            continue;
        }
        if closed.is_none() {
            let message = format!("the block is not closed: end it with {}", fence.mark);
            faults.push(Fault { line, message });
            continue;
        }
        match Display::new(&latex) {
            Ok(display) => {
                if let Some(number) = &display.number {
                    match numbers.iter().find(|(other, _)| other == number) {
                        Some((_, first)) => {
                            let message = format!("({number}) is already the number of line {first}");
                            faults.push(Fault { line, message });
                        }
                        None => numbers.push((number.clone(), line)),
                    }
                }
                html.extend([fence.indent, &display.html(), "\n"]);
            }
            Err(message) => faults.push(Fault { line, message }),
        }
    }
    html.push_str(&convert_text(&prose, begin, &mut faults));
    if faults.is_empty() { Ok(html) } else { Err(faults) }
}

/// The line that opens a fenced block.
struct Fence<'a> {
    indent: &'a str,
    /// The backticks or tildes.
    mark: &'a str,
    info: &'a str,
}

impl<'a> Fence<'a> {
    fn open(line: &'a str) -> Option<Self> {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
        let (mark, info) = text.split_at(text.find(|c| c != sign).unwrap_or(text.len()));
        // ```` `code` ```` on one line is inline code.
        let inline = sign == '`' && info.contains('`');
        (mark.len() >= 3 && !inline).then_some(Self { indent, mark, info: info.trim() })
    }

    fn is_math(&self) -> bool {
        self.info.split_whitespace().next() == Some("math")
    }

    fn closes(&self, line: &str) -> bool {
        let rest = line.trim().strip_prefix(self.mark);
        rest.is_some_and(|rest| rest.chars().all(|c| self.mark.starts_with(c)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_mathematics_is_untouched() {
        for page in [
            "",
            "no end of line",
            "A word `math` and ```math``` inline.\n",
            "```text\n\\frac{1}{\n```\n",
            "````markdown\n```math\n\\nonsense\n```\n````\n",
            "```text\na $`x^^2`$\n```\n",
            "~~~\n```math\n\\nonsense\n```\n~~~\n",
            "```mathematica\nx^^2\n```\n",
            "```text\nnot closed\n",
            "Windows\r\n\r\n```text\r\nx\r\n```\r\n",
        ] {
            assert_eq!(convert_page(page).as_deref(), Ok(page));
        }
    }

    #[test]
    fn blocks_become_mathml_where_they_are() {
        let page = "a\n\n```math\nx \\tag{1}\n```\nb\n\n* c\n\n  ~~~ math\n  y \\tag{2}\n  ~~~\n";
        let html = convert_page(page).unwrap();
        let lines: Vec<&str> = html.lines().collect();
        assert_eq!(lines.len(), 8, "{html}");
        assert_eq!([lines[0], lines[1], lines[3], lines[5]], ["a", "", "b", "* c"]);
        assert!(lines[2].starts_with("<div ") && lines[2].contains("<mi>x</mi>"), "{html}");
        assert!(lines[7].starts_with("  <div ") && lines[7].contains("<mi>y</mi>"), "{html}");
        assert!(!html.contains("```") && !html.contains("~~~"));
    }

    #[test]
    fn inline_code_at_the_start_of_a_line_opens_no_block() {
        let html = convert_page("```a``` begins a sentence.\n\n```math\nx\n```\n").unwrap();
        assert!(html.starts_with("```a``` begins a sentence.\n\n<div "), "{html}");
    }

    #[test]
    fn formulas_between_blocks_are_set() {
        let html = convert_page("$`a`$\n```math\nx\n```\n$`b`$\n```text\n$`c`$\n```\n$`d`$").unwrap();
        assert_eq!(html.matches("<math display=\"inline\">").count(), 3, "{html}");
        assert!(html.contains("```text\n$`c`$\n```\n"), "{html}");
    }

    #[test]
    fn every_fault_is_told_with_its_line() {
        let page = "a\n\n```math\n\\nonsense\n```\n\n```math\nx\n```\n\n$`x^^2`$\n```math\n\\frac{1}{\n```\n\n```math\nx\n";
        let faults = convert_page(page).unwrap_err();
        assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [3, 11, 12, 16]);
        assert!(faults[0].message.contains("nonsense"), "{}", faults[0]);
        assert!(faults[3].message.contains("not closed"), "{}", faults[3]);
    }

    #[test]
    fn a_number_is_used_once() {
        let page = "```math\nx \\tag{1}\n```\n\n```math\ny \\tag{1}\n```\n";
        let faults = convert_page(page).unwrap_err();
        assert_eq!(faults, [Fault { line: 5, message: "(1) is already the number of line 1".to_owned() }]);
    }
}
