// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../testing/mount.js";
import { HeadscopePositions } from "./index.js";

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
    for (const key of ["ArrowDown", "End"]) stage?.dispatchEvent(new KeyboardEvent("keydown", { key }));
    element.tensor = { ...tensor, data: Float32Array.of(0.5), shape: [1, 1] };
    await element.updateComplete;
    expect(reading(element)).toBe("");
    expect(pointed(element)).toBe("dimension 1");
  });

  it("says so when there is nothing to show", async () => {
    const element = await mount(new HeadscopePositions(), {});
    expect(element.renderRoot.textContent).toContain("Nothing to show yet.");
  });
});
