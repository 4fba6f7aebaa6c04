// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from "vitest";
import { all, textOf } from "../elements/testing/mount.js";
import { loadSentences } from "../i18n/index.js";
import { trainedSteps } from "../session/models/trained-steps.js";
import { HeadscopeTrainingSlider } from "./training-slider.js";

beforeAll(() => loadSentences("training"));

async function mounted(model: HeadscopeTrainingSlider["model"]): Promise<HeadscopeTrainingSlider> {
  const slider = new HeadscopeTrainingSlider();
  slider.model = model;
  document.body.replaceChildren(slider);
  await slider.updateComplete;
  return slider;
}

describe("the slider over a training", () => {
  it("stands at the step of the shown model, and opens the model of another step", async () => {
    const steps = trainedSteps("models/tiny-vit");
    const slider = await mounted("models/tiny-vit");
    const [input] = all(slider, "input") as HTMLInputElement[];
    if (!input) throw new Error("there is no slider");
    expect(input.value).toBe(String(steps.length - 1));
    const chosen: string[] = [];
    slider.addEventListener("headscope-model-choose", ({ detail }) => chosen.push(detail));
    input.value = "0";
    input.dispatchEvent(new Event("input"));
    expect(chosen).toEqual(["at/./models/tiny-vit/steps/step-0/"]);
    slider.model = "at/./models/tiny-vit/steps/step-0/";
    await slider.updateComplete;
    expect(input.value).toBe("0");
    expect(textOf(slider.renderRoot.querySelector("output"))).toContain("step 0:");
  });

  it("is nothing for a model of which no steps are kept", async () => {
    expect(all(await mounted("models/tiny-gpt"), "input")).toEqual([]);
  });
});
