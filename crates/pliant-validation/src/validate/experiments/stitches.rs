//! Stitches: the published scenes, statics, and the forces that they transmit.

use nalgebra::{Rotation3, Vector3};
use pliant_constraints::stitch::{
    VertexEdgeStitch, VertexTriangleStitch, VertexVertexStitch, stitch_edges, stitch_triangles,
};
use pliant_mesh::{TriMesh, vertex_edge_pairs};
use pliant_solver::{Body, Compliance, Motion, Pairs, Pin, Simulation, Stitch};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::Table;
use super::super::number::short;
use crate::problem::Problem;
use crate::scenes::Scheme;
use crate::scenes::hung_vertex::HungVertex;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "stitches",
    title: "Stitches",
    what: "
The vertex–edge stitch of libuipc is a triangle of StVK membrane, its vertex–triangle stitch a neo-Hookean tetrahedron. Its own test scenes give four pairs, energies and forces (libuipc, *soft vertex
edge stitch* and *soft vertex triangle stitch*). (Ψ = μ tr(E²) + ½λ tr²(E) takes the trace of the square of a matrix that is not symmetric; with the Frobenius norm in its place Ψ would be 24 973.6292 Pa.) A weight that hangs by a stitch
sags as the root of a scalar equation says. And in whole simulations a moving rim drags a sheet that is sewn to its own by stitches of each sort.
",
    measure,
};

const LIBUIPC: &str = "libuipc's test scene";

