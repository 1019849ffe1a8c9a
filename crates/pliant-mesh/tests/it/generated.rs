//! The parts of the crate together, on generated meshes.

use pliant_mesh::{
    Colouring, Embedding, Split, Subdivision, TetMesh, TriMesh, lumped_mass_tets, lumped_mass_triangles,
};

fn solids() -> Vec<TetMesh> {
    vec![
        TetMesh::block([6, 4, 5], [1.2, 0.8, 1.0], Split::Kuhn).unwrap(),
        TetMesh::block([5, 4, 3], [1.0, 0.8, 0.6], Split::Five).unwrap(),
        TetMesh::ball(0.5, 5).unwrap(),
        TetMesh::torus(0.3, 0.1, 30, 2).unwrap(),
        TetMesh::cylinder(0.2, 1.0, 2, 9).unwrap(),
    ]
}

fn surfaces() -> Vec<TriMesh> {
    vec![
        TriMesh::grid([12, 17], [1.0, 1.5]).unwrap(),
        TriMesh::icosphere(0.5, 6).unwrap(),
        TriMesh::torus(0.3, 0.1, 24, 12).unwrap(),
        TriMesh::disc(0.4, 7).unwrap(),
    ]
}

fn assert_coloured<const N: usize>(vertices: usize, stencils: &[[u32; N]]) {
    let greedy = Colouring::greedy(vertices, stencils);
    let dsatur = Colouring::dsatur(vertices, stencils).unwrap();
    assert!(greedy.is_proper(stencils) && dsatur.is_proper(stencils));
    let busiest =
        pliant_mesh::Adjacency::of_elements(vertices, stencils).rows().map(<[u32]>::len).max().unwrap();
    assert!(dsatur.colour_count() >= busiest && greedy.colour_count() >= busiest);
    assert!(greedy.colour_count() <= dsatur.colour_count() + dsatur.colour_count() / 2);
    assert_eq!(greedy, Colouring::greedy(vertices, stencils));
    assert_eq!(greedy.sizes().iter().sum::<usize>(), stencils.len());
}

#[test]
fn constraints_are_coloured() {
    for mesh in solids() {
        assert_coloured(mesh.positions().len(), &mesh.edges());
        assert_coloured(mesh.positions().len(), mesh.tets());
    }
    for mesh in surfaces() {
        assert_coloured(mesh.positions().len(), &mesh.edges());
        assert_coloured(mesh.positions().len(), &mesh.hinges().stencils());
    }
}

#[test]
fn mass_is_conserved() {
    for mesh in solids() {
        let mass: f64 = lumped_mass_tets(&mesh, 1234.5).iter().sum();
        assert!((mass / (1234.5 * mesh.volume()) - 1.0).abs() < 1e-12);
    }
    for mesh in surfaces() {
        let mass: f64 = lumped_mass_triangles(&mesh, 0.123).iter().sum();
        assert!((mass / (0.123 * mesh.area()) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn edges_hinges_and_faces_count_up() {
    for mesh in surfaces() {
        let hinges = mesh.hinges();
        // Each triangle has three sides; a hinge joins two of them.
        assert_eq!(3 * mesh.triangles().len(), 2 * hinges.interior.len() + hinges.boundary.len());
        assert_eq!(mesh.edges().len(), hinges.interior.len() + hinges.boundary.len());
    }
    for mesh in solids() {
        let boundary = mesh.boundary_triangles().len();
        let inner = (4 * mesh.tets().len() - boundary) / 2;
        let euler = mesh.positions().len() as i64 - mesh.edges().len() as i64 + (inner + boundary) as i64
            - mesh.tets().len() as i64;
        assert!(euler == 1 || euler == 0, "a ball or a solid torus, not {euler}");
    }
}

#[test]
fn solids_carry_their_own_subdivided_surfaces() {
    for mesh in solids() {
        let surface = mesh.surface().mesh;
        for scheme in [Subdivision::Midpoint, Subdivision::Loop] {
            let fine = surface.subdivide(2, scheme).unwrap();
            let embedding = Embedding::new(&mesh, fine.positions()).unwrap();
            assert_eq!(embedding.len(), fine.positions().len());
            assert!(embedding.fit().rest_error < 1e-15);
            let size = mesh.bounds().unwrap().diagonal();
            assert!(embedding.fit().largest_distance < 0.02 * size);
            if scheme == Subdivision::Midpoint {
                assert_eq!(embedding.fit().outside, 0);
            }
        }
    }
}
