//! Observations of a player: 8 rows of 8 squares with a number of channels each, in bytes 0 and 1.
//!
//! The first row is the farthest from the player, so White sees rank 8 there and Black rank 1;
//! columns are the files from a to h.

use engine_core::{Bitboard, Color, Position, Rank, Role, Square};

/// The form of an observation: its channels.
///
/// In both forms the clock is one bit, the one of the square whose number is the count of full
/// moves without capture or pawn move, and a pawn that has just advanced two squares is shown on
/// its home rank, whether or not it can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// `PettingZoo`'s `chess_v6`, bit for bit: 111 channels.
    ///
    /// | channels | |
    /// |---|---|
    /// | 0 and 1 | own castling rights, king side and queen side |
    /// | 2 and 3 | the opponent's |
    /// | 4 | ones for Black |
    /// | 5 | the clock; squares count from the player's first rank |
    /// | 6 | ones |
    /// | 7 to 18 | own pawns, knights, bishops, rooks, queens and king, then the opponent's |
    /// | 19 | ones if the position stood before |
    /// | 20 to 110 | channels 7 to 19 again for each of the seven positions before |
    ///
    /// Positions count from the one after the first move, so that none is shown after a reset.
    #[default]
    Stacked,
    /// 20 channels of the present position, as the documentation of `PettingZoo` up to `chess_v5`
    /// describes them: colours are absolute, and squares of the clock count from the first row.
    ///
    /// | channels | |
    /// |---|---|
    /// | 0 and 1 | White's castling rights, queen side and king side |
    /// | 2 and 3 | Black's |
    /// | 4 | ones for Black |
    /// | 5 | the clock |
    /// | 6 | ones |
    /// | 7 to 18 | White's pawns, knights, bishops, rooks, queens and king, then Black's |
    /// | 19 | ones if the position stood before |
    Single,
}

/// How many positions a [`Form::Stacked`] observation shows.
pub(super) const STACK: usize = 8;

/// Channels before those of the positions, and channels of a position.
const HEAD: usize = 7;
const FRAME: usize = 13;

const STACKED: usize = HEAD + STACK * FRAME;
const SINGLE: usize = HEAD + FRAME;

impl Form {
    /// The number of channels.
    pub const fn channels(self) -> usize {
        match self {
            Form::Stacked => STACKED,
            Form::Single => SINGLE,
        }
    }

    /// The number of bytes: 64 times the channels.
    pub const fn bytes(self) -> usize {
        64 * self.channels()
    }
}

/// The channels of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PositionChannels {
    /// White's pieces from pawn to king, and Black's.
    pieces: [[Bitboard; 6]; 2],
    repeated: Bitboard,
}

impl PositionChannels {
    /// Shows nothing.
    pub(super) const EMPTY: PositionChannels = PositionChannels {
        pieces: [[Bitboard::EMPTY; 6]; 2],
        repeated: Bitboard::EMPTY,
    };

    /// Shows a position.
    pub(super) fn new(position: &Position, repeated: bool) -> PositionChannels {
        let board = position.board();
        let of = |color| Role::ALL.map(|role| board.pieces(color, role));
        let mut pieces = Color::ALL.map(of);
        if let Some(passed) = position.en_passant() {
            let owner = !position.turn();
            let stands = Square::new(passed.file(), owner.relative_rank(Rank::Fourth));
            let home = Square::new(passed.file(), owner.backrank());
            let [[white, ..], [black, ..]] = &mut pieces;
            let pawns = if owner.is_white() { white } else { black };
            pawns.0 = pawns.0 & !stands.bitboard().0 | home.bitboard().0;
        }
        PositionChannels {
            pieces,
            repeated: all_if(repeated),
        }
    }

