//! A game of a PGN file as a moving picture.

use super::arguments::Args;
use crate::{Animation, Diagram};
use common::files::named;
use pgn::read_tree;
use std::fs;
use std::path::Path;

/// The picture of the first game of a file; `-` is standard input.
pub(super) fn animate(args: &Args, path: &Path) -> Result<String, String> {
    let name = path.display();
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|error| named(path, &error).to_string())?;
    let (tree, _) = read_tree(&bytes).ok_or_else(|| format!("{name}: there is no game in it"))?;
    if let Some(problem) = tree.problems.first() {
        log::warn!("{name}: {problem:?}");
    }
    let game = tree.to_game();
    let game =
        game.ok_or_else(|| format!("{name}: the game has no start position that can be read"))?;
    let diagram = Diagram::new(game.start().board());
    let mut diagram = args.look(diagram);
    args.set_colors(&mut diagram)?;
    if diagram.caption.is_none() {
        let tag = |tag| {
            tree.headers
                .get(tag)
                .filter(|name| !name.is_empty() && name != "?")
        };
        diagram.caption = match (tag("White"), tag("Black")) {
            (Some(white), Some(black)) => Some(format!("{white} \u{2013} {black}")),
            _ => None,
        };
    }
    let animation = Animation::of_game(diagram, *game.start(), game.moves(), args.pace);
    Ok(animation.svg())
}
