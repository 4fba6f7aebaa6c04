// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { BUNDLED_MODELS } from "../../state/index.js";
import { samplesOf, stateOf } from "../samples.js";
import { HeadscopeSampleList } from "./sample-list.js";
import { asked, pick } from "../../ui/testing/asked.js";

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
