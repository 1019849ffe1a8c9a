//! [`Settings`]: how a simulation is solved.

use nalgebra::Vector3;
use pliant_kernel::Simd;

use crate::describe::book::{Multiplier, PredictionBounds};
use crate::describe::collide::{CrossingStart, PinchResponse};
use crate::describe::plan::Plan;
use crate::describe::sweep_order::SweepOrder;
use crate::describe::wind::Wind;
use crate::error::setting::{Setting, SettingError};
use crate::error::value::Value;

/// Settings of the solver. The default is accumulated XPBD with ten substeps of one iteration under the
/// gravity of the earth.
///
/// New settings come with new versions, so write the ones that differ and take the others from the default.
/// The struct is not `#[non_exhaustive]`, because that would forbid this form outside of the crate:
///
/// ```
/// use pliant_solver::Settings;
///
/// let settings = Settings { substeps: 40, certificate: true, ..Settings::default() };
/// assert_eq!(settings.iterations, 1);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Settings {
    /// Substeps per frame, at least 1. More substeps are worth more than more iterations (Macklin et al.,
    /// "Small steps", 2019).
    pub substeps: u32,
    /// Iterations per substep, at least 1.
    pub iterations: u32,
    /// Acceleration of gravity, m/s².
    pub gravity: Vector3<f64>,
    /// How errors are reduced.
    pub method: Method,
    /// Required accuracy of the answer of [`Method::Auto`] and [`Method::Newton`]. Default: 1e-2.
    ///
    /// * *Auto* chooses a method and substeps that leave residuals of at most this share of the elements'
    ///   size: see [`FrameReport::accuracy`](crate::FrameReport::accuracy).
    /// * *Newton* ends its steps when one is smaller than this share of the distance that forces move the
    ///   particles within a substep: approximately the relative error of the positions. It makes six at most, or a hundred
    ///   if less than 10⁻⁶ is asked for.
    pub accuracy: f64,
    /// Order in which constraints are projected within a group.
    pub plan: Plan,
    /// The direction in which a sweep goes through that order.
    pub order: SweepOrder,
    /// Seed of the directions of [`SweepOrder::Random`].
    pub seed: u64,
    /// Which instructions the clustered plan uses; the results are the same.
    pub lanes: Lanes,
    /// Whether multipliers are accumulated.
    pub multiplier: Multiplier,
    /// Rate at which motion other than rigid is damped, 1/s: velocities approach the rigid motion of their
    /// body as exp(−rate·t). Linear and angular momentum are conserved (Müller et al. 2007, section 3.5).
    pub damping: f64,
    /// Rate at which all velocities decay, 1/s, like a thick medium. This does *not* conserve momentum, and
    /// it slows free fall.
    pub drag: f64,
    /// Bounds applied to the prediction only, as the book does.
    pub prediction_bounds: PredictionBounds,
    /// Air that moves past triangles, if there is any.
    pub wind: Option<Wind>,
    /// Whether tetrahedra that have less than a twentieth of their volume, or are inside out, are opened again,
    /// whether they touch an obstacle or not. Solids with rigid edges and volumes do not need it. In all
    /// other solids it costs a check of the tetrahedra in every fourth substep and at the end of a frame. The
    /// theory is in the book, on the page about inversion. Default: true.
    pub recover: bool,
    /// What is done with surfaces that [collide](crate::Body::collide) and cross at the start.
    pub crossing_start: CrossingStart,
    /// What is done in a frame in which pins and obstacles leave surfaces that [collide](crate::Body::collide) no room.
    pub pinch: PinchResponse,
    /// The farthest that a held particle, of a pin or of an obstacle that is a mesh, goes in a substep, m: a frame in
    /// which it would go farther gets more substeps, up to 10 000. What such an obstacle pushes has to get out of its
    /// way as fast; two to four thicknesses are a good start. Four parts of every frame are looked at.
    /// Default: none, every frame has the [substeps](Self::substeps) of the settings.
    pub motion_limit: Option<f64>,
    /// Whether the simulation keeps the data for a complete certificate: predictions of the last substep of
    /// every frame, the work of contacts. Without it reports lack the residual of the equation of motion, the
    /// work of contacts and the bound on the error, and stepping has no extra cost. Default: false.
    pub certificate: bool,
}

