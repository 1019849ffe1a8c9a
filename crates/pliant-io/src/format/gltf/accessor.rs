//! [`Accessors`]: typed views into the buffers, sparse ones and quantised ones too.

use nalgebra::Vector3;
use serde_json::Value;

use crate::error::ImportError;
use crate::source::Source;

use super::buffers;
use super::json::{index, list, wrong};

/// A number type, by its code in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: &Value) -> Option<Self> {
        Some(match code.as_u64()? {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn width(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Whether it is an unsigned integer, as indices must be.
    fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32)
    }

    /// A number; `normalised` maps the range of an integer type to 0…1 or −1…1.
    fn real(self, bytes: &[u8], normalised: bool) -> f64 {
        let (value, most) = match self {
            Self::F32 => return f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            Self::I8 => (f64::from(bytes[0] as i8), 127.0),
            Self::I16 => (f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), 32767.0),
            Self::U8 => (f64::from(bytes[0]), 255.0),
            Self::U16 => (f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), 65535.0),
            Self::U32 => (f64::from(self.unsigned(bytes)), f64::from(u32::MAX)),
        };
        if normalised { (value / most).max(-1.0) } else { value }
    }

    /// A number of one of the unsigned types.
    fn unsigned(self, bytes: &[u8]) -> u32 {
        match self {
            Self::U8 => u32::from(bytes[0]),
            Self::U16 => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            _ => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
        }
    }
}

/// Where the elements of an accessor are.
struct View<'v> {
    bytes: &'v [u8],
    stride: usize,
}

/// The accessors of a file; buffers are fetched when they are first needed.
pub(super) struct Accessors<'a> {
    source: &'a Source<'a>,
    root: &'a Value,
    chunk: Option<&'a [u8]>,
    fetched: Vec<Option<Vec<u8>>>,
    loaded: usize,
}

impl<'a> Accessors<'a> {
    /// The accessors of a file with its JSON and the binary chunk of a GLB.
    pub(super) fn new(source: &'a Source<'a>, root: &'a Value, chunk: Option<&'a [u8]>) -> Self {
        let fetched = list(root, "buffers").iter().map(|_| None).collect();
        Self { source, root, chunk, fetched, loaded: 0 }
    }

    /// Bytes of the buffers that were fetched so far, from beside the file or out of its URIs.
    pub(super) fn loaded(&self) -> usize {
        self.loaded
    }

    /// Positions: vectors of three numbers.
    pub(super) fn positions(&mut self, number: usize) -> Result<Vec<Vector3<f64>>, ImportError> {
        Ok(self.numbers::<3>(number, "VEC3", false)?.into_iter().map(Vector3::from).collect())
    }

