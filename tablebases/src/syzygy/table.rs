//! One table: its headers, and the value it stores for a position.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used)]

use super::checksum::checksum;
use super::family::{Family, Metric};
use super::index::{PieceSquares, SyzygyIndex, lead_pawn_file};
use super::pairs::{Pairs, Section, u16_at};
use crate::error::{Damage, TableError, TableFault};
use crate::source::{TableBytes, TableLocation};
use crate::{Material, Wdl};
use engine_core::{Board, Color, Piece, Role};
use std::path::Path;

/// The bytes of the checksum at the end of every file.
pub(super) const CHECKSUM: usize = 16;

/// A table, opened and its headers checked.
#[derive(Debug)]
pub(super) struct SyzygyTable {
    source: TableBytes,
    place: TableLocation,
    metric: Metric,
    /// The material as stored in the file.
    pub(super) material: Material,
    symmetric: bool,
    /// The leading pawns, whose file selects the subtable.
    leader: Option<Piece>,
    /// For each file of the leading pawn (without pawns, once): a subtable for each side to move, or one.
    parts: Vec<SubTable>,
    /// The number of subtables for each file.
    sides: usize,
    pub(super) damage: Damage,
}

#[derive(Debug)]
struct SubTable {
    layout: SyzygyIndex,
    pairs: Pairs,
    /// How DTZ values are stored.
    flags: u8,
    /// For DTZ: where in the file the values of wins, losses, cursed wins and blessed losses are.
    maps: Option<[Map; 4]>,
}

/// A list of DTZ values in the file.
#[derive(Clone, Copy, Debug)]
struct Map {
    at: usize,
    count: usize,
}

/// Faults found in more than one place.
const CUT: &str = "the file ends within its headers";
const OTHER_MATERIAL: &str = "its material differs from its name";

/// Flags of the file; the number of pieces is above them.
const SPLIT: u8 = 1;
const HAS_PAWNS: u8 = 2;
/// Flags of DTZ sub-tables.
const BLACK_TO_MOVE: u8 = 1;
const MAPPED: u8 = 2;
const WIN_IN_PLIES: u8 = 4;
const LOSS_IN_PLIES: u8 = 8;
const WIDE: u8 = 16;

/// A position as stored in a table.
#[derive(Clone, Copy)]
struct View<'a> {
    part: &'a SubTable,
    /// The side to move: `true` for Black.
    black: bool,
    /// Whether to swap colours and flip ranks, because the table is stored so.
    flip: bool,
    /// The squares of the leading pawns, and their number.
    squares: PieceSquares,
    leaders: usize,
}

impl SyzygyTable {
    /// Opens a table and checks its headers, though not its checksum.
    pub(super) fn open(
        place: &TableLocation,
        family: Family,
        metric: Metric,
        material: Material,
    ) -> Result<SyzygyTable, TableError> {
        let failed = |fault| TableError::new(place.display(), fault);
        let source = place
            .open()
            .map_err(|error| failed(TableFault::Io(error)))?;
        if source.len() < 64 + CHECKSUM || source.len() % 64 != CHECKSUM {
            return Err(failed(TableFault::Length(source.len())));
        }
        let other = family.pawnless_family().filter(|_| !material.has_pawns());
        let magics = [Some(family), other].map(|family| family.map(|family| family.magic(metric)));
        let magic = source.first_chunk().copied();
        if !magics.contains(&magic) {
            return Err(failed(TableFault::Magic));
        }
        let mut table = SyzygyTable {
            source,
            place: place.clone(),
            metric,
            material,
            symmetric: material.is_symmetric(),
            leader: None,
            parts: Vec::new(),
            sides: 1,
            damage: Damage::default(),
        };
        match table.read(family) {
            Ok(parts) => {
                table.parts = parts;
                Ok(table)
            }
            Err(what) => Err(failed(TableFault::Corrupt(what))),
        }
    }

