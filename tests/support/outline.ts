/**
 * What a reader meets in a part of the page, as an outline: a line for each element that says
 * something, with its state and its words, indented by what it is in. Golden files hold outlines,
 * so that a reviewer reads what a change of a panel changes.
 */
import type { ReactiveElement } from "lit";
import type { Tensor } from "../../www/data/index.js";

/** Attributes that say what a reader sees, hears or can do. */
const TELLING =
  /^(role|type|title|href|download|min|max|step|placeholder|style|part|d|x|y|width|height|fill|viewBox|colspan|rowspan|scope|lang|dir|inert|hidden|open|slot|for|id|tabindex|list|name|maxlength|accept|multiple|required|draggable|aria-.+|data-.+)$/;
/** Attributes of every control or paragraph, which say nothing of a state. */
const USUAL = /^(part|id|for|aria-hidden|aria-describedby|aria-live|slot|lang)$/;
const SILENT = new Set(["CANVAS", "STYLE", "SCRIPT", "TEMPLATE", "LINK"]);
/** The longest value that is written whole. */
const LONGEST = 120;

const collapsed = (text: string | null): string => (text ?? "").replace(/\s+/g, " ").trim();

/** A text whose numbers have at most three digits after the point. */
const shortNumbers = (text: string): string =>
  text.replaceAll(/\d+\.\d{4,}/g, (number) => String(Math.round(Number(number) * 1e3) / 1e3));

function isTensor(value: object): value is Tensor {
  return "data" in value && "shape" in value;
}

/** A number with at most four digits after the point. */
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

/** A value of a property: short ones whole, of a tensor its size, ends and sum. */
export function writtenValue(value: unknown): string {
  if (typeof value === "number") return String(rounded(value));
  if (typeof value === "function") return "ƒ";
  if (typeof value === "object" && value !== null && isTensor(value)) {
    const { data, shape } = value;
    const sum = Array.from(data).reduce((all, one, at) => all + one * (1 + (at % 7)), 0);
    return `${shape.join("×")} of ${rounded(data[0] ?? NaN)}…${rounded(data.at(-1) ?? NaN)} Σ ${rounded(sum)}`;
  }
  if (value === undefined) return "–";
  const json = JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === "number") return rounded(one);
    if (ArrayBuffer.isView(one)) return Array.from(one as unknown as ArrayLike<number>, rounded);
    if (typeof one === "object" && one !== null && isTensor(one)) return writtenValue(one);
    return one;
  });
  return json.length <= LONGEST ? json : `${json.slice(0, LONGEST)}… ${checkOf(json)}`;
}

/** A number by which a text that is not written whole shows that it has changed. */
function checkOf(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return `${text.length} #${(sum >>> 0).toString(36)}`;
}

/** The properties of a figure, which is painted from them. */
function propertiesOf(element: ReactiveElement): string {
  const { elementProperties } = element.constructor as typeof ReactiveElement;
  const written = [...elementProperties].flatMap(
    ([name, { state = false, noAccessor = false }]) => {
      const value = (element as unknown as Record<PropertyKey, unknown>)[name];
      const isPlain = value === null || value === undefined || value === false || value === "";
      if (state || noAccessor || isPlain) return [];
      return [`${String(name)}=${writtenValue(value)}`];
    },
  );
  return written.join(" ");
}

function stateOf(element: Element): string[] {
  const attributes = [...element.attributes]
    .filter(({ name, value }) => TELLING.test(name) && !USUAL.test(name) && value !== "")
    .map(({ name, value }) => `${name}=${shortNumbers(collapsed(value))}`);
  const set = ["disabled", "checked", "hidden", "inert", "open", "selected"].filter(
    (name) => (element as unknown as Record<string, unknown>)[name] === true,
  );
  const isField = element.matches("input, select, textarea, progress, meter");
  const value = isField ? [`= ${JSON.stringify((element as HTMLInputElement).value)}`] : [];
  return [...attributes, ...set, ...value];
}

const isFigure = (element: Element): element is ReactiveElement & { print: unknown } =>
  "print" in element && "renderRoot" in element;

