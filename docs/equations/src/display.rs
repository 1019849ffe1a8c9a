//! One display equation: its formula, and its number beside it.

use crate::mathml::{Style, mathml};

/// A display equation, ready to be set.
#[derive(Debug)]
pub(crate) struct Display {
    /// What `\tag{…}` says, without parentheses.
    pub(crate) number: Option<String>,
    mathml: String,
}

impl Display {
    /// Reads the LaTeX of one block.
    ///
    /// # Errors
    ///
    /// What is wrong with it, for the person who wrote it.
    pub(crate) fn new(latex: &str) -> Result<Self, String> {
        let (formula, number) = split_number(latex)?;
        if formula.trim().is_empty() {
            return Err("the block is empty: write a formula, or remove it".to_owned());
        }
        Ok(Self { number: number.map(str::to_owned), mathml: mathml(formula, Style::Display)? })
    }

    /// The display as one line of HTML: blank lines would end it as far as Markdown is concerned.
    ///
    /// The formula has a box of its own, which a narrow page can scroll while the number stays.
    pub(crate) fn html(&self) -> String {
        let Self { number, mathml } = self;
        let formula = format!("<div class=\"formula\">{mathml}</div>");
        match number {
            Some(number) => format!(
                "<div class=\"equation\" id=\"equation-{number}\">{formula}<span class=\"number\">({number})</span></div>"
            ),
            None => format!("<div class=\"equation\">{formula}</div>"),
        }
    }
}

/// The formula without its number, and the number.
fn split_number(latex: &str) -> Result<(&str, Option<&str>), String> {
    const TAG: &str = r"\tag";
    let Some((formula, tag)) = latex.split_once(TAG) else { return Ok((latex, None)) };
    if tag.contains(TAG) {
        return Err("two numbers: write a block for each, or one number at the end".to_owned());
    }
    let number = tag
        .trim()
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
        .filter(|number| !number.contains('}'))
        .ok_or(r"a number is \tag{…} at the end of the block, after all environments")?;
    if number.is_empty() || !number.chars().all(|c| c.is_alphanumeric() || c == '′') {
        return Err(format!("the number {number:?} is not of letters, digits and ′"));
    }
    Ok((formula, Some(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(latex: &str) -> String {
        Display::new(latex).unwrap().html()
    }

    #[test]
    fn a_formula_becomes_mathml_with_its_number_beside_it() {
        let html = html("x^2 \\tag{3}\n");
        assert!(html.contains("<math display=\"block\"><msup><mi>x</mi><mn>2</mn></msup></math>"), "{html}");
        assert!(html.starts_with("<div class=\"equation\" id=\"equation-3\">"), "{html}");
        assert!(html.ends_with("<span class=\"number\">(3)</span></div>"), "{html}");
    }

    #[test]
    fn a_formula_without_a_number_has_none() {
        let html = html("x^2");
        assert!(!html.contains("number") && !html.contains("id="), "{html}");
    }

    #[test]
    fn numbers_may_have_a_prime() {
        assert_eq!(Display::new("x \\tag{11′}").unwrap().number.as_deref(), Some("11′"));
    }

    #[test]
    fn wrong_numbers_are_refused() {
        for latex in ["x \\tag{1} y", "x \\tag 1", "x \\tag{}", "x \\tag{<}", "x \\tag{1} \\tag{2}"] {
            assert!(Display::new(latex).is_err(), "{latex}");
        }
        let inside = "\\begin{aligned} a &= b \\tag{1} \\end{aligned}";
        assert!(Display::new(inside).unwrap_err().contains("after all environments"));
    }

    #[test]
    fn a_block_needs_a_formula_that_parses() {
        for latex in ["", "\n", "\\tag{1}", "\\nonsense \\tag{1}"] {
            assert!(Display::new(latex).is_err(), "{latex}");
        }
    }
}