    /// Reads all headers. The error says what is broken.
    fn read(&mut self, family: Family) -> Result<Vec<SubTable>, &'static str> {
        let file: &[u8] = &self.source;
        let end = file.len() - CHECKSUM;
        self.check_flags(*file.get(4).ok_or(CUT)?)?;
        let sides = if self.metric == Metric::Wdl && !self.symmetric {
            2
        } else {
            1
        };
        let mut at = 5;
        let layouts = self.read_layouts(file, &mut at, sides, family)?;
        let (stored, leader) = self.check_layouts(&layouts)?;
        let mut tables = self.read_codes(file, &mut at, layouts, family)?;

        // Where indices, lengths of blocks and blocks lie.
        for part in Section::ALL {
            for table in &mut tables {
                if let Pairs::Coded(coded) = &mut table.pairs {
                    if matches!(part, Section::Data) {
                        at = at.next_multiple_of(64);
                    }
                    at = coded.place(part, at, end).ok_or("the file is too short")?;
                }
            }
        }
        if at.next_multiple_of(64) != end {
            return Err("the file is too long");
        }
        self.material = stored;
        self.leader = leader;
        self.sides = sides;
        Ok(tables)
    }

    /// Checks the flags of the header against the material of the name.
    fn check_flags(&self, flags: u8) -> Result<(), &'static str> {
        let count = u32::from(flags >> 4);
        let is_count = count == 0 || count == self.material.pieces();
        if !is_count
            || (flags & HAS_PAWNS != 0) != self.material.has_pawns()
            || (flags & SPLIT != 0) == self.symmetric
        {
            return Err(OTHER_MATERIAL);
        }
        Ok(())
    }

    /// Reads the order of the pieces of all subtables: by the file of the leading pawn, and by side.
    fn read_layouts(
        &self,
        file: &[u8],
        at: &mut usize,
        sides: usize,
        family: Family,
    ) -> Result<Vec<SyzygyIndex>, &'static str> {
        let count = if self.material.has_pawns() { 4 } else { 1 };
        let both_have_pawns = Color::ALL
            .into_iter()
            .all(|color| self.material.count(Role::Pawn.of(color)) > 0);
        let connected_kings = family.has_connected_kings();
        let pieces = self.material.pieces() as usize;
        let mut layouts = Vec::new();
        for pawn_file in 0..count {
            let orders = file
                .get(*at..*at + 1 + usize::from(both_have_pawns))
                .ok_or(CUT)?;
            *at += orders.len();
            let list = file.get(*at..*at + pieces).ok_or(CUT)?;
            *at += pieces;
            for side in 0..sides {
                let nibble = |byte: u8| if side == 0 { byte & 15 } else { byte >> 4 };
                let mut orders = orders.iter().map(|&byte| nibble(byte));
                let order = [orders.next().unwrap_or(15), orders.next().unwrap_or(15)];
                let pieces = list.iter().map(|&byte| piece(nibble(byte)));
                let pieces: Vec<_> = pieces.collect::<Option<_>>().ok_or("an unknown piece")?;
                let layout = SyzygyIndex::new(&pieces, order, pawn_file, connected_kings);
                layouts.push(layout.ok_or("an impossible order of pieces")?);
            }
        }
        Ok(layouts)
    }

    /// The material as stored, perhaps with colours swapped, and the leading pawn, if there are pawns;
    /// both must be the same in all subtables.
    fn check_layouts(
        &self,
        layouts: &[SyzygyIndex],
    ) -> Result<(Material, Option<Piece>), &'static str> {
        let has_pawns = self.material.has_pawns();
        let material = |layout: &SyzygyIndex| {
            let pieces = layout.pieces.iter();
            pieces.fold(Material::default(), |sum, &piece| sum.with(piece))
        };
        let stored = layouts.first().map(material).unwrap_or_default();
        let is_stored = |layout: &SyzygyIndex| material(layout) == stored;
        if stored.normalized() != self.material.normalized() || !layouts.iter().all(is_stored) {
            return Err(OTHER_MATERIAL);
        }
        let leaders =
            |layout: &SyzygyIndex| (layout.leading_pawns(), layout.pieces.first().copied());
        let leader = layouts.first().map(leaders).unwrap_or_default();
        if !layouts
            .iter()
            .all(|layout| leaders(layout) == leader || !has_pawns)
        {
            return Err("the leading pawns differ");
        }
        Ok((stored, leader.1.filter(|_| has_pawns)))
    }

    /// Reads the Huffman codes of all subtables, and the value maps of a DTZ table.
    fn read_codes(
        &self,
        file: &[u8],
        at: &mut usize,
        layouts: Vec<SyzygyIndex>,
        family: Family,
    ) -> Result<Vec<SubTable>, &'static str> {
        *at += *at & 1;
        let single = (self.metric == Metric::Dtz).then(|| u16::from(family.must_capture()));
        let mut tables = Vec::new();
        for layout in layouts {
            let header =
                Pairs::read(file, *at, layout.size, single).ok_or("an invalid Huffman code")?;
            *at = header.end;
            tables.push(SubTable {
                layout,
                pairs: header.pairs,
                flags: header.flags,
                maps: None,
            });
        }
        if self.metric == Metric::Dtz {
            for table in &mut tables {
                table.maps = read_maps(file, at, table.flags).ok_or(CUT)?;
            }
            *at += *at & 1;
        }
        Ok(tables)
    }

    fn broken(&self, what: &'static str) -> TableError {
        TableError::new(self.place.display(), TableFault::Corrupt(what))
    }

    /// The stored value of a position with this material; less than the true one where a capture is
    /// best.
    #[inline]
    pub(super) fn wdl(
        &self,
        board: &Board,
        material: Material,
        turn: Color,
    ) -> Result<Wdl, TableError> {
        let view = self.view(board, material, turn);
        let value = view.and_then(|view| self.value(board, view));
        value
            .and_then(|value| Wdl::from_number(i32::from(value) - 2))
            .ok_or_else(|| self.broken("an invalid value"))
    }

    /// The plies to the next capture or pawn move of a position with this value, which is not a
    /// draw; `None` when the table is for the other side to move. Rounded up to moves where that
    /// does not matter.
    pub(super) fn dtz(
        &self,
        board: &Board,
        material: Material,
        turn: Color,
        wdl: Wdl,
    ) -> Result<Option<i32>, TableError> {
        let broken = || self.broken("an invalid value");
        let view = self.view(board, material, turn).ok_or_else(broken)?;
        let part = view.part;
        let stored = part.flags & BLACK_TO_MOVE != 0;
        if stored != view.black && (!self.symmetric || self.leader.is_some()) {
            return Ok(None);
        }
        let value = self.value(board, view);
        let plies = value.and_then(|value| part.plies(&self.source, value, wdl));
        plies.map(Some).ok_or_else(broken)
    }

    /// How the table sees a position.
    #[inline]
    fn view(&self, board: &Board, material: Material, turn: Color) -> Option<View<'_>> {
        let flip = if self.symmetric {
            !turn.is_white()
        } else {
            material != self.material
        };
        let black = turn.is_white() == flip;
        let mut squares = PieceSquares::default();
        let (mut leaders, mut file) = (0, 0);
        if let Some(leader) = self.leader {
            leaders = add(board, leader, flip, &mut squares, 0)?;
            file = lead_pawn_file(squares.get_mut(..leaders)?);
        }
        let side = if self.sides == 2 {
            usize::from(black)
        } else {
            0
        };
        Some(View {
            part: self.parts.get(file * self.sides + side)?,
            black,
            flip,
            squares,
            leaders,
        })
    }

    /// The stored value. `None` when the file is broken.
    #[inline]
    fn value(&self, board: &Board, view: View) -> Option<u16> {
        let (layout, mut squares) = (&view.part.layout, view.squares);
        let coded = match &view.part.pairs {
            Pairs::Single(value) => return Some(*value),
            Pairs::Coded(coded) => coded,
        };
        let mut count = view.leaders;
        while let Some(&piece) = layout.pieces.get(count) {
            count = add(board, piece, view.flip, &mut squares, count)?;
        }
        coded.value(&self.source, layout.index(squares)?)
    }
}

