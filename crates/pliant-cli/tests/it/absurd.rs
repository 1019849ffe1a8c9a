//! Absurd numbers: every scene with one ends in an error that names it, or in a verdict against the answer.
//! None is accepted silently.

mod newer;
mod weak;

use crate::common::Bench;

/// How a run with an absurd number ends.
#[derive(Clone, Copy, Debug)]
enum End {
    /// With status 2 and an error with these words.
    Refused(&'static str),
    /// With status 4.
    Untrusted,
    /// With status 4, or with the verdict "rough".
    NotGood,
    /// With status 0 or 4, after a remark of this kind before the run.
    Remarked(&'static str),
    /// With status 0, in double precision instead of the single one that is asked for.
    Doubled,
}

use End::{Doubled, NotGood, Refused, Remarked, Untrusted};
use newer::{CONTACTS, MEETING, METHODS, OBSTACLES, SEAMS, SEWN};

/// A case: its name, the replaced text and its replacement, and how it ends.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], End);

/// A ball that falls on a floor.
const BALL: &str = r#"frames = 20
frame_rate = 30
precision = "f32"
[solver]
substeps = 30
gravity = [0, -9.81, 0]
[[body]]
name = "ball"
mesh = { ball = { radius = 0.2, shells = 3 } }
rest_on = 0.1
edges = { compliance = 1e-5 }
[[obstacle]]
floor = {}
friction = 0.5
[output]
formats = ["pc2"]
"#;

/// A sheet that hangs by two corners.
const SHEET: &str = r#"frames = 20
frame_rate = 30
precision = "f32"
[solver]
substeps = 30
gravity = [0, -9.81, 0]
[[body]]
name = "sheet"
mesh = { grid = { vertices = [9, 9], size = [1.0, 1.0] } }
translate = [0, 1, 0]
pin = [{ vertices = [0, 8] }]
edges = { compliance = 1e-7 }
[output]
formats = ["pc2"]
"#;

/// A sheet and a ball that is sewn to it by a vertex.
const TIED: &str = r#"frames = 20
frame_rate = 30
[solver]
substeps = 30
[[body]]
name = "sheet"
mesh = { grid = { vertices = [9, 9], size = [1.0, 1.0] } }
translate = [0, 1, 0]
pin = [{ vertices = [0, 8] }]
edges = { compliance = 1e-7 }
area_density = 0.2
[[body]]
name = "ball"
mesh = { ball = { radius = 0.2, shells = 3 } }
rest_on = 0.1
edges = { compliance = 1e-5 }
density = 10
[[stitch]]
bodies = ["sheet", "ball"]
to = "vertices"
pairs = [[76, 0]]
keep_distance = true
[output]
formats = ["pc2"]
"#;

/// A mesh from a file, above a floor.
const FILE: &str = r#"frames = 20
frame_rate = 30
[[body]]
name = "it"
mesh = "it.msh"
rest_on = 0.1
edges = { compliance = 1e-7 }
[[obstacle]]
floor = {}
[output]
formats = ["pc2"]
"#;

const EDGES: &str = "edges = { compliance = 1e-5 }";
const THREADS: &str = "edges = { compliance = 1e-7 }";
const FLOOR: &str = "floor = {}";
const PINS: &str = "pin = [{ vertices = [0, 8] }]";
const PLACE: &str = "translate = [0, 1, 0]";

const BALLS: &[Case<'_>] = &[
    ("young 1e15", &[(EDGES, "material = { young = 1e15, poisson = 0.4 }")], NotGood),
    ("young 1e16", &[(EDGES, "material = { young = 1e16, poisson = 0.4 }")], Refused("Young's modulus")),
    ("young 1e-12", &[(EDGES, "material = { young = 1e-12, poisson = 0.4 }")], NotGood),
    ("young 0", &[(EDGES, "material = { young = 0, poisson = 0.4 }")], Refused("Young's modulus is 0")),
    ("young negative", &[(EDGES, "material = { young = -1e5, poisson = 0.4 }")], Refused("Young's modulus")),
    ("poisson close to ½", &[(EDGES, "material = { young = 1e5, poisson = 0.4999999 }")], NotGood),
    ("poisson ½", &[(EDGES, "material = { young = 1e5, poisson = 0.5 }")], Refused("Poisson's ratio")),
    ("poisson -1", &[(EDGES, "material = { young = 1e5, poisson = -1 }")], Refused("Poisson's ratio")),
    ("poisson close to -1", &[(EDGES, "material = { young = 1e5, poisson = -0.999999 }")], NotGood),
    ("density 1e12", &[(EDGES, "edges = { compliance = 1e-5 }\ndensity = 1e12"), ("= 20", "= 40")], NotGood),
    (
        "density 1e-12 of a material",
        &[(EDGES, "material = { young = 1e5, poisson = 0.4 }\ndensity = 1e-12")],
        NotGood,
    ),
    (
        "density 1e12 of a material",
        &[(EDGES, "material = { young = 1e5, poisson = 0.4 }\ndensity = 1e12")],
        NotGood,
    ),
    (
        "density 1e300",
        &[(EDGES, "edges = { compliance = 1e-5 }\ndensity = 1e300")],
        Refused("the density is 1e300"),
    ),
    ("frame rate 1", &[("frame_rate = 30", "frame_rate = 1")], NotGood),
    ("frame rate 1e-3", &[("frame_rate = 30", "frame_rate = 1e-3")], Untrusted),
    ("frame rate 1e6", &[("frame_rate = 30", "frame_rate = 1e6")], Doubled),
    ("frame rate 0", &[("frame_rate = 30", "frame_rate = 0")], Refused("the frame rate is 0.0")),
    ("frame rate nan", &[("frame_rate = 30", "frame_rate = nan")], Refused("the frame rate is NaN")),
    ("gravity 1e5", &[("-9.81", "-1e5")], Untrusted),
    ("gravity inf", &[("-9.81", "-inf")], Refused("gravity")),
    ("1e5 m away", &[(EDGES, "edges = { compliance = 1e-5 }\ntranslate = [1e5, 0, 0]")], Doubled),
    ("1e7 m away", &[(EDGES, "edges = { compliance = 1e-5 }\ntranslate = [1e7, 0, 0]")], Doubled),
    (
        "1e12 m away",
        &[(EDGES, "edges = { compliance = 1e-5 }\ntranslate = [1e12, 0, 0]")],
        Refused("translat"),
    ),
    ("scale 1e-6", &[(EDGES, "edges = { compliance = 1e-5 }\nscale = 1e-6")], Untrusted),
    (
        "scale 1e-6 in double precision",
        &[
            ("f32", "f64"),
            (EDGES, "edges = { compliance = 1e-5 }\nscale = 1e-6"),
            ("rest_on = 0.1", "rest_on = 1e-7"),
        ],
        Untrusted,
    ),
    ("scale 1e8", &[(EDGES, "edges = { compliance = 1e-5 }\nscale = 1e8"), ("= 20", "= 40")], Doubled),
    ("scale negative", &[(EDGES, "edges = { compliance = 1e-5 }\nscale = -1")], Refused("the scale is -1.0")),
    ("scale 0", &[(EDGES, "edges = { compliance = 1e-5 }\nscale = 0")], Refused("the scale is 0.0")),
    (
        "scale 0 along an axis",
        &[(EDGES, "edges = { compliance = 1e-5 }\nscale = [1, 0, 1]")],
        Refused("the scale is 0.0; expected a positive number"),
    ),
    ("almost flat", &[(EDGES, "edges = { compliance = 1e-5 }\nscale = [1, 1e-9, 1]")], Untrusted),
    ("fit 1e30", &[(EDGES, "edges = { compliance = 1e-5 }\nfit = 1e30")], Refused("the size to fit is 1e30")),
    ("fit 1e-9", &[(EDGES, "edges = { compliance = 1e-5 }\nfit = 1e-9")], Untrusted),
    ("damping_time 1e12", &[(EDGES, "edges = { compliance = 1e-5 }\ndamping_time = 1e12")], NotGood),
    (
        "friction 1e30",
        &[("friction = 0.5", "friction = 1e30")],
        Refused("the coefficient of friction is 1e30"),
    ),
    (
        "friction negative",
        &[("friction = 0.5", "friction = -1")],
        Refused("the coefficient of friction is -1.0"),
    ),
    ("restitution 2", &[("friction = 0.5", "restitution = 2")], Refused("the restitution is 2.0")),
    ("stiffness nan", &[(EDGES, "edges = { stiffness = nan }")], Refused("the stiffness is NaN")),
    ("stiffness 1e300", &[(EDGES, "edges = { stiffness = 1e300 }")], Refused("the stiffness is 1e300")),
    ("stiffness 0", &[(EDGES, "edges = { stiffness = 0 }")], Refused("the stiffness is 0.0")),
    ("compliance 1e300", &[(EDGES, "edges = { compliance = 1e300 }")], Refused("the compliance is 1e300")),
    (
        "compliance of all 1e18",
        &[(EDGES, "edges = { compliance = 1e18 }\nvolumes = { compliance = 1e18 }")],
        NotGood,
    ),
    ("pbd 1e6", &[(EDGES, "edges = { pbd = 1e6 }")], Refused("the stiffness of position based dynamics")),
    (
        "overpressure 1e12",
        &[(EDGES, "edges = { compliance = 1e-5 }\npressure = { overpressure = 1e12 }")],
        Refused("overpressure"),
    ),
    (
        "420 % too much volume",
        &[(EDGES, "edges = { compliance = 1e-5 }\npressure = { factor = 5.2 }")],
        Untrusted,
    ),
    (
        "speed 1e6 at the start",
        &[("[0, -9.81, 0]", "[0, 0, 0]"), (EDGES, "edges = { compliance = 1e-5 }\nvelocity = [1e6, 0, 0]")],
        Untrusted,
    ),
    (
        "speed 1e6 into the floor",
        &[("[0, -9.81, 0]", "[0, 0, 0]"), (EDGES, "edges = { compliance = 1e-5 }\nvelocity = [0, -1e6, 0]")],
        NotGood,
    ),
    (
        "faster than light",
        &[(EDGES, "edges = { compliance = 1e-5 }\nvelocity = [1e9, 0, 0]")],
        Refused("the velocity"),
    ),
    ("contact radius 1e6", &[(EDGES, "edges = { compliance = 1e-5 }\ncontact_radius = 1e6")], Untrusted),
    (
        "stiffer by 1e18",
        &[(EDGES, "edges = { compliance = 1e-5 }\nvary = [{ factor = 1e18, region = { all = true } }]")],
        Refused("factor"),
    ),
    (
        "ball of radius 0",
        &[("radius = 0.2", "radius = 0")],
        Refused("the radius is 0.0; expected a positive number, m"),
    ),
    ("ball of 1e15 elements", &[("shells = 3", "shells = 100000")], Refused("ask for fewer parts")),
    (
        "sphere of radius 0",
        &[(FLOOR, "sphere = { centre = [0, 0, 0], radius = 0 }")],
        Refused("the radius is 0.0"),
    ),
    (
        "sphere of negative radius",
        &[(FLOOR, "sphere = { centre = [0, 0, 0], radius = -1 }")],
        Refused("the radius is -1.0"),
    ),
    (
        "sphere of radius 1e9",
        &[(FLOOR, "sphere = { centre = [0, -1e9, 0], radius = 1e9 }")],
        Refused("f32 rounds its surface"),
    ),
    (
        "box inside out",
        &[(FLOOR, "box = { min = [1, 1, 1], max = [0, 0, 0] }")],
        Refused("`max` greater than `min`"),
    ),
    (
        "plane with a normal that is none",
        &[(FLOOR, "plane = { point = [0, 0, 0], normal = [nan, 1, 0] }")],
        Refused("the normal of the plane"),
    ),
    (
        "plane with a normal of length 0",
        &[(FLOOR, "plane = { point = [0, 0, 0], normal = [0, 0, 0] }")],
        Refused("the normal of the plane"),
    ),
    (
        "container smaller than the ball",
        &[(FLOOR, "container = { min = [-0.05, 0, -0.05], max = [0.05, 0.1, 0.05] }")],
        Untrusted,
    ),
    (
        "squeezed flat",
        &[(
            FLOOR,
            "floor = {}\n[[obstacle]]\nbox = { min = [-1, 0.51, -1], max = [1, 2, 1] }\nmotion = { keyframes = [{ time = 0 }, { time = 0.1, translate = [0, -0.5, 0] }] }",
        )],
        Untrusted,
    ),
    ("floor that rises at 1e4 m/s", &[("friction = 0.5", "motion = { velocity = [0, 1e4, 0] }")], NotGood),
    ("seed negative", &[("substeps = 30", "substeps = 30\nseed = -1")], Refused("seed")),
    (
        "1e4 substeps of 0.1 µs",
        &[("substeps = 30", "substeps = 10000"), ("= 20", "= 2"), ("frame_rate = 30", "frame_rate = 1000")],
        Doubled,
    ),
    (
        "unsteady and stiff",
        &[(EDGES, "material = { young = 1e8, poisson = 0.4, steady = false }")],
        Untrusted,
    ),
    (
        "mass beyond f32",
        &[(EDGES, "edges = { compliance = 1e-5 }\ndensity = 1e18\nfit = 1e9")],
        Refused("the mass of the body"),
    ),
];

const SHEETS: &[Case<'_>] = &[
    ("wind of 1e4 m/s", &[("substeps = 30", "substeps = 30\nwind = { velocity = [1e4, 0, 0] }")], Untrusted),
    (
        "wind of heavy air",
        &[("substeps = 30", "substeps = 30\nwind = { velocity = [10, 0, 0], density = 1e9 }")],
        Untrusted,
    ),
    ("frame rate 1", &[("frame_rate = 30", "frame_rate = 1")], Untrusted),
    ("frame rate 1e9", &[("frame_rate = 30", "frame_rate = 1e9")], Untrusted),
    ("gravity 1e5", &[("-9.81", "-1e5")], Untrusted),
    ("1e7 m away", &[(PLACE, "translate = [1e7, 1, 0]")], Doubled),
    ("scale 1e-6", &[(PINS, "pin = [{ vertices = [0, 8] }]\nscale = 1e-6")], Untrusted),
    (
        "starts in a sphere",
        &[("[output]", "[[obstacle]]\nsphere = { centre = [0, 1, 0], radius = 0.4 }\n[output]")],
        Untrusted,
    ),
    (
        "starts in a box",
        &[("[output]", "[[obstacle]]\nbox = { min = [-2, 0, -2], max = [2, 3, 2] }\n[output]")],
        Untrusted,
    ),
    (
        "area density 1e300",
        &[(PINS, "pin = [{ vertices = [0, 8] }]\narea_density = 1e300")],
        Refused("the area density is 1e300"),
    ),
    (
        "area density 1e-300",
        &[(PINS, "pin = [{ vertices = [0, 8] }]\narea_density = 1e-300")],
        Refused("the area density is 1e-300"),
    ),
    (
        "area density 1e9",
        &[(PINS, "pin = [{ vertices = [0, 8] }]\narea_density = 1e9"), ("= 20", "= 40")],
        Untrusted,
    ),
    (
        "mass below f32",
        &[(PINS, "pin = [{ vertices = [0, 8] }]\narea_density = 1e-30\nscale = 1e-6")],
        Refused("the mass of the body"),
    ),
    (
        "thickness 0",
        &[(THREADS, "material = { name = \"rubber\", thickness = 0 }")],
        Refused("the thickness is 0.0"),
    ),
    (
        "damping 1e12",
        &[("substeps = 30", "substeps = 30\ndamping = 1e12")],
        Refused("the damping is 1000000000000.0"),
    ),
    ("damping negative", &[("substeps = 30", "substeps = 30\ndamping = -1")], Refused("the damping is -1.0")),
    ("drag 1e12", &[("substeps = 30", "substeps = 30\ndrag = 1e12")], Refused("the drag")),
    ("damping_time 10", &[(PINS, "pin = [{ vertices = [0, 8] }]\ndamping_time = 10")], Untrusted),
    (
        "damping_time negative",
        &[(PINS, "pin = [{ vertices = [0, 8] }]\ndamping_time = -1")],
        Refused("the damping time is -1.0"),
    ),
    ("compliance 1e18", &[(THREADS, "edges = { compliance = 1e18 }"), ("= 20", "= 40")], NotGood),
    (
        "moduli 1e-12",
        &[
            (
                THREADS,
                "material = { warp = 1e-12, weft = 1e-12, shear = 1e-12, poisson = 0.1, thickness = 1e-3 }",
            ),
            ("= 20", "= 40"),
        ],
        NotGood,
    ),
    (
        "pins at 1e6 m/s",
        &[(PINS, "pin = [{ vertices = [0, 8], motion = { velocity = [1e6, 0, 0] } }]")],
        Untrusted,
    ),
    (
        "pins at 1e6 m/s by keyframes",
        &[(
            PINS,
            "pin = [{ vertices = [0, 8], motion = { keyframes = [{ time = 0 }, { time = 1e-6, translate = [1e6, 0, 0] }] } }]",
        )],
        Untrusted,
    ),
    (
        "pins that spin",
        &[(
            PINS,
            "pin = [{ vertices = [0, 8], motion = { spin = { axis = [0, 1, 0], degrees_per_second = 1e9 } } }]",
        )],
        Untrusted,
    ),
    (
        "pins with a velocity that is none",
        &[(PINS, "pin = [{ vertices = [0, 8], motion = { velocity = [nan, 0, 0] } }]")],
        Refused("the velocity"),
    ),
    (
        "soft pins 1e30",
        &[(PINS, "pin = [{ vertices = [0, 8], compliance = 1e30 }]")],
        Refused("the compliance of the pin is 1e30"),
    ),
    ("pins of nothing", &[(PINS, "pin = [{ vertices = [700] }]")], Refused("700")),
    (
        "one substep of rigid cloth",
        &[
            ("substeps = 30", "substeps = 1"),
            ("[9, 9]", "[41, 41]"),
            ("[0, 8]", "[0, 40]"),
            (THREADS, "edges = \"rigid\"\nbending = { stiffness = 1e6 }"),
        ],
        Untrusted,
    ),
    ("1e9 iterations", &[("substeps = 30", "iterations = 1000000000")], Refused("the number of iterations")),
    ("no substeps", &[("substeps = 30", "substeps = 0")], Refused("the number of substeps is 0")),
    ("1e18 frames", &[("frames = 20", "frames = 1000000000000000000")], Refused("the number of frames")),
];

const TIES: &[Case<'_>] = &[
    (
        "a ratio of masses of 1e9",
        &[("area_density = 0.2", "area_density = 1e-4"), ("density = 10", "density = 1e5"), ("= 20", "= 40")],
        Untrusted,
    ),
    (
        "stitch 1e20",
        &[("keep_distance = true", "keep_distance = true\nstiffness = 1e20")],
        Refused("the stiffness of the stitch is 1e20"),
    ),
    ("stitch of a rest length of 1e6 m", &[("keep_distance = true", "rest_length = 1e6")], Untrusted),
    (
        "stitch that draws from afar",
        &[("keep_distance = true", ""), ("rest_on = 0.1", "rest_on = 30")],
        Untrusted,
    ),
    (
        "all of a body to all of another",
        &[("pairs = [[76, 0]]\nkeep_distance = true", "radius = 1e9")],
        NotGood,
    ),
    ("stitch of a vertex that is none", &[("[[76, 0]]", "[[7600, 0]]")], Refused("7600")),
];

fn msh(vertices: &str, tets: &str) -> String {
    let list = |text: &str, between: &str| {
        let lines: Vec<String> = text
            .split(';')
            .enumerate()
            .map(|(i, line)| format!("{}{between}{}", i + 1, line.trim()))
            .collect();
        format!("{}\n{}", lines.len(), lines.join("\n"))
    };
    format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n$EndNodes\n$Elements\n{}\n$EndElements\n",
        list(vertices, " "),
        list(tets, " 4 2 0 1 ")
    )
}

/// Runs a case; returns what is wrong with the result, if anything.
fn judge(bench: &Bench, base: &str, (name, changes, end): &Case<'_>) -> Option<String> {
    let text = changes.iter().fold(base.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{name}: {from:?} is not in the scene");
        text.replacen(from, to, 1)
    });
    bench.write("absurd.toml", &text);
    let ran = bench.pliant(&["run", "absurd.toml", "-o", "out", "--force", "--threads", "1"]);
    let is = |verdict: &str| ran.out.contains(&format!("verdict: {verdict}\n"));
    let ended_well = match end {
        Refused(words) => ran.status == 2 && ran.err.contains(words) && ran.err.contains("absurd.toml:"),
        Untrusted => ran.status == 4 && is("not to be trusted"),
        Remarked(kind) => [0, 4].contains(&ran.status) && ran.err.contains(&format!("remark ({kind})")),
        Doubled => ran.status == 0 && ran.err.contains("in double precision, although single is asked for"),
        NotGood => (ran.status == 4 && is("not to be trusted")) || (ran.status == 0 && is("rough")),
    };
    let good = ended_well && !ran.err.contains("panicked");
    (!good).then(|| {
        format!("{name}: {end:?} is expected, but it ended with {}\n{}{}", ran.status, ran.out, ran.err)
    })
}

