//! Checks of obstacles with data of their own. The content of files is checked when they are read.

use super::number::{finite, positive, vector};
use super::place::check_placement;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::unit::Metre;
use crate::model::{BodyModel, HeightFieldShape, HeightsModel, HullShape, SdfShape, SpacingModel};

pub(super) fn hull(at: &FieldPath, hull: &HullShape) -> Result<(), Fault> {
    hull.chosen(at, "what the hull is around")?;
    let HullShape { scale, ref rotate, translate, .. } = *hull;
    check_placement(at, &BodyModel { scale, rotate: rotate.clone(), translate, ..BodyModel::default() })?;
    let at = at.key("points");
    let points = hull.points.iter().flatten().enumerate();
    points
        .map(|(i, point)| (at.index(i), point))
        .try_for_each(|(at, point)| vector::<Metre>(&at, "the point", point))
}

pub(super) fn height_field(at: &FieldPath, field: &HeightFieldShape) -> Result<(), Fault> {
    let (spacing, what) = (at.key("spacing"), "the spacing of the heights");
    match field.spacing {
        SpacingModel::Same(value) => positive::<Metre>(&spacing, what, value)?,
        SpacingModel::Each(both) => {
            for (k, value) in both.into_iter().enumerate() {
                positive::<Metre>(&spacing.index(k), what, value)?;
            }
        }
    }
    let HeightsModel::Rows(rows) = &field.heights else { return Ok(()) };
    for (j, row) in rows.iter().enumerate() {
        for (i, &height) in row.iter().enumerate() {
            finite::<Metre>(&at.key("heights").index(j).index(i), "the height", height)?;
        }
    }
    Ok(())
}

pub(super) fn sdf(at: &FieldPath, sdf: &SdfShape) -> Result<(), Fault> {
    let SdfShape { scale, ref rotate, translate, .. } = *sdf;
    check_placement(at, &BodyModel { scale, rotate: rotate.clone(), translate, ..BodyModel::default() })
}
