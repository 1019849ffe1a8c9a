//! Real meshes: every file of a corpus with a manifest of what two independent readers saw in it.
//!
//! The corpus is looked for at `$PLIANT_SHARED/meshes`, else at `../shared/meshes` beside the workspace; without it
//! the tests say so and pass.
#![expect(clippy::unwrap_used, reason = "a panic is how a test says no, in its helpers too")]

use std::fs;
use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use pliant_io::{Format, ImportError, Imported, Mesh, read_mesh};

fn corpus() -> Option<PathBuf> {
    let shared = std::env::var_os("PLIANT_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let meshes = shared.join("meshes");
    if meshes.join("manifest.tsv").is_file() {
        return Some(meshes);
    }
    eprintln!("skipped: no corpus at {} (set PLIANT_SHARED)", meshes.display());
    None
}

/// A row of the manifest, with the columns that are compared.
struct Row {
    file: String,
    format: String,
    columns: Vec<String>,
}

impl Row {
    fn number(&self, column: usize) -> Option<f64> {
        self.columns.get(column).filter(|text| !text.is_empty()).map(|text| text.parse().unwrap())
    }

    fn point(&self, column: usize) -> Option<Vector3<f64>> {
        let text = self.columns.get(column).filter(|text| !text.is_empty())?;
        Some(Vector3::from_iterator(text.split(' ').map(|c| c.parse().unwrap())))
    }

    /// Numbers of tetrahedra and triangles. meshio counts plain `tetra` and `triangle` cells only; what is made here of
    /// its other cells is told by the list in the notes. No number of triangles if there are polygons.
    fn elements(&self) -> (Option<f64>, Option<f64>) {
        let cells = self.columns[NOTES].split_once('{').and_then(|(_, rest)| rest.split_once('}'));
        let Some((cells, _)) = cells.filter(|_| self.columns[READER] == "meshio") else {
            return (self.number(TETS), self.number(TRIANGLES));
        };
        let count = |kind: &str| -> f64 {
            let cells = cells.split(", ").map(|cell| cell.replace('"', ""));
            cells
                .filter(|cell| cell.starts_with(kind))
                .map(|cell| cell.split_once(": ").unwrap().1.parse::<f64>().unwrap())
                .sum()
        };
        let triangles = count("triangle") + 2.0 * count("quad");
        let solids =
            6.0 * (count("hexahedron") + count("voxel")) + 3.0 * count("wedge") + 2.0 * count("pyramid");
        (Some(count("tetra") + solids), Some(triangles).filter(|_| !cells.contains("polygon")))
    }

    fn is_stl(&self) -> bool {
        self.format.starts_with("stl")
    }
}

// Columns of the manifest.
const VERTICES: usize = 7;
const TETS: usize = 8;
const TRIANGLES: usize = 9;
const READER: usize = 10;
const NOTES: usize = 11;
const BOX_MIN: usize = 12;
const BOX_MAX: usize = 13;
const COORDINATE_SUM: usize = 14;
const VOLUME: usize = 15;
const AREA: usize = 16;
const CHECKSUM: usize = 17;

fn rows(meshes: &Path) -> Vec<Row> {
    let text = fs::read_to_string(meshes.join("manifest.tsv")).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
        Row { file: columns[0].clone(), format: columns[5].clone(), columns }
    });
    // Buffers and truth files are not read by themselves.
    rows.filter(|row| Format::from_path(Path::new(&row.file)).is_some()).collect()
}

/// Files whose row cannot be met, each with the reason.
const JUDGED: [(&str, &str); 5] = [
    (
        "tri/assimp/Mesh_PrimitiveMode/Mesh_PrimitiveMode_05.gltf",
        "a fan of two triangles, which trimesh leaves out",
    ),
    (
        "tri/assimp/Mesh_PrimitiveMode/Mesh_PrimitiveMode_12.gltf",
        "a fan of two triangles, which trimesh leaves out",
    ),
    (
        "tri/assimp/number_formats.obj",
        "\"3.1+e2\" is no number; leaving its vertex out would renumber the others",
    ),
    ("tri/assimp/box_longline.obj", "the fan of its 936-gon has triangles that name a vertex twice"),
    ("tri/trimesh/fuze.ply", "the row counts vertices split along texture seams: only sums are compared"),
];

/// Σ (k + 1)(index + 1) mod 1 000 000 007 over the flattened elements.
fn checksum(indices: &[u32]) -> u64 {
    const MODULUS: u64 = 1_000_000_007;
    indices
        .iter()
        .zip(1..)
        .fold(0, |sum, (&index, k)| (sum + (k % MODULUS) * (u64::from(index) + 1) % MODULUS) % MODULUS)
}

/// The checksum of a mesh of quadrilaterals as trimesh splits them: all halves (a, b, c), then all halves (c, d, a).
fn as_trimesh(mesh: &Mesh) -> Option<f64> {
    let Mesh::Tri(mesh) = mesh else { return None };
    let (halves, []) = mesh.triangles().as_chunks::<2>() else { return None };
    let quads = halves.iter().all(|[one, two]| one[0] == two[0] && one[2] == two[1]);
    let firsts = halves.iter().map(|[one, _]| *one);
    let seconds = halves.iter().map(|[_, [a, c, d]]| [*c, *d, *a]);
    let indices: Vec<[u32; 3]> = firsts.chain(seconds).collect();
    quads.then(|| checksum(indices.as_flattened()) as f64)
}

/// Whether the file stores coordinates as f32, so that the manifest's sums hold no more digits.
fn stores_f32(row: &Row, bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).into_owned();
    row.format == "stl-bin"
        || head.contains("property float")
        || head.contains("Float32")
        || head.lines().any(|line| line.starts_with("POINTS") && line.trim_end().ends_with("float"))
}

