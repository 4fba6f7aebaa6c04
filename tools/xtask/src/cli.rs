//! The command line: commands and options.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::bench;
use crate::test::wasm_tests;

/// The port of the page unless `--port` gives another.
const DEFAULT_PORT: u16 = 8017;

pub const HELP: &str = "\
cargo xtask <command>

  serve [--port N] [--open]   serve the page on this machine (port 8017) as soon as it can run, and
                              build the rest behind it
  build                       write dist/npm (the package) and dist/site (the page)
  check                       the quick round: format, lints, types, unit tests
  test [SUITE…]               every test there is, or those suites of its table alone
  bench [--against NAME]… [--model FOLDER] [--gguf FILE]
                              speed and memory beside their anchors, and beside onnxruntime-web
                              or transformers.js, with random weights or a BERT of one's own
  metrics                     lines by module, bytes, and the seconds of the last round
  help                        this text

Environment:
  HEADSCOPE_CHROMIUM          the Chromium to test with, when it is not found by itself
";

#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    Help,
    Build,
    Serve { port: u16, open: bool },
    Test { only: Vec<String> },
    Check,
    Bench(bench::Options),
    Metrics,
    WasmTests(PathBuf),
}

impl Command {
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut arguments = arguments.into_iter();
        let Some(name) = arguments.next() else { return Ok(Self::Help) };
        let command = match name.as_str() {
            "help" | "--help" | "-h" => return Ok(Self::Help),
            "serve" => return parse_serve(arguments),
            "build" => Self::Build,
            "test" => return Ok(Self::Test { only: arguments.collect() }),
            "check" => Self::Check,
            "bench" => return Ok(Self::Bench(bench::Options::parse(arguments)?)),
            "metrics" => Self::Metrics,
            wasm_tests::COMMAND => {
                let file = arguments.next().context("There is no file of wasm tests: name one.")?;
                return Ok(Self::WasmTests(file.into()));
            }
            other => bail!("There is no command \"{other}\": run `cargo xtask help` for the list."),
        };
        if let Some(extra) = arguments.next() {
            bail!("`cargo xtask {name}` takes no \"{extra}\": run it without.");
        }
        Ok(command)
    }
}

fn parse_serve(mut arguments: impl Iterator<Item = String>) -> Result<Command> {
    let (mut port, mut open) = (DEFAULT_PORT, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--open" => open = true,
            "--port" => {
                let value = arguments.next().unwrap_or_default();
                let Ok(number) = value.parse() else {
                    bail!("--port needs a number from 0 to 65535, not \"{value}\".");
                };
                port = number;
            }
            other => bail!(
                "`cargo xtask serve` takes --port N and --open, not \"{other}\": leave it out."
            ),
        }
    }
    Ok(Command::Serve { port, open })
}

#[cfg(test)]
mod tests {
    use super::{Command, DEFAULT_PORT};

    fn parse(line: &str) -> anyhow::Result<Command> {
        Command::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn serve_takes_its_options_in_any_order() {
        let expected = Command::Serve { port: 9000, open: true };
        assert_eq!(parse("serve --open --port 9000").unwrap(), expected);
        assert_eq!(parse("serve --port 9000 --open").unwrap(), expected);
        let plain = Command::Serve { port: DEFAULT_PORT, open: false };
        assert_eq!(parse("serve").unwrap(), plain);
    }

    #[test]
    fn test_takes_the_names_of_suites() {
        assert_eq!(parse("test").unwrap(), Command::Test { only: vec![] });
        let two = vec!["native".to_owned(), "unit".to_owned()];
        assert_eq!(parse("test native unit").unwrap(), Command::Test { only: two });
    }

    #[test]
    fn nothing_typed_is_a_request_for_help() {
        assert_eq!(parse("").unwrap(), Command::Help);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, culprit) in [
            ("dance", "dance"),
            ("build --fast", "--fast"),
            ("serve --prot 1", "--prot"),
            ("serve --port 70000", "70000"),
        ] {
            let message = format!("{:#}", parse(line).unwrap_err());
            assert!(message.contains(culprit), "{line}: {message}");
        }
    }
}
