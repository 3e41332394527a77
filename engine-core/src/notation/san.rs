//! Standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q#`.

use super::{MoveError, MoveText, square};
use crate::rules::Rules;
use crate::{
    All, Bitboard, CastlingMode, File, Move, MoveKind, MoveSink, Position, Rank, Role, Square,
    attacks,
};

impl<R: Rules> Position<R> {
    /// A legal move in standard algebraic notation, with `+` or `#`.
    ///
    /// ```
    /// use engine_core::{Move, Position, Square};
    ///
    /// let position: Position = Position::start();
    /// assert_eq!(position.to_san(Move::normal(Square::G1, Square::F3)), "Nf3");
    /// ```
    pub fn to_san(&self, m: Move) -> MoveText {
        let mut text = MoveText::default();
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Castle => text.push_str(if to > from { "O-O" } else { "O-O-O" }),
            MoveKind::Drop(role) => {
                if role != Role::Pawn {
                    text.push_char(role.upper());
                }
                text.push(b'@');
                text.push_square(to);
            }
            MoveKind::Normal | MoveKind::EnPassant | MoveKind::Promotion(_) => {
                self.push_step(m, &mut text);
            }
        }
        self.push_check(m, &mut text);
        text
    }

    fn push_step(&self, m: Move, text: &mut MoveText) {
        let (from, to) = (m.from(), m.to());
        let role = self.board().role_on(from);
        let captures = self.is_capture(m);
        if role == Role::Pawn {
            if captures {
                text.push_char(from.file().letter());
            }
        } else {
            text.push_char(role.upper());
            self.push_origin(role, from, to, text);
        }
        if captures {
            text.push(b'x');
        }
        text.push_square(to);
        if let Some(promoted) = m.promoted() {
            text.push(b'=');
            text.push_char(promoted.upper());
        }
    }

    /// Tells the piece from others of its kind that can go to the same square: by file if that
    /// does, else by rank if that does, else by both.
    fn push_origin(&self, role: Role, from: Square, to: Square, text: &mut MoveText) {
        let rivals: Bitboard = (self.board().pieces(self.turn(), role)
            & attacks_to(role, to, self.board().occupied()))
        .into_iter()
        .filter(|&rival| rival != from && self.is_legal(Move::normal(rival, to)))
        .collect();
        if rivals.is_empty() {
            return;
        }
        let shares_file = (rivals & from.file().bitboard()).any();
        let shares_rank = (rivals & from.rank().bitboard()).any();
        if !shares_file || shares_rank {
            text.push_char(from.file().letter());
        }
        if shares_file {
            text.push_char(from.rank().digit());
        }
    }

    /// Adds `+` for check and `#` for a move that wins at once.
    pub(super) fn push_check(&self, m: Move, text: &mut MoveText) {
        let mut after = *self;
        after.play(m);
        let won = R::variant_end(&after).is_some_and(|end| end.winner.is_some());
        if won || after.in_check() {
            let mate = won || !after.has_legal_move();
            text.push(if mate { b'#' } else { b'+' });
        }
    }

    /// Reads a move in algebraic notation. What may be left out or added follows python-chess: a
    /// needless origin (`Ng1f3`), a missing `x` or `=`, `-` for `x`, a wrong or missing `+` or
    /// `#`, zeros for castling, coordinates without a piece letter. Annotations such as `!?` are
    /// not part of a move; see [`Position::parse_human`] for what a person may type.
    ///
    /// ```
    /// use engine_core::{Move, Position, Square};
    ///
    /// let position: Position = Position::start();
    /// assert_eq!(position.parse_san("Nf3"), Ok(Move::normal(Square::G1, Square::F3)));
    /// assert_eq!(position.parse_san("e2-e4"), Ok(Move::normal(Square::E2, Square::E4)));
    /// ```
    ///
    /// # Errors
    /// Says why the text is no legal move; `--` and its like are [`MoveError::Null`].
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let bytes = text.as_bytes();
        match unchecked(bytes) {
            b"O-O" | b"0-0" => return self.find_castling(true),
            b"O-O-O" | b"0-0-0" => return self.find_castling(false),
            _ => {}
        }
        match SanText::read(bytes) {
            Some(san) => self.find_san(san),
            None if matches!(text, "--" | "Z0" | "0000" | "@@@@") => Err(MoveError::Null),
            None => Err(MoveError::Syntax),
        }
    }

    pub(super) fn find_castling(&self, king_side: bool) -> Result<Move, MoveError> {
        let us = self.turn();
        let king = self.board().king(us).ok_or(MoveError::Illegal)?;
        (self.castling() & self.board().color(us))
            .into_iter()
            .filter(|&rook| (rook > king) == king_side)
            .map(|rook| Move::castle(king, rook))
            .find(|&castle| self.is_legal(castle))
            .ok_or(MoveError::Illegal)
    }

    pub(super) fn find_san(&self, san: SanText) -> Result<Move, MoveError> {
        if let (None, Some(file), Some(rank)) = (san.role, san.file, san.rank) {
            let from = Square::new(file, rank);
            let to = match self.mode() {
                CastlingMode::Standard => self.rook_of_castling(from, san.to).unwrap_or(san.to),
                // In Chess960 the king takes its rook, here as elsewhere.
                CastlingMode::Chess960 => san.to,
            };
            return self.find_move(from, to, san.promotion);
        }
        let role = san.role.unwrap_or(Role::Pawn);
        let file = match san.role {
            // A pawn without a file does not capture.
            None => Some(san.file.unwrap_or(san.to.file())),
            Some(_) => san.file,
        };
        let origins = self.board().pieces(self.turn(), role)
            & file.map_or(Bitboard::FULL, File::bitboard)
            & san.rank.map_or(Bitboard::FULL, Rank::bitboard);
        let mut matches = Matches {
            to: san.to,
            promotion: san.promotion,
            found: None,
            origins: Bitboard::EMPTY,
            promotes: false,
        };
        self.generate_within::<All, _>(origins, san.to.bitboard(), &mut matches);
        match matches.found {
            Some(m) if !matches.origins.more_than_one() => Ok(m),
            Some(_) => Err(MoveError::Ambiguous(self.candidates(&matches))),
            None if san.promotion.is_some() => Err(MoveError::Illegal),
            None if matches.promotes => Err(MoveError::NoPromotion),
            None if origins.into_iter().any(|from| self.reaches(from, san.to)) => {
                Err(MoveError::KingInCheck)
            }
            None => Err(MoveError::Illegal),
        }
    }

    #[cold]
    fn candidates(&self, matches: &Matches) -> Vec<MoveText> {
        let san = |from| match self.find_move(from, matches.to, matches.promotion) {
            Ok(m) => Some(self.to_san(m)),
            Err(_) => None,
        };
        matches.origins.into_iter().filter_map(san).collect()
    }
}

