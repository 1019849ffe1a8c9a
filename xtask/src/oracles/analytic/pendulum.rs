//! `pendulum`: the period and the slow loss of amplitude of a rigid pendulum.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_solver::{Assembly, Constraints};
use serde_json::Value;

use super::super::verdict::{Problem, Tally};
use super::{number, number_in, single_substeps};

/// How long the pendulum swings, s.
const SECONDS: f64 = 10.0;

pub(crate) fn judge(json: &Value) -> Result<Tally, Problem> {
    let setup = json["setup"].as_str().unwrap_or_default();
    let value = |key: &str, usual: f64| number_in(setup, key).unwrap_or(usual);
    let pendulum = Pendulum {
        length: value("L=", 1.0),
        mass: value("m=", 1.0),
        angle: value("theta0=", 5.0).to_radians(),
        g: value("g=", 9.81),
        alpha: value("alpha=", 0.0),
    };
    let dt = value("dt=", 1.0 / 60.0);
    let measured = json["measured"].as_object().ok_or_else(|| Problem("nothing is measured".into()))?;
    let mut runs = Vec::new();
    for (name, measured) in measured {
        let substeps =
            number_in(name, "nsub").ok_or_else(|| Problem(format!("\"{name}\" names no substeps")))?;
        runs.push((substeps, name, measured));
    }
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let period = period(json).ok_or_else(|| Problem("no period of the finite swing".into()))?;
    let mut tally = Tally::default();
    let mut earlier = 0.0;
    for (substeps, name, measured) in runs {
        let swing = pendulum.swing(dt / substeps)?;
        tally.case();
        if substeps >= 10.0 {
            tally.check(swing.period / period - 1.0, 1e-3, || format!("{name}, period"));
        }
        tally.check(swing.length_error, 1e-12, || format!("{name}, length"));
        let amplitude = number(measured, &["amplitude_after_10s"])?;
        tally.check(swing.amplitude - amplitude, 1e-3, || format!("{name}, amplitude"));
        tally.require(swing.falling, || format!("{name}: the amplitude does not fall from swing to swing"));
        tally.require(swing.amplitude > earlier, || format!("{name}: shorter substeps lose more amplitude"));
        earlier = swing.amplitude;
    }
    Ok(tally)
}

/// The period at the angle of the file: the field is named after it, as `period_5deg`.
fn period(json: &Value) -> Option<f64> {
    let named = |name: &str| {
        name.strip_prefix("period_").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    json.as_object()?.iter().find(|(name, _)| named(name))?.1.as_f64()
}

struct Pendulum {
    length: f64,
    mass: f64,
    /// Where it is let go, rad from the vertical.
    angle: f64,
    g: f64,
    alpha: f64,
}

struct Swing {
    /// Mean time of a full swing, s.
    period: f64,
    /// Largest error of the length, m.
    length_error: f64,
    /// Largest angle of the last full swing on the side where it was let go, relative to where that was.
    amplitude: f64,
    /// Whether every swing is smaller than the one before.
    falling: bool,
}

impl Pendulum {
    fn swing(&self, h: f64) -> Result<Swing, Problem> {
        let start = Vector3::new(self.angle.sin(), -self.angle.cos(), 0.0) * self.length;
        let mut assembly = Assembly::new(vec![Vector3::zeros(), start], vec![0.0, 1.0 / self.mass])?;
        let rod = Distance { rest: self.length };
        assembly.add(Constraints::new("rod", vec![[0, 1]], vec![rod], vec![self.alpha])?);
        assembly.settings(single_substeps(self.g, 1));
        let mut sim = assembly.build::<f64>()?;

        let mut length_error = 0.0_f64;
        let (mut crossings, mut peaks) = (Vec::new(), Vec::new());
        let (mut before, mut peak) = (self.angle, 0.0_f64);
        for n in 1..=(SECONDS / h).round() as u64 {
            sim.advance(h)?;
            let x = sim.positions()[1];
            length_error = length_error.max((x.norm() - self.length).abs());
            let angle = x.x.atan2(-x.y);
            peak = peak.max(angle);
            if before > 0.0 && angle <= 0.0 {
                // The moment of passing the vertical, between two substeps.
                crossings.push((n as f64 - angle / (angle - before)) * h);
                peaks.push(peak);
                peak = 0.0;
            }
            before = angle;
        }
        let (Some(first), Some(last)) = (crossings.first(), crossings.last()) else {
            return Err(Problem("the pendulum does not swing".into()));
        };
        Ok(Swing {
            period: (last - first) / (crossings.len() - 1) as f64,
            length_error,
            amplitude: peaks.last().copied().unwrap_or(f64::NAN) / self.angle,
            falling: peaks.windows(2).all(|pair| pair[1] < pair[0]),
        })
    }
}
