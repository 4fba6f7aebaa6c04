// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import type { ProjectionAsked, Projections } from "../../../data/index.js";
import type { Lab } from "../../../engine/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { HeadscopeProjectionLab } from "./projection-lab.js";

afterEach(() => document.body.replaceChildren());

const DONE = { multiplications: 108, additions: 72, divisions: 0, exponentials: 0 };
const PROJECTIONS: Projections = { wide: DONE, split: DONE, compared: 36, different: 0 };

it.each([
  [0.0004, ["0.00040 µs"]],
  [0.0367, ["0.037 µs"]],
  [1.66, ["1.66 µs"]],
  [1660, ["1,660 µs"]],
])("prints %d µs for one projection as a time above 0", async (micros, expected) => {
  let clock = 0;
  const ask = (_: string, { repeats }: ProjectionAsked): Promise<unknown> => {
    clock += (repeats * micros) / 1000;
    return Promise.resolve({ operations: DONE, check: 1 });
  };
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  const element = await mount(new HeadscopeProjectionLab(), {
    projections: PROJECTIONS,
    size: { words: 1, modelDim: 1, width: 2, nHeads: 2 },
    lab: () => Promise.resolve({ ask: ask as unknown as Lab["ask"] }),
  });
  element.renderRoot.querySelector<HTMLButtonElement>("button.press")?.click();
  await vi.waitFor(() => expect(element.renderRoot.querySelectorAll("[data-way]")).toHaveLength(2));
  vi.restoreAllMocks();
  expect([
    ...new Set(
      [...element.renderRoot.querySelectorAll("[data-way]")].map(({ textContent }) => textContent),
    ),
  ]).toEqual(expected);
  expect(element.renderRoot.textContent).toContain("neither is clearly faster");
});

it("tells of the numbers on the bench beside their own size, and of no other", async () => {
  const element = await mount(new HeadscopeProjectionLab(), {
    projections: PROJECTIONS,
    size: { words: 4, modelDim: 3, width: 6, nHeads: 2 },
  });
  const text = (): string => element.renderRoot.textContent.replace(/\s+/g, " ");
  expect(text()).toContain(
    "4 × 3 words, 2 heads: each head by a matrix of its own, 3 × 3, or all by one of 3 × 6",
  );
  expect(text()).toContain("Both give the same 36 numbers");
  element.renderRoot
    .querySelector("headscope-choice")
    ?.dispatchEvent(new CustomEvent("headscope-choose", { detail: "paper" }));
  await element.updateComplete;
  expect(text()).toContain("64 × 512 words, 8 heads: each head by a matrix of its own, 512 × 64");
  expect(text()).not.toContain("36 numbers");
  expect(text()).not.toContain("Counted for Q, K and V");
});
