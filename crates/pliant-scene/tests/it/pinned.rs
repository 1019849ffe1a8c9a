//! The bits of every template, pinned: internal changes of the solver must not change them.
//!
//! A change that is meant to give other bits needs an entry in the changelog, and takes its numbers from the
//! failure of this test.

use pliant_scene::templates;
use pliant_solver::Float;

/// Name, and the state hashes after sixteen frames in single and in double precision.
const PINNED: &[(&str, u64, u64)] = &[
    ("default", 0x784b082da3d54c8f, 0xaa2174f59a46751a),
    ("cloth", 0x9085c55b1e8e0bf4, 0xd52ee6088d98e43d),
    ("soft-body", 0xbee7612c11b08d68, 0x8d4759de2f664d4d),
    ("own-mesh", 0xfb9a9b0ad5995163, 0x2491608520a7be9e),
    ("filled", 0x413156b9bc6d2be6, 0x218d114c072fdcf5),
    ("twist", 0x01b638727cc94734, 0x74d06bbc93c6f48a),
    ("obstacles", 0x64867ca2748a1cdb, 0xe96e8fd299fd43fd),
    ("drape", 0xbed314db187a69dc, 0xcf65a0ecd8889d84),
    ("pile", 0x0668f22bb96bafe5, 0x52407236dc6f9436),
    ("stack", 0x10367bb98bebcb6f, 0x33d6005d149b1a60),
    ("card-house", 0x1b7b33830e6fca05, 0xe88150d8e7515ec2),
    ("wring", 0xeebeb7ffd53895d6, 0xcd0dd4cf632944d5),
    ("garment", 0xca448a27bc77986f, 0x447a5c4171d1e5c2),
    ("seam", 0xa7fc7af2ca3d60d8, 0x656bacdba6adc219),
    ("hem", 0xf90b1194a43ba87d, 0x6084c63e794f3aaa),
    ("chain", 0x89d6f95e749fa030, 0xaf0f99e0d7ba6617),
    ("balloon", 0x870f788ec68086f7, 0x4f9bed6a6a429aa5),
    ("cantilever", 0xcfa989109f5c8a82, 0x5ba87f692fa260cd),
    ("corners", 0x21103ada2199c551, 0xc3cb6440b4cdaffe),
    ("tethers", 0x69765f51e9debfae, 0xd3a7692d2b60d82c),
    ("book-cloth", 0x583b24d8a75da239, 0xc10dedf0f8489b92),
    ("book-solid", 0xccf29b77c5dc55b7, 0xf044c44361616e75),
];

fn hash<T: Float>(scene: &pliant_scene::Scene) -> u64 {
    let mut simulation = scene.build::<T>().unwrap().simulation;
    for _ in 0..16 {
        simulation.advance(scene.time_step()).unwrap();
    }
    simulation.state_hash()
}

#[test]
fn the_bits_of_every_template_are_pinned() {
    let found: Vec<(&str, u64, u64)> = templates()
        .iter()
        .map(|template| {
            let scene = template.scene().unwrap();
            (template.name, hash::<f32>(&scene), hash::<f64>(&scene))
        })
        .collect();
    let lines: String =
        found.iter().map(|(name, a, b)| format!("    (\"{name}\", {a:#018x}, {b:#018x}),\n")).collect();
    assert!(found == PINNED, "the templates have these bits now:\n{lines}");
}

#[test]
fn portable_lanes_give_the_same_bits() {
    for (template, &(name, pinned, _)) in templates().iter().zip(PINNED) {
        let scene =
            template.scene().unwrap().with_value("solver.lanes", &serde_json::json!("portable")).unwrap();
        assert_eq!(hash::<f32>(&scene), pinned, "{name}");
    }
}
