use super::*;
use crate::position::tests::{Random, for_random_positions};
use crate::types::Piece;
use crate::{CastlingMode, Setup};

fn sorted<W: MoveClass>(position: &Position) -> Vec<Move> {
    let mut list = MoveList::new();
    position.generate::<W, _>(&mut list);
    let mut moves = list.to_vec();
    moves.sort();
    moves
}

#[test]
fn noisy_and_quiet_moves_are_all_moves() {
    for_random_positions(4, |position| {
        let (all, noisy, quiet) = (
            sorted::<All>(position),
            sorted::<Noisy>(position),
            sorted::<Quiet>(position),
        );
        let (expected_noisy, expected_quiet): (Vec<_>, Vec<_>) = all
            .iter()
            .partition(|&&m| position.is_capture(m) || m.promoted().is_some());
        assert_eq!(noisy, expected_noisy, "{position:?}");
        assert_eq!(quiet, expected_quiet, "{position:?}");
        assert_eq!(position.count_legal_moves() as usize, all.len());
        assert_eq!(position.has_legal_move(), !all.is_empty());
    });
}

#[test]
fn legal_moves_are_those_in_the_list() {
    let mut random = Random(1);
    for_random_positions(2, |position| {
        let moves = position.legal_moves();
        assert!(moves.iter().all(|&m| position.is_legal(m)), "{position:?}");
        let some = (0..300).map(|_| random.below(1 << 16) as u16);
        for m in some.filter_map(Move::from_bits) {
            assert_eq!(
                position.is_legal(m),
                moves.contains(&m),
                "{position:?}{m:?}"
            );
        }
    });
}

#[test]
fn every_16_bits_are_judged() {
    let mut nth = 0;
    for_random_positions(1, |position| {
        nth += 1;
        if nth % 50 == 0 {
            let legal = (0..=u16::MAX)
                .filter_map(Move::from_bits)
                .filter(|&m| position.is_legal(m));
            assert!(legal.eq(sorted::<All>(position)), "{position:?}");
        }
    });
}

#[test]
fn masks_choose_among_all_moves() {
    let mut random = Random(2);
    for_random_positions(2, |position| {
        let mut set = || {
            (0..24)
                .map(|_| Square::ALL[random.below(64)])
                .collect::<Bitboard>()
        };
        let (from, to) = (set(), set());
        let mut list = MoveList::new();
        position.generate_within::<All, _>(from, to, &mut list);
        let mut found = list.to_vec();
        found.sort();
        let mut expected = sorted::<All>(position);
        expected.retain(|m| from.has(m.from()) && to.has(m.to()));
        assert_eq!(found, expected, "{position:?}");
    });
}

/// Asks everything of a position whose setup may have any fault.
fn try_everything(setup: &Setup) {
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        let position: Position = Position::from_setup_unchecked(setup, mode);
        let moves = position.legal_moves();
        let count = position.count_legal_moves() as usize;
        assert_eq!(moves.len(), count);
        assert_eq!(position.has_legal_move(), count > 0);
        let _ = (position.checkers(), sorted::<Noisy>(&position));
        for m in &moves {
            assert!(position.is_legal(m), "{position:?}{m:?}");
            let child = position.after(m);
            let _ = (child.count_legal_moves(), child.checkers(), child.key());
        }
    }
}

#[test]
fn crowded_boards_do_not_panic() {
    for (most, king) in [(Role::Queen, true), (Role::King, true), (Role::Pawn, false)] {
        for gaps in 1..4 {
            let mut setup = Setup::EMPTY;
            for square in Square::ALL.into_iter().step_by(gaps) {
                let color = Color::from_white(square.index() % 3 > 0);
                setup.board.put(most.of(color), square);
            }
            if king {
                setup.board.remove_at(Square::A1);
                setup.board.put(Role::King.of(Color::White), Square::A1);
            }
            try_everything(&setup);
        }
    }
    try_everything(&Setup::EMPTY);
}

#[test]
fn random_boards_do_not_panic() {
    let mut random = Random(3);
    for _ in 0..2000 {
        let mut setup = Setup::EMPTY;
        for _ in 0..random.below(40) {
            let square = Square::ALL[random.below(64)];
            let role = Role::ALL[random.below(6)];
            setup.board.remove_at(square);
            let color = Color::ALL[random.below(2)];
            setup.board.put(Piece { color, role }, square);
        }
        setup.turn = Color::ALL[random.below(2)];
        setup.castling = setup.board.role(Role::Rook);
        setup.en_passant = Some(Square::ALL[random.below(64)]);
        try_everything(&setup);
    }
}
