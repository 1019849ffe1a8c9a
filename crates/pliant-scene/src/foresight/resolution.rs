//! Number types that are too coarse: the rounding of positions compared with edges and, divided by a substep,
//! with velocities.

use nalgebra::Vector3;
use pliant_constraints::Real;
use pliant_solver::{Float, Rounding};

use super::{Feature, Number, Remark, RemarkKind};
use crate::build::{Built, BuiltBody};
use crate::load::Scene;
use crate::model::Bounded;

/// The rounding of a position that is too large, as a fraction of the shortest edge of its body; for the mean
/// edge it is [`Rounding::POSITION`].
const OF_SHORTEST_EDGE: f64 = 2e-2;

/// An accuracy that is asked for and that the numbers cannot have.
pub(super) fn accuracy<T: Float>(scene: &Scene) -> Option<Remark> {
    let finest = <T as Real>::EPSILON;
    let accuracy = scene.model.solver.accuracy.map(Bounded::get).filter(|accuracy| *accuracy < finest)?;
    Some(Remark {
        kind: RemarkKind::Resolution,
        bodies: Vec::new(),
        part: None,
        numbers: vec![Number { name: "accuracy", value: accuracy, unit: "1" }],
        what: format!("an accuracy of {accuracy:e} is finer than {} resolves: {finest:.1e}", T::NAME),
        remedy: "Ask for less, such as 0.001".to_owned(),
    })
}

/// The rounding in files that shows, as a fraction of the mean edge.
const SHOWN: f64 = 2e-2;

/// Files of animations, which hold single precision, of a scene that is simulated in double precision.
pub(super) fn files<T: Float>(built: &Built<T>) -> Option<Remark> {
    if T::NAME == "f32" {
        return None;
    }
    let coarse = built.bodies.iter().filter_map(|body| Some((body, Coarse::of::<f32>(body)?)));
    let share = |coarse: &Coarse| coarse.rounding / coarse.mean;
    let (body, coarse) = coarse.max_by(|a, b| share(&a.1).total_cmp(&share(&b.1)))?;
    (share(&coarse) > SHOWN).then(|| Remark {
        kind: RemarkKind::Resolution,
        bodies: vec![body.name.clone()],
        part: Some(Feature::Vertex(coarse.vertex)),
        numbers: vec![Number { name: "rounding-in-files", value: coarse.rounding, unit: "m" }],
        what: format!(
            "the files hold single precision, which rounds positions of {} by {:.1e} m; its edges are {:.1e} m long",
            body.name, coarse.rounding, coarse.mean
        ),
        remedy: "Put the scene near the origin".to_owned(),
    })
}

/// How coarse the numbers are for a body.
struct Coarse {
    /// Rounding of the farthest coordinate, m.
    rounding: f64,
    vertex: usize,
    /// Mean and shortest edge, m.
    mean: f64,
    shortest: f64,
}

impl Coarse {
    fn of<T: Float>(body: &BuiltBody) -> Option<Self> {
        let x = body.mesh.positions();
        let (vertex, farthest) =
            x.iter().map(Vector3::amax).enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let lengths = body.edges().into_iter().map(|[a, b]| (x[a as usize] - x[b as usize]).norm());
        let shortest = lengths.fold(f64::INFINITY, f64::min);
        let rounding = <T as Real>::EPSILON * farthest;
        Some(Self { rounding, vertex, mean: body.mean_edge()?, shortest })
    }

    /// The factor by which a bound is exceeded.
    fn excess(&self) -> f64 {
        (self.rounding / self.mean / Rounding::POSITION).max(self.rounding / self.shortest / OF_SHORTEST_EDGE)
    }
}

pub(super) fn resolution<T: Float>(scene: &Scene, built: &Built<T>) -> Option<Remark> {
    let coarse = built.bodies.iter().filter_map(|body| Some((body, Coarse::of::<T>(body)?)));
    let coarse: Vec<(&BuiltBody, Coarse)> = coarse.collect();
    let settings = built.simulation.settings();
    let h = scene.time_step() / f64::from(settings.substeps);
    let gravity = settings.gravity.norm();
    let of_velocity = |coarse: &Coarse| {
        let fall = (gravity * coarse.mean).sqrt();
        if fall > 0.0 { coarse.rounding / h / fall } else { 0.0 }
    };
    let worst = |of: &dyn Fn(&Coarse) -> f64| {
        let found = coarse.iter().map(|(body, coarse)| (*body, coarse, of(coarse)));
        found.max_by(|a, b| a.2.total_cmp(&b.2))
    };
    let (wider, so) = match T::NAME {
        "f32" => (" or use precision = \"f64\"", "single precision"),
        _ => ("", "double precision"),
    };
    let (body, coarse, excess) = worst(&Coarse::excess)?;
    let numbers = |coarse: &Coarse| {
        vec![
            Number { name: "rounding", value: coarse.rounding, unit: "m" },
            Number { name: "shortest-edge", value: coarse.shortest, unit: "m" },
            Number { name: "rounding-of-velocity", value: coarse.rounding / h, unit: "m/s" },
        ]
    };
    let remark = |body: &BuiltBody, coarse: &Coarse, what: String, remedy: String| Remark {
        kind: RemarkKind::Resolution,
        bodies: vec![body.name.clone()],
        part: Some(Feature::Vertex(coarse.vertex)),
        numbers: numbers(coarse),
        what,
        remedy,
    };
    if excess > 1.0 {
        let what = format!(
            "{so} rounds positions of {} by {:.1e} m; its edges are {:.1e} m long, the shortest {:.1e} m",
            body.name, coarse.rounding, coarse.mean, coarse.shortest
        );
        return Some(remark(body, coarse, what, format!("Put the scene near the origin{wider}")));
    }
    let (body, coarse, share) = worst(&of_velocity)?;
    if share > Rounding::VELOCITY {
        let what = format!(
            "with substeps of {h:.1e} s rounding of positions dominates the velocities of {}: {:.1e} m/s in \
            {so}",
            body.name,
            coarse.rounding / h
        );
        return Some(remark(body, coarse, what, format!("Use fewer substeps{wider}")));
    }
    let (body, coarse, rounding) = worst(&|coarse| coarse.rounding)?;
    let way = gravity * h * h;
    (way > 0.0 && rounding > Rounding::GRAVITY * way).then(|| {
        let what = format!(
            "gravity moves a particle by {way:.1e} m in a substep of {h:.1e} s, and {so} rounds positions of {} by \
            {rounding:.1e} m: its weight is wrong",
            body.name
        );
        remark(body, coarse, what, format!("Use fewer substeps{wider}"))
    })
}
