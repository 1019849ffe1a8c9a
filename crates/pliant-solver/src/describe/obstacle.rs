//! [`Obstacle`]: a shape that particles cannot enter.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_mesh::{Aabb, ConvexHull, DistanceGrid, HeightField};

use crate::describe::motion::Motion;
use crate::error::obstacle::{ObstacleError, ObstacleParameter, ObstacleProblem};
use crate::error::value::Value;

/// A still or moving solid that bodies rest on, slide over and bounce off.
///
/// Obstacles are inequality constraints solved with all others, so they hold at the end of a substep and not
/// only before the solve.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_solver::Obstacle;
///
/// let floor = Obstacle::floor(0.0).friction(0.5).restitution(0.2);
/// let ball = Obstacle::sphere(Vector3::new(0.0, 1.0, 0.0), 0.5);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Obstacle {
    /// Its shape at rest.
    pub shape: Shape,
    /// Coefficient of static friction, at least the kinetic one.
    pub static_friction: f64,
    /// Coefficient of kinetic friction.
    pub kinetic_friction: f64,
    /// Share of the normal velocity that an impact gives back, in [0, 1].
    pub restitution: f64,
    /// How it moves.
    pub motion: Motion,
}

/// The shape of an [`Obstacle`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// The half-space below a plane: n·x ≥ offset is free.
    Plane {
        /// Normal into the free side; normalised when the simulation is built.
        normal: Vector3<f64>,
        /// Distance of the plane from the origin along the normal, m.
        offset: f64,
    },
    /// A ball.
    Sphere {
        /// Centre, m.
        centre: Vector3<f64>,
        /// Radius, m.
        radius: f64,
    },
    /// A solid box.
    Box {
        /// Centre, m.
        centre: Vector3<f64>,
        /// Half of the size along each axis, m.
        half_extents: Vector3<f64>,
    },
    /// The outside of a box: particles stay inside.
    Container {
        /// Smallest coordinates of the free space, m.
        min: Vector3<f64>,
        /// Largest coordinates of the free space, m.
        max: Vector3<f64>,
    },
    /// A rod with round ends: all points within a radius of a segment.
    Capsule {
        /// One end of the segment, m.
        from: Vector3<f64>,
        /// The other end, m; the same one makes it a ball.
        to: Vector3<f64>,
        /// Radius, m.
        radius: f64,
    },
    /// A convex solid.
    #[cfg_attr(feature = "serde", serde(skip))]
    Hull(Arc<ConvexHull>),
    /// Ground given by heights; there is nothing outside its grid.
    #[cfg_attr(feature = "serde", serde(skip))]
    HeightField(Arc<HeightField>),
    /// A solid of any shape, given by distances on a grid. Features smaller than a cell may be lost.
    #[cfg_attr(feature = "serde", serde(skip))]
    DistanceGrid(Arc<DistanceGrid>),
}

impl Obstacle {
    /// A still obstacle without friction or restitution.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self { shape, static_friction: 0.0, kinetic_friction: 0.0, restitution: 0.0, motion: Motion::Fixed }
    }

    /// A horizontal floor at the given height, m.
    #[must_use]
    pub fn floor(height: f64) -> Self {
        Self::plane(Vector3::y(), height)
    }

    /// The half-space n·x < offset.
    #[must_use]
    pub fn plane(normal: Vector3<f64>, offset: f64) -> Self {
        Self::new(Shape::Plane { normal, offset })
    }

    /// A ball.
    #[must_use]
    pub fn sphere(centre: Vector3<f64>, radius: f64) -> Self {
        Self::new(Shape::Sphere { centre, radius })
    }

    /// A solid box.
    #[must_use]
    pub fn solid_box(centre: Vector3<f64>, half_extents: Vector3<f64>) -> Self {
        Self::new(Shape::Box { centre, half_extents })
    }

    /// A container that particles cannot leave.
    #[must_use]
    pub fn container(min: Vector3<f64>, max: Vector3<f64>) -> Self {
        Self::new(Shape::Container { min, max })
    }

    /// A rod with round ends at `a` and `b`, m.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_solver::Obstacle;
    ///
    /// let rail = Obstacle::capsule(Vector3::new(-0.5, 1.0, 0.0), Vector3::new(0.5, 1.0, 0.0), 0.05).friction(0.3);
    /// ```
    #[must_use]
    pub fn capsule(a: Vector3<f64>, b: Vector3<f64>, radius: f64) -> Self {
        Self::new(Shape::Capsule { from: a, to: b, radius })
    }

    /// A convex solid.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::ConvexHull;
    /// use pliant_solver::Obstacle;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vector3::from);
    /// let wedge = Obstacle::hull(ConvexHull::new(&corners)?).friction(0.3);
    /// # Ok::<(), pliant_mesh::HullError>(())
    /// ```
    #[must_use]
    pub fn hull(hull: impl Into<Arc<ConvexHull>>) -> Self {
        Self::new(Shape::Hull(hull.into()))
    }

    /// Ground given by heights; there is nothing outside its grid.
    #[must_use]
    pub fn height_field(ground: impl Into<Arc<HeightField>>) -> Self {
        Self::new(Shape::HeightField(ground.into()))
    }

    /// A solid of any shape, given by distances on a grid. Features smaller than a cell may be lost.
    #[must_use]
    pub fn distance_grid(solid: impl Into<Arc<DistanceGrid>>) -> Self {
        Self::new(Shape::DistanceGrid(solid.into()))
    }

    /// Sets the static and kinetic coefficients of friction to one value.
    #[must_use]
    pub fn friction(self, coefficient: f64) -> Self {
        Self { static_friction: coefficient, kinetic_friction: coefficient, ..self }
    }

    /// Sets the coefficient of restitution.
    #[must_use]
    pub fn restitution(self, restitution: f64) -> Self {
        Self { restitution, ..self }
    }

    /// Sets the motion.
    #[must_use]
    pub fn motion(self, motion: Motion) -> Self {
        Self { motion, ..self }
    }

    /// Checks every number of the obstacle; `obstacle` is its number in the simulation.
    pub(crate) fn check(&self, obstacle: usize) -> Result<(), ObstacleError> {
        let refused = |problem| Err(ObstacleError { obstacle, problem });
        let wrong = |parameter, value: Value, expected| {
            refused(ObstacleProblem::Parameter { parameter, value, expected })
        };
        if let Some((parameter, value, expected)) = self.shape.problem() {
            return wrong(parameter, value, expected);
        }
        if !(self.kinetic_friction >= 0.0 && self.kinetic_friction.is_finite()) {
            return wrong(
                ObstacleParameter::KineticFriction,
                self.kinetic_friction.into(),
                "a number of at least 0",
            );
        }
        if !(self.static_friction >= self.kinetic_friction && self.static_friction.is_finite()) {
            return wrong(
                ObstacleParameter::StaticFriction,
                self.static_friction.into(),
                "a number of at least the kinetic friction",
            );
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return wrong(ObstacleParameter::Restitution, self.restitution.into(), "a number from 0 to 1");
        }
        match self.motion.problem(None) {
            Some(problem) => refused(problem.into()),
            None => Ok(()),
        }
    }
}

