//! What the terminal shows: the board, principal variations, and the state of the game.

use super::{Front, Purpose, Repl};
use crate::terminal::board::{Squares, USUAL_WIDTH};
use crate::terminal::full::san;
use crate::terminal::{clock, window};
use common::count::count;
use common::error::Result;
use common::window::size;
use engine_core::notation::move_number;
use engine_core::search::{Info, Score};
use engine_core::{AnyPosition, Bitboard, Color, Game, Move, Role, Square};
use pgn::Opening;
use textwrap::core::display_width;

/// Between the board and a side's name.
const GAP: &str = "   ";

impl Repl {
    pub(super) fn show_board(&mut self) -> Result {
        self.show_targets(Bitboard::EMPTY)
    }

    /// The board with some squares marked.
    fn show_targets(&mut self, targets: Bitboard) -> Result {
        let last = self.play.moves().last().copied().flatten();
        let shows = match &self.front {
            Front::Lines(line_mode) => line_mode.shows,
            // The screen draws the board on its own.
            Front::Full(_) => return Ok(()),
        };
        self.view.squares = match self.columns() {
            Some(columns) if columns < USUAL_WIDTH => Squares::Narrow,
            _ if shows && window::has_room() => Squares::Large,
            _ => Squares::Usual,
        };
        let mut lines = self.view.draw(self.play.position(), last, targets);
        let sides = [!self.view.bottom, self.view.bottom].map(|color| self.describe(color));
        add_sides(&mut lines, sides, self.columns());
        for line in lines {
            self.say(line.trim_end())?;
        }
        Ok(())
    }

    /// The columns of the window; `None` in a pipe, where lines may be of any length.
    fn columns(&self) -> Option<usize> {
        match &self.front {
            Front::Lines(line_mode) if !line_mode.shows => None,
            Front::Lines(_) | Front::Full(_) => Some(size().0),
        }
    }

    /// A side's name, clock and captured pieces.
    pub(super) fn describe(&self, color: Color) -> String {
        let mut parts = vec![format!("{color}: {}", self.play.name(color))];
        let clocks = self.play.clocks.as_ref();
        parts.extend(clocks.map(|clocks| clock::show(clocks.left(color))));
        parts.extend(self.possessions(color));
        parts.join("  ")
    }

