// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
  failed,
} from "../../tests/support/fake-model.js";
import type { Cell, HeadRef } from "../data/index.js";
import { NO_EDITS, type State, paintCells, toggleHead } from "../state/index.js";
import type { TokenTouch } from "./run/pointing.js";
import { samplesOf } from "./models/samples.js";
import { EDIT_LABELS, PAIRS, Session } from "./session.js";
import { answered, sessionOf, sessionWith } from "./testing/session.js";

const STATE = { text: "one two three", layer: 0, head: 1 } as const;
const HEAD: HeadRef = { stack: "cross", layer: 0, head: 1 };
const READER = { ...STATE, model: "models/tiny-bert", stack: "encoder" } as const;
const WRITER = { ...STATE, model: "models/tiny-gpt", stack: "decoder" } as const;
const ABLATED = toggleHead(NO_EDITS, HEAD, FAKE_INFO.stacks);

let session: Session | undefined;
afterEach(() => {
  session?.end();
  session = undefined;
});

async function begun(state: Partial<State> = STATE, model = new FakeModel()): Promise<Session> {
  session?.end();
  session = await sessionOf(state, model);
  return session;
}

/** Changes the State of a page, and waits for what follows. */
async function changed(page: Session, change: Partial<State>): Promise<void> {
  page.store.update(change);
  await answered(page);
}

beforeAll(() => Promise.all([EDIT_LABELS.come(), PAIRS.come()]));

it("says why what was picked is no model, until something is opened", async () => {
  const page = sessionWith();
  const pick = async (...paths: string[]): Promise<unknown[]> => {
    const files = paths.map((path) =>
      Object.assign(new File([], path.split("/").at(-1) ?? ""), { path }),
    );
    await page.openPicked(files);
    return page.notices.list.map(({ key, values, code }) => [key, values.id, code]);
  };
  expect(await pick()).toEqual([["notice.noFiles", undefined, "load/not-found"]]);
  const cached = await pick("/models--org--name/refs/main", "/models--org--name/blobs/1f3e");
  expect(cached).toEqual([["notice.cache", "org/name", "load/not-found"]]);
  expect(await pick("/mine/config.json")).toEqual([]);
  expect(page.state.model).toBe("opened/mine");
});

it("names the family of a folder that does not open, beside the model that works", async () => {
  const failure = failed("config/unsupported-family", { got: "zamba", message: "all families" });
  let isFirst = true;
  session = new Session({
    load: () => {
      const answer = isFirst ? Promise.resolve(new FakeModel()) : Promise.reject(failure);
      isFirst = false;
      return answer;
    },
  });
  session.begin();
  await answered(session);
  const config = Object.assign(new File(["{}"], "config.json"), { path: "/mine/config.json" });
  await session.openPicked([config]);
  expect(session.notices.list).toMatchObject([{ key: "notice.unopened", code: failure.code }]);
  expect(session.notices.list[0]?.values.reason).toMatch(/^Models of the family “zamba” do not/);
  expect(session.computation.model).not.toBeNull();
});

