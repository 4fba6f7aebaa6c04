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
