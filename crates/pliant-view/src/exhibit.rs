//! [`Exhibit`]: what a page shows and handles.

#[cfg(not(target_family = "wasm"))]
use std::path::Path;

#[cfg(not(target_family = "wasm"))]
use pliant_render::{RenderError, Size};
#[cfg(not(target_family = "wasm"))]
use pliant_scene::SceneError;
use serde_json::Value;

use crate::command::Command;
#[cfg(not(target_family = "wasm"))]
use crate::problem::Problem;
use crate::refusal::Refusal;
#[cfg(not(target_family = "wasm"))]
use crate::still::Still;

/// What a page shows and handles: a simulation ([`Show`](crate::Show)), or a skin before and after its deformers
/// ([`Skin`](crate::Skin)).
pub trait Exhibit {
    /// A number that changes with the [stage](Self::stage).
    fn version(&self) -> u64;

    /// Whether it runs by itself.
    fn is_playing(&self) -> bool;

    /// The time that a frame should take, s; 0 for as little as possible.
    fn pace(&self) -> f64;

    /// The hash of the present state.
    fn state_hash(&self) -> u64;

    /// Takes a frame.
    ///
    /// # Errors
    ///
    /// If there is none to be had; it is paused then, and the page shows why.
    fn step(&mut self) -> Result<(), Refusal>;

    /// Does what a page asks for. The answer is JSON, usually `null`.
    ///
    /// # Errors
    ///
    /// If it cannot be done; nothing has changed then.
    fn act(&mut self, command: &Command) -> Result<Value, Refusal>;

    /// What a page draws, and its sliders, as JSON. It changes when the [version](Self::version) does.
    fn stage(&self) -> Value;

    /// The present state as bytes: see [`FrameMessage`](crate::FrameMessage).
    fn frame(&self) -> Vec<u8>;

    /// Lets go of what the hands of pages hold: no page is left.
    fn let_go(&mut self);

    /// The text of its file as changed on the page, if it has one.
    #[cfg(not(target_family = "wasm"))]
    fn text(&self) -> Option<String>;

    /// Takes its file again, from the start: it has changed.
    ///
    /// # Errors
    ///
    /// If the file cannot be used; what is shown then continues.
    #[cfg(not(target_family = "wasm"))]
    fn reload(&mut self, file: &Path) -> Result<(), SceneError>;

    /// Shows a problem until the next file is taken.
    #[cfg(not(target_family = "wasm"))]
    fn complain(&mut self, problem: Problem);

    /// What a picture of the present state shows.
    ///
    /// # Errors
    ///
    /// If its camera cannot be used.
    #[cfg(not(target_family = "wasm"))]
    fn still(&self, size: Size) -> Result<Still, RenderError>;
}
