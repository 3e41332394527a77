//! Texts with faults, and the places of their problems; editing; writing what was read.

mod hostile;
mod limits;

use super::*;
use engine_core::{AnyPosition, Move, Square, Variant};
use std::iter;

/// All games of a text.
fn games(text: &[u8]) -> Vec<Tree> {
    let mut builder = Builder::new();
    let mut parser = Parser::new(text);
    let mut games = Vec::new();
    while parser.read_game(&mut Replay::new(&mut builder)) == Parsed::Game {
        games.push(builder.take());
    }
    games
}

/// The moves of each game, and `line:column message` of each problem.
fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let games = games(text.as_bytes());
    let mut lines = LineIndex::new(text.as_bytes(), 1);
    let problems = games.iter().flat_map(|game| &game.problems);
    let problems = problems.map(|problem| {
        let place = lines.location(problem.at);
        format!("{}:{} {}", place.line, place.column, problem.kind)
    });
    let problems = problems.collect();
    let mut writer = Writer::moves_only().without_comments();
    (
        games.iter().map(|game| writer.write(game)).collect(),
        problems,
    )
}

fn check(text: &str, games: &[&str], problems: &[&str]) {
    let found = read(text);
    assert_eq!(found.0, games, "{text}");
    assert_eq!(found.1, problems, "{text}");
}

#[test]
fn knights_in_other_spellings_are_no_pawns() {
    for (word, column) in [("Sf3", 10), ("♘f3", 10), ("nf3", 10)] {
        let text = format!("[White \"x\"]\n\n1. e4 e5\n2.       {word} Nc6 *");
        let report = format!("4:{column} {word:?} is read as Nf3");
        check(&text, &["1. e4 e5 2. Nf3 Nc6 *"], &[&report]);
    }
    check("1. Se4 *", &["Se4 *"], &["1:4 \"Se4\" is not a move"]);
    check(
        "1. e4 d5 2. Lb5+ c6 3. bc6 *",
        &["1. e4 d5 2. Bb5+ c6 3. Bxc6+ *"],
        &[
            "1:13 \"Lb5+\" is read as Bb5+",
            "1:24 \"bc6\" is read as Bxc6+",
        ],
    );
}

/// A letter apart from a square is taken for a sign, which is reported where it could be a piece.
#[test]
fn pieces_apart_from_their_squares() {
    let apart = |words| format!("{words:?} is read as a sign and a move, but could be one move");
    let report = format!("1:13 {}", apart("N f3"));
    check("1. e4 e5 2. N f3 *", &["1. e4 e5 2. f3 *"], &[&report]);
    let text = "1. d4 d5 2. e4 e5 3. D g4 *";
    let report = format!("1:22 {}", apart("D g4"));
    check(text, &["1. d4 d5 2. e4 e5 3. g4 *"], &[&report]);
    // Signs: no knight goes to e5, and there is a line break before f3.
    check("1. e4 N e5 *", &["1. e4 e5 *"], &[]);
    check(
        "1. e4 e5 N\n\n 2. f3 *",
        &["1. e4 e5 2. f3 *"],
        &["3:2 a blank line between the moves"],
    );
}

/// A control character in a word does not cut it in two; one between words is a blank.
#[test]
fn control_characters() {
    for word in ["N\0f3", "N\x01f3", "N\x7ff3"] {
        let report = format!(
            "1:4 {:?} is not a move",
            word.replace(|c: char| c.is_control(), " ")
        );
        check(&format!("1. {word} *"), &[&format!("{word} *")], &[&report]);
    }
    check("1. e4\x0be5 \0 2. Nf3 *\x1a", &["1. e4 e5 2. Nf3 *"], &[]);
    check(
        "1. e4\x1a",
        &["1. e4 *"],
        &["1:7 the game ends without a result"],
    );
}

/// A glyph that is too large stays as it was written.
#[test]
fn large_glyphs() {
    check("1. e4 $4294967295 *", &["1. e4 *"], &[]);
    let text = "1. e4 $4294967296 *";
    check(text, &[text], &["1:7 unexpected \"$4294967296\""]);
}

#[test]
fn places_of_bad_starts() {
    let text = "[Event \"?\"]\n[FEN \"x\"]\n[Round \"1\"]\n\n1. e4 *";
    let (_, problems) = read(text);
    assert!(
        matches!(&problems[..], [one] if one.starts_with("2:1 the moves are skipped")),
        "{problems:?}"
    );
}

/// The words before and the number of languages decide what a letter means.
#[test]
fn letters_of_other_languages() {
    // A knight in German and most others, a bishop in Czech.
    check(
        "1. d4 d5 2. Sd2 *",
        &["1. d4 d5 2. Nd2 *"],
        &["1:13 \"Sd2\" is read as Nd2"],
    );
    // A knight in Hungarian, a rook in Icelandic, a queen in Polish.
    check(
        "1. d4 d5 2. Hf3 Hf6 3. Fg5 *",
        &["1. d4 d5 2. Nf3 Nf6 3. Bg5 *"],
        &[
            "1:13 \"Hf3\" is read as Nf3",
            "1:17 \"Hf6\" is read as Nf6",
            "1:24 \"Fg5\" is read as Bg5",
        ],
    );
    let mut builder = Builder::new();
    let mut replay = Replay::new(&mut builder).in_language("fr".parse().expect("French"));
    Parser::new("1. e4 e5 2. Re2 Cf6 3. Bc4 *".as_bytes()).read_game(&mut replay);
    let game = builder.take();
    // There is no B in French: it is the English bishop, which cannot go there.
    assert_eq!(game.problems.count(), 1);
    let mut writer = Writer::moves_only();
    assert_eq!(writer.write(&game), "1. e4 e5 2. Ke2 Nf6 3. Bc4 *");
    let mut writer = writer.language("de".parse().expect("German"));
    assert_eq!(writer.write(&game), "1. e4 e5 2. Ke2 Sf6 3. Bc4 *");
}

/// Letters of English in a word that is SAN but for a mark mean what they mean in SAN.
#[test]
fn english_comes_before_other_languages() {
    let start = "[SetUp \"1\"]\n[FEN \"3n4/2K5/8/8/8/8/k7/3R4 w - - 0 1\"]\n\n";
    for word in ["R:d8", "R×d8", "Rd8++", "Rd8:", "Rd8+.", "Rxd8x"] {
        let report = format!("4:4 {word:?} is read as Rxd8");
        check(&format!("{start}1. {word} *"), &["1. Rxd8 *"], &[&report]);
    }
    let start = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/3B4/2n5/1P6/4K3 w - - 0 1\"]\n\n";
    let report = "4:4 \"b:c3\" is read as bxc3";
    check(&format!("{start}1. b:c3 *"), &["1. bxc3 *"], &[report]);
    let start = "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/k7/6p1/2K5 b - - 0 1\"]\n\n";
    let report = "4:6 \"g1=R++\" is read as g1=R+";
    check(
        &format!("{start}1... g1=R++ *"),
        &["1... g1=R+ *"],
        &[report],
    );
    // In a Spanish game R is the king.
    check(
        "1. e4 e5 2. Cf3 Cc6 3. Ac4 Ac5 4. 0-0 Cf6 5. R:h1 *",
        &["1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. Kh1 *"],
        &[
            "1:13 \"Cf3\" is read as Nf3",
            "1:17 \"Cc6\" is read as Nc6",
            "1:24 \"Ac4\" is read as Bc4",
            "1:28 \"Ac5\" is read as Bc5",
            "1:39 \"Cf6\" is read as Nf6",
            "1:46 \"R:h1\" is read as Kh1",
        ],
    );
}

