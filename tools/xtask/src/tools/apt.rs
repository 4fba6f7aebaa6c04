//! Packages of Debian and Ubuntu, on machines whose user may install them.

use std::sync::{Mutex, PoisonError};

use anyhow::Result;

use super::find_on_path;
use crate::shell::{Shell, Tool};

/// Whether [`install`] can work: apt-get exists, and this user is root or may become root.
pub fn is_usable() -> bool {
    find_on_path("apt-get").is_some() && (is_root() || may_become_root())
}

/// A lock for suites in parallel: apt-get refuses to run twice.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Installs packages, after a refresh of the package lists if they are too old.
pub fn install(shell: &Shell, packages: &[&str]) -> Result<()> {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    if shell.run(install_command(packages)).is_ok() {
        return Ok(());
    }
    shell.say("Trying again with fresh package lists.")?;
    shell.run(apt_get().arg("update").advice(
        "Debian's package lists could not be fetched, check the network and run the command again",
    ))?;
    shell.run(install_command(packages))
}

fn install_command(packages: &[&str]) -> Tool {
    apt_get()
        .args(["install", "--yes", "--no-install-recommends"])
        // Another program may be installing packages: a machine does so soon after its start.
        .args(["--option", "DPkg::Lock::Timeout=300"])
        .args(packages)
        .advice(format!("install these packages by hand: {}", packages.join(" ")))
}

fn apt_get() -> Tool {
    let tool = if is_root() { Tool::new("apt-get") } else { Tool::new("sudo").arg("apt-get") };
    tool.env("DEBIAN_FRONTEND", "noninteractive")
}

pub fn is_root() -> bool {
    Tool::new("id").arg("-u").capture().is_ok_and(|answer| answer.trim() == "0")
}

fn may_become_root() -> bool {
    Tool::new("sudo").args(["-n", "true"]).capture().is_ok()
}
