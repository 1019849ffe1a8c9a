//! The parts that pages are made of: styles, scripts, and how they are put together.
//!
//! A page is one file that asks for nothing but what its own server has. Reports of runs and the page of
//! [`Server`](crate::Server) share [`STYLE`], [`DRESS`] and [`VIEW`].

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Colours, light and dark, and what all pages have.
pub const STYLE: &str = include_str!("../assets/page/style.css");
/// A script for the head of a page: it makes the page light or dark before it is drawn.
pub const NIGHT: &str = include_str!("../assets/page/night.js");
/// The first script of a page: errors for tests, and the button `theme`.
pub const DRESS: &str = include_str!("../assets/page/dress.js");
/// The picture: `createView(canvas, fail)`, `rings` around crossings, and `drawFlat(canvas, scene)` for browsers
/// without WebGL 2.
pub const VIEW: [&str; 5] = [
    include_str!("../assets/page/shaders.js"),
    include_str!("../assets/page/pace.js"),
    include_str!("../assets/page/view.js"),
    include_str!("../assets/page/marks.js"),
    include_str!("../assets/page/flat.js"),
];
/// The page of a simulation that runs, without its source.
const LIVE: &str = include_str!("../assets/page/live.html");
const LIVE_STYLE: &str = include_str!("../assets/page/live.css");
const LIVE_SCRIPTS: [&str; 3] = [
    include_str!("../assets/page/plots.js"),
    include_str!("../assets/page/panel.js"),
    include_str!("../assets/page/live.js"),
];
/// Asks the server for a picture where the scripts of the page do not run.
const ASKED: &str = include_str!("../assets/page/asked.js");
/// The source that asks a server.
const SERVED: &str = include_str!("../assets/page/served.js");

/// What a page shows until its scripts have drawn something, and for good in a browser that is too old for them: a
/// picture as PNG, if there is one, and a sentence that is seen once it is clear that nothing else comes.
#[must_use]
pub fn still(png: Option<&[u8]>, sentence: &str) -> String {
    let picture = png.map_or(String::new(), |png| {
        format!("<img alt=\"\" src=\"data:image/png;base64,{}\">", STANDARD.encode(png))
    });
    figure(&picture, sentence)
}

fn figure(picture: &str, sentence: &str) -> String {
    format!("<figure id=\"still\">{picture}<figcaption>{}</figcaption></figure>", escape(sentence))
}

/// The page of a simulation that runs; `source` is a script that defines `startSource`, `policy` says what the page
/// may load, and `still` is [what it shows before](still).
#[must_use]
pub fn live(title: &str, policy: &str, source: &str, still: &str) -> String {
    // The last script starts at once, so that all others come before it.
    let scripts = [&[DRESS][..], &VIEW, &[source, "\n"], &LIVE_SCRIPTS].concat().concat();
    fill(
        LIVE,
        &BTreeMap::from([
            ("title", escape(title)),
            ("policy", policy.to_owned()),
            ("still", still.to_owned()),
            ("style", [STYLE, LIVE_STYLE].concat()),
            ("night", NIGHT.to_owned()),
            ("script", format!("\"use strict\";\n{scripts}")),
        ]),
    )
}

/// The page that [`Server`](crate::Server) serves. A browser that does not run its scripts asks for `still.png`.
#[must_use]
pub fn served(title: &str) -> String {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: 'self'; connect-src 'self'";
    let picture = format!("<noscript><img alt=\"\" src=\"still.png\"></noscript><script>\n{ASKED}</script>");
    let sentence = "This browser does not run the scripts of the page, which take one of 2022 or later. Here is how it stands now. The \
         simulation itself runs in the program that serves the page.";
    live(title, policy, SERVED, &figure(&picture, sentence))
}

/// Replaces `{{name}}` by the parts; the parts themselves are not searched again.
///
/// # Panics
///
/// If the template asks for a part that is not there, or does not close its braces.
#[must_use]
pub fn fill(template: &str, parts: &BTreeMap<&str, String>) -> String {
    let mut page = String::with_capacity(template.len() + parts.values().map(String::len).sum::<usize>());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, behind) = after.split_once("}}").expect("the template closes its braces");
        page += before;
        page += parts.get(name).expect("the template asks for known parts");
        rest = behind;
    }
    page + rest
}

/// Text as HTML shows it.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_take_their_places_and_are_not_looked_at_again() {
        let parts = BTreeMap::from([("a", "{{b}}".to_owned()), ("b", "2".to_owned())]);
        assert_eq!(fill("x {{a}} y {{b}}", &parts), "x {{b}} y 2");
    }

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
        let page = served("</title><script>alert(1)</script>");
        assert!(!page.contains("<script>alert(1)"));
    }

    #[test]
    fn a_still_is_part_of_the_page() {
        let page = live("x", "", "", &still(Some(b"abc"), "Too <old>."));
        let figure =
            "<img alt=\"\" src=\"data:image/png;base64,YWJj\"><figcaption>Too &lt;old&gt;.</figcaption>";
        assert!(page.contains(figure), "{page}");
    }

    #[test]
    fn a_page_names_no_other_address() {
        let page = served("x").replace("http://www.w3.org/2000/svg", "").replace("src=\"still.png\"", "");
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("src="));
    }
}
