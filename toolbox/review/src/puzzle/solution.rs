//! Solving a position move by move, as long as one move wins and no other.

use crate::accuracy::{mate_by, win_percent_of};
use crate::report::Reviewer;
use crate::search::{SearchRequest, SearchResult};
use common::error::Result;
use engine_core::{AnyPosition, Color, Game, Move};
use pgn::Eval;

/// The winning moves, with the answers between them.
pub(super) struct Solution {
    /// Ends with a move of the solver.
    pub(super) moves: Vec<Move>,
    /// The depth at which the search found the hardest of them.
    pub(super) depth: u32,
    /// White's evaluation of the start.
    pub(super) eval: Eval,
    /// The position after the last move.
    pub(super) end: AnyPosition,
}

/// The longest solution in plies.
const MAX_PLIES: usize = 15;
/// The least expected points of the solver with a move that wins, and the least lead of the only one
/// over any other, in percent. The first is about two pawns.
const WON: f64 = 67.5;
const GAP: f64 = 25.0;

impl Solution {
    /// An estimated rating of the puzzle.
    pub(super) fn rating(&self) -> u32 {
        let moves = self.moves.len().div_ceil(2) as u32;
        // An engine may report any depth.
        let of_depth = self.depth.saturating_mul(110);
        of_depth
            .saturating_add(500 + 120 * (moves - 1))
            .clamp(400, 2800)
    }
}

/// The solution for the side to move; `None` if it has no single winning move, or if that only
/// recaptures.
///
/// # Errors
/// When an engine fails or a signal comes.
pub(super) fn solve(
    reviewer: &mut Reviewer,
    mut game: Game,
    deeper: u32,
) -> Result<Option<Solution>> {
    let start = *game.position();
    let last = game.moves().last().copied().flatten();
    let solver = start.turn();
    let mut moves: Vec<Move> = Vec::new();
    let mut answer = None;
    let (mut depth, mut eval, mut end) = (0, None, start);
    while moves.len() < MAX_PLIES {
        let found = search(reviewer, &game, deeper)?;
        let legal = game.position().legal_moves().len();
        let Some(only) = only_move(&found, solver, legal, moves.is_empty()) else {
            break;
        };
        moves.extend(answer);
        moves.push(only);
        eval = eval.or(found.best().map(|line| line.eval));
        depth = depth.max(found.settled);
        game.play(only);
        end = *game.position();
        if game.outcome(true).is_some() {
            break;
        }
        let found = search(reviewer, &game, deeper)?;
        let Some(reply) = found.best().and_then(|line| line.moves.first().copied()) else {
            break;
        };
        game.play(reply);
        answer = Some(reply);
        if game.outcome(true).is_some() {
            break;
        }
    }
    let Some(eval) = eval else { return Ok(None) };
    // The clock stands at zero after a capture.
    let is_taking_back = match (moves.as_slice(), last) {
        ([only], Some(last)) => only.to() == last.to() && start.halfmoves() == 0,
        _ => false,
    };
    Ok((!is_taking_back).then_some(Solution {
        moves,
        depth,
        eval,
        end,
    }))
}

fn search(reviewer: &mut Reviewer, game: &Game, deeper: u32) -> Result<SearchResult> {
    let request: SearchRequest = reviewer.engine.deeper_request(game.clone(), deeper);
    let mut found = SearchResult::default();
    if let Some(searches) = &mut reviewer.searches {
        searches.run(std::iter::once(request), &reviewer.bar, |each| found = each)?;
    }
    Ok(found)
}

/// The only winning move, if it is known that there is one. On the way to a mate it is enough that no other move
/// mates; a forced move counts, except at the beginning.
fn only_move(found: &SearchResult, solver: Color, legal: usize, is_first: bool) -> Option<Move> {
    let best = found.best()?;
    let m = best.moves.first().copied()?;
    let points = win_percent_of(solver, best.eval);
    if points < WON {
        return None;
    }
    let Some(second) = found.lines.get(1) else {
        return (legal == 1 && !is_first).then_some(m);
    };
    if second.moves.first() == Some(&m) {
        return None;
    }
    let mates = |eval| mate_by(solver, eval).is_some();
    let is_only_mate = !is_first && mates(best.eval) && !mates(second.eval);
    let others = win_percent_of(solver, second.eval);
    let is_clear = others < WON && points - others >= GAP;
    (is_clear || is_only_mate).then_some(m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::PvLine;
    use engine_core::Square;

    fn found(evals: &[Eval]) -> SearchResult {
        let line = |(&eval, to)| PvLine {
            eval,
            depth: 9,
            moves: vec![Move::normal(Square::E2, to)],
        };
        let targets = [Square::E4, Square::E3];
        SearchResult {
            lines: evals.iter().zip(targets).map(line).collect(),
            settled: 4,
        }
    }

    #[test]
    fn one_winning_move() {
        use Eval::{Cp, Mate};
        for (evals, is_first, is_only) in [
            (&[Cp(400), Cp(0)][..], true, true),
            (&[Cp(400), Cp(300)], true, false),
            (&[Cp(1000), Cp(250)], true, false),
            (&[Cp(1000), Cp(190)], true, true),
            (&[Cp(150), Cp(-300)], true, false),
            (&[Mate(3), Cp(900)], true, false),
            (&[Mate(3), Cp(900)], false, true),
            (&[Mate(3), Mate(5)], false, false),
            (&[Cp(-400), Cp(0)], true, false),
            (&[Cp(400)], true, false),
            (&[], true, false),
        ] {
            let only = only_move(&found(evals), Color::White, 1, is_first);
            assert_eq!(only.is_some(), is_only, "{evals:?}");
        }
        assert!(only_move(&found(&[Cp(-400), Cp(0)]), Color::Black, 2, true).is_some());
        assert!(only_move(&found(&[Cp(400)]), Color::White, 1, false).is_some());
        // A second line that is left from before the move was the first.
        let mut same = found(&[Cp(600), Cp(0)]);
        same.lines[1].moves = same.lines[0].moves.clone();
        assert_eq!(only_move(&same, Color::White, 20, true), None);
    }

    #[test]
    fn any_depth_has_a_rating() {
        let solution = |depth, moves| Solution {
            moves: vec![Move::normal(Square::E2, Square::E4); moves],
            depth,
            eval: Eval::Cp(400),
            end: AnyPosition::default(),
        };
        assert_eq!(solution(4, 1).rating(), 940);
        assert_eq!(solution(4, 3).rating(), 1060);
        assert_eq!(solution(u32::MAX, 15).rating(), 2800);
    }
}
