//! The library finds and mends the defects of the table.

use crate::planted::{AnyMesh, table};
use nalgebra::Vector3;
use pliant_mesh::{CheckOptions, MeshError, TriMesh};

#[test]
fn each_is_named_with_its_place_and_mended() {
    for row in table() {
        let options = CheckOptions::default();
        match &row.shape {
            AnyMesh::Surface(mesh) => {
                row.assert_found(&mesh.check_up(&options));
                row.assert_errors(&mesh.check_up(&options), &mesh.errors());
                row.assert_left(&mesh.repair(&row.repair).0.check_up(&options));
            }
            AnyMesh::Solid(mesh) => {
                row.assert_found(&mesh.check_up(&options));
                row.assert_errors(&mesh.check_up(&options), &mesh.errors());
                let (mended, _) = mesh.repair(&row.repair);
                row.assert_left(&mended.check_up(&options));
                if !mended.inverted().is_empty() {
                    panic!("{}: tetrahedra are left inside out", row.name);
                }
            }
        }
    }
}

#[test]
fn places_that_are_no_numbers_are_refused_before_anything_is_checked() {
    let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::new(0.0, f64::NAN, 0.0)];
    let refused = TriMesh::new(corners, vec![[0, 1, 2]]).unwrap_err();
    assert!(matches!(refused, MeshError::NonFinitePosition { vertex: 2, .. }));
}
