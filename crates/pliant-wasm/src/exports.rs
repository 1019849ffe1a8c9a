//! The functions that a host calls, by plain C.
//!
//! There is one simulation in each instance of the module. A host that asks for memory reads or writes it
//! before its next call, which may move it.
#![allow(
    unsafe_code,
    reason = "names of exports are unique, which the compiler cannot check: this is all that is unchecked here"
)]

/// Makes room for so many bytes, and returns their place.
#[cfg(any(feature = "scenes", feature = "core"))]
fn room(bytes: &mut Vec<u8>, length: usize) -> *mut u8 {
    bytes.clear();
    bytes.resize(length, 0);
    bytes.as_mut_ptr()
}

/// Those of a [`Host`](crate::Host).
#[cfg(feature = "scenes")]
pub mod scenes {
    use std::cell::RefCell;

    use super::room;
    use crate::host::Host;

    thread_local! {
        static HOST: RefCell<Host> = RefCell::default();
    }

    fn with<R>(work: impl FnOnce(&mut Host) -> R) -> R {
        HOST.with_borrow_mut(work)
    }

    /// Makes room for a question of so many bytes, and returns the place to write them to.
    #[unsafe(no_mangle)]
    pub extern "C" fn pliant_input(length: usize) -> *mut u8 {
        with(|host| room(&mut host.input, length))
    }

    /// The place of the last answer.
    #[unsafe(no_mangle)]
    pub extern "C" fn pliant_output() -> *const u8 {
        with(|host| host.output.as_ptr())
    }

    /// Number of bytes of the last answer.
    #[unsafe(no_mangle)]
    pub extern "C" fn pliant_output_length() -> usize {
        with(|host| host.output.len())
    }

    /// [`Host::open`]: 1 if it could.
    #[unsafe(no_mangle)]
    pub extern "C" fn pliant_open() -> u32 {
        with(|host| host.open().into())
    }

    /// [`Host::act`]: 1 if it could.
    #[unsafe(no_mangle)]
    pub extern "C" fn pliant_act() -> u32 {
        with(|host| host.act().into())
    }

    /// [`Host::step`]: 1 if it could.
    #[unsafe(no_mangle)]
    pub extern "C" fn pliant_step(frames: u32) -> u32 {
        with(|host| host.step(frames).into())
    }

    /// [`Host::stage`].
    #[unsafe(no_mangle)]
    pub extern "C" fn pliant_stage() {
        with(Host::stage);
    }

    /// [`Host::frame`].
    #[unsafe(no_mangle)]
    pub extern "C" fn pliant_frame() {
        with(Host::frame);
    }

    /// The hash of the present state; 0 if there is none.
    #[unsafe(no_mangle)]
    pub extern "C" fn pliant_hash() -> u64 {
        with(|host| host.shown().map_or(0, pliant_view::Exhibit::state_hash))
    }

    /// The [version](pliant_view::Exhibit::version) of what is to be drawn; 0 if there is nothing.
    #[unsafe(no_mangle)]
    pub extern "C" fn pliant_version() -> f64 {
        with(|host| host.shown().map_or(0.0, |shown| shown.version() as f64))
    }

    /// The time that a frame should take, s; negative if it is paused.
    #[unsafe(no_mangle)]
    pub extern "C" fn pliant_pace() -> f64 {
        with(|host| match host.shown() {
            Some(shown) if shown.is_playing() => shown.pace(),
            _ => -1.0,
        })
    }
}

/// Those of a [`World`](crate::World).
#[cfg(feature = "core")]
pub mod core {
    use std::cell::RefCell;

    use super::room;
    use crate::World;

    thread_local! {
        static WORLD: RefCell<World> = RefCell::default();
    }

    fn with<R>(work: impl FnOnce(&mut World) -> R) -> R {
        WORLD.with_borrow_mut(work)
    }

    /// Makes room for a question of so many bytes, and returns the place to write them to.
    #[unsafe(no_mangle)]
    pub extern "C" fn core_input(length: usize) -> *mut u8 {
        with(|world| room(&mut world.input, length))
    }

    /// The place of the last answer.
    #[unsafe(no_mangle)]
    pub extern "C" fn core_output() -> *const u8 {
        with(|world| world.output.as_ptr())
    }

    /// Number of bytes of the last answer.
    #[unsafe(no_mangle)]
    pub extern "C" fn core_output_length() -> usize {
        with(|world| world.output.len())
    }

    /// [`World::cloth`]: 1 if it could.
    #[unsafe(no_mangle)]
    pub extern "C" fn core_cloth(vertices: usize) -> u32 {
        with(|world| world.cloth(vertices).into())
    }

    /// [`World::solid`]: 1 if it could.
    #[unsafe(no_mangle)]
    pub extern "C" fn core_solid(vertices: usize) -> u32 {
        with(|world| world.solid(vertices).into())
    }

    /// [`World::pin`]: 1 if it could.
    #[unsafe(no_mangle)]
    pub extern "C" fn core_pin() -> u32 {
        with(|world| world.pin().into())
    }

    /// [`World::say`]: 1 if it could.
    #[unsafe(no_mangle)]
    pub extern "C" fn core_say() -> u32 {
        with(|world| world.say().into())
    }

    /// [`World::advance`]: 1 if it could.
    #[unsafe(no_mangle)]
    pub extern "C" fn core_advance(frames: u32, dt: f64) -> u32 {
        with(|world| world.advance(frames, dt).into())
    }

    /// [`World::positions`]: 1 if it could.
    #[unsafe(no_mangle)]
    pub extern "C" fn core_positions(body: usize) -> u32 {
        with(|world| world.positions(body).into())
    }

    /// [`World::velocities`]: 1 if it could.
    #[unsafe(no_mangle)]
    pub extern "C" fn core_velocities(body: usize) -> u32 {
        with(|world| world.velocities(body).into())
    }

    /// [`World::state_hash`].
    #[unsafe(no_mangle)]
    pub extern "C" fn core_hash() -> u64 {
        with(|world| world.state_hash())
    }
}
