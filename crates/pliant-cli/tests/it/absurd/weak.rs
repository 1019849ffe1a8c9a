//! Absurd scenes of numbers too weak or too short to have an effect, too coarse for their precision, or
//! against each other.

use super::End::{Doubled, NotGood, Refused, Remarked, Untrusted};
use super::{Case, EDGES, FLOOR, PINS, THREADS};

const BALL: &str = "ball = { radius = 0.2, shells = 3 }";
const MESH: &str = "mesh = { ball = { radius = 0.2, shells = 3 } }";
const STAGES: &str = "[[stage]]\nname = \"a\"\n[[stage]]\nname = \"b\"\nstart = 0.3\n";

/// The replaced texts and their replacements.
type Changes = Vec<(&'static str, String)>;

/// Cases of a ball: the name, what is replaced, and how it ends.
pub(super) fn balls() -> Vec<(&'static str, Changes, super::End)> {
    let body = |more: &str| vec![(EDGES, format!("{EDGES}\n{more}"))];
    let solver = |more: &str| vec![("substeps = 30", format!("substeps = 30\n{more}"))];
    let floor = |other: &str| vec![(FLOOR, other.to_owned())];
    let material = |other: &str| vec![(EDGES, format!("material = {{ {other} }}"))];
    let stage = |more: &str| vec![("[output]", format!("{STAGES}{more}\n[output]"))];
    let moving = |motion: &str| vec![("friction = 0.5", format!("friction = 0.5\nmotion = {{ {motion} }}"))];
    let output = |more: &str| vec![("formats", format!("{more}\nformats"))];
    let mesh = |other: &str| vec![(BALL, other.to_owned())];
    let file = |path: &str| vec![(MESH, format!("mesh = {path:?}"))];
    let gravity = |y: &str| vec![("-9.81", y.to_owned())];
    vec![
        (
            "a gas of exponent 1e6",
            body("pressure = { gas = 1e4, exponent = 1e6 }"),
            Refused("the exponent of the gas is 1000000.0"),
        ),
        (
            "a gas of exponent 1e-9",
            body("pressure = { gas = 1e4, exponent = 1e-9 }"),
            Refused("the exponent of the gas is 1e-9"),
        ),
        (
            "a gas of exponent -1",
            body("pressure = { gas = 1e4, exponent = -1 }"),
            Refused("the exponent of the gas"),
        ),
        ("no volume at all", body("pressure = { factor = 0 }"), Refused("the multiple of the volume is 0.0")),
        ("a volume that gives way", body("pressure = { factor = 2, compliance = 1e18 }"), Remarked("loose")),
        ("a nanopascal", body("pressure = { overpressure = 1e-9, compliance = 1e18 }"), Remarked("loose")),
        ("a shape that gives way", body("shape = [{ compliance = 1e18 }]"), Remarked("loose")),
        ("the shape of a vertex", body("shape = [{ region = { vertices = [3] } }]"), Refused("has no shape")),
        ("drag 2e3", solver("drag = 2e3"), Remarked("still")),
        ("damping 1e8", solver("damping = 1e8"), Remarked("still")),
        ("a stage of damping 1e8", stage("damping = 1e8"), Remarked("still")),
        ("a stage of drag 1e8", stage("drag = 1e8"), Remarked("still")),
        ("a stage of no substeps", stage("substeps = 0"), Refused("the number of substeps is 0")),
        ("gravity 1e-18", gravity("-1e-18"), Remarked("still")),
        ("gravity upwards", gravity("981"), NotGood),
        ("gravity nan", gravity("nan"), Refused("gravity")),
        (
            "a velocity of 1e-30 m/s",
            vec![("-9.81", "0".to_owned()), (EDGES, format!("{EDGES}\nvelocity = [1e-30, 0, 0]"))],
            Remarked("still"),
        ),
        (
            "20 ns",
            vec![
                ("f32", "f64".to_owned()),
                ("frame_rate = 30", "frame_rate = 1e9".to_owned()),
                ("substeps = 30", "substeps = 100".to_owned()),
            ],
            Remarked("still"),
        ),
        (
            "files of a ball 1e9 m high",
            vec![("f32", "f64".to_owned()), ("rest_on = 0.1", "rest_on = 1e9".to_owned())],
            Remarked("resolution"),
        ),
        ("1500 substeps in single precision", vec![("substeps = 30", "substeps = 1500".to_owned())], Doubled),
        (
            "1500 substeps in single precision that is kept",
            vec![
                ("substeps = 30", "substeps = 1500".to_owned()),
                ("precision = \"f32\"", "precision = \"f32\"\naccept = [\"resolution\"]".to_owned()),
            ],
            Untrusted,
        ),
        ("a container elsewhere", floor("container = { min = [10, 0, 10], max = [20, 5, 20] }"), Untrusted),
        (
            "a container inside out",
            floor("container = { min = [1, 1, 1], max = [0, 0, 0] }"),
            Refused("`max` greater than `min`"),
        ),
        ("a floor above the ball", floor("floor = { height = 5 }"), Untrusted),
        ("a floor that spins", moving("spin = { axis = [0, 1, 0], degrees_per_second = 1e8 }"), NotGood),
        ("a floor at 1e7 m/s", moving("velocity = [1e7, 0, 0]"), NotGood),
        (
            "less friction at rest",
            vec![("friction = 0.5", "friction = { static = 0.1, kinetic = 0.5 }".to_owned())],
            Refused("static coefficient of friction"),
        ),
        ("a negative contact radius", body("contact_radius = -1"), Refused("the contact radius is -1.0")),
        ("a share of 1e-18", vec![(EDGES, "edges = { pbd = 1e-18 }".to_owned())], NotGood),
        ("a slab of 10 µm", mesh("block = { cells = [10, 1, 10], size = [1.0, 1e-5, 1.0] }"), Untrusted),
        (
            "a torus thicker than wide",
            mesh("solid_torus = { radius = 0.1, tube = 0.5, segments = 12, rings = 2 }"),
            Refused("thinner than its ring"),
        ),
        (
            "jelly of 3 kPa by Saint Venant",
            material("young = 3e3, poisson = 0.45, model = \"stvk\""),
            NotGood,
        ),
        ("jelly of 1 kPa", material("young = 1e3, poisson = 0.45"), NotGood),
        (
            "half of it as soft as air",
            body(
                "vary = [{ factor = 1e-12, region = { box = { min = [0, 0, 0], max = [1, 0.5, 1] }, relative = true } }]",
            ),
            Untrusted,
        ),
        (
            "a part that is elsewhere",
            body("vary = [{ factor = 2, region = { box = { min = [50, 0, 0], max = [51, 1, 1] } } }]"),
            Refused("holds the middle of no element"),
        ),
        ("turned about nothing", body("rotate = { axis = [0, 0, 0], degrees = 3 }"), Refused("the axis is")),
        ("a mesh that is a device", file("/dev/zero"), Refused("is a device or a pipe")),
        ("a mesh that is a folder", file("."), Refused("is a directory")),
        ("a mesh that is the scene", file("absurd.toml"), Refused("shows the format")),
        ("every 0th frame", output("every = 0"), Refused("the step between written frames is 0")),
        ("a format twice", vec![("[\"pc2\"]", "[\"pc2\", \"pc2\"]".to_owned())], Refused("is named twice")),
        (
            "a camera of 0 degrees",
            output("camera = { field_of_view = 0 }"),
            Refused("the field of view is 0.0"),
        ),
        (
            "a camera that looks at itself",
            output("camera = { eye = [0, 0, 0], target = [0, 0, 0] }\npictures = {}"),
            Refused("the `target` of the camera is its `eye`"),
        ),
        (
            "a body called ../x",
            vec![("name = \"ball\"", "name = \"../x\"".to_owned())],
            Refused("the character '.'"),
        ),
    ]
}

pub(super) const SHEETS: &[Case<'_>] = &[
    ("needles", &[("size = [1.0, 1.0]", "size = [1.0, 1e-8]")], Untrusted),
    (
        "pins let go before the start",
        &[("[0, 8] }", "[0, 8], release = -1 }")],
        Refused("the time of release is -1.0"),
    ),
    (
        "poses out of order",
        &[(
            "[0, 8] }",
            "[0, 8], motion = { keyframes = [{ time = 1 }, { time = 0.5, translate = [0, 1, 0] }] } }",
        )],
        Refused("does not follow"),
    ),
    (
        "negative slack",
        &[(THREADS, "edges = { compliance = 1e-7 }\ntethers = { slack = -1 }")],
        Refused("the slack of the tethers"),
    ),
    (
        "slack 1e12",
        &[(THREADS, "edges = { compliance = 1e-7 }\ntethers = { slack = 1e12 }")],
        Remarked("loose"),
    ),
    (
        "tethers to nothing",
        &[(PINS, ""), (THREADS, "edges = { compliance = 1e-7 }\ntethers = true")],
        Refused("but it has none"),
    ),
    (
        "a negative limit",
        &[(THREADS, "edges = { compliance = 1e-7 }\nstrain_limit = { stretch = -0.5 }")],
        Refused("the largest stretch is -0.5"),
    ),
    (
        "compressed by 200 %",
        &[(THREADS, "edges = { compliance = 1e-7 }\nstrain_limit = { compression = 2 }")],
        Refused("the largest compression is 2.0"),
    ),
    (
        "a limit of 1e12",
        &[(THREADS, "edges = { compliance = 1e-7 }\nstrain_limit = { stretch = 1e12 }")],
        Remarked("loose"),
    ),
    (
        "torn in spite of a limit of 0",
        &[
            (THREADS, "edges = { compliance = 1e-7 }\nstrain_limit = { stretch = 0.0 }"),
            (PINS, "pin = [{ vertices = [0] }, { vertices = [8], motion = { velocity = [10, 0, 0] } }]"),
        ],
        Untrusted,
    ),
    (
        "torn",
        &[(PINS, "pin = [{ vertices = [0] }, { vertices = [8], motion = { velocity = [3, 0, 0] } }]")],
        Untrusted,
    ),
    (
        "torn by a spin",
        &[(
            PINS,
            "pin = [{ vertices = [0] }, { vertices = [8], motion = { spin = { axis = [0, 1, 0], degrees_per_second = 3000 } } }]",
        )],
        Untrusted,
    ),
    ("pins as soft as nothing", &[("[0, 8] }", "[0, 8], compliance = 1e17 }")], Remarked("loose")),
    (
        "a vertex that two pins move",
        &[(PINS, "pin = [{ vertices = [0, 8] }, { vertices = [0], motion = { velocity = [0, 2, 0] } }]")],
        NotGood,
    ),
    (
        "rubber a thousand kilometres thick",
        &[(THREADS, "material = { name = \"rubber\", thickness = 1e6 }")],
        Remarked("density"),
    ),
    (
        "rubber thinner than an atom",
        &[(THREADS, "material = { name = \"rubber\", thickness = 1e-12 }")],
        Remarked("density"),
    ),
    (
        "wind of no number",
        &[("substeps = 30", "substeps = 30\nwind = { velocity = [nan, 0, 0] }")],
        Refused("the velocity of the wind"),
    ),
    (
        "air of negative density",
        &[("substeps = 30", "substeps = 30\nwind = { velocity = [1, 0, 0], density = -1 }")],
        Refused("the density of the air is -1.0"),
    ),
    (
        "lift 1e9",
        &[("substeps = 30", "substeps = 30\nwind = { velocity = [1, 0, 0], lift = 1e9 }")],
        Untrusted,
    ),
    (
        "still air that drags by 1e9",
        &[("substeps = 30", "substeps = 30\nwind = { velocity = [0, 0, 0], drag = 1e9 }")],
        Untrusted,
    ),
    (
        "a board in one substep",
        &[
            ("substeps = 30", "substeps = 1"),
            (THREADS, "edges = { compliance = 1e-7 }\nbending = { stiffness = 1e15 }"),
        ],
        Untrusted,
    ),
    (
        "warp without weft",
        &[(THREADS, "material = { warp = 1e15, weft = 1e-9, shear = 1e3, poisson = 0.1, thickness = 1e-3 }")],
        NotGood,
    ),
    (
        "pressure in a sheet",
        &[(THREADS, "edges = { compliance = 1e-7 }\npressure = { factor = 2 }")],
        Refused("the surface is not closed"),
    ),
];

const TIE: &str =
    "[[stitch]]\nbodies = [\"sheet\", \"ball\"]\nto = \"vertices\"\npairs = [[76, 0]]\nkeep_distance = true";

pub(super) const TIES: &[Case<'_>] = &[
    (
        "a stitch as soft as nothing",
        &[("keep_distance = true", "keep_distance = true\nstiffness = 1e-18")],
        Remarked("loose"),
    ),
    (
        "an attachment as soft as nothing",
        &[(
            TIE,
            "[[attachment]]\nbodies = [\"ball\", \"sheet\"]\nregion = { vertices = [0] }\ncompliance = 1e18",
        )],
        Remarked("loose"),
    ),
    (
        "an attachment of nothing",
        &[(
            TIE,
            "[[attachment]]\nbodies = [\"ball\", \"sheet\"]\nregion = { half_space = { point = [0, 9, 0], normal = [0, 1, 0] } }",
        )],
        Refused("selects none"),
    ),
    ("two bodies of one name", &[("name = \"ball\"", "name = \"sheet\"")], Refused("has the name of body 1")),
];
