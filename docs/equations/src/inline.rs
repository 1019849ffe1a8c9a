//! Formulas within a sentence: LaTeX between `` $` `` and `` `$ ``, which is inline code with a dollar on either side.

use crate::mathml::{Style, mathml};
use crate::page::Fault;

/// Text that is no fenced block, with its formulas as MathML.
///
/// Inline code begins and ends in one paragraph, so paragraphs are looked at one by one. `line` is the number
/// of the first line of the text.
pub(crate) fn convert_text(text: &str, line: usize, faults: &mut Vec<Fault>) -> String {
    let mut html = String::with_capacity(text.len());
    let (mut begin, mut end, mut first) = (0, 0, line);
    for (row, number) in text.split_inclusive('\n').zip(line..) {
        if begins_paragraph(row) {
            convert_paragraph(&text[begin..end], first, &mut html, faults);
            (begin, first) = (end, number);
        }
        end += row.len();
    }
    convert_paragraph(&text[begin..], first, &mut html, faults);
    html
}

/// Whether a line does not go on with the paragraph before: a blank one, and those that begin a heading, an
/// item of a list, a quotation or a row of a table.
fn begins_paragraph(line: &str) -> bool {
    let text = line.trim();
    let numbers = |mark: &str| mark.len() > 1 && mark.bytes().rev().skip(1).all(|c| c.is_ascii_digit());
    let item = text.split_once(' ').is_some_and(|(mark, _)| {
        matches!(mark, "*" | "-" | "+") || (mark.ends_with(['.', ')']) && numbers(mark))
    });
    text.is_empty() || item || text.starts_with(['#', '>', '|'])
}

fn convert_paragraph(text: &str, line: usize, html: &mut String, faults: &mut Vec<Fault>) {
    // Text is read up to `at` and copied up to `written`. A dollar before `taken` is escaped or ends another formula.
    let (mut at, mut written, mut taken) = (0, 0, 0);
    while let Some(found) = text[at..].find(['\\', '`']) {
        at += found;
        if text[at..].starts_with('\\') {
            at += 1 + usize::from(text[at + 1..].starts_with(|c: char| c.is_ascii_punctuation()));
            taken = at;
            continue;
        }
        let inside = at + run_of_backticks(&text[at..]);
        let mark = &text[at..inside];
        let opens = mark.len() == 1 && at > taken && text[..at].ends_with('$');
        let begin = at - usize::from(opens);
        let mut fault = |message: String| {
            faults.push(Fault { line: line + text[..begin].matches('\n').count(), message });
        };
        let Some(end) = closing(text, inside, mark.len()) else {
            if opens {
                fault("the formula is not closed: end it with `$ in the same paragraph".to_owned());
            }
            at = inside;
            continue;
        };
        let after = end + mark.len();
        let closes = mark.len() == 1 && text[after..].starts_with('$');
        at = after;
        match (opens, closes) {
            (false, false) => continue,
            (true, false) => {
                fault("code after a dollar: end a formula with `$, or write the dollar as \\$".to_owned());
            }
            (false, true) => {
                fault("code before a dollar: begin a formula with $`, or write the dollar as \\$".to_owned());
            }
            (true, true) => {
                at = after + 1;
                match formula(&text[inside..end], text) {
                    Ok(mathml) => {
                        html.push_str(&text[written..begin]);
                        let follows = punctuation(&text[at..]);
                        at += follows.len();
                        push_unbroken(html, &mathml, follows);
                        written = at;
                    }
                    Err(message) => fault(message),
                }
            }
        }
        taken = at;
    }
    html.push_str(&text[written..]);
}

fn run_of_backticks(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}

/// Where, from `from` on, a run of exactly `count` backticks begins.
fn closing(text: &str, from: usize, count: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += text[at..].find('`')?;
        let run = run_of_backticks(&text[at..]);
        if run == count {
            return Some(at);
        }
        at += run;
    }
}

fn formula(latex: &str, paragraph: &str) -> Result<String, String> {
    if latex.trim().is_empty() {
        return Err("the formula is empty: write one, or remove it".to_owned());
    }
    if latex.contains(r"\tag") {
        return Err("a number within a sentence: make the formula a block".to_owned());
    }
    if paragraph.trim_start().starts_with('#') {
        return Err("a formula in a heading, which links lead to: write it in Unicode".to_owned());
    }
    if paragraph.trim_start().starts_with('|') && latex.contains('|') {
        return Err(r"a | ends the cell of a table: write \lvert, \rvert or \mid".to_owned());
    }
    Ok(literal(&mathml(latex, Style::Text)?))
}

/// The same with the text between tags as Markdown leaves it alone.
fn literal(mathml: &str) -> String {
    let mut text = String::with_capacity(mathml.len());
    let mut tag = false;
    for c in mathml.chars() {
        match c {
            '<' => tag = true,
            '>' => tag = false,
            _ => {}
        }
        if !tag && r#"\`*_[]|~"'"#.contains(c) {
            text.push_str(&format!("&#{};", u32::from(c)));
        } else {
            text.push(c);
        }
    }
    text
}

