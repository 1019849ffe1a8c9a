//! Groups and attributes of mesh files in scenes: they have the same effect as the same numbers written out.

use crate::common::{build, hash};
use pliant_io::{Attribute, Attributes, Group, Location, Mesh, write_mesh_with};
use pliant_mesh::{Split, TetMesh, TriMesh};
use tempfile::TempDir;

use Location::{Elements, Vertices};

fn block() -> Mesh {
    Mesh::Tet(TetMesh::block([2, 1, 1], [0.2, 0.1, 0.1], Split::Kuhn).unwrap())
}

fn grid() -> Mesh {
    Mesh::Tri(TriMesh::grid([3, 3], [0.2, 0.2]).unwrap())
}

/// A number for each of 12 tetrahedra, 8 triangles or as many vertices.
fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|i| 1e5 * (1.0 + i as f64)).collect()
}

/// The data of the test files: groups, numbers of elements and of vertices, and a mask.
fn attributes(mesh: &Mesh) -> Attributes {
    let (vertices, elements) = (mesh.positions().len(), mesh.element_count());
    let mut a = Attributes::default();
    a.push(Attribute::scalars("E", Elements, numbers(elements))).unwrap();
    a.push(Attribute::scalars("heat", Vertices, numbers(vertices))).unwrap();
    a.push(Attribute::vectors("pair", Elements, 2, numbers(2 * elements))).unwrap();
    let tags = (0..elements).map(|i| if i < 4 { 3.0 } else { 7.0 }).collect();
    a.push(Attribute::scalars("part", Elements, tags).integers()).unwrap();
    let holes = (0..elements).map(|i| if i == 5 { f64::NAN } else { 2.0 }).collect();
    a.push(Attribute::scalars("holes", Elements, holes)).unwrap();
    a.push_group(Group::new("foot", Elements, vec![0, 1, 2, 3]));
    a.push_group(Group::new("top", Vertices, vec![0, 3]));
    a
}

/// A folder with both meshes in a format.
fn folder(extension: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, mesh) in [("block", block()), ("grid", grid())] {
        let path = folder.path().join(name).with_extension(extension);
        write_mesh_with(path, &mesh, &attributes(&mesh)).unwrap();
    }
    folder
}

fn solid(mesh: &str, more: &str) -> String {
    format!("[[body]]\nmesh = \"{mesh}\"\nmaterial = {{ young = 1e5, poisson = 0.3 }}\n{more}\n")
}

fn sheet(mesh: &str, more: &str) -> String {
    format!("[[body]]\nmesh = \"{mesh}\"\npin = [{{ vertices = [0] }}]\n{more}\n")
}

/// Numbers as the lines of a file.
fn lines(base: &TempDir, name: &str, numbers: impl IntoIterator<Item = f64>) {
    let text: String = numbers.into_iter().map(|number| format!("{number}\n")).collect();
    std::fs::write(base.path().join(name), text).unwrap();
}

#[test]
fn pins_and_materials_by_name_do_what_numbers_do() {
    for (file, extension) in [("block.msh", "msh"), ("block.vtu", "vtu"), ("block.vtk", "vtk")] {
        let base = folder(extension);
        lines(&base, "young.txt", numbers(12));
        lines(&base, "foot.txt", (0..12).map(|i| if i < 4 { 5.0 } else { 1.0 }));
        let same = |by_name: &str, by_number: &str| {
            let (a, b) = (hash(&solid(file, by_name), &base), hash(&solid(file, by_number), &base));
            assert_eq!(a, b, "{file}: {by_name}");
            assert_ne!(a, hash(&solid(file, ""), &base), "{file}: {by_name}");
        };
        let pin = "pin = [{ vertices = [0, 3] }]\n";
        same("pin = [{ group = \"top\" }]\n", pin);
        same(
            &format!("{pin}vary = [{{ values = {{ attribute = \"E\", quantity = \"young\" }} }}]"),
            &format!("{pin}vary = [{{ values = {{ file = \"young.txt\", quantity = \"young\" }} }}]"),
        );
        let foot = format!("{pin}vary = [{{ values = {{ file = \"foot.txt\" }} }}]");
        same(&format!("{pin}vary = [{{ region = {{ group = \"foot\" }}, factor = 5 }}]"), &foot);
        for table in ["attribute = \"part\", equals = 3", "attribute = \"E\", min = 1e5, max = 4e5"] {
            same(&format!("{pin}vary = [{{ region = {{ group = {{ {table} }} }}, factor = 5 }}]"), &foot);
        }
    }
}