describe("the head and the pair", () => {
  it("are known as far as the bundled models are, before there is one", () => {
    const names = ["models/en-fr", "models/tiny-gpt", "models/tiny-bert", "opened/mine"] as const;
    expect(names.map((model) => sessionWith({ model }).stacks)).toEqual([
      ["encoder", "decoder", "cross"],
      ["decoder"],
      ["encoder"],
      [],
    ]);
    expect(sessionWith().chosen).toBeNull();
  });

  it("are the hovered ones, else those that are held, else the strongest pair", async () => {
    const page = await begun();
    const { store, pointing, focused: strongest } = page;
    const hover = (detail: Cell | null): void =>
      pointing.hoverCell(new CustomEvent("hover", { detail }));
    const first = { query: 1, key: 1 };
    const second = { query: 2, key: 0 };
    expect(strongest).not.toBeNull();
    store.update({ locked: first });
    expect(page.focused).toEqual(first);
    hover(second);
    expect(page.focused).toEqual(second);
    hover(null);
    store.update({ locked: { query: 99, key: 0 } });
    expect([page.locked, page.focused]).toEqual([null, strongest]);
    pointing.hoverHead(new CustomEvent("hover", { detail: { layer: 2, head: 7 } }));
    await answered(page);
    const hovered = { ...HEAD, layer: 2, head: 7 };
    expect([page.chosen, page.shown, page.figures?.head]).toEqual([HEAD, hovered, hovered]);
    store.update({ stack: "encoder" });
    expect(page.shown).toEqual({ ...HEAD, stack: "encoder" });
  });

  it("of a model that fills gaps lead to the masked token that is looked at, or else the one masked last", async () => {
    const page = await begun({ ...READER, masked: [2, 0] }, new FakeModel(FAKE_READER));
    const place = (query: number, key: number): unknown => {
      page.store.update({ locked: { query, key } });
      return page.place;
    };
    expect([place(2, 1), place(1, 2), place(1, 1)]).toEqual(
      [2, 2, 0].map((position) => ({ kind: "instead", position })),
    );
  });

  it("keep what is equal the same object, so that nothing is drawn again for it", async () => {
    const page = await begun();
    const values = (): unknown[] => [page.blocked, page.ablated, page.chosen, page.displayed];
    const before = values();
    page.store.update({ theme: "dark", mass: 50 });
    expect(values().map((now, at) => now === before[at])).toEqual(Array(4).fill(true));
  });
});

describe("a model without a tokenizer", () => {
  const withoutTokenizer = (): FakeModel => Object.assign(new FakeModel(), { hasTokenizer: false });

  it("opens with ids in the place of a sample sentence, none of them special", async () => {
    const model = withoutTokenizer();
    const page = await begun({ text: samplesOf("models/en-fr")[0]?.text ?? "" }, model);
    // Of 100 entries, without 0 and 1, which begin and end a text.
    expect(page.state.text).toBe("11 22 33 44 55 66 77 88");
    expect(model.inputs.at(-1)?.text).toBe(page.state.text);
    page.store.undo();
    expect(page.state.text).toBe(samplesOf("models/en-fr")[0]?.text);
  });

  it("keeps a text of the user's own", async () => {
    expect((await begun({ text: "5 17 2" }, withoutTokenizer())).state.text).toBe("5 17 2");
  });
});

describe("edits", () => {
  it("are said in words, also those for another model, and hatched in the head that is drawn", async () => {
    const edits = paintCells(ABLATED, HEAD, [{ query: 0, key: 0 }], "toggle", null);
    const page = await begun({ ...STATE, edits });
    expect([page.blocked, page.ablated, page.edited, page.comparison]).toEqual([
      [{ query: 0, key: 0 }],
      [{ layer: 0, head: 1 }],
      true,
      "original",
    ]);
    expect(page.chips.map(({ label }) => label)).toEqual([
      "Cross-attention 1.2: start → one blocked",
      "Cross-attention 1.2 ablated",
    ]);
    const other = new FakeModel(FAKE_WRITER);
    const misfit = { index: 0, code: "edit/not-in-model", says: "otherModel" } as const;
    other.fit = { edits: {}, misfits: [{ list: "heads", ...misfit, values: [], stacks: [] }] };
    const left = await begun({ ...WRITER, edits: ABLATED }, other);
    const label = "Cross-attention 1.2 ablated (not in this model)";
    expect(left.chips).toMatchObject([{ label, inactive: true }]);
    expect(left.edited).toBe(false);
  });

  it("by a click open what the model itself masks, but do not go by the mask of a run under other edits", async () => {
    const model = new FakeModel(FAKE_WRITER);
    const page = await begun(WRITER, model);
    const { store, computation, state } = page;
    const click = (): unknown => {
      page.pointing.toggleCell(new CustomEvent("toggle", { detail: { query: 0, key: 2 } }));
      const { masks } = page.state.edits;
      store.replace(state);
      return masks;
    };
    expect(click()).toMatchObject([{ stack: "decoder", layers: [0], heads: [1], allow: [[0, 2]] }]);
    store.update({ text: "one two three four" });
    expect([computation.busy, click()]).toMatchObject([true, [{ block: [[0, 2]] }]]);
    store.update({ text: "one two three four" });
    computation.stop();
    expect(click()).toMatchObject([{ block: [[0, 2]] }]);
    model.failing = failed("input/malformed");
    await computation.compute({ ...state, text: "four" });
    expect([computation.stale, click()]).toMatchObject([true, [{ block: [[0, 2]] }]]);
  });
});

