//! How an engine is started.

use super::program::program_file;
use common::files::identity;
use std::fmt;
use std::iter;
use std::path::PathBuf;
use std::str::FromStr;

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Protocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// The Chess Engine Communication Protocol, version 2.
    XBoard,
}

/// How to start an engine.
///
/// As text it is a command line (`stockfish`, `gnuchess --uci`, `'/my engines/x' -v`), with `xboard:`
/// before it for that protocol; or fields separated by commas, of which `cmd` is required:
/// `name=A,cmd=gnuchess,args=--uci,dir=/tmp,proto=uci,option.Hash=64`. `arg` adds a single argument,
/// blanks included. A comma inside a field is written `\,`; but in Windows, where folders end in a
/// backslash, a comma before another field of an engine separates the two: `dir=C:\engines\,proto=uci`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineCommand {
    /// The name to show; `None` for the engine's own.
    pub name: Option<String>,
    /// The program: a path, or a name that is looked for in `PATH`.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder it runs in; `None` for the current one.
    pub dir: Option<PathBuf>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// Options to set if the engine has them; it may lack any.
    pub options_if_supported: Vec<(String, String)>,
}

impl FromStr for EngineCommand {
    type Err = String;

    fn from_str(text: &str) -> Result<EngineCommand, String> {
        EngineCommand::parse_with(text, |_, _| Ok(false))
    }
}

/// Words in the names of options and arguments with files that engines write themselves: a log, or
/// what they have learned.
const WRITTEN: [&str; 3] = ["log", "learn", "experience"];

/// The command line, and the options that are set.
impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line())?;
        for (name, value) in self.all_options() {
            write!(f, " {name}={value}")?;
        }
        Ok(())
    }
}

impl EngineCommand {
    /// This program as a UCI engine.
    ///
    /// # Errors
    /// When the system cannot tell where this program is.
    pub fn own() -> std::io::Result<EngineCommand> {
        Ok(EngineCommand {
            program: std::env::current_exe()?.to_string_lossy().into_owned(),
            args: vec!["uci".to_owned()],
            ..EngineCommand::default()
        })
    }

    /// The name to show before the engine has sent its own.
    pub fn label(&self) -> String {
        let file = self.program.rsplit(['/', '\\']).next();
        let label = self.name.as_deref().or(file);
        label.unwrap_or(&self.program).to_owned()
    }

    /// The same with its arguments, of which files are named without their folders. Scripts of
    /// several lines are left out.
    pub(super) fn label_with_arguments(&self) -> String {
        let mut label = self.label();
        for word in self.args.iter().filter(|word| !word.contains('\n')) {
            let is_flag = word.starts_with('-');
            let file = word.rsplit(['/', '\\']).next().filter(|_| !is_flag);
            label.push(' ');
            label.push_str(file.unwrap_or(word));
        }
        label
    }

    /// The program and its arguments.
    pub(super) fn line(&self) -> String {
        let words = iter::once(&self.program).chain(&self.args);
        words.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// The files that the engine is run from, as far as the command names them: the program, and files
    /// among its arguments and the values of its options.
    pub fn files(&self) -> Vec<PathBuf> {
        let files = self.program().chain(self.named_files());
        files.map(|file| file.path).collect()
    }

    /// The programs of engines and the files that their arguments and options name, each with a hash of
    /// its bytes, for the settings of a run that can be resumed: `EvalFile=a.bin (0123456789abcdef)`. Files
    /// that engines write themselves, such as a log, are left out. A file of several engines is read once.
    pub fn hashed_files<'a>(
        commands: impl IntoIterator<Item = &'a EngineCommand>,
    ) -> impl Iterator<Item = String> {
        let all = |command: &'a EngineCommand| command.program().chain(command.named_files());
        let named = commands.into_iter().flat_map(all);
        let mut files: Vec<NamedFile<'_>> = Vec::new();
        for file in named.filter(NamedFile::is_read) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files.into_iter().map(|NamedFile { name, path }| {
            let file = identity(&path);
            if name.is_empty() {
                file
            } else {
                format!("{name}={file}")
            }
        })
    }

