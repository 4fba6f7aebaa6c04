import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { expect, it } from "vitest";

const ASSETS = "dist/site/assets";

it.each([
  ["headscope", 1, 300],
  ["headscope_gpu", 1, 450],
  ["headscope_lab", 1, 100],
] as const)("%s.wasm: %d build, at most %d kB with brotli", (name, builds, most) => {
  const files = readdirSync(ASSETS).filter(
    (file) => file.startsWith(`${name}_bg`) && file.endsWith(".wasm"),
  );
  expect(files).toHaveLength(builds);
  for (const file of files)
    expect(brotliCompressSync(readFileSync(join(ASSETS, file))).length / 1000).toBeLessThan(most);
});
