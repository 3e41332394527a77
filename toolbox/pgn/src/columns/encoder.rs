//! Batches of rows as one file.

use super::parquet_file::ParquetFile;
use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::coalesce::BatchCoalescer;
use common::error::{Error, Result};
use parquet::errors::ParquetError;
use std::io::{self, Write};

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileFormat {
    Parquet,
    /// Arrow IPC, to be read from any place.
    Arrow,
    /// Arrow IPC, to be read from the beginning.
    ArrowStream,
}

/// Rows of one batch of Arrow.
const BATCH_ROWS: usize = 1 << 14;

/// Writes batches of the same columns.
pub(crate) enum Encoder<W: Write + Send> {
    Parquet(Box<ParquetFile<W>>),
    Arrow(BatchCoalescer, FileWriter<W>),
    ArrowStream(BatchCoalescer, StreamWriter<W>),
}

impl<W: Write + Send> Encoder<W> {
    /// Rows are compressed on this many threads, if the format compresses them.
    pub(crate) fn new(
        format: FileFormat,
        schema: &SchemaRef,
        out: W,
        threads: usize,
    ) -> Result<Encoder<W>> {
        let coalescer = || BatchCoalescer::new(SchemaRef::clone(schema), BATCH_ROWS);
        Ok(match format {
            FileFormat::Parquet => {
                let writer = ParquetFile::new(schema, out, threads);
                Encoder::Parquet(Box::new(writer.map_err(failed_parquet)?))
            }
            FileFormat::Arrow => {
                let writer = FileWriter::try_new(out, schema).map_err(failed)?;
                Encoder::Arrow(coalescer(), writer)
            }
            FileFormat::ArrowStream => {
                let writer = StreamWriter::try_new(out, schema).map_err(failed)?;
                Encoder::ArrowStream(coalescer(), writer)
            }
        })
    }

    pub(crate) fn write(&mut self, batch: RecordBatch) -> Result {
        match self {
            Encoder::Parquet(writer) => return writer.write(batch).map_err(failed_parquet),
            Encoder::Arrow(waiting, _) | Encoder::ArrowStream(waiting, _) => {
                waiting.push_batch(batch).map_err(failed)?;
            }
        }
        self.write_full_batches()
    }

    fn write_full_batches(&mut self) -> Result {
        match self {
            Encoder::Parquet(_) => {}
            Encoder::Arrow(waiting, writer) => {
                while let Some(batch) = waiting.next_completed_batch() {
                    writer.write(&batch).map_err(failed)?;
                }
            }
            Encoder::ArrowStream(waiting, writer) => {
                while let Some(batch) = waiting.next_completed_batch() {
                    writer.write(&batch).map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    /// Writes the rest, and returns where it was written.
    pub(crate) fn finish(mut self) -> Result<W> {
        if let Encoder::Arrow(waiting, _) | Encoder::ArrowStream(waiting, _) = &mut self {
            waiting.finish_buffered_batch().map_err(failed)?;
        }
        self.write_full_batches()?;
        match self {
            Encoder::Parquet(writer) => writer.finish().map_err(failed_parquet),
            Encoder::Arrow(_, mut writer) => {
                writer.finish().map_err(failed)?;
                writer.into_inner().map_err(failed)
            }
            Encoder::ArrowStream(_, mut writer) => {
                writer.finish().map_err(failed)?;
                writer.into_inner().map_err(failed)
            }
        }
    }
}

/// Why a table could not be made; an error of the system stays one.
pub(crate) fn failed(error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => Error::Io(error),
        ArrowError::ExternalError(source) => of_source(source),
        error => Error::Message(format!("the table: {error}")),
    }
}

fn failed_parquet(error: ParquetError) -> Error {
    match error {
        ParquetError::External(source) => of_source(source),
        error => Error::Message(format!("the table: {error}")),
    }
}

fn of_source(source: Box<dyn std::error::Error + Send + Sync>) -> Error {
    match source.downcast::<io::Error>() {
        Ok(error) => Error::Io(*error),
        Err(source) => Error::Message(format!("the table: {source}")),
    }
}
