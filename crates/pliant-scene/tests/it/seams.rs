//! Seams: what they read, what they refuse, and that they close.

use tempfile::TempDir;

use crate::common::{build, hash};

/// Two sheets beside each other, 0.2 m apart, whose facing sides are sewn together.
fn panels(seam: &str) -> String {
    let sheet = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmesh = {{ grid = {{ vertices = [5, 5], size = [0.4, 0.4] }} }}\n\
             translate = [{x}, 0, 0]\nmaterial = \"cotton\"\n"
        )
    };
    let (left, right) = (sheet("left", 0.0), sheet("right", 0.6));
    format!("[solver]\nsubsteps = 20\ngravity = [0, 0, 0]\ndrag = 5\n{left}{right}[[seam]]\n{seam}")
}

const SIDES: &str = "bodies = [\"left\", \"right\"]\nclose_time = 0.2\n";
const BORDERS: &str = "borders = [\n  { half_space = { point = [1, 0, 0], normal = [1, 0, 0] }, relative = true },\n  { half_space = { point = [0, 0, 0], normal = [-1, 0, 0] }, relative = true },\n]\n";

/// The sides as a file of pairs.
fn file() -> String {
    let line = |i: u32| format!("{},{},{},0\n", 5 * i + 4, 5 * i, 5 * i + 1);
    "vertex,edge_a,edge_b,t\n".to_owned() + &(0..5).map(line).collect::<String>()
}

#[test]
fn a_list_a_file_and_borders_sew_the_same_and_close() {
    let base = TempDir::new().unwrap();
    std::fs::write(base.path().join("sides.csv"), file()).unwrap();
    let in_file = format!("{SIDES}pairs = \"sides.csv\"\n");
    let listed: Vec<String> =
        (0..5).map(|i| format!("[{}, {}, {}, 0]", 5 * i + 4, 5 * i, 5 * i + 1)).collect();
    let in_scene = format!("{SIDES}pairs = [{}]\n", listed.join(", "));
    assert_eq!(hash(&panels(&in_file), &base), hash(&panels(&in_scene), &base));

    for seam in [in_file, format!("{SIDES}{BORDERS}")] {
        let mut built = build(&panels(&seam), &base).unwrap();
        assert!(built.bodies[0].notes.iter().any(|note| note.contains("5 pairs, at most 2.00e-1 m apart")));
        let start = built.simulation.report().seams;
        assert!((start[0].mean - 0.2).abs() < 1e-9 && start[0].name == "seam-1", "{start:?}");
        let mut widest: Vec<f64> = Vec::new();
        for _ in 0..24 {
            let report = built.simulation.step(1.0 / 60.0).unwrap();
            widest.push(report.seams[0].max.value);
            assert!(report.stretch.unwrap().max.value < 0.1, "the force is limited");
        }
        assert!(widest[5] > 0.05, "it takes its time: {widest:?}");
        assert!(widest[23] < 1e-6, "it closes: {widest:?}");
    }
}

#[test]
fn a_panel_is_sewn_to_itself() {
    let base = TempDir::new().unwrap();
    // The corners of the side at +z of the left sheet, to the middle of that at −z.
    let seam = "bodies = [\"left\"]\nclose_time = 0.5\npairs = [[20, 2, 3, 0.25], [24, 2, 3, 0.75]]\n";
    let built = build(&panels(seam), &base).unwrap();
    let seam = &built.simulation.report().seams[0];
    // From (-0.2, 0.2) to (0.025, -0.2), and from (0.2, 0.2) to (0.075, -0.2).
    let gaps = [0.225_f64.hypot(0.4), 0.125_f64.hypot(0.4)];
    assert!((seam.max.value - gaps[0]).abs() < 1e-9 && seam.max.at == Some(0), "{seam:?}");
    assert!((seam.mean - f64::midpoint(gaps[0], gaps[1])).abs() < 1e-9 && seam.pairs == 2, "{seam:?}");
}

