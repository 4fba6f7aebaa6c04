/**
 * The page's one language, its sentences and its numbers. Elements ask `message` and `format…` while
 * they render and attach a `LanguageController`, so that they render again when the language changes.
 */
import { isolated } from "../data/index.js";
import { language, sentences } from "./current.js";
import en from "./en/page.json" with { type: "json" };
import type { FirstKey, Language, MessageKey } from "./messages.js";

export {
  language,
  LanguageController,
  loadLanguage,
  loadSentences,
  onLanguageChange,
  setLanguage,
} from "./current.js";
export type { Language, MessageKey } from "./messages.js";

/** All complete languages with the names they give themselves. */
export const LANGUAGES: readonly { code: Language; name: string }[] = [
  { code: "en", name: "English" },
  { code: "zh-CN", name: "简体中文" },
];

/** The language that a tag such as `zh-Hans` or `en-GB` asks for; null for one that is not spoken here. */
export function languageOf(tag: string): Language | null {
  const primary = tag.toLowerCase().split("-")[0];
  return LANGUAGES.find(({ code }) => code.split("-")[0] === primary)?.code ?? null;
}

/**
 * The sentence `key` in the current language, with each `{name}` replaced by `values.name`, and each `{name|one|many}`
 * by the form that goes with that number. A value that is read from the right is set apart from the words around it.
 */
export function message(key: MessageKey, values: Record<string, string | number> = {}): string {
  return (sentences()[key] ?? "").replace(
    /\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const value = values[name];
      if (value === undefined) return whole;
      if (one !== undefined && many !== undefined)
        return pluralRules().select(Number(value)) === "one" ? one : many;
      return typeof value === "number" ? formatNumber(value) : isolated(value);
    },
  );
}

/** Whether a sentence of that name is there from the start; for names built from data, such as error codes. */
export function isMessageKey(key: string): key is FirstKey {
  return Object.hasOwn(en, key);
}

/** Several things, one after the other. */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(language(), { type: "conjunction", style: "narrow" }).format(
    items.map(isolated),
  );
}

/** What is rounded to zero has no sign: “−0.0” would mean something that the digits do not show. */
const NO_SIGN_OF_ZERO = { signDisplay: "negative" } as const;

/** A number with at most `digits` decimals; infinities and NaN read as mathematics writes them. */
export function formatNumber(value: number, digits = 0): string {
  return formatter({ maximumFractionDigits: digits, ...NO_SIGN_OF_ZERO })
    .format(value)
    .replace("NaN", "–");
}

/** A number with exactly `digits` decimals, so that columns line up; minus is a real minus sign. */
export function formatFixed(value: number, digits = 3): string {
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "−∞";
  return formatter({
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    ...NO_SIGN_OF_ZERO,
  })
    .format(value)
    .replace("-", "−");
}

/** A share between 0 and 1 as a percentage. */
export function formatPercent(share: number, digits = 1): string {
  return formatter({
    style: "percent",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    ...NO_SIGN_OF_ZERO,
  })
    .format(share)
    .replace("-", "−");
}

/** A large count in short form, such as 4.3M or 430万. */
export function formatCompact(value: number): string {
  return formatter({ notation: "compact", maximumSignificantDigits: 2 })
    .format(value)
    .replace(/\s/g, "");
}

/** Bytes as megabytes. */
export function formatBytes(bytes: number): string {
  return formatter({ style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format(
    bytes / 1e6,
  );
}

/** Building an Intl.NumberFormat costs far more than using one, and heatmaps ask for thousands. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const name = language() + JSON.stringify(options);
  const known = formatters.get(name);
  if (known) return known;
  const made = new Intl.NumberFormat(language(), options);
  formatters.set(name, made);
  return made;
}

const rules = new Map<Language, Intl.PluralRules>();

function pluralRules(): Intl.PluralRules {
  const known = rules.get(language()) ?? new Intl.PluralRules(language());
  rules.set(language(), known);
  return known;
}
