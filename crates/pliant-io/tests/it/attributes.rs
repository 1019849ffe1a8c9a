//! Attributes and groups of every format, by name, as they follow the elements that the mesh keeps.

use pliant_io::{Attributes, Format, Imported, Location, ReadOptions, read_mesh_bytes};

use Location::{Elements, Vertices};

fn read(format: Format, bytes: impl AsRef<[u8]>) -> Imported {
    let read = ReadOptions::with_attributes().read_bytes(format, bytes.as_ref(), "a.file");
    let imported = read.unwrap_or_else(|error| panic!("{error}"));
    imported.attributes.fit(imported.mesh.positions().len(), imported.mesh.element_count()).unwrap();
    // The mesh is the same, and no attributes are kept without a request.
    let plain = read_mesh_bytes(format, bytes.as_ref(), "a.file").unwrap();
    assert_eq!(plain.mesh, imported.mesh);
    assert!(plain.attributes.is_empty());
    imported
}

fn attributes(format: Format, bytes: impl AsRef<[u8]>) -> Attributes {
    read(format, bytes).attributes
}

fn error(format: Format, bytes: impl AsRef<[u8]>) -> String {
    // Damage to attributes alone does not affect the mesh.
    read_mesh_bytes(format, bytes.as_ref(), "a.file").unwrap();
    ReadOptions::with_attributes().read_bytes(format, bytes.as_ref(), "a.file").unwrap_err().to_string()
}

fn values<'a>(attributes: &'a Attributes, name: &str, location: Location) -> &'a [f64] {
    attributes.field(name, location).unwrap_or_else(|| panic!("no {name}: {attributes:?}")).values()
}

fn members(attributes: &Attributes, name: &str, location: Location) -> Vec<u32> {
    let group = attributes.group(name, location).unwrap_or_else(|| panic!("no {name}: {attributes:?}"));
    group.members().to_vec()
}

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty uchar red\nproperty float y\n\
                   property float z\nproperty double heat\nelement face 2\nproperty int part\n\
                   property list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n\
                   0 255 0 0 1.5\n1 0 0 0 -2\n1 7 1 0 0\n0 8 1 0 1e3\n5 4 0 1 2 3 1 0\n-6 3 0 1 2 0\n";

#[test]
fn ply_keeps_the_other_properties() {
    let found = read(Format::Ply, PLY);
    let a = &found.attributes;
    assert_eq!(values(a, "red", Vertices), [255.0, 0.0, 7.0, 8.0]);
    assert_eq!(values(a, "heat", Vertices), [1.5, -2.0, 0.0, 1e3]);
    // The square became two triangles.
    assert_eq!(values(a, "part", Elements), [5.0, 5.0, -6.0]);
    let kinds: Vec<bool> = a.fields().iter().map(pliant_io::Attribute::is_integer).collect();
    assert_eq!(kinds, [true, false, true]);
    assert!(found.report.notes.iter().any(|note| note.contains("texcoord")), "{}", found.report);

    let mut binary =
        b"ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty short x\nproperty char y\n\
                       property char z\nproperty ushort tag\nelement face 1\nproperty uchar flag\n\
                       property list uchar uchar vertex_index\nend_header\n"
            .to_vec();
    binary.extend([0, 0, 0, 0, 1, 2, 0, 1, 0, 0, 0, 3, 0, 0, 1, 0, 0, 4, 9, 3, 0, 1, 2]);
    let a = attributes(Format::Ply, binary);
    assert_eq!(values(&a, "tag", Vertices), [258.0, 3.0, 4.0]);
    assert_eq!(values(&a, "flag", Elements), [9.0]);
}

