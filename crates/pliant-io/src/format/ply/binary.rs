//! The data of a PLY file as binary numbers.

use nalgebra::Vector3;

use super::builder::Builder;
use super::element_kind::ElementKind;
use super::header::{Element, Header, Scalar};
use crate::error::{ImportError, Place};
use crate::source::Source;

/// A byte order.
pub(super) trait Order {
    /// Puts bytes of a file into the order of a little-endian number.
    fn little<const N: usize>(bytes: [u8; N]) -> [u8; N];
}

/// Least significant byte first.
pub(super) struct Little;
/// Most significant byte first.
pub(super) struct Big;

impl Order for Little {
    #[inline]
    fn little<const N: usize>(bytes: [u8; N]) -> [u8; N] {
        bytes
    }
}

impl Order for Big {
    #[inline]
    fn little<const N: usize>(mut bytes: [u8; N]) -> [u8; N] {
        bytes.reverse();
        bytes
    }
}

/// Reads all elements.
pub(super) fn read<O: Order>(
    source: &Source<'_>,
    header: &Header<'_>,
    builder: &mut Builder<'_>,
) -> Result<(), ImportError> {
    let mut data = Data { source, pos: header.end };
    for element in &header.elements {
        let element_kind = ElementKind::of(source, element)?;
        if element.properties.is_empty() {
            continue;
        }
        data.demand(element)?;
        builder.begin(element, element_kind);
        match element_kind {
            ElementKind::Vertex(axes) if element.properties.iter().all(|p| p.list.is_none()) => {
                vertices::<O>(&mut data, element, axes, builder)?;
            }
            _ => {
                for _ in 0..element.count {
                    record::<O>(&mut data, element, element_kind, builder)?;
                }
            }
        }
        builder.end()?;
        if element_kind == ElementKind::Other {
            builder.raw.skip(&element.name.escape_ascii().to_string(), element.count);
        }
    }
    let left = source.bytes.len() - data.pos;
    if left > 0 && !source.bytes[data.pos..].trim_ascii().is_empty() {
        builder.raw.notes.push(format!("{left} bytes follow the elements that the header announces"));
    }
    Ok(())
}

/// Vertices without lists all have the same length: their coordinates stand at fixed places.
fn vertices<O: Order>(
    data: &mut Data<'_, '_>,
    element: &Element<'_>,
    axes: [usize; 3],
    builder: &mut Builder<'_>,
) -> Result<(), ImportError> {
    let offset = |axis: usize| element.properties[..axis].iter().map(|p| p.value.bytes()).sum::<usize>();
    let places = axes.map(|axis| (offset(axis), element.properties[axis].value));
    let stride = offset(element.properties.len());
    let others: Vec<(usize, usize, Scalar)> = match builder.columns.is_empty() {
        true => Vec::new(),
        false => element
            .properties
            .iter()
            .enumerate()
            .scan(0, |at, (p, property)| {
                let here = *at;
                *at += property.value.bytes();
                Some((p, here, property.value))
            })
            .collect(),
    };
    builder.raw.positions.reserve_exact(element.count);
    for _ in 0..element.count {
        let at = data.pos;
        let record = data.take(stride)?;
        let [x, y, z] = places.map(|(at, kind)| real::<O>(kind, &record[at..]));
        builder.vertex(|| Place::Byte(at), Vector3::new(x, y, z))?;
        for &(p, at, kind) in &others {
            builder.columns.push(p, real::<O>(kind, &record[at..]));
        }
    }
    Ok(())
}

