// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as fake from "../../tests/support/fake-model.js";
import { type ModelInfo, ROLES, type RoleScores, type Token } from "../data/index.js";
import { HeadscopeSpectrum } from "../elements/spectrum.js";
import { mount } from "../elements/testing/mount.js";
import { HeadscopeError } from "../headscope.js";
import { LANGUAGES, loadSentences, message } from "../i18n/index.js";
import { NO_EDITS, type State } from "../state/index.js";
import { button, choices, choose, words } from "../ui/testing/controls.js";
import type { Session, SessionPart } from "../session/session.js";
import { answered, sessionOf, sessionWith, show } from "../session/testing/session.js";
import { HeadscopeGpuSwitch } from "./gpu-switch.js";
import { HeadscopeHeadSpectrum } from "./head-spectrum.js";
import { HeadscopeHeadsPanel } from "./heads-panel.js";
import { HeadscopeInspector } from "./inspector.js";
import { HeadscopeModelPicker } from "./menus.js";
import { HeadscopeNotices } from "./notices.js";
import { HeadscopePageFooter } from "./page-frame.js";
import { HeadscopePicturePanel } from "./picture-panel.js";
import { HeadscopeSentenceBar } from "./sentence-bar.js";
import { HeadscopeWriter } from "./writer.js";
import { HeadscopeSettingsSheet } from "./settings-sheet.js";
import { HeadscopeShareSheet } from "./share-sheet.js";
import { HeadscopeTopBar } from "./top-bar.js";

const ENCODER = { text: "one two three", stack: "encoder", layer: 0, head: 1 } as const;

/** A busy machine is no failure. */
const SOON = { timeout: 20_000 };

let session: Session | null = null;
beforeAll(() => loadSentences("menus", "writing"));
afterEach(() => {
  document.body.replaceChildren();
  session?.end();
  session = null;
  vi.restoreAllMocks();
});

/** A panel of a session in which that is known, without a run. */
const shown = <Part extends SessionPart>(
  part: Part,
  known: Partial<Record<keyof Session, unknown>> = {},
  state: Partial<State> = {},
): Promise<Part> => show(part, sessionWith(state, known));

/** A panel of a session whose model has answered. */
async function live<Part extends SessionPart>(
  part: Part,
  state: Partial<State> = {},
): Promise<{ part: Part; page: Session }> {
  session = await sessionOf({ ...ENCODER, ...state });
  await show(part, session);
  return { part, page: session };
}

async function settled(part: SessionPart): Promise<void> {
  await answered(part.session);
  await part.updateComplete;
}

const all = (part: SessionPart, selector: string): string[] =>
  [...part.renderRoot.querySelectorAll(selector)].map((one) => words(one));
const text = (part: SessionPart, selector: string): string => all(part, selector)[0] ?? "";

const scores = (some: Partial<RoleScores> = {}): RoleScores => ({
  ...(Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores),
  ...some,
});

