/**
 * A figure as a JSON file: the name of its element and all of its properties. Numbers that JSON
 * does not have are strings, as in the file of a tensor.
 */
import { jsonNumber } from "./number-files.js";
import { VERSION } from "./provenance.js";

export const FIGURE_FORMAT = "headscope-figure";
export const FIGURE_VERSION = 1;

export interface SavedFigure {
  /** The tag of the element, without `headscope-`. */
  figure: string;
  /** What the figure shows: its caption, if a page has no other one. */
  about: string;
  properties: object;
}

/** The file in pieces; a property without a value, and one that is a function, is left out. */
export function* figureJson({ figure, about, properties }: SavedFigure): Generator<string> {
  const record = {
    format: FIGURE_FORMAT,
    formatVersion: FIGURE_VERSION,
    headscope: VERSION,
    figure,
    about,
    properties,
  };
  yield* written(record);
  yield "\n";
}

function* written(value: unknown): Generator<string> {
  // A number by itself may have double precision.
  if (Number.isFinite(value)) yield JSON.stringify(value);
  else if (typeof value === "number") yield jsonNumber(value);
  else if (isNumbers(value)) yield `[${Array.from(value, jsonNumber).join(",")}]`;
  else if (Array.isArray(value))
    yield* list(
      "[",
      value.map((one: unknown) => ["", one] as const),
      "]",
    );
  else if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).filter(([, one]) => isWritten(one));
    yield* list(
      "{",
      fields.map(([name, one]) => [`${JSON.stringify(name)}:`, one]),
      "}",
    );
  } else yield JSON.stringify(value);
}

function* list(
  open: string,
  parts: readonly (readonly [before: string, value: unknown])[],
  close: string,
): Generator<string> {
  yield open;
  for (const [index, [before, value]] of parts.entries()) {
    yield `${index === 0 ? "" : ","}${before}`;
    yield* written(value);
  }
  yield close;
}

const isWritten = (value: unknown): boolean => value !== undefined && typeof value !== "function";

const isNumbers = (value: unknown): value is ArrayLike<number> & Iterable<number> =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);
