//! Surfaces for tests: random triangles, sheets, and a small generator of numbers.

use nalgebra::Vector3;
use pliant_contact::Surface;
use pliant_mesh::TriMesh;

pub(crate) type Point = Vector3<f64>;

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// In the cube of half-width `half`.
    pub(crate) fn point(&mut self, half: f64) -> Point {
        Vector3::from_fn(|_, _| (2.0 * self.unit() - 1.0) * half)
    }
}

/// Some bodies of random triangles over a few particles each: all kinds of sharing, and no regularity.
pub(crate) fn random_surface(random: &mut Random) -> Surface {
    let bodies: Vec<Vec<[u32; 3]>> = (0..1 + random.below(3))
        .map(|body| {
            let particles = 4 + random.below(9) as u32;
            let first = 12 * body as u32;
            let mut triangles: Vec<[u32; 3]> = Vec::new();
            for _ in 0..1 + random.below(14) {
                let mut corner = || first + random.below(particles as usize) as u32;
                let triangle = [corner(), corner(), corner()];
                let [mut a, mut b] = [triangle, [0; 3]];
                a.sort_unstable();
                let known = triangles.iter().any(|other| {
                    b = *other;
                    b.sort_unstable();
                    a == b
                });
                if !known && a[0] != a[1] && a[1] != a[2] {
                    triangles.push(triangle);
                }
            }
            triangles
        })
        .collect();
    let bodies: Vec<&[[u32; 3]]> = bodies.iter().map(Vec::as_slice).collect();
    Surface::new(40, &bodies).unwrap()
}

/// Sheets of the scene S3 (`layers` of 0.4 m, each turned against the one below), `gap` apart.
pub(crate) fn stack(layers: usize, cells: usize, gap: f64) -> (Surface, Vec<Point>) {
    let sheet = TriMesh::grid([cells + 1, cells + 1], [0.4, 0.4]).unwrap();
    let (mut points, mut bodies) = (Vec::new(), Vec::new());
    for layer in 0..layers {
        let first = points.len() as u32;
        let (sin, cos) = (0.1222 * layer as f64).sin_cos();
        points.extend(
            sheet
                .positions()
                .iter()
                .map(|x| Vector3::new(cos * x.x - sin * x.z, gap * layer as f64, sin * x.x + cos * x.z)),
        );
        bodies.push(sheet.triangles().iter().map(|t| t.map(|v| v + first)).collect::<Vec<_>>());
    }
    let bodies: Vec<&[[u32; 3]]> = bodies.iter().map(Vec::as_slice).collect();
    (Surface::new(points.len(), &bodies).unwrap(), points)
}
