//! The formats of `mola pgn convert`.

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConvertFormat {
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
impl ConvertFormat {
    pub(super) fn is_table(self) -> bool {
        matches!(self, ConvertFormat::Parquet | ConvertFormat::Arrow)
    }
}
