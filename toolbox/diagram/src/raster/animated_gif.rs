//! Animations as GIF.

use super::changes::Area;
use super::palette::{Palette, UNCHANGED};
use super::{NotDrawn, pixels};
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use resvg::tiny_skia::Pixmap;
use std::collections::HashSet;
use std::io::Write;

/// The palette is taken from at least so many images: the first, the last, and some between.
const SAMPLES: usize = 4;

/// Writes images (SVG) with their durations in seconds as an endless GIF animation, of this width in
/// pixels. Unchanged parts are not written again. `progress` is called with the number of images
/// written.
///
/// # Errors
/// When an image is too large or not well-formed, or the file cannot be written.
pub fn write_gif(
    frames: &[(String, f64)],
    width: u32,
    out: &mut impl Write,
    mut progress: impl FnMut(usize),
) -> Result<(), NotDrawn> {
    let samples: Vec<Pixmap> = samples(frames)
        .into_iter()
        .map(|svg| pixels(svg, width))
        .collect::<Result<_, _>>()?;
    let Some(first) = samples.first() else {
        return Err(NotDrawn::Size);
    };
    let size = |pixels: u32| u16::try_from(pixels).map_err(|_| NotDrawn::Size);
    let (columns, rows) = (size(first.width())?, size(first.height())?);
    let mut palette = Palette::of(&samples);
    drop(samples);
    let mut encoder = Encoder::new(out, columns, rows, &palette.rgb()).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let mut previous: Option<Pixmap> = None;
    for (number, (svg, seconds)) in (1..).zip(frames) {
        let image = pixels(svg, width)?;
        let frame = frame(previous.as_ref(), &image, *seconds, &mut palette);
        encoder.write_frame(&frame).map_err(failed)?;
        previous = Some(image);
        progress(number);
    }
    Ok(())
}

/// Images with all colours: some that are evenly spread, and each with a colour or gradient that none
/// before it has, such as the glow of a check.
fn samples(frames: &[(String, f64)]) -> Vec<&str> {
    let step = frames.len().div_ceil(SAMPLES).max(1);
    let mut known = HashSet::new();
    let mut samples = Vec::new();
    for (place, (svg, _)) in frames.iter().enumerate() {
        let mut has_new = false;
        for paint in paints(svg) {
            has_new |= known.insert(paint);
        }
        if has_new || place % step == 0 || place + 1 == frames.len() {
            samples.push(svg.as_str());
        }
    }
    samples
}

/// What an SVG writes with a number sign: its colours, the gradients and the pieces that it uses.
fn paints(svg: &str) -> impl Iterator<Item = &str> {
    let after_signs = svg.split('#').skip(1);
    after_signs.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next())
}

fn failed(error: EncodingError) -> NotDrawn {
    NotDrawn::Write(std::io::Error::other(error))
}

/// The frame with the changes since the previous image.
fn frame(
    previous: Option<&Pixmap>,
    image: &Pixmap,
    seconds: f64,
    palette: &mut Palette,
) -> Frame<'static> {
    let area = previous.map_or_else(
        || Area::all(image),
        |previous| Area::of_changes(previous, image),
    );
    let indices = area.places(image.width() as usize).map(|place| {
        let pixel = image.pixels().get(place);
        match (pixel, previous.map(|previous| previous.pixels().get(place))) {
            (Some(pixel), old) if old != Some(Some(pixel)) => {
                palette.index([pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()])
            }
            _ => UNCHANGED,
        }
    });
    let short = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
    Frame {
        delay: (seconds * 100.0).round().clamp(1.0, f64::from(u16::MAX)) as u16,
        dispose: DisposalMethod::Keep,
        transparent: Some(UNCHANGED),
        top: short(area.top),
        left: short(area.left),
        width: short(area.right - area.left),
        height: short(area.bottom - area.top),
        buffer: indices.collect::<Vec<u8>>().into(),
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Diagram;
    use engine_core::Setup;

    #[test]
    fn the_palette_has_all_colors() {
        let mut frames = vec![("<path fill=\"#abc\"/>".to_owned(), 0.5); 40];
        frames[7].0 = "<path fill=\"url(#glow)\"/>".to_owned();
        frames[8].0 = frames[7].0.clone();
        assert_eq!(samples(&frames).len(), SAMPLES + 2);
        assert!(samples(&frames).contains(&frames[7].0.as_str()));
    }

    /// The frames as a reader of GIF sees them, as whole images.
    #[test]
    fn a_reader_sees_the_images() {
        let frames = [
            ("4k3/8/8/8/8/8/4P3/4K3", 0.5),
            ("4k3/8/8/8/4P3/8/8/4K3", 0.5),
        ];
        let frames = frames.map(|(fen, seconds)| {
            let setup = Setup::from_fen(&format!("{fen} w - -")).unwrap();
            (Diagram::new(&setup.board).svg(), seconds)
        });
        // An image may be the same as the one before.
        let [.., last] = frames.clone();
        let frames = [frames, [last.clone(), last]].concat();
        let frames = &frames[..3];
        let mut bytes = Vec::new();
        let mut written = Vec::new();
        write_gif(frames, 160, &mut bytes, |number| written.push(number)).unwrap();
        assert_eq!(written, [1, 2, 3]);
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut reader = options.read_info(bytes.as_slice()).unwrap();
        let mut canvas = vec![0; 160 * 160 * 4];
        let mut delays = Vec::new();
        for (svg, _) in frames {
            let frame = reader.read_next_frame().unwrap().unwrap();
            delays.push(frame.delay);
            let width = usize::from(frame.width);
            for (place, pixel) in frame.buffer.chunks(4).enumerate() {
                let x = usize::from(frame.left) + place % width;
                let y = usize::from(frame.top) + place / width;
                if pixel[3] != 0 {
                    canvas[(y * 160 + x) * 4..][..4].copy_from_slice(pixel);
                }
            }
            let wanted = pixels(svg, 160).unwrap();
            let far = |(seen, wanted): (&u8, &u8)| seen.abs_diff(*wanted) > 24;
            let wrong = canvas.iter().zip(wanted.data()).filter(|&pair| far(pair));
            // Edges have more shades than a palette.
            assert!(wrong.count() < canvas.len() / 500);
        }
        assert!(reader.read_next_frame().unwrap().is_none());
        assert_eq!(delays, [50, 50, 50]);
    }
}
