//! Serves the page to browsers on this machine: at once if it is built, otherwise as soon as it can
//! run. Missing parts are built in the background; a request for one waits.

use std::net::{TcpListener, TcpStream};
use std::process::Child;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use crate::build::{self, site, wasm};
use crate::disk;
use crate::project::Project;
use crate::shell::{Shell, Tool};
use crate::steps::Steps;
use crate::tools::node;

/// The address of the server: a page under construction is for this machine alone.
const HOST: &str = "127.0.0.1";

/// Builds what the page needs, then serves until the process is stopped.
pub fn run(project: &Project, port: u16, open: bool) -> Result<()> {
    // Before the build: a busy port should be reported without waiting minutes.
    let port = free_port(port)?;
    let shell = Shell::live(project);
    let is_complete = wasm::is_all_current(project)?;
    if is_complete {
        build::run(project)?;
    } else {
        build_first_page(&shell)?;
    }
    let mut server = Server::start(project, port)?;
    let address = format!("http://{HOST}:{port}/");
    if open {
        open_browser(&address);
    }
    if !is_complete {
        println!("The other builds of the core follow; until then some parts of the page wait.");
        build_behind(&shell)?;
        println!("\nAll is built: reload {address} for the page as it is shipped.");
    }
    server.wait()
}

/// Builds the quick core for the CPU, and in parallel the page without a core.
fn build_first_page(shell: &Shell) -> Result<()> {
    let mut steps = Steps::new(2);
    steps.run("Node, Rust for wasm32 and the wasm-bindgen versions", || build::prepare(shell))?;
    steps.run("npm packages and the page; the core for the CPU, in a quick build", || {
        // A page of other sources must not be served in place of the new one.
        disk::remove_folder(&shell.project.site())?;
        wasm::remove_outdated(shell.project)?;
        thread::scope(|scope| {
            let core = scope.spawn(|| wasm::build_quick(shell));
            node::ensure_packages(shell)?;
            site::build_first(shell)?;
            core.join().map_err(|_| anyhow!("the build of the core stopped"))?
        })
    })
}

/// Runs `cargo xtask build` at low priority.
fn build_behind(shell: &Shell) -> Result<()> {
    let program = std::env::current_exe().context("this program has no path")?;
    let build = if cfg!(unix) {
        Tool::new("nice").args(["-n", "10"]).arg(program)
    } else {
        Tool::new(program)
    };
    shell.run(build.arg("build"))
}

/// The file server, which ends with this program.
struct Server(Child);

impl Server {
    fn start(project: &Project, port: u16) -> Result<Self> {
        let server = Tool::new("node")
            .args(["tools/serve/main.js", "--attached", "--port", &port.to_string()])
            .args(["--cores", wasm::CORES, "dist/site", site::FIRST_PAGE])
            .dir(project.root());
        let mut server = Self(server.start()?);
        while TcpStream::connect((HOST, port)).is_err() {
            if server.0.try_wait().context("the server cannot be watched")?.is_some() {
                bail!("The server did not start: read what it wrote above.");
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    /// Waits until the server or this program ends.
    fn wait(&mut self) -> Result<()> {
        // `wait` would close the server's standard input and so end it.
        let status = loop {
            if let Some(status) = self.0.try_wait().context("the server cannot be watched")? {
                break status;
            }
            thread::sleep(Duration::from_millis(200));
        };
        if !status.success() {
            bail!("The server stopped unexpectedly: run `cargo xtask serve` again.");
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A server that has ended by itself cannot be stopped.
        let _ = self.0.kill();
    }
}

/// The requested port, if it is free; any free one for 0.
fn free_port(port: u16) -> Result<u16> {
    let listener = TcpListener::bind((HOST, port)).map_err(|error| {
        let busy = matches!(
            error.kind(),
            std::io::ErrorKind::AddrInUse | std::io::ErrorKind::PermissionDenied
        );
        if busy {
            anyhow!("Port {port} is taken: stop what uses it or choose another with --port N.")
        } else {
            anyhow!("Port {port} cannot be used ({error}): choose another with --port N.")
        }
    })?;
    Ok(listener.local_addr().context("the port has no number")?.port())
}

fn open_browser(address: &str) {
    let opener = if cfg!(target_os = "macos") {
        Tool::new("open")
    } else if cfg!(windows) {
        Tool::new("cmd").args(["/C", "start"])
    } else {
        Tool::new("xdg-open")
    };
    // The address is on the terminal, so a machine without a desktop can do without.
    if opener.arg(address).capture().is_err() {
        println!("No browser could be opened: open the address yourself.");
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::{HOST, free_port};

    #[test]
    fn a_busy_port_is_named_and_zero_is_any() {
        let listener = TcpListener::bind((HOST, 0)).unwrap();
        let busy = listener.local_addr().unwrap().port();
        let message = free_port(busy).unwrap_err().to_string();
        assert!(message.contains(&busy.to_string()), "{message}");
        assert_ne!(free_port(0).unwrap(), 0);
    }
}
