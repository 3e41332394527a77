use super::*;

fn beliefs(cap: usize) -> Beliefs {
    let mut beliefs = Beliefs::new(Color::Black, &Board::start(), cap, Random::new(1, 1));
    beliefs.opponent_moved(None);
    beliefs
}

#[test]
fn the_first_move_has_twenty_one_outcomes() {
    let mut beliefs = beliefs(1000);
    // Twenty moves, and none.
    assert_eq!(beliefs.boards().len(), 21);
    let mut board = Board::start();
    board.push("e2e4".parse().ok());
    assert!(beliefs.contains(&board));
    beliefs.sensed(&board.sense(Square::F3));
    // Only moves that show the same there are left.
    assert_eq!(beliefs.boards().len(), 1);
    assert!(beliefs.contains(&board) && beliefs.is_complete());
    let m = "d7d5".parse().ok();
    beliefs.moved(MoveResult {
        requested: m,
        taken: m,
        capture: None,
    });
    board.push(m);
    assert!(beliefs.contains(&board));
    beliefs.opponent_moved(Some(Square::D5));
    assert_eq!(beliefs.boards().len(), 1);
    board.push("e4d5".parse().ok());
    assert!(beliefs.contains(&board));
}

#[test]
fn a_cap_keeps_a_sample() {
    let mut beliefs = beliefs(5);
    beliefs.sensed(&SenseResult::new());
    assert_eq!(beliefs.boards().len(), 5);
    assert!(!beliefs.is_complete());
    assert!(beliefs.sample(3, 1.0, 0.0).len() <= 3);
}

#[test]
fn what_fits_nothing_bends_the_boards() {
    let mut beliefs = beliefs(5);
    let queen = engine_core::Role::Queen.of(Color::White);
    let mut strange = Board::start();
    strange.set_piece(Square::D5, Some(queen));
    beliefs.sensed(&strange.sense(Square::D5));
    assert!(!beliefs.boards().is_empty());
    for number in 0..beliefs.boards().len() {
        let board = beliefs.board(number).unwrap();
        assert_eq!(board.sense(Square::D5), strange.sense(Square::D5));
    }
    let refused = MoveResult {
        requested: "d7d6".parse().ok(),
        ..MoveResult::default()
    };
    beliefs.moved(refused);
    beliefs.opponent_moved(Some(Square::A8));
    assert!(!beliefs.boards().is_empty());
}

#[test]
fn samples_favour_threats() {
    // White's queen may have gone to h5, where it attacks the king through f7.
    let board =
        Board::from_fen("rnbqkbnr/ppppp1pp/5p2/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2").unwrap();
    let mut beliefs = Beliefs::new(Color::Black, &board, 1000, Random::new(1, 1));
    beliefs.opponent_moved(None);
    let share = |threat, least| {
        let sample = beliefs.clone().sample(1000, threat, least);
        let threatened = sample
            .iter()
            .filter(|(_, board)| board.is_attacked(Color::Black));
        threatened.count() as f64 / sample.len() as f64
    };
    assert!(share(1.0, 0.0) < 0.1 && share(1.0, 0.0) > 0.0);
    assert!(share(1000.0, 0.0) >= 0.45);
    assert!((0.2..0.3).contains(&share(1.0, 0.25)));
    assert!((0.45..0.55).contains(&share(1.0, 0.9)), "at most half");
}

#[test]
fn boards_without_a_king_are_none() {
    let board = Board::from_fen("8/8/8/2p1k3/3P4/8/8/3R3K b - - 0 1").unwrap();
    let mut beliefs = Beliefs::new(Color::White, &board, 1000, Random::new(1, 1));
    // By the pawn or the king: White takes back, and would have won if it was the king.
    beliefs.opponent_moved(Some(Square::D4));
    let m = "d1d4".parse().ok();
    beliefs.moved(MoveResult {
        requested: m,
        taken: m,
        capture: Some(Square::D4),
    });
    beliefs.opponent_moved(None);
    assert_eq!(beliefs.boards().len(), 8);
}
