/**
 * The folders of models that are trained here, before their first step: what the engine computes of
 * them, under the edits of their settings, is what transformers computes of the saved folder
 * (`tests/reference/training_folders.py`).
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exampleOf, textsOf } from "../../www/training/examples.js";
import { freshModel } from "../../www/training/fresh-model.js";
import { decodeSettings } from "../../www/training/settings.js";
import { loadModel } from "./package.js";

interface Expected {
  /** The settings, as a link has them. */
  settings: string;
  /** The logits of the last position. */
  logits: number[];
}

const FOLDERS = JSON.parse(
  readFileSync(new URL("../reference/training_folders.json", import.meta.url), "utf8"),
) as Expected[];

/** The text of one's own that a folder was made of. */
const TEXT = "To be,  or not\tto be?\n — 𝔸 ".repeat(40);

describe.each(FOLDERS)("a fresh model of $settings", ({ settings, logits }) => {
  it("has the logits of transformers, and the tokens that it is trained on", async () => {
    const { task, reading, files, edits } = freshModel(decodeSettings(settings), TEXT);
    const model = await loadModel(files);
    expect(model.info.warnings).toEqual([]);
    const [text, target] = textsOf(task.shown, reading.kind, task.cut);
    const run = await model.run({ text, ...(target !== null && { target }), edits });
    const { ids, targetIds, targets } = exampleOf(task.shown, reading);
    // A text that is typed has one more token than what is read while it is trained.
    const read = await model.run({ ids, ...(targetIds && { targetIds }), edits });
    expect(run.tokens.map(({ id }) => id).slice(0, ids.length)).toEqual(ids);
    expect(Math.max(...targets.map(([at]) => at))).toBe((targetIds ?? ids).length - 1);
    const { data } = await read.logits({ positions: [(targetIds ?? ids).length - 1] });
    const furthest = logits.map((logit, at) => Math.abs(logit - (data[at] ?? NaN)));
    expect(Math.max(...furthest)).toBeLessThan(1e-4);
    model.dispose();
  });
});
