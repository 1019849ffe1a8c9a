//! One fitting and many motions, and bad input of garments, with the built program.

use crate::common::Bench;

/// Two halves of a band in one mesh, whose facing sides lie on each other.
fn band(bench: &Bench) {
    let mut text = String::new();
    for half in 0..2 {
        for j in 0..3 {
            for i in 0..4 {
                text += &format!("v {} 1 {}\n", 0.1 * f64::from(i + 3 * half), 0.1 * f64::from(j));
            }
        }
    }
    for half in 0..2 {
        for j in 0..2 {
            for i in 0..3 {
                let a = 12 * half + 4 * j + i + 1;
                text += &format!("f {} {} {}\nf {} {} {}\n", a, a + 4, a + 1, a + 1, a + 4, a + 5);
            }
        }
    }
    bench.write("band.obj", text);
}

fn scene(head: &str, pin: &str, seam: &str) -> String {
    format!(
        "frames = 12\n[solver]\nsubsteps = 8\n{head}\n[[body]]\nname = \"band\"\nmesh = \"band.obj\"\n\
         material = {{ young = 1e5, poisson = 0.2, thickness = 0.0005 }}\ncollide = true\npin = [{{ vertices = [0, 4, 8]{pin} }}]\n\
         [[seam]]\nname = \"middle\"\nbodies = [\"band\"]\npairs = [[12, 3, 7, 0], [16, 7, 11, 0], [20, 11, 7, 0]]\n{seam}\n[output]\nformats = [\"obj\"]\n"
    )
}

const DANCE: &str = "[[stage]]\nname = \"settle\"\ndrag = 5\nuntil = { speed = 1e-6, at_most = 0.1 }\n[[stage]]\nname = \"dance\"\n";

