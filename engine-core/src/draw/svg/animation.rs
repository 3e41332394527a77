//! A game as one picture that moves (SMIL), without scripts.

use super::theme::Paint;
use super::xml::{Escaped, Short};
use super::{Canvas, Diagram, corner};
use crate::notation::MoveText;
use crate::position::castling_targets;
use crate::{AnyPosition, Board, Color, Move, MoveKind, Piece, Square, dispatch};
use std::fmt::Write;

/// A game that is played over and over. A viewer that does not move shows the start position.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The start position, the look of the board, and what else is to be seen all the time.
    pub diagram: Diagram,
    /// The position of the diagram.
    pub start: AnyPosition,
    /// The moves from there; `None` passes.
    pub moves: Vec<Option<Move>>,
    /// Seconds from move to move.
    pub pace: f64,
}

/// Seconds that the last position stays.
const REST: f64 = 3.0;
/// The part of the time between two moves that a piece is on its way.
const GLIDE: f64 = 0.35;

/// A piece through the game.
struct Actor {
    piece: Piece,
    /// When it sets off for which squares; first of all it is put there.
    places: Vec<(f64, Square)>,
    vanishes: Option<f64>,
}

/// All pieces, and which stands where.
struct Stage {
    actors: Vec<Actor>,
    on: [Option<usize>; 64],
}

impl Stage {
    fn enter(&mut self, piece: Piece, square: Square, time: f64) {
        if let Some(slot) = self.on.get_mut(square.index()) {
            *slot = Some(self.actors.len());
        }
        self.actors.push(Actor {
            piece,
            places: vec![(time, square)],
            vanishes: None,
        });
    }

    /// Takes the actor off a square.
    fn lift(&mut self, square: Square) -> Option<usize> {
        self.on.get_mut(square.index()).and_then(Option::take)
    }

    fn leave(&mut self, square: Square, time: f64) {
        let gone = self.lift(square);
        if let Some(actor) = gone.and_then(|index| self.actors.get_mut(index)) {
            actor.vanishes = Some(time);
        }
    }

    fn put(&mut self, actor: Option<usize>, square: Square, time: f64) {
        if let Some(index) = actor
            && let Some(moved) = self.actors.get_mut(index)
        {
            moved.places.push((time, square));
            if let Some(slot) = self.on.get_mut(square.index()) {
                *slot = actor;
            }
        }
    }

    /// One move: what sets off at a time and arrives at another.
    fn play(&mut self, m: Move, turn: Color, after: &Board, leaves: f64, arrives: f64) {
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Castle => {
                let (king_to, rook_to) = castling_targets(turn, from, to);
                let (king, rook) = (self.lift(from), self.lift(to));
                self.put(king, king_to, leaves);
                self.put(rook, rook_to, leaves);
            }
            MoveKind::Drop(role) => self.enter(role.of(turn), to, leaves),
            _ => {
                let mover = self.lift(from);
                self.leave(to, arrives);
                self.put(mover, to, leaves);
            }
        }
        // Whatever is not there any more was taken in passing, exploded, or became another piece.
        for square in Square::ALL {
            let actor = self.on.get(square.index()).copied().flatten();
            let Some(stands) = actor
                .and_then(|index| self.actors.get(index))
                .map(|actor| actor.piece)
            else {
                continue;
            };
            let found = after.piece_at(square);
            if found != Some(stands) {
                self.leave(square, arrives);
                if let Some(piece) = found {
                    self.enter(piece, square, arrives);
                }
            }
        }
    }
}

