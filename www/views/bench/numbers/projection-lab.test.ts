// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import type { Projections } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { HeadscopeProjectionLab } from "./projection-lab.js";

afterEach(() => document.body.replaceChildren());

const DONE = { multiplications: 108, additions: 72, divisions: 0, exponentials: 0 };
const PROJECTIONS: Projections = { wide: DONE, split: DONE, compared: 36, different: 0 };

it("tells of the numbers on the bench beside their own size, and of no other", async () => {
  const element = await mount(new HeadscopeProjectionLab(), { projections: PROJECTIONS, size: { words: 4, modelDim: 3, width: 6, nHeads: 2 } });
  const text = (): string => element.renderRoot.textContent.replace(/\s+/g, " ");
  expect(text()).toContain("4 × 3 words, 2 heads: each head by a matrix of its own, 3 × 3, or all by one of 3 × 6");
  expect(text()).toContain("Both give the same 36 numbers");
  element.renderRoot.querySelector("headscope-choice")?.dispatchEvent(new CustomEvent("headscope-choose", { detail: "paper" }));
  await element.updateComplete;
  expect(text()).toContain("64 × 512 words, 8 heads: each head by a matrix of its own, 512 × 64");
  expect(text()).not.toContain("36 numbers");
  expect(text()).not.toContain("Counted for Q, K and V");
});
