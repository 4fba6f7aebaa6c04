import { expect, it } from "vitest";
import { downloadOf } from "./download.js";

it.each([
  ["models/tiny-gpt", { loadedBytes: 107_824, totalBytes: 107_824 }, 2_820_000],
  ["models/tiny-gpt", { loadedBytes: 3_000_000, totalBytes: 3_000_000 }, 3_000_800],
  ["opened/mine", { loadedBytes: 100, totalBytes: 5000 }, 5800],
  ["opened/mine", { loadedBytes: 100 }, null],
] as const)("the download of %s is that of all its files: %o of %s", (name, last, totalBytes) => {
  const added = downloadOf(name);
  const first = added({ file: "config.json", loadedBytes: 800, totalBytes: 800 });
  expect(first.totalBytes).toBe(name === "opened/mine" ? null : 2_820_000);
  const loadedBytes = 800 + last.loadedBytes;
  expect(added({ file: "model.safetensors", ...last })).toMatchObject({ loadedBytes, totalBytes });
});
