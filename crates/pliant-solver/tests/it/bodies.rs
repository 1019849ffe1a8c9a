//! Materials of bodies and ties between them, through the public interface.

mod inverted;
mod materials;
mod plans;
mod seams;
mod ties;
mod welds;
mod whole;

use nalgebra::Vector3;
use pliant_mesh::{TetMesh, TriMesh};
use pliant_solver::{Float, Simulation};

/// Length of a frame, s.
const FRAME: f64 = 1.0 / 60.0;

fn run<T: Float>(sim: &mut Simulation<T>, frames: usize) {
    (0..frames).for_each(|_| sim.advance(FRAME).unwrap());
}

/// The largest distance between two lists of positions.
fn apart(a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// A sheet that stands in the plane z = 0, on the ground and to the right of the origin; rows run to the
/// right, the lowest first.
fn standing(vertices: [usize; 2], size: [f64; 2]) -> TriMesh {
    let sheet = TriMesh::grid(vertices, size).unwrap();
    let corner = sheet.positions()[0];
    sheet
        .with_positions(
            sheet.positions().iter().map(|x| Vector3::new(x.x - corner.x, corner.z - x.z, 0.0)).collect(),
        )
        .unwrap()
}

fn moved(mesh: &TriMesh, by: [f64; 3]) -> TriMesh {
    mesh.with_positions(mesh.positions().iter().map(|x| x + Vector3::from(by)).collect()).unwrap()
}

fn moved_solid(mesh: &TetMesh, by: [f64; 3]) -> TetMesh {
    mesh.with_positions(mesh.positions().iter().map(|x| x + Vector3::from(by)).collect()).unwrap()
}

/// Numbers in [0, 1) that look random.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.next(), self.next(), self.next())
    }
}
