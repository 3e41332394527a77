//! Which games a command reads, and where it writes what it finds.

use super::input::Input;
use super::output::OutputArgs;
use crate::{Query, QueryError};
use common::error::{Error, Result};
use common::files;
use std::path::{Path, PathBuf};

/// Arguments of commands that select games by a query.
#[derive(clap::Args, Debug)]
pub(super) struct Selection {
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    pub(super) target: OutputArgs,
    /// Games that match this query, such as 'White ~ tal and ends checkmate'; see below
    #[arg(long = "where", short = 'w', value_name = "QUERY", value_parser = read)]
    query: Option<Query>,
    /// Games that match any of the queries in this file, one per line; # starts a comment line
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
}

fn read(text: &str) -> std::result::Result<Query, QueryError> {
    Query::parse(text)
}

impl Selection {
    /// Refuses an output that is the file of queries.
    pub(super) fn refuse(&self, output: Option<&Path>) -> Result {
        match output {
            Some(output) => files::refuse_input(output, self.queries.as_slice()),
            None => Ok(()),
        }
    }

    /// The query, if there is one. What is found must not replace the file of queries.
    pub(super) fn query(&self) -> Result<Option<Query>> {
        self.refuse(self.target.path())?;
        let listed = match &self.queries {
            None => None,
            Some(path) => {
                let text = files::read_text(path)?;
                let lines = text.lines().enumerate();
                let lines = lines.filter(|(_, line)| {
                    let line = line.trim();
                    !line.is_empty() && !line.starts_with('#')
                });
                let queries = lines.map(|(index, line)| {
                    Query::parse(line).map_err(|error| {
                        let (path, line) = (path.display(), index + 1);
                        Error::Message(format!("{path}:{line}:{}: {}", error.column, error.reason))
                    })
                });
                let queries = queries.collect::<Result<Vec<Query>>>()?;
                if queries.is_empty() {
                    return Err(Error::Message(format!("{}: no query", path.display())));
                }
                Some(Query::any(queries))
            }
        };
        Ok(match (self.query.clone(), listed) {
            (Some(query), Some(listed)) => Some(query.and(listed)),
            (query, listed) => query.or(listed),
        })
    }
}