describe("the heads", () => {
  it("name the numbers below them, and are all shown again where none is left", async () => {
    const ordered = (ranked: number[]): Promise<HeadscopeHeadsPanel> =>
      shown(
        new HeadscopeHeadsPanel(),
        { knownRoles: { basis: "heldOut", scores: [] }, ranked },
        { roleFilter: "induction" },
      );
    expect(text(await ordered([1]), ".order + p")).toBe(
      "Under each head: its score for “induction” on held-out text · on this text.",
    );
    const none = await ordered([]);
    expect(text(none, ".order + p")).toMatch(/^No head reaches the threshold\./);
    button(none, "Tiny GPT: Decoder").click();
    expect(none.session.state).toMatchObject({ model: "models/tiny-gpt", stack: "decoder" });
    button(none, "Show all heads").click();
    expect(none.session.state.roleFilter).toBeNull();
  });

  it.each<[RoleScores | null, RoleScores | null, RegExp]>([
    [
      scores({ previous: 0.93, self: 0.02 }),
      scores({ previous: 0.5 }),
      /^previous token on 0 held-out sentences 0\.93 on this text 0\.50/,
    ],
    [
      scores({ induction: 0.8 }),
      scores(),
      /induction on repeated random tokens 0\.80 on this text –/,
    ],
    [scores({ previous: 0.2 }), null, /^no role No role reached its threshold/],
    [null, scores({ first: 0.9 }), /^first token on this text 0\.90 Attends to the first token/],
    [
      scores({ induction: 0.97, first: 0.75 }),
      null,
      /induction on repeated random tokens 0\.97 .*first token on 0 held-out sentences 0\.75/,
    ],
  ])("have roles on held-out text and on this one", async (heldOut, here, role) => {
    const part = await shown(new HeadscopeHeadsPanel(), {
      shown: { stack: "cross", layer: 0, head: 0 },
      knownRoles: heldOut
        ? { basis: "heldOut", scores: [[heldOut]] }
        : here && { basis: "here", scores: [[here]] },
      measured: here && { roles: here },
    });
    expect(text(part, ".role")).toMatch(role);
  });

  it("have a table of all roles, with the formulas of their scores, once it is opened", async () => {
    const part = await shown(new HeadscopeHeadsPanel(), {
      shown: { stack: "cross", layer: 0, head: 0 },
      knownRoles: { basis: "heldOut", scores: [[scores({ previous: 0.93, self: 0.02 })]] },
      measured: { roles: scores({ previous: 0.5 }) },
    });
    const table = part.renderRoot.querySelector<HTMLDetailsElement>(".role details");
    if (!table) throw new Error("there is no table");
    table.open = true;
    table.dispatchEvent(new Event("toggle"));
    await vi.waitFor(() =>
      expect(text(part, ".role table")).toMatch(
        /^Role before here threshold previous token 0\.93 0\.50 0\.50 A q , q − 1 self 0\.02 – 0\.50/,
      ),
    );
  });
});

describe("the typical sentences of a head", () => {
  const sentences = ["The cat.", "The dog.", "A bird."].map((one) => ({ text: one }));
  const own = { role: "previous", most: [[2, 0.9]], least: [[0, 0.1]] };

  it("are read beside the weights, and a click loads one with the head", async () => {
    const update = vi.fn<(change: Partial<State>) => void>();
    const notes = { sentences, typical: { encoder: [[null, own]] } };
    const head = { stack: "encoder", layer: 0, head: 1 };
    const known = { shown: head, computation: { model: { notes } }, update };
    const part = await shown(new HeadscopeHeadsPanel(), known);
    const details = part.renderRoot.querySelector<HTMLDetailsElement>(".role details");
    if (!details) throw new Error("there are no details");
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
    await vi.waitFor(() =>
      expect(all(part, ".role li")).toEqual(["A bird. 0.90", "The cat. 0.10"]),
    );
    button(part, "The cat. 0.10").click();
    expect(update).toHaveBeenCalledWith(
      expect.objectContaining({ ...head, text: "The cat.", locked: null, masked: [] }),
    );
  });

  it("are none where the notes have none", async () => {
    const typical = { encoder: [[null, null]] };
    const known = {
      shown: { stack: "encoder", layer: 0, head: 1 },
      computation: { model: { notes: { sentences, typical } } },
    };
    const part = await shown(new HeadscopeHeadsPanel(), known);
    expect(all(part, "summary")).not.toContain("Typical sentences");
  });
});

/** Enough of a run for the parts of the inspector that are not about a pair. */
const READ = { figures: {}, displayed: null, unusual: [] };
const SPECTRUM = { scores: { values: [3, 1], rank90: 1 }, weights: { values: [1], rank90: 1 } };

