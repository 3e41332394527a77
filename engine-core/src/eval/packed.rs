//! Weights files as the build script compresses them: LZMA over the header, the four byte planes of
//! the integers (all lowest bytes first), and the hash. The planes of high bytes are nearly constant.

use super::file::push_unsigned;
use lzma_rust2::LzmaReader;
use std::array::from_fn;
use std::io::Read;

/// The bytes of the file; `None` if the packed bytes are damaged.
pub(super) fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut reader = LzmaReader::new_mem_limit(packed, u32::MAX, None).ok()?;
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).ok()?;
    let (header, rest) = bytes.split_first_chunk::<16>()?;
    let (planes, hash) = rest.split_last_chunk::<8>()?;
    let count = planes.len() / 4;
    let mut file = header.to_vec();
    for k in 0..count {
        let integer = from_fn(|plane| planes[plane * count + k]);
        push_unsigned(&mut file, u32::from_le_bytes(integer));
    }
    file.extend(hash);
    Some(file)
}
