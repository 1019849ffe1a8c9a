//! The checks of a stack that need no mesh: every choice, every name, and numbers that depend on others. The
//! bounds of single numbers are in their types.

mod deformer;
mod input;
mod weights;

use super::model::StackModel;
use crate::check::check_name;
use crate::error::Fault;
use crate::field::FieldPath;

/// Checks a stack.
pub(super) fn check(model: &StackModel) -> Result<(), Fault> {
    let root = FieldPath::root();
    if let Some(name) = &model.name {
        check_name(&root.key("name"), "stack", name)?;
    }
    if model.start.is_some() && !model.has_skeleton() {
        let problem = "`start` applies to the animation of a skeleton, but the input is skinned already";
        return Err(Fault::new(root.key("start"), problem, "it to be left out"));
    }
    input::check(&root.key("input"), &model.input)?;
    let mut skinned = None;
    for (i, deformer) in model.deformers.iter().enumerate() {
        let at = root.key("deformer").index(i);
        deformer::check(&at, deformer, model)?;
        if deformer.skinning.is_some()
            && let Some(first) = skinned.replace(i)
        {
            let problem = format!("the mesh is skinned twice, by deformer {} already", first + 1);
            return Err(Fault::new(at.key("skinning"), problem, "one `skinning`"));
        }
    }
    let at = root.key("output");
    let formats = &model.output.formats;
    for (i, format) in formats.iter().enumerate() {
        if formats[..i].contains(format) {
            let problem = format!("the format {:?} is named twice", format.name());
            return Err(Fault::new(at.key("formats").index(i), problem, "every format once"));
        }
    }
    Ok(())
}

impl StackModel {
    /// Whether the input has a skeleton that can be posed.
    pub(super) fn has_skeleton(&self) -> bool {
        self.input.character.is_some() || self.input.chain.is_some()
    }
}
