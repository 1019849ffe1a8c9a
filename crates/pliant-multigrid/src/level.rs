//! [`Level`]: one matrix of a hierarchy, and the W-cycle over all of them.

use std::sync::Arc;

use crate::block::{Block, Vec4};
use crate::coarsen::Method;
use crate::dense::Dense;
use crate::galerkin::{Galerkin, coarse_graph};
use crate::number::Number;
use crate::order::Order;
use crate::rows::Rows;
use crate::smoother::{Smoother, invert};
use crate::transfer::Transfer;
use crate::weights::Weights;

#[derive(Debug)]
pub(crate) struct Level<T> {
    pub(crate) rows: Arc<Rows>,
    /// The matrix; that of the finest level belongs to the caller.
    values: Vec<Block<T>>,
    inverses: Vec<Block<T>>,
    /// The right-hand side, and the solution.
    pub(crate) b: Vec<Vec4<T>>,
    pub(crate) x: Vec<Vec4<T>>,
    r: Vec<Vec4<T>>,
    below: Below<T>,
}

/// The next level below.
#[derive(Debug)]
enum Below<T> {
    Coarser(Transfer<T>, Box<Galerkin<T>>),
    Dense(Dense),
    /// Nothing: the level is smoothed twice.
    Nothing,
}

impl<T: Number> Level<T> {
    fn new(rows: Arc<Rows>, values: usize) -> Self {
        let len = rows.len();
        let zeros = || vec![[T::ZERO; 4]; len];
        Self {
            rows,
            values: vec![[T::ZERO; 9]; values],
            inverses: vec![[T::ZERO; 9]; len],
            b: zeros(),
            x: zeros(),
            r: zeros(),
            below: Below::Nothing,
        }
    }

    /// All levels, finest first: coarser and coarser until `coarsest` nodes are left.
    pub(crate) fn all(
        rows: Arc<Rows>,
        rest: Option<&[[f64; 3]]>,
        wish: crate::Coarsening,
        coarsest: usize,
    ) -> Vec<Self> {
        let mut levels = vec![Self::new(rows, 0)];
        let mut method = None;
        let mut rest = rest.map(<[_]>::to_vec);
        while let Some(level) = levels.last_mut() {
            let len = level.rows.len();
            if len <= coarsest {
                level.below = Below::Dense(Dense::new(len));
                break;
            }
            let Some(graph) = level.rows.graph() else { break };
            let from = *method.get_or_insert_with(|| Method::choose(wish, &graph, rest.as_deref()));
            let Some((weights, next)) = from.coarsen(&graph, rest.as_deref()) else { break };
            let Some(coarse) = coarse_graph(&graph, &weights) else { break };
            let order = Order::new(&coarse, weights.rest.as_deref());
            let mut weights: Weights = weights.renumbered(&order.place);
            let rows = Rows::new(&coarse, &order);
            let Some(galerkin) = Galerkin::new(&level.rows, &rows, &weights) else { break };
            level.below = Below::Coarser(Transfer::new(&weights), Box::new(galerkin));
            rest = weights.rest.take();
            method = Some(next);
            let blocks = rows.blocks();
            levels.push(Self::new(Arc::new(rows), blocks));
        }
        levels
    }

    /// Computes all matrices below and the data that smoothing needs. `fine` is the matrix of the first level.
    pub(crate) fn refresh(levels: &mut [Self], fine: Option<&[Block<T>]>) {
        let Some((level, coarser)) = levels.split_first_mut() else { return };
        let Self { rows, values, inverses, below, .. } = level;
        let blocks = rows.split(fine.unwrap_or(values));
        invert(blocks.diagonal, inverses);
        match (below, coarser.first_mut()) {
            (Below::Coarser(transfer, galerkin), Some(next)) => {
                galerkin.refresh(rows, &blocks, transfer, &next.rows, &mut next.values);
                Self::refresh(coarser, None);
            }
            (Below::Dense(dense), _) => {
                dense.decompose(rows, &blocks);
            }
            _ => {}
        }
    }

    /// One cycle for `b` of the first level; the result is `x`. Every level but the first is visited twice as often as the
    /// one above it (a W-cycle), but for the last, which is solved.
    pub(crate) fn cycle(levels: &mut [Self], fine: Option<&[Block<T>]>) {
        Self::go_round::<false>(levels, fine);
    }

    /// The same from what `x` holds, if it is to go on `AGAIN`, or else from zeros.
    fn go_round<const AGAIN: bool>(levels: &mut [Self], fine: Option<&[Block<T>]>) {
        let Some((level, coarser)) = levels.split_first_mut() else { return };
        let Self { rows, values, inverses, b, x, r, below } = level;
        let smoother = Smoother { rows, values: rows.split(fine.unwrap_or(values)), inverses };
        let is_last = coarser.len() <= 1;
        match (below, coarser.first_mut()) {
            (Below::Coarser(transfer, _), Some(next)) => {
                if AGAIN {
                    smoother.forward_again(b, x);
                    smoother.residual_of(b, x, r);
                } else {
                    smoother.forward(b, x);
                    smoother.residual(x, r);
                }
                transfer.restrict(r, &mut next.b);
                Self::go_round::<false>(coarser, None);
                if !is_last {
                    Self::go_round::<true>(coarser, None);
                }
                if let Some(next) = coarser.first() {
                    transfer.prolong(&next.x, x);
                }
            }
            (Below::Dense(dense), _) if dense.is_positive() => return dense.solve(b, x),
            _ if AGAIN => smoother.forward_again(b, x),
            _ => smoother.forward(b, x),
        }
        smoother.backward(b, x);
    }

    /// The weights of the next level by fine rows.
    #[cfg(test)]
    pub(crate) fn transfer(&self) -> Option<&Transfer<T>> {
        match &self.below {
            Below::Coarser(transfer, _) => Some(transfer),
            _ => None,
        }
    }

    /// How the matrix of the next level is computed.
    #[cfg(test)]
    pub(crate) fn galerkin(&self) -> Option<&Galerkin<T>> {
        match &self.below {
            Below::Coarser(_, galerkin) => Some(galerkin),
            _ => None,
        }
    }

    #[cfg(test)]
    pub(crate) fn values(&self) -> &[Block<T>] {
        &self.values
    }
}
