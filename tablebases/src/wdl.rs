//! Values of positions.

use std::fmt;
use std::ops::Neg;

/// The value of a position for the side to move, as if the last move had been a capture or pawn
/// move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(i8)]
pub enum Wdl {
    /// Lost.
    Loss = -2,
    /// Lost, but the fifty-move rule saves it.
    BlessedLoss = -1,
    /// Drawn.
    Draw = 0,
    /// Won, but for the fifty-move rule.
    CursedWin = 1,
    /// Won.
    Win = 2,
}

impl Wdl {
    /// All five, the worst first.
    pub const ALL: [Wdl; 5] = [
        Wdl::Loss,
        Wdl::BlessedLoss,
        Wdl::Draw,
        Wdl::CursedWin,
        Wdl::Win,
    ];

    /// `-2` for a loss to `2` for a win.
    #[inline(always)]
    pub const fn number(self) -> i8 {
        self as i8
    }

    /// The value with this number, `-2` to `2`.
    #[inline]
    pub const fn from_number(number: i32) -> Option<Wdl> {
        match number {
            -2 => Some(Wdl::Loss),
            -1 => Some(Wdl::BlessedLoss),
            0 => Some(Wdl::Draw),
            1 => Some(Wdl::CursedWin),
            2 => Some(Wdl::Win),
            _ => None,
        }
    }

    /// The value without regard to the fifty-move rule: a cursed win is a win.
    pub const fn uncursed(self) -> Wdl {
        match self {
            Wdl::Win | Wdl::CursedWin => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss | Wdl::BlessedLoss => Wdl::Loss,
        }
    }

    /// The value that counts over the board: a cursed win is a draw.
    pub const fn under_fifty_moves(self) -> Wdl {
        match self {
            Wdl::Win => Wdl::Win,
            Wdl::Loss => Wdl::Loss,
            _ => Wdl::Draw,
        }
    }

    /// The DTZ of a position with this value whose best move is a capture or pawn move.
    pub const fn dtz_before_zeroing(self) -> i32 {
        match self {
            Wdl::Loss => -1,
            Wdl::BlessedLoss => -101,
            Wdl::Draw => 0,
            Wdl::CursedWin => 101,
            Wdl::Win => 1,
        }
    }

    /// The value that a DTZ stands for, the counter of the fifty-move rule being zero.
    pub const fn of_dtz(dtz: i32) -> Wdl {
        match dtz {
            i32::MIN..=-101 => Wdl::BlessedLoss,
            -100..=-1 => Wdl::Loss,
            0 => Wdl::Draw,
            1..=100 => Wdl::Win,
            101..=i32::MAX => Wdl::CursedWin,
        }
    }

    /// In words: `win` to `loss`.
    pub const fn name(self) -> &'static str {
        match self {
            Wdl::Loss => "loss",
            Wdl::BlessedLoss => "blessed loss",
            Wdl::Draw => "draw",
            Wdl::CursedWin => "cursed win",
            Wdl::Win => "win",
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Neg for Wdl {
    type Output = Wdl;

    #[inline]
    fn neg(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }
}
