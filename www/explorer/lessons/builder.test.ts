// @vitest-environment happy-dom
// The builder of lessons: what its user makes of the page, step by step, and where it goes.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { all, textOf, textsOf } from "../../elements/testing/mount.js";
import { loadSentences, message, type MessageKey } from "../../i18n/index.js";
import { type Draft, EMPTY_DRAFT, keepDraft, keptDraft } from "../../lessons/draft.js";
import type { Session } from "../../session/session.js";
import { sessionWith, show } from "../../session/testing/session.js";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import { button } from "../../ui/testing/controls.js";
import { HeadscopeLessonBuilder } from "./builder.js";

const STEP = { words: "Look.", look: "heads", state: { head: "2" } } as const;
const DRAFT: Draft = {
  ...EMPTY_DRAFT,
  title: "Mine, 1",
  steps: [
    { ...STEP, title: "One" },
    { ...STEP, title: "Two", state: { head: "4" } },
  ],
};
/** What is known of a run, as far as a number can be asked for. */
const MEASURED = { measured: { entropy: 0.5 } };

beforeAll(async () => {
  await loadSentences("lessons", "notices", "tour");
  // What happy-dom lacks.
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined });
});
beforeEach(() => localStorage.clear());
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

interface Page {
  part: HeadscopeLessonBuilder;
  session: Session;
  press: (name: MessageKey | "One" | "Two", of?: string) => Promise<void>;
  type: (label: MessageKey, text: string) => Promise<void>;
  report: () => string;
}

/** The builder with a draft that the browser has kept. */
async function builder(
  draft: Draft = DRAFT,
  known: Parameters<typeof sessionWith>[1] = {},
  state: Partial<State> = {},
): Promise<Page> {
  keepDraft(draft);
  const session = sessionWith({ text: "typed", theme: "dark", ...state }, known);
  const part = await show(new HeadscopeLessonBuilder(), session);
  return {
    part,
    session,
    press: async (name, of) => {
      const words = name === "One" || name === "Two" ? name : message(name);
      const full = of === undefined ? null : `${words}: ${of}`;
      const named = all(part, "button").find((one) => one.getAttribute("aria-label") === full);
      (full === null ? button(part, words) : named)?.click();
      await part.updateComplete;
    },
    type: async (label, text) => {
      const field = all(part, "label").find(
        (one) => textOf(one.firstElementChild) === message(label),
      );
      const input = field?.querySelector<HTMLInputElement>("input, textarea, select");
      if (!input) throw new Error(`nothing is labelled ${label}`);
      input.value = text;
      input.dispatchEvent(
        new Event(input.localName === "select" || input.type === "number" ? "change" : "input"),
      );
      await part.updateComplete;
    },
    report: () => textOf(all(part, "[aria-live]")[0]),
  };
}
const titles = ({ part }: Page): string[] => textsOf(part, ".name");
const step = (at: number): Draft["steps"][number] | undefined => keptDraft().steps[at];

it("says what a draft lacks until it is a lesson, and only then plays it", async () => {
  const page = await builder(EMPTY_DRAFT);
  const acts = (): boolean[] =>
    (["builder.play", "builder.save", "builder.link"] as const).map(
      (name) => button(page.part, message(name)).disabled,
    );
  expect([acts(), textsOf(page.part, ".problem")]).toEqual([[true, true, true], []]);
  await page.press("builder.record");
  expect(titles(page)).toEqual([message("builder.step", { number: 1 })]);
  expect([acts(), textsOf(page.part, ".problem").length]).toEqual([[true, true, true], 1]);
  await page.type("builder.name", "Mine");
  await page.type("builder.words", "Look.");
  expect([acts(), textsOf(page.part, ".problem")]).toEqual([[false, false, false], []]);
  await page.type("builder.stepTitle", "");
  expect(titles(page)).toEqual([message("builder.untitled")]);
});

