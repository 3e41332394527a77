//! The colours of CSS.

/// Whether a text is a colour that CSS knows: `#0f08`, a name, `rgb(…)` and its like, or `none`.
pub fn is_css_color(text: &str) -> bool {
    if let Some(digits) = text.strip_prefix('#') {
        let is_long_enough = matches!(digits.len(), 3 | 4 | 6 | 8);
        return is_long_enough && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    let text = text.to_ascii_lowercase();
    NAMES.split_ascii_whitespace().any(|name| name == text) || is_function(&text)
}

/// Whether a text is a colour written as a function, whatever its arguments mean.
fn is_function(text: &str) -> bool {
    const FUNCTIONS: &str = "rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix var";
    let Some((name, rest)) = text.split_once('(') else {
        return false;
    };
    let arguments = rest.strip_suffix(')').unwrap_or_default();
    let is_argument =
        |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "%.,+-/#()".contains(c);
    FUNCTIONS.split(' ').any(|function| function == name)
        && !arguments.trim().is_empty()
        && arguments.chars().all(is_argument)
}

/// The names of CSS Color Module Level 4, and the words that stand for a colour.
const NAMES: &str = "none transparent currentcolor
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet
    brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan
    darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta
    darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue
    darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey
    dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray
    green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush
    lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray
    lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
    lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon
    mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue
    mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin
    navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen
    paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
    rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna
    silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle
    tomato turquoise violet wheat white whitesmoke yellow yellowgreen";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors() {
        for color in [
            "#fff",
            "#0f08",
            "#a0B1c2",
            "#15781B80",
            "red",
            "RebeccaPurple",
            "none",
            "rgb(1, 2, 3)",
            "rgba(0 0 0 / 50%)",
            "hsl(120deg 10% 20%)",
        ] {
            assert!(is_css_color(color), "{color}");
        }
        for text in [
            "",
            "#",
            "#ff",
            "#12345",
            "#ggg",
            "notacolour",
            "red green",
            "rgb",
            "rgb()",
            "rgb(1",
            "url(x)",
            "rgb(\"<\")",
            "#ééé",
        ] {
            assert!(!is_css_color(text), "{text}");
        }
        assert_eq!(NAMES.split_ascii_whitespace().count(), 3 + 148);
    }
}
