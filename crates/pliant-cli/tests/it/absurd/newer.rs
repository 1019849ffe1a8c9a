//! Absurd scenes of methods, stages, obstacles, contact and seams.

use super::End::{NotGood, Refused, Remarked, Untrusted};
use super::{Case, EDGES, FLOOR};

/// A sheet and a ball that collide, the ball above them.
pub(super) const MEETING: &str = r#"frames = 10
frame_rate = 30
[solver]
substeps = 10
gravity = [0, -9.81, 0]
[[body]]
name = "sheet"
mesh = { grid = { vertices = [7, 7], size = [0.6, 0.6] } }
translate = [0, 0.2, 0]
edges = { compliance = 1e-7 }
collide = true
[[body]]
name = "ball"
mesh = { ball = { radius = 0.1, shells = 2 } }
rest_on = 0.4
edges = { compliance = 1e-5 }
collide = true
[[obstacle]]
floor = {}
[output]
formats = ["pc2"]
"#;

/// Two panels that are sewn together without weight.
pub(super) const SEWN: &str = r#"frames = 20
frame_rate = 30
[solver]
substeps = 20
gravity = [0, 0, 0]
[[body]]
name = "a"
mesh = { grid = { vertices = [7, 7], size = [0.5, 0.5] } }
rotate = [90, 0, 0]
translate = [0, 1, -0.1]
material = "cotton"
[[body]]
name = "b"
mesh = { grid = { vertices = [7, 7], size = [0.5, 0.5] } }
rotate = [90, 0, 0]
translate = [0, 1, 0.1]
material = "cotton"
[[seam]]
bodies = ["b", "a"]
close_time = 0.3
borders = [{ half_space = { point = [0, 0.99, 0], normal = [0, 1, 0] }, relative = true }, { half_space = { point = [0, 0.99, 0], normal = [0, 1, 0] }, relative = true }]
[output]
formats = ["pc2"]
"#;

pub(super) const METHODS: &[Case<'_>] = &[
    (
        "Newton to 1e-31",
        &[
            ("substeps = 30", "substeps = 2\nmethod = \"newton\"\naccuracy = 1e-31"),
            (EDGES, "material = { young = 1e5, poisson = 0.4 }"),
        ],
        Remarked("resolution"),
    ),
    (
        "accuracy 1e30",
        &[("substeps = 30", "method = \"auto\"\naccuracy = 1e30")],
        Refused("the accuracy is 1"),
    ),
    (
        "Newton of 1e15 Pa",
        &[
            ("substeps = 30", "substeps = 4\nmethod = \"newton\""),
            (EDGES, "material = { young = 1e15, poisson = 0.4 }"),
        ],
        NotGood,
    ),
    (
        "Newton under 1e9 m/s²",
        &[
            ("substeps = 30", "substeps = 4\nmethod = \"newton\""),
            ("-9.81", "-1e9"),
            (EDGES, "material = { young = 1e5, poisson = 0.4 }"),
        ],
        Untrusted,
    ),
    (
        "coarse levels of nothing rigid",
        &[("substeps = 30", "method = \"coarse\"")],
        Refused("method is coarse"),
    ),
    ("frame rate 1e-9", &[("frame_rate = 30", "frame_rate = 1e-9"), ("= 20", "= 3")], Untrusted),
    (
        "1e9 substeps",
        &[("substeps = 30", "substeps = 1000000000")],
        Refused("the number of substeps is 1000000000"),
    ),
    ("gravity 1e30", &[("-9.81", "-1e30")], Refused("gravity")),
    ("gravity 1e12", &[("-9.81", "-1e12")], Untrusted),
    ("no frames", &[("frames = 20", "frames = 0")], Refused("the number of frames is 0")),
    ("drag 1e9", &[("substeps = 30", "substeps = 30\ndrag = 1e9")], Remarked("still")),
    (
        "all vertices held",
        &[(EDGES, "edges = { compliance = 1e-5 }\npin = [{ all = true }]")],
        Remarked("still"),
    ),
    (
        "a group twice in the order",
        &[("substeps = 30", "order = [\"edges\", \"edges\"]")],
        Refused("named twice"),
    ),
    ("gas of 1e9 Pa", &[(EDGES, "edges = { compliance = 1e-5 }\npressure = { gas = 1e9 }")], Untrusted),
    (
        "a millionth of the volume",
        &[(EDGES, "edges = { compliance = 1e-5 }\npressure = { factor = 1e-6 }")],
        Untrusted,
    ),
    (
        "thirty subdivisions",
        &[(EDGES, "edges = { compliance = 1e-5 }\nvisual = { boundary = { subdivide = 30 } }")],
        Refused("subdivisions"),
    ),
    (
        "a stage of 1e12 m/s²",
        &[(
            "[output]",
            "[[stage]]\nname = \"a\"\n[[stage]]\nname = \"b\"\nstart = 0.3\ngravity = [0, -1e12, 0]\n[output]",
        )],
        Untrusted,
    ),
    (
        "a stage of one substep",
        &[(
            "[output]",
            "[[stage]]\nname = \"a\"\n[[stage]]\nname = \"b\"\nstart = 0.3\nsubsteps = 1\ngravity = [0, -1e4, 0]\n[output]",
        )],
        NotGood,
    ),
    (
        "a stage after the end",
        &[("[output]", "[[stage]]\nname = \"a\"\n[[stage]]\nname = \"b\"\nstart = 1e9\n[output]")],
        Refused("when the run"),
    ),
    (
        "a stage at no time",
        &[("[output]", "[[stage]]\nname = \"a\"\n[[stage]]\nname = \"b\"\nstart = nan\n[output]")],
        Refused("the start of the stage"),
    ),
];

