//! [`Region`]: a few nodes, solved for while all others stay.

use crate::block::{Block, Product, Vec4, inverse, plus_scaled, times, transposed};
use crate::error::MatrixError;
use crate::matrix::{BlockMatrix, add_dot, padded, total};
use crate::number::Number;
use crate::pattern::{BlockPattern, NO_SLOT};
use crate::rows::Rows;
use crate::smoother::less;
use crate::solve::Tolerance;

/// Nodes of a pattern that lie around some of them, and the blocks between them: for steps that concern a small part of a
/// large system. Conjugate gradients with a symmetric block Gauss–Seidel, without coarse levels, solve for them.
///
/// It keeps its memory from one use to the next.
///
/// ```
/// use pliant_multigrid::{BlockMatrix, BlockPattern, Nodes, Region, Tolerance};
///
/// // A chain of springs between five nodes, of which the two in the middle are moved.
/// let edges = [[0, 1], [1, 2], [2, 3], [3, 4]];
/// let pattern = BlockPattern::new(&Nodes { count: 5, ..Nodes::default() }, &edges)?;
/// let mut matrix = BlockMatrix::<f64>::new(&pattern);
/// for edge in &edges {
///     for (k, slot) in pattern.slots(edge).enumerate() {
///         let value = if k == 0 || k == 3 { 1.0 } else { -1.0 };
///         matrix.add(slot, [[value, 0.0, 0.0], [0.0, value, 0.0], [0.0, 0.0, value]]);
///     }
/// }
/// let mut region = Region::default();
/// region.gather(&pattern, |node| node == 1, 1);
/// assert_eq!(region.nodes(), [0, 1, 2]);
/// region.gather(&pattern, |node| node == 2 || node == 3, 0);
/// let tolerance = Tolerance { residual: 1e-9, error: 1.0, distance: 0.0 };
/// let mut x = [[0.0; 3]; 5];
/// region.solve(&matrix, &[[3.0, 0.0, 0.0]; 5], &mut x, tolerance, 10)?;
/// assert!((x[2][0] - 3.0).abs() < 1e-9 && (x[3][0] - 3.0).abs() < 1e-9);
/// assert_eq!(x[1], [0.0; 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Region<T> {
    /// Whose nodes they are; `None` before any are gathered.
    pattern: Option<BlockPattern>,
    /// The rows, ascending, and their nodes.
    rows: Vec<u32>,
    nodes: Vec<u32>,
    /// The same and their neighbours.
    changed_rows: Vec<u32>,
    changed: Vec<u32>,
    /// For every node whether it is among the changed ones.
    is_changed: Vec<bool>,
    /// For every row of the pattern its place in `rows`, [`NO_SLOT`] for others.
    place: Vec<u32>,
    /// Where the blocks of each row of the region start, and an end; their columns in the region, and their slots.
    starts: Vec<u32>,
    columns: Vec<u32>,
    slots: Vec<u32>,
    values: Vec<Block<T>>,
    inverses: Vec<Block<T>>,
    vectors: Vectors<T>,
}

/// The vectors of conjugate gradients.
#[derive(Debug, Default)]
struct Vectors<T> {
    x: Vec<Vec4<T>>,
    residual: Vec<Vec4<T>>,
    smoothed: Vec<Vec4<T>>,
    direction: Vec<Vec4<T>>,
    product: Vec<Vec4<T>>,
}

impl<T: Number> Region<T> {
    /// Takes the nodes that are `marked`, and so many rings of neighbours around them; without those that are fixed.
    pub fn gather(&mut self, pattern: &BlockPattern, marked: impl Fn(usize) -> bool, rings: usize) {
        let inner = &*pattern.0;
        self.pattern = Some(pattern.clone());
        self.place.clear();
        self.place.resize(inner.rows.len(), NO_SLOT);
        self.rows.clear();
        for (node, &row) in inner.row_of.iter().enumerate() {
            if row != NO_SLOT && marked(node) {
                self.place[row as usize] = 0;
                self.rows.push(row);
            }
        }
        let mut ring = 0;
        for _ in 0..rings {
            ring = self.add_ring(&inner.rows, ring);
        }
        let len = self.rows.len();
        self.add_ring(&inner.rows, ring);
        self.changed_rows.clone_from(&self.rows);
        for row in self.rows.drain(len..) {
            self.place[row as usize] = NO_SLOT;
        }
        self.rows.sort_unstable();
        for (place, &row) in (0..).zip(&self.rows) {
            self.place[row as usize] = place;
        }
        let node_of = |&row: &u32| inner.node_of[row as usize];
        self.nodes.clear();
        self.nodes.extend(self.rows.iter().map(node_of));
        self.changed.clear();
        self.changed.extend(self.changed_rows.iter().map(node_of));
        self.is_changed.clear();
        self.is_changed.resize(pattern.nodes(), false);
        for &node in &self.changed {
            self.is_changed[node as usize] = true;
        }
        self.find_blocks(&inner.rows);
    }

