//! The header of a file and the head of a block.

use engine_core::Variant;

/// Bytes of the header.
pub(super) const HEADER: usize = 32;
/// Bytes of the head of a block.
pub(super) const HEAD: usize = 36;
/// Games of a block; the last one may have fewer.
pub(super) const BLOCK_GAMES: u32 = 64;
/// No body is longer.
pub(super) const LONGEST_BODY: u32 = 1 << 22;

const MAGIC: u64 = u64::from_le_bytes(*b"MolaData");
const VERSION: u64 = 2;
pub(super) const MARKER: [u8; 4] = *b"Blok";

/// How the games of a file are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The rules.
    pub variant: Variant,
    /// The seed of the random openings.
    pub seed: u64,
    /// Nodes for a move.
    pub nodes: u64,
    /// Half of the hash of the weights that the games are played with.
    pub weights: u32,
}

impl Recipe {
    pub(super) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let version = VERSION | (self.variant as u64) << 8 | u64::from(self.weights) << 32;
        let fields = [MAGIC, version, self.seed, self.nodes];
        for (to, field) in bytes.chunks_exact_mut(8).zip(fields) {
            to.copy_from_slice(&field.to_le_bytes());
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Recipe> {
        let (fields, []) = bytes.as_chunks::<8>() else {
            return None;
        };
        let &[magic, version, seed, nodes] = fields else {
            return None;
        };
        let version = u64::from_le_bytes(version);
        let number = version >> 8 & 0xff_ffff;
        let variant = Variant::all().find(|&variant| variant as u64 == number);
        let known = u64::from_le_bytes(magic) == MAGIC && version & 0xff == VERSION;
        variant.filter(|_| known).map(|variant| Recipe {
            variant,
            seed: u64::from_le_bytes(seed),
            nodes: u64::from_le_bytes(nodes),
            weights: (version >> 32) as u32,
        })
    }
}

/// The head of a block, before its games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Head {
    /// The number of the first game.
    pub(super) first: u64,
    pub(super) games: u32,
    pub(super) plies: u32,
    /// Quiet positions.
    pub(super) positions: u32,
    /// Bytes of the body.
    pub(super) length: u32,
    /// The checksum of the body.
    pub(super) crc: u32,
}

impl Head {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut rest = self.first.to_le_bytes().to_vec();
        for field in [
            self.games,
            self.plies,
            self.positions,
            self.length,
            self.crc,
        ] {
            rest.extend(field.to_le_bytes());
        }
        let mut bytes = MARKER.to_vec();
        bytes.extend(crc32fast::hash(&rest).to_le_bytes());
        bytes.extend(rest);
        bytes
    }

    /// `None` for what is no head.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Head> {
        let (marker, bytes) = bytes.split_first_chunk::<4>()?;
        let (crc, rest) = bytes.split_first_chunk::<4>()?;
        let (first, fields) = rest.split_first_chunk::<8>()?;
        let (fields, []) = fields.as_chunks::<4>() else {
            return None;
        };
        let &[games, plies, positions, length, body] = fields else {
            return None;
        };
        let is_whole = *marker == MARKER && crc32fast::hash(rest) == u32::from_le_bytes(*crc);
        let head = Head {
            first: u64::from_le_bytes(*first),
            games: u32::from_le_bytes(games),
            plies: u32::from_le_bytes(plies),
            positions: u32::from_le_bytes(positions),
            length: u32::from_le_bytes(length),
            crc: u32::from_le_bytes(body),
        };
        let is_sane = (1..=BLOCK_GAMES).contains(&head.games) && head.length <= LONGEST_BODY;
        (is_whole && is_sane).then_some(head)
    }
}
