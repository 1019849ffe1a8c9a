//! The garment of `pliant new`: sewn, dressed, moved; the same bits for any number of threads, and across a
//! stop between stages.

use crate::common::Bench;

/// Frames beyond the end of the first stage.
const RUN: [&str; 3] = ["--frames", "100", "--quiet"];

#[test]
fn a_tunic_is_sewn_and_dances_without_crossing() {
    let bench = Bench::new();
    bench.good(&["new", "garment"]);
    let run = |folder: &str, threads: &str| {
        let args = ["run", "garment.toml", "-o", folder, "--threads", threads];
        bench.good(&[&args[..], &RUN].concat());
        bench.json(&format!("{folder}/run.json"))
    };
    let report = run("one", "1");
    let frames = report["frames"].as_array().unwrap();
    for frame in frames {
        assert_eq!(frame["collisions"]["intersections"], 0, "frame {}", frame["frame"]);
    }
    for seam in ["left-side", "right-side", "left-shoulder", "right-shoulder"] {
        let open = |frame: usize| frames[frame]["seams"][seam]["max"].as_f64().unwrap();
        assert!(open(0) > 0.2 && open(99) < 1e-3, "{seam}: {} {}", open(0), open(99));
    }
    let stages: Vec<_> = report["stages"].as_array().unwrap().iter().map(|stage| &stage["name"]).collect();
    assert_eq!(stages, ["sew", "dance"]);
    let hash = &report["summary"]["state_hash"];
    for threads in ["2", "5"] {
        assert_eq!(&run(threads, threads)["summary"]["state_hash"], hash);
    }
}