#[test]
fn a_welded_band_is_fitted_once_and_moved_twice() {
    let bench = Bench::new();
    band(&bench);
    bench.write("fit.toml", scene("drag = 3", "", "weld = true"));
    let ran = bench.good(&["run", "fit.toml", "-o", "fitting"]);
    assert!(
        ran.err.contains("middle: 3 pairs, at most 0.00e0 m apart at the start; its vertices are welded where they are together"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("end.bin"), "{}", ran.out);
    // Files have all vertices; those that are welded are at one place in all frames.
    for frame in 0..=12 {
        let text = bench.read(&format!("fitting/obj/band/band_{frame:04}.obj"));
        let all: Vec<&str> = text.lines().filter(|line| line.starts_with("v ")).collect();
        assert_eq!(all.len(), 24);
        for [v, end] in [[12, 3], [16, 7], [20, 11]] {
            assert_eq!(all[v], all[end], "frame {frame}");
        }
    }
    for (name, velocity) in [("left", "[-1, 0, 0]"), ("up", "[0, 1, 0]")] {
        let pin = format!(", motion = {{ velocity = {velocity}, start = \"dance\" }}");
        bench.write(&format!("{name}.toml"), scene(DANCE, &pin, "weld = true"));
        let ran = bench.good(&["run", &format!("{name}.toml"), "--from", "fitting", "-o", name]);
        assert!(ran.err.contains("the stage \"settle\" ended after its longest time, 0.1 s"), "{}", ran.err);
        assert!(ran.err.contains("it starts as it was after frame 12 of the run in"), "{}", ran.err);
        let report = bench.json(&format!("{name}/run.json"));
        assert_eq!(report["stages"][0]["met"], false);
        assert_eq!(report["stages"][1]["first"], 7);
        let [first, last] =
            ["fitting/obj/band/band_0012.obj".to_owned(), format!("{name}/obj/band/band_0000.obj")];
        assert_eq!(bench.read(&first), bench.read(&last), "it starts where the fitting ended");
    }
    assert_ne!(bench.hash("left"), bench.hash("up"));
    // A run that is stopped in a stage that waits goes on to the same end.
    bench.good(&["run", "up.toml", "--from", "fitting", "-o", "stopped", "--stop-after", "3"]);
    bench.good(&["run", "up.toml", "--from", "fitting", "-o", "stopped", "--continue"]);
    assert_eq!(bench.hash("stopped"), bench.hash("up"));
}

#[test]
fn bad_input_of_a_garment_is_named() {
    let bench = Bench::new();
    band(&bench);
    let refused = |name: &str, text: String, parts: &[&str]| {
        bench.write(name, text);
        bench.refused(&["check", name], parts);
    };
    let good = scene("", "", "");
    refused(
        "uv.toml",
        good.replace("collide", "rest = \"uv\"\ncollide"),
        &["band.obj has no texture coordinates"],
    );
    refused(
        "range.toml",
        good.replace("[12, 3, 7, 0]", "[99, 3, 7, 0]"),
        &["the seam has vertex 99, but body \"band\" has 24 vertices"],
    );
    refused(
        "self.toml",
        good.replace("[12, 3, 7, 0]", "[3, 3, 7, 0]"),
        &["vertex 3 is sewn to an edge that ends in it"],
    );
    let apart = scene("", "", "weld = true").replace("[12, 3, 7, 0]", "[13, 3, 7, 0]");
    refused("apart.toml", apart, &["pair 0 is to be welded, but starts 1.00e-1 m apart"]);
    refused(
        "time.toml",
        scene("", "", "weld = true\nclose_time = 1"),
        &["the seam is welded, and so closed from the start"],
    );
    refused("from.toml", format!("from = \"nowhere\"\n{good}"), &["there is no folder", "nowhere"]);

    // In centimetres a band of 0.6 m is one of 60 m.
    bench.write("cm.toml", good.replace("mesh = \"band.obj\"", "mesh = \"band.obj\"\nscale = 100"));
    let ran = bench.good(&["check", "cm.toml"]);
    assert!(
        ran.out.contains("it is 6.000e1 m large; if its file is not in metres, set `scale` or `fit`"),
        "{}",
        ran.out
    );
}

/// A point cache of one triangle, sample after sample.
fn cache(samples: &[[f32; 9]], points: i32) -> Vec<u8> {
    let mut bytes = b"POINTCACHE2\0".to_vec();
    bytes.extend([1, points].iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend([0.0_f32, 1.0].iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend((samples.len() as i32).to_le_bytes());
    let numbers = samples.iter().flat_map(|sample| &sample[..3 * points as usize]);
    bytes.extend(numbers.flat_map(|x| x.to_le_bytes()));
    bytes
}

#[test]
fn a_body_that_jumps_is_a_remark_and_one_of_another_count_an_error() {
    let bench = Bench::new();
    bench.write("body.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n");
    let at = |x: f32| [x, 0.0, 0.0, 1.0 + x, 0.0, 0.0, x, 0.0, 1.0];
    let samples: Vec<_> = (0..20).map(|k| at(0.01 * k as f32 + if k >= 9 { 0.8 } else { 0.0 })).collect();
    bench.write("dance.pc2", cache(&samples, 3));
    bench.write("few.pc2", cache(&samples, 2));
    bench.write("far.pc2", cache(&[at(5.0), at(5.01)], 3));
    let scene = |cache: &str| {
        format!(
            "[[body]]\nname = \"body\"\nmesh = \"body.obj\"\nobstacle = true\nmotion = {{ cache = \"{cache}\" }}\n[[body]]\nname = \"sheet\"\n\
             mesh = {{ grid = {{ vertices = [3, 3], size = [1, 1] }} }}\ntranslate = [0, 3, 0]\nedges = \"rigid\"\n"
        )
    };
    bench.write("jump.toml", scene("dance.pc2"));
    let ran = bench.good(&["check", "jump.toml"]);
    let text = "it jumps by 0.810 m from sample 8 of its motion to sample 9 (from 0), at 0.150 s";
    assert!(ran.out.contains(text), "{}", ran.out);
    bench.write("far.toml", scene("far.pc2"));
    let ran = bench.good(&["check", "far.toml"]);
    assert!(ran.out.contains("it jumps by 5.000 m to the first sample of its motion"), "{}", ran.out);
    bench.write("few.toml", scene("few.pc2"));
    bench.refused(&["check", "few.toml"], &["few.pc2 has 2 points, but body \"body\" has 3 vertices"]);
}
