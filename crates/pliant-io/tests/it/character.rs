//! Skinned glTF files written by hand: the result must be that of the specification, whatever the number types.

use base64::Engine;
use nalgebra::{Matrix4, Point3, Quaternion, Vector3};
use pliant_io::{Character, ImportError, read_character, read_character_bytes};
use pliant_mesh::{Influence, Local, WeightSums};
use serde_json::{Value, json};

/// A glTF file that is being built.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

/// A number type: its code, and how a number is written.
type Kind = (u32, fn(f64) -> Vec<u8>);

const F32: Kind = (5126, |x| (x as f32).to_le_bytes().to_vec());
const U8: Kind = (5121, |x| vec![x as u8]);
const U16: Kind = (5123, |x| (x as u16).to_le_bytes().to_vec());
const I16: Kind = (5122, |x| (x as i16).to_le_bytes().to_vec());

impl File {
    fn accessor(&mut self, (code, bytes): Kind, of: &str, width: usize, values: &[f64]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(values.iter().flat_map(|&v| bytes(v)));
        let length = self.bytes.len() - start;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": length }));
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": code, "count": values.len() / width, "type": of,
        }));
        self.accessors.len() - 1
    }

    fn text(&self, mut root: Value) -> Value {
        let data = base64::prelude::BASE64_STANDARD.encode(&self.bytes);
        root["asset"] = json!({ "version": "2.0" });
        root["accessors"] = self.accessors.clone().into();
        root["bufferViews"] = self.views.clone().into();
        root["buffers"] = json!([{
            "byteLength": self.bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}"),
        }]);
        root
    }
}

/// Three vertices on two joints: one on the first, one half on each, one on the second. The joints stand at
/// (0, 1, 0) and (0, 3, 0), below a node that scales by ten; the mesh is bound in a space ten times as large,
/// as rigs in centimetres are.
struct Arm {
    weights: Kind,
    joints: Kind,
    /// The number that stands for a weight of one.
    one: f64,
    shares: Vec<[f64; 4]>,
    joint_numbers: Vec<[f64; 4]>,
    animations: Value,
    file: File,
}

