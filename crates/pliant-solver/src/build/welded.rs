//! What cannot be welded.

use crate::build::constraints::Constraints;
use crate::build::placed::Placed;
use crate::build::weld::Welds;
use crate::describe::scene::Scene;
use crate::describe::settings::Method;
use crate::error::BuildError;
use crate::error::tie::{TieError, TieNumber, TieProblem};

/// Refuses welded vertices of bodies with constraints over many vertices, each of which counts by itself.
pub(super) fn check_bodies(welds: &Welds, scene: &Scene, bodies: &[Placed<'_>]) -> Result<(), BuildError> {
    let coarse = matches!(scene.settings.method, Method::Coarse | Method::Auto);
    for (v, first) in welds.joined() {
        for at in [v, first].into_iter().filter_map(|v| of(bodies, v)) {
            let what = match at.body {
                body if body.pressure.is_some() => "pressure",
                body if !body.shapes.is_empty() => "shape matching",
                _ if coarse && at.rigid().is_some() => "coarse levels of rigid edges",
                _ => continue,
            };
            return Err(fault(scene, bodies, [v, first], TieProblem::WeldOf { body: at.name.clone(), what }));
        }
    }
    Ok(())
}

/// Refuses welds that make two vertices of one constraint one.
pub(super) fn check_folds(
    welds: Option<&Welds>,
    constraints: &Constraints,
    scene: &Scene,
    bodies: &[Placed<'_>],
) -> Result<(), BuildError> {
    let Some(vertices) = welds.and_then(|welds| welds.folded(constraints)) else { return Ok(()) };
    let name = |v: u32| {
        let at = of(bodies, v);
        at.map_or_else(|| v.to_string(), |at| format!("{} of body \"{}\"", v - at.first(), at.name))
    };
    let group = constraints.name().to_owned();
    Err(fault(scene, bodies, vertices, TieProblem::WeldFolds { vertices: vertices.map(name), group }))
}

/// The body of a particle.
fn of<'a, 'b>(bodies: &'a [Placed<'b>], particle: u32) -> Option<&'a Placed<'b>> {
    bodies.iter().find(|at| at.particles.contains(&(particle as usize)))
}

/// An error of the seam that welds one of the particles.
fn fault(scene: &Scene, bodies: &[Placed<'_>], particles: [u32; 2], problem: TieProblem) -> BuildError {
    let is_meant = |v: u32| {
        let at = of(bodies, v)?;
        scene.seams.iter().position(|seam| seam.is_welding(at, v - at.first()))
    };
    let number = particles.into_iter().find_map(is_meant).unwrap_or_default();
    let name = scene.seams.get(number).and_then(|seam| seam.given_name().cloned());
    TieError { tie: TieNumber::Seam(number), name, problem }.into()
}
