// For tests of figures on the page: canvases that write down what is painted on them, a line for
// each shape, so that a reviewer reads what a change of a painter changes.
import { vi } from "vitest";
import type { LitElement } from "lit";
import { outlineOf, writtenValue } from "../../../tests/support/outline.js";
import { testInks } from "../../draw/testing/recorder.js";
import { type Brush, OWN_ROOM, type Print, type PrintRoom } from "../../draw/theme.js";
import type { Printable } from "../shared/figure.js";
import { all, mount, stubRoom } from "./mount.js";

/** The width of every character, in CSS pixels. */
const CHARACTER = 6;
/** The settings of a context that a shape is drawn with, by the call that draws it. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  fillRect: ["fillStyle", "globalAlpha"],
  strokeRect: ["strokeStyle", "lineWidth", "globalAlpha"],
  stroke: ["strokeStyle", "lineWidth", "globalAlpha"],
  fill: ["fillStyle", "globalAlpha"],
  fillText: ["fillStyle", "font", "textAlign", "textBaseline"],
  drawImage: ["imageSmoothingEnabled"],
};
/** Calls that change no pixel by themselves and follow from others. */
const SILENT = new Set(["beginPath", "measureText", "setTransform", "clearRect"]);

const written = (value: unknown): string =>
  typeof value === "number" ? String(Math.round(value * 100) / 100) : String(value);

/** The most pixels that are written one by one. */
const MOST_PIXELS = 200;

/** An `ImageData` whose text is the red, green and blue of each pixel, row by row. */
class Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(...[data, width, height]: [Uint8ClampedArray | number, number, number?]) {
    const isSize = typeof data === "number";
    this.width = isSize ? data : width;
    this.height = isSize ? width : (height ?? data.length / width / 4);
    this.data = isSize ? new Uint8ClampedArray(4 * this.width * this.height) : data;
  }

  toString(): string {
    const hex = (at: number): string => (this.data[at] ?? 0).toString(16).padStart(2, "0");
    const pixel = (at: number): string => [0, 1, 2].map((part) => hex(4 * at + part)).join("");
    const row = (top: number): string =>
      Array.from({ length: this.width }, (_, column) => pixel(top * this.width + column)).join(" ");
    const { height } = this;
    // Of a large picture the first row and the last.
    if (height * this.width > MOST_PIXELS)
      return `${row(0)} … ${height - 2} between … ${row(height - 1)}`;
    return Array.from({ length: height }, (_, top) => row(top)).join(" / ");
  }
}

class Image {
  private pixels: Pixels | null = null;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  getContext(): object {
    return {
      font: "",
      measureText: (text: string) => ({ width: text.length * CHARACTER }),
      putImageData: (pixels: Pixels) => (this.pixels = pixels),
    };
  }

  toString(): string {
    return String(this.pixels);
  }
}

/** An area without its place in a row of areas, or in a column. */
const AREAS = [/^( *fillRect) \S+ (\S+ \S+ \S+) /, /^( *fillRect) (\S+) \S+ (\S+ \S+) /];
/** The least number of areas side by side, as in a legend, that are written as two and a count. */
const MANY = 8;

/** A step of a path, with its indentation. */
const PATH_STEP = /^( *)(moveTo|lineTo|bezierCurveTo|arc|rect) (.*)$/;
/** The most steps of a path that are written one after another. */
const MOST_STEPS = 16;

/** Lines in which each path is one line; of a long path, the ends and the number of its steps. */
function withPaths(lines: readonly string[]): string[] {
  const joined: (string | { indent: string; steps: string[] })[] = [];
  for (const line of lines) {
    const [, indent = "", name = "", numbers = ""] = PATH_STEP.exec(line) ?? [];
    if (name === "") {
      joined.push(line);
      continue;
    }
    const last = joined.at(-1);
    const step =
      name === "lineTo" ? `→ ${numbers}` : name === "moveTo" ? numbers : `${name} ${numbers}`;
    if (typeof last === "object" && last.indent === indent) last.steps.push(step);
    else joined.push({ indent, steps: [step] });
  }
  return joined.map((one) => {
    if (typeof one === "string") return one;
    const { indent, steps } = one;
    const half = MOST_STEPS / 2;
    const some =
      steps.length <= MOST_STEPS
        ? steps
        : [
            ...steps.slice(0, half),
            `… ${steps.length - MOST_STEPS} between …`,
            ...steps.slice(-half),
          ];
    return `${indent}path ${some.join("  ").replaceAll("  →", " →")}`;
  });
}

/** Lines of which a long run of areas side by side is its first, its last and their number. */
function shortened(calls: readonly string[]): string[] {
  const lines = withPaths(calls);
  const runs: string[][] = [];
  const continues = (line: string, first = ""): boolean =>
    AREAS.some((area) => {
      const [, ...kind] = area.exec(line) ?? [];
      const [, ...before] = area.exec(first) ?? [];
      return kind.length > 0 && kind.join(" ") === before.join(" ");
    });
  for (const line of lines) {
    const last = runs.at(-1);
    if (last && continues(line, last[0])) last.push(line);
    else runs.push([line]);
  }
  return runs.flatMap((run) =>
    run.length < MANY ? run : [run[0] ?? "", `… ${run.length - 2} between`, run.at(-1) ?? ""],
  );
}

