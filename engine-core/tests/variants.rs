//! Variants against values computed by python-chess, and published perft counts.

mod common;

use common::{Tally, Value, mode_of, text};
use engine_core::notation::{EnPassant, MoveError};
use engine_core::{
    AnyPosition, CastlingMode, Color, Faults, Game, Outcome, Position, Rules, Setup, Termination,
    Variant, dispatch, perft, perft_with_lists,
};

/// The committed records of a kind, of variants.
fn committed(kind: &str) -> Vec<Value> {
    variants_only(common::committed(kind))
}

/// The shared records of a file, of variants.
fn shared(file: &str) -> Vec<Value> {
    variants_only(common::shared(file))
}

fn variants_only(mut records: Vec<Value>) -> Vec<Value> {
    records.retain(|record| {
        let variant = &record["variant"];
        variant.is_string() && variant != "standard" && variant != "chess960"
    });
    records
}

fn variant_of(record: &Value) -> Variant {
    text(record, "variant").parse().expect("a variant")
}

/// A position with all its faults, as in python-chess.
fn position(record: &Value, fen: &str) -> AnyPosition {
    let variant = variant_of(record);
    let setup = Setup::from_variant_fen(variant, fen).expect("a FEN");
    AnyPosition::from_setup_unchecked(variant, &setup, mode_of(record))
}

fn game_of(record: &Value, start: &str) -> Game {
    let mut game = Game::new(position(record, text(record, start)));
    for uci in record["line"].as_array().into_iter().flatten() {
        let uci = uci.as_str().expect("a move");
        match dispatch!(game.position(), |position| position.parse_uci(uci)) {
            Ok(m) => game.play(m),
            Err(MoveError::Null) => game.play_null(),
            Err(error) => panic!("{record} {uci}: {error}"),
        }
        dispatch!(game.position(), |position| assert_eq!(
            position.validate(),
            Ok(())
        ));
    }
    game
}

fn outcome(outcome: Option<Outcome>) -> Value {
    let Some(outcome) = outcome else {
        return Value::Null;
    };
    let name = common::termination(outcome.termination);
    serde_json::json!({"termination": name, "result": outcome.result()})
}

fn positions_agree(records: Vec<Value>) {
    let mut tally = Tally::default();
    for record in records {
        let game = game_of(&record, "start_fen");
        dispatch!(game.position(), |position| {
            check_position(position, &game, &record, &mut tally);
            check_moves(position, &record, &mut tally);
        });
    }
    tally.finish("positions of variants");
}

fn check_position<R: Rules>(ours: &Position<R>, game: &Game, record: &Value, tally: &mut Tally) {
    let what = format!("{} {}", record["variant"], text(record, "fen"));
    let mut check = |key: &str, value: Value| tally.check(&what, record, key, value);
    check("fen", ours.fen(EnPassant::Legal).into());
    check("fen_ep_xfen", ours.fen(EnPassant::XFen).into());
    check("fen_ep_fen", ours.fen(EnPassant::Always).into());
    check("shredder_fen", ours.shredder_fen(EnPassant::Legal).into());
    check("epd", ours.epd(EnPassant::Legal).into());
    check("has_legal_ep", ours.legal_en_passant().is_some().into());
    check("is_check", ours.in_check().into());
    let checkers = format!("{:#018x}", ours.checkers().0);
    check("checkers", checkers.into());
    check("is_checkmate", ours.is_checkmate().into());
    check("is_stalemate", ours.is_stalemate().into());
    check("is_variant_end", R::is_variant_end(ours).into());
    let end = R::variant_end(ours).map(|end| end.termination);
    let ended = |termination| Value::from(end == Some(termination));
    check("is_variant_win", ended(Termination::VariantWin));
    check("is_variant_loss", ended(Termination::VariantLoss));
    check("is_variant_draw", ended(Termination::VariantDraw));
    let insufficient = Color::ALL.map(|color| R::has_insufficient_material(ours, color));
    check("insufficient", insufficient.to_vec().into());
    check("is_insufficient", ours.is_insufficient_material().into());
    let setup = ours.to_setup();
    let faults = Position::<R>::faults_of(&setup, ours.mode());
    check("status", faults.bits().into());
    check("outcome", outcome(game.outcome(false)));
    check("outcome_claim", outcome(game.outcome(true)));
    check("can_claim_fifty", game.can_claim_fifty().into());
    check("can_claim_threefold", game.can_claim_threefold().into());
    if let Some(pockets) = setup.pockets {
        let pockets = Color::ALL.map(|color| pockets.letters(color));
        check("pockets", pockets.to_vec().into());
    }
    if let Some(checks) = setup.checks {
        check("remaining_checks", checks.0.0.to_vec().into());
    }
    let again = Setup::from_variant_fen(R::VARIANT, &ours.fen(EnPassant::Always));
    let keeps_promoted = setup.promoted.is_empty() || setup.pockets.is_some();
    tally.ensure(
        &format!("{what}: a FEN reads as it was written"),
        !keeps_promoted || again == Ok(setup),
    );
}

