//! A software Vulkan driver, for tests of the GPU backend on a machine without a GPU.

use std::path::Path;

use anyhow::Result;

use super::apt;
use crate::shell::Shell;

/// The folders in which Vulkan looks for drivers on Linux.
const DRIVER_FOLDERS: [&str; 2] = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
const PACKAGES: [&str; 2] = ["mesa-vulkan-drivers", "libvulkan1"];

/// Installs a driver on Linux if there is none and it is possible; otherwise the test of the GPU
/// backend finds no adapter and reports a skip.
pub fn ensure(shell: &Shell) -> Result<()> {
    if !cfg!(target_os = "linux") || has_driver() {
        return Ok(());
    }
    if !apt::is_usable() {
        return shell.say("There is no Vulkan driver, and this user cannot install packages.");
    }
    match apt::install(shell, &PACKAGES) {
        Ok(()) => Ok(()),
        Err(problem) => shell.say(&format!("There is no Vulkan driver here: {problem}")),
    }
}

fn has_driver() -> bool {
    DRIVER_FOLDERS.iter().any(|folder| {
        Path::new(folder).read_dir().is_ok_and(|mut entries| entries.next().is_some())
    })
}
