// @vitest-environment happy-dom
// The ways on of a page without example models.
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { textsOf } from "../elements/testing/mount.js";
import { loadSentences, message } from "../i18n/index.js";
import { sessionWith, show } from "../session/testing/session.js";
import { button } from "../ui/testing/controls.js";
import { HeadscopeWithoutModels } from "./without-models.js";

beforeAll(() => loadSentences("notices", "training", "experiments"));
afterEach(() => document.body.replaceChildren());

it("leads to a model of the reader, to a training, and to the calculator", async () => {
  const session = sessionWith();
  const [offerFiles, reveal] = [vi.fn(), vi.fn()];
  Object.assign(session.page, { offerFiles, reveal });
  const part = await show(new HeadscopeWithoutModels(), session);
  button(part, message("bar.own")).click();
  expect(offerFiles).toHaveBeenCalledOnce();
  expect(session.store.state).toMatchObject({ training: null, experiment: null });
  button(part, message("training.enter")).click();
  expect(session.store.state).toMatchObject({ training: "", experiment: null });
  button(part, message("experiments.calculator")).click();
  expect(session.store.state.experiment).toBe("calculator");
  expect(reveal.mock.calls).toEqual([["headscope-edits-panel"]]);
});

it("offers no model of the reader where the page cannot open one", async () => {
  const part = await show(new HeadscopeWithoutModels(), sessionWith());
  expect(textsOf(part, "button")).toEqual([
    message("training.enter"),
    message("experiments.calculator"),
  ]);
});
