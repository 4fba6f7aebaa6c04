// @vitest-environment happy-dom
// The list of lessons: what the reader did in each, and the ways into them.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { textsOf } from "../../elements/testing/mount.js";
import { loadSentences, message } from "../../i18n/index.js";
import { arrivalIn } from "../../lessons/arrival.js";
import { LESSON_NAMES, lessonOf } from "../../lessons/list.js";
import { PROGRESS } from "../../lessons/progress.js";
import { sessionWith, show } from "../../session/testing/session.js";
import { button } from "../../ui/testing/controls.js";
import { HeadscopeLessonList } from "./lesson-list.js";

beforeAll(() => loadSentences("lessons"));
beforeEach(() => PROGRESS.clear());
afterEach(() => document.body.replaceChildren());

async function listOf(session = sessionWith()): Promise<{
  list: HeadscopeLessonList;
  fired: string[];
}> {
  const list = await show(new HeadscopeLessonList(), session);
  const fired: string[] = [];
  for (const name of ["headscope-lesson-opened", "headscope-lesson-made"])
    list.addEventListener(name, () => fired.push(name));
  return { list, fired };
}

it("says of each lesson how many of its tasks are done, and forgets them", async () => {
  const { list } = await listOf();
  expect(textsOf(list, "li")).toHaveLength(LESSON_NAMES.length);
  expect(textsOf(list, "li span, .ways button")).toEqual([
    message("lesson.open"),
    message("lesson.make"),
  ]);
  const mark = { guess: 0, right: false, found: 1 };
  for (const name of ["dots.1", "dots.2", "masks.1"]) PROGRESS.set(name, mark);
  await list.updateComplete;
  const tasksOf = (lesson: string): number =>
    lessonOf({ lesson, step: 0 }).steps.filter(({ task }) => task !== null).length;
  expect(textsOf(list, "li span")).toEqual([
    message("lesson.done", { count: 2, all: tasksOf("dots") }),
    message("lesson.done", { count: 1, all: tasksOf("masks") }),
  ]);
  button(list, message("lesson.forget")).click();
  await list.updateComplete;
  expect([PROGRESS.isEmpty, textsOf(list, "li span")]).toEqual([true, []]);
});

it("opens the first step of a lesson, which one can undo", async () => {
  const session = sessionWith({ text: "typed", theme: "dark" });
  const { list, fired } = await listOf(session);
  list.renderRoot.querySelectorAll<HTMLElement>("li button")[1]?.click();
  const place = { lesson: LESSON_NAMES[1] ?? "", step: 0 };
  const { state } = session.store;
  expect(state).toEqual(arrivalIn(lessonOf(place), place, { ...state, theme: "dark" }));
  expect(state.lesson).toBe(`${place.lesson}.1`);
  expect(fired).toEqual(["headscope-lesson-opened"]);
  session.store.undo();
  expect(session.store.state.text).toBe("typed");
});

it("opens a file, also the same one again, and begins a lesson of one's own", async () => {
  const session = sessionWith();
  const openFile = vi.spyOn(session.links, "openFile").mockResolvedValue();
  const { list, fired } = await listOf(session);
  const input = list.renderRoot.querySelector("input");
  if (!input) throw new Error("there is no input for files");
  const picks = vi.spyOn(input, "click").mockReturnValue();
  button(list, message("lesson.open")).click();
  expect(picks).toHaveBeenCalledTimes(1);
  input.dispatchEvent(new Event("change"));
  expect([fired, openFile.mock.calls]).toEqual([[], []]);
  const file = new File(["{}"], "mine.json");
  const cleared = vi.fn();
  Object.defineProperty(input, "files", { value: [file] });
  Object.defineProperty(input, "value", { set: cleared });
  input.dispatchEvent(new Event("change"));
  expect(openFile.mock.calls).toEqual([[file]]);
  expect(cleared).toHaveBeenCalledWith("");
  button(list, message("lesson.make")).click();
  expect(fired).toEqual(["headscope-lesson-opened", "headscope-lesson-made"]);
});
