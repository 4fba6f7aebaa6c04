// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { asked } from "../../ui/testing/asked.js";
import { HeadscopeCompareEntry, pairSamplesOf } from "./compare-entry.js";

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-compare-entry>", () => {
  it("begins with the counterpart of a sample, either way round, and else with no text", async () => {
    const [sample] = pairSamplesOf("models/en-fr");
    if (!sample) throw new Error("there is no pair");
    const element = await mount(new HeadscopeCompareEntry(), {});
    const steps = asked(element, "headscope-step");
    for (const text of [sample.text, sample.other, "Something else."]) {
      element.text = text;
      await element.updateComplete;
      element.renderRoot.querySelector("button")?.click();
    }
    const begun = { compare: "other", otherModel: null, pairs: [] };
    expect(steps).toEqual([
      { ...begun, otherText: sample.other },
      { ...begun, otherText: sample.text },
      { ...begun, otherText: null },
    ]);
  });
});
