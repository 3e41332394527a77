//! `mola traindata export`: quiet positions in the formats of other trainers.
//!
//! bullet's [format](https://github.com/jw1912/bulletformat) has 32 bytes a position, as the side
//! to move sees it: when that is Black the board is turned upside down and the colours exchanged.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | occupied squares, a1 the lowest bit, little-endian |
//! | 8..24 | a nibble for each from a1 on, low nibble first: pawn 0 to king 5, plus 8 for the opponent's |
//! | 24..26 | the score in centipawns, little-endian |
//! | 26..27 | the result: 0 lost, 1 drawn, 2 won |
//! | 27..28 | the king's square |
//! | 28..29 | the square of the opponent's king as the opponent sees it |
//! | 29..32 | zero |
//!
//! The text that bullet converts has lines `FEN | score | result`, from White's view, the result
//! being 1.0, 0.5 or 0.0.

use crate::data::{self, Visit};
use common::count::count;
use common::error::{Error, Result};
use common::files::{Force, NewFile};
use common::note;
use engine_core::notation::EnPassant;
use engine_core::{Board, Color, Position, Role, Rules, Variant};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write the quiet positions of a file in the format of another trainer
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  mola traindata export games.data --format bullet --out games.bullet")]
pub(super) struct Args {
    /// A file of mola datagen
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// The format
    #[arg(long)]
    format: ExportFormat,
    /// Threads; the file does not depend on the number
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// The file of positions to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum ExportFormat {
    /// 32 bytes per position, as bullet reads them; standard chess only
    Bullet,
    /// Lines of text: FEN | score | result, from White's point of view
    Plain,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Result {
    let out = NewFile::create(&args.out, args.force.replace(), &[&args.data])?;
    let positions = match args.format {
        ExportFormat::Bullet => {
            if data::recipe(&args.data)?.variant != Variant::Standard {
                return Err(Error::Message(format!(
                    "{}: bullet's format is for standard chess only",
                    args.data.display()
                )));
            }
            export::<Bullet>(args, out)?
        }
        ExportFormat::Plain => export::<Plain>(args, out)?,
    };
    let path: &Path = &args.out;
    note!("{}: {}", path.display(), count(positions, "position"));
    Ok(())
}

/// Positions of a block in their new form.
trait Converted: Visit + Default + Send {
    fn bytes(&self) -> &[u8];
    fn positions(&self) -> u64;
}

/// Writes all positions and returns how many there are.
fn export<C: Converted>(args: &Args, mut out: NewFile) -> Result<u64> {
    let mut positions = 0;
    data::read_each(&args.data, args.threads as usize, |block: C| {
        positions += block.positions();
        Ok(out.write_all(block.bytes())?)
    })?;
    out.finish()?;
    Ok(positions)
}

#[derive(Default)]
struct Bullet(Vec<u8>);

/// Bytes of a position.
const BULLET: usize = 32;

impl Visit for Bullet {
    fn visit<R: Rules>(&mut self, position: &Position<R>, score: i16, result: u8) {
        let turn = position.turn();
        self.0.extend(bullet(position.board(), turn, score, result));
    }
}

impl Converted for Bullet {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn positions(&self) -> u64 {
        (self.0.len() / BULLET) as u64
    }
}

/// A position of standard chess; score and result are White's.
fn bullet(board: &Board, turn: Color, score: i16, result: u8) -> [u8; BULLET] {
    let (occupied, score, result) = match turn {
        Color::White => (board.occupied(), score, result),
        Color::Black => (board.occupied().flip(), score.saturating_neg(), 2 - result),
    };
    let mut nibbles = [0; 16];
    for (at, square) in occupied.into_iter().enumerate() {
        if let Some(piece) = board.piece_at(square.relative(turn))
            && let Some(pair) = nibbles.get_mut(at / 2)
        {
            let nibble = piece.role as u8 | if piece.color == turn { 0 } else { 8 };
            *pair |= nibble << (at % 2 * 4);
        }
    }
    let king = |color| {
        let square = board.pieces(color, Role::King).first_or_a1();
        square.relative(color) as u8
    };
    let mut bytes = [0; BULLET];
    let fields = occupied.0.to_le_bytes().into_iter().chain(nibbles);
    let fields = fields.chain(score.to_le_bytes());
    let fields = fields.chain([result, king(turn), king(!turn)]);
    for (to, field) in bytes.iter_mut().zip(fields) {
        *to = field;
    }
    bytes
}

#[derive(Default)]
struct Plain {
    text: Vec<u8>,
    positions: u64,
}

impl Visit for Plain {
    fn visit<R: Rules>(&mut self, position: &Position<R>, score: i16, result: u8) {
        let fen = position.fen(EnPassant::Legal);
        let result = f32::from(result) / 2.0;
        // Writing to memory cannot fail.
        let _ = writeln!(self.text, "{fen} | {score} | {result:.1}");
        self.positions += 1;
    }
}

impl Converted for Plain {
    fn bytes(&self) -> &[u8] {
        &self.text
    }

    fn positions(&self) -> u64 {
        self.positions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{AnyPosition, CastlingMode};

    fn of(fen: &str) -> [u8; BULLET] {
        let mode = CastlingMode::Standard;
        let position = AnyPosition::from_fen(Variant::Standard, fen, mode).expect("a FEN");
        bullet(position.board(), position.turn(), 100, 2)
    }

    #[test]
    fn bullet_sees_the_side_to_move() {
        let white = of("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1");
        let occupied = 1_u64 | 1 << 4 | 1 << 12 | 1 << 60;
        assert_eq!(white[..8], occupied.to_le_bytes());
        assert_eq!(white[8..10], [0x53, 0xd0]);
        assert_eq!(white[10..24], [0; 14]);
        assert_eq!(white[24..], [100, 0, 2, 4, 4, 0, 0, 0]);
        let black = of("r3k3/4p3/8/8/8/8/8/4K3 b - - 0 1");
        assert_eq!(black[..24], white[..24]);
        assert_eq!(black[24..], [156, 255, 0, 4, 4, 0, 0, 0]);
        let kings = of("6k1/8/8/8/8/8/8/2K5 b - - 0 1");
        assert_eq!(kings[27..29], [6, 2]);
    }
}
