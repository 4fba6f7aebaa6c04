import { en } from "./en/index.js";
import type { Language, Messages } from "./messages.js";

/** Where the sentences of a language are; English, the key type of all, is always there. */
const ELSEWHERE: Readonly<Record<Exclude<Language, "en">, () => Promise<Messages>>> = {
  "zh-CN": async () => (await import("./zh-CN/index.js")).zhCN,
};

const known = new Map<Language, Messages>([["en", en]]);
let current: Language = "en";
let wanted: Language = "en";
const listeners = new Set<() => void>();

/** The language in use. */
export function language(): Language {
  return current;
}

/** Its sentences. */
export function sentences(): Messages {
  return known.get(current) ?? en;
}

/** Fetches the sentences of a language. It may fail as everything that is fetched; the language in use stays. */
export async function loadLanguage(name: Language): Promise<void> {
  if (name !== "en" && !known.has(name)) known.set(name, await ELSEWHERE[name]());
}

/** Changes the language, as soon as its sentences are there; everything that listens renders again. */
export function setLanguage(next: Language): void {
  wanted = next;
  if (next === current) return;
  if (known.has(next)) {
    current = next;
    for (const listener of listeners) listener();
    return;
  }
  const settle = (): void => {
    if (wanted === next && known.has(next)) setLanguage(next);
  };
  // Without a network, what cannot be fetched is not spoken; the next change tries again.
  loadLanguage(next).then(settle, settle);
}

/** Calls `listener` after every change of language, until the returned function is called. */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