#[test]
fn obj_keeps_groups_objects_materials_and_colours() {
    let text = "o body\nv 0 0 0 1 0 0.5\nv 1 0 0\nv 1 1 0 0 1 0\nv 0 1 0 7\ng a b\nusemtl cloth\nf 1 2 3 4\ng default\n\
                f 1 2 3\nusemtl a\nf 2 3 4\n";
    let a = attributes(Format::Obj, text);
    assert_eq!(members(&a, "a", Elements), [0, 1]);
    assert_eq!(members(&a, "b", Elements), [0, 1]);
    assert_eq!(members(&a, "body", Elements), [0, 1, 2, 3]);
    assert_eq!(members(&a, "cloth", Elements), [0, 1, 2]);
    // A group has that name.
    assert_eq!(members(&a, "usemtl a", Elements), [3]);
    let colour = a.field("colour", Vertices).unwrap();
    assert_eq!((colour.components(), colour.missing()), (3, 6));
    assert_eq!(colour.values()[..3], [1.0, 0.0, 0.5]);
    assert_eq!(colour.values()[6..9], [0.0, 1.0, 0.0]);
}

#[test]
fn obj_keeps_texture_coordinates_but_not_on_seams() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 5 5 5\nvt 0 0\nvt 0.5 0 0\nvt 0.5 1\nvt 0\nvt 0.5 0\nvt 7 7\n\
                f 1/1 2/2/1 3/3\nf 1/-6 3/3 4/4\n";
    let a = attributes(Format::Obj, text);
    let uv = values(&a, "uv", Vertices);
    assert_eq!(uv[..8], [0.0, 0.0, 0.5, 0.0, 0.5, 1.0, 0.0, 0.0]);
    // A vertex without a face has none.
    assert!(uv[8].is_nan() && uv[9].is_nan());
    // The same pair under another number is not a seam; another pair is one.
    let same = text.replace("f 1/-6 3/3", "f 2/5 3/3");
    assert_eq!(values(&attributes(Format::Obj, &same), "uv", Vertices)[2..4], [0.5, 0.0]);
    let seam = read(Format::Obj, text.replace("f 1/-6", "f 1/6"));
    let uv = seam.attributes.field("uv", Vertices).unwrap();
    assert!(uv.values()[0].is_nan() && uv.missing() == 4, "{:?}", uv.values());
    let says =
        |note: &String| note.contains("1 vertex is on a seam of the texture") && note.contains("vertex 0");
    assert!(seam.report.notes.iter().any(says), "{}", seam.report);
    // Numbers without a coordinate are ignored; a word that is not a number is an error.
    assert!(
        attributes(Format::Obj, text.replace("1/1", "1/99").replace("1/-6", "1/99"))
            .field("uv", Vertices)
            .is_some()
    );
    assert!(error(Format::Obj, text.replace("vt 7 7", "vt 7 x")).contains("line 11"));
}

#[test]
fn stl_keeps_solids() {
    let facet = |z: f64| {
        format!(
            "facet normal 0 0 1\nouter loop\nvertex 0 0 {z}\nvertex 1 0 {z}\nvertex 0 1 {z}\nendloop\nendfacet\n"
        )
    };
    let text = format!("solid top side\n{}endsolid\nsolid\n{}endsolid\n", facet(1.0), facet(0.0));
    let a = attributes(Format::Stl, text);
    assert_eq!(members(&a, "top side", Elements), [0]);
    assert_eq!(a.groups().len(), 1);
}

const MSH2: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n0 4 \"tip\"\n2 1 \"top side\"\n3 2 \"foot\"\n\
                    $EndPhysicalNames\n$Nodes\n6\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n50 1 1 1\n60 9 9 9\n$EndNodes\n\
                    $Elements\n5\n1 15 2 4 1 50\n2 2 2 1 7 10 20 30\n3 4 2 2 1 10 20 30 40\n4 4 2 9 1 20 30 40 50\n\
                    5 1 2 3 1 10 20\n$EndElements\n$NodeData\n1\n\"warm th\"\n1\n2.5\n3\n0\n1\n2\n20 1.5\n50 -1\n$EndNodeData\n\
                    $ElementData\n1\n\"E\"\n0\n3\n0\n1\n3\n3 1e5\n4 2e5\n1 7\n$EndElementData\n";

