//! Attack sets of sliders in one shared table, indexed by PEXT where the target has BMI2 and by "fancy"
//! magic multiplication elsewhere (<https://www.chessprogramming.org/Magic_Bitboards>).

use super::lines::{self, LineMasks};
use super::rays::{BISHOP_STEPS, ROOK_STEPS, walk};
use crate::types::{Bitboard, Square};
use core::ops::Range;

/// Where the attack sets of rooks or bishops are in the shared table, square by square. A struct of
/// arrays, since the processor indexes those in one instruction.
pub(super) struct Sliders {
    /// The relevant occupancy: the rays without their last square.
    masks: [u64; 64],
    #[cfg(not(target_feature = "bmi2"))]
    magics: [u64; 64],
    #[cfg(not(target_feature = "bmi2"))]
    shifts: [u32; 64],
    offsets: [u32; 64],
}

impl Sliders {
    /// The attack set for this occupancy.
    #[inline(always)]
    #[expect(
        unsafe_code,
        reason = "no bounds check, without rounding up the size of the table"
    )]
    pub(super) fn attacks(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let square = square.index();
        let slot = self.offsets[square] as usize + self.index(square, occupied.0);
        // SAFETY: the index is below 2 to the number of bits of the square's mask, and the function
        // `sliders`, the only one that makes a `Sliders`, asserts that all these slots are in the table.
        *unsafe { SLIDER.get_unchecked(slot) }
    }

    #[cfg(target_feature = "bmi2")]
    #[inline(always)]
    #[expect(unsafe_code, reason = "an intrinsic: 10 % more speed than magics")]
    fn index(&self, square: usize, occupied: u64) -> usize {
        // SAFETY: this function exists only where the compilation target has BMI2.
        (unsafe { core::arch::x86_64::_pext_u64(occupied, self.masks[square]) }) as usize
    }

    #[cfg(not(target_feature = "bmi2"))]
    #[inline(always)]
    const fn index(&self, square: usize, occupied: u64) -> usize {
        (occupied & self.masks[square])
            .wrapping_mul(self.magics[square])
            .wrapping_shr(self.shifts[square]) as usize
    }

    /// `index` for the nth subset of the mask in carry-rippler order, which is the order of PEXT.
    #[cfg(target_feature = "bmi2")]
    const fn index_of_nth(&self, _square: usize, nth: usize, _subset: u64) -> usize {
        let _ = self;
        nth
    }

    #[cfg(not(target_feature = "bmi2"))]
    const fn index_of_nth(&self, square: usize, _nth: usize, subset: u64) -> usize {
        self.index(square, subset)
    }
}

#[cfg_attr(
    target_feature = "bmi2",
    expect(unused_variables, reason = "PEXT needs no magic")
)]
const fn sliders(steps: &[(i8, i8)], magics: &[u64; 64], slots: Range<u32>) -> Sliders {
    let mut sliders = Sliders {
        masks: [0; 64],
        #[cfg(not(target_feature = "bmi2"))]
        magics: *magics,
        #[cfg(not(target_feature = "bmi2"))]
        shifts: [0; 64],
        offsets: [0; 64],
    };
    let mut offset = slots.start;
    let mut square = 0;
    while square < 64 {
        let rank = 0xff << (square & 0x38);
        let file = Bitboard::FILE_A.0 << (square & 7);
        let edges =
            (Bitboard::BACKRANKS.0 & !rank) | ((Bitboard::FILE_A.0 | Bitboard::FILE_H.0) & !file);
        let mask = walk(Square::ALL[square], steps, 0).0 & !edges;
        sliders.masks[square] = mask;
        #[cfg(not(target_feature = "bmi2"))]
        {
            sliders.shifts[square] = 64 - mask.count_ones();
        }
        sliders.offsets[square] = offset;
        offset += 1 << mask.count_ones();
        square += 1;
    }
    assert!(offset == slots.end && offset as usize <= SLIDER_SIZE);
    sliders
}

/// The slots of rooks in the shared table, and those of bishops.
const ROOK_SLOTS: Range<u32> = 0..102_400;
const BISHOP_SLOTS: Range<u32> = 102_400..107_648;
const SLIDER_SIZE: usize = BISHOP_SLOTS.end as usize;

pub(super) static ROOK: Sliders = sliders(&ROOK_STEPS, &ROOK_MAGICS, ROOK_SLOTS);
pub(super) static BISHOP: Sliders = sliders(&BISHOP_STEPS, &BISHOP_MAGICS, BISHOP_SLOTS);

