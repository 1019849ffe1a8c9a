//! Faces of many corners and broken ones, the same in every format that has them.

use pliant_io::{Format, Imported, Location, ReadOptions, read_mesh_bytes};

/// An L of area 3 from a corner that does not see all others, and a square beside it.
const CORNERS: [[f64; 2]; 10] = [
    [2.0, 0.0],
    [2.0, 1.0],
    [1.0, 1.0],
    [1.0, 2.0],
    [0.0, 2.0],
    [0.0, 0.0],
    [3.0, 0.0],
    [4.0, 0.0],
    [4.0, 1.0],
    [3.0, 1.0],
];
const FACES: [&[u32]; 2] = [&[0, 1, 2, 3, 4, 5], &[6, 7, 8, 9]];

fn row(numbers: impl IntoIterator<Item = u32>, between: &str) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(between)
}

/// The faces in every format that has polygons; in OBJ also before the vertices.
fn texts(faces: &[&[u32]]) -> Vec<(Format, String)> {
    let [n, m] = [CORNERS.len(), faces.len()];
    let places = |head: &str, tail: &str| -> String {
        CORNERS.iter().map(|[x, y]| format!("{head}{x} {y} 0{tail}\n")).collect()
    };
    let lines = |from: u32, head: &dyn Fn(usize) -> String| -> String {
        let line =
            |face: &&[u32]| format!("{}{}\n", head(face.len()), row(face.iter().map(|v| v + from), " "));
        faces.iter().map(line).collect()
    };
    let counted = lines(0, &|n| format!("{n} "));
    let (flat, ends): (Vec<u32>, Vec<u32>) = (
        faces.concat(),
        faces
            .iter()
            .scan(0, |end, face| {
                *end += face.len() as u32;
                Some(*end)
            })
            .collect(),
    );
    let sizes = row(faces.iter().map(|face| face.len() as u32), ", ");
    let points: Vec<String> = CORNERS.iter().map(|[x, y]| format!("({x}, {y}, 0)")).collect();
    let array = |kind: &str, name: &str, values: &str| {
        format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=\"ascii\">{values}</DataArray>\n")
    };
    let vtp = format!(
        "<VTKFile type=\"PolyData\" version=\"1.0\"><PolyData>\n<Piece NumberOfPoints=\"{n}\" NumberOfPolys=\"{m}\">\n\
         <Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">{}</DataArray></Points>\n\
         <Polys>{}{}</Polys></Piece></PolyData></VTKFile>\n",
        places("", ""),
        array("Int64", "connectivity", &row(flat.iter().copied(), " ")),
        array("Int64", "offsets", &row(ends, " "))
    );
    vec![
        (Format::Obj, places("v ", "") + &lines(1, &|_| "f ".to_owned())),
        (Format::Obj, lines(1, &|_| "f ".to_owned()) + &places("v ", "")),
        (
            Format::Ply,
            format!(
                "ply\nformat ascii 1.0\nelement vertex {n}\nproperty double x\nproperty double y\nproperty double z\n\
                 element face {m}\nproperty list uchar int vertex_indices\nend_header\n{}{counted}",
                places("", "")
            ),
        ),
        (Format::Off, format!("OFF {n} {m} 0\n{}{counted}", places("", ""))),
        (
            Format::Usda,
            format!(
                "#usda 1.0\ndef Mesh \"a\" {{\npoint3f[] points = [{}]\nint[] faceVertexCounts = [{sizes}]\n\
                 int[] faceVertexIndices = [{}]\n}}\n",
                points.join(", "),
                row(flat.iter().copied(), ", ")
            ),
        ),
        (
            Format::VtkLegacy,
            format!(
                "# vtk DataFile Version 3.0\na\nASCII\nDATASET POLYDATA\nPOINTS {n} double\n{}POLYGONS {m} {}\n{counted}",
                places("", ""),
                flat.len() + m
            ),
        ),
        (Format::Vtu, vtp),
    ]
}

fn read(format: Format, text: &str) -> Imported {
    read_mesh_bytes(format, text.as_bytes(), "a").unwrap_or_else(|error| panic!("{format}: {error}"))
}

#[test]
fn concave_faces_are_not_folded() {
    for (format, text) in texts(&FACES) {
        let imported = read(format, &text);
        assert_eq!((imported.report.polygons_fanned, imported.report.polygons_clipped), (2, 1), "{format}");
        let said = imported.report.to_string();
        assert!(said.contains("1 polygons are concave and were split by clipping ears"), "{said}");
        let (mesh, report) = imported.into_tri().unwrap();
        assert!(report.is_clean());
        assert!((mesh.area() - 4.0).abs() < 1e-12, "{format}: {}", mesh.area());
        let up = |t: usize| {
            let [a, b, c] = mesh.corners(t);
            (b - a).cross(&(c - a)).z
        };
        assert!((0..6).all(|t| up(t) > 0.0), "{format}");
        // The square keeps its fan, and both their places.
        assert_eq!(mesh.triangles()[4..], [[6, 7, 8], [6, 8, 9]], "{format}");
    }
}

#[test]
fn faces_without_an_inside_are_reported() {
    for (format, text) in texts(&[&[0, 2, 1, 3], FACES[1]]) {
        let said = read(format, &text).report.to_string();
        assert!(said.contains("1 polygons cross themselves or have no area"), "{format}: {said}");
    }
}

#[test]
fn triangles_keep_the_groups_of_their_faces() {
    let text = &texts(&FACES)[0].1;
    let text = text.replace("f 1 2", "g hook\nf 1 2").replace("f 7 8", "g plate\nf 7 8");
    let read = ReadOptions::with_attributes().read_bytes(Format::Obj, text.as_bytes(), "a").unwrap();
    let members = |name: &str| read.attributes.group(name, Location::Elements).unwrap().members().to_vec();
    assert_eq!((members("hook"), members("plate")), (vec![0, 1, 2, 3], vec![4, 5]));
}

#[test]
fn faces_that_name_a_vertex_twice_are_left_out_and_reported() {
    let faces: [&[u32]; 8] = [
        &[0, 1, 1],
        &[6, 7, 8, 9],
        &[0, 0, 0],
        &[2, 3, 2, 3],
        // A corner too many, in the middle and around the end.
        &[0, 1, 1, 2],
        &[3, 4, 5, 5, 3],
        // Around a spike, which no fan from the first corner is.
        &[2, 5, 0, 2, 3],
        &[3, 5, 2],
    ];
    for (format, text) in texts(&faces) {
        let imported = read(format, &text);
        assert_eq!(imported.report.skipped["face that names a vertex twice"], 3, "{format}");
        let said = imported.report.to_string();
        assert!(said.contains("3 left out: face that names a vertex twice"), "{said}");
        assert!(said.contains("2 faces name a vertex twice in a row"), "{said}");
        let (mesh, _) = imported.into_tri().unwrap();
        let sound = [[6, 7, 8], [6, 8, 9], [0, 1, 2], [3, 4, 5]];
        assert_eq!(mesh.triangles()[..4], sound, "{format}");
        assert_eq!(mesh.triangles().last(), Some(&[3, 5, 2]), "{format}");
    }
    let broken = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\n";
    let error = read_mesh_bytes(Format::Obj, broken.as_bytes(), "a").unwrap_err().to_string();
    assert!(error.contains("found instead: 1 × face that names a vertex twice"), "{error}");
}
