use super::format::{BLOCK_GAMES, FIELDS, HEAD, HEADER, Head, Recipe};
use super::{DataWriter, SearchedPly, SelfPlayGame, read};
use common::interval::Interval;
use common::random::Random;
use engine_core::{AnyPosition, Move, Role, Square, Variant, dispatch};
use std::fs;
use std::path::Path;
use std::time::Duration;

const RECIPE: Recipe = Recipe {
    variant: Variant::Standard,
    seed: 7,
    nodes: 100,
    weights: 0x1234_5678,
};

/// A game of random moves with random scores.
fn game(variant: Variant, number: u64) -> SelfPlayGame {
    let mut random = Random::new(1, number);
    let is_chess960 = variant == Variant::Standard && number.is_multiple_of(3);
    let mut played = SelfPlayGame {
        chess960: is_chess960.then(|| random.below(960) as u16),
        result: (number % 3) as u8,
        ..SelfPlayGame::default()
    };
    let mut position = SelfPlayGame::start(variant, played.chess960);
    for ply in 0..8 + random.below(40) {
        let moves = position.legal_moves();
        let Some(&best) = moves.get(random.below(moves.len())) else {
            break;
        };
        if ply < 8 {
            played.opening.push(best);
        } else {
            let score = random.draw() as i16;
            played.plies.push(SearchedPly { best, score });
            let quiet = dispatch!(&position, |position| super::is_quiet(position, best, score));
            played.positions += u32::from(quiet);
        }
        position.play(best);
    }
    played
}

/// Adds games up to this number.
fn write(path: &Path, recipe: Recipe, games: u64) {
    let mut writer = DataWriter::open(path, recipe).unwrap();
    for number in writer.games..games {
        writer.add(&game(recipe.variant, number)).unwrap();
    }
    writer.sync().unwrap();
}

/// A file of this many games, and its bytes.
fn file(folder: &Path, recipe: Recipe, games: u64) -> (std::path::PathBuf, Vec<u8>) {
    let path = folder.join("games.data");
    write(&path, recipe, games);
    let bytes = fs::read(&path).unwrap();
    (path, bytes)
}

#[test]
fn positions_come_back_on_any_number_of_threads() {
    for variant in Variant::all() {
        let folder = tempfile::tempdir().unwrap();
        let recipe = Recipe { variant, ..RECIPE };
        let (path, _) = file(folder.path(), recipe, 200);
        let (found, packed) = read(&path, 1).unwrap();
        assert_eq!(found, variant);
        let games = || (0..200).map(|number| game(variant, number));
        let quiet: u32 = games().map(|game| game.positions).sum();
        assert_eq!(packed.len(), quiet as usize);
        assert_eq!(
            DataWriter::open(&path, recipe).unwrap().positions,
            u64::from(quiet)
        );
        assert_eq!(read(&path, 3).unwrap(), (variant, packed.clone()));
        // The pieces are those of the first game where it was quiet first.
        let first = games().find(|game| game.positions > 0).unwrap();
        let mut position: AnyPosition = SelfPlayGame::start(variant, first.chess960);
        for m in &first.opening {
            position.play(*m);
        }
        for SearchedPly { best, score } in first.plies {
            if dispatch!(&position, |position| super::is_quiet(position, best, score)) {
                let first = &packed[0];
                assert!(first.pieces().eq(position.board().iter()));
                assert_eq!(
                    (first.turn, first.score, first.result),
                    (position.turn(), score, first.result)
                );
                break;
            }
            position.play(best);
        }
    }
}

#[test]
fn a_run_in_parts_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (_, whole) = file(folder.path(), RECIPE, 150);
    let parts = folder.path().join("parts");
    for games in [0, 1, 30, 64, 65, 128, 130, 130, 20, 150] {
        write(&parts, RECIPE, games);
    }
    assert_eq!(fs::read(&parts).unwrap(), whole);
    // Wherever it was cut off.
    for length in (0..whole.len()).rev().step_by(397) {
        fs::write(&parts, &whole[..length]).unwrap();
        let writer = DataWriter::open(&parts, RECIPE).unwrap();
        assert!(
            writer.games.is_multiple_of(u64::from(BLOCK_GAMES)),
            "{length}"
        );
        drop(writer);
        assert!(read(&parts, 2).is_ok());
        write(&parts, RECIPE, 150);
        assert_eq!(fs::read(&parts).unwrap(), whole, "{length}");
    }
}

