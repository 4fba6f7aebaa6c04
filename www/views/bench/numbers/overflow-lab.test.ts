// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Overflow, SoftmaxWay } from "../../../data/index.js";
import type { Lab } from "../../../engine/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { setLanguage } from "../../../i18n/index.js";
import { HeadscopeOverflowLab } from "./overflow-lab.js";

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

const SOUND: SoftmaxWay = { weights: [[0.5, 0.5]], infinite: 0, infiniteSums: 0, notNumbers: 0 };
/** Two scores of 88.4: their exponentials are finite in f32, and the sum of these is not. */
const SUM: Overflow = {
  scores: [[88.4, 88.4]],
  plainSingle: { weights: [[0, 0]], infinite: 0, infiniteSums: 1, notNumbers: 0 },
  shiftedSingle: SOUND,
  plainDouble: SOUND,
  shiftedDouble: SOUND,
  largestSingle: 88.72283,
  largestDouble: 709.7827,
  fromSingle: 0.99581,
  fromDouble: 8.02138,
};

async function shown(answer: Overflow): Promise<(selector: string) => string> {
  const lab: Pick<Lab, "ask"> = { ask: (() => Promise.resolve(answer)) as unknown as Lab["ask"] };
  const element = await mount(new HeadscopeOverflowLab(), {
    scores: answer.scores,
    words: ["a", "b"],
    lab: () => Promise.resolve(lab),
  });
  await new Promise((resolve) => setTimeout(resolve));
  await element.updateComplete;
  return (selector) =>
    element.renderRoot.querySelector(selector)?.textContent.replace(/\s+/g, " ").trim() ?? "";
}

describe("<headscope-overflow-lab>", () => {
  it("calls nothing finite whose sum is not, and says beyond which factor that is so", async () => {
    const text = await shown(SUM);
    expect(text("[data-way=plainSingle] figcaption")).toContain(
      "0 infinite exponentials, 1 infinite sum, 0 NaN",
    );
    expect(text("[data-way=plainSingle] figcaption")).not.toContain("all finite");
    for (const way of ["shiftedSingle", "plainDouble", "shiftedDouble"])
      expect(text(`[data-way=${way}] figcaption`)).toContain("all finite");
    expect(text("p[role=status]")).toBe(
      "These scores overflow f32 beyond × 0.9958, f64 beyond × 8.021.",
    );
  });

  it("says so in Chinese", async () => {
    setLanguage("zh-CN");
    const text = await shown(SUM);
    expect(text("[data-way=plainSingle] figcaption")).toContain("1 个总和为无穷大");
    expect(text("[data-way=plainDouble] figcaption")).toContain("全部有限");
  });
});
