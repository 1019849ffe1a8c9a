//! No module of a crate depends on itself through others, so that dependencies can be read first.
//!
//! An edge goes from a file to every module of its crate that a path in its code leads to; names that a
//! module only re-exports (`pub use`) count as those of the module that defines them. Declarations (`mod x;`)
//! are not edges, and tests do not count.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::layering::Member;
use super::rust_code::code_only;
use super::{Finding, Tree};

/// A path of names from the root of a crate.
type Path = Vec<String>;

/// The modules of a crate.
#[derive(Default)]
struct Modules {
    /// The file of every module, and its code without tests.
    files: BTreeMap<Path, (String, String)>,
    /// The re-exports of a module: the name, and where it comes from.
    handed_on: BTreeMap<Path, BTreeMap<String, Path>>,
}

pub(super) fn check(tree: &Tree, members: &[Member]) -> Vec<Finding> {
    members
        .iter()
        .filter(|member| member.published)
        .flat_map(|member| circles(tree, &format!("{}/src/", member.folder)))
        .collect()
}

/// The circles of the crate whose source is in a folder.
fn circles(tree: &Tree, source: &str) -> Vec<Finding> {
    let modules = Modules::read(tree, source);
    let names: Vec<&Path> = modules.files.keys().collect();
    let number = |path: &Path| names.binary_search(&path).unwrap_or(usize::MAX);
    let mut graph = DiGraphMap::<usize, ()>::new();
    for (path, (_, code)) in &modules.files {
        for to in modules.targets(path, code) {
            if to != *path && !to.is_empty() && !path.is_empty() {
                graph.add_edge(number(path), number(&to), ());
            }
        }
    }
    let mut findings = Vec::new();
    for mut circle in tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1) {
        circle.sort_unstable();
        let list: Vec<String> = circle.iter().map(|&i| names[i].join("::")).collect();
        let what = format!(
            "{} modules depend on each other in a circle: {}; move what both sides need below them",
            list.len(),
            list.join(", ")
        );
        findings.push(Finding::new(&modules.files[names[circle[0]]].0, 1, what));
    }
    findings
}

impl Modules {
    fn read(tree: &Tree, source: &str) -> Self {
        let mut modules = Self::default();
        for file in tree.with_extension("rs") {
            let Some(rest) = file.path.strip_prefix(source) else { continue };
            let mut path: Path = rest.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            if path.iter().any(|name| name == "tests" || name == "bin") {
                continue;
            }
            if matches!(path.last().map(String::as_str), Some("mod" | "lib" | "main")) {
                path.pop();
            }
            let code = without_tests(&file.text.as_deref().map(code_only).unwrap_or_default());
            modules.files.insert(path, (file.path.clone(), code));
        }
        let mut handed_on = BTreeMap::<Path, BTreeMap<String, Path>>::new();
        for (path, (_, code)) in &modules.files {
            for used in uses(code).into_iter().filter(|used| used.public) {
                if let Some(name) = used.path.last().cloned() {
                    let to = modules.absolute(path, &used.path);
                    handed_on.entry(path.clone()).or_default().insert(used.named.unwrap_or(name), to);
                }
            }
        }
        modules.handed_on = handed_on;
        modules
    }

    /// A path as it is written in a module, from the root of the crate; empty for one that leads out of it.
    fn absolute(&self, at: &Path, written: &[String]) -> Path {
        let mut base = at.clone();
        let mut names = written;
        match names.first().map(String::as_str) {
            Some("crate") => {
                base.clear();
                names = &names[1..];
            }
            Some("self") => names = &names[1..],
            Some("super") => {}
            Some(first) => {
                base.push(first.to_owned());
                if !self.files.contains_key(&base) {
                    return Path::new();
                }
                names = &names[1..];
            }
            None => return Path::new(),
        }
        while names.first().is_some_and(|name| name == "super") {
            base.pop();
            names = &names[1..];
        }
        base.extend_from_slice(names);
        base
    }

    /// The module that defines what a path from the root leads to.
    fn defining(&self, path: &Path) -> Path {
        let mut path = path.clone();
        // A chain of re-exports is never longer than the number of modules.
        for _ in 0..self.files.len() {
            let module = (0..=path.len()).rev().find(|&n| self.files.contains_key(&path[..n])).unwrap_or(0);
            let next = path.get(module).and_then(|name| self.handed_on.get(&path[..module])?.get(name));
            match next {
                Some(next) if !next.is_empty() => {
                    let rest = path[module + 1..].to_vec();
                    path = next.iter().cloned().chain(rest).collect();
                }
                _ => {
                    path.truncate(module);
                    return path;
                }
            }
        }
        path
    }

    /// The modules that the paths in a module's code lead to.
    fn targets(&self, at: &Path, code: &str) -> BTreeSet<Path> {
        let written = uses(code).into_iter().map(|used| used.path).chain(paths(code));
        written
            .map(|path| self.absolute(at, &path))
            .filter(|path| !path.is_empty())
            .map(|path| self.defining(&path))
            .collect()
    }
}