/// Whoever kills the run finds what it has written, and the same run ends with the same bytes.
#[test]
fn games_of_an_unfinished_block_are_written_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let (_, whole) = file(folder.path(), RECIPE, 100);
    let path = folder.path().join("slow");
    let mut writer = DataWriter::open(&path, RECIPE).unwrap();
    for number in 0..100 {
        // Much time has passed before this game.
        let is_late = number % 7 == 3;
        let hours = u64::from(!is_late);
        writer.since_sync = Interval::new(Duration::from_hours(hours));
        writer.add(&game(RECIPE.variant, number)).unwrap();
        if is_late {
            let bytes = fs::read(&path).unwrap();
            let other = tempfile::tempdir().unwrap();
            assert_eq!(bytes, file(other.path(), RECIPE, number + 1).1);
        }
    }
    writer.sync().unwrap();
    assert_eq!(fs::read(&path).unwrap(), whole);
}

/// Wherever a failure stops a run that adds to its last block, the games of that are there.
#[test]
fn a_block_that_is_being_lengthened_keeps_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let (_, whole) = file(folder.path(), RECIPE, 150);
    let path = folder.path().join("stopped");
    let bytes = |games| {
        let _ = fs::remove_file(&path);
        write(&path, RECIPE, games);
        (fs::read(&path).unwrap(), read(&path, 1).unwrap())
    };
    let ((before, positions), (after, _)) = (bytes(70), bytes(90));
    for length in (before.len()..=after.len()).step_by(41) {
        let stopped = [&before, &after[before.len()..length]].concat();
        fs::write(&path, stopped).unwrap();
        assert_eq!(read(&path, 2).unwrap(), positions, "{length}");
        assert_eq!(DataWriter::open(&path, RECIPE).unwrap().games, 70);
        assert_eq!(fs::read(&path).unwrap(), before);
        write(&path, RECIPE, 150);
        assert_eq!(fs::read(&path).unwrap(), whole, "{length}");
    }
    // Files and blocks behind it are no games.
    for more in [&whole[..], &whole[HEADER..]] {
        let joined = [&before, more].concat();
        fs::write(&path, &joined).unwrap();
        assert!(DataWriter::open(&path, RECIPE).is_err() && read(&path, 1).is_err());
        assert_eq!(fs::read(&path).unwrap(), joined);
    }
}

/// The numbers in the documentation of the format.
#[test]
fn variants_and_moves_have_fixed_numbers() {
    let names = [
        "chess",
        "suicide",
        "giveaway",
        "antichess",
        "atomic",
        "kingofthehill",
        "racingkings",
        "horde",
        "3check",
        "crazyhouse",
    ];
    assert!(Variant::all().map(Variant::uci).eq(names));
    for (number, name) in names.into_iter().enumerate() {
        assert_eq!(name.parse::<Variant>().unwrap() as usize, number);
    }
    let square = |index| Square::from_index(index).unwrap();
    let (from, to) = (square(4), square(63));
    let bits = |from: u16, kind: u16| from + 64 * 63 + 4096 * kind;
    assert_eq!(
        (from.to_string(), to.to_string()),
        ("e1".into(), "h8".into())
    );
    assert_eq!(Move::normal(from, to).to_bits(), bits(4, 1));
    assert_eq!(Move::en_passant(from, to).to_bits(), bits(4, 2));
    assert_eq!(Move::castle(from, to).to_bits(), bits(4, 3));
    let letters = Role::ALL.map(Role::letter);
    assert_eq!(letters, ['p', 'n', 'b', 'r', 'q', 'k']);
    for (number, role) in (0..).zip(Role::ALL) {
        assert_eq!(Move::drop(role, to).to_bits(), bits(number, 4));
        let promotion = Move::promotion(from, to, role);
        assert_eq!(promotion.to_bits(), bits(4, 5 + number));
    }
}

#[test]
fn another_recipe_or_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = file(folder.path(), RECIPE, 3);
    let refused = |recipe| DataWriter::open(&path, recipe).err().unwrap().to_string();
    let made = format!("{} was made with", path.display());
    let error = refused(Recipe { seed: 8, ..RECIPE });
    assert_eq!(error, format!("{made} another --seed or --shard"));
    let nodes = RECIPE.nodes;
    let error = refused(Recipe {
        nodes: nodes + 1,
        ..RECIPE
    });
    assert_eq!(error, format!("{made} --nodes {nodes}"));
    fs::write(&path, b"something else").unwrap();
    assert!(DataWriter::open(&path, RECIPE).is_err() && read(&path, 1).is_err());
    fs::write(&path, &whole[..20]).unwrap();
    assert_eq!(DataWriter::open(&path, RECIPE).unwrap().games, 0);
}