describe("a stroke over cells", () => {
  const cells: readonly Cell[] = [0, 1, 2].map((key) => ({ query: 1, key }));
  const eventOf = (count: number) =>
    new CustomEvent("stroke", { detail: { cells: cells.slice(0, count), open: false } });
  const blocked = ({ state }: Session): unknown => state.edits.masks[0]?.block;

  it("blocks each cell as it reaches it, all of them in one step of undo", async () => {
    const page = await begun();
    const { pointing, store } = page;
    pointing.strokeCells(eventOf(2));
    expect(blocked(page)).toEqual([
      [1, 0],
      [1, 1],
    ]);
    pointing.strokeCells(eventOf(3));
    pointing.paintCells(eventOf(3));
    expect(blocked(page)).toEqual([
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
    store.undo();
    expect([blocked(page), store.undoes]).toEqual([undefined, null]);
  });

  it("that is given up changes nothing, and the next one begins anew", async () => {
    const page = await begun();
    const { pointing, store } = page;
    pointing.strokeCells(eventOf(2));
    pointing.strokeCells(new CustomEvent("stroke", { detail: null }));
    expect([blocked(page), store.undoes]).toEqual([undefined, null]);
    pointing.strokeCells(eventOf(2));
    pointing.paintCells(eventOf(2));
    pointing.strokeCells(
      new CustomEvent("stroke", { detail: { cells: [{ query: 2, key: 0 }], open: false } }),
    );
    expect(blocked(page)).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
    ]);
    store.undo();
    expect(blocked(page)).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });
});

describe("joined heads", () => {
  it.each([
    ["rollout", "cross", null],
    ["mean", "cross", "mean"],
    ["rollout", "encoder", "rollout"],
  ] as const)("%s of the stack %s become %s", async (joined, stack, shown) => {
    const page = await begun({ ...STATE, stack, joined });
    expect([page.state.joined, page.failure]).toEqual([shown, null]);
  });

  it("that cross-attention does not have are let go of when it is chosen", async () => {
    const page = await begun({ ...STATE, stack: "encoder", joined: "flow" });
    await changed(page, { stack: "cross" });
    expect([page.state.joined, page.figures?.other]).toEqual([null, null]);
  });
});

describe("a touched token", () => {
  let page: Session;
  const touched = (
    side: TokenTouch["side"],
    index: number | null,
    action: TokenTouch["action"],
  ): State => {
    page.pointing.touchToken({ side, index, action });
    return page.state;
  };

  it("stands for the strongest cell of its row or column, and lets go of it", async () => {
    page = await begun();
    touched("target", 2, "hover");
    expect(page.focused?.query).toBe(2);
    touched("source", null, "hover");
    expect(touched("source", 1, "lock").locked?.key).toBe(1);
    expect(touched("source", 1, "lock").locked).toBeNull();
    await changed(page, { stack: "encoder" });
    expect(touched("target", 1, "lock").locked).toBeNull();
  });

  it("is picked with the one that is held, once more to leave it, and by words with all its pieces", async () => {
    page = await begun({ ...STATE, stack: "encoder", locked: { query: 2, key: 0 } });
    const picked = touched("source", 0, "pick").picked;
    expect(picked).toMatchObject({ side: "source", tokens: [2, 0] });
    expect(page.together?.picked.map(({ text }) => text)).toEqual(["one", "three"]);
    expect(touched("source", 2, "pick").picked?.tokens).toEqual([0]);
    expect(touched("source", 0, "pick").picked).toBeNull();
    expect(touched("source", 1, "lock").picked).toBeNull();
  });
});