fn check_moves<R: Rules>(ours: &Position<R>, record: &Value, tally: &mut Tally) {
    let as_960 = ours.with_mode(CastlingMode::Chess960);
    let fen = text(record, "fen");
    let facts = record["moves"].as_array().expect("moves");
    let what = format!("{} {fen}", record["variant"]);
    tally.ensure(
        &format!("{what} number of moves"),
        ours.legal_moves().len() == facts.len() && ours.count_legal_moves() as usize == facts.len(),
    );
    let checks = ours.check_squares();
    for fact in facts {
        let what = format!("{what} {}", text(fact, "uci"));
        let Ok(m) = ours.parse_uci(text(fact, "uci")) else {
            tally.ensure(&format!("{what} is legal"), false);
            continue;
        };
        let mut check = |key: &str, value: Value| tally.check(&what, fact, key, value);
        check("uci", ours.to_uci(m).to_string().into());
        check("uci960", as_960.to_uci(m).to_string().into());
        check("san", ours.to_san(m).to_string().into());
        check("lan", ours.to_lan(m).to_string().into());
        check("capture", ours.is_capture(m).into());
        check("ep", m.is_en_passant().into());
        check("castling", m.is_castle().into());
        check("zeroing", ours.is_zeroing(m).into());
        check("gives_check", ours.gives_check(m, &checks).into());
        let reads = [
            ours.parse_uci(&as_960.to_uci(m)).ok(),
            ours.parse_san(&ours.to_san(m)).ok(),
            ours.parse_san(&ours.to_lan(m)).ok(),
            ours.parse_human(&ours.to_san(m)).ok(),
            ours.parse_human(&ours.to_uci(m)).ok(),
        ];
        tally.ensure(
            &format!("{what} is read back: {reads:?}"),
            reads == [Some(m); 5],
        );
    }
}

fn claims_agree(records: Vec<Value>) {
    let mut tally = Tally::default();
    for record in records {
        let game = game_of(&record, "start");
        let what = format!("{} ply {}", record["game"], record["ply"]);
        let mut check = |key: &str, value: Value| tally.check(&what, &record, key, value);
        check("rep2", game.is_repetition(2).into());
        check("rep3", game.is_repetition(3).into());
        check("fivefold", game.is_repetition(5).into());
        check("claim3", game.can_claim_threefold().into());
        check("claim50", game.can_claim_fifty().into());
        check("outcome", outcome(game.outcome(false)));
        check("outcome_claim", outcome(game.outcome(true)));
    }
    tally.finish("claims of variants");
}

fn setups_agree(records: Vec<Value>) {
    let mut tally = Tally::default();
    for record in records {
        let variant = variant_of(&record);
        let fen = text(&record, "fen");
        let what = format!("{variant} {fen}");
        let setup = Setup::from_variant_fen(variant, fen);
        tally.check(&what, &record, "ok", setup.is_ok());
        let Ok(setup) = setup else { continue };
        let mode = mode_of(&record);
        let faults = AnyPosition::faults_of(variant, &setup, mode);
        let ours = AnyPosition::from_setup_unchecked(variant, &setup, mode);
        let mut check = |key: &str, value: Value| tally.check(&what, &record, key, value);
        check("status", faults.bits().into());
        check("valid", (faults == Faults::NONE).into());
        dispatch!(&ours, |ours| {
            check("out_fen", ours.fen(EnPassant::Legal).into());
            check("out_fen_ep_fen", ours.fen(EnPassant::Always).into());
            check("out_shredder", ours.shredder_fen(EnPassant::Legal).into());
            // python-chess lists drops of a king, but calls each of them illegal.
            if !fen.contains("[K]") {
                check("n_legal", ours.legal_moves().len().into());
            }
        });
        let end = outcome(Game::new(ours).outcome(false));
        let end = match end {
            Value::Null => Value::Null,
            end => serde_json::json!([end["termination"], end["result"]]),
        };
        check("outcome", end);
    }
    tally.finish("setups of variants");
}

