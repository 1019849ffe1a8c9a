//! Solids of a material: too stiff or too fast for their substeps, locked, or too soft for their weight.
//!
//! The stiffness number of a tetrahedron is that of equation (8) of the page on the neo-Hookean law, s = h² ·
//! 2μV₀ Σ w |b|²: the square of a substep times the highest frequency of the element. Where it is small, a
//! projection solves the element; where it is large, one undoes only about 1/s of what its neighbours do to
//! it, the body acts like a softer one, and elements that are turned inside out at a floor stay so. The
//! number goes with the square of the substep, so it gives the number of substeps that is enough.
//!
//! A soft body is squashed where it lands, whatever its stiffness number is, and elements that are carried
//! far in a substep turn inside out. Material laws have a second rest state there, from which more substeps
//! no longer lead back.

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint, NeoHookeanTet, StabilisedNeoHookeanTet};
use pliant_io::Mesh;
use pliant_mesh::{TetMesh, counted, tet_volume};
use pliant_solver::{Float, Method};

use super::flight::{Flight, flights};
use super::{Feature, Number, Remark, RemarkKind};
use crate::build::{Built, BuiltBody, Elastic};
use crate::load::Scene;
use crate::model::Steps;

/// The share of the elements that must be resolved, and the stiffness number up to which an element is.
/// Chosen by dropping bodies; see the page on tetrahedra inside out.
const RESOLVED: (f64, f64) = (0.95, 0.5);
/// The distance travelled in a substep at the landing, as a fraction of the least altitude of the median
/// element: the advised one, and the one from which there is a remark.
const WAY: [f64; 2] = [0.075, 0.15];
/// The strain of a landing, v √(ρ/E), from which the body is squashed.
const SQUASHED: f64 = 0.1;
/// Beyond this stiffness number a plain neo-Hookean element gains energy at rest: equation (7).
const STABLE: f64 = 4.0 / 3.0;
/// The remedy besides substeps.
const SOFTER: &str = "make the body softer or its mesh coarser";
/// The share of the advised substeps from which there is no remark.
const ENOUGH: f64 = 0.8;
/// Poisson's ratio from which linear tetrahedra lock.
const LOCKED: f64 = 0.495;
/// Pressure of a body's own weight, as a fraction of its Young's modulus, from which the body collapses.
const HEAVY: f64 = 0.5;

pub(super) fn solids<T: Float>(scene: &Scene, built: &Built<T>) -> Vec<Remark> {
    let weights = built.simulation.inverse_masses();
    let settings = built.simulation.settings();
    let substeps = f64::from(settings.substeps);
    let h = scene.time_step() / substeps;
    let flights = flights(scene, built).unwrap_or_default();
    let duration = f64::from(scene.model.frames) * scene.time_step();
    // Newton's method solves stiff elements whatever the substeps are.
    let swept = !matches!(settings.method, Method::Newton | Method::Auto);
    let mut remarks = Vec::new();
    for (i, (model, body)) in scene.model.bodies.iter().zip(&built.bodies).enumerate() {
        let (Some(elastic), Mesh::Tet(mesh)) = (&body.elastic, body.rest_mesh()) else { continue };
        let weights = &weights[body.particles.clone()];
        let mass: f64 = weights.iter().filter(|w| **w > 0.0).map(|w| 1.0 / w).sum();
        let density = mass / mesh.volume();
        let plain = model.material.as_ref().is_some_and(|m| m.table().steady == Some(false));
        let stiff = Stiff::of(&stiffness_numbers(elastic, mesh, weights, h));
        let arrival = flights.get(i).and_then(Flight::arrival).filter(|(time, _)| *time < duration);
        let fast = arrival.map(|(_, speed)| Fast::of(elastic, mesh, density, speed, h));
        remarks.extend(match plain {
            true => stiff.and_then(|stiff| stiff.unstable(body, settings.substeps)),
            false => too_few(body, settings.substeps, stiff.map(|stiff| (stiff, swept)), fast),
        });
        remarks.extend(locked(body, elastic));
        remarks.extend(too_heavy(body, elastic, mesh, density, settings.gravity));
    }
    remarks
}