    /// The program, if it is found.
    fn program(&self) -> impl Iterator<Item = NamedFile<'_>> {
        let file = program_file(&self.program).filter(|path| path.is_file());
        file.map(|path| NamedFile { name: "", path }).into_iter()
    }

    /// The files that arguments and options name.
    fn named_files(&self) -> impl Iterator<Item = NamedFile<'_>> {
        let before = iter::once("").chain(self.args.iter().map(String::as_str));
        let arguments = before.zip(&self.args).flat_map(|(before, word)| {
            // `--weights FILE`, `--weights=FILE`, or FILE alone
            let is_flag = before.starts_with('-') && !before.contains('=');
            let whole = (if is_flag { before } else { "" }, word.as_str());
            [Some(whole), word.split_once('=')].into_iter().flatten()
        });
        let options = self.all_options();
        let options = options.map(|(name, value)| (name.as_str(), value.as_str()));
        let values = arguments.chain(options);
        let values = values.filter(|(_, value)| may_be_file(value));
        let named = values.map(|(name, value)| NamedFile {
            name,
            path: self.in_its_folder(value),
        });
        named.filter(|named| named.path.is_file())
    }

    pub(super) fn all_options(&self) -> impl Iterator<Item = &(String, String)> {
        self.options.iter().chain(&self.options_if_supported)
    }

    /// A path as the engine sees it.
    fn in_its_folder(&self, name: &str) -> PathBuf {
        let dir = self.dir.as_ref();
        dir.map_or_else(|| name.into(), |dir| dir.join(name))
    }

    /// Reads a command. Fields other than those of an engine are passed to `other`, which returns
    /// whether it knows them.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    pub fn parse_with(
        text: &str,
        other: impl FnMut(&str, &str) -> Result<bool, String>,
    ) -> Result<EngineCommand, String> {
        let fields = split_fields(text, cfg!(windows));
        if fields.iter().any(|field| field.starts_with("cmd=")) {
            EngineCommand::from_fields(&fields, other)
        } else {
            EngineCommand::from_line(text)
        }
    }

    fn from_line(text: &str) -> Result<EngineCommand, String> {
        let (line, protocol) = match text.split_once(':') {
            Some(("xboard", line)) => (line, Protocol::XBoard),
            Some(("uci", line)) => (line, Protocol::Uci),
            _ => (text, Protocol::Uci),
        };
        let mut words = split_words(line)?.into_iter();
        Ok(EngineCommand {
            program: words.next().ok_or("the command of an engine is empty")?,
            args: words.collect(),
            protocol,
            ..EngineCommand::default()
        })
    }

    fn from_fields(
        fields: &[String],
        mut other: impl FnMut(&str, &str) -> Result<bool, String>,
    ) -> Result<EngineCommand, String> {
        let commands = fields.iter().filter(|field| field.starts_with("cmd="));
        if commands.count() > 1 {
            return Err("cmd= of an engine is given twice".to_owned());
        }
        let mut command = EngineCommand::default();
        for field in fields {
            let (key, value) = field
                .split_once('=')
                .ok_or_else(|| format!("key=value expected, not {field:?}"))?;
            match key {
                "name" => {
                    command.name = Some(value.trim().to_owned()).filter(|name| !name.is_empty());
                }
                "cmd" => {
                    let line = EngineCommand::from_line(value)?;
                    command.program = line.program;
                    command.args.splice(0..0, line.args);
                    if line.protocol == Protocol::XBoard {
                        command.protocol = Protocol::XBoard;
                    }
                }
                "args" => command.args.extend(split_words(value)?),
                "arg" => command.args.push(value.to_owned()),
                "dir" => command.dir = Some(value.into()),
                "proto" | "protocol" => command.protocol = value.parse()?,
                _ => match key.strip_prefix("option.") {
                    Some(name) => command.options.push((name.to_owned(), value.to_owned())),
                    None if other(key, value)? => {}
                    None => {
                        let hint = quotes_hint(key);
                        return Err(format!("unknown field {key:?} of an engine{hint}"));
                    }
                },
            }
        }
        if command.program.is_empty() {
            return Err("cmd= of an engine is empty".to_owned());
        }
        Ok(command)
    }
}