/// A sign that is written together with a move is kept, and what repeats a property of it is not.
#[test]
fn signs_without_a_blank() {
    for (word, played) in [
        ("Nf3=", "Nf3 $10"),
        ("Nf3∞", "Nf3 $13"),
        ("Nf3+=", "Nf3 $14"),
        ("Nf3=+", "Nf3 $15"),
        ("Nf3±", "Nf3 $16"),
        ("Nf3+/-", "Nf3 $16"),
        ("Nf3+-", "Nf3 $18"),
        ("Nf3-+", "Nf3 $19"),
        ("Nf3□", "Nf3 $7"),
        ("Nf3N", "Nf3 $146"),
        ("Sf3⩲", "Nf3 $14"),
        ("Nf3ch", "Nf3"),
        ("Nf3†", "Nf3"),
    ] {
        let text = format!("1. e4 e5 2. {word} Nc6 *");
        let report = format!("1:13 {word:?} is read as Nf3");
        check(&text, &["1. e4 e5 2. Nf3 Nc6 *"], &[&report]);
        let written = Writer::moves_only().write(&games(text.as_bytes())[0]);
        assert_eq!(written, format!("1. e4 e5 2. {played} Nc6 *"));
    }
}

/// What cannot be played is not read up to the next game, though that has no tags.
#[test]
fn an_illegal_move_ends_its_game() {
    check(
        "1. e4 Ke3 2. d4\n\n1. c4 c5 *\n",
        &["1. e4 Ke3 2. d4 *", "1. c4 c5 *"],
        &[
            "1:7 Ke3: not a legal move",
            "3:1 the game ends without a result",
        ],
    );
}

/// Neither are moves after a result: the position before them is not known.
#[test]
fn no_moves_are_played_after_an_illegal_one_and_a_result() {
    let text = "1. e4 e5 2. Ke3 * 2. Nf3 (2. d4) Nc6 *";
    check(
        text,
        &["1. e4 e5 2. Ke3 2. Nf3 (2. d4) Nc6 *"],
        &[
            "1:13 Ke3: not a legal move",
            "1:22 moves after the result",
            "1:38 the game has a result already",
        ],
    );
    let (written, _) = read(text);
    assert_eq!(read(&written[0]).0, written);
    let variation = "1. e4 e5 2. Ke3 * (2. d4) *";
    let (written, problems) = read(variation);
    assert_eq!(written, ["1. e4 e5 2. Ke3 (2. d4) *"]);
    assert!(problems[1].starts_with("1:19 a variation must"));
}

/// Only at the beginning of a line a percent sign escapes the line.
#[test]
fn percent_signs_within_a_line_escape_nothing() {
    let unexpected = "3:2 unexpected \"%\"";
    for (moves, problems) in [
        (" % 1. e4 e5 *", &[unexpected][..]),
        (" % e4 e5 *", &[unexpected]),
        (
            " %%%e4 e5 *",
            &[unexpected, "3:3 unexpected \"%\"", "3:4 unexpected \"%\""],
        ),
        (" \u{feff}% 1. e4 e5 *", &["3:3 unexpected \"%\""]),
        ("% 1. d4 d5 *\n1. e4 e5 *", &[]),
        ("\u{feff}% 1. d4 d5 *\n1. e4 e5 *", &[]),
    ] {
        let text = format!("[Event \"x\"]\n\n{moves}");
        let mut writer = Writer::moves_only().without_comments();
        let (_, found) = read(&text);
        assert_eq!(found, problems, "{text}");
        let game = &games(text.as_bytes())[0];
        let line: Vec<_> = game.main_line(game.root()).collect();
        assert_eq!(line.len(), 2, "{text}");
        let written = writer.write(game);
        assert_eq!(
            writer.write(&games(written.as_bytes())[0]),
            written,
            "{text}"
        );
    }
    let results = check_written("[Event \"x\"]\n\n; rem\n %%%% *\n0-1\n", &[0]);
    assert!(results.ends_with("%\n*\n\n"), "{results}");
    // The same without tags, and where a game has escaped its own first sign.
    check(" % 1. e4 *", &[" % 1. e4 *"], &["1:2 unexpected \"%\""]);
    let text = "[Event \"x\"]\n\n1.% e4 e5 2. Nf3 1-0";
    let once = Writer::new().write(&games(text.as_bytes())[0]);
    assert_eq!(Writer::new().write(&games(once.as_bytes())[0]), once);
    assert!(once.ends_with("e4 e5 2. Nf3 1-0"), "{once}");
}

/// Files that were joined have a byte order mark where each of them began.
#[test]
fn byte_order_marks_within_a_text() {
    let file = "\u{feff}[Event \"A\"]\n[White \"X\"]\n\n1. e4 *\n\n";
    for text in [
        file.repeat(3),
        file.replace("\n\n", "\n").repeat(3),
        file.replace('*', "").repeat(3),
        file.replace('*', "{open").repeat(3),
        file.replace('\n', "\r\n").repeat(3),
        file.replace("Event", "Site").repeat(3),
        format!("{file}\u{feff}1. d4 *\n\n{file}"),
    ] {
        let games = games(text.as_bytes());
        let names = games.iter().filter(|game| {
            let tags = game.headers.iter().count();
            tags == 2 && game.headers.get("White").as_deref() == Some("X")
        });
        let expected = 3 - text.matches("d4").count();
        assert_eq!((games.len(), names.count()), (3, expected), "{text}");
        for game in &games {
            assert_eq!(game.main_line(game.root()).count(), 1, "{text}");
        }
        let blocks = Blocks::with_size(text.as_bytes(), 30);
        let sizes: Vec<usize> = blocks.map(|block| block.unwrap().text.len()).collect();
        assert_eq!(sizes.iter().sum::<usize>(), text.len(), "{text}");
        let mut parser = Parser::new(text.as_bytes());
        let mut skipped = 0;
        while parser.read_game(&mut super::visitor::Nobody) == Parsed::Game {
            skipped += 1;
        }
        assert_eq!(skipped, 3, "{text}");
    }
    check("1. e4 \u{feff}e5 *", &["1. e4 e5 *"], &[]);
}

#[test]
fn blank_lines_make_no_games() {
    check(
        "[Event \"a\"]\n\n1. e4 e5\n\n2. Nf3 *\n\n[Event \"b\"]\n\n1. d4 *\n",
        &["1. e4 e5 2. Nf3 *", "1. d4 *"],
        &["5:1 a blank line between the moves"],
    );
    check(
        "1. e4 *\n\n1. d4 *\n\n\n1. c4\n\n1. b4 d5 1-0 {x}\n",
        &["1. e4 *", "1. d4 *", "1. c4 *", "1. b4 d5 1-0"],
        &["8:1 the game ends without a result"],
    );
}

#[test]
fn an_open_comment_ends_with_its_game() {
    for between in ["\n\n[Site \"b\"]", "\n[Event \"b\"]", "\n \n[White \"b\"]"] {
        let text =
            format!("[Event \"a\"]\n\n1. e4 {{ no end e5{between}\n\n1. d4 {{ good }} d5 *\n");
        let games = games(text.as_bytes());
        assert_eq!(games.len(), 2, "{text}");
        assert_eq!(games[1].line_to(games[1].end(games[1].root())).len(), 2);
    }
    check(
        "[Event \"a\"]\n\n1. e4 { no end\n\n[Event \"b\"]\n\n1. d4 *",
        &["1. e4 *", "1. d4 *"],
        &[
            "3:7 the comment has no closing brace",
            "5:1 the game ends without a result",
        ],
    );
    // Tags of comments are not tags of games.
    check("1. e4 {\n[%clk 0:01]\n\n[x] }\n e5 *", &["1. e4 e5 *"], &[]);
}