pub(super) const OBSTACLES: &[Case<'_>] = &[
    ("a box of a micrometre", &[(FLOOR, "box = { min = [-1, -1e-6, -1], max = [1, 0, 1] }")], Untrusted),
    (
        "a thin box at 100 m/s",
        &[(FLOOR, "box = { min = [-1, -0.01, -1], max = [1, 0, 1] }\nmotion = { velocity = [0, 100, 0] }")],
        Untrusted,
    ),
    (
        "a thin box that jumps",
        &[(
            FLOOR,
            "box = { min = [-1, -0.01, -1], max = [1, 0, 1] }\nmotion = { keyframes = [{ time = 0 }, { time = 0.1 }, { time = 0.10001, translate = [0, 2, 0] }] }",
        )],
        Untrusted,
    ),
    (
        "a wire",
        &[(FLOOR, "capsule = { from = [-1, 0.05, 0], to = [1, 0.05, 0], radius = 1e-9 }")],
        Remarked("obstacle"),
    ),
    (
        "a bullet",
        &[
            ("-9.81", "0"),
            (
                FLOOR,
                "sphere = { centre = [0.05, -1, 0], radius = 0.02 }\nmotion = { velocity = [0, 1000, 0] }",
            ),
        ],
        Remarked("obstacle"),
    ),
    (
        "a hull that jumps",
        &[(
            FLOOR,
            "hull = { points = [[-1, -1, -1], [1, -1, -1], [0, -1, 1], [0, 0, 0]] }\nmotion = { keyframes = [{ time = 0 }, { time = 0.1 }, { time = 0.1000001, translate = [0, 0.5, 0] }] }",
        )],
        NotGood,
    ),
    (
        "a grain",
        &[(FLOOR, "hull = { points = [[0, 0, 0], [1e-9, 0, 0], [0, 0, 1e-9], [0, 1e-9, 0]] }")],
        Remarked("obstacle"),
    ),
    (
        "a hull without volume",
        &[(FLOOR, "hull = { points = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]] }")],
        Refused("in one plane"),
    ),
    (
        "ground of a nanometre",
        &[(FLOOR, "height_field = { heights = [[0, 0], [0, 0]], spacing = 1e-9 }")],
        Remarked("obstacle"),
    ),
    (
        "ground with a spike",
        &[(
            FLOOR,
            "height_field = { heights = [[0, 0, 0], [0, 1e6, 0], [0, 0, 0]], spacing = 1, origin = [-1, 0, -1] }",
        )],
        Refused("f32 rounds its surface"),
    ),
    (
        "ground that is no number",
        &[(FLOOR, "height_field = { heights = [[0, 0], [0, nan]], spacing = 1 }")],
        Refused("the height is NaN"),
    ),
    (
        "a ball that orbits",
        &[(
            FLOOR,
            "sphere = { centre = [0.5, 0.3, 0], radius = 0.05 }\nmotion = { spin = { axis = [0, 1, 0], degrees_per_second = 1e6 } }",
        )],
        Remarked("obstacle"),
    ),
    (
        "a grid too coarse for its solid",
        &[(FLOOR, "sdf = { mesh = \"plate.obj\", cell = 1e6 }")],
        Refused("no node of the grid is inside"),
    ),
    ("a grid too fine", &[(FLOOR, "sdf = { mesh = \"plate.obj\", cell = 1e-6 }")], Refused("make a grid of")),
    (
        "a plate of a grid at 200 m/s",
        &[
            ("-9.81", "0"),
            (FLOOR, "sdf = { mesh = \"plate.obj\", cell = 0.02 }\nmotion = { velocity = [0, 200, 0] }"),
        ],
        Untrusted,
    ),
];