describe("the measures of a head", () => {
  it.each([
    [{}, "0.693 nats = 1.000 bits", "2.500 tokens"],
    [{ entropy: null, distance: null }, "–", "–"],
    // Between two texts there is no distance.
    [{ distance: null }, "0.693 nats = 1.000 bits"],
  ])("are its entropy and its distance: %o", async (change, ...expected) => {
    const measured = { layer: 0, head: 0, entropy: Math.LN2, distance: 2.5, ...change };
    const part = await shown(new HeadscopeInspector(), { ...READ, measured });
    expect(all(part, "[data-measure]")).toEqual(expected);
  });

  it("include how many tokens the head's output keeps, where its keys are the text's own", async () => {
    const measured = { layer: 0, head: 0, entropy: null, distance: null };
    const kept = async (retention: object | null): Promise<string[]> => {
      const known = { ...READ, measured, retention };
      return all(await shown(new HeadscopeInspector(), known), "[data-measure=retention]");
    };
    expect(await kept({ retained: 3, positions: 7 })).toEqual(["3 of 7 tokens"]);
    expect(await kept(null)).toEqual([]);
    const { part: asked } = await live(new HeadscopeInspector());
    expect(all(asked, "[data-measure=retention]")).toEqual(["1 of 4 tokens"]);
  });

  it.each([
    ["spectrum.title", "headscope-head-spectrum"],
    ["measures.circuits", "headscope-head-circuits"],
  ])("are beside what a word opens: %s", async (name, tag) => {
    const { part } = await live(new HeadscopeInspector());
    const fold = part.renderRoot.querySelector<HTMLDetailsElement>(`[data-fold="${name}"]`);
    expect(part.renderRoot.querySelector(tag)).toBeNull();
    if (!fold) throw new Error("there is no fold");
    fold.open = true;
    fold.dispatchEvent(new Event("toggle"));
    await vi.waitFor(() => expect(part.renderRoot.querySelector(tag)).not.toBeNull());
    expect(customElements.get(tag)).toBeDefined();
  });

  it("are beside the singular values where a question is about them", async () => {
    const { part } = await live(new HeadscopeInspector(), { tour: "rank" });
    await vi.waitFor(() =>
      expect(part.renderRoot.querySelector("headscope-head-spectrum")).not.toBeNull(),
    );
  });
});

describe("the singular values of a head", () => {
  beforeAll(() => loadSentences("pictures"));

  it.each([
    [null, [], "Computing", []],
    ["too-long", [], "too long", []],
    [SPECTRUM, ["weights"], "", ["Scores, before the mask", "Weights, as set by your edits"]],
    [SPECTRUM, [], "", ["Scores, before mask and softmax", "Weights, after mask and softmax"]],
  ])(
    "are two spectra, named by what edits make of them",
    async (spectrum, unusual, said, names) => {
      const part = await shown(new HeadscopeHeadSpectrum(), { spectrum, unusual });
      const chart = part.renderRoot.querySelector("headscope-spectrum");
      expect((chart?.lists ?? []).map(({ heading }) => heading)).toEqual(names);
      expect(text(part, "p")).toContain(said);
      // A tag alone draws nothing.
      if (chart) expect(chart).toBeInstanceOf(HeadscopeSpectrum);
    },
  );

  it("are also a table", async () => {
    const part = await shown(new HeadscopeHeadSpectrum(), { spectrum: SPECTRUM, unusual: [] });
    expect(all(part, "td")).toEqual(["3.000", "1.000", "1.000", "–"]);
  });
});

const DOG: Token = { id: 7, text: "dog", word: 0, special: false, role: null };
const guess = (id: number, word: string, probability: number, more = {}): object => ({
  id,
  text: word,
  logit: 0,
  probability,
  ...more,
});

