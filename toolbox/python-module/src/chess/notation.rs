//! Moves and positions as text.

use super::base_board::push_board;
use super::game_rules::GameRules;
use super::generate::MoveSets;
use super::moves::RawMove;
use super::play::{NoPiece, backrank, is_losing};
use super::state::{BoardState, Extra, KING, PAWN, ROOK, bit, descending, role};
use engine_core::notation::EnPassant;
use engine_core::{CastlingMode, Square, Variant};
use std::fmt::Write;

/// How a FEN is written.
#[derive(Clone, Copy)]
pub(crate) struct FenStyle {
    /// Castling rights by the files of the rooks.
    pub(crate) shredder: bool,
    /// When there is an en passant square.
    pub(crate) en_passant: EnPassant,
    /// Whether pieces that were pawns are marked; if nothing is said, where the variant needs it.
    pub(crate) promoted: Option<bool>,
}

impl BoardState {
    /// Adds the first field of a FEN: pieces that were pawns are marked where drops or the rights of
    /// kings depend on it, if nothing else is said.
    pub(crate) fn push_board_fen(
        &self,
        game: GameRules,
        promoted: Option<bool>,
        text: &mut String,
    ) {
        let is_marked = promoted.unwrap_or_else(|| match game.variant {
            Variant::Crazyhouse => true,
            variant => is_losing(variant) && self.has_chess960_castling_rights(),
        });
        push_board(&self.pieces, is_marked, text);
    }

    /// Whether there are castling rights that only Chess960 has.
    pub(crate) fn has_chess960_castling_rights(&self) -> bool {
        let rights = self.clean_castling_rights(CastlingMode::Chess960);
        rights & !(1 | 1 << 7 | 1 << 56 | 1 << 63) != 0
            || [(true, 4), (false, 60)].into_iter().any(|(color, home)| {
                let kings = self.pieces.pieces(KING, color) & !self.pieces.promoted;
                rights & backrank(color) != 0 && kings & bit(home) == 0
            })
    }

    /// Adds the fields of a FEN after that of the pieces, without the clocks.
    pub(crate) fn push_fields(
        &self,
        extra: &Extra,
        game: GameRules,
        style: FenStyle,
        text: &mut String,
    ) {
        if let Some(pockets) = extra.pockets.and_then(|_| self.setup(extra).pockets) {
            let _ = write!(text, "{pockets:?}");
        }
        text.push_str(if self.turn { " w " } else { " b " });
        self.push_castling(game.mode, style.shredder, text);
        text.push(' ');
        let is_written = match style.en_passant {
            EnPassant::Legal => self.has_legal_en_passant(extra, game),
            EnPassant::XFen => self.en_passant_takers() != 0,
            EnPassant::Always => true,
        };
        let passed = self.ep_square.filter(|_| is_written);
        match passed.and_then(|passed| Square::from_index(usize::from(passed))) {
            Some(square) => text.extend([square.file().letter(), square.rank().digit()]),
            None => text.push('-'),
        }
        if let Some([black, white]) = extra.checks {
            let _ = write!(text, " {}+{}", white.max(0), black.max(0));
        }
    }

    /// Adds the castling rights: the files of the rooks, or `k` and `q` for the outermost ones.
    fn push_castling(&self, mode: CastlingMode, shredder: bool, text: &mut String) {
        let rights = self.clean_castling_rights(mode);
        for color in [true, false] {
            let rank = backrank(color);
            let rooks = self.pieces.pieces(ROOK, color) & rank;
            let king = self.pieces.king(color);
            for rook in descending(rights & rank) {
                let beyond = match king {
                    _ if shredder => None,
                    // Rights without a king, as that was a pawn, are not written.
                    None => continue,
                    Some(king) if rook & 7 < king & 7 => Some(('q', bit(rook) - 1)),
                    Some(_) => Some(('k', !0 << rook << 1)),
                };
                let letter = match beyond {
                    Some((letter, beyond)) if rooks & beyond == 0 => letter,
                    _ => char::from(b'a' + (rook & 7)),
                };
                text.push(if color {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                });
            }
        }
        if text.ends_with(' ') {
            text.push('-');
        }
    }