impl Animation {
    /// The picture.
    pub fn svg(&self) -> String {
        let mut stage = Stage {
            actors: Vec::new(),
            on: [None; 64],
        };
        for (square, piece) in self.diagram.board.iter() {
            stage.enter(piece, square, 0.0);
        }
        let total = self.pace * (self.moves.len() as f64 + 1.0) + REST;
        let mut position = self.start;
        let mut captions = vec![(0.0, String::new())];
        let mut last = Vec::new();
        for (ply, &m) in self.moves.iter().enumerate() {
            let leaves = self.pace * (ply as f64 + 1.0) / total;
            let arrives = leaves + self.pace * GLIDE / total;
            captions.push((leaves, caption(&position, m)));
            let Some(m) = m else {
                dispatch!(&mut position, |position| position.play_null());
                continue;
            };
            dispatch!(&mut position, |position| {
                let turn = position.turn();
                let to = match m.kind() {
                    MoveKind::Castle => castling_targets(turn, m.from(), m.to()).0,
                    _ => m.to(),
                };
                let from = if m.is_drop() { to } else { m.from() };
                last.push((leaves, from, to));
                position.play(m);
                stage.play(m, turn, position.board(), leaves, arrives);
            });
        }
        self.draw(&stage, &captions, &last, total)
    }

    fn draw(
        &self,
        stage: &Stage,
        captions: &[(f64, String)],
        last: &[(f64, Square, Square)],
        total: f64,
    ) -> String {
        // Room for the text of the moves.
        let diagram = Diagram {
            caption: Some(self.diagram.caption.clone().unwrap_or_default()),
            ..self.diagram.clone()
        };
        let mut canvas = Canvas::open(&diagram);
        canvas.define(|role| stage.actors.iter().any(|actor| actor.piece.role == role));
        canvas.squares();
        let clock = Clock {
            total,
            orientation: diagram.orientation,
        };
        let begins: Vec<_> = last.iter().map(|&(time, from, _)| (time, from)).collect();
        let ends: Vec<_> = last.iter().map(|&(time, _, to)| (time, to)).collect();
        for places in [begins, ends] {
            clock.highlight(&places, &diagram.theme.light_last, &mut canvas.text);
        }
        for color in Color::ALL {
            canvas.begin_pieces(color);
            for actor in stage
                .actors
                .iter()
                .filter(|actor| actor.piece.color == color)
            {
                clock.actor(actor, self.pace * GLIDE / total, &mut canvas.text);
            }
            canvas.text.push_str("</g>");
        }
        canvas.panels();
        for (index, (from, text)) in captions.iter().enumerate() {
            let until = captions.get(index + 1).map_or(1.0, |(time, _)| *time);
            let shown = clock.caption(&canvas, text, *from, until);
            canvas.text.extend(shown);
        }
        canvas.close()
    }
}

/// `12... Nf6`.
fn caption(position: &AnyPosition, m: Option<Move>) -> String {
    dispatch!(position, |position| {
        let dots = if position.turn().is_white() {
            "."
        } else {
            "..."
        };
        let san = m.map_or_else(MoveText::null, |m| position.to_san(m));
        format!("{}{dots} {san}", position.fullmoves())
    })
}

/// Writes what happens when. Times are parts of the whole.
struct Clock {
    total: f64,
    orientation: Color,
}

