//! USDA files written by hand.

use nalgebra::Vector3;

use crate::{Format, ReadOptions, read_mesh_bytes};

const TEXT: &str = r#"#usda 1.0
(
    "a note with ) in it"
    defaultPrim = "Root"
    metersPerUnit = 0.01
    upAxis = "Z"
    customLayerData = { string a = "}" }
)

def Xform "Root" (
    prepend references = @other.usda@</A>
    kind = "component"
)
{
    # children may stand before the transform
    def Mesh "Quad"
    {
        uniform bool doubleSided = 1
        float3[] extent = [(0, 0, 0), (1, 1, 0)]
        int[] faceVertexCounts = [4, 3]
        int[] faceVertexIndices = [0, 1, 2, 3, 0, 1, 4]
        normal3f[] normals = [(0, 0, 1)] (
            interpolation = "uniform"
        )
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1)]
        rel material:binding = </Root/M>
        texCoord2f[] primvars:st = [(0, 0)] (interpolation = "vertex")
    }
    double3 xformOp:translate = (1, 2, 3)
    float xformOp:rotateZ = 90
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ"]

    def TetMesh "Solid"
    {
    }
}

over "Else" { }
"#;

#[test]
fn meshes_are_read_and_placed() {
    assert_eq!(Format::from_content(TEXT.as_bytes()), Some(Format::Usda));
    let (mesh, report) =
        read_mesh_bytes(Format::Usda, TEXT.as_bytes(), "a.usda").unwrap().into_tri().unwrap();
    assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3], [0, 1, 4]]);
    assert!((mesh.positions()[1] - Vector3::new(1.0, 3.0, 3.0)).norm() < 1e-15);
    let text = report.to_string();
    for part in ["its unit is 0.01 m", "z points up", "1 references"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn mirrors_and_left_hands_turn_faces() {
    for (from, to, turned) in [
        (
            "int[] faceVertexCounts",
            "uniform token orientation = \"leftHanded\"\nint[] faceVertexCounts",
            true,
        ),
        ("xformOp:rotateZ = 90", "xformOp:scale = (1, 1, -1)", true),
    ] {
        let text = TEXT.replacen(from, to, 1).replace(
            "\"xformOp:rotateZ\"",
            if from.starts_with('x') { "\"xformOp:scale\"" } else { "\"xformOp:rotateZ\"" },
        );
        let (mesh, _) = read_mesh_bytes(Format::Usda, text.as_bytes(), "a.usda").unwrap().into_tri().unwrap();
        assert_eq!(mesh.triangles()[2] == [4, 1, 0], turned, "{:?}", mesh.triangles());
    }
}

#[test]
fn tetrahedra_and_values_in_time() {
    let text = "#usda 1.0\ndef TetMesh \"T\" {\n point3f[] points.timeSamples = {\n 0: [(0,0,0),(1,0,0),(0,1,0),(0,0,1)],\n \
                2.5: [(9,9,9)],\n }\n int4[] tetVertexIndices = [(0, 1, 2, 3)]\n}\n";
    let (mesh, report) =
        read_mesh_bytes(Format::Usda, text.as_bytes(), "a.usda").unwrap().into_tet().unwrap();
    assert_eq!(mesh.tets(), [[0, 1, 2, 3]]);
    assert!(report.notes.iter().any(|note| note.contains("vary in time")), "{report}");
}

#[test]
fn errors_name_the_line() {
    for (from, to, expected) in [
        ("0, 1, 2, 3, 0, 1, 4]", "0, 1, 2, 3, 0, 1, 5]", "line 16: refers to vertex 5"),
        ("[4, 3]", "[4, 4]", "found \"faceVertexCounts[1] = 4\""),
        ("[4, 3]", "[4]", "3 faceVertexIndices too many"),
        ("(0, 0, 1)]\n        rel", "(0, 0, nan)]\n        rel", "a coordinate is NaN"),
        (
            "(0, 0, 1)]\n        rel",
            "(0, 0, 0 1,x)]\n        rel",
            "line 25: found \"(0, 0, 0 1,x)]\", expected 3 numbers in brackets for points[4]",
        ),
        ("rotateZ = 90", "rotateZ = (90, 1)", "found \"xformOp:rotateZ\""),
        ("over \"Else\" { }", "over \"Else\" { ", "the file ends here"),
        ("over \"Else\"", "over Else { } }", "found \"{ } } { }\", expected the name"),
    ] {
        let text = TEXT.replacen(from, to, 1);
        assert_ne!(text, TEXT);
        let error = read_mesh_bytes(Format::Usda, text.as_bytes(), "a.usda").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn brackets_fit_in_what_is_read_too() {
    const ROOT: &str = "#usda 1.0\ndef Mesh \"M\"\n{\n point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\n int[] faceVertexCounts = [3]\n \
                        int[] faceVertexIndices = [0,1,2]\n float[] primvars:a = [1,2,3] (doc = \"a\" interpolation = \"vertex\")\n}\n";
    let with =
        |text: &str| ReadOptions::with_attributes().read_bytes(Format::Usda, text.as_bytes(), "a.usda");
    let without = |text: &str| read_mesh_bytes(Format::Usda, text.as_bytes(), "a.usda");
    assert!(with(ROOT).is_ok() && without(ROOT).is_ok());
    for (from, to, line) in [
        ("(0,1,0)]", "(0,1,0]]", "line 4"),
        ("(0,1,0)]", "(0,1,0))", "line 4"),
        ("(doc", "( (doc", "line 8"),
        ("(doc", "([doc", "line 7"),
        ("(doc", "(] doc", "line 7"),
    ] {
        let text = ROOT.replacen(from, to, 1);
        for error in [with(&text), without(&text)].map(|read| read.unwrap_err().to_string()) {
            assert!(error.starts_with("a.usda") && error.contains(line), "{to}: {error}");
        }
    }
}

#[test]
fn long_names_are_cut_in_errors() {
    let subset = format!(
        "def GeomSubset \"{}\" {{ int[] indices = [9] }}\n        int[] faceVertexCounts",
        "\u{1b}x".repeat(3000)
    );
    let text = TEXT.replace("\"vertex\"", "\"constant\"").replacen("int[] faceVertexCounts", &subset, 1);
    let read = ReadOptions::with_attributes().read_bytes(Format::Usda, text.as_bytes(), "a.usda");
    let error = read.unwrap_err().to_string();
    assert!(error.contains("found \"9\", expected a number below 2, for the subset"), "{error}");
    assert!(error.len() < 1000 && !error.contains(char::is_control), "{error:?}");
}

#[test]
fn tuples_have_the_numbers_of_their_type() {
    const ROOT: &str = "#usda 1.0\ndef TetMesh \"T\"\n{\n point3f[] points = [\n  (0, 0, 0),\n  (1, 0, 0),\n  (0, 1, 0),\n  (0, 0, 1),\n ]\n \
                        int4[] tetVertexIndices = [(0, 1, 2, 3)]\n}\n";
    let read = |text: &str| read_mesh_bytes(Format::Usda, text.as_bytes(), "a.usda");
    assert!(read(ROOT).is_ok());
    for (from, to, expected) in [
        // as many numbers as four points have
        (
            "(1, 0, 0),\n  (0, 1, 0)",
            "(1, 0, 0, 0),\n  (1, 0)",
            "line 6: found \"(1, 0, 0, 0),\", expected 3 numbers in brackets for points[1]",
        ),
        (
            "(0, 1, 0),\n",
            "(0, 1),\n",
            "line 7: found \"(0, 1),\", expected 3 numbers in brackets for points[2]",
        ),
        (
            "(0, 0, 1),\n",
            "0, 0, 1,\n",
            "line 8: found \"0, 0, 1,\", expected 3 numbers in brackets for points[3]",
        ),
        (
            "(0, 0, 1),\n",
            "((0, 0, 1)),\n",
            "line 8: found \"((0, 0, 1)),\", expected 3 numbers in brackets for points[3]",
        ),
        (
            "(0, 0, 1),\n",
            "[0, 0, 1],\n",
            "line 8: found \"[0, 0, 1],\", expected 3 numbers in brackets for points[3]",
        ),
        (
            "(0, 0, 1),\n",
            "(0, 0, None),\n",
            "line 8: found \"(0, 0, None),\", expected 3 numbers in brackets for points[3]",
        ),
        ("(0, 0, 1),\n", "(0, 0, 1],\n", "line 8: found \"],\", expected brackets that fit"),
        (
            "[(0, 1, 2, 3)]",
            "[(0, 1), (2, 3)]",
            "line 10: found \"(0, 1), (2, 3)]\", expected 4 numbers in brackets for tetVertexIndices[0]",
        ),
        ("[(0, 1, 2, 3)]", "7", "line 10: found \"7\", expected a list in brackets for tetVertexIndices"),
    ] {
        let text = ROOT.replacen(from, to, 1);
        assert_ne!(text, ROOT);
        let error = read(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    // Elsewhere an attribute of the same name does not affect the mesh.
    let other = ROOT.replacen("def TetMesh", "def Scope \"S\" { int points = 3 }\ndef TetMesh", 1);
    assert!(read(&other).is_ok());
}

#[test]
fn lines_are_those_of_the_file_around_long_texts() {
    let lines =
        |text: &str| read_mesh_bytes(Format::Usda, text.as_bytes(), "a.usda").unwrap_err().to_string();
    for (text, expected) in [
        // a text without an end, named where it begins
        ("#usda 1.0\n(\n \"\"\"one\ntwo\nthree\n)\n", "line 3: found"),
        ("#usda 1.0\n(\n doc = \"\"\"one\ntwo\nthree\n)\n", "line 3: found"),
        ("#usda 1.0\n(\n doc = @@@one\ntwo\n)\n", "line 3: found"),
        ("#usda 1.0\n(\n doc = \"one\ntwo\"\n)\n", "line 3: found"),
        ("#usda 1.0\n(\n doc = \"one\\\ntwo\"\n)\n", "line 3: found"),
        // something behind a text of several lines
        ("#usda 1.0\n(\n doc = \"\"\"one\ntwo\nthree\"\"\" ]\n)\n", "line 5: found \"]\""),
        ("#usda 1.0\n(\n doc = \'\'\'one\\\ntwo\\\nthree\'\'\'\n ]\n)\n", "line 6: found \"]\""),
        ("#usda 1.0\ndef Mesh \"\"\"one\ntwo\"\"\" [\n", "line 3: found \"[\""),
        // a prim whose first word is not a specifier
        ("#usda 1.0\n\nde\nMesh \"M\" { }\n", "line 3: found \"de\", expected def, over or class"),
    ] {
        let error = lines(text);
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

#[test]
fn prims_are_nested_so_deep_and_no_deeper() {
    let nested = |depth: usize, last: &str| {
        let triangle = format!(
            "def Mesh \"M\" (\n doc = \"{{\"\n)\n{{\n point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\n int[] faceVertexCounts = [3]\n \
             int[] faceVertexIndices = [0,1,{last}]\n}}\n"
        );
        // A mesh before and a mesh behind those that are nested.
        let (open, close) = ("def Xform \"x\"\n{\n".repeat(depth), "}\n".repeat(depth));
        let text = format!("#usda 1.0\ndef \"top\" {{\n{triangle}{open}{triangle}{close}{triangle}}}\n");
        read_mesh_bytes(Format::Usda, text.as_bytes(), "a.usda")
    };
    let (mesh, _) = nested(250, "2").unwrap().into_tri().unwrap();
    assert_eq!(mesh.triangles(), [[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
    assert!(nested(250, "3").unwrap_err().to_string().contains("line 3: refers to vertex 3"));
    let error = nested(300, "2").unwrap_err().to_string();
    assert!(error.contains("expected prims nested no deeper than 256"), "{error}");
}