fn record<O: Order>(
    data: &mut Data<'_, '_>,
    element: &Element<'_>,
    element_kind: ElementKind,
    builder: &mut Builder<'_>,
) -> Result<(), ImportError> {
    let start = data.pos;
    let place = || Place::Byte(start);
    let mut position = Vector3::zeros();
    for (p, property) in element.properties.iter().enumerate() {
        let kind = property.value;
        let Some(length) = property.list else {
            let bytes = data.take(kind.bytes())?;
            if !builder.columns.is_empty() {
                builder.columns.push(p, real::<O>(kind, bytes));
            }
            if let ElementKind::Vertex(axes) = element_kind {
                for (coordinate, _) in position.iter_mut().zip(axes).filter(|&(_, axis)| axis == p) {
                    *coordinate = real::<O>(kind, bytes);
                }
            }
            continue;
        };
        let at = data.pos;
        let length = integer::<O>(length, data.take(length.bytes())?);
        let values = usize::try_from(length)
            .ok()
            .and_then(|length| length.checked_mul(kind.bytes()))
            .filter(|&bytes| bytes <= data.source.bytes.len() - data.pos)
            .ok_or_else(|| {
                data.source.parse_error(
                    Place::Byte(at),
                    length.to_string().as_bytes(),
                    "a list that fits into the file",
                )
            })?;
        let values = data.take(values)?;
        if matches!(element_kind, ElementKind::Face(list) | ElementKind::Strips(list) if list == p) {
            for value in values.chunks_exact(kind.bytes()) {
                let index = match kind {
                    Scalar::F32 | Scalar::F64 => {
                        let value = real::<O>(kind, value);
                        if value.fract() != 0.0 {
                            let found = value.to_string();
                            return Err(data.source.parse_error(
                                place(),
                                found.as_bytes(),
                                "the number of a vertex",
                            ));
                        }
                        value as i64
                    }
                    _ => integer::<O>(kind, value),
                };
                builder.corner(place, element_kind, index)?;
            }
            builder.end_list(element_kind);
        }
    }
    if let ElementKind::Vertex(_) = element_kind {
        builder.vertex(place, position)?;
    }
    Ok(())
}

/// The beginning of `bytes` as an array; the caller has taken enough of them.
#[inline]
fn array<O: Order, const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[..N]);
    O::little(array)
}

#[inline]
fn integer<O: Order>(kind: Scalar, bytes: &[u8]) -> i64 {
    match kind {
        Scalar::I8 => i64::from(i8::from_le_bytes(array::<O, 1>(bytes))),
        Scalar::U8 => i64::from(bytes[0]),
        Scalar::I16 => i64::from(i16::from_le_bytes(array::<O, 2>(bytes))),
        Scalar::U16 => i64::from(u16::from_le_bytes(array::<O, 2>(bytes))),
        Scalar::I32 => i64::from(i32::from_le_bytes(array::<O, 4>(bytes))),
        Scalar::U32 => i64::from(u32::from_le_bytes(array::<O, 4>(bytes))),
        Scalar::F32 | Scalar::F64 => real::<O>(kind, bytes) as i64,
    }
}

#[inline]
fn real<O: Order>(kind: Scalar, bytes: &[u8]) -> f64 {
    match kind {
        Scalar::F32 => f64::from(f32::from_le_bytes(array::<O, 4>(bytes))),
        Scalar::F64 => f64::from_le_bytes(array::<O, 8>(bytes)),
        // Exact: no integer type of the format has more than 32 bits.
        _ => integer::<O>(kind, bytes) as f64,
    }
}

/// The data and how far it has been read.
struct Data<'s, 'b> {
    source: &'s Source<'b>,
    pos: usize,
}

impl<'b> Data<'_, 'b> {
    /// Demands the least number of bytes that the elements of this kind take.
    fn demand(&self, element: &Element<'_>) -> Result<(), ImportError> {
        let least: usize =
            element.properties.iter().map(|property| property.list.unwrap_or(property.value).bytes()).sum();
        let left = self.source.bytes.len() - self.pos;
        if left / least < element.count {
            return Err(self.source.truncated(
                Place::Byte(self.source.bytes.len()),
                format!(
                    "{} elements of kind {}, which take {least} bytes each or more from byte {} on",
                    element.count,
                    element.name.escape_ascii(),
                    self.pos
                ),
            ));
        }
        Ok(())
    }

    #[inline]
    fn take(&mut self, count: usize) -> Result<&'b [u8], ImportError> {
        let rest = &self.source.bytes[self.pos..];
        let Some(taken) = rest.get(..count) else {
            let end = Place::Byte(self.source.bytes.len());
            return Err(self.source.truncated(end, format!("{count} bytes from byte {} on", self.pos)));
        };
        self.pos += count;
        Ok(taken)
    }
}
