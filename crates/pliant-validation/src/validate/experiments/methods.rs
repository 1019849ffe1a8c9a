//! The same answers by every method.

mod damping;
mod motion;
mod statics;

use super::super::experiment::{Experiment, Findings, Scope};
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "methods",
    title: "Every method",
    what: "
Coarse levels and Newton's method solve the equations that sweeps solve, so what is known of an answer holds for them as well ([coarse levels](../theory/coarse-levels.md),
[Newton's method](../theory/newton.md), [the choice](../theory/choice.md)). Coarse levels are for rigid edges only. All is in `f64` but the damping of the sheet.

* *Statics.* The [chain](chain.md) hangs by Hooke's law, the [cantilever](cantilever.md) as a Newton solver for statics says, with few substeps as well as with many (by the [steady law](../theory/neo-hookean.md), which solids have by default), the [strip of rubber and the sheet of knitwear](invariance.md) hang equally low with any substep, the [pressed block](compressed-block.md) keeps its volume and bulges, and the [twisted beam](twist.md) comes to rest.
* *Motion.* A block falls undeformed, the [pendulum](pendulum.md) keeps time and length, and bodies that [tumble](momentum.md) keep their linear momentum to rounding. They lose no more of their angular momentum than with sweeps.
* *Damping.* The cantilever is released without drag, and swings. A sheet of 31 × 31 vertices with rigid edges falls from two corners. All methods lose energy, the more so the longer the substeps; none may gain any. A sheet that swings through without loss has 0.9 J.
",
    measure,
};

fn measure(scope: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    statics::measure(scope, &mut findings)?;
    motion::measure(&mut findings)?;
    damping::measure(scope, &mut findings)?;
    Ok(findings)
}
