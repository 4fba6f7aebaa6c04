//! Printing of the running step, the number of steps, and the time that each took.

use std::time::Instant;

use anyhow::Result;

pub struct Steps {
    total: usize,
    current: usize,
    started: Instant,
}

impl Steps {
    /// A count of steps; `total` is the number of calls of [`Steps::run`].
    pub fn new(total: usize) -> Self {
        Self { total, current: 0, started: Instant::now() }
    }

    pub fn run<T>(&mut self, title: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.current += 1;
        println!("[{}/{}] {title}", self.current, self.total);
        let started = Instant::now();
        let result = work()?;
        println!("      done in {:.1} s", started.elapsed().as_secs_f32());
        Ok(result)
    }

    pub fn seconds(&self) -> f32 {
        self.started.elapsed().as_secs_f32()
    }
}
