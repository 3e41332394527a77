use engine_core::draw::*;
use engine_core::*;
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    for (i, name) in Theme::names().enumerate() {
        let fens = [
            "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq -",
            "r2q1rk1/2ppp2p/n1b2pp1/p1p3b1/N4PPR/8/PP1PP3/R1BQKBN1 b - -",
        ];
        let setup = Setup::from_fen(fens[i % 2]).unwrap();
        let mut d = Diagram::new(&setup.board);
        d.theme = name.parse().unwrap();
        d.last_move = Square::H5.bitboard() | Square::F7.bitboard();
        if i % 2 == 0 {
            d.check = Some(Square::E8);
            d.badges.push((Square::F7, "!!".into()));
        } else {
            d.orientation = Color::Black;
            d.badges.push((Square::H8, "?!".into()));
        }
        d.arrows = ["Gg1f3", "Rd1g4", "Yc6d4", "Bc4f7", "Gd2d4", "Re5"]
            .iter()
            .map(|t| t.parse().unwrap())
            .collect();
        d.fill.push((Square::B3, "#08f6".into()));
        d.crosses = Square::A4.bitboard();
        d.evaluation = Some(
            [
                Evaluation::Pawns(1.3),
                Evaluation::Pawns(-0.4),
                Evaluation::Mate(3),
                Evaluation::Mate(-2),
                Evaluation::Pawns(12.0),
                Evaluation::Pawns(0.0),
            ][i],
        );
        if i % 3 == 2 || i == 3 {
            let mut p = Pockets::default();
            for r in [Role::Pawn, Role::Pawn, Role::Knight, Role::Queen] {
                p.add(Color::White, r);
            }
            p.add(Color::Black, Role::Rook);
            d.pockets = Some(p);
            d.checks = Some(RemainingChecks::default());
        }
        d.caption = Some(format!("{name}: 4. Qxf7# — the scholar's mate"));
        d.size = Some(800);
        let svg = d.svg();
        println!("{name} {}", svg.len());
        std::fs::write(format!("{dir}/{name}.svg"), svg).unwrap();
    }
    let s = Setup::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").unwrap();
    let d = Diagram::new(&s.board);
    std::fs::write(format!("{dir}/plain.svg"), d.svg()).unwrap();
    println!("plain {}", d.svg().len());
    let mut c = Compat::new(&d);
    c.borders = true;
    println!("compat {}", c.svg().len());
    std::fs::write(format!("{dir}/compat.svg"), c.svg()).unwrap();
    let t = std::time::Instant::now();
    let mut n = 0;
    for _ in 0..5000 {
        n += d.svg().len();
    }
    println!("{n} {:?} per 5000", t.elapsed());
}
