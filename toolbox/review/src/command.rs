//! `mola review`: pages of games.

use crate::endings::Endings;
use crate::page::{Carried, GAME, Index};
use crate::report::{Review, Reviewer};
use crate::search::EngineArgs;
use arena::progress;
use clap::ArgGroup;
use common::count::count;
use common::error::{Error, Result};
use common::files::{
    Force, MadeFolder, NewFile, NewFolder, Sink, is_dash, refuse_outputs_of_run,
    refuse_same_outputs,
};
use common::{json, note};
use pgn::Tree;
use pgn::command::input::Input;
use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Review games: one page per game with a board, the moves, an evaluation graph, accuracy,
/// explained mistakes, and a chance to find better moves.
///
/// A page is one file that needs no network. Evaluations and clocks in the games ([%eval], [%clk])
/// are used; an engine searches positions without an evaluation. A stopped run is resumed by the
/// same command with the same settings.
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("outputs").required(true).multiple(true).args(["output", "json"]))]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// The page to write, NAME.html, for one game; for several games the folder to write, with a
    /// page for each game, and index.html with tables by player and opening
    #[arg(long, short, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    /// Write the same data as JSON, one line per game; `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Do not search: use only the evaluations in the games and the endgame tables
    #[arg(long, conflicts_with_all = ["engine", "depth", "nodes", "hash", "concurrency"])]
    no_search: bool,
    /// Include an engine for live analysis in the pages, from the folder that toolbox/wasm/build
    /// makes; 4 to 4.5 MB per page
    #[arg(long, value_name = "FOLDER")]
    live: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

const EXAMPLES: &str = "Examples:
  mola review game.pgn -o game.html
  mola review games.pgn -o review/ --depth 16 --concurrency 2
  mola review games.pgn -o review/ --engine stockfish --nodes 200000
  mola review game.pgn -o game.html --live target/wasm/package
  mola review annotated.pgn --no-search --json - | jq .white.accuracy
Accuracy and marks follow lichess (https://lichess.org/page/accuracy): a move that loses 5, 10 or 15
percent of the expected points is an inaccuracy, a mistake or a blunder. One that allows a mate or
gives one away is a blunder; a mistake if the side that mates is ahead by more than 7 pawns without
the mate, an inaccuracy if by 10 or more.";

/// Whether a name may be meant for a file, though it is not that of a page.
fn is_ambiguous(path: &Path) -> bool {
    let is_folder = path.is_dir() || path.to_string_lossy().ends_with(std::path::is_separator);
    path.extension().is_some() && !Args::is_page(path) && !is_folder
}

/// The output of reviews.
enum Target {
    None,
    Page(PathBuf),
    Folder(Box<NewFolder>, Index),
}

impl Args {
    fn is_page(path: &Path) -> bool {
        let extension = path.extension().and_then(|extension| extension.to_str());
        ["html", "htm"]
            .iter()
            .any(|page| extension.is_some_and(|extension| extension.eq_ignore_ascii_case(page)))
    }

    /// The file beside which the journal is.
    fn journal(&self) -> Option<PathBuf> {
        match (&self.output, &self.json) {
            (Some(output), _) if Args::is_page(output) => Some(output.clone()),
            (Some(folder), _) => Some(folder.join(INDEX)),
            (None, json) => json.clone().filter(|path| path.as_os_str() != "-"),
        }
    }

    fn reviewer(&self, inputs: &[PathBuf]) -> Result<Reviewer> {
        let endings = Endings::open(self.engine.tables.as_deref())?;
        let searches = if self.no_search {
            None
        } else {
            let settings = format!("{}, {}", self.engine.settings(), self.input.settings(None));
            let journal = self.journal();
            let replace = self.force.replace();
            Some(
                self.engine
                    .searches(journal.as_deref(), &settings, replace, inputs)?,
            )
        };
        Ok(Reviewer {
            engine: self.engine.clone(),
            searches,
            endings,
            bar: progress::of_games(&self.input, 0)?,
        })
    }

    fn target(&self, inputs: &[PathBuf]) -> Result<Target> {
        let Some(output) = &self.output else {
            return Ok(Target::None);
        };
        if Args::is_page(output) {
            return Ok(Target::Page(output.clone()));
        }
        let mut folder = NewFolder::create(output, self.force.replace(), inputs)?;
        folder.add(INDEX, &Index::begin()?)?;
        Ok(Target::Folder(Box::new(folder), Index::default()))
    }

    /// Refuses a page for no game or for many before any of them is searched, and a new folder
    /// that is named like a file.
    fn check(&self) -> Result {
        if self.output.as_deref().is_some_and(is_dash) {
            let message = "-o names a page or a folder; --json - writes to standard output";
            return Err(Error::Usage(message.to_owned()));
        }
        if let Some(output) = self.output.as_deref().filter(|path| is_ambiguous(path)) {
            let name = output.display();
            return Err(Error::Usage(format!(
                "{name}: name a page .html; a folder with this name is {name}/"
            )));
        }
        if let (Some(output), Some(json)) = (&self.output, &self.json)
            && !Args::is_page(output)
            && let Some(name) = json.file_name()
            && Args::is_page(Path::new(name))
        {
            // The pages of a folder have such names.
            refuse_same_outputs(&[Some(&output.join(name)), Some(json)])?;
        }
        if !self.output.as_deref().is_some_and(Args::is_page) {
            return Ok(());
        }
        match self.input.count_games()? {
            Some(0) => Err(Error::Message("no games".to_owned())),
            Some(2..) => Err(Error::Message(MANY.to_owned())),
            _ => Ok(()),
        }
    }

    /// The folder of the pages, which the journal needs before there is any page.
    fn folder(&self) -> Result<Option<MadeFolder>> {
        let folder = self.output.as_deref().filter(|path| !Args::is_page(path));
        folder.map(MadeFolder::new).transpose()
    }

    fn write(&self, target: &mut Target, review: &Review, engine: Option<&Carried>) -> Result {
        match target {
            Target::None => Ok(()),
            Target::Page(path) => {
                let inputs = self.engine.inputs(&self.input)?;
                let mut file = NewFile::create(path, self.force.replace(), &inputs)?;
                write_page(review, engine, &mut file)?;
                file.finish()
            }
            Target::Folder(folder, index) => {
                let name = format!("game-{:05}.html", review.game);
                let mut page = Vec::new();
                write_page(review, engine, &mut page)?;
                folder.add(&name, &page)?;
                folder.add(INDEX, index.row(review, &name).as_bytes())
            }
        }
    }
}

const INDEX: &str = "index.html";
const MANY: &str = "more than one game: the output must be a folder";

fn write_page(review: &Review, engine: Option<&Carried>, out: &mut impl Write) -> Result {
    let [white, black] = [&review.white, &review.black].map(|side| isolated(&side.name));
    let title = format!("{white} \u{2013} {black}");
    GAME.write(&title, review, engine, out)
}

/// A name for a line of text. One that may be written from right to left is isolated, so that it does not
/// move what is beside it.
fn isolated(name: &str) -> Cow<'_, str> {
    // The first such letters are those of Hebrew; the characters that change the direction are above them.
    if name.chars().all(|letter| letter < '\u{590}') {
        return Cow::from(name);
    }
    Cow::from(format!("\u{2068}{name}\u{2069}"))
}

