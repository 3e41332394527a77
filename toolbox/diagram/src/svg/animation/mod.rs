//! A game as one animated image (SMIL), without scripts.

mod controls;
mod pieces;
mod step;
mod timeline;

pub use step::AnimationStep;

use super::bar::Bar;
use super::canvas::Canvas;
use super::diagram::{Diagram, InHand, king_in_check};
use super::layout::{MARGIN, caption_width};
use super::surroundings::Anchor;
use engine_core::{AnyPosition, Color, Move, Square};
use pieces::AnimatedPieces;
use std::fmt::Write;
use step::step;
use timeline::Timeline;

/// An endlessly repeated animation. A viewer that does not move shows the start position.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The start position, the look of the board, and what else is to be seen all the time.
    pub diagram: Diagram,
    /// What happens, one after the other.
    pub steps: Vec<AnimationStep>,
    /// Seconds from step to step, from 0.05 to 600; others count as the nearest of these.
    pub pace: f64,
}

/// Seconds that the last position stays.
const REST: f64 = 3.0;
/// The part of the time between two moves that a piece is on its way.
const GLIDE: f64 = 0.35;

impl Animation {
    /// A game of chess from a position, which is that of the diagram; `None` passes. Kings in check
    /// are marked.
    pub fn of_game(
        diagram: Diagram,
        start: AnyPosition,
        moves: &[Option<Move>],
        pace: f64,
    ) -> Animation {
        let mut position = start;
        let steps = moves.iter().map(|&m| step(&mut position, m)).collect();
        let InHand { pockets, checks } = InHand::of(&start);
        let diagram = Diagram {
            check: king_in_check(&start),
            pockets,
            checks,
            ..diagram
        };
        Animation {
            diagram,
            steps,
            pace,
        }
    }

    /// Seconds from step to step.
    fn pace(&self) -> f64 {
        let (least, most) = (0.05, 600.0);
        // What is no number counts as the least.
        if self.pace > least {
            self.pace.min(most)
        } else {
            least
        }
    }

    /// Seconds until it begins again.
    fn total(&self) -> f64 {
        self.pace() * (self.steps.len() as f64 + 1.0) + REST
    }

    /// The animation, as SVG.
    pub fn svg(&self) -> String {
        let mut pieces = AnimatedPieces::new(self.diagram.board.iter());
        let total = self.total();
        let timeline = Timeline {
            total,
            glide: self.pace() * GLIDE / total,
            orientation: self.diagram.orientation,
        };
        let times = (1_u32..).map(|step| self.pace() * f64::from(step) / total);
        let steps: Vec<(f64, &AnimationStep)> = times.zip(&self.steps).collect();
        for &(time, step) in &steps {
            pieces.play(step, time, time + timeline.glide);
        }
        self.draw(&pieces, &timeline, &steps)
    }

