//! `mola svg`: pictures of boards and games.

mod game;

use crate::{Arrow, Diagram, Evaluation, Theme, is_css_color, piece_svg};
use common::arguments::fen;
use common::error::Result;
use common::files::{Force, Sink};
use engine_core::notation::MoveError;
use engine_core::{
    AnyPosition, Bitboard, Board, CastlingMode, Color, Piece, Setup, Square, Variant, dispatch,
};
use std::io::Write;
use std::path::PathBuf;

/// The first part of the end of its help.
pub const EXAMPLES: &str = "Examples:
  mola svg > start.svg                                       the start position
  mola svg startpos e2e4 e7e5 g1f3 --theme slate > open.svg  after moves, in the dark
  mola svg FEN --arrow Gg1f3 --arrow Rd8h4 --fill e4=#0f08 --nag 'e5=?!' --eval +0.4
  mola svg --animate game.pgn --out game.svg                 a game, move by move";

/// The second part of the end of its help.
pub const THEMES: &str = "\
Themes: wood, green, blue, slate (dark), paper, rose. Arrows are written as in PGN: a letter G, R, Y
or B, and one square (a circle) or two; a colour of CSS may follow on =.";

/// Draw a position, or a whole game that moves, as an SVG picture.
#[derive(clap::Args, Debug)]
#[command(after_help = format!("{EXAMPLES}\n\n{THEMES}"))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub struct Args {
    /// The position; `startpos`, or nothing, is the start position
    fen: Option<String>,
    /// Moves from there, in any notation; the last one is highlighted, and so is a check
    moves: Vec<String>,
    /// The side at the bottom
    #[arg(long, value_enum, default_value_t = Bottom::White)]
    orientation: Bottom,
    /// The last move, such as e2e4
    #[arg(long, value_name = "MOVE")]
    last_move: Option<String>,
    /// The square of a king in check; without this the king to move is marked when it is
    #[arg(long, value_name = "SQUARE")]
    check: Option<Square>,
    /// Do not mark checks
    #[arg(long, conflicts_with = "check")]
    no_check: bool,
    /// An arrow or circle: e2e4, Re4, Ye1g1, b1c3=#08f8
    #[arg(long = "arrow", value_name = "ARROW")]
    arrows: Vec<Arrow>,
    /// A colour laid over a square: e4=#0f08
    #[arg(long, value_name = "SQUARE=COLOR", value_parser = filled)]
    fill: Vec<(Square, String)>,
    /// Squares to cross out: a1,h8
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    squares: Vec<Square>,
    /// A mark at a square: e4=!!, d5=?!
    #[arg(long, value_name = "SQUARE=MARK", value_parser = on_square)]
    nag: Vec<(Square, String)>,
    /// A bar at the side: +1.3, -0.5, #3
    #[arg(long, value_name = "SCORE", allow_hyphen_values = true)]
    eval: Option<Evaluation>,
    /// A line of text below
    #[arg(long)]
    caption: Option<String>,
    /// The width in pixels
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    size: Option<u32>,
    /// Leave the names of files and ranks away
    #[arg(long)]
    no_coordinates: bool,
    /// Draw a line around the board
    #[arg(long)]
    borders: bool,
    /// The colours: wood, green, blue, slate, paper or rose
    #[arg(long, default_value = "wood")]
    theme: Theme,
    /// Another colour: 'square light=#eee', 'square dark lastmove=#aa3', 'arrow green=#0a08'
    #[arg(long = "color", value_name = "NAME=COLOR", value_parser = colored)]
    colors: Vec<(String, String)>,
    /// A style sheet (CSS) to put in
    #[arg(long)]
    style: Option<String>,
    /// The rules: pockets and checks are drawn, too
    #[arg(long, value_name = "NAME", default_value = "chess")]
    variant: Variant,
    /// Castling as in Chess960
    #[arg(long)]
    chess960: bool,
    /// A file of PGN whose first game is drawn as one moving picture
    #[arg(long, value_name = "PGN", conflicts_with = "fen")]
    animate: Option<PathBuf>,
    /// Seconds from move to move of a moving picture
    #[arg(long, value_name = "S", default_value_t = 1.2, value_parser = seconds)]
    pace: f64,
    /// Draw one piece alone: N is a white knight, n a black one
    #[arg(long, value_name = "LETTER", value_parser = piece, conflicts_with_all = ["fen", "animate"])]
    piece: Option<Piece>,
    /// Where to write; standard output without it
    #[arg(long, value_name = "FILE", value_parser = svg_path)]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Bottom {
    White,
    Black,
}

fn on_square(text: &str) -> std::result::Result<(Square, String), String> {
    let (square, value) = named(text)?;
    let square = square
        .parse()
        .map_err(|_| format!("{square:?} is no square"))?;
    Ok((square, value))
}

