//! [`Weights`]: how values at coarse nodes are interpolated to fine ones.

/// The weights of coarse nodes at each fine one. They sum to 1, or there are none: at nodes without neighbours, which
/// need no help from a coarse level.
#[derive(Debug, Clone, Default)]
pub(crate) struct Weights {
    /// Where the weights of each fine node start, and an end.
    pub(crate) starts: Vec<u32>,
    pub(crate) columns: Vec<u32>,
    pub(crate) values: Vec<f64>,
    /// Number of coarse nodes.
    pub(crate) coarse: usize,
    /// Rest coordinates of the coarse nodes.
    pub(crate) rest: Option<Vec<[f64; 3]>>,
}

impl Weights {
    pub(crate) fn row(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    pub(crate) fn columns_of(&self, node: usize) -> &[u32] {
        &self.columns[self.row(node)]
    }

    /// From the weights of each node.
    pub(crate) fn from_rows(rows: &[Vec<(u32, f64)>], coarse: usize, rest: Option<Vec<[f64; 3]>>) -> Self {
        let mut weights = Self { starts: vec![0], coarse, rest, ..Self::default() };
        for row in rows {
            weights.columns.extend(row.iter().map(|w| w.0));
            weights.values.extend(row.iter().map(|w| w.1));
            weights.starts.push(weights.columns.len() as u32);
        }
        weights
    }

    /// The weights after a renumbering of the coarse nodes, those of a node in the order of the new numbers.
    pub(crate) fn renumbered(mut self, place: &[u32]) -> Self {
        for node in 0..self.starts.len() - 1 {
            let range = self.row(node);
            let mut row: Vec<(u32, f64)> =
                range.clone().map(|k| (place[self.columns[k] as usize], self.values[k])).collect();
            row.sort_unstable_by_key(|w| w.0);
            for (k, (column, value)) in range.zip(row) {
                self.columns[k] = column;
                self.values[k] = value;
            }
        }
        self.rest = self.rest.map(|rest| {
            let mut moved = rest.clone();
            for (x, &to) in rest.iter().zip(place) {
                moved[to as usize] = *x;
            }
            moved
        });
        self
    }
}
