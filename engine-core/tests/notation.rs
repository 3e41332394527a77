//! Positions, moves and outcomes against values computed by python-chess.

mod common;

use common::{Tally, Value, mode_of, text};
use engine_core::notation::{EnPassant, MoveError};
use engine_core::{
    AnyPosition, CastlingMode, Color, Faults, Game, Position, Role, Rules, Setup, Standard,
};

/// The committed records of these kinds, of standard chess and Chess960.
fn committed<const N: usize>(kinds: [&str; N]) -> Vec<Value> {
    standard_only(kinds.into_iter().flat_map(common::committed))
}

/// The shared records of a file, of standard chess and Chess960.
fn shared(file: &str) -> Vec<Value> {
    standard_only(common::shared(file))
}

fn standard_only(records: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let is_standard = |record: &Value| {
        let variant = &record["variant"];
        variant.is_null() || variant == "standard" || variant == "chess960"
    };
    records.into_iter().filter(is_standard).collect()
}

/// A position with all its faults, as in python-chess.
fn position(fen: &str, mode: CastlingMode) -> Position {
    Position::from_setup_unchecked(&Setup::from_fen(fen).expect("a FEN"), mode)
}

fn standard(game: &Game) -> &Position {
    match game.position() {
        AnyPosition::Standard(position) => position,
        #[allow(unreachable_patterns)]
        _ => panic!("a record of standard chess"),
    }
}

fn game(fen: &str, mode: CastlingMode, line: &Value) -> Game {
    let mut game = Game::new(AnyPosition::Standard(position(fen, mode)));
    for uci in line.as_array().into_iter().flatten() {
        match standard(&game).parse_uci(uci.as_str().expect("a move")) {
            Ok(m) => game.play(m),
            Err(MoveError::Null) => game.play_null(),
            Err(error) => panic!("{fen} {uci}: {error}"),
        }
        assert_eq!(standard(&game).validate(), Ok(()));
    }
    game
}

/// An outcome in python-chess's names, with the keys of the record's value; null for none.
fn outcome(game: &Game, claim_draw: bool, shape: &Value) -> Value {
    let Some(outcome) = game.outcome(claim_draw) else {
        return Value::Null;
    };
    let name = common::termination(outcome.termination);
    if shape.is_object() {
        serde_json::json!({"termination": name, "result": outcome.result()})
    } else {
        serde_json::json!([name, outcome.result()])
    }
}

fn insufficient(position: &Position) -> Value {
    Color::ALL
        .map(|color| Standard::has_insufficient_material(position, color))
        .to_vec()
        .into()
}

fn positions_agree(records: Vec<Value>) {
    let mut tally = Tally::default();
    for record in records {
        check_position(&record, &mut tally);
        check_moves(&record, &mut tally);
    }
    tally.finish("positions");
}

fn game_of(record: &Value) -> Game {
    let start = if record["line"].is_array() {
        "start_fen"
    } else {
        "fen"
    };
    game(text(record, start), mode_of(record), &record["line"])
}

fn check_position(record: &Value, tally: &mut Tally) {
    let game = game_of(record);
    let ours = standard(&game);
    let mut check = |key: &str, value: Value| tally.check(text(record, "fen"), record, key, value);
    check("fen", ours.fen(EnPassant::Legal).into());
    check("fen_ep_xfen", ours.fen(EnPassant::XFen).into());
    check("fen_ep_fen", ours.fen(EnPassant::Always).into());
    check("shredder_fen", ours.shredder_fen(EnPassant::Legal).into());
    check("epd", ours.epd(EnPassant::Legal).into());
    check("has_legal_ep", ours.legal_en_passant().is_some().into());
    check("is_check", ours.in_check().into());
    check("is_checkmate", ours.is_checkmate().into());
    check("insufficient", insufficient(ours));
    check("is_insufficient", ours.is_insufficient_material().into());
    let faults = Position::<Standard>::faults_of(&ours.to_setup(), ours.mode());
    check("status", faults.bits().into());
    check("outcome", outcome(&game, false, &record["outcome"]));
    check(
        "outcome_claim",
        outcome(&game, true, &record["outcome_claim"]),
    );
    check("can_claim_fifty", game.can_claim_fifty().into());
    check("can_claim_threefold", game.can_claim_threefold().into());
    let again = Setup::from_fen(&ours.fen(EnPassant::Always));
    tally.ensure(
        "a FEN reads as it was written",
        again == Ok(ours.to_setup()),
    );
    let again = Setup::from_fen(&ours.shredder_fen(EnPassant::Always));
    tally.ensure(
        "a Shredder-FEN reads as it was written",
        again == Ok(ours.to_setup()),
    );
}

