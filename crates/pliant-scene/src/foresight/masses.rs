//! Masses: ratios between connected particles, and densities and thicknesses that no material has.

use pliant_mesh::{Aabb, counted};
use pliant_solver::Float;

use super::{Feature, Number, Remark, RemarkKind};
use crate::build::{Built, BuiltBody};
use crate::load::Scene;
use crate::model::{BodyModel, Bounded};

/// Ratios of masses beyond this converge slowly.
const RATIO: f64 = 1e3;
/// Constraints with more particles act on a whole body and are not compared.
const MOST_PARTICLES: usize = 8;
/// Densities of solids, kg/m³: from that of a gas to that of an element.
const SOLIDS: [f64; 2] = [0.5, 3e4];
/// Densities of cloth, kg/m²: from a film of a micrometre to a plate of lead.
const SHEETS: [f64; 2] = [5e-4, 300.0];
/// A thickness, m, that no sheet is below.
const MOLECULE: f64 = 1e-9;

pub(super) fn masses<T: Float>(scene: &Scene, built: &Built<T>) -> Vec<Remark> {
    let weights = built.simulation.inverse_masses();
    let mut remarks: Vec<Remark> = Vec::new();
    remarks.extend(ratio(built, &weights));
    for (model, body) in scene.model.bodies.iter().zip(&built.bodies) {
        let given = [
            (
                model.density.map(Bounded::get),
                SOLIDS,
                "density",
                "kg/m³",
                "1000 is water, 30 a foam, 7800 steel",
            ),
            (
                model.area_density.map(Bounded::get),
                SHEETS,
                "area_density",
                "kg/m²",
                "0.15 is shirting, 0.4 denim",
            ),
        ];
        for (density, [least, most], key, unit, known) in given {
            let Some(density) = density.filter(|d| !(least..=most).contains(d)) else { continue };
            remarks.push(Remark {
                kind: RemarkKind::Density,
                bodies: vec![body.name.clone()],
                part: None,
                numbers: vec![Number { name: key, value: density, unit }],
                what: format!("{} has a {key} of {density:e} {unit}, which no material has", body.name),
                remedy: format!("Check its unit: {known}"),
            });
        }
        remarks.extend(thick(model, body));
    }
    remarks
}

/// The remark on a sheet that is thicker than it is wide, or thinner than a layer of molecules.
fn thick(model: &BodyModel, body: &BuiltBody) -> Option<Remark> {
    let thickness = model.material.as_ref()?.table().thickness?.get();
    let Aabb { min, max } = Aabb::of_points(body.mesh.positions())?;
    let width = (max - min).max();
    (thickness > width || thickness < MOLECULE).then(|| Remark {
        kind: RemarkKind::Density,
        bodies: vec![body.name.clone()],
        part: None,
        numbers: vec![Number { name: "thickness", value: thickness, unit: "m" }],
        what: format!("{} is {thickness:e} m thick and {width:.1e} m wide: it is not a sheet", body.name),
        remedy: "Check its unit: 5e-4 is cloth".to_owned(),
    })
}

/// The worst ratio of two masses that a constraint, a stitch or an attachment joins.
fn ratio<T: Float>(built: &Built<T>, weights: &[f64]) -> Option<Remark> {
    let mut worst = (RATIO, [0, 0], String::new());
    let mut count = 0_usize;
    for group in built.simulation.plan() {
        built.simulation.for_each_residual(&group.name, |_, particles, _| {
            if particles.len() > MOST_PARTICLES {
                return;
            }
            let moving = particles.iter().map(|&i| i as usize).filter(|&i| weights[i] > 0.0);
            let ends = moving.fold(None, |ends: Option<[usize; 2]>, i| {
                let [light, heavy] = ends.unwrap_or([i, i]);
                let light = if weights[i] > weights[light] { i } else { light };
                Some([light, if weights[i] < weights[heavy] { i } else { heavy }])
            });
            let Some([light, heavy]) = ends else { return };
            let ratio = weights[light] / weights[heavy];
            count += usize::from(ratio > RATIO);
            if ratio > worst.0 {
                worst = (ratio, [light, heavy], group.name.clone());
            }
        });
    }
    let (ratio, pair, group) = worst;
    if count == 0 {
        return None;
    }
    let of = |particle: usize| {
        let body = built.bodies.iter().find(|body| body.particles.contains(&particle))?;
        Some((body.name.clone(), particle - body.particles.start))
    };
    let [(a, light), (b, heavy)] = [of(pair[0])?, of(pair[1])?];
    let what = format!(
        "vertex {heavy} of {b} is {ratio:.1e} times as heavy as vertex {light} of {a}, to which {group} tie it; {} of more than {RATIO:e}",
        counted(count, "ratio is", "ratios are")
    );
    Some(Remark {
        kind: RemarkKind::MassRatio,
        bodies: if a == b { vec![a] } else { vec![a, b] },
        part: Some(Feature::Pair([light, heavy])),
        numbers: vec![
            Number { name: "ratio", value: ratio, unit: "1" },
            Number { name: "count", value: count as f64, unit: "1" },
        ],
        what,
        remedy: "Ratios beyond a thousand converge slowly: make the masses more alike by densities or by the size of elements, or use many more substeps".to_owned(),
    })
}