fn v(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

fn measure(_: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    vertex_edge(&mut findings)?;
    vertex_triangle(&mut findings)?;
    statics(&mut findings)?;
    sorts(&mut findings)?;
    Ok(findings)
}

/// t = d = 0.1 m, E = 1 MPa, ν = 0.49.
fn thick() -> VertexEdgeStitch {
    VertexEdgeStitch { thickness: 0.1, min_separate_distance: 0.1, ..VertexEdgeStitch::default() }
}

fn vertex_edge(findings: &mut Findings) -> Result<(), Problem> {
    let points = [v(0.25, 0.5, 0.0), v(0.5, 0.3, 0.0), v(0.75, 0.4, 0.0), v(0.5, 0.0, 0.0)];
    let edge = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    let pairs = vertex_edge_pairs(&points, &edge, &[[0, 1]], 1.0)?;
    findings.check(
        Check::near("vertex–edge, pairs within 1 m", 4.0, pairs.len() as f64, 0.0)
            .from(LIBUIPC)
            .drifting(0.0),
    );
    let moduli = thick().moduli;
    findings.check(Check::near("vertex–edge, λ (Pa)", 644_821.687_1, moduli.lambda, 5.1e-5).from(LIBUIPC));
    findings.check(Check::near("vertex–edge, μ (Pa)", 335_570.469_8, moduli.mu, 5.1e-5).from(LIBUIPC));
    let all = [&points[..], &edge[..]].concat();
    let stencils: Vec<[u32; 3]> = pairs.iter().map(|pair| [pair.vertex, 4, 5]).collect();
    let stitches = stitch_edges(&stencils, &all, &[thick()])?;
    // The modulus of the rows is the largest entry of K.
    let modulus = (moduli.lambda + 2.0 * moduli.mu).max(4.0 * moduli.mu);
    for (n, (compliance, height)) in stitches.compliances.iter().zip([0.5, 0.3, 0.4, 0.1]).enumerate() {
        let name = format!("vertex–edge, pair {}, volume 2tA₀ (m³)", n + 1);
        findings.check(
            Check::near(name, 0.1 * height, 1.0 / (compliance * modulus), 1e-15)
                .from("heights of the rest triangles"),
        );
    }

    let rest = [points[0], edge[0], edge[1]];
    let x = [rest[0] + v(0.05, -0.1, 0.02), rest[1], rest[2]];
    let energy = thick().energy(&rest)?;
    findings.check(
        Check::near("pair 1 displaced, Ψ (Pa)", 21_644.716_410_1, energy.density(&x), 1e-6).from(LIBUIPC),
    );
    findings.check(
        Check::near("pair 1 displaced, E (J)", 1_082.235_820_5, energy.energy(&x), 1e-6).from(LIBUIPC),
    );
    let gradient = energy.gradient(&x);
    for (j, expected) in
        [v(1063.2978, -18339.255, -916.96276), v(4651.1383, 12412.159, 620.60797)].into_iter().enumerate()
    {
        let off = (gradient[j] - expected).norm();
        let name = format!("pair 1 displaced, distance of G{j} from the published one (N)");
        findings.check(Check::at_most(name, 1e-3, off).from(LIBUIPC));
    }
    let rows = thick().element(&rest)?;
    let off = (rows.energy(&x) / energy.energy(&x) - 1.0).abs();
    findings.check(
        Check::at_most("the solver's rows, relative difference of the energy", 1e-12, off)
            .from("the same energy"),
    );

    let turn = Rotation3::from_euler_angles(0.7, -1.1, 2.3);
    let shape = thick().rest_positions(&rest)?;
    let moved = shape.map(|p| turn * p + v(3.0, -2.0, 1.0));
    let scale = moduli.mu * 0.1;
    let force = energy.gradient(&moved).iter().map(nalgebra::Matrix::norm).fold(0.0, f64::max) / scale;
    let name = "rigid motion of the rest shape, largest force over μtL";
    findings.check(Check::at_most(name, 1e-10, force).from("stress-free"));
    let name = "rigid motion of the rest shape, energy over μtL²";
    findings.check(Check::at_most(name, 1e-10, energy.energy(&moved).abs() / scale).from("stress-free"));
    Ok(())
}

fn vertex_triangle(findings: &mut Findings) -> Result<(), Problem> {
    let points = [v(0.25, 0.5, 0.25), v(0.5, 0.7, 0.1), v(0.1, 0.6, 0.5), v(0.3, 1.0, 0.3)];
    let all = [&points[..], &[v(0.0, 1.0, 0.0), v(1.0, 1.0, 0.0), v(0.0, 1.0, 1.0)]].concat();
    let stitch = VertexTriangleStitch { min_separate_distance: 0.1, ..VertexTriangleStitch::default() };
    let stitches = stitch_triangles(&[0, 1, 2, 3].map(|vertex| [vertex, 4, 5, 6]), &all, &[stitch])?;
    for (n, (compliance, part)) in stitches.compliances.iter().zip([12.0, 20.0, 15.0, 60.0]).enumerate() {
        // α = 1/(μV₀).
        let volume = 1.0 / (compliance * stitch.moduli.mu);
        let name = format!("vertex–triangle, pair {}, V₀ (m³)", n + 1);
        findings.check(Check::near(name, 1.0 / part, volume, 1e-14).from(LIBUIPC));
    }
    Ok(())
}

/// Height at rest, μ, λ, half-thickness, mass, and the height of equilibrium below an edge of 1 m.
const STATICS: [[f64; 6]; 4] = [
    [0.1, 1e4, 2e4, 0.01, 0.05, 0.100_122_400_181_245_75],
    [0.2, 1e3, 0.0, 0.02, 0.02, 0.200_973_875_207_411_58],
    [0.05, 5e4, 1e5, 0.005, 0.2, 0.050_097_812_792_566_705],
    [0.3, 2e3, 4e3, 0.01, 0.1, 0.303_613_211_450_896_76],
];

fn statics(findings: &mut Findings) -> Result<(), Problem> {
    for (n, [height, mu, lambda, thickness, mass, expected]) in STATICS.into_iter().enumerate() {
        let rest = [[0.0, -height, 0.0], [-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]];
        let scene = HungVertex { rest, mu, lambda, thickness, min_separate_distance: 0.0, mass, g: 9.81 };
        let sag = expected - height;
        let name = format!("weight {} that hangs by a stitch, sag (m)", n + 1);
        let found = -scene.settle(Scheme::sweeps(10))? - height;
        findings.check(Check::near(name, sag, found, 1e-3 * sag).from("root of a scalar equation"));
    }
    Ok(())
}

/// A sheet that stands upright with its lower edge at a height, m, and its lower row at y = 0 of that.
fn sheet(at: [f64; 3]) -> Result<TriMesh, Problem> {
    let grid = TriMesh::grid([5, 5], [0.4, 0.4])?;
    let x = grid.positions().iter().map(|x| Vector3::new(x.x, 0.2 - x.z, 0.0) + Vector3::from(at)).collect();
    Ok(grid.with_positions(x)?)
}

fn sorts(findings: &mut Findings) -> Result<(), Problem> {
    let near = 0.0101;
    let springs = [VertexVertexStitch { stiffness: 1e4, rest_length: 0.0 }];
    let solid =
        VertexTriangleStitch { min_separate_distance: 0.01, ..VertexTriangleStitch::elastic(1e4, 0.3)? };
    let sorts = [
        ("vertex–vertex", Stitch::vertices("lower", "upper", Pairs::within(near), springs).keep_distance()),
        (
            "vertex–edge",
            Stitch::edges("lower", "upper", Pairs::within(near), [VertexEdgeStitch::elastic(1e6, 0.3)?]),
        ),
        ("vertex–triangle", Stitch::triangles("lower", "upper", Pairs::within(near), [solid])),
    ];
    let columns = ["stitch", "pairs", "dragged along, m", "height of the lower sheet, m", "widest gap, m"];
    let mut table = Table::new("A rim moves a metre in three seconds; after one second", columns);
    for (name, stitch) in sorts {
        let rim = Pin::select(|x| x.y > 0.4 - 1e-9).motion(Motion::linear(v(0.0, 0.0, 0.3)));
        let mut sim = Simulation::builder()
            .body(Body::cloth(sheet([0.0; 3])?).name("upper").stretch(Compliance::new(1e-5)).pin_with(rim))
            .body(Body::cloth(sheet([0.0, -0.4, 0.01])?).name("lower").stretch(Compliance::new(1e-5)))
            .stitch(stitch)
            .drag(1.0)
            .substeps(80)
            .build_as::<f64>()?;
        for _ in 0..60 {
            sim.advance(1.0 / 60.0)?;
        }
        let part = |n: usize| sim.positions_of(sim.body_ranges()[n].particles.clone());
        let (upper, lower) = (part(0), part(1));
        let mean = lower.iter().sum::<Vector3<f64>>() / lower.len() as f64;
        // The upper row of the lower sheet hangs on the lower row of the upper one.
        let row = |x: &TriMesh, y: f64| {
            (0..25).filter(|&i| (x.positions()[i].y - y).abs() < 1e-9).collect::<Vec<usize>>()
        };
        let (rest_upper, rest_lower) = (sheet([0.0; 3])?, sheet([0.0, -0.4, 0.01])?);
        let seam = row(&rest_lower, 0.0).into_iter().zip(row(&rest_upper, 0.0));
        let gap = seam.map(|(l, u)| (lower[l] - upper[u]).norm()).fold(0.0, f64::max);
        let of = |what: &str| format!("{name}, {what}");
        findings.check(
            Check::at_least(of("mean way that the lower sheet is dragged (m)"), 0.1, mean.z)
                .from("it follows the rim"),
        );
        findings.check(
            Check::between(of("mean height of the lower sheet (m)"), -0.35, -0.1, mean.y)
                .from("it hangs and does not fall"),
        );
        findings.check(Check::at_most(of("widest gap of the seam (m)"), 0.03, gap).from("the seam holds"));
        let pairs = sim
            .plan()
            .iter()
            .find(|group| group.name.contains("stitches"))
            .map_or(0, |group| group.constraints);
        table.row([name.to_owned(), pairs.to_string(), short(mean.z), short(mean.y), short(gap)]);
    }
    findings.tables.push(table);
    Ok(())
}
