//! Large meshes and mesh files, made from numbers.

use pliant_mesh::{TetMesh, TriMesh};

/// A binary PLY file of little-endian `float` vertices and `uchar int` faces, as most programs write it.
#[must_use]
pub fn binary_ply(mesh: &TriMesh) -> Vec<u8> {
    let (vertices, triangles) = (mesh.positions().len(), mesh.triangles().len());
    let header = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\nelement face {triangles}\nproperty list uchar int vertex_indices\nend_header\n"
    );
    let mut bytes = header.into_bytes();
    bytes.reserve(12 * vertices + 13 * triangles);
    for position in mesh.positions() {
        for coordinate in position.iter() {
            bytes.extend((*coordinate as f32).to_le_bytes());
        }
    }
    for corners in mesh.triangles() {
        bytes.push(3);
        for v in corners {
            bytes.extend((*v as i32).to_le_bytes());
        }
    }
    bytes
}

/// A binary MSH file of version 4.1, one block of nodes and one of tetrahedra, as Gmsh writes it.
#[must_use]
pub fn binary_msh(mesh: &TetMesh) -> Vec<u8> {
    let (vertices, tets) = (mesh.positions().len() as u64, mesh.tets().len() as u64);
    let mut bytes = b"$MeshFormat\n4.1 1 8\n".to_vec();
    bytes.extend(1_i32.to_le_bytes());
    bytes.extend(b"\n$EndMeshFormat\n$Nodes\n");
    bytes.reserve(32 * mesh.positions().len() + 40 * mesh.tets().len());
    let longs =
        |bytes: &mut Vec<u8>, numbers: &[u64]| numbers.iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    let ints =
        |bytes: &mut Vec<u8>, numbers: &[i32]| numbers.iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    longs(&mut bytes, &[1, vertices, 1, vertices]);
    ints(&mut bytes, &[3, 1, 0]);
    longs(&mut bytes, &[vertices]);
    longs(&mut bytes, &(1..=vertices).collect::<Vec<_>>());
    for coordinate in mesh.positions().iter().flat_map(|p| p.iter()) {
        bytes.extend(coordinate.to_le_bytes());
    }
    bytes.extend(b"\n$EndNodes\n$Elements\n");
    longs(&mut bytes, &[1, tets, 1, tets]);
    ints(&mut bytes, &[3, 1, 4]);
    longs(&mut bytes, &[tets]);
    for (number, corners) in (1..).zip(mesh.tets()) {
        let [a, b, c, d] = corners.map(|v| u64::from(v) + 1);
        longs(&mut bytes, &[number, a, b, c, d]);
    }
    bytes.extend(b"\n$EndElements\n");
    bytes
}

/// A ball with bumps of a tenth of its radius: 20 `frequency`² triangles.
///
/// # Panics
///
/// If `frequency` is zero or far too large.
#[must_use]
pub fn bumpy_ball(frequency: usize) -> TriMesh {
    let ball = TriMesh::icosphere(1.0, frequency).expect("a ball");
    let bump = |x: f64, y: f64| 1.0 + 0.1 * libm::sin(9.0 * x) * libm::cos(8.0 * y);
    let positions = ball.positions().iter().map(|p| p * bump(p.x, p.y)).collect();
    ball.with_positions(positions).expect("moved by finite factors")
}
