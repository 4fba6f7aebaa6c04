// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel } from "../../tests/support/fake-model.js";
import { all, eventsOf, textsOf } from "../elements/testing/mount.js";
import { loadSentences, message } from "../i18n/index.js";
import { NO_EDITS, type State } from "../state/index.js";
import type { Session } from "../session/session.js";
import { sessionWith, show } from "../session/testing/session.js";
import { button } from "../ui/testing/controls.js";
import { HeadscopeHeadsPanel } from "./heads-panel.js";

const HEAD = { stack: "encoder", layer: 1, head: 2 } as const;

beforeAll(() => loadSentences("menus"));
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

/** The panel of a session in which this much is known of the run. */
const panel = (
  known: Partial<Record<keyof Session, unknown>> = {},
  state: Partial<State> = {},
): Promise<HeadscopeHeadsPanel> => {
  const { stacks } = FAKE_INFO;
  const facts = { sizes: stacks, stacks: Object.keys(stacks), stack: "encoder" };
  return show(
    new HeadscopeHeadsPanel(),
    sessionWith({ ...HEAD, ...state }, { ...facts, shown: HEAD, ...known }),
  );
};
const labels = (part: HeadscopeHeadsPanel, within: string): string[] =>
  textsOf(part, `${within} button`);

it("the pattern is one of joined heads, or one head times its gradient, beside them", async () => {
  const part = await panel({ info: FAKE_INFO }, { compare: "original", picture: "lines" });
  const select = part.renderRoot.querySelector<HTMLSelectElement>("#joined");
  const choose = async (value: string): Promise<unknown> => {
    if (select) select.value = value;
    select?.dispatchEvent(new Event("change"));
    await part.updateComplete;
    const { joined, stage, picture, compare } = part.session.state;
    return { joined, stage, picture, compare };
  };
  const shown = { picture: "heatmap", compare: null };
  expect(await choose("gradient")).toEqual({ ...shown, joined: null, stage: "gradient" });
  expect(select?.value).toBe("gradient");
  expect(await choose("flow")).toEqual({ ...shown, joined: "flow", stage: "gradient" });
  await choose("gradient");
  expect(await choose("")).toEqual({ ...shown, joined: null, stage: "weights" });
});

it("of a role that no head has leads to a bundled model with such a head", async () => {
  const state = { model: "models/tiny-gpt", roleFilter: "aligned", stack: "decoder" } as const;
  const part = await panel(
    { ranked: [], stack: "decoder", knownRoles: { basis: "heldOut", scores: [] } },
    { ...state, locked: { query: 0, key: 0 } },
  );
  const [, place] = labels(part, ".next");
  expect(place).toContain(message("stack.cross"));
  button(part, place ?? "").click();
  expect(part.session.state).toMatchObject({
    model: "models/en-fr",
    stack: "cross",
    roleFilter: "aligned",
    locked: null,
  });
});

it("of a role in another model shows that model's first such head, once it is read", async () => {
  const old = new FakeModel();
  const computation = { model: old };
  const known: Partial<Record<keyof Session, unknown>> = {
    ranked: [],
    stack: "decoder",
    knownRoles: { basis: "heldOut", scores: [] },
    computation,
  };
  const part = await panel(known, {
    model: "models/en-fr",
    roleFilter: "previous",
    stack: "cross",
  });
  const place = labels(part, ".next").find((one) => one.includes(message("models/tiny-gpt.name")));
  button(part, place ?? "").click();
  const { layer, head } = part.session.state;
  const ranked = { value: [{ layer: 0, head: 1, note: "" }] };
  // The heads of the model before are none of the other model's.
  Object.defineProperty(part.session, "ranked", ranked);
  part.requestUpdate();
  await part.updateComplete;
  expect(part.session.state).toMatchObject({ model: "models/tiny-gpt", layer, head });
  computation.model = new FakeModel();
  part.requestUpdate();
  await part.updateComplete;
  expect(part.session.state).toMatchObject({ stack: "decoder", layer: 0, head: 1 });
  // A head chosen later stays.
  part.session.update({ layer: 2 });
  part.requestUpdate();
  await part.updateComplete;
  expect(part.session.state.layer).toBe(2);
});

