// What a page shows: the numbers that its figures were given, and what it says in words; and where two pages differ in that.
import type { Page } from "@playwright/test";
import { apart } from "./apart.js";

interface Figure {
  element: string;
  /** Whether a GPU painted it: of its numbers only the rows that were looked at are known, and the others are NaN. */
  painted: boolean;
  given: Record<string, unknown>;
}

export interface Shown {
  figures: Figure[];
  words: string[];
}

/** What is drawn from numbers, and what carries the numbers of a table to its file. */
const FIGURES = [
  "bars",
  "curves",
  "difference",
  "dimensions",
  "grid",
  "heatmap",
  "lines",
  "mask",
  "numbers",
  "positions",
  "save-figure",
  "spectrum",
  "steps",
  "tokens",
].map((name) => `headscope-${name}`);

/** Where the page says what computes, and where it tells what has just happened. */
const APART_FROM =
  "headscope-page-footer, headscope-gpu-switch, headscope-chips, headscope-notices, [aria-live], option, script, style";

/** Reads all that is on the page now, but for what `without` finds. */
export function shown(page: Page, without = ""): Promise<Shown> {
  return page.evaluate(
    ([figures, without]) => {
      const seen: Shown = { figures: [], words: [] };
      const plain = (value: unknown): unknown => {
        if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
        if (Array.isArray(value)) return value.map(plain);
        if (typeof value !== "object" || value === null)
          return typeof value === "function" ? null : value;
        // What is more than its fields, a run or a painter, is asked and not shown.
        return Reflect.getPrototypeOf(value) === Object.prototype
          ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]))
          : null;
      };
      const givenTo = (element: Element): Record<string, unknown> => {
        const { elementProperties: properties } = element.constructor as unknown as {
          elementProperties?: Map<string, { state?: boolean }>;
        };
        const named = [...(properties ?? [])].flatMap(([name, { state }]) =>
          state || name === "painted" ? [] : [[name, plain(Reflect.get(element, name))] as const],
        );
        return Object.fromEntries(named);
      };
      const walk = (node: Node): void => {
        if (node instanceof Text && node.data.trim() !== "")
          seen.words.push(node.data.trim().replace(/\s+/g, " "));
        if (node instanceof Element) {
          if (node.matches(without) || getComputedStyle(node).display === "none") return;
          if (figures.includes(node.localName))
            seen.figures.push({
              element: node.localName,
              painted: Reflect.get(node, "painted") instanceof Object,
              given: givenTo(node),
            });
          if (node.shadowRoot) walk(node.shadowRoot);
        }
        for (const child of node.childNodes) walk(child);
      };
      walk(document.body);
      return seen;
    },
    [FIGURES, without === "" ? APART_FROM : `${APART_FROM}, ${without}`] as const,
  );
}

/** Whether what a figure was given has numbers that a picture could be made of: more than sizes and the ids of tokens. A mask may be 0 everywhere. */
export function hasNumbers(value: unknown, name = ""): boolean {
  if (typeof value === "number")
    return /^(?:value|share|weight|probability|x|y)$/.test(name) && Number.isFinite(value);
  if (
    Array.isArray(value) &&
    name !== "shape" &&
    value.some(
      (item) => typeof item === "number" && !Number.isNaN(item) && (item !== 0 || name === "data"),
    )
  )
    return true;
  return (
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).some(([key, item]) => hasNumbers(item, key))
  );
}

const NUMBER = /([+−-]?\d[\d,]*(?:\.\d+)?)(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?(%?)/g;

/** A number as the page says it, and how much the last of its digits stands for. */
function readOf([, digits = "", raised = "", percent]: RegExpMatchArray): {
  value: number;
  unit: number;
} {
  const plain = digits.replaceAll(",", "").replace("−", "-");
  const exponent =
    raised === ""
      ? 0
      : Number(
          raised.replace("⁻", "-").replace(/[^-]/g, (digit) => String("⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit))),
        );
  const share = percent === "%" ? 0.01 : 1;
  const decimals = plain.split(".")[1]?.length ?? 0;
  // What has no decimals is counted and not rounded, unless it is a share.
  const unit =
    decimals > 0 || exponent !== 0 || share < 1 ? 10 ** (exponent - decimals) * share : 0;
  return { value: Number(plain) * 10 ** exponent * share, unit };
}

/** The same words, with numbers that are as near as those of a GPU are to a CPU's, and rounded either way. */
export function saysSame(one: string, other: string): boolean {
  const [left, right] = [
    [...one.matchAll(NUMBER)].map((found) => readOf(found)),
    [...other.matchAll(NUMBER)].map((found) => readOf(found)),
  ];
  if (one.replace(NUMBER, "#") !== other.replace(NUMBER, "#") || left.length !== right.length)
    return false;
  return left.every(({ value, unit }, at) => {
    const beside = right[at] ?? { value: NaN, unit: 0 };
    return (
      Math.abs(value - beside.value) <=
      2e-4 * Math.max(1, Math.abs(value)) + 1.001 * Math.max(unit, beside.unit)
    );
  });
}

/** Where a page that a GPU may have painted shows another number than one beside it, or says something else. */
export function differences(wanted: Shown, seen: Shown): string[] {
  const figures = wanted.figures.map(({ element, given }, at) => ({
    element,
    given: seen.figures[at]?.painted ? knownOf(given, seen.figures[at].given) : given,
  }));
  return between(
    { figures, words: wanted.words },
    { figures: seen.figures.map(({ element, given }) => ({ element, given })), words: seen.words },
  );
}

/** As much of what a figure was given as another knows, cell by cell. */
function knownOf(given: Figure["given"], by: Figure["given"]): Figure["given"] {
  const [all, some] = [given.tensor, by.tensor] as ({ data: number[] } | null | undefined)[];
  return all && some
    ? {
        ...given,
        tensor: {
          ...all,
          data: all.data.map((value, cell) => (Number.isNaN(some.data[cell]) ? NaN : value)),
        },
      }
    : given;
}

function between(one: unknown, other: unknown, at = ""): string[] {
  if (typeof one === "string" && typeof other === "string")
    return saysSame(one, other) ? [] : [`${at}: “${one}” and “${other}”`];
  const isNumbers = (value: unknown): boolean =>
    Array.isArray(value) && value.every((item) => typeof item === "number");
  if (
    typeof one !== "object" ||
    typeof other !== "object" ||
    one === null ||
    other === null ||
    (isNumbers(one) && isNumbers(other))
  )
    return apart(one, other, at);
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
    between(left[name], right[name], `${at}.${name}`),
  );
}