fn named(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// A pair of names whose second is a colour.
fn colored(text: &str) -> std::result::Result<(String, String), String> {
    let (name, color) = named(text)?;
    if is_css_color(&color) {
        Ok((name, color))
    } else {
        Err(format!(
            "{color:?} is no colour of CSS such as #0f08 or green"
        ))
    }
}

fn filled(text: &str) -> std::result::Result<(Square, String), String> {
    colored(text)?;
    on_square(text)
}

fn piece(text: &str) -> std::result::Result<Piece, String> {
    let mut letters = text.chars();
    let piece = letters.next().and_then(Piece::from_letter);
    let piece = piece.filter(|_| letters.next().is_none());
    piece.ok_or_else(|| "expected a letter of KQRBNP, or a small one for Black".to_owned())
}

/// The path of a picture.
///
/// # Errors
/// When its name promises another kind of picture.
pub fn svg_path(text: &str) -> std::result::Result<PathBuf, String> {
    const OTHERS: [&str; 9] = [
        "png", "jpg", "jpeg", "gif", "webp", "bmp", "pdf", "apng", "avif",
    ];
    let path = PathBuf::from(text);
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.map(str::to_ascii_lowercase) {
        Some(other) if OTHERS.contains(&other.as_str()) => Err(format!(
            "pictures are written as SVG, not as {}",
            other.to_uppercase()
        )),
        _ => Ok(path),
    }
}

fn seconds(text: &str) -> std::result::Result<f64, String> {
    let seconds = text
        .parse()
        .ok()
        .filter(|seconds| (0.05..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "expected seconds, from 0.05 to 3600".to_owned())
}

/// Runs the subcommand.
///
/// # Errors
/// When the position, a move or the game cannot be read, or the picture cannot be written.
pub fn run(args: &Args) -> Result {
    let svg = match (&args.animate, args.piece) {
        (Some(path), _) => game::animate(args, path)?,
        (None, Some(piece)) => {
            let mut diagram = args.look(Diagram::new(&Board::EMPTY));
            args.set_colors(&mut diagram)?;
            piece_svg(piece, &diagram.theme, args.size)
        }
        (None, None) => {
            let mut diagram = args.diagram()?;
            args.set_colors(&mut diagram)?;
            diagram.svg()
        }
    };
    args.write(&svg)
}

impl Args {
    /// Writes a picture where it is wanted.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, svg: &str) -> Result {
        let inputs = self.animate.as_slice();
        let mut out = Sink::open(self.out.as_deref(), self.force.replace(), inputs)?;
        writeln!(out, "{svg}")?;
        out.finish()
    }

    /// The colours that are wanted, with their names.
    pub fn colors(&self) -> &[(String, String)] {
        &self.colors
    }

    fn set_colors(&self, diagram: &mut Diagram) -> std::result::Result<(), String> {
        for (name, color) in &self.colors {
            if !diagram.theme.set(name, color) {
                return Err(format!("no colour is called {name:?}"));
            }
        }
        Ok(())
    }

    /// Applies the options that do not depend on the position.
    fn look(&self, mut diagram: Diagram) -> Diagram {
        diagram.orientation = Color::from_white(matches!(self.orientation, Bottom::White));
        diagram.arrows.clone_from(&self.arrows);
        diagram.fill.clone_from(&self.fill);
        diagram.crosses = self.squares.iter().copied().collect();
        diagram.badges.clone_from(&self.nag);
        diagram.coordinates = !self.no_coordinates;
        diagram.border = self.borders;
        diagram.size = self.size;
        diagram.theme = self.theme.clone();
        diagram.style.clone_from(&self.style);
        diagram.evaluation = self.eval;
        diagram.caption.clone_from(&self.caption);
        diagram
    }

    /// The position, in the colours of its theme.
    ///
    /// # Errors
    /// When the position or a move cannot be read.
    pub fn diagram(&self) -> std::result::Result<Diagram, String> {
        let mode = if self.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        let mut position = match self.fen.as_deref() {
            None => AnyPosition::start(self.variant).with_mode(mode),
            // A position that no game can reach can be drawn, too.
            Some(text) => {
                let written = Setup::from_variant_fen(self.variant, fen(text, self.variant))
                    .map_err(|error| error.to_string())?;
                engine_core::AnyPosition::from_setup_unchecked(self.variant, &written, mode)
            }
        };
        let mut last = self
            .last_move
            .as_deref()
            .map_or(Ok(Bitboard::EMPTY), squares_of)?;
        for text in &self.moves {
            let read = position.parse_human(text);
            dispatch!(&mut position, |position| match read {
                Ok(m) => {
                    last = game::squares(position, m);
                    position.play(m);
                }
                Err(error) if error.error == MoveError::Null => position.play_null(),
                Err(error) => return Err(format!("{text}: {error}")),
            });
        }
        let setup = position.to_setup();
        let mut diagram = Diagram::new(&setup.board);
        let king = setup
            .royal(setup.turn)
            .filter(|_| position.in_check() && !self.no_check);
        diagram.check = self.check.or(king);
        diagram.pockets = setup.pockets;
        diagram.checks = setup.checks;
        let mut diagram = self.look(diagram);
        diagram.last_move = last;
        Ok(diagram)
    }
}

/// The squares of a move in UCI notation, whether or not it is legal; none of the null move.
///
/// # Errors
/// When the text is no such move.
pub fn squares_of(text: &str) -> std::result::Result<Bitboard, String> {
    if text == "0000" {
        return Ok(Bitboard::EMPTY);
    }
    let square = |range: std::ops::Range<usize>| {
        text.get(range).and_then(|name| name.parse::<Square>().ok())
    };
    match (square(0..2), square(2..4)) {
        (Some(from), Some(to)) => Ok(from.bitboard() | to.bitboard()),
        // A drop.
        (None, Some(to)) if text.get(1..2) == Some("@") => Ok(to.bitboard()),
        _ => Err(format!("{text:?} is no move such as e2e4")),
    }
}
