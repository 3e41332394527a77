//! The header of a file and the head of a block.

use engine_core::Variant;

/// Bytes of the header.
pub(super) const HEADER: usize = FIELDS + 4;
/// Those before the checksum, which are the whole header of version 2.
pub(super) const FIELDS: usize = 32;
/// Bytes of the head of a block.
pub(super) const HEAD: usize = 36;
/// Games of a block; the last one may have fewer.
pub(super) const BLOCK_GAMES: u32 = 64;
/// No body is longer.
pub(super) const LONGEST_BODY: u32 = 1 << 22;

const MAGIC: u64 = u64::from_le_bytes(*b"MolaData");
const VERSION: u64 = 3;
const WITHOUT_CHECKSUM: u64 = 2;
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
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let version = VERSION | (self.variant as u64) << 8 | u64::from(self.weights) << 32;
        let fields = [MAGIC, version, self.seed, self.nodes];
        let mut bytes: Vec<u8> = fields.into_iter().flat_map(u64::to_le_bytes).collect();
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// How many bytes of a header follow its fields.
    pub(super) fn bytes_after(fields: &[u8]) -> u64 {
        let version = fields.get(size_of_val(&MAGIC)).copied();
        if version.map(u64::from) == Some(WITHOUT_CHECKSUM) {
            0
        } else {
            (HEADER - FIELDS) as u64
        }
    }

    /// Reads a whole header.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Recipe, HeaderFault> {
        let (fields, crc) = bytes
            .split_first_chunk::<FIELDS>()
            .ok_or(HeaderFault::NotOurs)?;
        let &[magic, version, seed, nodes] = fields.as_chunks::<8>().0 else {
            return Err(HeaderFault::NotOurs);
        };
        if u64::from_le_bytes(magic) != MAGIC {
            return Err(HeaderFault::NotOurs);
        }
        let version = u64::from_le_bytes(version);
        if version & 0xff != WITHOUT_CHECKSUM && crc != crc32fast::hash(fields).to_le_bytes() {
            return Err(HeaderFault::Damaged);
        }
        let number = version >> 8 & 0xff_ffff;
        let variant = Variant::all().find(|&variant| variant as u64 == number);
        let is_known = [VERSION, WITHOUT_CHECKSUM].contains(&(version & 0xff));
        Ok(Recipe {
            variant: variant.filter(|_| is_known).ok_or(HeaderFault::Unknown)?,
            seed: u64::from_le_bytes(seed),
            nodes: u64::from_le_bytes(nodes),
            weights: (version >> 32) as u32,
        })
    }
}

/// What is wrong with a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HeaderFault {
    /// It is none.
    NotOurs,
    /// Its checksum is wrong.
    Damaged,
    /// It has a version or a variant that this program does not know.
    Unknown,
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
