// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import { DEFAULT_STATE, QUESTIONS, TOUR } from "../state/index.js";
import { GUIDES, isGuideShowable } from "./guides.js";
import { isShowable, isTourShowable, TOUR_MODELS } from "./showable.js";

afterEach(() => document.head.replaceChildren());

/** Lists the bundled models that stand beside the page, as index.html does. */
function list(content: string): void {
  document.head.innerHTML = `<meta name="headscope-models" content="${content}">`;
}

it("a page without example models shows what needs none, and with all of them everything", () => {
  expect([isTourShowable(), QUESTIONS.every(isGuideShowable)]).toEqual([true, true]);
  list("");
  expect([isTourShowable(), QUESTIONS.filter(isGuideShowable)]).toEqual([false, ["forming"]]);
});

it("the models of the tour are those of its steps", () => {
  const models = TOUR.map((step) => GUIDES[step].state.model ?? DEFAULT_STATE.model);
  expect([...new Set(models)].toSorted()).toEqual(TOUR_MODELS);
});

it("a page with some of them shows what needs no other", () => {
  list("models/tiny-gpt models/tiny-bert");
  expect(isTourShowable()).toBe(false);
  expect(["future", "meaning", "it"].map((one) => isGuideShowable(one as "it"))).toEqual([
    true,
    true,
    false,
  ]);
  expect(isShowable({ model: "models/tiny-gpt", otherModel: "models/tiny-vit" })).toBe(false);
});
