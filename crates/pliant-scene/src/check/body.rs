//! Checks of a body: its mesh, placement, material and pins.

use super::check_name;
use super::place::check_placement;
use super::{collide, hold, material, motion, region};
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{
    BodyModel, MeshModel, MeshTable, PinModel, RepairModel, RepairWord, TetrahedralizeModel, VisualModel,
};

pub(super) fn check(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    if let Some(name) = &body.name {
        check_name(&at.key("name"), "body", name)?;
    }
    check_mesh(&at.key("mesh"), &body.mesh)?;
    check_placement(at, body)?;
    check_rest(at, body)?;
    collide::check(at, body)?;
    material::check(at, body)?;
    hold::check(at, body)?;
    if let Some(visual) = &body.visual {
        check_visual(&at.key("visual"), visual)?;
    }
    for (i, pin) in body.pins.iter().enumerate() {
        check_pin(&at.key("pin").index(i), pin)?;
    }
    Ok(())
}

pub(crate) fn check_mesh(at: &FieldPath, mesh: &MeshModel) -> Result<(), Fault> {
    match mesh {
        MeshModel::Path(path) => check_path(at, path),
        MeshModel::Table(table) => check_mesh_table(at, table),
    }
}

fn check_mesh_table(at: &FieldPath, table: &MeshTable) -> Result<(), Fault> {
    let chosen = table.chosen(at, "the mesh of the body")?;
    if let Some(how) = &table.tetrahedralize {
        check_filling(&at.key("tetrahedralize"), table, chosen, how)?;
    }
    if let Some(path) = &table.file {
        check_repair(at, table)?;
        return check_path(&at.key("file"), path);
    }
    if let Some(path) = &table.surface {
        check_path(&at.key("surface"), path)?;
    }
    for (key, given) in [
        ("unreferenced", table.unreferenced.is_some()),
        ("reorient", table.reorient.is_some()),
        ("repair", table.repair.is_some()),
    ] {
        if given {
            let problem = match chosen {
                "surface" => {
                    format!(
                        "`{key}` applies to the mesh in `file`; a surface is corrected before it is filled"
                    )
                }
                _ => format!("`{key}` applies to mesh files, but the mesh is a generated {chosen}"),
            };
            return Err(Fault::new(at.key(key), problem, "it to be left out"));
        }
    }
    Ok(())
}

/// The repair of a mesh file, which excludes the other keys about its defects.
fn check_repair(at: &FieldPath, table: &MeshTable) -> Result<(), Fault> {
    let repairs = match &table.repair {
        None | Some(RepairModel::Flag(false)) => false,
        Some(RepairModel::Word(word)) => *word == RepairWord::Repair,
        Some(RepairModel::Flag(true) | RepairModel::Steps(_)) => true,
    };
    for (key, given) in
        [("unreferenced", table.unreferenced.is_some()), ("reorient", table.reorient.is_some())]
    {
        if repairs && given {
            let problem = format!(
                "`repair` drops vertices without elements and turns tetrahedra, so `{key}` has no effect"
            );
            return Err(Fault::new(at.key(key), problem, "it to be left out"));
        }
    }
    Ok(())
}

fn check_filling(
    at: &FieldPath,
    table: &MeshTable,
    chosen: &str,
    how: &TetrahedralizeModel,
) -> Result<(), Fault> {
    let solids = [
        table.block.is_some(),
        table.ball.is_some(),
        table.solid_cylinder.is_some(),
        table.solid_torus.is_some(),
    ];
    if solids.contains(&true) {
        let problem = format!("the generated {chosen} is made of tetrahedra already");
        return Err(Fault::new(at.clone(), problem, "it to be left out"));
    }
    if table.file.is_some() {
        let problem = "`file` is a mesh that is simulated as it is";
        return Err(Fault::new(at.clone(), problem, "`surface = \"…\"` for a mesh to be filled"));
    }
    if how.cells.is_some() && how.edge_length.is_some() {
        let problem = "both `cells` and `edge_length` say how fine the tetrahedra are";
        return Err(Fault::new(at.key("edge_length"), problem, "one of them"));
    }
    Ok(())
}

fn check_path(at: &FieldPath, path: &std::path::Path) -> Result<(), Fault> {
    if path.as_os_str().is_empty() {
        return Err(Fault::new(at.clone(), "the path of the mesh file is empty", "the path of a mesh file"));
    }
    Ok(())
}

/// The rest shape, if it is not the mesh.
fn check_rest(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    if body.uv_scale.is_some() && !body.rests_in_texture() {
        let problem = "`uv_scale` applies to texture coordinates, but the rest shape is not made of them";
        let expected = "`rest = \"uv\"` beside it, or it to be left out";
        return Err(Fault::new(at.key("uv_scale"), problem, expected));
    }
    let Some(rest) = &body.rest else { return Ok(()) };
    let at = at.key("rest");
    check_path(&at, rest)?;
    if body.obstacle == Some(true) {
        let problem = "`rest` is the shape without stress, but nothing deforms an obstacle";
        return Err(Fault::new(at, problem, "it to be left out"));
    }
    Ok(())
}

fn check_visual(at: &FieldPath, visual: &VisualModel) -> Result<(), Fault> {
    visual.chosen(at, "the fine surface")?;
    if let Some(path) = &visual.file {
        check_path(&at.key("file"), path)?;
    }
    Ok(())
}

fn check_all(at: &FieldPath, pin: &PinModel) -> Result<(), Fault> {
    if pin.all == Some(false) {
        let problem = "`all = false` selects nothing";
        return Err(Fault::new(at.key("all"), problem, "`all = true`, or another way to select vertices"));
    }
    if pin.relative.is_some() {
        let problem = "`relative` applies to positions, but the pin holds all vertices";
        return Err(Fault::new(at.key("relative"), problem, "it to be left out"));
    }
    Ok(())
}

fn check_pin(at: &FieldPath, pin: &PinModel) -> Result<(), Fault> {
    const WHAT: &str = "which vertices the pin holds";
    match pin.chosen(at, WHAT)? {
        "all" => check_all(at, pin)?,
        _ => region::check(at, &pin.region(), WHAT, "the pin")?,
    }
    if let Some(motion) = &pin.motion {
        motion::check(&at.key("motion"), motion, motion::Of::Pin)?;
    }
    if pin.damping_time.is_some() && pin.compliance.is_none() {
        let problem = "the damping time is that of springs, but the pin holds its vertices exactly";
        return Err(Fault::new(at.key("damping_time"), problem, "`compliance`, m/N, beside it"));
    }
    Ok(())
}
