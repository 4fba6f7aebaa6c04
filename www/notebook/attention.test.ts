// @vitest-environment happy-dom
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import "./sentences.js";
import type { HeadscopeLines } from "../elements/lines.js";
import type { HeadscopeHeatmap } from "../elements/heatmap.js";
import { mount, put, stubCanvas, stubRoom, textOf } from "../elements/testing/mount.js";
import { PAGE_LOCALE } from "../i18n/index.js";
import type { HeadscopeChoice } from "../ui/choice.js";
import { HeadscopeAttention } from "./attention.js";
import { readGiven, type Description, type Given } from "./given.js";

beforeEach(() => {
  stubRoom();
  stubCanvas();
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const HEADS = { stack: "decoder", layers: 2, heads: 2 } as const;
const WORDS = ["a", "b"];
const ENCODER = { stack: "encoder", layers: 1, heads: 1 } as const;
const DESCRIPTION: Description = {
  title: "Two stacks",
  numbers: { encoding: "float32", count: 17, exact: 0 },
  stacks: [
    { ...HEADS, queries: WORDS, keys: WORDS, notes: ["It has a sink."] },
    { ...ENCODER, queries: ["q"], keys: ["k"], notes: [] },
  ],
};
const WEIGHTS = [1, 0, 0.25, 0.75, 1, 0, 0.5, 0.5, 1, 0, 0.5, 0, 0, 0, 1, 0, 0.125];

/** Weights as Python writes all their bits: the bytes of one place together. */
function bytes(weights: readonly number[]): Uint8Array<ArrayBuffer> {
  const words = new DataView(Float32Array.from(weights).buffer);
  const planes = [3, 2, 1, 0].flatMap((place) =>
    weights.map((_, at) => words.getUint8(4 * at + place)),
  );
  return Uint8Array.from(deflateSync(Uint8Array.from(planes)));
}

const given = (): Promise<Given> => readGiven(DESCRIPTION, bytes(WEIGHTS));
const show = async (more: Partial<HeadscopeAttention> = {}): Promise<HeadscopeAttention> =>
  mount(new HeadscopeAttention(), { given: await given(), ...more });
const picture = ({ renderRoot }: HeadscopeAttention): Element => {
  const found = renderRoot.querySelector(".picture");
  if (!found) throw new Error("there is no picture");
  return found;
};
const heatmap = (element: HeadscopeAttention): HeadscopeHeatmap =>
  picture(element) as HeadscopeHeatmap;
const words = ({ renderRoot }: HeadscopeAttention): string =>
  textOf(renderRoot as ShadowRoot & Element);

function selections(element: HeadscopeAttention): object[] {
  const seen: object[] = [];
  element.addEventListener("headscope-selection", ({ detail }) => seen.push(detail));
  return seen;
}

it("shows the chosen head with its tokens, pair and notes", async () => {
  const pair = { query: 1, key: 0 };
  const element = await show({ layer: 1, head: 1, pair });
  const { localName, tensor, queries, keys, locked, fullyMasked } = heatmap(element);
  expect(localName).toBe("headscope-heatmap");
  expect([...(tensor?.data ?? [])]).toEqual([0, 0, 1, 0]);
  for (const tokens of [queries, keys]) expect(tokens.map(({ text }) => text)).toEqual(WORDS);
  expect([locked, fullyMasked]).toEqual([pair, [0]]);
  expect(words(element)).toContain("Two stacks");
  expect(words(element)).toContain("Layer 2, head 2");
  expect(words(element)).toContain("It has a sink.");
});

it("says what a user chose, and shows it", async () => {
  const element = await show();
  const seen = selections(element);
  const grid = element.renderRoot.querySelector("headscope-grid");
  grid?.dispatchEvent(
    new CustomEvent("headscope-head-select", { detail: { layer: 0, head: 1 }, bubbles: true }),
  );
  const first = { stack: "decoder", layer: 0, head: 1, pair: null, view: "heatmap" };
  expect(seen).toEqual([first]);
  await element.updateComplete;
  picture(element).dispatchEvent(
    new CustomEvent("headscope-cell-lock", { detail: { query: 1, key: 1 } }),
  );
  expect(seen.at(-1)).toEqual({ ...first, pair: { query: 1, key: 1 } });
  const choices = [...element.renderRoot.querySelectorAll("headscope-choice")];
  choices.at(-1)?.dispatchEvent(new CustomEvent("headscope-choose", { detail: "lines" }));
  await element.updateComplete;
  const lines = picture(element) as HeadscopeLines;
  expect(lines.patterns.map(({ head }) => head)).toEqual([1]);
  lines.dispatchEvent(new CustomEvent("headscope-beside-toggle", { detail: 0 }));
  lines.dispatchEvent(new CustomEvent("headscope-mass-change", { detail: 50 }));
  await element.updateComplete;
  expect(lines.patterns.map(({ weights }) => [...weights.data])).toEqual([
    [1, 0, 0.5, 0.5],
    [1, 0, 0.25, 0.75],
  ]);
  expect(lines.mass).toBe(50);
});

it("shows the first head of another stack, which may have one alone", async () => {
  const element = await show({ layer: 1, head: 1, pair: { query: 1, key: 1 } });
  const seen = selections(element);
  element.renderRoot
    .querySelector("headscope-choice")
    ?.dispatchEvent(new CustomEvent("headscope-choose", { detail: "encoder" }));
  await element.updateComplete;
  expect(seen).toEqual([{ stack: "encoder", layer: 0, head: 0, pair: null, view: "heatmap" }]);
  expect([...(heatmap(element).tensor?.data ?? [])]).toEqual([0.125]);
  expect(element.renderRoot.querySelector("headscope-grid")).toBeNull();
});

it("offers a choice of stacks where there are several", async () => {
  const element = await show();
  const choices = (): string[] =>
    [...element.renderRoot.querySelectorAll<HeadscopeChoice>("headscope-choice")].map(
      ({ label }) => label,
    );
  expect(choices()).toEqual(["Attention type", "Picture"]);
  const { stacks, ...rest } = await given();
  await put(element, { given: { ...rest, stacks: stacks.slice(0, 1) } });
  expect(choices()).toEqual(["Picture"]);
});

it("offers no edits, which only a model has", async () => {
  const element = await show();
  const grid = element.renderRoot.querySelector("headscope-grid");
  const help = (figure: Element | null): string =>
    textOf(figure?.shadowRoot?.querySelector("#help")) || expect.fail("there is no help");
  for (const figure of [grid, picture(element)]) expect(help(figure)).not.toMatch(/ablate|block/i);
  await put(element, { view: "lines" });
  expect(help(picture(element))).not.toMatch(/block/i);
  PAGE_LOCALE.speak("zh-CN");
  await element.updateComplete;
  expect(words(element)).toContain("第 1 层");
});

it("reads a saved figure from the JSON in it", async () => {
  const selection = { stack: "decoder", layer: 1, head: 0, pair: [1, 0], view: "lines" };
  const data = Buffer.from(bytes(WEIGHTS)).toString("base64");
  const place = document.createElement("div");
  const json = JSON.stringify({ ...DESCRIPTION, selection, data });
  place.innerHTML = `<headscope-attention><script type="application/json">${json}</script></headscope-attention>`;
  document.body.append(place);
  const element = place.firstElementChild as HeadscopeAttention;
  await vi.waitFor(() => expect(element.given).not.toBeNull());
  await element.updateComplete;
  expect(picture(element).localName).toBe("headscope-lines");
  expect([element.layer, element.head, element.pair]).toEqual([1, 0, { query: 1, key: 0 }]);
});

it.each([
  [DESCRIPTION, WEIGHTS.slice(1), "68 bytes of numbers expected, 64 found"],
  [{ ...DESCRIPTION, stacks: [DESCRIPTION.stacks[0]] }, WEIGHTS, "16 weights expected, 17 found"],
  [{ ...DESCRIPTION, title: 4 }, WEIGHTS, ".title: a string expected"],
  [
    { ...DESCRIPTION, numbers: { encoding: "int8", count: 17, exact: 0 } },
    WEIGHTS,
    ".numbers.encoding: short | float32 expected",
  ],
])("says why numbers cannot be read: %#", async (description, weights, reason) => {
  const element = await mount(new HeadscopeAttention(), {});
  await element.read(readGiven(description, bytes(weights)));
  await element.updateComplete;
  expect(words(element)).toContain(reason);
  expect(words(element)).toContain("figure/unreadable");
  await element.read(given());
  await element.updateComplete;
  expect(words(element)).toContain("Two stacks");
});
