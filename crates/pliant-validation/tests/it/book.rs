//! Every scene and every stack in the book is valid, so that a reader can copy it.

use std::fs;
use std::path::{Path, PathBuf};

use pliant_scene::{Scene, StackFile};

#[test]
fn every_scene_of_the_book_can_be_built() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let mut findings = Vec::new();
    let mut blocks = 0;
    for page in pages(&folder) {
        let (number, found) = check(&fs::read_to_string(&page).unwrap(), page.parent().unwrap());
        blocks += number;
        let name = page.strip_prefix(&folder).unwrap().display();
        findings.extend(found.iter().map(|(line, what)| format!("docs/src/{name}:{line}: {what}")));
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    assert!(blocks > 20, "only {blocks} blocks were found");
}

/// The pages below a folder, in the order of their names.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let below = entries.into_iter().flat_map(|path| if path.is_dir() { pages(&path) } else { vec![path] });
    below.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// The number of blocks of TOML on a page in a folder, and the errors, by line from 1.
fn check(page: &str, folder: &Path) -> (usize, Vec<(usize, String)>) {
    let (mut blocks, mut findings) = (0, Vec::new());
    let named = tempfile::tempdir().unwrap();
    let mut block: Option<(usize, String)> = None;
    for (text, line) in page.lines().zip(1..) {
        match &mut block {
            None if text == "```toml" => block = Some((line, String::new())),
            None => {}
            Some((start, scene)) if text == "```" => {
                blocks += 1;
                let what = match file_of(scene) {
                    Some(name) => {
                        fs::write(named.path().join(name), &scene).unwrap();
                        if is_study(scene) {
                            study_objection(&named.path().join(name))
                        } else {
                            objection(scene, folder)
                        }
                    }
                    None => objection(scene, folder),
                };
                findings.extend(what.map(|what| (*start, what)));
                block = None;
            }
            Some((_, scene)) => {
                scene.push_str(text);
                scene.push('\n');
            }
        }
    }
    (blocks, findings)
}

/// The name of the file that a block is, if its first line gives one: `# pull.toml`.
fn file_of(block: &str) -> Option<&str> {
    let name = block.lines().next()?.strip_prefix("# ")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    name.strip_suffix(".toml").is_some_and(|stem| stem.chars().all(plain)).then_some(name)
}

fn is_study(block: &str) -> bool {
    block.lines().any(|line| line == "[vary]")
}

/// What is wrong with a study, whose scene is a block before it.
fn study_objection(file: &Path) -> Option<String> {
    pliant_sweep::Study::load(file).err().map(|error| format!("not a study that can be run: {error}"))
}

/// What is wrong with a block of TOML, unless it is one for cargo. The files that a scene names lie beside its page.
fn objection(block: &str, folder: &Path) -> Option<String> {
    if block.starts_with("[dependencies]") {
        return None;
    }
    if block.lines().any(|line| line.starts_with("[input")) {
        return stack_objection(block);
    }
    let built = Scene::parse_named("block", block, folder).and_then(|scene| scene.build::<f32>());
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

#[test]
fn scenes_are_built_and_manifests_are_not() {
    let good =
        "Text.\n```toml\n[[body]]\nmesh = { ball = { radius = 1.0, shells = 2 } }\nedges = \"rigid\"\n```\n";
    let cargo = "```toml\n[dependencies]\npliant = \"1\"\n```\n";
    let stack = "```toml\n[input.character]\nfile = \"fox.glb\"\n[[deformer]]\nrelax = {}\n```\n";
    for page in [good, cargo, stack] {
        assert_eq!(check(page, Path::new(".")), (1, Vec::new()));
    }
    let pins_nothing =
        good.replace("edges", "pin = [{ sphere = { centre = [9, 9, 9], radius = 1 } }]\nedges");
    for (page, line) in
        [(good.replace("radius", "radios"), 2), (pins_nothing, 2), (stack.replace("relax", "relacks"), 1)]
    {
        let (blocks, findings) = check(&page, Path::new("."));
        assert_eq!((blocks, findings.iter().map(|found| found.0).collect::<Vec<_>>()), (1, vec![line]));
    }
}
