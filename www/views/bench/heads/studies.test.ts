// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { FAKE_WRITER, FakeModel } from "../../../../tests/support/fake-model.js";
import type { ModelNotes } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { HeadscopeError } from "../../../headscope.js";
import { loadSentences, message } from "../../../i18n/index.js";
import { DEFAULT_STATE } from "../../../state/index.js";
import type { OnBench } from "../on-bench.js";
import type { HeadscopeSaveFigure } from "../saving/save-figure.js";
import { ON_BENCH } from "../testing/on-bench.js";
import { HeadscopePruning } from "./pruning.js";
import { HeadscopeHeadRanking } from "./ranking.js";

const NOTES: ModelNotes = {
  version: 1,
  heldOut: { sentences: 12, seed: 1, note: "" },
  roles: {},
  unigrams: [],
  sentences: Array.from({ length: 12 }, () => ({ text: "one two" })),
};
const crash = (code: string): HeadscopeError =>
  new HeadscopeError({ code, message: "", doing: "", expected: "", got: "" });
const CRASH = crash("engine/crashed");
const FAILURE = new HeadscopeError({
  code: "edit/unsupported",
  message: "",
  doing: "",
  expected: "",
  got: "",
});

/** A writer of so many heads that its studies end soon, or do not. */
async function on(
  layers: number,
  notes: ModelNotes | null = NOTES,
): Promise<OnBench & { model: FakeModel }> {
  const model = new FakeModel({
    ...FAKE_WRITER,
    stacks: { decoder: { layers, heads: 2, kvHeads: 2, headDim: 24 } },
  });
  model.notes = notes;
  const run = await model.run({ text: "one two three" });
  return { ...ON_BENCH, head: { stack: "decoder", layer: 0, head: 0 }, model, run };
}

type Part = HeadscopeHeadRanking | HeadscopePruning;
const button = (element: Part, words: string): HTMLButtonElement | undefined =>
  [...element.renderRoot.querySelectorAll("button")].find(
    ({ textContent }) => textContent.trim() === words,
  );
const press = (element: Part, words: string): void => {
  const found = button(element, words);
  if (!found) throw new Error(`no ${words}`);
  found.click();
};
const progress = (element: Part): number =>
  element.renderRoot.querySelector("progress")?.value ?? -1;
const saving = (element: Part): HeadscopeSaveFigure | null =>
  element.renderRoot.querySelector("headscope-save-figure");
const status = (element: Part): string =>
  element.renderRoot.querySelector("p[role=status]")?.textContent.trim() ?? "";

beforeAll(() => loadSentences("bench"));
afterEach(() => document.body.replaceChildren());

