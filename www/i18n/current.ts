import { en } from "./en/index.js";
import type { BenchMessages, Language, MessageKey, Messages } from "./messages.js";

/** Where the sentences of a language are; English, the key type of all, is always there. */
const ELSEWHERE: Readonly<Record<Exclude<Language, "en">, () => Promise<Messages>>> = {
  "zh-CN": async () => (await import("./zh-CN/index.js")).zhCN,
};

/** Where those of the bench are, which a first visit does without. */
const BENCH: Readonly<Record<Language, () => Promise<BenchMessages>>> = {
  en: async () => (await import("./en/bench/index.js")).enBench,
  "zh-CN": async () => (await import("./zh-CN/bench/index.js")).zhCNBench,
};

/** The sentences of a language as far as they are here. */
type Known = Messages & Partial<BenchMessages>;

const known = new Map<Language, Known>([["en", en]]);
const benches = new Set<Language>();
/** Whether the bench is on the page, or on its way. */
let benchWanted = false;
let current: Language = "en";
let wanted: Language = "en";
const listeners = new Set<() => void>();

/** The language in use. */
export function language(): Language {
  return current;
}

/** Its sentences; one that has not come is missing. */
export function sentences(): Partial<Record<MessageKey, string>> {
  return known.get(current) ?? en;
}

/** Fetches the sentences of a language. It may fail as everything that is fetched; the language in use stays. */
export async function loadLanguage(name: Language): Promise<void> {
  if (name !== "en" && !known.has(name)) known.set(name, await ELSEWHERE[name]());
  if (!benchWanted || benches.has(name)) return;
  const more = await BENCH[name]();
  known.set(name, { ...(known.get(name) ?? en), ...more });
  benches.add(name);
}

/** Fetches the sentences of the bench, in this language and from now on in every other that is chosen. */
export async function loadBenchSentences(): Promise<void> {
  benchWanted = true;
  while (!isHere(current)) await loadLanguage(current);
}

function isHere(name: Language): boolean {
  return known.has(name) && (!benchWanted || benches.has(name));
}

/** Changes the language, as soon as its sentences are there; everything that listens renders again. */
export function setLanguage(next: Language): void {
  wanted = next;
  if (next === current) return;
  if (isHere(next)) {
    current = next;
    for (const listener of listeners) listener();
    return;
  }
  const settle = (): void => {
    if (wanted === next && isHere(next)) setLanguage(next);
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
