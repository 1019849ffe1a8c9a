//! Numbers of single elements and pairs, from files and lists.

use crate::common::{build, hash};
use nalgebra::Vector3;
use pliant_io::{Mesh, write_mesh};
use pliant_mesh::TriMesh;
use tempfile::TempDir;

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in files {
        std::fs::write(folder.path().join(file), text).unwrap();
    }
    folder
}

/// Twelve hanging tetrahedra.
fn block(vary: &str) -> String {
    format!(
        "[[body]]\nmesh = {{ block = {{ cells = [2, 1, 1], size = [0.2, 0.1, 0.1] }} }}\n\
         material = {{ young = 1e5, poisson = 0.3 }}\npin = [{{ vertices = [0] }}]\n{vary}\n"
    )
}

/// A hanging sheet of eight triangles.
fn sheet(vary: &str) -> String {
    format!(
        "[[body]]\nmesh = {{ grid = {{ vertices = [3, 3], size = [0.2, 0.2] }} }}\n\
         material = {{ young = 1e5, poisson = 0.3, thickness = 1e-3 }}\npin = [{{ vertices = [0] }}]\n{vary}\n"
    )
}

const EVERYWHERE: &str = "{ half_space = { point = [0, 0, 0], normal = [1, 0, 0] }, relative = true }";

#[test]
fn a_number_for_every_element_does_what_a_region_of_all_does() {
    let lines = |n: usize, x: &str| format!("{x}\n").repeat(n);
    let table: String = (0..12).map(|i| format!("{i}, 1e6, {}\n", 2e5)).collect();
    let base = folder(&[
        ("twelve.txt", &lines(12, "2")),
        ("eight.txt", &lines(8, "2")),
        ("table.csv", &format!("# a scan\nelement, density, \"young\"\n{table}")),
    ]);
    let region = format!("vary = [{{ region = {EVERYWHERE}, factor = 2 }}]");
    let doubled = hash(&block(&region), &base);
    assert_ne!(doubled, hash(&block(""), &base));
    assert_eq!(hash(&block("vary = [{ values = { file = \"twelve.txt\" } }]"), &base), doubled);
    let young = "vary = [{ values = { file = \"table.csv\", field = \"young\", quantity = \"young\" } }]";
    assert_eq!(hash(&block(young), &base), doubled);
    // Hinges have the mean of their triangles.
    let sheets = hash(&sheet("vary = [{ values = { file = \"eight.txt\" } }]"), &base);
    assert_eq!(sheets, hash(&sheet(&region), &base));
    // Both at once are multiplied.
    let both = format!(
        "vary = [{{ values = {{ file = \"twelve.txt\" }} }}, {{ region = {EVERYWHERE}, factor = 0.5 }}]"
    );
    assert_eq!(hash(&block(&both), &base), hash(&block(""), &base));
}

#[test]
fn elements_have_the_numbers_of_their_lines() {
    let mut lines: Vec<String> = (0..12).map(|_| "1".to_owned()).collect();
    lines[7] = "3".to_owned();
    let base = folder(&[("one.txt", &lines.join("\n"))]);
    let one = hash(&block("vary = [{ values = { file = \"one.txt\" }, of = [\"solids\"] }]"), &base);
    assert_ne!(one, hash(&block(""), &base));
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let base = folder(&[
        ("few.txt", "1\n2\n"),
        ("word.txt", "1\n\ntwo\n"),
        ("zero.txt", "1\n0\n"),
        ("table.csv", "a,b\n1,2\n"),
        ("wide.txt", "1 2\n"),
        ("empty.txt", ""),
    ]);
    let says = |values: &str, words: &[&str]| {
        let text = block(&format!("vary = [{{ values = {{ {values} }} }}]"));
        let error = build(&text, &base).err().unwrap();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    };
    says("file = \"none.txt\"", &["cannot read", "none.txt: there is no such file"]);
    says("file = \"few.txt\"", &["few.txt", "2 numbers", "12 elements"]);
    says("file = \"empty.txt\"", &["0 numbers"]);
    says("file = \"word.txt\"", &["line 3", "\"two\""]);
    says("file = \"zero.txt\"", &["line 2", "positive"]);
    says("file = \"wide.txt\"", &["line 1", "2 numbers"]);
    says("file = \"table.csv\"", &["2 columns", "\"a\""]);
    says("file = \"table.csv\", field = \"c\"", &["no column \"c\"", "\"b\""]);
    says("file = \"few.txt\", field = \"c\"", &["does not name its columns"]);
    let error = build(&block("vary = [{ factor = 2 }]"), &base).err().unwrap();
    assert!(error.contains("`region` and `factor`, or `values`"), "{error}");
}

/// Two sheets a centimetre apart.
fn two(stitch: &str) -> String {
    format!(
        "[solver]\nsubsteps = 20\ngravity = [0, 0, 0]\ndrag = 5\n\
         [[body]]\nname = \"a\"\nmesh = {{ grid = {{ vertices = [3, 3], size = [0.2, 0.2] }} }}\nedges = \"rigid\"\n\
         [[body]]\nname = \"b\"\nmesh = {{ grid = {{ vertices = [3, 3], size = [0.2, 0.2] }} }}\nedges = \"rigid\"\n\
         translate = [0, 0.01, 0]\npin = [{{ vertices = [0, 2, 6, 8] }}]\n[[stitch]]\nbodies = [\"a\", \"b\"]\n{stitch}\n"
    )
}