it("moves and removes steps, which closes the one that is open", async () => {
  const page = await builder();
  const opened = (): string[] => textsOf(page.part, ".name[aria-expanded=true]");
  const off = (): boolean[] =>
    all(page.part, "li button.small").map((one) => one.hasAttribute("disabled"));
  // Show, up, down and delete of each step.
  expect(off()).toEqual([false, true, false, false, false, false, true, false]);
  await page.press("Two");
  expect(opened()).toEqual(["Two"]);
  await page.press("Two");
  expect(opened()).toEqual([]);
  await page.press("Two");
  await page.press("builder.up", "Two");
  expect([titles(page), opened()]).toEqual([["Two", "One"], []]);
  await page.press("builder.down", "Two");
  expect(titles(page)).toEqual(["One", "Two"]);
  await page.press("builder.delete", "One");
  expect([titles(page), keptDraft().steps.length]).toEqual([["Two"], 1]);
  await page.press("builder.anew");
  expect([titles(page), keptDraft()]).toEqual([[], EMPTY_DRAFT]);
});

it("shows a step on the page, or says that it cannot be shown", async () => {
  const broken = { ...STEP, title: "Two", state: { head: "none" } };
  const page = await builder({ ...DRAFT, steps: [...DRAFT.steps.slice(0, 1), broken] });
  await page.press("builder.show", "One");
  expect(page.session.store.state).toEqual({ ...DEFAULT_STATE, head: 1, theme: "dark" });
  expect(page.report()).toBe("");
  await page.press("builder.show", "Two");
  expect(page.report()).toBe(message("builder.wrongStep"));
  expect(page.session.store.state.head).toBe(1);
});

it("takes what the page shows, and another part to look at, into the open step", async () => {
  const page = await builder(DRAFT, {}, { model: "opened/mine", head: 6 });
  await page.press("One");
  await page.press("builder.again");
  await page.type("builder.look", "edits");
  expect(step(0)).toMatchObject({ title: "One", look: "edits", needs: "mine" });
  expect(step(0)?.state).toEqual({ text: "typed", head: "7" });
});

it("adds a task of answers to a step, with what is said after it, and removes it", async () => {
  const page = await builder();
  await page.press("One");
  // No number is known of this page.
  expect(button(page.part, message("builder.number")).disabled).toBe(true);
  await page.press("builder.choices");
  expect(step(0)?.task).toEqual({ ask: "", choices: [] });
  await page.type("builder.ask", "Which?");
  await page.type("builder.then", "So it is.");
  expect(step(0)?.task).toEqual({ ask: "Which?", choices: [], then: "So it is." });
  await page.type("builder.then", "");
  expect(step(0)?.task).toEqual({ ask: "Which?", choices: [] });
  await page.press("builder.noTask");
  expect(step(0)).toEqual(DRAFT.steps[0]);
});

it("adds a task of a number that the page has, right within a tenth at first", async () => {
  const page = await builder(DRAFT, MEASURED);
  await page.press("Two");
  await page.press("builder.number");
  const number = { reading: { of: "entropy" }, within: 0.1 };
  expect(step(1)?.task).toEqual({ ask: "", number });
  expect(textsOf(page.part, "fieldset p.small")).toEqual([
    `{"of":"entropy"} ${message("builder.now", { value: "0.500" })}`,
  ]);
  await page.type("builder.within", "0.25");
  expect(step(1)?.task).toEqual({ ask: "", number: { ...number, within: 0.25 } });
});

it("takes a statement that is so as an answer, reverses it, and as what is done first", async () => {
  const edits = { ...DEFAULT_STATE.edits, heads: [{ gate: 0 }] };
  const page = await builder(DRAFT, {}, { edits });
  await page.press("One");
  await page.press("builder.choices");
  const check = { is: "edited", list: "heads" };
  await page.type("builder.addChoice", "0");
  await page.type("builder.choice", "this");
  expect(step(0)?.task?.choices).toEqual([{ words: "this", check }]);
  expect(textOf(all(page.part, ".choice p")[0])).toContain(message("builder.isSo"));
  await page.press("builder.not");
  expect(step(0)?.task?.choices).toEqual([{ words: "this", check: { is: "not", check } }]);
  expect(textOf(all(page.part, ".choice p")[0])).toContain(message("builder.isNotSo"));
  await page.press("builder.not");
  expect(step(0)?.task?.choices).toEqual([{ words: "this", check }]);
  await page.type("builder.addAct", "0");
  await page.type("builder.act", "Ablate it.");
  expect(step(0)?.task?.act).toEqual({ words: "Ablate it.", check });
});

