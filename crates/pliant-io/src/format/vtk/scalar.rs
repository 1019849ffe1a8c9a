//! [`Scalar`]: the number types of VTK arrays.

/// A number type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// By its name in a legacy file, whatever the case. `vtkIdType` is written there as a 32-bit number, `long` as a
    /// 64-bit one (as on every system but Windows).
    pub(crate) fn from_legacy(name: &[u8]) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_slice() {
            b"char" | b"signed_char" | b"vtktypeint8" => Self::I8,
            b"unsigned_char" | b"vtktypeuint8" => Self::U8,
            b"short" | b"vtktypeint16" => Self::I16,
            b"unsigned_short" | b"vtktypeuint16" => Self::U16,
            b"int" | b"vtkidtype" | b"vtktypeint32" => Self::I32,
            b"unsigned_int" | b"vtktypeuint32" => Self::U32,
            b"long" | b"long_long" | b"vtktypeint64" => Self::I64,
            b"unsigned_long" | b"unsigned_long_long" | b"vtktypeuint64" => Self::U64,
            b"float" | b"vtktypefloat32" => Self::F32,
            b"double" | b"vtktypefloat64" => Self::F64,
            _ => return None,
        })
    }

    /// By its name in an XML file.
    pub(crate) fn from_xml(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"Int8" => Self::I8,
            b"UInt8" => Self::U8,
            b"Int16" => Self::I16,
            b"UInt16" => Self::U16,
            b"Int32" => Self::I32,
            b"UInt32" => Self::U32,
            b"Int64" => Self::I64,
            b"UInt64" => Self::U64,
            b"Float32" => Self::F32,
            b"Float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes of a number.
    pub(crate) const fn width(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Whether numbers of this type can be indices.
    pub(crate) const fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }

    /// The number that `bytes`, as many as [`width`](Self::width) says, stand for.
    pub(crate) fn real(self, bytes: &[u8], big_endian: bool) -> f64 {
        match self {
            Self::F32 => f64::from(f32::from_bits(unsigned(bytes, big_endian) as u32)),
            Self::F64 => f64::from_bits(unsigned(bytes, big_endian)),
            Self::U64 => unsigned(bytes, big_endian) as f64,
            _ => self.integer(bytes, big_endian) as f64,
        }
    }

    /// As [`real`](Self::real) for the integer types; what no `i64` can hold becomes the greatest one, which no index
    /// is. Floating-point numbers have no integer here and give -1.
    pub(crate) fn integer(self, bytes: &[u8], big_endian: bool) -> i64 {
        let bits = unsigned(bytes, big_endian);
        match self {
            Self::I8 => i64::from(bits as i8),
            Self::I16 => i64::from(bits as i16),
            Self::I32 => i64::from(bits as i32),
            Self::I64 => bits as i64,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => i64::try_from(bits).unwrap_or(i64::MAX),
            Self::F32 | Self::F64 => -1,
        }
    }
}

/// At most eight bytes as a number without sign.
pub(crate) fn unsigned(bytes: &[u8], big_endian: bool) -> u64 {
    let join = |sum: u64, &byte: &u8| (sum << 8) | u64::from(byte);
    if big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_both_byte_orders() {
        assert_eq!(Scalar::F64.real(&0.1_f64.to_be_bytes(), true), 0.1);
        assert_eq!(Scalar::F64.real(&0.1_f64.to_le_bytes(), false), 0.1);
        assert_eq!(Scalar::F32.real(&(-0.1_f32).to_le_bytes(), false), f64::from(-0.1_f32));
        assert_eq!(Scalar::I16.integer(&(-300_i16).to_be_bytes(), true), -300);
        assert_eq!(Scalar::I8.real(&[0xff], true), -1.0);
        assert_eq!(Scalar::U8.integer(&[0xff], true), 255);
        assert_eq!(Scalar::I32.integer(&(-2_i32).to_le_bytes(), false), -2);
        assert_eq!(Scalar::U64.integer(&[0xff; 8], false), i64::MAX);
        assert_eq!(Scalar::U64.real(&u64::MAX.to_be_bytes(), true), u64::MAX as f64);
    }

    #[test]
    fn names_are_known() {
        assert_eq!(Scalar::from_legacy(b"Unsigned_Char"), Some(Scalar::U8));
        assert_eq!(Scalar::from_legacy(b"vtktypeint64"), Some(Scalar::I64));
        assert_eq!(Scalar::from_legacy(b"bit"), None);
        assert_eq!(Scalar::from_xml(b"Float32"), Some(Scalar::F32));
        assert_eq!(Scalar::from_xml(b"String"), None);
    }
}
