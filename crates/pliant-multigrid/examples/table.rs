//! Iterations and times on blocks of tetrahedra and on sheets:
//! `cargo run --release -p pliant-multigrid --example table`. With an argument, only the problems whose names
//! contain it.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example")]

use std::time::Instant;

use pliant_multigrid::{BlockMatrix, BlockPattern, Coarsening, Hierarchy, NO_SLOT, Nodes, Number, Settings};

type V = [f64; 3];

/// Elements with their stiffness: springs, or springs and linear elastic tetrahedra.
struct Problem {
    name: &'static str,
    rest: Vec<V>,
    now: Vec<V>,
    mass: Vec<f64>,
    fixed: Vec<bool>,
    edges: Vec<Vec<u32>>,
    tets: Vec<Vec<u32>>,
    spring: f64,
    /// The stiffness of an edge across its direction, as a share of that along it.
    across: f64,
    /// First and second Lamé parameter.
    lame: [f64; 2],
    step: f64,
}

fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Numbers between -1/2 and 1/2.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64 - 0.5
    }
}

/// A cube of one metre, twisted; `grade` makes cells smaller towards one corner, `jitter` moves points by a
/// share of a cell.
fn block(
    name: &'static str,
    cells: usize,
    jitter: f64,
    grade: f64,
    pins: bool,
    frames: f64,
    bulk: f64,
) -> Problem {
    let mut noise = Noise(7);
    let n = cells + 1;
    let mut rest = Vec::new();
    for k in 0..n * n * n {
        let mut at = |i: usize| {
            let inside = i > 0 && i < cells;
            let x = (i as f64 + if inside { jitter * noise.next() } else { 0.0 }) / cells as f64;
            (1.0 - grade) * x + grade * x * x
        };
        rest.push([at(k % n), at(k / n % n), at(k / n / n)]);
    }
    let mut tets = Vec::new();
    let mut mass = vec![0.0; rest.len()];
    for cell in 0..cells * cells * cells {
        for axes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut at = [cell % cells, cell / cells % cells, cell / cells / cells];
            let id = |at: [usize; 3]| ((at[2] * n + at[1]) * n + at[0]) as u32;
            let mut tet = vec![id(at)];
            for axis in axes {
                at[axis] += 1;
                tet.push(id(at));
            }
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| rest[tet[k] as usize]);
            let volume = dot(cross(sub(b, a), sub(c, a)), sub(d, a)).abs() / 6.0;
            tet.iter().for_each(|&v| mass[v as usize] += 1000.0 * volume / 4.0);
            tets.push(tet);
        }
    }
    let now = rest.iter().map(|p| {
        let (s, c) = (0.5 * p[1]).sin_cos();
        [c * p[0] - s * p[2], 1.02 * p[1], s * p[0] + c * p[2]]
    });
    let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    let mut edges: Vec<Vec<u32>> =
        tets.iter().flat_map(|t| pairs.map(|[a, b]| vec![t[a].min(t[b]), t[a].max(t[b])])).collect();
    edges.sort();
    edges.dedup();
    let fixed = rest.iter().map(|p| pins && p[1] > 1.0 - 1e-9).collect();
    let (now, lame) = (now.collect(), [bulk, bulk / 4.0]);
    Problem {
        name,
        rest,
        now,
        mass,
        fixed,
        edges,
        tets,
        spring: 1e6,
        across: 0.0,
        lame,
        step: 1.0 / (60.0 * frames),
    }
}

