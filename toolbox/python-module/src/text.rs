//! Python's texts, which may have lone surrogates: Rust's cannot.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::borrow::Cow;
use std::ops::{Deref, RangeInclusive};

/// A text to be read. Each lone surrogate U+Dxxx is replaced by a character U+*Dxxx of a plane that
/// has no such characters in the text, usually the private-use character U+10Dxxx.
pub(crate) struct PyText<'a> {
    text: Cow<'a, str>,
    /// The plane, if there are surrogates.
    plane: Option<u32>,
}

/// The planes of Unicode for private use, then those without printable characters.
const PLANES: RangeInclusive<u32> = 4..=16;

impl PyText<'_> {
    /// A message in which parts of the text are quoted, with the surrogates as Python quotes them.
    pub(crate) fn restore_surrogates(&self, message: String) -> String {
        match self.plane {
            Some(plane) => message.replace(&escape(plane), r"\ud"),
            None => message,
        }
    }

    /// A part of the text for Python, with its surrogates.
    pub(crate) fn part<'py>(&self, py: Python<'py>, part: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some(plane) = self.plane else {
            return Ok(PyString::new(py, part).into_any());
        };
        let code = |character: char| match character as u32 {
            code if code & !0x7ff == (plane << 16 | 0xd800) => code & 0xffff,
            code => code,
        };
        let bytes: Vec<u8> = part.chars().flat_map(|c| code(c).to_le_bytes()).collect();
        PyBytes::new(py, &bytes).call_method1("decode", ("utf-32-le", "surrogatepass"))
    }
}

/// How Python quotes the replaced surrogates, up to the last three digits.
fn escape(plane: u32) -> String {
    format!(r"\U{plane:04x}d")
}

impl Deref for PyText<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl<'a> From<&'a str> for PyText<'a> {
    fn from(text: &'a str) -> PyText<'a> {
        PyText {
            text: Cow::Borrowed(text),
            plane: None,
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for PyText<'a> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<PyText<'a>> {
        match object.extract::<Cow<'a, str>>() {
            Ok(text) => Ok(PyText { text, plane: None }),
            Err(error) if !object.is_instance_of::<PyString>() => Err(error),
            Err(_) => {
                let bytes = object.call_method1("encode", ("utf-32-le", "surrogatepass"))?;
                let bytes = bytes.extract::<Vec<u8>>()?;
                let (codes, _) = bytes.as_chunks::<4>();
                let codes: Vec<u32> = codes.iter().copied().map(u32::from_le_bytes).collect();
                let (text, plane) = replace_surrogates(&codes);
                Ok(PyText {
                    text: Cow::Owned(text),
                    plane: Some(plane),
                })
            }
        }
    }
}

/// The text of these code points with its surrogates replaced, and the plane of the characters in
/// their place.
fn replace_surrogates(codes: &[u32]) -> (String, u32) {
    let others: String = codes.iter().copied().filter_map(char::from_u32).collect();
    // Neither as a character nor written as an escape.
    let is_free = |&plane: &u32| {
        let same_digits = (plane << 4 | 0xd) << 12;
        let is_other = |character: char| character as u32 & !0xfff != same_digits;
        others.chars().all(is_other) && !others.contains(&escape(plane))
    };
    // A text that uses all planes is only quoted and kept wrongly.
    let plane = PLANES.rev().find(is_free).unwrap_or(*PLANES.end());
    let character = |&code| char::from_u32(code).or_else(|| char::from_u32(plane << 16 | code));
    (codes.iter().filter_map(character).collect(), plane)
}
