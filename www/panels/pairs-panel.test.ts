// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Cell } from "../data/index.js";
import { eventsOf } from "../elements/testing/mount.js";
import { PAPER_INKS } from "../export/sheet.js";
import { loadSentences, message } from "../i18n/index.js";
import { failed, FakeModel } from "../../tests/support/fake-model.js";
import { nameOfHead, NO_EDITS, type State } from "../state/index.js";
import { button, words } from "../ui/testing/controls.js";
import { PAIRS, type Session, type SessionPart } from "../session/session.js";
import { answered, sessionOf, show } from "../session/testing/session.js";
import type { HeadscopeExportMenu } from "./export/export-menu.js";
import { HeadscopeOtherBar, HeadscopePairsPanel } from "./pairs-panel.js";

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
/** Waits until a check holds: a busy machine is no failure. */
const waitFor = <Found>(check: () => Found): Promise<Found> =>
  vi.waitFor(check, { timeout: 20_000 });
const menuOf = ({ renderRoot }: SessionPart): HeadscopeExportMenu =>
  renderRoot.querySelector<HeadscopeExportMenu>("headscope-export-menu") ?? expect.fail("no menu");
const all = (part: SessionPart, selector: string): string[] =>
  [...part.renderRoot.querySelectorAll(selector)].map((one) => words(one));

