use engine_core::search::*;
use engine_core::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let driver = if a[1] == "pvs" {
        Driver::Pvs
    } else {
        Driver::Mtdf
    };
    let depth: u32 = a[2].parse().unwrap();
    let (tx, rx) = crossbeam_channel::unbounded();
    let mut pool = Pool::new(16, tx);
    if a.len() > 4 {
        pool.set_threads(a[4].parse().unwrap());
    }
    let mut total = 0;
    let t = std::time::Instant::now();
    let verbose = a.len() > 5;
    for line in std::fs::read_to_string(&a[3]).unwrap().lines().take(40) {
        let f: Vec<&str> = line.split_whitespace().take(4).collect();
        let s = Setup::from_fen(&f.join(" ")).unwrap();
        let Ok(p) = Position::from_setup(&s, CastlingMode::Standard) else {
            continue;
        };
        pool.clear();
        let o = SearchOptions {
            driver,
            ..Default::default()
        };
        let l = Limits {
            depth: Some(depth),
            ..Default::default()
        };
        pool.start(
            Root {
                position: AnyPosition::Standard(p),
                history: vec![],
            },
            l,
            o,
        );
        let mut n = 0;
        for e in &rx {
            match e {
                Event::Info(i) => {
                    n = i.nodes;
                    if verbose {
                        println!(
                            "d{} sd{} {:?} n{} {:?} {:?}",
                            i.depth, i.seldepth, i.score, i.nodes, i.time, i.pv
                        )
                    }
                }
                Event::BestMove(b) => {
                    if verbose {
                        println!("{b:?}\n")
                    };
                    break;
                }
                _ => {}
            }
        }
        total += n;
    }
    let e = t.elapsed().as_secs_f64();
    println!("{total} nodes {:.0} knps {e:.2}s", total as f64 / e / 1e3);
}
