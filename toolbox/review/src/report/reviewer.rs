//! The reviewer: finds the facts of a game.

use super::legal::Choice;
use super::nodes::nodes;
use super::players::{Ply, players, round};
use super::why::Case;
use super::{Evaluation, Fault, LineText, Node, OpeningName, Review};
use crate::accuracy::{self, Mark};
use crate::endings::{Endings, TableResult};
use crate::search::{EngineArgs, PvLine, SearchResult, Searches};
use arena::expectation::end_eval;
use arena::searchable::is_searchable;
use common::error::Result;
use engine_core::{AnyPosition, CastlingMode, Color, Game, Move};
use indicatif::ProgressBar;
use pgn::{Eval, Opening, Tree};

/// Plies of a line that are shown.
const SHOWN: usize = 10;

/// Reviews games one after the other.
pub(crate) struct Reviewer {
    pub(crate) engine: EngineArgs,
    /// `None` if only the evaluations in the games are used.
    pub(crate) searches: Option<Searches>,
    pub(crate) endings: Endings,
    pub(crate) bar: ProgressBar,
}

impl Reviewer {
    /// The facts of a game; `None` where its start cannot be read.
    ///
    /// # Errors
    /// When an engine fails or a signal comes.
    pub(crate) fn review(&mut self, number: u64, tree: &Tree) -> Result<Option<Review>> {
        let (Some(start), Some(full_game)) = (tree.start, tree.to_game()) else {
            return Ok(None);
        };
        let study = self.study(tree, &full_game)?;
        let (mut nodes, left_out) = nodes(tree, start);
        let turning_points = study.write_to(&mut nodes);
        let [white, black] = players(&tree.headers, &study.plies(), &nodes);
        let opening = Opening::of_tree(tree);
        Ok(Some(Review {
            game: number,
            tags: tree.headers.clone(),
            engine: self
                .searches
                .is_some()
                .then(|| self.engine.label_and_limits()),
            result: tree.known_result().to_owned(),
            variant: start.variant().name(),
            chess960: start.mode() == CastlingMode::Chess960,
            opening: opening.map(|opening| OpeningName {
                eco: opening.eco(),
                name: opening.name(),
                family: opening.family(),
            }),
            white,
            black,
            turning_points,
            nodes,
            left_out,
        }))
    }

    /// Evaluates the positions of the main line and marks the faulty moves.
    pub(crate) fn study(&mut self, tree: &Tree, full_game: &Game) -> Result<Study> {
        let mut study = Study::of(tree, full_game, &self.endings);
        let unknown: Vec<_> =
            study.indices(|position| position.eval.is_none() && position.is_open());
        self.search(full_game, &mut study, &unknown)?;
        if self.searches.is_none() {
            study.evaluate_without_search();
        }
        study.mark();
        // The lines that explain the faults: before them and after them.
        let faults = study.indices(|position| position.mark.is_some());
        let mut around: Vec<_> = faults
            .iter()
            .flat_map(|&at| [at.saturating_sub(1), at])
            .collect();
        around.dedup();
        around.retain(|&at| {
            study
                .positions
                .get(at)
                .is_some_and(MainLinePosition::is_open)
        });
        self.search(full_game, &mut study, &around)?;
        for position in &mut study.positions {
            position.best = position.best_line(&self.endings);
        }
        Ok(study)
    }

    /// Searches the positions that have not been searched yet.
    fn search(&mut self, full_game: &Game, study: &mut Study, positions: &[usize]) -> Result {
        let Some(searches) = &mut self.searches else {
            return Ok(());
        };
        let engine = &self.engine;
        let requests = positions
            .iter()
            .map(|&at| engine.request(full_game.up_to(at)));
        let mut found = Vec::with_capacity(positions.len());
        searches.run(requests, &self.bar, |each| found.push(each))?;
        for (&at, found) in positions.iter().zip(found) {
            if let Some(position) = study.positions.get_mut(at) {
                position.set_search_result(found);
            }
        }
        Ok(())
    }
}

/// The positions of the main line of a game, with evaluations and marks.
pub(crate) struct Study {
    /// The start, and what follows each move.
    pub(crate) positions: Vec<MainLinePosition>,
}

/// A position of the main line, and the move that led to it.
pub(crate) struct MainLinePosition {
    pub(crate) position: AnyPosition,
    /// None for the start, and for a null move.
    pub(crate) played: Option<Move>,
    /// As White sees it.
    pub(crate) eval: Option<Eval>,
    /// The judgement of the move, if it was faulty.
    pub(crate) mark: Option<Mark>,
    /// The best line.
    pub(crate) best: Option<PvLine>,
    table_result: Option<TableResult>,
    found: Option<SearchResult>,
    /// Who has won, if the game ends here with that.
    winner: Option<Color>,
    /// Whether an engine can search it: the game is not over, and no king can be taken.
    pub(crate) is_searchable: bool,
}

