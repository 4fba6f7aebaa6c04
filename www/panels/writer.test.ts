// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { FAKE_WRITER, failed, FakeModel } from "../../tests/support/fake-model.js";
import { stubRoom, textsOf } from "../elements/testing/mount.js";
import { loadSentences, message } from "../i18n/index.js";
import "../kit/sampling-form.js";
import { HeadscopeSamplingForm } from "../kit/sampling-form.js";
import type { Session } from "../session/session.js";
import { PRESS_TOKENS } from "../session/run/pen.js";
import { answered, sessionOf, sessionWith, show } from "../session/testing/session.js";
import { USUAL_SAMPLING } from "../state/index.js";
import { button } from "../ui/testing/controls.js";
import { HeadscopeWriter } from "./writer.js";

beforeAll(() => loadSentences("writing", "experiments"));
beforeEach(() => stubRoom());
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const goWords = (): string => message("writing.continue", { count: PRESS_TOKENS });

async function writer(text = "one two"): Promise<{ session: Session; part: HeadscopeWriter }> {
  const model = new FakeModel(FAKE_WRITER);
  model.pauseMillis = 25;
  const session = await sessionOf({ model: "models/tiny-gpt", text }, model);
  return { session, part: await show(new HeadscopeWriter(), session) };
}

it("says how fast the model writes, and lets it be stopped", async () => {
  const { session, part } = await writer();
  const go = button(part, goWords());
  go.click();
  const speed = (): string => textsOf(part, "[role=status]").join("");
  await vi.waitFor(() => expect(speed()).toMatch(/^\d+(\.\d)? tokens\/s$/));
  await vi.waitFor(() => expect(session.state.text).toMatch(/^one two and/));
  expect(go.textContent.trim()).toBe(message("writing.stop"));
  go.click();
  await answered(session);
  await part.updateComplete;
  expect(go.textContent.trim()).toBe(goWords());
  // What was said of that text says nothing of another.
  session.update({ text: "three" });
  await answered(session);
  await part.updateComplete;
  expect(speed()).toBe("");
});

it("does not write where the text fills all positions, and says so", async () => {
  const { session, part } = await writer("a ".repeat(63));
  const go = button(part, goWords());
  expect(go.getAttribute("aria-disabled")).toBe("true");
  expect(go.title).toBe(message("writing.full", { most: 64 }));
  go.click();
  expect(session.computation.pen).toBeNull();
});

it("does not say that the model would stop where it could not write", async () => {
  const model = new FakeModel(FAKE_WRITER);
  model.generate = () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failed("input/out-of-range")) }),
  });
  const session = await sessionOf({ model: "models/tiny-gpt", text: "one" }, model);
  const part = await show(new HeadscopeWriter(), session);
  expect(session.computation.failure?.code).toBe("input/out-of-range");
  expect(textsOf(part, ".written")).toEqual([""]);
});

it("the settings are those of the State", async () => {
  const session = sessionWith();
  const form = await show(new HeadscopeSamplingForm(), session);
  const field = (id: string): HTMLInputElement | null =>
    form.renderRoot.querySelector<HTMLInputElement>(`#${id}`);
  expect(field("temperature")).toBeNull();
  field("how")?.dispatchEvent(new CustomEvent("headscope-choose", { detail: "drawn" }));
  await form.updateComplete;
  expect(session.state.sampling).toEqual(USUAL_SAMPLING);
  const temperature = field("temperature");
  if (temperature) temperature.value = "0.8";
  temperature?.dispatchEvent(new Event("change"));
  await form.updateComplete;
  expect(session.state.sampling).toEqual({ ...USUAL_SAMPLING, temperature: 0.8 });
  // A temperature of 0 draws nothing: it is refused, and the setting stays.
  if (temperature) temperature.value = "0";
  temperature?.dispatchEvent(new Event("change"));
  await form.updateComplete;
  expect(session.state.sampling?.temperature).toBe(0.8);
  expect(form.renderRoot.querySelector(".refusal")?.textContent).toContain("field/out-of-range");
  field("how")?.dispatchEvent(new CustomEvent("headscope-choose", { detail: "likeliest" }));
  expect(session.state.sampling).toBeNull();
});