pub(super) const CONTACTS: &[Case<'_>] = &[
    ("a radius of 1e-30", &[("collide = true", "collide = true\ncontact_radius = 1e-30")], Refused("thick")),
    (
        "a radius larger than the body",
        &[("collide = true", "collide = true\ncontact_radius = 1e6")],
        Refused("give it a smaller contact radi"),
    ),
    (
        "friction 1e18",
        &[("collide = true", "collide = { friction = 1e18 }")],
        Refused("the coefficient of friction is 1e18"),
    ),
    (
        "contacts that do not resist",
        &[("collide = true", "collide = { compliance = 1e18 }"), ("= 10", "= 30")],
        Untrusted,
    ),
    (
        "a pair with nobody",
        &[("[output]", "[[contact]]\nbodies = [\"sheet\", \"nobody\"]\nfriction = 0.1\n[output]")],
        Refused("there is no body \"nobody\""),
    ),
    (
        "a sheet of a gram and a ball of a ton",
        &[
            ("collide = true", "collide = true\narea_density = 1e-6"),
            ("rest_on = 0.4", "rest_on = 0.4\ndensity = 1e6"),
        ],
        Remarked("density"),
    ),
    (
        "two sheets at one place",
        &[(
            "mesh = { ball = { radius = 0.1, shells = 2 } }\nrest_on = 0.4",
            "mesh = { grid = { vertices = [7, 7], size = [0.6, 0.6] } }\ntranslate = [0, 0.2, 0]",
        )],
        NotGood,
    ),
    ("a ball that starts in a sheet", &[("rest_on = 0.4", "rest_on = 0.1")], NotGood),
    (
        "an obstacle that jumps through",
        &[(
            "[[obstacle]]\nfloor = {}",
            "[[body]]\nname = \"hammer\"\nobstacle = true\nmesh = { ball = { radius = 0.05, shells = 2 } }\nmotion = { keyframes = [{ time = 0 }, { time = 0.1 }, { time = 0.100001, translate = [0, 2, 0] }] }",
        )],
        NotGood,
    ),
];

pub(super) const SEAMS: &[Case<'_>] = &[
    ("seam over 1e6 m", &[("-0.1]", "-1e6]")], Untrusted),
    (
        "seam that closes in -1 s",
        &[("close_time = 0.3", "close_time = -1")],
        Refused("the time to close the seam"),
    ),
    ("seam that closes in 1e12 s", &[("close_time = 0.3", "close_time = 1e12")], Remarked("still")),
    (
        "seam that closes over 20 m at once",
        &[("close_time = 0.3", "close_time = 1e-30"), ("-0.1]", "-20]")],
        Untrusted,
    ),
    (
        "sheets that are held",
        &[
            ("material = \"cotton\"", "material = \"cotton\"\npin = [{ all = true }]"),
            ("material = \"cotton\"\n[[seam]]", "material = \"cotton\"\npin = [{ all = true }]\n[[seam]]"),
        ],
        Remarked("still"),
    ),
];
