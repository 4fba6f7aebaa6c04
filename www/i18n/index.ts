/**
 * Sentences and numbers in a language: the page's, or that of one of its explorers. Elements call
 * `message` and `format…` while they render in their locale, and render again when its language
 * changes.
 */
import { isolated } from "../data/index.js";
import { effect, signal, untracked } from "../signals.js";
import type beams from "./en/beams.json";
import type chat from "./en/chat.json";
import type circuits from "./en/circuits.json";
import type experiments from "./en/experiments.json";
import type exporting from "./en/export.json";
import type hub from "./en/hub.json";
import type help from "./en/help.json";
import type hints from "./en/hints.json";
import type layers from "./en/layers.json";
import type lessons from "./en/lessons.json";
import en from "./en/page.json" with { type: "json" };
import type menus from "./en/menus.json";
import type notebook from "./en/notebook.json";
import type notices from "./en/notices.json";
import type pairs from "./en/pairs.json";
import type pictures from "./en/pictures.json";
import type roles from "./en/roles.json";
import type ruleTexts from "./en/rules.json";
import type steps from "./en/steps.json";
import type tour from "./en/tour.json";
import type training from "./en/training.json";
import type writing from "./en/writing.json";

/** The sentences of later parts of the page, which are loaded with them. */
interface Later {
  beams: typeof beams;
  chat: typeof chat;
  circuits: typeof circuits;
  experiments: typeof experiments;
  export: typeof exporting;
  help: typeof help;
  hints: typeof hints;
  hub: typeof hub;
  layers: typeof layers;
  lessons: typeof lessons;
  menus: typeof menus;
  notebook: typeof notebook;
  notices: typeof notices;
  pairs: typeof pairs;
  pictures: typeof pictures;
  roles: typeof roles;
  rules: typeof ruleTexts;
  steps: typeof steps;
  tour: typeof tour;
  training: typeof training;
  writing: typeof writing;
}
export type LaterPart = keyof Later;

/** The name of a sentence; English decides which names exist. */
export type MessageKey =
  keyof typeof en | { [Part in keyof Later]: keyof Later[Part] }[keyof Later];

/** The languages that are complete, each with its tag and its name in the language itself. */
export const LANGUAGES = [
  { code: "en", name: "English" },
  { code: "zh-CN", name: "简体中文" },
] as const;

/** The tag of a language of the page. */
export type Language = (typeof LANGUAGES)[number]["code"];

/**
 * The language for a tag such as `zh-Hans` or `en-GB`; null for one that the page does not have.
 */
export function languageOf(tag: string): Language | null {
  const primary = tag.toLowerCase().split("-")[0];
  return LANGUAGES.find(({ code }) => code.split("-")[0] === primary)?.code ?? null;
}

type Part = keyof Later | "page";

/**
 * The sentences that a first visit in English does not need: those of later parts, and of other
 * languages. No page has those of a notebook.
 */
const ELSEWHERE = import.meta.glob<Record<string, string>>(
  ["./*/*.json", "!./en/page.json", "!./*/notebook.json"],
  { import: "default" },
);
/** The loaded sentences of a language, and the parts of the page that they cover. */
interface LoadedSentences {
  texts: Partial<Record<string, string>>;
  parts: Set<Part>;
}

const loaded = Object.fromEntries(
  LANGUAGES.map(({ code }) => [code, { texts: {}, parts: new Set() }]),
) as Record<Language, LoadedSentences>;
loaded.en = { texts: en, parts: new Set(["page"]) };

/** The parts that are on the page, or being loaded. */
const open = new Set<Part>(["page"]);

/**
 * The locale in which sentences are written at present, for use in later code, such as after a
 * wait.
 */
export function currentLocale(): Locale {
  return current;
}

/** The language in use. */
export function language(): Language {
  return held ?? current.language;
}

const isLoaded = (name: Language, parts: Iterable<Part> = open): boolean =>
  [...parts].every((part) => loaded[name].parts.has(part));

/** Loads the sentences of a language. Loading may fail; the language in use stays. */
export async function loadLanguage(name: Language, parts: Iterable<Part> = open): Promise<void> {
  const own = loaded[name];
  const load = async (part: Part): Promise<void> => {
    const more = await ELSEWHERE[`./${name}/${part}.json`]?.();
    own.texts = { ...own.texts, ...more };
    own.parts.add(part);
  };
  await Promise.all([...parts].filter((part) => !own.parts.has(part)).map(load));
}

