//! [`view_of`]: the camera of a scene, for pictures.

use pliant_render::View;
use pliant_scene::model::CameraModel;

/// The direction and field of view that the camera of a scene asks for.
#[must_use]
pub fn view_of(camera: &CameraModel) -> View {
    View {
        azimuth: camera.azimuth.get(),
        elevation: camera.elevation.get(),
        field_of_view: camera.field_of_view.get(),
        ..View::default()
    }
}