describe("what the model predicts", () => {
  const predicted = (info: ModelInfo, expectation: object | null): Promise<SessionPart> =>
    shown(new HeadscopeInspector(), { ...READ, info, expectation });
  const bars = (part: SessionPart): string[] => {
    const { heading = "", items = [] } = part.renderRoot.querySelector("headscope-bars") ?? {};
    return [heading, ...items.map(({ label, marked }) => `${label}${marked ? "*" : ""}`)];
  };

  it.each([
    [0.3, "Original token “dog”: 30.0%"],
    [0.0000012, "Original token “dog”: < 0.1%"],
  ])("in place of a masked token is compared with its share of %d", async (probability, said) => {
    const predictions = [guess(3, "cat", 0.6), guess(7, "dog", 0.3)];
    const truth = { id: 7, probability };
    const part = await predicted(fake.FAKE_READER, { at: DOG, predictions, truth });
    expect(bars(part)).toEqual(["Predictions for “dog”", "cat", "dog*"]);
    expect(text(part, ".predictions")).toBe(said);
  });

  it.each([
    ["dog", ["end", "ouv", "…ouv"]],
    ["c'", ["end", "ouv", "ouv"]],
  ])(
    "after “%s” has the end by its name, and pieces that continue the word",
    async (at, labels) => {
      const more = { continuesWord: true };
      const predictions = [guess(1, "</s>", 1), guess(3, "ouv", 0.5), guess(4, "ouv", 0.4, more)];
      const expectation = { at: { ...DOG, text: at }, predictions, truth: null };
      expect(bars(await predicted(fake.FAKE_INFO, expectation)).slice(1)).toEqual(labels);
    },
  );

  it.each([
    [fake.FAKE_READER, "Mask a token"],
    [fake.FAKE_INFO, "Choose the decoder"],
    [fake.FAKE_WRITER, ""],
    [{ ...fake.FAKE_READER, maskToken: null }, ""],
    [{ ...fake.FAKE_READER, predicts: false }, "no output head"],
  ])("has a hint that fits the model", async (info, hint) => {
    expect(text(await predicted(info, null), ".predictions")).toContain(hint);
  });
});

describe("the pair", () => {
  it("has no softmax or √d where an edit made it otherwise", async () => {
    const { part, page } = await live(new HeadscopeInspector(), { locked: { query: 0, key: 0 } });
    const raw = "q · k";
    const mask = "mask";
    const softmax = "softmax over 4 keys";
    for (const [kind, names] of [
      [null, [raw, "÷ √24", mask, softmax]],
      ["low-rank", [raw, "÷ √24", mask, "weights"]],
      ["cosine", ["raw", "scores", mask, softmax]],
    ] as const) {
      page.store.update({ edits: { ...NO_EDITS, attention: kind ? [{ kind }] : [] } });
      await settled(part);
      expect(all(part, "section:nth-of-type(1) dt")).toEqual(names);
    }
    page.store.update({ text: "" });
    await settled(part);
    expect(all(part, "section > .muted")).toEqual(["Nothing to show yet."]);
  });

  it("says where dropout took the weight away", async () => {
    const { page } = await live(new HeadscopeInspector(), { locked: { query: 0, key: 1 } });
    const { figures } = page;
    const { data, ...shape } = figures?.stages.weights ?? expect.fail();
    const known = {
      displayed: page.displayed,
      info: page.info,
      size: page.size,
      locked: page.locked,
      focused: page.focused,
    };
    const weightWith = async (at: number): Promise<string> => {
      const dropped = { ...shape, data: data.map((_, cell) => (cell === at ? 1 : 0)) };
      const part = await shown(
        new HeadscopeInspector(),
        { ...known, figures: { ...figures, dropped } },
        ENCODER,
      );
      return text(part, "[data-stage=weights]");
    };
    const said = message("figure.droppedCell");
    expect([(await weightWith(1)).endsWith(said), (await weightWith(0)).endsWith(said)]).toEqual([
      true,
      false,
    ]);
  });

  it("of several tokens is one list, combined and directed as chosen", async () => {
    const picked = { side: "source", tokens: [0, 2], pool: "sum", looking: "from" } as const;
    const { part, page } = await live(new HeadscopeInspector(), { picked });
    await vi.waitFor(() => expect(text(part, ".picked")).toBe("one, three"));
    expect(part.renderRoot.querySelector("headscope-bars")).toMatchObject({ max: 2 });
    choose(part, "Combine by", "mean");
    choose(part, "Direction", "to");
    expect(page.state.picked).toEqual({ ...picked, pool: "mean", looking: "to" });
    button(part, "Clear selection").click();
    await settled(part);
    expect([page.state.picked, all(part, ".together")]).toEqual([null, []]);
  });
});

