//! The formats of `mola pgn convert`.

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Pgn,
    Article,
    Json,
    Jsonl,
    Csv,
    Plies,
    Epd,
    Uci,
    #[cfg(feature = "columns")]
    Parquet,
    #[cfg(feature = "columns")]
    Arrow,
}

#[cfg(feature = "columns")]
impl Format {
    pub(super) fn is_table(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow)
    }
}
