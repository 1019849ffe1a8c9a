//! [`ContactPair`]: how two bodies meet, in place of their own settings.

use crate::describe::collide::problem;
use crate::describe::compliance::Compliance;
use crate::error::contact::ContactError;

/// How two bodies meet, in place of their own [`Collide`](crate::Collide). Give the same name twice for
/// contact of a body with itself.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Collide, ContactPair, Simulation};
///
/// let sheet = |name: &str, height| {
///     let mesh = TriMesh::grid([8, 8], [0.2, 0.2]).unwrap().translated([0.0, height, 0.0]).unwrap();
///     Body::cloth(mesh).name(name).contact_radius(0.0015).collide(Collide::new().friction(0.3))
/// };
/// let sim = Simulation::builder()
///     .body(sheet("silk", 0.02))
///     .body(sheet("table", 0.0).pin(|_| true))
///     .contact_pair(ContactPair::new("silk", "table").friction(0.05))
///     .build()?;
/// # assert_eq!(sim.len(), 128);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ContactPair {
    pub(crate) bodies: [String; 2],
    pub(crate) friction: Option<[f64; 2]>,
    pub(crate) restitution: Option<f64>,
    pub(crate) compliance: Option<f64>,
}

impl ContactPair {
    /// A pair of bodies, by their names, that changes nothing yet.
    #[must_use]
    pub fn new(first: impl Into<String>, second: impl Into<String>) -> Self {
        let bodies = [first.into(), second.into()];
        Self { bodies, friction: None, restitution: None, compliance: None }
    }

    /// Coefficient of friction, for sticking and for sliding.
    #[must_use]
    pub fn friction(self, coefficient: f64) -> Self {
        self.friction_of(coefficient, coefficient)
    }

    /// Coefficients of friction for sticking, and for sliding, which is not above it.
    #[must_use]
    pub fn friction_of(self, sticking: f64, sliding: f64) -> Self {
        Self { friction: Some([sticking, sliding]), ..self }
    }

    /// Coefficient of restitution, in [0, 1]: see [`Collide::restitution`](crate::Collide::restitution).
    #[must_use]
    pub fn restitution(self, restitution: f64) -> Self {
        Self { restitution: Some(restitution), ..self }
    }

    /// Compliance of a contact, m/N: see [`Collide::compliance`](crate::Collide::compliance).
    #[must_use]
    pub fn compliance(self, compliance: impl Into<Compliance>) -> Self {
        Self { compliance: Some(compliance.into().value()), ..self }
    }

    /// The places of its bodies among `names`, the names of the bodies that collide; `pair` is its own number.
    pub(crate) fn places(&self, pair: usize, names: &[&str]) -> Result<[u32; 2], ContactError> {
        let bodies = || self.bodies.clone();
        let (restitution, compliance) =
            (self.restitution.unwrap_or_default(), self.compliance.unwrap_or_default());
        if let Some((parameter, value, expected)) =
            problem(self.friction.unwrap_or_default(), restitution, compliance)
        {
            return Err(ContactError::Parameter { pair, bodies: bodies(), parameter, value, expected });
        }
        let mut places = [0; 2];
        for (place, name) in places.iter_mut().zip(&self.bodies) {
            let found = (0..).zip(names).find(|(_, known)| *known == name);
            (*place, _) = found.ok_or_else(|| ContactError::Unknown {
                pair,
                bodies: bodies(),
                unknown: name.clone(),
                known: names.iter().map(|&name| name.to_owned()).collect(),
            })?;
        }
        places.sort_unstable();
        Ok(places)
    }
}
