//! Forsyth-Edwards notation, with the castling letters of X-FEN and Shredder-FEN.

use crate::rules::Rules;
use crate::{Bitboard, Color, File, Move, Piece, Position, Rank, Role, Setup, Square};
use std::fmt;

/// The largest clock or move number that is kept, so that counting on never overflows.
const MAX_COUNT: u32 = u32::MAX / 2;

/// A field of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenField {
    /// The pieces.
    Board,
    /// `w` or `b`.
    Turn,
    /// `KQkq`, rook files such as `HAha`, or `-`.
    Castling,
    /// The square that a pawn has just passed over, or `-`.
    EnPassant,
    /// Plies since the last capture or pawn move.
    Halfmoves,
    /// The number of the move.
    Fullmoves,
    /// Whatever follows.
    Rest,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Board => "board",
            FenField::Turn => "turn",
            FenField::Castling => "castling",
            FenField::EnPassant => "en passant",
            FenField::Halfmoves => "halfmove clock",
            FenField::Fullmoves => "move number",
            FenField::Rest => "rest",
        })
    }
}

/// What is wrong with a field of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenProblem {
    /// The text is blank.
    Empty,
    /// No piece has this letter.
    NotAPiece(char),
    /// Two digits follow each other.
    ConsecutiveDigits,
    /// `~` marks a promoted piece, but no piece stands before it.
    StrayPromotionMark,
    /// A rank has not eight squares.
    RankWidth,
    /// There are not eight ranks.
    RankCount,
    /// Neither `w` nor `b`.
    NotATurn,
    /// Not `-` or up to two white and then up to two black letters.
    NotCastlingRights,
    /// Not `-` or a square.
    NotASquare,
    /// Not a number.
    NotANumber,
    /// More fields than a FEN has.
    TooManyFields,
}

impl fmt::Display for FenProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenProblem::Empty => "the FEN is empty",
            FenProblem::NotAPiece(letter) => {
                return write!(f, "no piece has the letter {letter:?}");
            }
            FenProblem::ConsecutiveDigits => "two digits follow each other",
            FenProblem::StrayPromotionMark => "`~` without a piece before it",
            FenProblem::RankWidth => "a rank has not eight squares",
            FenProblem::RankCount => "there are not eight ranks",
            FenProblem::NotATurn => "expected `w` or `b`",
            FenProblem::NotCastlingRights => "expected `-` or letters such as `KQkq`",
            FenProblem::NotASquare => "expected `-` or a square such as `e3`",
            FenProblem::NotANumber => "expected a number",
            FenProblem::TooManyFields => "more fields than a FEN has",
        })
    }
}

/// One thing that is wrong with a FEN, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FenFault {
    /// The field.
    pub field: FenField,
    /// The character of the whole text, from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: FenProblem,
}

impl fmt::Display for FenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} (column {}): {}",
            self.field, self.column, self.problem
        )
    }
}

/// A text that is no FEN: the first fault of every field that has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError(Vec<FenFault>);

impl FenError {
    /// The faults, in the order of the text; there is at least one.
    pub fn faults(&self) -> &[FenFault] {
        &self.0
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bad FEN: ")?;
        let mut separator = "";
        for fault in &self.0 {
            write!(f, "{separator}{fault}")?;
            separator = "; ";
        }
        Ok(())
    }
}

impl std::error::Error for FenError {}

