//! Remarks of `pliant check` and `pliant run` before the run.

use crate::common::Bench;

/// A stiff ball above a floor.
const STIFF: &str = r#"
name = "stiff"
frames = 2

[[body]]
name = "ball"
mesh = { ball = { radius = 0.2, shells = 3 } }
rest_on = 0.1
material = { young = 1e8, poisson = 0.4 }

[[obstacle]]
floor = {}

[output]
formats = ["pc2"]
"#;

#[test]
fn a_check_says_what_it_foresees_and_ends_well() {
    let bench = Bench::new();
    bench.write("stiff.toml", STIFF);
    let said = bench.good(&["check", "stiff.toml"]).out;
    assert!(said.contains("can be run, with 1 remark:"), "{said}");
    assert!(said.contains("remark (substeps): ball is too stiff for 10 substeps"), "{said}");
    assert!(bench.good(&["check", "stiff.toml", "--quiet"]).out.is_empty());
    assert!(!bench.exists("runs"));
}

#[test]
fn what_is_advised_is_enough() {
    let bench = Bench::new();
    bench.write("stiff.toml", STIFF);
    let said = bench.good(&["check", "stiff.toml", "--json"]).out;
    let checked: serde_json::Value = serde_json::from_str(&said).unwrap();
    let [remark] = &checked["remarks"].as_array().unwrap()[..] else { panic!("{said}") };
    assert_eq!((&remark["kind"], &remark["bodies"][0]), (&"substeps".into(), &"ball".into()), "{said}");
    let advised = remark["numbers"].as_array().unwrap().iter().find(|n| n["name"] == "substeps").unwrap();
    let advised = advised["value"].as_f64().unwrap();
    assert!(remark["remedy"].as_str().unwrap().contains(&format!("Use {advised} substeps")), "{said}");
    bench.write("enough.toml", format!("{STIFF}\n[solver]\nsubsteps = {advised}\n"));
    assert!(bench.good(&["check", "enough.toml"]).out.contains("is a good scene"));
    let none: serde_json::Value =
        serde_json::from_str(&bench.good(&["check", "enough.toml", "--json", "--quiet"]).out).unwrap();
    assert_eq!(none["remarks"], serde_json::json!([]));
}

#[test]
fn a_run_says_it_once_and_not_when_it_is_quiet() {
    let bench = Bench::new();
    bench.write("stiff.toml", STIFF);
    let ran = bench.pliant(&["run", "stiff.toml", "-o", "out"]);
    assert_eq!(ran.err.matches("remark (").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("remark (substeps): ball is too stiff"), "{}", ran.err);
    let quiet = bench.pliant(&["run", "stiff.toml", "-o", "quiet", "--quiet"]);
    assert!(!quiet.err.contains("remark ("), "{}", quiet.err);
    // A number on the command line is used.
    let more = bench.pliant(&["run", "stiff.toml", "-o", "more", "--substeps", "9000", "--frames", "1"]);
    assert!(!more.err.contains("too stiff"), "{}", more.err);
}
