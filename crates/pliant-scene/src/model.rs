//! The data of a scene file: plain structures of numbers within their bounds.
//!
//! [`SceneModel`] is the file; its tables are the structures below it. What a table may hold is written here
//! once: the parser rejects every other key, the [JSON schema](crate::schema) for editors is made from these
//! types, and their documentation is what an editor shows.
//!
//! The type of a number states its bound and its unit ([`Positive`], [`NonNegative`], [`UnitInterval`], …),
//! that of a whole number its least and its largest value ([`Count`]). Such a number cannot be made out of
//! its bounds, and the parser, the schema and the message of an error all follow from its type.
//!
//! A table in which *exactly one of* several keys must be given (a material, the shape of a pin) has them all
//! as options; the checks that follow parsing say which are missing or too many, with their place in the
//! file.

mod animation;
mod body;
pub mod bound;
mod bounded;
mod collide;
mod cone;
mod count;
mod direction;
mod group;
mod hold;
mod material;
mod mesh;
mod motion;
mod number;
mod obstacle;
mod one_or_each;
mod out_of_bounds;
mod output;
mod physical;
mod pin;
mod region;
mod repair;
mod scene;
mod seam;
mod solid;
mod solver;
mod stage;
mod tie;
mod transform;
pub mod unit;
mod vector;

pub use animation::AnimationModel;
pub use body::{BodyModel, Masses, ShrinkModel};
pub(crate) use bounded::SolidPoisson;
pub use bounded::{
    Accuracy, Bounded, ComplianceNumber, Elevation, FieldOfView, FileScale, Finite, GasExponent, NonNegative,
    Poisson, Positive, Sector, StiffnessNumber, UnitInterval,
};
pub use collide::{CollideBodyModel, CollideTable, ContactModel};
pub use cone::ConeModel;
pub use count::{Count, Frames, Parts, Steps};
pub use direction::{Direction, DirectionError};
pub use group::{GroupModel, GroupTable};
pub use hold::{
    Limited, PressureModel, ShapeModel, StrainLimitModel, TethersModel, TethersTable, ValueQuantity,
    ValuesModel, VaryModel,
};
pub(crate) use material::Resistance;
pub use material::{
    BendingForm, BendingModel, ElasticityModel, ElasticityTable, RigidWord, VolumesModel, VolumesTable,
};
pub use mesh::{
    BallModel, BlockModel, BoundaryModel, Caps, CylinderModel, Diagonals, DiscModel, GridModel,
    IcosphereModel, MeshModel, MeshTable, SolidCylinderModel, SolidTorusModel, SphereModel, Split,
    TetrahedralizeModel, TorusModel, Unreferenced, VisualModel,
};
pub use motion::{
    CacheSpace, FollowedJoint, InterpolationModel, KeyframeModel, MotionModel, MotionStart, SpinModel,
};
pub use obstacle::{
    BallShape, BoxShape, CapsuleShape, ContainerShape, FloorShape, FrictionModel, ObstacleModel, PlaneShape,
    SeparateFriction,
};
pub use out_of_bounds::OutOfBounds;
pub use output::{CameraModel, Field, Format, OutputModel, PicturesModel, Pixels, SimulationMesh};
pub use physical::{MaterialModel, MaterialTable, SolidLaw};
pub use pin::PinModel;
pub use region::{RegionModel, SelectBox, SelectHalfSpace, SelectSphere};
pub use repair::{KeepModel, KeepWord, RepairModel, RepairSteps, RepairWord};
pub use scene::{AcceptModel, Precision, SceneModel};
pub use seam::{SeamModel, SeamPairs};
pub use solid::{HeightFieldShape, HeightsModel, HullShape, SdfShape, SpacingModel};
pub use solver::{
    CategoryModel, CrossingStartModel, DirectionModel, LanesModel, MethodModel, MultiplierModel, OrderModel,
    OrderTable, PinchModel, PlanModel, Preset, SolverModel, WindModel,
};
pub use stage::{StageModel, UntilModel};
pub use tie::{AttachmentModel, PerPair, StitchModel, StitchTo};
pub use transform::{AxisAngle, Rotation, ScaleModel, UvScaleModel};
pub use vector::{Vec3, Vector};
