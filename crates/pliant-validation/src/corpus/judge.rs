//! The rules by which a reading has to agree with its row.
//!
//! * A file with numbers in its row: counts, checksum and sums as there, to a relative 1e-9, or 1e-5 where
//!   the file stores f32. Vertices of STL and of split texture seams are counted in other ways by other
//!   readers and not compared.
//! * A file without numbers: a mesh.
//! * Files in `broken` and `mutated`: a mesh, or an error that names the file.
//! * Siblings of a `truth.json`: the arrays there.
//! * Every file: resident memory at most 8 × the larger of file and mesh, and 64 MB.

use std::fs;
use std::path::Path;

use super::facts::Facts;
use super::manifest::Row;

/// The result for a file.
pub(crate) enum Verdict {
    /// A mesh, as the row requires.
    Mesh,
    /// An error, which the row allows.
    Refused,
    /// The row cannot be met, for a good reason.
    Judged(&'static str),
    /// What is wrong.
    Fails(String),
}

/// Rows that cannot be met, each with the reason.
const JUDGED: [(&str, &str); 7] = [
    (
        "tri/assimp/number_formats.obj",
        "\"3.1+e2\" is not a number; leaving its vertex out would renumber the others",
    ),
    (
        LONG_FACE.0,
        "a face that names the same vertices 936 times is what it bounds, not a fan of as many triangles",
    ),
    (CONCAVE_FACE.0, "the row's reader fans a concave face over its own edges; here ears are clipped"),
    ("tri/trimesh/fuze.ply", "the row counts vertices split along texture seams; only the sums are compared"),
    ("tet/vtk-data/hello.vtk", "15 polylines: letters drawn with lines, no surface"),
    (FANS[0], "two triangles of a fan, a mode that the row's reader leaves out"),
    (FANS[1], "two triangles of a fan, a mode that the row's reader leaves out"),
];

/// An OBJ file with a face of very many corners, and the triangles of the file.
const LONG_FACE: (&str, usize) = ("tri/assimp/box_longline.obj", 10);

/// An OBJ file of one concave face, and the area that its border encloses, m² (by Newell's formula).
const CONCAVE_FACE: (&str, f64) = ("tri/assimp/concave_polygon.obj", 0.245_496_687_2);

/// glTF files with a fan of two triangles.
const FANS: [&str; 2] = [
    "tri/assimp/Mesh_PrimitiveMode/Mesh_PrimitiveMode_05.gltf",
    "tri/assimp/Mesh_PrimitiveMode/Mesh_PrimitiveMode_12.gltf",
];

/// Judges a reading by its row.
pub(crate) fn judge(row: &Row, path: &Path, facts: Result<Facts, String>) -> Verdict {
    let facts = match facts {
        Ok(facts) => facts,
        Err(death) => return Verdict::Fails(death),
    };
    if let Some(why) = excessive_memory(row, &facts) {
        return Verdict::Fails(why);
    }
    let reason = JUDGED.iter().find(|(file, _)| *file == row.file).map(|&(_, reason)| reason);
    if let Some(error) = &facts.error {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        return match (reason, facts.alone) {
            _ if !error.contains(&*stem) => {
                Verdict::Fails(format!("the error does not name the file: {error}"))
            }
            _ if row.may_be_refused() => Verdict::Refused,
            (Some(reason), _) => Verdict::Judged(reason),
            (None, Some(vertices)) if row.has_no_elements() && row.vertices == Some(vertices as f64) => {
                Verdict::Refused
            }
            _ => Verdict::Fails(error.clone()),
        };
    }
    if row.may_be_refused() || row.is_silent() {
        return match (facts.vertices, facts.tets + facts.triangles) {
            (1.., 1..) => Verdict::Mesh,
            _ => Verdict::Fails("a mesh of nothing".to_owned()),
        };
    }
    if FANS.contains(&row.file.as_str()) && (facts.vertices, facts.triangles) == (4, 2) {
        return reason.map_or(Verdict::Mesh, Verdict::Judged);
    }
    let is_long_face = row.file == LONG_FACE.0 && facts.triangles == LONG_FACE.1;
    let is_concave_face = row.file == CONCAVE_FACE.0 && (facts.area - CONCAVE_FACE.1).abs() < 1e-9;
    if is_long_face || is_concave_face {
        return reason.map_or(Verdict::Mesh, Verdict::Judged);
    }
    match compare(row, path, &facts, reason.is_some()) {
        Err(why) => Verdict::Fails(why),
        Ok(()) => reason.map_or(Verdict::Mesh, Verdict::Judged),
    }
}

fn excessive_memory(row: &Row, facts: &Facts) -> Option<String> {
    let allowed = 8 * facts.decoded.max(row.bytes) + (64 << 20);
    let peak = facts.peak_kib? * 1024;
    (peak > allowed)
        .then(|| format!("it takes {} MB of memory, {} MB are allowed", peak >> 20, allowed >> 20))
}

fn compare(row: &Row, path: &Path, facts: &Facts, split: bool) -> Result<(), String> {
    let tolerance = if stores_f32(row, path) { 1e-5 } else { 1e-9 };
    let unequal = |what: &str, found: f64, wanted: f64| Err(format!("{what}: {found}, manifest {wanted}"));
    let near = |what: &str, found: f64, wanted: Option<f64>, scale: f64| match wanted {
        Some(wanted) if (found - wanted).abs() > tolerance * scale.max(wanted.abs()) => {
            unequal(what, found, wanted)
        }
        _ => Ok(()),
    };
    let split = split || row.is_stl();
    let (tets, triangles) = row.elements();
    for (what, found, wanted) in [
        ("tetrahedra", facts.tets, tets),
        ("triangles", facts.triangles, triangles.filter(|_| facts.tets == 0)),
        ("vertices", facts.vertices, row.vertices.filter(|_| !split)),
    ] {
        if let Some(wanted) = wanted.filter(|&wanted| wanted != found as f64) {
            return unequal(what, found as f64, wanted);
        }
    }
    let comparable = row.has_sums_of_all(facts.tets > 0);
    if !split {
        near("sum of coordinates", facts.coordinate_sum, row.coordinate_sum, facts.coordinate_scale)?;
        let halves = facts.checksum_of_halves.filter(|_| row.reader == "trimesh");
        if let Some(wanted) = row.checksum.filter(|_| comparable)
            && wanted != facts.checksum as f64
            && halves.is_none_or(|halves| wanted != halves as f64)
        {
            return unequal("index checksum", facts.checksum as f64, wanted);
        }
    }
    if comparable && facts.tets > 0 {
        near("volume", facts.volume, row.volume, facts.volume_scale)?;
    } else if comparable {
        near("area", facts.area, row.area, 0.0)?;
    }
    for (found, wanted) in [(facts.box_min, row.box_min), (facts.box_max, row.box_max)] {
        let Some(wanted) = wanted else { continue };
        let scale = wanted.iter().fold(1e-300, |most: f64, c| most.max(c.abs()));
        // The manifest prints boxes with nine digits.
        if found
            .iter()
            .zip(wanted)
            .any(|(found, wanted)| (found - wanted).abs() > tolerance.max(1e-8) * scale)
        {
            return Err(format!("corner of the box: {found:?}, manifest {wanted:?}"));
        }
    }
    facts.untrue.clone().map_or(Ok(()), Err)
}

/// Whether the file stores coordinates as f32, so that the manifest's sums hold no more digits.
fn stores_f32(row: &Row, path: &Path) -> bool {
    let bytes = fs::read(path).unwrap_or_default();
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).into_owned();
    row.format == "stl-bin"
        || matches!(row.family(), "gltf")
        || head.contains("property float")
        || head.contains("Float32")
        || head.lines().any(|line| line.starts_with("POINTS") && line.trim_end().ends_with("float"))
}