/// How the errors of a substep are reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Method {
    /// Sweeps over the constraints. A sweep propagates a correction by one ring of elements, so large stiff
    /// bodies need many.
    #[default]
    Sweeps,
    /// Bodies whose edges are rigid are corrected as a whole before the first sweep of every substep, on
    /// coarse levels: centroids of overlapping patches, whose distances rigid edges imply. A block of 500 000
    /// tetrahedra then takes three substeps of a frame where sweeps alone take more than forty. Cloth is
    /// corrected where it is stretched too far and is free to fold. Elastic constraints, obstacles and
    /// contacts are swept as before.
    ///
    /// Linear and angular momentum are conserved. A correction removes energy, as a sweep does. The theory is
    /// in the book, on the page about coarse levels (after Müller, "Hierarchical Position Based Dynamics",
    /// 2008).
    ///
    /// ```
    /// use pliant_mesh::{Split, TetMesh};
    /// use pliant_solver::{Body, Method, Simulation};
    ///
    /// let block = TetMesh::block([8, 8, 8], [1.0, 1.0, 1.0], Split::Kuhn)?;
    /// let hung = Body::solid(block).pin(|x| x.y > 0.999);
    /// let mut sim = Simulation::builder().method(Method::Coarse).substeps(2).body(hung).build()?;
    /// let report = sim.step(1.0 / 60.0)?;
    /// assert!(report.stretch.is_some_and(|stretch| stretch.max.value < 0.01));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Coarse,
    /// Newton's method on the implicit step of every substep, after the [sweeps](Settings::iterations) and
    /// before one more: all elastic constraints are solved together, to the required
    /// [accuracy](Settings::accuracy). A substep costs as much as some tens of sweeps, and one or two substeps
    /// a frame are enough where sweeps need hundreds: use it for large stiff elastic bodies.
    ///
    /// Rigid constraints take part as stiff springs, with an accuracy below 10⁻³ by the method of multipliers; rigid volumes
    /// are softer springs always.
    /// Obstacles and contacts are swept as before, and the particles
    /// that they press on are held while the others move. The theory is in the book, on the page about Newton's
    /// method.
    ///
    /// ```
    /// use pliant_mesh::{Split, TetMesh};
    /// use pliant_solver::{Body, Continuum, Method, Simulation};
    ///
    /// let block = TetMesh::block([4, 4, 4], [1.0, 1.0, 1.0], Split::Kuhn)?;
    /// let hung = Body::solid(block).continuum(Continuum::neo_hookean(1e6, 0.4)).pin(|x| x.y > 0.999);
    /// let mut sim = Simulation::builder().method(Method::Newton).substeps(1).body(hung).build()?;
    /// sim.step(1.0 / 60.0)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Newton,
    /// In every frame the one of the other methods, with the number of substeps, that is expected to reach
    /// the [accuracy](Settings::accuracy) with the least work. The expectation is learnt from the residuals
    /// of earlier frames. A frame that misses the accuracy is undone and solved again, with three tries at
    /// most, and the best try is kept; [`FrameReport::choice`](crate::FrameReport::choice) reports the
    /// choice.
    ///
    /// The [substeps](Settings::substeps) of the settings are the fewest of sweeps; coarse levels take a
    /// quarter of them, and Newton's method a fifth, if that is enough. Everything depends only on the state,
    /// so the same scene gives the same bits.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Method, Simulation};
    ///
    /// let cloth = Body::cloth(TriMesh::grid([30, 30], [1.0, 1.0])?).pin_vertices([0, 29]);
    /// let mut sim = Simulation::builder().method(Method::Auto).accuracy(0.02).body(cloth).build()?;
    /// let report = sim.step(1.0 / 60.0)?;
    /// assert!(report.accuracy().unwrap().value <= 0.02);
    /// assert!(report.choice.unwrap().reached);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Auto,
}

impl Method {
    /// Its name in scenes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sweeps => "sweeps",
            Self::Coarse => "coarse",
            Self::Newton => "newton",
            Self::Auto => "auto",
        }
    }
}

/// Which instructions the lanes of [`Plan::Clustered`] and [`Plan::Ordered`] use. The state is the same to
/// the last bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Lanes {
    /// The widest that the processor has: AVX2, else portable.
    #[default]
    Auto,
    /// Instructions that every processor has; for comparison.
    Portable,
}

impl Lanes {
    /// The lanes of this processor.
    pub(crate) fn simd(self) -> Simd {
        match self {
            Self::Auto => Simd::detect(),
            Self::Portable => Simd::portable(),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            substeps: 10,
            iterations: 1,
            gravity: Vector3::new(0.0, -9.81, 0.0),
            method: Method::Sweeps,
            accuracy: 1e-2,
            plan: Plan::Auto,
            order: SweepOrder::Auto,
            seed: 0,
            lanes: Lanes::Auto,
            multiplier: Multiplier::Accumulated,
            damping: 0.0,
            drag: 0.0,
            prediction_bounds: PredictionBounds::None,
            wind: None,
            recover: true,
            crossing_start: CrossingStart::Release,
            pinch: PinchResponse::Report,
            motion_limit: None,
            certificate: false,
        }
    }
}