#[test]
fn tags() {
    let text = "[Event \"a\"] [Site \"b\"]\n[White \"say \"hi\" now\"]\n[Black \"open\n[Round \"1\" x\n[Date\"2\"]junk\n\n*";
    let game = &games(text.as_bytes())[0];
    let get = |name| game.headers.get(name).unwrap_or_default().into_owned();
    assert_eq!((get("Event"), get("Site")), ("a".into(), "b".into()));
    assert_eq!(
        (get("White"), get("Black")),
        ("say \"hi\" now".into(), "open".into())
    );
    assert_eq!((get("Round"), get("Date")), ("1".into(), "2".into()));
    assert_eq!(
        read(text).1,
        [
            "2:16 a quote inside a tag value needs a backslash",
            "3:1 the tag has no closing \"]",
            "4:1 the tag has no closing \"]",
            "5:10 unexpected text among the tags",
        ]
    );
    let text = "[Event \"one\"]\n[Site \"x\"]\n\n[Event \"two\"]\n\n1. e4 *";
    assert_eq!(games(text.as_bytes()).len(), 2);
    check(
        "From: me\nSubject: chess\n\n<pre>\n[Event \"x\"]\n\n1. e4 *\n</pre>\n",
        &["1. e4 *"],
        &[
            "1:1 unexpected text among the tags",
            "2:1 unexpected text among the tags",
            "4:1 unexpected text among the tags",
        ],
    );
}

/// Text before the moves costs none of them, and is written again.
#[test]
fn text_before_the_moves() {
    let written = |text: &str| Writer::new().write(&games(text.as_bytes())[0]);
    let among_tags = "unexpected text among the tags";
    for (text, message) in [
        ("[#]", "not a tag pair such as [Event \"?\"]"),
        ("[Round 1]", "not a tag pair such as [Event \"?\"]"),
        ("$13", among_tags),
        ("some text", among_tags),
        ("<pre>", among_tags),
    ] {
        let game = format!("[Event \"x\"]\n\n{text} 1. e4 e5 2. Nf3 *");
        let report = format!("3:1 {message}");
        check(&game, &[&format!("{text} 1. e4 e5 2. Nf3 *")], &[&report]);
        assert_eq!(written(&game), game);
    }
    check(
        "[Event \"x\"]\n\nZ0 e5 2. Nf3 Nc6 *",
        &["1. -- e5 2. Nf3 Nc6 *"],
        &[],
    );
    let game = "[Event \"x\"]\nplayed in 1972\n[Site \"y\"]\n\nA preface 1-0\n\n1. e4 *";
    let clean = "[Event \"x\"]\n[Site \"y\"]\n\nplayed in 1972 A preface 1-0 1. e4 *";
    assert_eq!(written(game), clean);
    assert_eq!(written(clean), clean);
    let empty = "[Event \"x\"]\n\nA preface\n*";
    assert_eq!(written("[Event \"x\"]\n\nA preface *"), empty);
    assert_eq!(written(empty), empty);
}

/// What is written of a text, again and again, and how many moves each of its games has.
fn check_written(text: &str, plies: &[usize]) -> String {
    let written = |text: &str| {
        let games = games(text.as_bytes());
        let counts: Vec<usize> = games
            .iter()
            .map(|game| game.main_line(game.root()).count())
            .collect();
        assert_eq!(counts, plies, "{text}");
        let mut writer = Writer::new();
        for game in &games {
            game.visit(&mut writer);
        }
        String::from_utf8(writer.take()).unwrap()
    };
    let once = written(text);
    assert_eq!(written(&once), once, "{text}");
    once
}

/// A variation before any move replaces none, whether or not text stands before it in its line.
#[test]
fn variations_before_the_first_move() {
    let tags = "[Event \"x\"]\n\n";
    for (moves, plies) in [
        ("} \n(1. d4 d5) *", 0),
        ("} (1. d4 d5) *", 0),
        (" %% esc\n (2. d4) *", 0),
        ("} \n(1. d4 d5) 1. e4 *", 1),
        ("} (1. d4 d5) 1. e4 *", 1),
        ("} \n(d4 2. c4) 1. e4 *", 1),
        ("* !?(2. d4) ", 0),
    ] {
        let written = check_written(&format!("{tags}{moves}"), &[plies]);
        assert!(written.contains("d4"), "{written}");
    }
}

/// A number without a move begins no game.
#[test]
fn numbers_alone_are_no_games() {
    let tags = "[Event \"x\"]\n\n";
    for (moves, plies) in [
        ("1. e4 e5 *\n\n1.\n", &[2][..]),
        ("1. e4 e5\n\n1.\n", &[2]),
        ("1-0 1.", &[0]),
        ("* !?\n1.\n %% ", &[0]),
        ("1. e4 *\n{c} 1. *\n", &[1]),
        ("1. e4 *\n1. xyz *\n", &[1]),
        ("1. e4 *\n1. {c} d4 *\n", &[1, 1]),
        ("1. e4 *\n{c} 1. d4 *\n", &[1, 1]),
        ("} 1-0\n\n\n1. e4 e5 *", &[2]),
        ("1-0 }1. e4 e5 *", &[0, 2]),
    ] {
        check_written(&format!("{tags}{moves}"), plies);
    }
}

/// What is written of text before the moves is read as the same text.
#[test]
fn text_and_results() {
    for moves in [
        "1.)0-1% esc\n 0-1 \r\n",
        "} e4 \u{feff}\n\u{feff}[White \"E\"]\n\nKe3 ",
        "!? % \u{feff}\n{c} \r\n",
    ] {
        check_written(&format!("[Event \"x\"]\n\n{moves}"), &[0]);
    }
}

/// A tag that is damaged is one of its game, even before the first good one, and is written again.
#[test]
fn damaged_tags_before_the_first_one() {
    let bad = "not a tag pair such as [Event \"?\"]";
    let among_tags = "unexpected text among the tags";
    for (tag, message) in [
        ("[Event x]", bad),
        ("[Event 'x']", bad),
        ("[Event “x”]", bad),
        ("[ Event \"x\"]", bad),
        ("Event \"x\"]", among_tags),
    ] {
        for rest in [
            "[White \"A\"]\n\n",
            "\n[White \"A\"]\n\n",
            "\n",
            "",
            "% x\n",
        ] {
            let game = format!("{tag}\n{rest}1. e4 *");
            let report = |line: u32| format!("{line}:1 {message}");
            let blank = if tag.starts_with('[') { " " } else { "\n" };
            let clean = format!("{tag}{blank}1. e4 *");
            check(&game, &[&clean], &[&report(1)]);
            assert_eq!(games(game.as_bytes())[0].span, 0..game.len());
            let after = format!("[Event \"y\"]\n\n1. d4 *\n\n{game}");
            check(&after, &["1. d4 *", &clean], &[&report(5)]);
            let once = Writer::new().write(&games(game.as_bytes())[0]);
            assert_eq!(Writer::new().write(&games(once.as_bytes())[0]), once);
        }
    }
    // Without tags or moves after them, lines belong to no game.
    let text = "[a note]\nfrom me\n[Event \"x\"]\n\n1. e4 *\n\n[the end]\n";
    let reports = ["1:1", "2:1"].map(|place| format!("{place} {among_tags}"));
    check(
        text,
        &["1. e4 *"],
        &reports.each_ref().map(|report| &**report),
    );
    // Neither do lines that would be read as comments or moves.
    for line in ["Event \"{x\"]", "[Event {x", "Event \"1. e4\"]"] {
        let text = format!("{line}\n[White \"A\"]\n\n1. d4 *");
        check(&text, &["1. d4 *"], &[&format!("1:1 {among_tags}")]);
    }
    // A damaged tag does not end the tags, as other text before a blank line does.
    let text = "[Event \"x\"]\nSite \"y\"]\n\n[White \"A\"]\n\n1. e4 *";
    assert_eq!(games(text.as_bytes()).len(), 1);
}