impl Setup {
    /// Reads a FEN. Fields from the side to move on may be missing, and any white space separates
    /// them. Castling letters are those of FEN, X-FEN (`KQkq`, the outermost rook) or Shredder-FEN
    /// (`HAha`, the rook's file). Whether the position makes sense is for
    /// [`Position::from_setup`] to say.
    ///
    /// ```
    /// use engine_core::Setup;
    ///
    /// let setup = Setup::from_fen("4k3/8/8/8/8/8/8/4K2R w K -")?;
    /// assert_eq!(setup.castling.count(), 1);
    ///
    /// let error = Setup::from_fen("4k3/8/8/8/9/8/8/4K2R x K -").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "bad FEN: board (column 11): no piece has the letter '9'; \
    ///      turn (column 22): expected `w` or `b`",
    /// );
    /// # Ok::<(), engine_core::notation::FenError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is no FEN.
    pub fn from_fen(text: &str) -> Result<Setup, FenError> {
        let mut reader = Reader {
            text,
            rest: text,
            faults: Vec::new(),
        };
        let mut setup = Setup::EMPTY;
        match reader.next() {
            Some((at, field)) => reader.board(&mut setup, at, field),
            None => reader.fault(FenField::Board, 0, FenProblem::Empty),
        }
        if let Some((at, field)) = reader.next() {
            match field {
                "w" => {}
                "b" => setup.turn = Color::Black,
                _ => reader.fault(FenField::Turn, at, FenProblem::NotATurn),
            }
        }
        if let Some((at, field)) = reader.next()
            && field != "-"
        {
            match castling_rooks(&setup, field) {
                Some(rooks) => setup.castling = rooks,
                None => reader.fault(FenField::Castling, at, FenProblem::NotCastlingRights),
            }
        }
        if let Some((at, field)) = reader.next()
            && field != "-"
        {
            match field.parse() {
                Ok(square) => setup.en_passant = Some(square),
                Err(_) => reader.fault(FenField::EnPassant, at, FenProblem::NotASquare),
            }
        }
        setup.halfmoves = reader.number(FenField::Halfmoves).unwrap_or(0);
        setup.fullmoves = reader.number(FenField::Fullmoves).unwrap_or(1).max(1);
        if let Some((at, _)) = reader.next() {
            reader.fault(FenField::Rest, at, FenProblem::TooManyFields);
        }
        if reader.faults.is_empty() {
            Ok(setup)
        } else {
            Err(FenError(reader.faults))
        }
    }
}

/// Cuts the text into fields and collects what is wrong with them.
struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    faults: Vec<FenFault>,
}

impl<'a> Reader<'a> {
    /// The next field and the byte where it begins.
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.rest.trim_start();
        let at = self.text.len() - rest.len();
        let (field, rest) = rest
            .find(char::is_whitespace)
            .and_then(|end| rest.split_at_checked(end))
            .unwrap_or((rest, ""));
        self.rest = rest;
        (!field.is_empty()).then_some((at, field))
    }

    #[cold]
    fn fault(&mut self, field: FenField, at: usize, problem: FenProblem) {
        let column = 1 + self.text.get(..at).unwrap_or(self.text).chars().count();
        self.faults.push(FenFault {
            field,
            column,
            problem,
        });
    }

    fn number(&mut self, name: FenField) -> Option<u32> {
        let (at, field) = self.next()?;
        if !field.bytes().all(|byte| byte.is_ascii_digit()) {
            self.fault(name, at, FenProblem::NotANumber);
            return None;
        }
        // What does not even fit into a u32 is more than enough too.
        Some(field.parse().unwrap_or(MAX_COUNT).min(MAX_COUNT))
    }

    fn board(&mut self, setup: &mut Setup, at: usize, field: &str) {
        if let Err((offset, problem)) = read_board(setup, field) {
            self.fault(FenField::Board, at + offset, problem);
        }
    }
}

