//! Debian's and Ubuntu's packages, where this user may install them.

use std::sync::{Mutex, PoisonError};

use anyhow::Result;

use super::find_on_path;
use crate::shell::{Shell, Tool};

/// Whether [`install`] has a chance: apt-get exists, and this user is root or may be.
pub fn is_usable() -> bool {
    find_on_path("apt-get").is_some() && (is_root() || may_become_root())
}

/// Suites that run side by side wait here for each other: apt-get refuses a second one.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Installs packages, refreshing the package lists when they are too old to find them.
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
