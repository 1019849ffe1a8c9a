//! [`Hierarchy`]: coarse levels of a pattern, and [`System`]: a matrix that is ready for solves.

use std::sync::Arc;

use crate::block::{Block, Vec4};
use crate::coarsen::Coarsening;
use crate::error::MatrixError;
use crate::level::Level;
use crate::matrix::{BlockMatrix, padded};
use crate::number::Number;
use crate::parts::Parts;
use crate::pattern::{BlockPattern, NO_SLOT};
use crate::solve::{Outcome, Tolerance, Vectors};

/// How the coarse levels of a [`Hierarchy`] are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How coarse nodes are found.
    pub coarsening: Coarsening,
    /// Nodes at most of a level that is solved exactly, by a dense decomposition. It costs as its cube.
    pub coarsest: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { coarsening: Coarsening::Lattice, coarsest: 64 }
    }
}

/// The coarse levels of a pattern and all memory that solving needs. Made once per topology, filled again for each
/// matrix by [`refresh`](Self::refresh).
#[derive(Debug)]
pub struct Hierarchy<T> {
    pattern: BlockPattern,
    levels: Vec<Level<T>>,
    vectors: Vectors<T>,
    parts: Parts,
    /// That of the matrix that the coarse levels are of.
    revision: Option<u64>,
}

/// The sizes of a hierarchy: nodes and blocks of each level, the finest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelSizes {
    /// Number of nodes of each level.
    pub nodes: Vec<usize>,
    /// Number of blocks of each level's matrix.
    pub blocks: Vec<usize>,
}

impl<T: Number> Hierarchy<T> {
    /// The levels of a pattern.
    pub fn new(pattern: &BlockPattern, settings: Settings) -> Self {
        let inner = &*pattern.0;
        let levels = Level::all(
            Arc::clone(&inner.rows),
            inner.rest.as_deref(),
            settings.coarsening,
            settings.coarsest,
        );
        let (vectors, parts) = (Vectors::new(pattern.rows()), Parts::new(&inner.rows));
        Self { pattern: pattern.clone(), levels, vectors, parts, revision: None }
    }

    /// Sizes of the levels.
    pub fn level_sizes(&self) -> LevelSizes {
        let of = |f: fn(&Level<T>) -> usize| self.levels.iter().map(f).collect();
        LevelSizes { nodes: of(|level| level.rows.len()), blocks: of(|level| level.rows.blocks()) }
    }

    /// The connected part that each node belongs to, numbered from zero; none for fixed nodes.
    pub fn parts(&self) -> Vec<Option<u32>> {
        let inner = &*self.pattern.0;
        let mut parts = vec![None; inner.row_of.len()];
        for (&node, part) in inner.node_of.iter().zip(self.parts.of_rows()) {
            parts[node as usize] = Some(part);
        }
        parts
    }

    /// Computes the coarse matrices and the inverses of the diagonal blocks. The matrix cannot change during solves: coarse levels of another matrix make solves
    /// diverge.
    ///
    /// # Errors
    ///
    /// [`MatrixError::Pattern`] if the matrix was made for another pattern.
    pub fn refresh<'a>(&'a mut self, matrix: &'a BlockMatrix<T>) -> Result<System<'a, T>, MatrixError> {
        if !self.pattern.is(matrix.pattern()) {
            return Err(MatrixError::Pattern);
        }
        Level::refresh(&mut self.levels, Some(&matrix.values));
        self.parts.forget();
        self.revision = Some(matrix.revision);
        Ok(System { hierarchy: self, values: &matrix.values })
    }

    /// The matrix of the last [`refresh`](Self::refresh), for further solves at no cost.
    ///
    /// # Errors
    ///
    /// [`MatrixError::Pattern`] if the matrix was made for another pattern, [`MatrixError::Stale`] if it was
    /// [cleared](BlockMatrix::clear) since, or never refreshed.
    pub fn again<'a>(&'a mut self, matrix: &'a BlockMatrix<T>) -> Result<System<'a, T>, MatrixError> {
        if !self.pattern.is(matrix.pattern()) {
            return Err(MatrixError::Pattern);
        }
        if self.revision != Some(matrix.revision) {
            return Err(MatrixError::Stale);
        }
        Ok(System { hierarchy: self, values: &matrix.values })
    }