describe("the steps", () => {
  const TORN = fake.failed("engine/internal", { message: "torn", got: "a torn page" });

  it.each([
    ["steps", true],
    ["explain", false],
  ] as const)("report with a code that %s failed, and read once more", async (what, gone) => {
    const asked = vi.spyOn(fake.FakeRun.prototype, what).mockRejectedValueOnce(TORN);
    const { part, page } = await live(new HeadscopeNotices(), { picture: "steps" });
    expect(text(part, "[role=alert]")).toMatch(/^Internal error: a torn page\..* engine\/internal/);
    expect([page.block === null, page.explained]).toEqual([gone, null]);
    button(part, "Compute again").click();
    await settled(part);
    expect([text(part, "[role=alert]"), asked.mock.calls.length]).toEqual(["", 2]);
    expect(page.explained?.place).toMatchObject({ ...page.chosen, ...page.held });
  });

  it("report nothing of a run that a newer one has replaced, and show no other head's", async () => {
    const asked = vi.spyOn(fake.FakeRun.prototype, "steps");
    asked.mockRejectedValueOnce(fake.failed("run/released"));
    const { page } = await live(new HeadscopeNotices(), { picture: "steps" });
    expect(page.failure).toBeNull();
    page.store.update({ head: 2 });
    await answered(page);
    expect(page.block?.figures.head).toEqual(page.chosen);
    asked.mockRejectedValueOnce(TORN);
    page.store.update({ head: 3 });
    await answered(page);
    expect([page.failure?.code, page.block]).toEqual(["engine/internal", null]);
  });

  it("explain the number under the pointer, then the one that is held", async () => {
    const { page } = await live(new HeadscopeNotices(), { picture: "steps" });
    const explained = async (): Promise<unknown> => {
      await answered(page);
      return page.explained?.place;
    };
    const hovered = { step: "input", row: 1, column: 0 } as const;
    page.hoverNumber(hovered);
    expect(await explained()).toEqual({ ...page.chosen, ...hovered });
    page.hoverNumber(null);
    expect(await explained()).toEqual({ ...page.chosen, ...page.held });
    // What was pointed at is no number of another head's block.
    page.hoverNumber(hovered);
    page.store.update({ head: 2 });
    expect(await explained()).toEqual({ ...page.chosen, ...page.held });
  });
});

it("a text longer than any of the training says so beside the answer", async () => {
  const beyond = { beyondTraining: { count: 9, longest: 3 }, architecture: "decoder" };
  const part = await shown(new HeadscopeSentenceBar(), beyond);
  expect(text(part, ".beyond")).toContain("9 tokens: in training no text was longer than 3.");
});

describe("the sentence", () => {
  it("has its remark as long as it is about what the model made of it without changes", async () => {
    const sample = "The white house is old.";
    const note = async (state: Partial<State>, edited = false): Promise<string> =>
      text(
        await shown(new HeadscopeSentenceBar(), { edited }, { text: sample, ...state }),
        ".note",
      );
    const alone = await note({});
    expect(alone).toContain("are feminine");
    for (const changed of [note({ target: "Le chat" }), note({}, true)])
      expect(await changed).toBe("");
  });

  it("goes on with a candidate that is clicked, but not with the end or a part of a character", async () => {
    const candidates = [
      [guess(5, "sleeps", 0.25), " sleeps"],
      [guess(0, "<|endoftext|>", 0.25), ""],
      [guess(7, "⟨F0⟩", 0.25), null],
    ].map(([prediction, addition]) => ({ prediction, addition }));
    const bar = (continuation: object | null): Promise<HeadscopeWriter> =>
      shown(new HeadscopeWriter(), {
        info: { ...fake.FAKE_WRITER, endTokens: [0] },
        architecture: "decoder",
        computation: { continuation, busy: false, run: {}, model: null, failure: null },
      });
    const part = await bar({ text: "The dog", written: " sleeps.", candidates });
    expect([text(part, ".written"), ...all(part, "li")]).toEqual([
      "sleeps.",
      "sleeps 25.0%",
      "end 25.0%",
      "⟨F0⟩ part of a character 25.0%",
    ]);
    part.renderRoot.querySelector<HTMLButtonElement>("li button")?.click();
    expect(part.session.state.text).toBe("The dog sleeps");
    expect(text(await bar(null), ".written")).toContain("The model would stop here.");
  });
});

