//! Units depend on what a study says, and on nothing else.

use std::collections::BTreeSet;

use pliant_scene::Scene;
use pliant_sweep::{Shard, Study};
use proptest::prelude::*;

use crate::common::{Bench, SCENE};

const GROWN: &str = "[vary]\n\"solver.substeps\" = [4, 8]\n\"body.0.edges.compliance\" = { log = [1e-8, 1e-3] }\n\"solver.damping\" = { linear = [0.0, 2.0] }\n";

proptest! {
    #![proptest_config(pliant_testkit::config(24))]

    /// The order of keys, of tables and of values, spaces and comments do not matter.
    #[test]
    fn the_order_of_keys_does_not_matter(
        order in Just(["\"solver.substeps\" = [2, 5]", "\"solver.damping\" = [0.0, 0.5]", "\"body.0.edges.compliance\" = { log = [1e-8, 1e-4], steps = 3 }"]).prop_shuffle(),
        turned in any::<bool>(),
        comment in "[a-z ]{0,12}",
    ) {
        let bench = Bench::new();
        let plain = "[vary]\n\"body.0.edges.compliance\" = { log = [1e-8, 1e-4], steps = 3 }\n\"solver.damping\" = [0.0, 0.5]\n\"solver.substeps\" = [2, 5]\n";
        let expected = bench.names(plain);
        prop_assert_eq!(expected.len(), 12);
        let mut text = format!("# {comment}\n[vary]\n{}\n", order.join("\n\n"));
        if turned {
            text = text.replace("[2, 5]", "[5,  2]");
        }
        prop_assert_eq!(bench.names(&text), expected.clone());
        // The scene as another file with the same meaning.
        bench.write("sheet.toml", &SCENE.replace("[solver]\nsubsteps = 4\n", "").replace("frames = 3", "# more\nframes = 3\nsolver.substeps = 4"));
        prop_assert_eq!(bench.names(plain), expected);
    }

    /// A study with more values, or more samples, has all units that it had.
    #[test]
    fn growth_keeps_what_is_there(method in prop_oneof![Just("sobol"), Just("random")], samples in 1..9_u32, more in 1..9_u32, seed in any::<u32>()) {
        let bench = Bench::new();
        let sample = |samples: u32| format!("[sample]\nmethod = \"{method}\"\nsamples = {samples}\nseed = {seed}\n");
        let small = bench.names(&(GROWN.to_owned() + &sample(samples)));
        prop_assert_eq!(small.len() as u32, 2 * samples);
        let grown = bench.names(&(GROWN.replace("[4, 8]", "[8, 4, 6]") + &sample(samples + more)));
        prop_assert_eq!(grown.len() as u32, 3 * (samples + more));
        prop_assert!(small.is_subset(&grown));
        let others = bench.names(&(GROWN.to_owned() + &sample(samples).replace(&format!("seed = {seed}"), &format!("seed = {}", u64::from(seed) + 1))));
        prop_assert!(small.is_disjoint(&others));
    }

    /// Parts of a study are disjoint, and together they are the whole.
    #[test]
    fn shards_are_a_partition(of in 1..7_u32) {
        let bench = Bench::new();
        let study = bench.study("[vary]\n\"solver.substeps\" = [1, 2, 3, 4, 5]\n").unwrap();
        let (mut all, mut count) = (BTreeSet::new(), 0);
        for part in 1..=of {
            let shard: Shard = format!("{part}/{of}").parse().unwrap();
            let units = study.expand(&bench.path("parts"), shard).unwrap();
            count += units.len();
            all.extend(units.into_iter().map(|unit| unit.name));
        }
        prop_assert_eq!(count, 5);
        prop_assert_eq!(all, bench.names("[vary]\n\"solver.substeps\" = [1, 2, 3, 4, 5]\n"));
    }
}

#[test]
fn a_unit_is_the_scene_with_its_values() {
    let bench = Bench::new();
    let units = bench.units("require = [\"stretch.max<=0.5\"]\n[set]\n\"solver.damping\" = 0.25\n[vary]\n\"solver.substeps\" = [4, 9]\n");
    for unit in units {
        let scene = Scene::load(unit.folder(&bench.path("out")).join("scene.toml")).unwrap();
        assert_eq!(unit.parameters["solver.substeps"], scene.model.solver.substeps.unwrap().get());
        assert_eq!(scene.model.solver.damping.map(f64::from), Some(0.25));
        assert_eq!(scene.model.require, ["stretch.max<=0.5"]);
        assert_eq!(scene.name(), "sheet");
    }
}

/// The same unit of two studies is one folder, and equal units of one study are one unit.
#[test]
fn equal_units_are_one() {
    let bench = Bench::new();
    let one = bench.names("[vary]\n\"solver.substeps\" = [4, 8]\n");
    let other = bench.names("[set]\n\"solver.substeps\" = 8\n[vary]\n\"solver.damping\" = [0.5]\n");
    assert!(one.is_disjoint(&other));
    let same = bench.names("[set]\n\"frames\" = 3\n[vary]\n\"solver.substeps\" = { linear = [7.6, 8.4], whole = true, steps = 5 }\n");
    assert_eq!(same.len(), 1);
    assert!(same.is_subset(&one));
}

/// The files of a scene are part of it by what they contain, wherever they are, and are found from the unit.
#[test]
fn files_count_by_their_content() {
    const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let scene = SCENE
        .replace("{ grid = { vertices = [5, 5], size = [0.5, 0.5] } }", "\"meshes/one.obj\"")
        .replace("0, 4", "0");
    let names = |place: &str, content: &str| {
        let bench = Bench::new();
        bench.write(&format!("{place}/sheet.toml"), &scene);
        bench.write(&format!("{place}/meshes/one.obj"), content);
        let file = bench.write(
            &format!("{place}/study.toml"),
            "scene = \"sheet.toml\"\n[vary]\n\"solver.substeps\" = [4]\n",
        );
        let out = bench.path("far/away/out");
        let units = Study::load(&file).unwrap().expand(&out, Shard::default()).unwrap();
        let scene = Scene::load(units[0].folder(&out).join("scene.toml")).unwrap();
        assert_eq!(scene.build::<f32>().unwrap().simulation.len(), 3);
        units[0].name.clone()
    };
    assert_eq!(names("a", CUBE), names("b/c", CUBE));
    assert_ne!(names("a", CUBE), names("a", &CUBE.replace("v 1 0 0", "v 2 0 0")));
}

/// The name of a unit changes only with what its answer follows from: a change here means that every study begins anew.
#[test]
fn names_are_pinned() {
    let names = Bench::new().names("[vary]\n\"solver.substeps\" = [4]\n");
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["4dce6bbb545fd36a2c7a61b9b234e5fd"]);
}
