//! The textbook baseline, frozen: what one writes after reading the book, done well for one core without SIMD.
//!
//! Safe Rust, `f32`, an array of structs, constraints in mesh order, one after the other, accumulated
//! multipliers, compliance zero. The particle array is padded to a power of two and indices are masked, so
//! that the loops contain no bounds checks. Do not speed this file up: ratios quoted in the past refer to it
//! as it is.

use pliant_mesh::{TetMesh, TriMesh, lumped_mass_tets, lumped_mass_triangles};

/// A particle.
#[derive(Clone, Copy, Default)]
pub struct Particle {
    /// Position, m.
    pub x: [f32; 3],
    /// Position at the start of the substep, m.
    pub previous: [f32; 3],
    /// Velocity, m/s.
    pub v: [f32; 3],
    /// Inverse mass, 1/kg.
    pub w: f32,
}

/// Two particles at a distance.
#[derive(Clone, Copy)]
struct Edge {
    i: [u32; 2],
    rest: f32,
    lambda: f32,
}

/// Four particles that enclose a volume.
#[derive(Clone, Copy)]
struct Tet {
    i: [u32; 4],
    rest: f32,
    lambda: f32,
}

/// A scene with its state.
pub struct Textbook {
    particles: Vec<Particle>,
    count: usize,
    edges: Vec<Edge>,
    tets: Vec<Tet>,
    gravity: f32,
}

fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn add_scaled(a: &mut [f32; 3], b: [f32; 3], s: f32) {
    a[0] += b[0] * s;
    a[1] += b[1] * s;
    a[2] += b[2] * s;
}

impl Textbook {
    /// A solid: edges and volumes of a tet mesh, density 1000 kg/m³; `fixed` vertices have no weight.
    #[must_use]
    pub fn solid(mesh: &TetMesh, fixed: impl Fn(usize) -> bool) -> Self {
        let mut book = Self::new(mesh.positions(), &lumped_mass_tets(mesh, 1000.0), &mesh.edges(), fixed);
        let x = &book.particles;
        book.tets = mesh
            .tets()
            .iter()
            .map(|&i| {
                let [a, b, c, d] = i.map(|v| x[v as usize].x);
                let rest = dot(cross(sub(b, a), sub(c, a)), sub(d, a)) / 6.0;
                Tet { i, rest, lambda: 0.0 }
            })
            .collect();
        book
    }

    /// Cloth: edges of a triangle mesh, 0.2 kg/m².
    #[must_use]
    pub fn cloth(mesh: &TriMesh, fixed: impl Fn(usize) -> bool) -> Self {
        Self::new(mesh.positions(), &lumped_mass_triangles(mesh, 0.2), &mesh.edges(), fixed)
    }

    #[allow(clippy::cast_possible_truncation, reason = "the baseline computes in f32")]
    fn new<V: std::ops::Index<usize, Output = f64>>(
        positions: &[V],
        masses: &[f64],
        edges: &[[u32; 2]],
        fixed: impl Fn(usize) -> bool,
    ) -> Self {
        let count = positions.len();
        let mut particles = vec![Particle::default(); count.next_power_of_two().max(1 << 10)];
        for (i, p) in particles[..count].iter_mut().enumerate() {
            p.x = [positions[i][0] as f32, positions[i][1] as f32, positions[i][2] as f32];
            p.previous = p.x;
            p.w = if fixed(i) { 0.0 } else { (1.0 / masses[i]) as f32 };
        }
        let edges = edges
            .iter()
            .map(|&i| {
                let d = sub(particles[i[0] as usize].x, particles[i[1] as usize].x);
                Edge { i, rest: dot(d, d).sqrt(), lambda: 0.0 }
            })
            .collect();
        Self { particles, count, edges, tets: Vec::new(), gravity: -9.81 }
    }

    /// The particles.
    #[must_use]
    pub fn particles(&self) -> &[Particle] {
        &self.particles[..self.count]
    }

