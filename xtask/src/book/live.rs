//! Pages that move within the book: players of runs, and the demo.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Stdio;

use crate::{Outcome, demo, workspace};

/// The folder of the book for them.
const FOLDER: &str = "live";
const BEGIN: &str = "<!-- live: ";
const END: &str = " -->";
/// The folder of a run while its page is made.
const RUN: &str = "run";
/// Players: their page, and the commands of the program that lead to the run.
const PLAYERS: [(&str, &[&[&str]]); 5] = [
    ("default.html", &[&["run", "-q", "-o", RUN]]),
    ("elbow.html", &[&["new", "elbow"], &["deform", "elbow.toml", "-o", RUN]]),
    ("candy-wrapper.html", &[&["new", "candy-wrapper"], &["deform", "candy-wrapper.toml", "-o", RUN]]),
    ("blob.html", &[&["new", "blob"], &["deform", "blob.toml", "-o", RUN]]),
    ("pile.html", &[&["new", "pile"], &["run", "-q", "pile.toml", "-o", RUN]]),
];
/// A page has every third frame: it draws those between by itself.
const EVERY: &str = "3";
const DEMO: &str = "demo.html";

/// Makes the pages, as far as this machine can.
pub(super) fn make(book: &Path) -> Outcome {
    let folder = book.join(FOLDER);
    fs::create_dir_all(&folder)?;
    for (name, commands) in PLAYERS {
        let place = folder.join(name).with_extension("files");
        fs::create_dir_all(&place)?;
        let page = ["render", RUN, "-q", "-o", "page.html", "--every", EVERY];
        for command in commands.iter().copied().chain([&page[..]]) {
            pliant(&place, command)?;
        }
        fs::rename(place.join("page.html"), folder.join(name))?;
        fs::remove_dir_all(&place)?;
    }
    demo::write(&folder.join(DEMO))?;
    Ok(())
}

/// Runs the program in a folder.
fn pliant(folder: &Path, arguments: &[&str]) -> Outcome {
    let mut cargo = workspace::cargo();
    cargo.args(["run", "--quiet", "--release", "--package", "pliant-cli", "--manifest-path"]);
    cargo.arg(workspace::root().join("Cargo.toml")).arg("--").args(arguments);
    let status = cargo.current_dir(folder).stdout(Stdio::null()).status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("pliant {} failed: {status}", arguments.join(" ")).into())
    }
}

/// Puts the pages that are there into those of the book.
pub(super) fn embed(book: &Path) -> Outcome {
    let mut folders = vec![(book.to_owned(), String::new())];
    let mut count = 0;
    while let Some((folder, up)) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push((path, format!("{up}../")));
            } else if path.extension().is_some_and(|extension| extension == "html")
                // The whole book on one page is for printing.
                && path.file_name().is_none_or(|name| name != "print.html")
            {
                let page = fs::read_to_string(&path)?;
                let (moving, frames) = framed(&page, &up, &|name| book.join(FOLDER).join(name).is_file());
                if frames > 0 {
                    fs::write(&path, moving)?;
                    count += frames;
                }
            }
        }
    }
    println!("book: {count} pictures that move");
    Ok(())
}

/// The page with frames for pictures, and how many there are. `up` leads to the root of the book; `has` says which
/// pages there are.
fn framed(page: &str, up: &str, has: &dyn Fn(&str) -> bool) -> (String, usize) {
    let (mut moving, mut rest, mut count) = (String::with_capacity(page.len()), page, 0);
    while let Some((before, after)) = rest.split_once(BEGIN) {
        moving += before;
        rest = after;
        let Some((target, behind)) = after.split_once(END) else {
            moving += BEGIN;
            break;
        };
        let file = target.split('#').next().unwrap_or(target);
        let Some((around, picture)) = picture(behind).filter(|_| has(file)) else {
            moving += BEGIN;
            continue;
        };
        moving += &behind[..around.start];
        moving += &frame(&behind[picture], &format!("{up}{FOLDER}/{target}"));
        rest = &behind[around.end..];
        count += 1;
    }
    (moving + rest, count)
}

