//! Checks of what holds a body together besides its material.

use super::region;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BodyModel, CategoryModel, PressureModel, ValueQuantity, ValuesModel, VaryModel};

pub(super) fn check(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    for (i, vary) in body.vary.iter().enumerate() {
        check_vary(&at.key("vary").index(i), vary)?;
    }
    if body.tethers.is_some_and(|t| t.slack().is_some()) && body.pins.is_empty() {
        let problem = "`tethers` tie a body to its pins, but it has none";
        return Err(Fault::new(at.key("tethers"), problem, "a `[[body.pin]]`, or `tethers` to be left out"));
    }
    if let Some(limit) = &body.strain_limit {
        let at = at.key("strain_limit");
        if limit.stretch.is_none() && limit.compression.is_none() {
            return Err(Fault::new(
                at,
                "the strain limit limits nothing",
                "`stretch`, `compression` or both",
            ));
        }
    }
    if let Some(pressure) = &body.pressure {
        check_pressure(&at.key("pressure"), pressure)?;
    }
    for (i, shape) in body.shapes.iter().enumerate() {
        let at = at.key("shape").index(i);
        if let Some(part) = &shape.region {
            region::check(&at.key("region"), part, "which vertices keep their shape", "the group")?;
        }
    }
    Ok(())
}

fn check_vary(at: &FieldPath, vary: &VaryModel) -> Result<(), Fault> {
    match (&vary.region, vary.factor, &vary.values) {
        (Some(part), Some(_), None) => {
            region::check(&at.key("region"), part, "which part is stiffer", "the region")?;
            if part.vertices.is_some() {
                let problem = "the stiffer part is given by vertices, but elements are found by their place";
                let at = at.key("region").key("vertices");
                return Err(Fault::new(at, problem, "`group`, `box`, `half_space` or `sphere`"));
            }
        }
        (None, None, Some(values)) => check_values(&at.key("values"), vary, values)?,
        _ => {
            let problem = "the part and its stiffness are not given, or given twice";
            return Err(Fault::new(at.clone(), problem, "`region` and `factor`, or `values`"));
        }
    }
    let unfit = |category: &CategoryModel| {
        matches!(
            category,
            CategoryModel::Shapes | CategoryModel::Pressure | CategoryModel::Ties | CategoryModel::Limits
        )
    };
    match vary.of.iter().flatten().position(unfit) {
        None => Ok(()),
        Some(i) => Err(Fault::new(
            at.key("of").index(i),
            "these constraints have no elements to vary",
            "`edges`, `bending`, `volumes`, `membranes` or `solids`",
        )),
    }
}

fn check_values(at: &FieldPath, vary: &VaryModel, values: &ValuesModel) -> Result<(), Fault> {
    let key = values.chosen(at, "where the values come from")?;
    for (other, given, of) in
        [("field", values.field.is_some(), "file"), ("component", values.component.is_some(), "attribute")]
    {
        if given && key != of {
            let problem = format!("`{other}` applies to `{of}`, but the values come from `{key}`");
            return Err(Fault::new(at.key(other), problem, "it to be left out"));
        }
    }
    let of_one = matches!(
        vary.of.as_deref(),
        Some([CategoryModel::Edges | CategoryModel::Bending | CategoryModel::Volumes])
    );
    match values.quantity.unwrap_or_default() {
        ValueQuantity::Density | ValueQuantity::Thickness if vary.of.is_some() => {
            let problem = "`of` names constraints, but the values are about the elements themselves";
            Err(Fault::new(at.key("quantity"), problem, "`of` to be left out"))
        }
        ValueQuantity::Compliance | ValueQuantity::Stiffness if !of_one => {
            let problem = "the constraints that the values are for are not given";
            let expected = "`of = [\"edges\"]`, `of = [\"bending\"]` or `of = [\"volumes\"]` beside `values`";
            Err(Fault::new(at.key("quantity"), problem, expected))
        }
        _ => Ok(()),
    }
}

fn check_pressure(at: &FieldPath, pressure: &PressureModel) -> Result<(), Fault> {
    let key = pressure.chosen(at, "what fills the body")?;
    if pressure.compliance.is_some() && key == "gas" {
        let problem = "`compliance` is given, but a gas has its own";
        return Err(Fault::new(at.key("compliance"), problem, "it to be left out"));
    }
    if key == "overpressure" && pressure.compliance.is_none_or(|a| a.get() <= 0.0) {
        let problem = "an overpressure would grow without bound because the volume cannot give way";
        return Err(Fault::new(at.clone(), problem, "a positive `compliance`, m³/Pa, beside `overpressure`"));
    }
    match pressure.exponent {
        Some(_) if key != "gas" => {
            let problem = "`exponent` applies to `gas`, which is not given";
            Err(Fault::new(at.key("exponent"), problem, "it to be left out"))
        }
        Some(_) | None => Ok(()),
    }
}
