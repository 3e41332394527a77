//! Values of the options of engines.

/// The value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of a spin.
    Number(i64),
    /// Of a check.
    Flag(bool),
    /// Of a combo or a text.
    Text(String),
    /// A button has been pressed.
    Pressed,
}
