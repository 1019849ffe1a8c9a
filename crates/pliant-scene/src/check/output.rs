//! Checks of `[output]`.

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BodyModel, CameraModel, Field, Format, OutputModel, PicturesModel, SimulationMesh};

pub(super) fn check(at: &FieldPath, output: &OutputModel, bodies: &[BodyModel]) -> Result<(), Fault> {
    each_once(&at.key("formats"), &output.formats)?;
    if let SimulationMesh::Formats(formats) = &output.simulation_mesh {
        each_once(&at.key("simulation_mesh"), formats)?;
    }
    for (i, field) in output.fields.iter().enumerate() {
        if output.fields[..i].contains(field) {
            return Err(Fault::new(at.key("fields").index(i), "a field is named twice", "every field once"));
        }
    }
    check_camera(&at.key("camera"), &output.camera)?;
    match &output.pictures {
        Some(pictures) => check_pictures(&at.key("pictures"), pictures, output, bodies),
        None => Ok(()),
    }
}

/// The position of the camera, if it is given.
fn check_camera(at: &FieldPath, camera: &CameraModel) -> Result<(), Fault> {
    let CameraModel { eye, target, .. } = camera;
    match (eye, target) {
        (None, Some(_)) => {
            let problem = "the camera has a `target`, but no `eye`: without one it shows everything";
            Err(Fault::new(at.key("target"), problem, "an `eye` too, or no `target`"))
        }
        (Some(eye), Some(target)) if eye == target => {
            Err(Fault::new(at.key("target"), "the `target` of the camera is its `eye`", "another place"))
        }
        _ => Ok(()),
    }
}

fn each_once(at: &FieldPath, formats: &[Format]) -> Result<(), Fault> {
    for (i, format) in formats.iter().enumerate() {
        if formats[..i].contains(format) {
            let problem = format!("the format {:?} is named twice", format.name());
            return Err(Fault::new(at.index(i), problem, "every format once"));
        }
    }
    Ok(())
}

fn check_pictures(
    at: &FieldPath,
    pictures: &PicturesModel,
    output: &OutputModel,
    bodies: &[BodyModel],
) -> Result<(), Fault> {
    let color_by = pictures.color_by.as_str();
    if color_by == "contact" {
        check_contact(&at.key("color_by"), bodies)?;
    } else if !matches!(color_by, "body" | "none" | "strain") && !is_written(color_by, &output.fields) {
        let problem = format!("the files have no field {color_by:?} to colour by");
        return Err(Fault::new(at.key("color_by"), problem, colours(&output.fields)));
    }
    if output.formats.iter().all(|format| matches!(format, Format::Usda | Format::Glb)) {
        let problem =
            "pictures are drawn from the files of the run, and none of its formats can be read back";
        let expected = "`\"vtu\"`, `\"ply\"`, `\"obj\"`, `\"mdd\"` or `\"pc2\"` among the formats";
        return Err(Fault::new(at.clone(), problem, expected));
    }
    Ok(())
}

/// Whether contact can be shown: only simulated meshes of bodies that collide have it.
fn check_contact(at: &FieldPath, bodies: &[BodyModel]) -> Result<(), Fault> {
    let mut meeting = bodies.iter().filter(|body| body.meets().is_some()).peekable();
    if meeting.peek().is_none() {
        return Err(Fault::new(
            at.clone(),
            "no body collides",
            "`collide = true` in a body, or another colour",
        ));
    }
    let by_skin = |body: &BodyModel| body.meets().and_then(|table| table.skin) == Some(true);
    if meeting.any(|body| {
        // The triangles of cloth are drawn, only finer.
        body.visual.as_ref().is_some_and(|visual| visual.sheet.is_none()) && !by_skin(body)
    }) {
        let problem = "a body that collides is shown by its `visual`, which is not the mesh that collides";
        return Err(Fault::new(
            at.clone(),
            problem,
            "`collide.skin = true`, bodies without `visual`, or another colour",
        ));
    }
    Ok(())
}

/// Whether data of that name are among the fields of the files.
fn is_written(name: &str, fields: &[Field]) -> bool {
    fields.iter().any(|&field| match field {
        // Which groups there are is known when the scene is built.
        Field::Residual => name.starts_with("residual."),
        field => field.name() == name,
    })
}

/// What pictures may be coloured by.
fn colours(fields: &[Field]) -> String {
    let written: String = fields
        .iter()
        .map(|&field| match field {
            Field::Residual => ", `residual.GROUP`".to_owned(),
            field => format!(", `{}`", field.name()),
        })
        .collect();
    format!(
        "`body`, `none`, `strain`{written}, `contact` where bodies collide, or another field that is added \
        to `fields`"
    )
}
