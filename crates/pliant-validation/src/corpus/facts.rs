//! The result of reading a file, small enough to be printed by a child process.

use std::fs;
use std::path::Path;

use nalgebra::Vector3;
use pliant_io::{ImportError, Imported, Mesh, read_mesh};
use serde::{Deserialize, Serialize};

/// The content of a file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Why the file was refused.
    pub(crate) error: Option<String>,
    /// The number of vertices of a file that was refused because it has no elements.
    pub(crate) alone: Option<usize>,
    pub(crate) vertices: usize,
    pub(crate) tets: usize,
    pub(crate) triangles: usize,
    pub(crate) box_min: [f64; 3],
    pub(crate) box_max: [f64; 3],
    pub(crate) coordinate_sum: f64,
    /// Sum of the sizes of the coordinates, to judge the rounding of their sum.
    pub(crate) coordinate_scale: f64,
    pub(crate) volume: f64,
    /// Sum of the sizes of the volumes.
    pub(crate) volume_scale: f64,
    pub(crate) area: f64,
    /// Σ (k + 1)(index + 1) mod 1 000 000 007 over the flattened elements.
    pub(crate) checksum: u64,
    /// The same for quadrilaterals as trimesh splits them, if all triangles are halves of such.
    pub(crate) checksum_of_halves: Option<u64>,
    /// How the mesh differs from the table of truth beside the file.
    pub(crate) untrue: Option<String>,
    pub(crate) seconds: f64,
    /// Largest resident size, KiB, if the system reports it.
    pub(crate) peak_kib: Option<u64>,
    /// Size of the arrays of the mesh, bytes.
    pub(crate) decoded: u64,
}

impl Facts {
    /// Reads a file.
    pub(crate) fn of(path: &Path) -> Self {
        let start = std::time::Instant::now();
        let result = read_mesh(path);
        let (seconds, peak_kib) = (start.elapsed().as_secs_f64(), peak_kib());
        let mut facts = match result {
            Ok(imported) => Self::of_mesh(path, &imported),
            Err(error) => {
                let alone = match error {
                    ImportError::NoElements { vertices, .. } => Some(vertices),
                    _ => None,
                };
                Self { error: Some(error.to_string()), alone, ..Self::default() }
            }
        };
        facts.seconds = seconds;
        facts.peak_kib = peak_kib;
        facts
    }

    fn of_mesh(path: &Path, imported: &Imported) -> Self {
        let positions = imported.mesh.positions();
        let (box_min, box_max) = (imported.report.bounds.min, imported.report.bounds.max);
        let mut facts = Self {
            vertices: positions.len(),
            box_min: box_min.into(),
            box_max: box_max.into(),
            coordinate_sum: positions.iter().map(Vector3::sum).sum(),
            coordinate_scale: positions.iter().flat_map(|p| p.iter().map(|c| c.abs())).sum(),
            untrue: difference_from_truth(path, &imported.mesh),
            ..Self::default()
        };
        let elements = match &imported.mesh {
            Mesh::Tri(mesh) => {
                facts.triangles = mesh.triangles().len();
                facts.area = mesh.area();
                facts.checksum_of_halves = checksum_of_halves(mesh.triangles());
                mesh.triangles().as_flattened()
            }
            Mesh::Tet(mesh) => {
                facts.tets = mesh.tets().len();
                facts.volume = mesh.volume();
                facts.volume_scale = (0..mesh.tets().len()).map(|t| mesh.tet_volume(t).abs()).sum();
                mesh.tets().as_flattened()
            }
        };
        facts.checksum = checksum(elements);
        // Triangles beside tetrahedra are read too.
        let beside = if facts.tets > 0 { imported.report.triangles } else { 0 };
        facts.decoded = (24 * positions.len() + 4 * elements.len() + 12 * beside) as u64;
        facts
    }
}

fn checksum(indices: &[u32]) -> u64 {
    const MODULUS: u64 = 1_000_000_007;
    indices
        .iter()
        .zip(1..)
        .fold(0, |sum, (&index, k)| (sum + (k % MODULUS) * (u64::from(index) + 1) % MODULUS) % MODULUS)
}

/// trimesh puts all halves (a, b, c) of quadrilaterals before all halves (c, d, a).
fn checksum_of_halves(triangles: &[[u32; 3]]) -> Option<u64> {
    let (halves, []) = triangles.as_chunks::<2>() else { return None };
    let quads = halves.iter().all(|[one, two]| one[0] == two[0] && one[2] == two[1]);
    let firsts = halves.iter().map(|[one, _]| *one);
    let seconds = halves.iter().map(|[_, [a, c, d]]| [*c, *d, *a]);
    let indices: Vec<[u32; 3]> = firsts.chain(seconds).collect();
    quads.then(|| checksum(indices.as_flattened()))
}

/// Compares a mesh with `truth.json` beside its file, if there is one. STL has no vertex numbers to compare.
fn difference_from_truth(path: &Path, mesh: &Mesh) -> Option<String> {
    #[derive(Deserialize)]
    struct Truth {
        verts: Vec<[f64; 3]>,
        #[serde(default)]
        tets: Vec<[u32; 4]>,
        #[serde(default)]
        tris: Vec<[u32; 3]>,
    }
    let is_stl = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("stl"));
    let text = fs::read_to_string(path.with_file_name("truth.json")).ok().filter(|_| !is_stl)?;
    let truth: Truth = match serde_json::from_str(&text) {
        Ok(truth) => truth,
        Err(error) => return Some(format!("truth.json cannot be read: {error}")),
    };
    let same = match mesh {
        Mesh::Tri(mesh) => mesh.triangles() == truth.tris,
        Mesh::Tet(mesh) => mesh.tets() == truth.tets,
    };
    if !same {
        return Some("its elements are not those of truth.json".to_owned());
    }
    let near = |(a, b): (&Vector3<f64>, &[f64; 3])| (a - Vector3::from(*b)).amax() <= 1e-6;
    let same =
        mesh.positions().len() == truth.verts.len() && mesh.positions().iter().zip(&truth.verts).all(near);
    (!same).then(|| "its vertices are not those of truth.json".to_owned())
}

fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