/// The stiffness number of every tetrahedron for a substep of `h`, s.
fn stiffness_numbers(elastic: &Elastic, mesh: &TetMesh, weights: &[f64], h: f64) -> Vec<f64> {
    let of = |t: usize| {
        let factor = elastic.factors.as_ref().map_or(1.0, |factors| factors[t]);
        let tet = NeoHookeanTet::elastic(&mesh.corners(t), elastic.young * factor, elastic.poisson).ok()?;
        let weights = mesh.tets()[t].map(|v| weights[v as usize]);
        Some(h * h * StabilisedNeoHookeanTet(tet.kind).diagonal(&weights, 0.0) / tet.compliance)
    };
    (0..mesh.tets().len()).map(|t| of(t).unwrap_or(0.0)).collect()
}

/// The least number of two significant digits that is not below `value`.
fn rounded_up(value: f64) -> f64 {
    let mut unit = 1.0;
    while value / unit > 100.0 {
        unit *= 10.0;
    }
    (value / unit).ceil() * unit
}

/// How stiff a body is for its substeps.
#[derive(Clone, Copy)]
struct Stiff {
    /// The stiffness number that most elements are below.
    typical: f64,
    largest: f64,
    /// The element with the largest stiffness number.
    worst: usize,
}

impl Stiff {
    fn of(numbers: &[f64]) -> Option<Self> {
        let (worst, &largest) = numbers.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let typical = sorted[((sorted.len() as f64 * RESOLVED.0) as usize).min(sorted.len() - 1)];
        Some(Self { typical, largest, worst })
    }

    /// The factor by which the substeps should increase; the stiffness number scales with the square of the
    /// substep.
    fn factor(&self) -> f64 {
        (self.typical / RESOLVED.1).sqrt()
    }

    fn numbers(&self, wanted: f64) -> Vec<Number> {
        vec![
            Number { name: "substeps", value: wanted, unit: "1" },
            Number { name: "stiffness-number", value: self.typical, unit: "1" },
            Number { name: "largest-stiffness-number", value: self.largest, unit: "1" },
        ]
    }

    /// The remark on a plain neo-Hookean body beyond its bound.
    fn unstable(&self, body: &BuiltBody, substeps: u32) -> Option<Remark> {
        let (name, Self { largest, worst, .. }) = (&body.name, *self);
        if largest <= STABLE {
            return None;
        }
        let wanted = rounded_up(f64::from(substeps) * (largest / STABLE).sqrt());
        let enough = if wanted <= f64::from(Steps::LARGEST) {
            format!("use {wanted} substeps")
        } else {
            SOFTER.to_owned()
        };
        Some(Remark {
            kind: RemarkKind::Substeps,
            bodies: vec![name.clone()],
            part: Some(Feature::Tetrahedron(worst)),
            numbers: self.numbers(wanted),
            what: format!(
                "{name} gains energy at {substeps} substeps: without `steady` stiffness numbers must be \
                below {STABLE:.2}, and that of tetrahedron {worst} is {largest:.2e}"
            ),
            remedy: format!("Leave `steady` out, or {enough}"),
        })
    }
}

/// How fast a soft body lands for its substeps.
#[derive(Clone, Copy)]
struct Fast {
    speed: f64,
    /// The distance travelled in a substep, as a fraction of the least altitude of the median element.
    way: f64,
    squashed: bool,
}

impl Fast {
    fn of(elastic: &Elastic, mesh: &TetMesh, density: f64, speed: f64, h: f64) -> Self {
        let mut altitudes: Vec<f64> =
            (0..mesh.tets().len()).map(|t| least_altitude(&mesh.corners(t))).collect();
        altitudes.sort_by(f64::total_cmp);
        let median = altitudes.get(altitudes.len() / 2).copied().unwrap_or(f64::INFINITY);
        Self { speed, way: speed * h / median, squashed: speed * (density / elastic.young).sqrt() > SQUASHED }
    }
}

/// The least distance of a corner of a tetrahedron from the plane of the others, m.
fn least_altitude(corners: &[Vector3<f64>; 4]) -> f64 {
    let [a, b, c, d] = corners;
    let faces = [(b, c, d), (a, c, d), (a, b, d), (a, b, c)];
    let area = faces.map(|(p, q, r)| (q - p).cross(&(r - p)).norm()).into_iter().fold(0.0, f64::max);
    6.0 * tet_volume(corners).abs() / area
}

