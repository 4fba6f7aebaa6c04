// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  FAKE_READER,
  FAKE_WRITER,
  failed,
  FakeModel,
  wordToken,
} from "../../tests/support/fake-model.js";
import type { HeadscopeNumbers } from "../elements/numbers.js";
import { emit } from "../elements/events.js";
import type { HeadEdit, ModelInfo, PatchEdit, Token } from "../data/index.js";
import { loadSentences, message } from "../i18n/index.js";
import type { HeadscopeSaveFigure } from "../kit/save-figure.js";
import type { Session } from "../session/session.js";
import { answered, sessionOf, show } from "../session/testing/session.js";
import { patchSamplesOf } from "../session/models/patch-samples.js";
import { DEFAULT_STATE, NO_EDITS, type State } from "../state/index.js";
import type { HeadscopeDemo } from "./demos/demo-element.js";
import { HeadscopePatchingExperiment, withChosenPatch } from "./patching.js";
import { differing, lengthsOf, padded } from "./patching/text-pair.js";

interface Opened {
  session: Session;
  model: FakeModel;
  element: HeadscopePatchingExperiment;
  grid: () => HeadscopeDemo;
}

const TEXTS = { text: "one two three", otherText: "one seven three" } as const;

async function experiment(state: Partial<State>, info = FAKE_WRITER): Promise<Opened> {
  const model = new FakeModel(info);
  const session = await sessionOf(state, model);
  const element = await show(new HeadscopePatchingExperiment(), session);
  const grid = (): HeadscopeDemo => {
    const found = element.renderRoot.querySelector<HeadscopeDemo>("headscope-demo");
    return found ?? expect.fail(element.renderRoot.textContent);
  };
  return { session, model, element, grid };
}

const wordsOf = ({ renderRoot }: Pick<HeadscopePatchingExperiment, "renderRoot">): string =>
  renderRoot.textContent.replace(/\s+/g, " ");

async function press(
  { renderRoot, updateComplete }: HeadscopePatchingExperiment | HeadscopeDemo,
  selector: string,
): Promise<void> {
  const button = renderRoot.querySelector<HTMLElement>(selector);
  (button ?? expect.fail(selector)).click();
  await updateComplete;
}

const numbersOf = (grid: HeadscopeDemo): HeadscopeNumbers =>
  grid.renderRoot.querySelector("headscope-numbers") ?? expect.fail("no grid");

/** Waits until a check holds: a busy machine is no failure. */
const waitFor = <Found>(check: () => Found): Promise<Found> =>
  vi.waitFor(check, { timeout: 20_000 });

async function complete({ grid }: Opened): Promise<HeadscopeNumbers> {
  await waitFor(() => expect(grid().renderRoot.querySelector("#go")).not.toBeNull());
  await press(grid(), "#go");
  await waitFor(() => expect(grid().renderRoot.querySelector("#stop")).toBeNull());
  return numbersOf(grid());
}

beforeAll(() => loadSentences("experiments", "rules"));
afterEach(() => document.body.replaceChildren());

describe("two texts for patches", () => {
  const tokenize = (text: string): Token[] =>
    text.split(" ").map((word, at) => ({
      id: parseInt(word, 36),
      text: word,
      word: at,
      special: false,
      role: null,
    }));

  it("are compared token by token", () => {
    const texts = { clean: "one two three", corrupted: "one seven three" };
    expect(differing({ tokenize }, texts)).toEqual([
      { position: 1, clean: "two", corrupted: "seven" },
    ]);
    expect(lengthsOf({ tokenize }, texts)).toBeNull();
    expect(padded({ tokenize }, texts)).toBeNull();
  });

  it.each([
    ["one two four", "one four", 1, "corrupted", "one very four"],
    ["one four", "one two six four", 1, "clean", "one very very four"],
    ["one two", "one two three", 2, "clean", "one very two"],
  ])(
    "“%s” and “%s” differ at token %i, and one is padded",
    (clean, corrupted, first, role, text) => {
      expect(lengthsOf({ tokenize }, { clean, corrupted })).toMatchObject({ first });
      expect(padded({ tokenize }, { clean, corrupted })).toMatchObject({ role, text });
    },
  );
});