/// Adds the squares of one kind of piece after `count` others and returns how many there are now;
/// `None` when there is none, or no room.
#[inline(always)]
fn add(
    board: &Board,
    piece: Piece,
    flip: bool,
    squares: &mut PieceSquares,
    mut count: usize,
) -> Option<usize> {
    let (color, mask) = if flip {
        (!piece.color, 56)
    } else {
        (piece.color, 0)
    };
    let own = board.pieces(color, piece.role);
    if own.is_empty() {
        return None;
    }
    for square in own {
        *squares.get_mut(count)? = square.index() as u8 ^ mask;
        count += 1;
    }
    Some(count)
}

impl SubTable {
    /// The plies that a stored value means.
    fn plies(&self, file: &[u8], value: u16, wdl: Wdl) -> Option<i32> {
        let (map, in_plies) = match wdl {
            Wdl::Win => (0, self.flags & WIN_IN_PLIES != 0),
            Wdl::Loss => (1, self.flags & LOSS_IN_PLIES != 0),
            Wdl::CursedWin => (2, false),
            Wdl::BlessedLoss => (3, false),
            Wdl::Draw => return None,
        };
        let value = match &self.maps {
            None => value,
            Some(maps) => {
                let map = maps.get(map)?;
                let at = usize::from(value);
                if at >= map.count {
                    return None;
                }
                if self.flags & WIDE != 0 {
                    u16_at(file, map.at + 2 * at)?
                } else {
                    u16::from(*file.get(map.at + at)?)
                }
            }
        };
        Some(i32::from(value) * if in_plies { 1 } else { 2 })
    }
}

