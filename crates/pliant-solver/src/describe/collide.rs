//! [`Collide`]: how the surface of a body collides with others, and with itself.

use crate::describe::compliance::Compliance;
use crate::error::body::BodyProblem;
use crate::error::contact::ContactParameter;

/// What is done with surfaces that cross at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum CrossingStart {
    /// They are released, driven apart and reported.
    #[default]
    Release,
    /// The simulation is not built: [`ContactError::Crosses`](crate::ContactError::Crosses) names the first pair.
    Refuse,
}

/// What is done in a frame in which held particles (pins, obstacles) leave no room for what is between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum PinchResponse {
    /// It is [counted](crate::Tally::pinched).
    #[default]
    Report,
    /// The frame is stepped again from its start with twice as many substeps, and so on, up to 32 times as
    /// many; what is pinched then is counted. Crossings of particles that are all held are counted only:
    /// substeps do not change them.
    Substep,
    /// The step is an error, [`StepError::Pinched`](crate::StepError::Pinched), that names the first pair,
    /// and the simulation stays at the start of the frame.
    Stop,
}

/// How the surface of a body collides with the surfaces of others, and with itself: cloth with its triangles,
/// a solid with its boundary.
///
/// Two bodies meet if both collide and each is in a group that the other one hits. They keep the sum of their
/// [contact radii](crate::Body::contact_radius) as a distance; coefficients of friction and of restitution
/// are the geometric means of those of the two, unless a [`ContactPair`](crate::ContactPair) says otherwise.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Certificate, Collide, Compliance, Settings, Simulation};
///
/// let sheet = |height| {
///     let mesh = TriMesh::grid([8, 8], [0.2, 0.2]).unwrap();
///     let mesh = mesh.translated([0.0, height, 0.0]).unwrap();
///     Body::cloth(mesh).stretch(Compliance::new(1e-6)).contact_radius(0.0015)
/// };
/// let settings = Settings { certificate: true, ..Settings::default() };
/// let mut sim = Simulation::builder()
///     .settings(settings)
///     .body(sheet(0.0).collide(Collide::new().friction(0.3)).pin(|_| true))
///     .body(sheet(0.02).collide(Collide::new().friction(0.3)))
///     .build()?;
/// let mut certificate = Certificate::begin(&sim);
/// for _ in 0..30 {
///     certificate.take(&sim.step(1.0 / 60.0)?);
/// }
/// assert_eq!(certificate.worst("intersections").unwrap().value, 0.0);
/// assert!(sim.positions()[64..].iter().all(|x| x.y > 0.0029), "one lies on the other");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collide {
    pub(crate) itself: bool,
    pub(crate) static_friction: f64,
    pub(crate) kinetic_friction: f64,
    pub(crate) restitution: f64,
    pub(crate) compliance: f64,
    pub(crate) groups: u32,
    pub(crate) hits: u32,
}

impl Default for Collide {
    fn default() -> Self {
        Self {
            itself: true,
            static_friction: 0.0,
            kinetic_friction: 0.0,
            restitution: 0.0,
            compliance: 0.0,
            groups: 1,
            hits: u32::MAX,
        }
    }
}

impl Collide {
    /// Meets all others and itself, without friction.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the body meets itself.
    #[must_use]
    pub fn with_itself(self, itself: bool) -> Self {
        Self { itself, ..self }
    }

    /// Coefficient of friction, for sticking and for sliding.
    #[must_use]
    pub fn friction(self, coefficient: f64) -> Self {
        self.friction_of(coefficient, coefficient)
    }

    /// Coefficients of friction for sticking, and for sliding, which is not above it.
    #[must_use]
    pub fn friction_of(self, sticking: f64, sliding: f64) -> Self {
        Self { static_friction: sticking, kinetic_friction: sliding, ..self }
    }

    /// Coefficient of restitution e in [0, 1]: two surfaces that come together with a velocity separate with
    /// e times that velocity. This applies to the points that touch: a soft body also bounces because it is
    /// elastic, and loses energy of its surface to waves.
    #[must_use]
    pub fn restitution(self, restitution: f64) -> Self {
        Self { restitution, ..self }
    }

    /// Compliance of a contact of this body, m/N: padding, by which it gives way under pressure. For two
    /// bodies the sum counts. Zero, the default, keeps the distance.
    #[must_use]
    pub fn compliance(self, compliance: impl Into<Compliance>) -> Self {
        Self { compliance: compliance.into().value(), ..self }
    }

    /// The groups that the body is in, a bit each. By default the first.
    #[must_use]
    pub fn in_groups(self, groups: u32) -> Self {
        Self { groups, ..self }
    }

    /// The groups that it collides with, a bit each. By default all.
    #[must_use]
    pub fn hits(self, groups: u32) -> Self {
        Self { hits: groups, ..self }
    }

    /// Whether two bodies meet.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.groups & other.hits != 0 && other.groups & self.hits != 0
    }

    /// What is wrong with its numbers.
    pub(crate) fn check(&self) -> Result<(), (ContactParameter, BodyProblem)> {
        let Self { static_friction, kinetic_friction, restitution, compliance, .. } = *self;
        match problem([static_friction, kinetic_friction], restitution, compliance) {
            Some((parameter, value, expected)) => Err((parameter, BodyProblem::Number { value, expected })),
            None => Ok(()),
        }
    }
}

/// What is wrong with the numbers of contacts: which one, its value, and what is expected.
pub(crate) fn problem(
    [sticking, sliding]: [f64; 2],
    restitution: f64,
    compliance: f64,
) -> Option<(ContactParameter, f64, &'static str)> {
    let numbers = [
        (ContactParameter::StaticFriction, sticking, sticking >= 0.0, "a coefficient of at least 0"),
        (
            ContactParameter::KineticFriction,
            sliding,
            (0.0..=sticking).contains(&sliding),
            "a coefficient from 0 to the static one",
        ),
        (
            ContactParameter::Restitution,
            restitution,
            (0.0..=1.0).contains(&restitution),
            "a number from 0 to 1",
        ),
        (ContactParameter::Compliance, compliance, compliance >= 0.0, "0 (hard) or a positive number, m/N"),
    ];
    let wrong = numbers.into_iter().find(|(_, value, is_good, _)| !(*is_good && value.is_finite()))?;
    Some((wrong.0, wrong.1, wrong.3))
}
