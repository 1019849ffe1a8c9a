//! Attributes and groups written to each format that supports them, and read back.

use std::path::PathBuf;

use nalgebra::Vector3;
use pliant_io::{
    Attribute, Attributes, Field, FieldValues, Frame, FrameWriter, Group, Imported, Location, Mesh,
    ReadOptions, VtuEncoding, VtuOptions, VtuSeries, write_mesh, write_mesh_with,
};
use pliant_mesh::{Split, TetMesh, TriMesh};

use Location::{Elements, Vertices};

fn solid() -> Mesh {
    Mesh::Tet(TetMesh::block([2, 1, 1], [0.2, 0.1, 0.1], Split::Kuhn).unwrap())
}

fn sheet() -> Mesh {
    Mesh::Tri(TriMesh::grid([3, 2], [0.2, 0.1]).unwrap())
}

/// Attributes of all kinds with difficult content: spaces, quotes, negative and large numbers.
fn attributes(mesh: &Mesh) -> Attributes {
    let (vertices, elements) = (mesh.positions().len(), mesh.element_count());
    let numbers = |n: usize| (0..n).map(|i| 1e5 / (i as f64 + 3.0)).collect::<Vec<f64>>();
    let mut a = Attributes::default();
    a.time = Some(0.75);
    a.push(Attribute::scalars("E mod", Elements, numbers(elements))).unwrap();
    a.push(Attribute::scalars("E mod", Vertices, numbers(vertices))).unwrap();
    a.push(Attribute::vectors("pull", Vertices, 3, numbers(3 * vertices))).unwrap();
    let tags = (0..elements).map(|i| if i % 2 == 0 { -7.0 } else { 4e9 }).collect();
    a.push(Attribute::scalars("tag", Elements, tags).integers()).unwrap();
    a.push_group(Group::new("foot", Elements, vec![0, 2]));
    a.push_group(Group::new("toe", Elements, vec![2]));
    a.push_group(Group::new("left end", Vertices, vec![1, 3, 0]));
    a
}

fn back(mesh: &Mesh, attributes: &Attributes, extension: &str) -> (Imported, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("a").with_extension(extension);
    let left_out = write_mesh_with(&path, mesh, attributes).unwrap();
    (ReadOptions::with_attributes().read(&path).unwrap(), left_out)
}

#[test]
fn vtk_and_msh_files_keep_everything() {
    for mesh in [solid(), sheet()] {
        let given = attributes(&mesh);
        let of_surfaces = matches!(mesh, Mesh::Tri(_)).then_some("vtp");
        for extension in ["vtu", "vtk", "msh"].into_iter().chain(of_surfaces) {
            let (read, left_out) = back(&mesh, &given, extension);
            assert!(left_out.is_empty(), "{extension}: {left_out:?}");
            assert_eq!(read.mesh, mesh);
            assert_eq!(read.attributes.time, given.time);
            for field in given.fields() {
                let found = read.attributes.field(field.name(), field.location()).unwrap();
                assert_eq!(
                    (found.components(), found.values()),
                    (field.components(), field.values()),
                    "{extension}"
                );
                // Data of Gmsh are all real.
                assert!(extension == "msh" || found.is_integer() == field.is_integer());
            }
            for group in given.groups() {
                // Groups in each other are data in a Gmsh file.
                match read.attributes.group(group.name(), group.location()) {
                    Some(found) => assert_eq!(found.members(), group.members(), "{extension}"),
                    None => {
                        let flags = read.attributes.field(group.name(), group.location()).unwrap();
                        assert_eq!(extension, "msh");
                        let ones = flags.values().iter().filter(|v| **v == 1.0).count();
                        assert_eq!(ones, group.members().len());
                    }
                }
            }
        }
    }
}

#[test]
fn physical_groups_of_a_gmsh_file_stay_what_they_were() {
    let mesh = solid();
    let mut given = Attributes::default();
    let tags = (0..mesh.element_count()).map(|i| if i < 5 { 12.0 } else { 3.0 }).collect();
    given.push(Attribute::scalars("gmsh:physical", Elements, tags).integers()).unwrap();
    given.push_group(Group::new("foot", Elements, (0..5).collect()));
    given.push_group(Group::new("top", Vertices, vec![2, 5]));
    let (read, _) = back(&mesh, &given, "msh");
    let field = read.attributes.field("gmsh:physical", Elements).unwrap();
    assert_eq!(field.values(), given.fields()[0].values());
    assert_eq!(read.attributes.group("foot", Elements).unwrap().members(), [0, 1, 2, 3, 4]);
    assert_eq!(read.attributes.group("top", Vertices).unwrap().members(), [2, 5]);
    assert_eq!(read.attributes.group("physical volume 3", Elements).unwrap().members().len(), 7);
}

#[test]
fn missing_numbers_stay_missing() {
    let mesh = sheet();
    let mut given = Attributes::default();
    given.push(Attribute::scalars("h", Vertices, vec![1.0, f64::NAN, 3.0, 4.0, 5.0, 6.0])).unwrap();
    for extension in ["vtu", "vtk", "msh", "ply"] {
        let (read, _) = back(&mesh, &given, extension);
        let values = read.attributes.field("h", Vertices).unwrap().values().to_vec();
        assert!(values[1].is_nan() && values[2] == 3.0, "{extension}: {values:?}");
    }
}

