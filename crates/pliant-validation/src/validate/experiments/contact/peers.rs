//! The results of other programs on the scenes of `cargo xtask contact`.

use super::super::super::figure::Table;

pub(super) const ABOUT: &str = "Other programs were put to the scenes of `cargo xtask contact`, which prints the figures of this solver. **S1**: a sheet of 1 m, 100 × 100 squares, falls on a ball; **S2**: the same sheet upright, two sides held and turned against each \
    other by four turns; **S3**: ten sheets of 40 × 40 squares fall on each other; thickness 3 mm, friction 0.3. These are our own measurements of 2026, on one machine of two cores that had other work to do: CPU time of the process over all its threads, per frame of 1/60 s. \
    Crossings were counted after every frame, in the positions that the program wrote, by one counter for all. Settings were chosen by us and not tuned, so that a specialist may get more out of each. Runs were stopped by a limit of wall time: \
    frames tell how far they came, and frames of free fall say what a program costs, not how good it is. S1 lands after some 30 frames. Programs that need a GPU could not be run.";

/// Program and settings, scene, time of a frame in the mean and at most, frames, frames with a crossing, most
/// crossings, and a remark.
const ROWS: [[&str; 7]; 9] = [
    [
        "Blender 4.5.15 cloth, quality 5, 2 collision iterations, 3 mm",
        "S1",
        "275 (616)",
        "146 of 180",
        "99",
        "12",
        "first crossing in frame 47",
    ],
    ["", "S2", "593 (2291)", "31 of 240", "14", "20126", "tangled from frame 17 on"],
    [
        "",
        "S2, 40 × 40",
        "76 (207)",
        "220 of 240",
        "201",
        "3782",
        "8 crossings in frame 1, then none until about frame 20",
    ],
    ["", "S3", "3379 (12288)", "9 of 120", "4", "19336", "the stack falls through itself as it lands"],
    [
        "Newton 1.8, VBD with self-contact, 10 substeps × 5 iterations, on the CPU",
        "S1",
        "2835 (2997)",
        "12 of 180",
        "0",
        "0",
        "free fall only; 1137 ms without self-contact",
    ],
    ["", "S1, 40 × 40", "573 (802)", "64 of 180", "0", "0", "0.03 mm deep in the ball"],
    [
        "",
        "S2, 40 × 40",
        "948 (1449)",
        "46 of 240",
        "13",
        "27",
        "first crossing in frame 29; pins are moved between steps, and are no part of what it keeps apart",
    ],
    [
        "MuJoCo 4.0, `flag ipc`, step 1/300 s, no friction",
        "S1, 40 × 40",
        "169 (294)",
        "60 of 180",
        "0",
        "0",
        "100 kPa at 1 cm: stiff, with few folds; 128 ms in its passive mode",
    ],
    ["", "S1, 50 × 50", "253 (374)", "18 of 180", "0", "0", "free fall only"],
];

pub(super) fn table() -> Table {
    let columns = [
        "program",
        "scene",
        "ms per frame (longest)",
        "frames",
        "with a crossing",
        "most crossings",
        "remark",
    ];
    let mut table = Table::new("Other programs on scenes of contact", columns);
    for row in ROWS {
        table.row(row.map(str::to_owned));
    }
    table
}
