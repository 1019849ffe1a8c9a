//! [`PerCluster`]: a list of numbers for every cluster.

/// Lists of numbers, one for each cluster, in two flat arrays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PerCluster {
    /// Ends of the lists.
    ends: Vec<usize>,
    entries: Vec<u32>,
}

impl PerCluster {
    /// Sorts pairs (cluster, number) into lists, in the order in which they come; `pairs` gives the same
    /// pairs each time it is called.
    ///
    /// # Panics
    ///
    /// If a cluster is not below `clusters`.
    #[must_use]
    pub fn from_pairs<I: Iterator<Item = (u32, u32)>>(clusters: usize, pairs: impl Fn() -> I) -> Self {
        let mut ends = vec![0_usize; clusters];
        for (cluster, _) in pairs() {
            ends[cluster as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            // Until the entries are there, where the next one goes.
            sum += std::mem::replace(end, sum);
        }
        let mut entries = vec![0; sum];
        for (cluster, number) in pairs() {
            let next = &mut ends[cluster as usize];
            entries[*next] = number;
            *next += 1;
        }
        Self { ends, entries }
    }

    /// The list of a cluster.
    ///
    /// # Panics
    ///
    /// If there is no such cluster.
    #[must_use]
    #[inline]
    pub fn row(&self, cluster: usize) -> &[u32] {
        let start = if cluster == 0 { 0 } else { self.ends[cluster - 1] };
        &self.entries[start..self.ends[cluster]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_the_order_of_the_pairs() {
        let pairs = [(2, 7), (0, 3), (2, 1), (0, 3)];
        let lists = PerCluster::from_pairs(4, || pairs.iter().copied());
        assert_eq!(
            [0, 1, 2, 3].map(|cluster| lists.row(cluster).to_vec()),
            [vec![3, 3], vec![], vec![7, 1], vec![]]
        );
        assert_eq!(PerCluster::from_pairs(0, std::iter::empty), PerCluster::default());
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn a_cluster_that_is_not_there_is_refused() {
        let _ = PerCluster::from_pairs(1, || std::iter::once((1, 0)));
    }
}
