//! A table in Parquet's format, whose columns are packed on several threads.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use common::parallel::{self, Interrupt, Workers};
use crossbeam_channel::never;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use std::io::Write;
use std::ops::ControlFlow;

/// The most rows of a group, and the most bytes in memory: a group ends at either. A reader holds
/// one group in memory, and a writer one for each thread, up to the most bytes of all of them.
const GROUP_ROWS: usize = 1 << 20;
const GROUP_BYTES: usize = 32 << 20;
const MAX_WAITING: usize = 3 * GROUP_BYTES;

/// Columns whose values hardly ever repeat, so that a dictionary is useless.
const UNIQUE: [&str; 5] = ["file_offset", "final_key", "key", "movetext", "comment"];

/// Rows of one group that are not packed yet.
#[derive(Default)]
struct Group {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

/// Writes a file. Where groups end depends only on the rows and their sizes, so that the file is the
/// same for any number of threads.
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
        let waiting: usize = self.whole.iter().map(|group| group.bytes).sum();
        if self.whole.len() >= self.threads || waiting >= MAX_WAITING {
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

    /// Packs the complete row groups on several threads, and writes them.
    fn pack(&mut self) -> Result<()> {
        let number = self.writer.flushed_row_groups().len();
        let groups = std::mem::take(&mut self.whole);
        let mut parts = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            let columns = self.columns.create_column_writers(number + at)?;
            parts.push(ColumnChunk::all_of(group, columns)?);
        }
        let columns: Vec<usize> = parts.iter().map(Vec::len).collect();
        let mut packed = Vec::new();
        let workers = Workers {
            threads: self.threads,
            ahead: columns.iter().sum(),
            signals: never(),
        };
        let work = |_: &Interrupt| Ok(|part: ColumnChunk<'_>| Ok(part.pack()));
        let ended = parallel::in_order(&workers, parts.into_iter().flatten(), work, |chunks| {
            packed.push(chunks);
            Ok(ControlFlow::Continue(()))
        });
        ended.map_err(|error| ParquetError::General(error.to_string()))?;
        drop(groups);
        let mut packed = packed.into_iter();
        for columns in columns {
            let mut group = self.writer.next_row_group()?;
            for chunks in packed.by_ref().take(columns) {
                for chunk in chunks? {
                    chunk.append_to_row_group(&mut group)?;
                }
            }
            group.close()?;
        }
        Ok(())
    }
}

/// One column of a group, and what packs it: a nested column is stored as several.
struct ColumnChunk<'g> {
    group: &'g Group,
    column: usize,
    writers: Vec<ArrowColumnWriter>,
}

impl<'g> ColumnChunk<'g> {
    /// The columns of a group.
    fn all_of(group: &'g Group, writers: Vec<ArrowColumnWriter>) -> Result<Vec<ColumnChunk<'g>>> {
        let Some(first) = group.batches.first() else {
            return Ok(Vec::new());
        };
        let mut writers = writers.into_iter();
        let columns = first.schema_ref().fields().iter().zip(first.columns());
        let mut parts = Vec::new();
        for (column, (field, values)) in columns.enumerate() {
            let leaves = compute_leaves(field, values)?.len();
            parts.push(ColumnChunk {
                group,
                column,
                writers: writers.by_ref().take(leaves).collect(),
            });
        }
        Ok(parts)
    }

    fn pack(mut self) -> Result<Vec<ArrowColumnChunk>> {
        for batch in &self.group.batches {
            let field = batch.schema_ref().fields().get(self.column);
            let values = batch.columns().get(self.column);
            let (field, values) = field.zip(values).ok_or_else(missing)?;
            let mut writers = self.writers.iter_mut();
            for leaf in compute_leaves(field, values)? {
                let writer = writers.next();
                writer.ok_or_else(missing)?.write(&leaf)?;
            }
        }
        let writers = self.writers.into_iter();
        writers.map(ArrowColumnWriter::close).collect()
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::builder::{Int32Builder, ListBuilder, MapBuilder, StringBuilder};
    use arrow_array::{ArrayRef, Int64Array};
    use std::sync::Arc;

    /// Rows with a number, a list and a map; the map is about as long as it is to be.
    fn batch(number: i64, length: usize) -> RecordBatch {
        let mut list = ListBuilder::new(Int32Builder::new());
        let mut map = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
        for row in 0..3 {
            list.append_value([Some(row), None]);
            map.keys().append_value("key");
            map.values().append_value("x".repeat(length / 3));
            map.append(true).unwrap();
        }
        let columns: [(&str, ArrayRef); 3] = [
            ("number", Arc::new(Int64Array::from(vec![number; 3]))),
            ("list", Arc::new(list.finish())),
            ("map", Arc::new(map.finish())),
        ];
        RecordBatch::try_from_iter(columns).unwrap()
    }

    #[test]
    fn the_file_is_the_same_for_any_number_of_threads() {
        let batches: Vec<_> = (0..20)
            .map(|number| batch(number, GROUP_BYTES / 4))
            .collect();
        let write = |threads| {
            let mut file = ParquetFile::new(&batches[0].schema(), Vec::new(), threads).unwrap();
            for batch in &batches {
                file.write(batch.clone()).unwrap();
                let waiting: usize = file.whole.iter().map(|group| group.bytes).sum();
                assert!(waiting < MAX_WAITING);
            }
            file.finish().unwrap()
        };
        let alone = write(1);
        for threads in [2, 7, 100] {
            assert!(write(threads) == alone, "{threads}");
        }
    }
}
