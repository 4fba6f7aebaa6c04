import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BUNDLED_MODELS } from "../../state/index.js";
import { trainedSteps } from "./trained-steps.js";

/** The share of right answers that a folder's evaluation states. */
const rightIn = (folder: string): number =>
  (JSON.parse(readFileSync(`${folder}/evaluation.json`, "utf8")) as { accuracy: number }).accuracy;

it.each(BUNDLED_MODELS)("the steps of %s are those whose folders stand in it", (model) => {
  const folders = existsSync(`${model}/steps`) ? readdirSync(`${model}/steps`) : [];
  const kept = trainedSteps(model);
  expect(kept.slice(0, -1).map((one) => one.model).toSorted()).toEqual(
    folders.map((name) => `at/./${model}/steps/${name}/`).toSorted(),
  );
  for (const { model: name, right } of kept) {
    const folder = name.replace(/^at\/\.\//, "").replace(/\/$/, "");
    expect(right, name).toBe(rightIn(folder));
  }
  expect(kept.map(({ step }) => step)).toEqual(
    kept.map(({ step }) => step).toSorted((one, other) => one - other),
  );
  if (kept.length > 0) expect(kept.at(-1)?.model).toBe(model);
});
