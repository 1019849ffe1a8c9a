//! Animations that were interrupted and taken up again: the files are those of one go.

use std::fs;
use std::path::Path;

use nalgebra::Vector3;
use pliant_io::{
    ExportError, Frame, FrameWriter, Mesh, MeshSequence, Pc2Options, Pc2Writer, VtuOptions, VtuSeries,
};
use pliant_mesh::TriMesh;

fn mesh() -> Mesh {
    Mesh::Tri(TriMesh::grid([3, 3], [1.0, 1.0]).unwrap())
}

fn write(writer: &mut dyn FrameWriter, frames: std::ops::Range<usize>) {
    let mesh = mesh();
    for k in frames {
        let up = Vector3::y() * k as f64 / 3.0;
        let positions: Vec<_> = mesh.positions().iter().map(|x| x + up).collect();
        writer.write_frame(&Frame::new(k as f64 / 30.0, &positions)).unwrap();
    }
    writer.flush().unwrap();
}

fn open(format: &str, folder: &Path, times: &[f64]) -> Result<Box<dyn FrameWriter>, ExportError> {
    let mesh = mesh();
    Ok(match format {
        "vtu" => {
            Box::new(VtuSeries::create(folder.join("a.pvd"), &mesh, VtuOptions::default())?.resume(times)?)
        }
        "ply" => Box::new(MeshSequence::ply(folder, "a", &mesh)?.resume(times)),
        _ => Box::new(Pc2Writer::resume(folder.join("a.pc2"), 9, Pc2Options::default(), times)?),
    })
}

/// Names and bytes of all files.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.push((path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()));
        }
    }
    all.sort();
    all
}

#[test]
fn what_goes_on_ends_as_in_one_go() {
    for format in ["vtu", "ply", "pc2"] {
        let folder = tempfile::tempdir().unwrap();
        let [whole, part] = ["whole", "part"].map(|name| folder.path().join(name));
        let mut writer = open(format, &whole, &[]).unwrap();
        write(&mut *writer, 0..7);
        let opened = writer.finish().unwrap();
        // Five frames were written, and the fourth is the last that counts.
        write(&mut *open(format, &part, &[]).unwrap(), 0..5);
        let times = [0.0, 1.0 / 30.0, 2.0 / 30.0, 3.0 / 30.0];
        let mut writer = open(format, &part, &times).unwrap();
        write(&mut *writer, 4..7);
        assert_eq!(writer.finish().unwrap().len(), opened.len(), "{format}");
        assert_eq!(files(&part), files(&whole), "{format}");
    }
}

#[test]
fn a_cache_that_lost_samples_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(&mut *open("pc2", folder.path(), &[]).unwrap(), 0..2);
    let error = open("pc2", folder.path(), &[0.0, 0.1, 0.2]).err().unwrap().to_string();
    assert!(error.contains("has 248 bytes and should have 356"), "{error}");
    assert!(open("pc2", folder.path(), &[0.0, 0.1]).is_ok());
}

#[test]
fn a_cache_that_was_complete_goes_on_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = open("pc2", folder.path(), &[]).unwrap();
    write(&mut *writer, 0..3);
    writer.finish().unwrap();
    let whole = files(folder.path());
    let mut writer = open("pc2", folder.path(), &[0.0]).unwrap();
    write(&mut *writer, 1..3);
    assert_ne!(files(folder.path()), whole);
    writer.finish().unwrap();
    assert_eq!(files(folder.path()), whole);
}
