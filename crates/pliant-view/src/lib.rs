//! Scenes on a page: a simulation that runs is watched and handled in a browser, a finished run is played back.
//!
//! [`Show`] is a simulation with all that a page needs: it answers [commands](Show::act) and gives
//! [what to draw](Show::stage) and [frames](Show::frame) as bytes. [`Server`] puts it on an address of this
//! machine, and of no other; in a browser that runs the solver itself, the page calls it directly.
//!
//! ```no_run
//! use pliant_scene::Scene;
//! use pliant_view::{Server, Show};
//!
//! let mut show = Show::of_scene(Scene::load("flag.toml")?)?;
//! let server = Server::bind(0)?;
//! println!("{}", server.address()); // to be opened in a browser
//! server.run(&mut show)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Skin`] is the same for a stack of deformers: a skin before and after them. A server takes either, as an [`Exhibit`].
//!
//! [`serve`] does the same for a simulation that a program has built. [`Scenery`] is what pictures and pages
//! draw besides the bodies, and [`page`] holds the parts that pages are made of.
#![forbid(unsafe_code)]

mod act;
#[cfg(not(target_family = "wasm"))]
mod camera;
mod command;
mod corners;
mod drawn;
mod exhibit;
mod frame_message;
mod knobs;
mod light;
mod limits;
mod meter;
mod open;
pub mod page;
mod problem;
mod prop;
mod refusal;
mod scenery;
mod show;
mod skin;
mod solids;
mod stage;
mod surface;
mod walls;

#[cfg(not(target_family = "wasm"))]
mod http;
#[cfg(not(target_family = "wasm"))]
mod hub;
#[cfg(not(target_family = "wasm"))]
mod save;
#[cfg(not(target_family = "wasm"))]
mod server;
#[cfg(not(target_family = "wasm"))]
mod still;

#[cfg(not(target_family = "wasm"))]
pub use camera::view_of;
pub use command::Command;
pub use corners::{Corners, single};
pub use drawn::Drawn;
pub use exhibit::Exhibit;
pub use frame_message::{FrameError, FrameMessage};
pub use light::Light;
pub use open::open;
pub use problem::Problem;
pub use prop::{Look, Prop};
pub use refusal::Refusal;
pub use scenery::Scenery;
#[cfg(not(target_family = "wasm"))]
pub use server::{Server, Stop, serve};
pub use show::Show;
pub use skin::Skin;
#[cfg(not(target_family = "wasm"))]
pub use still::Still;
pub use walls::{Walls, Whereabouts};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
