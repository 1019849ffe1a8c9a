//! Contacts and crossings in pictures and pages, through the built program.

use pliant_render::{Picture, Rgb};
use serde_json::Value;

use crate::common::Bench;

/// The colour of the rings.
const RING: Rgb = Rgb(214, 24, 32);

/// Two sheets that stay where they are; the second is upright, and `right` of the middle of the first, m.
fn scene(collide: bool, right: f64) -> String {
    let sheet = |name: &str, more: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nmesh = {{ grid = {{ vertices = [5, 5], size = [0.4, 0.4] }} }}\narea_density = 0.2\n\
             edges = \"rigid\"\ncontact_radius = 0.003\ncollide = {collide}\n{more}\n\
             [[body.pin]]\nhalf_space = {{ point = [0.0, -1.0, 0.0], normal = [0.0, 1.0, 0.0] }}\n\n"
        )
    };
    let upright =
        format!("rotate = {{ axis = [0, 0, 1], degrees = 90 }}\ntranslate = [{right}, 0.007, 0.013]\n");
    let head = "name = \"sheets\"\nframes = 1\n\n[solver]\nsubsteps = 1\n\n";
    format!("{head}{}{}", sheet("level", ""), sheet("upright", &upright))
}

/// Runs it into the folder `name`.
fn run(bench: &Bench, name: &str, scene: &str) {
    bench.write(&format!("{name}.toml"), scene);
    bench.good(&["run", &format!("{name}.toml"), "-q", "-o", name]);
}

/// The picture, and how many of its pixels are as red as rings.
fn drawn(bench: &Bench, name: &str, more: &[&str]) -> (Picture, usize, String) {
    let ran = bench.good(&[&["render", name, "-o", "it.png", "--size", "320x240"], more].concat());
    let picture = Picture::from_png(&std::fs::read(bench.path("it.png")).unwrap()).unwrap();
    let pixels = (0..240).flat_map(|y| (0..320).map(move |x| (x, y)));
    let red = pixels.filter(|&(x, y)| picture.pixel(x, y) == RING).count();
    (picture, red, ran.out)
}

