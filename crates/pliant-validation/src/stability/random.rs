//! Scenes at random: any mesh, material, density, pins and obstacle, from a number.

use std::fmt::Write as _;

use crate::random::SplitMix64;

/// The scene with a number, as a file has it.
pub(super) fn scene(number: u64) -> String {
    let mut dice = SplitMix64(number.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5eed);
    let cloth = dice.below(3) == 0;
    // One in five floats at rest, without gravity and obstacles.
    let at_rest = dice.below(5) == 0;
    let mut text = String::from("frames = 60\n[solver]\n");
    if at_rest {
        text += "gravity = [0.0, 0.0, 0.0]\n";
    }
    let _ = writeln!(text, "seed = {}", dice.below(1000));
    text += "[[body]]\n";
    if cloth {
        let n = 6 + dice.below(14);
        let diagonals = if dice.below(2) == 0 { "alternating" } else { "parallel" };
        let _ = writeln!(
            text,
            "mesh = {{ grid = {{ vertices = [{n}, {n}], size = [1.0, 1.0], diagonals = \"{diagonals}\" }} }}"
        );
        let _ = writeln!(text, "area_density = {:e}", dice.between(0.01, 10.0));
        let _ = writeln!(text, "edges = {{ compliance = {:e} }}", dice.between(1e-12, 1.0));
        let _ = writeln!(text, "bending = {{ stiffness = {:e} }}", dice.between(1e-6, 1e-2));
    } else {
        let _ = match dice.below(3) {
            0 => writeln!(text, "mesh = {{ ball = {{ radius = 0.4, shells = {} }} }}", 2 + dice.below(3)),
            1 => writeln!(
                text,
                "mesh = {{ block = {{ cells = [{}, 3, 4], size = [0.8, 0.5, 0.6], split = \"kuhn\" }} }}",
                2 + dice.below(5)
            ),
            _ => writeln!(
                text,
                "mesh = {{ solid_torus = {{ radius = 0.35, tube = 0.12, segments = {}, rings = 2 }} }}",
                12 + dice.below(12)
            ),
        };
        let _ = writeln!(text, "density = {:e}", dice.between(30.0, 30_000.0));
        if dice.below(2) == 0 {
            let _ = writeln!(text, "edges = {{ compliance = {:e} }}", dice.between(1e-12, 1.0));
            text += match dice.below(3) {
                0 => "",
                1 => "volumes = \"rigid\"\n",
                _ => "volumes = { compliance = 1e-10 }\n",
            };
        } else {
            let young = dice.between(1e4, 1e9);
            let poisson = [0.0, 0.3, 0.4, 0.45][usize::try_from(dice.below(4)).unwrap_or_default()];
            let _ = writeln!(text, "material = {{ young = {young:e}, poisson = {poisson:?} }}");
        }
    }
    if at_rest {
        return text;
    }
    let pinned = dice.below(3) == 0;
    text += "rest_on = 0.3\n";
    if pinned {
        text += "[[body.pin]]\nrelative = true\nbox = { min = [0.0, 0.0, 0.0], max = [0.05, 1.0, 1.0] }\n";
    }
    match dice.below(3) {
        0 if pinned => {}
        1 => {
            let _ = writeln!(
                text,
                "[[obstacle]]\nsphere = {{ centre = [0.0, -0.1, 0.0], radius = 0.3 }}\nfriction = {:?}",
                0.5
            );
        }
        _ => text += "[[obstacle]]\nfloor = {}\nfriction = 0.4\n",
    }
    text
}

#[cfg(test)]
mod tests {
    use pliant_scene::Scene;

    use super::scene;

    #[test]
    fn random_scenes_are_scenes_and_the_same_each_time() {
        for number in 0..300 {
            let text = scene(number);
            assert_eq!(text, scene(number));
            if let Err(error) = Scene::parse(&text, ".") {
                panic!("scene {number}: {error}\n{text}");
            }
        }
        assert_ne!(scene(1), scene(2));
    }
}
