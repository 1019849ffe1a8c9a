//! A written file reads back as the same mesh.

use nalgebra::Vector3;
use pliant_io::{
    Frame, FrameWriter, GlbAnimation, MddWriter, Mesh, MeshSequence, Pc2Options, Pc2Writer, PointCache,
    Precision, UsdaOptions, UsdaWriter, VtuEncoding, VtuOptions, VtuSeries, read_mesh, write_mesh,
};
use pliant_mesh::{TetMesh, TriMesh};
use proptest::prelude::*;

/// Finite numbers of every size that survives in the formats.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![-10.0..10.0, -1e-12..1e-12, -1e30..1e30, Just(0.0), Just(1.0)]
}

fn positions(least: usize) -> impl Strategy<Value = Vec<Vector3<f64>>> {
    let point = [coordinate(), coordinate(), coordinate()].prop_map(Vector3::from);
    prop::collection::vec(point, least..60)
}

/// Corners that are all different.
fn elements<const N: usize>(vertices: usize) -> impl Strategy<Value = Vec<[u32; N]>> {
    let all: Vec<u32> = (0..vertices as u32).collect();
    let element = prop::sample::subsequence(all, N).prop_shuffle().prop_map(|corners| {
        let mut element = [0; N];
        element.copy_from_slice(&corners);
        element
    });
    prop::collection::vec(element, 1..100)
}

fn tri_mesh() -> impl Strategy<Value = TriMesh> {
    let parts = positions(3).prop_flat_map(|p| (elements(p.len()), Just(p)));
    parts.prop_map(|(triangles, positions)| TriMesh::new(positions, triangles).unwrap())
}

fn tet_mesh() -> impl Strategy<Value = TetMesh> {
    let parts = positions(4).prop_flat_map(|p| (elements(p.len()), Just(p)));
    parts.prop_map(|(tets, positions)| TetMesh::new(positions, tets).unwrap())
}

fn mesh() -> impl Strategy<Value = Mesh> {
    prop_oneof![tri_mesh().prop_map(Mesh::Tri), tet_mesh().prop_map(Mesh::Tet)]
}

fn vtu_options() -> impl Strategy<Value = VtuOptions> {
    let encoding = prop_oneof![Just(VtuEncoding::AppendedRaw), Just(VtuEncoding::Base64)];
    (encoding, any::<bool>()).prop_map(|(encoding, compress)| VtuOptions {
        encoding,
        compress,
        precision: Precision::Double,
    })
}

