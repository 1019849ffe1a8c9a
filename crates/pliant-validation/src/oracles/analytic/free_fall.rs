//! `free_fall`: with symplectic Euler bodies fall by g h² n(n+1)/2, undeformed.

use nalgebra::Vector3;
use pliant_constraints::{Distance, TetVolume};
use pliant_solver::{Assembly, Constraints, Method};
use serde_json::Value;

use super::super::verdict::{Problem, Tally};
use super::{number, scheme};
use crate::scenes::single_substeps;

/// Relative tolerance, of the drop and of lengths and volumes.
const TOLERANCE: f64 = 1e-12;

pub(crate) fn judge(json: &Value, method: Method) -> Result<Tally, Problem> {
    let field = |name| number(json, &[name]);
    let (h, n, g) = (field("h")?, field("n")?, field("g")?);
    let (drop, speed) = (field("drop")?, field("speed")?);

    let rest = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.1, 0.4, 0.0], [0.1, 0.2, 0.6]].map(Vector3::from);
    let edges = [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];
    let lengths = edges.map(|[a, b]: [u32; 2]| Distance::at_rest(&[rest[a as usize], rest[b as usize]]));
    let volume = TetVolume::at_rest(&rest);
    // A tetrahedron held together and a particle on its own.
    let mut x = rest.to_vec();
    x.push(Vector3::zeros());
    let mut assembly = Assembly::new(x.clone(), vec![1.0, 2.0, 3.0, 4.0, 5.0])?;
    assembly.add(Constraints::new("edges", edges.to_vec(), lengths.to_vec(), vec![0.0])?);
    assembly.add(Constraints::new("volumes", vec![[0, 1, 2, 3]], vec![volume], vec![0.0])?);
    assembly.settings(single_substeps(g, scheme(method, 1)));
    let mut sim = assembly.build::<f64>()?;
    for _ in 0..n as u64 {
        sim.advance(h)?;
    }

    let mut tally = Tally::default();
    tally.case();
    for (i, ((now, start), v)) in sim.positions().iter().zip(&x).zip(sim.velocities()).enumerate() {
        tally.check(start.y - now.y - drop, TOLERANCE * drop, || format!("drop of particle {i}"));
        tally.check(-v.y - speed, TOLERANCE * speed, || format!("speed of particle {i}"));
    }
    tally.case();
    let now = sim.positions();
    for ([a, b], edge) in edges.iter().zip(lengths) {
        let length = (now[*a as usize] - now[*b as usize]).norm();
        tally.check(length / edge.rest - 1.0, TOLERANCE, || format!("length of edge {a}–{b}"));
    }
    let ratio = TetVolume::at_rest(&[now[0], now[1], now[2], now[3]]).rest / volume.rest;
    tally.check(ratio - 1.0, TOLERANCE, || "volume".into());
    Ok(tally)
}
