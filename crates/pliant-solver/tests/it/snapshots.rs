//! Snapshots as bytes: damaged bytes are refused without a panic, and no memory is allocated beyond their length.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Body, Collide, Compliance, Motion, Obstacle, Seal, SealError, Settings, Simulation, Snapshot,
    SnapshotError, Stiffness, Wind,
};
use proptest::prelude::*;

const DT: f64 = 1.0 / 60.0;

fn build() -> Simulation {
    let settings = Settings { certificate: true, substeps: 2, ..Settings::default() };
    let sheet = TriMesh::grid([4, 4], [0.5, 0.5]).unwrap();
    // It lies on another, so that there are near pairs and their history.
    let plate = TriMesh::grid([3, 3], [0.5, 0.5]).unwrap().translated(-0.002 * Vector3::y()).unwrap();
    let cloth =
        |mesh| Body::cloth(mesh).stretch(Compliance::new(1e-6)).contact_radius(1e-3).collide(Collide::new());
    let body = cloth(sheet).pin_vertices([0, 3]);
    let floor = Obstacle::floor(-0.4);
    Simulation::builder()
        .settings(settings)
        .body(body)
        .body(cloth(plate).pin(|_| true))
        .obstacle(floor)
        .build()
        .unwrap()
}

/// A simulation with every change that bytes can hold.
fn changed() -> Simulation {
    let mut sim = build();
    sim.advance(DT).unwrap();
    let hand = sim.grab(5, Stiffness::new(300.0)).unwrap();
    let pin = sim.pin([12, 15]).unwrap();
    sim.set_motion(0, Motion::linear(Vector3::new(0.0, 0.1, 0.0))).unwrap();
    sim.set_force(6, Vector3::y()).unwrap();
    sim.set_wind(Some(Wind { velocity: Vector3::x(), ..Wind::default() })).unwrap();
    sim.set_compliance("edges", 3e-6).unwrap();
    let ball = sim.add_obstacle(Obstacle::sphere(Vector3::new(0.1, -0.3, 0.0), 0.1)).unwrap();
    sim.advance(DT).unwrap();
    sim.move_to(hand, sim.position(5) + Vector3::y() * 0.01).unwrap();
    sim.lead(pin, &[sim.position(12), sim.position(15)]).unwrap();
    sim.move_obstacle(ball, Vector3::y() * 0.01, Vector3::zeros()).unwrap();
    sim
}

/// The bytes with their correct checksum, so that the reader of the body is reached.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len().saturating_sub(24) as u64;
    if bytes.len() >= 24 {
        let checksum = crc32fast::hash(&bytes[24..]);
        bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
        bytes[16..24].copy_from_slice(&length.to_le_bytes());
    }
    bytes
}

fn read(bytes: &[u8]) -> Result<Snapshot<f32>, SnapshotError> {
    Snapshot::from_bytes(bytes, &build())
}

#[test]
fn every_cut_and_every_changed_byte_is_found() {
    let bytes = changed().snapshot().to_bytes();
    assert_eq!(read(&bytes).unwrap().to_bytes(), bytes);
    let sim = build();
    for cut in 0..bytes.len() {
        assert!(Snapshot::<f32>::from_bytes(&bytes[..cut], &sim).is_err(), "cut at {cut}");
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Snapshot::<f32>::from_bytes(&damaged, &sim).is_err(), "changed at {at}");
    }
}

#[test]
fn errors_say_what_and_what_to_do() {
    let bytes = changed().snapshot().to_bytes();
    let said = |bytes: &[u8]| read(bytes).map(drop).unwrap_err().to_string();
    assert_eq!(read(b"solid cube").map(drop), Err(SealError::Foreign.into()));
    assert!(said(&bytes[..bytes.len() - 1]).contains("is cut off"));
    let mut newer = bytes.clone();
    newer[8] += 1;
    assert!(said(&newer).contains("has version 7 of its format, and this version of Pliant reads version 6"));
    let mut longer = bytes.clone();
    longer.push(0);
    assert_eq!(read(&longer).map(drop), Err(SealError::Long(1).into()));

    let jelly = TetMesh::block([1, 1, 1], [0.1; 3], Split::Kuhn).unwrap();
    let other: Simulation = Simulation::builder().body(Body::solid(jelly.clone())).build().unwrap();
    let error = Snapshot::from_bytes(&bytes, &other).map(drop).unwrap_err();
    assert!(error.to_string().contains("particles, and this one has"), "{error}");
    let double: Simulation<f64> = Simulation::builder().body(Body::solid(jelly)).build_as().unwrap();
    let error = Snapshot::from_bytes(&bytes, &double).map(drop).unwrap_err();
    assert!(error.to_string().contains("it has 32 bits in every number, and this one has 64"), "{error}");
}

#[test]
fn what_is_announced_takes_no_memory() {
    // Lists that claim 2⁶⁰ particles and have none.
    let sim = build();
    let version = u32::from_le_bytes(sim.snapshot().to_bytes()[8..12].try_into().unwrap());
    let seal = Seal { magic: *b"pliant-s", version };
    let bytes = seal.close(&(0_u32, 1_u64, 0.0_f64, 1_u64 << 60));
    let info = allocation_counter::measure(|| {
        let error = Snapshot::<f32>::from_bytes(&bytes, &sim).map(drop).unwrap_err();
        assert!(error.to_string().contains("does not have the expected form"), "{error}");
    });
    assert!(info.bytes_max < 1 << 22, "{} bytes", info.bytes_max);
}

proptest! {
    #![proptest_config(pliant_testkit::config(512))]

    #[test]
    fn bytes_that_are_wrong_do_not_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = changed().snapshot().to_bytes();
        for (at, value) in changes {
            // After the header, in which damage is found separately.
            let at = 24 + at.index(bytes.len() - 24);
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(24 + cut.index(bytes.len() - 24));
        }
        // An accepted state can be restored, and goes on or says why not.
        if let Ok(snapshot) = read(&sealed(bytes)) {
            let mut sim = build();
            sim.restore(&snapshot);
            let _ = sim.advance(DT);
        }
    }

    #[test]
    fn foreign_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read(&bytes).is_err());
        let head = [b"pliant-s".as_slice(), &1_u32.to_le_bytes(), &[0; 12]].concat();
        prop_assert!(read(&sealed([head, bytes].concat())).is_err());
    }
}
