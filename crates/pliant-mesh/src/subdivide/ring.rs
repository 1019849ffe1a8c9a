//! [`Rings`]: where subdivision takes a vertex in the end, and the tangents there.
//!
//! Of a vertex p with the neighbours q₁ … qₙ around it, in order:
//!
//! | | within | on a border, from q₁ to qₙ |
//! |---|---|---|
//! | limit | (1 − n χ) p + χ Σ q, χ = 1/(n + 3/(8 β)) | 2/3 p + 1/6 (q₁ + qₙ) |
//! | tangents | Σ cos(2π i/n) qᵢ, Σ sin(2π i/n) qᵢ | q₁ − qₙ, and one across |
//!
//! β is Loop's weight of a neighbour. Across a border the tangent is q₂ − p for n = 3, q₁ + qₙ − 2 p for n = 2, and else
//! −sin θ (q₁ + qₙ) + (2 − 2 cos θ) Σ sin((i − 1) θ) qᵢ over the others, with θ = π/(n − 1).
//!
//! Source: Loop (1987); Hoppe, DeRose, Duchamp, Halstead, Jin, McDonald, Schweitzer & Stuetzle, *Piecewise Smooth Surface
//! Reconstruction* (1994), appendix. A vertex whose triangles are not one fan stays where it is.

use nalgebra::Vector3;

use super::rule::loop_weight;
use crate::Adjacency;

/// The neighbours of every vertex, in order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rings {
    starts: Vec<usize>,
    neighbours: Vec<u32>,
    closed: Vec<bool>,
}

impl Rings {
    pub(super) fn of(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let around = Adjacency::of_elements(vertices, triangles);
        let mut rings =
            Self { starts: vec![0], neighbours: Vec::new(), closed: Vec::with_capacity(vertices) };
        for v in 0..vertices {
            let fan = around.row(v).iter().map(|&t| beside(triangles[t as usize], v as u32));
            let (ring, closed) = walk(&fan.collect::<Vec<_>>());
            rings.neighbours.extend(ring);
            rings.starts.push(rings.neighbours.len());
            rings.closed.push(closed);
        }
        rings
    }

    /// The neighbours of a vertex; none if it stays.
    fn ring<'a>(
        &'a self,
        v: usize,
        control: &'a [Vector3<f64>],
    ) -> impl ExactSizeIterator<Item = Vector3<f64>> + DoubleEndedIterator {
        self.neighbours[self.starts[v]..self.starts[v + 1]].iter().map(|&q| control[q as usize])
    }

    pub(super) fn limits(&self, control: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        let limit = |(v, p): (usize, &Vector3<f64>)| {
            let mut steps = self.ring(v, control).map(|q| q - p);
            let n = steps.len();
            if self.closed[v] {
                let chi = 1.0 / (n as f64 + 0.375 / loop_weight(n as u32));
                p + chi * steps.sum::<Vector3<f64>>()
            } else {
                match (steps.next(), steps.next_back()) {
                    (Some(first), Some(last)) => p + (first + last) / 6.0,
                    _ => *p,
                }
            }
        };
        control.iter().enumerate().map(limit).collect()
    }

    /// The product of the tangents of a vertex, which is a normal of any length; zero if it stays.
    pub(super) fn normal(&self, v: usize, control: &[Vector3<f64>]) -> Vector3<f64> {
        let p = control[v];
        let steps: Vec<Vector3<f64>> = self.ring(v, control).map(|q| q - p).collect();
        let n = steps.len();
        let mut tangents = [Vector3::zeros(); 2];
        if self.closed[v] {
            for (i, q) in steps.iter().enumerate() {
                let (sin, cos) = libm::sincos(std::f64::consts::TAU * i as f64 / n as f64);
                tangents[0] += cos * q;
                tangents[1] += sin * q;
            }
        } else if let [first, within @ .., last] = steps.as_slice() {
            let across = match within {
                [] => first + last,
                [middle] => *middle,
                _ => {
                    let angle = std::f64::consts::PI / (n - 1) as f64;
                    let (sin, cos) = libm::sincos(angle);
                    let ahead = within.iter().enumerate();
                    let sum: Vector3<f64> = ahead.map(|(i, q)| libm::sin((i + 1) as f64 * angle) * q).sum();
                    (2.0 - 2.0 * cos) * sum - sin * (first + last)
                }
            };
            tangents = [first - last, across];
        }
        tangents[0].cross(&tangents[1])
    }
}

/// The other corners of a triangle, in order.
fn beside([a, b, c]: [u32; 3], v: u32) -> [u32; 2] {
    if a == v {
        [b, c]
    } else if b == v {
        [c, a]
    } else {
        [a, b]
    }
}

/// The ends of a fan of triangles one after the other, and whether they close; none if it is not one fan.
fn walk(fan: &[[u32; 2]]) -> (Vec<u32>, bool) {
    let begins = fan.iter().map(|side| side[0]).find(|a| fan.iter().all(|side| side[1] != *a));
    let Some(first) = begins.or_else(|| fan.first().map(|side| side[0])) else { return (Vec::new(), false) };
    let mut ring = vec![first];
    let mut at = first;
    for _ in fan {
        let mut next = fan.iter().filter(|side| side[0] == at);
        let (Some(side), None) = (next.next(), next.next()) else { return (Vec::new(), false) };
        at = side[1];
        ring.push(at);
    }
    let closed = begins.is_none();
    if closed && ring.pop() != Some(first) {
        return (Vec::new(), false);
    }
    let mut sorted = ring.clone();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) { (Vec::new(), false) } else { (ring, closed) }
}