    /// What is shown beside a side: its pocket, its remaining checks, or the pieces it has captured and its
    /// lead in material.
    pub(super) fn possessions(&self, color: Color) -> Vec<String> {
        match self.play.position() {
            AnyPosition::Crazyhouse(position) => {
                let letters = position.extra().pockets.letters(color);
                let letters = if letters.is_empty() {
                    "empty"
                } else {
                    &letters
                };
                return vec![format!("pocket {letters}")];
            }
            AnyPosition::ThreeCheck(position) => {
                return vec![count(position.extra().0[color], "check") + " to win"];
            }
            _ => {}
        }
        let taken = self.play.captured_by(color);
        let mut parts = vec![self.view.row(!color, &taken)];
        let material = |color| -> i32 {
            let pieces = self.play.position().board().iter();
            let own = pieces.filter(|(_, piece)| piece.color == color);
            own.map(|(_, piece)| piece_value(piece.role)).sum()
        };
        let ahead = material(color) - material(!color);
        if ahead > 0 && !taken.is_empty() {
            parts.push(format!("+{ahead}"));
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    pub(super) fn show_evaluation(&mut self) -> Result {
        let Some(explanation) = self.play.session.evaluation() else {
            return self.say("A position in check has no static evaluation.");
        };
        let score = Score(explanation.value);
        let mut table = explanation.to_string();
        if let Some(columns) = self.columns() {
            table = fit_table(&table, columns);
        }
        self.say(&format!("Static evaluation: {score} for White\n{table}"))
    }

    pub(super) fn show_ending(&mut self) -> Result {
        match self.play.ending {
            Some(ending) => self.say(&format!("{}  {}", ending.result, ending.reason)),
            None => Ok(()),
        }
    }

    pub(super) fn show_clocks(&mut self) -> Result {
        let Some(clocks) = &self.play.clocks else {
            return self.say("The clocks are off; `time 5+3` sets them.");
        };
        let [white, black] = Color::ALL.map(|color| clock::show(clocks.left(color)));
        self.say(&format!("White {white}  Black {black}"))
    }

    /// Every legal move, or the board with the squares that the piece on a square can go to.
    pub(super) fn show_moves(&mut self, from: &str) -> Result {
        if !from.is_empty() {
            let Ok(from) = from.to_ascii_lowercase().parse::<Square>() else {
                return self.say("A square is expected, such as e2.");
            };
            let moves = self.play.position().legal_moves();
            let own = moves
                .into_iter()
                .filter(|m| !m.is_drop() && m.from() == from);
            let targets = own.map(Move::to).collect::<Bitboard>();
            if targets == Bitboard::EMPTY {
                return self.say(&format!("Nothing on {from} can move."));
            }
            if let Front::Full(full) = &mut self.front {
                full.screen.select(from);
            }
            return self.show_targets(targets);
        }
        let mut sans = self.play.legal_moves();
        sans.sort();
        self.say(&format!(
            "{}: {}",
            count(sans.len(), "move"),
            sans.join(" ")
        ))
    }

    pub(super) fn show_history(&mut self) -> Result {
        let text = match self.play.session.game() {
            game if game.moves().is_empty() => "No moves yet.".to_owned(),
            game => history_of(game),
        };
        self.say(&text)?;
        match Opening::of_game(self.play.session.game()) {
            Some(opening) => self.say(&opening.to_string()),
            None => Ok(()),
        }
    }

    /// `d12 +0.34 1.2M nodes 850 kn/s 1. e4 e5`; as much of it as fits in the window.
    pub(super) fn thinking_line(&self, info: &Info) -> String {
        let [score, _, nodes, speed] = self.statistics(info);
        let mut parts = vec![format!("d{}", info.depth), score, nodes, speed];
        let line = self.play.position().variation_san(&info.pv);
        parts.extend(numbered_moves(&line));
        // One column is left free, so that the line never wraps.
        let columns = self
            .columns()
            .map_or(usize::MAX, |columns| columns.saturating_sub(1));
        window::fitting(&parts, " ", columns)
    }

    /// The score for White, depth, nodes and speed.
    pub(super) fn statistics(&self, info: &Info) -> [String; 4] {
        [
            self.for_white(info.score).to_string(),
            format!("depth {}", info.depth),
            amount(info.nodes),
            format!("{} kn/s", info.nps() / 1000),
        ]
    }

    /// A score of the side to move, from White's point of view.
    pub(super) fn for_white(&self, score: Score) -> Score {
        match self.play.turn() {
            Color::White => score,
            Color::Black => -score,
        }
    }

    /// Shows a principal variation: in analysis on a new line, otherwise over the
    /// previous one.
    pub(super) fn show_thinking(&mut self, info: &Info) -> Result {
        let text = self.thinking_line(info);
        match &mut self.front {
            Front::Lines(_) if self.purpose == Purpose::Analyze => self.say(&text),
            Front::Lines(line_mode) if line_mode.shows => {
                Ok(line_mode.out.part(&format!("\r{text}\x1b[K"))?)
            }
            Front::Lines(_) => Ok(()),
            Front::Full(_) => {
                self.show_on_screen(info);
                Ok(())
            }
        }
    }

    pub(super) fn clear_status(&mut self) -> Result {
        match &mut self.front {
            Front::Lines(line_mode) if line_mode.shows => Ok(line_mode.out.part("\r\x1b[K")?),
            Front::Lines(_) | Front::Full(_) => Ok(()),
        }
    }
}

/// Adds a line on each side to the lines of a board: beside its first and last rank, or above and below it where
/// that is too wide.
fn add_sides(lines: &mut Vec<String>, sides: [String; 2], columns: Option<usize>) {
    let last_rank = 7 * (lines.len() / 8);
    let board = lines.iter().map(|line| display_width(line)).max();
    let sides_width = sides.iter().map(|side| display_width(side)).max();
    let width = board.unwrap_or(0) + GAP.len() + sides_width.unwrap_or(0);
    let [top, bottom] = sides;
    if columns.is_some_and(|columns| width > columns) {
        lines.insert(0, top);
        lines.push(bottom);
        return;
    }
    for (index, side) in [(0, top), (last_rank, bottom)] {
        if let Some(line) = lines.get_mut(index) {
            line.push_str(GAP);
            line.push_str(&side);
        }
    }
}

/// A board of what the pieces are worth and a table of sums, without the board where it is too wide, and then also
/// without the columns of sums that are.
fn fit_table(text: &str, columns: usize) -> String {
    let is_wide = |line: &str| display_width(line.trim_end()) > columns;
    let (board, sums) = text.split_once("\n\n").unwrap_or(("", text));
    if !board.lines().any(is_wide) {
        return text.to_owned();
    }
    let squeeze = |line: &str| {
        if is_wide(line) {
            line.split_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            line.to_owned()
        }
    };
    sums.lines().map(squeeze).collect::<Vec<_>>().join("\n")
}

/// The value of a piece in pawns.
fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// The moves of a line in SAN, each with the number before it: `1. e4`, `e5`, `2. Nf3`.
fn numbered_moves(line: &str) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    for word in line.split(' ') {
        match moves.last_mut() {
            Some(number) if number.ends_with('.') => {
                number.push(' ');
                number.push_str(word);
            }
            _ => moves.push(word.to_owned()),
        }
    }
    moves
}

/// `1234 nodes`, `56k nodes` or `7.8M nodes`.
fn amount(nodes: u64) -> String {
    match nodes {
        0..10_000 => format!("{nodes} nodes"),
        10_000..1_000_000 => format!("{}k nodes", nodes / 1000),
        _ => format!("{:.1}M nodes", nodes as f64 / 1e6),
    }
}

/// The moves of a game in SAN with their numbers.
fn history_of(game: &Game) -> String {
    let mut words = Vec::new();
    for (position, m) in game.plies() {
        let turn = position.turn();
        if words.is_empty() || turn.is_white() {
            words.push(move_number(position.fullmoves(), turn));
        }
        words.push(san(position, m));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_stand_beside_the_board_where_there_is_room() {
        let board: Vec<String> = (1..=9).map(|row| format!("rank {row}")).collect();
        let with_sides = |columns| {
            let mut lines = board.clone();
            let sides = ["Black: Mola", "White: You"].map(str::to_owned);
            add_sides(&mut lines, sides, columns);
            lines
        };
        for columns in [None, Some(20)] {
            let lines = with_sides(columns);
            assert_eq!(lines.len(), 9);
            assert_eq!(lines[0], "rank 1   Black: Mola");
            assert_eq!(lines[7], "rank 8   White: You");
        }
        let lines = with_sides(Some(19));
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[..2], ["Black: Mola", "rank 1"]);
        assert_eq!(lines[9..], ["rank 9", "White: You"]);
    }

    #[test]
    fn a_history_has_null_moves() {
        let mut game = Game::default();
        game.push_san("e4").unwrap();
        game.play_null();
        game.push_san("d4").unwrap();
        assert_eq!(history_of(&game), "1. e4 -- 2. d4");
    }

    #[test]
    fn numbers_stay_with_their_moves() {
        let moves = numbered_moves("3... d5 4. exd5 Nxd5");
        assert_eq!(moves, ["3... d5", "4. exd5", "Nxd5"]);
    }

    #[test]
    fn a_table_fits_the_window() {
        let text = "+-------+\n|  +1.0 |\n\nPart   Sum\nTables  +1";
        assert_eq!(fit_table(text, 10), text);
        assert_eq!(fit_table(text, 8), "Part Sum\nTables +1");
        assert!(fit_table(text, 9).starts_with("+---"));
    }
}
