//! Running of other programs: live on the terminal, or shown and logged at the same time.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};

use crate::disk;
use crate::project::Project;

/// A program with its arguments, and the advice for its failure.
pub struct Tool {
    command: Command,
    shown: String,
    advice: String,
}

impl Tool {
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        let program = program.as_ref();
        Self {
            command: Command::new(program),
            shown: program.to_string_lossy().into_owned(),
            advice: "read its output above, mend the cause and run the command again".to_owned(),
        }
    }

    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.shown.push(' ');
        self.shown.push_str(&argument.as_ref().to_string_lossy());
        self.command.arg(argument);
        self
    }

    pub fn args(self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        arguments.into_iter().fold(self, Tool::arg)
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub fn dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.command.current_dir(path.into());
        self
    }

    /// Sets the advice that is printed if the program is missing or fails.
    pub fn advice(mut self, sentence: impl Into<String>) -> Self {
        self.advice = sentence.into();
        self
    }

    /// Runs the program without showing its standard output, and returns that output.
    pub fn capture(mut self) -> Result<String> {
        let output = self.command.stdin(Stdio::null()).output();
        let output = output.map_err(|error| self.cannot_start(&error))?;
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr);
            let last = complaint.lines().last().unwrap_or_default();
            bail!("`{}` failed ({}; {last}): {}.", self.shown, output.status, self.advice);
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Starts the program on this terminal without waiting for its end. Its standard input closes
    /// when the returned child or this program ends.
    pub fn start(mut self) -> Result<Child> {
        self.command.stdin(Stdio::piped()).spawn().map_err(|error| self.cannot_start(&error))
    }

    /// Runs the program on this terminal; returns whether it succeeded.
    pub fn succeeds(mut self) -> Result<bool> {
        let status = self.command.status().map_err(|error| self.cannot_start(&error))?;
        Ok(status.success())
    }

    fn cannot_start(&self, error: &std::io::Error) -> anyhow::Error {
        let reason = match error.kind() {
            ErrorKind::NotFound => "was not found".to_owned(),
            _ => format!("could not be started ({error})"),
        };
        anyhow!("`{}` {reason}: {}.", self.shown, self.advice)
    }
}

/// A program's output and whether it succeeded.
pub struct Transcript {
    pub succeeded: bool,
    pub text: String,
}

/// The working folder, margin and log of the programs that are run.
pub struct Shell<'a> {
    pub project: &'a Project,
    /// The indent of each line that is shown.
    margin: String,
    log: Option<PathBuf>,
}

impl<'a> Shell<'a> {
    /// A shell whose programs own the terminal, so that their progress bars work.
    pub fn live(project: &'a Project) -> Self {
        Self { project, margin: " ".repeat(6), log: None }
    }

    /// A shell whose programs are shown line by line, each line with a name, because others may run
    /// in parallel, and logged to `target/test-logs/NAME.log`.
    pub fn logged(project: &'a Project, name: &str) -> Result<Self> {
        let path = project.test_log(name);
        disk::write(&path, "")?;
        Ok(Self { project, margin: format!("{name:<20} "), log: Some(path) })
    }

    /// Runs a program that must succeed.
    pub fn run(&self, tool: Tool) -> Result<()> {
        let (shown, advice) = (tool.shown.clone(), tool.advice.clone());
        let (succeeded, ending) = if self.log.is_some() {
            (self.transcript(tool)?.succeeded, "failed".to_owned())
        } else {
            let mut tool = self.placed(tool);
            let status = tool.command.status().map_err(|error| tool.cannot_start(&error))?;
            (status.success(), format!("failed ({status})"))
        };
        if !succeeded {
            bail!("`{shown}` {ending}: {advice}.");
        }
        Ok(())
    }

    /// Runs a program that may fail, shows its output and returns it.
    pub fn transcript(&self, tool: Tool) -> Result<Transcript> {
        let mut tool = self.placed(tool);
        tool.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Colour codes would split the words that are searched for.
        tool.command.env("NO_COLOR", "1").env("CARGO_TERM_COLOR", "never");
        tool.command.env_remove("FORCE_COLOR");
        let mut child = tool.command.spawn().map_err(|error| tool.cannot_start(&error))?;

        let (sender, lines) = channel();
        let readers = [
            child.stdout.take().map(|pipe| read_lines(pipe, sender.clone())),
            child.stderr.take().map(|pipe| read_lines(pipe, sender)),
        ];
        let mut log = self.open_log()?;
        let mut text = String::new();
        for line in lines {
            println!("{}{line}", self.margin);
            text.push_str(&line);
            text.push('\n');
            if let Some(file) = &mut log {
                writeln!(file, "{line}").context("the log could not be written")?;
            }
        }
        for reader in readers.into_iter().flatten() {
            reader.join().map_err(|_| anyhow!("reading the output of `{}` failed", tool.shown))?;
        }
        let status = child.wait().with_context(|| format!("`{}` was lost", tool.shown))?;
        Ok(Transcript { succeeded: status.success(), text })
    }

    /// Prints a sentence on the terminal, and to the log if there is one.
    pub fn say(&self, sentence: &str) -> Result<()> {
        println!("{}{sentence}", self.margin);
        if let Some(mut file) = self.open_log()? {
            writeln!(file, "{sentence}").context("the log could not be written")?;
        }
        Ok(())
    }

    /// Sets the repository's root as working folder unless another was set.
    fn placed(&self, mut tool: Tool) -> Tool {
        if tool.command.get_current_dir().is_none() {
            tool.command.current_dir(self.project.root());
        }
        tool
    }

    fn open_log(&self) -> Result<Option<File>> {
        let Some(path) = &self.log else { return Ok(None) };
        let file = File::options().append(true).open(path);
        Ok(Some(file.with_context(|| format!("{} is not writable", path.display()))?))
    }
}

fn read_lines(pipe: impl Read + Send + 'static, sender: Sender<String>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut reader = BufReader::new(pipe);
        let mut line = Vec::new();
        while matches!(reader.read_until(b'\n', &mut line), Ok(read) if read > 0) {
            let text = String::from_utf8_lossy(&line);
            // The receiver ends only with the whole run.
            if sender.send(text.trim_end_matches(['\n', '\r']).to_owned()).is_err() {
                return;
            }
            line.clear();
        }
    })
}