    /// The FEN.
    pub(crate) fn fen(&self, extra: &Extra, game: GameRules, style: FenStyle) -> String {
        let mut text = String::with_capacity(96);
        self.push_board_fen(game, style.promoted, &mut text);
        self.push_fields(extra, game, style, &mut text);
        // Writing to a string cannot fail.
        let _ = write!(text, " {} {}", self.halfmove_clock, self.fullmove_number);
        text
    }

    /// Whether a pawn can legally capture en passant.
    pub(crate) fn has_legal_en_passant(&self, extra: &Extra, game: GameRules) -> bool {
        self.ep_square.is_some()
            && self.en_passant_takers() != 0
            && MoveSets::legal(self, extra, game).has_en_passant()
    }

    /// A move in SAN, or in long algebraic notation, without a sign of check or mate.
    pub(crate) fn algebraic(
        &self,
        extra: &Extra,
        game: GameRules,
        m: RawMove,
        long: bool,
    ) -> Result<String, NoPiece> {
        if m.is_null() {
            return Ok("--".to_owned());
        }
        let to = Square::from_index(usize::from(m.to)).ok_or(NoPiece)?;
        if let Some(dropped) = role(m.drop) {
            let letter = Some(dropped.upper()).filter(|_| m.drop != PAWN);
            return Ok(format!(
                "{}@{to}",
                letter.map(String::from).unwrap_or_default()
            ));
        }
        if self.is_castling(m) {
            let is_long = m.to & 7 < m.from & 7;
            return Ok(if is_long { "O-O-O" } else { "O-O" }.to_owned());
        }
        let piece_type = self.pieces.piece_type_at(m.from).ok_or(NoPiece)?;
        let from = Square::from_index(usize::from(m.from)).ok_or(NoPiece)?;
        let is_capture = self.is_capture(m);
        let mut text = String::with_capacity(8);
        if piece_type != PAWN {
            text.extend(role(piece_type).map(engine_core::Role::upper));
        }
        if long {
            text.push_str(&from.to_string());
        } else if piece_type != PAWN {
            self.disambiguate(extra, game, m, piece_type, &mut text);
        } else if is_capture {
            text.push(from.file().letter());
        }
        if is_capture {
            text.push('x');
        } else if long {
            text.push('-');
        }
        text.push_str(&to.to_string());
        if let Some(promotion) = role(m.promotion) {
            text.extend(['=', promotion.upper()]);
        }
        Ok(text)
    }

    /// Adds the file or rank that distinguishes a piece from others that can go to the same square.
    fn disambiguate(
        &self,
        extra: &Extra,
        game: GameRules,
        m: RawMove,
        piece_type: u8,
        text: &mut String,
    ) {
        let twins = self.pieces.pieces(piece_type, self.turn) & !bit(m.from);
        if twins == 0 {
            return;
        }
        let others = MoveSets::legal(self, extra, game).origins(m.to) & twins;
        if others == 0 {
            return;
        }
        let file = 0x0101_0101_0101_0101 << (m.from & 7);
        let rank = 0xff_u64 << (m.from / 8 * 8);
        let same_rank = others & rank != 0;
        let by_file = same_rank || others & file == 0;
        let by_rank = others & file != 0;
        if by_file {
            text.push(char::from(b'a' + (m.from & 7)));
        }
        if by_rank {
            text.push(char::from(b'1' + (m.from >> 3)));
        }
    }

    /// Whether a pseudo-legal move captures something.
    pub(crate) fn is_capture(&self, m: RawMove) -> bool {
        (bit(m.from) ^ bit(m.to)) & self.pieces.color(!self.turn) != 0 || self.is_en_passant(m)
    }

    /// Whether a pseudo-legal move is a capture or a pawn's.
    pub(crate) fn is_zeroing(&self, m: RawMove) -> bool {
        let touched = bit(m.from) ^ bit(m.to);
        touched & (self.pieces.role(PAWN) | self.pieces.color(!self.turn)) != 0 || m.drop == PAWN
    }

    /// Whether a move takes away castling rights.
    pub(crate) fn reduces_castling_rights(&self, m: RawMove, mode: CastlingMode) -> bool {
        let rights = self.clean_castling_rights(mode);
        let touched = bit(m.from) ^ bit(m.to);
        let kings = touched & self.pieces.role(KING) & !self.pieces.promoted;
        touched & rights != 0
            || [true, false]
                .into_iter()
                .any(|color| rights & backrank(color) != 0 && kings & self.pieces.color(color) != 0)
    }
}
