//! Checks of materials.

use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::materials::{self, Material, MaterialValues};
use crate::model::{
    BendingForm, BendingModel, BodyModel, ElasticityModel, Finite, MaterialModel, MaterialTable, Resistance,
    VolumesModel,
};

pub(super) fn check(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    if let Some(material) = &body.material {
        for (key, given) in [("edges", body.edges.is_some()), ("volumes", body.volumes.is_some())] {
            if given {
                let problem = format!("both `material` and `{key}` say how the body resists");
                return Err(Fault::new(at.key(key), problem, "one of them"));
            }
        }
        check_physical(&at.key("material"), &material.table(), material)?;
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

/// The numbers of a material, as far as they can be judged without its mesh.
fn check_physical(at: &FieldPath, table: &MaterialTable, model: &MaterialModel) -> Result<(), Fault> {
    let woven = table.warp.is_some() || table.weft.is_some() || table.shear.is_some();
    if let Some(name) = &table.name {
        let at_name = if matches!(model, MaterialModel::Name(_)) { at.clone() } else { at.key("name") };
        let material = materials::named(name)
            .map_err(|expected| Fault::new(at_name, format!("there is no material {name:?}"), expected))?;
        check_changes(at, table, material)?;
    } else if woven {
        for (key, given) in [
            ("warp", table.warp.is_some()),
            ("weft", table.weft.is_some()),
            ("shear", table.shear.is_some()),
            ("poisson", table.poisson.is_some()),
        ] {
            if !given {
                let problem = format!("`{key}` of the woven sheet is missing");
                return Err(Fault::new(at.clone(), problem, "`warp`, `weft` and `shear`, Pa, and `poisson`"));
            }
        }
        if table.young.is_some() {
            let problem = "both `young` and `warp` say how stiff the sheet is";
            return Err(Fault::new(at.key("young"), problem, "one of them"));
        }
    } else {
        for (key, given) in [("young", table.young.is_some()), ("poisson", table.poisson.is_some())] {
            if !given {
                let problem = format!("`{key}` of the material is missing");
                let expected = "`young`, Pa, and `poisson`, or the `name` of a material";
                return Err(Fault::new(at.clone(), problem, expected));
            }
        }
    }
    let Some(poisson) = table.poisson.map(Finite::get) else { return Ok(()) };
    // ν of a woven sheet may be larger than 1 if the sheet is much stiffer along the warp.
    let most = match (table.warp, table.weft) {
        (Some(warp), Some(weft)) => (warp.get() / weft.get()).sqrt(),
        _ => 1.0,
    };
    if poisson.abs() < most {
        return Ok(());
    }
    let expected = if woven {
        format!("a number between -{most:.4} and {most:.4}, the square root of `warp` over `weft`")
    } else {
        "a number above -1 and below 0.5 for a solid, below 1 for a sheet".to_owned()
    };
    Err(Fault::new(at.key("poisson"), format!("Poisson's ratio is {poisson:?}"), expected))
}

/// The numbers of a named material that may be changed.
fn check_changes(at: &FieldPath, table: &MaterialTable, material: &Material) -> Result<(), Fault> {
    let woven =
        [("warp", table.warp.is_some()), ("weft", table.weft.is_some()), ("shear", table.shear.is_some())];
    let bulk = [
        ("young", table.young.is_some()),
        ("poisson", table.poisson.is_some()),
        ("thickness", table.thickness.is_some()),
    ];
    let fabric = matches!(material.values, MaterialValues::Fabric(_));
    let mut wrong = woven.iter().chain(bulk.iter().filter(|_| fabric));
    match wrong.find(|(_, given)| *given) {
        None => Ok(()),
        Some((key, _)) => {
            let problem = format!("`{key}` is given, but the material {:?} has its own", material.name);
            let expected = if fabric {
                "only `bending` and `warp_direction` beside the name of a fabric; leave out `name` to give \
                all numbers"
            } else {
                "only `young`, `poisson`, `thickness`, `bending` and `model` beside this name"
            };
            Err(Fault::new(at.key(key), problem, expected))
        }
    }
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