    /// Number of edges and tetrahedra.
    #[must_use]
    pub fn constraints(&self) -> (usize, usize) {
        (self.edges.len(), self.tets.len())
    }

    /// Steps by `dt`, s, in `substeps` substeps of one iteration, with compliance zero.
    ///
    /// # Panics
    ///
    /// If there are more than 2²² particles.
    pub fn frame(&mut self, dt: f32, substeps: u32) {
        macro_rules! dispatch {
            ($($bits:literal)*) => {
                match self.particles.len() {
                    $(n if n == 1 << $bits => self.frame_of::<{ 1 << $bits }>(dt, substeps),)*
                    n => panic!("{n} particles are more than the baseline is made for"),
                }
            };
        }
        dispatch!(10 11 12 13 14 15 16 17 18 19 20 21 22);
    }

    fn frame_of<const N: usize>(&mut self, dt: f32, substeps: u32) {
        let h = dt / substeps as f32;
        let Ok(p) = <&mut [Particle; N]>::try_from(self.particles.as_mut_slice()) else { return };
        for _ in 0..substeps {
            for p in &mut p[..self.count] {
                if p.w > 0.0 {
                    p.v[1] += self.gravity * h;
                    p.previous = p.x;
                    add_scaled(&mut p.x, p.v, h);
                }
            }
            for e in &mut self.edges {
                e.lambda = 0.0;
            }
            for t in &mut self.tets {
                t.lambda = 0.0;
            }
            solve_edges(p, &mut self.edges, 0.0);
            solve_tets(p, &mut self.tets, 0.0);
            let inverse_h = 1.0 / h;
            for p in &mut p[..self.count] {
                if p.w > 0.0 {
                    let d = sub(p.x, p.previous);
                    p.v = [d[0] * inverse_h, d[1] * inverse_h, d[2] * inverse_h];
                }
            }
        }
    }
}

fn solve_edges<const N: usize>(p: &mut [Particle; N], edges: &mut [Edge], alpha: f32) {
    for e in edges {
        let [a, b] = e.i.map(|i| i as usize & (N - 1));
        let (wa, wb) = (p[a].w, p[b].w);
        let d = sub(p[a].x, p[b].x);
        let length = dot(d, d).sqrt();
        let w = wa + wb + alpha;
        if length == 0.0 || w == 0.0 {
            continue;
        }
        let inverse = 1.0 / length;
        let n = [d[0] * inverse, d[1] * inverse, d[2] * inverse];
        let delta = -(length - e.rest + alpha * e.lambda) / w;
        e.lambda += delta;
        add_scaled(&mut p[a].x, n, wa * delta);
        add_scaled(&mut p[b].x, n, -(wb * delta));
    }
}

fn solve_tets<const N: usize>(p: &mut [Particle; N], tets: &mut [Tet], alpha: f32) {
    const SIXTH: f32 = 1.0 / 6.0;
    for t in tets {
        let i = t.i.map(|i| i as usize & (N - 1));
        let x = i.map(|i| p[i].x);
        let w = i.map(|i| p[i].w);
        let (a, b, c) = (sub(x[1], x[0]), sub(x[2], x[0]), sub(x[3], x[0]));
        let g = [cross(sub(x[3], x[1]), sub(x[2], x[1])), cross(b, c), cross(c, a), cross(a, b)]
            .map(|g| [g[0] * SIXTH, g[1] * SIXTH, g[2] * SIXTH]);
        let volume = dot(g[3], c);
        let mut sum = alpha;
        for j in 0..4 {
            sum += w[j] * dot(g[j], g[j]);
        }
        if sum == 0.0 {
            continue;
        }
        let delta = -(volume - t.rest + alpha * t.lambda) / sum;
        t.lambda += delta;
        for j in 0..4 {
            add_scaled(&mut p[i[j]].x, g[j], w[j] * delta);
        }
    }
}
