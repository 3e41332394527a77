//! Games as lines of EPD and UCI.

use super::ply::main_line;
use crate::Tree;
use engine_core::AnyPosition;
use engine_core::notation::{Operand, Operations};

/// A line for each position in which a move was played.
pub(super) fn epd(tree: &Tree) -> String {
    let tag = |name| tree.headers.get(name).unwrap_or("?".into());
    let id = format!("{} - {}, {}", tag("White"), tag("Black"), tag("Date"));
    let mut text = String::new();
    for ply in main_line(tree) {
        let played = tree.move_to(ply.id);
        // No reader of EPD knows the null move.
        if played.is_none() {
            continue;
        }
        let mut operations = Operations::default();
        operations.set("sm".to_owned(), Operand::Move(played));
        operations.set("id".to_owned(), Operand::Text(id.clone()));
        // Only an opcode could not be written.
        if let Ok(epd) = operations.write(&ply.before) {
            text.push_str(&epd);
            text.push('\n');
        }
    }
    text
}

/// The command that sets up the end of the game; an empty line if its start is unknown, so that each
/// game has the line of its number.
pub(super) fn uci(tree: &Tree) -> String {
    let Some(start) = &tree.start else {
        return "\n".to_owned();
    };
    let mut text = if *start == AnyPosition::start(start.variant()) {
        "position startpos".to_owned()
    } else {
        let fen = start.fen();
        format!("position fen {fen}")
    };
    let plies = main_line(tree);
    if !plies.is_empty() {
        text += " moves";
    }
    for ply in plies {
        text.push(' ');
        text += &ply.uci;
    }
    text.push('\n');
    text
}