/// Puts the pieces on the board, or tells the byte and the problem.
fn read_board(setup: &mut Setup, field: &str) -> Result<(), (usize, FenProblem)> {
    #[derive(PartialEq)]
    enum Last {
        Piece,
        Digit,
        Other,
    }
    let (mut rank, mut file) = (7, 0);
    let mut last = Last::Other;
    for (i, byte) in field.bytes().enumerate() {
        match byte {
            b'/' => {
                if file != 8 {
                    return Err((i, FenProblem::RankWidth));
                }
                if rank == 0 {
                    return Err((i, FenProblem::RankCount));
                }
                rank -= 1;
                file = 0;
                last = Last::Other;
            }
            b'1'..=b'8' => {
                if last == Last::Digit {
                    return Err((i, FenProblem::ConsecutiveDigits));
                }
                file += usize::from(byte - b'0');
                last = Last::Digit;
            }
            // Standard chess does not care which pieces were pawns.
            b'~' if last == Last::Piece => last = Last::Other,
            b'~' => return Err((i, FenProblem::StrayPromotionMark)),
            _ => {
                let Some(piece) = Piece::from_letter(char::from(byte)) else {
                    let letter = field.get(i..).and_then(|rest| rest.chars().next());
                    return Err((i, FenProblem::NotAPiece(letter.unwrap_or('\u{fffd}'))));
                };
                if file < 8 {
                    let square = Square::from_index_masked(rank * 8 + file);
                    setup.board.put(piece, square);
                }
                file += 1;
                last = Last::Piece;
            }
        }
        if file > 8 {
            return Err((i, FenProblem::RankWidth));
        }
    }
    match (rank, file) {
        (0, 8) => Ok(()),
        (_, 8) => Err((field.len(), FenProblem::RankCount)),
        _ => Err((field.len(), FenProblem::RankWidth)),
    }
}

/// The squares of the rooks that the letters mean, whether or not rooks stand there: at most two
/// white letters and then at most two black ones.
fn castling_rooks(setup: &Setup, field: &str) -> Option<Bitboard> {
    let white = field.bytes().take_while(u8::is_ascii_uppercase).count();
    if white > 2 || field.len() - white > 2 {
        return None;
    }
    let mut squares = Bitboard::EMPTY;
    for (i, letter) in field.chars().enumerate() {
        let color = Color::from_white(i < white);
        if letter.is_ascii_uppercase() != color.is_white() {
            return None;
        }
        squares |= castling_rook(setup, color, letter.to_ascii_lowercase())?;
    }
    Some(squares)
}

fn castling_rook(setup: &Setup, color: Color, letter: char) -> Option<Bitboard> {
    let backrank = color.backrank();
    let rooks = setup.board.pieces(color, Role::Rook) & backrank.bitboard();
    let king = setup.board.pieces(color, Role::King).single();
    let square = match letter {
        // Like python-chess: without any rook, `q` beside a king says nothing.
        'q' if king.is_some() && rooks.is_empty() => return Some(Bitboard::EMPTY),
        'q' => king
            .and_then(|king| rooks.first().filter(|&rook| rook < king))
            .unwrap_or(Square::new(File::A, backrank)),
        'k' => king
            .and_then(|king| rooks.last().filter(|&rook| rook > king))
            .unwrap_or(Square::new(File::H, backrank)),
        file => Square::new(File::from_letter(file)?, backrank),
    };
    Some(square.bitboard())
}

/// When an en passant square is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EnPassant {
    /// When a pawn can take there legally.
    #[default]
    Legal,
    /// When a pawn stands ready to take there, as X-FEN has it, though it may be pinned.
    XFen,
    /// After every double step, as the first FEN standard has it.
    Always,
}

/// How castling rights are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Letters {
    /// `KQkq`; the rook's file where it is not the outermost one.
    XFen,
    /// The files of the rooks, `HAha`.
    Shredder,
}

impl<R: Rules> Position<R> {
    /// The FEN, with the castling letters of X-FEN.
    ///
    /// ```
    /// use engine_core::notation::EnPassant;
    /// use engine_core::{Move, Position, Square};
    ///
    /// let mut position: Position = Position::start();
    /// position.play(Move::normal(Square::E2, Square::E4));
    /// let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    /// assert_eq!(position.fen(EnPassant::Legal), format!("{board} b KQkq - 0 1"));
    /// assert_eq!(position.fen(EnPassant::Always), format!("{board} b KQkq e3 0 1"));
    /// assert_eq!(position.shredder_fen(EnPassant::Legal), format!("{board} b HAha - 0 1"));
    /// assert_eq!(position.epd(EnPassant::Legal), format!("{board} b KQkq -"));
    /// ```
    pub fn fen(&self, en_passant: EnPassant) -> String {
        let mut text = self.four_fields(en_passant, Letters::XFen);
        self.push_clocks(&mut text);
        text
    }

