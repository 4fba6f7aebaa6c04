/**
 * Trains the presets of the page and prints what each of them does, a line for each run and seed:
 *
 *     npm run training-presets -- [NAME OR LINK …] [--seeds 1,2,3]
 *
 * After `cargo xtask build`: it trains with the package in `dist/npm`, as the page does.
 */
import process from "node:process";
import { pathToFileURL } from "node:url";
import type * as Headscope from "../../www/headscope.js";
import type { Model, Trainer } from "../../www/headscope.js";
import { heldOutBatch, trainingBatch } from "../../www/training/batches.js";
import { freshModel, type FreshModel } from "../../www/training/fresh-model.js";
import { PRESETS } from "../../www/training/presets.js";
import { decodeSettings, type TrainingSettings } from "../../www/training/settings.js";
import { trainerSettings } from "../../www/training/trainer-settings.js";

const PACKAGE = new URL("dist/npm/headscope.js", pathToFileURL(`${process.cwd()}/`));
const { loadModel, openTrainer } = (await import(
  /* @vite-ignore */ PACKAGE.href
)) as typeof Headscope;

/** The number of measurements of a run. */
const MEASUREMENTS = 8;
/**
 * The share of right answers from which a step counts as the first with which a task is learned.
 */
const LEARNED = 0.95;
/** The score from which a head is an induction head here. */
const INDUCTION = 0.8;
/** The number of held-out texts on which a head is scored. */
const SCORED = 8;

const [names, seeds] = asked(process.argv.slice(2));
for (const name of names) {
  const links: readonly string[] = name in PRESETS ? PRESETS[name as keyof typeof PRESETS] : [name];
  for (const link of links)
    for (const seed of seeds) {
      const found = await trained({ ...decodeSettings(link), seed });
      console.log(`${name} ${link} seed ${seed}: ${found}`);
    }
}

function asked(words: string[]): [names: string[], seeds: number[]] {
  const at = words.indexOf("--seeds");
  const seeds = at < 0 ? [1, 2, 3] : (words[at + 1] ?? "").split(",").map(Number);
  const chosen = at < 0 ? words : words.slice(0, at);
  return [chosen.length > 0 ? chosen : Object.keys(PRESETS), seeds];
}

/** Trains a model and says what became of it. */
async function trained(settings: TrainingSettings): Promise<string> {
  const model = freshModel(settings);
  const { files } = model;
  const config = new TextDecoder().decode(files["config.json"]);
  const weights = files["model.safetensors"] ?? new Uint8Array();
  const trainer = await openTrainer({ config, weights }, trainerSettings(settings));
  try {
    return await measured(trainer, model, settings);
  } finally {
    trainer.dispose();
  }
}

async function measured(
  trainer: Trainer,
  model: FreshModel,
  settings: TrainingSettings,
): Promise<string> {
  const heldOut = heldOutBatch(model, settings);
  const every = Math.ceil(settings.steps / MEASUREMENTS);
  const curve: string[] = [];
  let learned: number | null = null;
  let formed: string | null = null;
  let seconds = 0;
  for (let step = 0; step < settings.steps; step += every) {
    const batches = Array.from({ length: Math.min(every, settings.steps - step) }, (_, at) =>
      trainingBatch(model, settings, step + at),
    );
    const began = performance.now();
    let last;
    try {
      last = (await trainer.steps(batches)).at(-1);
    } catch (thrown) {
      return `${curve.join(", ")}; ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    }
    seconds += (performance.now() - began) / 1000;
    const { accuracy, loss } = await trainer.evaluate(heldOut);
    const done = step + batches.length;
    if (accuracy >= LEARNED) learned ??= done;
    const induction = settings.task === "induction" ? await inductionOf(trainer, model) : null;
    if (induction !== null && induction >= INDUCTION)
      formed ??= `at step ${done}, ${seconds.toFixed(0)} s`;
    const trainedOn = `${last?.loss.toFixed(3)}/${last?.accuracy.toFixed(2)}`;
    const score = induction === null ? "" : ` induction ${induction.toFixed(2)}`;
    curve.push(`${done}: ${trainedOn} held out ${loss.toFixed(3)}/${accuracy.toFixed(2)}${score}`);
  }
  const masked = settings.mask ? null : await trainer.evaluate({ ...heldOut, edits: {} });
  const says = [
    `${curve.join(", ")}`,
    `learned by ${learned ?? "no step"}`,
    ...(settings.task === "induction" ? [`induction head ${formed ?? "at no step"}`] : []),
    ...(masked ? [`with the mask ${masked.loss.toFixed(3)}/${masked.accuracy.toFixed(2)}`] : []),
    `${settings.steps} steps in ${seconds.toFixed(1)} s`,
  ];
  return says.join("; ");
}

/** The largest induction score of a head, the mean over held-out texts. */
async function inductionOf(trainer: Trainer, fresh: FreshModel): Promise<number> {
  const weights = await trainer.weights();
  const model = await loadModel({ ...fresh.files, "model.safetensors": weights });
  try {
    return Math.max(...(await scoresOf(model, fresh)).values());
  } finally {
    model.dispose();
  }
}

/** The induction scores of all heads, by layer and head. */
async function scoresOf(model: Model, fresh: FreshModel): Promise<Map<string, number>> {
  const { examples } = heldOutBatch(fresh, decodeSettings("induction"));
  const sums = new Map<string, number>();
  for (const { ids } of examples.slice(0, SCORED)) {
    const run = await model.run({ ids, edits: fresh.edits });
    for (const { layer, head, roles } of await run.measures({ stack: "decoder" })) {
      const name = `${layer}.${head}`;
      sums.set(name, (sums.get(name) ?? 0) + (roles.induction ?? 0) / SCORED);
    }
    run.release();
  }
  return sums;
}
