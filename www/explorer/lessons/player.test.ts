// @vitest-environment happy-dom
// Steps of lessons in the card: how a lesson opens, why another one is left, and its tasks.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { textOf, textsOf } from "../../elements/testing/mount.js";
import { loadSentences, message } from "../../i18n/index.js";
import { arrivalIn } from "../../lessons/arrival.js";
import { lessonOf, ownLesson, placeOf } from "../../lessons/list.js";
import { PROGRESS } from "../../lessons/progress.js";
import { sessionWith, show } from "../../session/testing/session.js";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import type { Session } from "../../session/session.js";
import type { Task } from "../../lessons/format.js";
import { button } from "../../ui/testing/controls.js";
import { HeadscopeLessonTask } from "./lesson-task.js";
import { lessonStation, openLesson } from "./player.js";

beforeAll(() => loadSentences("lessons", "notices", "tour"));
beforeEach(() => PROGRESS.clear());
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

const MINE = {
  "headscope-lesson": 1,
  title: "Mine",
  steps: [
    { title: "One", words: "Look.", state: { text: "The dog." }, needs: "my model" },
    { title: "Two", words: "And here.", state: { text: "The cat." }, look: "heads" },
  ],
};
const arrival = (text: string): State => {
  const place = placeOf(text);
  return arrivalIn(lessonOf(place), place, DEFAULT_STATE);
};

it("a State with nothing but a step is the State of that step, in the reader's own looks", () => {
  const session = sessionWith({ lesson: "masks.2", theme: "dark" });
  expect(openLesson(session, true)).toBe(true);
  expect(session.store.state).toEqual({ ...arrival("masks.2"), theme: "dark" });
  // What a reader changes in it stays.
  session.store.update({ head: 3 });
  expect(openLesson(session, true)).toBe(false);
  session.store.replace({ ...DEFAULT_STATE, lesson: "masks.2" });
  expect(openLesson(session, false)).toBe(false);
});

it.each([
  ["nowhere.1", "lesson/unknown"],
  ["masks.39", "lesson/unknown"],
  ["{'headscope-lesson':1}.1", "lesson/wrong-field"],
])("%s is left, with the reason: %s", (lesson, code) => {
  const session = sessionWith({ lesson });
  expect(openLesson(session, true)).toBe(true);
  expect(session.store.state.lesson).toBeNull();
  expect(session.notices.list).toMatchObject([{ key: "notice.lesson", code }]);
  expect(lessonStation(sessionWith({ lesson }))).toBeNull();
});

it("a file that cannot be read leaves the page as it was", () => {
  const session = sessionWith({ text: "typed" });
  session.store.step({ ...DEFAULT_STATE, lesson: ownLesson({ ...MINE, colour: 1 }) });
  expect(openLesson(session, true)).toBe(true);
  expect(session.store.state).toMatchObject({ text: "typed", lesson: null });
});

it("a step says where it is, which model it needs, and what stands beside it", () => {
  const own = ownLesson(MINE);
  const station = lessonStation(sessionWith(arrival(own)));
  expect(station).toMatchObject({
    place: { step: 1, count: 2 },
    title: "Mine · One",
    words: `${message("lesson.needs", { name: "my model" })} Look.`,
    part: "headscope-picture-panel",
    before: null,
    task: null,
  });
  expect(station?.after).toMatchObject({ text: "The cat.", lesson: own.replace(/1$/, "2") });
  // With the model, which stays.
  const withModel = lessonStation(sessionWith({ ...arrival(own), model: "opened/my model" }));
  expect([withModel?.words, withModel?.arrival.model]).toEqual(["Look.", "opened/my model"]);
});

it("a task asks for a guess, then for what is to be done, and keeps its mark", async () => {
  const [task] = lessonOf(placeOf("heads.3"))
    .steps.flatMap((step) => step.task ?? [])
    .slice(-1);
  if (!task) throw new Error("the lesson has no task");
  const output = { of: "a", words: "same" };
  const session = sessionWith(arrival("heads.3"), {
    settled: true,
    computation: { output, unedited: output },
  });
  const properties = { task, name: "heads.3", arrival: arrival("heads.3") };
  const element = await show(new HeadscopeLessonTask(), session, properties);
  expect(button(element, message("lesson.guess")).disabled).toBe(true);
  element.renderRoot.querySelectorAll<HTMLInputElement>("[type=radio]")[1]?.click();
  await element.updateComplete;
  element.renderRoot
    .querySelector("form")
    ?.dispatchEvent(new Event("submit", { cancelable: true }));
  await element.updateComplete;
  const said = textOf(element.renderRoot.querySelector("[role=status]"));
  expect(said).toContain("Your guess: It changes");
  button(element, "Ablate this head").click();
  expect(session.store.state.edits.heads).toHaveLength(1);
  await element.updateComplete;
  await element.updateComplete;
  expect(textOf(element.renderRoot.querySelector(".wrong"))).toBe(
    "Not It changes: the run has It stays the same.",
  );
  expect(PROGRESS.of("heads.3")).toEqual({ guess: 1, right: false, found: 0 });
  button(element, message("lesson.retry")).click();
  await element.updateComplete;
  expect(textsOf(element, "label")).toEqual(["It stays the same", "It changes"]);
});

