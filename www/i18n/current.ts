import type { ReactiveController, ReactiveControllerHost } from "lit";
import { signal } from "../signals.js";
import en from "./en/page.json" with { type: "json" };
import type { Language, LaterPart, MessageKey, Messages } from "./messages.js";

/** Where the sentences are that a first visit in English does without: those of later parts, and of other languages. */
const ELSEWHERE = import.meta.glob<Record<string, string>>(["./*/*.json", "!./en/page.json"], {
  import: "default",
});

/** The sentences of a language as far as they are here. */
type Known = Messages & Partial<Record<MessageKey, string>>;

const known = new Map<Language, Known>([["en", en]]);
/** Which later parts a language has sentences for. */
const here: Readonly<Record<Language, Set<LaterPart>>> = { en: new Set(), "zh-CN": new Set() };
/** The later parts that are on the page, or on their way. */
const open = new Set<LaterPart>();
const current = signal<Language>("en");
let wanted: Language = "en";
const listeners = new Set<() => void>();

/** The language in use. */
export function language(): Language {
  return current.value;
}

/** Its sentences; one that has not come is missing. */
export function sentences(): Partial<Record<MessageKey, string>> {
  return known.get(current.value) ?? en;
}

/** Fetches the sentences of a language. It may fail as everything that is fetched; the language in use stays. */
export function loadLanguage(name: Language): Promise<void> {
  return load(name, [...open]);
}

/** Fetches the sentences of parts that come later, in this language and from now on in every other that is chosen. */
export async function loadSentences(...parts: readonly LaterPart[]): Promise<void> {
  for (const part of parts) open.add(part);
  try {
    // Another language may have been chosen meanwhile.
    while (!isHere(current.value, parts)) await load(current.value, parts);
  } catch (thrown) {
    // A part that could not be fetched must not block other parts or languages.
    for (const part of parts) if (!here[current.value].has(part)) open.delete(part);
    throw thrown;
  }
}

async function load(name: Language, parts: readonly LaterPart[]): Promise<void> {
  const file = (part: string): Promise<Record<string, string>> | undefined =>
    ELSEWHERE[`./${name}/${part}.json`]?.();
  if (!known.has(name)) known.set(name, (await file("page")) as Messages);
  const loadPart = async (part: LaterPart): Promise<void> => {
    const more = await file(part);
    known.set(name, { ...(known.get(name) ?? en), ...more });
    here[name].add(part);
  };
  await Promise.all(parts.filter((part) => !here[name].has(part)).map(loadPart));
}

function isHere(name: Language, parts: readonly LaterPart[] = [...open]): boolean {
  return known.has(name) && parts.every((part) => here[name].has(part));
}

/** Changes the language, as soon as its sentences are there; everything that listens renders again. */
export function setLanguage(next: Language): void {
  wanted = next;
  if (next === current.value) return;
  if (isHere(next)) {
    current.value = next;
    for (const listener of listeners) listener();
    return;
  }
  loadLanguage(next).then(
    () => {
      // Parts that were opened meanwhile are fetched too.
      if (wanted === next) setLanguage(next);
    },
    () => {
      // Without a network, what cannot be fetched is not spoken; the next change tries again.
      if (wanted === next && isHere(next)) setLanguage(next);
    },
  );
}

/** Calls `listener` after every change of language, until the returned function is called. */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Makes a Lit element render again when the language changes. */
export class LanguageController implements ReactiveController {
  private stop: (() => void) | undefined;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {
    this.stop = onLanguageChange(() => this.host.requestUpdate());
  }

  hostDisconnected(): void {
    this.stop?.();
  }
}