impl Shape {
    /// Number of its surfaces: a container has six.
    pub(crate) fn surfaces(&self) -> usize {
        if matches!(self, Self::Container { .. }) { 6 } else { 1 }
    }

    /// The box around it at rest, m; `None` if it has no bounds: a plane, and what is around a container.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        Some(match self {
            Self::Plane { .. } | Self::Container { .. } => return None,
            Self::Sphere { centre, radius } => Aabb { min: *centre, max: *centre }.grown(*radius),
            Self::Box { centre, half_extents } => {
                Aabb { min: centre - half_extents, max: centre + half_extents }
            }
            Self::Capsule { from, to, radius } => {
                Aabb { min: from.inf(to), max: from.sup(to) }.grown(*radius)
            }
            Self::Hull(hull) => hull.bounds(),
            Self::HeightField(ground) => ground.bounds(),
            Self::DistanceGrid(solid) => solid.bounds(),
        })
    }

    /// How thick it is where it is thinnest, m, from one side to the other; of a solid of any shape, where it is
    /// thickest. `None` if nothing is behind its surface: a plane, a container, ground.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_solver::Obstacle;
    ///
    /// let plate = Obstacle::solid_box(Vector3::zeros(), Vector3::new(0.5, 0.01, 0.5));
    /// assert_eq!(plate.shape.thickness(), Some(0.02));
    /// assert_eq!(Obstacle::floor(0.0).shape.thickness(), None);
    /// ```
    #[must_use]
    pub fn thickness(&self) -> Option<f64> {
        match self {
            Self::Plane { .. } | Self::Container { .. } | Self::HeightField(_) => None,
            Self::Sphere { radius, .. } | Self::Capsule { radius, .. } => Some(2.0 * radius),
            Self::Box { half_extents, .. } => Some(2.0 * half_extents.min()),
            Self::Hull(hull) => Some(hull.width()),
            Self::DistanceGrid(solid) => Some(2.0 * solid.depth()),
        }
    }

    /// What is wrong with its numbers: the parameter, its value, and what is expected.
    fn problem(&self) -> Option<(ObstacleParameter, Value, &'static str)> {
        use ObstacleParameter as Of;
        let finite = |v: &Vector3<f64>| v.iter().all(|c| c.is_finite());
        let not_finite =
            |name, v: &Vector3<f64>| (!finite(v)).then(|| (name, (*v).into(), "finite numbers, m"));
        let not_positive = |name, value: f64| {
            (!(value > 0.0 && value.is_finite())).then(|| (name, value.into(), "a positive number, m"))
        };
        match self {
            Self::Plane { normal, offset } => {
                if !(finite(normal) && normal.norm_squared() > 0.0) {
                    return Some((Of::Normal, (*normal).into(), "a direction of non-zero length"));
                }
                (!offset.is_finite()).then(|| (Of::Offset, (*offset).into(), "a finite number, m"))
            }
            Self::Sphere { centre, radius } => {
                not_finite(Of::Centre, centre).or_else(|| not_positive(Of::Radius, *radius))
            }
            Self::Box { centre, half_extents } => not_finite(Of::Centre, centre).or_else(|| {
                let positive = half_extents.iter().all(|&h| h > 0.0 && h.is_finite());
                (!positive).then(|| (Of::HalfExtents, (*half_extents).into(), "positive numbers, m"))
            }),
            Self::Container { min, max } => {
                let sound = finite(min) && finite(max) && (0..3).all(|k| min[k] < max[k]);
                (!sound).then_some((Of::Container, Value::Range([*min, *max]), "min < max in every axis"))
            }
            Self::Capsule { from, to, radius } => not_finite(Of::From, from)
                .or_else(|| not_finite(Of::To, to))
                .or_else(|| not_positive(Of::Radius, *radius)),
            // Checked when they were made.
            Self::Hull(_) | Self::HeightField(_) | Self::DistanceGrid(_) => None,
        }
    }
}
