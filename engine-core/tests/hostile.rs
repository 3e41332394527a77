//! Random and broken text: it may be refused, but nothing may panic or hang.

use engine_core::notation::{EnPassant, Epd, FenField, FenProblem, Language};
use engine_core::{AnyPosition, CastlingMode, Game, Position, Setup, Variant, dispatch};
use std::time::{Duration, Instant};

/// Marsaglia's xorshift: the same texts on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(0) % limit
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    /// The text with a few characters inserted, removed or replaced.
    fn mutate(&mut self, text: &str, alphabet: &str) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        let mut letters: Vec<char> = text.chars().collect();
        for _ in 0..self.below(4) {
            let at = self.below(letters.len() + 1);
            let new = alphabet[self.below(alphabet.len())];
            match self.below(3) {
                0 => letters.insert(at, new),
                1 if at < letters.len() => letters[at] = new,
                _ if at < letters.len() => drop(letters.remove(at)),
                _ => {}
            }
        }
        letters.into_iter().collect()
    }
}

const FENS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "1rkr1b2/P5pp/8/8/8/8/p5PP/BR1K1R2 w BFbd - 4 9",
    "8/5P1k/8/8/8/8/p6K/8 b - - 99 80",
];

#[test]
fn fens_of_any_kind() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..20_000 {
        let text = random.pick(&FENS);
        let text = random.mutate(
            text,
            "KQRBNPkqrbnp12345678/ -wbahHAeE~36\u{e9}\u{2654}\u{3000}0",
        );
        let Ok(setup) = Setup::from_fen(&text) else {
            continue;
        };
        assert_eq!(
            Setup::from_fen(&setup.shredder_fen()),
            Ok(setup.clone()),
            "{text}"
        );
        let position: Position = Position::from_setup_unchecked(&setup, setup.castling_mode());
        assert_eq!(position.validate(), Ok(()), "{text}");
        let game = Game::new(AnyPosition::Standard(position));
        let _ = (game.outcome(true), position.fen(EnPassant::Legal));
        for m in &position.legal_moves() {
            let san = position.to_san(m);
            if let Ok(same) = position.parse_san(&san) {
                assert_eq!(same, m, "{text} {san}");
            }
        }
    }
}

#[test]
fn move_texts_of_any_kind() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let positions: Vec<Position> = FENS
        .iter()
        .map(|fen| {
            let setup = Setup::from_fen(fen).expect("a FEN");
            Position::from_setup(&setup, setup.castling_mode()).expect("a legal position")
        })
        .collect();
    let texts = [
        "Nf3", "exd6", "e7e8q", "O-O", "0-0-0", "R1xb2+", "a8=Q#", "N@f3", "--", "♘f3",
    ];
    for _ in 0..20_000 {
        let position = positions[random.below(positions.len())];
        let text = random.pick(&texts);
        let text = random.mutate(text, "abcdefgh12345678NBRQKxX-=+#O0o@ .e\u{e9}\u{2654}");
        for result in [
            position.parse_san(&text).ok(),
            position.parse_uci(&text).ok(),
            position.parse_human(&text).ok(),
        ] {
            assert!(result.is_none_or(|m| position.is_legal(m)), "{text}");
        }
    }
}

/// EPDs and parts of them.
const EPDS: [&str; 4] = [
    r#"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4; id "a\"b"; ce -12; x 1.5e3;"#,
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 bm exd3; hmvc 3; fmvn 9;",
    "4k3/8/8/8/8/8/8/4K3 w - - pv Ke2 Ke7 --; am; - noop; c0 \"unterminated",
    "4k3/8/8/8/8/8/8/4K3 w - - 3+3 sm Kd1; acd 99999999999999999999;",
];

/// One round of all notation parsers, with random texts.
fn fuzz(rounds: usize, seed: u64) {
    let mut random = Random(seed);
    let variants: Vec<Variant> = Variant::all().collect();
    for _ in 0..rounds {
        let variant = variants[random.below(variants.len())];
        let mode = [CastlingMode::Standard, CastlingMode::Chess960][random.below(2)];
        let text = random.pick(&EPDS);
        let text = random.mutate(
            text,
            "KQkqbpNP12345678/ -;\"\\+.e0_w~[]@=x\u{661}\u{3000}\u{1f}",
        );
        if let Ok(epd) = Epd::read(&text, variant, mode) {
            let written = epd.write();
            let again = written.map(|text| Epd::read(&text, variant, mode).map(|epd| epd.write()));
            // Writing is stable, unless an opcode was invalid.
            assert!(
                !matches!(&again, Ok(Ok(Ok(twice))) if Some(twice) != epd.write().ok().as_ref()),
                "{text:?}"
            );
        }
        let fen = random.mutate(variant.start_fen(), "KQkqbpNPRr12345678/ -w~[]+3\u{e9}");
        if let Ok(setup) = Setup::from_variant_fen(variant, &fen) {
            let any = AnyPosition::from_setup_unchecked(variant, &setup, mode);
            let _ = (setup.legal_moves(mode), setup.mirrored().fen());
            dispatch!(&any, |position| {
                let _ = (
                    position.pseudo_legal_count(),
                    position.pinned(),
                    position.outcome(),
                );
                for m in &position.legal_moves() {
                    let _ = (position.to_lan(m), position.is_irreversible(m));
                }
            });
        }
        for language in Language::ALL {
            let move_text = random.mutate("Nbxd7=Q+", "NBRQKSDLT\u{2654}\u{41a}\u{440}xO-0");
            let _ = language.read(&move_text).map(|san| language.write(&san));
        }
    }
}

