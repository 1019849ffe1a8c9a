//! [`Summary`]: residuals, strains and energy of a group in one pass.

use pliant_constraints::{BlockConstraint, Damping, Kind, Measure, damped_values};

use crate::float::Float;
use crate::kernel::Item;
use crate::particles::Particle;

/// Sums and maxima over a group.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Largest |C + α̃λ| and the constraint that has it.
    pub residual: Peak,
    /// Sum of the squared residuals over all rows.
    pub residual_squares: f64,
    /// Number of rows summed.
    pub rows: usize,
    /// Elastic energy ½ C²/α of the compliant constraints, J.
    pub energy: f64,
    /// Largest elongation (L − L₀)/L₀.
    pub stretch: Peak,
    /// Largest compression (L₀ − L)/L₀.
    pub compression: Peak,
    /// Sum of |L − L₀|/L₀.
    pub stretch_sum: f64,
    /// Number of stretches summed.
    pub stretches: usize,
    /// Largest |V − V₀|/|V₀|.
    pub volume: Peak,
    /// Number of elements whose volume was measured.
    pub volumes: usize,
    /// Number of elements with no volume or a negative one.
    pub inverted: usize,
    /// The first inverted element.
    pub first_inverted: Option<usize>,
}

/// The state that is summarised.
#[derive(Debug, Clone, Copy)]
pub struct State<'a, T: Float> {
    /// The particles.
    pub now: &'a [Particle<T>],
    /// The particles at the start of the last substep.
    pub previous: &'a [Particle<T>],
    /// 1/h² of the last substep, s⁻²; zero before the first.
    pub inverse_h2: T,
    /// γ of the constraints, zero without damping.
    pub gamma: T,
}

/// A maximum and where it was found.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Peak {
    /// The largest value; zero if there was none.
    pub value: f64,
    /// Number of the constraint in the caller's list.
    pub at: Option<usize>,
}

impl Peak {
    /// Takes up a value; NaN counts as larger than everything. Ties go to the smaller number.
    pub(crate) fn take(&mut self, value: f64, at: usize) {
        let larger = value > self.value || (value.is_nan() && !self.value.is_nan());
        let tie = value == self.value && value > 0.0 && self.at.is_some_and(|a| at < a);
        if larger || tie {
            *self = Self { value, at: Some(at) };
        }
    }

    fn merge(&mut self, other: &Self) {
        if let Some(at) = other.at {
            self.take(other.value, at);
        }
    }
}

impl Summary {
    pub(crate) fn merge(mut self, other: &Self) -> Self {
        self.residual.merge(&other.residual);
        self.residual_squares += other.residual_squares;
        self.rows += other.rows;
        self.energy += other.energy;
        self.stretch.merge(&other.stretch);
        self.compression.merge(&other.compression);
        self.stretch_sum += other.stretch_sum;
        self.stretches += other.stretches;
        self.volume.merge(&other.volume);
        self.volumes += other.volumes;
        self.inverted += other.inverted;
        self.first_inverted = match (self.first_inverted, other.first_inverted) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self
    }
}

/// Adds up a chunk of constraints.
pub(crate) fn summarise_items<T: Float, K: Kind<N, M>, const N: usize, const M: usize>(
    items: impl Iterator<Item = Item<T, K, N, M>>,
    state: &State<'_, T>,
) -> Summary {
    let bound = <K::At<T> as BlockConstraint<T, N, M>>::BOUND;
    let mut summary = Summary::default();
    for item in items {
        let x = item.stencil().map(|v| state.now[v as usize].x);
        let values = item.rest().values(&x);
        let alpha_tilde = item.compliance() * state.inverse_h2;
        let residuals = if state.gamma > T::zero() {
            let previous = item.stencil().map(|v| state.previous[v as usize].x);
            let damping = Damping { previous: &previous, gamma: state.gamma };
            bound.residual(&damped_values(item.rest(), &x, alpha_tilde, damping), alpha_tilde, item.lambda())
        } else {
            bound.residual(&values, alpha_tilde, item.lambda())
        };
        let compliance = item.compliance().to_f64();
        for (value, residual) in values.iter().zip(&residuals) {
            let r = residual.to_f64();
            summary.residual.take(r.abs(), item.source());
            summary.residual_squares += r * r;
            if compliance > 0.0 {
                let c = bound.violation(*value).to_f64();
                summary.energy += 0.5 * c * c / compliance;
            }
        }
        summary.rows += M;
        match K::measure(item.rest(), &values) {
            Measure::Nothing => {}
            Measure::Stretch(s) => {
                let s = s.to_f64();
                summary.stretch.take(s, item.source());
                summary.compression.take(-s, item.source());
                summary.stretch_sum += s.abs();
                summary.stretches += 1;
            }
            Measure::Volume(v) => {
                let v = v.to_f64();
                summary.volume.take(v.abs(), item.source());
                summary.volumes += 1;
                if v <= -1.0 {
                    summary.inverted += 1;
                    summary.first_inverted =
                        Some(summary.first_inverted.map_or(item.source(), |f| f.min(item.source())));
                }
            }
        }
    }
    summary
}
