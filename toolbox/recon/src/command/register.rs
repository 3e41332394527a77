//! `mola recon register`: a new user of a server.

use super::user::{UserArgs, ask};
use crate::remote::{Http, HttpError, Lobby, Register};
use common::control_characters::without_control_characters;
use common::error::Result;
use std::io::{Write, stdout};

/// Register a user on a server that has the HTTP API of reconchess
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    user: UserArgs,
    /// The e-mail address; prompted for if omitted
    #[arg(long)]
    email: Option<String>,
    /// The organization; prompted for if omitted
    #[arg(long)]
    affiliation: Option<String>,
}

/// Runs the subcommand.
///
/// # Errors
/// When the server refuses.
pub(super) fn run(args: &Args) -> Result {
    let given = |value: &Option<String>, question| match value {
        Some(value) => Ok(value.clone()),
        None => ask(question),
    };
    let (name, password) = args.user.new_credentials()?;
    let email = given(&args.email, "Email: ")?;
    let affiliation = given(&args.affiliation, "Affiliation: ")?;
    let http = Http::new(&args.user.server_url, None);
    let registered = Lobby(&http).register(&Register {
        username: &name,
        email: Some(&email),
        affiliation: Some(&affiliation),
        password: &password,
    });
    match registered {
        Ok(name) => Ok(writeln!(
            stdout(),
            "registered as {}",
            without_control_characters(&name)
        )?),
        Err(HttpError::Refused { status: 409, .. }) => {
            Err(format!("the name {name} is taken: choose another").into())
        }
        Err(error) => Err(error.into()),
    }
}
