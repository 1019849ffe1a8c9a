//! Tests of the public interface: shows and skins by their commands, and servers over plain connections.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod client;
mod record;
mod server;
mod show;
mod skin;