    fn draw(
        &self,
        pieces: &AnimatedPieces,
        timeline: &Timeline,
        steps: &[(f64, &AnimationStep)],
    ) -> String {
        // Room for the captions of the steps, and what is always there beside them.
        let diagram = Diagram {
            caption: Some(String::new()),
            check: None,
            ..self.diagram.clone()
        };
        let mut canvas = Canvas::open(&diagram);
        let hands = self.hands(steps);
        canvas.define(|role| {
            let on_board = pieces.pieces.iter().any(|one| one.piece.role == role);
            on_board || hands.iter().any(|(.., hand)| hand.has(role))
        });
        canvas.squares();
        let moves = steps
            .iter()
            .filter_map(|(time, step)| Some((*time, step.highlight?)));
        let (begins, ends): (Vec<_>, Vec<_>) = moves
            .map(|(time, (from, to))| ((time, from), (time, to)))
            .unzip();
        for places in [begins, ends] {
            timeline.highlight(&places, &diagram.theme, &mut canvas.text);
        }
        let [.., blue] = &diagram.theme.arrows;
        let frames: Vec<_> = steps
            .iter()
            .map(|(time, step)| (*time, step.frame))
            .collect();
        timeline.frame(&frames, blue, &mut canvas.text);
        let checks = steps.iter().map(|(time, step)| (*time, step.check));
        let checks = spans([(0.0, self.diagram.check)].into_iter().chain(checks));
        let checks: Vec<_> = checks
            .into_iter()
            .map(|(from, _, king)| (from, king))
            .collect();
        timeline.check(&checks, &mut canvas.text);
        for color in Color::ALL {
            canvas.begin_pieces(color);
            let pieces = pieces.pieces.iter();
            for animated in pieces.filter(|animated| animated.piece.color == color) {
                timeline.piece(animated, &mut canvas.text);
            }
            canvas.text.push_str("</g>");
        }
        canvas.end_board();
        for (from, until, hand) in hands {
            let shown = timeline.shown(from, until);
            let _ = write!(canvas.text, r#"<g visibility="hidden">{shown}"#);
            canvas.hands(hand);
            canvas.text.push_str("</g>");
        }
        self.title(&mut canvas);
        for (from, until, caption) in spans(steps.iter().map(|(time, step)| (*time, &step.caption)))
        {
            let anchor = Anchor::End(canvas.panel.width - MARGIN);
            let room = canvas.panel.width;
            canvas.caption(caption, anchor, room, &timeline.shown(from, until));
        }
        self.draw_bar(&mut canvas, timeline, steps);
        self.draw_clocks(&mut canvas, timeline, steps);
        canvas.close()
    }

    /// Pockets and checks with the time that each is shown.
    fn hands(&self, steps: &[(f64, &AnimationStep)]) -> Vec<(f64, f64, InHand)> {
        let first = self.diagram.in_hand();
        if first == InHand::default() {
            return Vec::new();
        }
        let changes = steps
            .iter()
            .filter_map(|(time, step)| Some((*time, step.in_hand?)));
        spans([(0.0, first)].into_iter().chain(changes))
    }

    /// The title at the left of the captions of the steps.
    fn title(&self, canvas: &mut Canvas<'_>) {
        let widths = self.steps.iter().map(|step| caption_width(&step.caption));
        let room = canvas.panel.width - 3.0 * MARGIN - widths.fold(0.0, f64::max);
        let title = self.diagram.caption.as_deref().unwrap_or_default();
        canvas.caption(title, Anchor::Start(MARGIN), room, "");
    }

    fn draw_bar(
        &self,
        canvas: &mut Canvas<'_>,
        timeline: &Timeline,
        steps: &[(f64, &AnimationStep)],
    ) {
        let Some(first) = self.diagram.evaluation else {
            return;
        };
        let changes = steps
            .iter()
            .filter_map(|(time, step)| Some((*time, step.evaluation?)));
        let evaluations = spans([(0.0, first)].into_iter().chain(changes));
        let bar = Bar::of(&self.diagram, canvas.panel);
        bar.push(first, &timeline.bar(&bar, &evaluations), &mut canvas.text);
        for (from, until, evaluation) in evaluations {
            bar.push_label(evaluation, &timeline.shown(from, until), &mut canvas.text);
        }
    }

    fn draw_clocks(
        &self,
        canvas: &mut Canvas<'_>,
        timeline: &Timeline,
        steps: &[(f64, &AnimationStep)],
    ) {
        let Some(first) = &self.diagram.clocks else {
            return;
        };
        for color in Color::ALL {
            let changes = steps
                .iter()
                .filter_map(|(time, step)| Some((*time, &step.clocks.as_ref()?[color])));
            for (from, until, clock) in spans([(0.0, &first[color])].into_iter().chain(changes)) {
                canvas.clock(color, clock, &timeline.shown(from, until));
            }
        }
    }

    /// The images of the start and after each step, with no piece on its way, and for how many
    /// seconds each stays.
    pub fn frames(&self) -> impl Iterator<Item = (String, f64)> + '_ {
        let mut diagram = Diagram {
            caption: Some(String::new()),
            ..self.diagram.clone()
        };
        let still = AnimationStep {
            check: diagram.check,
            ..AnimationStep::still(diagram.board)
        };
        let steps = [still].into_iter().chain(self.steps.iter().cloned());
        steps.enumerate().map(move |(index, step)| {
            diagram.board = step.board;
            if let Some((from, to)) = step.highlight {
                diagram.last_move = from.bitboard() | to.bitboard();
            }
            diagram.check = step.check;
            if let Some(InHand { pockets, checks }) = step.in_hand {
                (diagram.pockets, diagram.checks) = (pockets, checks);
            }
            diagram.evaluation = step.evaluation.or(diagram.evaluation);
            diagram.clocks = step.clocks.or_else(|| diagram.clocks.take());
            let is_last = index == self.steps.len();
            let seconds = self.pace() + if is_last { REST } else { 0.0 };
            (self.frame(&diagram, step.frame, &step.caption), seconds)
        })
    }

    fn frame(&self, diagram: &Diagram, framed: Option<[Square; 2]>, caption: &str) -> String {
        let mut canvas = Canvas::open(diagram);
        canvas.define(|role| diagram.board.role(role).any() || diagram.in_hand().has(role));
        canvas.squares();
        if let Some(corners) = framed {
            let [.., blue] = &diagram.theme.arrows;
            canvas.frame(corners, blue);
        }
        canvas.pieces();
        canvas.panels();
        self.title(&mut canvas);
        let anchor = Anchor::End(canvas.panel.width - MARGIN);
        canvas.caption(caption, anchor, canvas.panel.width, "");
        canvas.close()
    }
}

