//! Contact between bodies: friction, rest, impacts, tangles.

mod cards;
mod impact;
mod incline;
mod peers;
mod rest;
mod scenes;
mod table_cloth;
mod tangle;

use super::super::experiment::{Experiment, Findings, Scope};
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "contact",
    title: "Contact between bodies",
    what: "
Surfaces of bodies meet each other, and meshes that are held ([how](../theory/contact.md#between-surfaces)). What is known of the answer: Coulomb's law, heights of a stack, balances of momentum and energy, and that nothing passes through anything. Crossings are those of
the certificate: edges that cross triangles, counted exactly at the end of every frame. Thickness is 3 mm, friction 0.3, frames have 1/60 s, unless a row says otherwise.

* *Incline.* Gravity is turned instead of the ground. µ = 0.3, `f64`, 160 substeps of one iteration, fixed order of sweeps. Ways and accelerations are those of the middle of the body, from 0.2 s on.
* *Stack.* Ten sheets of 0.1 m, each turned against the one below, fall by 2 mm on each other and on a held mesh; 40 substeps, `f32`. Heights are those of the middles, where all lie on each other.
* *Tower.* Ten cubes of 0.1 m, 1 kg each and the topmost 100 kg; their edges have 0.1 µm/N, some ten times as stiff as the column needs so as not to buckle. µ = 0.5, 200 substeps, `f32`, fixed order of sweeps.
* *Free bodies.* Two soft cubes strike each other beside their middles in empty space, and a sheet falls on both; 40 substeps, `f64`. Linear momentum is kept by every contact. Angular momentum is kept by pressure, which acts along the line between the closest points at the start of a substep; friction acts at points that are a
  thickness d apart, and changes it by at most d times its impulse. What else changes it are the elastic forces of cubes that turn, as [without contact](momentum.md): that is of first order in the substep. Energy is that of motion and of springs.
* *Bullets.* A sheet of 2 g and a soft cube of 1 kg at 50 m/s, on a held mesh one triangle thin and on a sheet that is held at its rim, `f32`. A vertex of a bullet is through if the line down from it meets the target an even number of times.
* *Table cloth.* A cloth of 1.2 m lies on a held mesh with ten cubes on it, and is pulled away; its hem gets to its speed within 0.05 s. 100 substeps, `f32`: what slides in one must be less than the thickness. The law that says where each cube ends is integrated beside it.
  The scene is that of figure 1 of *Codimensional incremental potential contact* (2021).
* *Card house.* Pairs of cards of 90 × 60 mm and 1 mm lean against each other, three, two and one of them, with a long card across each storey but the last; every card keeps its shape as a whole. µ = 0.5, 40 substeps of ten iterations, `f64`.
* *Tangle.* The border of a sheet starts 20 mm through another sheet; 20 substeps, `f32`, no gravity, drag of 2 1/s.
",
    measure,
};

fn measure(scope: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    incline::measure(scope, &mut findings)?;
    rest::stack(&mut findings)?;
    rest::tower(scope, &mut findings)?;
    impact::momentum(scope, &mut findings)?;
    impact::energy(&mut findings)?;
    impact::bullets(scope, &mut findings)?;
    table_cloth::measure(scope, &mut findings)?;
    cards::measure(scope, &mut findings)?;
    tangle::measure(&mut findings)?;
    if scope.is_full() {
        findings.tables.push(peers::table());
        findings.remarks.push(peers::ABOUT.to_owned());
    }
    Ok(findings)
}