#[test]
fn a_flipped_byte_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = file(folder.path(), RECIPE, 150);
    let second = HEADER
        + HEAD
        + Head::from_bytes(&whole[HEADER..HEADER + HEAD])
            .unwrap()
            .length as usize;
    for at in (second..second + HEAD + 5).chain([second + 5000]) {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        fs::write(&path, &damaged).unwrap();
        for error in [read(&path, 2).err(), DataWriter::open(&path, RECIPE).err()] {
            let error = error.unwrap().to_string();
            assert!(error.contains("games.data"), "{error}");
            assert!(
                error.contains(&format!("byte {second} is damaged")),
                "{error}"
            );
        }
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
}

#[test]
fn a_flipped_bit_of_the_header_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = file(folder.path(), RECIPE, 3);
    let place = path.display();
    for at in 0..HEADER {
        for bit in 0..8 {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << bit;
            fs::write(&path, &damaged).unwrap();
            let wanted = match at {
                0..8 => format!("{place} is not a file of mola datagen"),
                // The version before had no checksum, so that a block is expected in its place.
                8 if bit == 0 => format!("{place}: the block at byte {FIELDS} is damaged"),
                _ => format!("{place}: the header is damaged"),
            };
            for error in [read(&path, 2).err(), DataWriter::open(&path, RECIPE).err()] {
                assert_eq!(error.unwrap().to_string(), wanted, "{at} {bit}");
            }
            assert_eq!(fs::read(&path).unwrap(), damaged);
        }
    }
}

/// Files of version 2, whose header has no checksum, are read, and stay such files.
#[test]
fn files_without_a_checksum_of_the_header_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let old = |bytes: &[u8]| {
        let mut old = [&bytes[..FIELDS], &bytes[HEADER..]].concat();
        old[8] = 2;
        old
    };
    let (path, whole) = file(folder.path(), RECIPE, 150);
    let positions = read(&path, 2).unwrap();
    let path = folder.path().join("old.data");
    for games in [0, 70] {
        let part = folder.path().join("part.data");
        write(&part, RECIPE, games);
        fs::write(&path, old(&fs::read(&part).unwrap())).unwrap();
        write(&path, RECIPE, 150);
        assert_eq!(fs::read(&path).unwrap(), old(&whole));
        assert_eq!(read(&path, 2).unwrap(), positions);
    }
    let mut other = whole[..HEADER].to_vec();
    other[8] = 4;
    let crc = crc32fast::hash(&other[..FIELDS]).to_le_bytes();
    other.splice(FIELDS.., crc);
    fs::write(&path, other).unwrap();
    let error = read(&path, 1).unwrap_err().to_string();
    assert!(error.contains("another version of mola datagen"), "{error}");
}

/// Bodies that were tampered with, under checksums that are right.
#[test]
fn hostile_bytes_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    for variant in [Variant::Standard, Variant::Crazyhouse, Variant::Horde] {
        let recipe = Recipe { variant, ..RECIPE };
        let (path, whole) = file(folder.path(), recipe, 20);
        let (header, rest) = whole.split_at(HEADER);
        let (head, body) = rest.split_at(HEAD);
        let head = Head::from_bytes(head).unwrap();
        let mut random = Random::new(3, 3);
        let mut refused = 0;
        for _ in 0..500 {
            let mut body = body.to_vec();
            for _ in 0..=random.below(3) {
                let at = random.below(body.len());
                body[at] = random.draw() as u8;
            }
            body.truncate(body.len() - random.below(3) * random.below(body.len()) / 2);
            let head = Head {
                length: body.len() as u32,
                crc: crc32fast::hash(&body),
                ..head
            };
            fs::write(&path, [header, &head.to_bytes(), &body].concat()).unwrap();
            refused += u32::from(read(&path, 1).is_err());
        }
        assert!(refused > 200, "{refused}");
        // Lengths from nowhere.
        for _ in 0..500 {
            let mut bytes = whole.clone();
            for _ in 0..=random.below(8) {
                let at = random.below(HEADER + HEAD + 10);
                bytes[at] = random.draw() as u8;
            }
            fs::write(&path, bytes).unwrap();
            let _ = read(&path, 1);
        }
        let head = Head {
            length: u32::MAX,
            ..head
        };
        fs::write(&path, [header, &head.to_bytes(), body].concat()).unwrap();
        assert!(read(&path, 1).is_err());
        fs::remove_file(&path).unwrap();
    }
}
