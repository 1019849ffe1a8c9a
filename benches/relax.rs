//! How fast are ten iterations of relaxation on a skin of 100 000 vertices, compared with the textbook loop?
#![allow(missing_docs, reason = "criterion's macros write the functions")]
#![allow(clippy::cast_possible_truncation, reason = "the baseline computes in f32")]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use nalgebra::Vector3;
use pliant_deform::{Deformer, FrameTime, Relax, RelaxSettings, Sweep};
use pliant_mesh::{Caps, TriMesh};

const ITERATIONS: u32 = 10;
const PUSH: f32 = 0.1;
const PULL: f32 = 0.5;

/// What one writes after reading the chapter: one edge after the other in mesh order, in single precision.
struct Textbook {
    x: Vec<[f32; 3]>,
    edges: Vec<([u32; 2], f32)>,
}

impl Textbook {
    fn new(rest: &TriMesh, start: &[Vector3<f64>]) -> Self {
        let edges = rest.edges().into_iter().map(|[a, b]| {
            let [p, q] = [a, b].map(|v| rest.positions()[v as usize]);
            ([a, b], (p - q).norm() as f32)
        });
        Self {
            x: start.iter().map(|p| [p.x as f32, p.y as f32, p.z as f32]).collect(),
            edges: edges.collect(),
        }
    }

    fn relax(&mut self) {
        for _ in 0..ITERATIONS {
            for &([a, b], rest) in &self.edges {
                let (a, b) = (a as usize, b as usize);
                let (p, q) = (self.x[a], self.x[b]);
                let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
                let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
                if length == 0.0 {
                    continue;
                }
                let strength = if rest > length { PUSH } else { PULL };
                let half = 0.5 * strength * (rest - length) / length;
                for (k, d) in d.into_iter().enumerate() {
                    self.x[a][k] += half * d;
                    self.x[b][k] -= half * d;
                }
            }
        }
    }
}

fn relax(c: &mut Criterion) {
    let rest = TriMesh::cylinder(0.2, 2.0, 250, 400, Caps::Open).expect("a tube with positive lengths");
    let bend = |p: &Vector3<f64>| {
        let (s, c) = (1.5 * (p.y / 0.5).clamp(-0.5, 0.5)).sin_cos();
        Vector3::new(p.x * c - p.y * s, p.x * s + p.y * c, p.z)
    };
    let bent: Vec<_> = rest.positions().iter().map(bend).collect();
    let mut group = c.benchmark_group("relax, 100 000 vertices, 10 iterations");
    group.sample_size(20);
    let mut book = Textbook::new(&rest, &bent);
    group.bench_function("textbook", |b| b.iter(|| book.relax()));
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    for sweep in [Sweep::Sequential, Sweep::Coloured] {
        let settings = RelaxSettings { sweep, iterations: ITERATIONS, ..RelaxSettings::default() };
        let mut relax = Relax::new(&rest, settings).expect("the defaults are right");
        group.bench_function(format!("{sweep:?}, one thread"), |b| {
            b.iter_batched_ref(
                || bent.clone(),
                |x| one.install(|| relax.deform(&FrameTime::default(), x)),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, relax);
criterion_main!(benches);
