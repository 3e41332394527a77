//! What the engine declares in answer to `protover`.

use crate::options::{Spec, TABLE};
use common::ENGINE_NAME;
use engine_core::Variant;

/// The command that defines a variant which xboard does not know: pieces, board, start position, and the
/// variant whose rules it is nearest to. With `normal` as that one, xboard would play chess: it would
/// never send a second engine the name of the variant.
pub(super) fn setup(variant: Variant) -> Option<String> {
    let parent = match variant {
        Variant::Antichess => "giveaway",
        Variant::KingOfTheHill | Variant::RacingKings | Variant::Horde => "fairy",
        _ => return None,
    };
    let start = variant.start_fen();
    Some(format!("setup (PNBRQKpnbrqk) 8x8+0_{parent} {start}"))
}

/// The lines in order. Clients cut lines at 512 bytes.
pub(super) fn lines() -> Vec<String> {
    // Antichess has the XBoard name of Giveaway, but some clients use its own.
    let variants = Variant::all().map(|variant| match variant {
        Variant::Antichess => variant.uci(),
        _ => variant.xboard(),
    });
    let mut variants: Vec<&str> = variants.collect();
    // In Mola, Chess960 is a castling mode, not a variant.
    variants.insert(1, "fischerandom");
    let mut lines = vec![
        "feature ping=1 setboard=1 usermove=1 playother=1 colors=0 san=0 time=1 draw=1 reuse=1 \
         analyze=1 sigint=0 sigterm=1 debug=1 name=1 ics=1 pause=1 nps=1 memory=1 smp=1 exclude=1 \
         egt=\"syzygy,gaviota\""
            .to_owned(),
        format!(
            "feature myname=\"{ENGINE_NAME}\" variants=\"{}\"",
            variants.join(",")
        ),
    ];
    lines.extend(TABLE.iter().filter(|spec| spec.xboard).map(Spec::xboard));
    lines.push("feature done=1".to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_can_read_every_line() {
        for line in lines() {
            assert!(line.len() < 480, "{line}");
            assert!(!line.contains("\"\""), "{line}");
        }
    }
}
