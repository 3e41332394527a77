//! `mola pgn find`: games with a position.

use super::filter::copy;
use super::input::Input;
use super::output::Target;
use super::pipeline::Record;
use crate::{Dialect, NodeId, Tree};
use common::arguments::fen;
use common::error::{Error, Result};
use common::note;
use engine_core::{AnyPosition, Board, CastlingMode, Color, Role, Variant};
use std::io::Write;

/// Write the games that reach a position or a material, as they are.
///
/// Variations count, too, unless --main-line is given.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola pgn find games.pgn --fen 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -'
  mola pgn find games.pgn --material KRPvKR --list")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: Target,
    /// The position: pieces, side to move, castling rights, and en passant where it is possible
    #[arg(long, required_unless_present = "material")]
    fen: Option<String>,
    /// Compare the pieces alone with those of the FEN
    #[arg(long, requires = "fen")]
    board: bool,
    /// The material of both sides with a v between them, for either colour
    #[arg(long, conflicts_with = "fen", value_parser = material)]
    material: Option<Material>,
    /// Look at main lines alone
    #[arg(long)]
    main_line: bool,
    /// Tell where instead of writing games: file and line, ply, players, result
    #[arg(long)]
    list: bool,
}

/// How many pieces of each role either side has.
type Material = [[u32; 6]; 2];

fn material(text: &str) -> std::result::Result<Material, String> {
    let (white, black) = text
        .split_once('v')
        .ok_or("expected two sides, as in KRPvKR")?;
    let side = |letters: &str| {
        let mut counts = [0; 6];
        for letter in letters.chars() {
            let role =
                Role::from_letter(letter).ok_or(format!("no piece has the letter {letter:?}"))?;
            if let Some(count) = counts.get_mut(role as usize) {
                *count += 1;
            }
        }
        Ok::<_, String>(counts)
    };
    Ok([side(white)?, side(black)?])
}

fn count(side: &[u32; 6], role: Role) -> u32 {
    side.get(role as usize).copied().unwrap_or(0)
}

/// What is said of patterns such as `RvR`.
const NO_KING: &str = "a side without a K has no king, as in Horde and Antichess alone; \
    rook against rook is KRvKR";

fn material_of(board: &Board) -> Material {
    let side = |color| Role::ALL.map(|role| board.pieces(color, role).count());
    [side(Color::White), side(Color::Black)]
}

/// What is looked for.
enum Goal {
    Position(AnyPosition),
    Board(Board),
    Material(Material),
}

impl Goal {
    fn is_met(&self, position: &AnyPosition) -> bool {
        let board = || *position.board();
        match self {
            Goal::Position(goal) => goal.repeats(position),
            Goal::Board(goal) => *goal == board(),
            Goal::Material([a, b]) => {
                let found = material_of(&board());
                found == [*a, *b] || found == [*b, *a]
            }
        }
    }

    /// The first ply where the game meets the goal.
    fn find(&self, tree: &Tree, in_variations: bool) -> Option<usize> {
        let start = tree.start?;
        if self.is_met(&start) {
            return Some(0);
        }
        let mut stack: Vec<(NodeId, AnyPosition, usize)> = vec![(tree.root(), start, 0)];
        while let Some((id, before, ply)) = stack.pop() {
            let most = if in_variations { usize::MAX } else { 1 };
            let children = tree.children(id).iter().take(most);
            for &child in children.rev() {
                let mut position = before;
                match tree.move_to(child) {
                    Some(m) => position.play(m),
                    None => position.play_null(),
                }
                if self.is_met(&position) {
                    return Some(ply + 1);
                }
                stack.push((child, position, ply + 1));
            }
        }
        None
    }
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let goal = match (&args.fen, &args.material) {
        (Some(text), _) => {
            let fen = fen(text, Variant::Standard);
            let goal = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard);
            let goal = goal?;
            if args.board {
                Goal::Board(*goal.board())
            } else {
                Goal::Position(goal)
            }
        }
        (None, Some(material)) => {
            if !args.input.quiet && material.iter().any(|side| count(side, Role::King) == 0) {
                note!("{NO_KING}");
            }
            Goal::Material(*material)
        }
        (None, None) => return Err(Error::Message("nothing to look for".into())),
    };
    let find = |record: &Record<'_>| goal.find(record.tree, !args.main_line);
    if !args.list {
        let pick = |record: Record<'_>| find(&record).map(|_| record.raw.to_vec());
        let kept = copy(&args.input, dialect, &args.target, pick, |_| true)?;
        kept.report(&args.input);
        return Ok(());
    }
    let mut out = args.target.open(&args.input)?;
    let tell = |record: Record<'_>| {
        let ply = find(&record)?;
        let tag = |name| record.tree.headers.get(name).unwrap_or("?".into());
        let (name, line) = (record.name, record.line);
        let (white, black) = (tag("White"), tag("Black"));
        let result = record.tree.known_result();
        Some(format!(
            "{name}:{line}\tply {ply}\t{white} - {black}\t{result}"
        ))
    };
    args.input.each_game(dialect, tell, |line| {
        if let Some(line) = line {
            writeln!(out, "{line}")?;
        }
        Ok(true)
    })?;
    out.finish()
}
