//! Queries that are read, refused, and asked.

use super::Query;
use crate::read_tree;

const GAME: &str = "[White \"Kortschnoj, Viktor\"]\n[Black \"Tal, M\"]\n[WhiteElo \"2600\"]\n\
    [BlackElo \"2550\"]\n[Date \"1974.05.??\"]\n[Result \"0-1\"]\n\n\
    1. f3 e5 2. g4 (2. e4 Bc5) Qh4# 0-1";

fn holds(query: &str, game: &str) -> bool {
    let query = Query::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    query.matches(&read_tree(game.as_bytes()).unwrap().0)
}

fn check(game: &str, yes: &[&str], no: &[&str]) {
    for query in yes {
        assert!(holds(query, game), "{query}");
    }
    for query in no {
        assert!(!holds(query, game), "{query}");
    }
}

#[test]
fn tags() {
    check(
        GAME,
        &[
            "White ~ \"^kort\"",
            "Black = 'Tal, M' and result = black",
            "player ~ tal and winner ~ tal and not loser ~ tal",
            "White sounds Kortsnoy",
            "WhiteElo >= 2600 and elo >= 2550 and BlackElo != 2600",
            "Date < 1975 and Date >= 1974.05 and year = 1974",
            "White ~ x or (Black ~ \"tal\" and plies = 4)",
            "NOT White = x",
            "has Date and ends checkmate and has variations",
            "eco = A00 and opening ~ barnes",
            "variant = standard and variant != atomic",
        ],
        &[
            "White = Kortschnoj",
            "Date >= 1974.06",
            "Date > 1974.05",
            "Annotator = x",
            "Annotator != x",
            "elo >= 2600",
            "ends stalemate or has underpromotion or has repetition or has fifty or has setup",
            "White !~ kort",
        ],
    );
}

/// An en passant square where no pawn can take is none.
#[test]
fn repetitions() {
    let game = "[FEN \"4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1\"]\n\n\
        1. d4 Kf8 2. Kb1 Ke8 3. Ka1 Kf8 4. Kb1 Ke8 5. Ka1 *";
    check(
        game,
        &[
            "ends repetition",
            "has repetition",
            "fen \"4k3/8/8/8/3Pp3/8/8/K3R3 b - -\"",
        ],
        &[],
    );
    let atomic = "[Variant \"Atomic\"]\n\n1. e4 *";
    check(
        atomic,
        &[
            "fen startpos",
            "fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\"",
        ],
        &["key 463b96181691fc9c"],
    );
    let crazyhouse = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 *";
    check(
        crazyhouse,
        &["fen \"rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR[P] b KQkq -\""],
        &["fen \"rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq -\""],
    );
    let horde = "[Variant \"Horde\"]\n\n*";
    check(
        horde,
        &["fen startpos"],
        &["fen \"8/8/8/8/8/8/8/K1k5 w - -\""],
    );
}

#[test]
fn values_of_tags() {
    let holds = |query: &str, value: &str| {
        let game = format!("[WhiteElo \"{value}\"]\n[Date \"{value}\"]\n[Round \"{value}\"]\n\n*");
        let (game, _) = crate::read_tree(game.as_bytes()).expect("a game");
        Query::parse(query).expect(query).matches(&game)
    };
    for (query, met, unmet) in [
        ("Date = \"????.??.??\"", "????.??.??", "2024.01.01"),
        ("Date = \"2024.??.??\"", "2024.??.??", "2024.01.??"),
        ("Date > 2020", "2021.??.??", "????.??.??"),
        // What is no date is compared as written.
        ("Date = \"24.05.2024\"", "24.05.2024", "2024.05.24"),
        ("Date != \"24.05.2024\"", "2024.05.24", "24.05.2024"),
        ("Date = 20240501", "20240501", "2024.05.01"),
        ("Date = 2024.13.45", "2024.13.45", "2024.12.45"),
        ("Round = \"1.1\"", "1.1", "1.10"),
        ("Round > 1.9", "1.10", "1.8"),
        ("Round < 1.9", "1.8", "1.10"),
        ("Round < 10", "9.2", "10.1"),
        ("Round = Nan", "Nan", "nan"),
        ("Round = inf", "inf", "Infinity"),
        ("Round != inf", "Infinity", "inf"),
        ("Round < 0", "-3", "+3"),
        ("Round > 1", "1.0", "1"),
        ("WhiteElo = 2400.0", "2400", "2400.5"),
        ("WhiteElo >= 2400.0", "2400", "2399.99"),
        ("WhiteElo > 2399.5", "2400", "2399"),
        ("WhiteElo < 0.25", "0.125", "0.3"),
        ("WhiteElo = 0", "-0.0", "-1"),
        ("WhiteElo = ?", "?", "2400"),
        ("WhiteElo != -", "2400", "-"),
        ("Round > -3", "-2", "-4"),
        ("WhiteElo > 900", "2700", "?"),
        ("WhiteElo < 900", "+800", "-"),
        ("Round != 777", "Tal", "777"),
        ("Round != 777", "778", "0777"),
        ("WhiteElo != 2600", "?", "2600"),
        ("not Round >= 777 and not Round < 777", "Tal", "777"),
        ("Date != 2024", "2023.??.??", "2024.01.01"),
        ("Date != 2024", "2023.12.31", "????.??.??"),
        ("Date != 2024.05", "2024.06.??", "2024.??.??"),
        ("not Date = 2024.05", "2024.??.??", "2024.05.??"),
        ("Date >= 1851", "1851.00.00", "0000.00.00"),
        ("Date != 1851.05", "1851.06.00", "1851.00.00"),
        ("not Date < 1851.05", "1851.00.00", "1851.04.00"),
        ("Date = 1851.00", "1851.00.00", "1851.01.00"),
        ("year < 2000", "1999.??.??", "0000.12.31"),
        // What is no date has no year, whatever digits it begins with.
        ("year < 2000", " 1999.05.01", "24.05.2024"),
        ("year > 4000", "5000.01.01", "20240501"),
        ("Date < 1975", " 1974.05.01", "24.05.2024"),
    ] {
        assert!(holds(query, met), "{query} {met}");
        assert!(!holds(query, unmet), "{query} {unmet}");
    }
}

