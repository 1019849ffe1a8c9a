//! The gallery of the book: its commands are commands of the program, its scenes are scenes, its pictures are there.

use std::fs;
use std::path::Path;

use crate::common::Bench;

#[test]
fn what_the_gallery_names_is_there_and_is_valid() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let page = fs::read_to_string(book.join("gallery.md")).unwrap();
    let bench = Bench::new();
    let mut scenes = 0;
    for section in page.split("\n## ").skip(1) {
        let title = section.lines().next().unwrap();
        let scene = section.split("| scene | ").nth(1).and_then(|rest| rest.split('`').nth(1));
        let scene = scene.unwrap_or_else(|| panic!("{title}: no scene is named"));
        let file = book.join("../..").join(scene);
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{title}: {scene}: {error}"));
        let name = file.file_name().unwrap().to_str().unwrap();
        if scene.starts_with("docs/") {
            bench.write(name, &text);
        }
        let commands: Vec<Vec<&str>> = section
            .lines()
            .filter_map(|line| line.strip_prefix("pliant "))
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert!(commands.len() >= 2, "{title}");
        for command in &commands {
            // Help is given only after all that stands before it has been understood.
            bench.good(&[&command[..], &["--help"]].concat());
            match command[..] {
                ["new", ..] => {
                    bench.good(command);
                    // The first line says where the schema is.
                    let rest = |text: &str| text.split_once('\n').unwrap().1.to_owned();
                    assert!(rest(&bench.read(name)) == rest(&text), "{title}: {name} is another scene");
                }
                // Its mesh may not be here.
                ["run", ..] if section.contains("| needs | ") => {
                    pliant_scene::Scene::parse(&text, ".").unwrap();
                }
                ["run", scene, ..] => {
                    bench.good(&["check", scene]);
                }
                _ => {}
            }
        }
        let picture = section.split("](pictures/").nth(1).and_then(|rest| rest.split(')').next()).unwrap();
        assert!(book.join("pictures").join(picture).is_file(), "{title}: {picture}");
        scenes += 1;
    }
    assert!(scenes >= 5, "{scenes}");
}
