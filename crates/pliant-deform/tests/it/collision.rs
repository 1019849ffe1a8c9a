//! Ray collision: out over a collider beneath, in before a pusher.

use nalgebra::Vector3;
use pliant_deform::{
    BindError, Collide, CollideSettings, Collider, DeformError, Deformer, FrameTime, Meetings,
};
use pliant_mesh::TriMesh;

const INSIDE: CollideSettings =
    CollideSettings { reach: 0.3, clearance: 0.0, meetings: Meetings::FromInside };

fn skin() -> TriMesh {
    TriMesh::grid([21, 21], [1.0, 1.0]).unwrap()
}

/// A ball of radius 0.2 m.
fn ball(y: f64) -> TriMesh {
    let ball = TriMesh::icosphere(0.2, 12).unwrap();
    ball.with_positions(ball.positions().iter().map(|p| p + Vector3::y() * y).collect()).unwrap()
}

fn collide(colliders: Vec<Collider>, settings: CollideSettings) -> Vec<Vector3<f64>> {
    let skin = skin();
    let mut x = skin.positions().to_vec();
    let mut collide = Collide::new(&skin, colliders, settings).unwrap();
    collide.deform(&FrameTime::default(), &mut x).unwrap();
    x
}

#[test]
fn skin_comes_out_over_a_ball() {
    let x = collide(vec![Collider::new(ball(0.0))], INSIDE);
    for (x, rest) in x.iter().zip(skin().positions()) {
        let from_axis = rest.norm();
        let expected = if from_axis < 0.2 { (0.04 - from_axis * from_axis).sqrt() } else { 0.0 };
        assert!((x.y - expected).abs() < 0.02, "{x} {expected}");
        assert_eq!([x.x, x.z], [rest.x, rest.z], "the normals of the sheet are upright");
    }
}

#[test]
fn a_pusher_presses_it_in() {
    let x = collide(vec![Collider::pusher(ball(0.1))], INSIDE);
    let lowest = x.iter().map(|x| x.y).fold(0.0, f64::min);
    assert!((lowest + 0.1).abs() < 0.01 && x.iter().all(|x| x.y <= 0.0), "{lowest}");
    let clear = collide(vec![Collider::pusher(ball(0.1))], CollideSettings { clearance: 0.02, ..INSIDE });
    let lower = clear.iter().map(|x| x.y).fold(0.0, f64::min);
    assert!((lower - lowest + 0.02).abs() < 1e-12);
}

#[test]
fn what_is_merely_near_catches_the_skin_only_as_published() {
    // Above the skin, within reach, but no vertex is in it.
    let near = || vec![Collider::new(ball(0.25))];
    assert!(collide(near(), INSIDE) == skin().positions());
    let any = collide(near(), CollideSettings { meetings: Meetings::Any, ..INSIDE });
    assert!(any.iter().any(|x| x.y > 0.2));
}

#[test]
fn the_reach_bounds_how_far_a_vertex_goes() {
    for reach in [0.0, 0.05, 0.1, 0.19] {
        let x = collide(vec![Collider::new(ball(0.0))], CollideSettings { reach, ..INSIDE });
        assert!(x.iter().all(|x| x.y <= reach));
    }
}

#[test]
fn only_candidates_are_looked_at() {
    let centre = 10 * 21 + 10;
    let x = collide(vec![Collider::new(ball(0.0)).candidates(vec![centre, 0, centre])], INSIDE);
    for (v, (x, rest)) in x.iter().zip(skin().positions()).enumerate() {
        assert_eq!(x != rest, v as u32 == centre);
    }
}

#[test]
fn of_several_colliders_the_farthest_meeting_counts_and_the_order_does_not() {
    let two = |swap: bool| {
        let mut list = vec![Collider::new(ball(0.0)), Collider::new(ball(-0.05))];
        if swap {
            list.reverse();
        }
        collide(list, INSIDE)
    };
    assert!(two(false) == two(true));
    assert!(two(false) == collide(vec![Collider::new(ball(0.0))], INSIDE));
}

#[test]
fn moving_colliders_are_where_they_are_at_that_time() {
    let skin = skin();
    let start = ball(-0.5);
    let places = start.positions().to_vec();
    let rising = Collider::new(start).animated(Box::new(move |time, x| {
        x.iter_mut().zip(&places).for_each(|(x, p)| *x = p + Vector3::y() * time);
    }));
    let mut collide = Collide::new(&skin, vec![rising], INSIDE).unwrap();
    for (time, height) in [(0.0, 0.0), (0.4, 0.1), (0.5, 0.2), (0.3, 0.0)] {
        let mut x = skin.positions().to_vec();
        collide.deform(&FrameTime { time, dt: 0.1 }, &mut x).unwrap();
        let top = x.iter().map(|x| x.y).fold(0.0, f64::max);
        assert!((top - height).abs() < 1e-3, "{time}: {top}");
    }
    let lost = Collider::new(ball(0.0)).animated(Box::new(|_, x| x[3].y = f64::NAN));
    let mut collide = Collide::new(&skin, vec![lost], INSIDE).unwrap();
    let error = collide.deform(&FrameTime::default(), &mut skin.positions().to_vec()).unwrap_err();
    assert_eq!(error, DeformError::NonFinite { what: "a collider".into(), vertex: 3 });
}

#[test]
fn normals_are_those_of_the_answer() {
    let skin = skin();
    let mut collide = Collide::new(&skin, vec![Collider::new(ball(0.0))], INSIDE).unwrap();
    let mut x = skin.positions().to_vec();
    collide.deform(&FrameTime::default(), &mut x).unwrap();
    let expected = pliant_deform::vertex_normals(&x, skin.triangles(), &skin.triangles_at_vertices());
    assert!(collide.normals() == expected);
    assert!(expected.iter().any(|n| n.y < 0.9));
}

#[test]
fn copies_of_a_vertex_go_together() {
    let skin = skin();
    let loose: Vec<_> = skin.triangles().iter().flatten().map(|&v| skin.positions()[v as usize]).collect();
    let triangles = (0..skin.triangles().len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let soup = TriMesh::new(loose.clone(), triangles).unwrap();
    let muscle = || vec![Collider::new(ball(0.0))];
    let whole = collide(muscle(), INSIDE);
    let mut x = loose;
    Collide::new(&soup, muscle(), INSIDE).unwrap().deform(&FrameTime::default(), &mut x).unwrap();
    let expected: Vec<_> = skin.triangles().iter().flatten().map(|&v| whole[v as usize]).collect();
    // The triangles around a vertex are summed in another order.
    assert!(x.iter().zip(&expected).all(|(a, b)| (a - b).norm() < 1e-12));
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let new = |settings, colliders| Collide::new(&skin(), colliders, settings).err().unwrap();
    assert!(matches!(new(CollideSettings { reach: -1.0, ..INSIDE }, vec![]), BindError::Number { .. }));
    assert!(matches!(
        new(CollideSettings { clearance: f64::NAN, ..INSIDE }, vec![]),
        BindError::Number { .. }
    ));
    let astray = Collider::new(ball(0.0)).candidates(vec![0, 441]);
    assert!(matches!(new(INSIDE, vec![astray]), BindError::NoVertex { index: 1, vertex: 441, .. }));
}
