use super::*;
use engine_core::{Board, Color, Pockets, RemainingChecks, Role, Setup, Square};

/// A small reader of XML: tags are closed in order, attributes quoted, and nothing is left open.
pub(super) fn check_xml(text: &str) {
    let mut open = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

fn full() -> Diagram {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let setup = Setup::from_fen(fen).expect("a FEN");
    let mut diagram = Diagram::new(&setup.board);
    let mut pockets = Pockets::default();
    pockets.add(Color::White, Role::Pawn);
    pockets.add(Color::White, Role::Pawn);
    pockets.add(Color::Black, Role::Queen);
    diagram.pockets = Some(pockets);
    diagram.checks = Some(RemainingChecks::default());
    diagram.evaluation = Some(Evaluation::Pawns(0.4));
    diagram.caption = Some("\"<Fish & chips>\"".to_owned());
    diagram.arrows = ["Gg1f3", "Rd1h5", "Ye5", "b8c6=#08f8"]
        .map(|text| text.parse().expect("an arrow"))
        .to_vec();
    diagram.last_move = Square::E7.bitboard() | Square::E5.bitboard();
    diagram.check = Some(Square::E8);
    diagram.fill = vec![
        (Square::D4, "#0f08".to_owned()),
        (Square::D5, "\"><x".to_owned()),
    ];
    diagram.badges = vec![(Square::H8, "??".to_owned()), (Square::A1, "!".to_owned())];
    diagram.crosses = Square::A5.bitboard();
    diagram.style = Some(".light{fill:red}".to_owned());
    diagram.size = Some(500);
    diagram
}

#[test]
fn everything_at_once_is_well_formed_and_small() {
    for name in Theme::names() {
        for orientation in Color::ALL {
            let mut diagram = full();
            diagram.theme = name.parse().expect("a theme");
            diagram.orientation = orientation;
            let svg = diagram.svg();
            check_xml(&svg);
            assert!(svg.len() < 14_000, "{name}: {} bytes", svg.len());
        }
    }
}

#[test]
fn a_plain_board_is_smaller_still() {
    let setup = Setup::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    let svg = Diagram::new(&setup.expect("a FEN").board).svg();
    check_xml(&svg);
    assert!(svg.len() < 9_000, "{} bytes", svg.len());
    assert_eq!(svg.matches("<use ").count(), 32);
    assert!(!Diagram::new(&Board::EMPTY).svg().contains("<use "));
}