/// Lines for people and programs at the beginning belong to the first game.
#[test]
fn remarks_before_the_first_tag() {
    let text = "; note\n% x\n[Event \"x\"]\n\n1. e4 *";
    let game = &games(text.as_bytes())[0];
    assert_eq!(game.span.start, 0);
    let written = Writer::new().write(game);
    assert_eq!(written, "[Event \"x\"]\n\n; note\n% x\n1. e4 *");
    check(&format!("{text}\n\n{text}"), &["1. e4 *", "1. e4 *"], &[]);
}

/// A comment in braces would end the tags, and text after it would be read as moves.
#[test]
fn lines_of_comments_before_text_among_the_tags() {
    let tags = "[Event \"x\"]\n\n";
    for (text, once) in [
        (
            "; by X\nPlayed in Vienna\n1. e4 e5 *",
            "; by X\nPlayed in Vienna 1. e4 e5 *",
        ),
        ("; by X\nD g3\n\n1. e4 e5 *", "; by X\nD g3 1. e4 e5 *"),
        (
            "D g3\n; by X\nD g3\n1. e4 e5 *",
            "D g3\n; by X\nD g3 1. e4 e5 *",
        ),
        ("1. e4 ; by X\ne5 *", "1. e4 { by X} 1... e5 *"),
    ] {
        let written = check_written(&format!("{tags}{text}"), &[2]);
        assert_eq!(written, format!("{tags}{once}\n\n"));
    }
    // Without tags it may be the first of the game.
    check_written("; by X\n1. e4 e5 *", &[2]);
}

/// The limits hold in whatever way moves are written.
#[test]
fn long_lines_are_cut() {
    for moves in [
        "Nf3 Nf6 Ng1 Ng8 ",
        "Nf3ch Nf6ch Ng1ch Ng8ch ",
        "-- -- -- -- ",
    ] {
        let text = format!("1. {}*", moves.repeat(MAX_PLIES / 4 + 2));
        let game = &games(text.as_bytes())[0];
        assert_eq!(game.main_line(game.root()).count(), MAX_PLIES);
        let too_many = |problem: &&Problem| problem.kind == ProblemKind::TooManyMoves;
        assert_eq!(game.problems.iter().filter(too_many).count(), 1);
        let rest = game.comments(game.end(game.root())).last().unwrap();
        assert_eq!(rest.text.to_str(), moves.repeat(2).trim_end());
    }
}

#[test]
fn games_have_a_limit_of_moves() {
    const LENGTH: usize = 10_000;
    let variation = format!("({})", "-- ".repeat(LENGTH));
    let variations = variation.repeat(MAX_NODES / LENGTH);
    let text = format!("1. e4 e5 2. Nf3 {variations} (a4) (b4 c5) Nc6 1-0\n\n1. d4 *");
    let [game, next] = games(text.as_bytes()).try_into().unwrap();
    // The root, the moves of the main line, and those before its last.
    assert_eq!(game.ids().count(), 1 + 3 + MAX_NODES - 2);
    assert!(!game.is_whole && game.result.is_some());
    let kinds: Vec<&ProblemKind> = game.problems.iter().map(|problem| &problem.kind).collect();
    assert_eq!(kinds, [&ProblemKind::TooManyNodes; 2]);
    let rest = game.comments(game.end(game.root())).last().unwrap();
    assert_eq!(rest.text.to_str(), "(a4) (b4 c5) Nc6");
    assert_eq!(next.main_line(next.root()).count(), 1);
}

#[test]
fn en_passant_is_read_with_its_mark() {
    for mark in ["e.p.", "e.p", "ep", " e.p."] {
        let text = format!("1. e4 Nf6 2. e5 d5 3. exd6{mark} cxd6 *");
        let (moves, _) = read(&text);
        assert_eq!(moves, ["1. e4 Nf6 2. e5 d5 3. exd6 cxd6 *"], "{mark}");
        assert_eq!(games(text.as_bytes())[0].problems.lost(), 0, "{mark}");
    }
}

/// Only a result ends the moves, whatever the tag is.
#[test]
fn tags_that_are_no_result() {
    for result in ["?", "Nf3", "1-0 (time)", "½-½"] {
        let tag = format!("[Result \"{result}\"]\n\n");
        let game = &games(format!("{tag}1. e4 e5").as_bytes())[0];
        assert_eq!(Writer::new().write(game), format!("{tag}1. e4 e5 *"));
    }
}

