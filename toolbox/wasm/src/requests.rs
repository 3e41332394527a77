//! Requests of a page about rules, games and pictures.

use crate::games::{PgnGame, Text};
use crate::picture::{PiecePicture, SvgRequest};
use crate::position::Line;
use common::error_text;
use serde::{Deserialize, Serialize};

/// A request of a page.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase")]
enum Request {
    Position(Line),
    ReadPgn(Text),
    WritePgn(PgnGame),
    Svg(Box<SvgRequest>),
    Piece(PiecePicture),
}

/// The answer to a request that fails.
#[derive(Serialize)]
struct Refusal {
    error: String,
}

/// Answers a request in JSON. The answer to one that fails is `{"error": "..."}`.
///
/// ```
/// let answer = wasm::answer(r#"{"do": "position", "moves": ["e4", "c5"]}"#);
/// assert!(answer.contains("Sicilian Defense"));
/// let answer = wasm::answer(r#"{"do": "position", "moves": ["e5"]}"#);
/// assert!(answer.starts_with(r#"{"error":"#));
/// ```
pub fn answer(request: &str) -> String {
    let answer = serde_json::from_str(request)
        .map_err(|error| error_text::of_json(&error, request))
        .and_then(|request| match request {
            Request::Position(line) => text(&line.info()?),
            Request::ReadPgn(pgn) => text(&pgn.games()),
            Request::WritePgn(game) => text(&game.pgn()?),
            Request::Svg(request) => text(&request.svg()?),
            Request::Piece(picture) => text(&picture.svg()?),
        });
    let refusal = |error| text(&Refusal { error }).unwrap_or_default();
    answer.unwrap_or_else(refusal)
}

