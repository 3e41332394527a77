//! The arguments of `mola svg`.

use super::image::{Image, ImageFormat, image_path, needs_font, tell_missing_font};
use crate::parts::can_draw;
use crate::{Arrow, Diagram, Evaluation, Theme, is_css_color};
use common::arguments::real;
use common::error::{Error, Result};
use common::files::{Force, Sink};
use common::side::Side;
use engine_core::{Bitboard, Move, Piece, Square, Variant};
use std::path::PathBuf;

/// The first part of the end of its help.
pub const EXAMPLES: &str = "Examples:
  mola svg > start.svg                                       the start position
  mola svg startpos e2e4 e7e5 g1f3 --theme slate > open.svg  after moves, for dark pages
  mola svg FEN --arrow Gg1f3 --arrow Rd8h4 --fill e4=#0f08 --nag 'e5=?!' --eval +0.4
  mola svg FEN --size 400 -o board.png                       in pixels
  mola svg --animate game.pgn -o game.svg                    an animated game, or game.gif
  mola svg --animate game.pgn --controls -o replay.svg       can be paused and stepped through
  mola svg --piece N --size 90 -o knight.png                 a single piece";

/// The usage in its help.
pub const USAGE: &str = "mola svg [OPTIONS] [FEN] [MOVES]...
       mola svg [OPTIONS] --animate <PGN>
       mola svg [OPTIONS] --piece <LETTER>";

/// The second part of the end of its help.
pub const THEMES: &str = "\
Themes: wood, green, blue, slate (dark), paper, rose. Arrows are written as in PGN: an optional
letter G, R, Y or B, then one square (a circle) or two; optionally = and a CSS colour.";

/// Draw a position, or an animation of a game, as SVG, PNG or GIF.
#[derive(clap::Args, Debug)]
#[command(after_help = format!("{EXAMPLES}\n\n{THEMES}"), override_usage = USAGE)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub struct Args {
    /// The position; `startpos`, or none, is the start position
    pub(super) fen: Option<String>,
    /// Moves from there, in any notation; the last move and a check are highlighted
    pub(super) moves: Vec<String>,
    /// The side at the bottom: white or black
    #[arg(long, default_value = "white", hide_possible_values = true)]
    orientation: Side,
    /// The last move, such as e2e4
    #[arg(long, value_name = "MOVE", value_parser = squares_of, conflicts_with_all = ["animate", "piece"])]
    pub(super) last_move: Option<Bitboard>,
    /// The square of a king in check; by default the side to move is marked when in check
    #[arg(long, value_name = "SQUARE", conflicts_with_all = ["animate", "piece"])]
    pub(super) check: Option<Square>,
    /// Do not mark checks
    #[arg(long, conflicts_with_all = ["check", "piece"])]
    pub(super) no_check: bool,
    /// An arrow or circle: e2e4, Re4, Ye1g1, b1c3=#08f8
    #[arg(long = "arrow", value_name = "ARROW", conflicts_with_all = ["animate", "piece"])]
    arrows: Vec<Arrow>,
    /// A colour to fill a square with: e4=#0f08
    #[arg(long, value_name = "SQUARE=COLOR", value_parser = filled, conflicts_with = "piece")]
    fill: Vec<(Square, String)>,
    /// Squares to mark with a cross: a1,h8
    #[arg(long, value_name = "SQUARES", value_delimiter = ',', conflicts_with_all = ["animate", "piece"])]
    squares: Vec<Square>,
    /// An annotation glyph at a square: e4=!!, d5=?!
    #[arg(long, value_name = "SQUARE=MARK", value_parser = mark, conflicts_with_all = ["animate", "piece"])]
    nag: Vec<(Square, String)>,
    /// An evaluation bar: +1.3, -0.5, #3
    #[arg(
        long,
        value_name = "SCORE",
        allow_hyphen_values = true,
        conflicts_with = "piece"
    )]
    eval: Option<Evaluation>,
    /// A caption below the board
    #[arg(long, conflicts_with = "piece")]
    caption: Option<String>,
    /// The width in pixels, for PNG and GIF at most 4096 [default for these: 480]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) size: Option<u32>,
    /// Omit the coordinates
    #[arg(long)]
    no_coordinates: bool,
    /// Draw a border around the board
    #[arg(long)]
    borders: bool,
    /// The colours: wood, green, blue, slate, paper or rose
    #[arg(long, default_value = "wood")]
    theme: Theme,
    /// Another colour: 'square light=#eee', 'square dark lastmove=#aa3', 'arrow green=#0a08'; also margin,
    /// text, coord, white, black
    #[arg(long = "color", value_name = "NAME=COLOR", value_parser = colored)]
    colors: Vec<(String, String)>,
    /// A style sheet (CSS) to include
    #[arg(long)]
    style: Option<String>,
    /// The rules; pockets and check counters are drawn where the variant has them
    #[arg(long, value_name = "NAME", default_value = "chess", conflicts_with_all = ["animate", "piece"])]
    pub(super) variant: Variant,
    /// Castling as in Chess960
    #[arg(long, conflicts_with_all = ["animate", "piece"])]
    pub(super) chess960: bool,
    /// A PGN file; its first game is drawn as an animation
    #[arg(long, value_name = "PGN", conflicts_with = "fen")]
    pub(super) animate: Option<PathBuf>,
    /// Seconds per move of an animation
    #[arg(long, value_name = "S", default_value_t = 1.2, requires = "animate", conflicts_with = "fen", value_parser = |text: &str| real(text, 0.05..=600.0))]
    pub(super) pace: f64,
    /// Add a script to an animated SVG: a click or the space bar pauses it, and the arrow keys step
    /// through it. Browsers run the script when the file itself is opened, not when it is an image
    /// in a page
    #[arg(long, requires = "animate", conflicts_with = "fen")]
    pub(super) controls: bool,
    /// Draw a single piece: N is a white knight, n a black one
    #[arg(long, value_name = "LETTER", value_parser = piece, conflicts_with_all = ["fen", "animate", "orientation", "no_coordinates", "borders", "style"])]
    pub(super) piece: Option<Piece>,
    /// The file to write [default: standard output]
    #[arg(short, long, visible_alias = "output", value_name = "FILE", value_parser = image_path)]
    out: Option<PathBuf>,
    /// The image format [default: by the file name, else svg]
    #[arg(long)]
    format: Option<ImageFormat>,
    #[command(flatten)]
    force: Force,
}