impl FromStr for Protocol {
    type Err = String;

    fn from_str(text: &str) -> Result<Protocol, String> {
        match text.to_ascii_lowercase().as_str() {
            "uci" => Ok(Protocol::Uci),
            "xboard" | "cecp" | "winboard" => Ok(Protocol::XBoard),
            _ => Err(format!("uci or xboard expected, not {text:?}")),
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Uci => "uci",
            Protocol::XBoard => "xboard",
        })
    }
}

/// The program of an engine, or a file that an argument or an option names.
#[derive(PartialEq, Eq)]
struct NamedFile<'a> {
    /// The name of the option; empty for the program, and for an argument that is only the file.
    name: &'a str,
    path: PathBuf,
}

impl NamedFile<'_> {
    /// Whether the engine reads it, and does not write it.
    fn is_read(&self) -> bool {
        let name = self.name.to_lowercase();
        !WRITTEN.iter().any(|word| name.contains(word))
    }
}

/// Whether a value can be meant as a file: numbers, true and false, and the names of protocols are
/// not, though there may be a file of that name.
fn may_be_file(value: &str) -> bool {
    let is_number = value.parse::<f64>().is_ok_and(f64::is_finite);
    !is_number && value.parse::<bool>().is_err() && value.parse::<Protocol>().is_err()
}

/// The parts between commas, except commas written `\,`; blanks before a part do not count. Where paths
/// have backslashes, such a comma separates if a field of an engine follows.
fn split_fields(text: &str, has_backslashes: bool) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let c = match c {
            ',' => {
                fields.push(String::new());
                continue;
            }
            '\\' => match rest.as_str().strip_prefix(',') {
                Some(next) if !(has_backslashes && begins_field(next)) => {
                    rest = next.chars();
                    ','
                }
                _ => c,
            },
            c => c,
        };
        if let Some(field) = fields.last_mut()
            && !(field.is_empty() && c.is_whitespace())
        {
            field.push(c);
        }
    }
    fields
}

/// Whether a text begins as a field that every engine can have.
fn begins_field(text: &str) -> bool {
    const FIELDS: [&str; 7] = ["name", "cmd", "args", "arg", "dir", "proto", "protocol"];
    let key = text.split_once('=').map(|(key, _)| key.trim_start());
    key.is_some_and(|key| FIELDS.contains(&key) || key.starts_with("option."))
}

/// What helps where `cmd.exe` has taken single quotes for characters, and split the text at its blanks.
fn quotes_hint(text: &str) -> &'static str {
    if cfg!(windows) && text.starts_with('\'') {
        ": put it all in double quotes"
    } else {
        ""
    }
}