fn check_moves(record: &Value, tally: &mut Tally) {
    let game = game_of(record);
    let ours = standard(&game);
    let as_960 = ours.with_mode(CastlingMode::Chess960);
    let fen = text(record, "fen");
    let moves = record["moves"].as_array().expect("moves");
    tally.ensure(
        &format!("{fen} number of moves"),
        ours.legal_moves().len() == moves.len(),
    );
    for fact in moves {
        let what = format!("{fen} {}", text(fact, "uci"));
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
        let uci_960 = as_960.to_uci(m);
        let reads = [
            ours.parse_uci(&uci_960).ok(),
            as_960.parse_uci(&uci_960).ok(),
            as_960.parse_san(&uci_960).ok(),
            ours.parse_san(&ours.to_san(m)).ok(),
            ours.parse_san(&ours.to_lan(m)).ok(),
            ours.parse_human(&ours.to_san(m)).ok(),
            ours.parse_human(&ours.to_lan(m)).ok(),
            ours.parse_human(&ours.to_uci(m)).ok(),
        ];
        tally.ensure(
            &format!("{what} is read back: {reads:?}"),
            reads == [Some(m); 8],
        );
    }
}

fn claims_agree(records: Vec<Value>) {
    let mut tally = Tally::default();
    for record in records {
        let game = game(text(&record, "start"), mode_of(&record), &record["line"]);
        let ours = standard(&game);
        let what = format!("{} ply {}", record["game"], record["ply"]);
        let mut check = |key: &str, value: Value| tally.check(&what, &record, key, value);
        let can_move = ours.has_legal_move();
        check("fen", ours.fen(EnPassant::Legal).into());
        check("rep2", game.is_repetition(2).into());
        check("rep3", game.is_repetition(3).into());
        check("fivefold", game.is_repetition(5).into());
        check("claim3", game.can_claim_threefold().into());
        check("fifty", (ours.halfmoves() >= 100 && can_move).into());
        check("claim50", game.can_claim_fifty().into());
        check("seventyfive", (ours.halfmoves() >= 150 && can_move).into());
        check(
            "claim",
            (game.can_claim_fifty() || game.can_claim_threefold()).into(),
        );
        check("outcome", outcome(&game, false, &record["outcome"]));
        check(
            "outcome_claim",
            outcome(&game, true, &record["outcome_claim"]),
        );
    }
    tally.finish("claims");
}

fn fens_agree(records: Vec<Value>) {
    let mut tally = Tally::default();
    for record in records {
        let fen = text(&record, "fen");
        let setup = Setup::from_fen(fen);
        tally.check(fen, &record, "ok", setup.is_ok());
        // Mola lowers clocks above a limit.
        let is_kept = |number: &str| number.chars().count() < 10;
        let is_whole = fen.split_whitespace().skip(4).all(is_kept);
        if let (Ok(setup), true) = (setup, is_whole && record["ok"] == true) {
            check_setup(&setup, &record, &mut tally);
        }
    }
    tally.finish("FENs");
}