    /// The FEN with the files of the rooks as castling letters.
    pub fn shredder_fen(&self, en_passant: EnPassant) -> String {
        let mut text = self.four_fields(en_passant, Letters::Shredder);
        self.push_clocks(&mut text);
        text
    }

    /// The four fields of the FEN that an EPD begins with.
    pub fn epd(&self, en_passant: EnPassant) -> String {
        self.four_fields(en_passant, Letters::XFen)
    }

    /// The en passant square if a pawn can take there legally.
    pub fn legal_en_passant(&self) -> Option<Square> {
        let passed = self.en_passant()?;
        self.en_passant_takers(passed)
            .into_iter()
            .any(|from| self.is_legal(Move::en_passant(from, passed)))
            .then_some(passed)
    }

    /// The en passant square as it is to be written.
    pub fn en_passant_if(&self, when: EnPassant) -> Option<Square> {
        self.en_passant().filter(|&passed| match when {
            EnPassant::Always => true,
            EnPassant::XFen => self.en_passant_takers(passed).any(),
            EnPassant::Legal => self.legal_en_passant().is_some(),
        })
    }

    fn four_fields(&self, en_passant: EnPassant, letters: Letters) -> String {
        let mut text = String::with_capacity(96);
        push_board(&mut text, self);
        text.push(' ');
        text.push(self.turn().letter());
        text.push(' ');
        self.push_castling(&mut text, letters);
        text.push(' ');
        match self.en_passant_if(en_passant) {
            Some(square) => push_square(&mut text, square),
            None => text.push('-'),
        }
        text
    }

    fn push_clocks(&self, text: &mut String) {
        text.push(' ');
        push_number(text, self.halfmoves());
        text.push(' ');
        push_number(text, self.fullmoves());
    }

    fn push_castling(&self, text: &mut String, letters: Letters) {
        if self.castling().is_empty() {
            text.push('-');
        }
        for color in Color::ALL {
            let board = self.board();
            let Some(king) = board.king(color) else {
                continue;
            };
            let rooks = board.pieces(color, Role::Rook) & color.backrank().bitboard();
            let mut castling = self.castling() & rooks;
            while let Some(rook) = castling.last() {
                castling -= rook.bitboard();
                let outermost = if rook > king {
                    rooks.last()
                } else {
                    rooks.first()
                };
                let letter = match letters {
                    Letters::XFen if outermost == Some(rook) && rook > king => 'k',
                    Letters::XFen if outermost == Some(rook) => 'q',
                    _ => rook.file().letter(),
                };
                text.push(if color.is_white() {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                });
            }
        }
    }
}

fn push_board<R: Rules>(text: &mut String, position: &Position<R>) {
    for rank in Rank::ALL.into_iter().rev() {
        if rank != Rank::Eighth {
            text.push('/');
        }
        let mut empty = 0;
        for file in File::ALL {
            match position.board().piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    push_empty(text, empty);
                    empty = 0;
                    text.push(piece.letter());
                }
            }
        }
        push_empty(text, empty);
    }
}

/// Adds the number of empty squares, if there are any.
fn push_empty(text: &mut String, count: u8) {
    if count > 0 {
        text.push(char::from(b'0' + count));
    }
}

fn push_square(text: &mut String, square: Square) {
    text.push(square.file().letter());
    text.push(square.rank().digit());
}

fn push_number(text: &mut String, number: u32) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}
