//! Skinned meshes with their skeleton and animations.

use std::collections::BTreeMap;

use nalgebra::{Matrix4, Point3};
use pliant_mesh::{Node, Skeleton, Skin, WeightSums};
use serde_json::Value;

use super::clip;
use super::json::{index, list, parse};
use super::reading::{Placed, Reading};
use super::skin::Bindings;
use super::transform::{Transform, local};
use crate::character::Character;
use crate::error::ImportError;
use crate::finish::finish;
use crate::format::Format;
use crate::source::Source;
use crate::utf16;

/// Joint matrices that differ by less than this, relative to their size, are the same.
const SAME: f64 = 1e-5;

/// Reads the skinned meshes of a glTF file as one mesh.
pub(crate) fn read_character(source: &Source<'_>, sums: WeightSums) -> Result<Character, ImportError> {
    utf16::refuse(source, false)?;
    let (root, chunk) = parse(source)?;
    let mut reading = Reading::new(source, &root, chunk);
    let parents = parents(&reading)?;
    let skeleton = skeleton(&reading, &parents)?;
    let shown = shown(&reading, &parents)?;

    let mut bindings = Bindings::default();
    let mut attributes = BTreeMap::new();
    let mut bare = 0;
    for (number, node) in list(&root, "nodes").iter().enumerate() {
        if !shown[number] || node["mesh"].is_null() {
            continue;
        }
        if node["skin"].is_null() {
            bare += 1;
            continue;
        }
        let meshes = list(&root, "meshes").len();
        let mesh = index(&node["mesh"]).filter(|&mesh| mesh < meshes).ok_or_else(|| {
            reading.wrong(&format!("nodes[{number}].mesh"), &node["mesh"], "the number of a mesh")
        })?;
        let joints = bindings.skin(&mut reading, &format!("nodes[{number}].skin"), &node["skin"])?;
        // Where the node itself stands does not matter: the joints carry the mesh (glTF 2.0, section 3.7.3.3).
        for placed in reading.mesh(mesh, &Transform::identity())? {
            bindings.vertices(&mut reading, mesh, &placed, joints)?;
            own_attributes(&mut reading, mesh, &placed, &mut attributes)?;
        }
    }
    if bindings.ends.is_empty() {
        let found =
            format!("{} skins, {} animations", list(&root, "skins").len(), list(&root, "animations").len());
        return Err(ImportError::NoSkin { file: source.name.to_owned(), meshes: bare, found });
    }
    if bare > 0 {
        reading.raw.notes.push(format!("{bare} meshes without a skin were left out: nothing carries them"));
    }
    let clips = clip::clips(&mut reading, &skeleton)?;

    let unposed = unposed(&skeleton, &bindings);
    for position in &mut reading.raw.positions {
        *position = unposed.transform_point(&Point3::from(*position)).coords;
    }
    if unposed.fixed_view::<3, 3>(0, 0).determinant() < 0.0 {
        reading.raw.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    // It was found to have one.
    let back = unposed.try_inverse().unwrap_or_else(Matrix4::identity);
    let inverse_bind = bindings.inverse_bind.iter().map(|bind| bind * back).collect();
    let refused = |error| ImportError::Skin { file: source.name.to_owned(), source: error };
    let (skin, skin_report) =
        Skin::new(skeleton.len(), bindings.joints.clone(), inverse_bind, bindings.lists(), sums)
            .map_err(refused)?;
    let (mesh, report) = finish(source, Format::Gltf, reading.finish())?.into_tri()?;
    attributes.values_mut().for_each(|values| values.resize(mesh.positions().len(), 0.0));
    Ok(Character { mesh, skeleton, skin, skin_report, clips, attributes, report })
}

/// Reads the custom numbers of vertices just placed, whose names begin with `_`.
fn own_attributes(
    reading: &mut Reading<'_>,
    mesh: usize,
    placed: &Placed,
    attributes: &mut BTreeMap<String, Vec<f64>>,
) -> Result<(), ImportError> {
    let root = reading.root;
    let primitive = &list(&list(root, "meshes")[mesh], "primitives")[placed.primitive];
    for (name, value) in primitive["attributes"].as_object().into_iter().flatten() {
        let Some(number) = index(value).filter(|_| name.starts_with('_')) else { continue };
        if list(root, "accessors").get(number).is_none_or(|accessor| accessor["type"] != "SCALAR") {
            continue;
        }
        let found = reading.accessors.numbers::<1>(number, "SCALAR", false)?;
        if found.len() != placed.count {
            let expected = format!("as many elements as there are positions, {}", placed.count);
            return Err(reading.wrong(
                &format!("accessors[{number}].count"),
                &Value::from(found.len()),
                &expected,
            ));
        }
        let values = attributes.entry(name.clone()).or_default();
        values.resize(placed.first as usize, 0.0);
        values.extend(found.into_iter().map(|[value]| value));
    }
    Ok(())
}

/// The node above each node.
fn parents(reading: &Reading<'_>) -> Result<Vec<Option<u32>>, ImportError> {
    let nodes = list(reading.root, "nodes");
    let mut parents = vec![None; nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        for (i, value) in list(node, "children").iter().enumerate() {
            let at = || format!("nodes[{number}].children[{i}]");
            let child = index(value)
                .filter(|&child| child < nodes.len())
                .ok_or_else(|| reading.wrong(&at(), value, "the number of a node"))?;
            if parents[child].replace(number as u32).is_some() {
                return Err(reading.wrong(&at(), value, "every node below one other only"));
            }
        }
    }
    Ok(parents)
}

/// All nodes of the file.
fn skeleton(reading: &Reading<'_>, parents: &[Option<u32>]) -> Result<Skeleton, ImportError> {
    let mut nodes = Vec::with_capacity(parents.len());
    for (number, (node, &parent)) in list(reading.root, "nodes").iter().zip(parents).enumerate() {
        let local = local(node).ok_or_else(|| {
            reading.wrong(&format!("nodes[{number}]"), node, "a transform of finite numbers")
        })?;
        let name = node["name"].as_str().unwrap_or_default().to_owned();
        nodes.push(Node { name, parent, local });
    }
    Skeleton::new(nodes)
        .map_err(|source| ImportError::Skeleton { file: reading.source.name.to_owned(), source })
}

/// Which nodes belong to the scene that is shown; all where there are no scenes.
fn shown(reading: &Reading<'_>, parents: &[Option<u32>]) -> Result<Vec<bool>, ImportError> {
    let scenes = list(reading.root, "scenes");
    if scenes.is_empty() {
        return Ok(vec![true; parents.len()]);
    }
    let scene = match &reading.root["scene"] {
        Value::Null => &scenes[0],
        value => index(value).and_then(|scene| scenes.get(scene)).ok_or_else(|| {
            reading.wrong("scene", value, &format!("the number of one of {} scenes", scenes.len()))
        })?,
    };
    let mut shown = vec![false; parents.len()];
    for root in list(scene, "nodes") {
        let node = index(root)
            .filter(|&node| node < shown.len())
            .ok_or_else(|| reading.wrong("a list of nodes", root, "the number of a node"))?;
        shown[node] = true;
    }
    // The skeleton has no cycle, so that every way up ends; each node is visited once, however many are below it.
    let mut known = shown.clone();
    let mut chain = Vec::new();
    for start in 0..parents.len() {
        let mut node = start;
        while let Some(parent) = parents[node].filter(|_| !known[node]) {
            chain.push(node);
            node = parent as usize;
        }
        let found = shown[node];
        known[node] = true;
        for node in chain.drain(..) {
            (shown[node], known[node]) = (found, true);
        }
    }
    Ok(shown)
}

/// Where the mesh stands before anything is posed.
///
/// The file has positions as they were bound, and the joints take them to the scene. If all joints agree at
/// rest, the mesh is put there; otherwise it is only scaled as the joints scale it on average, so that
/// lengths are those of the scene.
fn unposed(skeleton: &Skeleton, bindings: &Bindings) -> Matrix4<f64> {
    let world = skeleton.world(&skeleton.rest());
    let mut used = vec![false; bindings.joints.len()];
    bindings.influences.iter().for_each(|influence| used[influence.joint as usize] = true);
    let used = |joint: &usize| used[*joint];
    let matrices: Vec<Matrix4<f64>> = (0..bindings.joints.len())
        .filter(used)
        .map(|joint| world[bindings.joints[joint] as usize] * bindings.inverse_bind[joint])
        .collect();
    let Some(first) = matrices.first() else { return Matrix4::identity() };
    let linear = first.fixed_view::<3, 3>(0, 0);
    let size = linear.norm();
    let reach = first.fixed_view::<3, 1>(0, 3).norm().max(size);
    let same = |other: &Matrix4<f64>| {
        let apart = other - first;
        apart.fixed_view::<3, 3>(0, 0).norm() <= SAME * size && apart.norm() <= SAME * reach
    };
    let has_inverse = first.try_inverse().is_some_and(|inverse| inverse.iter().all(|x| x.is_finite()));
    if has_inverse && matrices.iter().all(same) {
        return *first;
    }
    let scales: Vec<f64> = matrices
        .iter()
        .map(|m| libm::cbrt(m.fixed_view::<3, 3>(0, 0).determinant().abs()))
        .filter(|scale| *scale > 0.0 && scale.is_finite())
        .collect();
    let mean = scales.iter().map(|&scale| libm::log(scale)).sum::<f64>() / scales.len().max(1) as f64;
    // Scales of a rig agree to within rounding; if they do, the rounding is removed.
    let scale = libm::exp(mean);
    let scale = if (scale - 1.0).abs() < SAME { 1.0 } else { scale };
    Matrix4::new_scaling(scale)
}
