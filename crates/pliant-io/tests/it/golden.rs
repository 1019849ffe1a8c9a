//! Every writer against files that were checked with other programs (meshio, pyvista, trimesh).
//!
//! After an intended change, run with `PLIANT_BLESS=1` and open the new files in such programs.

use std::fs;
use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use pliant_io::{
    Field, FieldValues, Frame, FrameWriter, GlbAnimation, Location, MddWriter, Mesh, MeshSequence,
    Pc2Options, Pc2Writer, Precision, UpAxis, UsdaOptions, UsdaWriter, VtuEncoding, VtuOptions, VtuSeries,
    write_mesh,
};
use pliant_mesh::{TetMesh, TriMesh};

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Compares all files of a folder with those of the same names.
fn compare(written: &Path, name: &str) {
    let wanted = golden().join(name);
    if std::env::var_os("PLIANT_BLESS").is_some() {
        fs::create_dir_all(&wanted).unwrap();
        for file in files(written) {
            fs::create_dir_all(wanted.join(&file).parent().unwrap()).unwrap();
            fs::copy(written.join(&file), wanted.join(&file)).unwrap();
        }
    }
    assert_eq!(files(written), files(&wanted));
    for file in files(written) {
        let [found, kept] = [written, &wanted].map(|folder| fs::read(folder.join(&file)).unwrap());
        assert!(
            found == kept,
            "{} differs from the one kept:\n{}",
            file.display(),
            String::from_utf8_lossy(&found)
        );
    }
}

/// Paths of all files below a folder, relative to it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_owned();
            found.extend(files(&path).into_iter().map(|file| Path::new(&name).join(file)));
        } else {
            found.push(PathBuf::from(path.file_name().unwrap()));
        }
    }
    found.sort();
    found
}

/// Two tetrahedra, with coordinates that need all digits.
fn solid() -> Mesh {
    let positions = vec![
        Vector3::new(0.1, -1.0 / 3.0, 1e-7),
        Vector3::new(1.0, 0.0, 0.0),
        Vector3::new(0.0, 1.0, 0.0),
        Vector3::new(0.0, 0.0, 1.0),
        Vector3::new(1.0, 1.0, 1.0),
    ];
    Mesh::Tet(TetMesh::new(positions, vec![[0, 1, 2, 3], [1, 2, 3, 4]]).unwrap())
}

/// A square of two triangles.
fn square() -> Mesh {
    let positions =
        vec![Vector3::zeros(), Vector3::x(), Vector3::new(1.0, 1.0, 0.5), Vector3::new(0.0, 1.0 / 3.0, 0.0)];
    Mesh::Tri(TriMesh::new(positions, vec![[0, 1, 2], [0, 2, 3]]).unwrap())
}

/// Writes three frames in which a mesh rises, with velocity, normals and fields.
fn animate(mut writer: Box<dyn FrameWriter>, mesh: &Mesh) -> Vec<PathBuf> {
    let numbers: Vec<f64> =
        (0..mesh.positions().len().max(mesh.element_count())).map(|i| i as f64 * 0.1).collect();
    for frame in 0..3 {
        let time = f64::from(frame) * 0.1;
        let positions: Vec<_> = mesh.positions().iter().map(|p| p + Vector3::z() * (2.0 * time)).collect();
        let velocities = vec![Vector3::z() * 2.0; positions.len()];
        let normals = vec![Vector3::new(0.6, 0.0, 0.8); positions.len()];
        let fields = [
            Field {
                name: "a < b & \"c\"",
                location: Location::Vertices,
                values: FieldValues::Scalars(&numbers[..positions.len()]),
            },
            Field {
                name: "strain",
                location: Location::Elements,
                values: FieldValues::Scalars(&numbers[..mesh.element_count()]),
            },
        ];
        let frame = Frame::new(time, &positions)
            .with_velocities(&velocities)
            .with_normals(&normals)
            .with_fields(&fields);
        writer.write_frame(&frame).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn single_meshes() {
    for (name, mesh) in [("solid", solid()), ("square", square())] {
        let folder = tempfile::tempdir().unwrap();
        for extension in ["obj", "ply", "stl", "vtk", "msh"] {
            write_mesh(folder.path().join(format!("{name}.{extension}")), &mesh).unwrap();
        }
        compare(folder.path(), name);
    }
}

#[test]
fn vtu_series() {
    // Without compression, whose bytes are up to zlib; compressed files are compared as read back.
    for (name, encoding, precision) in [
        ("vtu_raw", VtuEncoding::AppendedRaw, Precision::Single),
        ("vtu_base64", VtuEncoding::Base64, Precision::Double),
    ] {
        let options = VtuOptions { encoding, compress: false, precision };
        for (stem, mesh) in [("solid", solid()), ("square", square())] {
            let folder = tempfile::tempdir().unwrap();
            let index = folder.path().join(format!("{stem}.pvd"));
            let writer = VtuSeries::create(folder.path().join(stem), &mesh, options).unwrap();
            assert_eq!(animate(Box::new(writer), &mesh), [index]);
            compare(folder.path(), &format!("{name}_{stem}"));
        }
    }
}

#[test]
fn mesh_sequences() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let obj = animate(Box::new(MeshSequence::obj(path, "solid", &solid()).unwrap()), &solid());
    assert_eq!(obj.len(), 3);
    animate(Box::new(MeshSequence::ply(path, "square", &square()).unwrap()), &square());
    compare(path, "sequences");
}

#[test]
fn point_cache() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("square.pc2");
    let writer = Pc2Writer::create(&path, 4, Pc2Options { start_frame: 1.0, sample_rate: 0.5 }).unwrap();
    let mesh = square();
    assert_eq!(animate(Box::new(writer), &mesh), [path]);
    compare(folder.path(), "pc2");
}

#[test]
fn clips() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for (name, mesh) in [("solid", solid()), ("square", square())] {
        let options = UsdaOptions { frames_per_second: 10.0, up: UpAxis::Y };
        animate(
            Box::new(UsdaWriter::create(path.join(format!("{name}.usda")), &mesh, options).unwrap()),
            &mesh,
        );
        animate(Box::new(GlbAnimation::create(path.join(format!("{name}.glb")), &mesh).unwrap()), &mesh);
    }
    animate(Box::new(MddWriter::create(path.join("square.mdd"), 4).unwrap()), &square());
    animate(Box::new(MeshSequence::obj(path, "square", &square()).unwrap()), &square());
    compare(path, "clips");
}
