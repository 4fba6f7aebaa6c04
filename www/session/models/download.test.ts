import { expect, it, vi } from "vitest";
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

it("the speed is the mean of that before and that of the last second, and never below none", () => {
  let seconds = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => 1000 * seconds);
  const added = downloadOf("opened/mine");
  const at = (now: number, loadedBytes: number): number | undefined => {
    seconds = now;
    return added({ file: "model.safetensors", loadedBytes }).bytesPerSecond;
  };
  // The last one begins anew, as a file that has changed.
  expect([at(0.9, 900), at(1, 1000), at(1.5, 9000), at(2, 4000), at(4, 2000)]).toEqual([
    undefined,
    1000,
    1000,
    2000,
    1000,
  ]);
  clock.mockRestore();
});

it("says what it waits for", () => {
  const added = downloadOf("opened/mine");
  const file = { file: "config.json", loadedBytes: 0 };
  expect(added({ ...file, waitSeconds: 3 })).toMatchObject({ waitSeconds: 3 });
  expect(added({ ...file, waitsForPage: true })).toMatchObject({ waitsForPage: true });
  expect(added(file)).not.toHaveProperty("waitsForPage");
});
