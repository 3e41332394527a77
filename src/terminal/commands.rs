//! The words that terminal play understands.

/// What a person can ask for beside making moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Analyze,
    Board,
    Clock,
    Depth,
    Draw,
    Eval,
    Fen,
    Flip,
    Go,
    Help,
    Hint,
    History,
    Level,
    Load,
    Moves,
    New,
    Pgn,
    Quit,
    Redo,
    Resign,
    Save,
    Setup,
    Theme,
    Time,
    Undo,
}

/// Every word with its name, its arguments and what it does, in alphabetical order.
pub(super) const TABLE: &[(Word, &str, &str, &str)] = &[
    (
        Word::Analyze,
        "analyze",
        "[SECONDS]",
        "show the best lines for a while; Ctrl-C ends it",
    ),
    (Word::Board, "board", "", "show the board"),
    (Word::Clock, "clock", "", "show both clocks"),
    (Word::Depth, "depth", "N", "Mola looks N plies ahead"),
    (Word::Draw, "draw", "", "offer a draw, or claim one"),
    (
        Word::Eval,
        "eval",
        "",
        "what the position is worth at a glance",
    ),
    (
        Word::Fen,
        "fen",
        "[FEN]",
        "show the position as FEN, or set it up",
    ),
    (Word::Flip, "flip", "", "turn the board"),
    (
        Word::Go,
        "go",
        "",
        "Mola moves now and plays this side from here on",
    ),
    (Word::Help, "help", "", "this list"),
    (Word::Hint, "hint", "", "what Mola would play"),
    (Word::History, "history", "", "the moves so far"),
    (Word::Level, "level", "1-20", "how strong Mola plays"),
    (
        Word::Load,
        "load",
        "FILE",
        "go on with the first game of a PGN file",
    ),
    (Word::Moves, "moves", "", "every legal move"),
    (
        Word::New,
        "new",
        "[960 [N]]",
        "start again, or with a position of Chess960",
    ),
    (Word::Pgn, "pgn", "", "show the game as PGN"),
    (Word::Quit, "quit", "", "leave"),
    (Word::Redo, "redo", "", "make again what was taken back"),
    (Word::Resign, "resign", "", "give up"),
    (Word::Save, "save", "FILE", "append the game to a PGN file"),
    (Word::Setup, "setup", "FEN", "set up a position"),
    (
        Word::Theme,
        "theme",
        "[NAME]",
        "brown, green, blue, mono or ascii",
    ),
    (
        Word::Time,
        "time",
        "M+S",
        "clocks of M minutes and S seconds a move; 0 for none",
    ),
    (Word::Undo, "undo", "", "take back your last move"),
];

/// Why a word is no command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoWord {
    /// No command begins so.
    Unknown,
    /// The names of those that do.
    Ambiguous(String),
}

/// The command with this name.
pub(super) fn exact(name: &str) -> Option<Word> {
    let name = name.to_ascii_lowercase();
    TABLE.iter().find(|line| line.1 == name).map(|line| line.0)
}

/// The one command that begins like this.
pub(super) fn by_prefix(start: &str) -> Result<Word, NoWord> {
    let start = start.to_ascii_lowercase();
    let fit: Vec<_> = TABLE
        .iter()
        .filter(|line| line.1.starts_with(&start))
        .collect();
    match fit.as_slice() {
        [] => Err(NoWord::Unknown),
        [line] => Ok(line.0),
        lines => {
            let names: Vec<&str> = lines.iter().map(|line| line.1).collect();
            Err(NoWord::Ambiguous(names.join(", ")))
        }
    }
}

/// The list for `help`.
pub(super) fn help() -> String {
    let mut lines =
        vec!["Moves are typed as in Nf3, exd5, O-O, e8=Q or g1f3. Commands:".to_owned()];
    for (_, name, arguments, what) in TABLE {
        let usage = format!("{name} {arguments}");
        lines.push(format!("  {usage:<20} {what}"));
    }
    lines.push("The start of a word is enough where only one command begins so.".to_owned());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(exact("Undo"), Some(Word::Undo));
        assert_eq!(by_prefix("u"), Ok(Word::Undo));
        assert_eq!(by_prefix("x"), Err(NoWord::Unknown));
        let help = "help, hint, history".to_owned();
        assert_eq!(by_prefix("h"), Err(NoWord::Ambiguous(help)));
        assert!(TABLE.is_sorted_by_key(|line| line.1));
    }

    #[test]
    fn help_fits_a_screen() {
        let help = help();
        assert!(help.lines().all(|line| line.len() < 80));
        assert!(help.lines().count() > TABLE.len());
    }
}