/// perft counts by python-chess: variant, FEN (empty for the start position), nodes by depth.
const PERFT: [(&str, &str, &[u64]); 26] = [
    ("suicide", "", &[20, 400, 8067, 153_299]),
    (
        "suicide",
        "r3k2r/1ppp1ppp/8/8/4P3/8/1PPP1PPP/R3K2R w KQkq - 0 1",
        &[1, 18, 20, 71],
    ),
    (
        "suicide",
        "8/P2k4/2n5/8/8/5N2/3K2p1/8 w - - 0 1",
        &[20, 117, 1029, 15_367],
    ),
    ("giveaway", "", &[20, 400, 8067]),
    (
        "giveaway",
        "rnb1kbnr/p1p1pppp/8/1p6/3p4/1P6/P1PPPPPP/RNBQKBNR w KQkq - 0 4",
        &[20, 316, 3740, 46_612],
    ),
    ("antichess", "", &[20, 400, 8067, 153_299]),
    (
        "antichess",
        "8/1p6/8/8/8/8/P7/8 w - - 0 1",
        &[2, 4, 4, 3, 1],
    ),
    ("atomic", "", &[20, 400, 8902, 197_326]),
    (
        "atomic",
        "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1",
        &[40, 1238, 45_237],
    ),
    (
        "atomic",
        "8/8/8/8/8/8/2k5/rR4KR w KQ - 0 1",
        &[18, 180, 4364, 61_401],
    ),
    (
        "atomic",
        "Rr2k1rR/3K4/3p4/8/8/8/7P/8 w kq - 0 1",
        &[21, 465, 10_631],
    ),
    (
        "atomic",
        "r3k2R/4K3/8/8/8/8/6r1/8 b q - 0 1",
        &[29, 456, 11_297],
    ),
    (
        "atomic",
        "rnb1kbnr/pp1ppppp/8/q1p5/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq d3 0 3",
        &[32, 465, 13_958],
    ),
    ("kingofthehill", "", &[20, 400, 8902]),
    (
        "kingofthehill",
        "r1bq1bnr/ppp2ppp/2npk3/4p3/4P3/3PK3/PPP2PPP/RNBQ1BNR w - - 0 7",
        &[30, 902, 26_095],
    ),
    ("racingkings", "", &[21, 421, 11_264, 296_242]),
    (
        "racingkings",
        "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1",
        &[6, 33, 178, 3151, 12_981],
    ),
    ("horde", "", &[8, 128, 1274, 23_310]),
    (
        "horde",
        "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1",
        &[30, 241, 6633, 56_539],
    ),
    (
        "horde",
        "k7/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2P2P2 w - - 0 1",
        &[13, 172, 2205, 33_781],
    ),
    ("3check", "", &[20, 400, 8902]),
    (
        "3check",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+1 0 1",
        &[48, 2039, 97_848],
    ),
    ("crazyhouse", "", &[20, 400, 8902, 197_281]),
    (
        "crazyhouse",
        "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1",
        &[301, 75_353, 15_634_852],
    ),
    (
        "crazyhouse",
        "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq - 0 1",
        &[42, 1347, 58_057],
    ),
    (
        "crazyhouse",
        "4k3/1Q~6/8/8/4b3/8/Kpp5/8[] b - - 0 1",
        &[20, 360, 5445, 132_758],
    ),
];

fn counts_are_those_of_python_chess() {
    for (name, fen, counts) in PERFT {
        let variant: Variant = name.parse().expect("a variant");
        let fen = if fen.is_empty() {
            variant.start_fen()
        } else {
            fen
        };
        let setup = Setup::from_variant_fen(variant, fen).expect("a FEN");
        let mode = setup.castling_mode();
        let position = AnyPosition::from_setup(variant, &setup, mode);
        let position = position.expect("a legal position");
        for (depth, &count) in (1..).zip(counts) {
            let counted = dispatch!(&position, |position| (
                perft(position, depth),
                perft_with_lists(position, depth)
            ));
            assert_eq!(counted, (count, count), "{name} {fen} at depth {depth}");
        }
    }
}

/// Against the records that are part of the repository.
mod of_committed {
    use super::{claims_agree, committed, positions_agree, setups_agree};

    pub(super) fn positions() {
        positions_agree(committed("position"));
    }

    pub(super) fn claims() {
        claims_agree(committed("claim"));
    }

    pub(super) fn setups() {
        setups_agree(committed("fen"));
    }
}

/// Against those that are not.
mod of_shared {
    use super::{claims_agree, positions_agree, setups_agree, shared};

    pub(super) fn positions() {
        positions_agree(shared("notation/positions.jsonl.gz"));
    }

    pub(super) fn claims() {
        claims_agree(shared("notation/claims.jsonl.gz"));
    }

    pub(super) fn setups() {
        setups_agree(shared("notation/fens.jsonl.gz"));
    }
}

corpora::tests! {
    of_committed::positions: [],
    of_committed::claims: [],
    of_committed::setups: [],
    of_shared::positions: ["notation/positions.jsonl.gz"],
    of_shared::claims: ["notation/claims.jsonl.gz"],
    of_shared::setups: ["notation/fens.jsonl.gz"],
    counts_are_those_of_python_chess: [],
}
