//! `mola svg`: images of boards and games.

mod arguments;
mod game;
mod image;
mod position;

pub use arguments::{Args, EXAMPLES, THEMES, USAGE, squares_of};
pub use image::{Image, ImageFormat, image_path};

use crate::{Diagram, piece_svg};
use common::error::Result;
use engine_core::Board;

/// Runs the subcommand.
///
/// # Errors
/// When the position, a move or the game cannot be read, or the image cannot be written.
pub fn run(args: &Args) -> Result {
    let image = match (&args.animate, args.piece) {
        (Some(path), _) => {
            let animation = game::animate(args, path)?;
            if args.controls {
                Image::Still(animation.svg_with_controls())
            } else {
                Image::Moving(Box::new(animation))
            }
        }
        (None, Some(piece)) => {
            let mut diagram = args.look(Diagram::new(&Board::EMPTY));
            args.set_colors(&mut diagram)?;
            Image::Still(piece_svg(piece, &diagram.theme, args.size))
        }
        (None, None) => {
            let mut diagram = args.diagram()?;
            args.set_colors(&mut diagram)?;
            Image::Still(args.still(diagram))
        }
    };
    args.write(&image)
}
