//! Common code of the fuzz targets.

#[cfg(feature = "sessions")]
pub mod session;

use engine_core::{AnyPosition, Board, CastlingMode, Color, Setup, Square, Variant};
use std::fs;
use std::path::PathBuf;
use tablebases::Material;

/// Reads the fuzzer's input byte by byte; after its end come zeros.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        first
    }

    /// The next number, little-endian.
    pub fn word(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// A variant.
    pub fn variant(&mut self) -> Variant {
        let number = usize::from(self.byte()) % Variant::all().count();
        Variant::all().nth(number).unwrap_or_default()
    }

    /// A castling mode.
    pub fn mode(&mut self) -> CastlingMode {
        match self.byte() % 2 {
            0 => CastlingMode::Standard,
            _ => CastlingMode::Chess960,
        }
    }

    /// All the rest, if it is text.
    pub fn text(self) -> Option<&'a str> {
        std::str::from_utf8(self.0).ok()
    }

    /// This many bytes, or all that are left.
    pub fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }
}

/// A file that the fuzzed code opens: one for each process, written anew for each input.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
}

impl Default for Scratch {
    fn default() -> Scratch {
        let folder = std::env::temp_dir().join(format!("mola-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        Scratch { folder }
    }
}

impl Scratch {
    /// Writes the file under this name, the only one in its folder.
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.join(name);
        // A file that is mapped must not change, so a new one takes its place.
        let _ = fs::remove_file(&path);
        fs::write(&path, bytes).expect("a temporary file");
        path
    }
}

/// The position with this material on squares that the input names, if it is one.
pub fn position(material: Material, variant: Variant, input: &mut Input) -> Option<AnyPosition> {
    let mut board = Board::EMPTY;
    for (piece, count) in material.iter() {
        for _ in 0..count {
            let square = Square::from_index_masked(input.byte().into());
            if board.occupied().has(square) {
                return None;
            }
            board.put(piece, square);
        }
    }
    let turn = [Color::White, Color::Black][usize::from(input.byte() & 1)];
    let setup = Setup {
        board,
        turn,
        ..Setup::EMPTY
    };
    AnyPosition::from_setup(variant, &setup, CastlingMode::Standard).ok()
}
