//! The skeleton of all pages.

use super::carried::Carried;
use super::json::json;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::error::Result;
use diagram::parts::{Escaped, define_piece};
use engine_core::Role;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::io::Write;

/// A kind of page.
pub(crate) struct Page {
    pub(super) body: &'static str,
    pub(super) scripts: &'static [&'static str],
    /// Whether boards are drawn.
    pub(super) has_pieces: bool,
}

const STYLE: &str = include_str!("../../assets/style.css");
/// The script that all pages use.
const COMMON: &str = include_str!("../../assets/page.js");
/// The elements around the data of a page.
pub(crate) const DATA: [&str; 2] = [
    "<script type=\"application/json\" id=\"facts\">",
    "</script>\n",
];

/// The same for an engine.
const CARRIED: &str = "<script type=\"application/json\" id=\"carried\">";
/// The script that drives the embedded engine and shows its output.
const CLIENT: &str = include_str!("../../assets/engine.js");
const LIVE: &str = include_str!("../../assets/live.js");

impl Page {
    /// Writes a page with its data and, maybe, an engine.
    ///
    /// # Errors
    /// When writing fails.
    pub(crate) fn write(
        &self,
        title: &str,
        facts: &impl Serialize,
        engine: Option<&Carried>,
        out: &mut impl Write,
    ) -> Result {
        let [begin, end] = DATA;
        let script = self.script(engine);
        self.begin_with(title, &script, engine.is_some(), out)?;
        for part in [begin, &json(facts)?, end] {
            out.write_all(part.as_bytes())?;
        }
        if let Some(engine) = engine {
            for part in [CARRIED, &engine.data, end] {
                out.write_all(part.as_bytes())?;
            }
        }
        end_with(&script, out)
    }

    /// Writes what comes before the data.
    ///
    /// # Errors
    /// When writing fails.
    pub(crate) fn begin(&self, title: &str, out: &mut impl Write) -> Result {
        self.begin_with(title, &self.script(None), false, out)
    }

    fn begin_with(
        &self,
        title: &str,
        script: &str,
        has_engine: bool,
        out: &mut impl Write,
    ) -> Result {
        // A worker of a page that is a file can be of no other origin than a blob.
        let [compiles, works] = if has_engine {
            [" 'wasm-unsafe-eval'", "; worker-src blob:"]
        } else {
            [""; 2]
        };
        let title = Escaped(title);
        write!(
            out,
            "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'{compiles}{works}; base-uri 'none'; form-action 'none'\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
",
            hash(STYLE),
            hash(script)
        )?;
        if self.has_pieces {
            out.write_all(pieces().as_bytes())?;
        }
        Ok(out.write_all(self.body.as_bytes())?)
    }

    /// Writes what comes after the data.
    ///
    /// # Errors
    /// When writing fails.
    pub(crate) fn end(&self, out: &mut impl Write) -> Result {
        end_with(&self.script(None), out)
    }

    /// All scripts as one, in which nothing is global.
    fn script(&self, engine: Option<&Carried>) -> String {
        let live = engine.map(|engine| [CLIENT, &engine.glue, LIVE]);
        let parts: String = std::iter::once(COMMON)
            .chain(self.scripts.iter().copied())
            .chain(live.into_iter().flatten())
            .collect();
        format!("\"use strict\";\n{{\n{parts}}}\n")
    }
}

fn end_with(script: &str, out: &mut impl Write) -> Result {
    write!(out, "<script>{script}</script>\n</body>\n</html>\n")?;
    Ok(())
}

/// The hash of a script or a style for the content security policy.
fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}

/// The pieces, to be used by their names.
fn pieces() -> String {
    let mut text =
        "<svg class=\"store\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>".to_owned();
    for role in Role::ALL {
        define_piece(role, &mut text);
    }
    text + "</defs></svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{GAME, TRAINER};

    #[test]
    fn nothing_breaks_out() {
        let text = json(&"</script><!-- <b> \" ' & \u{2028}").unwrap();
        assert!(!text.contains('<'));
        let read: String = serde_json::from_str(&text).unwrap();
        assert!(read.contains("</script>"));
        let mut page = Vec::new();
        GAME.begin("</title><script>", &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"));
    }

    #[test]
    fn the_policy_names_what_is_there() {
        for page in [GAME, TRAINER] {
            let mut text = Vec::new();
            page.begin("", &mut text).unwrap();
            page.end(&mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            let (_, script) = text.rsplit_once("<script>").unwrap();
            let (script, _) = script.split_once("</script>").unwrap();
            assert!(text.contains(&format!("script-src 'sha256-{}'", hash(script))));
            assert!(!script.contains("innerHTML"));
        }
        let folder = super::super::carried::tests::package(b"\0asm");
        let engine = Carried::open(folder.path()).unwrap();
        let mut text = Vec::new();
        GAME.write("", &(), Some(&engine), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let script = GAME.script(Some(&engine));
        let policy = format!(
            "'sha256-{}' 'wasm-unsafe-eval'; worker-src blob:; base",
            hash(&script)
        );
        assert!(text.contains(&policy) && script.contains("/* glue */"));
        assert!(text.contains("id=\"carried\">{\"worker\":\"'\\u003cb>'\""));
        assert_eq!(hash(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
