//! The native part of the Python package `mola`: all that must be fast, in Rust.
//!
//! Each submodule registers its classes and functions in a Python module of the same name; the
//! Python sources in `mola/` name and document them, and add rarely used functions.

#![allow(
    clippy::needless_pass_by_value,
    reason = "Python's arguments come by value"
)]

mod bulk;
mod chess;
mod columns;
mod engine;
mod env;
mod interrupt;
mod pgn;
mod polyglot;
mod process;
mod recon;
mod svg;
mod tables;
mod text;

use pyo3::prelude::*;

/// The native part of the package `mola`.
#[pymodule]
fn _mola(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_module(module, "bulk", bulk::register)?;
    add_module(module, "chess", chess::register)?;
    add_module(module, "engine", engine::register)?;
    add_module(module, "env", env::register)?;
    add_module(module, "columns", columns::register)?;
    add_module(module, "pgn", pgn::register)?;
    add_module(module, "polyglot", polyglot::register)?;
    add_module(module, "recon", recon::register)?;
    add_module(module, "svg", svg::register)?;
    add_module(module, "tables", tables::register)?;
    Ok(())
}

/// Adds a module of this name, so that it can be imported as those of files are.
fn add_module(
    parent: &Bound<'_, PyModule>,
    name: &str,
    register: fn(&Bound<'_, PyModule>) -> PyResult<()>,
) -> PyResult<()> {
    let py = parent.py();
    let full_name = format!("mola._mola.{name}");
    let module = PyModule::new(py, &full_name)?;
    register(&module)?;
    parent.add(name, &module)?;
    py.import("sys")?
        .getattr("modules")?
        .set_item(full_name, module)
}
