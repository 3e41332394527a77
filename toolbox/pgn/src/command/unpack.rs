//! Packed streams: gzip, bzip2 and Zstandard.

use super::peek::PeekReader;
use crate::index::MAGIC_PREFIX;
use common::files;
use flate2::bufread::GzDecoder;
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, BufRead, Cursor, Read};
use std::path::Path;

/// The text of a stream, which may be packed by gzip, bzip2 or Zstandard, as its first bytes tell.
///
/// # Errors
/// When it cannot be read, is UTF-16 or an index of games, or is packed in another way.
pub fn unpacked(raw: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut raw = PeekReader::new(raw);
    let start = raw.peek(MAX_MARK_LENGTH)?;
    refuse(start)?;
    let text: Box<dyn Read + Send> = match Packing::of(start) {
        Some(Packing::Gzip) => Box::new(Members::<GzDecoder<_>>::Between(raw)),
        Some(Packing::Bzip2) => Box::new(bzip2::bufread::MultiBzDecoder::new(raw)),
        Some(Packing::Zstandard) => Box::new(Members::<ZstdFrame<_>>::Between(raw)),
        None => return Ok(Box::new(raw)),
    };
    let mut text = PeekReader::new(text);
    files::refuse_utf16(text.peek(MAX_MARK_LENGTH)?)?;
    Ok(Box::new(text))
}

/// All bytes of a file, unpacked if it is packed.
///
/// # Errors
/// As [`files::read`] and [`unpacked`], and when there are more than 256 MB in what is packed. The
/// message names the file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    unpack(path, files::read(path)?)
}

/// The same of an input that an argument names: a file, or `-` for the standard input.
///
/// # Errors
/// As [`read`]. The message names the input.
pub fn read_input(path: &Path) -> io::Result<Vec<u8>> {
    unpack(path, files::read_input(path)?)
}

fn unpack(path: &Path, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if refuse(&bytes).is_ok() && Packing::of(&bytes).is_none() {
        return Ok(bytes);
    }
    let unpacked = unpacked(Box::new(Cursor::new(bytes)));
    let all = unpacked.and_then(files::read_stream);
    all.map_err(|error| files::named_input(path, &error))
}

/// The first bytes that tell what a stream is: this many at most.
const MAX_MARK_LENGTH: usize = 7;

/// Refuses a stream that begins as none of games does.
fn refuse(start: &[u8]) -> io::Result<()> {
    files::refuse_utf16(start)?;
    let message = match start {
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => "it is packed by xz; unpack it first",
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => "it is packed by 7-Zip; unpack it first",
        [b'P', b'K', 3, 4, ..] => "it is a ZIP archive; unpack it first",
        [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => "it is a RAR archive; unpack it first",
        [0x1f, 0x9d, ..] => "it is packed by compress; unpack it first",
        [0x04, 0x22, 0x4d, 0x18, ..] => "it is packed by lz4; unpack it first",
        start if start.starts_with(&MAGIC_PREFIX) => "it is an index of games; name the games",
        _ => return Ok(()),
    };
    Err(io::Error::new(io::ErrorKind::InvalidData, message))
}

/// How a stream is packed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Packing {
    Gzip,
    Bzip2,
    Zstandard,
}

impl Packing {
    /// As its first four bytes tell. Parallel programs begin Zstandard with a frame to be skipped.
    pub(super) fn of(start: &[u8]) -> Option<Packing> {
        Some(match start {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Packing::Bzip2,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Packing::Zstandard
            }
            _ => return None,
        })
    }
}

/// A part of a packed stream that is unpacked by itself.
trait Member: Read + Sized {
    type Raw: BufRead;

    /// Begins the next one; none at the end of the stream.
    fn begin(raw: Self::Raw) -> io::Result<Option<Self>>;

    /// What follows it.
    fn into_raw(self) -> Self::Raw;
}

/// A packed stream, read member by member.
enum Members<M: Member> {
    Between(M::Raw),
    Inside(Box<M>),
    Ended,
}