/// The piece that four bits stand for.
fn piece(nibble: u8) -> Option<Piece> {
    let role = Role::from_index(usize::from(nibble & 7).checked_sub(1)?)?;
    Some(role.of(Color::from_white(nibble & 8 == 0)))
}

/// Finds the lists of DTZ values of one sub-table, if it has any.
#[expect(clippy::option_option, reason = "the outer one is for broken files")]
fn read_maps(file: &[u8], at: &mut usize, flags: u8) -> Option<Option<[Map; 4]>> {
    if flags & MAPPED == 0 {
        return Some(None);
    }
    let mut maps = [Map { at: 0, count: 0 }; 4];
    let wide = flags & WIDE != 0;
    if wide {
        *at += *at & 1;
    }
    for map in &mut maps {
        let (count, head, each) = if wide {
            (usize::from(u16_at(file, *at)?), 2, 2)
        } else {
            (usize::from(*file.get(*at)?), 1, 1)
        };
        *map = Map {
            at: *at + head,
            count,
        };
        *at += head + each * count;
    }
    Some(Some(maps))
}

/// Checks the headers and the checksum of a file; `None` when its name is not that of a table.
pub(crate) fn verify(path: &Path) -> Option<Result<(), TableError>> {
    let (family, metric, material) = Family::of_file(path)?;
    let place = TableLocation::File(path.to_owned());
    let table = match SyzygyTable::open(&place, family, metric, material) {
        Ok(table) => table,
        Err(error) => return Some(Err(error)),
    };
    let sound = table
        .source
        .split_last_chunk()
        .is_some_and(|(contents, stored)| checksum(contents) == *stored);
    Some(if sound {
        Ok(())
    } else {
        Err(TableError::new(place.display(), TableFault::Checksum))
    })
}
