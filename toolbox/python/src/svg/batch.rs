//! Records of `--batch`: the picture of `chess.svg.board`, element by element.

use super::{Element, Picture, kwargs};
use common::input::shorten;
use diagram::Diagram;
use diagram::command::squares_of;
use engine_core::{Board, Color, Setup};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A record: the pieces, and the arguments of `chess.svg.board`.
#[derive(Deserialize)]
pub(super) struct SvgQuery {
    i: Option<Value>,
    name: Option<Value>,
    fen: Option<String>,
    #[serde(default)]
    kwargs: Map<String, Value>,
}

#[derive(Serialize)]
pub(super) struct SvgReply {
    #[serde(skip_serializing_if = "Option::is_none")]
    i: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Value>,
    fen: Option<String>,
    kwargs: Map<String, Value>,
    #[serde(flatten)]
    answer: SvgAnswer,
}

#[derive(Serialize)]
#[serde(untagged)]
enum SvgAnswer {
    #[serde(rename_all = "camelCase")]
    Picture {
        ok: bool,
        view_box: String,
        width: Option<String>,
        height: Option<String>,
        els: Vec<(&'static str, Map<String, Value>)>,
        desc: Vec<String>,
        svg: String,
    },
    Error {
        ok: bool,
        error: &'static str,
        message: String,
    },
}

/// Answers one record.
pub(super) fn answer(query: SvgQuery) -> Result<SvgReply, String> {
    let board = match query.fen.as_deref() {
        Some(fen) => Some(
            Setup::from_fen(fen)
                .map_err(|error| error.to_string())?
                .board,
        ),
        None => None,
    };
    Ok(SvgReply {
        answer: draw(board.as_ref(), &query.kwargs)?,
        i: query.i,
        name: query.name,
        fen: query.fen,
        kwargs: query.kwargs,
    })
}

fn draw(board: Option<&Board>, kwargs: &Map<String, Value>) -> Result<SvgAnswer, String> {
    let mut diagram = Diagram::new(board.unwrap_or(&Board::EMPTY));
    let (mut coordinates, mut borders, mut colors) = (true, false, Vec::new());
    let mut size = None;
    for (name, value) in kwargs {
        let is_true = kwargs::flag(value);
        let no = |what: &str| format!("{name}: {} is not {what}", shorten(&value.to_string()));
        match name.as_str() {
            "orientation" => diagram.orientation = Color::from_white(is_true),
            "lastmove" | "check" if kwargs::is_none(value) => {}
            "lastmove" => {
                let text = kwargs::move_text(value).ok_or_else(|| no("a move"))?;
                diagram.last_move = squares_of(&text)?;
            }
            "check" => {
                let square = kwargs::one_square(value);
                diagram.check = Some(square.ok_or_else(|| no("a square"))?);
            }
            "arrows" => {
                diagram.arrows = kwargs::arrows(value).ok_or_else(|| no("a list of arrows"))?;
            }
            "fill" => {
                let fill = kwargs::fill(value);
                diagram.fill = fill.ok_or_else(|| no("an object of squares and colours"))?;
            }
            "squares" => {
                diagram.crosses = kwargs::squares(value).ok_or_else(|| no("a set of squares"))?;
            }
            "size" => size = kwargs::text(value),
            "coordinates" => coordinates = is_true,
            "colors" => {
                let pairs = kwargs::colors(value);
                colors = pairs.ok_or_else(|| no("an object of names and colours"))?;
            }
            "borders" => borders = is_true,
            // An empty string counts as none, as in Python.
            "style" => {
                let style = value.as_str().filter(|style| !style.is_empty());
                diagram.style = style.map(str::to_owned);
            }
            _ => {
                return Ok(SvgAnswer::Error {
                    ok: false,
                    error: "TypeError",
                    message: format!("a board has no argument {name:?}"),
                });
            }
        }
    }
    let picture = Picture {
        diagram: &diagram,
        has_board: board.is_some(),
        coordinates,
        borders,
        colors,
        size,
    };
    let side = picture.side();
    Ok(SvgAnswer::Picture {
        ok: true,
        view_box: format!("0 0 {side} {side}"),
        width: picture.size.clone(),
        height: picture.size.clone(),
        els: elements(&picture),
        desc: picture.description().into_iter().collect(),
        svg: picture.svg(),
    })
}

/// Tags and attributes in the order of the picture, without definitions and coordinates.
fn elements(picture: &Picture<'_>) -> Vec<(&'static str, Map<String, Value>)> {
    let empty = |tag| (tag, Map::new());
    let style = picture.diagram.style.is_some().then(|| empty("style"));
    let description: &[&'static str] = if picture.has_board {
        &["desc", "pre"]
    } else {
        &[]
    };
    let drawn = picture
        .elements()
        .into_iter()
        .map(|Element { tag, attributes }| {
            let attributes = attributes.into_iter();
            (
                tag,
                attributes
                    .map(|(name, value)| (name.to_owned(), Value::String(value.to_string())))
                    .collect(),
            )
        });
    style
        .into_iter()
        .chain(description.iter().copied().map(empty))
        .chain(drawn)
        .collect()
}
