//! Who somebody is on a server, as options.

use common::error::Result;
use std::io::{Write, stderr, stdin};

/// Who somebody is on a server.
#[derive(clap::Args, Debug)]
pub struct UserArgs {
    /// The address of the server
    #[arg(long, value_name = "URL", default_value = "https://rbc.jhuapl.edu")]
    pub server_url: String,
    /// The name on the server; asked for if left out
    #[arg(long)]
    pub username: Option<String>,
    /// The password; asked for if left out. Other users of the machine can see it here: the
    /// environment variable is safer
    #[arg(long, env = "MOLA_RECON_PASSWORD", hide_env_values = true)]
    pub password: Option<String>,
}

impl UserArgs {
    /// Name and password, asked for where they were not given.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn credentials(&self) -> Result<(String, String)> {
        let name = match &self.username {
            Some(name) => name.clone(),
            None => ask("Username: ")?,
        };
        let password = match &self.password {
            Some(password) => password.clone(),
            None => rpassword::prompt_password("Password: ")?,
        };
        Ok((name, password))
    }
}

/// A line from whoever sits there.
pub(super) fn ask(question: &str) -> Result<String> {
    write!(stderr(), "{question}")?;
    let mut line = String::new();
    if stdin().read_line(&mut line)? == 0 {
        return Err("no answer".to_owned().into());
    }
    Ok(line.trim().to_owned())
}
