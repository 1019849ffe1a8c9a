//! The stack: envelopes, order, state, reports, errors, threads.

use nalgebra::Vector3;
use pliant_deform::{
    BindError, Collide, CollideSettings, Collider, DeformError, Deformer, DeltaMush, DeltaMushSettings,
    FrameTime, Jiggle, JiggleSettings, Layer, Meetings, Relax, RelaxSettings, Smooth, SmoothSettings, Stack,
};
use pliant_mesh::TriMesh;

/// Moves everything by a metre along x, and counts.
struct Shift(u32);

impl Deformer for Shift {
    fn kind(&self) -> &'static str {
        "shift"
    }
    fn vertex_count(&self) -> Option<usize> {
        None
    }
    fn deform(&mut self, _: &FrameTime, x: &mut [Vector3<f64>]) -> Result<(), DeformError> {
        self.0 += 1;
        x.iter_mut().for_each(|x| x.x += 1.0);
        Ok(())
    }
    fn reset(&mut self) {
        self.0 = 0;
    }
}

/// Breaks one vertex.
struct Break;

impl Deformer for Break {
    fn kind(&self) -> &'static str {
        "break"
    }
    fn vertex_count(&self) -> Option<usize> {
        None
    }
    fn deform(&mut self, _: &FrameTime, x: &mut [Vector3<f64>]) -> Result<(), DeformError> {
        x[2].y = f64::INFINITY;
        Ok(())
    }
}

fn sheet() -> TriMesh {
    TriMesh::grid([3, 2], [1.0, 1.0]).unwrap()
}

#[test]
fn envelope_and_weights_multiply() {
    let mesh = sheet();
    let mut stack = Stack::new(&mesh);
    let weights = vec![0.0, 0.25, 0.5, 1.0, 1.0, 0.0];
    stack.push(Layer::new(Shift(0)).envelope(0.5).weights(weights.clone())).unwrap();
    stack.push(Layer::new(Shift(0))).unwrap();
    let out = stack.run(&FrameTime::default(), mesh.positions()).unwrap();
    for v in 0..6 {
        assert!((out[v].x - mesh.positions()[v].x - 1.0 - 0.5 * weights[v]).abs() < 1e-15);
    }
}

#[test]
fn layers_can_be_reached_and_reset() {
    let mesh = sheet();
    let mut stack = Stack::new(&mesh);
    let place = stack.push(Layer::new(Shift(0))).unwrap();
    for _ in 0..3 {
        stack.run(&FrameTime::default(), mesh.positions()).unwrap();
    }
    assert_eq!(stack.get_mut::<Shift>(place).unwrap().0, 3);
    assert!(stack.get_mut::<Break>(place).is_none() && stack.get_mut::<Shift>(9).is_none());
    stack.reset();
    assert_eq!(stack.get_mut::<Shift>(place).unwrap().0, 0);
}

#[test]
fn every_layer_is_measured() {
    let ball = TriMesh::icosphere(1.0, 4).unwrap();
    let mut stack = Stack::new(&ball);
    stack.push(Layer::new(Smooth::new(&ball, SmoothSettings::default()).unwrap()).named("soften")).unwrap();
    stack.push(Layer::new(Shift(0))).unwrap();
    let (_, report) = stack.run_measured(&FrameTime::default(), ball.positions()).unwrap();
    assert_eq!((report[0].name.as_str(), report[1].name.as_str()), ("soften", "shift"));
    assert_eq!(report[0].before.rms, 0.0);
    assert!(report[0].after.rms > 1e-4 && report[0].volume_ratio.unwrap() < 0.999);
    assert_eq!(report[1].before, report[0].after);
    assert!((report[1].volume_ratio.unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn errors_say_where() {
    let mesh = sheet();
    let mut stack = Stack::new(&mesh);
    let x = mesh.positions().to_vec();
    assert!(matches!(
        stack.run(&FrameTime::default(), &x[1..]),
        Err(DeformError::Count { found: 5, expected: 6, .. })
    ));
    let mut lost = x.clone();
    lost[4].z = f64::NAN;
    let error = stack.run(&FrameTime::default(), &lost).unwrap_err();
    assert_eq!(error, DeformError::NonFinite { what: "the input".into(), vertex: 4 });
    for frame in [FrameTime { time: f64::NAN, dt: 0.0 }, FrameTime { time: 0.0, dt: -1.0 }] {
        assert!(matches!(stack.run(&frame, &x), Err(DeformError::Time { .. })));
    }
    stack.push(Layer::new(Break).named("hammer")).unwrap();
    let error = stack.run(&FrameTime::default(), &x).unwrap_err();
    assert_eq!(error.to_string(), "behind the layer \"hammer\": the position of vertex 2 is not finite");

    let mut stack = Stack::new(&mesh);
    let other = Jiggle::new(7, JiggleSettings::default()).unwrap();
    assert!(matches!(stack.push(Layer::new(other)), Err(BindError::Count { found: 7, .. })));
    assert!(stack.push(Layer::new(Break).envelope(1.1)).is_err());
    assert!(stack.push(Layer::new(Break).weights(vec![1.0; 5])).is_err());
    assert!(stack.is_empty());
}

/// Everything, on a mesh that is large enough for several threads.
fn all(threads: usize) -> Vec<Vector3<f64>> {
    let skin = TriMesh::grid([160, 150], [1.0, 1.0]).unwrap();
    let ball = TriMesh::icosphere(0.3, 8).unwrap();
    let settings = CollideSettings { reach: 0.4, clearance: 0.01, meetings: Meetings::FromInside };
    let mut stack = Stack::new(&skin);
    stack.push(Layer::new(Collide::new(&skin, vec![Collider::new(ball)], settings).unwrap())).unwrap();
    stack.push(Layer::new(Relax::new(&skin, RelaxSettings::default()).unwrap()).envelope(0.9)).unwrap();
    stack.push(Layer::new(Smooth::new(&skin, SmoothSettings::default()).unwrap())).unwrap();
    stack.push(Layer::new(DeltaMush::new(&skin, DeltaMushSettings::default()).unwrap())).unwrap();
    stack.push(Layer::new(Jiggle::of_mesh(&skin, JiggleSettings::default()).unwrap())).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut out = Vec::new();
        for frame in 0..3 {
            let time = f64::from(frame) / 24.0;
            let x: Vec<_> = skin.positions().iter().map(|p| p + Vector3::y() * time).collect();
            out = stack.run(&FrameTime { time, dt: 1.0 / 24.0 }, &x).unwrap();
        }
        out
    })
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let one = all(1);
    assert!(one == all(4));
    assert!(one.iter().any(|x| x.y > 0.2));
}