    /// `N` numbers for each element of an accessor of the type `kind`. Integers are mapped to 0…1 or −1…1 if
    /// the accessor says so, or always.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        number: usize,
        kind: &str,
        always_normalised: bool,
    ) -> Result<Vec<[f64; N]>, ImportError> {
        let at = format!("accessors[{number}]");
        let accessor = self.accessor(&at, number, kind)?;
        let normalised = always_normalised || accessor["normalized"].as_bool() == Some(true);
        let (component, count) = self.component_and_count(&at, accessor)?;
        let decode = |bytes: &[u8]| {
            std::array::from_fn(|axis| component.real(&bytes[axis * component.width()..], normalised))
        };
        self.elements(&at, accessor, component, N, count, [0.0; N], decode)
    }

    /// Vertex numbers: one unsigned number each.
    pub(super) fn indices(&mut self, number: usize) -> Result<Vec<u32>, ImportError> {
        Ok(self.unsigned::<1>(number, "SCALAR")?.into_iter().map(|[index]| index).collect())
    }

    /// `N` unsigned numbers for each element of an accessor of the type `kind`.
    pub(super) fn unsigned<const N: usize>(
        &mut self,
        number: usize,
        kind: &str,
    ) -> Result<Vec<[u32; N]>, ImportError> {
        let at = format!("accessors[{number}]");
        let accessor = self.accessor(&at, number, kind)?;
        let (component, count) = self.component_and_count(&at, accessor)?;
        if !component.is_unsigned() {
            let (at, found) = (format!("{at}.componentType"), &accessor["componentType"]);
            return Err(wrong(self.source, &at, found, "an unsigned type for indices"));
        }
        let decode =
            |bytes: &[u8]| std::array::from_fn(|axis| component.unsigned(&bytes[axis * component.width()..]));
        self.elements(&at, accessor, component, N, count, [0; N], decode)
    }

    fn accessor(&self, at: &str, number: usize, kind: &str) -> Result<&'a Value, ImportError> {
        let accessors = list(self.root, "accessors");
        let accessor = accessors.get(number).ok_or_else(|| {
            wrong(self.source, at, &Value::Null, &format!("one of {} accessors", accessors.len()))
        })?;
        if accessor["type"].as_str() != Some(kind) {
            return Err(wrong(self.source, &format!("{at}.type"), &accessor["type"], kind));
        }
        Ok(accessor)
    }

    fn component_and_count(&self, at: &str, accessor: &Value) -> Result<(Component, usize), ImportError> {
        let code = &accessor["componentType"];
        let component = Component::of(code).ok_or_else(|| {
            wrong(self.source, &format!("{at}.componentType"), code, "a code from 5120 to 5126")
        })?;
        let count = &accessor["count"];
        let count = index(count)
            .ok_or_else(|| wrong(self.source, &format!("{at}.count"), count, "a count of at least 1"))?;
        Ok((component, count))
    }

    /// All elements; `default` stands where a sparse accessor has no value.
    #[expect(clippy::too_many_arguments, reason = "the parts of one accessor")]
    fn elements<T: Copy>(
        &mut self,
        at: &str,
        accessor: &Value,
        component: Component,
        per_element: usize,
        count: usize,
        default: T,
        decode: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, ImportError> {
        let size = per_element * component.width();
        let (mut elements, sparse) = (Vec::new(), &accessor["sparse"]);
        if accessor["bufferView"].is_null() {
            // Zeros: a count above the number of bytes in the file is refused.
            if count > self.source.bytes.len() {
                return Err(wrong(self.source, &format!("{at}.count"), &accessor["count"], "fewer elements"));
            }
            elements.resize(count, default);
        } else {
            let view = self.view(at, accessor, size, count)?;
            elements.reserve_exact(count);
            elements.extend((0..count).map(|i| decode(&view.bytes[i * view.stride..])));
        }
        if !sparse.is_null() {
            let (source, at) = (self.source, format!("{at}.sparse"));
            let code = &sparse["indices"]["componentType"];
            let kind = Component::of(code).filter(|kind| kind.is_unsigned()).ok_or_else(|| {
                wrong(self.source, &format!("{at}.indices.componentType"), code, "an unsigned type")
            })?;
            let changed = index(&sparse["count"])
                .ok_or_else(|| wrong(self.source, &format!("{at}.count"), &sparse["count"], "a count"))?;
            let places = self.view(&format!("{at}.indices"), &sparse["indices"], kind.width(), changed)?;
            let places: Vec<u32> =
                (0..changed).map(|i| kind.unsigned(&places.bytes[i * places.stride..])).collect();
            let values = self.view(&format!("{at}.values"), &sparse["values"], size, changed)?;
            for (i, place) in places.into_iter().enumerate() {
                let slot = elements.get_mut(place as usize).ok_or_else(|| {
                    let expected = format!("places below the count of {count}");
                    wrong(source, &at, &Value::from(place), &expected)
                })?;
                *slot = decode(&values.bytes[i * values.stride..]);
            }
        }
        Ok(elements)
    }

    /// The bytes of `count` elements of `size` bytes; all of them are there.
    fn view(&mut self, at: &str, holder: &Value, size: usize, count: usize) -> Result<View<'_>, ImportError> {
        let (source, root) = (self.source, self.root);
        let views = list(root, "bufferViews");
        let at_view = &holder["bufferView"];
        let number = index(at_view).filter(|&number| number < views.len()).ok_or_else(|| {
            wrong(source, &format!("{at}.bufferView"), at_view, "the number of a buffer view")
        })?;
        let view = &views[number];
        if !view["extensions"]["EXT_meshopt_compression"].is_null() {
            return Err(source.unsupported(
                "a mesh compressed by EXT_meshopt_compression",
                "save it without compression (gltf-transform, or your exporter's option)",
            ));
        }
        let field = |value: &Value, name: &str, default: Option<usize>| match (&value[name], default) {
            (Value::Null, Some(default)) => Ok(default),
            (found, _) => index(found).ok_or_else(|| {
                wrong(source, &format!("bufferViews[{number}] or {at}, {name}"), found, "a number")
            }),
        };
        let start = field(view, "byteOffset", Some(0))?;
        let length = field(view, "byteLength", None)?;
        let stride = match field(view, "byteStride", Some(0))? {
            0 => size,
            stride => stride,
        };
        let offset = field(holder, "byteOffset", Some(0))?;
        let buffer = field(view, "buffer", None)?;
        let bytes = self.buffer(buffer)?;
        let short = |found: usize, what: &str| {
            wrong(source, &format!("bufferViews[{number}] for {at}"), &Value::from(found), what)
        };
        let bytes = start
            .checked_add(length)
            .and_then(|end| bytes.get(start..end))
            .ok_or_else(|| short(bytes.len(), &format!("a buffer of {start} + {length} bytes at least")))?;
        let needed = match count {
            0 => Some(0),
            _ => stride.checked_mul(count - 1).and_then(|before| before.checked_add(size)),
        };
        let bytes = bytes.get(offset..).filter(|bytes| needed.is_some_and(|needed| needed <= bytes.len()));
        let bytes = bytes.filter(|_| stride >= size).ok_or_else(|| {
            short(length, &format!("room for {count} elements of {size} bytes from {offset} on"))
        })?;
        Ok(View { bytes, stride })
    }

    fn buffer(&mut self, number: usize) -> Result<&[u8], ImportError> {
        let buffers = list(self.root, "buffers");
        let buffer = buffers.get(number).ok_or_else(|| {
            wrong(self.source, "a buffer view's buffer", &Value::from(number), "the number of a buffer")
        })?;
        let Some(uri) = buffer["uri"].as_str() else {
            return self.chunk.filter(|_| number == 0).ok_or_else(|| {
                wrong(
                    self.source,
                    &format!("buffers[{number}].uri"),
                    &Value::Null,
                    "a URI, or a binary chunk",
                )
            });
        };
        if self.fetched[number].is_none() {
            let bytes = buffers::fetch(self.source, uri)?;
            self.loaded = self.loaded.saturating_add(bytes.len());
            self.fetched[number] = Some(bytes);
        }
        Ok(self.fetched[number].as_deref().unwrap_or_default())
    }
}