/** What a file of a figure has beside the figure. */
function savedOf(element: Element): string[] {
  if (element.tagName !== "HEADSCOPE-SAVE-FIGURE") return [];
  const { heading, details, table } = element as unknown as Record<string, unknown>;
  const isNone = (value: unknown): boolean =>
    value === null || value === "" || (Array.isArray(value) && value.length === 0);
  return Object.entries({ heading, details, table }).flatMap(([name, value]) =>
    isNone(value) ? [] : [`${name}=${writtenValue(value)}`],
  );
}

/** A cell of a table: its words, with its class and state where it has some. */
function cellOf(cell: Element): string {
  const own = [...cell.classList, ...stateOf(cell).filter((one) => !one.startsWith("scope"))];
  const within = [...cell.children].flatMap((one) => linesOf(one, 0, true));
  const words = within.some((one) => !one.startsWith("“")) ? within.join("; ") : "";
  return [own.length > 0 ? `(${own.join(" ")})` : "", words || collapsed(cell.textContent)]
    .filter(Boolean)
    .join(" ");
}

/** The most children of one look that are written one after another. */
const MOST_ALIKE = 6;

/** The lines of children; of many with the same first element the first three and the last. */
function withoutRepeats(children: readonly string[][]): string[] {
  const runs: string[][][] = [];
  const look = ([first = ""]: readonly string[]): string =>
    first.split(" ", first.search(/\S/) + 1).join(" ");
  for (const child of children) {
    if (child.length === 0) continue;
    const last = runs.at(-1);
    if (last?.[0] && look(last[0]) === look(child)) last.push(child);
    else runs.push([child]);
  }
  return runs.flatMap((run) => {
    if (run.length <= MOST_ALIKE) return run.flat();
    const indent = " ".repeat(run[0]?.[0]?.search(/\S/) ?? 0);
    return [...run.slice(0, 3).flat(), `${indent}… ${run.length - 4} alike`, ...(run.at(-1) ?? [])];
  });
}

function linesOf(node: Node, depth: number, isWhole: boolean): string[] {
  const indent = " ".repeat(depth);
  if (node.nodeType === 3) {
    const text = collapsed(node.textContent);
    return text ? [`${indent}“${text}”`] : [];
  }
  if (!(node instanceof Element))
    return [...node.childNodes].flatMap((one) => linesOf(one, depth, isWhole));
  if (SILENT.has(node.tagName)) return [];
  const tag = node.tagName.toLowerCase();
  const classes = node.getAttribute("class")?.trim().split(/\s+/).filter(Boolean) ?? [];
  const name = [tag, ...classes].join(".");
  const line = [name, ...stateOf(node), ...savedOf(node)].join(" ");
  if (isFigure(node)) return [`${indent}${line} ${propertiesOf(node)}`.trimEnd()];
  if (tag === "tr") return [`${indent}${line}: ${[...node.children].map(cellOf).join(" | ")}`];
  if (node instanceof HTMLSelectElement) {
    const options = Array.from(node.options, ({ text, selected, disabled }) =>
      [selected ? "[" : "", disabled ? "–" : "", collapsed(text), selected ? "]" : ""].join(""),
    );
    return [`${indent}${line} of ${options.join(" | ")}`];
  }
  if (tag === "math") return [`${indent}${tag} “${collapsed(node.textContent)}”`];
  const children = [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes];
  const parts = children.map((one) => linesOf(one, depth + 1, isWhole));
  const within = isWhole ? parts.flat() : withoutRepeats(parts);
  const [only = ""] = within;
  // One text alone stands beside its element, and what has nothing of its own is left out.
  if (within.length === 1 && only.trimStart().startsWith("“"))
    return [`${indent}${line} ${only.trimStart()}`];
  const isBare = line === tag && !["button", "td", "li", "tr"].includes(tag);
  return isBare ? within.map((one) => one.slice(1)) : [`${indent}${line}`, ...within];
}

/**
 * The outline of an element and all that is in it. Of many children of one look it has the first
 * three and the last, unless it is to be whole.
 */
export function outlineOf(element: Element | ShadowRoot, isWhole = false): string[] {
  return linesOf(element, 0, isWhole);
}
