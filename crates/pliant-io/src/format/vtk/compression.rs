//! [`Method`]: the compressions of VTK XML files, block by block.
//!
//! The size of a block is known before it is unpacked and bounds the allocation, whatever size the block
//! itself states. LZ4 blocks are bare; LZMA blocks are whole XZ files (*The .xz File Format*, version 1.2.1,
//! 2024) of one LZMA2 stream.

use std::io::Read;

use flate2::Crc;
use flate2::read::ZlibDecoder;
use lzma_rust2::Lzma2Reader;

/// A compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Zlib,
    Lz4,
    Lzma,
}

impl Method {
    /// The method of a `compressor` attribute.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "vtkZLibDataCompressor" => Some(Self::Zlib),
            "vtkLZ4DataCompressor" => Some(Self::Lz4),
            "vtkLZMADataCompressor" => Some(Self::Lzma),
            _ => None,
        }
    }

    /// Its usual name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Zlib => "zlib",
            Self::Lz4 => "LZ4",
            Self::Lzma => "LZMA",
        }
    }

    /// Adds the `expected` bytes that a block holds to `out`, or returns what is wrong with it.
    pub(crate) fn unpack(self, data: &[u8], expected: usize, out: &mut Vec<u8>) -> Result<(), String> {
        // LZ4 and LZMA decoders allocate memory first; none of their blocks grows beyond these ratios.
        let most = match self {
            Self::Zlib => usize::MAX,
            Self::Lz4 => data.len().saturating_mul(256),
            Self::Lzma => data.len().saturating_mul(10_000),
        };
        if expected > most {
            return Err(format!("{} bytes cannot hold so many", data.len()));
        }
        let before = out.len();
        let problem = match self {
            Self::Zlib => append(ZlibDecoder::new(data), expected, out).err(),
            Self::Lz4 => {
                out.resize(before + expected, 0);
                match lz4_flex::block::decompress_into(data, &mut out[before..]) {
                    Ok(found) => {
                        out.truncate(before + found);
                        None
                    }
                    Err(error) => Some(error.to_string()),
                }
            }
            Self::Lzma => xz(data, expected, out).err(),
        };
        match problem {
            Some(problem) => Err(problem),
            None if out.len() - before > expected => Err(format!("more than {expected} bytes")),
            None if out.len() - before < expected => Err(format!("{} bytes", out.len() - before)),
            None => Ok(()),
        }
    }
}