/** Adds sentences of a language that a script has in itself, and opens their parts. */
export function addSentences(
  name: Language,
  parts: Readonly<Partial<Record<Part, Readonly<Record<string, string>>>>>,
): void {
  for (const [part, texts] of Object.entries(parts)) {
    loaded[name].texts = { ...loaded[name].texts, ...texts };
    loaded[name].parts.add(part as Part);
    open.add(part as Part);
  }
}

/** The languages that single explorers of the page have chosen. */
const spoken = new Set<Language>();

/** The language of a page or of an explorer, for everything inside it. */
export class Locale {
  private readonly chosen = signal<Language | null>(null);
  private wanted: Language | null = null;

  /** A locale without a language of its own has the language of the locale `around` it. */
  constructor(private readonly around: Locale | null = PAGE_LOCALE) {}

  get language(): Language {
    return this.chosen.value ?? this.around?.language ?? "en";
  }

  /**
   * Changes the language as soon as its sentences are loaded; subscribers render again. Null stands
   * for the language of the locale around.
   */
  speak(next: Language | null): void {
    this.wanted = next;
    if (next === this.chosen.peek()) return;
    if (next === null || isLoaded(next)) {
      if (next !== null && this.around !== null) spoken.add(next);
      held = null;
      changes += 1;
      this.chosen.value = next;
      return;
    }
    loadLanguage(next).then(
      () => {
        // Parts that were opened meanwhile are loaded too.
        if (this.wanted === next) this.speak(next);
      },
      () => {
        // Without a network the language stays; the next change tries again.
        if (this.wanted === next && isLoaded(next)) this.speak(next);
      },
    );
  }

  /**
   * Calls `listener` now and after every change of language, until the returned function is called.
   */
  listen(listener: (language: Language) => void): () => void {
    return effect(() => {
      const { language } = this;
      untracked(() => listener(language));
    });
  }

  /**
   * The result of `act`, whose sentences and numbers are in this language. A tracked caller follows
   * the language, which is read once for all of them; what is tracked by itself within `act` calls
   * this again.
   */
  within<Result>(act: () => Result): Result {
    const before = { current, held, changes };
    enter(this);
    try {
      return act();
    } finally {
      ({ current } = before);
      held = changes === before.changes ? before.held : null;
    }
  }
}

/** The locale of the page: of everything outside explorers with a language of their own. */
export const PAGE_LOCALE = new Locale(null);

/** The locale in which sentences are written at present. */
let current = PAGE_LOCALE;
/** The language of `current` while one call of `within` writes its sentences; else null. */
let held: Language | null = null;
/** The number of times that a locale changed its language. */
let changes = 0;

/** Lets sentences be written in a locale, and holds its language for them. */
function enter(locale: Locale): void {
  current = locale;
  held = locale.language;
}

/**
 * Loads the sentences of later parts, in the languages of the page and its explorers and from then
 * on in every other that is chosen.
 */
export async function loadSentences(...parts: readonly LaterPart[]): Promise<void> {
  for (const part of parts) open.add(part);
  const missing = (): Language[] =>
    [PAGE_LOCALE.language, ...spoken].filter((name) => !isLoaded(name, parts));
  try {
    // Another language may have been chosen meanwhile.
    for (let names = missing(); names.length > 0; names = missing())
      await Promise.all(names.map((name) => loadLanguage(name, parts)));
  } catch (thrown) {
    // A part that could not be fetched must not block other parts or languages.
    for (const name of missing())
      for (const part of parts) if (!loaded[name].parts.has(part)) open.delete(part);
    throw thrown;
  }
}

/** The number of times that sentences of later parts came, or were found to be missing. */
const answers = signal(0);
const unreached = new Set<LaterPart>();

/**
 * Whether the sentences of a later part can be used. If they cannot, they are loaded, and a tracked
 * caller runs again when they come; false means that they are on their way, null that they could
 * not be fetched.
 */
export function wantSentences(part: LaterPart): boolean | null {
  if (isLoaded(language(), [part])) return true;
  if (answers.value >= 0 && unreached.has(part)) return null;
  if (!open.has(part))
    void loadSentences(part)
      .catch(() => unreached.add(part))
      .then(() => (answers.value += 1));
  return false;
}

