use engine_core::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    if a[1] == "suite" {
        let cap: u64 = a[3].parse().unwrap();
        let mode = if a[2].contains("960") {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        let mut pos: Option<Position> = None;
        let (mut n, mut bad) = (0, 0);
        for line in std::fs::read_to_string(&a[2]).unwrap().lines() {
            if let Some(f) = line.strip_prefix("epd ") {
                let s = Setup::from_fen(f).unwrap();
                pos = Some(match Position::from_setup(&s, mode) {
                    Ok(p) => p,
                    Err(e) => {
                        println!("{f}: {e}");
                        e.ignore(Faults::PLAYABLE).unwrap()
                    }
                });
            } else if let Some(p) = line.strip_prefix("perft ") {
                let mut it = p.split_whitespace();
                let d: u32 = it.next().unwrap().parse().unwrap();
                let want: u64 = it.next().unwrap().parse().unwrap();
                if want > cap {
                    continue;
                }
                let got = perft(&pos.unwrap(), d);
                n += 1;
                if got != want {
                    bad += 1;
                    println!("BAD {d} {got} {want}\n{:?}", pos.unwrap());
                }
            }
        }
        println!("{n} lines {bad} bad");
        return;
    }
    let d: u32 = a[1].parse().unwrap();
    let s = Setup::from_fen(&a[2]).unwrap();
    let p: Position = Position::from_setup(&s, CastlingMode::Standard).unwrap();
    let t = std::time::Instant::now();
    let n = perft(&p, d);
    let e = t.elapsed().as_secs_f64();
    println!("{n} {:.1} Mnps", n as f64 / e / 1e6);
}
