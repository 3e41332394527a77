//! Batches of rows as one file.

use super::parquet_file::ParquetFile;
use arrow_array::{RecordBatch, RecordBatchWriter};
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

/// The most rows of one batch of Arrow, and about the most bytes in memory: a batch ends at either.
const BATCH_ROWS: usize = 1 << 14;
const BATCH_BYTES: usize = 32 << 20;

/// Rows that wait until they are a batch of Arrow.
pub(crate) struct WaitingRows {
    rows: BatchCoalescer,
    bytes: usize,
}

impl WaitingRows {
    fn new(schema: &SchemaRef) -> WaitingRows {
        WaitingRows {
            rows: BatchCoalescer::new(SchemaRef::clone(schema), BATCH_ROWS),
            bytes: 0,
        }
    }

    fn push(&mut self, batch: RecordBatch) -> std::result::Result<(), ArrowError> {
        let added = batch.get_array_memory_size();
        self.rows.push_batch(batch)?;
        // Once a batch is complete, only rows of the last one that was added are left.
        let is_begun = self.rows.has_completed_batch();
        self.bytes = if is_begun { added } else { self.bytes + added };
        if self.bytes >= BATCH_BYTES {
            self.finish()?;
        }
        Ok(())
    }

    fn write_full_batches(
        &mut self,
        writer: &mut impl RecordBatchWriter,
    ) -> std::result::Result<(), ArrowError> {
        while let Some(batch) = self.rows.next_completed_batch() {
            writer.write(&batch)?;
        }
        Ok(())
    }

    /// Completes a batch of all rows that are left.
    fn finish(&mut self) -> std::result::Result<(), ArrowError> {
        self.bytes = 0;
        self.rows.finish_buffered_batch()
    }
}

/// Writes batches of the same columns.
pub(crate) enum Encoder<W: Write + Send> {
    Parquet(Box<ParquetFile<W>>),
    Arrow(WaitingRows, FileWriter<W>),
    ArrowStream(WaitingRows, StreamWriter<W>),
}

impl<W: Write + Send> Encoder<W> {
    /// Rows are compressed on this many threads, if the format compresses them.
    pub(crate) fn new(
        format: FileFormat,
        schema: &SchemaRef,
        out: W,
        threads: usize,
    ) -> Result<Encoder<W>> {
        Ok(match format {
            FileFormat::Parquet => {
                let writer = ParquetFile::new(schema, out, threads);
                Encoder::Parquet(Box::new(writer.map_err(failed_parquet)?))
            }
            FileFormat::Arrow => {
                let writer = FileWriter::try_new(out, schema).map_err(failed)?;
                Encoder::Arrow(WaitingRows::new(schema), writer)
            }
            FileFormat::ArrowStream => {
                let writer = StreamWriter::try_new(out, schema).map_err(failed)?;
                Encoder::ArrowStream(WaitingRows::new(schema), writer)
            }
        })
    }

    pub(crate) fn write(&mut self, batch: RecordBatch) -> Result {
        match self {
            Encoder::Parquet(writer) => return writer.write(batch).map_err(failed_parquet),
            Encoder::Arrow(waiting, _) | Encoder::ArrowStream(waiting, _) => {
                waiting.push(batch).map_err(failed)?;
            }
        }
        self.write_full_batches()
    }

    fn write_full_batches(&mut self) -> Result {
        match self {
            Encoder::Parquet(_) => Ok(()),
            Encoder::Arrow(waiting, writer) => waiting.write_full_batches(writer),
            Encoder::ArrowStream(waiting, writer) => waiting.write_full_batches(writer),
        }
        .map_err(failed)
    }

    /// Writes the rest, and returns where it was written.
    pub(crate) fn finish(mut self) -> Result<W> {
        if let Encoder::Arrow(waiting, _) | Encoder::ArrowStream(waiting, _) = &mut self {
            waiting.finish().map_err(failed)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{ArrayRef, StringArray};
    use arrow_ipc::reader::FileReader;
    use std::io::Cursor;
    use std::sync::Arc;

    fn batch(texts: &[&str]) -> RecordBatch {
        let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
        RecordBatch::try_from_iter([("text", column)]).unwrap()
    }

    /// The rows of each batch of the file.
    fn batches(written: &[RecordBatch]) -> Vec<usize> {
        let schema = written[0].schema();
        let mut encoder = Encoder::new(FileFormat::Arrow, &schema, Vec::new(), 1).unwrap();
        for batch in written {
            encoder.write(batch.clone()).unwrap();
        }
        let file = Cursor::new(encoder.finish().unwrap());
        let read = FileReader::try_new(file, None).unwrap();
        read.map(|batch| batch.unwrap().num_rows()).collect()
    }

    #[test]
    fn batches_of_long_texts_have_few_rows() {
        let long = "x".repeat(BATCH_BYTES / 4);
        let some = batch(&[&long, ""]);
        let of_long = batches(&vec![some; 10]);
        assert!(of_long.iter().all(|&rows| rows <= 8), "{of_long:?}");
        assert_eq!(of_long.iter().sum::<usize>(), 20);
        // One that is larger than all others may be.
        let larger = batch(&[&*long; 6]);
        assert_eq!(batches(&[larger.clone(), larger]), [6, 6]);
    }

    #[test]
    fn batches_of_short_texts_have_many_rows() {
        let of_short = batches(&vec![batch(&["x"; 1000]); 40]);
        assert_eq!(of_short, [BATCH_ROWS, BATCH_ROWS, 40_000 - 2 * BATCH_ROWS]);
    }
}
