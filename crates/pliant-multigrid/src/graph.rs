//! [`Graph`]: which nodes share an entry of the matrix.

/// Neighbours of every node in ascending order, itself among them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Graph {
    starts: Vec<u32>,
    columns: Vec<u32>,
}

impl Graph {
    /// The graph in which every pair is joined, both ways; every node is joined to itself. `None` for more pairs than
    /// 32 bits can count.
    pub(crate) fn from_pairs(nodes: usize, pairs: &[(u32, u32)]) -> Option<Self> {
        u32::try_from(2 * pairs.len() + nodes).ok()?;
        let mut starts = vec![1u32; nodes + 1];
        starts[0] = 0;
        for &(a, b) in pairs {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for i in 0..nodes {
            starts[i + 1] += starts[i];
        }
        let mut columns = vec![0u32; starts[nodes] as usize];
        let mut next = starts.clone();
        let mut put = |row: u32, column: u32| {
            let at = &mut next[row as usize];
            columns[*at as usize] = column;
            *at += 1;
        };
        (0..nodes as u32).for_each(|i| put(i, i));
        for &(a, b) in pairs {
            put(a, b);
            put(b, a);
        }
        Some(Self::sorted(&starts, columns))
    }

    /// Rows as they come, in any order and with repetitions.
    fn sorted(starts: &[u32], mut columns: Vec<u32>) -> Self {
        let mut kept = vec![0u32; starts.len()];
        let mut end = 0;
        for i in 0..starts.len() - 1 {
            let (from, to) = (starts[i] as usize, starts[i + 1] as usize);
            columns[from..to].sort_unstable();
            let mut last = u32::MAX;
            for k in from..to {
                let column = columns[k];
                if column != last {
                    columns[end] = column;
                    end += 1;
                    last = column;
                }
            }
            kept[i + 1] = end as u32;
        }
        columns.truncate(end);
        Self { starts: kept, columns }
    }

    /// Rows that are sorted and have their diagonals. `None` for too many entries.
    pub(crate) fn from_rows(rows: impl Iterator<Item = Vec<u32>>) -> Option<Self> {
        let mut graph = Self { starts: vec![0], columns: Vec::new() };
        for row in rows {
            graph.columns.extend(row);
            graph.starts.push(u32::try_from(graph.columns.len()).ok()?);
        }
        Some(graph)
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn row(&self, node: usize) -> &[u32] {
        &self.columns[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// Whether a node has no neighbour but itself.
    pub(crate) fn is_alone(&self, node: usize) -> bool {
        self.row(node).len() < 2
    }

    /// The graph after a renumbering: node `i` becomes `place[i]`.
    pub(crate) fn renumbered(&self, place: &[u32]) -> Self {
        let mut of = vec![0u32; place.len()];
        for (i, &p) in place.iter().enumerate() {
            of[p as usize] = i as u32;
        }
        let mut starts = vec![0u32];
        let mut columns = Vec::with_capacity(self.columns.len());
        for &i in &of {
            let from = columns.len();
            columns.extend(self.row(i as usize).iter().map(|&j| place[j as usize]));
            columns[from..].sort_unstable();
            starts.push(columns.len() as u32);
        }
        Self { starts, columns }
    }
}