/// A sheet of one square metre, bent; `curl` makes the rest shape wavy too.
fn sheet(name: &'static str, n: usize, curl: f64, pins: bool, spring: f64) -> Problem {
    let mut rest = Vec::new();
    for k in 0..n * n {
        let (x, z) = ((k % n) as f64 / (n - 1) as f64, (k / n) as f64 / (n - 1) as f64);
        rest.push([x, curl * (7.0 * x + 3.0 * z).sin(), z]);
    }
    let now = rest.iter().map(|p| {
        [
            0.995 * p[0],
            p[1] + 0.04 * (9.0 * p[0]).sin() * (7.0 * p[2]).cos() + 0.15 * p[2] * p[2],
            0.99 * p[2],
        ]
    });
    let mut edges = Vec::new();
    for k in 0..n * n {
        let (right, up) = (k % n + 1 < n, k / n + 1 < n);
        let ends = [(right, 1), (up, n), (right && up, n + 1)];
        edges.extend(ends.iter().filter(|e| e.0).map(|e| vec![k as u32, (k + e.1) as u32]));
    }
    let now = now.collect();
    let mut fixed = vec![false; n * n];
    (fixed[0], fixed[n - 1]) = (pins, pins);
    let mass = vec![0.2 / (n * n) as f64; n * n];
    Problem {
        name,
        rest,
        now,
        mass,
        fixed,
        edges,
        tets: vec![],
        spring,
        across: 1e-5,
        lame: [0.0; 2],
        step: 1.0 / 600.0,
    }
}

impl Problem {
    fn pattern(&self) -> BlockPattern {
        let elements: Vec<&[u32]> = self.edges.iter().chain(&self.tets).map(Vec::as_slice).collect();
        let nodes = Nodes { count: self.rest.len(), fixed: &self.fixed, rest: &self.rest };
        BlockPattern::new(&nodes, &elements).unwrap()
    }

    fn matrix<T: Number>(&self, pattern: &BlockPattern) -> BlockMatrix<T> {
        let mut matrix = BlockMatrix::new(pattern);
        for (node, mass) in self.mass.iter().enumerate() {
            matrix.add_scalar(node, T::of(mass / (self.step * self.step)));
        }
        let mut put = |slot: u32, block: [V; 3]| {
            if slot != NO_SLOT {
                matrix.add(slot, block.map(|row| row.map(T::of)));
            }
        };
        for edge in &self.edges {
            let ends = |x: &[V]| sub(x[edge[0] as usize], x[edge[1] as usize]);
            let (d, r) = (ends(&self.now), ends(&self.rest));
            let length = dot(d, d).sqrt();
            let tension = (1.0 - dot(r, r).sqrt() / length).max(0.0);
            let mut block = [[0.0; 3]; 3];
            for (i, row) in block.iter_mut().enumerate() {
                for (j, value) in row.iter_mut().enumerate() {
                    *value = (1.0 - tension) * d[i] * d[j] / (length * length);
                    *value = self.spring * (*value + if i == j { tension + self.across } else { 0.0 });
                }
            }
            for (k, slot) in pattern.slots(edge).enumerate() {
                let sign = if k % 3 == 0 { 1.0 } else { -1.0 };
                put(slot, block.map(|row| row.map(|value| sign * value)));
            }
        }
        for tet in &self.tets {
            let x = |k: usize| self.now[tet[k] as usize];
            let e = [sub(x(1), x(0)), sub(x(2), x(0)), sub(x(3), x(0))];
            let six = dot(cross(e[0], e[1]), e[2]);
            let mut g = [[0.0; 3], cross(e[1], e[2]), cross(e[2], e[0]), cross(e[0], e[1])];
            for k in 1..4 {
                g[k] = g[k].map(|value| value / six);
                g[0] = sub(g[0], g[k]);
            }
            for (k, slot) in pattern.slots(tet).enumerate() {
                let (a, b) = (g[k / 4], g[k % 4]);
                let mut block = [[0.0; 3]; 3];
                for i in 0..3 {
                    for j in 0..3 {
                        let shear = a[j] * b[i] + if i == j { dot(a, b) } else { 0.0 };
                        block[i][j] = six.abs() / 6.0 * (self.lame[0] * a[i] * b[j] + self.lame[1] * shear);
                    }
                }
                put(slot, block);
            }
        }
        matrix
    }

    /// A load that varies slowly, and one without any order.
    fn loads<T: Number>(&self) -> [Vec<[T; 3]>; 2] {
        let mut noise = Noise(3);
        let smooth =
            self.rest.iter().zip(&self.mass).map(|(p, m)| [0.2 * m, -m * (p[0] - 0.3), 0.4 * m * p[2]]);
        let smooth = smooth.map(|f| f.map(T::of)).collect();
        [smooth, self.rest.iter().map(|_| [(); 3].map(|()| T::of(noise.next()))).collect()]
    }
}

