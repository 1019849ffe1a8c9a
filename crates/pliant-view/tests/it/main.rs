//! Tests of the public interface: shows by their commands, and servers over plain connections.

mod client;
mod server;
mod show;
