//! The commands of terminal play.

/// A command; moves are not commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keyword {
    Analyze,
    Board,
    Book,
    Clear,
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

/// Every command with its name, its arguments and what it does, in alphabetical order.
pub(super) const TABLE: &[(Keyword, &str, &str, &str)] = &[
    (Keyword::Analyze, "analyze", "[S]", "analyse for S seconds"),
    (Keyword::Board, "board", "", "show the board"),
    (Keyword::Book, "book", "[FILE]", "book moves; open a book"),
    (Keyword::Clear, "clear", "", "clear the screen"),
    (Keyword::Clock, "clock", "", "show both clocks"),
    (Keyword::Depth, "depth", "N", "limit the search depth"),
    (Keyword::Draw, "draw", "", "offer or claim a draw"),
    (Keyword::Elo, "elo", "N", "set Mola's rating"),
    (Keyword::Eval, "eval", "", "static evaluation"),
    (Keyword::Fen, "fen", "[FEN]", "show or set the position"),
    (Keyword::Flip, "flip", "", "flip the board"),
    (Keyword::Go, "go", "", "Mola plays this side"),
    (Keyword::Help, "help", "", "this list"),
    (Keyword::Hint, "hint", "", "what Mola would play"),
    (Keyword::History, "history", "", "the moves so far"),
    (Keyword::Level, "level", "1-20", "set Mola's strength"),
    (Keyword::Load, "load", "FILE [N]", "resume a game of a file"),
    (Keyword::Moves, "moves", "[SQ]", "legal moves [from SQ]"),
    (Keyword::New, "new", "[WHAT]", "960 [N], variant or FEN"),
    (Keyword::Pgn, "pgn", "", "show the game as PGN"),
    (Keyword::Quit, "quit", "", "leave"),
    (Keyword::Redo, "redo", "", "redo the move"),
    (Keyword::Resign, "resign", "", "resign the game"),
    (Keyword::Save, "save", "FILE", "append to a PGN file"),
    (Keyword::Setup, "setup", "FEN", "set up a position"),
    (Keyword::Takeback, "takeback", "", "same as undo"),
    (Keyword::Tb, "tb", "[PATH]", "endgame table result"),
    (Keyword::Theme, "theme", "[NAME]", "set the board's theme"),
    (Keyword::Time, "time", "M+S", "set clocks (0: none)"),
    (Keyword::Undo, "undo", "", "take back the last move"),
];

/// Why a text is not a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoKeyword {
    /// No command begins like this.
    Unknown,
    /// Several commands begin like this: their names.
    Ambiguous(String),
}

/// The name of a command as the table has it; a British spelling and other names are understood,
/// too.
fn plain(name: &str) -> String {
    match name.to_ascii_lowercase().as_str() {
        "exit" => "quit".to_owned(),
        "?" => "help".to_owned(),
        name => name.replacen("analys", "analyz", 1),
    }
}

/// The command with this name.
pub(super) fn exact(name: &str) -> Option<Keyword> {
    let name = plain(name);
    TABLE.iter().find(|line| line.1 == name).map(|line| line.0)
}

/// The one command that begins like this.
pub(super) fn by_prefix(start: &str) -> Result<Keyword, NoKeyword> {
    let start = plain(start);
    let fit: Vec<_> = TABLE
        .iter()
        .filter(|line| line.1.starts_with(&start))
        .collect();
    match fit.as_slice() {
        [] => Err(NoKeyword::Unknown),
        [line] => Ok(line.0),
        lines => {
            let names: Vec<&str> = lines.iter().map(|line| line.1).collect();
            Err(NoKeyword::Ambiguous(names.join(", ")))
        }
    }
}

/// The name of a command, if it takes no arguments.
pub(super) fn without_arguments(keyword: Keyword) -> Option<&'static str> {
    let mut lines = TABLE.iter();
    let line = lines.find(|line| line.0 == keyword && line.2.is_empty())?;
    Some(line.1)
}

/// The list for `help`, in two columns: it fits a screen of 80 by 24.
pub(super) fn help(columns: usize) -> String {
    let mut lines = vec!["Type moves as Nf3, exd5, O-O, e8=Q, g1f3 or N@f3. Commands:".to_owned()];
    // Two commands a line take 79 columns.
    let rows = if columns < 80 {
        TABLE.len()
    } else {
        TABLE.len().div_ceil(2)
    };
    for row in 0..rows {
        let cells = TABLE.iter().skip(row).step_by(rows);
        let cells = cells.map(|(_, name, arguments, what)| {
            let usage = format!("{name} {arguments}");
            format!("  {usage:<13} {what:<24}")
        });
        let line = cells.collect::<String>();
        lines.push(line.trim_end().to_owned());
    }
    lines.push(
        "Commands can be shortened while unambiguous. Scores are from White's side.".to_owned(),
    );
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(exact("Undo"), Some(Keyword::Undo));
        assert_eq!(exact("exit"), Some(Keyword::Quit));
        assert_eq!(exact("?"), Some(Keyword::Help));
        assert_eq!(exact("analyse"), Some(Keyword::Analyze));
        assert_eq!(by_prefix("analys"), Ok(Keyword::Analyze));
        assert_eq!(by_prefix("u"), Ok(Keyword::Undo));
        assert_eq!(without_arguments(Keyword::Resign), Some("resign"));
        assert_eq!(without_arguments(Keyword::Moves), None);
        assert_eq!(by_prefix("x"), Err(NoKeyword::Unknown));
        let help = "help, hint, history".to_owned();
        assert_eq!(by_prefix("h"), Err(NoKeyword::Ambiguous(help)));
        assert!(TABLE.is_sorted_by_key(|line| line.1));
    }

    #[test]
    fn help_fits_a_screen() {
        let help = help(80);
        assert!(help.lines().all(|line| line.len() < 80), "{help}");
        assert!(help.lines().count() < 24);
        let narrow = super::help(50);
        let mut commands = narrow.lines().filter(|line| line.starts_with(' '));
        assert!(commands.all(|line| line.len() < 50), "{narrow}");
        assert!(TABLE.iter().all(|line| help.contains(line.1)));
    }
}