#[test]
fn notation_of_any_kind() {
    fuzz(2_000, 0x0123_4567_89ab_cdef);
}

/// The same for `FUZZ_SECONDS` seconds: `cargo test -p mola-engine-core --test hostile -- --ignored`.
#[test]
#[ignore = "takes a minute or as long as FUZZ_SECONDS says"]
fn notation_of_any_kind_for_long() {
    let seconds = std::env::var("FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(60));
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    while Instant::now() < end {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        println!("seed {seed:#x}");
        fuzz(10_000, seed | 1);
    }
}

#[test]
fn long_epds_take_linear_time() {
    let start = "4k3/8/8/8/8/8/8/4K3 w - - ";
    for piece in [
        "a;",
        "a ",
        "\"",
        "\\",
        "id \"x\";",
        "bm Ke2 ",
        "ce 1",
        "-",
        "pv --",
        "9",
        "_",
        "\u{3000}",
    ] {
        let long = format!("{start}{}", piece.repeat(10_000_000 / piece.len()));
        let begin = Instant::now();
        let _ = Epd::read(&long, Variant::Standard, CastlingMode::Standard);
        assert!(begin.elapsed() < Duration::from_secs(20), "{piece:?}");
    }
}

#[test]
fn many_opcodes_take_linear_time() {
    let many = (0..300_000).fold(String::new(), |text, number| text + &format!("a{number};"));
    let text = format!("4k3/8/8/8/8/8/8/4K3 w - - {many}");
    let begin = Instant::now();
    let epd = Epd::read(&text, Variant::Standard, CastlingMode::Standard).expect("an EPD");
    assert_eq!(epd.operations.iter().count(), 300_000);
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn long_texts_take_linear_time() {
    let position: Position = Position::start();
    for piece in [
        "8/", "p", "1", "~", " ", "\u{3000}", "\u{2654}", "9", "-", "(", "K", "O-",
    ] {
        let long = piece.repeat(1_000_000);
        assert!(Setup::from_fen(&long).is_err());
        assert!(position.parse_san(&long).is_err());
        assert!(position.parse_uci(&long).is_err());
        assert!(position.parse_human(&long).is_err());
    }
    let many_fields = format!("{} {}", FENS[0], "0 ".repeat(1_000_000));
    assert!(Setup::from_fen(&many_fields).is_err());
}

#[test]
fn faults_of_a_fen_have_their_place() {
    let faults = |text: &str| -> Vec<(FenField, usize, FenProblem)> {
        let error = Setup::from_fen(text).expect_err("a broken FEN");
        assert!(!error.to_string().contains('\n'));
        let fault =
            |fault: &engine_core::notation::FenFault| (fault.field, fault.column, fault.problem);
        error.faults().iter().map(fault).collect()
    };
    let board = |column, problem| vec![(FenField::Board, column, problem)];
    assert_eq!(faults(""), board(1, FenProblem::Empty));
    assert_eq!(faults("8/8/8/8/8/8/8"), board(14, FenProblem::RankCount));
    assert_eq!(
        faults("8/8/8/8/8/8/8/8/8"),
        board(16, FenProblem::RankCount)
    );
    assert_eq!(
        faults("8/ppppppppp/8/8/8/8/8/8"),
        board(11, FenProblem::RankWidth)
    );
    assert_eq!(faults("8/pp/8/8/8/8/8/8"), board(5, FenProblem::RankWidth));
    assert_eq!(
        faults("pppppppp8pppppppp/8/8/8/8/8"),
        board(9, FenProblem::RankWidth)
    );
    assert_eq!(faults("8/8/8/8/8/8/8/7"), board(16, FenProblem::RankWidth));
    assert_eq!(
        faults("8/44/8/8/8/8/8/8"),
        board(4, FenProblem::ConsecutiveDigits)
    );
    assert_eq!(
        faults("~8/8/8/8/8/8/8/8"),
        board(1, FenProblem::StrayPromotionMark)
    );
    assert_eq!(
        faults("8/♘7/8/8/8/8/8/8"),
        board(3, FenProblem::NotAPiece('♘'))
    );
    assert_eq!(
        faults("8/8/8/8/8/8/8/8 W qK i9 x -1 more"),
        [
            (FenField::Turn, 17, FenProblem::NotATurn),
            (FenField::Castling, 19, FenProblem::NotCastlingRights),
            (FenField::EnPassant, 22, FenProblem::NotASquare),
            (FenField::Halfmoves, 25, FenProblem::NotANumber),
            (FenField::Fullmoves, 27, FenProblem::NotANumber),
            (FenField::Rest, 30, FenProblem::TooManyFields),
        ]
    );
}

#[test]
fn numbers_never_overflow() {
    let fen = "4k3/8/8/8/8/8/8/4K3 b - - 99999999999999999999 99999999999999999999";
    let setup = Setup::from_fen(fen).expect("a FEN");
    let mut position: Position = Position::from_setup_unchecked(&setup, setup.castling_mode());
    let m = position.parse_uci("e8e7").expect("a legal move");
    position.play(m);
    assert!(position.halfmoves() > 1_000_000 && position.fullmoves() > 1_000_000);
}
