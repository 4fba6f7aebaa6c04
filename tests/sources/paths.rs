//! Where the paths of a source file lead: those that start at `crate` or `super`, and the
//! first names of all others.

use super::tokens::{Kind, Token, tokens};

/// What a path names first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A module directly under the crate.
    Room(String),
    /// The crate itself, from which every room can be reached unseen.
    Root,
    /// A path that starts elsewhere, usually in another crate.
    Foreign(String),
}

/// Every path in the source of a module, with its line.
pub fn targets(module: &[String], source: &str) -> Vec<(usize, Target)> {
    let mut walk = Walk { module: module.to_vec(), depth: 0, inner: Vec::new(), found: Vec::new() };
    let all = tokens(source);
    for at in 0..all.len() {
        walk.visit(&all, at);
    }
    walk.found
}

struct Walk {
    module: Vec<String>,
    depth: usize,
    /// The depths of braces at which modules written in this file began.
    inner: Vec<usize>,
    found: Vec<(usize, Target)>,
}

impl Walk {
    fn visit(&mut self, all: &[Token], at: usize) {
        let line = all[at].line;
        match &all[at].kind {
            Kind::Text(text) => {
                let inside = targets(&self.module, text);
                self.found.extend(inside.into_iter().map(|(_, target)| (line, target)));
            }
            Kind::Sign('{') => {
                self.depth += 1;
                if let [Some("mod"), Some(name)] = [at.checked_sub(2), at.checked_sub(1)]
                    .map(|before| before.and_then(|before| word(all, before)))
                {
                    self.module.push(name.to_owned());
                    self.inner.push(self.depth);
                }
            }
            Kind::Sign('}') => {
                if self.inner.last() == Some(&self.depth) {
                    self.inner.pop();
                    self.module.pop();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            Kind::Word(name) if at == 0 || all[at - 1].kind != Kind::PathSign => {
                self.path(all, at, name);
            }
            _ => {}
        }
    }

    /// A path that starts with the word at `at`, if it is one.
    fn path(&mut self, all: &[Token], at: usize, name: &str) {
        let line = all[at].line;
        let goes_on = all.get(at + 1).is_some_and(|next| next.kind == Kind::PathSign);
        match name {
            "crate" | "super" if goes_on || is_item(all, at) => {
                let (base, next) = self.base(all, at);
                match base.first() {
                    Some(room) => self.found.push((line, Target::Room(room.clone()))),
                    None => names_after(all, next, &mut self.found),
                }
            }
            "self" | "Self" => {}
            _ if goes_on => self.found.push((line, Target::Foreign(name.to_owned()))),
            _ => {}
        }
    }

    /// The module that a chain of `crate` or `super` leads to, and where it ends.
    fn base(&self, all: &[Token], mut at: usize) -> (Vec<String>, usize) {
        let mut base = self.module.clone();
        if word(all, at) == Some("crate") {
            return (Vec::new(), at + 1);
        }
        while word(all, at) == Some("super") {
            base.pop();
            at += 1;
            if all.get(at).is_some_and(|token| token.kind == Kind::PathSign)
                && word(all, at + 1) == Some("super")
            {
                at += 1;
            }
        }
        (base, at)
    }
}

/// Whether `crate` or `super` without a path behind it is imported as it is, which
/// `pub(crate)` and `pub(super)` do not.
fn is_item(all: &[Token], at: usize) -> bool {
    word(all, at + 1) == Some("as")
        || at.checked_sub(1).and_then(|before| word(all, before)) == Some("extern")
}

/// What is named behind the crate's root: one room, several in braces, or all of them.
fn names_after(all: &[Token], at: usize, found: &mut Vec<(usize, Target)>) {
    let first = |at: usize| match word(all, at) {
        Some("self") | None => Target::Root,
        Some(name) => Target::Room(name.to_owned()),
    };
    let line = all[at - 1].line;
    if all.get(at).is_none_or(|token| token.kind != Kind::PathSign) {
        found.push((line, Target::Root));
        return;
    }
    if all.get(at + 1).is_none_or(|token| token.kind != Kind::Sign('{')) {
        found.push((line, first(at + 1)));
        return;
    }
    let mut depth = 0;
    for (index, token) in all.iter().enumerate().skip(at + 1) {
        match token.kind {
            Kind::Sign('{') => depth += 1,
            Kind::Sign('}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
        let opens = index == at + 1 || (depth == 1 && token.kind == Kind::Sign(','));
        let ends = all.get(index + 1).is_none_or(|next| next.kind == Kind::Sign('}'));
        if opens && !ends {
            found.push((token.line, first(index + 1)));
        }
    }
}

fn word(all: &[Token], at: usize) -> Option<&str> {
    match all.get(at).map(|token| &token.kind) {
        Some(Kind::Word(name)) => Some(name),
        _ => None,
    }
}