#[test]
fn two_tags() {
    let holds = |query: &str, (white, black): (&str, &str)| {
        let game = format!(
            "[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\
             [EventDate \"{white}\"]\n[Date \"{black}\"]\n\n*"
        );
        self::holds(query, &game)
    };
    for (query, met, unmet) in [
        ("WhiteElo < BlackElo", ("900", "2100"), ("2100", "900")),
        (
            "WhiteElo >= BlackElo",
            ("2100.0", "2100"),
            ("2100", "2100.5"),
        ),
        ("WhiteElo != BlackElo", ("900", "2100"), ("?", "2100")),
        ("not WhiteElo = BlackElo", ("900", "?"), ("900", "+900")),
        (
            "EventDate < Date",
            ("1999.12.??", "2000.01.01"),
            ("2000.01.01", "2000.??.??"),
        ),
        (
            "EventDate = Date",
            ("1999.12.1", "1999.12.01"),
            ("1999.12.??", "1999.12.??"),
        ),
        (
            "EventDate != Date",
            ("1999.12.01", "1999.12.02"),
            ("1999.12", "1999.12.02"),
        ),
        (
            "Date <= EventDate",
            ("1999.12.01", "1999.11.00"),
            ("1999.11", "1999.00.01"),
        ),
    ] {
        assert!(holds(query, met), "{query} {met:?}");
        assert!(!holds(query, unmet), "{query} {unmet:?}");
    }
    check(
        GAME,
        &["White != Black", "White = Black or White < Tal"],
        &["WhiteElo < WhiteUSCF"],
    );
}

#[test]
fn moves() {
    check(
        GAME,
        &[
            "line \"1. f3 e5 2. g4 Qh4#\"",
            "line \"f3 * g4|g3\"",
            "line \"f3 !d5\"",
            "line \"g4 e5 f3\" any order",
            "played \"g4 Qh4\"",
        ],
        &[
            "line \"g4 e5 f3\"",
            "line \"f3 !e5\"",
            "line \"f3 e5 g4 Qh4 a3\"",
            "line \"g4 e5 f4\" any order",
            "line \"g4 Qh4 f3 !e5\" any order",
            "played \"e5 Qh4\"",
        ],
    );
}

#[test]
fn positions() {
    check(
        GAME,
        &[
            "fen startpos",
            "fen \"rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq -\"",
            "fen rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR",
            "key 463b96181691fc9c",
            "board \"*/*/*/????p???/*/*/*/*\"",
            "board \"*/*/*/*/????P???/*/*/*\" mirrored in plies 2",
            "board \"rnb_kbnr/pppp1ppp/*/*/*q/*/*/[^Bn]*\"",
            "board \"*/*/*/*/???[^Pp][^_n]???/*/*/*\" mirrored",
            "board \"*/*/*/*/*Pq/?????P??/*/*\"",
            "check and reaches (check and turn = white and pieces >= 32)",
            "material \"QR2B2N2P8 v QR2B2N2P8\" for 5 plies",
            "material \"L4P+..vQ=H3..\" in moves 2..",
            "material \"R*Q*L4P4..8 v P8..\"",
            "not check in plies ..3",
        ],
        &[
            "fen \"rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR b KQkq -\"",
            "board \"*/*/*/????P???/*/*/*/*\"",
            "board \"*/*/*/*/[^_]*/*/*/*\"",
            "material KQvKQ",
            "material \"Q2..vQ..\"",
            "material \"P#..vP..\"",
            "material \"P>..v..\"",
            "check in moves 1",
            "check for 2 plies",
        ],
    );
    let game = "[FEN \"8/P7/8/8/8/8/8/K1k3r1 b - - 0 1\"]\n\n1... Rg8 2. a8=R Rxa8#";
    check(
        game,
        &[
            "material RvR as black",
            "material RvP",
            "material \"R v P1>=\" as black",
            "has underpromotion and has promotion and has setup",
            "ends checkmate and pieces = 3",
        ],
        &["material RvP as white", "material \"R v P1<=\""],
    );
}