fn check_setup(setup: &Setup, record: &Value, tally: &mut Tally) {
    let mode = mode_of(record);
    let ours: Position = Position::from_setup_unchecked(setup, mode);
    let game = Game::new(AnyPosition::Standard(ours));
    let faults = Position::<Standard>::faults_of(setup, mode);
    // A position drops invalid rights and en passant squares; the record keeps them.
    let as_written = Setup {
        castling: setup.clean_castling(mode),
        en_passant: setup.en_passant,
        ..setup.clone()
    };
    let shredder = Setup {
        en_passant: ours.legal_en_passant(),
        ..as_written.clone()
    };
    let mut check = |key: &str, value: Value| tally.check(text(record, "fen"), record, key, value);
    check("status", faults.bits().into());
    check("valid", (faults == Faults::NONE).into());
    check("out_fen", ours.fen(EnPassant::Legal).into());
    check("out_fen_ep_fen", as_written.fen().into());
    check("out_shredder", shredder.shredder_fen().into());
    check(
        "clean_castling",
        format!("{:#x}", as_written.castling.0).into(),
    );
    check("insufficient", insufficient(&ours));
    check("outcome", outcome(&game, false, &record["outcome"]));
    // With several kings, standard chess does not define which one castles.
    let kings = |color| setup.board.pieces(color, Role::King).count();
    if Color::ALL.into_iter().all(|color| kings(color) <= 1) {
        check("n_legal", ours.legal_moves().len().into());
    }
}

fn move_texts_agree(records: Vec<Value>) {
    let mut tally = Tally::default();
    for record in records {
        check_move_text(&record, &mut tally);
    }
    tally.finish("move texts");
}

fn check_move_text(record: &Value, tally: &mut Tally) {
    let position = position(text(record, "fen"), mode_of(record));
    let input = text(record, "input");
    let result = match text(record, "kind") {
        "uci" => position.parse_uci(input),
        _ => position.parse_san(input),
    };
    let what = format!("{} {} {input:?}", record["fen"], record["kind"]);
    let mut check = |key: &str, value: Value| tally.check(&what, record, key, value);
    check("ok", matches!(result, Ok(_) | Err(MoveError::Null)).into());
    check("null", (result == Err(MoveError::Null)).into());
    match result {
        Ok(m) => {
            check("uci", position.to_uci(m).to_string().into());
            check("san", position.to_san(m).to_string().into());
        }
        Err(MoveError::Null) => {}
        Err(MoveError::Syntax) => check("error", "InvalidMoveError".into()),
        Err(MoveError::Ambiguous(_)) => check("error", "AmbiguousMoveError".into()),
        Err(_) => check("error", "IllegalMoveError".into()),
    }
}

/// Against the records that are part of the repository.
mod of_committed {
    use super::{claims_agree, committed, fens_agree, move_texts_agree, positions_agree};

    pub(super) fn positions() {
        positions_agree(committed(["position"]));
    }

    pub(super) fn claims() {
        claims_agree(committed(["claim"]));
    }

    pub(super) fn fens() {
        fens_agree(committed(["fen"]));
    }

    pub(super) fn move_texts() {
        move_texts_agree(committed(["san", "uci"]));
    }
}

/// Against those that are not.
mod of_shared {
    use super::{claims_agree, fens_agree, move_texts_agree, positions_agree, shared};

    pub(super) fn positions() {
        positions_agree(shared("notation/positions.jsonl.gz"));
    }

    pub(super) fn claims() {
        claims_agree(shared("notation/claims.jsonl.gz"));
    }

    pub(super) fn fens() {
        fens_agree(shared("notation/fens.jsonl.gz"));
    }

    pub(super) fn move_texts() {
        move_texts_agree(shared("notation/san.jsonl.gz"));
    }
}

corpora::tests! {
    of_committed::positions: [],
    of_committed::claims: [],
    of_committed::fens: [],
    of_committed::move_texts: [],
    of_shared::positions: ["notation/positions.jsonl.gz"],
    of_shared::claims: ["notation/claims.jsonl.gz"],
    of_shared::fens: ["notation/fens.jsonl.gz"],
    of_shared::move_texts: ["notation/san.jsonl.gz"],
}
