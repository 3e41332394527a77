//! `mola.chess.syzygy` and `mola.chess.gaviota`: endgame tables.

use crate::chess::board::Board;
use engine_core::{AnyPosition, Variant};
use parking_lot::RwLock;
use pyo3::exceptions::{PyKeyError, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use tablebases::syzygy::{Family, Metric};
use tablebases::{Gaviota, GaviotaError, ProbeError, Tablebase, Wdl};

/// Fills the module `tables`.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Syzygy>()?;
    module.add_class::<GaviotaTables>()
}

/// What a probe finds, or the material and the kind of the table that is missing.
type ProbeResult<T> = (Option<T>, Option<(String, &'static str)>);

fn probe_result<T>(
    probed: Result<T, ProbeError>,
    position: &AnyPosition,
    metric: Metric,
) -> PyResult<ProbeResult<T>> {
    let missing = |material: tablebases::Material, metric| {
        let name = match metric {
            Metric::Wdl => "wdl",
            Metric::Dtz => "dtz",
        };
        Ok((None, Some((material.to_string(), name))))
    };
    match probed {
        Ok(value) => Ok((Some(value), None)),
        Err(ProbeError::Missing(material, _, metric)) => missing(material, metric),
        Err(ProbeError::NoTables(_) | ProbeError::TooManyPieces { .. }) => {
            let board = *position.board();
            missing(tablebases::Material::of(&board), metric)
        }
        Err(error @ ProbeError::Illegal) => Err(PyKeyError::new_err(error.to_string())),
        Err(error @ ProbeError::Broken(_)) => Err(PyOSError::new_err(error.to_string())),
        Err(error) => Err(PyValueError::new_err(error.to_string())),
    }
}

fn position(board: &Bound<'_, Board>) -> PyResult<AnyPosition> {
    Board::position(&board.try_borrow()?)
}

/// Whether the side to move can capture the king, so that the position is illegal.
fn may_capture_king(board: &Bound<'_, Board>) -> PyResult<bool> {
    let board = board.try_borrow()?;
    let state = Board::state(&board);
    let is_standard = board.variant == Variant::Standard;
    Ok(is_standard && state.pieces.checkers(!state.turn, board.variant) != 0)
}

/// Syzygy tables.
#[pyclass(module = "mola._mola.tables", frozen)]
struct Syzygy(RwLock<Tablebase>);

#[pymethods]
impl Syzygy {
    #[new]
    fn new() -> Syzygy {
        Syzygy(RwLock::new(Tablebase::new()))
    }

    /// Adds a file. It is opened when it is first wanted.
    fn add_file(&self, path: PathBuf) -> PyResult<()> {
        let added = self.0.write().replace_path(&path);
        added
            .map(|_| ())
            .map_err(|error| PyOSError::new_err(error.to_string()))
    }

    /// Closes all files.
    fn close(&self) {
        *self.0.write() = Tablebase::new();
    }

    /// Win, draw or loss. `None` if the king can be captured, unless that is allowed.
    #[pyo3(signature = (board, *, allow_capture_of_king=false))]
    fn probe_wdl(
        &self,
        board: &Bound<'_, Board>,
        allow_capture_of_king: bool,
    ) -> PyResult<Option<ProbeResult<i8>>> {
        if !allow_capture_of_king && may_capture_king(board)? {
            return Ok(None);
        }
        let position = position(board)?;
        let probed = self.0.read().probe_wdl(&position);
        probe_result(probed.map(Wdl::number), &position, Metric::Wdl).map(Some)
    }

    /// The distance to the next capture or pawn move. `None` as for `probe_wdl`.
    #[pyo3(signature = (board, *, allow_capture_of_king=false))]
    fn probe_dtz(
        &self,
        board: &Bound<'_, Board>,
        allow_capture_of_king: bool,
    ) -> PyResult<Option<ProbeResult<i32>>> {
        if !allow_capture_of_king && may_capture_king(board)? {
            return Ok(None);
        }
        let position = position(board)?;
        let probed = self.0.read().probe_dtz(&position);
        probe_result(probed, &position, Metric::Wdl).map(Some)
    }

    /// What the WDL table holds.
    fn probe_wdl_table(&self, board: &Bound<'_, Board>) -> PyResult<ProbeResult<i8>> {
        let position = position(board)?;
        let probed = self.0.read().probe_wdl_table(&position);
        probe_result(probed.map(Wdl::number), &position, Metric::Wdl)
    }

    /// What the DTZ table holds, and whether it is for the side to move: 1, or -1 where it is not.
    fn probe_dtz_table(
        &self,
        board: &Bound<'_, Board>,
        wdl: i32,
    ) -> PyResult<ProbeResult<(i32, i32)>> {
        let position = position(board)?;
        let wdl = Wdl::from_number(wdl);
        let wdl = wdl.ok_or_else(|| PyValueError::new_err("expected a value from -2 to 2"))?;
        let tables = self.0.read();
        let probed = tables.probe_dtz_table(&position, wdl);
        // Then the table is not to blame.
        if matches!(probed, Err(ProbeError::Broken(_)))
            && tables.probe_wdl(&position).is_ok_and(|value| value != wdl)
        {
            let text = format!("the WDL value of the position is not {}", wdl.number());
            return Err(PyValueError::new_err(text));
        }
        let plies = probed.map(|plies| plies.map_or((0, -1), |plies| (plies, 1)));
        probe_result(plies, &position, Metric::Dtz)
    }

    /// Whether a table of this kind begins with these bytes.
    #[staticmethod]
    fn is_magic(bytes: &[u8], is_dtz: bool) -> bool {
        let metric = if is_dtz { Metric::Dtz } else { Metric::Wdl };
        Family::ALL
            .iter()
            .any(|family| family.magic(metric) == bytes)
    }
}

/// Gaviota tables.
#[pyclass(module = "mola._mola.tables", name = "Gaviota", frozen)]
struct GaviotaTables(RwLock<Gaviota>);

#[pymethods]
impl GaviotaTables {
    #[new]
    fn new() -> GaviotaTables {
        GaviotaTables(RwLock::new(Gaviota::new()))
    }

    /// Adds a file. It is opened when it is first wanted.
    fn add_file(&self, path: PathBuf) -> PyResult<()> {
        let added = self.0.write().add_path(&path);
        added
            .map(|_| ())
            .map_err(|error| PyOSError::new_err(error.to_string()))
    }

    /// Closes all files.
    fn close(&self) {
        *self.0.write() = Gaviota::new();
    }

    /// Plies to mate and win, draw or loss; `None` if a table is missing.
    fn probe(&self, board: &Bound<'_, Board>) -> PyResult<Option<(i32, i8)>> {
        let position = position(board)?;
        let tables = self.0.read();
        match engine_core::dispatch!(&position, |position| tables.mate(position)) {
            Ok(mate) => Ok(Some((mate.plies(), mate.wdl()))),
            Err(GaviotaError::Missing(_) | GaviotaError::TooManyPieces { .. }) => Ok(None),
            Err(error @ GaviotaError::Broken(_)) => Err(PyOSError::new_err(error.to_string())),
            Err(error) => Err(PyKeyError::new_err(error.to_string())),
        }
    }
}
