// For tests of figures on the page: canvases that write down what is painted on them, a line for
// each shape, so that a reviewer reads what a change of a painter changes.
import { vi } from "vitest";
import type { LitElement } from "lit";
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
    return Array.from({ length: this.height }, (_, top) => row(top)).join(" / ");
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

/** Lines of which a long run of areas side by side is its first, its last and their number. */
function shortened(lines: readonly string[]): string[] {
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

/** Puts a figure on the page and gives what it paints: a part for each canvas, and its tooltip. */
export async function painted<Element extends LitElement>(
  element: Element,
  properties: Partial<Element>,
  then: (element: Element) => Promise<void> | void = () => undefined,
): Promise<string> {
  for (const [name, colour] of Object.entries(INKS))
    document.documentElement.style.setProperty(`--_${name}`, colour);
  await mount(element, properties);
  await then(element);
  await element.updateComplete;
  const canvases = all(element, "canvas").map((canvas) => {
    const { lines } = drawingOf(canvas as HTMLCanvasElement);
    return [`-- ${canvas.className}`, ...shortened(lines)].join("\n");
  });
  const tips = all(element, ".tip").map((tip) => `-- tip ${tip.getAttribute("style")}`);
  return [...canvases, ...tips].join("\n");
}
