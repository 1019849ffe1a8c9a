//! What is wrong with a study is said with file, line, and what to do; and nothing is written.

use crate::common::Bench;

#[test]
fn mistakes_have_a_place() {
    let bench = Bench::new();
    let sample = "[sample]\nmethod = \"sobol\"\nsamples = 4\n";
    for (text, place, parts) in [
        // Line 1 names the scene.
        (
            "[vary]\n\"solver.substep\" = [1]\n",
            "3:1",
            &["solver.substep = 1", "unknown field `substep`", "did you mean `substeps`?"][..],
        ),
        ("[vary]\n\"solver.substeps\" = [4]\n\"body.1.edges\" = [\"rigid\"]\n", "4:1", &["1 entry", "\"1\""]),
        ("[vary]\n\"solver.substeps\" = [4, 0]\n", "3:1", &["solver.substeps = 0", "expected"]),
        (
            "[vary]\n\"solver.substeps\" = { linear = [1.0, 9.0], steps = 3 }\n",
            "3:1",
            &["solver.substeps = 1.0", "expected"],
        ),
        ("[vary]\n\"solver.substeps\" = 4\n", "3:21", &["write a list such as [4]"]),
        ("[vary]\n\"solver.damping\" = { linear = [1.0, 9.0] }\n", "3:1", &["needs `steps`", "[sample]"]),
        ("[vary]\nsolver.substeps = [4]\n", "3:1", &["one name in quotes"]),
        (
            "[set]\n\"body.x.edges\" = 1\n[vary]\n\"frames\" = [1]\n",
            "3:1",
            &["body.x.edges", "none of the number"],
        ),
        ("[vary]\n", "2:1", &["nothing varies"]),
        ("samples = 3\n[vary]\n\"frames\" = [1]\n", "2:1", &["unknown field `samples`"]),
        (&format!("[vary]\n\"frames\" = [1]\n{sample}"), "4:1", &["nothing is sampled"]),
        (
            &format!("[vary]\n\"solver.damping\" = {{ linear = [0, 1] }}\n{}", sample.replace("4", "0")),
            "4:1",
            &["0 samples", "change `samples`"],
        ),
        (
            &format!(
                "[vary]\n\"solver.damping\" = {{ linear = [0, 1] }}\n{}",
                sample.replace("sobol", "halton")
            ),
            "5:10",
            &["halton", "sobol"],
        ),
    ] {
        let told = bench.study(text).unwrap_err().to_string();
        let from = format!("{}:{place}: ", bench.path("study.toml").display());
        assert!(told.starts_with(&from), "{text}\n{told}");
        assert!(parts.iter().all(|part| told.contains(part)), "{text}\n{told}");
    }
    assert!(!bench.path("out").exists());
}

#[test]
fn a_thousand_million_units_are_too_many() {
    let bench = Bench::new();
    let told = |text: &str| bench.study(text).unwrap_err().to_string();
    let range = |key: &str| format!("\"{key}\" = {{ linear = [0.0, 1.0], steps = 1000 }}\n");
    let text = format!(
        "[vary]\n{}{}{}",
        range("solver.damping"),
        range("solver.drag"),
        range("body.0.edges.compliance")
    );
    let all = told(&text);
    assert!(all.contains("1000 × 1000 × 1000 combinations") && all.contains("study.toml:"), "{all}");
    assert!(all.contains("at most 1000000 units") && all.contains("[sample]"), "{all}");
    // Also where the product is too large for a number.
    let most = "\"solver.damping\" = { linear = [0.0, 1.0], steps = 4294967295 }\n\"solver.drag\" = { linear = [0.0, 1.0], steps = 4294967295 }\n\"body.0.edges.compliance\" = { linear = [0.0, 1.0], steps = 4294967295 }\n";
    assert!(told(&format!("[vary]\n{most}")).contains("combinations"));
    let sampled = "[vary]\n\"solver.damping\" = { linear = [0, 1] }\n\"frames\" = [1, 2]\n[sample]\nmethod = \"random\"\nsamples = 1000000000\n";
    assert!(told(sampled).contains("1000000000 samples for each of 2 combinations"));
}

#[test]
fn a_scene_that_is_not_there_or_wrong_is_named() {
    let bench = Bench::new();
    let file = bench.write("study.toml", "scene = \"shet.toml\"\n[vary]\n\"frames\" = [1]\n");
    let told = pliant_sweep::Study::load(&file).unwrap_err().to_string();
    assert!(told.contains("study.toml:1:9: ") && told.contains("shet.toml"), "{told}");
    bench.write("sheet.toml", "frames = 3\nbodie = 1\n");
    let told = bench.study("[vary]\n\"frames\" = [1]\n").unwrap_err().to_string();
    assert!(told.contains("sheet.toml:2:1: unknown field `bodie`"), "{told}");
}
