//! [`noun`]: what the number of a key is, in a sentence.

use crate::field::{FieldPath, Segment};

/// The subject of an error about the number at a field: the key in words, unless that would not read as a noun.
pub(crate) fn noun(field: &FieldPath) -> String {
    let (table, key) = owner(field);
    let within = field.segments().iter().rev().take_while(|s| matches!(s, Segment::Index(_))).count();
    let named = name(table, key);
    if within > listed(table, key) { format!("a number of {named}") } else { named }
}

/// How many numbers of elements lead to what a key names: one in a list of such things, two in a list of rows of them.
fn listed(table: &str, key: &str) -> usize {
    match (table, key) {
        ("stitch", _)
        | ("pictures", "size")
        | (_, "scale" | "uv_scale" | "spacing" | "points" | "vertices" | "cells") => 1,
        ("height_field", "heights") => 2,
        _ => 0,
    }
}

/// The key of a field, and that of the table that has it.
fn owner(field: &FieldPath) -> (&str, &str) {
    let keys = field.keys();
    match keys[..] {
        [.., table, key] => (table, key),
        [key] => ("", key),
        [] => ("", "number"),
    }
}

fn name(table: &str, key: &str) -> String {
    let known = match (table, key) {
        ("material", "young") => "Young's modulus",
        ("material", "warp") => "Young's modulus along the warp",
        ("material", "weft") => "Young's modulus along the weft",
        ("material", "shear") => "the shear modulus",
        ("material", "bending") | ("bending", "modulus") => "the flexural rigidity",
        (_, "warp_direction") => "the direction of the warp",
        (_, "pbd") => "the stiffness of position based dynamics",
        ("tethers", "slack") => "the slack of the tethers",
        (_, "stretch" | "max_stretch") => "the largest stretch",
        (_, "compression") => "the largest compression",
        ("vary", "factor") => "the factor of the stiffness",
        ("pressure", "factor") => "the multiple of the volume",
        (_, "gas") => "the overpressure",
        ("pressure", "compliance") => "the compliance of the volume",
        ("pressure", "exponent") => "the exponent of the gas",
        ("shape", "compliance") => "the compliance of the group",
        ("pin", "compliance") => "the compliance of the pin",
        ("pin", "damping_time") => "the damping time of the pin",
        (_, "release") => "the time of release",
        ("collide" | "contact", "compliance") => "the compliance of contacts",
        (_, "friction") => "the coefficient of friction",
        (_, "static") => "the static coefficient of friction",
        (_, "kinetic") => "the kinetic coefficient of friction",
        (_, "fit") => "the size to fit",
        (_, "rest_on") => "the height to rest on",
        ("floor", "height") => "the height of the floor",
        (_, "cell") => "the side of a cell",
        (_, "degrees") => "the angle",
        (_, "degrees_per_second") => "the angular velocity",
        ("motion", "rate") => "the rate of the samples",
        ("motion", "start") => "the time at which the motion begins",
        (_, "lead_in") => "the time to the first sample",
        ("stage", "start") => "the start of the stage",
        ("stitch", "radius") => "the radius of the search",
        ("attachment", "compliance") => "the compliance of the attachment",
        ("stitch", "stiffness") => "the stiffness of the stitch",
        ("stitch", "rest_length") => "the length of the stitch",
        ("stitch", "young") => "Young's modulus of the stitch",
        ("stitch", "thickness") => "the thickness of the stitch",
        ("stitch", "min_separate_distance") => "the least distance of the stitch",
        (_, "gravity") => "gravity",
        ("wind", "velocity") => "the velocity of the wind",
        ("keyframes" | "key", "translate") => "the displacement",
        (_, "translate") => "the translation",
        (_, "rotate") => "the rotation",
        ("plane" | "half_space", "point") => "the point of the plane",
        ("plane" | "half_space", "normal") => "the normal of the plane",
        ("capsule", "from" | "to") => "an end of the capsule",
        ("height_field", "origin") => "the origin of the heights",
        ("box" | "container", "min") => return format!("the least corner of the {table}"),
        ("box" | "container", "max") => return format!("the greatest corner of the {table}"),
        ("hull", "points") => "the point",
        ("height_field", "heights") => "the height",
        ("height_field", "spacing") => "the spacing of the heights",
        ("camera", "eye" | "target") => return format!("the {key} of the camera"),
        (_, "uv_scale") => "the length of a unit of texture coordinates",
        ("pictures", "size") => "the number of pixels",
        ("output", "every") => "the step between written frames",
        (_, "frames" | "substeps" | "iterations" | "vertices" | "cells" | "rings" | "segments" | "sides")
        | (_, "shells" | "layers") => return format!("the number of {key}"),
        ("relax", "neighbours") => "the number of edges to neighbours",
        (_, "restore_smoothing") => "the number of iterations",
        (_, "subdivide") => "the number of subdivisions",
        ("icosphere", "frequency") => "the number of parts of an edge",
        ("repair", "weld" | "unite") => "the distance",
        ("repair", "keep") => "the share of a piece that is kept",
        (_, "shell_thickness") => "the thickness of the shell",
        ("stitch", "poisson") => "Poisson's ratio of the stitch",
        (_, "poisson") => "Poisson's ratio",
        ("relax", "area" | "volume") => return format!("the share of {key}"),
        ("relax", "restore") | ("delta_mush", "detail") => "the share of detail",
        ("relax", "near") => "the distance of neighbours",
        ("jiggle" | "vary", "damping") => "the damping ratio",
        ("chain", "blend") => "the length of the blend",
        ("joint", "at") => "the place of the joint",
        ("near" | "along", "inner" | "outer") => return format!("the {key} distance"),
        ("ramp", "from") => "the beginning of the ramp",
        ("ramp", "to") => "the end of the ramp",
        ("", "start") => "the time of the first frame",
        (_, "close_time") => "the time to close the seam",
        ("wind", "density") => "the density of the air",
        ("wind", "drag" | "lift") => return format!("the {key} coefficient"),
        _ => return format!("the {}", key.replace('_', " ")),
    };
    known.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subject_is_the_key_in_words_or_what_it_stands_for() {
        let solver = FieldPath::root().key("solver");
        assert_eq!(noun(&solver.key("frame_rate")), "the frame rate");
        assert_eq!(noun(&solver.key("wind").key("drag")), "the drag coefficient");
        assert_eq!(noun(&solver.key("drag")), "the drag");
        let pin = FieldPath::root().key("body").index(0).key("pin").index(3);
        assert_eq!(noun(&pin.key("compliance")), "the compliance of the pin");
        let obstacle = FieldPath::root().key("obstacle").index(0);
        let heights = obstacle.key("height_field").key("heights").index(1);
        assert_eq!(noun(&heights.index(2)), "the height");
        let point = obstacle.key("hull").key("points").index(2);
        assert_eq!(noun(&point), "the point");
        assert_eq!(noun(&point.index(0)), "a number of the point");
        assert_eq!(noun(&obstacle.key("box").key("min").index(1)), "a number of the least corner of the box");
        assert_eq!(noun(&FieldPath::root()), "the number");
    }
}
