//! Worlds of arrays and numbers, natively.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::nalgebra::Vector3;
use pliant_solver::{Body, Compliance, Obstacle, Simulation};
use pliant_wasm::World;

fn mesh<const N: usize>(world: &mut World, positions: &[Vector3<f64>], elements: &[[u32; N]]) {
    #[allow(clippy::cast_possible_truncation, reason = "as the module takes them")]
    let numbers =
        positions.iter().flat_map(|x| [x.x, x.y, x.z]).flat_map(|number| (number as f32).to_le_bytes());
    let elements = elements.iter().flatten().flat_map(|vertex| vertex.to_le_bytes());
    world.input = numbers.chain(elements).collect();
}

fn say(world: &mut World, word: &str, numbers: &[f64]) -> Result<(), String> {
    world.input =
        word.bytes().chain([0]).chain(numbers.iter().flat_map(|number| number.to_le_bytes())).collect();
    if world.say() { Ok(()) } else { Err(String::from_utf8(world.output.clone()).unwrap()) }
}

fn numbers(world: &World) -> Vec<f32> {
    world.output.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect()
}

#[test]
fn meshes_come_in_and_positions_go_out() {
    // Numbers that single precision has.
    let sheet = TriMesh::grid([9, 9], [1.0, 1.0]).unwrap();
    let block =
        TetMesh::block([2, 2, 2], [0.5, 0.5, 0.5], Split::Kuhn).unwrap().translated([0.0, 0.5, 0.0]).unwrap();
    let mut world = World::default();
    say(&mut world, "substeps", &[8.0]).unwrap();
    mesh(&mut world, sheet.positions(), sheet.triangles());
    assert!(world.cloth(81));
    say(&mut world, "stretch", &[1e-6]).unwrap();
    world.input = [0_u32, 8].iter().flat_map(|vertex| vertex.to_le_bytes()).collect();
    assert!(world.pin());
    mesh(&mut world, block.positions(), block.tets());
    assert!(world.solid(27));
    say(&mut world, "stretch", &[1e-4]).unwrap();
    say(&mut world, "floor", &[-1.0]).unwrap();
    say(&mut world, "friction", &[0.5]).unwrap();
    say(&mut world, "build", &[]).unwrap();
    assert!(world.advance(20, 1.0 / 60.0));

    let mut native = Simulation::builder()
        .substeps(8)
        .body(Body::cloth(sheet).stretch(Compliance::new(1e-6)).pin_vertices([0, 8]))
        .body(Body::solid(block).stretch(Compliance::new(1e-4)))
        .obstacle(Obstacle::floor(-1.0).friction(0.5))
        .build()
        .unwrap();
    for _ in 0..20 {
        native.advance(1.0 / 60.0).unwrap();
    }
    assert_eq!(world.state_hash(), native.state_hash());
    assert!(world.positions(1));
    let last = native.position(81 + 26).map(|x| x as f32);
    assert_eq!(numbers(&world)[78..], [last.x, last.y, last.z]);
    assert!(world.velocities(0));
    assert_eq!(numbers(&world)[..3], [0.0; 3], "it is pinned");
}

#[test]
fn hands_and_obstacles_move_what_is_there() {
    let sheet = TriMesh::grid([9, 9], [1.0, 1.0]).unwrap();
    let mut world = World::default();
    say(&mut world, "gravity", &[0.0; 3]).unwrap();
    mesh(&mut world, sheet.positions(), sheet.triangles());
    assert!(world.cloth(81));
    say(&mut world, "sphere", &[0.0, -0.5, 0.0, 0.25]).unwrap();
    say(&mut world, "build", &[]).unwrap();
    say(&mut world, "place", &[0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 0.0]).unwrap();
    assert!(world.advance(10, 1.0 / 60.0) && world.positions(0));
    assert!(numbers(&world)[3 * 40 + 1] > 0.1, "the ball has pushed the middle");
    say(&mut world, "grab", &[0.0, 80.0, 100.0]).unwrap();
    assert_eq!(world.output, [0; 4], "the first hand");
    say(&mut world, "move", &[0.0, 0.5, -0.5, 0.5]).unwrap();
    assert!(world.advance(20, 1.0 / 60.0) && world.positions(0));
    assert!(numbers(&world)[3 * 80 + 1] < -0.2, "the corner has followed the hand");
    say(&mut world, "release", &[0.0]).unwrap();
    assert!(say(&mut world, "release", &[0.0]).unwrap_err().contains("holds nothing"));
    say(&mut world, "wind", &[1.0, 0.0, 0.0]).unwrap();
    say(&mut world, "gravity", &[0.0, -9.81, 0.0]).unwrap();
}

#[test]
fn what_is_wrong_is_said() {
    let mut world = World::default();
    assert!(!world.advance(1, 0.01) && world.output.starts_with(b"the world is not built yet"));
    assert!(!world.pin());
    world.input = vec![0; 30];
    assert!(!world.cloth(3) && world.output.starts_with(b"3 vertices need three numbers each"));
    assert!(!world.cloth(usize::MAX));
    world.input = vec![0; 36 + 8];
    assert!(!world.cloth(3), "two thirds of a triangle");
    mesh(&mut world, &[Vector3::zeros(); 3], &[[0, 1, 3]]);
    assert!(!world.cloth(3) && String::from_utf8_lossy(&world.output).contains('3'));
    assert!(say(&mut world, "stretch", &[1.0]).is_err(), "there is no body");
    mesh(&mut world, TriMesh::grid([2, 2], [1.0, 1.0]).unwrap().positions(), &[[0, 2, 1], [1, 2, 3]]);
    assert!(world.cloth(4));
    assert!(say(&mut world, "dance", &[1.0]).unwrap_err().contains("dance"));
    for count in [0.0, -1.0, 1.5, f64::NAN, 1e12] {
        let refused = say(&mut world, "substeps", &[count]).unwrap_err();
        assert!(refused.contains("expected a whole number from 1 to 10000"), "{refused}");
        assert!(say(&mut world, "iterations", &[count]).is_err());
    }
    assert!(say(&mut world, "stretch", &[]).unwrap_err().contains("0 numbers"));
    assert!(say(&mut world, "friction", &[0.5]).unwrap_err().contains("`collide` first"));
    say(&mut world, "density", &[-1.0]).unwrap();
    assert!(say(&mut world, "build", &[]).unwrap_err().contains("body 0"), "a density below zero");
    say(&mut world, "density", &[1.0]).unwrap();
    say(&mut world, "build", &[]).unwrap();
    assert!(!world.cloth(4) && world.output.starts_with(b"the world is built already"));
    assert!(!world.positions(1) && world.output == b"there is no body 1");
    assert!(say(&mut world, "grab", &[0.0, 4.0, 100.0]).unwrap_err().contains("no vertex 4"));
    assert!(say(&mut world, "grab", &[-1.0, 0.0, 100.0]).is_err());
    assert!(say(&mut world, "place", &[0.0; 7]).unwrap_err().contains("no obstacle"));
    assert!(say(&mut world, "gravity", &[0.0; 2]).unwrap_err().contains("with 2 numbers"));
}