it("offers slides only on a page of its own, and plays from the first step", async () => {
  const without = await builder();
  expect(textsOf(without.part, "button")).not.toContain(message("builder.present"));
  without.part.remove();
  const page = await builder();
  const present = vi.fn<(isOn: boolean) => void>();
  Object.assign(page.session.page, { present });
  page.part.requestUpdate();
  await page.part.updateComplete;
  const closed = vi.fn<() => void>();
  page.part.addEventListener("headscope-builder-closed", closed);
  await page.press("builder.play");
  expect([present.mock.calls, closed.mock.calls.length]).toEqual([[], 1]);
  const { lesson, head, text } = page.session.store.state;
  expect([lesson?.endsWith("}.1"), head, text]).toEqual([true, 1, DEFAULT_STATE.text]);
  await page.press("builder.present");
  expect([present.mock.calls, closed.mock.calls.length]).toEqual([[[true]], 2]);
});

it("copies a link to the lesson, or leaves it to be copied by hand", async () => {
  const page = await builder();
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValueOnce();
  await page.press("builder.link");
  expect(copied.mock.calls.flat()).toEqual([
    expect.stringMatching(/^http.*#v=1&.*lesson=\{.*One.*Two.*\}\.1$/),
  ]);
  expect(page.report()).toBe(message("bar.linkCopied"));
  copied.mockRejectedValueOnce(new Error("forbidden"));
  await page.press("builder.link");
  await page.part.updateComplete;
  expect(page.report()).toBe(message("saving.byHand"));
  const field = page.part.renderRoot.querySelector<HTMLTextAreaElement>("textarea[readonly]");
  expect(field?.value).toBe(copied.mock.calls[0]?.[0]);
  await page.type("builder.name", "Another");
  expect([page.report(), all(page.part, "textarea[readonly]")]).toEqual(["", []]);
});

it("says that a lesson is too long for a link, or that the browser does not keep it", async () => {
  const words = "A long text. ".repeat(150);
  const steps = Array.from({ length: 20 }, (_, at) => ({ ...STEP, title: `${at}`, words }));
  const page = await builder({ ...DRAFT, steps });
  await page.press("builder.link");
  expect(page.report()).toBe(message("builder.tooLong"));
  const setItem = (): never => {
    throw new Error("full");
  };
  vi.stubGlobal("localStorage", { setItem });
  await page.type("builder.name", "Short");
  expect(page.report()).toBe(message("builder.notKept"));
});

it("saves a file that is named after the lesson, and opens one", async () => {
  const page = await builder();
  let saved: Blob | null = null;
  let name = "";
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    saved = blob as Blob;
    return "blob:lesson";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    name = this.download;
  });
  await page.press("builder.save");
  await vi.waitFor(() => expect(name).toBe("Mine 1.json"), { timeout: 20_000 });
  const text = await (saved as Blob | null)?.text();
  expect(JSON.parse(text ?? "")).toEqual(DRAFT);
  const openFile = vi.spyOn(page.session.links, "openFile").mockResolvedValue();
  const open = async (content: string): Promise<void> => {
    const input = page.part.renderRoot.querySelector<HTMLInputElement>("[type=file]");
    const file = new File([content], "a.json");
    Object.defineProperty(input, "files", { value: [file], configurable: true });
    input?.dispatchEvent(new Event("change"));
    await new Promise((resolve) => setTimeout(resolve));
    await page.part.updateComplete;
  };
  await open(JSON.stringify({ ...DRAFT, steps: DRAFT.steps.slice(1) }));
  expect([titles(page), openFile.mock.calls]).toEqual([["Two"], []]);
  await open("{ broken");
  expect([titles(page), openFile.mock.calls.length]).toEqual([["Two"], 1]);
});
