//! A garment whose stitches are closed: vertices that belong to one place are one. It hangs by its shoulders.

use std::fs;
use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use pliant_io::{Mesh, read_mesh};
use pliant_mesh::TriMesh;

use crate::workspace;

/// The depth of the shoulders, m.
const SHOULDERS: f64 = 0.03;

/// The two vertices that become one, of a line of the list: a vertex, the two ends of an edge, and the share of the way
/// between them. `None` for what is no such line.
fn pair(line: &str) -> Option<[usize; 2]> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let [vertex, a, b, share] = fields[..] else { return None };
    let end = if share.parse::<f64>().ok()? > 0.5 { b } else { a };
    Some([vertex.parse().ok()?, end.parse().ok()?])
}

/// The first of the vertices that are one with this one.
fn first(parents: &mut [usize], mut vertex: usize) -> usize {
    while parents[vertex] != vertex {
        parents[vertex] = parents[parents[vertex]];
        vertex = parents[vertex];
    }
    vertex
}

/// A file among the reference data, if it is there.
pub(super) fn file(name: &str) -> Option<PathBuf> {
    workspace::shared().map(|shared| shared.join(name)).filter(|path| path.is_file())
}

/// The garment of two files among the reference data; none if they are missing.
pub(super) fn garment(mesh: &str, stitches: &str) -> Result<Option<TriMesh>, Box<dyn std::error::Error>> {
    let (Some(path), Some(stitches)) = (file(mesh), file(stitches)) else { return Ok(None) };
    match read_mesh(&path)?.mesh {
        Mesh::Tri(mesh) => Ok(Some(sewn(&mesh, &stitches)?)),
        Mesh::Tet(_) => Err(format!("{}: a solid, not a surface", path.display()).into()),
    }
}

/// The vertices of the shoulders, by which a garment hangs.
pub(super) fn shoulders(mesh: &TriMesh) -> Vec<u32> {
    let x = mesh.positions();
    let top = x.iter().map(|x| x.y).fold(f64::MIN, f64::max);
    (0..).zip(x).filter(|(_, x)| x.y > top - SHOULDERS).map(|(v, _)| v).collect()
}

/// The mesh, every stitched vertex united with the nearer end of its edge, at the mean of their positions. Triangles of
/// which two corners are one are left out.
fn sewn(mesh: &TriMesh, stitches: &Path) -> Result<TriMesh, Box<dyn std::error::Error>> {
    let positions = mesh.positions();
    let mut parents: Vec<usize> = (0..positions.len()).collect();
    for (number, line) in fs::read_to_string(stitches)?.lines().enumerate().skip(1) {
        let known = |pair: &[usize; 2]| pair.iter().all(|&vertex| vertex < positions.len());
        let Some([vertex, end]) = pair(line).filter(known) else {
            return Err(format!("{}, line {}: no stitch of the mesh", stitches.display(), number + 1).into());
        };
        let (a, b) = (first(&mut parents, vertex), first(&mut parents, end));
        parents[a.max(b)] = a.min(b);
    }
    let firsts: Vec<usize> = (0..positions.len()).map(|vertex| first(&mut parents, vertex)).collect();
    let mut united = vec![(Vector3::zeros(), 0.0); positions.len()];
    for (&first, x) in firsts.iter().zip(positions) {
        let (sum, count) = &mut united[first];
        *sum += x;
        *count += 1.0;
    }
    let mut numbers = vec![0u32; positions.len()];
    let mut means = Vec::new();
    for (number, (sum, count)) in numbers.iter_mut().zip(&united).filter(|(_, (_, count))| *count > 0.0) {
        *number = u32::try_from(means.len())?;
        means.push(sum / *count);
    }
    let corners = |triangle: &[u32; 3]| triangle.map(|v| numbers[firsts[v as usize]]);
    let triangles = mesh.triangles().iter().map(corners);
    let triangles = triangles.filter(|[a, b, c]| a != b && b != c && a != c).collect();
    Ok(TriMesh::new(means, triangles)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_squares_become_one_sheet() {
        let square = |x: f64| [[x, 0.0], [x + 1.0, 0.0], [x, 1.0], [x + 1.0, 1.0]];
        let corners = [square(0.0), square(1.2)].concat();
        let positions = corners.iter().map(|[x, y]| Vector3::new(*x, *y, 0.0)).collect();
        let mesh = TriMesh::new(positions, vec![[0, 1, 2], [1, 3, 2], [4, 5, 6], [5, 7, 6]]).expect("a mesh");
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("stitches.csv");
        // The right side of the first square to the left side of the second: to its start, and to its end.
        fs::write(&list, "vertex,edge_a,edge_b,t\n1,4,6,0\n3,4,6,0.9\n").expect("a file can be written");
        let sheet = sewn(&mesh, &list).expect("a list of stitches");
        assert_eq!(sheet.positions().len(), 6);
        assert_eq!(sheet.triangles(), [[0, 1, 2], [1, 3, 2], [1, 4, 3], [4, 5, 3]]);
        assert_eq!(sheet.positions()[3], Vector3::new(1.1, 1.0, 0.0));
        for bad in ["1,4,6", "1,4,6,x", "9,4,6,0"] {
            fs::write(&list, format!("vertex,edge_a,edge_b,t\n{bad}\n")).expect("a file can be written");
            let error = sewn(&mesh, &list).expect_err("no stitch").to_string();
            assert!(error.contains("line 2"), "{error}");
        }
    }
}
