// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../testing/mount.js";
import { HeadscopeSpectrum } from "./index.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-spectrum>", () => {
  it("fills the bars that hold 90 %, and says so in words", async () => {
    const element = await mount(new HeadscopeSpectrum(), { values: [4, 2, 1], rank: 2, heading: "Weights" });
    const bars = (name: string): number => [...(element.renderRoot.querySelector(`path.${name}`)?.getAttribute("d") ?? "").matchAll(/M/g)].length;
    expect([bars("held"), bars("left")]).toEqual([2, 1]);
    expect(element.renderRoot.querySelector("svg")?.getAttribute("aria-label")).toBe(
      "Weights: 3 singular values, from 4.000 down to 1.000; the first 2 hold 90% of the sum of their squares",
    );
    expect(element.renderRoot.querySelector("p")?.textContent).toBe("2 of 3 hold 90%");
  });

  it("draws a matrix of zeros and no matrix at all", async () => {
    const element = await mount(new HeadscopeSpectrum(), { values: [0], rank: 0 });
    expect(element.renderRoot.querySelector("p")?.textContent).toBe("0 of 1 hold 90%");
    element.values = [];
    await element.updateComplete;
    expect(element.renderRoot.querySelector("figure")).toBeNull();
  });
});
