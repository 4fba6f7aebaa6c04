//! Builds the page and serves it to browsers on this machine.

mod files;

use std::sync::Arc;
use std::thread;

use anyhow::{Result, anyhow, bail};
use tiny_http::{Header, Method, Request, Response, Server, StatusCode};

use crate::build;
use crate::project::Project;
use crate::shell::Tool;
use files::{Found, SiteFiles};

/// Only this machine can open a page under construction.
const HOST: &str = "127.0.0.1";

/// A page load asks for a handful of files at once.
const THREADS: usize = 4;

/// Builds, then serves until the process is stopped.
pub fn run(project: &Project, port: u16, open: bool) -> Result<()> {
    // Before the build: a busy port should not cost minutes first.
    let server = Arc::new(listen(port)?);
    build::run(project)?;

    let port = server.server_addr().to_ip().map_or(port, |address| address.port());
    let address = format!("http://{HOST}:{port}/");
    println!("\nHeadscope is at {address} (stop with Ctrl+C)");
    if open {
        open_browser(&address);
    }

    let files = SiteFiles::new(project.site());
    let workers: Vec<_> = (0..THREADS)
        .map(|_| {
            let (server, files) = (Arc::clone(&server), files.clone());
            thread::spawn(move || {
                for request in server.incoming_requests() {
                    answer(request, &files);
                }
            })
        })
        .collect();
    for worker in workers {
        if worker.join().is_err() {
            bail!("The server stopped unexpectedly: run `cargo xtask serve` again.");
        }
    }
    Ok(())
}

fn listen(port: u16) -> Result<Server> {
    Server::http((HOST, port)).map_err(|error| {
        let busy = error.downcast_ref::<std::io::Error>().is_some_and(|error| {
            matches!(
                error.kind(),
                std::io::ErrorKind::AddrInUse | std::io::ErrorKind::PermissionDenied
            )
        });
        if busy {
            anyhow!("Port {port} is taken: stop what uses it or choose another with --port N.")
        } else {
            anyhow!("Port {port} cannot be used ({error}): choose another with --port N.")
        }
    })
}

fn answer(request: Request, files: &SiteFiles) {
    let found = match request.method() {
        Method::Get | Method::Head => files.find(request.url()),
        _ => Found::Refused,
    };
    // An error here concerns only a browser that closed the connection.
    let _ = match found {
        Found::File { file, mime } => {
            let headers = [("Content-Type", mime), ("Cache-Control", "no-cache")];
            let headers = headers.iter().filter_map(|(name, value)| header(name, value));
            request.respond(headers.fold(Response::from_file(file), Response::with_header))
        }
        Found::Nothing => request.respond(sentence(404, "There is no such file here.")),
        Found::Refused => request.respond(sentence(405, "Only reading is possible here.")),
    };
}

fn sentence(status: u16, text: &str) -> Response<std::io::Cursor<Vec<u8>>> {
    Response::from_string(text).with_status_code(StatusCode(status))
}

fn header(name: &str, value: &str) -> Option<Header> {
    Header::from_bytes(name, value).ok()
}

fn open_browser(address: &str) {
    let opener = if cfg!(target_os = "macos") {
        Tool::new("open")
    } else if cfg!(windows) {
        Tool::new("cmd").args(["/C", "start"])
    } else {
        Tool::new("xdg-open")
    };
    // The address is on the terminal: a machine without a desktop loses nothing.
    if opener.arg(address).capture().is_err() {
        println!("No browser could be opened: open the address yourself.");
    }
}
