//! Constraints of your own kind on bodies, with functions that built-in kinds do not use.

use nalgebra::Vector3;
use pliant_constraints::{Constraint, Distance, Kind, Real, norm};
use pliant_mesh::TriMesh;
use pliant_solver::{
    Assembly, Body, BuildError, Compliance, ConstraintError, Constraints, CustomConstraints, Float, Lanes,
    LiveError, Pin, Plan, ProjectionRule, Simulation, SimulationBuilder, Stiffness,
};

const DT: f64 = 1.0 / 60.0;

/// The logarithmic strain of an edge, C = ln(L/L₀).
#[derive(Debug, Clone, Copy)]
struct LogStrain<T> {
    rest: T,
}

impl<T: Real> Constraint<T, 2> for LogStrain<T> {
    #[inline(always)]
    fn value(&self, x: &[Vector3<T>; 2]) -> T {
        (norm(&(x[1] - x[0])) / self.rest).ln()
    }

    #[inline(always)]
    fn value_and_gradient(&self, x: &[Vector3<T>; 2]) -> (T, [Vector3<T>; 2]) {
        let d = x[1] - x[0];
        let gradient = d / d.dot(&d);
        (self.value(x), [-gradient, gradient])
    }
}

impl Kind<2, 1> for LogStrain<f64> {
    type At<T: Real> = LogStrain<T>;
    const UNIT: &'static str = "1";
    const REST: usize = 1;

    #[inline(always)]
    fn constraint(&self) -> Self {
        *self
    }
    #[inline(always)]
    fn rest_of<T: Real>(constraint: &LogStrain<T>, rest: &mut [T]) {
        rest[0] = constraint.rest;
    }
    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> LogStrain<T> {
        LogStrain { rest: rest[0] }
    }
}

const N: usize = 9;

fn sheet(name: &str, height: f64) -> Body {
    let mesh = TriMesh::grid([N, N], [0.5, 0.5]).unwrap().translated([0.0, height, 0.0]).unwrap();
    Body::cloth(mesh).name(name).stretch(Compliance::new(1e-2))
}

/// Stiffness along the rows of a sheet, J.
fn strains(stiffness: f64) -> CustomConstraints {
    let n = u32::try_from(N).unwrap();
    let rows = (0..n).flat_map(|row| (0..n - 1).map(move |i| [n * row + i, n * row + i + 1]));
    let rows: Vec<_> = rows.collect();
    let kinds = vec![LogStrain { rest: 0.5 / f64::from(n - 1) }; rows.len()];
    CustomConstraints::within("log strains", "sheet", rows, kinds).compliance(Stiffness::new(stiffness))
}

fn scene() -> SimulationBuilder {
    Simulation::builder().body(sheet("sheet", 0.0).pin_vertices([0, 8])).constraints(strains(20.0))
}

fn hash<T: Float>(builder: SimulationBuilder) -> u64 {
    let mut sim = builder.build_as::<T>().unwrap();
    (0..20).for_each(|_| sim.advance(DT).unwrap());
    sim.state_hash()
}

#[test]
fn every_width_of_lanes_gives_the_same_bits() {
    assert_eq!(hash::<f32>(scene()), hash::<f32>(scene().lanes(Lanes::Portable)));
    assert_eq!(hash::<f64>(scene()), hash::<f64>(scene().lanes(Lanes::Portable)));
    assert_eq!(hash::<f64>(scene().plan(Plan::Ordered)), hash::<f64>(scene().plan(Plan::Sequential)));
    let without = Simulation::builder().body(sheet("sheet", 0.0).pin_vertices([0, 8]));
    assert_ne!(hash::<f64>(scene()), hash::<f64>(without));
}

/// A weight of mass m on a rod of logarithmic strain rests where k ln(L/L₀)/L = m g.
#[test]
fn a_weight_rests_where_the_force_of_a_logarithmic_strain_is_its_own() {
    let (stiffness, pull) = (40.0, 0.05 * 9.81);
    let mut rod = Assembly::new(vec![Vector3::zeros(), -Vector3::y()], vec![1.0, 20.0]).unwrap();
    let kinds = vec![LogStrain { rest: 1.0 }];
    let constraints = Constraints::new("rod", vec![[0, 1]], kinds, vec![1.0 / stiffness]).unwrap();
    rod.add(constraints.with_damping(0.3).unwrap());
    rod.pin(Pin::vertices([0]));
    let mut sim = rod.build::<f64>().unwrap();
    (0..1200).for_each(|_| sim.advance(DT).unwrap());
    let length = -sim.positions()[1].y;
    assert!(length > 1.01, "{length} m");
    assert!((stiffness * length.ln() / length / pull - 1.0).abs() < 1e-3, "{length} m");
}

