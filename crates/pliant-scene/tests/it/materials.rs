//! Materials, stitches and other constraints of bodies, and their effect in the simulation.

use nalgebra::Vector3;
use pliant_scene::{Built, Scene};

fn build(text: &str) -> Built<f64> {
    Scene::parse(text, "").and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn positions(built: &Built<f64>, body: usize) -> Vec<Vector3<f64>> {
    built.simulation.positions_of(built.bodies[body].particles.clone())
}

fn run(built: &mut Built<f64>, frames: usize) {
    for _ in 0..frames {
        built.simulation.step(1.0 / 60.0).unwrap();
    }
}

fn total_mass(built: &Built<f64>) -> f64 {
    built.simulation.inverse_masses().iter().map(|w| 1.0 / w).sum()
}

#[test]
fn densities_follow_from_the_material() {
    let sheet = |more: &str| {
        total_mass(&build(&format!(
            "[[body]]\nmesh = {{ grid = {{ vertices = [3, 3], size = [2, 1] }} }}\n{more}\n"
        )))
    };
    let near =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    near(sheet("material = \"denim\""), 2.0 * 0.324);
    near(sheet("material = \"denim\"\narea_density = 0.5"), 1.0);
    near(sheet("material = { name = \"rubber\", thickness = 0.001 }"), 2.0 * 0.93);
    near(sheet("material = { name = \"rubber\", thickness = 0.001 }\ndensity = 1200"), 2.4);
    near(sheet("material = { young = 1e6, poisson = 0.3, thickness = 0.002 }\ndensity = 500"), 2.0);
    near(sheet("material = { young = 1e6, poisson = 0.3, thickness = 0.002 }"), 0.4);
    let ball =
        "[[body]]\nmesh = { block = { cells = [1, 1, 1], size = [1, 1, 2] } }\nmaterial = \"muscle\"\n";
    near(total_mass(&build(ball)), 2.0 * 1050.0);
    near(total_mass(&build(&ball.replace("\"muscle\"", "\"muscle\"\ndensity = 1000"))), 2000.0);
}

/// How far a strip hung by its upper end is stretched, as a share of its length.
fn elongation(turn: &str, material: &str, cells: usize) -> f64 {
    let mut built = build(&format!(
        "[solver]\nsubsteps = 40\ndrag = 5\n[[body]]\n\
         mesh = {{ grid = {{ vertices = [{}, {}], size = [0.25, 1.0] }} }}\nrotate = [90, 0, 0]\n{turn}\n{material}\n\
         pin = [{{ half_space = {{ point = [0, 1, 0], normal = [0, 1, 0] }}, relative = true }}]\n",
        cells / 4 + 1,
        cells + 1,
    ));
    let lowest = |x: &[Vector3<f64>]| x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let before = lowest(&positions(&built, 0));
    run(&mut built, 240);
    before - lowest(&positions(&built, 0))
}

#[test]
fn a_hanging_strip_stretches_as_its_modulus_says_at_every_resolution() {
    // A strip of weight ρ A g stretches by ρ g L²/(2E); ν = 0, so that the pinned end does not matter.
    let material = "material = { young = 1e5, poisson = 0.0, thickness = 1e-3 }\ndensity = 1000";
    let expected = 1000.0 * 9.81 / (2.0 * 1e5);
    for cells in [8, 16] {
        let found = elongation("", material, cells);
        // Saint Venant–Kirchhoff stiffens by about 3/2 of the strain.
        assert!((found / expected - 1.0).abs() < 0.12, "{cells} cells: {found} for {expected}");
    }
}

/// How far a sheet that is clamped along an edge hangs down in the middle of the opposite one, as a share of
/// the value of plate theory, q L⁴/(8 D): `length` L is in m, the load q and the rigidity D per density of 1
/// kg/m².
///
/// Two columns of vertices are held; the hinges at the second bend for half a cell to either side, so that
/// the sheet begins in the middle between them. It is four times as wide as long, so that it is bent to a
/// cylinder.
fn clamped(cells: usize, length: f64, material: &str, [load, rigidity]: [f64; 2]) -> f64 {
    let step = length / (cells as f64 + 0.5);
    let size = length + 0.5 * step;
    let mut built = build(&format!(
        "[solver]\nsubsteps = 100\ndrag = 8\ngravity = [0, {}, 0]\n[[body]]\n\
         mesh = {{ grid = {{ vertices = [{}, {}], size = [{size}, {}] }} }}\n{material}\n\
         pin = [{{ box = {{ min = [-1, -1, -1], max = [{}, 1, 1] }} }}]\n",
        -load,
        cells + 2,
        4 * cells + 1,
        4.0 * step * cells as f64,
        1.01 * step - 0.5 * size,
    ));
    let x = positions(&built, 0);
    let middle = (0..x.len()).find(|&v| x[v].x > 0.5 * size - 1e-6 && x[v].z.abs() < 1e-6).unwrap();
    run(&mut built, 120);
    -positions(&built, 0)[middle].y * 8.0 * rigidity / (load * length.powi(4))
}

/// The load under which a sheet of a length, m, and a rigidity per density of 1 kg/m² sinks by a twentieth of
/// its length: the theory is for small ones.
fn small_load(length: f64, rigidity: f64) -> f64 {
    0.05 * 8.0 * rigidity / length.powi(3)
}

/// Grids have diagonals that alternate, between which cells are not flat where the sheet is bent along its
/// sides: it goes to 6/5 of the deflection of a plate, in first order of the cells (the linear equations of
/// the same hinges, solved directly: 1.0764, 1.1346, 1.1664 and 1.1832 with 4, 8, 16 and 32 of them).
fn check_clamped(length: f64, material: &str, rigidity: f64) {
    let [coarse, fine] =
        [4, 8].map(|cells| clamped(cells, length, material, [small_load(length, rigidity), rigidity]));
    assert!((coarse / 1.0764 - 1.0).abs() < 0.01, "{material}: {coarse}");
    assert!((fine / 1.1346 - 1.0).abs() < 0.01, "{material}: {fine}");
    let limit = 2.0 * fine - coarse;
    assert!((limit - 1.2).abs() < 0.02, "{material}: {limit}");
}

#[test]
fn a_clamped_sheet_bends_as_its_rigidity_says_at_every_resolution() {
    for form in ["modulus = 1e-3", "modulus = 1e-3, model = \"isometric\""] {
        let material = format!(
            "material = {{ young = 1e6, poisson = 0, thickness = 1e-3 }}\narea_density = 1\nbending = {{ {form} }}"
        );
        check_clamped(0.1, &material, 1e-3);
    }
}

#[test]
fn a_clamped_sheet_of_denim_bends_as_it_was_measured() {
    // Rigidity over density: a quarter of the number in the fabric's file.
    check_clamped(0.06, "material = \"denim\"", 0.25 * 64.2e-6 / 0.324);
}

#[test]
fn the_warp_of_denim_turns_with_the_body() {
    // The strip hangs along the weft of its mesh, unless the scene says that the warp runs there: five times as stiff.
    let along = elongation("", "material = { name = \"denim\", warp_direction = [0, 0, 1] }", 12);
    let across = elongation("", "material = \"denim\"", 12);
    assert!((4.0..6.0).contains(&(across / along)), "{across} {along}");
    assert!((along / (0.324 * 9.81 / (2.0 * 1013.0)) - 1.0).abs() < 0.1, "{along}");
}

#[test]
fn regions_are_stiffer() {
    let sag = |vary: &str| {
        let mut built = build(&format!(
            "[solver]\nsubsteps = 40\ndrag = 5\n[[body]]\n\
             mesh = {{ block = {{ cells = [4, 1, 1], size = [0.4, 0.1, 0.1] }} }}\n\
             material = {{ young = 3e5, poisson = 0.3 }}\n{vary}\n\
             pin = [{{ half_space = {{ point = [0, 0, 0], normal = [-1, 0, 0] }}, relative = true }}]\n"
        ));
        run(&mut built, 120);
        -positions(&built, 0).iter().map(|x| x.y).fold(f64::INFINITY, f64::min) - 0.05
    };
    let everywhere = "{ half_space = { point = [0, 0, 0], normal = [1, 0, 0] }, relative = true }";
    let soft = sag("");
    let double = sag(&format!("vary = [{{ region = {everywhere}, factor = 2 }}]"));
    assert!((1.8..2.2).contains(&(soft / double)), "{soft} {double}");
    // The factors of overlapping regions are multiplied.
    let twice = sag(&format!(
        "vary = [{{ region = {everywhere}, factor = 2 }}, {{ region = {everywhere}, factor = 0.5, of = [\"solids\"] }}]"
    ));
    assert!((twice / soft - 1.0).abs() < 1e-9, "{twice} {soft}");
}

#[test]
fn stitches_drag_and_attachments_hold() {
    let text = r#"
        [solver]
        gravity = [0, 0, 0]
        substeps = 20
        damping = 3
        [[body]]
        name = "puller"
        mesh = { grid = { vertices = [4, 4], size = [0.3, 0.3] } }
        edges = "rigid"
        pin = [{ vertices = [0, 3, 12, 15], motion = { keyframes = [{ time = 0 }, { time = 1, translate = [0, 0.2, 0] }] } }]
        [[body]]
        name = "pulled"
        mesh = { grid = { vertices = [4, 4], size = [0.3, 0.3] } }
        translate = [0, -0.005, 0]
        edges = "rigid"
    "#;
    let ties = [
        "[[stitch]]\nbodies = [\"pulled\", \"puller\"]\nto = \"vertices\"\nradius = 0.006",
        "[[stitch]]\nbodies = [\"pulled\", \"puller\"]\nto = \"vertices\"\npairs = [[0, 0], [3, 3], [12, 12], [15, 15]]",
        "[[stitch]]\nbodies = [\"pulled\", \"puller\"]\nto = \"edges\"\nradius = 0.006\nyoung = 1e7",
        "[[stitch]]\nbodies = [\"pulled\", \"puller\"]\nto = \"triangles\"\nradius = 0.006\nyoung = 1e7",
        "[[attachment]]\nbodies = [\"pulled\", \"puller\"]\nregion = { vertices = [0, 3, 12, 15] }",
    ];
    for tie in ties {
        let mut built = build(&format!("{text}\n{tie}\n"));
        run(&mut built, 120);
        let mean = positions(&built, 1).iter().map(|x| x.y).sum::<f64>() / 16.0;
        assert!((0.19..0.205).contains(&mean), "{tie}: {mean}");
    }
    let mut built = build(text);
    run(&mut built, 120);
    assert!(positions(&built, 1).iter().all(|x| x.y.abs() < 0.01));
}

#[test]
fn a_balloon_has_the_volume_that_it_is_given() {
    let mut built = build(
        r#"
        [solver]
        gravity = [0, 0, 0]
        damping = 5
        [[body]]
        mesh = { icosphere = { radius = 0.1, frequency = 4 } }
        material = { name = "rubber", thickness = 1e-3 }
        pressure = { factor = 1.5 }
        "#,
    );
    run(&mut built, 60);
    let pliant_io::Mesh::Tri(skin) = &built.bodies[0].mesh else { panic!("not cloth") };
    let now = skin.with_positions(positions(&built, 0)).unwrap();
    let ratio = now.enclosed_volume() / skin.enclosed_volume();
    assert!((ratio - 1.5).abs() < 5e-3, "{ratio}");
}

#[test]
fn a_shape_comes_back() {
    let mut built = build(
        r#"
        [solver]
        gravity = [0, 0, 0]
        [[body]]
        mesh = { grid = { vertices = [4, 4], size = [1, 1] } }
        edges = { compliance = 1.0 }
        velocity = [1, 0, 0]
        shape = [{}]
        pin = [{ vertices = [0] }]
        "#,
    );
    run(&mut built, 30);
    let x = positions(&built, 0);
    for (i, j) in [(0, 3), (0, 12), (3, 12), (5, 10)] {
        let rest = built.bodies[0].mesh.positions();
        let (now, then) = ((x[i] - x[j]).norm(), (rest[i] - rest[j]).norm());
        assert!((now / then - 1.0).abs() < 0.05, "{i} {j}: {now} {then}");
    }
}

/// How far the lowest vertex of a soft strip that is released gets below its upper end within a second, m; it
/// is 1 m long.
fn farthest(substeps: u32, more: &str) -> f64 {
    let mut built = build(&format!(
        "[solver]\nsubsteps = {substeps}\n[[body]]\nmesh = {{ grid = {{ vertices = [3, 31], size = [0.05, 1] }} }}\nrotate = [90, 0, 0]\nedges = {{ compliance = 1.0 }}\n{more}\n\
         pin = [{{ half_space = {{ point = [0, 1, 0], normal = [0, 1, 0] }}, relative = true }}]\n"
    ));
    let mut low = f64::INFINITY;
    for _ in 0..60 {
        run(&mut built, 1);
        low = positions(&built, 0).iter().map(|x| x.y).fold(low, f64::min);
    }
    0.5 - low
}

#[test]
fn tethers_bound_the_distance_from_the_pins() {
    assert!(farthest(5, "") > 1.2);
    assert!(farthest(5, "tethers = true") < 1.01);
    let slack = farthest(5, "tethers = { slack = 0.1 }");
    assert!((1.05..1.11).contains(&slack), "{slack}");
    assert!(farthest(5, "tethers = false") > 1.2);
}

#[test]
fn a_limit_bounds_the_stretch() {
    // A limit is rigid, so its error is that of thirty rigid edges; it falls with the square of the substeps.
    let over = |substeps| farthest(substeps, "strain_limit = { stretch = 0.02 }") - 1.02;
    let (few, many) = (over(40), over(160));
    assert!(many.abs() < 5e-3 && many < 0.5 * few, "{few} {many}");
    let wider = farthest(160, "strain_limit = { stretch = 0.1 }");
    assert!((1.09..1.11).contains(&wider), "{wider}");
    assert!(farthest(160, "") > 1.2, "without one it stretches farther");
}

#[test]
fn a_damped_soft_pin_comes_to_rest() {
    let off = |damping: &str| {
        let mut built = build(&format!(
            "[[body]]\nmesh = {{ grid = {{ vertices = [3, 3], size = [0.2, 0.2] }} }}\nedges = \"rigid\"\narea_density = 1\n\
             pin = [{{ vertices = [0, 2, 6, 8], compliance = 0.02{damping} }}]\n"
        ));
        run(&mut built, 60);
        // Four springs of 50 N/m carry 0.04 kg.
        (positions(&built, 0)[0].y + 0.04 * 9.81 / 200.0).abs()
    };
    let (damped, free) = (off(", damping_time = 0.05"), off(""));
    assert!(damped < 1e-4 && free > 10.0 * damped, "{damped} {free}");
}

#[test]
fn odd_pairs_are_noted() {
    let scene = |pairs: &str| {
        let text = format!(
            "[[body]]\nname = \"a\"\nmesh = {{ grid = {{ vertices = [3, 3], size = [1, 1] }} }}\nedges = \"rigid\"\n\
             [[body]]\nname = \"b\"\nmesh = {{ grid = {{ vertices = [3, 3], size = [1, 1] }} }}\nedges = \"rigid\"\ntranslate = [0, 0.01, 0]\n\
             [[stitch]]\nbodies = [\"a\", \"b\"]\nto = \"edges\"\npairs = {pairs}\n"
        );
        let built = build(&text);
        assert!(built.bodies[0].notes.is_empty(), "they are told of the body that is sewn to");
        built.bodies[1].notes.join("\n")
    };
    assert_eq!(scene("[[0, 0, 1], [1, 0, 1]]"), "");
    let notes = scene("[[0, 0, 1], [1, 0, 8], [0, 1, 0]]");
    assert!(
        notes.contains("stitch 0") && notes.contains("repeat an earlier one") && notes.contains("[0, 1, 0]"),
        "{notes}"
    );
    assert!(notes.contains("no edge") && notes.contains("[1, 0, 8]"), "{notes}");
}