    #[cfg(test)]
    pub(crate) fn levels(&self) -> &[Level<T>] {
        &self.levels
    }
}

/// A matrix with its coarse levels, from [`Hierarchy::refresh`].
#[derive(Debug)]
pub struct System<'a, T> {
    hierarchy: &'a mut Hierarchy<T>,
    values: &'a [Block<T>],
}

impl<T: Number> System<'_, T> {
    /// Solves `A x = rhs` by conjugate gradients, preconditioned by a W-cycle, from the `x` that is there,
    /// until it is exact enough: with a number for a tolerance, until the norm of the residual is at most that times
    /// the norm of `rhs`. Both vectors have an entry per node; at fixed nodes `rhs` is not read, and `x` becomes
    /// zero. At the end each connected part is
    /// translated by what makes the residuals of its nodes sum to zero, so that the step of a free body keeps
    /// its linear momentum after any number of iterations.
    ///
    /// For any input, `x` is finite afterwards: the last iterate before a failure, which is the nearest to
    /// the solution in the norm of the matrix, and zeros instead of an `x` that was not finite at the start.
    /// What stopped the iterations is in [`Outcome::status`].
    ///
    /// # Errors
    ///
    /// [`MatrixError::Length`] if a vector has not one entry per node.
    pub fn solve(
        &mut self,
        rhs: &[[T; 3]],
        x: &mut [[T; 3]],
        tolerance: impl Into<Tolerance>,
        max_iterations: usize,
    ) -> Result<Outcome, MatrixError> {
        self.hierarchy.pattern.check_lengths(&[("`rhs`", rhs.len()), ("`x`", x.len())])?;
        let Hierarchy { pattern, levels, vectors, parts, .. } = &mut *self.hierarchy;
        if !x.iter().flatten().all(|x| x.wide().is_finite()) {
            x.fill([T::ZERO; 3]);
        }
        let node_of = &pattern.0.node_of;
        if let Some(first) = levels.first_mut() {
            gather(node_of, rhs, &mut first.b);
        }
        gather(node_of, x, vectors.solution());
        let outcome = vectors.solve(levels, parts, self.values, tolerance.into(), max_iterations);
        scatter(&pattern.0.row_of, vectors.solution(), x);
        Ok(outcome)
    }

    /// One W-cycle: a symmetric approximation of the inverse times `rhs`.
    ///
    /// # Errors
    ///
    /// [`MatrixError::Length`] if a vector has not one entry per node.
    pub fn precondition(&mut self, rhs: &[[T; 3]], x: &mut [[T; 3]]) -> Result<(), MatrixError> {
        self.hierarchy.pattern.check_lengths(&[("`rhs`", rhs.len()), ("`x`", x.len())])?;
        let Hierarchy { pattern, levels, .. } = &mut *self.hierarchy;
        if let Some(first) = levels.first_mut() {
            gather(&pattern.0.node_of, rhs, &mut first.b);
        }
        Level::cycle(levels, Some(self.values));
        if let Some(first) = levels.first() {
            scatter(&pattern.0.row_of, &first.x, x);
        }
        Ok(())
    }
}

fn gather<T: Number>(node_of: &[u32], from: &[[T; 3]], to: &mut [Vec4<T>]) {
    for (to, &node) in to.iter_mut().zip(node_of) {
        *to = padded(from[node as usize]);
    }
}

fn scatter<T: Number>(row_of: &[u32], from: &[Vec4<T>], to: &mut [[T; 3]]) {
    for (to, &row) in to.iter_mut().zip(row_of) {
        *to = [T::ZERO; 3];
        if row != NO_SLOT {
            let [a, b, c, _] = from[row as usize];
            *to = [a, b, c];
        }
    }
}