fn judge_all(base: &str, cases: &[Case<'_>]) {
    judge_in(&Bench::new(), base, cases);
}

fn judge_in(bench: &Bench, base: &str, cases: &[Case<'_>]) {
    let wrong: Vec<String> = cases.iter().filter_map(|case| judge(bench, base, case)).collect();
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn plain_scenes_are_good() {
    let bench = Bench::new();
    for (name, scene) in [("ball", BALL), ("sheet", SHEET), ("sewn", SEWN)] {
        bench.write("plain.toml", scene);
        let ran = bench.good(&["run", "plain.toml", "-o", "out", "--force"]);
        assert!(ran.out.contains("verdict: good\n"), "{name}: {}{}", ran.out, ran.err);
        assert!(!ran.err.contains("remark ("), "{name}: {}", ran.err);
    }
}

#[test]
fn absurd_balls() {
    judge_all(BALL, BALLS);
}

#[test]
fn absurd_sheets() {
    judge_all(SHEET, SHEETS);
}

#[test]
fn absurd_ties() {
    judge_all(TIED, TIES);
}

#[test]
fn absurd_methods() {
    judge_all(BALL, METHODS);
}

#[test]
fn absurd_obstacles() {
    let bench = Bench::new();
    let corner = |c: usize| {
        let at = |k: usize, low: f64, high: f64| if c >> k & 1 == 1 { high } else { low };
        format!("v {} {} {}\n", at(0, -0.5, 0.5), at(1, -0.04, 0.0), at(2, -0.5, 0.5))
    };
    let corners: String = (0..8).map(corner).collect();
    bench.write("plate.obj", corners + "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n");
    judge_in(&bench, BALL, OBSTACLES);
}

#[test]
fn absurd_weak_balls() {
    let cases = weak::balls();
    let changed: Vec<Vec<(&str, &str)>> = cases
        .iter()
        .map(|(_, changes, _)| changes.iter().map(|(from, to)| (*from, to.as_str())).collect())
        .collect();
    let cases: Vec<Case<'_>> = cases
        .iter()
        .zip(&changed)
        .map(|((name, _, end), changes)| (*name, changes.as_slice(), *end))
        .collect();
    judge_all(BALL, &cases);
}

#[test]
fn absurd_weak_sheets() {
    judge_all(SHEET, weak::SHEETS);
}

#[test]
fn absurd_weak_ties() {
    judge_all(TIED, weak::TIES);
}

#[test]
fn absurd_contacts() {
    judge_all(MEETING, CONTACTS);
}

#[test]
fn absurd_seams() {
    judge_all(SEWN, SEAMS);
}

#[test]
fn absurd_meshes() {
    let bench = Bench::new();
    let corners = "0 0 0; 1 0 0; 0 1 0; 0 0 1";
    let cases: [(String, Case<'_>); 5] = [
        (msh(&format!("{corners}; 1 1 0"), "1 2 3 4; 1 2 3 5"), ("flat", &[], Refused("inverted or flat"))),
        (msh(&format!("{corners}; 1 1 1e-7"), "1 2 3 4; 2 5 3 1"), ("nearly flat", &[], Untrusted)),
        (msh(&format!("{corners}; 1 nan 1"), "1 2 3 4; 2 5 3 4"), ("no number", &[], Refused("it.msh"))),
        (
            msh(&format!("{corners}; 0 0 1"), "1 2 3 4; 2 5 3 4"),
            ("vertices at one place", &[], Refused("inverted or flat")),
        ),
        (String::new(), ("a triangle without area", &[("it.msh", "it.obj")], Refused("area"))),
    ];
    bench.write("it.obj", "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n");
    for (mesh, case) in cases {
        bench.write("it.msh", mesh);
        let wrong = judge(&bench, FILE, &case);
        assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
    }
}