/// Merges equal neighbours, and adds to each value the time until the next. Times are fractions of the
/// animation's length: 0 is the start, 1 the end.
fn spans<T: PartialEq>(values: impl Iterator<Item = (f64, T)>) -> Vec<(f64, f64, T)> {
    let mut spans: Vec<(f64, f64, T)> = Vec::new();
    for (from, value) in values {
        match spans.last_mut() {
            Some((.., before)) if *before == value => {}
            Some((_, until, _)) => {
                *until = from;
                spans.push((from, 1.0, value));
            }
            None => spans.push((from, 1.0, value)),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::Evaluation;
    use engine_core::{ByColor, Square, Variant};

    #[test]
    fn a_game_with_castling_and_promotion() {
        let fen = "3rk3/2P5/8/8/8/8/8/4K2R w K - 0 1";
        let setup = engine_core::Setup::from_fen(fen).expect("a FEN");
        let start = AnyPosition::from_setup_unchecked(
            Variant::Standard,
            &setup,
            engine_core::CastlingMode::default(),
        );
        let mut position = start;
        let mut moves = Vec::new();
        for san in ["O-O", "Rd7", "c8=Q+", "Ke7"] {
            let m = position.parse_san(san).expect("a legal move");
            position.play(m);
            moves.push(Some(m));
        }
        let diagram = Diagram::new(&setup.board);
        let mut animation = Animation::of_game(diagram, start, &moves, 1.0);
        let svg = animation.svg();
        crate::svg::tests::check_xml(&svg);
        // Five pieces and the queen that comes; the pawn goes.
        assert_eq!(svg.matches("<use ").count(), 6);
        // Beside them the squares of the last move, light and dark ones, and the check.
        assert_eq!(
            svg.matches(r#"<animate attributeName="x""#).count(),
            5 + 2 * 2 + 1
        );
        let theme = &animation.diagram.theme;
        for color in [&theme.light_last, &theme.dark_last] {
            assert_eq!(svg.matches(&format!(r#"fill="{color}""#)).count(), 2);
        }
        // Moves began on dark squares until the last one, and ended on d7 and c8.
        assert!(svg.contains(r#"values="hidden;visible;hidden"/></rect>"#));
        assert!(svg.contains(r#"values="hidden;visible;hidden;visible"/></rect>"#));
        assert_eq!(svg.matches(r#"class="caption""#).count(), 4);
        // After the promotion, the third move, Black is in check, after the fourth no more.
        assert_eq!(svg.matches(r#"class="check""#).count(), 1);
        assert!(svg.contains(r#"values="hidden;visible;hidden""#));
        let checks = animation
            .frames()
            .map(|(frame, _)| frame.contains(r#"class="check""#));
        assert_eq!(
            checks.collect::<Vec<_>>(),
            [false, false, false, true, false]
        );
        // A frame comes once, goes, and a title is beside the captions.
        assert!(!svg.contains("frame"));
        animation.diagram.caption = Some("A & B".to_owned());
        if let Some(step) = animation.steps.get_mut(1) {
            step.frame = Some([Square::A8, Square::C6]);
        }
        let svg = animation.svg();
        crate::svg::tests::check_xml(&svg);
        assert_eq!(svg.matches(r#"class="frame""#).count(), 1);
        assert_eq!(svg.matches(r#"values="135;135""#).count(), 2);
        assert_eq!(svg.matches(r#"class="caption""#).count(), 4 + 1);
    }

    #[test]
    fn evaluations_and_clocks_change_in_time() {
        let setup = engine_core::Setup::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("a FEN");
        let mut diagram = Diagram::new(&setup.board);
        diagram.evaluation = Some(Evaluation::Pawns(0.0));
        diagram.clocks = Some(ByColor::default());
        let clocks = ["1:00", "1:00", "0:59"].map(str::to_owned);
        let mut steps = clocks.map(|clock| AnimationStep {
            clocks: Some(ByColor([clock, String::new()])),
            ..AnimationStep::still(setup.board)
        });
        let [_, second, _] = &mut steps;
        second.evaluation = Some(Evaluation::Mate(-2));
        let animation = Animation {
            diagram,
            steps: steps.to_vec(),
            pace: 1.0,
        };
        for pace in [f64::NAN, f64::INFINITY, -1.0] {
            let animation = Animation {
                pace,
                ..animation.clone()
            };
            let svg = animation.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
        let svg = animation.svg();
        crate::svg::tests::check_xml(&svg);
        // What does not change is not drawn again, and what is not known not at all.
        assert_eq!(svg.matches(r#"class="clock""#).count(), 2);
        assert_eq!(svg.matches(r#"<animate attributeName="height""#).count(), 1);
        assert!(svg.contains(r#"values="180;0""#));
        let frames: Vec<_> = animation.frames().collect();
        assert_eq!(frames.len(), 1 + 3);
        for (frame, has_clock) in frames.iter().zip([false, true, true, true]) {
            crate::svg::tests::check_xml(&frame.0);
            assert_eq!(frame.0.contains("clock"), has_clock);
        }
        assert!(frames.last().is_some_and(|(_, seconds)| *seconds > 3.0));
    }
}
