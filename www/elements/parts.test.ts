// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LitElement } from "lit";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Explanation, StepPlace, StepTensor, Tensor, Token } from "../data/index.js";
import {
  HeadscopeBars,
  HeadscopeChips,
  HeadscopeCurves,
  HeadscopeDifference,
  HeadscopeDimensions,
  HeadscopeGrid,
  HeadscopeHeatmap,
  HeadscopeLines,
  HeadscopeMask,
  HeadscopeNumbers,
  HeadscopePositions,
  HeadscopeSpectrum,
  HeadscopeSteps,
  HeadscopeStrip,
  HeadscopeSum,
  HeadscopeTokens,
} from "./index.js";
import { PARTS } from "./shared/controllers.js";
import { mount } from "./testing/mount.js";

const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
const [, section = ""] = /### Parts\n([^]*?)\n`npm run dev`/.exec(readme) ?? [];
const named = (text: string): string[] =>
  [...text.matchAll(/`([a-z-]+)`/g)].map(([, name = ""]) => name);

/** The parts of every tag, as the table has them. */
const documented = new Map<string, string[]>();
for (const [, tag = "", text = ""] of section.matchAll(/^\| `<([a-z-]+)>` \| (.*) \|$/gm)) {
  const [own = "", but = ""] = text.split(" but ");
  const heatmap = own.startsWith("the heatmap's")
    ? (documented.get("headscope-heatmap") ?? [])
    : [];
  documented.set(
    tag,
    [...heatmap, ...named(own)].filter((part) => !named(but).includes(part)).toSorted(),
  );
}

const tokens = (count: number): Token[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    text: `t${id}`,
    word: id,
    special: false,
    role: null,
  }));
const matrix = (side: number, value = 0.5, axes = ["query", "key"]): Tensor => ({
  data: new Float32Array(side * side).fill(value),
  shape: [side, side],
  axes,
});
/** Small enough to be read at a glance, and large enough to be looked at in part. */
const pairs = (side: number): Pick<HeadscopeHeatmap, "queries" | "keys"> => ({
  queries: tokens(side),
  keys: tokens(side),
});

const step: StepTensor = { step: "input", tensor: matrix(2, 1, ["position", "model_dim"]) };
const place: StepPlace = { stack: "encoder", layer: 0, head: 0, step: "query", row: 0, column: 0 };
const explanation: Explanation = {
  operation: { kind: "product", factor: 1, bias: null },
  lines: [
    {
      source: {
        kind: "step",
        stack: "encoder",
        layer: 0,
        head: 0,
        step: "input",
        row: 0,
        column: 0,
        along: "rows",
      },
      values: Float32Array.of(1, 2, 3, 4, 5, 6),
    },
    { source: { kind: "weight", weight: "query", column: 0 }, values: new Float32Array(6).fill(1) },
  ],
  value: 21,
};
const block = { steps: [step], head: place, heads: 1, ...pairs(2), held: place };
const stages = {
  raw: matrix(2, 1),
  scores: matrix(2, 1),
  masked: matrix(2, -Infinity),
  weights: matrix(2),
};

/** Every element in states that together show all of it. */
const ELEMENTS: Readonly<Record<string, () => Promise<LitElement>[]>> = {
  "headscope-tokens": () => [mount(new HeadscopeTokens(), { tokens: tokens(2) })],
  "headscope-grid": () => [
    mount(new HeadscopeGrid(), {}),
    mount(new HeadscopeGrid(), {
      thumbnails: {
        data: new Float32Array(4),
        shape: [1, 1, 2, 2],
        axes: ["layer", "head", "query", "key"],
      },
      worn: [[{ role: "none", score: null }]],
    }),
    mount(new HeadscopeGrid(), {
      thumbnails: {
        data: new Float32Array(4),
        shape: [1, 1, 2, 2],
        axes: ["layer", "head", "query", "key"],
      },
      order: [{ layer: 0, head: 0, note: "0.5" }],
    }),
  ],
  "headscope-heatmap": () => [
    mount(new HeadscopeHeatmap(), {}),
    mount(new HeadscopeHeatmap(), { tensor: matrix(30), dropped: matrix(30, 1), ...pairs(30) }),
  ],
  "headscope-difference": () => [
    mount(new HeadscopeDifference(), {}),
    mount(new HeadscopeDifference(), { tensor: matrix(30), signed: true, ...pairs(30) }),
  ],
  "headscope-lines": () => [
    mount(new HeadscopeLines(), {}),
    mount(new HeadscopeLines(), {
      patterns: [{ head: 0, weights: matrix(2) }],
      heads: 2,
      ...pairs(2),
    }),
  ],
  "headscope-dimensions": () => [
    mount(new HeadscopeDimensions(), {}),
    mount(new HeadscopeDimensions(), {
      stages,
      vectors: { query: matrix(2), key: matrix(2) },
      ...pairs(2),
    }),
  ],
  "headscope-mask": () => [
    mount(new HeadscopeMask(), {}),
    mount(new HeadscopeMask(), { mask: matrix(30, 0), ...pairs(30) }),
  ],
  "headscope-numbers": () => [
    mount(new HeadscopeNumbers(), {}),
    mount(new HeadscopeNumbers(), {
      tensor: matrix(2),
      rowNames: ["a", "b"],
      columnNames: ["c", "d"],
    }),
  ],
  "headscope-steps": () => [
    mount(new HeadscopeSteps(), {}),
    mount(new HeadscopeSteps(), { ...block, place, explanation }),
  ],
  "headscope-strip": () => [mount(new HeadscopeStrip(), {}), mount(new HeadscopeStrip(), block)],
  "headscope-sum": () => [
    mount(new HeadscopeSum(), {}),
    mount(new HeadscopeSum(), { place, explanation, trail: [{ place, words: "Q" }] }),
  ],
  "headscope-positions": () => [
    mount(new HeadscopePositions(), {}),
    mount(new HeadscopePositions(), { tensor: matrix(4, 0.5, ["position", "model_dim"]) }),
  ],
  "headscope-bars": () => [
    mount(new HeadscopeBars(), {
      heading: "Shares",
      items: [{ label: "a", value: 0.5, text: "50%" }],
    }),
  ],
  "headscope-spectrum": () => [
    mount(new HeadscopeSpectrum(), {
      lists: [{ of: "weights", heading: "Weights", values: [2, 1], rank: 1 }],
    }),
  ],
  "headscope-curves": () => [
    mount(new HeadscopeCurves(), { lines: [{ name: "loss", points: [{ x: 0, y: 1 }] }] }),
  ],
  "headscope-chips": () => [
    mount(new HeadscopeChips(), { chips: [{ id: "1", label: "blocked" }] }),
  ],
};

