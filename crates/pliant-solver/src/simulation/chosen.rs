//! A frame whose method and substeps are chosen.

use pliant_kernel::Scalar;

use super::Simulation;
use crate::auto::energy::Balance;
use crate::auto::{Auto, excess};
use crate::describe::settings::Method;
use crate::error::StepError;
use crate::observe::accuracy::LeftOver;

/// The residuals and energies of a state.
struct Left {
    /// The largest residual as a share of the size of elements.
    share: f64,
    /// Number of tetrahedra that are flat or inside out.
    inverted: usize,
    /// Energies and work, if the external work is known.
    balance: Option<Balance>,
}

/// An impact is in view if it is less than this many frames ahead.
const IN_VIEW: f64 = 4.0;

impl<T: Scalar> Simulation<T> {
    /// Steps by `dt`, s, as [`Auto`] chooses.
    pub(super) fn advance_by_choice(&mut self, dt: f64) -> Result<(), StepError> {
        let Some(mut auto) = self.world.auto.take() else {
            return self.advance_in(dt, self.world.settings.substeps);
        };
        let result = self.choose(dt, &mut auto);
        self.world.auto = Some(auto);
        result
    }

    fn choose(&mut self, dt: f64, auto: &mut Auto) -> Result<(), StepError> {
        let before = self.world.snapshot_here();
        let start = self.left();
        if let Some(balance) = start.balance {
            auto.moved.take(&balance);
        }
        let falls = self.world.time_to_impact(dt, IN_VIEW * dt).is_none();
        let settings = self.world.settings.clone();
        let mut spent = Vec::new();
        let (mut error, mut end) = (None, None);
        let mut next = Some(auto.begin(&settings));
        while let Some((method, substeps)) = next {
            if !spent.is_empty() {
                self.world.restore_here(&before);
            }
            spent.push(substeps);
            error = self.attempt(dt, method, substeps).err();
            let left = self.left();
            end = left.balance;
            let (excess, harm) = self.excess(&start, &left, auto, error.is_some());
            auto.tried(method, substeps, excess, harm);
            next = auto.again(&settings);
        }
        let Some(best) = auto.best() else { return Ok(()) };
        if (best.method, Some(&best.substeps)) != (self.world.method, spent.last()) {
            self.world.restore_here(&before);
            spent.push(best.substeps);
            error = self.attempt(dt, best.method, best.substeps).err();
            end = self.left().balance;
        }
        if let Some(balance) = end {
            auto.moved.take(&balance);
        }
        auto.end(best, &spent, falls, &settings);
        error.map_or(Ok(()), Err)
    }

    /// Solves the frame once.
    fn attempt(&mut self, dt: f64, method: Method, substeps: u32) -> Result<(), StepError> {
        // A system that could be built once can be built again; if it cannot, sweeps alone solve the frame,
        // and do it badly.
        let _ = self.world.take_up(method);
        self.advance_in(dt, substeps)
    }

    /// How far the present state, which leaves `left`, is from the goal, and the energy that was created,
    /// both as multiples of what is allowed; the frame began with `start`.
    fn excess(&self, start: &Left, left: &Left, auto: &Auto, broken: bool) -> (f64, f64) {
        if broken {
            return (f64::INFINITY, f64::INFINITY);
        }
        let missed = self.world.method == Method::Newton && self.world.newton.missed;
        let harm =
            start.balance.zip(left.balance).map_or(0.0, |(before, after)| auto.moved.harm(&before, &after));
        (excess::<T>(left.share, &self.world.settings, left.inverted > start.inverted, missed), harm)
    }

    /// The residuals of the present state, with its energies if the external work is known.
    fn left(&self) -> Left {
        let LeftOver { share, inverted, elastic } = self.world.left_over();
        Left { share, inverted, balance: self.world.balance(elastic) }
    }
}