impl MainLinePosition {
    /// Whether a search would tell more.
    fn is_open(&self) -> bool {
        self.is_searchable && self.found.is_none()
    }

    fn set_search_result(&mut self, found: SearchResult) {
        if self.eval.is_none() {
            let eval = found.best().map(|line| line.eval);
            self.eval = self
                .table_result
                .map(|result| result.correct(eval))
                .or(eval);
        }
        self.found = Some(found);
    }

    /// The judgement of the move that led here, if it was faulty.
    fn mark_after(&self, before: &MainLinePosition) -> Option<Mark> {
        self.played?;
        let turn = before.position.turn();
        // By tables nothing is lost, even if no mate is seen any more.
        let known = self.table_result.filter(|&result| {
            result == TableResult::won_by(turn) || before.table_result == Some(result)
        });
        match known {
            Some(_) => None,
            None => Mark::of(turn, before.eval?, self.eval?),
        }
    }

    /// Whether the search has evaluated this position by this move.
    fn best_move_was_played(&self, m: Option<Move>) -> bool {
        let line = self.found.as_ref().and_then(SearchResult::best);
        let chosen = line.and_then(|line| line.moves.first().copied());
        chosen.is_some() && chosen == m && self.table_result.is_none()
    }

    /// The best line: by tables if they have the position, else by the search.
    fn best_line(&self, endings: &Endings) -> Option<PvLine> {
        let searched = self.found.as_ref().and_then(SearchResult::best);
        let known = self.table_result.and_then(|_| endings.best(&self.position));
        match (known, searched) {
            (Some(m), Some(line)) if line.moves.first() == Some(&m) => Some(line.clone()),
            (Some(m), _) => Some(PvLine {
                eval: self.eval?,
                depth: 0,
                moves: vec![m],
            }),
            (None, line) => line.cloned(),
        }
    }
}

impl Study {
    /// A study without searches: by evaluations in comments, the rules where the game is over, and
    /// tables.
    fn of(tree: &Tree, full_game: &Game, endings: &Endings) -> Study {
        let mut game = Game::new(*full_game.start());
        let mut positions = Vec::with_capacity(full_game.moves().len() + 1);
        let mut ids = tree.main_line(tree.root());
        let mut id = Some(tree.root());
        let mut moves = full_game.moves().iter();
        let mut played = None;
        while let Some(here) = id {
            let end = game.outcome(false);
            let position = *game.position();
            let is_searchable = end.is_none() && is_searchable(&position);
            let tables = is_searchable.then_some(endings);
            let table_result = tables.and_then(|tables| tables.table_result(&position));
            let noted = tree.eval(here).map(|deep| deep.eval);
            let noted =
                noted.map(|eval| table_result.map_or(eval, |result| result.correct(Some(eval))));
            positions.push(MainLinePosition {
                position,
                played,
                eval: end.map(end_eval).or(noted),
                mark: None,
                best: None,
                table_result,
                found: None,
                winner: end.and_then(|end| end.winner),
                is_searchable,
            });
            id = ids.next();
            played = moves.next().copied().flatten();
            if id.is_some() {
                game.play_or_pass(played);
            }
        }
        Study { positions }
    }

    /// Gives positions without an evaluation the one of the tables, and the start position lichess's.
    fn evaluate_without_search(&mut self) {
        for position in &mut self.positions {
            let by_tables = position.table_result.map(|result| result.correct(None));
            position.eval = position.eval.or(by_tables);
        }
        if let Some(first) = self.positions.first_mut()
            && first.position == AnyPosition::start(first.position.variant())
        {
            first.eval.get_or_insert(accuracy::START);
        }
    }

    fn indices(&self, is_wanted: impl Fn(&MainLinePosition) -> bool) -> Vec<usize> {
        let positions = self.positions.iter().enumerate();
        let wanted = positions.filter(|(_, position)| is_wanted(position));
        wanted.map(|(at, _)| at).collect()
    }

    /// Marks the faulty moves.
    ///
    /// Where the best move of the search was played, the search of the next position saw further: its
    /// value replaces the earlier one, and the fault is an earlier move. So this goes backwards.
    fn mark(&mut self) {
        let mut rest = self.positions.as_mut_slice();
        while let [earlier @ .., after] = rest {
            if let Some(before) = earlier.last_mut() {
                after.mark = after.mark_after(before);
                if after.mark.is_some() && before.best_move_was_played(after.played) {
                    before.eval = after.eval;
                    after.mark = None;
                }
            }
            rest = earlier;
        }
    }

    /// The moves in numbers.
    fn plies(&self) -> Vec<Ply> {
        let pairs = self.positions.iter().zip(self.positions.iter().skip(1));
        let ply = |(before, after): (&MainLinePosition, &MainLinePosition)| Ply {
            color: before.position.turn(),
            evals: before.eval.zip(after.eval),
        };
        pairs.map(ply).collect()
    }

