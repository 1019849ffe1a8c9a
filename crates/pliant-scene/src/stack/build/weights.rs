//! Weights: a number from 0 to 1 for every vertex.

use std::fs;
use std::path::Path;

use nalgebra::Vector3;
use pliant_deform::{Falloff, falloff, weights_around};
use pliant_mesh::STEINER_POINTS;

use super::parts::Parts;
use crate::build::held::Held;
use crate::build::region;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::stack::model::{FalloffShape, WeightsModel};
use crate::suggest::nearest;

/// Files of weights beyond this many bytes are refused unread.
const MOST_BYTES: u64 = 256 << 20;

pub(super) fn weights(at: &FieldPath, model: &WeightsModel, parts: &Parts<'_>) -> Result<Vec<f64>, Fault> {
    let mut found = given(at, model, parts)?;
    if model.invert == Some(true) {
        found.iter_mut().for_each(|w| *w = 1.0 - *w);
    }
    Ok(found)
}

fn given(at: &FieldPath, model: &WeightsModel, parts: &Parts<'_>) -> Result<Vec<f64>, Fault> {
    let positions = parts.mesh.positions();
    let shape = match model.shape.unwrap_or_default() {
        FalloffShape::Linear => Falloff::Linear,
        FalloffShape::Smooth => Falloff::Smooth,
    };
    if let Some(path) = &model.file {
        return from_file(&at.key("file"), path, parts);
    }
    if let Some(name) = &model.attribute {
        return attribute(&at.key("attribute"), name, parts);
    }
    if let Some(names) = &model.joints {
        return carried(&at.key("joints"), names, parts);
    }
    if let Some(near) = &model.near {
        return Ok(weights_around(
            positions,
            &Vector3::from(near.centre),
            near.inner.get(),
            near.outer.get(),
            shape,
        ));
    }
    if let Some(along) = &model.along {
        let held = Held::plain("mesh", &parts.held);
        let from = region::vertices(&at.key("along").key("from"), &along.from, &held, "the falloff")?;
        // On the welded surface: a mesh of loose triangles has no path from one to the next.
        let sources: Vec<u32> = from.iter().map(|&v| parts.weld.point_of(v as usize)).collect();
        let distances = parts.weld.mesh(parts.mesh).geodesics(&sources, STEINER_POINTS);
        let of_points = falloff(distances.distances(), along.inner.get(), along.outer.get(), shape);
        return Ok((0..positions.len()).map(|v| of_points[parts.weld.point_of(v) as usize]).collect());
    }
    let ramp = model.ramp.as_ref().expect("the checks let exactly one kind of weights be given");
    let (from, to) = (Vector3::from(ramp.from), Vector3::from(ramp.to));
    let along = (to - from) / (to - from).norm_squared();
    let left: Vec<f64> = positions.iter().map(|x| 1.0 - along.dot(&(x - from))).collect();
    Ok(falloff(&left, 0.0, 1.0, shape))
}

fn from_file(at: &FieldPath, path: &Path, parts: &Parts<'_>) -> Result<Vec<f64>, Fault> {
    let shown = path.display();
    let path = parts.source.resolve(path);
    let unread = |why: String| {
        let expected = "a text file with a number for every vertex; relative paths start from the folder of the stack file";
        Fault::new(at.clone(), format!("cannot read the weights {shown}: {why}"), expected)
    };
    // Checked before opening, because opening a pipe would wait for a writer.
    let meta = fs::metadata(&path).map_err(|error| unread(error.to_string()))?;
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return Err(unread(format!("it is not a file, or has more than {MOST_BYTES} bytes")));
    }
    let text = fs::read_to_string(&path).map_err(|error| unread(error.to_string()))?;
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split('#').next().unwrap_or_default();
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            match word.parse() {
                Ok(weight) if (0.0..=1.0).contains(&weight) => found.push(weight),
                _ => {
                    let word: String = word.chars().take(40).collect();
                    let problem = format!("line {line} of {shown} has {word:?}");
                    return Err(Fault::new(at.clone(), problem, "numbers from 0 to 1"));
                }
            }
        }
    }
    let vertices = parts.mesh.positions().len();
    if found.len() != vertices {
        let problem = format!("{shown} has {} weights, but the mesh has {vertices} vertices", found.len());
        return Err(Fault::new(at.clone(), problem, "a number for every vertex, in the order of the mesh"));
    }
    Ok(found)
}

fn attribute(at: &FieldPath, name: &str, parts: &Parts<'_>) -> Result<Vec<f64>, Fault> {
    let known: Vec<&str> = parts.attributes.iter().map(|(name, _)| name.as_str()).collect();
    let Some((_, values)) = parts.attributes.iter().find(|(known, _)| known == name) else {
        let expected = match known.is_empty() {
            true => {
                "weights by file or by place: the file has no numbers of its own at its vertices".to_owned()
            }
            false => format!("one of {}", known.join(", ")),
        };
        return Err(Fault::new(at.clone(), format!("there is no attribute {name:?}"), expected));
    };
    if let Some(vertex) = values.iter().position(|w| !(0.0..=1.0).contains(w)) {
        let problem = format!("the attribute {name:?} of vertex {vertex} is {}", values[vertex]);
        return Err(Fault::new(at.clone(), problem, "numbers from 0 to 1"));
    }
    Ok(values.clone())
}

/// The share that some joints carry.
fn carried(at: &FieldPath, names: &[String], parts: &Parts<'_>) -> Result<Vec<f64>, Fault> {
    let rig = parts.rig.expect("the checks let joints be named only where there are some");
    let mut counts = vec![false; rig.skin.joints().len()];
    for (i, name) in names.iter().enumerate() {
        let node = node_named(&at.index(i), name, parts)?;
        let mut any = false;
        for (joint, _) in rig.skin.joints().iter().enumerate().filter(|(_, of)| **of as usize == node) {
            (counts[joint], any) = (true, true);
        }
        if !any {
            let problem = format!("{name:?} is a node that moves no vertices");
            return Err(Fault::new(at.index(i), problem, "the name of a joint"));
        }
    }
    let share = |v: usize| {
        let sum: f64 =
            rig.skin.influences(v).iter().filter(|i| counts[i.joint as usize]).map(|i| i.weight).sum();
        sum.min(1.0)
    };
    Ok((0..rig.skin.vertex_count()).map(share).collect())
}

/// The node of the skeleton with a name.
pub(super) fn node_named(at: &FieldPath, name: &str, parts: &Parts<'_>) -> Result<usize, Fault> {
    let rig = parts.rig.expect("the checks let joints be named only where there are some");
    let nodes = rig.skeleton.nodes();
    nodes.iter().position(|node| node.name == name).ok_or_else(|| {
        let joints: Vec<&str> =
            rig.skin.joints().iter().map(|&node| nodes[node as usize].name.as_str()).collect();
        let expected = match nearest(name, &joints) {
            Some(near) => format!("the name of a joint (did you mean {near:?}?)"),
            None => format!("one of {}", joints.join(", ")),
        };
        Fault::new(at.clone(), format!("there is no joint {name:?}"), expected)
    })
}
