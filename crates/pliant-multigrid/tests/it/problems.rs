//! Systems to solve: blocks of tetrahedra and sheets held together by springs, and elements with random stiffness.

use nalgebra::{DMatrix, DVector};
use pliant_multigrid::{BlockMatrix, BlockPattern, Nodes, Number};

/// Numbers between -1/2 and 1/2.
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64 - 0.5
    }

    pub(crate) fn vectors<T: Number>(&mut self, count: usize) -> Vec<[T; 3]> {
        (0..count).map(|_| [(); 3].map(|()| T::of(self.next()))).collect()
    }
}

pub(crate) struct Problem {
    pub(crate) rest: Vec<[f64; 3]>,
    pub(crate) edges: Vec<[u32; 2]>,
}

/// The edges of a lattice of cubes, each cut into six tetrahedra; one cell thick it is a sheet.
pub(crate) fn block(cells: [usize; 3], jitter: f64) -> Problem {
    let mut noise = Noise(5);
    let n = cells.map(|cells| cells + 1);
    let mut rest = Vec::new();
    let mut edges = Vec::new();
    for k in 0..n[0] * n[1] * n[2] {
        let at = [k % n[0], k / n[0] % n[1], k / n[0] / n[1]];
        rest.push(at.map(|i| i as f64 + jitter * noise.next()));
        for step in 1..8 {
            let along = [step & 1, step >> 1 & 1, step >> 2];
            if (0..3).all(|axis| at[axis] + along[axis] < n[axis]) {
                edges.push([k as u32, (k + along[0] + n[0] * (along[1] + n[1] * along[2])) as u32]);
            }
        }
    }
    Problem { rest, edges }
}

impl Problem {
    pub(crate) fn pattern(&self, fixed: &[bool]) -> BlockPattern {
        BlockPattern::new(&Nodes { count: self.rest.len(), fixed, rest: &self.rest }, &self.edges).unwrap()
    }

    /// Springs of stiffness 1 along the edges, a hundredth of it across, and a mass at every node.
    pub(crate) fn springs<T: Number>(&self, pattern: &BlockPattern, mass: f64) -> BlockMatrix<T> {
        let mut matrix = BlockMatrix::new(pattern);
        (0..self.rest.len()).for_each(|node| matrix.add_scalar(node, T::of(mass)));
        for edge in &self.edges {
            let [a, b] = edge.map(|node| self.rest[node as usize]);
            let d = [0, 1, 2].map(|k| a[k] - b[k]);
            let squared: f64 = d.iter().map(|d| d * d).sum();
            for (k, slot) in pattern.slots(edge).enumerate() {
                let sign = if k % 3 == 0 { 1.0 } else { -1.0 };
                let entry = |i: usize, j: usize| d[i] * d[j] / squared + if i == j { 0.01 } else { 0.0 };
                matrix.add(slot, [0, 1, 2].map(|i| [0, 1, 2].map(|j| T::of(sign * entry(i, j)))));
            }
        }
        matrix
    }
}

/// Adds a random positive semidefinite stiffness of rank `rank` for each element.
pub(crate) fn add_random(
    matrix: &mut BlockMatrix<f64>,
    elements: &[Vec<u32>],
    rank: usize,
    noise: &mut Noise,
) {
    for element in elements {
        for _ in 0..rank {
            let v: Vec<[f64; 3]> = noise.vectors(element.len());
            for a in 0..element.len() {
                for b in 0..element.len() {
                    let slot = matrix.pattern().slot(element[a], element[b]);
                    matrix.add(slot, v[a].map(|x| v[b].map(|y| x * y)));
                }
            }
        }
    }
}

/// The matrix over all nodes; the rows and columns of fixed ones are zero.
pub(crate) fn dense<T: Number>(matrix: &BlockMatrix<T>) -> DMatrix<f64> {
    let nodes = matrix.pattern().nodes();
    columns(nodes, |x: &[[T; 3]], y| matrix.multiply(x, y).unwrap())
}

/// A linear map as a matrix.
pub(crate) fn columns<T: Number>(
    nodes: usize,
    mut map: impl FnMut(&[[T; 3]], &mut [[T; 3]]),
) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(3 * nodes, 3 * nodes);
    let (mut x, mut y) = (vec![[T::ZERO; 3]; nodes], vec![[T::ZERO; 3]; nodes]);
    for column in 0..3 * nodes {
        x[column / 3][column % 3] = T::ONE;
        map(&x, &mut y);
        x[column / 3][column % 3] = T::ZERO;
        matrix.set_column(column, &flat(&y));
    }
    matrix
}

pub(crate) fn flat<T: Number>(x: &[[T; 3]]) -> DVector<f64> {
    DVector::from_iterator(3 * x.len(), x.iter().flatten().map(|x| x.wide()))
}
