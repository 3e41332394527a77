//! Many games by binary frames, for speed.
//!
//! A frame is its length (four bytes), then its content; numbers are little-endian. A request
//! begins with a letter:
//!
//! | request | body | reply |
//! |---|---|---|
//! | `r` reset | nothing, or FENs in lines: one for all games or one for each | the state |
//! | `s` step | an action for each game, of two bytes | the state |
//! | `o` observe | the player, 0 or 1 | an observation of each game |
//! | `v` view | the number of a game (four bytes), then 0 for letters or 1 for SVG | the picture |
//! | `c` close | nothing | nothing, and the end |
//!
//! A reply begins with 0, or with 1 before the text of an error, after which all is as before. The
//! state of `n` games, with 111 or 20 channels `c`:
//!
//! | bytes | |
//! |---|---|
//! | n | the players to act |
//! | 2 n | rewards of both players of a game, signed |
//! | n | terminated |
//! | n | truncated |
//! | 8 c n | observations of the players to act |
//! | 2 n | the numbers of legal actions |
//! | the rest | all legal actions, of two bytes, game after game |
//!
//! Observations are packed, eight values a byte, the first in the highest bit: to unpack them costs
//! a reader less time than eight times the bytes would. For the same reason actions are lists, not
//! masks.
//!
//! A game that is over starts again with the next step, whose action for it is ignored; it starts
//! from the start position of the command line, whatever FEN a reset had.

use super::batch::Batch;
use super::game::{Config, Env, EnvError, start_from_fen};
use super::pack::pack;
use super::render;
use common::error::{Error, Result};
use engine_core::{Color, Position};
use std::io::{ErrorKind, Read, Write};

/// The largest number of games: a reply of theirs is some 6 MB, and 50 MB before it is packed.
pub const MAX_GAMES: usize = 4096;

/// The longest request in bytes: a FEN for each game is not half of it.
const MAX_REQUEST: u32 = 1 << 20;

const OK: u8 = 0;
const ERROR: u8 = 1;

/// Answers requests until the input ends or one of them is to close.
///
/// # Errors
/// When reading or writing fails, and when a frame is too long or cut off: where the next one
/// begins is unknown then.
pub fn serve(
    config: &Config,
    games: usize,
    input: &mut impl Read,
    output: &mut impl Write,
) -> Result {
    let mut server = Server {
        config,
        batch: Batch::new(config, games),
        started: false,
        bytes: Vec::new(),
    };
    let mut reply = Vec::new();
    while let Some(request) = read_frame(input, output)? {
        reply.clear();
        // The length and the status are known last.
        reply.extend([0; 4]);
        reply.push(OK);
        if let Err(error) = server.answer(&request, &mut reply) {
            reply.truncate(4);
            reply.push(ERROR);
            reply.extend(error.bytes());
        }
        send(output, &mut reply)?;
        if request.first() == Some(&b'c') {
            break;
        }
    }
    Ok(())
}

/// The next request; `None` at the end of the input.
fn read_frame(input: &mut impl Read, output: &mut impl Write) -> Result<Option<Vec<u8>>> {
    let mut length = Vec::new();
    input.by_ref().take(4).read_to_end(&mut length)?;
    let Ok(bytes) = <[u8; 4]>::try_from(length.as_slice()) else {
        return if length.is_empty() {
            Ok(None)
        } else {
            Err(cut_off())
        };
    };
    let length = u32::from_le_bytes(bytes);
    if length > MAX_REQUEST {
        let error = format!("a frame of {length} bytes; the limit is {MAX_REQUEST}");
        let mut reply = [&[0; 4], [ERROR].as_slice(), error.as_bytes()].concat();
        send(output, &mut reply)?;
        return Err(Error::Message(error));
    }
    let mut request = Vec::new();
    input
        .by_ref()
        .take(length.into())
        .read_to_end(&mut request)?;
    if request.len() < length as usize {
        return Err(cut_off());
    }
    Ok(Some(request))
}

fn cut_off() -> Error {
    Error::Io(ErrorKind::UnexpectedEof.into())
}

/// Sends a frame whose first four bytes are still to become its length.
fn send(output: &mut impl Write, frame: &mut [u8]) -> Result {
    if let Some((length, body)) = frame.split_first_chunk_mut() {
        *length = (body.len() as u32).to_le_bytes();
    }
    output.write_all(frame)?;
    Ok(output.flush()?)
}

struct Server<'a> {
    config: &'a Config,
    batch: Batch,
    /// Whether there was a reset.
    started: bool,
    /// What to pack.
    bytes: Vec<u8>,
}

