//! The quality of the answer at each vertex, for files and pictures: residuals of its constraints, and errors
//! of volume.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_mesh::{TetMesh, tet_volume};
use pliant_scene::model::Field;
use pliant_solver::{Float, Simulation};

use crate::residuals::{RESIDUAL, groups};
use crate::state::State;

/// A group of constraints that acts on a body: its place among all groups, and its name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Acting(usize, String);

/// The groups that have constraints on one of these particles.
pub(crate) fn acting<T: Float>(simulation: &Simulation<T>, particles: &Range<usize>) -> Vec<Acting> {
    let acts = |group: &str| {
        let mut found = false;
        simulation.for_each_residual(group, |_, on, _| {
            found |= on.iter().any(|&v| particles.contains(&(v as usize)));
        });
        found
    };
    let all = groups(simulation).into_iter().enumerate();
    all.filter(|(_, group)| acts(group)).map(|(place, group)| Acting(place, group)).collect()
}

/// The quantities of a mesh that are reported at each vertex.
#[derive(Default)]
pub(crate) struct Gauges {
    pub(crate) volumes: Option<Volumes>,
    /// Groups whose residuals are reported: places among all, and names of the fields.
    residuals: Vec<(usize, String)>,
}

impl Gauges {
    /// Reports the residuals of these groups too.
    pub(crate) fn tell(&mut self, groups: &[Acting]) {
        self.residuals =
            groups.iter().map(|Acting(place, group)| (*place, format!("{RESIDUAL}{group}"))).collect();
    }

    /// The names of the fields and their numbers, which `carry` maps from the particles of the body to the
    /// mesh that is written.
    pub(crate) fn read(
        &self,
        state: &State,
        particles: &Range<usize>,
        carry: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Vec<(&str, Vec<f64>)> {
        let volumes = self.volumes.as_ref().map(|volumes| {
            (Field::VolumeError.name(), carry(&volumes.errors(&state.positions[particles.clone()])))
        });
        let residuals = self.residuals.iter().map(|(group, name)| {
            let first = group * state.positions.len();
            let of_body = &state.residuals[first + particles.start..first + particles.end];
            (name.as_str(), carry(of_body))
        });
        volumes.into_iter().chain(residuals).collect()
    }
}

/// The volumes of tetrahedra at the start, to which later volumes are compared.
pub(crate) struct Volumes {
    tets: Vec<[u32; 4]>,
    /// m³
    at_start: Vec<f64>,
}

impl Volumes {
    pub(crate) fn of(mesh: &TetMesh) -> Self {
        let at_start = (0..mesh.tets().len()).map(|t| mesh.tet_volume(t)).collect();
        Self { tets: mesh.tets().to_vec(), at_start }
    }

    /// At each vertex, the root mean square of the relative change of volume of its tetrahedra, percent.
    pub(crate) fn errors(&self, positions: &[Vector3<f64>]) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); positions.len()];
        for (tet, &start) in self.tets.iter().zip(&self.at_start).filter(|(_, start)| **start != 0.0) {
            let change = tet_volume(&tet.map(|v| positions[v as usize])) / start - 1.0;
            for v in *tet {
                let (sum, count) = &mut sums[v as usize];
                *sum += change * change;
                *count += 1.0;
            }
        }
        sums.into_iter().map(|(sum, count): (f64, f64)| 100.0 * (sum / count.max(1.0)).sqrt()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residuals::residuals;
    use pliant_mesh::Split;
    use pliant_solver::{Body, Compliance};

    #[test]
    fn a_block_that_is_stretched_by_a_tenth_is_off_by_ten_percent_everywhere() {
        let block = TetMesh::block([2, 2, 2], [1.0; 3], Split::Kuhn).unwrap();
        let mut positions = block.positions().to_vec();
        let volumes = Volumes::of(&block);
        assert!(volumes.errors(&positions).iter().all(|error| error.abs() < 1e-12));
        positions.iter_mut().for_each(|p| p.x *= 1.1);
        assert!(volumes.errors(&positions).iter().all(|error| (error - 10.0).abs() < 1e-9));
    }

    #[test]
    fn the_largest_residual_at_a_vertex_is_that_of_the_report_and_each_body_has_its_groups() {
        let block = TetMesh::block([2, 2, 2], [0.2; 3], Split::Kuhn).unwrap();
        let cloth = pliant_mesh::TriMesh::grid([5, 5], [0.4, 0.4]).unwrap();
        let mut simulation: Simulation<f32> = Simulation::builder()
            .body(
                Body::cloth(cloth)
                    .stretch(Compliance::new(1e-5))
                    .bend(Compliance::new(1.0))
                    .pin_vertices([0, 4]),
            )
            .body(Body::solid(block).stretch(Compliance::new(1e-5)).pin(|x| x.y > 0.19))
            .build_as()
            .unwrap();
        let report = simulation.step(1.0 / 60.0).unwrap();
        let (groups, all) = (groups(&simulation), residuals(&simulation));
        for (group, of_group) in groups.iter().zip(all.chunks(simulation.len())) {
            let told = report.residuals.iter().find(|residual| residual.name == *group).unwrap();
            assert_eq!(of_group.iter().copied().fold(0.0, f64::max), told.max.value, "{group}");
        }
        assert_eq!(groups, ["edges", "bending", "volumes"]);
        let acting = |particles| acting(&simulation, &particles).into_iter().map(|its| its.1);
        assert_eq!(acting(0..25).collect::<Vec<_>>(), ["edges", "bending"]);
        assert_eq!(acting(25..52).collect::<Vec<_>>(), ["edges", "volumes"]);
    }
}