/** A context that writes down its calls, and the settings that a shape is drawn with. */
function writingContext(lines: string[]): object {
  const settings = new Map<string, unknown>([["globalAlpha", 1]]);
  const saved: Map<string, unknown>[] = [];
  const call =
    (name: string) =>
    (...args: unknown[]): unknown => {
      if (name === "clearRect") lines.length = 0;
      if (name === "save") saved.push(new Map(settings));
      if (name === "restore") {
        const before = saved.pop() ?? [];
        settings.clear();
        for (const [key, value] of before) settings.set(key, value);
      }
      const [source] = args;
      // A copy of a canvas shows what was painted there.
      if (name === "drawImage" && source instanceof HTMLCanvasElement)
        lines.push(...drawingOf(source).lines);
      if (SILENT.has(name) || source instanceof HTMLCanvasElement)
        return { width: String(args[0]).length * CHARACTER };
      const looks = SETTINGS[name]?.map((key) => written(settings.get(key) ?? "-")) ?? [];
      const look = looks.length > 0 ? `  [${looks.join(", ")}]` : "";
      lines.push(`${"  ".repeat(saved.length)}${name} ${args.map(written).join(" ")}${look}`);
      return undefined;
    };
  return new Proxy(Object.create(null) as object, {
    set: (_, name, value) => {
      settings.set(String(name), value);
      return true;
    },
    get: (_, name) =>
      settings.has(String(name)) ? settings.get(String(name)) : call(String(name)),
  });
}

const drawings = new WeakMap<HTMLCanvasElement, { lines: string[]; context: object }>();

function drawingOf(canvas: HTMLCanvasElement): { lines: string[]; context: object } {
  const lines: string[] = [];
  const drawing = drawings.get(canvas) ?? { lines, context: writingContext(lines) };
  drawings.set(canvas, drawing);
  return drawing;
}

/** Replaces canvases, and the observer of sizes by one that reports this room for every element. */
export function stubPainting(width: number, height = 400): void {
  stubRoom(width, height);
  vi.stubGlobal("OffscreenCanvas", Image);
  vi.stubGlobal("ImageData", Pixels);
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(function (
    this: HTMLCanvasElement,
  ) {
    return drawingOf(this).context as CanvasRenderingContext2D;
  });
}

const INKS = { paper: "#fff", ink: "#111", muted: "#666", line: "#ccc", accent: "#c40" };

/** Puts a figure on the page, acts on it, and gives a line for each event that it sends. */
async function shown<Element extends LitElement>(
  element: Element,
  properties: Partial<Element>,
  then: (element: Element) => Promise<void> | void,
): Promise<string[]> {
  const events: string[] = [];
  vi.spyOn(element as LitElement, "dispatchEvent").mockImplementation((event) => {
    if (event instanceof CustomEvent)
      events.push(`-- ${event.type} ${writtenValue(event.detail as unknown)}`);
    return EventTarget.prototype.dispatchEvent.call(element, event);
  });
  for (const [name, colour] of Object.entries(INKS))
    document.documentElement.style.setProperty(`--_${name}`, colour);
  await mount(element, properties);
  await then(element);
  await element.updateComplete;
  return events;
}

/**
 * Puts a figure on the page and gives what it paints, a part for each canvas, the events that it
 * sends, and the outline of what is around its canvases.
 */
export async function painted<Element extends LitElement>(
  element: Element,
  properties: Partial<Element>,
  then: (element: Element) => Promise<void> | void = () => undefined,
): Promise<string> {
  const events = await shown(element, properties, then);
  const canvases = all(element, "canvas").map((canvas) => {
    const { lines } = drawingOf(canvas as HTMLCanvasElement);
    return [`-- ${canvas.className}`, ...shortened(lines)].join("\n");
  });
  const outline = outlineOf(element.renderRoot as ShadowRoot);
  return [...canvases, ...events, "-- outline", ...outline].join("\n");
}

/** Puts a figure on the page and gives what it paints for a file, and the size of that picture. */
export async function printed<Element extends LitElement & Pick<Printable, "print">>(
  element: Element,
  properties: Partial<Element>,
  room: Partial<PrintRoom> = {},
): Promise<string> {
  await shown(element, properties, () => undefined);
  return printedText(element.print(testInks, { ...OWN_ROOM, ...room }));
}

/** What a picture for a file paints, in whole and in its parts. */
export function printedText(whole: Print | null): string {
  if (!whole) return "-- no print";
  const written = (print: Print): [title: string, lines: string[]] => {
    const lines: string[] = [];
    print.paint(writingContext(lines) as Brush);
    const title = ["-- print", print.part, `${print.width} × ${print.height}`];
    return [title.filter(Boolean).join(" "), lines];
  };
  const [title, lines] = written(whole);
  // The parts are painted as the whole is: of each only its calls are counted, and its words named.
  const parts = (whole.parts ?? []).map((part) => {
    const [name, calls] = written(part);
    const words = calls.flatMap((call) => /fillText (\S+)/.exec(call)?.[1] ?? []);
    return `${name}: ${calls.length} calls, ${words.join(" ")}`;
  });
  return [title, ...shortened(lines), ...parts].join("\n");
}
