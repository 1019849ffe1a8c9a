//! What does one projection cost, by kind of constraint and precision, one at a time and in lanes? One
//! thread, sweeps only, every kind alone on a mesh that swings about its rest shape.
#![allow(missing_docs, reason = "criterion's macros write the functions")]

use std::error::Error;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use nalgebra::Vector3;
use pliant_benches::scenes::{DT, SUBSTEPS, block, sheet};
use pliant_constraints::stitch::{
    VertexEdgeStitch, VertexTriangleStitch, VertexVertexStitch, stitch_edges, stitch_triangles,
    stitch_vertices,
};
use pliant_constraints::{
    BendDistance, Coincidence, Dihedral, Distance, Elastic, GlobalVolume, IsometricBending, Kind, Lame,
    LengthLimit, NeoHookeanTet, PointInTet, PointInTriangle, PointTarget, RestTriangle, StVkMembrane,
    StVkTet, StabilisedNeoHookeanTet, StretchLimit, TetVolume, Tether,
};
use pliant_mesh::{TetMesh, TriMesh};
use pliant_solver::{Assembly, Constraints, EnclosedVolume, Float, MatchedShape, Plan, Settings, Simulation};

type Result<T> = std::result::Result<T, Box<dyn Error>>;
type Points = Vec<Vector3<f64>>;

const GROUP: &str = "constraints";
/// Mass of a particle, kg.
const MASS: f64 = 1e-3;
/// Young's modulus, Pa, and Poisson's ratio.
const ELASTIC: (f64, f64) = (1e5, 0.3);
/// Height of the upper of two sheets that are tied together, m.
const APART: f64 = 0.01;

fn kinds(c: &mut Criterion) {
    all(c).expect("every kind can be simulated on the meshes of the benches");
}

fn all(c: &mut Criterion) -> Result<()> {
    springs(c)?;
    cloth(c)?;
    solids(c)?;
    attachments(c)?;
    stitches(c)?;
    groups(c)
}

/// About four thousand of each: they stay in the second-level cache.
fn solid() -> TetMesh {
    block(9)
}

fn cloth_mesh() -> TriMesh {
    sheet(46)
}

fn springs(c: &mut Criterion) -> Result<()> {
    let mesh = solid();
    let (x, edges) = (&raised(mesh.positions()), mesh.edges());
    let at = |e: &[u32; 2]| e.map(|v| x[v as usize]);
    bench(c, "distance", x, || group(&edges, |e| Ok(Distance::at_rest(&at(e))), 1e-4))?;
    bench(c, "length limit", x, || {
        group(&edges, |e| Ok(LengthLimit::within(Distance::at_rest(&at(e)).rest, 0.01, 0.01)?), 0.0)
    })
}

fn cloth(c: &mut Criterion) -> Result<()> {
    let mesh = cloth_mesh();
    let (x, hinges) = (&raised(mesh.positions()), mesh.hinges());
    let (wings, hinges, triangles) = (hinges.opposite_pairs(), hinges.stencils(), mesh.triangles());
    let (young, poisson) = ELASTIC;
    bench(c, "bend distance", x, || group(&wings, |e| Ok(BendDistance::at_rest(&points(x, e))), 1e-2))?;
    bench(c, "dihedral", x, || group(&hinges, |h| Ok(Dihedral::at_rest(&points(x, h))), 1e2))?;
    bench(c, "isometric bending", x, || {
        elastic(&hinges, |h| Ok(IsometricBending::elastic(&points(x, h), 1e-4)?))
    })?;
    let moduli = Lame::plane_stress(young, poisson)?;
    bench(c, "StVK membrane", x, || {
        elastic(triangles, |t| Ok(StVkMembrane::isotropic(&points(x, t), moduli, 1e-3)?))
    })?;
    bench(c, "stretch limit", x, || {
        group(triangles, |t| Ok(StretchLimit::within(&RestTriangle::new(&points(x, t))?, 0.01, 0.01)?), 0.0)
    })
}

fn solids(c: &mut Criterion) -> Result<()> {
    let mesh = solid();
    let (x, tets) = (&raised(mesh.positions()), mesh.tets());
    let (young, poisson) = ELASTIC;
    bench(c, "tet volume", x, || group(tets, |t| Ok(TetVolume::at_rest(&points(x, t))), 0.0))?;
    bench(c, "neo-Hookean tet", x, || {
        elastic(tets, |t| Ok(NeoHookeanTet::elastic(&points(x, t), young, poisson)?))
    })?;
    let moduli = Lame::solid(young, poisson)?;
    bench(c, "StVK tet", x, || elastic(tets, |t| Ok(StVkTet::elastic(&points(x, t), moduli)?)))
}

