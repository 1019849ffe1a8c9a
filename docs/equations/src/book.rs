//! What mdBook sends to a preprocessor: JSON of `[context, book]`. It wants the book back.
//!
//! The JSON is changed in place and not read into types, so that whatever a version of mdBook adds to it stays. A book
//! is a list of chapters with chapters in them, called `sections` up to mdBook 0.4 and `items` from 0.5 on.

use std::fmt;

use serde_json::Value;

use crate::page::{Fault, convert_page};

/// Why a book has no equations.
#[derive(Debug)]
pub enum BookError {
    /// The input is not JSON.
    Json(serde_json::Error),
    /// The input is JSON, but not of a book.
    Shape(&'static str),
    /// Equations are wrong: the page, seen from the root of the book, and what is wrong on it.
    Pages(Vec<(String, Fault)>),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "the input is not what mdBook sends to a preprocessor: {error}"),
            Self::Shape(what) => {
                write!(f, "the input is not what mdBook sends to a preprocessor: {what} is missing")
            }
            Self::Pages(faults) => {
                for (index, (page, fault)) in faults.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "\n" };
                    write!(f, "{separator}{page}:{}: {}", fault.line, fault.message)?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for BookError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            Self::Shape(_) | Self::Pages(_) => None,
        }
    }
}

/// The book with every block of mathematics as HTML, from `input`, the JSON that mdBook sends.
///
/// # Errors
///
/// The input is not such JSON, or equations of the book are wrong: all of them, with their pages and lines.
pub fn convert_book(input: &str) -> Result<String, BookError> {
    let mut input: Value = serde_json::from_str(input).map_err(BookError::Json)?;
    let folder = input.pointer("/0/config/book/src").and_then(Value::as_str).unwrap_or("src").to_owned();
    let book = input.get_mut(1).ok_or(BookError::Shape("the book"))?;
    let key = if book.get("items").is_some() { "items" } else { "sections" };
    let items =
        book.get_mut(key).and_then(Value::as_array_mut).ok_or(BookError::Shape("its list of chapters"))?;

    let mut faults = Vec::new();
    convert_items(items, &folder, &mut faults);
    if faults.is_empty() { Ok(book.to_string()) } else { Err(BookError::Pages(faults)) }
}

/// Separators and titles of parts are items as well, and have no text.
fn convert_items(items: &mut [Value], folder: &str, faults: &mut Vec<(String, Fault)>) {
    for chapter in items.iter_mut().filter_map(|item| item.get_mut("Chapter")) {
        let page = page_name(chapter, folder);
        if let Some(Value::String(content)) = chapter.get_mut("content") {
            match convert_page(content) {
                Ok(html) => *content = html,
                Err(found) => faults.extend(found.into_iter().map(|fault| (page.clone(), fault))),
            }
        }
        if let Some(inner) = chapter.get_mut("sub_items").and_then(Value::as_array_mut) {
            convert_items(inner, folder, faults);
        }
    }
}

/// The file of a chapter, or its title where it has no file.
fn page_name(chapter: &Value, folder: &str) -> String {
    let text = |key| chapter.get(key).and_then(Value::as_str);
    match text("source_path").or_else(|| text("path")) {
        Some(path) => format!("{folder}/{path}"),
        None => text("name").unwrap_or("a chapter without a name").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn chapter(path: &str, content: &str, sub_items: &[Value]) -> Value {
        json!({ "Chapter": {
            "name": "A", "content": content, "number": [1], "sub_items": sub_items, "path": path, "source_path": path,
            "parent_names": [], "of_a_later_version": true,
        } })
    }

    fn book(key: &str, content: &str) -> String {
        let inner = chapter("b/c.md", content, &[]);
        let items = json!([{ "PartTitle": "Theory" }, chapter("a.md", "plain", &[inner]), "Separator"]);
        json!([{ "root": "/", "config": { "book": { "src": "pages" } } }, { (key): items, "__non_exhaustive": null }])
            .to_string()
    }

    #[test]
    fn chapters_of_both_shapes_are_converted_and_the_rest_is_kept() {
        for key in ["items", "sections"] {
            let output = convert_book(&book(key, "```math\nx\n```\n")).unwrap();
            let output: Value = serde_json::from_str(&output).unwrap();
            let outer = &output[key][1]["Chapter"];
            assert_eq!(outer["content"], "plain");
            assert_eq!(outer["of_a_later_version"], true);
            let inner = &outer["sub_items"][0]["Chapter"];
            assert!(inner["content"].as_str().unwrap().contains("<math display=\"block\"><mi>x</mi></math>"));
            assert_eq!(output[key][0]["PartTitle"], "Theory");
            assert_eq!(output[key][2], "Separator");
            assert!(output.get("__non_exhaustive").is_some());
        }
    }

    #[test]
    fn a_wrong_formula_names_page_and_line() {
        let error = convert_book(&book("items", "text\n\n```math\n\\nonsense\n```\n")).unwrap_err();
        assert!(error.to_string().starts_with("pages/b/c.md:3: "), "{error}");
    }

    #[test]
    fn a_draft_has_no_text_and_other_input_is_refused() {
        let draft = json!([{}, { "items": [{ "Chapter": { "name": "A", "content": "", "path": null } }] }]);
        assert!(convert_book(&draft.to_string()).is_ok());
        assert!(matches!(convert_book("{"), Err(BookError::Json(_))));
        assert!(matches!(convert_book("[{}]"), Err(BookError::Shape(_))));
        assert!(matches!(convert_book("[{}, {}]"), Err(BookError::Shape(_))));
    }
}