/** The parts in an element, and those that the elements in it pass on. */
function partsOf({ shadowRoot }: Element): string[] {
  const own = [...(shadowRoot?.querySelectorAll("[part]") ?? [])].flatMap((element) =>
    (element.getAttribute("part") ?? "").split(" "),
  );
  const passed = [...(shadowRoot?.querySelectorAll("[exportparts]") ?? [])].flatMap((element) => {
    const names = element.getAttribute("exportparts")?.split(",") ?? [];
    return partsOf(element).filter((part) => names.includes(part));
  });
  return [...own, ...passed];
}

/** Folds out the table, which may be fetched first, and points at a cell. */
async function used(element: LitElement): Promise<void> {
  const toggle = element.shadowRoot?.querySelector<HTMLElement>("button[aria-expanded]");
  toggle?.click();
  if (toggle) await vi.waitFor(() => expect(toggle.getAttribute("aria-expanded")).toBe("true"));
  element.shadowRoot
    ?.querySelector(".stage")
    ?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  await element.updateComplete;
}

describe("the parts of the elements", () => {
  beforeAll(() => {
    // As in a browser: a figure has room, and lays itself out in it.
    vi.stubGlobal(
      "ResizeObserver",
      class {
        constructor(
          private readonly hear: (
            entries: { contentRect: { width: number; height: number } }[],
          ) => void,
        ) {}
        observe(): void {
          this.hear([{ contentRect: { width: 400, height: 300 } }]);
        }
        disconnect(): void {
          // There is nothing to stop.
        }
      },
    );
  });
  afterAll(() => vi.unstubAllGlobals());
  afterEach(() => document.body.replaceChildren());

  it("are documented of every element that has properties to set", () => {
    const tags = [...(readme.split("### Parts")[0]?.matchAll(/^\| `<([a-z-]+)>` \|/gm) ?? [])].map(
      ([, tag]) => tag,
    );
    expect([...documented.keys()].toSorted()).toEqual(tags.toSorted());
    expect(Object.keys(ELEMENTS).toSorted()).toEqual(tags.toSorted());
  });

  it.each(Object.keys(ELEMENTS))(
    "<%s> has those that are documented, and no others",
    async (tag) => {
      const found = new Set<string>();
      for (const element of await Promise.all(ELEMENTS[tag]?.() ?? [])) {
        expect(element.localName).toBe(tag);
        await used(element);
        for (const part of partsOf(element)) found.add(part);
      }
      expect([...found].toSorted()).toEqual(documented.get(tag));
    },
  );

  it("are one list of names, each with its meaning, which is all that the explorer passes on", () => {
    expect([...new Set([...documented.values()].flat())].toSorted()).toEqual([...PARTS]);
    const [meanings = ""] = section.split("| tag | parts |");
    const explained = [...meanings.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, names = ""]) =>
      named(names),
    );
    expect(explained.toSorted()).toEqual([...PARTS, "notice"].toSorted());
  });
});

describe("an element in another's shadow root", () => {
  const placed = async (tag: string, attribute: string | null): Promise<HeadscopeBars> => {
    const host = document.createElement(tag);
    if (attribute !== null) host.setAttribute("exportparts", attribute);
    const bars = new HeadscopeBars();
    host.attachShadow({ mode: "open" }).append(bars);
    document.body.append(host);
    await bars.updateComplete;
    return bars;
  };

  it("passes on what its host does, where that is one of ours", async () => {
    expect(
      (await placed("headscope-panel-of-ours", "bar, legend")).getAttribute("exportparts"),
    ).toBe("bar, legend");
    expect((await placed("headscope-panel-of-ours", null)).hasAttribute("exportparts")).toBe(false);
    expect((await placed("somebody-s", "bar: my-bar")).hasAttribute("exportparts")).toBe(false);
  });
});