proptest! {
    #![proptest_config(pliant_testkit::config(48))]

    #[test]
    fn surfaces_keep_every_bit(mesh in tri_mesh()) {
        let folder = tempfile::tempdir().unwrap();
        let mesh = Mesh::Tri(mesh);
        for name in ["a.obj", "a.ply", "a.off", "a.usda", "a.vtp"] {
            let path = folder.path().join(name);
            write_mesh(&path, &mesh).unwrap();
            prop_assert_eq!(&read_mesh(&path).unwrap().mesh, &mesh);
        }
    }

    #[test]
    fn meshes_of_either_kind_keep_every_bit(mesh in mesh()) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.vtk", "a.msh", "a.vtu", "a.mesh", "a.inp"] {
            let path = folder.path().join(name);
            write_mesh(&path, &mesh).unwrap();
            prop_assert_eq!(&read_mesh(&path).unwrap().mesh, &mesh, "{}", name);
        }
    }

    #[test]
    fn glb_keeps_single_precision_and_clips_begin_with_their_first_frame(mesh in tri_mesh()) {
        let folder = tempfile::tempdir().unwrap();
        let [path, clip] = ["a.glb", "clip.glb"].map(|name| folder.path().join(name));
        let single: Vec<_> = mesh.positions().iter().map(|p| p.map(|c| f64::from(c as f32))).collect();
        let wanted = Mesh::Tri(mesh.with_positions(single).unwrap());
        let mesh = Mesh::Tri(mesh);
        write_mesh(&path, &mesh).unwrap();
        prop_assert_eq!(&read_mesh(&path).unwrap().mesh, &wanted);
        let mut writer = Box::new(GlbAnimation::create(&clip, &mesh).unwrap());
        let moved: Vec<_> = mesh.positions().iter().map(|p| p.add_scalar(0.5)).collect();
        for (time, positions) in [(1.0, mesh.positions()), (1.5, &moved), (2.0, mesh.positions())] {
            writer.write_frame(&Frame::new(time, positions)).unwrap();
        }
        prop_assert_eq!(writer.finish().unwrap(), std::slice::from_ref(&clip));
        let imported = read_mesh(&clip).unwrap();
        prop_assert_eq!(&imported.mesh, &wanted);
        prop_assert!(imported.report.notes.iter().any(|note| note.contains("morph targets")));
    }

    #[test]
    fn usd_animations_read_back_with_their_first_frame(mesh in mesh(), shift in -1.0..1.0) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/a.usda");
        let mut writer = Box::new(UsdaWriter::create(&path, &mesh, UsdaOptions::default()).unwrap());
        let moved: Vec<_> = mesh.positions().iter().map(|p| p.add_scalar(shift)).collect();
        writer.write_frame(&Frame::new(0.5, &moved).with_velocities(mesh.positions())).unwrap();
        writer.write_frame(&Frame::new(1.0, mesh.positions()).with_velocities(&moved)).unwrap();
        prop_assert!(!path.exists());
        writer.finish().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for part in ["startTimeCode = 12\n", "endTimeCode = 24\n", "velocities.timeSamples", "        12: [("] {
            prop_assert!(text.contains(part), "{}", part);
        }
        let wanted = match &mesh {
            Mesh::Tri(mesh) => mesh.with_positions(moved).unwrap(),
            Mesh::Tet(mesh) => {
                let surface = mesh.surface();
                surface.mesh.with_positions(surface.gather(&moved)).unwrap()
            }
        };
        // Random tetrahedra may leave no face alone.
        if !wanted.triangles().is_empty() {
            prop_assert_eq!(read_mesh(&path).unwrap().into_tri().unwrap().0, wanted);
        }
    }

    #[test]
    fn mdd_caches_hold_times_and_positions(frames in prop::collection::vec(prop::collection::vec(-1e3_f32..1e3, 6), 0..5)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mdd");
        let mut writer = Box::new(MddWriter::create(&path, 2).unwrap());
        for (i, frame) in frames.iter().enumerate() {
            let points: Vec<_> = frame.chunks(3).map(|p| Vector3::new(p[0], p[1], p[2]).map(f64::from)).collect();
            writer.write_frame(&Frame::new(0.5 * i as f64, &points)).unwrap();
        }
        writer.finish().unwrap();
        let times = (0..frames.len()).map(|i| 0.5 * i as f32);
        let numbers = times.chain(frames.iter().flatten().copied());
        let mut wanted: Vec<u8> = [frames.len() as i32, 2].iter().flat_map(|n| n.to_be_bytes()).collect();
        wanted.extend(numbers.flat_map(f32::to_be_bytes));
        prop_assert_eq!(std::fs::read(&path).unwrap(), wanted);
        prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn stl_keeps_corners_to_single_precision(mesh in tri_mesh()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.stl");
        write_mesh(&path, &Mesh::Tri(mesh.clone())).unwrap();
        let (back, _) = read_mesh(&path).unwrap().into_tri().unwrap();
        prop_assert_eq!(back.triangles().len(), mesh.triangles().len());
        for t in 0..back.triangles().len() {
            let single = mesh.corners(t).map(|p| p.map(|c| f64::from(c as f32)));
            prop_assert_eq!(back.corners(t), single);
        }
    }

    #[test]
    fn frames_of_a_series_keep_every_bit(mesh in mesh(), options in vtu_options(), shift in -1.0..1.0) {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("run & co.pvd");
        let mut writer = Box::new(VtuSeries::create(&index, &mesh, options).unwrap());
        let moved: Vec<_> = mesh.positions().iter().map(|p| p.add_scalar(shift)).collect();
        writer.write_frame(&Frame::new(0.0, mesh.positions())).unwrap();
        writer.write_frame(&Frame::new(0.5, &moved).with_velocities(&moved)).unwrap();
        // Not finished: the written frames exist all the same.
        drop(writer);
        let listed = std::fs::read_to_string(&index).unwrap();
        prop_assert!(listed.contains("timestep=\"0.5\"") && listed.contains("file=\"run &amp; co/run &amp; co_0001.vtu\""));
        for (name, positions) in [("run & co_0000.vtu", mesh.positions()), ("run & co_0001.vtu", &moved)] {
            let back = read_mesh(folder.path().join("run & co").join(name)).unwrap();
            prop_assert_eq!(back.mesh.positions(), positions);
            prop_assert_eq!(back.mesh.element_count(), mesh.element_count());
        }
    }

    #[test]
    fn point_caches_keep_single_precision(frames in prop::collection::vec(prop::collection::vec(-1e3_f32..1e3, 6), 0..5)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/a.pc2");
        let mut writer = Box::new(Pc2Writer::create(&path, 2, Pc2Options::default()).unwrap());
        for (i, frame) in frames.iter().enumerate() {
            let points: Vec<_> = frame.chunks(3).map(|p| Vector3::new(p[0], p[1], p[2]).map(f64::from)).collect();
            writer.write_frame(&Frame::new(i as f64, &points)).unwrap();
            prop_assert!(!path.exists());
        }
        prop_assert_eq!(writer.finish().unwrap(), std::slice::from_ref(&path));
        let cache = PointCache::read(&path).unwrap();
        prop_assert_eq!(cache.sample_count(), frames.len());
        for (i, frame) in frames.iter().enumerate() {
            prop_assert_eq!(cache.sample(i).as_flattened(), frame.as_slice());
        }
    }
}