impl<M: Member> Read for Members<M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            // An error ends the stream.
            match std::mem::replace(self, Members::Ended) {
                Members::Ended => return Ok(0),
                Members::Between(raw) => match M::begin(raw)? {
                    Some(member) => *self = Members::Inside(Box::new(member)),
                    None => return Ok(0),
                },
                Members::Inside(mut member) => {
                    let length = member.read(buffer)?;
                    if length == 0 && !buffer.is_empty() {
                        *self = Members::Between(member.into_raw());
                        continue;
                    }
                    *self = Members::Inside(member);
                    return Ok(length);
                }
            }
        }
    }
}

impl<R: Read> Member for GzDecoder<PeekReader<R>> {
    type Raw = PeekReader<R>;

    /// Zeros after a member are padding, as on tapes.
    ///
    /// # Errors
    /// When something else follows: whether it is a part of the games cannot be known.
    fn begin(mut raw: PeekReader<R>) -> io::Result<Option<Self>> {
        loop {
            let found = raw.peek(MAX_MARK_LENGTH)?;
            let zeros = found.iter().take_while(|&&byte| byte == 0).count();
            match Packing::of(found) {
                Some(Packing::Gzip) => return Ok(Some(GzDecoder::new(raw))),
                _ if found.is_empty() => return Ok(None),
                _ if zeros > 0 => raw.consume(zeros),
                _ => {
                    let message = "gzip: other bytes follow the packed data, which is whole";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
            }
        }
    }

    fn into_raw(self) -> PeekReader<R> {
        self.into_inner()
    }
}

/// A frame of Zstandard.
struct ZstdFrame<R: Read>(StreamingDecoder<PeekReader<R>, FrameDecoder>);

impl<R: Read> ZstdFrame<R> {
    /// Whether what was read has the checksum of the frame, if that has one. The decoder does not
    /// compare them.
    fn is_sound(&self) -> bool {
        let decoder = &self.0.decoder;
        let sum = decoder.get_checksum_from_data();
        sum.is_none() || sum == decoder.get_calculated_checksum()
    }
}

impl<R: Read> Read for ZstdFrame<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer).map_err(|_| damaged())?;
        let is_end = length == 0 && !buffer.is_empty();
        if is_end && !self.is_sound() {
            return Err(damaged());
        }
        Ok(length)
    }
}

impl<R: Read> Member for ZstdFrame<R> {
    type Raw = PeekReader<R>;

    fn begin(mut raw: PeekReader<R>) -> io::Result<Option<Self>> {
        while skip_frame(&mut raw)? {}
        if raw.peek(1)?.is_empty() {
            return Ok(None);
        }
        let decoder = StreamingDecoder::new(raw).map_err(|error| unreadable(&error))?;
        Ok(Some(ZstdFrame(decoder)))
    }

    fn into_raw(self) -> PeekReader<R> {
        self.0.into_inner()
    }
}

/// Passes over a frame that holds no data, if one begins here.
fn skip_frame<R: Read>(raw: &mut PeekReader<R>) -> io::Result<bool> {
    let is_skippable = matches!(raw.peek(4)?, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
    if is_skippable {
        let mut header = [0; 8];
        raw.read_exact(&mut header).map_err(if_cut)?;
        let [_, _, _, _, size @ ..] = header;
        let size = u64::from(u32::from_le_bytes(size));
        if io::copy(&mut raw.take(size), &mut io::sink())? < size {
            return Err(damaged());
        }
    }
    Ok(is_skippable)
}

/// Why a frame cannot be begun: damage, or a window that would take too much memory.
fn unreadable(error: &FrameDecoderError) -> io::Error {
    let FrameDecoderError::WindowSizeTooBig { requested, max } = error else {
        return damaged();
    };
    let (requested, max) = (*requested >> 20, *max >> 20);
    io::Error::new(
        io::ErrorKind::Unsupported,
        format!(
            "zstandard: a window of {requested} MB, more than {max}; pipe it from `zstd -dc --long=31`"
        ),
    )
}

/// The end of the stream within a frame is damage; other errors are those of the file.
fn if_cut(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged(),
        _ => error,
    }
}