#[test]
fn surfaces_have_what_their_tetrahedra_have() {
    let mesh = solid();
    let mut given = attributes(&mesh);
    let x = |v: &Vector3<f64>| v.x;
    given.push(Attribute::scalars("abscissa", Vertices, mesh.positions().iter().map(x).collect())).unwrap();
    let (read, left_out) = back(&mesh, &given, "ply");
    assert!(left_out.is_empty());
    let Mesh::Tri(surface) = &read.mesh else { panic!("a surface") };
    let places: Vec<f64> = surface.positions().iter().map(x).collect();
    assert_eq!(read.attributes.field("abscissa", Vertices).unwrap().values(), places);
    let Mesh::Tet(solid) = &mesh else { panic!("a solid") };
    let young = read.attributes.field("E_mod", Elements).unwrap().values();
    for (t, value) in young.iter().enumerate() {
        let corners = surface.corners(t);
        let at = |v: u32| solid.positions()[v as usize];
        let is_face = |tet: &[u32; 4]| corners.iter().all(|c| tet.iter().any(|&v| at(v) == *c));
        let tet = solid.tets().iter().position(is_face).unwrap();
        assert_eq!(*value, given.fields()[0].values()[tet]);
    }
    assert!(read.attributes.field("pull_2", Vertices).is_some());
    assert!(!read.attributes.group("foot", Elements).unwrap().members().is_empty());
}

#[test]
fn obj_keeps_groups_and_colours_and_ply_colours_as_bytes() {
    let mesh = sheet();
    let mut given = attributes(&mesh);
    let shares = (0..3 * mesh.positions().len()).map(|i| (i % 6) as f64 * 0.2).collect();
    given.push(Attribute::vectors("colour", Vertices, 3, shares)).unwrap();
    let (read, left_out) = back(&mesh, &given, "obj");
    assert_eq!(left_out, ["E mod", "left end", "pull", "tag"]);
    assert_eq!(read.mesh, mesh);
    assert_eq!(read.attributes.group("foot", Elements).unwrap().members(), [0, 2]);
    assert_eq!(read.attributes.group("toe", Elements).unwrap().members(), [2]);
    assert_eq!(read.attributes.field("colour", Vertices), given.field("colour", Vertices));
    let (read, _) = back(&mesh, &given, "ply");
    assert_eq!(read.attributes.field("green", Vertices).unwrap().values()[..2], [51.0, 204.0]);
}

#[test]
fn medit_keeps_references_and_abaqus_sets() {
    let mesh = solid();
    let mut given = attributes(&mesh);
    let tags = (0..mesh.element_count()).map(|i| (i % 3) as f64).collect();
    given.push(Attribute::scalars("gmsh:physical", Elements, tags).integers()).unwrap();
    let (read, left_out) = back(&mesh, &given, "mesh");
    assert_eq!(
        read.attributes.field("medit:ref", Elements).unwrap().values(),
        given.field("gmsh:physical", Elements).unwrap().values()
    );
    assert!(left_out.contains(&"foot".to_owned()) && !left_out.contains(&"gmsh:physical".to_owned()));
    let (read, left_out) = back(&mesh, &given, "inp");
    assert_eq!(read.attributes.groups(), given.groups());
    assert_eq!(left_out, ["E mod", "gmsh:physical", "pull", "tag"]);
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.vtu");
    let mut given = Attributes::default();
    given.push_group(Group::new("top", Vertices, vec![6]));
    let error = write_mesh_with(&path, &sheet(), &given).unwrap_err().to_string();
    assert!(error.contains("a.vtu: the group \"top\" has number 6 of the vertices"), "{error}");
    assert!(!path.exists());
    // Without attributes the bytes are those of plain files.
    let other = folder.path().join("b.vtu");
    write_mesh(&path, &sheet()).unwrap();
    write_mesh_with(&other, &sheet(), &Attributes::default()).unwrap();
    assert_eq!(std::fs::read(path).unwrap(), std::fs::read(other).unwrap());
}

#[test]
fn the_fields_of_a_frame_come_back_with_its_time() {
    for (compress, encoding) in [(true, VtuEncoding::AppendedRaw), (false, VtuEncoding::Base64)] {
        let folder = tempfile::tempdir().unwrap();
        let mesh = sheet();
        let options = VtuOptions { compress, encoding, ..VtuOptions::default() };
        let mut series = VtuSeries::create(folder.path().join("it.pvd"), &mesh, options).unwrap();
        let (heat, load) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.5, 0.25, 0.125, 8.0]);
        let fields = [
            Field { name: "heat", location: Vertices, values: FieldValues::Scalars(&heat) },
            Field { name: "load", location: Elements, values: FieldValues::Scalars(&load) },
        ];
        let velocities = [Vector3::new(3.0, 0.0, 4.0); 6];
        let frame = Frame::new(0.75, mesh.positions()).with_velocities(&velocities).with_fields(&fields);
        series.write_frame(&frame).unwrap();
        let path = folder.path().join("it/it_0000.vtu");
        let a = ReadOptions::with_attributes().read(path).unwrap().attributes;
        assert_eq!(a.time, Some(0.75));
        assert_eq!(a.field("velocity", Vertices).unwrap().magnitudes(), [5.0; 6]);
        assert_eq!(a.field("heat", Vertices).unwrap().values(), heat);
        assert_eq!(a.field("load", Elements).unwrap().values(), load);
    }
}
