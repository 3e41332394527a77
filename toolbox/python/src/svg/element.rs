//! Elements of a picture.

use arrayvec::ArrayVec;
use diagram::parts::Escaped;
use engine_core::Square;
use engine_core::notation::float;
use std::borrow::Cow;
use std::fmt::{self, Display, Write};

/// The most attributes that an element has: those of an arrow's shaft.
const MAX_ATTRIBUTES: usize = 9;

/// One element with its attributes.
#[derive(Clone, PartialEq, Debug)]
pub struct Element<'a> {
    /// The name of the tag.
    pub tag: &'static str,
    /// Names and values.
    pub attributes: ArrayVec<(&'static str, AttributeValue<'a>), MAX_ATTRIBUTES>,
}

impl<'a> Element<'a> {
    /// An element with some attributes, to which others may come.
    pub(super) fn new<const N: usize>(
        tag: &'static str,
        attributes: [(&'static str, AttributeValue<'a>); N],
    ) -> Element<'a> {
        let attributes = attributes.into_iter().collect();
        Element { tag, attributes }
    }

    /// Adds attributes.
    pub(super) fn with<const N: usize>(
        mut self,
        attributes: [(&'static str, AttributeValue<'a>); N],
    ) -> Element<'a> {
        self.attributes.extend(attributes);
        self
    }

    /// Adds the opacity if there is something to see through.
    pub(super) fn with_opacity(self, opacity: f64) -> Element<'a> {
        if opacity < 1.0 {
            self.with([("opacity", opacity.into())])
        } else {
            self
        }
    }

    /// Adds it to a text.
    pub(super) fn write(&self, text: &mut String) {
        text.push('<');
        text.push_str(self.tag);
        for (name, value) in &self.attributes {
            write_attribute(name, value, text);
            if *name == "href" {
                // Readers of SVG 1.1 look for this name.
                write_attribute("xlink:href", value, text);
            }
        }
        text.push_str("/>");
    }
}

fn write_attribute(name: &str, value: &AttributeValue<'_>, text: &mut String) {
    text.push(' ');
    text.push_str(name);
    text.push_str("=\"");
    value.write(text);
    text.push('"');
}

/// The value of an attribute.
#[derive(Clone, PartialEq, Debug)]
pub enum AttributeValue<'a> {
    /// Any text.
    Text(Cow<'a, str>),
    /// A whole number.
    Whole(i32),
    /// Words of which a square is the last.
    WithSquare(&'static str, Square),
}

impl AttributeValue<'_> {
    /// Adds it to a text, with what XML reserves as entities.
    fn write(&self, text: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            AttributeValue::Text(value) => write!(text, "{}", Escaped(value)),
            _ => write!(text, "{self}"),
        };
    }
}

impl Display for AttributeValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttributeValue::Text(text) => f.write_str(text),
            AttributeValue::Whole(number) => number.fmt(f),
            AttributeValue::WithSquare(words, square) => write!(f, "{words} {square}"),
        }
    }
}

impl From<String> for AttributeValue<'_> {
    fn from(text: String) -> Self {
        AttributeValue::Text(text.into())
    }
}

impl<'a> From<&'a str> for AttributeValue<'a> {
    fn from(text: &'a str) -> Self {
        AttributeValue::Text(text.into())
    }
}

impl From<i32> for AttributeValue<'_> {
    fn from(number: i32) -> Self {
        AttributeValue::Whole(number)
    }
}

impl From<f64> for AttributeValue<'_> {
    fn from(number: f64) -> Self {
        float(number).into()
    }
}
