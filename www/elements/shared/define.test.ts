// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { define } from "./define.js";

describe("define", () => {
  it("keeps the first class of a tag and does not complain about a second", () => {
    class First extends HTMLElement {}
    class Second extends HTMLElement {}
    define("headscope-defined", First);
    define("headscope-defined", Second);
    expect(customElements.get("headscope-defined")).toBe(First);
  });
});
