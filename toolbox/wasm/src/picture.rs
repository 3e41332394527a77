//! Boards and pieces as SVG.

use crate::position::Line;
use diagram::{Arrow, Diagram, Evaluation, Theme, piece_svg};
use engine_core::{Color, Square};
use serde::Deserialize;

/// A position and the options of its picture.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SvgRequest {
    #[serde(flatten)]
    line: Line,
    orientation: Option<Orientation>,
    theme: Option<String>,
    size: Option<u32>,
    /// As in PGN: `Ge2e4`, `Rd5`.
    #[serde(default)]
    arrows: Vec<String>,
    /// Squares to cross out.
    #[serde(default)]
    crosses: Vec<String>,
    coordinates: Option<bool>,
    #[serde(default)]
    border: bool,
    /// `+1.3`, `#3`.
    evaluation: Option<String>,
    caption: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Orientation {
    White,
    Black,
}

impl From<Orientation> for Color {
    fn from(orientation: Orientation) -> Color {
        match orientation {
            Orientation::White => Color::White,
            Orientation::Black => Color::Black,
        }
    }
}

/// The largest width of a picture, in pixels.
const MAX_SIZE: u32 = 100_000;

fn clamp_size(size: u32) -> u32 {
    size.min(MAX_SIZE)
}

fn all<T: std::str::FromStr<Err: ToString>>(texts: &[String]) -> Result<Vec<T>, String> {
    let read = |text: &String| {
        text.parse()
            .map_err(|error: T::Err| format!("{text}: {}", error.to_string()))
    };
    texts.iter().map(read).collect()
}

impl SvgRequest {
    /// The picture.
    ///
    /// # Errors
    /// When a move is not legal, or an option is invalid.
    pub(crate) fn svg(&self) -> Result<String, String> {
        let game = self.line.game()?;
        let mut diagram = Diagram::of(game.position());
        if let Some(&Some(last)) = game.moves().last() {
            diagram.last_move = last.marked_squares().into_iter().collect();
        }
        if let Some(orientation) = self.orientation {
            diagram.orientation = orientation.into();
        }
        if let Some(theme) = &self.theme {
            diagram.theme = theme
                .parse()
                .map_err(|error: diagram::UnknownTheme| error.to_string())?;
        }
        diagram.size = self.size.map(clamp_size);
        diagram.arrows = all::<Arrow>(&self.arrows)?;
        diagram.crosses = all::<Square>(&self.crosses)?.into_iter().collect();
        diagram.coordinates = self.coordinates.unwrap_or(true);
        diagram.border = self.border;
        let evaluation = self.evaluation.as_deref().map(str::parse::<Evaluation>);
        diagram.evaluation = evaluation.transpose()?;
        diagram.caption.clone_from(&self.caption);
        Ok(diagram.svg())
    }
}

/// One piece alone.
#[derive(Deserialize)]
pub(crate) struct PiecePicture {
    /// Its letter in FENs.
    piece: char,
    theme: Option<String>,
    size: Option<u32>,
}

impl PiecePicture {
    /// The picture.
    ///
    /// # Errors
    /// When there is no such piece or theme.
    pub(crate) fn svg(&self) -> Result<String, String> {
        let piece = engine_core::Piece::from_letter(self.piece)
            .ok_or_else(|| format!("{:?} is not a piece", self.piece))?;
        let theme = match &self.theme {
            Some(name) => name.parse::<Theme>().map_err(|error| error.to_string())?,
            None => Theme::default(),
        };
        Ok(piece_svg(piece, &theme, self.size.map(clamp_size)))
    }
}