#[test]
fn a_group_of_elements_pins_its_vertices_and_one_of_vertices_has_elements() {
    let base = folder("vtu");
    let Mesh::Tet(mesh) = block() else { panic!("a solid") };
    let mut all: Vec<u32> = mesh.tets()[..4].as_flattened().to_vec();
    all.sort_unstable();
    all.dedup();
    let by_number = solid("block.vtu", &format!("pin = [{{ vertices = {all:?} }}]"));
    assert_eq!(hash(&solid("block.vtu", "pin = [{ group = \"foot\" }]"), &base), hash(&by_number, &base));
    // An element is warm if all its vertices are.
    let warm = |t: &[u32; 4]| t.iter().all(|&v| v >= 3);
    lines(&base, "warm.txt", mesh.tets().iter().map(|t| if warm(t) { 2.0 } else { 1.0 }));
    assert!(mesh.tets().iter().any(warm));
    let pin = "pin = [{ vertices = [0] }]\n";
    let by_name = "vary = [{ region = { group = { attribute = \"heat\", min = 4e5 } }, factor = 2 }]";
    let by_number = "vary = [{ values = { file = \"warm.txt\" } }]";
    let of = |vary: &str| hash(&solid("block.vtu", &format!("{pin}{vary}")), &base);
    assert_eq!(of(by_name), of(by_number));
    // An element has the mean of its vertices, and one component of several.
    let mean = |t: &[u32; 4]| t.iter().map(|&v| 1e5 * (1.0 + f64::from(v))).sum::<f64>() / 4.0;
    lines(&base, "mean.txt", mesh.tets().iter().map(mean));
    lines(&base, "second.txt", (0..12).map(|i| 1e5 * (2.0 + 2.0 * f64::from(i))));
    for (attribute, file) in [("\"heat\"", "mean.txt"), ("\"pair\", component = 1", "second.txt")] {
        let by = |key: &str| of(&format!("vary = [{{ values = {{ {key}, quantity = \"young\" }} }}]"));
        assert_eq!(by(&format!("attribute = {attribute}")), by(&format!("file = {file:?}")));
    }
}

/// Masses of the vertices, kg.
fn masses(text: &str, base: &TempDir) -> Vec<f64> {
    let built = build(text, base).unwrap_or_else(|error| panic!("{error}\n{text}"));
    built.simulation.inverse_masses().iter().map(|w| 1.0 / w).collect()
}

#[test]
fn densities_and_thicknesses_of_elements_weigh() {
    let base = folder("vtu");
    let total = |text: &str| masses(text, &base).iter().sum::<f64>();
    // All tetrahedra are alike: 0.002 m³ with the mean density.
    let mean = numbers(12).iter().sum::<f64>() / 12.0;
    let dense = solid("block.vtu", "vary = [{ values = { attribute = \"E\", quantity = \"density\" } }]");
    assert!((total(&dense) / (0.002 * mean) - 1.0).abs() < 1e-12);
    let Mesh::Tet(mesh) = block() else { panic!("a solid") };
    let mut expected = [0.0; 12];
    for (tet, density) in mesh.tets().iter().zip(numbers(12)) {
        tet.iter().for_each(|&v| expected[v as usize] += density * 0.002 / 12.0 / 4.0);
    }
    for (mass, expected) in masses(&dense, &base).iter().zip(expected) {
        assert!((mass / expected - 1.0).abs() < 1e-12);
    }
    // A sheet of rubber: 0.04 m² of the mean thickness.
    let mean = numbers(8).iter().sum::<f64>() / 8.0;
    let thick = "material = { young = 1e5, poisson = 0.3, thickness = 1e-3 }\ndensity = 900\n\
                 vary = [{ values = { attribute = \"E\", quantity = \"thickness\" } }]";
    let loose = |more: &str| sheet("grid.vtu", more).replace("pin = [{ vertices = [0] }]\n", "");
    assert!((total(&loose(thick)) / (0.04 * 900.0 * mean) - 1.0).abs() < 1e-12);
    // A mass that is given by area does not change.
    let by_area = thick.replace("density = 900", "area_density = 0.5");
    assert!((total(&loose(&by_area)) - 0.02).abs() < 1e-12);
}

#[test]
fn thickness_stretches_as_it_is_and_bends_as_its_cube() {
    let base = folder("vtu");
    lines(&base, "once.txt", (0..8).map(|_| 2e-3));
    lines(&base, "share.txt", (0..8).map(|_| 2.0));
    lines(&base, "cube.txt", (0..8).map(|_| 8.0));
    let material = |thickness: &str| {
        format!("material = {{ young = 1e5, poisson = 0.3, thickness = {thickness} }}\ndensity = 900\n")
    };
    let by_thickness =
        material("1e-3") + "vary = [{ values = { file = \"once.txt\", quantity = \"thickness\" } }]";
    let by_factors = material("1e-3").replace("900", "1800")
        + "vary = [{ values = { file = \"share.txt\" }, of = [\"membranes\"] }, { values = { file = \"cube.txt\" }, of = [\"bending\"] }]";
    let of = |more: &str| {
        let mut built = build(&sheet("grid.vtu", more), &base).unwrap();
        for _ in 0..3 {
            built.simulation.step(1.0 / 60.0).unwrap();
        }
        built.simulation.positions().to_vec()
    };
    // The masses are summed in another order.
    let near = |a: &str, b: &str| of(a).iter().zip(of(b)).all(|(a, b)| (a - b).norm() < 1e-9);
    assert!(near(&by_thickness, &by_factors));
    assert!(near(&by_thickness, &material("2e-3")));
    assert!(!near(&by_thickness, &material("1e-3")));
}

