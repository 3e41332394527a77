//! Python's texts, which may have lone surrogates: Rust's cannot.

use pyo3::prelude::*;
use pyo3::types::PyString;
use std::borrow::Cow;
use std::ops::Deref;

/// A text to be read. In the place of each lone surrogate it has a character of no meaning: one for private
/// use whose number ends in the same digits.
pub(crate) struct Text<'a> {
    text: Cow<'a, str>,
    has_surrogates: bool,
}

impl Text<'_> {
    /// A message in which parts of the text are quoted, with the surrogates as Python quotes them.
    pub(crate) fn shown_in(&self, message: String) -> String {
        if self.has_surrogates {
            message.replace(r"\U0010d", r"\ud")
        } else {
            message
        }
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Text<'a> {
        Text {
            text: Cow::Borrowed(text),
            has_surrogates: false,
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Text<'a> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Text<'a>> {
        match object.extract::<Cow<'a, str>>() {
            Ok(text) => Ok(Text {
                text,
                has_surrogates: false,
            }),
            Err(error) if !object.is_instance_of::<PyString>() => Err(error),
            Err(_) => Ok(Text {
                text: Cow::Owned(with_marks(&object)?),
                has_surrogates: true,
            }),
        }
    }
}

/// A text with a character for each lone surrogate.
fn with_marks(text: &Bound<'_, PyAny>) -> PyResult<String> {
    const PRIVATE: u32 = 0x10_0000;
    let bytes = text.call_method1("encode", ("utf-32-le", "surrogatepass"))?;
    let bytes = bytes.extract::<Vec<u8>>()?;
    let (codes, _) = bytes.as_chunks::<4>();
    let character = |&bytes: &[u8; 4]| {
        let code = u32::from_le_bytes(bytes);
        char::from_u32(code).or_else(|| char::from_u32(PRIVATE + code))
    };
    Ok(codes.iter().filter_map(character).collect())
}