/// The data of the page of a run.
fn page(bench: &Bench, name: &str, more: &[&str]) -> Value {
    bench.good(&[&["render", name, "-q", "-o", "it.html"], more].concat());
    let page = bench.read("it.html");
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

#[test]
fn crossings_are_marked_in_pictures_where_bodies_meet_and_cross() {
    let bench = Bench::new();
    run(&bench, "crossed", &scene(true, 0.013));
    let (marked, red, told) = drawn(&bench, "crossed", &[]);
    let certified = bench.json("crossed/certificate.json");
    let measures = &certified["frames"].as_array().unwrap().last().unwrap()["measures"];
    let count = measures["intersections"]["value"].as_f64().unwrap();
    assert!(red > 30, "{red} red pixels");
    assert!(count > 3.0 && told.contains(&format!("{count} crossings in frame 1\n")), "{count}: {told}");
    assert!(drawn(&bench, "crossed", &["--mark", "crossings"]).0 == marked);
    let (unmarked, red, told) = drawn(&bench, "crossed", &["--mark", "none"]);
    assert!(unmarked != marked && red == 0 && !told.contains("crossing"), "{told}");
    let told = bench.good(&["render", "crossed", "-o", "it.gif", "--size", "80x60", "--every", "1"]).out;
    assert!(told.contains(&format!("crossings in 2 of 2 frames, most in frame 0: {count}")), "{told}");

    // The sheets apart, and crossing without colliding.
    run(&bench, "apart", &scene(true, 0.5));
    assert_eq!(drawn(&bench, "apart", &[]).1, 0);
    run(&bench, "strangers", &scene(false, 0.013));
    let (picture, red, _) = drawn(&bench, "strangers", &[]);
    assert!(red == 0 && picture == unmarked);
    bench.refused(
        &["render", "strangers", "-o", "it.png", "--mark", "crossings"],
        &["strangers", "no body of the scene of a run collides"],
    );
}

#[test]
fn vertices_are_coloured_by_contact_whatever_format_they_come_from() {
    let bench = Bench::new();
    let block = "[[body]]\nname = \"block\"\nmesh = { block = { cells = [2, 2, 2], size = [0.1, 0.1, 0.1] } }\ntranslate = [0.0, 0.0565, 0.0]\n\
                 obstacle = true\ncontact_radius = 0.003\n";
    let with = |format: &str| scene(true, 0.5) + block + &format!("[output]\nformats = [\"{format}\"]\n");
    let coloured = |name: &str| drawn(&bench, name, &["--color-by", "contact"]).0;
    run(&bench, "vtu", &with("vtu"));
    run(&bench, "pc2", &with("pc2"));
    // The block is above the sheet, slightly farther than the contact distance. The legend is at the right.
    let warm = |picture: &Picture| {
        let pixels = (0..240).flat_map(|y| (0..180).map(move |x| (x, y)));
        let is_warm = |&(x, y): &(u32, u32)| {
            let Rgb(r, g, b) = picture.pixel(x, y);
            r > g.saturating_add(40) && r > b.saturating_add(40)
        };
        pixels.filter(is_warm).count()
    };
    let picture = coloured("vtu");
    assert!(warm(&picture) > 20, "{}", warm(&picture));
    let differ =
        picture.bytes().iter().zip(coloured("pc2").bytes()).filter(|(a, b)| a.abs_diff(**b) > 3).count();
    assert!(differ < 60, "{differ} numbers differ: a cache of a solid holds its boundary only");
    run(&bench, "apart", &scene(true, 0.5));
    assert_eq!(warm(&coloured("apart")), 0);

    run(&bench, "strangers", &scene(false, 0.5));
    let refused = ["render", "strangers", "-o", "it.png", "--color-by", "contact"];
    bench.refused(&refused, &["strangers has no field contact", "collide = true"]);
    let seen =
        bench.write("seen.toml", scene(true, 0.5) + block + "visual = { boundary = { subdivide = 1 } }\n");
    bench.good(&["run", &seen.display().to_string(), "-q", "-o", "seen"]);
    // A scene that asks for it is refused before it is run.
    for (collide, more, why) in
        [(false, "", "no body collides"), (true, "visual = { boundary = {} }\n", "is shown by its `visual`")]
    {
        let asks = scene(collide, 0.5) + if collide { block } else { "" } + more;
        bench.write("asks.toml", asks + "[output.pictures]\ncolor_by = \"contact\"\n");
        bench.refused(&["check", "asks.toml"], &["color_by", why]);
    }
    bench.refused(
        &["render", "seen", "-o", "it.png", "--color-by", "contact"],
        &["the files show the fine surface of block"],
    );
    // Unless it collides by that.
    let skin = "visual = { boundary = { subdivide = 1 } }\ncollide = { skin = true }\n";
    run(&bench, "skin", &(scene(true, 0.5) + block + skin));
    let picture = coloured("skin");
    assert!(warm(&picture) > 20, "{}", warm(&picture));
}

#[test]
fn a_page_has_the_crossings_of_every_frame_and_contact_as_a_colour() {
    let bench = Bench::new();
    run(&bench, "crossed", &scene(true, 0.013));
    let data = page(&bench, "crossed", &[]);
    let frames = data["crossings"].as_array().unwrap();
    assert_eq!(frames.len(), 2);
    for frame in frames {
        let at = frame["at"].as_array().unwrap();
        assert!(frame["count"].as_u64().unwrap() >= at.len() as u64 && at.len() > 3);
        // All marks lie where the planes of the sheets meet.
        let off = |x: &Value| (x[0].as_f64().unwrap() - 0.013).hypot(x[1].as_f64().unwrap());
        assert!(at.iter().all(|x| off(x) < 1e-6), "{at:?}");
    }
    let fields: Vec<&str> =
        data["fields"].as_array().unwrap().iter().filter_map(|f| f["field"].as_str()).collect();
    assert_eq!(fields[..2], ["strain", "contact"]);
    assert_eq!(data["fields"][1]["map"], "warm");
    let unmarked = page(&bench, "crossed", &["--mark", "none"]);
    assert_eq!(unmarked["crossings"], Value::Array(Vec::new()));
    run(&bench, "strangers", &scene(false, 0.013));
    let strangers = page(&bench, "strangers", &[]);
    assert_eq!(strangers["crossings"], Value::Array(Vec::new()));
    assert_eq!(strangers["fields"].as_array().unwrap().len(), 1);
}