#[test]
fn compliances_and_stiffnesses_of_elements_replace_those_of_the_body() {
    let base = folder("vtu");
    lines(&base, "soft.txt", (0..8).map(|_| 4e-4));
    lines(&base, "hard.txt", (0..8).map(|_| 2500.0));
    let of = |edges: &str, vary: &str| hash(&sheet("grid.vtu", &format!("edges = {edges}\n{vary}")), &base);
    let soft = of("{ compliance = 4e-4 }", "vary = [{ region = { group = \"foot\" }, factor = 1 }]");
    let by = |file: &str, quantity: &str| {
        let values = format!("values = {{ file = {file:?}, quantity = {quantity:?} }}");
        of("{ compliance = 1e-4 }", &format!("vary = [{{ {values}, of = [\"edges\"] }}]"))
    };
    assert_eq!(by("soft.txt", "compliance"), soft);
    assert_eq!(by("hard.txt", "stiffness"), soft);
    let says = |edges: &str, more: &str, words: &str| {
        let vary = format!(
            "edges = {edges}\nvary = [{{ values = {{ file = \"soft.txt\", quantity = \"compliance\" }}{more} }}]"
        );
        let error = build(&sheet("grid.vtu", &vary), &base).err().unwrap();
        assert!(error.contains(words), "{error}");
    };
    says("\"rigid\"", ", of = [\"edges\"]", "the edges of the body have no compliance");
    says("{ compliance = 1e-4 }", "", "the constraints that the values are for are not given");
    says("{ compliance = 1e-4 }", ", of = [\"edges\", \"bending\"]", "are not given");
}

#[test]
fn unknown_names_are_refused_with_those_that_are_there() {
    let base = folder("msh");
    let says = |text: &str, words: &[&str]| {
        let error = build(text, &base).err().unwrap_or_else(|| panic!("{text}"));
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    };
    let pin = |pin: &str| solid("block.msh", &format!("pin = [{{ {pin} }}]"));
    let vary =
        |vary: &str| solid("block.msh", &format!("pin = [{{ vertices = [0] }}]\nvary = [{{ {vary} }}]"));
    says(
        &pin("group = \"topp\""),
        &["block.msh has no group \"topp\"", "one of \"", "\"foot\"", "did you mean \"top\"?", "scene:4:"],
    );
    says(&pin("group = \"E\""), &["has no group \"E\"", "\"E\" is an attribute"]);
    says(
        &pin("group = { attribute = \"heat\", min = 1e9 }"),
        &["no number of the attribute \"heat\" matches", "100000 to 1200000 at vertices"],
    );
    says(&pin("group = { attribute = \"heat\" }"), &["the numbers of \"heat\" are not given"]);
    says(&pin("group = { attribute = \"heat\", min = 2, max = 1 }"), &["from 2 to 1"]);
    says(&pin("group = \"top\", vertices = [0]"), &["given twice, by `vertices` and `group`"]);
    says(&pin("group = \"top\", relative = true"), &["`relative` applies to positions"]);
    says(
        &vary("values = { attribute = \"e\" }"),
        &["block.msh has no attribute \"e\"", "did you mean \"E\"?"],
    );
    says(&vary("values = { attribute = \"pair\" }"), &["has 3 components", "`component = …`", "0 to 2"]);
    says(&vary("values = { attribute = \"pair\", component = 7 }"), &["has 3 components"]);
    says(&vary("values = { attribute = \"holes\" }"), &["\"holes\" has no number for element 5"]);
    says(&vary("values = { attribute = \"pair\", component = 2 }"), &["of element 0 (from 0) is 0"]);
    says(&vary("values = { attribute = \"E\", file = \"x\" }"), &["given twice, by `attribute` and `file`"]);
    says(&vary("values = { attribute = \"E\", field = \"x\" }"), &["`field` applies to `file`"]);
    says(&vary("values = { quantity = \"young\" }"), &["where the values come from is not given"]);
    says(
        &vary("values = { attribute = \"E\", quantity = \"thickness\" }"),
        &["the body's material has none"],
    );
    says(
        &vary("values = { attribute = \"E\", quantity = \"density\" }, of = [\"solids\"]"),
        &["the values are about the elements themselves"],
    );
    says(&vary("region = { group = \"top\" }, factor = 2"), &["the group holds no element of body"]);
}

