//! Checks of a body: its mesh, placement, material and pins.

use super::check_name;
use super::motion;
use super::number::{direction, finite, not_negative, positive, share, vector};
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{
    BodyModel, ElasticityModel, ElasticityTable, MeshModel, MeshTable, PinModel, Rotation, ScaleModel,
    VisualModel,
};

pub(super) fn check(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    if let Some(name) = &body.name {
        check_name(&at.key("name"), "body", name)?;
    }
    check_mesh(&at.key("mesh"), &body.mesh)?;
    check_placement(at, body)?;
    if let Some(density) = body.density {
        positive(&at.key("density"), "the density", density, "kg/m³")?;
    }
    if let Some(density) = body.area_density {
        positive(&at.key("area_density"), "the area density", density, "kg/m²")?;
    }
    if let Some(velocity) = &body.velocity {
        vector(&at.key("velocity"), "the velocity", velocity, "m/s")?;
    }
    if let Some(radius) = body.contact_radius {
        not_negative(&at.key("contact_radius"), "the contact radius", radius, "m")?;
    }
    check_material(at, body)?;
    if let Some(visual) = &body.visual {
        check_visual(&at.key("visual"), visual)?;
    }
    for (i, pin) in body.pins.iter().enumerate() {
        check_pin(&at.key("pin").index(i), pin)?;
    }
    Ok(())
}

fn check_mesh(at: &FieldPath, mesh: &MeshModel) -> Result<(), Fault> {
    match mesh {
        MeshModel::Path(path) => check_path(at, path),
        MeshModel::Table(table) => check_mesh_table(at, table),
    }
}

fn check_mesh_table(at: &FieldPath, table: &MeshTable) -> Result<(), Fault> {
    let chosen = table.chosen(at, "the mesh of the body")?;
    if let Some(path) = &table.file {
        return check_path(&at.key("file"), path);
    }
    for (key, given) in
        [("unreferenced", table.unreferenced.is_some()), ("reorient", table.reorient.is_some())]
    {
        if given {
            let problem = format!("`{key}` is about mesh files, but the mesh is a generated {chosen}");
            return Err(Fault::new(at.key(key), problem, "it to be left out"));
        }
    }
    Ok(())
}

fn check_path(at: &FieldPath, path: &std::path::Path) -> Result<(), Fault> {
    if path.as_os_str().is_empty() {
        return Err(Fault::new(at.clone(), "the path of the mesh file is empty", "the path of a mesh file"));
    }
    Ok(())
}

fn check_placement(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    match &body.scale {
        Some(ScaleModel::Uniform(scale)) => positive(&at.key("scale"), "the scale", *scale, "")?,
        Some(ScaleModel::PerAxis(scale)) if !scale.iter().all(|s| *s > 0.0 && s.is_finite()) => {
            let problem = format!("the scale is {scale:?}");
            return Err(Fault::new(at.key("scale"), problem, "three positive numbers"));
        }
        Some(ScaleModel::PerAxis(_)) | None => {}
    }
    if let Some(fit) = body.fit {
        positive(&at.key("fit"), "the size to fit", fit, "m")?;
        if body.scale.is_some() {
            let problem = "both `scale` and `fit` say how large the body is";
            return Err(Fault::new(at.key("fit"), problem, "one of them"));
        }
    }
    if let Some(rotate) = &body.rotate {
        let at = at.key("rotate");
        match rotate {
            Rotation::AxisAngle(turn) => {
                direction(&at.key("axis"), "the axis", &turn.axis)?;
                finite(&at.key("degrees"), "the angle", turn.degrees, "degrees")?;
            }
            Rotation::Euler(angles) => vector(&at, "the rotation", angles, "degrees")?,
        }
    }
    if let Some(translate) = &body.translate {
        vector(&at.key("translate"), "the translation", translate, "m")?;
    }
    if let Some(height) = body.rest_on {
        finite(&at.key("rest_on"), "the height to rest on", height, "m")?;
    }
    Ok(())
}

fn check_material(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    let Some(edges) = &body.edges else {
        let none = body.bending.is_none() && body.volumes.is_none();
        let problem = if none {
            "the body has no constraints: nothing would hold its vertices together"
        } else {
            "the body has no `edges`: nothing would keep its lengths"
        };
        return Err(Fault::new(
            at.clone(),
            problem,
            "a material, such as `edges = { compliance = 1e-6 }` or `edges = \"rigid\"`",
        ));
    };
    check_elasticity(&at.key("edges"), edges, "m/N", "N/m")?;
    if let Some(bending) = &body.bending {
        let (compliance, stiffness) = match bending.form {
            crate::model::BendingForm::Dihedral => ("rad²/J", "J/rad²"),
            crate::model::BendingForm::Distance => ("m/N", "N/m"),
        };
        let at = at.key("bending");
        bending.chosen(&at, "the resistance to bending")?;
        check_numbers(&at, &bending.table(), compliance, stiffness)?;
    }
    if let Some(volumes) = &body.volumes {
        check_elasticity(&at.key("volumes"), volumes, "m³/Pa", "Pa/m³")?;
    }
    Ok(())
}