fn attachments(c: &mut Criterion) -> Result<()> {
    let mesh = cloth_mesh();
    let (x, triangles) = (&raised(mesh.positions()), mesh.triangles());
    let vertices: Vec<[u32; 1]> = (0..).take(x.len()).map(|v| [v]).collect();
    let at = |v: &[u32; 1]| x[v[0] as usize];
    bench(c, "point target", x, || group(&vertices, |v| Ok(PointTarget { target: at(v) }), 1e-4))?;
    bench(c, "tether", x, || {
        group(&vertices, |v| Ok(Tether { anchor: x[0], length: (at(v) - x[0]).norm() }), 0.0)
    })?;

    let (both, upper) = two_sheets(&mesh);
    let pairs: Vec<[u32; 2]> = vertices.iter().map(|&[v]| [v + upper, v]).collect();
    bench(c, "coincidence", &both, || group(&pairs, |_| Ok(Coincidence), 1e-4))?;
    let faces: Vec<[u32; 4]> = triangles.iter().map(|&[a, b, c]| [a + upper, a, b, c]).collect();
    bench(c, "point in triangle", &both, || {
        group(&faces, |_| Ok(PointInTriangle::new([0.5, 0.25, 0.25])), 1e-4)
    })?;

    // A point in the middle of every tetrahedron.
    let mesh = solid();
    let corners = raised(mesh.positions());
    let (mut x, n) = (corners.clone(), corners.len() as u32);
    let middle = |tet: &[u32; 4]| points(&corners, tet).iter().sum::<Vector3<f64>>() / 4.0;
    x.extend(mesh.tets().iter().map(middle));
    let inside: Vec<[u32; 5]> =
        (n..).zip(mesh.tets()).map(|(point, &[a, b, c, d])| [point, a, b, c, d]).collect();
    // Two dozen points pull at every corner: stiffer ones are more than a single iteration bears.
    bench(c, "point in tet", &x, || group(&inside, |_| Ok(PointInTet::new([0.25; 4])), 1e-1))
}

fn stitches(c: &mut Criterion) -> Result<()> {
    let mesh = cloth_mesh();
    let (x, upper) = two_sheets(&mesh);
    let below = mesh.positions().len();
    let pairs: Vec<[u32; 2]> = (0..).take(below).map(|v| [v + upper, v]).collect();
    let spring = VertexVertexStitch { stiffness: 1e4, rest_length: APART };
    let sewn = stitch_vertices(&pairs, x.len(), &[spring])?.apart;
    bench(c, "vertex–vertex stitch", &x, || {
        Ok(Constraints::new(GROUP, sewn.stencils.clone(), sewn.kinds.clone(), sewn.compliances.clone())?)
    })?;
    let edges: Vec<[u32; 3]> = mesh.edges().iter().map(|&[a, b]| [a + upper, a, b]).collect();
    let sewn = stitch_edges(&edges, &x, &[VertexEdgeStitch::default()])?;
    bench(c, "vertex–edge stitch", &x, || {
        Ok(Constraints::new(GROUP, sewn.stencils.clone(), sewn.kinds.clone(), sewn.compliances.clone())?)
    })?;
    let faces: Vec<[u32; 4]> = mesh.triangles().iter().map(|&[a, b, c]| [a + upper, a, b, c]).collect();
    let sewn = stitch_triangles(&faces, &x, &[VertexTriangleStitch::default()])?;
    let steady: Vec<_> = sewn.kinds.iter().map(|tet| StabilisedNeoHookeanTet(*tet)).collect();
    bench(c, "vertex–triangle stitch", &x, || {
        Ok(Constraints::new(GROUP, sewn.stencils.clone(), steady.clone(), sewn.compliances.clone())?)
    })
}

/// Constraints of many points: what counts is the cost by triangle or by vertex.
fn groups(c: &mut Criterion) -> Result<()> {
    let mesh = solid();
    let (x, triangles) = (&raised(mesh.positions()), mesh.boundary_triangles());
    let law = GlobalVolume { rest: mesh.volume(), factor: 1.0 };
    of_elements(c, "global volume, by triangle", x, Some(triangles.len()), || {
        let enclosed = EnclosedVolume { triangles: triangles.clone(), law, compliance: 0.0 };
        Ok(Constraints::volumes(GROUP, [enclosed])?)
    })?;
    of_elements(c, "shape matching, by vertex", x, Some(x.len()), || {
        let (vertices, masses) = ((0..).take(x.len()).collect(), vec![MASS; x.len()]);
        let shape = MatchedShape { vertices, rest: x.to_vec(), masses, compliance: 1e-6 };
        Ok(Constraints::shapes(GROUP, [shape])?)
    })
}