    /// The channels, those of one colour first.
    fn planes(&self, first: Color) -> impl Iterator<Item = Bitboard> + use<> {
        let [white, black] = self.pieces;
        let [own, other] = match first {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        own.into_iter().chain(other).chain([self.repeated])
    }
}

/// Writes a [`Form::Stacked`] observation. The stack has the latest position first.
pub(super) fn write_stacked(
    out: &mut [u8],
    player: Color,
    position: &Position,
    stack: &[PositionChannels; STACK],
) {
    let [own_king, own_queen] = castling(position, player);
    let [king, queen] = castling(position, !player);
    let head = [
        own_king,
        own_queen,
        king,
        queen,
        all_if(!player.is_white()),
        clock(position),
        Bitboard::FULL,
    ];
    let frames = stack.iter().flat_map(|frame| frame.planes(player));
    write::<STACKED>(out, player, head.into_iter().chain(frames));
}

/// Writes a [`Form::Single`] observation.
pub(super) fn write_single(
    out: &mut [u8],
    player: Color,
    position: &Position,
    frame: &PositionChannels,
) {
    let [white_king, white_queen] = castling(position, Color::White);
    let [black_king, black_queen] = castling(position, Color::Black);
    let clock = match player {
        Color::White => clock(position).flip(),
        Color::Black => clock(position),
    };
    let head = [
        white_queen,
        white_king,
        black_queen,
        black_king,
        all_if(!player.is_white()),
        clock,
        Bitboard::FULL,
    ];
    write::<SINGLE>(
        out,
        player,
        head.into_iter().chain(frame.planes(Color::White)),
    );
}

fn all_if(condition: bool) -> Bitboard {
    if condition {
        Bitboard::FULL
    } else {
        Bitboard::EMPTY
    }
}

/// Whether a side may castle on the king side and on the queen side.
fn castling(position: &Position, color: Color) -> [Bitboard; 2] {
    let rooks = position.castling() & position.board().color(color);
    let king = position.board().king(color);
    let has = |king_side| {
        rooks
            .into_iter()
            .any(|rook| (Some(rook) > king) == king_side)
    };
    [all_if(has(true)), all_if(has(false))]
}

fn clock(position: &Position) -> Bitboard {
    let moves = position.halfmoves() as usize / 2;
    Square::from_index(moves).map_or(Bitboard::EMPTY, Square::bitboard)
}

/// Writes one byte for each channel of each square as the player sees them, as far as they fit.
fn write<const CHANNELS: usize>(
    out: &mut [u8],
    player: Color,
    all: impl Iterator<Item = Bitboard>,
) {
    let mut planes = [Bitboard::EMPTY; CHANNELS];
    for (plane, squares) in planes.iter_mut().zip(all) {
        *plane = squares;
    }
    // Full planes are written together with the zeros, and only what else there is by squares.
    let every = planes.map(|plane| u8::from(plane == Bitboard::FULL));
    for square in out.chunks_exact_mut(CHANNELS) {
        square.copy_from_slice(&every);
    }
    for (channel, plane) in planes.into_iter().enumerate() {
        if plane == Bitboard::FULL {
            continue;
        }
        for square in plane {
            // The first row is the farthest: White's view is upside down.
            let index = square.relative(!player).index() * CHANNELS + channel;
            if let Some(byte) = out.get_mut(index) {
                *byte = 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        let setup = engine_core::Setup::from_fen(fen).unwrap();
        Position::from_setup(&setup, setup.castling_mode()).unwrap()
    }

    /// The squares of a channel, as numbers of row and column.
    fn ones(out: &[u8], channels: usize, channel: usize) -> Vec<usize> {
        let squares = out.chunks(channels).enumerate();
        let ones = squares.filter(|(_, square)| square[channel] == 1);
        ones.map(|(index, _)| 10 * (index / 8) + index % 8)
            .collect()
    }

    fn single(fen: &str, player: Color) -> Vec<u8> {
        let position = position(fen);
        let mut out = vec![9; Form::Single.bytes()];
        write_single(
            &mut out,
            player,
            &position,
            &PositionChannels::new(&position, false),
        );
        out
    }

    fn stacked(fen: &str, player: Color) -> Vec<u8> {
        let position = position(fen);
        let mut stack = [PositionChannels::EMPTY; STACK];
        stack[0] = PositionChannels::new(&position, true);
        let mut out = vec![9; Form::Stacked.bytes()];
        write_stacked(&mut out, player, &position, &stack);
        out
    }

    const FEN: &str = "4k3/8/8/8/4Pp2/8/8/R3K3 b Q e3 0 1";

    #[test]
    fn a_pawn_that_was_pushed_twice_goes_home() {
        let white = stacked(FEN, Color::White);
        assert_eq!(ones(&white, STACKED, 7), [74]);
        assert_eq!(ones(&white, STACKED, 13), [45]);
        let black = stacked(FEN, Color::Black);
        assert_eq!(ones(&black, STACKED, 7), [35]);
        assert_eq!(ones(&black, STACKED, 13), [4]);
    }

    #[test]
    fn rights_colour_and_repetition_fill_channels() {
        let full = |out: &[u8], channels| -> Vec<usize> {
            let full = |&channel: &usize| ones(out, channels, channel).len() == 64;
            (0..channels).filter(full).collect()
        };
        assert_eq!(full(&stacked(FEN, Color::White), STACKED), [1, 6, 19]);
        assert_eq!(full(&stacked(FEN, Color::Black), STACKED), [3, 4, 6, 19]);
        assert_eq!(full(&single(FEN, Color::White), SINGLE), [0, 6]);
        assert_eq!(full(&single(FEN, Color::Black), SINGLE), [0, 4, 6]);
    }

    #[test]
    fn the_single_form_has_absolute_colours() {
        assert_eq!(ones(&single(FEN, Color::White), SINGLE, 7), [74]);
        assert_eq!(ones(&single(FEN, Color::Black), SINGLE, 7), [4]);
        assert_eq!(ones(&single(FEN, Color::Black), SINGLE, 18), [74]);
    }

    #[test]
    fn the_clock_is_one_bit() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 21 40";
        assert_eq!(ones(&stacked(fen, Color::White), STACKED, 5), [62]);
        assert_eq!(ones(&stacked(fen, Color::Black), STACKED, 5), [12]);
        assert_eq!(ones(&single(fen, Color::White), SINGLE, 5), [12]);
        assert_eq!(ones(&single(fen, Color::Black), SINGLE, 5), [12]);
        // More moves than squares, as only a FEN can have them.
        let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 148 100";
        assert!(ones(&stacked(fen, Color::White), STACKED, 5).is_empty());
    }
}
