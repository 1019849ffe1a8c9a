//! A run that blows up stops with an error that names the place.

use nalgebra::Vector3;
use pliant_constraints::{Constraint, Distance, Kind, Real};
use pliant_solver::{Assembly, Constraints, Float, Plan, Settings, Simulation, StepError};

#[test]
fn an_overflow_names_vertex_frame_and_substep() {
    // Two bodies; the second falls so fast that its position overflows in the third substep.
    let mut a = Assembly::new(vec![Vector3::zeros(), Vector3::x(), Vector3::y()], vec![1.0; 3]).unwrap();
    a.body("calm", 0..2).body("wild", 2..3);
    a.velocities(vec![Vector3::zeros(), Vector3::zeros(), Vector3::x() * 1.6e308]).unwrap();
    a.settings(Settings { substeps: 4, gravity: Vector3::zeros(), ..Settings::default() });
    let mut sim = a.build::<f64>().unwrap();
    let error = sim.advance(1.6).unwrap_err();
    let StepError::NonFinite { frame, substep, body, vertex, .. } = &error else { panic!("{error}") };
    assert_eq!((*frame, *substep, body.as_str(), *vertex), (1, 3, "wild", 0), "{error}");
    let text = error.to_string();
    for word in ["frame 1", "substep 3", "vertex 0", "\"wild\""] {
        assert!(text.contains(word), "{text}");
    }
}

/// A distance with a defect: beyond twice the rest length its value is NaN.
#[derive(Debug, Clone, Copy)]
struct Brittle<T> {
    rest: T,
}

impl<T: Real> Constraint<T, 2> for Brittle<T> {
    fn value(&self, x: &[Vector3<T>; 2]) -> T {
        let stretch = Distance { rest: self.rest }.value(x);
        let broken = T::zero() / T::zero();
        T::select(self.rest.lt(stretch), broken, stretch)
    }
    fn value_and_gradient(&self, x: &[Vector3<T>; 2]) -> (T, [Vector3<T>; 2]) {
        (self.value(x), Distance { rest: self.rest }.value_and_gradient(x).1)
    }
}

impl Kind<2, 1> for Brittle<f64> {
    type At<T: Real> = Brittle<T>;
    const UNIT: &'static str = "m";
    const REST: usize = 1;
    fn constraint(&self) -> Self {
        *self
    }
    fn rest_of<T: Real>(constraint: &Brittle<T>, rest: &mut [T]) {
        rest[0] = constraint.rest;
    }
    fn from_rest<T: Real>(rest: &[T]) -> Brittle<T> {
        Brittle { rest: rest[0] }
    }
}

/// Five pairs of particles joined by brittle links, the fourth of which is torn apart.
fn torn<T: Float>(plan: Plan) -> Simulation<T> {
    let x = (0..10).map(|i| Vector3::new(f64::from(i % 2), f64::from(i / 2), 0.0)).collect();
    let mut a = Assembly::new(x, vec![1.0; 10]).unwrap();
    let mut v = vec![Vector3::zeros(); 10];
    v[7] = Vector3::x() * 35.0;
    a.velocities(v).unwrap();
    let links: Vec<_> = (0..5).map(|i| [2 * i, 2 * i + 1]).collect();
    a.add(Constraints::new("calm", links.clone(), vec![Distance { rest: 1.0 }; 5], vec![1.0]).unwrap());
    a.add(Constraints::new("links", links, vec![Brittle { rest: 1.0 }; 5], vec![1e3]).unwrap());
    a.body("pairs", 0..10);
    a.settings(Settings { plan, gravity: Vector3::zeros(), ..Settings::default() });
    a.build().unwrap()
}

fn check<T: Float>(plan: Plan) {
    let mut sim = torn::<T>(plan);
    let error = (0..60).find_map(|_| sim.advance(1.0 / 60.0).err()).expect("it tears within a second");
    let StepError::NonFinite { frame, substep, body, vertex, element } = &error else { panic!("{error}") };
    // 1 m at 35 m/s takes 1/35 s: the second frame, the eighth of its ten substeps.
    assert_eq!((*frame, *substep), (2, 8), "{plan:?}: {error}");
    assert_eq!((body.as_str(), *vertex), ("pairs", 6), "{plan:?}: {error}");
    let (group, constraint) = element.as_ref().expect("an element is named");
    assert_eq!(*constraint, 3, "{plan:?}: {error}");
    assert!(group == "calm" || group == "links");
    assert!(error.to_string().contains("constraint 3 of group"), "{error}");
}

#[test]
fn a_constraint_that_is_not_a_number_is_named() {
    for plan in [Plan::Sequential, Plan::Ordered, Plan::Clustered] {
        check::<f64>(plan);
        check::<f32>(plan);
    }
}

#[test]
fn a_time_step_that_is_none_is_refused() {
    let mut sim = torn::<f64>(Plan::Auto);
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(sim.advance(dt), Err(StepError::TimeStep { .. })), "{dt}");
    }
    assert_eq!(sim.frame(), 0, "nothing has happened");
}
