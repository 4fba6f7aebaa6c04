// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Token } from "../../data/index.js";
import { mount } from "../testing/mount.js";
import { formatSigned } from "./element.js";
import { HeadscopeDifference } from "./index.js";

const tokens: Token[] = ["a", "+ b"].map((text, word) => ({
  id: word,
  text,
  word,
  special: false,
  role: null,
}));
const tensor = { data: Float32Array.of(0.25, NaN, -0.5, 0), shape: [2, 2], axes: ["query", "key"] };

afterEach(() => document.body.replaceChildren());

describe("<headscope-difference>", () => {
  it("has a name with its size", async () => {
    const element = await mount(new HeadscopeDifference(), {
      tensor,
      queries: tokens,
      keys: tokens,
    });
    expect(element.renderRoot.querySelector(".stage")?.getAttribute("aria-label")).toBe(
      "Difference: 2 queries by 2 keys",
    );
  });

  it("reads each pair with its sign, and says where there is nothing to compare", async () => {
    const element = await mount(new HeadscopeDifference(), {
      tensor,
      queries: tokens,
      keys: tokens,
    });
    const reading = async (query: number, key: number): Promise<string | undefined> => {
      element.focused = { query, key };
      await element.updateComplete;
      return element.renderRoot.querySelector("[aria-live]")?.textContent;
    };
    expect(await reading(0, 0)).toBe("a looks at a: +0.250");
    expect(await reading(1, 0)).toBe("+ b looks at a: −0.500");
    expect(await reading(0, 1)).toBe("a looks at + b: no counterpart");
    expect(await reading(1, 1)).toBe("+ b looks at + b: 0");
  });

  it("has a table in which a missing number is a dash", async () => {
    const element = await mount(new HeadscopeDifference(), {
      tensor,
      queries: tokens,
      keys: tokens,
    });
    element.renderRoot.querySelector("button")?.click();
    await element.updateComplete;
    expect(
      [...element.renderRoot.querySelectorAll("td")].map(({ textContent }) => textContent),
    ).toEqual(["0.250", "–", "−0.500", "0"]);
  });

  it("says both signs", () => {
    expect([1, -1, 0].map(formatSigned)).toEqual(["+1.000", "−1.000", "0"]);
  });
});
