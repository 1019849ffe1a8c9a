use super::*;
use crate::model::{Precision, SceneModel};

/// A ball with edges of 5 cm above a floor, with extra lines for the body and for the scene.
fn ball(body: &str, scene: &str) -> String {
    format!(
        r#"
        frames = 60
        frame_rate = 60
        [[body]]
        name = "ball"
        mesh = {{ ball = {{ radius = 0.2, shells = 3 }} }}
        {body}
        [[obstacle]]
        floor = {{}}
        {scene}
        "#
    )
}

const ABOVE: &str = "rest_on = 0.1\nedges = { compliance = 1e-6 }";

fn remarks(text: &str) -> Vec<Remark> {
    let scene = Scene::parse(text, ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    match scene.model.precision {
        Precision::F64 => scene.foresee(&scene.build::<f64>().unwrap()),
        _ => scene.foresee(&scene.build::<f32>().unwrap()),
    }
}

/// The only remark on a scene, which must be of this kind.
fn one(kind: RemarkKind, text: &str) -> Remark {
    let remarks = remarks(text);
    assert_eq!(remarks.len(), 1, "{remarks:?}");
    assert_eq!(remarks[0].kind, kind);
    assert!(!remarks[0].remedy.is_empty() && !remarks[0].numbers.is_empty());
    remarks[0].clone()
}

fn number(remark: &Remark, name: &str) -> f64 {
    remark.numbers.iter().find(|number| number.name == name).unwrap().value
}

#[test]
fn a_plain_scene_has_no_remarks() {
    assert_eq!(remarks(&ball(ABOVE, "")), []);
    let SceneModel { bodies, .. } = Scene::parse(&ball(ABOVE, ""), ".").unwrap().model;
    assert_eq!(bodies.len(), 1);
}

#[test]
fn kinds_have_the_names_that_files_have() {
    for kind in [RemarkKind::Resolution, RemarkKind::MassRatio, RemarkKind::Start, RemarkKind::Passing] {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
    }
}

#[test]
fn far_from_the_origin_single_precision_is_too_coarse() {
    let far =
        |x: f64, scene: &str| format!("{scene}\n{}", ball(&format!("{ABOVE}\ntranslate = [{x}, 0, 0]"), ""));
    let remark = one(RemarkKind::Resolution, &far(1e5, ""));
    assert!((number(&remark, "rounding") / 1.19e-2 - 1.0).abs() < 0.01, "{remark:?}");
    assert!(remark.remedy.contains("precision = \"f64\""), "{remark}");
    assert_eq!(remarks(&far(1e4, "precision = \"f64\"")), []);
    assert_eq!(remarks(&far(100.0, "")), []);
}

#[test]
fn a_short_substep_makes_velocities_of_roundings() {
    let short = ball(&format!("{ABOVE}\ntranslate = [20, 0, 0]"), "[solver]\nsubsteps = 2000");
    let remark = one(RemarkKind::Resolution, &short);
    assert!(remark.what.contains("velocities"), "{remark}");
    assert!(number(&remark, "rounding-of-velocity") > 0.1, "{remark:?}");
    assert_eq!(remarks(&short.replace("2000", "20")), []);
    assert_eq!(remarks(&format!("precision = \"f64\"\n{short}")), []);
}

#[test]
fn a_shorter_way_of_gravity_than_a_rounding_makes_weights_wrong() {
    let short = ball(&format!("{ABOVE}\ntranslate = [1, 0, 0]"), "[solver]\nsubsteps = 300");
    let short = format!("precision = \"f32\"\n{short}");
    let remark = one(RemarkKind::Resolution, &short);
    assert!(remark.what.contains("its weight is wrong"), "{remark}");
    assert_eq!(remarks(&short.replace("300", "100")), []);
    assert_eq!(remarks(&short.replace("f32", "f64")), []);
}

#[test]
fn an_accuracy_below_rounding_is_not_reached() {
    let asked =
        |accuracy: f64| ball(ABOVE, &format!("[solver]\nmethod = \"newton\"\naccuracy = {accuracy:e}"));
    assert_eq!(number(&one(RemarkKind::Resolution, &asked(1e-12)), "accuracy"), 1e-12);
    assert_eq!(remarks(&asked(1e-3)), []);
    assert_eq!(remarks(&format!("precision = \"f64\"\n{}", asked(1e-12))), []);
}

#[test]
fn ratios_of_masses_name_the_pair() {
    let tied = |density: f64| {
        format!(
            r#"
            frames = 10
            [[body]]
            name = "cube"
            mesh = {{ block = {{ cells = [2, 2, 2], size = [0.2, 0.2, 0.2] }} }}
            density = {density}
            edges = {{ compliance = 1e-6 }}
            [[body]]
            name = "sheet"
            mesh = {{ grid = {{ vertices = [5, 5], size = [0.2, 0.2] }} }}
            edges = {{ compliance = 1e-6 }}
            pin = [{{ vertices = [0] }}]
            [[attachment]]
            bodies = ["cube", "sheet"]
            region = {{ all = true }}
            "#
        )
    };
    // An eighth of a cube of 10 cm against a sixteenth of 0.04 m² at 0.2 kg/m².
    let text = tied(2e4).replace("region = { all = true }", "region = { vertices = [0] }");
    let Ok(scene) = Scene::parse(&text, ".") else { panic!("{:?}", Scene::parse(&text, ".")) };
    let remarks = scene.foresee(&scene.build::<f64>().unwrap());
    let remark = remarks.iter().find(|r| r.kind == RemarkKind::MassRatio).expect("a remark");
    assert_eq!(remark.bodies, ["sheet", "cube"], "{remark:?}");
    assert!(number(remark, "ratio") > 1e3, "{remark:?}");
    assert!(matches!(remark.part, Some(Feature::Pair(_))));
    let light = text.replace("20000", "100");
    let scene = Scene::parse(&light, ".").unwrap();
    assert_eq!(scene.foresee(&scene.build::<f64>().unwrap()), []);
}

#[test]
fn densities_of_nothing_are_remarked_on() {
    let remark = one(RemarkKind::Density, &ball(&format!("{ABOVE}\ndensity = 1e12"), ""));
    assert_eq!(number(&remark, "density"), 1e12);
    assert!(remark.what.contains("kg/m³"), "{remark}");
    assert_eq!(remarks(&ball(&format!("{ABOVE}\ndensity = 7800"), "")), []);
}

#[test]
fn a_stiff_solid_is_given_a_number_of_substeps_that_resolves_it() {
    let stiff = |substeps: u32| {
        ball(
            "rest_on = 0.1\nmaterial = { young = 1e7, poisson = 0.4 }",
            &format!("[solver]\nsubsteps = {substeps}"),
        )
    };
    let remark = one(RemarkKind::Substeps, &stiff(10));
    let wanted = number(&remark, "substeps");
    assert!((20.0..1000.0).contains(&wanted), "{remark}");
    assert!(remark.remedy.contains(&format!("Use {wanted} substeps")), "{remark}");
    assert!(matches!(remark.part, Some(Feature::Tetrahedron(_))));
    // The advised number is enough, and the stiffness number scales with the square of the substep.
    assert_eq!(remarks(&stiff(wanted as u32)), []);
    let half = one(RemarkKind::Substeps, &stiff(5));
    assert!((number(&half, "stiffness-number") / number(&remark, "stiffness-number") - 4.0).abs() < 1e-9);
    // Absurd moduli get no number of substeps.
    let absurd = one(RemarkKind::Substeps, &stiff(10).replace("1e7", "1e15"));
    assert!(absurd.remedy.starts_with("Even the largest number"), "{absurd}");
}

#[test]
fn a_soft_solid_that_lands_fast_is_given_substeps() {
    let falling = |height: f64, substeps: u32| {
        let body = format!("rest_on = {height}\nmaterial = {{ young = 2e4, poisson = 0.4 }}");
        ball(&body, &format!("[solver]\nsubsteps = {substeps}"))
    };
    let remark = one(RemarkKind::Substeps, &falling(2.0, 10));
    // A fall over 2 m.
    assert!((number(&remark, "landing-speed") - 6.264).abs() < 0.01, "{remark:?}");
    assert!(remark.what.contains("squashed"), "{remark}");
    assert_eq!(remarks(&falling(2.0, number(&remark, "substeps") as u32)), []);
    assert_eq!(remarks(&falling(0.01, 10)), []);
}

#[test]
fn stiffer_parts_of_a_solid_count() {
    let plain = ball("rest_on = 0.1\nmaterial = { young = 1e5, poisson = 0.4 }", "");
    assert_eq!(remarks(&plain), []);
    let varied = plain.replace(
        "poisson = 0.4 }",
        "poisson = 0.4 }\nvary = [{ factor = 1e4, region = { box = { min = [-9, -9, -9], max = [9, 9, 9] } } }]",
    );
    one(RemarkKind::Substeps, &varied);
}

#[test]
fn stiffness_does_not_matter_to_newtons_method() {
    let stiff = |method: &str| {
        ball(
            "rest_on = 0.1\nmaterial = { young = 1e7, poisson = 0.4 }",
            &format!("[solver]\nmethod = {method:?}"),
        )
    };
    one(RemarkKind::Substeps, &stiff("sweeps"));
    assert_eq!(remarks(&stiff("newton")), []);
}

#[test]
fn without_steady_the_bound_is_that_of_stability() {
    let plain = ball("rest_on = 0.1\nmaterial = { young = 1e7, poisson = 0.4, steady = false }", "");
    let remark = one(RemarkKind::Substeps, &plain);
    assert!(remark.what.contains("gains energy"), "{remark}");
    assert!(remark.remedy.starts_with("Leave `steady` out, or use "), "{remark}");
}

#[test]
fn nearly_incompressible_solids_lock() {
    let with = |poisson: &str| {
        ball(&format!("rest_on = 0.1\nmaterial = {{ young = 1e5, poisson = {poisson} }}"), "")
    };
    one(RemarkKind::Locking, &with("0.4999999"));
    assert_eq!(remarks(&with("0.49")), []);
}

#[test]
fn a_solid_that_its_weight_crushes() {
    let with =
        |young: &str| ball(&format!("rest_on = 0.1\nmaterial = {{ young = {young}, poisson = 0.3 }}"), "");
    let remark = one(RemarkKind::Weight, &with("1e-6"));
    // Half of 1000 kg/m³ · 9.81 m/s² · 0.4 m.
    assert!((number(&remark, "pressure") / 1962.0 - 1.0).abs() < 0.05, "{remark:?}");
    assert_eq!(remarks(&with("1e5")), []);
}

#[test]
fn particles_inside_an_obstacle_are_counted() {
    let remark = one(RemarkKind::Start, &ball("rest_on = -0.05\nedges = { compliance = 1e-6 }", ""));
    assert!((number(&remark, "depth") - 0.05).abs() < 1e-6, "{remark:?}");
    assert!(number(&remark, "count") >= 1.0);
    // A ball on the floor is not inside it.
    assert_eq!(remarks(&ball("rest_on = 0.0\nedges = { compliance = 1e-6 }", "")), []);
}

#[test]
fn obstacles_that_vertices_miss_are_named() {
    let with = |obstacle: &str| {
        ball("rest_on = 0.6\nedges = { compliance = 1e-6 }", "").replace("floor = {}", obstacle)
    };
    // Narrower than half an edge: it fits between vertices.
    let needle =
        |radius: f64| with(&format!("capsule = {{ from = [-1, 0, 0], to = [1, 0, 0], radius = {radius} }}"));
    let remark = one(RemarkKind::Obstacle, &needle(1e-3));
    assert!((number(&remark, "width") - 2e-3).abs() < 1e-9, "{remark:?}");
    assert_eq!(remarks(&needle(0.05)), []);
    assert_eq!(remarks(&needle(1e-3).replace("rest_on", "contact_radius = 0.05\nrest_on")), []);
    // Thinner than the way of a fall of 60 cm in a substep of 1/600 s, 5.7 mm.
    let plate = |low: f64| with(&format!("box = {{ min = [-1, {low}, -1], max = [1, 0, 1] }}"));
    let remark = one(RemarkKind::Obstacle, &plate(-0.005));
    assert!((number(&remark, "way") - 5.72e-3).abs() < 1e-4, "{remark:?}");
    assert_eq!(remarks(&plate(-0.01)), []);
    // It comes by itself; a fast floor only throws.
    let moving = |motion: &str| format!("{}\nmotion = {motion}", plate(-0.1));
    let remark = one(RemarkKind::Obstacle, &moving("{ velocity = [0, 100, 0] }"));
    assert!(remark.remedy.starts_with("Use "), "{remark}");
    let jump = "{ keyframes = [{ time = 0 }, { time = 0.1 }, { time = 0.100001, translate = [0, 0.5, 0] }] }";
    assert!((number(&one(RemarkKind::Obstacle, &moving(jump)), "way") - 0.5).abs() < 0.01);
    assert_eq!(remarks(&moving("{ velocity = [0, 1, 0] }")), []);
    let spin = "{ spin = { axis = [0, 1, 0], degrees_per_second = 1e6 } }";
    one(RemarkKind::Obstacle, &moving(spin));
    let floor = format!("{}\nmotion = {{ velocity = [0, 100, 0] }}", with("floor = {}"));
    assert!(one(RemarkKind::Obstacle, &floor).what.contains("throws"));
}

#[test]
fn scenes_in_which_nothing_happens() {
    let held = |pin: &str| ball(&format!("{ABOVE}\n{pin}"), "");
    one_without_numbers(RemarkKind::Still, &held("pin = [{ all = true }]"));
    assert_eq!(remarks(&held("pin = [{ all = true, release = 0.5 }]")), []);
    let dragged = |drag: f64| ball(ABOVE, &format!("[solver]\ndrag = {drag:e}"));
    assert_eq!(number(&one(RemarkKind::Still, &dragged(1e9)), "drag"), 1e9);
    assert_eq!(remarks(&dragged(5.0)), []);
    // 9.81 m/s² over 2.9e3 1/s, for a second: less than a hundredth of the ball.
    let crept = one(RemarkKind::Still, &dragged(2.9e3));
    assert!(crept.what.contains("bodies fall by 3.4e-3 m"), "{crept}");
    assert_eq!(remarks(&dragged(5e2)), []);
    let moved = dragged(2.9e3).replace("floor = {}", "floor = {}\nmotion = { velocity = [0, 0.01, 0] }");
    assert_eq!(remarks(&moved), []);
    let damped = |damping: f64| ball(ABOVE, &format!("[solver]\ndamping = {damping:e}"));
    assert_eq!(number(&one(RemarkKind::Still, &damped(1e8)), "damping"), 1e8);
    assert_eq!(remarks(&damped(100.0)), []);
    let staged = |key: &str| {
        let stages = format!("[[stage]]\nname = \"a\"\n[[stage]]\nname = \"b\"\nstart = 0.5\n{key} = 1e8\n");
        ball(ABOVE, &stages)
    };
    assert!(one(RemarkKind::Still, &staged("drag")).what.contains("drag of 1e8"));
    assert!(one(RemarkKind::Still, &staged("damping")).what.contains("damping of 1e8"));
}

#[test]
fn what_is_too_weak_to_be_seen() {
    let double = |text: String| format!("precision = \"f64\"\n{text}");
    let under = |gravity: f64| double(ball(ABOVE, &format!("[solver]\ngravity = [0, {gravity:e}, 0]")));
    assert!(one(RemarkKind::Still, &under(-1e-9)).what.starts_with("gravity moves nothing"));
    assert_eq!(remarks(&under(-1e-3)), []);
    assert_eq!(remarks(&under(0.0)), []);
    let pushed =
        |speed: f64| ball(&format!("{ABOVE}\nvelocity = [{speed:e}, 0, 0]"), "[solver]\ngravity = [0, 0, 0]");
    assert!(one(RemarkKind::Still, &pushed(1e-12)).what.starts_with("the velocity at the start"));
    assert_eq!(remarks(&pushed(1e-3)), []);
}

#[test]
fn springs_that_hold_nothing() {
    let pinned = |compliance: f64| {
        ball(&format!("{ABOVE}\npin = [{{ vertices = [0], compliance = {compliance:e} }}]"), "")
    };
    let remark = one(RemarkKind::Loose, &pinned(1e3));
    assert!(number(&remark, "time") > 1.0, "{remark:?}");
    assert_eq!(remarks(&pinned(1e-2)), []);
    let tied = |tie: &str| {
        two("", "translate = [0.5, 0, 0]", "") + &format!("[[{tie}\nbodies = [\"first\", \"second\"]\n")
    };
    let stitched = |stiffness: f64| {
        let tie = "to = \"vertices\"\npairs = [[0, 0]]\nkeep_distance = true\n";
        tied("stitch]]") + &format!("{tie}stiffness = {stiffness:e}\n")
    };
    assert_eq!(one(RemarkKind::Loose, &stitched(1e-6)).bodies, ["first", "second"]);
    assert_eq!(remarks(&stitched(1e2)), []);
    let attached = |compliance: f64| {
        tied("attachment]]") + &format!("region = {{ vertices = [0] }}\ncompliance = {compliance:e}\n")
    };
    one(RemarkKind::Loose, &attached(1e12));
    assert_eq!(remarks(&attached(1e-3)), []);
    let shaped = |compliance: f64| ball(&format!("{ABOVE}\nshape = [{{ compliance = {compliance:e} }}]"), "");
    one(RemarkKind::Loose, &shaped(1e18));
    assert_eq!(remarks(&shaped(1e-2)), []);
}

#[test]
fn limits_and_pressures_that_do_nothing() {
    let with = |line: &str| ball(&format!("{ABOVE}\n{line}"), "");
    one(RemarkKind::Loose, &with("strain_limit = { stretch = 1e12 }"));
    assert_eq!(remarks(&with("strain_limit = { stretch = 2.0 }")), []);
    one(RemarkKind::Loose, &with("pin = [{ vertices = [0] }]\ntethers = { slack = 1e12 }"));
    assert_eq!(remarks(&with("pin = [{ vertices = [0] }]\ntethers = { slack = 0.1 }")), []);
    for filling in ["factor = 2.0", "overpressure = 1e-9"] {
        one(RemarkKind::Loose, &with(&format!("pressure = {{ {filling}, compliance = 1e18 }}")));
        assert_eq!(remarks(&with(&format!("pressure = {{ {filling}, compliance = 1e-6 }}"))), []);
    }
}

#[test]
fn sheets_as_thick_as_they_are_wide() {
    let sheet = |thickness: &str| {
        format!(
            "[[body]]\nname = \"sheet\"\nmesh = {{ grid = {{ vertices = [5, 5], size = [0.2, 0.2] }} }}\n\
             material = {{ name = \"rubber\", thickness = {thickness} }}\n"
        )
    };
    for absurd in ["1e6", "1e-12"] {
        assert!(one(RemarkKind::Density, &sheet(absurd)).what.contains("it is not a sheet"));
    }
    assert_eq!(remarks(&sheet("1e-3")), []);
}

#[test]
fn files_of_what_is_far_away_are_coarse() {
    let far =
        |x: f64| format!("precision = \"f64\"\n{}", ball(&format!("{ABOVE}\ntranslate = [{x:e}, 0, 0]"), ""));
    let remark = one(RemarkKind::Resolution, &far(1e6));
    assert!((number(&remark, "rounding-in-files") / 0.119 - 1.0).abs() < 0.01, "{remark:?}");
    assert_eq!(remarks(&far(1e3)), []);
}

fn one_without_numbers(kind: RemarkKind, text: &str) {
    let remarks = remarks(text);
    assert_eq!(remarks.iter().map(|remark| remark.kind).collect::<Vec<_>>(), [kind], "{remarks:?}");
}

/// Two balls, each with extra lines, and extra lines for the scene.
fn two(first: &str, second: &str, scene: &str) -> String {
    let body = |name: &str, lines: &str| {
        format!(
            "[[body]]\nname = {name:?}\nmesh = {{ ball = {{ radius = 0.2, shells = 2 }} }}\nedges = {{ compliance = 1e-6 }}\n{lines}\n"
        )
    };
    format!("frames = 60\n{scene}\n{}{}", body("first", first), body("second", second))
}

#[test]
fn bodies_that_overlap_at_the_start_pass_through_each_other() {
    let remark = one(RemarkKind::Passing, &two("", "translate = [0.3, 0, 0]", ""));
    assert_eq!(remark.bodies, ["first", "second"]);
    assert!(remark.what.contains("where they start"), "{remark}");
    assert_eq!(remarks(&two("", "translate = [0.5, 0, 0]", "")), []);
    // A tie between them keeps them together.
    let tied = two("", "translate = [0.3, 0, 0]", "")
        + "[[stitch]]\nbodies = [\"first\", \"second\"]\nto = \"vertices\"\npairs = [[0, 0]]\nkeep_distance = true\n";
    assert_eq!(remarks(&tied), []);
}

#[test]
fn bodies_that_collide_in_groups_that_do_not_meet_pass_through_each_other() {
    let remark_of = |first: &str, second: &str| {
        let collide = |table: &str| format!("collide = {table}\ncontact_radius = 0.002");
        let moved = collide(second) + "\ntranslate = [0.3, 0, 0]";
        remarks(&two(&collide(first), &moved, ""))
            .into_iter()
            .find(|remark| remark.kind == RemarkKind::Passing)
    };
    assert_eq!(remark_of("true", "true"), None);
    let remark = remark_of("{ groups = [\"skin\"], hits = [\"skin\"] }", "true").unwrap();
    assert!(remark.what.contains("by their `groups` and `hits` they do not meet"), "{remark}");
    assert_eq!(remark_of("{ groups = [\"skin\"] }", "{ hits = [\"skin\"] }"), None);
}

#[test]
fn a_body_that_falls_on_another_passes_through_it() {
    let floor = "[[obstacle]]\nfloor = {}\n";
    let above = two("rest_on = 0.0", "rest_on = 1.0", "") + floor;
    let remark = one(RemarkKind::Passing, &above);
    assert!(number(&remark, "time") > 0.2 && number(&remark, "time") < 0.6, "{remark:?}");
    // Both fall, and neither arrives.
    assert_eq!(remarks(&two("rest_on = 0.0", "rest_on = 1.0", "")), []);
    // A box between them catches the upper one.
    let shelf = "[[obstacle]]\nbox = { min = [-1, 0.6, -1], max = [1, 0.7, 1] }\n";
    assert_eq!(remarks(&(above + shelf)), []);
    // One flies into the other.
    let flying = two("", "translate = [2, 0, 0]\nvelocity = [-4, 0, 0]", "");
    one(RemarkKind::Passing, &flying);
}

#[test]
fn ties_that_lead_over_a_third_body_count() {
    let third = "[[body]]\nname = \"third\"\nmesh = { ball = { radius = 0.1, shells = 2 } }\nedges = { compliance = 1e-6 }\ntranslate = [0, 0, 9]\n";
    let tie = |a: &str, b: &str| {
        format!(
            "[[stitch]]\nbodies = [{a:?}, {b:?}]\nto = \"vertices\"\npairs = [[0, 0]]\nkeep_distance = true\n"
        )
    };
    let scene = two("", "translate = [0.3, 0, 0]", "") + third;
    one(RemarkKind::Passing, &scene);
    assert_eq!(remarks(&(scene + &tie("third", "second") + &tie("first", "third"))), []);
}