/// Constraints on bodies are constraints on their particles.
#[test]
fn vertices_of_several_bodies_become_their_particles() {
    let rod =
        CustomConstraints::between("rod", ["lower", "upper"], vec![[3, 3]], vec![Distance { rest: 0.4 }]);
    let builder = Simulation::builder()
        .body(sheet("upper", 0.3).pin_vertices([0, 8]))
        .body(sheet("lower", 0.0))
        .constraints(rod);
    let mut sim = builder.clone().build_as::<f64>().unwrap();
    (0..30).for_each(|_| sim.advance(DT).unwrap());
    let first = sim.body_ranges()[1].particles.start;
    let length = (sim.position(first + 3) - sim.position(3)).norm();
    assert!((length - 0.4).abs() < 1e-3, "{length} m");
    let by_number = CustomConstraints::between("rod", [1, 0], vec![[3, 3]], vec![Distance { rest: 0.4 }]);
    let other = Simulation::builder()
        .body(sheet("upper", 0.3).pin_vertices([0, 8]))
        .body(sheet("lower", 0.0))
        .constraints(by_number);
    assert_eq!(hash::<f64>(builder), hash::<f64>(other));

    // Bodies cannot be removed while constraints act on them.
    let lower = sim.body("lower").unwrap();
    assert_eq!(sim.remove_body(lower).map(drop), Err(LiveError::Tied { body: "lower".into() }));
}

#[test]
fn compliance_response_and_damping_are_those_of_the_group() {
    let softness = |own: CustomConstraints| {
        let builder = Simulation::builder().body(sheet("sheet", 0.0).pin_vertices([0, 8])).constraints(own);
        hash::<f64>(builder)
    };
    let list = vec![Stiffness::new(20.0); N * (N - 1)];
    assert_eq!(softness(strains(1.0).compliances(list)), softness(strains(20.0)));
    assert_ne!(softness(strains(1.0)), softness(strains(20.0)));
    assert_ne!(softness(strains(20.0).damping(0.1)), softness(strains(20.0)));
    let pbd = ProjectionRule::Pbd { stiffness: 0.5, iteration_independent: false };
    assert_ne!(softness(strains(20.0).rule(pbd)), softness(strains(20.0)));
}

#[test]
fn what_cannot_be_is_named() {
    let refused = |own: CustomConstraints| match Simulation::builder()
        .body(sheet("sheet", 0.0))
        .constraints(own)
        .build()
        .unwrap_err()
    {
        BuildError::Constraints(error) => error,
        other => panic!("{other}"),
    };
    let rod = |body: &str, stencil| {
        CustomConstraints::within("rod", body, vec![stencil], vec![Distance { rest: 1.0 }])
    };
    let error = refused(rod("shet", [0, 1]));
    assert!(
        error.to_string().contains("\"rod\" acts on body \"shet\"")
            && error.to_string().contains("\"sheet\"")
    );
    let error = refused(rod("sheet", [0, 81]));
    assert!(matches!(
        error,
        ConstraintError::VertexOutOfRange { constraint: 0, vertex: 81, vertices: 81, .. }
    ));
    assert!(matches!(refused(rod("sheet", [7, 7])), ConstraintError::RepeatedParticle { .. }));
    assert!(matches!(refused(rod("sheet", [0, 1]).compliance(-1.0)), ConstraintError::Compliance { .. }));
    assert!(matches!(refused(rod("sheet", [0, 1]).damping(f64::NAN)), ConstraintError::Relaxation { .. }));
    let counts = CustomConstraints::within("rod", 0, vec![[0, 1]], vec![Distance { rest: 1.0 }; 2]);
    assert!(matches!(refused(counts), ConstraintError::Counts { stencils: 1, kinds: 2, .. }));
}
