// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeModel } from "../../../tests/support/fake-model.js";
import type { AttentionCost } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { loadSentences } from "../../i18n/index.js";
import { decodeState, NO_EDITS, type EditLists } from "../../state/index.js";
import { provide, sessionWith } from "../testing/session.js";
import { linesOf } from "./cost.js";
import { HeadscopeMaskDemos } from "./demo-lists.js";
import { readBatch } from "./padding.js";
import { onPage } from "./testing/demo.js";

const on = (edits: EditLists = NO_EDITS): ReturnType<typeof onPage> =>
  onPage(new FakeModel(), { text: "the dog sleeps", head: 1, edits });

async function opened(labs: HeadscopeMaskDemos, title: string): Promise<Element> {
  const details = [...labs.renderRoot.querySelectorAll("details")].find((one) =>
    one.querySelector("summary")?.textContent.includes(title),
  );
  if (!details) throw new Error(`no ${title}`);
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
  return vi.waitFor(() => {
    const demo = details.querySelector("headscope-demo");
    if (!demo) throw new Error(`nothing in ${title}`);
    return demo;
  });
}

const said = (lab: Element): string => (lab.shadowRoot?.textContent ?? "").replace(/\s+/g, " ");

beforeEach(() => provide(sessionWith()));
afterEach(() => document.body.replaceChildren());

describe("<headscope-mask-demos>", () => {
  it("shows one pair at every stage, and another one when it is pointed at in any", async () => {
    const labs = await mount(new HeadscopeMaskDemos(), { on: await on() });
    const stages = await opened(labs, "What the rules do");
    const reading = (): string =>
      stages.shadowRoot?.querySelector(".reading")?.textContent.replace(/\s+/g, " ").trim() ?? "";
    await vi.waitFor(() => expect(reading()).not.toBe(""));
    const before = reading();
    const [, mask] = stages.shadowRoot?.querySelectorAll("headscope-heatmap, headscope-mask") ?? [];
    mask?.dispatchEvent(
      new CustomEvent("headscope-cell-hover", {
        detail: { query: 0, key: 1 },
        bubbles: true,
        composed: true,
      }),
    );
    await vi.waitFor(() => expect(reading()).not.toBe(before));
    // The decoder may not look ahead.
    expect(reading()).toMatch(/\+ −∞ = −∞ → softmax → 0$/);
  });

  it("takes the decoder's mask away when that is asked for", async () => {
    const labs = await mount(new HeadscopeMaskDemos(), { on: await on() });
    const asked: (EditLists | undefined)[] = [];
    labs.addEventListener("headscope-patch", ({ detail }) => asked.push(detail.edits));
    const cheat = await opened(labs, "Cheating");
    await vi.waitFor(() => expect(said(cheat)).toContain("Predicts the next word: 0 of 3."));
    cheat.shadowRoot?.querySelector<HTMLButtonElement>("#remove")?.click();
    expect(asked).toEqual([
      decodeState("edits={'masks':[{'stack':'decoder','mode':'replace','preset':{'kind':'none'}}]}")
        .state.edits,
    ]);
    labs.on = await on(asked[0]);
    await vi.waitFor(() => expect(said(cheat)).toContain("0 of 3 → 0 of 3"));
    expect(cheat.shadowRoot?.querySelector("#remove")).toBeNull();
  });
});

describe("readBatch", () => {
  it("runs each text alone, padded behind a mask, and padded without one", async () => {
    const model = new FakeModel();
    const runs = vi.spyOn(model, "run");
    const [long, short] = await readBatch(model, ["the dog and the cat", "cats"]);
    expect(long?.pads).toBe(0);
    expect(short?.pads).toBe((long?.tokens.length ?? 0) - (short?.tokens.length ?? 0));
    const masks = runs.mock.calls.slice(3).map(([{ attentionMask }]) => attentionMask?.join(""));
    expect(masks).toEqual([
      undefined,
      "1".repeat(short?.tokens.length ?? 0) + "0".repeat(short?.pads ?? 0),
      undefined,
    ]);
  });
});

const site = (cells: number): AttentionCost["full"] => ({
  cells,
  multiplyAdds: 10 * cells,
  weightBytes: 4 * cells,
  vectorBytes: 7,
});
const COST: AttentionCost = {
  tokens: 10,
  heads: 2,
  masked: site(60),
  exact: true,
  full: site(200),
  layers: [
    { kind: "recurrent", operations: 11, sequential: 10, path: 10 },
    { kind: "convolutional", operations: 33, sequential: 1, path: 3 },
  ],
};

beforeAll(() => loadSentences("bench"));

describe("the lines of a quantity", () => {
  it("are pairs of one head, and operations and bytes of the layer", () => {
    const lines = (quantity: Parameters<typeof linesOf>[1]): [string, number][] =>
      linesOf([COST], quantity).map(({ name, points }) => [name, points[0]?.y ?? NaN]);
    expect(lines("pairs")).toEqual([
      ["every pair", 100],
      ["with the rules", 30],
    ]);
    expect(lines("operations")).toEqual([
      ["every pair", 2000],
      ["with the rules", 600],
      ["recurrent, n · d²", 11],
      ["convolutional", 33],
    ]);
    expect(lines("memory")).toEqual([
      ["every pair", 800],
      ["with the rules", 240],
      ["Q, K, V, context", 7],
    ]);
  });
});
