// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { HeadscopeSpectrum } from "./spectrum.js";
import { mount } from "./testing/mount.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-spectrum>", () => {
  it("fills the bars that hold 90 %, and says so in words", async () => {
    const element = await mount(new HeadscopeSpectrum(), {
      lists: [{ of: "weights", heading: "Weights", values: [4, 2, 1], rank: 2 }],
    });
    const bars = (name: string): number =>
      [
        ...(element.renderRoot.querySelector(`path.${name}`)?.getAttribute("d") ?? "").matchAll(
          /M/g,
        ),
      ].length;
    expect([bars("held"), bars("left")]).toEqual([2, 1]);
    expect(element.renderRoot.querySelector("svg")?.getAttribute("aria-label")).toBe(
      "Weights: 3 singular values, from 4.000 down to 1.000; the first 2 hold 90% of the sum of their squares",
    );
    expect(element.renderRoot.querySelector("p")?.textContent).toBe("2 of 3 hold 90%");
  });

  it("draws several lists under their own names, each on its own scale", async () => {
    const element = await mount(new HeadscopeSpectrum(), {
      lists: [
        { of: "scores", heading: "Scores", values: [40, 1], rank: 1 },
        { of: "weights", heading: "Weights", values: [2, 1, 1], rank: 3 },
      ],
    });
    const said = [...element.renderRoot.querySelectorAll("figure")].map((figure) => [
      figure.dataset.of,
      figure.querySelector("figcaption")?.textContent,
      figure.querySelector(".largest")?.textContent,
      figure.querySelector("p")?.textContent,
    ]);
    expect(said).toEqual([
      ["scores", "Scores", "40.000", "1 of 2 hold 90%"],
      ["weights", "Weights", "2.000", "3 of 3 hold 90%"],
    ]);
  });

  it("draws a matrix of zeros, says of one that has none why, and draws nothing of no matrix", async () => {
    const element = await mount(new HeadscopeSpectrum(), {
      lists: [{ of: "scores", heading: "Scores", values: [0], rank: 0 }],
    });
    expect(element.renderRoot.querySelector("p")?.textContent).toBe("0 of 1 hold 90%");
    element.lists = [{ of: "scores", heading: "Scores", values: [], rank: 0 }];
    await element.updateComplete;
    expect(element.renderRoot.querySelector("figure")?.textContent).toContain("not finite");
    expect(element.renderRoot.querySelector("svg")).toBeNull();
    element.lists = [];
    await element.updateComplete;
    expect(element.renderRoot.querySelector("figure")).toBeNull();
  });
});