static SLIDER: [Bitboard; SLIDER_SIZE] = {
    let mut table = [Bitboard::EMPTY; SLIDER_SIZE];
    fill(&mut table, &ROOK, &lines::ROOK);
    fill(&mut table, &BISHOP, &lines::BISHOP);
    table
};

const fn fill(table: &mut [Bitboard; SLIDER_SIZE], sliders: &Sliders, lines: &LineMasks) {
    let mut square = 0;
    while square < 64 {
        let mask = sliders.masks[square];
        let mut subset = 0u64;
        let mut nth = 0;
        loop {
            let slot = sliders.offsets[square] as usize + sliders.index_of_nth(square, nth, subset);
            let attacks = lines.attacks(Square::ALL[square], Bitboard(subset));
            // Subsets may share a slot only if they leave the same attacks, which are never none.
            let is_free = table[slot].0 == 0 || table[slot].0 == attacks.0;
            assert!(is_free, "the magics map every subset");
            table[slot] = attacks;
            if subset == mask {
                break;
            }
            subset = ((subset | !mask) + 1) & mask;
            nth += 1;
        }
        square += 1;
    }
}

// Found by random search: the first number with few bits (three random numbers joined by AND) that maps
// every subset of the mask without a destructive collision, which `fill` proves at compile time.
#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x1480026140048012, 0x02c000200241b004, 0x0680200008900080, 0x1280080084801000,
    0x0200080490020120, 0xa200048801020010, 0x0680008011000200, 0x0100002090420100,
    0x0002800040008020, 0x0000802000804000, 0x4449002001084012, 0x0001801000180080,
    0x0001000801000410, 0x8000800200040080, 0x0402000200010804, 0x02020000a2110044,
    0x0020208008400482, 0x00d0004000200040, 0x2000808020001000, 0x0400808008001000,
    0x0025010010040800, 0x080c818002000400, 0x0040140001620890, 0x300002000900a044,
    0x0000400280028020, 0x00c0500440062000, 0x0020004100102100, 0x0040100280080081,
    0x0008000880040081, 0x8002040080020080, 0x4022105400010218, 0x0080491200004084,
    0x0c00804001800028, 0x0010002008400040, 0x0900100080802000, 0x0010080080801000,
    0x0084820400800800, 0x2200040080800200, 0x0000800200800100, 0x1000008402000071,
    0x0940102040808000, 0x0000802201020040, 0x4210008020008012, 0x1420201001010008,
    0x0008000402004040, 0x0000042040080110, 0x0401902881040022, 0x03050000a0410002,
    0xc040800040002080, 0x1001004000802100, 0x000091a283420200, 0x0000200b42001200,
    0x2120040080080080, 0x0840020004008080, 0x0000093008028c00, 0x0005041081104200,
    0x1080204010800101, 0x4800108020400101, 0x8100200008410011, 0x2050082100041001,
    0x0002002110080402, 0x040a0004151008a2, 0x8220010210008804, 0x019a092401028042,
];

#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x0010100a20842e02, 0x0860080081024d88, 0x8c08221404200000, 0x0804440880030244,
    0x0010882000004812, 0x000a080248404007, 0x04814c0c20080002, 0x000021010801c000,
    0x0060400248092110, 0x1034208102108900, 0x0050312800810000, 0x10800404208c0200,
    0x0120040420846004, 0x0000051018043021, 0x1040c20082084000, 0x0400184410888800,
    0x0004004104040c10, 0x0010c00881010c00, 0x0149000802102200, 0x2000800802810006,
    0x0084041080a02020, 0x0027002201228a04, 0x0340400404144488, 0x0420203080841088,
    0x1084a01040831400, 0x0804024050101100, 0x4240320204040400, 0x8010040000440008,
    0x0008840004802014, 0x0001064022007000, 0x8434048040481401, 0x00c0808220240400,
    0x0608024200108400, 0x880c104200080200, 0x0808231000110400, 0x1000340108240100,
    0x3020008400848021, 0x202004040a004100, 0x00824c4040050800, 0x8989090d00482400,
    0x0441012860034090, 0x00210118a019ca01, 0x0104084050000810, 0x00200e2024210800,
    0x0108080104001040, 0x00400800850401a0, 0x0204010232004410, 0x0004180088200102,
    0x8100541008880048, 0x0001040082081000, 0x0408009048080000, 0x3600000084240000,
    0x0124050843040134, 0x2022200811184000, 0x00e08c0c18484000, 0x0220080090a08240,
    0x281a004202012100, 0x0040020042280408, 0x8122001020841004, 0x9101014004208824,
    0x0000000040102488, 0x4800100620041101, 0x0026040808082082, 0x0004811802008600,
];