/// The punctuation with which a text begins.
fn punctuation(text: &str) -> &str {
    let rest = text.trim_start_matches(['.', ',', ';', ':', '?', ')', '’']);
    &text[..text.len() - rest.len()]
}

/// A formula with what stands close to it. Browsers would break the line between a formula and a comma.
fn push_unbroken(html: &mut String, mathml: &str, follows: &str) {
    let before = html.trim_end_matches('(').len();
    let opening = html.split_off(before);
    html.extend(["<span class=\"formula\">", &opening, mathml, follows, "</span>"]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(text: &str) -> Result<String, Vec<Fault>> {
        let mut faults = Vec::new();
        let html = convert_text(text, 1, &mut faults);
        if faults.is_empty() { Ok(html) } else { Err(faults) }
    }

    fn line_and_message(text: &str) -> (usize, String) {
        let [Fault { line, message }] = &convert(text).unwrap_err()[..] else {
            panic!("not one fault in {text:?}")
        };
        (*line, message.clone())
    }

    const X: &str = "<math display=\"inline\"><mi>x</mi></math>";

    #[test]
    fn a_formula_is_set_where_it_stands() {
        let html = convert("A $`x`$ and\nanother ($`x`$), *$`x`$*.\n").unwrap();
        let span = |before, after| format!("<span class=\"formula\">{before}{X}{after}</span>");
        let expected = format!("A {} and\nanother {}, *{}*.\n", span("", ""), span("(", "),"), span("", ""));
        assert_eq!(html, expected.replace("</span>,", "</span>"));
    }

    #[test]
    fn formulas_next_to_each_other_are_two() {
        assert_eq!(convert("$`x`$$`x`$").unwrap().matches(X).count(), 2);
        assert_eq!(convert("$`x`$ `code` $`x`$").unwrap().matches(X).count(), 2);
        assert_eq!(convert("`a ``` b` $`x`$").unwrap().matches(X).count(), 1);
    }

    #[test]
    fn code_and_escapes_are_untouched() {
        for text in [
            "costs $5 and `code`, then $6",
            "`$x$` and ``$`x^^2`$`` and `` a ` $`x^^2`$ ``",
            "```$`x^^2`$``` on a line",
            r"\$`code` and `code`\$ and \$`code`\$",
            r"a backtick: \`$, and $\`",
            "one ` alone, and $6",
            "`a\\` $ `b`",
            "\\",
            "é\\é `code`",
        ] {
            assert_eq!(convert(text).as_deref(), Ok(text));
        }
    }

    #[test]
    fn a_formula_may_go_on_in_the_next_line() {
        let html = convert("a $`x +\ny`$ b").unwrap();
        assert!(html.contains("<mi>x</mi><mo>+</mo><mi>y</mi>") && !html.contains('\n'), "{html}");
        assert!(convert("* a $`x +\n  y`$ b").is_ok());
    }

    #[test]
    fn a_formula_ends_in_its_paragraph() {
        for between in
            ["\n\n", "\n  \n", "\r\n\r\n", "\n* ", "\n1. ", "\n12) ", "\n> ", "\n# ", "\n| ", "\n  - "]
        {
            let (line, message) = line_and_message(&format!("text\na $`x +{between}y`, b"));
            assert_eq!(line, 2, "{between:?}");
            assert!(message.contains("not closed"), "{message}");
        }
        assert!(convert("a $`x\n-y`$, $`x\n1.5 y`$").is_ok());
        // A backtick alone in one item does not turn what follows into code.
        assert!(convert("* one ` alone\n* $`x`$\n").unwrap().contains(X));
    }

    #[test]
    fn a_dollar_on_one_side_only_is_refused() {
        assert!(line_and_message("\n\n$`x` b").1.contains("end a formula"));
        assert!(line_and_message("`x`$ b").1.contains("begin a formula"));
        assert_eq!(line_and_message("a\n\nb\n`x`$ b").0, 4);
    }

    #[test]
    fn wrong_formulas_are_told_with_their_line() {
        assert_eq!(line_and_message("a\nb $`x`$ c\n\nd\ne $`\\nonsense`$\n").0, 5);
        assert!(line_and_message("a $` `$").1.contains("empty"));
        assert!(line_and_message("a $`x \\tag{1}`$").1.contains("block"));
        assert!(line_and_message("## a $`x`$").1.contains("heading"));
    }

    #[test]
    fn bars_do_not_end_cells() {
        assert!(line_and_message("| $`|x|`$ | b |").1.contains("lvert"));
        let html = convert("| $`\\lvert x \\rvert`$ | b |").unwrap();
        assert_eq!(html.matches('|').count(), 3, "{html}");
        assert_eq!(html.matches("&#124;").count(), 2, "{html}");
        assert!(convert("| a |\n\n$`|x|`$").is_ok());
    }

    #[test]
    fn signs_of_markdown_stay_signs() {
        let html = convert(r"$`[a] * b \_ c \text{'}`$").unwrap();
        let text: String =
            html.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text)).collect();
        assert!(!text.contains(['*', '_', '[', ']', '\'']), "{text}");
        assert!(text.contains("&#91;") && text.contains("&#93;"), "{text}");
    }
}