/// The first picture of a text, and what is around it: mdBook has one in a label that makes it large.
fn picture(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    let start = text.find("<img ")?;
    let picture = start..start + text[start..].find('>')? + 1;
    let around = text[..start].rfind("<label").and_then(|label| {
        let end = start + text[start..].find("</label>")?;
        Some(label..end + "</label>".len())
    });
    Some((around.unwrap_or_else(|| picture.clone()), picture))
}

/// The frame in place of a picture: it has the picture, which leads to the page, so that nothing is loaded before it
/// is asked for.
fn frame(picture: &str, address: &str) -> String {
    let title = picture.split_once("alt=\"").and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default();
    let style = "html,body{margin:0;height:100%;overflow:hidden;font:15px system-ui,sans-serif}\
                 a{display:block;height:100%;position:relative}\
                 img{display:block;width:100%;height:100%;object-fit:contain}\
                 span{position:absolute;left:50%;bottom:14px;transform:translateX(-50%);white-space:nowrap;padding:7px 16px;\
                 border-radius:20px;background:#1f6fb2;color:#fff}\
                 a:focus-visible span,a:hover span{background:#17558a}";
    let inner = format!("<style>{style}</style><a href=\"{address}\">{picture}<span>▶ live</span></a>");
    let inner = inner.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<iframe class=\"live\" title=\"{title}\" allow=\"fullscreen\" srcdoc=\"{inner}\"></iframe>\
         <br><small><a href=\"{address}\">on a page of its own</a></small>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<p>a</p>\n<!-- live: default.html -->\n<p><img src=\"pictures/a.gif\" alt=\"It falls\"></p>\n\
                        <!-- live: demo.html#flag --><p><img src=\"../b.png\" alt=\"b\"></p>";

    #[test]
    fn pictures_are_framed_where_there_is_a_page() {
        let (moving, count) = framed(PAGE, "../", &|name| name == "default.html");
        assert_eq!(count, 1);
        assert!(moving.starts_with("<p>a</p>\n"), "{moving}");
        assert!(moving.contains("<iframe class=\"live\" title=\"It falls\""), "{moving}");
        assert!(
            moving.contains("<a href=&quot;../live/default.html&quot;><img src=&quot;pictures/a.gif&quot;"),
            "{moving}"
        );
        assert!(moving.ends_with(PAGE.split_at(PAGE.rfind(BEGIN).unwrap()).1), "{moving}");
        let (both, count) = framed(PAGE, "", &|_| true);
        assert_eq!(count, 2);
        assert!(both.contains("href=\"live/demo.html#flag\""), "{both}");
    }

    #[test]
    fn what_makes_a_picture_large_goes_with_it() {
        let page = "<td><!-- live: a.html --><label><input type=\"checkbox\"><img src=\"a.png\" alt=\"a\">\
                    <span><img src=\"a.png\" alt=\"a\"></span></label></td>";
        let (moving, count) = framed(page, "", &|_| true);
        assert_eq!(count, 1);
        assert!(moving.starts_with("<td><iframe") && moving.ends_with("</small></td>"), "{moving}");
        assert!(!moving.contains("checkbox"), "{moving}");
    }

    #[test]
    fn pages_without_marks_stay() {
        let page = "<p><img src=\"a.png\" alt=\"a\"></p>";
        assert_eq!(framed(page, "", &|_| true), (page.to_owned(), 0));
        assert_eq!(framed("x <!-- live: ", "", &|_| true), ("x <!-- live: ".to_owned(), 0));
    }

    #[test]
    fn every_mark_of_the_sources_names_a_page_that_is_made() {
        let mut folders = vec![workspace::root().join("docs/src")];
        let mut marks = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "md") {
                    for part in fs::read_to_string(&path).unwrap().split(BEGIN).skip(1) {
                        let target = part.split_once(END).unwrap().0;
                        let file = target.split('#').next().unwrap();
                        let is_made = file == DEMO || PLAYERS.iter().any(|(name, ..)| *name == file);
                        assert!(is_made, "{}: {target}", path.display());
                        marks += 1;
                    }
                }
            }
        }
        assert!(marks >= 3, "{marks}");
    }
}
