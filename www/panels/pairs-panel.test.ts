// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Cell } from "../data/index.js";
import { eventsOf } from "../elements/testing/mount.js";
import { loadSentences } from "../i18n/index.js";
import type { State } from "../state/index.js";
import { words } from "../ui/testing/controls.js";
import { PAIRS, type Session, type SessionPart } from "../session/session.js";
import { sessionOf, show } from "../session/testing/session.js";
import { HeadscopePairsPanel } from "./pairs-panel.js";

/** "dog" is in the first text alone, "now" in the second alone, and "sleeps" has moved. */
const TEXTS = { text: "the dog sleeps", otherText: "the sleeps now" } as const;
const STATE: Partial<State> = { ...TEXTS, compare: "other", stack: "encoder", layer: 0, head: 2 };

let session: Session;

beforeAll(() => Promise.all([PAIRS.come(), loadSentences("pairs")]));
afterEach(() => {
  document.body.replaceChildren();
  session.end();
});

async function panel(more: Partial<State> = {}): Promise<HeadscopePairsPanel> {
  session = await sessionOf({ ...STATE, ...more });
  return show(new HeadscopePairsPanel(), session);
}

type Figure = HTMLElementTagNameMap["headscope-heatmap" | "headscope-difference"];
const figures = ({ renderRoot }: SessionPart): Figure[] => [
  ...renderRoot.querySelectorAll<Figure>("figure > *:not(figcaption)"),
];
const all = (part: SessionPart, selector: string): string[] =>
  [...part.renderRoot.querySelectorAll(selector)].map((one) => words(one));

describe("the head’s output of the other text", () => {
  const button = (part: SessionPart): HTMLButtonElement | null =>
    part.renderRoot.querySelector(".words button");

  it("is put into the first run by one press, as an edit that can be undone", async () => {
    const part = await panel();
    button(part)?.click();
    const at = { stack: "encoder", layer: 0, step: "context", head: 2 };
    const patches = [{ at, from: { text: TEXTS.otherText } }];
    expect(session.state.edits.patches).toEqual(patches);
    expect(session.store.undoes).toBe("patches");
    await vi.waitFor(() => expect(session.computation.busy).toBe(false));
    await part.updateComplete;
    expect(button(part)).toBeNull();
    session.command("undo");
    expect(session.state.edits.patches).toEqual([]);
  });

  it.each<[string, Partial<State>, string]>([
    ["the texts differ in length", { otherText: "the dog" }, "as many tokens: 4 and 3 now"],
    ["the model writes the target", { stack: "decoder" }, "write the translation yourself first"],
  ])("is not offered where %s, and the reason is said", async (_, more, reason) => {
    const part = await panel(more);
    expect(button(part)).toBeNull();
    expect(all(part, ".words p").join(" ")).toContain(reason);
  });

  it("is not offered between two heads of one text", async () => {
    const otherHead = { stack: "encoder", layer: 1, head: 0 } as const;
    const part = await panel({ otherText: TEXTS.text, otherHead });
    expect(button(part)).toBeNull();
  });
});

describe("two runs side by side", () => {
  it("are on one scale, with the first less the second on the tokens of both", async () => {
    const part = await panel();
    const paired = session.pairs?.paired;
    const captions = [TEXTS.text, TEXTS.otherText, "First − second"];
    expect(all(part, "figcaption")).toEqual(captions);
    const [first, second, difference] = figures(part);
    const { one, other, shared } = paired ?? expect.fail();
    const tensors = [one.stages.weights, other.stages.weights, shared?.tensor];
    expect([first?.tensor, second?.tensor, difference?.tensor]).toEqual(tensors);
    expect(first).toMatchObject({ beside: second?.tensor });
    expect(difference?.queries.length).toBeGreaterThan(first?.queries.length ?? 0);
  });

  it("show the counterpart of a pair in the other pictures, its three numbers, and its words layer by layer", async () => {
    const part = await panel({ locked: { query: 2, key: 0 } });
    const [, second, difference] = figures(part);
    // "sleeps" is the third word of the first and the second of the other.
    expect(second?.focused).toEqual({ query: 1, key: 0 });
    expect(words(part.renderRoot.querySelector(".pair"))).toBe("sleeps attends to the");
    const [one = NaN, other = NaN, less = NaN] = all(part, "dd").map((text) =>
      Number(text.replace("−", "-")),
    );
    expect(less).toBeCloseTo(one - other, 2);
    const [bars] = part.renderRoot.querySelectorAll("headscope-bars");
    expect(bars?.heading).toBe("“sleeps” and “sleeps”, layer by layer");
    // A pair of another picture is said in the words of the first.
    const hovers = eventsOf(part, "headscope-cell-hover");
    const locks = eventsOf(part, "headscope-cell-lock");
    const of = (name: string, detail: Cell): CustomEvent =>
      new CustomEvent(name, { detail, bubbles: true, composed: true });
    second?.dispatchEvent(of("headscope-cell-hover", { query: 1, key: 1 }));
    second?.dispatchEvent(of("headscope-cell-lock", { query: 2, key: 2 }));
    difference?.dispatchEvent(of("headscope-cell-hover", { query: 0, key: 0 }));
    expect(hovers).toEqual([2, 0].map((at) => ({ query: at, key: at })));
    expect(locks).toEqual([]);
    session.store.update({ locked: { query: 1, key: 1 } });
    await part.updateComplete;
    expect(all(part, ".words h3")).toEqual(["“dog” has no counterpart"]);
  });

  it("are two heads of one text, in any picture on one scale, and none have a difference of unlike texts", async () => {
    const otherHead = { stack: "encoder", layer: 1, head: 0 } as const;
    const same = { otherText: null, otherHead } as const;
    const part = await panel({ ...same, picture: "lines" });
    await vi.waitFor(() => expect(all(part, "figure headscope-lines")).toHaveLength(2));
    const names = ["Encoder · layer 1 · head 3", "Encoder · layer 2 · head 1"];
    expect(all(part, "figcaption")).toEqual(names);
    const { one, other } = session.pairs?.sides ?? expect.fail();
    expect(one.figures.head).toEqual({ stack: "encoder", layer: 0, head: 2 });
    expect(other.figures.head).toEqual(otherHead);
    const [first, second] = part.renderRoot.querySelectorAll("headscope-lines");
    expect([first?.scaledWith, second?.scaledWith]).toEqual([other.weights, one.weights]);
    expect([first?.patterns.length, second?.patterns.length]).toEqual([1, 1]);
    session.end();

    const apart = await panel({ ...same, stack: "cross", layer: 0, head: 0 });
    expect(all(apart, "headscope-heatmap")).toHaveLength(2);
    expect(all(apart, "headscope-difference")).toEqual([]);
    expect(words(apart.renderRoot.querySelector(".words"))).toContain("no difference");
  });

  it("have cells of one size under labels of one height", async () => {
    const [first, second, difference] = figures(await panel());
    const companies = [first, second, difference].map((one) => one?.company);
    expect(companies[0]).toHaveLength(3);
    expect(companies[1]).toEqual(companies[0]);
    expect(companies[2]).toEqual(companies[0]);
  });
});
