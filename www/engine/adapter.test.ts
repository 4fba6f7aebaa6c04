import { afterEach, expect, it, vi } from "vitest";
import { findAdapter } from "./adapter.js";

afterEach(() => void vi.unstubAllGlobals());

const NAMED = { vendor: "maker", architecture: "line", description: "" };

it.each([
  [
    "as the standard has it",
    { info: { ...NAMED, isFallbackAdapter: true } },
    { ...NAMED, software: true },
  ],
  [
    "that says itself that it is software",
    { info: NAMED, isFallbackAdapter: true },
    { ...NAMED, software: true },
  ],
  ["of which nothing says whether it is software", { info: NAMED }, { ...NAMED, software: false }],
  ["without a name", {}, { vendor: "", architecture: "", description: "", software: false }],
  ["that is none", null, null],
])("names an adapter %s", async (_, adapter, named) => {
  vi.stubGlobal("navigator", { gpu: { requestAdapter: () => Promise.resolve(adapter) } });
  await expect(findAdapter()).resolves.toEqual(named);
});

it("finds none where the browser has no WebGPU, or refuses or fails to ask for one", async () => {
  for (const gpu of [
    undefined,
    { requestAdapter: () => Promise.reject(new Error("no")) },
    {
      requestAdapter: () => {
        throw new TypeError("no");
      },
    },
  ]) {
    vi.stubGlobal("navigator", { gpu });
    await expect(findAdapter()).resolves.toBeNull();
  }
});
