//! The index of many games: a table of the games, and one each by player and by opening.

use super::skeleton::Page;
use crate::report::{Player, Review};
use crate::summary::{Sums, Total};
use common::error::Result;
use diagram::parts::Escaped;
use std::fmt::Write as _;

const PAGE: Page = Page {
    body: "",
    scripts: &[include_str!("../../assets/index.js")],
    has_pieces: false,
};

const BEGIN: &str = "<main class=\"index\">
<header><h1>Games</h1><button type=\"button\" id=\"colors\">Dark</button></header>
<section aria-labelledby=\"by-game\"><h2 id=\"by-game\">By game</h2>
<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"by-game\"><table>
<thead><tr><th scope=\"col\">Game</th><th scope=\"col\">White</th><th scope=\"col\">Black</th><th scope=\"col\">Result</th><th scope=\"col\">Date</th><th scope=\"col\">Opening</th><th scope=\"col\">Moves</th><th scope=\"col\">Accuracy of White</th><th scope=\"col\">of Black</th></tr></thead>
<tbody>
";

/// An index that is written game by game. Only the sums of the games are held in memory.
#[derive(Default)]
pub(crate) struct Index {
    sums: Sums,
}

impl Index {
    /// The part of the page before the first game.
    ///
    /// # Errors
    /// When the page cannot be written.
    pub(crate) fn begin() -> Result<Vec<u8>> {
        let mut out = Vec::new();
        PAGE.begin("Games", &mut out)?;
        out.extend_from_slice(BEGIN.as_bytes());
        Ok(out)
    }

    /// The row of a game with its page.
    pub(crate) fn row(&mut self, review: &Review, page: &str) -> String {
        self.sums.add(review);
        let mut row = String::from("<tr>");
        let number = review.game;
        let _ = write!(
            row,
            "<td class=\"number\"><a href=\"{}\">{number}</a></td>",
            Escaped(page)
        );
        let date = review.tags.get("Date").unwrap_or_default();
        let opening = review.opening.as_ref().map_or("", |opening| opening.name);
        for text in [
            &review.white.name,
            &review.black.name,
            &review.result,
            &*date,
            opening,
        ] {
            let _ = write!(row, "<td>{}</td>", Escaped(text));
        }
        let moves = review.white.moves.max(review.black.moves);
        let _ = write!(row, "<td class=\"number\">{moves}</td>");
        for Player { accuracy, .. } in [&review.white, &review.black] {
            let _ = write!(row, "<td class=\"number\">{}</td>", percent(*accuracy));
        }
        row.push_str("</tr>\n");
        row
    }

    /// The part of the page after the last game.
    ///
    /// # Errors
    /// When the page cannot be written.
    pub(crate) fn end(&self) -> Result<Vec<u8>> {
        let mut text = String::from("</tbody></table></div></section>\n");
        table(
            "By player",
            ["Player", "Score"],
            self.sums.players(),
            &mut text,
        );
        let heads = ["Opening", "Score of White"];
        table("By opening", heads, self.sums.openings(), &mut text);
        text.push_str("</main>\n");
        let mut out = text.into_bytes();
        PAGE.end(&mut out)?;
        Ok(out)
    }
}

fn table<'a>(
    title: &str,
    [noun, score]: [&str; 2],
    rows: impl Iterator<Item = (&'a str, &'a Total)>,
    text: &mut String,
) {
    let id = title.to_ascii_lowercase().replace(' ', "-");
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "<section aria-labelledby=\"{id}\"><h2 id=\"{id}\">{title}</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"{id}\"><table>\n<thead><tr><th scope=\"col\">{noun}</th>"
    );
    for head in [
        "Games",
        score,
        "Accuracy",
        "Average loss",
        "Inaccuracies",
        "Mistakes",
        "Blunders",
    ] {
        let _ = write!(text, "<th scope=\"col\">{head}</th>");
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for (name, total) in rows {
        let _ = write!(text, "<tr><td>{}</td>", Escaped(name));
        // Games without evaluations have unknown mistakes, not none.
        let is_judged = total.accuracy().is_some();
        let judged = |number: u64| {
            if is_judged {
                number.to_string()
            } else {
                String::new()
            }
        };
        let numbers = [
            total.games.to_string(),
            percent(total.score()),
            percent(total.accuracy()),
            total
                .average_loss()
                .map_or(String::new(), |loss| format!("{loss:.0}")),
            judged(total.inaccuracies),
            judged(total.mistakes),
            judged(total.blunders),
        ];
        for number in numbers {
            let _ = write!(text, "<td class=\"number\">{number}</td>");
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div></section>\n");
}

/// `87.5 %`, or nothing.
fn percent(number: Option<f64>) -> String {
    number.map_or(String::new(), |number| format!("{number:.1} %"))
}