describe("a token of a model that fills gaps", () => {
  it("is masked by a touch and seen by another one, a special one is locked instead", async () => {
    const page = await begun({ ...READER, text: "one two three" }, new FakeModel(FAKE_READER));
    const touched = (index: number): State => {
      page.pointing.touchToken({ side: "source", index, action: "mask" });
      return page.state;
    };
    expect(touched(2).masked).toEqual([2]);
    expect(touched(1).masked).toEqual([2, 1]);
    expect(touched(2).masked).toEqual([1]);
    const last = page.computation.run?.tokens.length ?? 0;
    const { masked, locked } = touched(last - 1);
    expect([masked, locked]).toEqual([[1], expect.objectContaining({ query: last - 1 })]);
    const writer = await begun(WRITER, new FakeModel(FAKE_WRITER));
    writer.pointing.touchToken({ side: "source", index: 1, action: "mask" });
    expect(writer.state.masked).toEqual([]);
  });
});

describe("the head that is shown", () => {
  it("is ablated and back, and changed to a neighbour within the model, not the one pointed at", async () => {
    const page = await begun({ ...STATE, stack: "cross" });
    page.pointing.toggleShown();
    expect(page.state.edits).toEqual(ABLATED);
    page.pointing.toggleShown();
    expect(page.state.edits).toEqual(NO_EDITS);
    const { layers, heads } = FAKE_INFO.stacks.cross ?? { layers: 0, heads: 0 };
    const point = (): void =>
      page.pointing.hoverHead(new CustomEvent("hover", { detail: { layer: 0, head: 0 } }));
    const go = (along: "layer" | "head", step: -1 | 1): string => {
      point();
      page.pointing.go(along, step);
      expect(page.pointing.hover.head).toBeNull();
      return `${page.state.layer}.${page.state.head}`;
    };
    expect([go("head", 1), go("layer", 1), go("head", -1), go("layer", -1)]).toEqual([
      ...["0.2", "1.2", "1.1"],
      "0.1",
    ]);
    expect(go("layer", -1)).toBe("0.1");
    await changed(page, { layer: layers - 1, head: heads - 1 });
    expect([go("layer", 1), go("head", 1)]).toEqual(Array(2).fill(`${layers - 1}.${heads - 1}`));
  });

  it("is let go of with all that was pointed at", async () => {
    const page = await begun({ ...STATE, locked: { query: 1, key: 1 } });
    page.pointing.blocking = true;
    page.pointing.pointAt({ query: 0, key: 1 });
    expect(page.focused).toEqual({ query: 0, key: 1 });
    page.pointing.release();
    expect([page.state.locked, page.pointing.hover.cell, page.pointing.blocking]).toEqual([
      ...[null, null],
      false,
    ]);
  });
});

describe("what is read of a run", () => {
  it("of the next run is asked for with the request for that run", async () => {
    const model = new FakeModel();
    const run = vi.spyOn(model, "run");
    const page = await begun(STATE, model);
    await changed(page, { picture: "lines", beside: [3] });
    await changed(page, { text: "one two" });
    const foreseen = run.mock.calls.at(-1)?.[1]?.foreseen ?? [];
    expect(run.mock.calls[0]?.[1]?.foreseen).toEqual([]);
    expect(foreseen).toContainEqual({ ...HEAD, what: "mask" });
    expect(foreseen).toContainEqual({ ...HEAD, head: 3, what: "attention", stage: "weights" });
    expect(page.figures?.patterns.map(({ head }) => head)).toEqual([1, 3]);
  });

  it("is let go with the run, and comes again with the next text", async () => {
    const page = await begun();
    await changed(page, { text: " " });
    expect([page.figures, page.thumbnails, page.subject]).toEqual([null, null, null]);
    await changed(page, { text: "one" });
    expect(page.figures?.keys.map(({ text }) => text)).toEqual(["one", "</s>"]);
    expect(page.subject?.state.text).toBe("one");
  });
});

const OTHER = { ...STATE, compare: "other", otherText: "three" } as const;