/// Reviews the games.
///
/// # Errors
/// When a file cannot be read or written, when an engine fails, and when the run is stopped; then
/// the message says how to resume.
pub fn run(args: &Args) -> Result {
    refuse_same_outputs(&[args.output.as_deref(), args.json.as_deref()])?;
    if args.output.is_some() {
        refuse_outputs_of_run(args.journal().as_deref(), &[args.json.as_deref()])?;
    }
    args.check()?;
    let _folder = args.folder()?;
    let inputs = args.engine.inputs(&args.input)?;
    let mut reviewer = args.reviewer(&inputs)?;
    let done = review_all(args, &inputs, &mut reviewer);
    reviewer.bar.finish_and_clear();
    let (reviewed, games) = match (done, &reviewer.searches) {
        (Err(error), Some(searches)) => return Err(searches.explain(error)),
        (done, _) => done?,
    };
    if let Some(searches) = reviewer.searches {
        searches.finish();
    }
    if let (Some(output), false) = (&args.output, args.input.quiet) {
        let of_all = if reviewed == games {
            count(games, "game")
        } else {
            format!("{reviewed} of {}", count(games, "game"))
        };
        note!("{of_all} reviewed, in {}", output.display());
    }
    Ok(())
}

/// Reviews all games, and gives the numbers of those that could be reviewed, and of all.
fn review_all(args: &Args, inputs: &[PathBuf], reviewer: &mut Reviewer) -> Result<(u64, u64)> {
    let engine = args.live.as_deref().map(Carried::open).transpose()?;
    let mut target = args.target(inputs)?;
    let json_file = args.json.as_deref();
    let json_file = json_file.map(|path| Sink::open(Some(path), args.force.replace(), inputs));
    let mut json_file = json_file.transpose()?;
    let (mut reviewed, mut number) = (0, 0);
    let mut input = args.input.clone();
    input.has_bar = true;
    // A page is of one game: whether there is another must be known before any is searched.
    let is_page = matches!(target, Target::Page(_));
    let mut only: Option<Tree> = None;
    let mut review = |tree: Tree| -> Result {
        number += 1;
        reviewer.bar.set_message(number.to_string());
        if let Some(review) = reviewer.review(number, &tree)? {
            if let Some(file) = &mut json_file {
                json::write_line(file, &review)?;
            }
            args.write(&mut target, &review, engine.as_ref())?;
            reviewed += 1;
        }
        reviewer.bar.inc(1);
        Ok(())
    };
    let take = |tree: Tree| {
        if !is_page {
            review(tree)?;
        } else if only.replace(tree).is_some() {
            return Err(Error::Message(MANY.to_owned()));
        }
        Ok(true)
    };
    input.each_game(None, |record| std::mem::take(record.tree), take)?;
    if let Some(tree) = only {
        review(tree)?;
    }
    if number == 0 {
        return Err(Error::Message("no games".to_owned()));
    }
    if reviewed == 0 {
        return Err(Error::Message("no game can be reviewed".to_owned()));
    }
    if let Target::Folder(mut folder, index) = target {
        folder.add(INDEX, &index.end()?)?;
        folder.finish()?;
    }
    if let Some(file) = json_file {
        file.finish()?;
    }
    Ok((reviewed, number))
}
