// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import { HeadscopeSpectrum } from "./spectrum.js";
import { mount, put } from "./testing/mount.js";

afterEach(() => document.body.replaceChildren());

it("<headscope-spectrum> fills the bars that hold 90 %, list by list, and says so in words", async () => {
  const element = await mount(new HeadscopeSpectrum(), {
    lists: [
      { of: "scores", heading: "Scores", values: [40], rank: 1 },
      { of: "weights", heading: "Weights", values: [4, 2, 1], rank: 2 },
    ],
  });
  const figures = [...element.renderRoot.querySelectorAll("figure")];
  const bars = (name: string): number =>
    (figures[1]?.querySelector(`path.${name}`)?.getAttribute("d") ?? "").split("M").length - 1;
  expect([bars("held"), bars("left")]).toEqual([2, 1]);
  expect(
    figures.map((figure) => [
      figure.dataset.of,
      figure.querySelector(".largest")?.textContent,
      figure.querySelector("p")?.textContent,
    ]),
  ).toEqual([
    ["scores", "40.000", "1 of 1 hold 90%"],
    ["weights", "4.000", "2 of 3 hold 90%"],
  ]);
  expect(figures[1]?.querySelector("svg")?.getAttribute("aria-label")).toBe(
    "Weights: 3 singular values, from 4.000 down to 1.000; the first 2 hold 90% of the sum of their squares",
  );
});

it("<headscope-spectrum> says of a matrix that has none why, and draws nothing of no matrix", async () => {
  const element = await mount(new HeadscopeSpectrum(), {
    lists: [{ of: "scores", heading: "Scores", values: [], rank: 0 }],
  });
  expect(element.renderRoot.querySelector("figure")?.textContent).toContain("not finite");
  expect(element.renderRoot.querySelector("svg")).toBeNull();
  await put(element, { lists: [] });
  expect(element.renderRoot.querySelector("figure")).toBeNull();
});