/** Whether an element that needs sentences of later parts has to wait for them. */
export const areLoaded = (parts: readonly LaterPart[]): boolean => isLoaded(language(), parts);

/**
 * The sentence `key` in the present language, with each `{name}` replaced by `values.name`, and
 * each `{name|one|many}` by the form for that number. A value that is read from right to left is
 * isolated from the words around it.
 */
export function message(key: MessageKey, values: Record<string, string | number> = {}): string {
  return (loaded[language()].texts[key] ?? "").replace(
    /\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const value = values[name];
      if (value === undefined) return whole;
      if (one !== undefined && many !== undefined)
        return plural().select(Number(value)) === "one" ? one : many;
      return typeof value === "number" ? formatNumber(value) : isolated(value);
    },
  );
}

/** A sentence of a later part, which is loaded when it is first wanted; empty until it comes. */
export function laterMessage(part: LaterPart, ...said: Parameters<typeof message>): string {
  return isMessageKey(said[0]) || wantSentences(part) === true ? message(...said) : "";
}

/** Whether a sentence of this name is loaded; for names built from data, such as error codes. */
export const isMessageKey = (key: string): key is MessageKey =>
  Object.hasOwn(loaded[language()].texts, key);

/** A list of items as words, separated as the language does it. */
export function formatList(items: readonly string[]): string {
  const list = new Intl.ListFormat(language(), { type: "conjunction", style: "narrow" });
  return list.format(items.map(isolated));
}

/**
 * The format without a sign for numbers that are rounded to zero: “−0.0” would say more than its
 * digits show.
 */
const NO_SIGN_OF_ZERO = { signDisplay: "negative" } as const;
/** The format with exactly `digits` decimals, so that columns line up. */
const fixed = (digits: number): Intl.NumberFormatOptions => ({
  minimumFractionDigits: digits,
  maximumFractionDigits: digits,
  ...NO_SIGN_OF_ZERO,
});

/** A number with at most `digits` decimals; infinities and NaN read as mathematics writes them. */
export const formatNumber = (value: number, digits = 0): string =>
  format(value, { maximumFractionDigits: digits, ...NO_SIGN_OF_ZERO }).replace("NaN", "–");

/** A number with exactly `digits` decimals. */
export function formatFixed(value: number, digits = 3): string {
  if (Math.abs(value) === Infinity) return value > 0 ? "∞" : "−∞";
  return format(value, fixed(digits));
}

/** A share between 0 and 1 as a percentage. */
export const formatPercent = (share: number, digits = 1): string =>
  format(share, { style: "percent", ...fixed(digits) });

/** A large count in short form, such as 4.3M or 430万. */
export const formatCompact = (value: number): string =>
  format(value, { notation: "compact", maximumSignificantDigits: 2 }).replace(/\s/g, "");

/** Bytes as kilobytes, megabytes or gigabytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e5) return formatUnit(bytes / 1e3, "kilobyte", 1);
  return bytes < 1e9
    ? formatUnit(bytes / 1e6, "megabyte", 1)
    : formatUnit(bytes / 1e9, "gigabyte", 1);
}

/** A waiting time as seconds, minutes or hours. */
export function formatSeconds(seconds: number): string {
  if (seconds < 90) return formatUnit(seconds, "second");
  return seconds < 5400
    ? formatUnit(seconds / 60, "minute")
    : formatUnit(seconds / 3600, "hour", 1);
}

const formatUnit = (value: number, unit: string, digits = 0): string =>
  format(value, { style: "unit", unit, maximumFractionDigits: digits });

/**
 * A cache of formatters: building an Intl.NumberFormat costs far more than using one, and heatmaps
 * need thousands of numbers.
 */
const formatters = new Map<string, Intl.NumberFormat>();

/** A number of the language, with a real minus sign. */
function format(value: number, options: Intl.NumberFormatOptions): string {
  const name = language() + JSON.stringify(options);
  const formatter = formatters.get(name) ?? new Intl.NumberFormat(language(), options);
  formatters.set(name, formatter);
  return formatter.format(value).replace("-", "−");
}

const rules = new Map<Language, Intl.PluralRules>();

function plural(): Intl.PluralRules {
  const known = rules.get(language()) ?? new Intl.PluralRules(language());
  rules.set(language(), known);
  return known;
}