impl Settings {
    /// The most substeps of a frame that [`motion_limit`](Self::motion_limit) asks for, and that a scene may.
    pub const MOST_SUBSTEPS: u32 = 10_000;

    /// Whether the work of a run is summed up: for a certificate, or for the [choice](Method::Auto) of a
    /// method, which compares energies.
    pub(crate) fn is_monitored(&self) -> bool {
        self.certificate || self.method == Method::Auto
    }

    /// Settings of the book's cloth program: 15 substeps of one iteration, g = 9.8, multipliers forgotten,
    /// the floor applied to the prediction only, in the order given, and nothing that opens inverted
    /// tetrahedra.
    #[must_use]
    pub fn book_cloth() -> Self {
        Self {
            substeps: 15,
            iterations: 1,
            gravity: Vector3::new(0.0, -9.8, 0.0),
            method: Method::Sweeps,
            plan: Plan::Sequential,
            multiplier: Multiplier::Forgotten,
            prediction_bounds: PredictionBounds::Floor,
            recover: false,
            ..Self::default()
        }
    }

    /// Settings of the book's soft body program: 10 substeps of five iterations, g = 9.8, multipliers
    /// forgotten, predictions clamped to the box x, z ∈ [−2.5, 2.5], y ∈ [0, 5], in the order given.
    #[must_use]
    pub fn book_solid() -> Self {
        Self {
            substeps: 10,
            iterations: 5,
            prediction_bounds: PredictionBounds::Box {
                min: Vector3::new(-2.5, 0.0, -2.5),
                max: Vector3::new(2.5, 5.0, 2.5),
            },
            ..Self::book_cloth()
        }
    }

    /// Checks that every setting is valid.
    ///
    /// # Errors
    ///
    /// Names the setting, its value and what was expected.
    pub fn check(&self) -> Result<(), SettingError> {
        let wrong = |setting, value: Value, expected| Err(SettingError { setting, value, expected });
        let rate = |value: f64| value >= 0.0 && value.is_finite();
        if self.method == Method::Coarse && matches!(self.plan, Plan::Sequential | Plan::Ordered) {
            let expected =
                "\"sweeps\" where the plan is the order of the book: coarse levels are solved in clusters";
            return wrong(Setting::Method, Value::Choice(self.method.name()), expected);
        }
        if matches!(self.method, Method::Newton | Method::Auto)
            && (matches!(self.plan, Plan::Sequential | Plan::Ordered)
                || self.multiplier == Multiplier::Forgotten)
        {
            let expected = "\"sweeps\" where the plan or the multipliers are those of the book: they have no implicit step";
            return wrong(Setting::Method, Value::Choice(self.method.name()), expected);
        }
        if !(self.accuracy > 0.0 && self.accuracy < 1.0) {
            return wrong(Setting::Accuracy, self.accuracy.into(), "a share above 0 and below 1");
        }
        if self.substeps == 0 {
            return wrong(Setting::Substeps, 0.0.into(), "at least 1");
        }
        if let Some(limit) = self.motion_limit.filter(|limit| !(*limit > 0.0 && limit.is_finite())) {
            return wrong(Setting::MotionLimit, limit.into(), "a way above 0, m");
        }
        if self.iterations == 0 {
            return wrong(Setting::Iterations, 0.0.into(), "at least 1");
        }
        if !self.gravity.iter().all(|g| g.is_finite()) {
            return wrong(Setting::Gravity, self.gravity.into(), "finite numbers, m/s²");
        }
        if !rate(self.damping) {
            return wrong(Setting::Damping, self.damping.into(), "a rate of at least 0, 1/s");
        }
        if !rate(self.drag) {
            return wrong(Setting::Drag, self.drag.into(), "a rate of at least 0, 1/s");
        }
        if let PredictionBounds::Box { min, max } = self.prediction_bounds
            && !(0..3).all(|k| min[k] <= max[k])
        {
            return wrong(Setting::PredictionBounds, Value::Range([min, max]), "min ≤ max in every axis");
        }
        if let Some(wind) = &self.wind {
            if !wind.velocity.iter().all(|v| v.is_finite()) {
                return wrong(Setting::WindVelocity, wind.velocity.into(), "finite numbers, m/s");
            }
            for (name, value) in [
                (Setting::WindDensity, wind.density),
                (Setting::WindDrag, wind.drag),
                (Setting::WindLift, wind.lift),
            ] {
                if !rate(value) {
                    return wrong(name, value.into(), "at least 0");
                }
            }
        }
        Ok(())
    }
}