/// Constraints of one compliance.
fn group<K: Kind<N, M>, const N: usize, const M: usize>(
    stencils: &[[u32; N]],
    kind: impl Fn(&[u32; N]) -> Result<K>,
    compliance: f64,
) -> Result<Constraints> {
    let kinds = stencils.iter().map(kind).collect::<Result<_>>()?;
    Ok(Constraints::new(GROUP, stencils.to_vec(), kinds, vec![compliance])?)
}

/// Constraints whose compliance goes with their size.
fn elastic<K: Kind<N, M>, const N: usize, const M: usize>(
    stencils: &[[u32; N]],
    element: impl Fn(&[u32; N]) -> Result<Elastic<K>>,
) -> Result<Constraints> {
    let elements = stencils.iter().map(element).collect::<Result<Vec<_>>>()?;
    let kinds = elements.iter().map(|e| e.kind).collect();
    Ok(Constraints::new(GROUP, stencils.to_vec(), kinds, elements.iter().map(|e| e.compliance).collect())?)
}

fn points<const N: usize>(x: &[Vector3<f64>], stencil: &[u32; N]) -> [Vector3<f64>; N] {
    stencil.map(|v| x[v as usize])
}

/// Away from the planes of the axes, where what comes to rest would leave numbers too small for fast arithmetic.
fn raised(x: &[Vector3<f64>]) -> Points {
    x.iter().map(|x| x + Vector3::repeat(1.0)).collect()
}

/// A sheet and the same above it, with the number of the upper one's first vertex.
fn two_sheets(mesh: &TriMesh) -> (Points, u32) {
    let x = raised(mesh.positions());
    let above = x.iter().map(|x| x + Vector3::y() * APART);
    (x.iter().copied().chain(above).collect(), mesh.positions().len() as u32)
}

fn bench(
    c: &mut Criterion,
    name: &str,
    x: &[Vector3<f64>],
    constraints: impl Fn() -> Result<Constraints>,
) -> Result<()> {
    of_elements(c, name, x, None, constraints)
}

/// Measures a group of constraints in both orders and precisions. A throughput of one element is one
/// projection, or one of `elements` parts of one.
fn of_elements(
    c: &mut Criterion,
    name: &str,
    x: &[Vector3<f64>],
    elements: Option<usize>,
    constraints: impl Fn() -> Result<Constraints>,
) -> Result<()> {
    let mut group = c.benchmark_group(name);
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400));
    // A pool of one: the calling thread would otherwise hand work to as many as there are.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for (plan, how) in [(Plan::Sequential, "scalar"), (Plan::Clustered, "lanes")] {
        measure(&mut group, &pool, how, simulation::<f32>(x, plan, constraints()?)?, elements);
        measure(&mut group, &pool, how, simulation::<f64>(x, plan, constraints()?)?, elements);
    }
    group.finish();
    Ok(())
}

fn measure<T: Float>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    pool: &rayon::ThreadPool,
    how: &str,
    mut sim: Simulation<T>,
    elements: Option<usize>,
) {
    let projections = elements.unwrap_or_else(|| sim.plan().iter().map(|group| group.active).sum());
    group.throughput(Throughput::Elements(projections as u64 * u64::from(SUBSTEPS)));
    let swept = |sim: &Simulation<T>| sim.sweep_times().map(|(_, time)| time).sum::<Duration>();
    group.bench_function(format!("{how}, {}", T::NAME), |b| {
        b.iter_custom(|frames| {
            let before = swept(&sim);
            for _ in 0..frames {
                pool.install(|| sim.advance(DT))
                    .expect("elastic bodies near their rest shape do not break down");
            }
            swept(&sim) - before
        });
    });
}

/// Free particles without gravity, thrown a little this way and that: nothing but the constraints moves them.
fn simulation<T: Float>(x: &[Vector3<f64>], plan: Plan, constraints: Constraints) -> Result<Simulation<T>> {
    let thrown = |i: usize| {
        // The golden ratio scatters evenly.
        let part = |k: usize| 2e-4 * ((3 * i + k) as f64 * 0.618_033_988_749_895).fract() - 1e-4;
        Vector3::new(part(0), part(1), part(2))
    };
    let mut assembly = Assembly::new(x.to_vec(), vec![1.0 / MASS; x.len()])?;
    assembly.velocities((0..x.len()).map(thrown).collect())?;
    assembly.add(constraints);
    assembly.settings(Settings {
        substeps: SUBSTEPS,
        plan,
        gravity: Vector3::zeros(),
        ..Settings::default()
    });
    Ok(assembly.build()?)
}

criterion_group!(benches, kinds);
criterion_main!(benches);