/// The squares of a move in UCI notation, whether or not it is legal; none of the null move.
///
/// # Errors
/// When the text is not such a move.
pub fn squares_of(text: &str) -> std::result::Result<Bitboard, String> {
    if text == "0000" {
        return Ok(Bitboard::EMPTY);
    }
    let m: Move = text
        .parse()
        .map_err(|_| format!("{text:?} is not a move such as e2e4"))?;
    Ok(m.marked_squares().into_iter().collect())
}

fn on_square(text: &str) -> std::result::Result<(Square, String), String> {
    let (square, value) = named(text)?;
    let square = square
        .parse()
        .map_err(|_| format!("{square:?} is not a square"))?;
    Ok((square, value))
}

/// A square and a mark that can be drawn on it.
fn mark(text: &str) -> std::result::Result<(Square, String), String> {
    let (square, mark) = on_square(text)?;
    if mark.is_empty() || !can_draw(&mark) {
        return Err(format!(
            "{mark:?} cannot be drawn; signs such as !, ?, = and + can"
        ));
    }
    Ok((square, mark))
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
            "{color:?} is not a CSS colour such as #0f08 or green"
        ))
    }
}

fn filled(text: &str) -> std::result::Result<(Square, String), String> {
    colored(text)?;
    on_square(text)
}

fn piece(text: &str) -> std::result::Result<Piece, String> {
    let piece = text.parse().ok().and_then(Piece::from_letter);
    piece.ok_or_else(|| "expected a letter of KQRBNP, lower case for Black".to_owned())
}

impl Args {
    /// The image of a position. One made of pixels has no caption, and no room for it, if that needs a font.
    pub(super) fn still(&self, diagram: Diagram) -> String {
        let svg = diagram.svg();
        if self.image_format() == ImageFormat::Svg || !needs_font(&svg) {
            return svg;
        }
        tell_missing_font();
        Diagram {
            caption: None,
            ..diagram
        }
        .svg()
    }

    fn image_format(&self) -> ImageFormat {
        ImageFormat::of(self.format, self.out.as_deref())
    }

    /// Writes an image to the file of the arguments, or to standard output.
    ///
    /// # Errors
    /// When it cannot be drawn or written.
    pub fn write(&self, image: &Image) -> Result {
        let format = self.image_format();
        if self.controls && format != ImageFormat::Svg {
            let message = "--controls needs SVG: other images cannot be paused";
            return Err(Error::Usage(message.to_owned()));
        }
        #[cfg(feature = "raster")]
        if format != ImageFormat::Svg {
            self.refuse_colors_of_svg_alone()?;
        }
        let inputs = self.animate.as_slice();
        let mut out = Sink::open(self.out.as_deref(), self.force.replace(), inputs)?;
        image.write(format, self.size, &mut out)?;
        out.finish()
    }

    #[cfg(feature = "raster")]
    fn refuse_colors_of_svg_alone(&self) -> Result {
        let fills = self.fill.iter().map(|(_, color)| color);
        let others = self.colors.iter().map(|(_, color)| color);
        let arrows = self.arrows.iter().map(|arrow| &arrow.color);
        let mut colors = fills.chain(others).chain(arrows);
        match colors.find(|color| !crate::raster::knows_color(color)) {
            Some(color) => Err(Error::Usage(format!(
                "only SVG can show the colour {color:?}"
            ))),
            None => Ok(()),
        }
    }

    /// The colours that are wanted, with their names.
    pub fn colors(&self) -> &[(String, String)] {
        &self.colors
    }

    pub(super) fn set_colors(&self, diagram: &mut Diagram) -> Result {
        for (name, color) in &self.colors {
            if !diagram.theme.set(name, color) {
                let names = Theme::color_names().collect::<Vec<_>>().join(", ");
                return Err(Error::Usage(format!(
                    "unknown colour {name:?}; expected one of {names}"
                )));
            }
        }
        Ok(())
    }

    /// Applies the options that do not depend on the position.
    pub(super) fn look(&self, mut diagram: Diagram) -> Diagram {
        diagram.orientation = self.orientation.into();
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
}