/// Reads at most one byte more than expected.
fn append(reader: impl Read, expected: usize, out: &mut Vec<u8>) -> Result<(), String> {
    match reader.take(expected as u64 + 1).read_to_end(out) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// The LZMA2 filter of the XZ format, the only one that VTK writes.
const LZMA2: u8 = 0x21;

/// Unpacks the first block of an XZ file.
fn xz(data: &[u8], expected: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let cut = || "the XZ data end early".to_owned();
    let [b'\xfd', b'7', b'z', b'X', b'Z', 0, 0, check, _, _, _, _, rest @ ..] = data else {
        return Err("not XZ data".to_owned());
    };
    let header_size = 4 * (usize::from(*rest.first().ok_or_else(cut)?) + 1);
    let header = rest.get(..header_size).filter(|header| header.len() >= 8).ok_or_else(cut)?;
    let flags = header[1];
    if flags & 0x3f != 0 {
        return Err("XZ data with several filters".to_owned());
    }
    let mut fields = &header[2..header_size - 4];
    for bit in [0x40, 0x80] {
        if flags & bit != 0 {
            // The sizes before and after compression, in groups of seven bits: they are known already.
            let length = fields.iter().position(|byte| byte & 0x80 == 0).ok_or_else(cut)? + 1;
            fields = &fields[length..];
        }
    }
    let [LZMA2, 1, dictionary, ..] = *fields else {
        return Err("XZ data with another filter than LZMA2".to_owned());
    };
    if dictionary > 40 {
        return Err(format!("an LZMA2 dictionary of size code {dictionary}"));
    }
    let stated = (2 | u64::from(dictionary & 1)) << (dictionary / 2 + 11);
    // A dictionary larger than the output is never filled.
    let dictionary = u32::try_from(stated.min(expected as u64).max(4096)).unwrap_or(u32::MAX);
    let before = out.len();
    let mut stream = Lzma2Reader::new(&rest[header_size..], dictionary, None);
    append(&mut stream, expected, out)?;
    let unpacked = &out[before..];
    if unpacked.len() == expected {
        let left = stream.into_inner();
        let packed = rest.len() - header_size - left.len();
        let sum = left.get(packed.next_multiple_of(4) - packed..).unwrap_or_default();
        verify(*check, sum, unpacked)?;
    }
    Ok(())
}

/// Compares the check sum behind a block; those of other kinds than CRC-32 and CRC-64 pass.
fn verify(check: u8, sum: &[u8], unpacked: &[u8]) -> Result<(), String> {
    let found = match check & 0x0f {
        1 => {
            let mut crc = Crc::new();
            crc.update(unpacked);
            crc.sum().to_le_bytes().to_vec()
        }
        4 => crc64(unpacked).to_le_bytes().to_vec(),
        _ => return Ok(()),
    };
    if sum.starts_with(&found) { Ok(()) } else { Err("a wrong check sum".to_owned()) }
}

/// CRC-64 of ECMA-182, bits reflected, as XZ uses it.
fn crc64(bytes: &[u8]) -> u64 {
    const POLYNOMIAL: u64 = 0xc96c_5795_d787_0f42;
    let step = |crc: u64| if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 };
    let mut table = [0_u64; 256];
    for (entry, byte) in table.iter_mut().zip(0_u64..) {
        *entry = (0..8).fold(byte, |crc, _| step(crc));
    }
    !bytes.iter().fold(!0, |crc, &byte| crc >> 8 ^ table[usize::from(crc as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "pliant pliant pliant pliant\n" as `xz` writes it, with CRC-64.
    const XZ: &[u8] = b"\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\xe0\x00\x1b\x00\x0f\x5d\x00\x38\x1b\x09\x60\x9a\x1f\x82\xee\x1a\xfd\xbf\x34\x14\x00\x00\x00\x00\x69\xe2\x04\x7e\x17\x25\x4b\x34\x00\x01\x2b\x1c\x0d\x14\xf7\x42\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a";

    #[test]
    fn xz_files_are_unpacked_and_checked() {
        let text = b"pliant pliant pliant pliant\n";
        let mut out = b"before ".to_vec();
        Method::Lzma.unpack(XZ, text.len(), &mut out).unwrap();
        assert_eq!(&out[7..], text);
        assert!(
            Method::Lzma.unpack(XZ, text.len() - 1, &mut Vec::new()).unwrap_err().contains("more than 27")
        );
        assert_eq!(Method::Lzma.unpack(XZ, text.len() + 1, &mut Vec::new()).unwrap_err(), "28 bytes");
        for at in 0..XZ.len() {
            let mut bad = XZ.to_vec();
            bad[at] ^= 0x10;
            // Whatever is changed in bytes that are not checked, the output is correct or refused.
            let mut out = Vec::new();
            if Method::Lzma.unpack(&bad, text.len(), &mut out).is_ok() {
                assert_eq!(out, text, "byte {at}");
            }
            // Behind the check sum stand an index and an end that nothing here depends on.
            assert!(Method::Lzma.unpack(&XZ[..at], text.len(), &mut Vec::new()).is_err() || at >= 56, "{at}");
        }
    }

    #[test]
    fn check_sums_are_the_known_ones() {
        assert_eq!(crc64(b"123456789"), 0x995d_c9bb_df19_39fa);
    }

    #[test]
    fn lz4_blocks_are_unpacked_within_their_size() {
        let text = [7_u8; 5000];
        let packed = lz4_flex::block::compress(&text);
        let mut out = Vec::new();
        Method::Lz4.unpack(&packed, text.len(), &mut out).unwrap();
        assert_eq!(out, text);
        assert!(Method::Lz4.unpack(&packed, 4999, &mut Vec::new()).is_err());
        assert_eq!(Method::Lz4.unpack(&packed, 5001, &mut Vec::new()).unwrap_err(), "5000 bytes");
        let lie = Method::Lz4.unpack(&packed, 1 << 30, &mut Vec::new()).unwrap_err();
        assert!(lie.contains("cannot hold so many"), "{lie}");
    }
}
