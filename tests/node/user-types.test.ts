// The types of the package in projects of others, which check its declarations too.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";

const SCRIPT = `
import { HeadscopeError, latest, loadModel, type Model, type Tensor } from "headscope";
import { configure, type HeadscopeHeatmap } from "headscope/elements.js";
import { HeadscopeGrid } from "headscope/grid.js";
import "headscope/embed.js";
import Headscope from "headscope/reveal.js";

configure({ home: "/" });
const heatmap: HeadscopeHeatmap = document.createElement("headscope-heatmap");
heatmap.tensor = [[0.2, 0.8], [0.5, 0.5]];
heatmap.tensor = [Float32Array.of(0.2, 0.8), [0.5, 0.5]];
heatmap.tensor = { data: new Float64Array(4), shape: [2, 2] };
heatmap.tensor = { data: [1, 2], shape: [1, 2], axes: ["query", "key"] };
heatmap.tensor = null;
heatmap.queries = ["a", "b"] as const;
heatmap.keys = [{ id: 1, text: "a", word: 0, special: false, role: null }, "b"];
heatmap.locked = { query: 0, key: 1 };
heatmap.fullyMasked = null;
const drawn: Tensor | null = heatmap.tensor;
const first: string | undefined = heatmap.queries[0]?.text;
const grid = new HeadscopeGrid();
grid.thumbnails = [[[[1, 0], [0, 1]]]];
const lines = document.createElement("headscope-lines");
lines.patterns = [{ head: 0, weights: [[1, 0], [0.5, 0.5]] }];
const dimensions = document.createElement("headscope-dimensions");
dimensions.vectors = { query: [[1, 2]], key: [[3, 4]] };
const curves = document.createElement("headscope-curves");
curves.range = { x: [0, 1] };
heatmap.addEventListener("headscope-cell-lock", ({ detail }) => detail?.query.toFixed());
heatmap.addEventListener("headscope-failed", ({ detail }) => detail.sentence.trim());
export const plugin: { id: string } = Headscope();
export async function run(): Promise<Model> {
  const model = await loadModel("./models/en-fr", {});
  if (first === undefined || drawn === null) throw new Error(HeadscopeError.name, { cause: latest });
  return model;
}
// @ts-expect-error A word is no matrix.
heatmap.tensor = "0.2 0.8";
// @ts-expect-error A matrix has no words.
heatmap.tensor = [["a"]];
// @ts-expect-error A colour map has one of some names.
heatmap.colours = "rainbow";
`;

const VIEW = `
import type {} from "headscope/react";
import { useState } from "react";

export function View({ weights }: { weights: readonly (readonly number[])[] }) {
  const [cell, setCell] = useState<{ query: number; key: number } | null>(null);
  return (
    <>
      <headscope-heatmap
        tensor={[[0.2, 0.8], [0.5, 0.5]]}
        queries={["a", "b"]}
        keys={["c", "d"]}
        locked={cell}
        height={320}
        theme="dark"
        className="mine"
        onheadscope-cell-lock={({ detail }) => setCell(detail)}
        onheadscope-failed={({ detail }) => console.log(detail.code)}
      />
      <headscope-heatmap src="figure.json" caption="Mine" />
      <headscope-lines patterns={[{ head: 0, weights }]} queries={["a"]} keys={["b"]} />
      <headscope-grid thumbnails={[[[[1, 0], [0, 1]]]]} plain />
      <headscope-tokens tokens={["a", "b"]} shares={[0.5, null]} />
      <head-scope model="models/en-fr" text="A cat" height="600" />
    </>
  );
}
// @ts-expect-error Tokens are words.
export const wrong = <headscope-tokens tokens={[1, 2]} />;
`;

let project = "";

beforeAll(() => {
  const target = resolve("target");
  mkdirSync(target, { recursive: true });
  // Below the root, as the package there finds lit and React where this repository has them.
  project = mkdtempSync(join(target, "user-types-"));
  mkdirSync(join(project, "node_modules"));
  symlinkSync(resolve("dist/npm"), join(project, "node_modules/headscope"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(project, "script.ts"), SCRIPT);
  writeFileSync(join(project, "view.tsx"), VIEW);
});
afterAll(() => rmSync(project, { recursive: true }));

it.each([
  ["a bundler", ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
  ["Node", ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
])(
  "compile with the resolution of %s, and the declarations too",
  (_, module, resolution) => {
    const program = ts.createProgram([join(project, "script.ts"), join(project, "view.tsx")], {
      module,
      moduleResolution: resolution,
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
      jsx: ts.JsxEmit.ReactJSX,
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    });
    const found = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
      const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
      const text = ts.flattenDiagnosticMessageText(messageText, "\n");
      return `${file?.fileName ?? ""}:${line + 1} ${text}`;
    });
    expect(found).toEqual([]);
  },
  120_000,
);