describe("<headscope-head-ranking>", () => {
  const ranking = (told: OnBench): Promise<HeadscopeHeadRanking> =>
    mount(new HeadscopeHeadRanking(), { on: told });
  const mapped = (element: HeadscopeHeadRanking): number =>
    saving(element)?.table?.rows.length ?? 0;
  const listed = (element: HeadscopeHeadRanking): number =>
    element.renderRoot.querySelectorAll("ol li").length;

  it("measures nothing before it is asked, then every head, and leads to one", async () => {
    const told = await on(2);
    const element = await ranking(told);
    expect([listed(element), told.model.inputs.length]).toEqual([0, 1]);
    press(element, message("ranking.go", { count: 4 }));
    await element.updateComplete;
    expect(progress(element)).toBeGreaterThanOrEqual(0);
    await expect
      .poll(() => button(element, message("ranking.go", { count: 4 })), { timeout: 5000 })
      .toBeDefined();
    expect(listed(element)).toBe(4);
    expect(saving(element)?.name).toBe("heads-by-effect 1 two");
    expect([saving(element)?.table?.columns[0], saving(element)?.table?.rows[0]?.[0]]).toEqual([
      message("ranking.stack"),
      message("stack.decoder"),
    ]);
    expect(told.model.held.size).toBe(1);
    let asked: unknown = null;
    element.addEventListener("headscope-patch", ({ detail }) => (asked = detail));
    element.renderRoot.querySelector<HTMLElement>("ol button")?.click();
    expect(asked).toMatchObject({ stack: "decoder" });
  });

  it("keeps what it has when it is stopped, and nothing of another word", async () => {
    const element = await ranking(await on(40));
    press(element, message("ranking.go", { count: 80 }));
    await expect.poll(() => progress(element), { timeout: 5000, interval: 1 }).toBeGreaterThan(0);
    press(element, message("ranking.stop"));
    await element.updateComplete;
    expect(listed(element)).toBeGreaterThan(0);
    const word = element.renderRoot.querySelector("select");
    if (!word) throw new Error("no words");
    word.value = "1";
    word.dispatchEvent(new Event("change"));
    await element.updateComplete;
    expect(listed(element)).toBe(0);
  });

  it("goes on where it was stopped, and measures no head twice", async () => {
    const told = await on(40);
    const element = await ranking(told);
    press(element, message("ranking.go", { count: 80 }));
    await expect.poll(() => progress(element), { timeout: 5000, interval: 1 }).toBeGreaterThan(0);
    press(element, message("ranking.stop"));
    await element.updateComplete;
    const done = mapped(element);
    // Nothing that was measured is lost, though it came faster than it was shown; one more may be under way.
    expect(told.model.inputs.length).toBeLessThanOrEqual(1 + done + 1);
    const begun = told.model.inputs.length;
    press(element, message("ranking.goOn", { count: 80 - done }));
    await expect.poll(() => mapped(element), { timeout: 10_000 }).toBe(80);
    await expect.poll(() => button(element, message("ranking.go", { count: 80 }))).toBeDefined();
    expect(told.model.inputs.length - begun).toBe(80 - done);
  });

  it.each([
    ["engine", "engine/crashed", "bench.crashed"],
    ["GPU", "gpu/lost", "bench.gpuLost"],
  ] as const)(
    "says that the %s stopped over it, keeps what it has though the run is computed anew, and goes on",
    async (_, code, words) => {
      const told = await on(40);
      const element = await ranking(told);
      told.model.failing = crash(code);
      press(element, message("ranking.go", { count: 80 }));
      await expect.poll(() => status(element), { timeout: 5000 }).toBe(`${message(words)} ${code}`);
      told.model.failing = null;
      // The run is lost, and nothing can be asked of it until it is there once more.
      expect(button(element, message("ranking.go", { count: 80 }))?.disabled).toBe(true);
      element.on = { ...told, run: await told.model.run({ text: "one two three" }) };
      await element.updateComplete;
      press(element, message("ranking.go", { count: 80 }));
      await expect.poll(() => mapped(element), { timeout: 5000, interval: 1 }).toBeGreaterThan(0);
      told.model.failing = crash(code);
      await expect
        .poll(() => status(element), { timeout: 5000 })
        .toBe(`${message(`${words}.kept`)} ${code}`);
      const done = mapped(element);
      told.model.failing = null;
      const again = await told.model.run({ text: "one two three" });
      element.on = { ...told, run: again, revision: told.revision + 1 };
      await element.updateComplete;
      expect([mapped(element), status(element)]).toEqual([
        done,
        `${message(`${words}.kept`)} ${code}`,
      ]);
      press(element, message("ranking.goOn", { count: 80 - done }));
      await expect.poll(() => mapped(element), { timeout: 10_000 }).toBe(80);
      expect(status(element)).toBe("");
      // Another text has none of it.
      element.on = {
        ...told,
        run: await told.model.run({ text: "one two" }),
        revision: told.revision + 2,
      };
      await element.updateComplete;
      expect(listed(element)).toBe(0);
    },
  );

  it("keeps what it has while a translation is written once more, and goes on when it is there", async () => {
    const model = new FakeModel();
    const run = await model.run({ text: "one two" });
    const told = {
      ...ON_BENCH,
      head: { stack: "decoder", layer: 0, head: 0 },
      model,
      run,
    } as const;
    const element = await ranking(told);
    press(element, message("ranking.go", { count: 72 }));
    await expect.poll(() => mapped(element), { timeout: 5000, interval: 1 }).toBeGreaterThan(0);
    model.failing = CRASH;
    await expect.poll(() => status(element), { timeout: 5000 }).not.toBe("");
    model.failing = null;
    const done = mapped(element);
    const again = await model.run({ text: "one two" });
    const targetTokens = [...again.targetTokens];
    const goOn = (): boolean =>
      button(element, message("ranking.goOn", { count: 72 - done }))?.disabled ?? true;
    for (const [count, growing] of [
      [2, true],
      [targetTokens.length, false],
    ] as const) {
      again.targetTokens.splice(0, Infinity, ...targetTokens.slice(0, count));
      element.on = { ...told, run: again, revision: count, growing };
      await element.updateComplete;
      expect([mapped(element), goOn()]).toEqual([done, growing]);
    }
    element.on = { ...told, run: again, revision: 9, edits: { ...told.edits } };
    await element.updateComplete;
    expect(listed(element)).toBe(0);
  });

  it("says that it failed", async () => {
    const told = await on(2);
    const element = await ranking(told);
    told.model.failing = FAILURE;
    press(element, message("ranking.go", { count: 4 }));
    await expect
      .poll(() => status(element), { timeout: 5000 })
      .toBe(`${message("ranking.failed")} ${FAILURE.code}`);
    expect(listed(element)).toBe(0);
  });
});

