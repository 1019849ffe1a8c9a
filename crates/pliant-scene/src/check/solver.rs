//! Checks of the solver's settings.

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{MethodModel, OrderModel, SolverModel};

pub(super) fn check(at: &FieldPath, solver: &SolverModel) -> Result<(), Fault> {
    let by_accuracy = matches!(solver.method, Some(MethodModel::Newton | MethodModel::Auto));
    if solver.accuracy.is_some() && !by_accuracy {
        return Err(Fault::new(
            at.key("accuracy"),
            "the accuracy is that of the methods \"auto\" and \"newton\"",
            "`method = \"auto\"` beside it",
        ));
    }
    if let Some(order) = &solver.order {
        let at = match order {
            OrderModel::Both(_) => at.key("order").key("groups"),
            _ => at.key("order"),
        };
        let groups = order.groups().unwrap_or_default();
        for (i, category) in groups.iter().enumerate() {
            if groups[..i].contains(category) {
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
