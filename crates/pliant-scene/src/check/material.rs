//! Checks of materials.

use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BendingForm, BendingModel, BodyModel, ElasticityModel, Resistance, VolumesModel};
use crate::moduli::Moduli;

pub(super) fn check(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    if let Some(material) = &body.material {
        for (key, given) in [("edges", body.edges.is_some()), ("volumes", body.volumes.is_some())] {
            if given {
                let problem = format!("both `material` and `{key}` say how the body resists");
                return Err(Fault::new(at.key(key), problem, "one of them"));
            }
        }
        Moduli::of(&at.key("material"), material)?;
    } else {
        check_springs(at, body)?;
    }
    if let Some(bending) = &body.bending {
        check_bending(&at.key("bending"), bending)?;
    }
    Ok(())
}

/// The resistances of a body without a material.
fn check_springs(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    let Some(edges) = &body.edges else {
        if body.obstacle == Some(true) {
            return Ok(());
        }
        let none = body.bending.is_none() && body.volumes.is_none();
        let problem = if none {
            "the body has no constraints: nothing would hold its vertices together"
        } else {
            "the body has no `edges`: nothing would keep its lengths"
        };
        return Err(Fault::new(
            at.clone(),
            problem,
            "a material, such as `material = \"rubber\"`, `edges = { compliance = 1e-6 }` or `edges = \"rigid\"`",
        ));
    };
    if let ElasticityModel::Table(table) = edges {
        let at = at.key("edges");
        table.chosen(&at, "the resistance")?;
        check_pbd(&at, table.resistance())?;
    }
    if let Some(VolumesModel::Table(volumes)) = &body.volumes {
        let at = at.key("volumes");
        volumes.chosen(&at, "the resistance")?;
        check_pbd(&at, volumes.resistance())?;
    }
    Ok(())
}

fn check_bending(at: &FieldPath, bending: &BendingModel) -> Result<(), Fault> {
    let key = bending.chosen(at, "the resistance to bending")?;
    let form = match bending.form {
        BendingForm::Dihedral => "dihedral",
        BendingForm::Distance => "distance",
        BendingForm::Isometric => "isometric",
    };
    let fits = match bending.form {
        BendingForm::Dihedral => true,
        BendingForm::Distance => key != "modulus",
        BendingForm::Isometric => key == "modulus",
    };
    if !fits {
        let problem = format!("bending by the model {form:?} has no `{key}`");
        let expected = if key == "modulus" { "`compliance` or `stiffness`" } else { "`modulus`, N·m" };
        return Err(Fault::new(at.key(key), problem, expected));
    }
    check_pbd(at, bending.resistance())
}

fn check_pbd(at: &FieldPath, numbers: Resistance) -> Result<(), Fault> {
    if numbers.pbd.is_none() && numbers.iteration_independent.is_some() {
        let problem = "`iteration_independent` applies to `pbd`, which is not given";
        return Err(Fault::new(at.key("iteration_independent"), problem, "it to be left out"));
    }
    Ok(())
}
