//! The equations of the book, from LaTeX to MathML when the book is built.
//!
//! A browser sets MathML by itself: no script, no font and no request, so the book reads the same offline. Pages hold
//! the LaTeX in fenced blocks, which hosts of repositories set as well:
//!
//! ````text
//! ```math
//! C(x) + \tilde\alpha\,\lambda = 0 \tag{1}
//! ```
//! ````
//!
//! A block is one display with at most one number, written as `\tag{…}` at its end; several lines under one number are
//! an `aligned` environment. Numbers are those of the page: no two displays have the same, and
//! `#equation-1` leads to the one with the number 1.
//!
//! Within a sentence a formula is inline code with a dollar on either side, ``$`w_j \nabla_j C`$``. Plain
//! `$…$`, which prose writes by accident, is left alone. What does not parse stops the build, with the page
//! and the line.
//!
//! * [`convert_page`]: a page of Markdown
//! * [`convert_book`]: what mdBook sends to a preprocessor, and what it wants back
//!
//! ```
//! let page = "Newton, for a mass $`m_j`$:\n\n```math\nF = m_j\\,a \\tag{1}\n```\n";
//! let html = pliant_equations::convert_page(page).unwrap();
//! assert!(html.contains("<math display=\"inline\">"));
//! assert!(html.contains("<math display=\"block\">"));
//! assert!(html.contains("(1)"));
//! ```
#![forbid(unsafe_code)]

mod book;
mod display;
mod inline;
mod mathml;
mod page;

pub use book::{BookError, convert_book};
pub use page::{Fault, convert_page};

/// The code of the README is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
