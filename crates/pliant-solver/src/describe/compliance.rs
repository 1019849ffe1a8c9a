//! [`Compliance`] and [`Stiffness`]: how strongly something resists, as types that distinguish the two
//! meanings of a number.

/// How far something gives way under a unit of load: the inverse of a [`Stiffness`].
///
/// The unit depends on the quantity that gives way:
///
/// | what | compliance | stiffness |
/// |---|---|---|
/// | a length: edges, pins, attachments, contacts, shapes | m/N | N/m |
/// | an angle: bending | rad²/J | J/rad² |
/// | a volume: tetrahedra, pressure | m³/Pa | Pa/m³ |
///
/// Zero is [rigid](Self::RIGID). A call whose name says what it takes, such as
/// [`Pin::compliance`](crate::Pin::compliance), also takes a bare number.
/// [`Body::stretch`](crate::Body::stretch) and similar calls do not, because the number could mean either. A
/// number that is negative, infinite or NaN is an error when the simulation is built, with the name of the
/// body.
///
/// ```
/// use pliant_solver::{Compliance, Stiffness};
///
/// let edge = Compliance::new(0.0005); // m/N
/// assert_eq!(edge, Stiffness::new(2000.0).into());
/// assert_eq!(edge.stiffness(), Stiffness::new(2000.0));
/// assert_eq!(Compliance::RIGID.value(), 0.0);
/// ```
///
/// A resistance without a unit of measure does not compile:
///
/// ```compile_fail
/// # let mesh = pliant_mesh::TriMesh::grid([3, 3], [1.0, 1.0]).unwrap();
/// pliant_solver::Body::cloth(mesh).stretch(1e-6);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Compliance(f64);

impl Compliance {
    /// Zero: as stiff as the solver's substeps allow.
    pub const RIGID: Self = Self(0.0);

    /// A compliance in the [unit](Self) of what gives way.
    #[must_use]
    pub const fn new(value: f64) -> Self {
        Self(value)
    }

    /// The number, in the [unit](Self) of what gives way.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.0
    }

    /// The inverse; infinite for a rigid compliance.
    #[must_use]
    pub const fn stiffness(self) -> Stiffness {
        Stiffness(1.0 / self.0)
    }
}

impl From<Stiffness> for Compliance {
    fn from(stiffness: Stiffness) -> Self {
        stiffness.compliance()
    }
}

/// For calls whose names say that they take a compliance.
impl From<f64> for Compliance {
    fn from(value: f64) -> Self {
        Self(value)
    }
}

/// The load per unit of deformation: the inverse of a [`Compliance`], which lists the units.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Simulation, Stiffness};
///
/// // A net of springs of 20 kN/m.
/// let net = Body::cloth(TriMesh::grid([6, 6], [1.0, 1.0])?).name("net").stretch(Stiffness::new(2e4));
/// assert!(Simulation::builder().body(net.clone()).build().is_ok());
/// let error = Simulation::builder().body(net.stretch(Stiffness::new(-2e4))).build().unwrap_err();
/// assert!(error.to_string().contains("net"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Stiffness(f64);

impl Stiffness {
    /// A stiffness in the [unit](Compliance) of what resists.
    #[must_use]
    pub const fn new(value: f64) -> Self {
        Self(value)
    }

    /// The number, in the [unit](Compliance) of what resists.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.0
    }

    /// The inverse; zero for an infinite stiffness.
    #[must_use]
    pub const fn compliance(self) -> Compliance {
        Compliance(1.0 / self.0)
    }
}

impl From<Compliance> for Stiffness {
    fn from(compliance: Compliance) -> Self {
        compliance.stiffness()
    }
}
