// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { HeadscopePositions } from "./positions.js";
import { mount } from "./testing/mount.js";

const tensor = {
  data: Float32Array.of(0, 1, 0.5, 0.5, 1, 0.25),
  shape: [3, 2],
  axes: ["position", "model_dim"],
};

const reading = (element: HeadscopePositions): string =>
  element.renderRoot.querySelector(".reading")?.textContent.trim() ?? "";
const pointed = (element: HeadscopePositions): string =>
  element.renderRoot.querySelector(".pointed span")?.textContent ?? "";

afterEach(() => document.body.replaceChildren());

describe("<headscope-positions>", () => {
  it("is named after its size", async () => {
    const element = await mount(new HeadscopePositions(), { tensor });
    const name = element.renderRoot.querySelector(".stage")?.getAttribute("aria-label");
    expect(name).toBe("Positional encoding: 3 positions by 2 dimensions");
  });

  it("reads the number under the keyboard and draws its dimension as a wave", async () => {
    const element = await mount(new HeadscopePositions(), { tensor });
    const stage = element.renderRoot.querySelector(".stage");
    for (const key of ["ArrowDown", "End", "ArrowRight", "ArrowDown"]) {
      stage?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }
    await element.updateComplete;
    expect(reading(element)).toBe("Position 3, dimension 2: 0.250");
    expect(pointed(element)).toBe("dimension 2");
    stage?.dispatchEvent(new PointerEvent("pointerleave"));
    await element.updateComplete;
    expect(reading(element)).toBe("");
    expect(pointed(element)).toBe("dimension 2");
  });

  it("forgets a place that a smaller encoding does not have", async () => {
    const element = await mount(new HeadscopePositions(), { tensor });
    const stage = element.renderRoot.querySelector(".stage");
    for (const key of ["ArrowDown", "End"])
      stage?.dispatchEvent(new KeyboardEvent("keydown", { key }));
    element.tensor = { ...tensor, data: Float32Array.of(0.5), shape: [1, 1] };
    await element.updateComplete;
    expect(reading(element)).toBe("");
    expect(pointed(element)).toBe("dimension 1");
  });

  it("shows its numbers as a table, all of them or of many the row that a key led to", async () => {
    const element = await mount(new HeadscopePositions(), { tensor });
    const cells = (): string[][] =>
      [...element.renderRoot.querySelectorAll("tbody tr")].map((row) =>
        [...row.children].map(({ textContent }) => textContent),
      );
    const toggle = element.renderRoot.querySelector<HTMLButtonElement>("button[aria-expanded]");
    expect(toggle?.textContent.trim()).toBe("Show the numbers");
    toggle?.click();
    await element.updateComplete;
    expect([toggle?.getAttribute("aria-expanded"), toggle?.textContent.trim()]).toEqual([
      "true",
      "Hide the numbers",
    ]);
    expect(element.renderRoot.querySelector("[role=region]")?.getAttribute("aria-label")).toBe(
      "Positional encoding: 3 positions by 2 dimensions",
    );
    expect(cells()).toEqual([
      ["1", "0", "1.000"],
      ["2", "0.500", "0.500"],
      ["3", "1.000", "0.250"],
    ]);
    element.tensor = {
      ...tensor,
      data: Float32Array.from({ length: 9000 }, (_, index) => Math.floor(index / 3000)),
      shape: [3, 3000],
    };
    await element.updateComplete;
    element.renderRoot
      .querySelector(".stage")
      ?.dispatchEvent(new KeyboardEvent("keydown", { key: "PageDown", bubbles: true }));
    element.renderRoot.querySelector(".stage")?.dispatchEvent(new FocusEvent("blur"));
    await element.updateComplete;
    expect(element.renderRoot.querySelector(".numbers p")?.textContent).toBe(
      "The numbers of one row at a time: 3",
    );
    expect(cells().map((row) => [row.length, row[0], row[1]])).toEqual([[3001, "3", "2.000"]]);
  });

  it("says so when there is nothing to show", async () => {
    const element = await mount(new HeadscopePositions(), {});
    expect(element.renderRoot.textContent).toContain("Nothing to show yet.");
  });
});