    /// Adds the neighbours of the rows from this one on that are not there yet. Returns where they begin.
    fn add_ring(&mut self, rows: &Rows, from: usize) -> usize {
        let to = self.rows.len();
        for k in from..to {
            for column in rows.neighbours(self.rows[k] as usize) {
                if std::mem::replace(&mut self.place[column as usize], 0) == NO_SLOT {
                    self.rows.push(column);
                }
            }
        }
        to
    }

    fn find_blocks(&mut self, rows: &Rows) {
        self.starts.clear();
        self.columns.clear();
        self.slots.clear();
        self.starts.push(0);
        for &row in &self.rows {
            for column in rows.neighbours(row as usize) {
                let at = self.place[column as usize];
                if let Some(slot) = rows.slot(row, column).filter(|_| at != NO_SLOT) {
                    self.columns.push(at);
                    self.slots.push(slot);
                }
            }
            self.starts.push(self.columns.len() as u32);
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The nodes.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The nodes and their neighbours: those whose forces change when the nodes move.
    pub fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// For every node whether it is one of the [changed](Self::changed) ones.
    pub fn is_changed(&self) -> &[bool] {
        &self.is_changed
    }

    /// Solves `A x = b` for the nodes, as far as `x` of all others is zero, from zeros. Writes only the entries of the
    /// nodes. Returns whether there is a solution: it may be less exact than asked for, but not infinite.
    ///
    /// # Errors
    ///
    /// [`MatrixError::Pattern`] if the nodes are those of another pattern, [`MatrixError::Length`] if a vector has not one
    /// entry per node.
    pub fn solve(
        &mut self,
        matrix: &BlockMatrix<T>,
        b: &[[T; 3]],
        x: &mut [[T; 3]],
        tolerance: Tolerance,
        max_iterations: usize,
    ) -> Result<bool, MatrixError> {
        self.check(matrix)?;
        matrix.pattern.check_lengths(&[("`b`", b.len()), ("`x`", x.len())])?;
        self.load(matrix, b);
        let mut vectors = std::mem::take(&mut self.vectors);
        let iterations = self.iterate(&mut vectors, tolerance, max_iterations);
        let is_finite = vectors.x.iter().flatten().all(|x| x.wide().is_finite());
        for (solution, &node) in vectors.x.iter().zip(&self.nodes) {
            let [first, second, third, _] = *solution;
            x[node as usize] = if is_finite { [first, second, third] } else { [T::ZERO; 3] };
        }
        self.vectors = vectors;
        Ok(iterations > 0 && is_finite)
    }

    /// Whether the nodes are those of a matrix.
    fn check(&self, matrix: &BlockMatrix<T>) -> Result<(), MatrixError> {
        if self.pattern.as_ref().is_some_and(|pattern| pattern.is(&matrix.pattern)) {
            Ok(())
        } else {
            Err(MatrixError::Pattern)
        }
    }

    fn load(&mut self, matrix: &BlockMatrix<T>, b: &[[T; 3]]) {
        self.values.clear();
        self.values.extend(self.slots.iter().map(|&slot| matrix.values[slot as usize]));
        self.inverses.clear();
        for place in 0..self.len() {
            let diagonal = self.entries(place).find(|&(_, column)| column == place);
            self.inverses.push(diagonal.map_or([T::ZERO; 9], |(block, _)| inverse(block)));
        }
        let len = self.len();
        let Vectors { x, residual, smoothed, direction, product } = &mut self.vectors;
        for vector in [x, smoothed, direction, product] {
            vector.clear();
            vector.resize(len, [T::ZERO; 4]);
        }
        residual.clear();
        residual.extend(self.nodes.iter().map(|&node| padded(b[node as usize])));
    }

    /// The blocks of a row, with their columns in the region, ascending.
    #[inline(always)]
    fn entries(&self, place: usize) -> impl DoubleEndedIterator<Item = (&Block<T>, usize)> {
        let range = self.starts[place] as usize..self.starts[place + 1] as usize;
        let columns = self.columns[range.clone()].iter().map(|&column| column as usize);
        self.values[range].iter().zip(columns)
    }

    /// Conjugate gradients. Returns the number of iterations.
    fn iterate(&self, vectors: &mut Vectors<T>, tolerance: Tolerance, most: usize) -> usize {
        let Vectors { x, residual, smoothed, direction, product } = vectors;
        let (limit, mut old, mut all) =
            (tolerance.residual * dot(residual, residual).sqrt(), f64::INFINITY, 0.0);
        for iteration in 0..most {
            self.smooth(residual, smoothed);
            let size = dot(residual, smoothed);
            if iteration > 0 && size <= tolerance.distance * tolerance.distance {
                return iteration;
            }
            for (d, z) in direction.iter_mut().zip(&*smoothed) {
                *d = plus_scaled(*z, T::of(size / old), d);
            }
            for (place, product) in product.iter_mut().enumerate() {
                *product = sum_of(self.entries(place), direction);
            }
            let curvature = dot(direction, product);
            let along = size / curvature;
            if !(curvature > 0.0 && along > 0.0 && along.is_finite()) {
                return iteration;
            }
            for (((x, r), d), p) in x.iter_mut().zip(&mut *residual).zip(&*direction).zip(&*product) {
                *x = plus_scaled(*x, T::of(along), d);
                *r = plus_scaled(*r, T::of(-along), p);
            }
            all += along * size;
            let is_small = along * size <= tolerance.error * tolerance.error * all;
            if is_small && dot(residual, residual).sqrt() <= limit {
                return iteration + 1;
            }
            old = size;
        }
        most
    }

    /// A sweep from the first row to the last, and one back.
    fn smooth(&self, b: &[Vec4<T>], x: &mut [Vec4<T>]) {
        for place in 0..b.len() {
            let before = self.entries(place).take_while(|&(_, column)| column < place);
            x[place] = times(&self.inverses[place], &less(&b[place], sum_of(before, x)));
        }
        for place in (0..b.len()).rev() {
            let others = self.entries(place).filter(|&(_, column)| column != place);
            x[place] = times(&self.inverses[place], &less(&b[place], sum_of(others, x)));
        }
    }
}

/// The sum of blocks times the entries of `x` that they are for.
#[inline(always)]
fn sum_of<'a, T: Number>(entries: impl Iterator<Item = (&'a Block<T>, usize)>, x: &[Vec4<T>]) -> Vec4<T> {
    let mut product = Product::zero();
    for (block, column) in entries {
        product.add(block, &x[column]);
    }
    product.sum()
}

