import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { PatchCell, RunInput } from "../../www/headscope.js";
import { patchSamplesOf } from "../../www/session/models/patch-samples.js";
import { BUNDLED_MODELS } from "../../www/state/index.js";
import { loadModel } from "./package.js";

/** The share of the effect that the head of each sample recovers at least. */
const LARGE = 0.2;

it.each(
  BUNDLED_MODELS.flatMap((name) => patchSamplesOf(name).map((sample) => ({ name, ...sample }))),
)("a patch of the head of a sample recovers most: $name, $kind", async (sample) => {
  const { name, clean, corrupted, masked, entry, against, stack, layer, head } = sample;
  const model = await loadModel(fileURLToPath(new URL(`../../${name}/`, import.meta.url)));
  const gaps = masked.length > 0 && { masked: [...masked] };
  const read = await model.run({ text: clean, ...gaps });
  const other = await model.run({ text: corrupted, ...gaps });
  // A translation is read up to the token that differs.
  const translates = model.info.architecture === "encoder-decoder";
  const first = read.targetTokens.findIndex(({ id }, at) => id !== other.targetTokens[at]?.id);
  const targetIds = read.targetTokens.slice(0, first).map(({ id }) => id);
  const input = (text: string): RunInput => ({ text, ...gaps, ...(translates && { targetIds }) });
  const target = { id: entry, minus: against };
  const texts = { clean: input(clean), corrupted: input(corrupted) };
  const cells: PatchCell[] = [];
  for await (const cell of model.patchGrid({ ...texts, target, what: "head", stack }))
    cells.push(cell);
  const best = cells.toSorted((one, two) => (two.recovered ?? 0) - (one.recovered ?? 0))[0];
  expect(best?.at).toMatchObject({ stack, layer, head });
  expect(best?.recovered).toBeGreaterThan(LARGE);
  // Each text has its own answer.
  expect(best?.clean).toBeGreaterThan(0);
  expect(best?.corrupted).toBeLessThan(0);
  model.dispose();
});