impl Clock {
    /// `<animate …>` of one attribute with these times and values.
    fn animate(&self, name: &str, is_discrete: bool, keys: &[(f64, String)], text: &mut String) {
        let join = |words: Vec<String>| words.join(";");
        let times = join(
            keys.iter()
                .map(|(time, _)| format!("{:.5}", time.clamp(0.0, 1.0)))
                .collect(),
        );
        let values = join(keys.iter().map(|(_, value)| value.clone()).collect());
        let mode = if is_discrete {
            r#" calcMode="discrete""#
        } else {
            ""
        };
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            text,
            r#"<animate attributeName="{name}" dur="{}s" repeatCount="indefinite"{mode} keyTimes="{times}" values="{values}"/>"#,
            Short(self.total)
        );
    }

    fn actor(&self, actor: &Actor, glide: f64, text: &mut String) {
        let Some(&(enters, first)) = actor.places.first() else {
            return;
        };
        let (x, y) = corner(self.orientation, first);
        let hidden = if enters > 0.0 {
            r#" visibility="hidden""#
        } else {
            ""
        };
        let _ = write!(
            text,
            r##"<use href="#{}" x="{}" y="{}"{hidden}>"##,
            actor.piece.role.name(),
            Short(x),
            Short(y)
        );
        if actor.places.len() > 1 {
            for (name, pick) in [("x", 0), ("y", 1)] {
                let at = |square| {
                    let (x, y) = corner(self.orientation, square);
                    Short(if pick == 0 { x } else { y }).to_string()
                };
                let mut keys = vec![(0.0, at(first))];
                let mut before = at(first);
                for &(time, square) in actor.places.iter().skip(1) {
                    keys.push((time, before));
                    before = at(square);
                    keys.push((time + glide, before.clone()));
                }
                keys.push((1.0, before));
                self.animate(name, false, &keys, text);
            }
        }
        if enters > 0.0 || actor.vanishes.is_some() {
            let shown = |yes: bool| if yes { "visible" } else { "hidden" }.to_owned();
            let mut keys = vec![(0.0, shown(enters <= 0.0))];
            if enters > 0.0 {
                keys.push((enters, shown(true)));
            }
            keys.extend(actor.vanishes.map(|time| (time, shown(false))));
            self.animate("visibility", true, &keys, text);
        }
        text.push_str("</use>");
    }

    /// A square that is where the last move began or ended.
    fn highlight(&self, places: &[(f64, Square)], color: &str, text: &mut String) {
        if places.is_empty() {
            return;
        }
        let _ = write!(
            text,
            r#"<rect class="last" width="45" height="45" visibility="hidden" opacity=".75"{}>"#,
            Paint("fill", color)
        );
        for (name, pick) in [("x", 0), ("y", 1)] {
            let at = |&(time, square): &(f64, Square)| {
                let (x, y) = corner(self.orientation, square);
                (time, Short(if pick == 0 { x } else { y }).to_string())
            };
            let keys: Vec<(f64, String)> = places
                .iter()
                .take(1)
                .map(|place| (0.0, at(place).1))
                .chain(places.iter().map(at))
                .collect();
            self.animate(name, true, &keys, text);
        }
        let begins = places.first().map_or(0.0, |place| place.0);
        let keys = [(0.0, "hidden".to_owned()), (begins, "visible".to_owned())];
        self.animate("visibility", true, &keys, text);
        text.push_str("</rect>");
    }

    /// A caption that is there for a while.
    fn caption(&self, canvas: &Canvas<'_>, caption: &str, from: f64, until: f64) -> Option<String> {
        if caption.is_empty() {
            return None;
        }
        let mut text = String::new();
        let panel = canvas.panel;
        let _ = write!(
            text,
            r#"<text class="caption" visibility="hidden" x="{}" y="{}" font-family="sans-serif" font-size="14" text-anchor="end"{}>{}"#,
            Short(panel.width - 10.0),
            Short(panel.height - 9.0),
            Paint("fill", &canvas.diagram.theme.ink),
            Escaped(caption)
        );
        let keys = [
            (0.0, "hidden".to_owned()),
            (from, "visible".to_owned()),
            (until, "hidden".to_owned()),
        ];
        // The last one stays to the end.
        let keys = if until < 1.0 {
            &keys[..]
        } else {
            keys.get(..2)?
        };
        self.animate("visibility", true, keys, &mut text);
        text.push_str("</text>");
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    #[test]
    fn a_game_with_castling_and_promotion() {
        let fen = "3rk3/2P5/8/8/8/8/8/4K2R w K - 0 1";
        let setup = crate::Setup::from_fen(fen).expect("a FEN");
        let start = AnyPosition::from_setup_unchecked(
            Variant::Standard,
            &setup,
            crate::CastlingMode::default(),
        );
        let mut position = start;
        let mut moves = Vec::new();
        for san in ["O-O", "Rd7", "c8=Q+", "Ke7"] {
            dispatch!(&mut position, |position| {
                let m = position.parse_san(san).expect("a legal move");
                position.play(m);
                moves.push(Some(m));
            });
        }
        let animation = Animation {
            diagram: Diagram::new(&setup.board),
            start,
            moves,
            pace: 1.0,
        };
        let svg = animation.svg();
        super::super::tests::check_xml(&svg);
        // Five pieces and the queen that comes; the pawn goes.
        assert_eq!(svg.matches("<use ").count(), 6);
        assert_eq!(svg.matches(r#"<animate attributeName="x""#).count(), 5 + 2);
        assert_eq!(svg.matches("<text ").count(), 1 + 4);
    }
}