describe("the second run", () => {
  it.each<[string, Partial<State>, Partial<State>, string | undefined]>([
    [
      "is computed for another text that is typed meanwhile",
      OTHER,
      { otherText: "five six" },
      "SIX FIVE",
    ],
    ["is let go when the comparison ends", OTHER, { compare: null }, undefined],
    [
      "stays the original of the edited run that is still shown",
      { ...STATE, edits: ABLATED },
      {},
      "THREE TWO ONE",
    ],
    [
      "is no other text's under the name of the original",
      { ...OTHER, edits: ABLATED },
      { compare: "original" },
      undefined,
    ],
  ])("while the first one failed %s", async (_, state, change, written) => {
    const model = new FakeModel();
    const page = await begun(state, model);
    model.failing = failed("engine/crashed");
    await changed(page, { text: "one two four" });
    model.failing = null;
    await changed(page, change);
    expect(page.computation.failure?.code).toBe("engine/crashed");
    expect(page.pairs?.other.run?.targetText).toBe(written);
  });
});

it("a text is beyond training from one token more than the longest of training on", async () => {
  const model = Object.assign(new FakeModel(FAKE_WRITER), {
    notes: { longest: { source: 4 }, roles: {} },
  });
  const beyond = async (text: string): Promise<unknown> =>
    (await sessionOf({ text }, model)).beyondTraining;
  expect(await beyond("one two three")).toBeNull();
  expect(await beyond("one two three four")).toEqual({ count: 5, longest: 4 });
});

describe("what a user opens", () => {
  const keys = (page: Session): string[] => page.notices.list.map(({ key }) => key);

  it("a text takes the place of the present one, with all that was about it, in one undo", async () => {
    const page = await begun({ ...READER, masked: [1] });
    page.store.step({ chat: "on", target: "four", locked: { query: 0, key: 1 } });
    const before = page.state;
    await page.openText(new File([" one two\n"], "a.txt"));
    expect(page.state).toMatchObject({ text: "one two", masked: [], target: null, locked: null });
    expect(page.state.chat).toBe("off");
    page.store.undo();
    expect(page.state).toEqual(before);
  });

  it("a text that is too long or cannot be read is refused by its name, and leaves the text", async () => {
    const page = await begun();
    const long = new File(["a".repeat(1_000_001)], "long.txt");
    const lost = Object.assign(new File(["a"], "lost.txt"), {
      text: () => Promise.reject(new Error("gone")),
    });
    for (const file of [long, lost]) {
      await page.openText(file);
      expect(page.notices.list.map(({ key, values }) => [key, values.name])).toEqual([
        ["notice.text", file.name],
      ]);
      expect(page.state.text).toBe(STATE.text);
    }
    await page.openText(new File(["a".repeat(1_000_000)], "just.txt"));
    expect(keys(page)).toEqual([]);
    expect(page.state.text).toHaveLength(1_000_000);
  });

  it("an image is refused by a model of texts, and one that is no image by a model of images", async () => {
    const page = await begun();
    await page.openImage(new Blob());
    expect(keys(page)).toEqual(["notice.imageModel"]);
    const image = { size: 2, patch: 1, classes: [] } as unknown as (typeof FAKE_INFO)["image"];
    const seer = await begun(STATE, new FakeModel({ ...FAKE_INFO, image }));
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("no image")));
    await seer.openImage(new Blob());
    expect(keys(seer)).toEqual(["notice.image"]);
    // The sample comes back, and is computed.
    const asked = seer.computation.revision;
    await seer.openImage(null);
    await answered(seer);
    expect([keys(seer), seer.hasOwnImage]).toEqual([[], false]);
    expect(seer.computation.revision).not.toBe(asked);
    vi.unstubAllGlobals();
  });

  it("a folder without a model is refused with the first names in it", async () => {
    const page = sessionWith();
    const files = ["a.bin", "b.bin", "c.bin", "d.bin"].map((name) =>
      Object.assign(new File([], name), { path: `/mine/${name}` }),
    );
    await page.openPicked(files);
    expect(page.notices.list.map(({ key, values }) => [key, values.files])).toEqual([
      ["notice.noModel", "a.bin, b.bin, c.bin"],
    ]);
  });

  it("a model that is chosen leaves the one before, to which the page can go back", async () => {
    const page = await begun({ ...WRITER, text: "one two" });
    expect(page.back).toBeNull();
    page.switchTo("models/tiny-bert");
    await answered(page);
    expect([page.state.model, page.back]).toEqual(["models/tiny-bert", "models/tiny-gpt"]);
    page.goBack();
    await answered(page);
    expect(page.state).toMatchObject({ model: "models/tiny-gpt", text: "one two", head: 1 });
  });
});

