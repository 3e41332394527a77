//! An EPD of any variant, written and read again.
//!
//! Input: variant, castling mode, the text.

#![no_main]

use engine_core::notation::Epd;
use libfuzzer_sys::fuzz_target;
use mola_fuzz::Input;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input(bytes);
    let (variant, mode) = (input.variant(), input.mode());
    let Some(text) = input.text() else { return };
    match Epd::read(text, variant, mode) {
        Err(error) => {
            assert!((1..=text.chars().count() + 1).contains(&error.column));
            assert!(!error.to_string().is_empty());
        }
        Ok(epd) => {
            let Ok(written) = epd.write() else { return };
            // A list under an opcode that does not take lists becomes text, so only written EPDs
            // are certain to be stable.
            if let Ok(again) = Epd::read(&written, variant, mode) {
                assert_eq!(again.write().as_ref(), Ok(&written));
            }
        }
    }
});