#[test]
fn msh_keeps_physical_groups_and_data() {
    let a = attributes(Format::Msh, MSH2);
    assert_eq!(members(&a, "tip", Vertices), [4]);
    // A surface beside tetrahedra marks its vertices.
    assert_eq!(members(&a, "top side", Vertices), [0, 1, 2]);
    assert_eq!(members(&a, "foot", Elements), [0]);
    assert_eq!(members(&a, "physical volume 9", Elements), [1]);
    assert_eq!(members(&a, "physical curve 3", Vertices), [0, 1]);
    assert_eq!(values(&a, "gmsh:physical", Elements), [2.0, 9.0]);
    assert_eq!(values(&a, "E", Elements), [1e5, 2e5]);
    let heat = values(&a, "warm th", Vertices);
    assert_eq!((heat[1], heat[4]), (1.5, -1.0));
    assert!(heat[0].is_nan());
    assert_eq!(a.time, Some(2.5));
    for (from, to, expected) in [
        ("50 -1", "51 -1", "found \"51\", expected the number of a node, for the attribute \"warm th\""),
        ("4 2e5", "9 2e5", "found \"9\", expected the number of an element, for the attribute \"E\""),
        ("4 2e5", "4 x", "found \"x\""),
        ("0\n1\n3\n3", "0\n1\n3000000\n3", "no more rows of data than the"),
        ("3 2 \"foot\"", "3 2 foot", "its name in quotes"),
        ("\"E\"\n0\n3\n0\n1", "\"E\"\n0\n3\n0\n99999999", "components and of rows of the attribute \"E\""),
    ] {
        let error = error(Format::Msh, MSH2.replacen(from, to, 1));
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn msh_of_version_4_tells_by_entity() {
    let v41 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"top\"\n3 2 \"foot\"\n$EndPhysicalNames\n\
               $Entities\n1 0 1 2\n1 0 0 0 0\n5 0 0 0 1 1 1 1 -1 0\n7 0 0 0 1 1 1 2 2 3 1 5\n8 0 0 0 1 1 1 0 0\n$EndEntities\n\
               $Nodes\n1 5 1 5\n3 7 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n\
               $Elements\n3 3 1 3\n2 5 2 1\n1 1 2 3\n3 7 4 1\n2 1 2 3 4\n3 8 4 1\n3 2 3 4 5\n$EndElements\n\
               $ElementData\n1\nE\n1\n0\n3\n0\n1\n2\n3 5\n2 4\n$EndElementData\n";
    let a = attributes(Format::Msh, v41);
    assert_eq!(members(&a, "top", Vertices), [0, 1, 2]);
    assert_eq!(members(&a, "foot", Elements), [0]);
    assert_eq!(members(&a, "physical volume 3", Elements), [0]);
    assert_eq!(values(&a, "gmsh:physical", Elements), [2.0, 0.0]);
    assert_eq!(values(&a, "gmsh:geometrical", Elements), [7.0, 8.0]);
    assert_eq!(values(&a, "E", Elements), [4.0, 5.0]);
}

/// A hexahedron and a tetrahedron on top of it, and a triangle, with data.
const VTK: &str = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nTimeValue 1 1 double\n0.25\n\
                   POINTS 9 float\n0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 0.5 0.5 2\n\
                   CELLS 3 18\n8 0 1 2 3 4 5 6 7\n3 0 1 2\n4 4 5 6 8\nCELL_TYPES 3\n12\n5\n10\n\
                   CELL_DATA 3\nSCALARS E%20mod double 1\nLOOKUP_TABLE default\n1 2 3\nVECTORS pull float\n1 0 0 2 0 0 3 0 0\n\
                   FIELD FieldData 2\nfoot 1 3 unsigned_char\n0 1 1\nname 1 3 string\na\nb\nc\n\
                   POINT_DATA 9\nSCALARS heat int\n1 2 3 4 5 6 7 8 9\nTEXTURE_COORDINATES uv 2 float\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 2\n";

#[test]
fn legacy_vtk_keeps_point_and_cell_data() {
    let a = attributes(Format::VtkLegacy, VTK);
    assert_eq!(values(&a, "E mod", Elements), [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0]);
    assert_eq!(a.field("pull", Elements).unwrap().component(0)[6], 3.0);
    assert_eq!(members(&a, "foot", Elements), [6]);
    assert_eq!(values(&a, "heat", Vertices)[8], 9.0);
    assert_eq!(a.field("uv", Vertices).unwrap().component(1)[8], 2.0);
    assert_eq!(a.time, Some(0.25));
    for (from, to, expected) in [
        ("CELL_DATA 3", "CELL_DATA 4", "found CELL_DATA 4, expected 3, as many as the mesh has"),
        (
            "foot 1 3 unsigned_char\n0 1 1",
            "foot 1 2 unsigned_char\n0 1",
            "2 tuples of the attribute \"foot\", expected 3",
        ),
        ("heat int\n1 2", "heat int\n1 x", "found \"x\", expected a number of the attribute \"heat\""),
        ("heat int", "heat frob", "a number type"),
        ("pull float\n1 0 0 2 0 0 3 0 0", "pull float\n1 0 0 2 0 0", "a number of the attribute \"pull\""),
    ] {
        let error = error(Format::VtkLegacy, VTK.replacen(from, to, 1));
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn binary_vtk_data_are_big_endian() {
    let mut bytes = b"# vtk DataFile Version 3.0\nx\nBINARY\nDATASET POLYDATA\nPOINTS 3 float\n".to_vec();
    for c in [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
        bytes.extend(c.to_be_bytes());
    }
    bytes.extend(b"\nTRIANGLE_STRIPS 1 4\n");
    bytes.extend([3_i32, 2, 1, 0].iter().flat_map(|n| n.to_be_bytes()));
    bytes.extend(b"\nPOLYGONS 1 4\n");
    bytes.extend([3_i32, 0, 1, 2].iter().flat_map(|n| n.to_be_bytes()));
    bytes.extend(b"\nCELL_DATA 2\nSCALARS a short\nLOOKUP_TABLE t\n");
    bytes.extend([258_i16, -1].iter().flat_map(|n| n.to_be_bytes()));
    bytes.extend(b"\nCOLOR_SCALARS c 1\n");
    bytes.extend([255, 0]);
    bytes.extend(b"\nPOINT_DATA 3\nSCALARS b bit\nLOOKUP_TABLE default\n");
    bytes.push(0b1010_0000);
    let a = attributes(Format::VtkLegacy, bytes);
    // Data come polygons first, whichever stand first in the file.
    assert_eq!(values(&a, "a", Elements), [-1.0, 258.0]);
    assert_eq!(values(&a, "c", Elements), [0.0, 1.0]);
    assert_eq!(members(&a, "b", Vertices), [0, 2]);
}

const VTU: &str = "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"><UnstructuredGrid><FieldData>\
    <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">1.5</DataArray></FieldData>\
    <Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><PointData Scalars=\"h\">\
    <DataArray type=\"Float32\" Name=\"a &lt; b\" format=\"ascii\">1 2 3 4</DataArray>\
    <DataArray type=\"String\" Name=\"words\" format=\"ascii\">1 2 3 4</DataArray></PointData>\
    <CellData><DataArray type=\"Int32\" Name=\"mat\" NumberOfComponents=\"2\" format=\"ascii\">7 8</DataArray></CellData>\
    <Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points>\
    <Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>\
    <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray>\
    <DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray></Cells></Piece>\
    <Piece NumberOfPoints=\"3\" NumberOfCells=\"2\"><CellData>\
    <DataArray type=\"Int32\" Name=\"mat\" NumberOfComponents=\"2\" format=\"ascii\">1 2 9 10</DataArray>\
    <DataArray type=\"Float64\" Name=\"late\" format=\"ascii\">3 4</DataArray></CellData>\
    <Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">5 0 0 6 0 0 5 1 0</DataArray></Points>\
    <Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 0 1 2</DataArray>\
    <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">2 6</DataArray>\
    <DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">3 10</DataArray></Cells></Piece>\
    </UnstructuredGrid></VTKFile>";

#[test]
fn vtu_keeps_point_and_cell_data_of_all_pieces() {
    // The second piece needs four points for its tetrahedron.
    let text = VTU
        .replace("\"3\" NumberOfCells=\"2\"", "\"4\" NumberOfCells=\"2\"")
        .replace("5 0 0 6 0 0 5 1 0", "5 0 0 6 0 0 5 1 0 5 0 1")
        .replace("0 1 2 0 1 2<", "0 1 0 1 2 3<");
    let found = read(Format::Vtu, &text);
    let a = &found.attributes;
    assert_eq!(values(a, "a < b", Vertices)[..4], [1.0, 2.0, 3.0, 4.0]);
    assert!(values(a, "a < b", Vertices)[4..].iter().all(|value| value.is_nan()));
    assert_eq!(values(a, "mat", Elements), [7.0, 8.0, 9.0, 10.0]);
    let late = values(a, "late", Elements);
    assert!(late[0].is_nan() && late[1] == 4.0);
    assert_eq!(a.time, Some(1.5));
    assert!(found.report.notes.iter().any(|note| note.contains("\"words\" is not a number")));
    for (from, to, expected) in [
        ("1 2 3 4<", "1 2 3<", "3 numbers of the attribute \"a < b\", expected 1 for each of 4 vertices"),
        ("7 8<", "7 8 9<", "3 numbers of the attribute \"mat\", expected 2 for each of 1 elements"),
        ("7 8<", "7 x<", "expected a number of the attribute \"mat\""),
        (
            "NumberOfComponents=\"2\"",
            "NumberOfComponents=\"99999999999\"",
            "attributes (they would take more than",
        ),
    ] {
        let error = error(Format::Vtu, text.replacen(from, to, 1)).replace("&lt;", "<");
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn tetgen_keeps_attributes_and_markers() {
    let folder = tempfile::tempdir().unwrap();
    let node =
        "5 3 2 1\n1 0 0 0 0.5 9 1\n2 1 0 0 0.5 9 1\n3 0 1 0 0.5 9 0\n4 0 0 1 0.25 9 0\n5 1 1 1 0.5 9 0\n";
    let ele = "2 4 1\n1 1 2 3 4 7\n2 2 3 4 5 8\n";
    std::fs::write(folder.path().join("a.node"), node).unwrap();
    std::fs::write(folder.path().join("a.ele"), ele).unwrap();
    let path = folder.path().join("a.ele");
    let a = ReadOptions::with_attributes().read(&path).unwrap().attributes;
    assert_eq!(values(&a, "tetgen:attr1", Vertices), [0.5, 0.5, 0.5, 0.25, 0.5]);
    assert_eq!(values(&a, "tetgen:attr2", Vertices), [9.0; 5]);
    assert_eq!(members(&a, "tetgen:ref", Vertices), [0, 1]);
    assert_eq!(values(&a, "tetgen:ref", Elements), [7.0, 8.0]);
    std::fs::write(&path, ele.replace("5 8", "5")).unwrap();
    let error = ReadOptions::with_attributes().read(&path).unwrap_err().to_string();
    assert!(
        error.contains("a.ele, line 3: found nothing, expected a number of the attribute \"tetgen:ref\""),
        "{error}"
    );
}

#[test]
fn medit_keeps_references() {
    let text = "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 1\n1 0 0 1\n0 1 0 2\n0 0 1 2\n1 1 1 0\n\
                Corners 1\n2\nTriangles 2\n1 2 3 7\n2 3 4 0\nEdges 1\n4 5 3\nTetrahedra 2\n1 2 3 4 5\n2 3 4 5 6\nEnd\n";
    let a = attributes(Format::Medit, text);
    assert_eq!(values(&a, "medit:ref", Vertices), [1.0, 1.0, 2.0, 2.0, 0.0]);
    assert_eq!(values(&a, "medit:ref", Elements), [5.0, 6.0]);
    assert_eq!(members(&a, "Triangles 7", Vertices), [0, 1, 2]);
    assert_eq!(members(&a, "Edges 3", Vertices), [3, 4]);
    assert_eq!(members(&a, "Corners", Vertices), [1]);
    assert_eq!(members(&a, "Tetrahedra 6", Elements), [1]);
}

const ABAQUS: &str = "*Heading\n*Part, name=P\n*Node, nset=ALL\n10, 0, 0, 0\n20, 1, 0, 0\n30, 0, 1, 0\n40, 0, 0, 1\n50, 1, 1, 1\n\
                      *Element, type=C3D4, elset=body\n1, 10, 20, 30, 40\n2, 20, 30, 40, 50\n*Element, type=B31\n9, 10, 20\n\
                      *Nset, nset=top\n40, 50\n*Nset, nset=steps, generate\n10, 40, 20\n*Nset, nset=both\ntop, 10\n\
                      *Elset, elset=second\n2, 9\n*End Part\n*Assembly\n*Instance, name=P-1, part=P\n*End Instance\n\
                      *Nset, nset=held, instance=P-1\n10\n*End Assembly\n";

#[test]
fn abaqus_keeps_sets() {
    let a = attributes(Format::Abaqus, ABAQUS);
    assert_eq!(members(&a, "ALL", Vertices), [0, 1, 2, 3, 4]);
    assert_eq!(members(&a, "top", Vertices), [3, 4]);
    assert_eq!(members(&a, "steps", Vertices), [0, 2]);
    assert_eq!(members(&a, "both", Vertices), [0, 3, 4]);
    assert_eq!(members(&a, "held", Vertices), [0]);
    assert_eq!(members(&a, "body", Elements), [0, 1]);
    assert_eq!(members(&a, "second", Elements), [1]);
    for (from, to, expected) in [
        (
            "40, 50\n*Nset",
            "40, 51\n*Nset",
            "found \"51\", expected the number of a node, for the set \"top\"",
        ),
        ("10, 40, 20\n*", "10, 40, 0\n*", "the first and the last number of the set \"steps\""),
        ("top, 10", "tap, 10", "found \"tap\", expected numbers or the names of other sets"),
        ("*Nset, nset=top", "*Nset", "the name of the set"),
    ] {
        let error = error(Format::Abaqus, ABAQUS.replacen(from, to, 1));
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn usd_keeps_primvars_and_subsets() {
    let text = "#usda 1.0\ndef Mesh \"Sheet\"\n{\n point3f[] points = [(0,0,0),(1,0,0),(1,1,0),(0,1,0)]\n \
                int[] faceVertexCounts = [4, 3]\n int[] faceVertexIndices = [0,1,2,3,0,1,2]\n \
                color3f[] primvars:displayColor = [(1,0,0),(0,1,0),(0,0,1),(1,1,1)] (\n  interpolation = \"vertex\"\n )\n \
                int[] primvars:part = [3, 4] (interpolation = \"uniform\")\n \
                texCoord2f[] primvars:st = [(0,0)] (interpolation = \"faceVarying\")\n \
                def GeomSubset \"left\"\n {\n  uniform token elementType = \"face\"\n  int[] indices = [0]\n }\n \
                def GeomSubset \"tips\"\n {\n  uniform token elementType = \"point\"\n  int[] indices = [2, 0]\n }\n}\n";
    let a = attributes(Format::Usda, text);
    assert_eq!(a.field("displayColor", Vertices).unwrap().component(1), [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(values(&a, "part", Elements), [3.0, 3.0, 4.0]);
    assert!(a.field("part", Elements).unwrap().is_integer() && a.field("st", Vertices).is_none());
    assert_eq!(members(&a, "Sheet", Elements), [0, 1, 2]);
    assert_eq!(members(&a, "left", Elements), [0, 1]);
    assert_eq!(members(&a, "tips", Vertices), [0, 2]);
    for (from, to, expected) in [
        ("indices = [0]", "indices = [2]", "a number below 2, for the subset \"left\""),
        ("[3, 4]", "[3, 4, 5]", "3 numbers of the primvar"),
    ] {
        let error = error(Format::Usda, text.replacen(from, to, 1));
        assert!(error.contains(expected), "{error}");
    }
}

/// A glTF file with its buffer beside it as base64.
#[test]
fn gltf_keeps_colours_own_attributes_nodes_and_materials() {
    let mut buffer: Vec<u8> = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.5, -1.5, 2.5]
        .iter()
        .flat_map(|c| c.to_le_bytes())
        .collect();
    buffer.extend([255, 0, 51, 255, 0, 255, 0, 255, 0, 0, 0, 0]);
    let data = base64(&buffer);
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0,1]}}],"nodes":[{{"mesh":0,"name":"one"}},{{"mesh":1,"name":"two"}}],
        "materials":[{{"name":"felt"}}],"meshes":[{{"primitives":[{{"material":0,"attributes":{{"POSITION":0,"_HEAT":1,"COLOR_0":2,"TEXCOORD_0":3}}}}]}},
        {{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"buffers":[{{"byteLength":60,"uri":"data:;base64,{data}"}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
        {{"bufferView":0,"byteOffset":36,"componentType":5126,"count":3,"type":"SCALAR"}},
        {{"bufferView":0,"byteOffset":48,"componentType":5121,"count":3,"type":"VEC4","normalized":true}},
        {{"bufferView":0,"byteOffset":36,"componentType":5126,"count":3,"type":"VEC2"}}],
        "bufferViews":[{{"buffer":0,"byteLength":60}}]}}"#
    );
    let a = attributes(Format::Gltf, &json);
    let heat = values(&a, "_HEAT", Vertices);
    assert_eq!(heat[..3], [0.5, -1.5, 2.5]);
    assert_eq!(values(&a, "TEXCOORD_0", Vertices)[..2], [0.5, -1.5]);
    assert!(heat.len() == 6 && heat[3].is_nan());
    let colour = a.field("COLOR_0", Vertices).unwrap();
    assert_eq!((colour.components(), colour.values()[0], colour.values()[2]), (4, 1.0, 0.2));
    assert_eq!(members(&a, "one", Elements), [0]);
    assert_eq!(members(&a, "felt", Elements), [0]);
    assert_eq!(members(&a, "two", Elements), [1]);
    let few =
        json.replacen("36,\"componentType\":5126,\"count\":3", "36,\"componentType\":5126,\"count\":2", 1);
    let error = error(Format::Gltf, few);
    assert!(error.contains("_HEAT") && error.contains("an element for each of 3 positions"), "{error}");
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let word = three.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
        [18, 12, 6, 0].map(|shift| char::from(LETTERS[(word >> shift & 63) as usize]))
    };
    assert_eq!(bytes.len() % 3, 0);
    bytes.chunks(3).flat_map(group).collect()
}

#[test]
fn many_names_cannot_ask_for_more_than_the_file_may() {
    // Each data set names one node of many: in full they would take a terabyte.
    let nodes: String = (1..=20_000).map(|i| format!("{i} 0 0 {i}\n")).collect();
    let data: String =
        (0..20_000).map(|i| format!("$NodeData\n1\nd{i}\n0\n3\n0\n1\n1\n1 1\n$EndNodeData\n")).collect();
    let text = format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n20000\n{nodes}$EndNodes\n$Elements\n1\n1 2 2 0 0 1 2 3\n$EndElements\n{data}"
    );
    let error = error(Format::Msh, text);
    assert!(error.contains("more than 200 times the size of the file"), "{error}");
    // So would groups that all faces are in.
    let names: String = (0..3000).map(|i| format!(" g{i}")).collect();
    let faces = "f 1 2 3\n".repeat(30_000);
    let text = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\ng{names}\n{faces}");
    let error = self::error(Format::Obj, text);
    assert!(error.contains("more than 200 times the size of the file"), "{error}");
}