fn text(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn ask(request: &str) -> Value {
        serde_json::from_str(&answer(request)).unwrap()
    }

    fn read_pgn(text: &str) -> Value {
        ask(&serde_json::json!({"do": "readPgn", "text": text}).to_string())
    }

    fn write_pgn(game: &str) -> Value {
        ask(&format!(r#"{{"do": "writePgn", {game}}}"#))
    }

    fn assert_not_written(games: &[(&str, &str)]) {
        for (game, reason) in games {
            let answer = write_pgn(game);
            let error = answer["error"].as_str().unwrap_or_default();
            assert!(error.contains(reason), "{game}: {answer}");
        }
    }

    #[test]
    fn positions_of_every_variant() {
        for (variant, moves) in [
            ("chess", 20),
            ("suicide", 20),
            ("giveaway", 20),
            ("antichess", 20),
            ("atomic", 20),
            ("kingofthehill", 20),
            ("racingkings", 21),
            ("horde", 8),
            ("3check", 20),
            ("crazyhouse", 20),
        ] {
            let facts = ask(&format!(r#"{{"do": "position", "variant": "{variant}"}}"#));
            assert_eq!(facts["variant"], variant);
            assert_eq!(facts["moves"].as_array().unwrap().len(), moves, "{variant}");
        }
    }

    #[test]
    fn a_line_is_played() {
        let facts = ask(r#"{"do": "position", "moves": ["f3", "e7e5", "g4", "Qh4"]}"#);
        assert_eq!(facts["line"][3]["san"], "Qh4#");
        assert_eq!(facts["line"][3]["uci"], "d8h4");
        assert_eq!(facts["outcome"]["result"], "0-1");
        assert_eq!(facts["outcome"]["reason"], "checkmate");
        assert!(facts["check"].as_bool().unwrap() && facts["moves"].as_array().unwrap().is_empty());
        let facts = ask(r#"{"do": "position", "number": 0, "moves": ["g3"]}"#);
        assert_eq!(facts["chess960"], true);
        assert_eq!(facts["line"][0]["uci"], "g2g3");
        let facts =
            ask(r#"{"do": "position", "variant": "crazyhouse", "moves": ["e4", "d5", "exd5"]}"#);
        assert_eq!(facts["pockets"][0], "p");
    }

    #[test]
    fn what_cannot_be_is_told() {
        for request in [
            "",
            "{}",
            "[]",
            r#"{"do": "nothing"}"#,
            r#"{"do": "position", "fen": "8/8"}"#,
            r#"{"do": "position", "variant": "go"}"#,
            r#"{"do": "position", "number": 960}"#,
            r#"{"do": "svg", "theme": "none"}"#,
            r#"{"do": "piece", "piece": "x"}"#,
        ] {
            assert!(
                ask(request)["error"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{request}"
            );
        }
    }

    #[test]
    fn games_come_and_go() {
        let pgn = "[White \"A\"]\n\n1. e4 {best} e5 (1... c5 $1 2. Nf3) 2. Ke2 *";
        let games = read_pgn(pgn);
        let game = &games[0];
        assert_eq!(
            (&game["tags"]["White"], &game["result"]),
            (&"A".into(), &"*".into())
        );
        let nodes = game["nodes"].as_array().unwrap();
        assert_eq!(nodes.len(), 6, "{nodes:?}");
        assert_eq!(
            (&nodes[1]["san"], &nodes[1]["comment"]),
            (&"e4".into(), &"best".into())
        );
        let variation = nodes.iter().find(|node| node["san"] == "c5").unwrap();
        assert_eq!(
            (&variation["parent"], &variation["nags"][0]),
            (&1.into(), &1.into())
        );
        let text =
            write_pgn(r#""tags": {"White": "B"}, "moves": ["d4", "d5"], "result": "1/2-1/2""#);
        let text = text.as_str().unwrap();
        assert!(
            text.contains("[White \"B\"]") && text.ends_with("1. d4 d5 1/2-1/2"),
            "{text}"
        );
    }

    #[test]
    fn comments_before_a_move_are_told_apart() {
        let pgn = "{of the game} 1. e4 e5 ({Sicilian:} {sharp} 1... c5 {post}) *";
        let games = read_pgn(pgn);
        let nodes = games[0]["nodes"].as_array().unwrap();
        assert_eq!(nodes[0]["comment"], "of the game");
        assert_eq!(nodes[1]["startingComment"], Value::Null);
        let variation = nodes.iter().find(|node| node["san"] == "c5").unwrap();
        assert_eq!(
            (&variation["startingComment"], &variation["comment"]),
            (&"Sicilian: sharp".into(), &"post".into())
        );
    }

    #[test]
    fn games_are_written_as_they_were_read() {
        let movetext = "{of the game} 1. e4 $1 {best} ({Or} 1. d4 d5 (1... Nf6 $2 2. --) 2. c4 {Queen's}) 1... e5 1-0";
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        for pgn in [
            format!("[White \"B\"]\n\n{movetext}"),
            format!("[FEN \"{start}\"]\n\n{{first}} 1... e5 (1... c5) *"),
            "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *".to_owned(),
            "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n[Variant \"Chess960\"]\n\n1. O-O *"
                .to_owned(),
            "[FEN \"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1\"]\n\n1. O-O *".to_owned(),
            "[Variant \"Chess960\"]\n\n1. e4 *".to_owned(),
        ] {
            let read = read_pgn(&pgn);
            let mut game = read[0].clone();
            game["do"] = "writePgn".into();
            let text = ask(&game.to_string());
            let again = read_pgn(text.as_str().unwrap());
            for part in ["start", "variant", "chess960", "result", "nodes"] {
                assert_eq!(read[0][part], again[0][part], "{pgn}");
            }
            for (name, value) in read[0]["tags"].as_object().unwrap() {
                assert_eq!(&again[0]["tags"][name], value, "{pgn}: {name}");
            }
        }
    }

    #[test]
    fn a_game_whose_start_is_unknown_is_not_written_from_another() {
        for (tag, value) in [("FEN", "8/8"), ("Variant", "Go")] {
            let pgn = format!("[{tag} \"{value}\"]\n\n1. e4 *");
            let read = read_pgn(&pgn);
            let mut game = read[0].clone();
            assert_eq!(game["start"], Value::Null);
            game["do"] = "writePgn".into();
            let error = ask(&game.to_string())["error"].to_string();
            assert!(
                error.contains("unknown") && error.contains(tag),
                "{pgn}: {error}"
            );
        }
    }

    #[test]
    fn start_is_the_fen_of_a_written_game_alone() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let of = |request: &str| {
            ask(&format!(
                r#"{{"do": "{request}", "start": "{fen}", "moves": []}}"#
            ))
        };
        assert!(of("writePgn").as_str().unwrap().contains(fen));
        assert!(of("position")["fen"].as_str().unwrap().starts_with("rnbq"));
        let both = write_pgn(&format!(r#""start": "{fen}", "fen": "{fen}""#));
        assert!(both["error"].as_str().unwrap().contains("start"));
    }

    #[test]
    fn nodes_that_are_no_game_are_refused() {
        assert_not_written(&[
            (
                r#""nodes": [{}, {"parent": 1, "san": "e4"}]"#,
                "node 1: its parent",
            ),
            (r#""nodes": [{}, {"san": "e4"}]"#, "node 1: its parent"),
            (r#""nodes": [{}, {"parent": 0}]"#, "node 1: no move"),
            (
                r#""nodes": [{}, {"parent": 0, "san": "e5"}]"#,
                "node 1: e5: ",
            ),
            (r#""moves": ["e4"], "nodes": [{}]"#, "not both"),
        ]);
    }

    #[test]
    fn tags_are_written_in_the_order_of_the_standard() {
        let text =
            write_pgn(r#""tags": {"WhiteElo": "1", "ECO": "A00", "White": "B", "Event": "C"}"#);
        let expected = "[Event \"C\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"B\"]\n\
            [Black \"?\"]\n[Result \"*\"]\n[ECO \"A00\"]\n[WhiteElo \"1\"]\n\n*";
        assert_eq!(text, expected);
    }

    #[test]
    fn tags_do_not_move_the_start() {
        let tags =
            r#""tags": {"FEN": "8/8/8/8/8/8/8/K1k5 w - - 0 1", "SetUp": "1", "Variant": "Atomic"}"#;
        let text = write_pgn(&format!(r#"{tags}, "moves": ["e4"]"#));
        let text = text.as_str().unwrap();
        assert!(text.ends_with("[Result \"*\"]\n\n1. e4 *"), "{text}");
        let fen = "7k/8/8/8/8/8/8/K7 w - - 0 1";
        let text = write_pgn(&format!(
            r#"{tags}, "variant": "crazyhouse", "fen": "{fen}""#
        ));
        let games = read_pgn(text.as_str().unwrap());
        assert_eq!(games[0]["variant"], "crazyhouse");
        assert_eq!(games[0]["start"], "7k/8/8/8/8/8/8/K7[] w - - 0 1");
        assert_eq!(games[0]["tags"]["SetUp"], "1");
    }

    #[test]
    fn results_are_given_found_or_in_the_tags() {
        let mate = r#""moves": ["f3", "e5", "g4", "Qh4"]"#;
        for (game, result) in [
            (mate, "0-1"),
            (r#""tags": {"Result": "1-0"}"#, "1-0"),
            (
                r#""tags": {"Result": "1-0"}, "result": "1/2-1/2""#,
                "1/2-1/2",
            ),
            (r#""moves": []"#, "*"),
        ] {
            let text = write_pgn(game);
            let text = text.as_str().unwrap();
            assert!(text.contains(&format!("[Result \"{result}\"]")), "{text}");
            assert!(text.ends_with(result), "{text}");
        }
    }

    #[test]
    fn what_no_reader_would_understand_is_not_written() {
        assert_not_written(&[
            (r#""result": "2-0""#, "2-0"),
            (r#""result": "foo {""#, "foo {"),
            (r#""tags": {"Result": "won"}"#, "won"),
            (r#""tags": {"": "x"}"#, "no name of a tag"),
            (r#""tags": {"White Elo": "x"}"#, "White Elo"),
            (r#""tags": {"A\"]\n[B": "x"}"#, "no name of a tag"),
        ]);
    }

    #[test]
    fn pictures() {
        let svg = ask(
            r#"{"do": "svg", "moves": ["e4"], "theme": "slate", "arrows": ["Ge7e5"], "orientation": "black", "size": 300}"#,
        );
        let svg = svg.as_str().unwrap();
        assert!(svg.starts_with("<svg ") && svg.contains("width=\"300\""));
        let piece = ask(r#"{"do": "piece", "piece": "N"}"#);
        assert!(piece.as_str().unwrap().starts_with("<svg "));
    }
}