/// What differs from the row, if anything.
fn compare(row: &Row, bytes: &[u8], imported: &Imported) -> Result<(), String> {
    let tolerance = if stores_f32(row, bytes) { 1e-5 } else { 1e-9 };
    let unequal = |what: &str, found: f64, wanted: f64| Err(format!("{what}: {found}, manifest {wanted}"));
    let near = |what: &str, found: f64, column: usize, scale: f64| match row.number(column) {
        Some(wanted) if (found - wanted).abs() > tolerance * scale.max(wanted.abs()) => {
            unequal(what, found, wanted)
        }
        _ => Ok(()),
    };
    let positions = imported.mesh.positions();
    let split = row.is_stl() || row.file.ends_with("fuze.ply");

    let (tets, triangles, volume, volume_scale, area, indices) = match &imported.mesh {
        Mesh::Tri(mesh) => {
            (0, mesh.triangles().len(), 0.0, 0.0, mesh.area(), mesh.triangles().as_flattened())
        }
        Mesh::Tet(mesh) => {
            let scale: f64 = (0..mesh.tets().len()).map(|t| mesh.tet_volume(t).abs()).sum();
            (mesh.tets().len(), 0, mesh.volume(), scale, 0.0, mesh.tets().as_flattened())
        }
    };
    let (wanted_tets, wanted_triangles) = row.elements();
    for (what, found, wanted) in [
        ("tetrahedra", tets, wanted_tets),
        ("triangles", triangles, wanted_triangles),
        ("vertices", positions.len(), row.number(VERTICES)),
    ] {
        let is_compared = (what != "vertices" || !split) && (what != "triangles" || tets == 0);
        if let Some(wanted) = wanted.filter(|&wanted| is_compared && wanted != found as f64) {
            return unequal(what, found as f64, wanted);
        }
    }
    // The row's sums over elements do not count those that meshio has no plain cell for.
    let same_elements =
        if tets > 0 { row.number(TETS) == wanted_tets } else { row.number(TRIANGLES) == wanted_triangles };
    let scale: f64 = positions.iter().flat_map(|p| p.iter().map(|c| c.abs())).sum();
    if !split {
        near("sum of coordinates", positions.iter().map(Vector3::sum).sum(), COORDINATE_SUM, scale)?;
        let wanted = row.number(CHECKSUM).filter(|_| same_elements);
        let quads_split_otherwise =
            || row.columns[READER] == "trimesh" && wanted == as_trimesh(&imported.mesh);
        if let Some(wanted) =
            wanted.filter(|&wanted| wanted != checksum(indices) as f64 && !quads_split_otherwise())
        {
            return unequal("index checksum", checksum(indices) as f64, wanted);
        }
    }
    if !same_elements {
        // Nothing to compare with.
    } else if tets > 0 {
        near("volume", volume, VOLUME, volume_scale)?;
    } else {
        near("area", area, AREA, 0.0)?;
    }
    for (column, found) in [(BOX_MIN, imported.report.bounds.min), (BOX_MAX, imported.report.bounds.max)] {
        if let Some(wanted) = row.point(column) {
            // The manifest prints boxes with nine digits.
            if (found - wanted).amax() > tolerance.max(1e-8) * wanted.amax().max(1e-300) {
                return Err(format!("corner of the box: {found:?}, manifest {wanted:?}"));
            }
        }
    }
    Ok(())
}

#[test]
fn good_files_are_read_as_the_manifest_says() {
    let Some(meshes) = corpus() else { return };
    let mut compared = 0;
    let mut failures = Vec::new();
    for row in rows(&meshes) {
        let top = row.file.split('/').next().unwrap();
        if !["tet", "tri", "derived"].contains(&top) || row.number(VERTICES).is_none() {
            continue;
        }
        let path = meshes.join(&row.file);
        let judged = JUDGED.iter().find(|(file, _)| *file == row.file);
        let nothing = matches!(row.elements(), (Some(0.0) | None, Some(0.0) | None))
            && !row.columns[NOTES].contains("\"polygon\"");
        compared += 1;
        match read_mesh(&path) {
            Err(ImportError::NoElements { vertices, .. }) if nothing => {
                assert_eq!(Some(vertices as f64), row.number(VERTICES), "{}", row.file);
            }
            Err(_) if judged.is_some() => {}
            Err(error) => failures.push(format!("{}: {error}", row.file)),
            Ok(imported) => {
                let fan = judged.is_some_and(|(_, why)| why.starts_with("a fan"));
                if fan {
                    assert_eq!((imported.report.vertices, imported.report.triangles), (4, 2), "{}", row.file);
                } else if let Err(difference) = compare(&row, &fs::read(&path).unwrap(), &imported) {
                    failures.push(format!("{}: {difference}", row.file));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {compared} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(compared > 100, "only {compared} rows compared");
}

#[test]
fn bad_files_give_an_error_with_their_name_or_a_mesh() {
    let Some(meshes) = corpus() else { return };
    let mut read = 0;
    let mut refused = 0;
    for row in rows(&meshes) {
        match read_mesh(meshes.join(&row.file)) {
            Ok(_) => read += 1,
            Err(error) => {
                let stem = Path::new(&row.file).file_stem().unwrap().to_str().unwrap();
                assert!(error.to_string().contains(stem), "{}: {error}", row.file);
                refused += 1;
            }
        }
    }
    eprintln!("{read} files read, {refused} refused");
    assert!(read > 100 && refused > 20);
}
