//! Every scene and every stack in the book is one: what a reader copies from it works.

use pliant_scene::{Scene, StackFile};

use super::{Finding, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in tree.with_extension("md").filter(|page| page.path.starts_with("docs/src/")) {
        let mut block: Option<(usize, String)> = None;
        for (line, text) in page.lines() {
            match &mut block {
                None if text == "```toml" => block = Some((line, String::new())),
                None => {}
                Some((start, scene)) if text == "```" => {
                    if let Some(what) = objection(scene) {
                        findings.push(Finding::new(&page.path, *start, what));
                    }
                    block = None;
                }
                Some((_, scene)) => {
                    scene.push_str(text);
                    scene.push('\n');
                }
            }
        }
    }
    findings
}

/// What is wrong with a block of TOML, unless it is one for cargo.
fn objection(block: &str) -> Option<String> {
    if block.starts_with("[dependencies]") {
        return None;
    }
    if block.lines().any(|line| line.starts_with("[input")) {
        return stack_objection(block);
    }
    let built = Scene::parse_named("block", block, ".").and_then(|scene| scene.build::<f32>());
    let error = built.err()?;
    Some(format!("not a scene that can be run: {}", error.to_string().replace('\n', " ")))
}

/// What is wrong with a block that is a stack of deformers. The files that it names are the reader's own.
fn stack_objection(block: &str) -> Option<String> {
    let built = StackFile::parse_named("block", block, ".").and_then(|stack| {
        let has_files = stack.model.input.chain.is_none();
        if has_files { Ok(()) } else { stack.build().map(drop) }
    });
    let error = built.err()?;
    Some(format!("not a stack that can be run: {}", error.to_string().replace('\n', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_parsed_and_manifests_are_not() {
        let good =
            "```toml\n[[body]]\nmesh = { ball = { radius = 1.0, shells = 2 } }\nedges = \"rigid\"\n```\n";
        let cargo = "```toml\n[dependencies]\npliant = \"1\"\n```\n";
        let misspelt = good.replace("radius", "radios");
        let pins_nothing =
            good.replace("edges", "pin = [{ sphere = { centre = [9, 9, 9], radius = 1 } }]\nedges");
        let stack = "```toml\n[input.character]\nfile = \"fox.glb\"\n[[deformer]]\nrelax = {}\n```\n";
        let bad_stack = stack.replace("relax", "relacks");
        let tree = Tree::of(&[
            ("docs/src/e.md", stack),
            ("docs/src/f.md", &bad_stack),
            ("docs/src/a.md", good),
            ("docs/src/b.md", cargo),
            ("docs/tool/README.md", "```toml\n[preprocessor.tool]\n```\n"),
            ("docs/src/c.md", &misspelt),
            ("docs/src/d.md", &pins_nothing),
        ]);
        let found: Vec<_> = check(&tree).into_iter().map(|f| (f.path, f.line)).collect();
        let bad = ["docs/src/c.md", "docs/src/d.md", "docs/src/f.md"];
        assert_eq!(found, bad.map(|path| (path.to_owned(), 1)));
    }
}