    /// Writes the facts into the nodes of the main line, and returns the nodes where the game
    /// turned.
    fn write_to(&self, nodes: &mut [Node]) -> Vec<usize> {
        for (position, node) in self.positions.iter().zip(nodes.iter_mut()) {
            node.eval = match position.winner {
                Some(winner) => Evaluation::won_by(winner),
                None => position.eval.into(),
            };
            node.tables = position.table_result;
            node.line = position
                .best
                .as_ref()
                .and_then(|line| line_text(&position.position, line));
        }
        let mut turning_points = Vec::new();
        let pairs = self.positions.iter().zip(self.positions.iter().skip(1));
        for (at, ((before, after), node)) in pairs.zip(nodes.iter_mut().skip(1)).enumerate() {
            let (Some(played), Some(evals)) = (after.played, before.eval.zip(after.eval)) else {
                continue;
            };
            let turn = before.position.turn();
            let percent = |eval| accuracy::win_percent_of(turn, eval);
            let (then, now) = (percent(evals.0), percent(evals.1));
            node.accuracy = Some(round(accuracy::of_move(then, now)));
            let Some(mark) = after.mark else { continue };
            if Standing::of(then) != Standing::of(now) {
                turning_points.push(at + 1);
            }
            let case = Case {
                before: &before.position,
                played,
                evals,
                table_results: (before.table_result, after.table_result),
                best: before.best.as_ref(),
                refutation: after.best.as_ref(),
            };
            node.fault = Some(Fault {
                mark,
                lost: round(then - now),
                why: case.sentence(),
                choices: Choice::all(&before.position),
            });
        }
        turning_points
    }
}

/// Which side is better, by expected points.
#[derive(PartialEq, Eq)]
enum Standing {
    Worse,
    Level,
    Better,
}

impl Standing {
    fn of(percent: f64) -> Standing {
        match percent {
            65.0.. => Standing::Better,
            ..35.0 => Standing::Worse,
            _ => Standing::Level,
        }
    }
}

fn line_text(position: &AnyPosition, line: &PvLine) -> Option<LineText> {
    let first = *line.moves.first()?;
    let shown = line.moves.get(..SHOWN).unwrap_or(&line.moves);
    Some(LineText {
        uci: position.to_uci(first).to_string(),
        san: position.variation_san(shown),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Variant;

    /// The start, and each move with White's evaluation after it; the search has chosen these
    /// moves.
    fn study(moves: &[&str], evals: &[i64], chosen: &[&str]) -> Study {
        let mut position = AnyPosition::start(Variant::Standard);
        let mut positions = Vec::new();
        let mut played = None;
        for (at, &eval) in evals.iter().enumerate() {
            let eval = Eval::Cp(eval);
            let line = |san: &&str| PvLine {
                eval,
                depth: 1,
                moves: vec![position.parse_san(san).unwrap()],
            };
            positions.push(MainLinePosition {
                position,
                played,
                eval: Some(eval),
                mark: None,
                best: None,
                table_result: None,
                found: Some(SearchResult {
                    lines: chosen.get(at).map(line).into_iter().collect(),
                    settled: 1,
                }),
                winner: None,
                is_searchable: true,
            });
            played = moves.get(at).map(|san| position.parse_san(san).unwrap());
            if let Some(m) = played {
                position.play(m);
            }
        }
        Study { positions }
    }

    /// The evaluations and marks of a game in which White's g4 loses something.
    fn marked(chosen: &[&str]) -> (Vec<i64>, Vec<Option<Mark>>) {
        let mut study = study(&["e4", "f6", "g4"], &[20, 20, 20, -300], chosen);
        study.mark();
        let evals = study.positions.iter().filter_map(|position| position.eval);
        let marks = study.positions.iter().map(|position| position.mark);
        (evals.map(accuracy::centipawns).collect(), marks.collect())
    }

    #[test]
    fn a_king_that_could_be_taken_is_not_searched() {
        let text = b"1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- 4. Nf3 (4. Qxe8) Kxf7 *";
        let (tree, _) = pgn::read_tree(text).unwrap();
        let study = Study::of(
            &tree,
            &tree.to_game().unwrap(),
            &Endings::open(None).unwrap(),
        );
        let open = study.indices(MainLinePosition::is_open);
        assert_eq!(open, [0, 1, 2, 3, 4, 5, 7, 8]);
    }

    #[test]
    fn what_is_lost_by_the_move_of_the_search_was_lost_before() {
        let blunder = vec![None, None, None, Some(Mark::Blunder)];
        let same = vec![20, 20, 20, -300];
        assert_eq!(marked(&["e4", "e5", "d4"]), (same, blunder));
        let learned = vec![20, 20, -300, -300];
        assert_eq!(marked(&["e4", "e5", "g4"]), (learned, vec![None; 4]));
    }
}