impl Arm {
    fn new() -> Self {
        Self {
            weights: F32,
            joints: U8,
            one: 1.0,
            shares: vec![[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
            joint_numbers: vec![[0.0, 1.0, 0.0, 0.0]; 3],
            animations: json!([]),
            file: File::default(),
        }
    }

    /// Adds an animation of one channel.
    fn animated(
        mut self,
        node: usize,
        path: &str,
        mode: &str,
        times: &[f64],
        kind: Kind,
        values: &[f64],
    ) -> Self {
        let input = self.file.accessor(F32, "SCALAR", 1, times);
        let output = match path {
            "rotation" => self.file.accessor(kind, "VEC4", 4, values),
            _ => self.file.accessor(kind, "VEC3", 3, values),
        };
        self.animations.as_array_mut().unwrap().push(json!({
            "name": "move",
            "channels": [{ "sampler": 0, "target": { "node": node, "path": path } },
                         { "sampler": 0, "target": { "path": path } }],
            "samplers": [{ "input": input, "output": output, "interpolation": mode }],
        }));
        self
    }

    fn root(mut self) -> Value {
        let position = self.file.accessor(F32, "VEC3", 3, &[0.0, 10.0, 0.0, 0.0, 30.0, 0.0, 10.0, 30.0, 0.0]);
        let (one, mut set) = (self.one, json!({ "POSITION": position }));
        // Four influences to a set.
        for (number, name) in ["0", "1"].iter().enumerate().take(self.shares.len() / 3) {
            let flat = |lists: &[[f64; 4]], scale: f64| -> Vec<f64> {
                lists[3 * number..][..3].as_flattened().iter().map(|w| (w * scale).round()).collect()
            };
            let exact = self.shares[3 * number..][..3].as_flattened().to_vec();
            let weights = if one == 1.0 { exact } else { flat(&self.shares, one) };
            let joints = flat(&self.joint_numbers, 1.0);
            set[format!("JOINTS_{name}")] = self.file.accessor(self.joints, "VEC4", 4, &joints).into();
            set[format!("WEIGHTS_{name}")] = self.file.accessor(self.weights, "VEC4", 4, &weights).into();
        }
        let bind = |y: f64| Matrix4::new_translation(&Vector3::new(0.0, -y, 0.0)).as_slice().to_vec();
        let matrices = self.file.accessor(F32, "MAT4", 16, &[bind(10.0), bind(30.0)].concat());
        self.file.text(json!({
            "scene": 0,
            "scenes": [{ "nodes": [0, 3] }],
            "nodes": [
                { "name": "armature", "scale": [0.1, 0.1, 0.1], "children": [2] },
                { "name": "lower", "translation": [0, 20, 0] },
                { "name": "upper", "translation": [0, 10, 0], "children": [1] },
                { "name": "holder", "translation": [77, 0, 0], "mesh": 0, "skin": 0 },
            ],
            "meshes": [{ "primitives": [{ "attributes": set }] }],
            "skins": [{ "joints": [2, 1], "inverseBindMatrices": matrices }],
            "animations": self.animations,
        }))
    }

    fn read(self) -> Character {
        character(&self.root()).unwrap()
    }
}

fn character(root: &Value) -> Result<Character, ImportError> {
    read_character_bytes(root.to_string().as_bytes(), "arm.gltf", WeightSums::Refuse(0.02))
}

fn refused(root: &Value, parts: &[&str]) {
    let error = character(root).unwrap_err().to_string();
    for part in parts {
        assert!(error.contains(part), "{part:?} is missing in: {error}");
    }
}

/// Where the first clip puts the vertices, by linear blending as the specification writes it.
fn posed(character: &Character, time: f64) -> Vec<Vector3<f64>> {
    let pose = character.clips[0].sample(time, &character.skeleton);
    let matrices = character.skin.joint_matrices(&character.skeleton.world(&pose));
    (0..character.skin.vertex_count())
        .map(|v| {
            let x = Point3::from(character.mesh.positions()[v]);
            character
                .skin
                .influences(v)
                .iter()
                .map(|i| matrices[i.joint as usize].transform_point(&x).coords * i.weight)
                .sum()
        })
        .collect()
}

fn near(found: &[Vector3<f64>], expected: &[[f64; 3]], tolerance: f64) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - Vector3::from(*expected)).norm() < tolerance, "{found:?} instead of {expected:?}");
    }
}

#[test]
fn the_mesh_stands_where_the_joints_have_it() {
    let arm = Arm::new().read();
    // The node that holds the mesh does not matter, the scale of the armature does.
    near(arm.mesh.positions(), &[[0.0, 1.0, 0.0], [0.0, 3.0, 0.0], [1.0, 3.0, 0.0]], 1e-6);
    assert_eq!(arm.mesh.triangles(), [[0, 1, 2]]);
    assert_eq!(arm.skin.joints(), [2, 1]);
    assert_eq!(arm.skin.influences(1), [0, 1].map(|joint| Influence { joint, weight: 0.5 }));
    assert_eq!(arm.skin.influences(2), [Influence { joint: 1, weight: 1.0 }]);
    assert_eq!(arm.skeleton.nodes()[1].name, "lower");
    assert_eq!(arm.skeleton.nodes()[1].parent, Some(2));

    let larger =
        Arm::new().animated(1, "translation", "STEP", &[0.0], F32, &[0.0, 30.0, 0.0]).read().scaled(100.0);
    near(larger.mesh.positions(), &[[0.0, 100.0, 0.0], [0.0, 300.0, 0.0], [100.0, 300.0, 0.0]], 1e-4);
    near(&posed(&larger, 0.0), &[[0.0, 100.0, 0.0], [0.0, 350.0, 0.0], [100.0, 400.0, 0.0]], 1e-4);
}