/// The remark on a body that needs more substeps; its stiffness counts if it is `swept`.
fn too_few(
    body: &BuiltBody,
    substeps: u32,
    stiff: Option<(Stiff, bool)>,
    fast: Option<Fast>,
) -> Option<Remark> {
    let (name, n, (stiff, swept)) = (&body.name, f64::from(substeps), stiff?);
    let is_stiff = swept && stiff.factor() * ENOUGH > 1.0;
    let fast = fast.filter(|fast| fast.squashed && fast.way > WAY[1]);
    if !is_stiff && fast.is_none() {
        return None;
    }
    let of_stiffness = if is_stiff { stiff.factor() } else { 1.0 };
    let wanted = rounded_up(n * of_stiffness.max(fast.map_or(1.0, |fast| fast.way / WAY[0])));
    let Stiff { typical, largest, worst } = stiff;
    let mut reasons = Vec::new();
    if is_stiff {
        reasons.push(format!(
            "is too stiff for {}: one in twenty of its tetrahedra has a stiffness number above {typical:.2} \
            (tetrahedron {worst}: {largest:.1e}), so it behaves like a softer body",
            counted(substeps, "substep", "substeps")
        ));
    }
    let mut numbers = stiff.numbers(wanted);
    if let Some(Fast { speed, way, .. }) = fast {
        reasons.push(format!(
            "is squashed where it lands at {speed:.1} m/s, by {:.0} % of an element in each of {}",
            100.0 * way,
            counted(substeps, "substep", "substeps")
        ));
        numbers.push(Number { name: "landing-speed", value: speed, unit: "m/s" });
    }
    Some(Remark {
        kind: RemarkKind::Substeps,
        bodies: vec![name.clone()],
        part: is_stiff.then_some(Feature::Tetrahedron(worst)),
        numbers,
        what: format!("{name} {}; tetrahedra may be left inside out", reasons.join(", and ")),
        remedy: if wanted <= f64::from(Steps::LARGEST) {
            format!("Use {wanted} substeps, or {SOFTER}")
        } else {
            format!("Even the largest number of substeps is not enough: {SOFTER}")
        },
    })
}

fn locked(body: &BuiltBody, elastic: &Elastic) -> Option<Remark> {
    (elastic.poisson > LOCKED).then(|| Remark {
        kind: RemarkKind::Locking,
        bodies: vec![body.name.clone()],
        part: None,
        numbers: vec![Number { name: "poisson", value: elastic.poisson, unit: "1" }],
        what: format!(
            "Poisson's ratio of {} is {}: linear tetrahedra lock above {LOCKED}, and bend much less than the material",
            body.name, elastic.poisson
        ),
        remedy: "Use 0.49, which is incompressible enough".to_owned(),
    })
}

/// The remark on a body that its own weight crushes.
fn too_heavy(
    body: &BuiltBody,
    elastic: &Elastic,
    mesh: &TetMesh,
    density: f64,
    gravity: Vector3<f64>,
) -> Option<Remark> {
    let g = gravity.norm();
    if g <= 0.0 {
        return None;
    }
    let along = gravity / g;
    let heights = mesh.positions().iter().map(|x| x.dot(&along));
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    // The mean pressure over the height of a column of this density: half of that at its foot.
    let pressure = 0.5 * density * g * (high - low);
    let young = elastic.young;
    (pressure > HEAVY * young).then(|| Remark {
        kind: RemarkKind::Weight,
        bodies: vec![body.name.clone()],
        part: None,
        numbers: vec![
            Number { name: "pressure", value: pressure, unit: "Pa" },
            Number { name: "young", value: young, unit: "Pa" },
        ],
        what: format!(
            "the weight of {} presses on it with {pressure:.1e} Pa on average, and Young's modulus is \
            {young:.1e} Pa: it collapses",
            body.name
        ),
        remedy: "Give it a larger `young` or a smaller `density`, or check their units".to_owned(),
    })
}
