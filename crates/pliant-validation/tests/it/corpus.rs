//! `cargo xtask corpus` on a corpus made here, and on the one beside the repository, if there is one.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const HEAD: &str = "file\trepo\tcommit\tpath\tlicence\tformat\tbytes\tvertices\ttets\ttris(fan)\treader\tnotes\tbbox_min\tbbox_max\t\
                    coord_sum\tsigned_tet_volume_sum\ttri_area_sum\tindex_checksum\n";

fn corpus(folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pliant-validation"))
        .args(["corpus", "--dir"])
        .arg(folder)
        .output()
        .unwrap()
}

#[test]
fn rows_are_judged_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("tri/good.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("tri/other.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
    write("tri/bad.obj", "v 0 0 0\nf 1 2 3\n");
    write("broken/bad.obj", "v 0 0 0\nf 1 2 3\n");
    let row =
        |file: &str| format!("{file}\t\t\t\t\tobj\t40\t3\t0\t1\town\tclean\t0 0 0\t1 1 0\t2\t\t0.5\t14\n");
    let manifest = |files: &[&str]| {
        let rows: String = files.iter().map(|file| row(file)).collect();
        write("manifest.tsv", &format!("{HEAD}{rows}"));
        let output = corpus(folder.path());
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    let (good, text) = manifest(&["tri/good.obj", "broken/bad.obj"]);
    assert!(good, "{text}");
    for (file, expected) in [
        ("tri/other.obj", "FAILS tri/other.obj: sum of coordinates: 3, manifest 2"),
        ("tri/bad.obj", "FAILS tri/bad.obj:"),
        ("tri/missing.obj", "FAILS tri/missing.obj: cannot read"),
    ] {
        let (good, text) = manifest(&["tri/good.obj", file]);
        assert!(!good && text.contains(expected), "{text}");
        assert_eq!(text.matches("FAILS").count(), 1, "{text}");
    }
}

#[test]
fn the_corpus_beside_the_repository_passes() {
    let Some(manifest) = pliant_testkit::shared("meshes/manifest.tsv") else { return };
    let meshes = manifest.parent().unwrap();
    let output = corpus(meshes);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