/// Splits a command line into its arguments at blanks, except within quotes of either kind. Unlike
/// in a shell, a backslash is an ordinary character, since paths of Windows have them.
fn split_words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        let hint = quotes_hint(line);
        return Err(format!("a quote is not closed in {line:?}{hint}"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> EngineCommand {
        text.parse().unwrap()
    }

    #[test]
    fn command_lines() {
        let command = read("gnuchess --uci");
        assert_eq!(command.program, "gnuchess");
        assert_eq!(command.args, ["--uci"]);
        assert_eq!(command.protocol, Protocol::Uci);
        let command = read("xboard:'/my engines/x' \"a b\"  ''");
        assert_eq!(command.label(), "x");
        assert_eq!(command.args, ["a b", ""]);
        assert_eq!(command.protocol, Protocol::XBoard);
        assert!("".parse::<EngineCommand>().is_err());
        assert!("x 'y".parse::<EngineCommand>().is_err());
    }

    #[test]
    fn backslashes_before_commas() {
        let text = r"cmd=a\,b,dir=C:\tmp\,option.TB=D:\,E:\, option.Hash=2,arg=x\,y=1\";
        let fields = [
            "cmd=a,b",
            r"dir=C:\tmp,option.TB=D:,E:, option.Hash=2",
            r"arg=x,y=1\",
        ];
        assert_eq!(split_fields(text, false), fields);
        let fields = [
            "cmd=a,b",
            r"dir=C:\tmp\",
            r"option.TB=D:,E:\",
            "option.Hash=2",
            r"arg=x,y=1\",
        ];
        assert_eq!(split_fields(text, true), fields);
    }

    #[test]
    fn files_of_an_engine() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["engine", "net", "weights", "book", "log"] {
            std::fs::write(at(name), "1").unwrap();
        }
        let dir = folder.path().display();
        let command = read(&format!(
            "cmd={dir}/engine -v --net=net book,dir={dir},option.EvalFile=weights,option.Hash=1,\
             option.Debug Log File=log,option.BookFile=none"
        ));
        let mut files = command.files();
        files.sort();
        assert_eq!(files, ["book", "engine", "log", "net", "weights"].map(at));
        let hashed = || EngineCommand::hashed_files([&command, &command]).collect::<Vec<_>>();
        let before = hashed();
        let wanted = [
            ("", "engine"),
            ("--net=", "net"),
            ("", "book"),
            ("EvalFile=", "weights"),
        ];
        assert_eq!(before.len(), wanted.len());
        for (text, (name, file)) in before.iter().zip(wanted) {
            assert!(
                text.starts_with(&format!("{name}{} (", at(file).display())),
                "{text}"
            );
        }
        std::fs::write(at("log"), "2").unwrap();
        assert_eq!(hashed(), before);
        for file in ["engine", "net", "book", "weights"] {
            std::fs::write(at(file), "2").unwrap();
            assert_ne!(hashed(), before, "{file}");
            std::fs::write(at(file), "1").unwrap();
        }
    }

    #[test]
    fn numbers_and_words_are_no_files_of_an_engine() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["64", "0.5", "true", "uci", "lc0.log"] {
            std::fs::write(folder.path().join(name), "1").unwrap();
        }
        let dir = folder.path().display();
        let command = read(&format!(
            "cmd=no-such-engine uci --threads=64 -t 64,dir={dir},option.Hash=64,option.Ponder=true,\
             option.Temperature=0.5"
        ));
        assert!(command.files().is_empty());
        let command = read(&format!("cmd=no-such-engine --logfile lc0.log,dir={dir}"));
        assert_eq!(command.files(), [folder.path().join("lc0.log")]);
        assert_eq!(EngineCommand::hashed_files([&command]).count(), 0);
    }

    #[test]
    fn fields() {
        let command = read("name=A,args=-v 2,cmd=x --uci,proto=xboard,option.Book File=a=b\\,c");
        assert_eq!(command.label(), "A");
        assert_eq!(command.to_string(), "x --uci -v 2 Book File=a=b,c");
        assert_eq!(command.program, "x");
        assert_eq!(command.args, ["--uci", "-v", "2"]);
        assert_eq!(command.protocol, Protocol::XBoard);
        assert_eq!(command.options, [("Book File".into(), "a=b,c".into())]);
        let command = read(" name=A, cmd=x y, option.Hash=1");
        assert_eq!(command.to_string(), "x y Hash=1");
        assert_eq!(command.label_with_arguments(), "A y");
        let command = read("/bin/python /my/a.py --net=/my/net");
        assert_eq!(command.label_with_arguments(), "python a.py --net=/my/net");
        assert_eq!(command.line(), "/bin/python /my/a.py --net=/my/net");
        assert_eq!(read("name=,cmd=x").name, None);
        assert_eq!(read("name= A b ,cmd=x").name.as_deref(), Some("A b"));
        // Without cmd= it is a command line.
        assert_eq!(read("name=A").program, "name=A");
        for wrong in [
            "cmd=",
            "cmd=x,size=3",
            "cmd=x,proto=usi",
            "cmd=x,y",
            "cmd=x -a,cmd=y",
        ] {
            assert!(wrong.parse::<EngineCommand>().is_err(), "{wrong}");
        }
    }
}