#[test]
fn the_boundary_of_a_solid_is_closed_and_holds_its_volume() {
    let solid = TetMesh::block([3, 2, 1], [1.5, 1.0, 0.5], pliant_mesh::Split::Kuhn).unwrap();
    let mesh = Mesh::Tet(solid.clone());
    let folder = tempfile::tempdir().unwrap();
    for extension in ["obj", "ply", "stl"] {
        let path = folder.path().join("solid").with_extension(extension);
        write_mesh(&path, &mesh).unwrap();
        let (surface, report) = read_mesh(&path).unwrap().into_tri().unwrap();
        assert!(report.is_clean(), "{report}");
        assert!((surface.enclosed_volume() - solid.volume()).abs() < 1e-6);
    }
    let mut writer = Box::new(MeshSequence::obj(folder.path(), "s", &mesh).unwrap());
    writer.write_frame(&Frame::new(0.0, solid.positions())).unwrap();
    let written = writer.finish().unwrap();
    assert!(written[0].ends_with("s_0000.obj"));
    let (surface, _) = read_mesh(&written[0]).unwrap().into_tri().unwrap();
    assert_eq!(surface, solid.surface().mesh);
}

#[test]
fn a_dropped_point_cache_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pc2");
    let mut writer = Pc2Writer::create(&path, 1, Pc2Options::default()).unwrap();
    writer.write_frame(&Frame::new(0.0, &[Vector3::x()])).unwrap();
    drop(writer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let mesh = Mesh::Tri(TriMesh::default());
    for error in [
        write_mesh(file.join("a.obj"), &mesh).unwrap_err(),
        write_mesh(folder.path().join("missing/a.obj"), &mesh).unwrap_err(),
        VtuSeries::create(file.join("a.pvd"), &mesh, VtuOptions::default()).err().unwrap(),
        MeshSequence::ply(file.join("sub"), "a", &mesh).err().unwrap(),
        Pc2Writer::create(file.join("a.pc2"), 1, Pc2Options::default()).err().unwrap(),
    ] {
        let text = error.to_string();
        assert!(text.contains(folder.path().to_str().unwrap()), "{text}");
    }
    let text = write_mesh(folder.path().join("a.xyz"), &mesh).unwrap_err().to_string();
    assert!(text.contains("a.xyz") && text.contains(".obj"), "{text}");
    let far = vec![Vector3::x() * 1e39, Vector3::y(), Vector3::z()];
    let far = Mesh::Tri(TriMesh::new(far, vec![[0, 1, 2]]).unwrap());
    let text = write_mesh(folder.path().join("a.stl"), &far).unwrap_err().to_string();
    assert!(text.contains("vertex 0 is not finite"), "{text}");
}

proptest! {
    #![proptest_config(pliant_testkit::config(24))]

    #[test]
    fn tetgen_files_keep_every_bit(mesh in tet_mesh(), by_elements in any::<bool>(), capitals in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        let name = if by_elements { "a.ele" } else { "a.node" };
        let path = folder.path().join(if capitals { name.to_uppercase() } else { name.to_owned() });
        write_mesh(&path, &Mesh::Tet(mesh.clone())).unwrap();
        prop_assert_eq!(read_mesh(&path).unwrap().mesh, Mesh::Tet(mesh));
        prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

#[test]
fn tetgen_files_hold_no_surfaces() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = TriMesh::grid([2, 2], [1.0, 1.0]).unwrap();
    let refused = write_mesh(folder.path().join("a.node"), &Mesh::Tri(sheet)).unwrap_err().to_string();
    assert!(refused.contains("holds tetrahedra, and the mesh is a surface"), "{refused}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn vtp_files_are_polygonal_data_and_hold_no_solids() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.vtp", "b.VTP"] {
        let path = folder.path().join(name);
        let sheet = Mesh::Tri(TriMesh::grid([3, 2], [1.0, 1.0]).unwrap());
        write_mesh(&path, &sheet).unwrap();
        let content = std::fs::read(&path).unwrap();
        let head = String::from_utf8_lossy(&content[..content.len().min(1000)]).into_owned();
        let polygons = format!("NumberOfPolys=\"{}\"", sheet.element_count());
        assert!(head.contains("<VTKFile type=\"PolyData\"") && head.contains(&polygons), "{head}");
        assert!(!head.contains("UnstructuredGrid") && !head.contains("\"types\""), "{head}");
        assert_eq!(read_mesh(&path).unwrap().mesh, sheet);
    }
    let solid = TetMesh::block([1, 1, 1], [1.0; 3], pliant_mesh::Split::Kuhn).unwrap();
    let path = folder.path().join("c.vtp");
    let refused = write_mesh(&path, &Mesh::Tet(solid)).unwrap_err().to_string();
    assert!(refused.contains("of tetrahedra; use .vtu"), "{refused}");
    assert!(!path.exists());
}
