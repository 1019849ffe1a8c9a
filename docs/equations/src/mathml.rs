//! MathML from LaTeX, checked: a formula that a browser would draw wrong is an error.

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

/// Elements with a fixed number of parts. A browser draws one with more or fewer parts as if it were a row, which makes
/// sin² into sin2.
const PARTS: [(&str, usize); 8] = [
    ("mfrac", 2),
    ("mover", 2),
    ("mroot", 2),
    ("msub", 2),
    ("msubsup", 3),
    ("msup", 2),
    ("munder", 2),
    ("munderover", 3),
];

/// Where a formula stands.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Style {
    /// By itself.
    Display,
    /// Within a sentence: low, with limits beside their sums.
    Text,
}

/// A formula as an element `math`, in one line.
///
/// # Errors
///
/// What is wrong with the formula, for the person who wrote it.
pub(crate) fn mathml(latex: &str, style: Style) -> Result<String, String> {
    let storage = Storage::new();
    // The renderer would set what does not parse as red text and go on, so errors are taken out before.
    let events = Parser::new(latex, &storage).collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
    let display_mode = match style {
        Style::Display => DisplayMode::Block,
        Style::Text => DisplayMode::Inline,
    };
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    let mut text = String::new();
    let events = events.into_iter().map(Ok::<_, std::convert::Infallible>);
    push_mathml(&mut text, events, config).map_err(|e| e.to_string())?;
    let text = mend(&text);
    check(&text)?;
    Ok(text)
}

/// What pulldown-latex 0.8 leaves to do.
fn mend(mathml: &str) -> String {
    let mut text = mathml
        .replace('\n', " ")
        // `\mu` comes as the micro sign, which is not a letter that browsers slant.
        .replace('\u{b5}', "\u{3bc}")
        .replace("<mo><</mo>", "<mo>&lt;</mo>")
        .replace("<mo>></mo>", "<mo>&gt;</mo>")
        // TeX sets a slash as a letter, MathML as an operator with space around it.
        .replace("<mo>/</mo>", "<mo lspace=\"0\" rspace=\"0\">/</mo>")
        // A colon is a relation in TeX, punctuation in MathML.
        .replace("<mo>:</mo>", "<mo lspace=\"0.2222em\" rspace=\"0.2222em\">:</mo>")
        // A bar that opens or closes is an operator with space around it to MathML.
        .replace("stretchy=\"false\">|<", "stretchy=\"false\" lspace=\"0\" rspace=\"0\">|<")
        // Sized delimiters lack the space between two attributes.
        .replace("\"minsize=", "\" minsize=");
    // The space before a function with scripts is put inside of the scripts.
    const SPACE: &str = "<mspace width=\"0.1667em\" />";
    for (element, _) in PARTS {
        text = text.replace(&format!("<{element}>{SPACE}"), &format!("{SPACE}<{element}>"));
    }
    text
}

/// Whether elements are closed in their order and have their parts.
fn check(mathml: &str) -> Result<(), String> {
    let mut open: Vec<(&str, usize)> = Vec::new();
    for piece in mathml.split('<').skip(1) {
        let tag = piece.split('>').next().unwrap_or_default();
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        let closes = tag.starts_with('/');
        if !closes {
            if let Some((_, parts)) = open.last_mut() {
                *parts += 1;
            }
            if !tag.ends_with('/') {
                open.push((name, 0));
            }
            continue;
        }
        let parts = open.pop().filter(|(opened, _)| *opened == name).map(|(_, parts)| parts);
        let expected = PARTS.iter().find(|(element, _)| *element == name).map(|(_, parts)| *parts);
        match (parts, expected) {
            (None, _) => return Err(format!("its MathML is not closed in order at {name}: simplify it")),
            (Some(parts), Some(expected)) if parts != expected => {
                return Err(format!(
                    "its MathML has {parts} parts in {name}, not {expected}: put braces around them"
                ));
            }
            _ => {}
        }
    }
    if open.is_empty() { Ok(()) } else { Err("its MathML is not closed: simplify it".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mathml(latex: &str) -> Result<String, String> {
        super::mathml(latex, Style::Display)
    }

    #[test]
    fn formulas_become_mathml() {
        let text = mathml("x^2").unwrap();
        assert_eq!(text, "<math display=\"block\"><msup><mi>x</mi><mn>2</mn></msup></math>");
    }

    #[test]
    fn limits_stand_beside_a_sum_within_a_sentence() {
        let text = super::mathml(r"\sum_j x_j", Style::Text).unwrap();
        assert!(text.starts_with("<math display=\"inline\"><msub>") && !text.contains("munder"), "{text}");
        assert!(mathml(r"\sum_j x_j").unwrap().contains("<munder>"));
    }

    #[test]
    fn wrong_formulas_are_refused() {
        for latex in ["\\frac{1}{", "\\nonsense", "a & b", "\\left( a", "\\begin{aligned} a", "x^^2"] {
            assert!(mathml(latex).is_err(), "{latex}");
        }
    }

    #[test]
    fn several_lines_stay_one() {
        let text = mathml("\\begin{aligned}\na &= b \\\\\nc &= \\text{two\nlines}\n\\end{aligned}").unwrap();
        assert!(!text.contains('\n'), "{text}");
        assert_eq!(text.matches("<mtr>").count(), 2, "{text}");
    }

    #[test]
    fn what_the_converter_leaves_is_mended() {
        let text = mathml(r"\mu < a / b > c : d \bigl( e \bigr)").unwrap();
        assert!(text.contains("<mi>\u{3bc}</mi>"), "{text}");
        assert!(text.contains("<mo>&lt;</mo>") && text.contains("<mo>&gt;</mo>"), "{text}");
        assert!(text.contains("<mo lspace=\"0\" rspace=\"0\">/</mo>"), "{text}");
        assert!(text.contains("<mo lspace=\"0.2222em\" rspace=\"0.2222em\">:</mo>"), "{text}");
        assert!(text.contains("\" minsize="), "{text}");
        let text = mathml(r"a \lvert b \rvert").unwrap();
        assert_eq!(text.matches("lspace=\"0\" rspace=\"0\">|</mo>").count(), 2, "{text}");
    }

    #[test]
    fn a_power_of_a_function_stays_one() {
        let text = mathml(r"a \sin^2 x + b \max_i y").unwrap();
        assert!(text.contains("<msup><mi>sin</mi><mn>2</mn></msup>"), "{text}");
        assert!(check(&text.replace("<msup>", "<msup><mspace />")).is_err());
    }

    #[test]
    fn elements_have_their_parts_and_are_closed() {
        assert_eq!(check("<math><mfrac><mi>a</mi><mrow><mi>b</mi></mrow></mfrac></math>"), Ok(()));
        for wrong in [
            "<math><mfrac><mi>a</mi></mfrac></math>",
            "<math><msup><mspace width=\"1em\" /><mi>a</mi><mn>2</mn></msup></math>",
            "<math><mi>a</math></mi>",
            "<math><mi>a</mi>",
            "</math>",
        ] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn nothing_is_fetched() {
        let text = mathml(
            r"\sqrt{\frac{a}{b}} \begin{bmatrix} \bar h & \hat e \\ \tilde\alpha & x_i' \end{bmatrix}",
        )
        .unwrap();
        for word in ["http", "src=", "href=", "url(", "<script", "<link", "@import"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
    }
}
