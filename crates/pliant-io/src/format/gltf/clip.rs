//! Animations: the channels that move nodes, as [`Clip`]s.

use nalgebra::{Quaternion, Vector3};
use pliant_mesh::{Channel, Clip, Interpolation, Skeleton, Values};

use super::json::{index, list};
use super::reading::Reading;
use crate::error::ImportError;
use crate::quote::shown;

/// All animations of a file, in its order.
pub(super) fn clips(reading: &mut Reading<'_>, skeleton: &Skeleton) -> Result<Vec<Clip>, ImportError> {
    let root = reading.root;
    let mut clips = Vec::new();
    let mut left_out = 0;
    for (number, animation) in list(root, "animations").iter().enumerate() {
        let name = match animation["name"].as_str() {
            Some(name) => name.to_owned(),
            None => format!("animation-{number}"),
        };
        let mut channels = Vec::new();
        for c in 0..list(animation, "channels").len() {
            match channel(reading, number, c)? {
                Some(channel) => channels.push(channel),
                None => left_out += 1,
            }
        }
        let clip = Clip::new(name.clone(), channels, skeleton).map_err(|source| {
            let file = reading.source.name.to_owned();
            ImportError::Animation {
                file,
                animation: format!("animation {number} ({:?})", shown(&name)),
                source,
            }
        })?;
        clips.push(clip);
    }
    if left_out > 0 {
        let note = format!(
            "{left_out} channels of animations move no node (morph weights, materials) and were left out"
        );
        reading.raw.notes.push(note);
    }
    Ok(clips)
}

/// A channel; none for one that moves something other than a node.
fn channel(reading: &mut Reading<'_>, number: usize, c: usize) -> Result<Option<Channel>, ImportError> {
    let root = reading.root;
    let animation = &list(root, "animations")[number];
    let value = &list(animation, "channels")[c];
    let at = format!("animations[{number}].channels[{c}]");
    let (target, path) = (&value["target"], value["target"]["path"].as_str().unwrap_or_default());
    // Without a node the target belongs to an extension, and the specification requires it to be ignored.
    if target["node"].is_null() || !matches!(path, "translation" | "rotation" | "scale") {
        return Ok(None);
    }
    let nodes = list(root, "nodes").len();
    let node = index(&target["node"]).filter(|&node| node < nodes).ok_or_else(|| {
        reading.wrong(
            &format!("{at}.target.node"),
            &target["node"],
            &format!("the number of one of {nodes} nodes"),
        )
    })?;
    let samplers = list(animation, "samplers");
    let sampler = index(&value["sampler"]).and_then(|sampler| samplers.get(sampler)).ok_or_else(|| {
        let expected = format!("the number of one of {} samplers", samplers.len());
        reading.wrong(&format!("{at}.sampler"), &value["sampler"], &expected)
    })?;
    let interpolation = match sampler["interpolation"].as_str() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::CubicSpline,
        Some(_) => {
            let (at, found) =
                (format!("the interpolation of the sampler of {at}"), &sampler["interpolation"]);
            return Err(reading.wrong(&at, found, "LINEAR, STEP or CUBICSPLINE"));
        }
    };
    let accessor = |name: &str| {
        index(&sampler[name]).ok_or_else(|| {
            reading.wrong(
                &format!("{name} of the sampler of {at}"),
                &sampler[name],
                "the number of an accessor",
            )
        })
    };
    let (input, output) = (accessor("input")?, accessor("output")?);
    let times =
        reading.accessors.numbers::<1>(input, "SCALAR", false)?.into_iter().map(|[time]| time).collect();
    let values = if path == "rotation" {
        // Integers are always normalised here.
        let rotations = reading.accessors.numbers::<4>(output, "VEC4", true)?;
        Values::Rotation(rotations.into_iter().map(|[x, y, z, w]| Quaternion::new(w, x, y, z)).collect())
    } else {
        let vectors = reading.accessors.numbers::<3>(output, "VEC3", false)?;
        let vectors: Vec<_> = vectors.into_iter().map(Vector3::from).collect();
        if path == "scale" { Values::Scale(vectors) } else { Values::Translation(vectors) }
    };
    Ok(Some(Channel { node: node as u32, times, interpolation, values }))
}