fn iterations<T: Number>(
    problem: &Problem,
    pattern: &BlockPattern,
    settings: Settings,
    tolerance: f64,
) -> [usize; 2] {
    let matrix = problem.matrix::<T>(pattern);
    let mut hierarchy = Hierarchy::new(pattern, settings);
    let mut system = hierarchy.refresh(&matrix).unwrap();
    problem.loads().map(|rhs| {
        let mut x = vec![[T::ZERO; 3]; rhs.len()];
        system.solve(&rhs, &mut x, tolerance, 500).unwrap().iterations
    })
}

fn report(problem: &Problem, coarsening: Coarsening) {
    let settings = Settings { coarsening, ..Settings::default() };
    let pattern = problem.pattern();
    let matrix = problem.matrix::<f32>(&pattern);
    let start = Instant::now();
    let mut hierarchy = Hierarchy::new(&pattern, settings);
    let setup = start.elapsed();
    let [smooth, _] = problem.loads();
    let mut x = vec![[0.0f32; 3]; smooth.len()];
    let per_node = |seconds: f64| 1e6 * seconds / pattern.rows() as f64;
    let (mut refresh, mut solve) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..std::env::var("REPEAT").map_or(7, |n| n.parse().unwrap()) {
        let start = Instant::now();
        let mut system = hierarchy.refresh(&matrix).unwrap();
        refresh = refresh.min(start.elapsed().as_secs_f64());
        x.fill([0.0; 3]);
        let start = Instant::now();
        system.solve(&smooth, &mut x, 0.0, 2).unwrap();
        solve = solve.min(start.elapsed().as_secs_f64());
    }
    let sizes = hierarchy.level_sizes();
    let complexity = sizes.blocks.iter().sum::<usize>() as f64 / sizes.blocks[0] as f64;
    let [a2, b2] = iterations::<f32>(problem, &pattern, settings, 1e-2);
    let [a6, b6] = iterations::<f64>(problem, &pattern, settings, 1e-6);
    println!(
        "| {} | {coarsening:?} | {:?} | {complexity:.2} | {a2} / {b2} | {a6} / {b6} | {:.0} | {:.3} | {:.3} |",
        problem.name,
        sizes.nodes,
        setup.as_secs_f64() * 1e3,
        per_node(refresh),
        per_node(solve),
    );
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let all = std::env::args().nth(2).is_some();
    println!(
        "| problem | coarsening | nodes | blocks, of all levels to the finest | to 1e-2 (f32): smooth / rough | to 1e-6 (f64) | set-up, ms | refresh, µs per node | two iterations, µs per node |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let problems: [fn() -> Problem; 11] = [
        || block("block20, pins", 20, 0.0, 0.0, true, 10.0, 0.0),
        || block("block20, pins, 1/60 s", 20, 0.0, 0.0, true, 1.0, 0.0),
        || block("block20 jittered, 1/60 s", 20, 0.3, 0.0, false, 1.0, 0.0),
        || block("block20 jittered, pins, 1/60 s, tets", 20, 0.3, 0.0, true, 1.0, 1e8),
        || block("block20 graded 1:9, pins, 1/60 s", 20, 0.3, 0.8, true, 1.0, 0.0),
        || block("block44, pins", 44, 0.0, 0.0, true, 10.0, 0.0),
        || block("block44 jittered, 1/60 s, tets", 44, 0.3, 0.0, false, 1.0, 1e8),
        || sheet("sheet100 1e4", 100, 0.0, false, 1e4),
        || sheet("sheet100 1e4, pins", 100, 0.0, true, 1e4),
        || sheet("sheet100 wavy 1e4, pins", 100, 0.15, true, 1e4),
        || sheet("sheet100 1e6, pins", 100, 0.0, true, 1e6),
    ];
    for make in problems {
        let problem = make();
        if !problem.name.contains(&wanted) {
            continue;
        }
        report(&problem, Coarsening::Lattice);
        if all {
            report(&problem, Coarsening::Aggregates);
        }
    }
}