describe("<headscope-patching-experiment>", () => {
  it("asks for a second text, and pads one of another length by a press", async () => {
    const { session, element } = await experiment({ text: "one two three" });
    expect(wordsOf(element)).toContain(message("patching.noText"));
    session.update({ otherText: "one three" });
    await answered(session);
    await element.updateComplete;
    expect(wordsOf(element)).toContain("4 tokens in the clean text, 3 in the corrupted one");
    expect(wordsOf(element)).toContain("selection/other-length");
    await press(element, "#pad");
    expect(session.state.otherText).toBe("one very three");
  });

  it("refuses a corrupted text of another model, and reads both by one by a press", async () => {
    const other = { otherModel: "models/tiny-bert" } as const;
    const { session, model, element, grid } = await experiment({ ...TEXTS, ...other });
    expect(wordsOf(element)).toContain("Both texts need one model");
    expect(wordsOf(element)).toContain("selection/other-model");
    await press(element, "#one-model");
    expect(session.state.otherModel).toBeNull();
    await vi.waitFor(() => expect(grid().patches?.model).toBe(model));
  });

  it("says above the grid that both texts have the same target", async () => {
    const opened = await experiment({ ...TEXTS, stack: "decoder", against: 2 });
    const patchGrid = opened.model.patchGrid.bind(opened.model);
    vi.spyOn(opened.model, "patchGrid").mockImplementation(async function* (options) {
      for await (const cell of patchGrid(options))
        yield { ...cell, corrupted: 0, recovered: null, reason: "no effect" };
    });
    const { tensor } = await complete(opened);
    expect([...(tensor?.data ?? [])].every(Number.isNaN)).toBe(true);
    const { renderRoot } = opened.grid();
    const [first] = renderRoot.querySelector(".results")?.children ?? [];
    expect(first?.textContent).toContain("there is no effect to recover");
  });

  it("reads the target of an encoder at a masked word, in both texts", async () => {
    const opened = await experiment({ ...TEXTS, stack: "encoder" }, FAKE_READER);
    const { session, model, element, grid } = opened;
    expect(wordsOf(element)).toContain(message("patching.noMask"));
    await press(element, "#mask");
    expect(session.state.masked).toEqual([2]);
    await answered(session);
    await waitFor(() => expect(grid()).toBeDefined());
    const pair = model.inputs.filter(({ lenient }) => lenient);
    expect(pair.slice(-2).map(({ text, masked }) => [text, masked])).toEqual([
      [TEXTS.text, [2]],
      [TEXTS.otherText, [2]],
    ]);
  });

  it("offers the pairs of the model, each with its target and its grid", async () => {
    const { session, element } = await experiment({ ...TEXTS, model: "models/en-fr" });
    const list = element.renderRoot.querySelector("select") ?? expect.fail();
    list.selectedIndex = 1;
    list.dispatchEvent(new Event("change"));
    const [{ clean, corrupted, entry, against, head } = expect.fail()] =
      patchSamplesOf("models/en-fr");
    const texts = { text: clean, otherText: corrupted };
    expect(session.state).toMatchObject({ ...texts, entry, against, stack: "cross", head });
    expect(session.state.demos).toBe("patching(stack-cross)");
    session.store.undo();
    expect(session.state).toMatchObject(TEXTS);
  });

  it("draws the heads with a path to a receiver, which is the head that was shown", async () => {
    const opened = await experiment({ ...TEXTS, stack: "decoder", layer: 2, head: 1, against: 2 });
    const { session, model, element, grid } = opened;
    await waitFor(() => expect(grid()).toBeDefined());
    const list = element.renderRoot.querySelector<HTMLSelectElement>("#receiver") ?? expect.fail();
    const offered = [...list.options].map(({ value }) => value);
    const head = "decoder 2 1";
    const heads = [head, ...["query", "key", "value"].map((part) => `${head} ${part}`)];
    expect(offered).toEqual(["", "logits", ...heads]);
    list.value = `${head} key`;
    list.dispatchEvent(new Event("change", { bubbles: true }));
    await element.updateComplete;
    expect(session.state.demos).toContain("receiver-");
    const asked = vi.spyOn(model, "patchGrid");
    const { rowNames, columnNames } = await complete(opened);
    expect([rowNames.length, columnNames.length]).toEqual([2, 8]);
    const receiver = { stack: "decoder", layer: 2, head: 1, part: "key" };
    expect(asked.mock.calls[0]?.[0]).toMatchObject({ what: "head", receiver });
    emit(numbersOf(grid()), "headscope-cell-lock", { query: 1, key: 3 });
    expect(session.state).toMatchObject({ text: TEXTS.otherText, layer: 1, head: 3 });
    const at = { stack: "decoder", layer: 1, step: "context", head: 3 };
    const path = { at, from: { text: TEXTS.text }, to: receiver };
    expect(session.state.edits.patches).toEqual([path]);
    expect(list.value).toBe(`${head} key`);
    await answered(session);
    // A second path to the receiver joins the first.
    await waitFor(() => expect(numbersOf(grid()).tensor?.data[11]).toBeCloseTo(11 / 24));
    emit(numbersOf(grid()), "headscope-cell-lock", { query: 1, key: 4 });
    expect(session.state.edits.patches).toEqual([path, { ...path, at: { ...at, head: 4 } }]);
    session.store.undo();
    session.store.undo();
    expect(session.state).toMatchObject({ ...TEXTS, edits: { patches: [] } });
  });

  it.each(["decoder 0 1 key", "decoder 9 0", "cross 1 1", "elsewhere"])(
    "says that no path leads to the receiver of a link: %s",
    async (receiver) => {
      const written = receiver.replaceAll(" ", "_");
      const demos = `patching(receiver-${written})`;
      const { element } = await experiment({ ...TEXTS, stack: "decoder", demos });
      await waitFor(() => {
        const grid = element.renderRoot.querySelector<HeadscopeDemo>("headscope-demo");
        expect(grid?.renderRoot.textContent).toContain("has a direct path to this receiver");
      });
    },
  );

  it("draws the grid cell by cell, and says what its numbers are", async () => {
    const opened = await experiment({ ...TEXTS, stack: "decoder", against: 2 });
    const { tensor, rowNames, columnNames } = await complete(opened);
    expect([rowNames.length, columnNames.length]).toEqual([3, 8]);
    const data = [...(tensor?.data ?? [])];
    expect(data.slice(0, 2)).toEqual([0, Math.fround(1 / 24)]);
    // The last cell has no effect to recover.
    expect(data.at(-1)).toBeNaN();
    const figure = opened
      .grid()
      .renderRoot.querySelector<HeadscopeSaveFigure>("headscope-save-figure");
    expect(figure?.of).toMatchObject({
      text: TEXTS.text,
      edits: {},
      aligned: "positions",
      compared: { model: "en-fr", text: TEXTS.otherText },
    });
    expect(figure?.table?.rows[1]).toEqual(["Decoder", 1, 2, 1 / 24 - 1, 1 / 24]);
    const said = wordsOf(opened.grid());
    expect(said).toContain("0 in the clean text, −1.000 in the corrupted one");
    expect([...opened.model.held]).toHaveLength(1);
  });

  it.each([
    ["noise", "one two three", null],
    ["denoise", "one seven three", "patching(sentence-corrupted)"],
  ] as const)(
    "makes a chosen cell an edit of the text that is patched: %s",
    async (direction, text, demos) => {
      const setting = direction === "noise" ? "patching(direction-noise)" : null;
      const opened = await experiment({ ...TEXTS, stack: "decoder", demos: setting });
      const { session, grid } = opened;
      const numbers = await complete(opened);
      emit(numbers, "headscope-cell-lock", { query: 1, key: 3 });
      const at = { stack: "decoder", layer: 1, step: "context", head: 3 };
      const other = text === TEXTS.text ? TEXTS.otherText : TEXTS.text;
      expect(session.state).toMatchObject({ text, otherText: other, layer: 1, head: 3 });
      expect(session.state.edits.patches).toEqual([{ at, from: { text: other } }]);
      expect(session.state.demos).toBe(demos ?? setting);
      await answered(session);
      // The grid is still of the same two texts.
      await waitFor(() => expect(numbersOf(grid()).tensor?.data[11]).toBeCloseTo(11 / 24));
      emit(numbersOf(grid()), "headscope-cell-lock", { query: 1, key: 3 });
      expect(session.state.edits.patches).toEqual([]);
      session.store.undo();
      session.store.undo();
      expect(session.state).toMatchObject({ ...TEXTS, demos: setting });
      expect(session.state.edits.patches).toEqual([]);
    },
  );

  it("patches from the other text under the edits of the page", async () => {
    const heads: HeadEdit[] = [{ stack: "decoder", layers: [0], heads: [0], gate: 0 }];
    const edits = { ...NO_EDITS, heads };
    const opened = await experiment({ ...TEXTS, stack: "decoder", edits });
    const { session } = opened;
    const numbers = await complete(opened);
    emit(numbers, "headscope-cell-lock", { query: 1, key: 3 });
    expect(session.state.edits).toMatchObject({
      heads,
      patches: [{ from: { text: TEXTS.text, edits: { heads } } }],
    });
  });

  it("goes on after a crash with the cells that are missing", async () => {
    const opened = await experiment({ ...TEXTS, stack: "decoder" });
    const { model, grid } = opened;
    const starts: unknown[] = [];
    const patchGrid = model.patchGrid.bind(model);
    vi.spyOn(model, "patchGrid").mockImplementation(async function* (options) {
      starts.push(options.start);
      for await (const cell of patchGrid(options)) {
        if (starts.length === 1 && cell.done === 7) throw failed("engine/crashed");
        yield cell;
      }
    });
    await waitFor(() => expect(grid().renderRoot.querySelector("#go")).not.toBeNull());
    await press(grid(), "#go");
    await waitFor(() => expect(wordsOf(grid())).toContain(message("experiments.crashed.kept")));
    const numbers = await complete(opened);
    expect([...(numbers.tensor?.data ?? [])].slice(0, 23)).not.toContain(NaN);
    expect(starts).toEqual([0, 6]);
  });
});