/** A task of a lesson, on values as a session has them. */
async function taskOf(
  of: Partial<Task>,
  known: Parameters<typeof sessionWith>[1] = {},
): Promise<{ element: HeadscopeLessonTask; session: Session; said: () => string }> {
  const state = { ...DEFAULT_STATE, lesson: "dots.1" };
  const session = sessionWith(state, { settled: true, ...known });
  const guess = { kind: "number", reading: { of: "entropy" }, within: 0.1 } as const;
  const task: Task = { ask: "How much?", guess, act: null, then: "So it is.", ...of };
  const element = await show(new HeadscopeLessonTask(), session, {
    task,
    name: "dots.1",
    arrival: state,
  });
  const said = (): string => textOf(element.renderRoot.querySelector("[role=status]"));
  return { element, session, said };
}
async function type(element: HeadscopeLessonTask, text: string): Promise<void> {
  const input = element.renderRoot.querySelector("input");
  if (!input) throw new Error("the task asks for no number");
  input.value = text;
  input.dispatchEvent(new Event("input"));
  await element.updateComplete;
}
async function give(element: HeadscopeLessonTask): Promise<void> {
  const form = element.renderRoot.querySelector("form");
  form?.dispatchEvent(new Event("submit", { cancelable: true }));
  await element.updateComplete;
  await element.updateComplete;
}
const alert = (element: HeadscopeLessonTask): string =>
  textOf(element.renderRoot.querySelector("[role=alert]"));

it.each([
  ["", true, ""],
  [" ", true, ""],
  ["many", true, "lesson.noNumber"],
  ["1,000", true, "lesson.noNumber"],
  ["−∞", true, "lesson.noNumber"],
  ["0,5", false, ""],
  ["-2", false, ""],
] as const)("a task that asks for a number reads %j", async (text, isDisabled, key) => {
  const { element } = await taskOf({});
  await type(element, text);
  expect(button(element, message("lesson.guess")).disabled).toBe(isDisabled);
  expect(alert(element)).toBe(key === "" ? "" : message(key));
});

it.each([
  ["1.45", true, "Right: you guessed 1.450, the run has 1.500. So it is."],
  ["2", false, "Not 2.000: the run has 1.500. So it is."],
])("a guess of %s is marked by the number of the run", async (text, right, words) => {
  const { element, said } = await taskOf({}, { measured: { entropy: 1.5 } });
  await type(element, text);
  await give(element);
  expect(PROGRESS.of("dots.1")).toEqual({ guess: Number(text), right, found: 1.5 });
  expect(said()).toContain(words);
  button(element, message("lesson.retry")).click();
  await element.updateComplete;
  expect([PROGRESS.of("dots.1"), element.renderRoot.querySelector("form")]).toEqual([
    null,
    expect.anything(),
  ]);
});

it("a guess waits for the run, or for the State of its step", async () => {
  const { element, session, said } = await taskOf({});
  await type(element, "1.5");
  await give(element);
  expect(said()).toContain(`Your guess: 1.500. ${message("lesson.reading")}`);
  session.store.update({ head: 7 });
  await element.updateComplete;
  expect(said()).toContain(message("lesson.restore"));
  expect(PROGRESS.isEmpty).toBe(true);
});

it("a task of no right choice says so, and another task begins anew", async () => {
  const check = { is: "edited", list: "masks" } as const;
  const choices = [{ words: "yes", check }];
  const { element, said } = await taskOf({ guess: { kind: "choices", choices }, then: null });
  element.renderRoot.querySelector<HTMLElement>("[type=radio]")?.click();
  await element.updateComplete;
  await give(element);
  expect(PROGRESS.of("dots.1")).toEqual({ guess: 0, right: false, found: null });
  expect(said()).toContain(message("lesson.none", { guess: "yes", found: "" }));
  element.name = "dots.2";
  await element.updateComplete;
  expect(element.renderRoot.querySelectorAll("form [type=radio]:checked")).toHaveLength(0);
  expect(button(element, message("lesson.guess")).disabled).toBe(true);
});
