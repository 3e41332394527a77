//! Lines of input: with editing, completion and history on a terminal, plain from a pipe.
//!
//! A separate thread reads one line for each request, so that the session can wait for a
//! line, for the engine and for signals at the same time.

use super::{file_name, restore, stop};
use common::input;
use common::threads;
use crossbeam_channel::{Receiver, Sender, bounded};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::cell::Cell;
use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// The answer to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LineAnswer {
    /// A line.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-C on a line with text, which is discarded.
    Discard,
    /// Ctrl-D, or the end of the pipe.
    End,
}

/// A request for a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Request {
    pub(super) prompt: String,
    /// Words that Tab completes to.
    pub(super) words: Vec<String>,
}

/// The thread that reads.
pub(super) struct Lines {
    requests: Sender<Request>,
    pub(super) answers: Receiver<LineAnswer>,
    stage: Arc<Stage>,
}

/// How far the thread of an editor and its owner are.
#[derive(Default)]
struct Stage {
    /// Whether the editor uses the terminal, or is about to.
    is_editing: AtomicBool,
    /// Whether no more lines are wanted.
    is_over: AtomicBool,
}

/// An editor that is about to set up the terminal is waited for: else it would do so after the settings have
/// been restored.
impl Drop for Lines {
    fn drop(&mut self) {
        self.stage.is_over.store(true, SeqCst);
        restore::wait_for_raw_mode(|| self.stage.is_editing.load(SeqCst));
    }
}

impl Lines {
    /// Reads standard input; with an editor where it is a terminal that can move its cursor.
    ///
    /// # Errors
    /// When the system allows no thread that reads it.
    pub(super) fn new(edit: bool) -> io::Result<Lines> {
        let (requests, asked) = bounded(1);
        let (answer, answers) = bounded(1);
        let stage = Arc::<Stage>::default();
        let shared = Arc::clone(&stage);
        threads::spawn(move || {
            let editor = if edit { Editor::new().ok() } else { None };
            stop::take();
            // The other end goes away when the session ends.
            let _ = match editor {
                Some(editor) => serve_editor(editor, &asked, &answer, &shared),
                None => serve_plain(&asked, &answer),
            };
        })?;
        Ok(Lines {
            requests,
            answers,
            stage,
        })
    }

    /// Asks for one line.
    pub(super) fn ask(&self, request: Request) {
        let _ = self.requests.send(request);
    }
}

type Served = Result<(), crossbeam_channel::SendError<LineAnswer>>;

fn serve_plain(asked: &Receiver<Request>, answer: &Sender<LineAnswer>) -> Served {
    let mut reader = BufReader::new(io::stdin());
    for _ in asked {
        answer.send(match input::read_line(&mut reader) {
            Ok(Some(line)) => LineAnswer::Line(line.text),
            _ => LineAnswer::End,
        })?;
    }
    Ok(())
}

fn serve_editor(
    mut editor: Editor<Words, DefaultHistory>,
    asked: &Receiver<Request>,
    answer: &Sender<LineAnswer>,
    stage: &Stage,
) -> Served {
    // The lines of a pasted text that have not been asked for.
    let mut pasted = VecDeque::new();
    for request in asked {
        if let Some(line) = pasted.pop_front() {
            answer.send(LineAnswer::Line(line))?;
            continue;
        }
        editor.set_helper(Some(Words::new(request.words)));
        stage.is_editing.store(true, SeqCst);
        if stage.is_over.load(SeqCst) {
            stage.is_editing.store(false, SeqCst);
            break;
        }
        let read = editor.readline(&request.prompt);
        stage.is_editing.store(false, SeqCst);
        answer.send(match read {
            Ok(text) => {
                for line in text.lines() {
                    // A line that cannot be added to the history is not an error.
                    let _ = editor.add_history_entry(line);
                    pasted.push_back(line.to_owned());
                }
                LineAnswer::Line(pasted.pop_front().unwrap_or_default())
            }
            Err(ReadlineError::Interrupted) => match editor.helper() {
                Some(words) if words.has_text.get() => LineAnswer::Discard,
                _ => LineAnswer::Interrupt,
            },
            // What is no UTF-8, as a terminal of another encoding sends it.
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                LineAnswer::Line(char::REPLACEMENT_CHARACTER.to_string())
            }
            Err(_) => LineAnswer::End,
        })?;
    }
    Ok(())
}

/// Commands whose argument is a file.
const FILES: [&str; 3] = ["save ", "load ", "book "];
/// The command whose argument is a list of folders.
const TABLES: &str = "tb ";

/// Completes to one of these words, or to file names.
struct Words {
    words: Vec<String>,
    /// Whether anything is typed: the editor does not say so of a line that Ctrl-C ends.
    has_text: Cell<bool>,
}

impl Words {
    fn new(words: Vec<String>) -> Words {
        Words {
            words,
            has_text: Cell::new(false),
        }
    }
}

impl Helper for Words {}
impl Highlighter for Words {}
impl Hinter for Words {
    type Hint = String;

    /// There are no hints, but the editor asks for them after every change of the line.
    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        self.has_text.set(!line.is_empty());
        None
    }
}
impl Validator for Words {}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(complete(&self.words, line, cursor))
    }
}

/// Where the piece of a line before the cursor begins that can be completed, and what to: any of
/// these words, or files.
pub(super) fn complete(words: &[String], line: &str, cursor: usize) -> (usize, Vec<String>) {
    let typed = line.get(..cursor).unwrap_or(line);
    let bare = typed.trim_start_matches('/');
    if let Some(list) = bare.strip_prefix(TABLES) {
        // The last folder of a list.
        return complete_file(typed, list.rsplit(';').next().unwrap_or(list));
    }
    if let Some(name) = FILES.iter().find_map(|command| bare.strip_prefix(command)) {
        return complete_file(typed, name);
    }
    let fits = |word: &&String| {
        let start = word.get(..bare.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(bare))
    };
    let words = words.iter().filter(fits).cloned().collect();
    (typed.len() - bare.len(), words)
}

/// Completes the name of a file at the end of what is typed.
fn complete_file(typed: &str, name: &str) -> (usize, Vec<String>) {
    let (start, names) = file_name::complete(name);
    (typed.len() - name.len() + start, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_completed_where_they_begin() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a b;c"), "").unwrap();
        let begin = format!("{}/a", folder.path().display());
        let file = format!("{}/a b;c", folder.path().display());
        for command in ["load ", "/save ", "book  ", "tb ", "tb /x;", "load \""] {
            let line = format!("{command}{begin}");
            let completed = complete(&[], &line, line.len());
            assert_eq!(completed, (command.len(), vec![file.clone()]), "{line}");
        }
    }
}
