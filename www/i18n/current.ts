import type { Language } from "./messages.js";

let current: Language = "en";
const listeners = new Set<() => void>();

/** The language in use. */
export function language(): Language {
  return current;
}

/** Changes the language; everything that listens renders again. */
export function setLanguage(next: Language): void {
  if (next === current) return;
  current = next;
  for (const listener of listeners) listener();
}

/** Calls `listener` after every change of language, until the returned function is called. */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
