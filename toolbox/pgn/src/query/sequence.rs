//! Sequences of moves with alternatives.

use super::game::MainLine;
use engine_core::notation::MoveError;
use engine_core::{AnyPosition, Move, Variant};

/// Moves one after the other.
#[derive(Debug, Clone)]
pub(super) struct Sequence {
    steps: Vec<PlyPattern>,
    /// Whether the moves of either side may come in any order.
    any_order: bool,
}

/// The moves allowed at one ply.
#[derive(Debug, Clone)]
struct PlyPattern {
    /// The moves; any move if there are none.
    words: Vec<String>,
    /// Whether the move must be none of them.
    is_negated: bool,
}

impl PlyPattern {
    fn read(word: &str) -> Result<PlyPattern, String> {
        let (is_negated, words) = match word.strip_prefix('!') {
            Some(words) => (true, words),
            None => (false, word),
        };
        if words == "*" && !is_negated {
            return Ok(PlyPattern {
                words: Vec::new(),
                is_negated,
            });
        }
        // Crazyhouse has all kinds of moves. Which of them are legal depends on the game.
        let any_board = AnyPosition::start(Variant::Crazyhouse);
        let is_move = |word: &&str| any_board.parse_san(word) != Err(MoveError::Syntax);
        let words: Vec<&str> = words.split('|').collect();
        match words.iter().find(|word| !is_move(word)) {
            Some(bad) => Err(format!(
                "{bad:?} is not a move; pieces are K, Q, R, B and N"
            )),
            None => Ok(PlyPattern {
                words: words.into_iter().map(str::to_owned).collect(),
                is_negated,
            }),
        }
    }

    /// Whether one of the words must be played.
    fn is_demand(&self) -> bool {
        !self.is_negated && !self.words.is_empty()
    }

    /// Whether one of the words names the move.
    fn names(&self, before: &AnyPosition, m: Option<Move>) -> bool {
        let means = |word: &String| match m {
            Some(m) => before.parse_san(word) == Ok(m) && has_marks(word, before, m),
            None => word == "--",
        };
        self.words.iter().any(means)
    }

    fn allows(&self, before: &AnyPosition, m: Option<Move>) -> bool {
        self.words.is_empty() || self.names(before, m) != self.is_negated
    }
}

/// Whether a move is a capture, check or mate where the word says so. A reader of games overlooks wrong
/// marks, but a user who searches for `Bxh7+` wants captures that check.
fn has_marks(word: &str, before: &AnyPosition, m: Move) -> bool {
    if word.contains('x') && !before.is_capture(m) {
        return false;
    }
    if !word.ends_with(['+', '#']) {
        return true;
    }
    let after = before.after(m);
    if word.ends_with('#') {
        after.is_checkmate()
    } else {
        after.in_check()
    }
}

/// A word without a move number at its beginning: castling may be written with zeros.
pub(crate) fn without_number(word: &str) -> &str {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.starts_with('.') {
        after.trim_start_matches('.')
    } else {
        word
    }
}

/// Longer sequences are refused.
const MAX_MOVES: usize = 200;

impl Sequence {
    /// Reads moves, with or without numbers.
    ///
    /// # Errors
    /// Names the word that is no move.
    pub(super) fn read(text: &str, any_order: bool) -> Result<Sequence, String> {
        let mut steps = Vec::new();
        for word in text.split_whitespace() {
            let word = without_number(word);
            if !word.is_empty() {
                steps.push(PlyPattern::read(word)?);
            }
        }
        if steps.is_empty() || steps.len() > MAX_MOVES {
            return Err(format!("1 to {MAX_MOVES} moves are expected"));
        }
        Ok(Sequence { steps, any_order })
    }

    /// The ply after the sequence, if a game begins with it.
    pub(super) fn find_at_start(&self, line: &MainLine) -> Option<usize> {
        if line.moves.len() < self.steps.len() {
            return None;
        }
        let begins = if self.any_order {
            (0..2).all(|side| self.side_fits(line, side))
        } else {
            self.fits(line, 0)
        };
        begins.then_some(self.steps.len())
    }

    /// The ply after the first place where it was played.
    pub(super) fn find_anywhere(&self, line: &MainLine) -> Option<usize> {
        let last = line.moves.len().checked_sub(self.steps.len())?;
        let first = (0..=last).find(|&ply| self.fits(line, ply))?;
        Some(first + self.steps.len())
    }

    /// Whether it was played from a ply on.
    fn fits(&self, line: &MainLine, from: usize) -> bool {
        let mut pairs = line.plies().skip(from).zip(&self.steps);
        pairs.all(|((before, m), step)| step.allows(before, m))
    }

    /// Whether one side has played its moves in some order: each wanted move at a different ply,
    /// and none of the others ever.
    fn side_fits(&self, line: &MainLine, side: usize) -> bool {
        let plies = line.plies().take(self.steps.len());
        let plies: Vec<_> = plies.skip(side).step_by(2).collect();
        let steps = || self.steps.iter().skip(side).step_by(2);
        // Which plies are the move of a step.
        let played = |step: &PlyPattern| -> Vec<usize> {
            let all = plies.iter().enumerate();
            let named = all.filter(|&(_, &(before, m))| step.names(before, m));
            named.map(|(ply, _)| ply).collect()
        };
        if steps().any(|step| step.is_negated && !played(step).is_empty()) {
            return false;
        }
        let demands = steps().filter(|step| step.is_demand());
        let options: Vec<_> = demands.map(played).collect();
        has_matching(&options, plies.len())
    }
}

/// Whether each item can be assigned one of its options, no option twice: bipartite matching by
/// augmenting paths.
fn has_matching(options: &[Vec<usize>], places: usize) -> bool {
    let mut taken_by = vec![None; places];
    (0..options.len()).all(|one| {
        let mut seen = vec![false; places];
        augment(options, one, &mut seen, &mut taken_by)
    })
}

/// Assigns an option to an item, reassigning others if needed. The recursion is no deeper than the
/// sequence is long.
fn augment(
    options: &[Vec<usize>],
    one: usize,
    seen: &mut [bool],
    taken_by: &mut [Option<usize>],
) -> bool {
    for &place in options.get(one).into_iter().flatten() {
        if seen.get(place).copied().unwrap_or(true) {
            continue;
        }
        if let Some(seen) = seen.get_mut(place) {
            *seen = true;
        }
        let other = taken_by.get(place).copied().flatten();
        if other.is_none_or(|other| augment(options, other, seen, taken_by)) {
            if let Some(taken) = taken_by.get_mut(place) {
                *taken = Some(one);
            }
            return true;
        }
    }
    false
}
