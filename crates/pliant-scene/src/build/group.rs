//! Parts of a body, and numbers of its elements, by their names in the mesh file.

use pliant_io::{Attribute, Attributes, Location, Mesh};

use super::held::Held;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{GroupModel, GroupTable};
use crate::suggest::one_of;

/// The members of a named part of a body: vertices, elements, or some of each.
struct Members {
    vertices: Vec<u32>,
    elements: Vec<u32>,
}

/// The vertices of a group, including those of its elements, ascending; `who` names the owner in messages.
pub(super) fn vertices(
    at: &FieldPath,
    group: &GroupModel,
    held: &Held<'_>,
    who: &str,
) -> Result<Vec<u32>, Fault> {
    let Members { mut vertices, elements } = part(at, group, held)?;
    match held.mesh {
        Mesh::Tri(mesh) => vertices.extend(elements.iter().flat_map(|&e| mesh.triangles()[e as usize])),
        Mesh::Tet(mesh) => vertices.extend(elements.iter().flat_map(|&e| mesh.tets()[e as usize])),
    }
    vertices.sort_unstable();
    vertices.dedup();
    if vertices.is_empty() {
        let problem = format!("{who} selects none of the vertices of body {:?}", held.body);
        return Err(Fault::new(at.clone(), problem, "a group with vertices in the simulated mesh"));
    }
    Ok(vertices)
}

/// Whether each element belongs to a group: by its elements or, where it has none, by all vertices of the element.
pub(super) fn elements(at: &FieldPath, group: &GroupModel, held: &Held<'_>) -> Result<Vec<bool>, Fault> {
    let Members { vertices, elements } = part(at, group, held)?;
    let mut belongs = vec![false; held.mesh.element_count()];
    elements.iter().for_each(|&e| belongs[e as usize] = true);
    if elements.is_empty() {
        let mut marked = vec![false; held.mesh.positions().len()];
        vertices.iter().for_each(|&v| marked[v as usize] = true);
        let all = |corners: &[u32]| corners.iter().all(|&v| marked[v as usize]);
        match held.mesh {
            Mesh::Tri(mesh) => belongs.iter_mut().zip(mesh.triangles()).for_each(|(b, t)| *b = all(t)),
            Mesh::Tet(mesh) => belongs.iter_mut().zip(mesh.tets()).for_each(|(b, t)| *b = all(t)),
        }
    }
    if !belongs.contains(&true) {
        let problem = format!("the group holds no element of body {:?}", held.body);
        let expected = "a group of elements, or one with all vertices of at least one element";
        return Err(Fault::new(at.clone(), problem, expected));
    }
    Ok(belongs)
}

fn part(at: &FieldPath, group: &GroupModel, held: &Held<'_>) -> Result<Members, Fault> {
    let (file, attributes) = held.named.attributes(at, held.body)?;
    match group {
        GroupModel::Name(name) => {
            let members = |location| attributes.group(name, location).map(|group| group.members().to_vec());
            let (vertices, elements) = (members(Location::Vertices), members(Location::Elements));
            if vertices.is_none() && elements.is_none() {
                return Err(no_group(at, file, attributes, name));
            }
            Ok(Members { vertices: vertices.unwrap_or_default(), elements: elements.unwrap_or_default() })
        }
        GroupModel::Table(table) => {
            let mut found = Members { vertices: Vec::new(), elements: Vec::new() };
            for field in named(at, file, attributes, &table.attribute)? {
                let chosen = chosen(at, field, table.component)?;
                let members = (0_u32..).zip(chosen).filter(|(_, value)| holds(table, *value));
                let members = members.map(|(member, _)| member);
                match field.location() {
                    Location::Vertices => found.vertices.extend(members),
                    Location::Elements => found.elements.extend(members),
                }
            }
            if found.vertices.is_empty() && found.elements.is_empty() {
                let of = attributes.fields().iter().filter(|field| field.name() == table.attribute);
                let ranges = of.filter_map(|field| {
                    let [low, high] = field.range()?;
                    Some(format!("{low} to {high} at {}", field.location()))
                });
                let ranges = ranges.collect::<Vec<_>>().join(" and ");
                let problem =
                    format!("no number of the attribute {:?} matches; they are {ranges}", table.attribute);
                return Err(Fault::new(at.clone(), problem, "a number or a range that matches some of them"));
            }
            Ok(found)
        }
    }
}

/// Whether a table selects a number; missing numbers (NaN) are never selected.
fn holds(table: &GroupTable, value: f64) -> bool {
    match table.equals {
        Some(equals) => value == equals,
        None => {
            value >= table.min.unwrap_or(f64::NEG_INFINITY) && value <= table.max.unwrap_or(f64::INFINITY)
        }
    }
}

/// The number of every triangle or tetrahedron: the attribute's own, or the mean of those of its vertices.
/// Numbers may be missing (NaN).
pub(super) fn values(
    at: &FieldPath,
    name: &str,
    component: Option<usize>,
    held: &Held<'_>,
) -> Result<Vec<f64>, Fault> {
    let (file, attributes) = held.named.attributes(at, held.body)?;
    let fields = named(&at.key("attribute"), file, attributes, name)?;
    // An attribute of elements, if there is one, comes last.
    let field = fields.last().expect("an attribute is found, or none is a fault");
    let own = chosen(at, field, component)?;
    if field.location() == Location::Elements {
        return Ok(own);
    }
    let mean = |corners: &[u32]| corners.iter().map(|&v| own[v as usize]).sum::<f64>() / corners.len() as f64;
    Ok(match held.mesh {
        Mesh::Tri(mesh) => mesh.triangles().iter().map(|t| mean(t)).collect(),
        Mesh::Tet(mesh) => mesh.tets().iter().map(|t| mean(t)).collect(),
    })
}

/// The attributes with a name, those of vertices before those of elements; at least one.
fn named<'a>(
    at: &FieldPath,
    file: &str,
    attributes: &'a Attributes,
    name: &str,
) -> Result<Vec<&'a Attribute>, Fault> {
    let places = [Location::Vertices, Location::Elements];
    let found: Vec<&Attribute> = places.iter().filter_map(|&place| attributes.field(name, place)).collect();
    if found.is_empty() {
        let names = attributes.field_names();
        let expected = one_of(name, &names, "a mesh file with attributes");
        return Err(Fault::new(at.clone(), format!("{file} has no attribute {name:?}"), expected));
    }
    Ok(found)
}

/// The numbers of the selected component; the scene must select one if there are several.
fn chosen(at: &FieldPath, field: &Attribute, component: Option<usize>) -> Result<Vec<f64>, Fault> {
    let count = field.components();
    match component {
        None if count == 1 => Ok(field.values().to_vec()),
        Some(component) if component < count => Ok(field.component(component)),
        _ => {
            let problem = format!("the attribute {:?} has {count} components", field.name());
            Err(Fault::new(
                at.clone(),
                problem,
                format!("`component = …` with a number from 0 to {}", count - 1),
            ))
        }
    }
}

fn no_group(at: &FieldPath, file: &str, attributes: &Attributes, name: &str) -> Fault {
    let problem = format!("{file} has no group {name:?}");
    let names = attributes.group_names();
    let expected = if attributes.field_names().contains(&name) {
        format!(
            "a group; {name:?} is an attribute: `group = {{ attribute = {name:?}, equals = … }}` selects by its numbers"
        )
    } else {
        one_of(name, &names, "a mesh file with groups")
    };
    Fault::new(at.clone(), problem, expected)
}
