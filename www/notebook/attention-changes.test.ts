// @vitest-environment happy-dom
// What a figure in a notebook lets go of where another layer, stack or other numbers come.
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import "./sentences.js";
import type { HeadscopeLines } from "../elements/lines.js";
import type { HeadscopeHeatmap } from "../elements/heatmap.js";
import { mount, put, stubCanvas, stubRoom } from "../elements/testing/mount.js";
import { HeadscopeAttention } from "./attention.js";
import { readGiven, type Description, type Given } from "./given.js";

const WORDS = ["a", "b"];
const stack = { queries: WORDS, keys: WORDS, notes: [] };
const DESCRIPTION: Description = {
  title: "Two stacks",
  numbers: { encoding: "float32", count: 24, exact: 0 },
  stacks: [
    { ...stack, stack: "encoder", layers: 2, heads: 2 },
    { ...stack, stack: "decoder", layers: 1, heads: 2 },
  ],
};

function given(): Promise<Given> {
  const words = new DataView(Float32Array.from({ length: 24 }, () => 0.5).buffer);
  const planes = [3, 2, 1, 0].flatMap((place) =>
    Array.from({ length: 24 }, (_, at) => words.getUint8(4 * at + place)),
  );
  return readGiven(DESCRIPTION, Uint8Array.from(deflateSync(Uint8Array.from(planes))));
}

let figure: HeadscopeAttention;
beforeEach(async () => {
  stubRoom();
  stubCanvas();
  figure = await mount(new HeadscopeAttention(), { given: await given(), stack: "encoder" });
});
afterEach(() => document.body.replaceChildren());

type Drawn = Element & Pick<HeadscopeLines, "patterns"> & Pick<HeadscopeHeatmap, "region">;
const picture = (): Drawn => {
  const found = figure.renderRoot.querySelector(".picture");
  if (!found) throw new Error("there is no picture");
  return found as Drawn;
};
const tell = async (name: string, detail: unknown): Promise<void> => {
  picture().dispatchEvent(new CustomEvent(name, { detail }));
  await figure.updateComplete;
};

const CHANGES: [string, () => Promise<Partial<HeadscopeAttention>>][] = [
  ["layer", () => Promise.resolve({ layer: 1 })],
  ["stack", () => Promise.resolve({ stack: "decoder" })],
  ["given", async () => ({ given: await given() })],
];

it.each(CHANGES)("heads beside the chosen one go with another %s", async (_, change) => {
  await put(figure, { view: "lines" });
  await tell("headscope-beside-toggle", 1);
  const drawn = (): number => picture().patterns.length;
  expect(drawn()).toBe(2);
  await put(figure, { pair: { query: 1, key: 0 } });
  expect(drawn()).toBe(2);
  await put(figure, await change());
  expect(drawn()).toBe(1);
});

it.each(CHANGES)("an enlarged part goes with other tokens: %s", async (name, change) => {
  const region = { query: 0, key: 0, rows: 1, columns: 1 };
  await tell("headscope-region-change", region);
  expect(picture().region).toEqual(region);
  await put(figure, await change());
  // The layers of a stack have the same tokens.
  expect(picture().region).toEqual(name === "layer" ? region : null);
});

it("says why there are no numbers, in the words of the failure", async () => {
  await figure.read(Promise.reject(new Error("no room")));
  await figure.updateComplete;
  const alert = figure.renderRoot.querySelector("[role=alert]")?.textContent ?? "";
  expect(alert).toContain("no room");
  expect(alert).not.toContain("Error");
});
