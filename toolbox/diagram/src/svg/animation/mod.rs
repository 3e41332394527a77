//! A game as one picture that moves (SMIL), without scripts.

mod stage;
mod step;
mod timeline;

pub use step::Step;

use super::canvas::Canvas;
use super::diagram::Diagram;
use super::layout::{MARGIN, caption_width};
use engine_core::{AnyPosition, Color, Move};
use stage::Stage;
use step::step;
use timeline::Timeline;

/// What is played over and over. A viewer that does not move shows the start position.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The start position, the look of the board, and what else is to be seen all the time.
    pub diagram: Diagram,
    /// What happens, one after the other.
    pub steps: Vec<Step>,
    /// Seconds from step to step.
    pub pace: f64,
}

/// Seconds that the last position stays.
const REST: f64 = 3.0;
/// The part of the time between two moves that a piece is on its way.
const GLIDE: f64 = 0.35;

impl Animation {
    /// A game of chess from a position, which is that of the diagram; `None` passes.
    pub fn of_game(
        diagram: Diagram,
        start: AnyPosition,
        moves: &[Option<Move>],
        pace: f64,
    ) -> Animation {
        let mut position = start;
        let steps = moves.iter().map(|&m| step(&mut position, m)).collect();
        Animation {
            diagram,
            steps,
            pace,
        }
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let mut stage = Stage::new(self.diagram.board.iter());
        let total = self.pace * (self.steps.len() as f64 + 1.0) + REST;
        let timeline = Timeline {
            total,
            glide: self.pace * GLIDE / total,
            orientation: self.diagram.orientation,
        };
        let times = (1_u32..).map(|step| self.pace * f64::from(step) / total);
        let steps: Vec<(f64, &Step)> = times.zip(&self.steps).collect();
        for &(time, step) in &steps {
            stage.play(step, time, time + timeline.glide);
        }
        self.draw(&stage, &timeline, &steps)
    }

    fn draw(&self, stage: &Stage, timeline: &Timeline, steps: &[(f64, &Step)]) -> String {
        // Room for the captions of the steps, and what is always there beside them.
        let diagram = Diagram {
            caption: Some(String::new()),
            ..self.diagram.clone()
        };
        let mut canvas = Canvas::open(&diagram);
        canvas.define(|role| stage.actors.iter().any(|actor| actor.piece.role == role));
        canvas.squares();
        let moves = steps
            .iter()
            .filter_map(|(time, step)| Some((*time, step.highlight?)));
        let (begins, ends): (Vec<_>, Vec<_>) = moves
            .map(|(time, (from, to))| ((time, from), (time, to)))
            .unzip();
        for places in [begins, ends] {
            timeline.highlight(&places, &diagram.theme.light_last, &mut canvas.text);
        }
        let [.., blue] = &diagram.theme.arrows;
        let frames: Vec<_> = steps
            .iter()
            .map(|(time, step)| (*time, step.frame))
            .collect();
        timeline.frame(&frames, blue, &mut canvas.text);
        for color in Color::ALL {
            canvas.begin_pieces(color);
            let actors = stage.actors.iter();
            for actor in actors.filter(|actor| actor.piece.color == color) {
                timeline.actor(actor, &mut canvas.text);
            }
            canvas.text.push_str("</g>");
        }
        canvas.panels();
        let widths = steps.iter().map(|(_, step)| caption_width(&step.caption));
        let room = canvas.panel.width - 3.0 * MARGIN - widths.fold(0.0, f64::max);
        let title = self.diagram.caption.as_deref().unwrap_or_default();
        canvas.caption(title, MARGIN, "start", room);
        for (index, (from, step)) in steps.iter().enumerate() {
            let until = steps.get(index + 1).map_or(1.0, |(time, _)| *time);
            let shown = timeline.caption(&canvas, &step.caption, *from, until);
            canvas.text.extend(shown);
        }
        canvas.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{Square, Variant};

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
        assert_eq!(svg.matches(r#"<animate attributeName="x""#).count(), 5 + 2);
        assert_eq!(svg.matches("<text ").count(), 4);
        // A frame comes once, goes, and a title is beside the captions.
        assert!(!svg.contains("frame"));
        animation.diagram.caption = Some("A & B".to_owned());
        if let Some(step) = animation.steps.get_mut(1) {
            step.frame = Some([Square::A8, Square::C6]);
        }
        let svg = animation.svg();
        crate::svg::tests::check_xml(&svg);
        assert_eq!(svg.matches(r#"<rect class="frame""#).count(), 1);
        assert_eq!(svg.matches(r#"values="135;135""#).count(), 2);
        assert_eq!(svg.matches("<text ").count(), 4 + 1);
    }
}
