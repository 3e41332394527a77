//! A text that may be a move, in every notation, in a position of any variant.
//!
//! Input: variant, castling mode, how many random moves lead to the position, those moves, the text.

#![no_main]

use engine_core::notation::{Language, MoveError};
use engine_core::{AnyPosition, Move, Position, Rules, dispatch};
use libfuzzer_sys::fuzz_target;
use mola_fuzz::Input;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input(bytes);
    let mut position = AnyPosition::start(input.variant()).with_mode(input.mode());
    for _ in 0..input.byte() % 32 {
        let moves = position.legal_moves();
        let chosen = usize::from(input.byte()) % moves.len().max(1);
        if let Some(&m) = moves.get(chosen) {
            position.play(m);
        }
    }
    if let Some(text) = input.text() {
        dispatch!(&position, |position| read(position, text));
    }
});

/// Whatever is read is legal, and is read again from every notation.
fn read<R: Rules>(position: &Position<R>, text: &str) {
    let human = position.parse_human(text);
    if let Err(error) = &human {
        assert!(!error.to_string().is_empty());
    }
    for language in Language::ALL {
        let _ = language.read(text);
        let _ = language.write(text);
    }
    let results = [
        position.parse_san(text),
        position.parse_uci(text),
        human.map_err(|error| error.error),
    ];
    for result in results {
        match result {
            Ok(m) => write(position, m),
            Err(MoveError::Ambiguous(moves)) => assert!(moves.len() > 1),
            Err(_) => {}
        }
    }
}

fn write<R: Rules>(position: &Position<R>, m: Move) {
    assert!(position.is_legal(m), "{position:?} {m:?}");
    for text in [position.to_san(m), position.to_lan(m)] {
        assert_eq!(position.parse_san(&text), Ok(m), "{position:?} {text}");
        assert_eq!(position.parse_human(&text), Ok(m), "{position:?} {text}");
    }
    assert_eq!(position.parse_uci(&position.to_uci(m)), Ok(m));
}
