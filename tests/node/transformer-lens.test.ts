/** Grids of patches beside TransformerLens's, by tests/reference/transformer_lens_patches.py. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { PatchGridOptions } from "../../www/headscope.js";
import { loadModel } from "./package.js";

interface Case {
  clean: number[];
  corrupted: number[];
  target: { id: number; minus: number };
  ends: { clean: number; corrupted: number };
  /** The target by direction and activation, of each layer and head or position. */
  grids: Record<string, number[][]>;
}

const { model: name, cases } = JSON.parse(
  readFileSync("tests/reference/transformer_lens.json", "utf8"),
) as { model: string; cases: Record<string, Case> };

it.each(Object.keys(cases))("%s: the grids of patches are TransformerLens's", async (key) => {
  const { clean, corrupted, target, ends, grids } = cases[key] ?? ({} as Case);
  const model = await loadModel(fileURLToPath(new URL(`../../models/${name}`, import.meta.url)));
  for (const [grid, wanted] of Object.entries(grids)) {
    const [direction, what] = grid.split("/") as [
      NonNullable<PatchGridOptions["direction"]>,
      PatchGridOptions["what"],
    ];
    const found = wanted.map((row) => row.map(() => Number.NaN));
    const texts = { clean: { ids: clean }, corrupted: { ids: corrupted } };
    for await (const cell of model.patchGrid({ ...texts, target, what, direction })) {
      const { layer, head, positions: [position = 0] = [] } = cell.at;
      const row = found[layer];
      if (row) row[head ?? position] = cell.value;
      expect(Math.abs(cell.clean - ends.clean)).toBeLessThan(1e-4);
      expect(Math.abs(cell.corrupted - ends.corrupted)).toBeLessThan(1e-4);
    }
    const apart = found.flatMap((row, layer) =>
      row.map((value, column) => Math.abs(value - (wanted[layer]?.[column] ?? Number.NaN))),
    );
    expect(
      apart.filter((difference) => !(difference < 1e-4)),
      grid,
    ).toEqual([]);
  }
  model.dispose();
});
