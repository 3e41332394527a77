//! Values of the options of engines, with the types of UCI.

/// The value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// The value of a spin.
    Number(i64),
    /// The value of a check.
    Flag(bool),
    /// The value of a combo or a string.
    Text(String),
    /// A button has been pressed.
    Pressed,
}
