//! Games as tables.

use super::ply::{color, main_line};
use crate::Eval;
use crate::command::pipeline::GameRecord;
use crate::command::table::csv_writer;

/// The tags that have a column.
const TAGS: [&str; 14] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "WhiteElo",
    "BlackElo",
    "ECO",
    "Opening",
    "TimeControl",
    "Termination",
    "Variant",
    "FEN",
];

/// The first line of the table of games.
pub(super) const GAME_COLUMNS: &str = "game,file,offset,Event,Site,Date,Round,White,Black,WhiteElo,\
    BlackElo,ECO,Opening,TimeControl,Termination,Variant,FEN,Result,plies,moves\r\n";

/// The first line of the table of moves.
pub(super) const PLY_COLUMNS: &str =
    "game,ply,number,color,san,uci,fen,eval,mate,clock,comment\r\n";

/// Lines are written without the number of the game, which comes first and is known later. They
/// differ in their length.
fn push(fields: &[String], out: &mut Vec<u8>) {
    let mut line = csv_writer(Vec::new());
    // Writing to memory cannot fail.
    if line.write_record(fields).is_ok()
        && let Ok(line) = line.into_inner()
    {
        out.extend((line.len() as u64).to_le_bytes());
        out.extend(line);
    }
}

/// The lines that were written.
pub(super) fn records(mut text: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    while let Some((length, rest)) = text.split_first_chunk::<8>() {
        let length = u64::from_le_bytes(*length) as usize;
        let Some((line, rest)) = rest.split_at_checked(length) else {
            break;
        };
        lines.push(line);
        text = rest;
    }
    lines
}

/// A line for a game.
pub(super) fn game(record: &GameRecord<'_>) -> Vec<u8> {
    let tree = &*record.tree;
    let moves: Vec<String> = main_line(tree).into_iter().map(|ply| ply.san).collect();
    let mut fields = vec![record.name.to_owned(), record.offset.to_string()];
    let tag = |name: &&str| tree.headers.get(name).unwrap_or_default().into_owned();
    fields.extend(TAGS.iter().map(tag));
    fields.extend([
        tree.known_result().to_owned(),
        moves.len().to_string(),
        moves.join(" "),
    ]);
    let mut out = Vec::new();
    push(&fields, &mut out);
    out
}

/// A line for each move.
pub(super) fn plies(record: &GameRecord<'_>) -> Vec<u8> {
    let tree = &*record.tree;
    let mut out = Vec::new();
    for (index, ply) in main_line(tree).into_iter().enumerate() {
        let eval = tree.eval(ply.id).map(|found| found.eval);
        let (cp, mate) = match eval {
            Some(Eval::Cp(cp)) => (format!("{:.2}", cp as f64 / 100.0), String::new()),
            Some(Eval::Mate(moves)) => (String::new(), moves.to_string()),
            None => Default::default(),
        };
        let clock = tree.clock(ply.id).map(|seconds| seconds.to_string());
        let fields = [
            (index + 1).to_string(),
            ply.number.to_string(),
            color(ply.color).to_owned(),
            ply.san,
            ply.uci,
            ply.after.fen(),
            cp,
            mate,
            clock.unwrap_or_default(),
            tree.comment_text(ply.id),
        ];
        push(&fields, &mut out);
    }
    out
}
