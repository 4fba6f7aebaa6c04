// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../testing/mount.js";
import { HeadscopeNumbers } from "./index.js";

const PROPERTIES = {
  tensor: { data: Float32Array.of(0.5, -2, NaN, 0), shape: [2, 2], axes: ["layer", "head"] },
  rowNames: ["layer 1", "layer 2"],
  columnNames: ["1", "2"],
  titles: { rows: "layer", columns: "head", values: "effect" },
};

afterEach(() => document.body.replaceChildren());

describe("<headscope-numbers>", () => {
  it("says what its numbers are and how many", async () => {
    const element = await mount(new HeadscopeNumbers(), PROPERTIES);
    expect(element.renderRoot.querySelector(".stage")?.getAttribute("aria-label")).toBe(
      "effect: 2 by 2",
    );
  });

  it("has them in a table that says what its rows and columns are", async () => {
    const element = await mount(new HeadscopeNumbers(), PROPERTIES);
    [...element.renderRoot.querySelectorAll("button")]
      .find(({ textContent }) => textContent.includes("numbers"))
      ?.click();
    await element.updateComplete;
    expect(element.renderRoot.querySelector("thead th")?.textContent).toBe("layer ↓ head →");
  });

  it("reads each in the words of its row and column, with its sign where that counts", async () => {
    const element = await mount(new HeadscopeNumbers(), { ...PROPERTIES, signed: true });
    const reading = async (query: number, key: number): Promise<string | undefined> => {
      element.focused = { query, key };
      await element.updateComplete;
      return element.renderRoot.querySelector("[aria-live]")?.textContent;
    };
    expect(await reading(0, 0)).toBe("layer 1, 1: +0.500");
    expect(await reading(0, 1)).toBe("layer 1, 2: −2.000");
    expect(await reading(1, 0)).toBe("layer 2, 1: –");
    element.signed = false;
    expect(await reading(0, 0)).toBe("layer 1, 1: 0.500");
  });
});