/// Code up to its tests, which stand at the end of a file.
fn without_tests(code: &str) -> String {
    let end = code.find("#[cfg(test)]\nmod tests").unwrap_or(code.len());
    code[..end].to_owned()
}

/// A `use`.
struct Use {
    path: Path,
    /// The name that it gets, where that is another.
    named: Option<String>,
    /// Whether it is re-exported.
    public: bool,
}

/// Names, `::`, and single characters.
fn tokens(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if word(first) {
            rest.find(|c: char| !word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        if !first.is_whitespace() {
            found.push(token);
        }
        rest = after;
    }
    found
}

/// All uses, their groups taken apart.
fn uses(code: &str) -> Vec<Use> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    for start in (0..tokens.len()).filter(|&i| tokens[i] == "use") {
        let public = start > 0 && (tokens[start - 1] == "pub" || tokens[start - 1] == ")");
        let mut at = start + 1;
        take_use(&tokens, &mut at, &mut Vec::new(), public, &mut found);
    }
    found
}

fn take_use(tokens: &[&str], at: &mut usize, before: &mut Path, public: bool, found: &mut Vec<Use>) {
    let depth = before.len();
    while let Some(&token) = tokens.get(*at) {
        *at += 1;
        match token {
            "::" | "*" => {}
            "{" => {
                while tokens.get(*at).is_some_and(|&t| t != "}" && t != ";") {
                    take_use(tokens, at, before, public, found);
                    if tokens.get(*at) == Some(&",") {
                        *at += 1;
                    }
                }
                *at += 1;
                before.truncate(depth);
                return;
            }
            "," | "}" | ";" => {
                *at -= 1;
                break;
            }
            "as" => {
                let named = tokens.get(*at).map(|&name| name.to_owned());
                *at += 1;
                found.push(Use { path: before.clone(), named, public });
                before.truncate(depth);
                return;
            }
            name => before.push(name.to_owned()),
        }
    }
    if before.len() > depth {
        if before.last().is_some_and(|name| name == "self") {
            before.pop();
        }
        found.push(Use { path: before.clone(), named: None, public });
    }
    before.truncate(depth);
}

/// Paths outside of uses: names joined by `::`.
fn paths(code: &str) -> Vec<Path> {
    let tokens = tokens(code);
    let is_name =
        |i: usize| tokens.get(i).is_some_and(|t| t.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    let mut found = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        if tokens[i] == "use" && tokens.get(i + 1) != Some(&"<") {
            // Their groups would end paths too early.
            i += tokens[i..].iter().position(|&token| token == ";").unwrap_or(tokens.len() - i);
            continue;
        }
        // The path in `pub(in …)` has access and is not a dependency.
        let begins = i == 0 || !["::", "in"].contains(&tokens[i - 1]);
        let starts = is_name(i) && tokens.get(i + 1) == Some(&"::") && begins;
        if !starts {
            i += 1;
            continue;
        }
        let mut path = vec![tokens[i].to_owned()];
        while tokens.get(i + 1) == Some(&"::") && is_name(i + 2) {
            i += 2;
            path.push(tokens[i].to_owned());
        }
        found.push(path);
        i += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        circles(&Tree::of(files), "crates/a/src/").into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn circles_are_found_by_any_kind_of_path() {
        let circle = found(&[
            ("crates/a/src/lib.rs", "mod one; mod two; mod three; mod four;"),
            ("crates/a/src/one.rs", "use crate::{four::D, two::{self, B}};"),
            ("crates/a/src/two.rs", "fn f() { crate::three::g(); }"),
            ("crates/a/src/three.rs", "pub(crate) use super::one::A as Other;"),
            ("crates/a/src/four.rs", "// use crate::one::A;\n#[cfg(test)]\nmod tests { use crate::one::A; }"),
        ]);
        assert_eq!(circle.len(), 1);
        assert!(
            circle[0].starts_with("3 modules depend on each other in a circle: one, three, two;"),
            "{circle:?}"
        );
    }

    #[test]
    fn a_module_that_hands_on_is_not_the_one_that_defines() {
        let files = [
            ("crates/a/src/lib.rs", "pub use one::A;"),
            ("crates/a/src/one.rs", "mod part; mod other; pub use part::{A, B}; fn f() { other::g(); }"),
            ("crates/a/src/one/part.rs", "pub struct A; pub struct B;"),
            ("crates/a/src/one/other.rs", "use super::{A, B}; use crate::A as Again;"),
        ];
        assert_eq!(found(&files), [""; 0]);
        let child = [
            ("crates/a/src/one.rs", "mod part; fn f() { part::g(); } pub struct B;"),
            ("crates/a/src/one/part.rs", "use super::B; pub fn g() {}"),
        ];
        assert_eq!(found(&child).len(), 1, "a parent that uses its child, which uses the parent");
    }
}