/// What is repaired is written so that it needs no repair.
#[test]
fn repaired_tags() {
    for (tag, value, clean) in [
        (
            r#"[White "Mick "The Rock" Adams"]"#,
            r#"Mick "The Rock" Adams"#,
            r#"[White "Mick \"The Rock\" Adams"]"#,
        ),
        (r#"[White "C:\"]"#, r"C:\", r#"[White "C:\\"]"#),
        (r#"[White "C:\"#, r"C:\", r#"[White "C:\\"]"#),
        (
            r#"[White "a\b \"c\""]"#,
            r#"a\b "c""#,
            r#"[White "a\b \"c\""]"#,
        ),
    ] {
        let game = &games(format!("{tag}\n\n*").as_bytes())[0];
        assert_eq!(game.headers.get("White").as_deref(), Some(value), "{tag}");
        let written = Writer::new().write(game);
        assert_eq!(written, format!("{clean}\n\n*"));
        check(&written, &["*"], &[]);
    }
}

/// Old Macintosh files end lines with a carriage return alone.
#[test]
fn carriage_returns_end_lines() {
    check(
        "1. e4 ; good\re5 *\r\r[Site \"b\"]\r\r1. d4 { open\r\r[Site \"c\"]\r\r1. c4 *\r",
        &["1. e4 e5 *", "1. d4 *", "1. c4 *"],
        &[
            "6:7 the comment has no closing brace",
            "8:1 the game ends without a result",
        ],
    );
    // These lines end with two of them and a line feed.
    check(
        "[Event \"a\"]\r\r\n[Site \"b\"]\r\r\n\r\r\n1. e4 *",
        &["1. e4 *"],
        &[],
    );
}

/// What unread text leaves open must not swallow what follows when it is read again.
#[test]
fn unread_text_is_closed() {
    for (moves, clean) in [
        ("1. e4 xyz Nf3 { open", "1. e4 xyz Nf3 { open } *"),
        ("1. e4 xyz Nf3 { open\n1-0", "1. e4 xyz Nf3 { open\n1-0 } *"),
        ("1. e4 xyz Nf3 ; rest\n1-0", "1. e4 xyz Nf3 ; rest\n1-0"),
        ("1. (e4 e5 (d4", "(e4 e5 (d4 )) *"),
        ("1. e4 (1. xyz ; a\n) e5 *", "1. e4 (xyz ; a\n) 1... e5 *"),
        (
            &format!("1. e4 {{{:70}}} % e5 *", ""),
            &format!("1. e4 {{{:70}}}\n % 1... e5 *", ""),
        ),
    ] {
        let written = |text: &str| Writer::new().write(&games(text.as_bytes())[0]);
        let once = written(&format!("[Event \"x\"]\n\n{moves}"));
        assert_eq!(once, format!("[Event \"x\"]\n\n{clean}"), "{moves}");
        assert_eq!(written(&once), once);
    }
}

/// Among the tags nothing is open: what looks so is written as it was.
#[test]
fn unread_tags_are_not_closed() {
    for (tags, clean) in [
        ("[Blac(k \"M\"]", "[Blac(k \"M\"] 1. d3 e5 *"),
        ("[Blac{k \"M\"]", "[Blac{k \"M\"] 1. d3 e5 *"),
        ("[Blac;k \"M\"]", "[Blac;k \"M\"] 1. d3 e5 *"),
        ("Black \"(M\"]", "Black \"(M\"]\n1. d3 e5 *"),
        ("[Black (M\nx (", "[Black (M\nx ( 1. d3 e5 *"),
        ("x (\n[Bla(ck M]", "x ( [Bla(ck M] 1. d3 e5 *"),
        ("!?\n[Bla(ck M]", "!? [Bla(ck M] 1. d3 e5 *"),
        (
            "Site \"x\"]\n[Black M]",
            "Site \"x\"]\n[Black M] 1. d3 e5 *",
        ),
    ] {
        let written = |text: &str| Writer::new().write(&games(text.as_bytes())[0]);
        let header = "[White \"A\"]\n\n";
        let once = written(&format!("[White \"A\"]\n{tags}\n\n1. d3 e5 *"));
        assert_eq!(once, format!("{header}{clean}"), "{tags}");
        assert_eq!(written(&once), once);
    }
}

#[test]
fn what_a_program_adds_is_read_again() {
    let mut tree = Tree::default();
    let e4 = tree.add(tree.root(), Some("e2e4".parse().unwrap()));
    tree.add_comment(e4, "x\n[Event \"y\"]\n[%clk 0:01:00]");
    for (remark, text) in [(Remark::Line, "a } b\nd5"), (Remark::Escape, "c\nd5")] {
        let text = text.as_bytes().into();
        tree.comments_mut(e4)
            .unwrap()
            .push(Comment { remark, text });
    }
    tree.add(e4, Some("e7e5".parse().unwrap()));
    tree.headers.push(b"Bad Name]", b"two\nlines");
    let written = Writer::new().write(&tree);
    let text = "[Bad_Name_ \"two lines\"]\n\n1. e4 {x [Event \"y\"]\n[%clk 0:01:00]}\n;a } b d5\n%c d5\n1... e5 *";
    assert_eq!(written, text);
    let read = games(written.as_bytes());
    let [read] = read.as_slice() else {
        panic!("{} games", read.len())
    };
    assert!(
        read.problems
            .iter()
            .all(|problem| problem.kind == ProblemKind::NoResult),
        "{written}"
    );
    assert_eq!(read.to_game().unwrap().moves().len(), 2);
}

#[test]
fn nodes_of_other_trees_are_added_after_the_root() {
    let mut one = Tree::default();
    let foreign = one.add(one.root(), Some("e2e4".parse().unwrap()));
    let mut other = Tree::default();
    let added = other.add(foreign, Some("d2d4".parse().unwrap()));
    assert_eq!(other.parent(added), Some(other.root()));
    assert_eq!(other.line_to(added).len(), 1);
}

#[test]
fn blocks_are_as_large_as_the_games() {
    let text = b"[Event \"a\"]\n\n1. e4 *\n";
    let mut blocks = Blocks::with_size(&text[..], usize::MAX);
    let block = blocks.next().unwrap().unwrap();
    assert_eq!(block.text, text);
}

/// The blocks of a stream.
fn blocks(text: &str) -> Vec<Block> {
    Blocks::new(text.as_bytes()).map(Result::unwrap).collect()
}

#[test]
fn a_game_that_is_too_long_goes_on_in_the_next_block() {
    let comment = "[no tag\n".repeat(MAX_GAME / 4);
    let text = format!("[Event \"a\"]\n\n1. e4 {{{comment}}} e5 1-0\n\n[Event \"b\"]\n\n1. d4 *\n");
    let found = blocks(&text);
    assert!(found.len() > 1 && found[0].is_cut && found[0].text.len() <= MAX_GAME);
    let read: Vec<u8> = found.into_iter().flat_map(|block| block.text).collect();
    assert!(read == text.as_bytes());
}

#[test]
fn games_without_tags_are_not_cut() {
    let game = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n";
    let count = MAX_GAME / game.len() + 1000;
    let found = blocks(&game.repeat(count));
    assert!(found.len() > 1 && found.iter().all(|block| !block.is_cut));
    // They take no more memory than games with tags, many times.
    assert!(found.iter().all(|block| block.text.len() <= 1 << 20));
    let read: usize = found.iter().map(|block| count_games(&block.text)).sum();
    assert_eq!(read, count);
}

/// The number of games of a text.
fn count_games(text: &[u8]) -> usize {
    struct Skips;
    impl Visitor for Skips {
        fn begin_game(&mut self, _: usize) -> Flow {
            Flow::Skip
        }
    }
    let mut parser = Parser::new(text);
    iter::repeat_with(|| parser.read_game(&mut Skips))
        .take_while(|step| *step == Parsed::Game)
        .count()
}

#[test]
fn a_tree_is_visited_as_a_text_is() {
    struct Stops(Vec<&'static str>, Flow, Flow);
    impl GameVisitor for Stops {
        fn begin_game(&mut self, _: usize) -> Flow {
            self.1
        }
        fn play(&mut self, _: &AnyPosition, _: Option<Move>, _: &AnyPosition) {
            self.0.push("move");
        }
        fn begin_variation(&mut self) -> Flow {
            self.2
        }
        fn result(&mut self, _: &str) {
            self.0.push("result");
        }
        fn end_game(&mut self, _: usize) {
            self.0.push("end");
        }
    }
    let text = b"1. e4 (1. d4) 1... e5 *";
    for (game, variation) in [
        (Flow::Skip, Flow::Go),
        (Flow::Stop, Flow::Go),
        (Flow::Go, Flow::Skip),
        (Flow::Go, Flow::Stop),
    ] {
        let mut by_tree = Stops(Vec::new(), game, variation);
        games(text)[0].visit(&mut by_tree);
        let mut by_text = Stops(Vec::new(), game, variation);
        Parser::new(text).read_game(&mut Replay::new(&mut by_text));
        assert_eq!(by_tree.0, by_text.0, "{game:?} {variation:?}");
    }
}

#[test]
fn what_is_not_understood_is_written_again() {
    let text = "[Event \"\u{e9}\\\\ \\\" q\"]\n[Odd_Tag \"\"]\n\n1. e4 xyzzy { [%foo 1,2]  x } e5 2. Ke3 Nf6\n(2... Nc6 $3) {z} 3. Nf3 *";
    let game = &games(text.as_bytes())[0];
    let written = Writer::new().write(game);
    assert_eq!(
        written,
        "[Event \"\u{e9}\\\\ \\\" q\"]\n[Odd_Tag \"\"]\n\n\
        1. e4 xyzzy { [%foo 1,2]  x } 1... e5 2. Ke3 Nf6\n(2... Nc6 $3) {z} 3. Nf3 *"
    );
    let latin = b"[White \"M\xfcller\"]\n\n1. e4 {gr\xfc\xdfe} *";
    let mut writer = Writer::new();
    games(latin)[0].visit(&mut writer);
    assert_eq!(writer.take(), [&latin[..], b"\n\n"].concat());
    assert_eq!(
        games(latin)[0].headers.get("White").as_deref(),
        Some("Müller")
    );
    let lines = &games(b"1. e4 ; rest } of line\n%escape\n1... e5 ; e *")[0];
    let written = Writer::moves_only().write(lines);
    assert_eq!(
        written,
        "1. e4\n; rest } of line\n%escape\n1... e5 { e *} *"
    );
}

#[test]
fn results_and_variations() {
    check(
        "1. e4 1-0 e5 *",
        &["1. e4 e5 1-0"],
        &[
            "1:11 moves after the result",
            "1:14 the game has a result already",
        ],
    );
    check(
        "[Result \"0-1\"]\n\n1. e4 1/2 {agreed}",
        &["1. e4 1/2-1/2"],
        &["3:7 the result here is 1/2-1/2, but the tag says 0-1"],
    );
    check(
        "1. e4 (1. d4 (1. c4 d5) d5) e5 ) *",
        &["1. e4 (1. d4 d5) (1. c4 d5) 1... e5 *"],
        &["1:32 no variation is open here"],
    );
    check(
        "(1. e4) 1. d4 ((1. c4)) ( 1. b4",
        &["(1. e4) 1. d4 ((1. c4)) (1. b4) *"],
        &[
            "1:1 a variation must follow the move that it replaces",
            "1:16 a variation must follow the move that it replaces",
            "1:32 a variation has no closing parenthesis",
            "1:32 the game ends without a result",
        ],
    );
}

/// What is lost in variations, or is wrong with the result, does not concern the main line.
#[test]
fn main_lines_are_whole_or_not() {
    for (text, is_whole) in [
        ("1. e4 e5 *", true),
        ("1. e4 (1. Ke3 e5) (1. d4 xyz) 1... e5 *", true),
        ("1. f3 e5 2. g4 Qh4# 1-0", true),
        ("1. e4 (1. d4) Ke3 *", false),
        ("1. e4 xyz e5 *", false),
        ("[Variant \"x\"]\n\n1. e4 *", false),
    ] {
        let read = games(format!("1. a3 xyz *\n\n{text}").as_bytes());
        let whole: Vec<bool> = read.iter().map(|game| game.is_whole).collect();
        assert_eq!(whole, [false, is_whole], "{text}");
    }
}

/// A result ends a game, whether or not the next one has tags or numbers.
#[test]
fn games_without_tags() {
    for text in [
        "1. e4 e5 1-0\n1. d4 d5 0-1\n1. c4 *\n1. b4 1/2-1/2\n",
        "1. e4 e5 1-0 1. d4 d5 0-1 1. c4 * 1. b4 1/2-1/2",
        "e4 e5 1-0\nd4 d5 0-1\nc4 *\nb4 1/2-1/2\n",
        "e4 e5\n1-0\nd4 d5\n0-1\n\nc4 *\r\nb4 1/2",
    ] {
        let games = ["1. e4 e5 1-0", "1. d4 d5 0-1", "1. c4 *", "1. b4 1/2-1/2"];
        check(text, &games, &[]);
    }
    let written = |text: &str| -> Vec<String> {
        let games = games(text.as_bytes());
        games
            .iter()
            .map(|game| Writer::moves_only().write(game))
            .collect()
    };
    assert_eq!(
        written("{a} e4 1-0 {b}\n{c}\n{d} d4 *\n"),
        ["{a} 1. e4 {b} {c} 1-0", "{d} 1. d4 *"]
    );
    // Nothing is lost where the variant is unknown.
    assert_eq!(written("[Variant \"x\"]\n\n{a} e4 1-0"), ["{a} e4 1-0"]);
    check(
        "1. e4 1-0\n1... e5 2. Nf3\nNc6 *",
        &["1. e4 e5 2. Nf3 Nc6 1-0"],
        &[
            "2:6 moves after the result",
            "2:12 moves after the result",
            "3:1 moves after the result",
            "3:5 the game has a result already",
        ],
    );
}

#[test]
fn results_against_the_board() {
    check(
        "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0",
        &["1. f3 e5 2. g4 Qh4# 1-0"],
        &["3:21 the result is 1-0, but on the board the game ends 0-1 by checkmate"],
    );
    check(
        "[White \"x\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4#",
        &["1. f3 e5 2. g4 Qh4# 1-0"],
        &[
            "4:20 the game ends without a result",
            "2:1 the result is 1-0, but on the board the game ends 0-1 by checkmate",
        ],
    );
    check(
        "[FEN \"7k/5Q2/8/6K1/8/8/8/8 w - - 0 1\"]\n[Result \"1/2-1/2\"]\n\n1. Kg6 {x} 1-0",
        &["1. Kg6 1-0"],
        &[
            "4:12 the result here is 1-0, but the tag says 1/2-1/2",
            "4:12 the result is 1-0, but on the board the game ends 1/2-1/2 by stalemate",
        ],
    );
    // However a tag writes its result.
    for tag in ["1/2", "1/2-1/2 ", " 1/2-1/2"] {
        let tag = format!("[Result \"{tag}\"]\n\n");
        let moves = "1. e4 e5 1/2-1/2";
        check(&format!("{tag}{moves}"), &[moves], &[]);
        assert_eq!(read(&format!("{tag}1. e4 e5 1-0")).1.len(), 1, "{tag}");
    }
    check("[Result \"* \"]\n\n1. e4 1-0", &["1. e4 1-0"], &[]);
    // Where moves are missing, the board is not the one at the end of the game.
    for text in [
        "1. f3 e5 2. g4 Qh4# *",
        "1. f3 e5 2. g4 Qh4# (2... Qh4) 0-1",
    ] {
        assert!(
            !read(text)
                .1
                .iter()
                .any(|text| text.contains("on the board"))
        );
    }
    assert_eq!(read("1. f3 e5 2. g4 Qh4# 3. Ke2 1-0").1.len(), 1);
}

#[test]
fn editing() {
    let mut game = Tree::default();
    let m = |from, to| Some(Move::normal(from, to));
    let root = game.root();
    let e4 = game.add_line(root, [m(Square::E2, Square::E4)]);
    let d4 = game.add_line(root, [m(Square::D2, Square::D4)]);
    let c4 = game.add_line(root, [m(Square::C2, Square::C4), m(Square::E7, Square::E5)]);
    let c4 = game.parent(c4).unwrap_or(root);
    let text = |game: &Tree| Writer::moves_only().write(game);
    assert_eq!(text(&game), "1. e4 (1. d4) (1. c4 e5) *");
    game.promote(c4);
    assert_eq!(text(&game), "1. e4 (1. c4 e5) (1. d4) *");
    game.demote(e4);
    assert_eq!(text(&game), "1. c4 (1. e4) (1. d4) 1... e5 *");
    game.promote_to_main(d4);
    assert_eq!(text(&game), "1. d4 (1. c4 e5) (1. e4) *");
    game.remove(c4);
    game.remove(root);
    assert_eq!(text(&game), "1. d4 (1. e4) *");
}

#[test]
fn lines_are_shorter_than_80_columns() {
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(30);
    let game = &games(format!("{moves}*").as_bytes())[0];
    let written = Writer::new().without_headers().write(game);
    assert!(
        written
            .lines()
            .all(|line| line.len() < 80 && line.len() > 70 || line.ends_with('*'))
    );
}

/// What is read from what was written is written alike, and nothing is lost on the way.
#[test]
fn what_is_written_reads_the_same() {
    for (text, problems) in [
        ("% for a program\n; with a } \n1. e4 *", &[][..]),
        ("1-0\n%after\n", &[]),
        ("{c} 1. e4 ($2 1. d4) 1... e5 *", &[]),
        (
            "{c} ch (1. d4) *",
            &["1:8 a variation must follow the move that it replaces"],
        ),
        (
            "{c} 1. e * (1. d4)",
            &[
                "1:8 \"e\" is not a move",
                "1:12 a variation must follow the move that it replaces",
            ],
        ),
        (
            "1. e4 e5 (1... e (1. d4)) *",
            &[
                "1:16 \"e\" is not a move",
                "1:18 a variation must follow the move that it replaces",
            ],
        ),
    ] {
        let (_, found) = read(text);
        assert_eq!(found, problems, "{text}");
        let written = |text: &str| -> Vec<String> {
            let games = games(text.as_bytes());
            games.iter().map(|game| Writer::new().write(game)).collect()
        };
        let once = written(text);
        assert_eq!(once.len(), 1, "{text}");
        assert_eq!(written(&once[0]), once, "{text}");
        let kept = |text: &str| {
            let mut letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
            letters.sort_unstable();
            letters
        };
        let redundant = text.replace("ch ", "");
        // Games that would be read as a part of the game before them have a tag.
        let once = once[0].trim_start_matches("[Event \"?\"]");
        assert_eq!(kept(once), kept(&redundant), "{text}");
    }
}

/// They annotate nothing, but neither they nor the moves after them are lost.
#[test]
fn glyphs_before_the_first_move() {
    for (text, written) in [
        ("$1 1. e4 *", "$1 1. e4 *"),
        ("! 1. e4 *", "! 1. e4 *"),
        ("!\n{x} $10 1. e4 *", "! {x} $10 1. e4 *"),
        ("{c} ?? 1. e4 *", "{c} $4 1. e4 *"),
        ("$1 $2 e4 *", "$1 $2 1. e4 *"),
        ("$1 *", "$1 *"),
    ] {
        for tags in ["", "[Event \"x\"]\n\n"] {
            let text = format!("{tags}{text}");
            let read = games(text.as_bytes());
            assert_eq!(read.len(), 1, "{text}");
            let again = Writer::new().write(&read[0]);
            assert!(again.ends_with(written), "{text}: {again}");
            let read = games(again.as_bytes());
            assert_eq!(read.len(), 1, "{again}");
            assert_eq!(Writer::new().write(&read[0]), again);
        }
    }
    assert!(games(b"!?\n").is_empty());
    for (text, second) in [
        ("1. e4 *\n\n$2 1. d4 1-0\n", "$2 1. d4 1-0"),
        ("1. e4 *\n\n{c} $2 1. d4 1-0\n", "{c} $2 1. d4 1-0"),
        ("[Event \"x\"]\n\n1. e4 1-0\n\n! $3 d4 *\n", "! $3 1. d4 *"),
    ] {
        let read = games(text.as_bytes());
        assert_eq!(read.len(), 2, "{text}");
        assert!(Writer::new().write(&read[1]).ends_with(second), "{text}");
    }
    assert_eq!(games(b"1. e4 *\n$2\n").len(), 1);
}

/// A game without tags that begins with text that is no move would be passed over.
#[test]
fn text_before_a_game_without_tags() {
    let written = |text: &[u8]| Writer::new().write(&games(text)[0]);
    let once = written(b"1 e e4 *");
    assert_eq!(once, "[Event \"?\"]\n\ne 1. e4 *");
    assert_eq!(written(once.as_bytes()), once);
    for text in ["1~ (", "*tex\u{12} ", "…\u{2}?\nO-O \n\n[Si"] {
        let once = written(text.as_bytes());
        assert_eq!(written(once.as_bytes()), once, "{text}");
    }
    // Moves begin a game themselves, also after another one.
    for text in ["1. e5 *", "{c} 1. e4 *", "e5 1-0", "{c} e5 *"] {
        assert!(!written(text.as_bytes()).contains('['), "{text}");
    }
    let other = "1. c4 1-0\n\n";
    for text in [
        "*",
        "{c} *",
        "{c} e 1. e4 *",
        "(1. e4) 1. d4 *",
        "{a} {b} 1. e4 *",
        "2. Ke5 *",
        "% x\n1. e4 *",
    ] {
        let once = written(text.as_bytes());
        assert!(once.starts_with("[Event \"?\"]\n\n"), "{text}: {once}");
        let read = games(format!("{other}{once}").as_bytes());
        assert_eq!(read.len(), 2, "{text}");
        assert_eq!(Writer::new().write(&read[1]), once);
    }
}

/// The number before a word that is no move is kept with it, if it is one.
#[test]
fn numbers_before_unread_words() {
    let written = |text: &str| Writer::moves_only().write(&games(text.as_bytes())[0]);
    for (text, once) in [
        ("1. e4 e5 2. Ke4 *", "1. e4 e5 2. Ke4 *"),
        ("1. e4 e5 2.\nKe4 *", "1. e4 e5 2.\nKe4 *"),
        ("1. e4 e5 $5 Ke4 *", "1. e4 e5 $5 Ke4 *"),
        (
            "1. e4 e5 $12345678              Ke4 *",
            "1. e4 e5 $12345678 Ke4 *",
        ),
        ("1. e4 e5 $2 0-0 *", "1. e4 e5 $2 0-0 *"),
        ("1. e4 (1. d4 $2 Ke5) *", "1. e4 (1. d4 $2 Ke5) *"),
        ("1. d4 Ke5 0-1 a5 Nc2 1-0", "1. d4 Ke5 a5 Nc2 0-1"),
        ("1. d4 Ke5 1/2-1/2 a5 1-0", "1. d4 Ke5 a5 1/2-1/2"),
        ("1. e4 e5 ; see 5\nKe4 *", "1. e4 e5 { see 5} Ke4 *"),
        ("1. e4 e5\n% 5\nKe4 *", "1. e4 e5\n% 5\nKe4 *"),
    ] {
        assert_eq!(written(text), once, "{text}");
        assert_eq!(written(once), once);
    }
}

/// A word that begins with digits is kept whole, if it is no move after its number.
#[test]
fn digits_of_unread_words() {
    for word in ["1–0", "0–1", "1-0.", "1:0", "1/2-1/2.", "12-13", "1—0"] {
        let report = format!("1:17 {word:?} is not a move");
        let moves = format!("1. e4 e5 2. Nf3 {word} *");
        check(&moves, &[&moves], &[&report]);
    }
    check("1e4 1...e5 2Nf3 *", &["1. e4 e5 2. Nf3 *"], &[]);
}

/// Words of several lines begin where their first line fits.
#[test]
fn unread_text_of_several_lines() {
    let moves = "Ke4 Nf3 Nc6 Bb5 a6 ".repeat(4);
    let text = format!("1. e4 e5 2. Ke5\n{moves}\n1-0 Ke5 *");
    let written = |text: &str| Writer::new().write(&games(text.as_bytes())[0]);
    let once = written(&text);
    assert!(once.contains("1. e4 e5 2. Ke5\nKe4"), "{once}");
    assert_eq!(written(&once), once);
}

/// Pieces of text that are read as one line afterwards are laid out as that line is.
#[test]
fn pieces_of_text_among_the_tags() {
    for text in [
        "[Site \"x\"]\n\n1[A \"b\"]. Nf3 f6 *",
        "[FEN \"\n\n8/8/8\r\n/8 w - - 0 1\"]\n\n1. Nd3 Ng6 *",
        "[Variant \"x\"]\n\n GDgd 1. Nd3 (1. g3 g6) Nd6 2. P/BQ *\n{",
        "[Site \"x\"]\n\n1. Nf3\u{feff} f6 *",
        "[Site \"x\"]\n\n1. 8=Q+ Kd7 2. Nf3 (2. e4 e5) *",
        "[Site \"x\"]\n\n1. a?8=Q+ Kd7 2. Nf3 (2. e4 e5) *",
    ] {
        let written = |text: &str| Writer::new().write(&games(text.as_bytes())[0]);
        let once = written(text);
        assert_eq!(written(&once), once, "{text}");
    }
}

/// What a variation that cannot be read leaves open does not take its closing parenthesis in.
#[test]
fn unread_variations_that_leave_something_open() {
    for text in [
        "1. e4 ({c} 1. Qxf7+ ;1-0)\n) e5 *",
        "1. e4 ({c} 1. Qxf7+ (;1-0\n)) e5 *",
        "1. e4 ({c} 1. Ke5 {a) e5 *",
    ] {
        let written = |text: &str| Writer::new().write(&games(text.as_bytes())[0]);
        let once = written(text);
        let twice = written(&once);
        assert_eq!(twice, once, "{text}");
    }
}

/// Blanks take the place of both bytes of a line break before what is like a tag.
#[test]
fn tags_in_comments_after_line_breaks_of_two_bytes() {
    let text = b"[Event \"x\"]\r\n\r\n1. e4 {a\r\n[SetUp \"1\"]\r\nb} *\r\n";
    let once = Writer::moves_only().write(&games(text)[0]);
    assert_eq!(once, "1. e4 {a  [SetUp \"1\"]\r\nb} *");
}

/// As the standard has it, `?` is unknown and `-` is none; then most likely it is chess.
#[test]
fn variants_that_are_unknown() {
    for value in ["?", "-", "", " "] {
        let message = format!("1:1 the moves are read as chess: {value:?} names no variant");
        check(
            &format!("[Variant \"{value}\"]\n\n1. e4 *"),
            &["1. e4 *"],
            &[&message],
        );
    }
    // The last tag counts.
    let text = "[Variant \"Atomic\"]\n[Variant \"?\"]\n\n1. e4 *";
    assert_eq!(
        games(text.as_bytes())[0].start.map(|start| start.variant()),
        Some(Variant::Standard)
    );
    check(
        "[Variant \"?\"]\n[Variant \"Atomic\"]\n\n1. e4 *",
        &["1. e4 *"],
        &[],
    );
    let (games, problems) = read("[Variant \"Bughouse\"]\n\n1. e4 *");
    assert_eq!(games, ["1. e4 *"]);
    assert_eq!(
        problems,
        ["1:1 the moves are skipped: unknown variant \"Bughouse\""]
    );
}

/// A second tag `Event` begins a game, however it is written.
#[test]
fn events_without_a_blank() {
    for blank in ["", " ", "\t"] {
        let text = format!("[Event \"a\"]\n[Event{blank}\"b\"]\n\n1. e4 *");
        assert_eq!(games(text.as_bytes()).len(), 2, "{text}");
    }
}

/// One byte of Latin-1 changes nothing of the UTF-8 around it, nor where lines end.
#[test]
fn mixed_encodings() {
    let mut text = b"1. e4 {\xe9 \x80} ".to_vec();
    text.extend("{→ é} ".repeat(12).bytes());
    text.extend(b"*");
    let once = Writer::new().write(&games(&text)[0]);
    assert!(
        once.contains("{é \u{80}}") && once.contains("{→ é}"),
        "{once}"
    );
    assert_eq!(Writer::new().write(&games(once.as_bytes())[0]), once);
}

#[test]
fn a_name_of_a_tag_that_no_reader_takes_does_not_end_the_tags() {
    let names = [
        ("White.Elo", "White_Elo"),
        ("White Rating (est.)", "White_Rating__est__"),
        ("\u{c9}mile", "__mile"),
        ("W/E", "W_E"),
        ("", "_"),
    ];
    for (name, written) in names {
        let mut game = games(b"1. e4 e5 2. Nf3 *")[0].clone();
        game.headers.set(name, "] 1-0");
        let again = &games(Writer::new().write(&game).as_bytes())[0];
        assert_eq!(
            again.headers.get(written).as_deref(),
            Some("] 1-0"),
            "{name:?}"
        );
        assert_eq!(again.main_line(again.root()).count(), 3, "{name:?}");
    }
}

/// What is set is what is read, here and by programs that take the first tag of a name.
#[test]
fn a_tag_that_is_set_is_there_once() {
    let text = b"[White \"A\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[White \"B\"]\n\
        [FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n[Black \"C\"]\n\n1. Kd2 *";
    let mut game = games(text)[0].clone();
    assert_eq!(game.headers.get("White").as_deref(), Some("B"));
    game.headers.set("White", "D");
    assert_eq!(game.headers.get("White").as_deref(), Some("D"));
    let start = game.position(game.end(game.root())).unwrap();
    game.headers.set_start(&start);
    assert_eq!(game.headers.start(), Ok(start));
    let names: Vec<String> = game
        .headers
        .iter()
        .map(|(name, _)| name.to_string())
        .collect();
    assert_eq!(names, ["White", "FEN", "Black", "SetUp"]);
    game.headers.set("Round", "1");
    assert_eq!(game.headers.len(), 5);
}

#[test]
fn the_start_of_a_game_is_that_of_its_tags() {
    let mut game = games(b"1. e4 *")[0].clone();
    let horde = AnyPosition::start(engine_core::Variant::Horde);
    game.set_start(horde);
    let again = &games(Writer::new().write(&game).as_bytes())[0];
    assert_eq!((game.start, again.start), (Some(horde), Some(horde)));
    // The root is no move that a comment could stand before.
    assert_eq!(game.starting_comments_mut(game.root()), None);
    let first = game.children(game.root())[0];
    assert!(game.starting_comments_mut(first).is_some());
}

/// The mode is that of the castling rights, as in python-chess.
#[test]
fn chess960_of_variants_is_known_by_castling_rights() {
    use engine_core::{CastlingMode, Variant};
    for (variant, number, mode) in [
        (Variant::Standard, 518, CastlingMode::Chess960),
        (Variant::Standard, 0, CastlingMode::Chess960),
        (Variant::Atomic, 518, CastlingMode::Standard),
        (Variant::Atomic, 0, CastlingMode::Chess960),
        (Variant::Antichess, 0, CastlingMode::Standard),
    ] {
        let start = AnyPosition::chess960_of(variant, number).unwrap();
        let written = Writer::new().write(&Tree::new(start));
        let read = games(written.as_bytes())[0].start.unwrap();
        assert_eq!(read.mode(), mode, "{variant} {number}");
        assert_eq!(read.fen(), start.fen(), "{variant} {number}");
        assert_eq!(
            read.legal_moves(),
            start.legal_moves(),
            "{variant} {number}"
        );
    }
}