it("a changed text takes along what is about its tokens, and ends the pairs made by hand", async () => {
  const page = await begun(
    { ...READER, text: "one two three", masked: [2] },
    new FakeModel(FAKE_READER),
  );
  page.store.update({
    locked: { query: 2, key: 0 },
    pairs: [{ side: "source", one: 0, other: 0 }],
  });
  page.update({ layer: 2 });
  expect(page.state).toMatchObject({ masked: [2], locked: { query: 2, key: 0 }, layer: 2 });
  page.update({ text: "one two" });
  expect(page.state).toMatchObject({ masked: [], locked: null, pairs: [] });
});

it("the short answer of a demo stays until the next question", async () => {
  const page = await begun({ ...STATE, tour: "cost" });
  const items = [{ label: "a", value: "1" }];
  page.putDemoAnswer("cost", items);
  const { demoAnswers } = page;
  page.putDemoAnswer("cost", [{ label: "a", value: "1" }]);
  expect(page.demoAnswers).toBe(demoAnswers);
  page.putDemoAnswer("other", []);
  expect([...page.demoAnswers]).toEqual([
    ["cost", items],
    ["other", []],
  ]);
  page.store.update({ layer: 1 });
  expect(page.demoAnswers.size).toBe(2);
  page.store.update({ tour: "sink" });
  expect(page.demoAnswers.size).toBe(0);
});

describe("commands", () => {
  it("compute again, and once more after a failure", async () => {
    const model = new FakeModel();
    const page = await begun(STATE, model);
    const { run } = page.computation;
    page.command("run-again");
    await answered(page);
    expect(page.computation.run).not.toBe(run);
    expect(model.inputs).toHaveLength(2);
  });

  it("load the model anew", async () => {
    const loaded: FakeModel[] = [];
    session = new Session({
      load: () => {
        loaded.push(new FakeModel());
        return Promise.resolve(loaded.at(-1) ?? new FakeModel());
      },
    });
    session.begin();
    await answered(session);
    session.command("load-model");
    await answered(session);
    expect(loaded.map(({ disposed }) => disposed)).toEqual([true, false]);
  });

  it("stop a run, whose picture stays, and a download", async () => {
    const page = await begun();
    const { run } = page.computation;
    page.store.update({ text: "four" });
    page.command("stop-run");
    await answered(page);
    expect(page.computation).toMatchObject({ run, stopped: true, busy: false });
    session?.end();
    session = new Session({ load: () => new Promise(() => undefined) });
    session.begin();
    session.command("cancel-download");
    expect(session.computation.download.phase).toBe("cancelled");
  });

  it("undo and redo", async () => {
    const page = await begun();
    page.store.step({ text: "four" });
    page.command("undo");
    expect(page.state.text).toBe(STATE.text);
    page.command("redo");
    expect(page.state.text).toBe("four");
  });

  it("shorten a text to what the model takes", async () => {
    const most = { ...FAKE_INFO, maxTokens: 4 };
    const page = await begun(
      { ...STATE, text: "one two three four five six" },
      new FakeModel(most),
    );
    page.command("shorten-text");
    await answered(page);
    // A fake model writes a token as its id; the fourth one is the end.
    expect(page.state.text).toBe("w2w3w4");
    expect(page.computation.failure).toBeNull();
  });
});

it("says that the engine started anew after a crash, and not after the GPU was left", async () => {
  const model = new FakeModel();
  const page = await begun(STATE, model);
  model.restart({ code: "gpu/lost", reason: "", leftGpu: true });
  expect(page.notices.list).toEqual([]);
  model.restart();
  expect(page.notices.list.map(({ key, code }) => [key, code])).toEqual([
    ["notice.restarted", "engine/crashed"],
  ]);
});
