//! [`Welds`]: vertices that are one particle.
//!
//! Vertices that are welded keep their numbers, and all that is said of one of them is said of their particle:
//! that of the first. The places of the others in the lists of the simulation stay, without mass and without
//! constraints.
//!
//! ```text
//! m = Σ m_i        x = Σ m_i x_i / m        v = Σ m_i v_i / m
//! ```
//!
//! If one of them is fixed, with an inverse mass of zero, all are.

use nalgebra::Vector3;

use crate::build::constraints::Constraints;

/// Which vertices are one particle, in the caller's numbering.
#[derive(Debug, Clone)]
pub(crate) struct Welds {
    /// For every vertex the first of those that it is one with.
    first: Vec<u32>,
}

impl Welds {
    /// The classes that the pairs make of so many vertices; `None` if there are no pairs.
    pub(crate) fn new(pairs: &[[u32; 2]], vertices: usize) -> Option<Self> {
        if pairs.is_empty() {
            return None;
        }
        let mut first: Vec<u32> = (0..).take(vertices).collect();
        for &pair in pairs {
            let [a, b] = pair.map(|v| find(&mut first, v));
            first[a.max(b) as usize] = a.min(b);
        }
        for v in 0..vertices {
            // Those before v are done, and none is first of a smaller one.
            first[v] = first[first[v] as usize];
        }
        Some(Self { first })
    }

    /// The first of the vertices that this one is one with.
    pub(crate) fn first(&self, vertex: u32) -> u32 {
        self.first[vertex as usize]
    }

    /// The vertices that are not first, each with the one that is.
    pub(crate) fn joined(&self) -> impl Iterator<Item = (u32, u32)> {
        (0_u32..).zip(&self.first).map(|(v, &first)| (v, first)).filter(|(v, first)| v != first)
    }

    /// Gives vertices that are one the same place, velocity and inverse mass.
    pub(crate) fn merge(
        &self,
        positions: &mut [Vector3<f64>],
        velocities: &mut [Vector3<f64>],
        inverse_masses: &mut [f64],
    ) {
        let mut members: Vec<(u32, u32)> = self.joined().map(|(v, first)| (first, v)).collect();
        members.sort_unstable();
        for same in members.chunk_by(|a, b| a.0 == b.0) {
            let all: Vec<usize> =
                std::iter::once(same[0].0).chain(same.iter().map(|&(_, v)| v)).map(|v| v as usize).collect();
            let fixed = all.iter().find(|&&v| inverse_masses[v] <= 0.0).copied();
            let alike = |list: &[Vector3<f64>]| all.iter().all(|&v| list[v] == list[all[0]]);
            let (x, velocity, w) = match fixed {
                Some(v) => (positions[v], velocities[v], 0.0),
                None => {
                    let mass: f64 = all.iter().map(|&v| 1.0 / inverse_masses[v]).sum();
                    let mean = |list: &[Vector3<f64>]| -> Vector3<f64> {
                        // What starts where it ended before starts there to the last bit.
                        if alike(list) {
                            return list[all[0]];
                        }
                        let sum: Vector3<f64> = all.iter().map(|&v| list[v] / inverse_masses[v]).sum();
                        sum / mass
                    };
                    (mean(positions), mean(velocities), 1.0 / mass)
                }
            };
            for v in all {
                (positions[v], velocities[v], inverse_masses[v]) = (x, velocity, w);
            }
        }
    }

    /// Two different vertices of a constraint that are one.
    pub(crate) fn folded(&self, constraints: &Constraints) -> Option<[u32; 2]> {
        let mut found = None;
        constraints.for_each_stencil(&mut |stencil| {
            for (i, &a) in stencil.iter().enumerate() {
                let same = stencil[..i].iter().find(|&&b| self.first(a) == self.first(b));
                found = found.or(same.map(|&b| [b, a]));
            }
        });
        found
    }
}

/// The first of the class of a vertex, by the way that `first` leads; the way is shorter afterwards.
pub(crate) fn find(first: &mut [u32], mut v: u32) -> u32 {
    while first[v as usize] != v {
        first[v as usize] = first[first[v as usize] as usize];
        v = first[v as usize];
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_their_mass_and_their_mean() {
        let welds = Welds::new(&[[4, 2], [2, 0], [5, 3]], 7).unwrap();
        let first: Vec<u32> = (0..7).map(|v| welds.first(v)).collect();
        assert_eq!(first, [0, 1, 0, 3, 0, 3, 6]);
        assert_eq!(welds.joined().collect::<Vec<_>>(), [(2, 0), (4, 0), (5, 3)]);
        let mut x: Vec<_> = (0..7).map(|i| Vector3::x() * f64::from(i)).collect();
        let mut v = vec![Vector3::zeros(); 7];
        v[4] = Vector3::y();
        // Masses of 1, 2 and 1 kg; vertex 5 is fixed.
        let mut w = [1.0, 1.0, 0.5, 1.0, 1.0, 0.0, 1.0];
        welds.merge(&mut x, &mut v, &mut w);
        assert_eq!([x[0].x, x[2].x, x[4].x, x[3].x, x[5].x, x[6].x], [2.0, 2.0, 2.0, 5.0, 5.0, 6.0]);
        assert_eq!((v[0], v[2]), (Vector3::y() * 0.25, Vector3::y() * 0.25));
        assert_eq!(w, [0.25, 1.0, 0.25, 0.0, 0.25, 0.0, 1.0]);
        assert!(Welds::new(&[], 3).is_none());
    }
}