/// In place of the decoder's own errors, which are for those who know the format.
fn damaged() -> io::Error {
    let message = "zstandard: invalid or truncated data";
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn text_of(raw: Vec<u8>) -> io::Result<String> {
        let mut text = String::new();
        unpacked(Box::new(io::Cursor::new(raw)))?.read_to_string(&mut text)?;
        Ok(text)
    }

    /// A stream that gives a byte at a time, as a pipe may.
    struct Slow(io::Cursor<Vec<u8>>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(1);
            self.0.read(&mut buffer[..length])
        }
    }

    #[test]
    fn the_first_bytes_may_come_one_by_one() {
        let packed = gzip("text");
        let mut text = String::new();
        let slow = Slow(io::Cursor::new(packed));
        unpacked(Box::new(slow))
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, "text");
        let slow = Slow(io::Cursor::new(b"\xfd7zXZ\0rest".to_vec()));
        assert!(unpacked(Box::new(slow)).is_err());
    }

    /// Frames to be skipped, of any length, before an empty frame.
    #[test]
    fn frames_begin_anywhere() {
        const EMPTY: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0];
        for length in 65_500..65_560_u32 {
            let skipped = |length: u32| {
                let head = [&[0x50, 0x2a, 0x4d, 0x18][..], &length.to_le_bytes()].concat();
                [head, vec![0; length as usize]].concat()
            };
            let raw = [&skipped(length), EMPTY, &skipped(3), EMPTY].concat();
            assert_eq!(text_of(raw).unwrap(), "", "{length}");
        }
    }

    #[test]
    fn frames_that_are_cut_or_damaged_are_errors() {
        const FRAME: &[u8] = b"\x28\xb5\x2f\xfd\x24\x04\x21\0\0text\x52\xaf\xcc\x88";
        const SKIPPED: &[u8] = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
        let whole = [FRAME, SKIPPED].concat();
        assert_eq!(text_of(whole.clone()).unwrap(), "text");
        let lengths = (4..whole.len()).filter(|&length| length != FRAME.len());
        let cut = lengths.map(|length| whole[..length].to_vec());
        // The text, or its checksum.
        let damaged = (9..FRAME.len()).map(|at| {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            bytes
        });
        for bytes in cut.chain(damaged) {
            let error = text_of(bytes.clone()).unwrap_err().to_string();
            assert!(
                error.contains("invalid or truncated"),
                "{bytes:x?}: {error}"
            );
        }
    }

    #[test]
    fn gzip_may_have_several_members_and_zeros_at_the_end() {
        let two = [gzip("one "), gzip("two")].concat();
        assert_eq!(text_of(two.clone()).unwrap(), "one two");
        let padded = [two.clone(), vec![0; 100_000]].concat();
        assert_eq!(text_of(padded.clone()).unwrap(), "one two");
        let more = [padded.clone(), gzip(" three")].concat();
        assert_eq!(text_of(more).unwrap(), "one two three");
        for rubbish in [&b"rubbish"[..], b"\x1f", b"\x1frubbish", b"\0\0\x1f"] {
            for packed in [&two, &padded] {
                let error = text_of([&packed[..], rubbish].concat()).unwrap_err();
                assert!(error.to_string().contains("which is whole"), "{error}");
            }
        }
        assert!(text_of(two[..two.len() - 4].to_vec()).is_err());
    }

    #[test]
    fn whole_files_have_limits_and_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for bytes in [b"1-0".to_vec(), gzip("1-0")] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(read(&path).unwrap(), b"1-0");
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        io::copy(&mut io::repeat(0).take(257 << 20), &mut encoder).unwrap();
        let packed = |text: &[u8]| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(text).unwrap();
            encoder.finish().unwrap()
        };
        let cases = [
            (encoder.finish().unwrap(), "more than 256 MB"),
            (b"\xfd7zXZ\0rest".to_vec(), "packed by xz"),
            (b"Rar!\x1a\x07\x01\0rest".to_vec(), "a RAR archive"),
            (b"\x1f\x9d\x90rest".to_vec(), "packed by compress"),
            (b"\xff\xfe1\0.\0".to_vec(), "UTF-16"),
            (packed(b"\xff\xfe1\0.\0"), "UTF-16"),
            (b"\xff\xfe\0\x001\0\0\0".to_vec(), "UTF-32"),
            (packed(b"\0\0\xfe\xff\0\0\x001"), "UTF-32"),
        ];
        for (bytes, problem) in cases {
            std::fs::write(&path, bytes).unwrap();
            let error = read(&path).unwrap_err().to_string();
            let name = path.display().to_string();
            assert!(
                error.starts_with(&name) && error.contains(problem),
                "{error}"
            );
        }
    }
}