it("a picture names clicks once they block cells, and what to do where there is none", async () => {
  const { part, page } = await live(new HeadscopePicturePanel(), { picture: "lines" });
  expect(text(part, ".hint")).not.toMatch(/^$|[Cc]lick/);
  page.pointing.blocking = true;
  await part.updateComplete;
  expect(text(part, ".hint")).toMatch(/^Click a/);
  page.store.update({ text: " " });
  await settled(part);
  expect(text(part, ".invitation")).toBe("Type a sentence to see its attention.");
  page.end();
  const { part: long } = await live(new HeadscopePicturePanel(), { text: "word ".repeat(70) });
  expect(text(long, ".invitation")).toBe("Shorten the text to see its attention.");
});

it("a picture that the build computed is shown until the model's own is there", async () => {
  const tensor = { data: Float32Array.of(1, 0), shape: [1, 2], axes: ["query", "key"] };
  const token = (word: string): Token => ({
    id: 1,
    text: word,
    word: 0,
    special: false,
    role: null,
  });
  const first = { sourceTokens: [token("s")], targetTokens: [token("t")], weights: tensor };
  const axes = { encoder: ["s", "s"], decoder: ["t", "t"], cross: ["t", "s"] } as const;
  for (const stack of ["encoder", "decoder", "cross"] as const) {
    const head = { stack, layer: 0, head: 0 };
    const part = await shown(new HeadscopePicturePanel(), { first: { ...first, head } });
    const picture = part.renderRoot.querySelector("headscope-heatmap");
    const { queries = [], keys = [] } = picture ?? {};
    expect([queries, keys].map(([one]) => one?.text)).toEqual(axes[stack]);
    expect([picture?.tensor, picture?.inert]).toEqual([tensor, false]);
    expect(all(part, ".early span")).toEqual([message("load.early")]);
    expect(all(part, ".hint")).toEqual([]);
    document.body.replaceChildren();
  }
});

it("a picture has the height that the window leaves, within bounds, without what stands around it", async () => {
  const height = async (inner: number, state: Partial<State> = {}, more = {}): Promise<number> => {
    window.innerHeight = inner;
    const { part } = await live(new HeadscopePicturePanel(), state);
    Object.assign(part, more);
    await settled(part);
    const found = part.renderRoot.querySelector("headscope-heatmap")?.comfortableHeight ?? NaN;
    document.body.replaceChildren();
    session?.end();
    return found;
  };
  const plain = await height(1000);
  expect(plain).toBeGreaterThan(160);
  // A pixel of the window is one of the picture.
  expect(await height(1001)).toBe(plain + 1);
  expect(await height(300)).toBe(160);
  expect(await height(4000)).toBe(720);
  const edits = { ...NO_EDITS, heads: [{ gate: 0 }] };
  const smaller = [
    await height(1000, { tour: "row" }),
    await height(1000, { edits }),
    await height(1000, { text: "a word ".repeat(30) }),
  ];
  for (const one of smaller) expect(one).toBeLessThan(plain);
  expect(await height(1000, {}, { narrow: true })).toBe(160);
});

it("an attention sink is named with its share, and left out and kept again by a press", async () => {
  const rows = [0.6, 0.2, 0.1, 0.1];
  const weights = { data: Float32Array.from([rows, rows, rows, rows].flat()), shape: [4, 4] };
  const tensor = { ...weights, axes: ["query", "key"] };
  vi.spyOn(fake.FakeRun.prototype, "attention").mockResolvedValue(tensor);
  const { part, page } = await live(new HeadscopePicturePanel());
  const press = (): HTMLButtonElement => button(part, message("sink.without", { token: "one" }));
  expect(text(part, "aside p")).toContain(message("sink.what", { token: "one", share: "60%" }));
  for (const [isLeft, sink] of [
    ["false", "out"],
    ["true", "kept"],
  ]) {
    expect(press().getAttribute("aria-pressed")).toBe(isLeft);
    press().click();
    expect(page.state.sink).toBe(sink);
    await settled(part);
  }
  page.update({ stage: "scores" });
  await settled(part);
  expect(all(part, "aside")).toEqual([]);
});