describe("the State of a patch", () => {
  const pair = {
    inputs: { clean: { ids: [1, 2] }, corrupted: { ids: [1, 3] } },
    translation: null,
  };
  const texts = { clean: TEXTS.text, corrupted: TEXTS.otherText };
  const at = { stack: "decoder", layer: 1, step: "context", head: 3 } as const;
  const chosen = { at, direction: "noise" } as const;
  const state = { ...DEFAULT_STATE, ...TEXTS };
  const patchesOf = ({ edits }: Partial<State>): PatchEdit[] => [...(edits?.patches ?? [])];

  it("is of the text that the patched run reads, with the other one beside", () => {
    const asked = { texts, masked: [] };
    const noise = withChosenPatch(state, pair, asked, chosen, "clean");
    expect(noise).toMatchObject({ demos: null, stack: "decoder", layer: 1, head: 3 });
    expect(noise).not.toHaveProperty("text");
    expect(patchesOf(noise)).toEqual([{ at, from: { text: TEXTS.otherText } }]);
    const denoise = withChosenPatch(state, pair, asked, { at, direction: "denoise" }, "clean");
    const swapped = { text: TEXTS.otherText, otherText: TEXTS.text };
    expect(denoise).toMatchObject({ ...swapped, demos: "patching(sentence-corrupted)" });
    expect(patchesOf(denoise)).toEqual([{ at, from: { text: TEXTS.text } }]);
  });

  it("has ids where a text would read otherwise: of masked words and of a chat", () => {
    const ids = { at, from: { ids: [1, 3] } };
    const masked = withChosenPatch(state, pair, { texts, masked: [1] }, chosen, "clean");
    expect(patchesOf(masked)).toEqual([ids]);
    const chat = { ...state, chat: "on" } as const;
    expect(patchesOf(withChosenPatch(chat, pair, { texts, masked: [] }, chosen, "clean"))).toEqual([
      ids,
    ]);
  });

  it("has the translation that both texts are read with, one's own before the model's", () => {
    const asked = { texts, masked: [] };
    const translated = { ...pair, translation: "un deux" };
    const inDecoder = withChosenPatch(state, translated, asked, chosen, "clean");
    expect(inDecoder.target).toBe("un deux");
    const from = { text: TEXTS.otherText, target: "un deux" };
    expect(patchesOf(inDecoder)).toEqual([{ at, from }]);
    const own = { ...state, target: "le chat" };
    expect(withChosenPatch(own, translated, asked, chosen, "clean").target).toBe("le chat");
    const inEncoder = { at: { ...at, stack: "encoder" }, direction: "noise" } as const;
    const encoder = withChosenPatch(state, translated, asked, inEncoder, "clean");
    expect([encoder.target, patchesOf(encoder)[0]?.from]).toEqual([
      null,
      { text: TEXTS.otherText },
    ]);
  });

  it("takes a patch back that is there, replaces one of its place, and keeps others", () => {
    const asked = { texts, masked: [] };
    const once = withChosenPatch(state, pair, asked, chosen, "clean");
    const again = withChosenPatch({ ...state, ...once }, pair, asked, chosen, "clean");
    expect(patchesOf(again)).toEqual([]);
    const other: PatchEdit = { at: { ...at, head: 4 }, from: { text: "x" } };
    const former: PatchEdit = { at, from: { text: "y" } };
    const edits = { ...NO_EDITS, patches: [former, other] };
    const replaced = withChosenPatch({ ...state, edits }, pair, asked, chosen, "clean");
    expect(patchesOf(replaced)).toEqual([other, { at, from: { text: TEXTS.otherText } }]);
    const to = { stack: "decoder", layer: 2, head: 0 } as const;
    const path = withChosenPatch({ ...state, edits }, pair, asked, { ...chosen, to }, "clean");
    // A path to a receiver is another patch than one of the whole run.
    expect(patchesOf(path)).toHaveLength(3);
  });
});