#[test]
fn bodies_without_a_file_of_their_own_have_no_groups() {
    let base = folder("ply");
    let of = |mesh: &str| {
        format!(
            "[[body]]\nmesh = {mesh}\nmaterial = {{ young = 1e5, poisson = 0.3 }}\npin = [{{ group = \"top\" }}]\n"
        )
    };
    let error = build(&of("{ block = { cells = [1, 1, 1], size = [1, 1, 1] } }"), &base).err().unwrap();
    assert!(error.contains("has no groups or attributes: its mesh is generated"), "{error}");
    let error =
        build(&of("{ surface = \"block.ply\", tetrahedralize = { cells = 4 } }"), &base).err().unwrap();
    assert!(error.contains("its surface was filled with tetrahedra"), "{error}");
}

#[test]
fn groups_follow_where_vertices_without_elements_are_removed() {
    let base = tempfile::tempdir().unwrap();
    let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"top\"\n3 2 \"all\"\n$EndPhysicalNames\n\
                $Nodes\n6\n1 9 9 9\n2 0 0 0\n3 1 0 0\n4 0 1 0\n5 0 0 1\n6 8 8 8\n$EndNodes\n\
                $Elements\n3\n1 15 2 1 1 1\n2 2 2 1 1 3 4 5\n3 4 2 2 1 2 3 4 5\n$EndElements\n";
    std::fs::write(base.path().join("a.msh"), text).unwrap();
    let scene = |pin: &str| solid("a.msh", &format!("pin = [{{ {pin} }}]"));
    assert_eq!(hash(&scene("group = \"top\""), &base), hash(&scene("vertices = [2, 3, 4]"), &base));
    // The point element alone names nothing in the simulated mesh.
    let error = build(&scene("group = \"physical point 1\""), &base).err().unwrap();
    assert!(error.contains("selects none of the vertices"), "{error}");
}

#[test]
fn ties_and_shapes_take_groups() {
    let base = folder("vtu");
    let two = |region: &str| {
        format!(
            "[[body]]\nname = \"a\"\nmesh = \"block.vtu\"\nmaterial = {{ young = 1e5, poisson = 0.3 }}\n\
             shape = [{{ region = {region}, compliance = 1e-3 }}]\n\
             [[body]]\nname = \"b\"\nmesh = \"block.vtu\"\ntranslate = [0, 0.1, 0]\n\
             material = {{ young = 1e5, poisson = 0.3 }}\npin = [{{ vertices = [0] }}]\n\
             [[attachment]]\nbodies = [\"a\", \"b\"]\nregion = {region}\n"
        )
    };
    assert_eq!(hash(&two("{ group = \"top\" }"), &base), hash(&two("{ vertices = [0, 3] }"), &base));
}

#[test]
fn groups_and_numbers_follow_a_repair() {
    let base = tempfile::tempdir().unwrap();
    let Mesh::Tri(mesh) = grid() else { panic!("a sheet") };
    let (mut positions, mut triangles) = mesh.clone().into_parts();
    // A duplicate triangle, and a seam: the last triangle has a copy of its vertex 8.
    triangles.insert(1, triangles[0]);
    positions.push(positions[8]);
    let last = triangles.len() - 1;
    for corner in &mut triangles[last] {
        *corner = if *corner == 8 { 9 } else { *corner };
    }
    assert!(triangles[last].contains(&9));
    let broken = Mesh::Tri(TriMesh::new(positions, triangles).unwrap());
    let mut a = Attributes::default();
    a.push(Attribute::scalars("share", Elements, (1..=9).map(f64::from).collect())).unwrap();
    a.push_group(Group::new("corner", Vertices, vec![9]));
    write_mesh_with(base.path().join("broken.vtu"), &broken, &a).unwrap();
    write_mesh_with(base.path().join("whole.vtu"), &grid(), &Attributes::default()).unwrap();
    lines(&base, "share.txt", [1.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let of = |mesh: &str, pin: &str, values: &str| {
        let text = format!(
            "[[body]]\nmesh = {mesh}\nmaterial = {{ young = 1e5, poisson = 0.3, thickness = 1e-3 }}\n\
             pin = [{{ {pin} }}]\nvary = [{{ values = {{ {values} }} }}]\n"
        );
        hash(&text, &base)
    };
    assert_eq!(
        of("{ file = \"broken.vtu\", repair = true }", "group = \"corner\"", "attribute = \"share\""),
        of("\"whole.vtu\"", "vertices = [8]", "file = \"share.txt\"")
    );
}