it("a page without a model is led to one's own files, and to the first control of a panel", async () => {
  const opened: Element[] = [];
  const showPopover = function (this: Element): void {
    opened.push(this);
  };
  const bar = await shown(new HeadscopeTopBar());
  const picker = bar.renderRoot.querySelector<HeadscopeModelPicker>("headscope-model-picker");
  const list = picker?.renderRoot.querySelector("[popover]") ?? expect.fail("there is no list");
  Object.assign(list, { showPopover });
  bar.session.page.offerFiles?.();
  expect(opened).toEqual([list]);
  const focused = vi.spyOn(HTMLElement.prototype, "focus");
  bar.focus();
  expect(focused.mock.contexts.map((one) => (one as Element).localName)).toEqual(["button"]);
  focused.mockClear();
  const picture = await shown(new HeadscopePicturePanel());
  focused.mockClear();
  picture.focus();
  const [first] = focused.mock.contexts as Element[];
  expect(first?.getRootNode()).toBe(
    picture.renderRoot.querySelector("headscope-choice")?.shadowRoot,
  );
});

it("numbers that a run refuses leave their reason in place of the picture", async () => {
  const refused = new HeadscopeError({
    code: "selection/too-large",
    message: "",
    doing: "",
    expected: "",
    got: "",
  });
  vi.spyOn(fake.FakeRun.prototype, "aggregate").mockRejectedValue(refused);
  const { part, page } = await live(new HeadscopePicturePanel(), { joined: "flow" });
  expect(text(part, ".invitation")).toBe(message("error.selection/too-large"));
  expect(text(part, ".hint")).toMatch(/^Attention flow/);
  button(part, "flow · back to one head").click();
  await settled(part);
  expect(page.state.joined).toBeNull();
  expect(part.renderRoot.querySelector("headscope-heatmap")).not.toBeNull();
});

describe("notices", () => {
  it("offer what can be done about them, and to dismiss them", async () => {
    const command = vi.fn();
    const part = await shown(new HeadscopeNotices(), { command });
    const { notices } = part.session;
    notices.offerFile();
    await part.updateComplete;
    expect(all(part, "button")).toEqual(["Save page as file", "Dismiss"]);
    for (const one of part.renderRoot.querySelectorAll("button")) one.click();
    expect([command.mock.calls, notices.list]).toEqual([[["save-page"]], []]);
  });

  it.each([
    ["load/network", "load-model", "Load the model Back to Tiny GPT"],
    ["engine/internal", "run-again", "Compute again"],
  ])("report %s and offer another try, or the way back from a model", async (code, retry, ways) => {
    const failure = { sentence: "It failed.", code, retry };
    const part = await shown(new HeadscopeNotices(), { failure, back: "models/tiny-gpt" });
    expect(text(part, "[role=alert]")).toBe(`It failed. Details ${code} ${ways}`);
  });
});