#[test]
fn the_rest_of_the_skeleton_may_be_another_pose_or_mirrored() {
    // Bent at rest: the place of the bound mesh in the scene is not defined, but its scale is that of the joints.
    let mut bent = Arm::new().root();
    bent["nodes"][1]["rotation"] = json!([0, 0, 1, 0]);
    let bent = character(&bent).unwrap();
    near(bent.mesh.positions(), &[[0.0, 1.0, 0.0], [0.0, 3.0, 0.0], [1.0, 3.0, 0.0]], 1e-6);
    let matrices = bent.skin.joint_matrices(&bent.skeleton.world(&bent.skeleton.rest()));
    let tip = matrices[1].transform_point(&Point3::from(bent.mesh.positions()[2]));
    assert!((tip - Point3::new(-1.0, 3.0, 0.0)).norm() < 1e-6, "posed it is where the file says: {tip}");

    let mut mirrored = Arm::new().root();
    mirrored["nodes"][0]["scale"] = json!([-0.1, 0.1, 0.1]);
    let mirrored = character(&mirrored).unwrap();
    near(mirrored.mesh.positions(), &[[0.0, 1.0, 0.0], [0.0, 3.0, 0.0], [-1.0, 3.0, 0.0]], 1e-6);
    assert_eq!(mirrored.mesh.triangles(), [[0, 2, 1]], "its outside stays outside");
}

