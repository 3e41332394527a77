//! Commands that set options.

use super::XBoard;
use crate::options::{OptionId, OptionKind, Spec};
use crate::protocol::front_end::FrontEnd;
use crate::session::{Command, Notice};
use common::error::Result;
use common::input::{shorten, split_word};
use common::option_value::OptionValue;

impl XBoard {
    /// Commands that set options; false when the word is another one.
    pub(super) fn setting(&mut self, word: &str, rest: &str) -> Result<bool> {
        match word {
            "memory" => self.set_clamped(OptionId::Hash, rest, "memory")?,
            "cores" => self.set_clamped(OptionId::Threads, rest, "cores")?,
            "option" => self.set_option(rest)?,
            "egtpath" => self.set_table_path(rest)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `rating OWN OPPONENT`, 0 if unknown: with limited strength, the engine plays at the opponent's rating.
    pub(super) fn set_rating(&mut self, text: &str) -> Result {
        let opponent = text.split_whitespace().nth(1).unwrap_or_default();
        let is_known = opponent.parse().is_ok_and(|rating: i64| rating > 0);
        if is_known && self.session.options().flag(OptionId::LimitStrength) {
            self.set_clamped(OptionId::Elo, opponent, "rating")?;
        }
        Ok(())
    }

    /// Sets a number, clamped to the range of the option; a comment tells of that.
    fn set_clamped(&mut self, id: OptionId, text: &str, command: &str) -> Result {
        let Some(Spec {
            kind: OptionKind::Spin { min, max, .. },
            ..
        }) = Spec::of(id)
        else {
            return Ok(());
        };
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                let number = number as i64;
                let clamped = number.clamp(*min, *max);
                if clamped != number {
                    self.message(&format!("{command} {}: {clamped} is used", shorten(text)))?;
                }
                self.run(Command::Set(id, OptionValue::Number(clamped)))
            }
            _ => self.say(&format!("Error (bad value): {command} {}", shorten(text))),
        }
    }

    fn set_option(&mut self, text: &str) -> Result {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let Some(spec) = Spec::find(name.trim()) else {
            return self.say(&format!("Error (unknown option): {}", shorten(name)));
        };
        match spec.parse(value.trim()) {
            Ok(value) => self.set(spec.id, value, text)?,
            Err(error) => return self.say(&format!("Error (bad value): {error}")),
        }
        self.restart_analysis()
    }

    /// `KIND PATH`, for kinds of endgame tables that `feature egt` names.
    fn set_table_path(&mut self, text: &str) -> Result {
        let (kind, path) = split_word(text);
        let id = match kind {
            "syzygy" => OptionId::SyzygyPath,
            "gaviota" => OptionId::GaviotaTbPath,
            _ => return self.say(&format!("Error (unknown tables): {}", shorten(kind))),
        };
        // No error for a folder that does not exist: xboard always names one.
        self.run(Command::Set(id, OptionValue::Text(path.trim().to_owned())))?;
        self.restart_analysis()
    }

    /// Sets an option. If it cannot take effect, the error quotes what was asked, and only a comment gives
    /// the reason: at a line with the system's words for a missing file, xboard gives up the engine.
    fn set(&mut self, id: OptionId, value: OptionValue, asked: &str) -> Result {
        for notice in self.session.execute(Command::Set(id, value)) {
            if matches!(notice, Notice::Failure(_)) {
                self.say(&format!("Error (cannot use): option {}", shorten(asked)))?;
            }
            self.event(notice)?;
        }
        Ok(())
    }
}
