//! Which positions an engine can search.

use engine_core::AnyPosition;

/// Whether a game can be played from a position. Not so where a null move has left a king in check: the
/// side to move could take it. Engines refuse such a position, or answer for the one before.
pub fn is_searchable(position: &AnyPosition) -> bool {
    let (variant, setup) = (position.variant(), position.to_setup());
    AnyPosition::from_playable_setup(variant, &setup, position.mode()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{Game, Variant};

    #[test]
    fn nobody_may_take_the_king() {
        let mut game = Game::new(AnyPosition::start(Variant::Standard));
        for san in ["e4", "e5", "Qh5", "Nc6", "Qxf7"] {
            game.push_san(san).unwrap();
            assert!(is_searchable(game.position()), "{san}");
        }
        game.play_null();
        assert!(!is_searchable(game.position()), "the queen gives check");
        let mut taken = game.clone();
        taken.push_san("Qxe8").unwrap();
        assert!(!is_searchable(taken.position()), "there is no king");
        game.push_san("Nf3").unwrap();
        assert!(is_searchable(game.position()));
    }
}
