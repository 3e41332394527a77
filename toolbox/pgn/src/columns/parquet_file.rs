//! A table in Parquet's format, whose groups of rows are packed on several threads.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use std::io::Write;
use std::panic::resume_unwind;
use std::thread;

/// The most rows of a group, and the most bytes in memory: a group ends at either. A reader holds
/// one group in memory, and a writer one for each thread.
const GROUP_ROWS: usize = 1 << 20;
const GROUP_BYTES: usize = 32 << 20;

/// Columns whose values hardly ever repeat, so that a dictionary is useless.
const UNIQUE: [&str; 5] = ["file_offset", "final_key", "key", "movetext", "comment"];

/// Rows of one group that are not packed yet.
#[derive(Default)]
struct Group {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

/// Writes a file. Groups end by the rows alone, so that the file is the same for any number of
/// threads.
pub(crate) struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: ArrowRowGroupWriterFactory,
    threads: usize,
    /// The groups that are complete, and the one being filled.
    whole: Vec<Group>,
    next: Group,
}

impl<W: Write + Send> ParquetFile<W> {
    pub(crate) fn new(schema: &SchemaRef, out: W, threads: usize) -> Result<ParquetFile<W>> {
        let writer = ArrowWriter::try_new(out, SchemaRef::clone(schema), Some(properties()))?;
        let (writer, columns) = writer.into_serialized_writer()?;
        Ok(ParquetFile {
            writer,
            columns,
            threads,
            whole: Vec::new(),
            next: Group::default(),
        })
    }

    /// Adds rows.
    pub(crate) fn write(&mut self, rows: RecordBatch) -> Result<()> {
        let group = &mut self.next;
        group.rows += rows.num_rows();
        group.bytes += rows.get_array_memory_size();
        group.batches.push(rows);
        if group.rows >= GROUP_ROWS || group.bytes >= GROUP_BYTES {
            self.whole.push(std::mem::take(group));
        }
        if self.whole.len() >= self.threads {
            self.pack()?;
        }
        Ok(())
    }

    /// Writes the rest, and returns where it was written.
    pub(crate) fn finish(mut self) -> Result<W> {
        if self.next.rows > 0 {
            self.whole.push(std::mem::take(&mut self.next));
        }
        self.pack()?;
        self.writer.into_inner()
    }

    /// Compresses the complete row groups, each on a separate thread, and writes them.
    fn pack(&mut self) -> Result<()> {
        let number = self.writer.flushed_row_groups().len();
        let columns = |at| self.columns.create_column_writers(number + at);
        let columns: Result<Vec<_>> = (0..self.whole.len()).map(columns).collect();
        let mut work = self.whole.drain(..).zip(columns?);
        let packed = thread::scope(|scope| {
            let first = work.next();
            let others: Vec<_> = work
                .map(|(group, columns)| scope.spawn(|| pack(group, columns)))
                .collect();
            let first = first.map(|(group, columns)| pack(group, columns));
            let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            let packed: Vec<_> = first
                .into_iter()
                .chain(others.into_iter().map(join))
                .collect();
            packed
        });
        for chunks in packed {
            let mut group = self.writer.next_row_group()?;
            for chunk in chunks? {
                chunk.append_to_row_group(&mut group)?;
            }
            group.close()?;
        }
        Ok(())
    }
}

fn pack(group: Group, mut writers: Vec<ArrowColumnWriter>) -> Result<Vec<ArrowColumnChunk>> {
    for batch in group.batches {
        let mut writers = writers.iter_mut();
        for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
            for leaf in compute_leaves(field, column)? {
                let writer = writers.next();
                writer.ok_or_else(missing)?.write(&leaf)?;
            }
        }
    }
    writers.into_iter().map(ArrowColumnWriter::close).collect()
}

fn missing() -> ParquetError {
    ParquetError::General("rows with other columns".into())
}

fn properties() -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for column in UNIQUE {
        properties = properties.set_column_dictionary_enabled(column.into(), false);
    }
    properties.build()
}
