//! The part of XML that SVG images need.

/// A number in the shortest form: at most two decimals, no zero before the point.
pub(super) struct Short(pub(super) f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hundredths = (self.0 * 100.0).round() as i64;
        let (sign, size) = (
            if hundredths < 0 { "-" } else { "" },
            hundredths.unsigned_abs(),
        );
        let (whole, part) = (size / 100, size % 100);
        f.write_str(sign)?;
        if whole > 0 || part == 0 {
            write!(f, "{whole}")?;
        }
        match (part / 10, part % 10) {
            (0, 0) => Ok(()),
            (tenths, 0) => write!(f, ".{tenths}"),
            (tenths, rest) => write!(f, ".{tenths}{rest}"),
        }
    }
}

/// The attribute of an element that is hidden until the animation inside it shows it.
pub(super) fn hidden(inner: &str) -> &'static str {
    if inner.is_empty() {
        ""
    } else {
        r#" visibility="hidden""#
    }
}

/// Text for elements and attributes: reserved characters are written as entities,
/// forbidden ones are left out.
pub struct Escaped<'a>(pub &'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_special = |letter| {
            matches!(
                letter,
                '&' | '<' | '>' | '"' | '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}'
            )
        };
        let is_plain = |byte| matches!(byte, b' '..=b'~') && !is_special(char::from(byte));
        if self.0.bytes().all(is_plain) {
            return f.write_str(self.0);
        }
        for part in self.0.split_inclusive(is_special) {
            let mut plain = part.chars();
            let entity = match plain.next_back() {
                Some('&') => "&amp;",
                Some('<') => "&lt;",
                Some('>') => "&gt;",
                Some('"') => "&quot;",
                Some('\n') => "\n",
                Some('\t') => "\t",
                Some(letter) if is_special(letter) => "",
                _ => {
                    f.write_str(part)?;
                    continue;
                }
            };
            f.write_str(plain.as_str())?;
            f.write_str(entity)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers() {
        for (number, text) in [
            (0.0, "0"),
            (0.5, ".5"),
            (-0.25, "-.25"),
            (7.0, "7"),
            (22.506, "22.51"),
            (-1.001, "-1"),
            (3.05, "3.05"),
        ] {
            assert_eq!(Short(number).to_string(), text);
        }
    }

    #[test]
    fn nothing_breaks_out() {
        assert_eq!(Escaped("\"<a&b>\0").to_string(), "&quot;&lt;a&amp;b&gt;");
    }
}
