// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Token } from "../../data/index.js";
import { mount } from "../testing/mount.js";
import { HeadscopeMask } from "./index.js";

const no = -Infinity;
const tokens: Token[] = ["a", "b"].map((text, word) => ({
  id: word,
  text,
  word,
  special: false,
  role: null,
}));
const mask = { data: Float32Array.of(0, no, 0, 0), shape: [2, 2], axes: ["query", "key"] };

afterEach(() => document.body.replaceChildren());

describe("<headscope-mask>", () => {
  it("counts who may look at whom", async () => {
    const element = await mount(new HeadscopeMask(), { mask, queries: tokens, keys: tokens });
    expect(element.renderRoot.querySelector(".stage")?.getAttribute("aria-label")).toBe(
      "Mask: 2 queries by 2 keys, 3 pairs allowed",
    );
  });

  it("reads each pair as a word", async () => {
    const element = await mount(new HeadscopeMask(), { mask, queries: tokens, keys: tokens });
    const reading = async (query: number, key: number): Promise<string | undefined> => {
      element.focused = { query, key };
      await element.updateComplete;
      return element.renderRoot.querySelector("[aria-live]")?.textContent;
    };
    expect(await reading(0, 0)).toBe("a looks at a: may look");
    expect(await reading(0, 1)).toBe("a looks at b: may not look");
    element.blocked = [{ query: 0, key: 1 }];
    expect(await reading(0, 1)).toBe("a looks at b: blocked by you");
  });

  it("explains the reader's own hatching once there is some", async () => {
    const element = await mount(new HeadscopeMask(), { mask, queries: tokens, keys: tokens });
    const signs = (): string[] =>
      [...element.renderRoot.querySelectorAll(".sign")].map((sign) => sign.textContent.trim());
    expect(signs()).toEqual(["may look", "may not look"]);
    element.blocked = [{ query: 0, key: 1 }];
    await element.updateComplete;
    expect(signs()).toEqual(["may look", "may not look", "blocked by you"]);
  });
});