#[test]
fn what_cannot_be_sewn_is_refused_with_file_line_and_cure() {
    let base = TempDir::new().unwrap();
    let cases = [
        (
            "vertex,edge_a,edge_b,t\n4,0,1,0\n77,5,6,0\n",
            "sides.csv, line 3: the seam has vertex 77, but body \"left\" has 25 vertices; expected a number from 0 to 24",
        ),
        ("4,0,40,0\n", "sides.csv, line 1: the seam has vertex 40, but body \"right\" has 25 vertices"),
        ("# sides\n\n4,3,3,0\n", "sides.csv, line 3: both ends of the edge are vertex 3"),
        (
            "4,0,1,1.5\n",
            "sides.csv, line 1: the share of the way along the edge is 1.5; expected a number from 0, the first end, to 1",
        ),
        ("4,0,1,nan\n", "line 1: the share of the way along the edge is NaN"),
        ("4,0,1\n", "sides.csv, line 1: 3 instead of 4 numbers; expected lines such as"),
        ("4,0,1.5,0\n", "sides.csv, line 1: \"1.5\" is not the number of a vertex"),
        (
            "vertex,edge_a,edge_b,share\n4,0,1,0\n",
            "has no column \"t\" among those of its first line, vertex, edge_a, edge_b, share",
        ),
        ("vertex,edge_a,edge_b,t\n", "sides.csv has no pairs"),
        ("", "sides.csv has no pairs"),
    ];
    for (text, answer) in cases {
        std::fs::write(base.path().join("sides.csv"), text).unwrap();
        let found = build(&panels(&format!("{SIDES}pairs = \"sides.csv\"\n")), &base).unwrap_err();
        assert!(found.contains(answer), "{text:?}: {found}");
    }
    let cases = [
        (
            "bodies = [\"left\"]\npairs = [[4, 4, 3, 0]]",
            "vertex 4 is sewn to an edge that ends in it; expected an edge of the other panel",
        ),
        ("bodies = [\"left\"]\npairs = []", "the seam has no pairs"),
        ("bodies = [\"left\"]\npairs = [[-1, 0, 1, 0]]", "-1 is not the number of a vertex"),
        ("bodies = [\"left\"]\npairs = \"missing.csv\"", "missing.csv: there is no such file"),
        (
            "bodies = [\"left\"]",
            "which vertices are sewn to what is not given; expected one of `pairs` and `borders`",
        ),
        ("bodies = []\npairs = [[0, 3, 4, 0]]", "the seam is of 0 bodies"),
        (
            "bodies = [\"lift\"]\npairs = [[0, 3, 4, 0]]",
            "there is no body \"lift\"; expected one of \"left\", \"right\" (did you mean \"left\"?)",
        ),
        ("bodies = [\"left\"]\npairs = [[0, 3, 4, 0]]\nclose_time = -1", "the time to close the seam is -1"),
        ("bodies = [\"left\"]\npairs = 3", "expected the path of a text file, or a list of"),
        (
            "bodies = [\"left\"]\npairs = [[0, 3, 4, 0]]\n[[seam]]\nname = \"seam-1\"\nbodies = [\"left\"]\npairs = [[0, 3, 4, 0]]",
            "are both called \"seam-1\"",
        ),
        (
            "bodies = [\"left\", \"right\"]\nborders = [{ sphere = { centre = [0, 0, 0], radius = 0.05 } }, { vertices = [0, 5] }]",
            "no edge of the border of body \"left\" is in the region",
        ),
    ];
    for (seam, answer) in cases {
        let found = build(&panels(seam), &base).unwrap_err();
        assert!(found.contains(answer), "{seam}: {found}");
    }
}

#[test]
fn what_is_sewn_meets_nothing_there() {
    let base = TempDir::new().unwrap();
    let seam = format!("{SIDES}{BORDERS}");
    let scene = panels(&seam).replace("material =", "collide = true\ncontact_radius = 0.02\nmaterial =");
    let mut built = build(&scene, &base).unwrap();
    for _ in 0..24 {
        built.simulation.advance(1.0 / 60.0).unwrap();
    }
    let report = built.simulation.report();
    assert!(report.seams[0].max.value < 1e-5, "contact does not hold it open: {:?}", report.seams);
    assert_eq!(report.collisions.unwrap().intersections, 0);
}
