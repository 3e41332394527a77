//! Patterns of boards, written like a FEN with wildcards.

use engine_core::{Board, Color, Piece, Role};

/// What a square may hold, as bits: bit 0 is nothing, the others are kinds of pieces.
type Contents = u16;

const EMPTY: Contents = 1;
const ANY: Contents = (1 << 13) - 1;

fn content(piece: Piece) -> usize {
    let black = if piece.color == Color::White { 0 } else { 6 };
    1 + piece.role.index() + black
}

fn pieces_of(color: Color) -> Contents {
    let pieces = Role::ALL.map(|role| 1 << content(role.of(color)));
    pieces
        .into_iter()
        .fold(0, |all, piece: Contents| all | piece)
}

#[derive(Debug, Clone, Copy)]
enum Element {
    /// One square.
    One(Contents),
    /// Any number of squares.
    Many,
}

/// A pattern of all squares.
#[derive(Debug, Clone)]
pub(crate) struct BoardPattern {
    /// From the eighth rank.
    ranks: Box<[Vec<Element>; 8]>,
    /// The same with colours exchanged, if that counts, too.
    mirrored: Option<Box<[Vec<Element>; 8]>>,
}

impl BoardPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// Says which rank is wrong.
    pub(super) fn read(text: &str, mirrored: bool) -> Result<BoardPattern, String> {
        let ranks: Vec<Vec<Element>> = text
            .split('/')
            .enumerate()
            .map(|(index, rank)| {
                read_rank(rank)
                    .map_err(|why| format!("rank {}: {why}", 8_usize.saturating_sub(index)))
            })
            .collect::<Result<_, _>>()?;
        let count = ranks.len();
        let ranks: [Vec<Element>; 8] = ranks
            .try_into()
            .map_err(|_| format!("8 ranks with / between are expected, not {count}"))?;
        let mirrored = mirrored.then(|| {
            let mut ranks = ranks.clone();
            ranks.reverse();
            for element in ranks.iter_mut().flatten() {
                if let Element::One(contents) = element {
                    *contents = exchanged(*contents);
                }
            }
            Box::new(ranks)
        });
        Ok(BoardPattern {
            ranks: Box::new(ranks),
            mirrored,
        })
    }

    pub(super) fn matches(&self, board: &Board) -> bool {
        let mut ranks = [[EMPTY; 8]; 8];
        for (square, piece) in board.iter() {
            let index = square.index();
            let rank = ranks.get_mut(7 - index / 8);
            if let Some(square) = rank.and_then(|rank| rank.get_mut(index % 8)) {
                *square = 1 << content(piece);
            }
        }
        let fits = |pattern: &[Vec<Element>; 8]| {
            let mut pairs = pattern.iter().zip(&ranks);
            pairs.all(|(elements, rank)| rank_fits(elements, rank))
        };
        fits(&self.ranks) || self.mirrored.as_deref().is_some_and(fits)
    }
}

/// White's pieces as Black's, and the other way round.
fn exchanged(contents: Contents) -> Contents {
    let (white, black) = (pieces_of(Color::White), pieces_of(Color::Black));
    contents & EMPTY | (contents & white) << 6 | (contents & black) >> 6
}

/// Whether the squares of a rank are as the elements say: a set of the squares that can be reached
/// is moved along.
fn rank_fits(elements: &[Element], rank: &[Contents; 8]) -> bool {
    let mut reached: u16 = 1;
    for element in elements {
        reached = match element {
            Element::One(contents) => {
                let fits = rank
                    .iter()
                    .enumerate()
                    .filter(|(_, square)| **square & contents != 0);
                let fits = fits.fold(0_u16, |set, (file, _)| set | 1 << file);
                (reached & fits) << 1
            }
            Element::Many => (reached.wrapping_neg() | reached) & 0x1ff,
        };
        if reached == 0 {
            return false;
        }
    }
    reached & 0x100 != 0
}

fn read_rank(text: &str) -> Result<Vec<Element>, String> {
    let mut elements = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let one = match c {
            '1'..='8' => {
                let empty = c.to_digit(10).unwrap_or(0) as usize;
                elements.extend(std::iter::repeat_n(Element::One(EMPTY), empty));
                continue;
            }
            '*' => {
                elements.push(Element::Many);
                continue;
            }
            '[' => {
                let (class, after) = rest.as_str().split_once(']').ok_or("[ without ]")?;
                rest = after.chars();
                read_class(class)?
            }
            c => read_content(c)?,
        };
        elements.push(Element::One(one));
    }
    let least = elements
        .iter()
        .filter(|element| matches!(element, Element::One(_)))
        .count();
    let is_fixed = least == elements.len();
    match least {
        9.. => Err(format!("{least} squares")),
        0..=7 if is_fixed => Err(format!("{least} squares; * matches any number")),
        _ => Ok(elements),
    }
}

fn read_class(class: &str) -> Result<Contents, String> {
    match class.strip_prefix('^') {
        Some(class) => Ok(ANY & !read_class(class)?),
        None => class
            .chars()
            .try_fold(0, |all, c| Ok(all | read_content(c)?)),
    }
}

fn read_content(c: char) -> Result<Contents, String> {
    Ok(match c {
        '?' => ANY,
        '!' => ANY & !EMPTY,
        '_' => EMPTY,
        'A' => pieces_of(Color::White),
        'a' => pieces_of(Color::Black),
        c => match Piece::from_letter(c) {
            Some(piece) => 1 << content(piece),
            None => return Err(format!("unexpected {c:?} in a pattern")),
        },
    })
}