#[test]
fn parameters_may_differ_from_pair_to_pair() {
    let base = folder(&[]);
    let vertices = "to = \"vertices\"\npairs = [[0, 0], [8, 8]]\n";
    let edges = "to = \"edges\"\npairs = [[0, 0, 1], [8, 7, 8]]\n";
    let triangles = "to = \"triangles\"\npairs = [[0, 0, 3, 1], [8, 8, 5, 7]]\n";
    for (pairs, all, each, other) in [
        (vertices, "stiffness = 100", "stiffness = [100, 100]", "stiffness = [100, 1000]"),
        (vertices, "rest_length = 0.02", "rest_length = [0.02, 0.02]", "rest_length = [0.02, 0]"),
        (edges, "thickness = 0.001", "thickness = [0.001, 0.001]", "thickness = [0.001, 0.002]"),
        (triangles, "young = 1e5", "young = [1e5, 1e5]", "young = [1e5, 2e5]"),
    ] {
        // The ties must resist something: the first sheet flies off.
        let scene = |with: &str| {
            two(&format!("{pairs}{with}")).replacen(
                "edges = \"rigid\"\n",
                "edges = \"rigid\"\nvelocity = [0, -1, 0.2]\n",
                1,
            )
        };
        let same = hash(&scene(all), &base);
        assert_eq!(same, hash(&scene(each), &base), "{each}");
        assert_ne!(same, hash(&scene(other), &base), "{other}");
    }
    let says = |with: &str, words: &[&str]| {
        let error = build(&two(with), &base).err().unwrap();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    };
    says(&format!("{vertices}stiffness = [1, 2, 3]"), &["`stiffness` has 3 numbers for 2 pairs"]);
    says(&format!("{vertices}stiffness = [1, -2]"), &["stiffness of the stitch", "-2"]);
    says("to = \"vertices\"\nradius = 0.02\nstiffness = [1, 2]", &["`stiffness` is a list"]);
    says(&format!("{vertices}stiffness = \"hard\""), &["a list with one for each pair"]);
}

#[test]
fn given_rest_positions_make_stitches_pull() {
    let sheet = |height: f64| {
        let mut text = String::new();
        for i in 0..9 {
            let at = |k: usize| 0.1 * k as f64 - 0.1;
            text += &format!("v {} {height} {}\n", at(i % 3), at(i / 3));
        }
        for [a, b, c] in
            [[1, 4, 2], [2, 4, 5], [2, 5, 3], [3, 5, 6], [4, 7, 5], [5, 7, 8], [5, 8, 6], [6, 8, 9]]
        {
            text += &format!("f {a} {b} {c}\n");
        }
        text
    };
    let files = [("low.obj", sheet(0.0)), ("high.obj", sheet(0.05))];
    let base = folder(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    std::fs::write(base.path().join("few.obj"), "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n").unwrap();
    let stitch = "to = \"vertices\"\npairs = [[0, 0], [2, 2], [6, 6], [8, 8]]\nkeep_distance = true\n";
    let gap = |more: &str| {
        let mut built = build(&two(&format!("{stitch}{more}")), &base).unwrap();
        for _ in 0..120 {
            built.simulation.step(1.0 / 60.0).unwrap();
        }
        let x = built.simulation.positions();
        (x[0] - x[9]).norm()
    };
    assert!((gap("") - 0.01).abs() < 1e-6);
    // The files are placed like the bodies: the second is a centimetre higher.
    let apart = gap("rest = [\"low.obj\", \"high.obj\"]");
    assert!((apart - 0.06).abs() < 1e-3, "{apart}");
    let error = build(&two(&format!("{stitch}rest = [\"low.obj\", \"few.obj\"]")), &base).err().unwrap();
    assert!(error.contains("few.obj has 3 vertices") && error.contains("\"b\" has 9"), "{error}");
}

#[test]
fn a_stitch_holds_all_copies_of_a_vertex() {
    let folder = tempfile::tempdir().unwrap();
    let (o, x, y, z) = (Vector3::zeros(), Vector3::x() * 0.1, Vector3::y() * 0.1, Vector3::z() * 0.1);
    // Three triangles on one edge, and another mesh of which a triangle is hung up.
    let fins = TriMesh::new(vec![o, x, y, -y, z], vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]]).unwrap();
    let hook = TriMesh::new(vec![o, x, y], vec![[0, 1, 2]]).unwrap();
    for (name, mesh) in [("fins.obj", &fins), ("hook.obj", &hook)] {
        write_mesh(folder.path().join(name), &Mesh::Tri(mesh.clone())).unwrap();
    }
    for bodies in [["fins", "hook"], ["hook", "fins"]] {
        let text = format!(
            "[solver]\nsubsteps = 10\ndamping = 5\n\
             [[body]]\nname = \"fins\"\nmesh = {{ file = \"fins.obj\", repair = true }}\nedges = \"rigid\"\ntranslate = [0, 0, 0.01]\n\
             [[body]]\nname = \"hook\"\nmesh = \"hook.obj\"\nedges = \"rigid\"\npin = [{{ vertices = [0, 1, 2] }}]\n\
             [[stitch]]\nbodies = {bodies:?}\nto = \"vertices\"\npairs = [[0, 0], [1, 1]]\nstiffness = [1e6, 1e5]\n"
        );
        let mut built = build(&text, &folder).unwrap();
        let report = built.bodies[0].repair.clone().unwrap();
        assert_eq!(report.vertex_of.iter().filter(|old| **old == Some(0)).count(), 3);
        for _ in 0..60 {
            built.simulation.step(1.0 / 60.0).unwrap();
        }
        let positions = built.simulation.positions_of(built.bodies[0].particles.clone());
        for (p, old) in positions.iter().zip(&report.vertex_of) {
            let wanted = [o, x].get(old.unwrap() as usize).copied();
            assert!(wanted.is_none_or(|w| (p - w).norm() < 2e-3), "{bodies:?}: {old:?} is at {p}");
        }
    }
}