fn dot<T: Number>(a: &[Vec4<T>], b: &[Vec4<T>]) -> f64 {
    let mut sum = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        add_dot(&mut sum, a, b);
    }
    total(sum)
}

impl<T: Number> BlockMatrix<T> {
    /// The [halves](Self::clear_halves) of the matrix, zeros only where a node of the block is one of the
    /// [changed](Region::changed) ones of a region. Code that changes them must [mirror](Self::mirror_around) those afterwards.
    ///
    /// # Errors
    ///
    /// [`MatrixError::Pattern`] if the region has nodes of another pattern.
    pub fn clear_halves_around(&mut self, region: &Region<T>) -> Result<&mut [[T; 9]], MatrixError> {
        region.check(self)?;
        self.revision += 1;
        let rows = &self.pattern.0.rows;
        for &row in &region.changed_rows {
            let row = row as usize;
            self.values[rows.below.row(row)].fill([T::ZERO; 9]);
            self.values[rows.diagonal(row) as usize] = [T::ZERO; 9];
            for &below in &rows.mirror[rows.above.row(row)] {
                self.values[below as usize] = [T::ZERO; 9];
            }
        }
        let halves = self.pattern.halves();
        Ok(&mut self.values[..halves])
    }

    /// Sets all other blocks of which a node has changed from the [halves](Self::clear_halves_around).
    ///
    /// # Errors
    ///
    /// [`MatrixError::Pattern`] if the region has nodes of another pattern.
    pub fn mirror_around(&mut self, region: &Region<T>) -> Result<(), MatrixError> {
        region.check(self)?;
        let Self { pattern, values, revision } = self;
        let rows = &pattern.0.rows;
        let (halves, above) = values.split_at_mut(rows.halves());
        for &row in &region.changed_rows {
            for block in rows.above.row(row as usize) {
                above[block] = transposed(&halves[rows.mirror[block] as usize]);
            }
            for block in rows.below.row(row as usize) {
                if let Some(other) = rows.above.find(rows.below.columns[block], row) {
                    above[other] = transposed(&halves[block]);
                }
            }
        }
        *revision += 1;
        Ok(())
    }
}
