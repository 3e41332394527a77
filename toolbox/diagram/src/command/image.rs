//! Images and their formats.

use crate::Animation;
#[cfg(feature = "raster")]
use common::error::Error;
use common::error::Result;
use common::files::{Sink, is_packing};
use common::note;
#[cfg(feature = "raster")]
use common::progress::Progress;
use std::io::Write;
use std::path::{Path, PathBuf};

/// An image to be written.
#[derive(Debug)]
pub enum Image {
    /// An image, as SVG.
    Still(String),
    /// A game.
    Moving(Box<Animation>),
}

/// An image format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum ImageFormat {
    /// Vector graphics; games are animated
    Svg,
    /// Bitmap
    #[cfg(feature = "raster")]
    Png,
    /// Bitmap; games are animated
    #[cfg(feature = "raster")]
    Gif,
}

/// The formats of images that other programs write, by their file names.
const OTHERS: [&str; 10] = [
    "png", "jpg", "jpeg", "gif", "webp", "bmp", "pdf", "apng", "avif", "svgz",
];

/// The extension of a file name, in lower case.
fn extension(path: &Path) -> Option<String> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.map(str::to_ascii_lowercase)
}

/// The path of an image.
///
/// # Errors
/// When its name has the extension of a format that is not written.
pub fn image_path(text: &str) -> std::result::Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match extension(&path) {
        Some(other)
            if ImageFormat::named(&other).is_none()
                && (OTHERS.contains(&other.as_str()) || is_packing(&other)) =>
        {
            Err(format!(
                "images are written as {}, not as {}",
                ImageFormat::NAMES,
                other.to_uppercase()
            ))
        }
        _ => Ok(path),
    }
}

impl ImageFormat {
    const NAMES: &str = if cfg!(feature = "raster") {
        "SVG, PNG and GIF"
    } else {
        "SVG"
    };

    fn named(extension: &str) -> Option<ImageFormat> {
        match extension {
            "svg" => Some(ImageFormat::Svg),
            #[cfg(feature = "raster")]
            "png" => Some(ImageFormat::Png),
            #[cfg(feature = "raster")]
            "gif" => Some(ImageFormat::Gif),
            _ => None,
        }
    }

    /// The format that is asked for, else that of a file's name, else SVG.
    pub fn of(asked: Option<ImageFormat>, path: Option<&Path>) -> ImageFormat {
        let named = path
            .and_then(extension)
            .and_then(|name| ImageFormat::named(&name));
        asked.or(named).unwrap_or(ImageFormat::Svg)
    }
}

/// The width in pixels where none is asked for.
#[cfg(feature = "raster")]
const WIDTH: u32 = 480;

impl Image {
    /// Writes the image, with this many pixels in width if there are pixels.
    ///
    /// # Errors
    /// When a game is to be a still image, when there are too many pixels, when a style sheet or a
    /// colour of the user's makes the SVG invalid, and when it cannot be written.
    #[cfg_attr(
        not(feature = "raster"),
        expect(unused_variables, reason = "SVG says its size itself")
    )]
    pub fn write(&self, format: ImageFormat, size: Option<u32>, out: &mut Sink) -> Result {
        match (self, format) {
            (Image::Still(svg), ImageFormat::Svg) => writeln!(out, "{svg}")?,
            (Image::Moving(animation), ImageFormat::Svg) => writeln!(out, "{}", animation.svg())?,
            #[cfg(feature = "raster")]
            (Image::Still(svg), ImageFormat::Png) => {
                out.refuse_terminal("PNG")?;
                let png = crate::png(svg, size.unwrap_or(WIDTH)).map_err(failed)?;
                out.write_all(&png)?;
            }
            #[cfg(feature = "raster")]
            (Image::Moving(_), ImageFormat::Png) => {
                let why = "a game is an animation: write SVG or GIF, not PNG";
                return Err(Error::Usage(why.to_owned()));
            }
            #[cfg(feature = "raster")]
            (image, ImageFormat::Gif) => {
                out.refuse_terminal("GIF")?;
                let frames = match image {
                    Image::Still(svg) => vec![(svg.clone(), 1.0)],
                    Image::Moving(animation) => animation.frames().collect(),
                };
                if frames.first().is_some_and(|(first, _)| needs_font(first)) {
                    tell_missing_font();
                }
                write_gif(&frames, size.unwrap_or(WIDTH), out)?;
            }
        }
        Ok(())
    }
}

/// Whether an image has a caption that needs a font: only viewers of SVG have any.
pub(super) fn needs_font(svg: &str) -> bool {
    svg.contains("<text")
}

/// Says that such a caption is left out.
pub(super) fn tell_missing_font() {
    note!("mola: the caption has letters that only SVG can show, so it is left out");
}

/// Writes a GIF, with a progress bar: a long game takes minutes.
#[cfg(feature = "raster")]
fn write_gif(frames: &[(String, f64)], width: u32, out: &mut Sink) -> Result {
    let mut progress = Progress::new("images", 0, frames.len() as u64).on_terminal_only();
    let written = crate::write_gif(frames, width, out, |number| {
        progress.update(number as u64, "");
    });
    progress.end();
    written.map_err(failed)
}

#[cfg(feature = "raster")]
fn failed(error: crate::NotDrawn) -> Error {
    match error {
        crate::NotDrawn::Write(error) => error.into(),
        crate::NotDrawn::Size => Error::Usage(error.to_string()),
        crate::NotDrawn::Svg(_) => Error::Message(error.to_string()),
    }
}
