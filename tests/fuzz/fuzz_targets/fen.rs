//! A FEN of any variant, and all functions of the position, however invalid.
//!
//! Input: variant, castling mode, the text.

#![no_main]

use engine_core::notation::EnPassant;
use engine_core::{AnyPosition, Position, Rules, Setup, dispatch};
use libfuzzer_sys::fuzz_target;
use mola_fuzz::Input;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input(bytes);
    let (variant, mode) = (input.variant(), input.mode());
    let Some(text) = input.text() else { return };
    let Ok(setup) = Setup::from_variant_fen(variant, text) else {
        return;
    };
    let again = Setup::from_variant_fen(variant, &setup.fen()).expect("a FEN that was written");
    assert_eq!(again.board, setup.board);
    assert_eq!(
        (again.turn, again.en_passant),
        (setup.turn, setup.en_passant)
    );
    let _ = (
        setup.shredder_fen(),
        setup.mirrored(),
        setup.clean_castling(mode),
    );
    let _ = (setup.legal_moves(mode), setup.pseudo_legal_moves(mode));
    let faults = AnyPosition::faults_of(variant, &setup, mode);
    let checked = AnyPosition::from_setup(variant, &setup, mode);
    assert_eq!(checked.is_ok(), faults.is_empty());
    let position = AnyPosition::from_setup_unchecked(variant, &setup, mode);
    dispatch!(&position, |position| ask(position));
});

/// Calls all functions, and the most important again after every move.
fn ask<R: Rules>(position: &Position<R>) {
    let moves = position.legal_moves();
    assert_eq!(moves.len(), position.count_legal_moves() as usize);
    assert_eq!(moves.is_empty(), !position.has_legal_move());
    for en_passant in [EnPassant::Legal, EnPassant::XFen, EnPassant::Always] {
        let _ = (position.fen(en_passant), position.shredder_fen(en_passant));
    }
    let _ = (
        position.outcome(),
        position.pinned(),
        position.was_into_check(),
    );
    let _ = (position.pseudo_legal_count(), position.is_checkmate());
    for m in &moves {
        assert!(position.is_legal(m), "{position:?} {m:?}");
        let after = position.after(m);
        let _ = (after.count_legal_moves(), after.outcome(), after.key());
    }
}
