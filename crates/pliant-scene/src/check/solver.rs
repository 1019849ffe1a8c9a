//! Checks of the solver's settings.

use super::number::in_range;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{MethodModel, OrderModel, SolverModel};

pub(super) fn check(at: &FieldPath, solver: &SolverModel) -> Result<(), Fault> {
    if let Some(substeps) = solver.substeps {
        in_range(&at.key("substeps"), "the number of substeps", substeps, 1, 10_000)?;
    }
    if let Some(iterations) = solver.iterations {
        in_range(&at.key("iterations"), "the number of iterations", iterations, 1, 10_000)?;
    }
    if let Some(accuracy) = solver.accuracy {
        let at = at.key("accuracy");
        if !matches!(solver.method, Some(MethodModel::Newton | MethodModel::Auto)) {
            return Err(Fault::new(
                at,
                "the accuracy is that of the methods \"auto\" and \"newton\"",
                "`method = \"auto\"` beside it",
            ));
        }
        if !(accuracy > 0.0 && accuracy < 1.0) {
            return Err(Fault::new(
                at,
                format!("the accuracy is {accuracy}"),
                "a share above 0 and below 1, such as 0.01",
            ));
        }
    }
    if let Some(order) = &solver.order {
        let at = match order {
            OrderModel::Both(_) => at.key("order").key("groups"),
            _ => at.key("order"),
        };
        let groups = order.groups().unwrap_or_default();
        for (i, role) in groups.iter().enumerate() {
            if groups[..i].contains(role) {
                let at = at.index(i);
                return Err(Fault::new(
                    at,
                    "a group is named twice in the order",
                    "every group at most once",
                ));
            }
        }
    }
    Ok(())
}