it.each<[string, Partial<ModelInfo>, "demo.noText" | "inspect.nextNone"]>([
  [
    "images",
    { image: { channels: 3, size: [1, 1], patch: [1, 1], grid: [1, 1], specials: 1 } },
    "demo.noText",
  ],
  ["no predictions", { predicts: false }, "inspect.nextNone"],
])("a model of %s has no patches of texts, and the reason is said", async (_, more, why) => {
  const { element } = await experiment(TEXTS, { ...FAKE_WRITER, ...more });
  expect(wordsOf(element)).toContain(message(why));
  expect(element.renderRoot.querySelector("headscope-demo")).toBeNull();
});

it("names the first three tokens in which two texts differ, and counts the others", async () => {
  // A token has the id of its letter, in place of its position.
  const lettered = vi
    .spyOn(FakeModel.prototype, "tokenize")
    .mockImplementation((text) =>
      text.split(" ").map((one, word) => ({ ...wordToken(one, word), id: one.charCodeAt(0) })),
    );
  const differ = async (text: string, otherText: string): Promise<string> => {
    const { element } = await experiment({ text, otherText, stack: "decoder" });
    await waitFor(() => expect(element.renderRoot.querySelector("headscope-demo")).not.toBeNull());
    const notes = [...element.renderRoot.querySelectorAll(".note")];
    const found = notes.map(({ textContent }) => textContent.trim());
    document.body.replaceChildren();
    return found[0] ?? "";
  };
  const token = (position: number, clean: string, corrupted: string): string =>
    message("patching.differ.token", { position, clean, corrupted });
  expect(await differ("a b c", "a x c")).not.toContain(token(2, "b", "x"));
  const two = `${token(1, "a", "x")} · ${token(3, "c", "z")}`;
  expect(await differ("a b c", "x b z")).toBe(message("patching.differ", { tokens: two }));
  const three = [token(1, "a", "v"), token(2, "b", "w"), token(3, "c", "x")];
  const tokens = [...three, message("patching.differ.more", { count: 1 })].join(" · ");
  expect(await differ("a b c d", "v w x y")).toBe(message("patching.differ", { tokens }));
  lettered.mockRestore();
});

