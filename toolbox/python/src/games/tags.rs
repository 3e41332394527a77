//! Tag pairs by lines.

use engine_core::notation::is_blank;
use pgn::Headers;

/// The tags that are on some lines, in the order of python-chess.
pub fn headers_of(lines: &str) -> Headers {
    let mut headers = Headers::new();
    for (name, value) in tags_of(lines) {
        headers.set_raw(name.as_bytes(), value.as_bytes());
    }
    headers.put_roster_first();
    headers
}

/// The names and values of the lines that are tag pairs.
pub fn tags_of(lines: &str) -> impl Iterator<Item = (&str, &str)> {
    lines.split_inclusive('\n').filter_map(tag)
}

/// Sets the tag that is on a line, if one is.
pub(super) fn set_tag(headers: &mut Headers, line: &str) {
    if let Some((name, value)) = tag(line) {
        headers.set_raw(name.as_bytes(), value.as_bytes());
    }
}

/// The name and the value of a line that is a tag pair.
fn tag(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_end_matches(is_blank).strip_prefix('[')?;
    let text = text.strip_suffix("\"]")?;
    let is_in_name = |&byte: &u8| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(&byte);
    let name = text.bytes().take_while(is_in_name).count();
    let (name, rest) = text.split_at_checked(name)?;
    let value = rest.trim_start_matches(is_blank);
    let is_pair = name.starts_with(|c: char| c.is_ascii_alphanumeric()) && value.len() < rest.len();
    let value = value.strip_prefix('"')?;
    (is_pair && !value.contains('\r')).then_some((name, value))
}
