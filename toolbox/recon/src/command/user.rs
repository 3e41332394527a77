//! Who somebody is on a server, as options.

use common::error::Result;
use common::input::shorten;
use std::io::{IsTerminal, Write, stderr, stdin};
use ureq::http::Uri;

/// A user of a server.
#[derive(clap::Args, Debug)]
pub(super) struct UserArgs {
    /// The address of the server
    #[arg(long, value_name = "URL", default_value = "https://rbc.jhuapl.edu", value_parser = server_url)]
    pub(super) server_url: String,
    /// The user name on the server; prompted for if omitted
    #[arg(long)]
    pub(super) username: Option<String>,
    /// The password; prompted for if omitted, or read as a line if standard input is not a
    /// terminal. Other users of the machine can see it on the command line; the environment
    /// variable is safer
    #[arg(long, env = "MOLA_RECON_PASSWORD", hide_env_values = true)]
    pub(super) password: Option<String>,
}

impl UserArgs {
    /// Name and password, asked for where they were not given.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(super) fn credentials(&self) -> Result<(String, String)> {
        let name = match &self.username {
            Some(name) => name.clone(),
            None => ask("Username: ")?,
        };
        let password = match &self.password {
            Some(password) => password.clone(),
            None => ask_password("Password: ")?,
        };
        Ok((name, password))
    }

    /// The same for a new user: a password that is typed unseen is asked for twice.
    ///
    /// # Errors
    /// When they cannot be read, and when the two passwords differ.
    pub(super) fn new_credentials(&self) -> Result<(String, String)> {
        let (name, password) = self.credentials()?;
        if self.password.is_none()
            && stdin().is_terminal()
            && ask_password("Password again: ")? != password
        {
            return Err("the two passwords differ: nothing was registered"
                .to_owned()
                .into());
        }
        Ok((name, password))
    }
}

/// Checks the address of a server: `http` or `https`, and a host.
///
/// # Errors
/// Says what is wrong with it.
pub(super) fn server_url(text: &str) -> std::result::Result<String, String> {
    if !text.contains("://") {
        return Err(format!(
            "http:// or https:// is missing: perhaps you mean http://{}",
            shorten(text)
        ));
    }
    let uri = text.parse::<Uri>().ok();
    let uri = uri.filter(|uri| uri.host().is_some_and(|host| !host.is_empty()));
    let uri = uri.ok_or("not an address")?;
    match uri.scheme_str() {
        // The type reads these two in any case.
        Some("http" | "https") => Ok(text.to_owned()),
        _ => Err("only http:// and https:// are supported".to_owned()),
    }
}

/// A password: unseen from a terminal, else a line of the input. Blanks at its ends belong to it.
fn ask_password(question: &str) -> Result<String> {
    if stdin().is_terminal() {
        return Ok(rpassword::prompt_password(question)?);
    }
    ask_line(question, "set the environment variable MOLA_RECON_PASSWORD")
}

/// Asks the user for a text; blanks around it are dropped.
pub(super) fn ask(question: &str) -> Result<String> {
    Ok(ask_line(question, "give it as an option")?
        .trim()
        .to_owned())
}

/// Asks the user for a line, and returns it without its end. Where there is none, the message says
/// what to do instead.
fn ask_line(question: &str, instead: &str) -> Result<String> {
    write!(stderr(), "{question}")?;
    let mut line = String::new();
    if stdin().read_line(&mut line)? == 0 {
        let text = format!("no answer to {question:?}: {instead}");
        return Err(text.into());
    }
    let text = line.strip_suffix('\n').unwrap_or(&line);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_scheme_and_a_host() {
        for good in [
            "http://127.0.0.1:8000",
            "https://rbc.jhuapl.edu/",
            "http://[::1]:80/a",
            "HTTP://host",
            "Https://host:8000/",
        ] {
            assert_eq!(server_url(good).as_deref(), Ok(good));
        }
        for (bad, words) in [
            ("127.0.0.1:8000", "perhaps you mean http://127.0.0.1:8000"),
            ("ftp://a", "only http"),
            ("http://", "not an address"),
            ("http://:80", "not an address"),
            ("http://a b", "not an address"),
        ] {
            let error = server_url(bad).unwrap_err();
            assert!(error.contains(words), "{bad}: {error}");
        }
    }
}