describe("the head’s output of the other text", () => {
  const offer = (part: SessionPart): HTMLButtonElement | null =>
    part.renderRoot.querySelector(".words button");

  it("is put into the first run by one press, as an edit that can be undone", async () => {
    const part = await panel();
    offer(part)?.click();
    const at = { stack: "encoder", layer: 0, step: "context", head: 2 };
    const patches = [{ at, from: { text: TEXTS.otherText } }];
    expect(session.state.edits.patches).toEqual(patches);
    expect(session.store.undoes).toBe("patches");
    await waitFor(() => expect(session.computation.busy).toBe(false));
    await part.updateComplete;
    expect(offer(part)).toBeNull();
    session.command("undo");
    expect(session.state.edits.patches).toEqual([]);
  });

  it("is also put in part by part: its pattern alone, its values alone", async () => {
    const part = await panel();
    const press = async (name: string): Promise<void> => {
      const buttons = [...part.renderRoot.querySelectorAll<HTMLElement>(".words button")];
      (buttons.find((one) => words(one) === name) ?? expect.fail(name)).click();
      await waitFor(() => expect(session.computation.busy).toBe(false));
      await part.updateComplete;
    };
    await press("… its pattern alone");
    await press("… its values alone");
    expect(session.state.edits.patches.map(({ at }) => at.step)).toEqual(["weights", "value"]);
    expect(all(part, ".words button")).toEqual(["Use the other text’s output in this head"]);
  });

  it.each<[string, Partial<State>, string]>([
    ["the texts differ in length", { otherText: "the dog" }, "as many tokens: 4 and 3 now"],
    ["the model writes the target", { stack: "decoder" }, "write the translation yourself first"],
  ])("is not offered where %s, and the reason is said", async (_, more, reason) => {
    const part = await panel(more);
    expect(offer(part)).toBeNull();
    expect(all(part, ".words p").join(" ")).toContain(reason);
  });

  it("is not offered between two heads of one text", async () => {
    const otherHead = { stack: "encoder", layer: 1, head: 0 } as const;
    const part = await panel({ otherText: TEXTS.text, otherHead });
    expect(offer(part)).toBeNull();
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
    await waitFor(() => expect(all(part, "figure headscope-lines")).toHaveLength(2));
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

  it("are saved as one picture, and each alone, and shown larger by a region for both", async () => {
    const part = await panel();
    const menu = menuOf(part);
    const [first, second, difference] = figures(part);
    const parts = (["all", "first", "second", "difference"] as const).map((one) =>
      menu.figure(one),
    );
    expect(parts).toEqual([part, first, second, difference]);
    // Beside one another: as wide as all, as high as the highest.
    const prints = [part, first, second, difference].map((one) => one?.print(PAPER_INKS) ?? null);
    const [whole = null, ...each] = prints;
    const widths = each.map((one) => one?.width ?? NaN);
    expect(whole?.width).toBeGreaterThanOrEqual(widths.reduce((sum, one) => sum + one, 0));
    expect(whole?.height).toBeLessThan(2 * Math.max(...each.map((one) => one?.height ?? NaN)));
    expect(part.inks).toBe(first?.inks);
    const region = { query: 0, key: 1, rows: 2, columns: 2 };
    const event = { detail: region, bubbles: true, composed: true };
    second?.dispatchEvent(new CustomEvent("headscope-region-change", event));
    expect(session.state.region).toEqual(region);
    second?.dispatchEvent(new CustomEvent("headscope-mass-change", { ...event, detail: 75 }));
    expect(session.state.mass).toBe(75);
  });

  it("cannot be edited in the second picture, whose cells are another run's", async () => {
    const part = await panel();
    const toggled = eventsOf(part, "headscope-cell-toggle");
    const cell = { detail: { query: 0, key: 0 }, bubbles: true, composed: true };
    const heard = vi.fn();
    part.addEventListener("headscope-cell-toggle", heard);
    const [first, second, difference] = figures(part);
    for (const one of [second, difference])
      one?.dispatchEvent(new CustomEvent("headscope-cell-toggle", cell));
    expect([heard.mock.calls.length, toggled.length]).toEqual([0, 0]);
    first?.dispatchEvent(new CustomEvent("headscope-cell-toggle", cell));
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it("have no picture to save, and say what to do, while there is no second text", async () => {
    const part = await panel({ otherText: "" });
    const menu = menuOf(part);
    expect([menu.figure("all"), menu.figure("first")]).toEqual([null, null]);
    expect(all(part, ".invitation")).toEqual([message("pairs.blank")]);
  });

  it("have cells of one size under labels of one height", async () => {
    const [first, second, difference] = figures(await panel());
    const companies = [first, second, difference].map((one) => one?.company);
    expect(companies[0]).toHaveLength(3);
    expect(companies[1]).toEqual(companies[0]);
    expect(companies[2]).toEqual(companies[0]);
  });
});

describe("the bar of the other text", () => {
  async function bar(more: Partial<State> = {}): Promise<HeadscopeOtherBar> {
    session = await sessionOf({ ...STATE, ...more });
    return show(new HeadscopeOtherBar(), session);
  }
  const list = (part: SessionPart, label: string): HTMLSelectElement =>
    part.renderRoot.querySelector<HTMLSelectElement>(`select[aria-label="${label}"]`) ??
    expect.fail(`there is no list ${label}`);
  const values = (part: SessionPart, label: string): string[] =>
    [...list(part, label).options].map(({ value }) => value);
  async function select(part: SessionPart, label: string, value: string): Promise<void> {
    list(part, label).value = value;
    list(part, label).dispatchEvent(new Event("change"));
    await part.updateComplete;
  }
  const send = (part: SessionPart, index: number, name: string, detail: object): void => {
    const strip = part.renderRoot.querySelectorAll("headscope-tokens")[index];
    strip?.dispatchEvent(new CustomEvent(name, { detail }));
  };

  it("offers other models of texts, and the same", async () => {
    const part = await bar({ pairs: [{ side: "source", one: 0, other: 0 }] });
    const models = values(part, message("pairs.model"));
    expect(models[0]).toBe("");
    expect(models).toContain("models/tiny-bert");
    expect(models).not.toContain(session.state.model);
    // A model of images does not read this text.
    expect(models.filter((name) => name.includes("vit"))).toEqual([]);
    await select(part, message("pairs.model"), "models/tiny-bert");
    // Tokens of another model are others: what was paired by hand is not theirs.
    expect(session.state).toMatchObject({ otherModel: "models/tiny-bert", pairs: [] });
    await select(part, message("pairs.model"), "");
    expect(session.state.otherModel).toBeNull();
  });

  it("offers the heads of the second model, one of which is chosen or the same", async () => {
    const part = await bar();
    const label = message("pairs.otherHead");
    // Three stacks of three layers of eight heads, and the same head.
    expect(values(part, label)).toHaveLength(1 + 3 * 3 * 8);
    expect(list(part, label).value).toBe("");
    const name = nameOfHead({ stack: "cross", layer: 1, head: 2 });
    await select(part, label, name);
    expect(session.state.otherHead).toEqual({ stack: "cross", layer: 1, head: 2 });
    await waitFor(() => expect(list(part, label).value).toBe(name));
    await select(part, label, "");
    expect(session.state.otherHead).toBeNull();
  });

  it("of two heads of one text offers another text, which ends the comparison of heads", async () => {
    const otherHead = { stack: "encoder", layer: 1, head: 0 } as const;
    const part = await bar({ otherText: null, otherHead });
    expect(part.renderRoot.querySelector("headscope-growing-text")).toBeNull();
    button(part, message("pairs.anotherText")).click();
    await part.updateComplete;
    expect(session.state.otherText).toBe("");
    expect(part.renderRoot.querySelector("headscope-growing-text")).not.toBeNull();
    expect(all(part, "button")).not.toContain(message("pairs.anotherText"));
    button(part, message("pairs.end")).click();
    expect(session.state.compare).toBeNull();
  });

  it("takes a text, and forgets the pairs that were made by hand", async () => {
    const part = await bar({ pairs: [{ side: "source", one: 0, other: 0 }] });
    const field = part.renderRoot.querySelector<HTMLElement & { value: string }>(
      "headscope-growing-text",
    );
    expect(field?.value).toBe(TEXTS.otherText);
    field?.dispatchEvent(new CustomEvent("headscope-text", { detail: "a cat" }));
    expect(session.state).toMatchObject({ otherText: "a cat", pairs: [] });
  });

  it.each<[string, Partial<State>, "pairs.same" | "pairs.choose" | "pairs.hold"]>([
    ["of one text twice", { otherText: null }, "pairs.same"],
    ["without a pinned pair", {}, "pairs.hold"],
    ["of a pinned pair", { locked: { query: 0, key: 1 } }, "pairs.choose"],
    [
      "of one text in two models",
      { otherText: null, otherModel: "models/tiny-bert" },
      "pairs.hold",
    ],
  ])("says what to do next %s", async (_, more, hint) => {
    expect(all(await bar(more), ".hint p")).toEqual([message(hint)]);
  });

  it("has the tokens of both texts of a translator, and points at their counterparts", async () => {
    const part = await bar();
    const strips = [...part.renderRoot.querySelectorAll("headscope-tokens")];
    const texts = strips.map(({ tokens }) => tokens.map(({ text }) => text).join(" "));
    expect(texts).toEqual(["the sleeps now </s>", "<pad> NOW SLEEPS THE"]);
    expect(words(part.renderRoot.querySelector(".written bdi"))).toBe("NOW SLEEPS THE");
    const without = session.focused;
    // "sleeps" is the third of the first text.
    send(part, 0, "headscope-token-hover", { index: 1 });
    await part.updateComplete;
    expect(session.focused?.query).toBe(2);
    send(part, 0, "headscope-token-hover", { index: null });
    await part.updateComplete;
    expect(session.focused).toEqual(without);
    // What has no counterpart points at nothing.
    send(part, 0, "headscope-token-hover", { index: 2 });
    expect(session.focused).toEqual(without);
  });

  it("makes a token the counterpart of the pinned one, in place of an earlier one", async () => {
    const part = await bar({ locked: { query: 1, key: 0 } });
    // "dog" has no counterpart; "now" becomes it.
    send(part, 0, "headscope-token-lock", { index: 2, extend: false });
    const pair = { side: "source", one: 1, other: 2 };
    expect(session.state.pairs).toEqual([pair]);
    await answered(session);
    await part.updateComplete;
    expect(part.renderRoot.querySelector("headscope-tokens")?.locked).toEqual([2]);
    send(part, 0, "headscope-token-lock", { index: 1, extend: false });
    expect(session.state.pairs).toEqual([{ ...pair, other: 1 }]);
  });

  it("shows a failed second run beside its text, and begins it again", async () => {
    const model = new FakeModel();
    session = await sessionOf(STATE, model);
    const part = await show(new HeadscopeOtherBar(), session);
    model.failing = failed("run/too-large");
    session.update({ otherText: "a longer one" });
    await waitFor(() => expect(all(part, "[role=alert]")).toHaveLength(1));
    model.failing = null;
    const begun = model.inputs.length;
    button(part, message("run.again")).click();
    await waitFor(() => expect(all(part, "[role=alert]")).toEqual([]));
    expect(model.inputs.length).toBe(begun + 1);
  });

  it("of an edited run shows what the model wrote without the edits", async () => {
    const edits = { ...NO_EDITS, heads: [{ gate: 0 }] };
    const part = await bar({ compare: "original", otherText: null, edits });
    expect(part.renderRoot.querySelector("section")?.getAttribute("aria-label")).toBe(
      message("pairs.original"),
    );
    await waitFor(() => expect(all(part, ".original")).toEqual(["SLEEPS DOG THE"]));
    // The edited run ends in another sign.
    expect(all(part, ".original mark")).toEqual(["THE"]);
    expect(part.renderRoot.querySelectorAll("select")).toHaveLength(0);
  });
});
