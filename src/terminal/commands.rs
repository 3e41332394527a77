//! The words that terminal play understands.

/// What a person can ask for beside making moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Analyze,
    Board,
    Book,
    Clock,
    Depth,
    Draw,
    Elo,
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
    Takeback,
    Tb,
    Theme,
    Time,
    Undo,
}

/// Every word with its name, its arguments and what it does, in alphabetical order.
pub(super) const TABLE: &[(Word, &str, &str, &str)] = &[
    (Word::Analyze, "analyze", "[S]", "best lines for a while"),
    (Word::Board, "board", "", "show the board"),
    (Word::Book, "book", "[FILE]", "moves of the book"),
    (Word::Clock, "clock", "", "show both clocks"),
    (Word::Depth, "depth", "N", "Mola looks N plies ahead"),
    (Word::Draw, "draw", "", "offer or claim a draw"),
    (Word::Elo, "elo", "N", "play at this rating"),
    (Word::Eval, "eval", "", "worth at a glance"),
    (Word::Fen, "fen", "[FEN]", "show or set the position"),
    (Word::Flip, "flip", "", "turn the board"),
    (Word::Go, "go", "", "Mola takes this side"),
    (Word::Help, "help", "", "this list"),
    (Word::Hint, "hint", "", "what Mola would play"),
    (Word::History, "history", "", "the moves so far"),
    (Word::Level, "level", "1-20", "how strong Mola plays"),
    (Word::Load, "load", "FILE", "go on with a PGN game"),
    (Word::Moves, "moves", "[SQ]", "legal moves, of a piece"),
    (Word::New, "new", "[WHAT]", "960 [N], variant or FEN"),
    (Word::Pgn, "pgn", "", "show the game as PGN"),
    (Word::Quit, "quit", "", "leave"),
    (Word::Redo, "redo", "", "make the move again"),
    (Word::Resign, "resign", "", "give up"),
    (Word::Save, "save", "FILE", "append to a PGN file"),
    (Word::Setup, "setup", "FEN", "set up a position"),
    (Word::Takeback, "takeback", "", "as undo"),
    (Word::Tb, "tb", "[PATH]", "what Syzygy tables say"),
    (Word::Theme, "theme", "[NAME]", "how the board looks"),
    (Word::Time, "time", "M+S", "clocks; 0 for none"),
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

/// The list for `help`, in two columns: it fits a screen of 80 by 24.
pub(super) fn help() -> String {
    let mut lines =
        vec!["Moves are typed as in Nf3, exd5, O-O, e8=Q, g1f3 or N@f3. Commands:".to_owned()];
    let rows = TABLE.len().div_ceil(2);
    for row in 0..rows {
        let cells = TABLE.iter().skip(row).step_by(rows);
        let cells = cells.map(|(_, name, arguments, what)| {
            let usage = format!("{name} {arguments}");
            format!("  {usage:<12} {what:<24}")
        });
        let line = cells.collect::<String>();
        lines.push(line.trim_end().to_owned());
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
        assert!(help.lines().all(|line| line.len() < 80), "{help}");
        assert!(help.lines().count() < 24);
        assert!(TABLE.iter().all(|line| help.contains(line.1)));
    }
}
