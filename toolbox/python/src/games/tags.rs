//! Tag pairs by lines.

use engine_core::notation::is_blank;
use indexmap::IndexMap;
use pgn::{Headers, ROSTER};

/// The tags that are on some lines, in the order of python-chess.
pub fn headers_of(lines: &str) -> Headers {
    let mut headers = headers(tags_of(lines).collect());
    headers.put_roster_first();
    headers
}

/// The tags as pairs. A tag that comes again has its place where it was first, and the last value:
/// so does a key of a map, which finds it at once among however many.
fn headers(tags: IndexMap<&str, &str>) -> Headers {
    let mut headers = Headers::new();
    for (name, value) in tags {
        headers.push(name.as_bytes(), value.as_bytes());
    }
    headers
}

/// The tags that are on some lines, after those that every game has.
pub(super) fn roster_and(lines: &str) -> Headers {
    headers(ROSTER.into_iter().chain(tags_of(lines)).collect())
}

/// The names and values of the lines that are tag pairs.
pub fn tags_of(lines: &str) -> impl Iterator<Item = (&str, &str)> {
    lines.split_inclusive('\n').filter_map(tag)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_tags_take_no_long_time() {
        let mut lines = "[Event \"a\"]\n[Note \"b\"]\n[Event \"c\"]\n".to_owned();
        lines.extend((0..200_000).map(|number| format!("[T{number} \"\"]\n")));
        let headers = roster_and(&lines);
        assert_eq!(headers.len(), ROSTER.len() + 1 + 200_000);
        assert_eq!(headers.get("Event").as_deref(), Some("c"));
        let names: Vec<String> = headers_of(&lines)
            .iter()
            .take(3)
            .map(|(name, _)| name.to_str().into_owned())
            .collect();
        assert_eq!(names, ["Event", "Note", "T0"]);
    }
}
