// A core that a source names in a form which the plugin does not know would be looked for at the
// build, before it is there.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lateCores } from "./late-cores.js";

const { resolveId, transform } = lateCores() as unknown as {
  resolveId: (source: string) => { id: string; external: string } | null;
  transform: { handler: (code: string) => { code: string } };
};

test.each(["thread.ts", "worker.ts", "tokenizer/library.ts"])("%s names no core", (file) => {
  const { code } = transform.handler(readFileSync(`www/engine/${file}`, "utf8"));
  const left = [...code.matchAll(/"(\.[^"]*\/wasm\/[^"]*)"/g)].map(([, source = ""]) => source);
  expect(left.filter((source) => resolveId(source) === null)).toEqual([]);
});

test("a core for the CPU is the quick one, the others are their own", () => {
  const of = (source: string): string | undefined => resolveId(source)?.id;
  expect(of("./wasm/simd128/headscope.js")).toBe("/cores/quick/headscope.js");
  expect(of("./wasm/webgpu/headscope_gpu.js")).toBe("/cores/webgpu/headscope_gpu.js");
  expect(of("../wasm/tokenizer/headscope_tokenizer.js")).toBe(
    "/cores/tokenizer/headscope_tokenizer.js",
  );
  expect(of("./start-wasm.js")).toBeUndefined();
  const relaxed = 'new URL("./wasm/relaxed/headscope_relaxed_bg.wasm?no-inline", import.meta.url)';
  expect(transform.handler(relaxed).code).toContain('"/cores/quick/headscope_bg.wasm"');
});
