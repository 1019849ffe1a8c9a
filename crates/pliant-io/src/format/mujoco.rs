//! MuJoCo's own binary surface format, which shares the extension `.msh` with Gmsh.
//!
//! Four 32-bit counts (vertices, normals, texture coordinates, triangles), then as f32 the vertices, normals
//! and texture coordinates, then the triangles as 32-bit indices from 0, all little-endian. Source: MuJoCo
//! documentation, XML reference, "asset/mesh". Only the size of the file identifies it.

use nalgebra::Vector3;

use crate::error::{ImportError, Place};
use crate::format::cursor::Cursor;
use crate::raw::RawMesh;
use crate::source::Source;

const HEADER: usize = 16;

fn counts(bytes: &[u8]) -> Option<[u64; 4]> {
    let (words, _) = bytes.get(..HEADER)?.as_chunks::<4>();
    let mut counts = [0; 4];
    for (count, word) in counts.iter_mut().zip(words) {
        *count = u64::try_from(i32::from_le_bytes(*word)).ok()?;
    }
    Some(counts)
}

/// Whether the size of a file is the one that its four counts announce.
pub(crate) fn is_mujoco(bytes: &[u8]) -> bool {
    counts(bytes).is_some_and(|[vertices, normals, uvs, triangles]| {
        let fits = |count: u64| count == 0 || count == vertices;
        vertices >= 3
            && triangles >= 1
            && fits(normals)
            && fits(uvs)
            && HEADER as u64 + 12 * (vertices + normals + triangles) + 8 * uvs == bytes.len() as u64
    })
}

/// Reads a MuJoCo mesh.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::within(*source, 0..source.bytes.len());
    cursor.count_bytes();
    let [vertices, normals, uvs, triangles] =
        counts(source.bytes).filter(|_| is_mujoco(source.bytes)).ok_or_else(|| {
            let head = &source.bytes[..source.bytes.len().min(HEADER)];
            source.parse_error(Place::Byte(0), head, "four counts that agree with the size of the file")
        })?;
    let size = |count: u64, bytes: usize| count as usize * bytes;
    cursor.take(HEADER, "the header")?;
    let mut raw = RawMesh::new(source);
    let (rows, _) = cursor.take(size(vertices, 12), "the vertices")?.as_chunks::<12>();
    raw.positions.extend(rows.iter().map(|row| {
        let at = |k: usize| f64::from(f32::from_le_bytes([row[k], row[k + 1], row[k + 2], row[k + 3]]));
        Vector3::new(at(0), at(4), at(8))
    }));
    cursor.take(size(normals, 12) + size(uvs, 8), "the normals and texture coordinates")?;
    let start = cursor.pos();
    let (rows, _) = cursor.take(size(triangles, 12), "the triangles")?.as_chunks::<12>();
    for (t, row) in rows.iter().enumerate() {
        let place = Place::Byte(start + 12 * t);
        let mut corners = [0_u32; 3];
        for (corner, word) in corners.iter_mut().zip(row.as_chunks::<4>().0) {
            let index = i32::from_le_bytes(*word);
            *corner = match u32::try_from(index) {
                Ok(corner) if u64::from(corner) < vertices => corner,
                _ => return Err(source.index_error(place, i64::from(index), 0, vertices as usize)),
            };
        }
        raw.push_face(&corners);
    }
    Ok(raw)
}

#[cfg(test)]
mod tests {
    use crate::{Format, read_mesh_bytes};

    fn file(indices: [i32; 3]) -> Vec<u8> {
        let mut bytes: Vec<u8> = [3_i32, 0, 3, 1].iter().flat_map(|n| n.to_le_bytes()).collect();
        let numbers = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0];
        bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend(indices.iter().flat_map(|n| n.to_le_bytes()));
        bytes
    }

    #[test]
    fn the_size_tells_the_format_and_the_triangles_are_read() {
        let bytes = file([0, 1, 2]);
        assert_eq!(Format::from_content(&bytes), Some(Format::Mujoco));
        let (mesh, _) = read_mesh_bytes(Format::Mujoco, &bytes, "a.msh").unwrap().into_tri().unwrap();
        assert_eq!(mesh.area(), 0.5);
        assert!(read_mesh_bytes(Format::Mujoco, &bytes[1..], "a.msh").is_err());
        let error = read_mesh_bytes(Format::Mujoco, &file([0, 1, 3]), "a.msh").unwrap_err().to_string();
        assert!(error.contains("byte 76: refers to vertex 3"), "{error}");
    }
}
