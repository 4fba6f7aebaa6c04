// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { defineExplorerWhenWanted } from "./explorer.js";

let reached = false;
let tries = 0;

vi.mock("../views/explorer/explorer.js", () => {
  tries += 1;
  if (!reached) throw new TypeError("Failed to fetch dynamically imported module");
  return {};
});

describe("the explorer in another page", () => {
  it("says in its place that it could not be fetched, and tries again", async () => {
    const place = document.createElement("head-scope");
    document.body.append(place);
    defineExplorerWhenWanted();
    await vi.waitFor(() => expect(place.querySelector("[role=alert]")?.textContent).toContain("could not be fetched"));
    reached = true;
    place.querySelector("button")?.click();
    await vi.waitFor(() => expect(tries).toBe(2));
    expect(place.childElementCount).toBe(0);
  });
});