#[test]
fn what_the_help_shows_can_be_asked() {
    const COLUMN: usize = 44;
    let mut asked = 0;
    for line in super::HELP.lines() {
        let is_test =
            |line: &&str| line.starts_with("  ") && line.get(COLUMN - 1..COLUMN) == Some(" ");
        let Some(tests) = Some(line)
            .filter(is_test)
            .and_then(|line| line.get(2..COLUMN))
        else {
            continue;
        };
        for test in tests.trim().split("  ").filter(|test| !test.is_empty()) {
            let test = match test {
                _ if test.contains("...") => continue,
                "\"Q..vQ..\"" => "material \"Q..vQ..\"",
                test => test.trim(),
            };
            assert!(
                Query::parse(test).is_ok(),
                "{test}: {:?}",
                Query::parse(test)
            );
            asked += 1;
        }
    }
    assert!(asked > 30);
}

#[test]
fn faults_have_a_place_and_a_reason() {
    for (query, column, reason) in [
        ("", 1, "a test"),
        ("White", 6, "sounds"),
        ("White = ", 9, "a value"),
        ("White = a or", 13, "a test"),
        ("White = a b", 11, "and, or, or the end"),
        ("(White = a", 11, ")"),
        ("white = a", 1, "capital letter"),
        ("White ~ \"(\"", 9, "unclosed group"),
        ("White = \"a", 9, "not closed"),
        ("ends happily", 6, "stalemate"),
        ("line \"e4 §\"", 6, "not a move"),
        ("material KRP", 10, "a v between"),
        ("material KXvK", 10, "'X'"),
        ("material KR99vK", 10, "too many"),
        ("board 8/8", 7, "8 ranks"),
        ("board 9/8/8/8/8/8/8/8", 7, "rank 8"),
        ("board 8/8/8/8/8/8/8/7", 7, "rank 1"),
        ("fen x", 5, ""),
        ("key xyz", 5, "hexadecimal"),
        ("check in hours 3", 10, "moves or plies"),
        ("check in moves x", 16, "a range"),
        ("check in moves 40..20", 16, "empty range"),
        ("check for 0 plies", 11, "at least 1 ply"),
        ("check for 99999999999999 plies", 11, "at most 9 digits"),
        (
            "check in moves 18446744073709551615..0",
            16,
            "at most 9 digits",
        ),
        ("reaches (White = x)", 10, "fen, key"),
        ("plies = x", 9, "a whole number"),
        ("plies = 2.5", 9, "a whole number"),
        ("year = -1", 8, "a whole number"),
        ("year != 99999999999", 9, "a whole number"),
        ("elo >= -3", 8, "a whole number"),
        ("WhiteElo < abc", 12, "a number, or a tag"),
        ("WhiteElo < Date", 12, "a number, or a tag"),
        ("WhiteElo > ?", 12, "a number, or a tag"),
        ("WhiteElo = blackElo", 12, "a number, or a tag"),
        ("WhiteElo < \"2400 Elo\"", 12, "a number, or a tag"),
        ("Date < abc", 8, "a date such as"),
        ("Date < 1999.??", 8, "a date such as"),
        ("Date < \"24.05.2024\"", 8, "a date such as"),
        ("Date >= 20240501", 9, "a date such as"),
        ("Date > 2024.13.45", 8, "a date such as"),
        ("Date = \"Nov 2020\"", 8, "a date such as"),
        ("White sounds Лев", 14, "Latin letters"),
    ] {
        let error = Query::parse(query).unwrap_err();
        assert!(error.reason.contains(reason), "{query}: {error}");
        assert_eq!(error.column, column, "{query}: {error}");
    }
    let deep = "(".repeat(100_000);
    assert!(Query::parse(&deep).unwrap_err().reason.contains("100"));
    assert!(Query::parse(&"not ".repeat(100_000)).is_err());
}
