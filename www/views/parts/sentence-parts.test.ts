// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { BUNDLED_MODELS, type State } from "../../state/index.js";
import { asked, button, choices, choose, pick, words } from "../../ui/testing/asked.js";
import type { Continuation } from "../run/computation.js";
import { samplesOf, stateOf } from "../samples.js";
import {
  HeadscopeContinuationArea,
  HeadscopeSampleList,
  HeadscopeTokenControls,
} from "./sentence-parts.js";

const CONTINUATION: Continuation = {
  text: "The dog",
  written: " sleeps.",
  candidates: [
    { prediction: { id: 5, text: "sleeps", logit: 2, probability: 0.5 }, addition: " sleeps" },
    { prediction: { id: 0, text: "<|endoftext|>", logit: 1, probability: 0.25 }, addition: "" },
  ],
};

afterEach(() => document.body.replaceChildren());

describe("<headscope-continuation-area>", () => {
  it("adds the candidate that is clicked to the text that it was written for", async () => {
    const changes: Partial<State>[] = [];
    const element = await mount(new HeadscopeContinuationArea(), {
      continuation: CONTINUATION,
      endToken: 0,
    });
    element.addEventListener("headscope-patch", (event) => changes.push(event.detail));
    expect(element.renderRoot.querySelector(".written")?.textContent).toBe("sleeps.");
    element.renderRoot.querySelector("button")?.click();
    expect(changes).toEqual([{ text: "The dog sleeps" }]);
  });

  it("names the end of the text, which cannot be added", async () => {
    const element = await mount(new HeadscopeContinuationArea(), {
      continuation: CONTINUATION,
      endToken: 0,
    });
    expect(element.renderRoot.querySelectorAll("button")).toHaveLength(1);
    expect(element.renderRoot.querySelector("li:last-child bdi")?.textContent).toBe("end");
  });

  it("says of a part of a character why it cannot be added", async () => {
    const half = {
      prediction: { id: 7, text: "⟨F0⟩", logit: 1, probability: 0.25 },
      addition: null,
    };
    const element = await mount(new HeadscopeContinuationArea(), {
      continuation: { ...CONTINUATION, candidates: [half] },
      endToken: 0,
    });
    expect(element.renderRoot.querySelector("button")).toBeNull();
    expect(element.renderRoot.querySelector("li")?.textContent).toMatch(
      /^⟨F0⟩ part of a character 25\.0%$/,
    );
  });

  it("says when the model has nothing to add, but not before it was asked", async () => {
    const element = await mount(new HeadscopeContinuationArea(), {});
    expect(element.renderRoot.textContent.trim()).toBe("");
    element.settled = true;
    await element.updateComplete;
    expect(element.renderRoot.textContent.trim()).toBe("The model has nothing to add.");
  });
});

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

const options = ({ renderRoot }: HeadscopeSampleList): HTMLOptionElement[] => [
  ...renderRoot.querySelectorAll("option"),
];

describe("<headscope-sample-list>", () => {
  it.each(BUNDLED_MODELS)(
    "has every sample of %s, marked as English, under its own name",
    async (model) => {
      setLanguage("zh-CN");
      const element = await mount(new HeadscopeSampleList(), { model });
      const [name, ...samples] = options(element);
      expect(samples.map(({ text }) => text)).toEqual(samplesOf(model).map(({ text }) => text));
      expect(new Set(samples.map(({ lang }) => lang))).toEqual(new Set(["en"]));
      const label = element.renderRoot.querySelector("select")?.getAttribute("aria-label");
      expect(label).toMatch(/^\p{Script=Han}/u);
      expect([name?.text, name?.lang]).toEqual([label, ""]);
    },
  );

  it("asks for all that a sample decides in one step, and shows its name again", async () => {
    const element = await mount(new HeadscopeSampleList(), { model: "models/tiny-bert" });
    const [, sample] = samplesOf("models/tiny-bert");
    if (!sample) throw new Error("there is no second sample");
    const steps = asked(element, "headscope-step");
    const label = element.renderRoot.querySelector("select")?.getAttribute("aria-label") ?? "";
    pick(element, label, (text) => text === sample.text);
    expect(steps).toEqual([stateOf(sample)]);
    expect(steps[0]).toMatchObject({
      text: sample.text,
      hidden: sample.hidden,
      locked: null,
      pairs: [],
      ...sample.look,
    });
    expect(element.renderRoot.querySelector("select")?.selectedIndex).toBe(0);
    pick(element, label, (text) => text === label);
    expect(steps).toHaveLength(1);
  });

  it("is not there for a folder from a disk", async () => {
    const element = await mount(new HeadscopeSampleList(), { model: "opened/own" });
    expect(element.renderRoot.querySelector("select")).toBeNull();
  });
});

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

const controls = (
  properties: Partial<HeadscopeTokenControls> = {},
): Promise<HeadscopeTokenControls> => mount(new HeadscopeTokenControls(), properties);
const pressed = (element: HeadscopeTokenControls): (string | null)[] =>
  [...element.renderRoot.querySelectorAll(".toggle")].map((toggle) =>
    toggle.getAttribute("aria-pressed"),
  );

describe("<headscope-token-controls>", () => {
  it("shows how tokens are looked at, and counts on a phone what is not as it was at first", async () => {
    const element = await controls();
    const menu = element.renderRoot.querySelector("headscope-narrow-menu");
    expect(choices(element)).toEqual({ "Weights between": "[tokens] words" });
    expect([pressed(element), menu?.changed, menu?.name]).toEqual([
      ["false", "false"],
      0,
      "How tokens are looked at",
    ]);
    Object.assign(element, {
      unit: "word",
      specials: "hidden",
      several: true,
    } satisfies Partial<HeadscopeTokenControls>);
    await element.updateComplete;
    expect(choices(element)).toEqual({ "Weights between": "tokens [words]" });
    expect([pressed(element), menu?.changed]).toEqual([["true", "true"], 3]);
  });

  it("asks for words, for hidden special tokens and for them again, and for several at once", async () => {
    const element = await controls();
    const patches = asked(element, "headscope-patch");
    const several = asked(element, "headscope-several");
    choose(element, "Weights between", "word");
    button(element, "Hide special tokens").click();
    button(element, "Pick several").click();
    Object.assign(element, {
      specials: "hidden",
      several: true,
    } satisfies Partial<HeadscopeTokenControls>);
    await element.updateComplete;
    button(element, "Hide special tokens").click();
    button(element, "Pick several").click();
    expect(patches).toEqual([{ unit: "word" }, { specials: "hidden" }, { specials: "shown" }]);
    expect(several).toEqual([true, false]);
  });

  it("speaks Chinese, and follows a language that changes", async () => {
    const element = await controls();
    setLanguage("zh-CN");
    await element.updateComplete;
    const said = [words(element.renderRoot), ...Object.entries(choices(element)).flat()].join(" ");
    expect(said).toMatch(/\p{Script=Han}/u);
    expect(said).not.toMatch(/[a-z]{3}/i);
  });
});