fn check_elasticity(
    at: &FieldPath,
    model: &ElasticityModel,
    compliance: &str,
    stiffness: &str,
) -> Result<(), Fault> {
    match model {
        ElasticityModel::Rigid(_) => Ok(()),
        ElasticityModel::Table(table) => {
            table.chosen(at, "the resistance")?;
            check_numbers(at, table, compliance, stiffness)
        }
    }
}

fn check_numbers(
    at: &FieldPath,
    table: &ElasticityTable,
    compliance: &str,
    stiffness: &str,
) -> Result<(), Fault> {
    if let Some(a) = table.compliance
        && !(a >= 0.0 && a.is_finite())
    {
        let expected = format!("0 (rigid) or a positive number, {compliance}");
        return Err(Fault::new(at.key("compliance"), format!("the compliance is {a:?}"), expected));
    }
    if let Some(k) = table.stiffness
        && !(k > 0.0 && k.is_finite() && (1.0 / k).is_finite())
    {
        let expected = format!("a positive number, {stiffness}, or `compliance = 0` for a rigid one");
        return Err(Fault::new(at.key("stiffness"), format!("the stiffness is {k:?}"), expected));
    }
    if let Some(k) = table.pbd {
        share(&at.key("pbd"), "the stiffness of position based dynamics", k)?;
    } else if table.iteration_independent.is_some() {
        let problem = "`iteration_independent` is about `pbd`, which is not given";
        return Err(Fault::new(at.key("iteration_independent"), problem, "it to be left out"));
    }
    Ok(())
}

fn check_visual(at: &FieldPath, visual: &VisualModel) -> Result<(), Fault> {
    visual.chosen(at, "the fine surface")?;
    if let Some(path) = &visual.file {
        check_path(&at.key("file"), path)?;
    }
    if let Some(boundary) = &visual.boundary {
        super::number::in_range(
            &at.key("boundary").key("subdivide"),
            "the number of subdivisions",
            boundary.subdivide,
            0,
            6,
        )?;
    }
    Ok(())
}

fn check_pin(at: &FieldPath, pin: &PinModel) -> Result<(), Fault> {
    pin.chosen(at, "which vertices the pin holds")?;
    if let Some(vertices) = &pin.vertices {
        if vertices.is_empty() {
            let at = at.key("vertices");
            return Err(Fault::new(
                at,
                "the pin selects nothing: its list of vertices is empty",
                "at least one number",
            ));
        }
        if pin.relative.is_some() {
            let problem = "`relative` is about positions, but the pin selects vertices by number";
            return Err(Fault::new(at.key("relative"), problem, "it to be left out"));
        }
    }
    if let Some(select) = &pin.within_box {
        let at = at.key("box");
        for k in 0..3 {
            // Not `min > max`, which NaN would pass.
            if !matches!(
                select.min[k].partial_cmp(&select.max[k]),
                Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal)
            ) {
                let axis = ["x", "y", "z"][k];
                let problem =
                    format!("the box reaches from {:?} to {:?} along {axis}", select.min[k], select.max[k]);
                return Err(Fault::new(at.key("max"), problem, "`max` not less than `min` along any axis"));
            }
        }
    }
    if let Some(select) = &pin.half_space {
        let at = at.key("half_space");
        vector(&at.key("point"), "the point of the plane", &select.point, "")?;
        direction(&at.key("normal"), "the normal of the plane", &select.normal)?;
    }
    if let Some(select) = &pin.sphere {
        let at = at.key("sphere");
        vector(&at.key("centre"), "the centre", &select.centre, "")?;
        positive(&at.key("radius"), "the radius", select.radius, "")?;
    }
    if let Some(motion) = &pin.motion {
        motion::check(&at.key("motion"), motion, motion::Of::Pin)?;
    }
    if let Some(compliance) = pin.compliance {
        not_negative(&at.key("compliance"), "the compliance of the pin", compliance, "m/N")?;
    }
    if let Some(release) = pin.release {
        not_negative(&at.key("release"), "the time of release", release, "s")?;
    }
    Ok(())
}
