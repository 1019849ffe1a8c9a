//! Checks of the input.

use std::path::Path;

use crate::check::body::check_mesh;
use crate::check::check_name;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::MeshModel;
use crate::stack::model::{ChainModel, InputModel, JointModel};

pub(super) fn check(at: &FieldPath, input: &InputModel) -> Result<(), Fault> {
    input.chosen(at, "what is deformed")?;
    if input.scale.is_some() && input.chain.is_some() {
        let problem = "`scale` applies to files, but the mesh is on a chain that is given here";
        return Err(Fault::new(at.key("scale"), problem, "it to be left out"));
    }
    if let Some(character) = &input.character {
        path(&at.key("character").key("file"), &character.file)?;
    }
    if let Some(model) = &input.chain {
        chain(&at.key("chain"), model)?;
    }
    if let Some(cache) = &input.cache {
        let at = at.key("cache");
        surface(&at.key("rest"), &cache.rest)?;
        path(&at.key("file"), &cache.file)?;
    }
    if let Some(sequence) = &input.sequence {
        let at = at.key("sequence");
        path(&at.key("files"), &sequence.files)?;
        if let Some(rest) = &sequence.rest {
            surface(&at.key("rest"), rest)?;
        }
    }
    Ok(())
}

/// A mesh of a stack: a surface from a file, taken as it is there, or a generated one.
pub(super) fn surface(at: &FieldPath, mesh: &MeshModel) -> Result<(), Fault> {
    if let MeshModel::Table(table) = mesh {
        for (key, given) in [
            ("surface", table.surface.is_some()),
            ("tetrahedralize", table.tetrahedralize.is_some()),
            ("unreferenced", table.unreferenced.is_some()),
            ("reorient", table.reorient.is_some()),
            ("repair", table.repair.is_some()),
        ] {
            if given {
                let problem =
                    format!("`{key}` applies to bodies of scenes; a stack takes a surface as it is");
                let expected = if key == "surface" { "`file` in its place" } else { "it to be left out" };
                return Err(Fault::new(at.key(key), problem, expected));
            }
        }
    }
    check_mesh(at, mesh)
}

pub(super) fn path(at: &FieldPath, path: &Path) -> Result<(), Fault> {
    if path.as_os_str().is_empty() {
        return Err(Fault::new(at.clone(), "the path is empty", "the path of a file"));
    }
    Ok(())
}

fn chain(at: &FieldPath, chain: &ChainModel) -> Result<(), Fault> {
    surface(&at.key("mesh"), &chain.mesh)?;
    if chain.joints.is_empty() {
        return Err(Fault::new(at.key("joint"), "the chain has no joints", "at least one"));
    }
    for (i, model) in chain.joints.iter().enumerate() {
        let at = at.key("joint").index(i);
        joint(&at, model)?;
        // A bone without length has no direction, so there is no plane through its end.
        if i > 0 && chain.joints[i - 1].at == model.at {
            let problem = format!(
                "joint {} is at the same place as joint {i}: the bone between them has no length",
                i + 1
            );
            return Err(Fault::new(at.key("at"), problem, "joints in different places"));
        }
        let name = |i: usize| chain.joint_name(i);
        if let Some(first) = (0..i).find(|&earlier| name(earlier) == name(i)) {
            let problem = format!("joint {} has the name of joint {}, {:?}", i + 1, first + 1, name(i));
            return Err(Fault::new(at.key("name"), problem, "a name of its own for every joint"));
        }
    }
    Ok(())
}

fn joint(at: &FieldPath, joint: &JointModel) -> Result<(), Fault> {
    if let Some(name) = &joint.name {
        check_name(&at.key("name"), "joint", name)?;
    }
    for (k, key) in joint.keys.iter().enumerate() {
        let at = at.key("key").index(k);
        let time = key.time.get();
        let before = k.checked_sub(1).map(|k| &joint.keys[k]);
        if let Some(before) = before.map(|before| before.time.get()).filter(|before| *before >= time) {
            let problem = format!("key {} at {time} s does not follow that at {before} s", k + 1);
            return Err(Fault::new(at.key("time"), problem, "keys in order of time"));
        }
        if let Some(turn) = &key.rotate {
            let at = at.key("rotate");
            // On the shorter arc; a key that turns farther would go the other way round.
            let from = match before.map(|before| &before.rotate) {
                Some(Some(before)) if before.axis == turn.axis => before.degrees.get(),
                Some(None) => 0.0,
                _ => continue,
            };
            if (turn.degrees.get() - from).abs() > 180.0 {
                let problem = format!(
                    "key {} turns by {} degrees, more than half a turn",
                    k + 1,
                    turn.degrees.get() - from
                );
                return Err(Fault::new(
                    at.key("degrees"),
                    problem,
                    "a key in between: joints turn the shorter way",
                ));
            }
        }
    }
    Ok(())
}

impl ChainModel {
    /// The name of joint `i`, given or made up.
    pub(in crate::stack) fn joint_name(&self, i: usize) -> String {
        self.joints[i].name.clone().unwrap_or_else(|| format!("joint-{}", i + 1))
    }
}