describe("<headscope-pruning>", () => {
  const pruning = (told: OnBench): Promise<HeadscopePruning> =>
    mount(new HeadscopePruning(), { on: told });
  const curves = (element: HeadscopePruning): number =>
    element.renderRoot.querySelectorAll("headscope-curves").length;
  const size = async (element: HeadscopePruning): Promise<void> => {
    const select = element.renderRoot.querySelector("select");
    if (!select) throw new Error("no sizes");
    select.value = "12";
    select.dispatchEvent(new Event("change"));
    await element.updateComplete;
  };

  it("says what it lacks without sentences", async () => {
    expect((await pruning(await on(1, null))).renderRoot.textContent.trim()).toBe(
      message("pruning.none"),
    );
  });

  it("goes back to the usual number of sentences where a link no longer names one", async () => {
    const element = new HeadscopePruning();
    const listeners: (() => void)[] = [];
    element.addEventListener(
      "headscope-state",
      ({ detail }) =>
        (detail.listen = (listener) => {
          listeners.push(listener);
          return () => undefined;
        }),
      { once: true },
    );
    await mount(element, {
      on: await on(1, {
        ...NOTES,
        sentences: Array.from({ length: 48 }, () => ({ text: "one two" })),
      }),
    });
    const sizes: string[] = [];
    for (const labs of [
      "pruning(sentences-12)",
      "heads(room-pruning)",
      "pruning(sentences-48)",
      null,
    ]) {
      element.addEventListener(
        "headscope-state",
        ({ detail }) => (detail.state = { ...DEFAULT_STATE, labs }),
        { once: true },
      );
      for (const listener of listeners) listener();
      await element.updateComplete;
      sizes.push(element.renderRoot.querySelector("select")?.value ?? "");
    }
    expect(sizes).toEqual(["12", "24", "48", "24"]);
  });

  it("reads nothing before it is asked, is held and goes on, and ends with a curve and a sentence", async () => {
    const told = await on(1);
    const element = await pruning(told);
    await size(element);
    expect([curves(element), told.model.inputs.length]).toEqual([0, 1]);
    press(element, message("pruning.go"));
    await expect.poll(() => progress(element), { timeout: 5000, interval: 1 }).toBeGreaterThan(0);
    await expect.poll(() => curves(element), { timeout: 5000, interval: 1 }).toBe(1);
    press(element, message("pruning.hold"));
    await expect.poll(() => button(element, message("pruning.goOn"))).toBeDefined();
    const before = progress(element);
    await element.updateComplete;
    expect(saving(element)?.details).toEqual([
      message("pruning.read", { count: 12, done: before, all: 48 }),
    ]);
    press(element, message("pruning.goOn"));
    await expect
      .poll(() => element.renderRoot.querySelector("progress"), { timeout: 10_000 })
      .toBeNull();
    expect(before).toBeLessThan(48);
    expect(element.renderRoot.textContent).toContain(message("pruning.finished", { count: 48 }));
    expect(curves(element)).toBe(1);
    expect([saving(element)?.name, saving(element)?.details]).toEqual([
      "pruning-loss 12 sentences",
      ["12 held-out sentences; 48 of 48 readings done."],
    ]);
    expect(element.renderRoot.querySelector(".verdict")?.textContent.trim()).not.toBe("");
    expect(told.model.held.size).toBe(1);
  });

  it("says that it failed, and goes on once it can", async () => {
    const told = await on(1);
    const element = await pruning(told);
    await size(element);
    told.model.failing = FAILURE;
    press(element, message("pruning.go"));
    await expect
      .poll(() => status(element), { timeout: 5000 })
      .toBe(`${message("pruning.failed")} ${FAILURE.code}`);
    told.model.failing = null;
    press(element, message("pruning.goOn"));
    await expect.poll(() => status(element)).toBe("");
    await expect
      .poll(() => element.renderRoot.querySelector("progress"), { timeout: 10_000 })
      .toBeNull();
  });
});
