//! The operations on a simulation, compiled here once for each scalar.
//!
//! A generic function is compiled in the crate that calls it, with all that it calls: a program that builds a
//! simulation would compile the kernels again, and so would every test. Therefore the public generic
//! functions call the functions of [`Float`](crate::Float) that are listed here; these belong to `f32` or
//! `f64` and are code of this crate.

/// Calls `$each` with the list: name, arguments, result, and the generic function that does it.
macro_rules! entries {
    ($each:ident) => {
        $each! {
            build(assembly: Assembly) -> Result<Simulation<Self>, BuildError> = Assembly::build_here;
            advance(simulation: &mut Simulation<Self>, dt: f64) -> Result<(), StepError> = Simulation::advance_here;
            step_adaptively(
                adaptive: &mut Adaptive,
                simulation: &mut Simulation<Self>,
                certificate: &mut Certificate,
                dt: f64
            ) -> Result<AdaptiveStep, StepError> = Adaptive::step_here;
            report(simulation: &World<Self>) -> FrameReport = World::report_here;
            contacts(simulation: &World<Self>) -> Vec<SurfaceContact> = World::contacts_here;
            obstacle_contacts(simulation: &World<Self>) -> Vec<ObstacleContact> = World::obstacle_contacts_here;
            begin_certificate(simulation: &World<Self>) -> Certificate = Certificate::begin_here;
            state_hash(simulation: &World<Self>) -> u64 = World::state_hash_here;
            for_each_residual(simulation: &World<Self>, group: &str, look: &mut Look<'_>) -> bool =
                World::for_each_residual_here;
            reach_errors(simulation: &World<Self>, group: &str) -> Option<Vec<f64>> = World::reach_errors_here;
            record(simulation: &World<Self>) -> Record = World::record_here;
            replay(simulation: &mut World<Self>, record: &Record) -> Result<(), RecordError> = World::replay_here;
            pose(world: &mut World<Self>, positions: &[Vector3<f64>], frame: u64, time: f64) -> Result<(), RecordError> = World::pose_here;
            snapshot(simulation: &World<Self>) -> Snapshot<Self> = World::snapshot_here;
            regrab(world: &mut World<Self>, grabs: Vec<Grabbed>) -> () = World::regrab_here;
            restore(simulation: &mut Simulation<Self>, snapshot: &Snapshot<Self>) -> () = Simulation::restore_here;
            rebuild(simulation: &mut Simulation<Self>, scene: Scene, bodies: Vec<u64>) -> Result<(), LiveError> =
                Simulation::rebuild_here;
            refit(simulation: &mut Simulation<Self>) -> () = Simulation::refit_here;
            insert(simulation: &mut Simulation<Self>, after: &str, pass: Box<dyn Pass<Self>>) -> Result<(), PassError> =
                Simulation::insert_here;
            set_certificate(simulation: &mut World<Self>, on: bool) -> () = World::set_certificate_here;
            repin(world: &mut World<Self>) -> () = World::repin;
            resist(world: &mut World<Self>, group: &str, resistance: Resistance) -> Result<(), LiveError> = World::resist_here;
            take_medium(world: &mut World<Self>, medium: Option<Medium>) -> () = World::take_medium;
            add_obstacle(world: &mut World<Self>, obstacle: Obstacle) -> Result<ObstacleId, LiveError> =
                World::add_obstacle_here;
            remove_obstacle(world: &mut World<Self>, obstacle: ObstacleId) -> Result<(), LiveError> =
                World::remove_obstacle_here;
            give_motion(world: &mut World<Self>, obstacle: usize, motion: Motion) -> () = World::give_motion;
            #[cfg(feature = "serde")]
            to_bytes(snapshot: &Snapshot<Self>) -> Vec<u8> = Snapshot::to_bytes_here;
            #[cfg(feature = "serde")]
            from_bytes(bytes: &[u8], simulation: &World<Self>) -> Result<Snapshot<Self>, SnapshotError> =
                Snapshot::from_bytes_here;
        }
    };
}

/// The declarations.
macro_rules! declare {
    ($($(#[$only:meta])* $name:ident($($argument:ident: $of:ty),*) -> $out:ty = $does:expr;)*) => {
        $($(#[$only])* #[doc(hidden)] fn $name($($argument: $of),*) -> $out;)*
    };
}

/// The definitions for one scalar.
macro_rules! define {
    ($($(#[$only:meta])* $name:ident($($argument:ident: $of:ty),*) -> $out:ty = $does:expr;)*) => {
        $($(#[$only])* fn $name($($argument: $of),*) -> $out {
            $does($($argument),*)
        })*
    };
}
