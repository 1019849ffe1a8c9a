//! The settings of the solver.

use nalgebra::Vector3;
use pliant_solver::book::{Book, Multiplier};
use pliant_solver::{
    Category, CrossingStart, Lanes, Method, PinchResponse, Plan, Settings, Simulation, SimulationBuilder,
    SweepOrder, Wind,
};

use crate::model::{
    Bounded, CategoryModel, Count, CrossingStartModel, DirectionModel, LanesModel, MethodModel,
    MultiplierModel, OrderModel, PinchModel, PlanModel, Preset, SolverModel,
};

/// A builder with the settings of the preset, overridden by those of the scene.
pub(super) fn builder(model: &SolverModel) -> SimulationBuilder {
    let base = Simulation::builder();
    let base = match model.preset {
        None => base,
        Some(Preset::BookCloth) => base.book(Book::Cloth),
        Some(Preset::BookSolid) => base.book(Book::Solid),
    };
    let builder = base.settings(of(model));
    match model.order.as_ref().and_then(OrderModel::groups) {
        Some(order) => builder.order(order.iter().map(|&r| category(r))),
        None => builder,
    }
}

/// The settings: those of the preset, with what the scene says in their place.
pub(super) fn of(model: &SolverModel) -> Settings {
    let preset = match model.preset {
        None => Settings::default(),
        Some(Preset::BookCloth) => Settings::book_cloth(),
        Some(Preset::BookSolid) => Settings::book_solid(),
    };
    settings(model, &preset)
}

/// The solver's category for a group.
pub(super) fn category(model: CategoryModel) -> Category {
    match model {
        CategoryModel::Edges => Category::Edges,
        CategoryModel::Bending => Category::Bending,
        CategoryModel::Volumes => Category::Volumes,
        CategoryModel::Membranes => Category::Membranes,
        CategoryModel::Solids => Category::Solids,
        CategoryModel::Shapes => Category::Shapes,
        CategoryModel::Pressure => Category::Pressure,
        CategoryModel::Ties => Category::Ties,
        CategoryModel::Limits => Category::Limits,
    }
}

impl From<PlanModel> for Plan {
    fn from(plan: PlanModel) -> Self {
        match plan {
            PlanModel::Auto => Self::Auto,
            PlanModel::Sequential => Self::Sequential,
            PlanModel::Ordered => Self::Ordered,
            PlanModel::Clustered => Self::Clustered,
        }
    }
}

impl From<Plan> for PlanModel {
    fn from(plan: Plan) -> Self {
        match plan {
            Plan::Auto => Self::Auto,
            Plan::Sequential => Self::Sequential,
            Plan::Ordered => Self::Ordered,
            Plan::Clustered => Self::Clustered,
        }
    }
}

impl From<DirectionModel> for SweepOrder {
    fn from(direction: DirectionModel) -> Self {
        match direction {
            DirectionModel::Auto => Self::Auto,
            DirectionModel::Random => Self::Random,
            DirectionModel::Fixed => Self::Fixed,
            DirectionModel::Symmetric => Self::Symmetric,
        }
    }
}

impl From<SweepOrder> for DirectionModel {
    fn from(order: SweepOrder) -> Self {
        match order {
            SweepOrder::Auto => Self::Auto,
            SweepOrder::Random => Self::Random,
            SweepOrder::Fixed => Self::Fixed,
            SweepOrder::Symmetric => Self::Symmetric,
        }
    }
}

fn settings(model: &SolverModel, preset: &Settings) -> Settings {
    Settings {
        substeps: model.substeps.map_or(preset.substeps, Count::get),
        iterations: model.iterations.map_or(preset.iterations, Count::get),
        gravity: model.gravity.map_or(preset.gravity, Vector3::from),
        method: model.method.map_or(preset.method, |method| match method {
            MethodModel::Sweeps => Method::Sweeps,
            MethodModel::Coarse => Method::Coarse,
            MethodModel::Newton => Method::Newton,
            MethodModel::Auto => Method::Auto,
        }),
        accuracy: model.accuracy.map_or(preset.accuracy, Bounded::get),
        plan: model.plan.map_or(preset.plan, Plan::from),
        order: model.order.as_ref().and_then(OrderModel::direction).map_or(preset.order, SweepOrder::from),
        seed: model.seed.unwrap_or(preset.seed),
        damping: model.damping.map_or(preset.damping, Bounded::get),
        drag: model.drag.map_or(preset.drag, Bounded::get),
        multiplier: model.multiplier.map_or(preset.multiplier, |multiplier| match multiplier {
            MultiplierModel::Accumulated => Multiplier::Accumulated,
            MultiplierModel::Forgotten => Multiplier::Forgotten,
        }),
        wind: model.wind.as_ref().map(|wind| Wind {
            velocity: Vector3::from(wind.velocity),
            density: wind.density.get(),
            drag: wind.drag.get(),
            lift: wind.lift.get(),
        }),
        prediction_bounds: preset.prediction_bounds,
        recover: model.recover.unwrap_or(preset.recover),
        crossing_start: model.crossing_start.map_or(preset.crossing_start, |start| match start {
            CrossingStartModel::Release => CrossingStart::Release,
            CrossingStartModel::Refuse => CrossingStart::Refuse,
        }),
        pinch: model.pinch.map_or(preset.pinch, |response| match response {
            PinchModel::Report => PinchResponse::Report,
            PinchModel::Substep => PinchResponse::Substep,
            PinchModel::Stop => PinchResponse::Stop,
        }),
        motion_limit: model.motion_limit.map(Bounded::get).or(preset.motion_limit),
        lanes: model.lanes.map_or(preset.lanes, |lanes| match lanes {
            LanesModel::Auto => Lanes::Auto,
            LanesModel::Portable => Lanes::Portable,
        }),
        certificate: preset.certificate,
    }
}