it("the effects of an opened study stand above the texts, with files and without a link", async () => {
  const { session, model, element } = await experiment(TEXTS);
  const cell = { layer: 0, column: 0, recovered: null, count: 3 };
  session.studied = {
    model,
    effects: {
      grids: [
        {
          stack: "decoder",
          step: "value",
          of: "heads",
          direction: "noise",
          measure: "probability",
          cells: [{ ...cell, layer: 1, column: 2, recovered: 0.5 }, cell],
        },
      ],
      texts: { name: "pairs.jsonl", count: 4, failed: 1 },
    },
  };
  const found = await waitFor(() => {
    const [demo] = element.renderRoot.querySelectorAll<HeadscopeDemo>("headscope-demo");
    expect(demo?.name).toBe("pooled");
    const figure = demo?.renderRoot.querySelector<HeadscopeNumbers>("headscope-numbers");
    return { demo, figure: figure ?? expect.fail("there is no grid") };
  });
  const { tensor, columns } = found.figure;
  expect([tensor?.shape, columns, tensor?.data[5]]).toEqual([[2, 3], 3, 0.5]);
  expect(tensor?.data[0]).toBeNaN();
  const words = found.demo?.renderRoot.textContent.replace(/\s+/g, " ") ?? "";
  const all = message("pooled.texts", { name: "pairs.jsonl", count: 3 });
  expect(words).toContain(message("pooled.failed", { texts: all, failed: 1 }));
  expect(words).toContain(message("patching.direction.noise"));
  expect(words).toContain(message("pooled.title", { what: message("patching.what.values") }));
  const saved = found.demo?.renderRoot.querySelector<HeadscopeSaveFigure>("headscope-save-figure");
  expect(saved?.table?.rows[0]?.slice(1)).toEqual([2, 3, 3, 0.5]);
  expect(saved?.renderRoot.querySelector("headscope-embed-buttons")).toBeNull();
  emit(found.figure, "headscope-cell-lock", { query: 1, key: 2 });
  expect(session.state).toMatchObject({ stack: "decoder", layer: 1, head: 2 });
});