/// The squares from which a piece (not a pawn) attacks a square.
fn attacks_to(role: Role, to: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => attacks::knight(to),
        Role::Bishop => attacks::bishop(to, occupied),
        Role::Rook => attacks::rook(to, occupied),
        Role::Queen => attacks::queen(to, occupied),
        Role::King => attacks::king(to),
    }
}

/// Without the mark of check or mate.
fn unchecked(bytes: &[u8]) -> &[u8] {
    match bytes {
        [rest @ .., b'+' | b'#'] => rest,
        _ => bytes,
    }
}

/// What the text of a move says, whatever the position.
#[derive(Clone, Copy)]
pub(super) struct SanText {
    pub(super) role: Option<Role>,
    pub(super) file: Option<File>,
    pub(super) rank: Option<Rank>,
    pub(super) to: Square,
    pub(super) promotion: Option<Role>,
}

impl SanText {
    /// Reads from the end, where nothing is optional but check and promotion.
    pub(super) fn read(bytes: &[u8]) -> Option<SanText> {
        let mut rest = unchecked(bytes);
        let mut promotion = None;
        if let [before @ .., letter] = rest
            && let Some(role) = Role::from_letter(char::from(*letter))
            && role != Role::Pawn
        {
            promotion = Some(role);
            rest = match before {
                [before @ .., b'='] => before,
                _ => before,
            };
        }
        let [before @ .., to_file, to_rank] = rest else {
            return None;
        };
        let to = square(*to_file, *to_rank)?;
        rest = match before {
            [before @ .., b'x' | b'-'] => before,
            _ => before,
        };
        let mut role = None;
        if let [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'), after @ ..] = rest {
            role = Role::from_letter(char::from(*letter));
            rest = after;
        }
        let (file, rank) = match *rest {
            [] => (None, None),
            [byte] => match File::from_letter(char::from(byte)) {
                Some(file) => (Some(file), None),
                None => (None, Some(Rank::from_digit(char::from(byte))?)),
            },
            [file, rank] => (
                Some(File::from_letter(char::from(file))?),
                Some(Rank::from_digit(char::from(rank))?),
            ),
            _ => return None,
        };
        Some(SanText {
            role,
            file,
            rank,
            to,
            promotion,
        })
    }
}

/// Collects the legal moves that fit a text; castling never does.
struct Matches {
    to: Square,
    promotion: Option<Role>,
    found: Option<Move>,
    /// Where the moves that fit come from.
    origins: Bitboard,
    /// Whether one fits but for the piece it becomes.
    promotes: bool,
}

impl Matches {
    fn add(&mut self, m: Move) {
        self.found = Some(m);
        self.origins |= m.from().bitboard();
    }
}

impl MoveSink for Matches {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, to: Bitboard) {
        if to.any() && self.promotion.is_none() {
            self.add(Move::normal(from, self.to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        if to.any() && self.promotion.is_none() {
            self.add(Move::normal(origin(self.to, step), self.to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        if to.any() {
            self.promotes = true;
            if let Some(role) = self.promotion
                && role != Role::King
            {
                self.add(Move::promotion(origin(self.to, step), self.to, role));
            }
        }
    }

    #[inline(always)]
    fn single(&mut self, m: Move) {
        if !m.is_castle() && m.promoted() == self.promotion {
            self.add(m);
        }
    }
}

fn origin(to: Square, step: i8) -> Square {
    Square::from_index_masked(to.index().wrapping_sub(step as usize))
}
