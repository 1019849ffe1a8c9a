//! What the two VTK formats share.