describe("the shown head", () => {
  it("is ablated, and taken back, as an edit", async () => {
    const part = await panel();
    button(part, message("head.ablate")).click();
    await part.updateComplete;
    expect(part.session.state.edits.heads).toEqual([
      { stack: "encoder", layers: [1], heads: [2], gate: 0 },
    ]);
    const pressed = button(part, message("head.wake"));
    expect(pressed.getAttribute("aria-pressed")).toBe("true");
    expect(textsOf(part, ".head p")).toEqual([message("head.ablated")]);
    pressed.click();
    expect(part.session.state.edits).toEqual(NO_EDITS);
  });

  it("is left alone in its layer or not, if the layer has others", async () => {
    const part = await panel();
    button(part, message("head.solo")).click();
    await part.updateComplete;
    const others = [0, 1, 3, 4, 5, 6, 7];
    expect(part.session.state.edits.heads).toEqual([
      { stack: "encoder", layers: [1], heads: others, gate: 0 },
    ]);
    button(part, message("head.wakeOthers")).click();
    expect(part.session.state.edits).toEqual(NO_EDITS);
    part.remove();
    const size = { layers: 3, heads: 1, kvHeads: 1, headDim: 8 };
    const single = await panel({ sizes: { encoder: size } });
    expect(labels(single, ".head")).not.toContain(message("head.solo"));
  });

  it("becomes the second of a comparison, which keeps the text of one that is there", async () => {
    const part = await panel({}, { otherText: "another", pairs: [] });
    button(part, message("head.beside")).click();
    expect(part.session.state).toMatchObject({
      compare: "other",
      otherHead: HEAD,
      otherText: null,
      otherModel: null,
    });
    part.remove();
    const compared = await panel({}, { compare: "other", otherText: "another" });
    button(compared, message("head.beside")).click();
    expect(compared.session.state).toMatchObject({ otherText: "another", otherHead: HEAD });
  });
});

describe("the stack of a model", () => {
  it("is a heading where it is the only one, else a choice with its own hint", async () => {
    const alone = await panel({ stacks: ["encoder"] });
    expect(textsOf(alone, "headscope-choice")).toEqual([]);
    expect(textsOf(alone, "h2")[0]).toBe(message("stack.encoder"));
    expect(textsOf(alone, ".hint")).toEqual([message("stack.encoder.alone")]);
    // A head of the only stack is not said to be of it.
    expect(all(alone, ".head span")).toEqual([]);
    alone.remove();
    const several = await panel();
    expect(all(several, "headscope-choice")).toHaveLength(1);
    expect(textsOf(several, ".hint")).toEqual([message("stack.encoder.hint")]);
    expect(textsOf(several, ".head span")).toEqual([message("stack.encoder")]);
  });
});

describe("the heads most like the chosen one", () => {
  const near = (layer: number, head: number, divergence: number | null): object => {
    return { layer, head, divergence };
  };
  const DIVERGENCES = [
    near(0, 0, 0.5),
    near(0, 1, null),
    near(1, 2, 0),
    near(1, 3, 0.1),
    near(2, 0, 0.3),
    near(2, 1, 0.2),
    near(2, 2, 0.4),
    near(2, 3, 0.6),
  ];
  const NEAREST = ["0.10", "0.20", "0.30", "0.40", "0.50"];
  const chosen = HEAD;

  it("are five others in order, without those that cannot be compared", async () => {
    const part = await panel({ divergences: DIVERGENCES, chosen });
    const found = textsOf(part, "[data-divergence]").map((one) => Number(one).toFixed(2));
    expect(found).toEqual(NEAREST);
    const title = message("head.title", { layer: 2, head: 4 });
    expect(textsOf(part, ".like li")[0]).toContain(title);
  });

  it("are shown while they are pointed at, and chosen by a click", async () => {
    const part = await panel({ divergences: DIVERGENCES, chosen });
    const shown = eventsOf(part, "headscope-head-hover");
    const [first, second] = all(part, ".like li button");
    const move = (pointerType: string): PointerEvent =>
      new PointerEvent("pointermove", { pointerType });
    first?.dispatchEvent(move("mouse"));
    second?.dispatchEvent(move("touch"));
    second?.dispatchEvent(new FocusEvent("focus"));
    all(part, ".like ol")[0]?.dispatchEvent(new PointerEvent("pointerleave"));
    expect(shown).toEqual([{ layer: 1, head: 3 }, { layer: 2, head: 1 }, null]);
    second?.click();
    expect(part.session.state).toMatchObject({ stack: "encoder", layer: 2, head: 1 });
  });

  it("are said to be none where no head can be compared, and not shown for a head that is pointed at", async () => {
    const none = await panel({ divergences: [near(1, 2, 0), near(0, 1, null)], chosen });
    expect(textsOf(none, ".like p")).toEqual([message("like.none")]);
    expect(all(none, ".like li")).toEqual([]);
    none.remove();
    const preview = await panel({ divergences: DIVERGENCES, chosen, first: { head: HEAD } });
    expect(all(preview, ".like")).toEqual([]);
  });
});
