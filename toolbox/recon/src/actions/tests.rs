use super::*;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap()
}

fn result(fen: &str, m: &str) -> (Option<String>, Option<Square>) {
    let board = board(fen);
    let request = board.request(m.parse().unwrap()).expect(m);
    let taken = board.taken_move(request);
    let capture = taken.and_then(|m| board.capture_square(m));
    (taken.map(|m| m.to_string()), capture)
}

#[test]
fn windows_have_nine_six_or_four_squares() {
    let text = |square: Square| {
        window(square)
            .map(|s| s.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(text(Square::B7), "a8 b8 c8 a7 b7 c7 a6 b6 c6");
    assert_eq!(text(Square::H4), "g5 h5 g4 h4 g3 h3");
    assert_eq!(text(Square::A1), "a2 b2 a1 b1");
}

#[test]
fn what_is_in_the_way_shortens_or_refuses() {
    let fen = "4k3/3n4/8/8/3p4/n7/3P4/R3K2R w KQ - 0 1";
    let none = (None, None);
    // Sliders stop at the first piece and take it; knights see nothing of this.
    assert_eq!(result(fen, "a1a8"), (Some("a1a3".into()), Some(Square::A3)));
    assert_eq!(result(fen, "h1h8"), (Some("h1h8".into()), None));
    // A double step is cut short; a capture of nothing is refused.
    assert_eq!(result(fen, "d2d4"), (Some("d2d3".into()), None));
    assert_eq!(result(fen, "d2e3"), none);
    // Castling is free on one wing. On the other a knight is in the way.
    assert_eq!(result(fen, "e1g1"), (Some("e1g1".into()), None));
    let fen = "4k3/8/8/8/8/8/3P4/Rn2K2R w KQ - 0 1";
    assert_eq!(result(fen, "e1c1"), none);
    // Check is no obstacle.
    let fen = "4k3/8/8/8/8/8/4rr2/R3K2R w KQ - 0 1";
    assert_eq!(result(fen, "e1g1"), (Some("e1g1".into()), None));
}

#[test]
fn pawns_promote_and_take_en_passant() {
    let fen = "r3k3/1P6/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_eq!(result(fen, "b7b8"), (Some("b7b8q".into()), None));
    assert_eq!(
        result(fen, "b7a8"),
        (Some("b7a8q".into()), Some(Square::A8))
    );
    assert_eq!(
        result(fen, "b7a8n"),
        (Some("b7a8n".into()), Some(Square::A8))
    );
    assert_eq!(result(fen, "b7c8r"), (None, None));
    assert_eq!(result(fen, "e5d6"), (Some("e5d6".into()), Some(Square::D5)));
    let mut after = board(fen);
    after.push("e5d6".parse().ok());
    assert_eq!(after.fen(), "r3k3/1P6/3P4/8/8/8/8/4K3 b - - 0 1");
    for bad in ["b7b8k", "b7b8p", "e5e7", "e1e3", "a8b8", "c4c5"] {
        assert_eq!(board(fen).request(bad.parse().unwrap()), None, "{bad}");
    }
}

#[test]
fn kings_can_be_taken_and_lose_their_rights() {
    let mut board = board("r3k2r/8/8/8/8/8/4Q3/4K3 w kq - 3 5");
    let m = "e2e8".parse().unwrap();
    assert_eq!(board.taken_move(m), Some(m));
    board.push(Some(m));
    assert_eq!(board.fen(), "r3Q2r/8/8/8/8/8/8/4K3 b - - 0 5");
    board.push(None);
    assert_eq!(board.fen(), "r3Q2r/8/8/8/8/8/8/4K3 w - - 1 6");
}