#[test]
fn several_meshes_are_one_and_numbers_of_the_author_are_kept() {
    let mut arm = Arm::new();
    let soft = arm.file.accessor(F32, "SCALAR", 1, &[0.0, 0.25, 1.0]);
    let mut root = arm.root();
    let mut second = root["meshes"][0].clone();
    second["primitives"][0]["attributes"]["_SOFT"] = soft.into();
    root["meshes"].as_array_mut().unwrap().push(second);
    let nodes = root["nodes"].as_array_mut().unwrap();
    nodes.push(json!({ "mesh": 1, "skin": 0 }));
    nodes.push(json!({ "mesh": 0 }));
    nodes.push(json!({ "mesh": 0, "skin": 0 }));
    root["scenes"][0]["nodes"] = json!([0, 3, 4, 5]);
    let both = character(&root).unwrap();
    assert_eq!((both.mesh.positions().len(), both.skin.vertex_count()), (6, 6));
    assert_eq!(both.mesh.triangles(), [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(both.skin.joints().len(), 2, "the skin that they share is there once");
    assert_eq!(both.attributes["_SOFT"], [0.0, 0.0, 0.0, 0.0, 0.25, 1.0]);
    // The one without a skin is left out and reported, the one outside the scene is ignored.
    assert!(both.report.notes.iter().any(|note| note.contains("1 meshes without a skin were left out")));
}

#[test]
fn every_interpolation_is_that_of_the_specification() {
    let half = 0.5_f64.sqrt();
    let turn = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half];
    let at = |mode: &str, values: &[f64], time: f64| {
        posed(&Arm::new().animated(1, "rotation", mode, &[1.0, 3.0], F32, values).read(), time)
    };
    // A quarter turn of the lower joint about z, which stands at (0, 3, 0): the last vertex goes from (1, 3) to (0, 4).
    for (mode, time, angle) in [
        ("STEP", 2.9, 0.0),
        ("STEP", 3.0, 90.0_f64),
        ("LINEAR", 0.0, 0.0),
        ("LINEAR", 2.0, 45.0),
        ("LINEAR", 2.5, 67.5),
        ("LINEAR", 9.0, 90.0),
    ] {
        let (sin, cos) = angle.to_radians().sin_cos();
        near(&at(mode, &turn, time)[2..], &[[cos, 3.0 + sin, 0.0]], 1e-6);
    }
    // A spline without tangents: half-way the mean of the two, brought to unit length.
    let mut spline = vec![0.0; 4];
    spline.extend(&turn[..4]);
    spline.extend([0.0; 8]);
    spline.extend(&turn[4..]);
    spline.extend([0.0; 4]);
    let (sin, cos) = 45.0_f64.to_radians().sin_cos();
    near(&at("CUBICSPLINE", &spline, 2.0)[2..], &[[cos, 3.0 + sin, 0.0]], 1e-6);

    // Translations: 10 units along x in 2 s, with tangents that overshoot. p(½) = ½(p₀ + p₁) + d(m₀ − m₁)/8.
    let values =
        [[0.0; 3], [0.0, 20.0, 0.0], [12.0, 0.0, 0.0], [-4.0, 0.0, 0.0], [10.0, 20.0, 0.0], [0.0; 3]];
    let moved =
        Arm::new().animated(1, "translation", "CUBICSPLINE", &[0.0, 2.0], F32, values.as_flattened()).read();
    near(&posed(&moved, 1.0)[2..], &[[1.0 + 0.1 * (5.0 + 2.0 * 16.0 / 8.0), 3.0, 0.0]], 1e-6);
    let grown =
        Arm::new().animated(1, "scale", "LINEAR", &[0.0, 1.0], F32, &[1.0, 1.0, 1.0, 3.0, 1.0, 1.0]).read();
    near(&posed(&grown, 0.5)[1..], &[[0.0, 3.0, 0.0], [2.0, 3.0, 0.0]], 1e-6);
}

#[test]
fn number_types_and_sets_make_no_difference() {
    let expected = Arm::new().read();
    for (weights, one, joints) in [(U8, 255.0, U16), (U16, 65535.0, U8)] {
        // Rounded to bytes, a half and a half are a little more than one.
        let found = Arm { weights, one, joints, ..Arm::new() }.read();
        let [a, b] = [found.skin.influences(1), expected.skin.influences(1)];
        assert_eq!(a, b);
        assert_eq!(found.skin_report.normalised, usize::from(one < 256.0));
    }
    let mut two = Arm::new();
    two.shares =
        vec![[0.25; 4], [0.0; 4], [0.0, 0.5, 0.0, 0.0], [0.0; 4], [0.5, 0.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.5]];
    // Unused places name joints that do not exist.
    two.joint_numbers =
        vec![[0.0; 4], [9.0; 4], [9.0, 1.0, 9.0, 9.0], [9.0; 4], [0.0, 9.0, 1.0, 9.0], [9.0, 9.0, 9.0, 1.0]];
    let two = two.read();
    for v in 0..3 {
        assert_eq!(two.skin.influences(v), expected.skin.influences(v));
    }
    assert_eq!(two.skin_report.repeated, 4);

    let q = Quaternion::new(0.8_f64, 0.0, 0.0, 0.6);
    let values: Vec<f64> = q.coords.iter().map(|c: &f64| (c * 32767.0).round()).collect();
    let arm = Arm::new().animated(1, "rotation", "LINEAR", &[0.0], I16, &values).read();
    let Local::Transform(place) = arm.clips[0].sample(0.0, &arm.skeleton)[1] else { panic!("it moves") };
    assert!((place.rotation.coords - q.coords).norm() < 1e-4);
}

#[test]
fn what_cannot_be_is_refused() {
    let root = Arm::new().root();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = root.clone();
        change(&mut changed);
        changed
    };
    let no_skin = with(&|r| {
        r["nodes"][3].as_object_mut().unwrap().remove("skin");
    });
    refused(&no_skin, &["arm.gltf: none of its 1 meshes has a skin", "1 skins, 0 animations", "point cache"]);
    refused(&with(&|r| r["nodes"][3]["skin"] = 4.into()), &["nodes[3].skin", "one of 1 skins"]);
    refused(&with(&|r| r["skins"][0]["joints"] = json!([2, 8])), &["skins[0].joints[1]", "one of 4 nodes"]);
    refused(&with(&|r| r["skins"][0]["joints"] = json!([])), &["skins[0].joints", "a list of nodes"]);
    refused(
        &with(&|r| r["skins"][0]["joints"] = json!([2, 1, 0])),
        &["inverseBindMatrices", "each of 3 joints"],
    );
    refused(&with(&|r| r["nodes"][1]["children"] = json!([0])), &["its own ancestor"]);
    refused(&with(&|r| r["nodes"][0]["children"] = json!([1, 2])), &["every node below one other only"]);
    refused(
        &with(&|r| r["nodes"][2]["rotation"] = json!([0, 0, 0, 0])),
        &["nodes[2]", "a transform of finite numbers"],
    );
    let no_weights = with(&|r| {
        r["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap().remove("WEIGHTS_0");
    });
    refused(&no_weights, &["attributes.WEIGHTS_0", "as the mesh has a skin"]);

    let mut light = Arm::new();
    light.shares[1] = [0.5, 0.3, 0.0, 0.0];
    let light = light.root();
    refused(&light, &["arm.gltf: the weights of vertex 1 sum to 0.8", "not to 1"]);
    let eased =
        read_character_bytes(light.to_string().as_bytes(), "arm.gltf", WeightSums::Normalise).unwrap();
    assert_eq!((eased.skin_report.normalised, eased.skin_report.worst_vertex), (1, Some(1)));
    let mut loose = Arm::new();
    loose.shares[2] = [0.0; 4];
    refused(&loose.root(), &["all weights of vertex 2 are zero"]);
    let mut astray = Arm::new();
    astray.joint_numbers[2] = [0.0, 7.0, 0.0, 0.0];
    refused(&astray.root(), &["the joint of vertex 2 of meshes[0].primitives[0]", "one of the 2 joints"]);
    let mut odd = Arm::new();
    odd.shares[1][0] = f64::NAN;
    refused(&odd.root(), &["vertex 1 has the weight NaN"]);

    let moved = |mode: &str, times: &[f64], values: &[f64]| {
        Arm::new().animated(1, "translation", mode, times, F32, values).root()
    };
    let start = "arm.gltf, animation 0 (\"move\"): ";
    refused(
        &moved("LINEAR", &[0.0, f64::NAN], &[0.0; 6]),
        &[start, "key 1", "times must be finite and ascending"],
    );
    refused(&moved("LINEAR", &[0.0, 0.0], &[0.0; 6]), &[start, "ascending"]);
    refused(&moved("STEP", &[0.0], &[0.0, f64::INFINITY, 0.0]), &[start, "key 0", "not finite"]);
    refused(&moved("CUBICSPLINE", &[0.0, 1.0], &[0.0; 6]), &[start, "6"]);
    refused(&moved("EASE", &[0.0], &[0.0; 3]), &["animations[0].channels[0]", "STEP or CUBICSPLINE"]);
    let mut fixed = moved("STEP", &[0.0], &[0.0; 3]);
    let node = json!({ "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 20, 0, 1] });
    fixed["nodes"][1] = node;
    refused(&fixed, &[start, "placed by a matrix"]);
    let mut flat = Arm::new();
    let squash = Matrix4::new_nonuniform_scaling(&Vector3::new(1.0, 0.0, 1.0));
    let zero = flat.file.accessor(F32, "MAT4", 16, &[squash.as_slice(), squash.as_slice()].concat());
    let mut flat = flat.root();
    flat["skins"][0]["inverseBindMatrices"] = zero.into();
    refused(&flat, &["inverse bind matrix of joint 0", "no length along some direction"]);
}

#[test]
fn a_damaged_file_is_an_error_and_never_more() {
    let text = Arm::new()
        .animated(1, "rotation", "LINEAR", &[0.0, 1.0], F32, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0])
        .root()
        .to_string();
    for length in (0..text.len()).step_by(7) {
        assert!(read_character_bytes(&text.as_bytes()[..length], "arm.gltf", WeightSums::Normalise).is_err());
    }
    for at in 0..text.len() {
        for byte in [b'0', b'9', b'-', b'"'] {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = byte;
            let _ = read_character_bytes(&bytes, "arm.gltf", WeightSums::Normalise);
        }
    }
}

#[test]
fn a_long_chain_of_nodes_beside_the_scene_takes_no_time() {
    let mut root = Arm::new().root();
    let nodes = root["nodes"].as_array_mut().unwrap();
    for child in 5..100_000 {
        nodes.push(json!({ "children": [child] }));
    }
    nodes.push(json!({}));
    assert_eq!(character(&root).unwrap().skeleton.len(), 100_000);
}

#[test]
fn the_fox_runs() {
    let Some(path) = pliant_testkit::shared("meshes/real/Fox.glb") else { return };
    let fox = read_character(path, WeightSums::Refuse(0.02)).unwrap();
    assert_eq!((fox.mesh.positions().len(), fox.mesh.triangles().len()), (1728, 576));
    assert_eq!((fox.skin.joints().len(), fox.skeleton.len()), (24, 26));
    let names: Vec<_> = fox.clips.iter().map(pliant_mesh::Clip::name).collect();
    assert_eq!(names, ["Survey", "Walk", "Run"]);
    // It is as long as its mesh says, and stays so when it walks.
    let length = |x: &[Vector3<f64>]| pliant_mesh::Aabb::of_points(x).unwrap().diagonal();
    assert!((length(fox.mesh.positions()) - 175.6).abs() < 2.0, "{}", length(fox.mesh.positions()));
    assert!((length(&posed(&fox, 0.0)) - 175.6).abs() < 40.0, "{}", length(&posed(&fox, 0.0)));
}