describe("the frame of the page", () => {
  it("describes the model or says what to do first, and offers the tour and the questions", async () => {
    const info = { ...fake.FAKE_INFO, parameters: { ...fake.FAKE_INFO.parameters, total: 4.4e6 } };
    const page = { startTour: vi.fn(), showHelp: vi.fn() };
    const part = await shown(
      new HeadscopeTopBar(),
      { info, page, subject: {} },
      { theme: "dark", model: "opened/own" },
    );
    expect(text(part, "p.about")).toMatch(
      /^.+ · 4\.4M parameters · 3 layers × 8 heads · from your disk, in no link$/,
    );
    part.session.store.replace({ ...part.session.state, model: "models/en-fr" });
    await part.updateComplete;
    expect(text(part, ".first p")).toBe(message("bar.hint"));
    button(part, "Tour").click();
    part.renderRoot.querySelector<HTMLElement>("[aria-label=Questions]")?.click();
    expect(page.startTour).toHaveBeenCalledOnce();
    expect(page.showHelp.mock.calls).toEqual([["questions"]]);
    part.focus();
    expect(part.shadowRoot?.activeElement).toBe(button(part, "Tour"));
  });

  it("has the settings in one sheet, with the presenter's size for a page of its own", async () => {
    const present = vi.fn();
    const adapterless = { adapter: null };
    const part = await shown(
      new HeadscopeSettingsSheet(),
      { page: { present }, backend: adapterless, presenting: false },
      { theme: "dark" },
    );
    expect(choices(part)).toEqual({
      Language: LANGUAGES.map(({ code, name }) => (code === "en" ? `[${name}]` : name)).join(" "),
      Theme: "Light [Dark] System",
      "Colours of the weights": "[Indigo] Cividis Viridis",
    });
    choose(part, "Theme", "light");
    expect(part.session.state.theme).toBe("light");
    button(part, "Presenter’s size").click();
    expect(present).toHaveBeenCalledExactlyOnceWith(true);
  });

  it("offers the file first where no link holds the model, and then no link", async () => {
    const headings = async (model: State["model"]): Promise<string[]> =>
      all(await shown(new HeadscopeShareSheet(), {}, { model }), "h2");
    const ways = ["Figures for other pages", "As a file"];
    expect(await headings("models/tiny-gpt")).toEqual(["This page", ...ways]);
    expect(await headings("opened/mine")).toEqual(ways.toReversed());
  });

  it.each([
    [[4, 0, 0], "4 layers computed, 0 reused"],
    [[4, 2, 9], "4 layers computed, 2 reused"],
    [[1, 0, 1], "1 layer computed, 1 token reused"],
  ] as const)(
    "counts what was computed: %o",
    async ([blocks, reusedBlocks, reusedTokens], said) => {
      const executed = { blocks, reusedBlocks, reusedTokens };
      const part = await shown(new HeadscopePageFooter(), {
        executed,
        info: fake.FAKE_INFO,
        opensOffline: true,
      });
      expect(text(part, ".executed")).toBe(said);
      expect(text(part, ".private")).toContain("Available offline");
    },
  );

  it.each([
    ["maker", "line", "maker line"],
    ["", "", "unnamed"],
  ])("offers a GPU by its name: %s %s", async (vendor, architecture, name) => {
    const adapter = { vendor, architecture, description: "", software: false };
    const onCpu = (["encoder", "decoder", "cross"] as const).map((stack) => ({ stack, layer: 1 }));
    const part = await mount(new HeadscopeGpuSwitch(), { adapter, onCpu });
    expect(words(part.renderRoot)).toBe(`Compute on the GPU ${name}`);
    const turned: boolean[] = [];
    part.addEventListener("headscope-gpu-turn", ({ detail }) => turned.push(detail));
    part.renderRoot.querySelector("input")?.click();
    expect(turned).toEqual([true]);
    part.on = true;
    await part.updateComplete;
    expect(words(part.renderRoot)).toContain("CPU fallback: attention of 2 layers.");
  });

  it("lists the models, those that work offline, and what a model's files have without effect", async () => {
    const Toggle = class extends Event {
      readonly newState = "open";
    };
    vi.stubGlobal("ToggleEvent", Toggle);
    const found = [
      ["config.json", "eos_token_id", "50256", "none"],
      ["generation_config.json", "num_beams", "4", "generation"],
      ["config.json", "normalize_before", "true", "none"],
    ] as const;
    const warnings = found.map(([file, field, value, effect]) => ({ file, field, value, effect }));
    const info = { warnings, missingHead: "Qwen2ForSequenceClassification" };
    const hub = { hub: "", token: "" };
    const models = { opened: ["opened/mine"], ready: ["models/en-fr"], hub };
    const state = { model: "opened/mine" } as const;
    const part = await shown(new HeadscopeModelPicker(), { info, models }, state);
    part.findKept = () => Promise.resolve(["models/en-fr"]);
    for (const event of ["beforetoggle", "toggle"])
      part.renderRoot.querySelector(".list")?.dispatchEvent(new Toggle(event));
    const offline = (): boolean[] =>
      all(part, "[role=menuitemradio]").map((item) => item.includes("works offline"));
    await vi.waitFor(() => expect(offline()).toEqual([true, false, false, false, false]), SOON);
    const items = all(part, "[role=menuitemradio]");
    expect(items[4]).toContain(
      "Without effect in config.json: eos_token_id = 50256, normalize_before = true",
    );
    expect(items[4]).toContain(
      "By generation_config.json, Hugging Face may write another text: num_beams = 4",
    );
    expect(items[4]).toContain("Not computed: the head of Qwen2ForSequenceClassification");
  });
});