impl Server<'_> {
    /// Executes a request and appends the reply.
    fn answer(&mut self, request: &[u8], reply: &mut Vec<u8>) -> std::result::Result<(), String> {
        match request {
            [b'r', fens @ ..] => self.reset(fens)?,
            [b'c'] => return Ok(()),
            [b's' | b'o' | b'v', ..] if !self.started => return Err(EnvError::NotReset.to_string()),
            [b's', actions @ ..] => self.step(actions)?,
            [b'o', player @ (0 | 1)] => {
                return self.observe(Some(Color::from_white(*player == 0)), reply);
            }
            [b'v', a, b, c, d, mode @ (0 | 1)] => {
                let game = u32::from_le_bytes([*a, *b, *c, *d]);
                return self.view(game, *mode == 1, reply);
            }
            _ => return Err("no such request".into()),
        }
        self.state(reply)
    }

    fn reset(&mut self, fens: &[u8]) -> std::result::Result<(), String> {
        let text = str::from_utf8(fens).map_err(|error| error.to_string())?;
        let games = self.batch.envs().len();
        let starts: std::result::Result<Vec<Option<Position>>, _> = text
            .lines()
            .map(|fen| start_from_fen(fen).map(Some))
            .collect();
        let starts = match starts.map_err(|error| error.to_string())?.as_slice() {
            [] => vec![self.config.start; games],
            [start] => vec![*start; games],
            starts => starts.to_vec(),
        };
        self.batch
            .reset_to(&starts)
            .map_err(|error| error.to_string())?;
        self.started = true;
        Ok(())
    }

    fn step(&mut self, actions: &[u8]) -> std::result::Result<(), String> {
        let (pairs, rest) = actions.as_chunks();
        if !rest.is_empty() {
            return Err("half an action".into());
        }
        let actions: Vec<u16> = pairs.iter().copied().map(u16::from_le_bytes).collect();
        self.batch.step(&actions).map_err(|error| error.to_string())
    }

    fn observe(
        &mut self,
        player: Option<Color>,
        reply: &mut Vec<u8>,
    ) -> std::result::Result<(), String> {
        let size = self.batch.envs().len() * self.config.form.bytes();
        self.bytes.resize(size, 0);
        let written = self.batch.observe(player, &mut self.bytes);
        written.map_err(|error| error.to_string())?;
        reply.extend(pack(&self.bytes));
        Ok(())
    }

    fn view(&self, game: u32, svg: bool, reply: &mut Vec<u8>) -> std::result::Result<(), String> {
        let env = self.batch.envs().get(game as usize).ok_or("no such game")?;
        let board = env.position().board();
        let picture = if svg {
            render::svg(board)
        } else {
            render::ansi(board)
        };
        reply.extend(picture.bytes());
        Ok(())
    }

    fn state(&mut self, reply: &mut Vec<u8>) -> std::result::Result<(), String> {
        let envs = self.batch.envs();
        reply.extend(envs.iter().map(|env| env.player() as u8));
        let rewards = envs.iter().flat_map(Env::rewards);
        reply.extend(rewards.map(i8::cast_unsigned));
        reply.extend(envs.iter().map(|env| u8::from(env.is_terminated())));
        reply.extend(envs.iter().map(|env| u8::from(env.is_truncated())));
        self.observe(None, reply)?;
        let legal = || self.batch.envs().iter().map(Env::legal);
        reply.extend(legal().flat_map(|legal| (legal.len() as u16).to_le_bytes()));
        let actions = legal().flatten();
        reply.extend(actions.flat_map(|(action, _)| (*action as u16).to_le_bytes()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The replies to requests, each as its status and its body.
    fn replies(games: usize, requests: &[&[u8]]) -> Vec<(u8, Vec<u8>)> {
        let mut input = Vec::new();
        for request in requests {
            input.extend((request.len() as u32).to_le_bytes());
            input.extend(*request);
        }
        let mut output = Vec::new();
        serve(
            &Config::default(),
            games,
            &mut input.as_slice(),
            &mut output,
        )
        .unwrap();
        let mut replies = Vec::new();
        let mut rest = output.as_slice();
        while let Some((length, tail)) = rest.split_first_chunk() {
            let (frame, tail) = tail.split_at(u32::from_le_bytes(*length) as usize);
            replies.push((frame[0], frame[1..].to_vec()));
            rest = tail;
        }
        replies
    }

    fn error(text: &str) -> (u8, Vec<u8>) {
        (ERROR, text.as_bytes().to_vec())
    }

    #[test]
    fn a_session() {
        let replies = replies(
            2,
            &[b"r", b"s\x4d\0\0\0", b"o\x01", b"v\0\0\0\0\0", b"c", b"r"],
        );
        // Nothing after the close is answered.
        assert_eq!(replies.len(), 5);
        let state = |actions: usize| 2 * (1 + 2 + 1 + 1 + 8 * 111 + 2 + actions);
        assert_eq!((replies[0].0, replies[0].1.len()), (OK, state(40)));
        assert_eq!((replies[1].0, replies[1].1.len()), (OK, state(20)));
        // The second game was lost by an illegal action.
        assert_eq!(replies[1].1[..10], [1, 1, 0, 0, 255, 0, 0, 1, 0, 1]);
        assert_eq!(replies[2].1.len(), 2 * 8 * 111);
        assert!(replies[3].1.starts_with(b"r n b"));
    }

    #[test]
    fn what_is_malformed_is_told() {
        let fen = b"r4k3/8/8/8/8/8/8/4K2Q w - - 0 1\n4k3/8/8/8/8/8/8/4K2Q w - - 0 1\n8";
        let all: &[&[u8]] = &[
            b"",
            b"s\0\0",
            b"x",
            b"r\xff",
            fen,
            b"r",
            b"s\0",
            b"s\0\0\0\0",
            b"s\0\xff",
            b"o\x02",
            b"v\x01\0\0\0\0",
            b"c!",
        ];
        let replies = replies(1, all);
        assert_eq!(replies.len(), all.len());
        for (request, (status, body)) in all.iter().zip(&replies) {
            assert_eq!(
                *status == OK,
                request == b"r",
                "{}",
                String::from_utf8_lossy(body)
            );
        }
        assert_eq!(replies[1], error("reset comes first"));
        assert_eq!(
            replies[8],
            error("65280 is not an action: 0 to 4671 expected")
        );
    }

    #[test]
    fn frames_that_are_cut_off_or_too_long_end_the_session() {
        let end = |mut input: &[u8]| {
            let mut output = Vec::new();
            let result = serve(&Config::default(), 1, &mut input, &mut output);
            (result.is_err(), output.len() > 5)
        };
        assert_eq!(end(b""), (false, false));
        assert_eq!(end(b"\x01\0"), (true, false));
        assert_eq!(end(b"\x09\0\0\0r"), (true, false));
        assert_eq!(end(b"\xff\xff\xff\xffr"), (true, true));
    }
}
