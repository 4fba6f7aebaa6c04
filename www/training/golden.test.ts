// What settings train, number by number: a link gives the same model and the same exercises in
// every release. `npm run golden` writes the file; read the difference before you commit it.
import { afterAll, expect, it } from "vitest";
import { GoldenSections } from "../../tests/golden/golden.js";
import { writtenValue } from "../../tests/support/outline.js";
import type { TrainingBatch } from "../data/index.js";
import { openTraining } from "./open-training.js";
import { tensorsOf } from "./safetensors.js";
import { decodeSettings } from "./settings.js";
import { trainerSettings } from "./trainer-settings.js";

const SMALL = "layers.1_width.16_heads.2_batch.2";
/** A link for each family of models, each task and each kind of positions. */
const LINKS = [
  `copy_${SMALL}`,
  `copy_kind.encoder-decoder_${SMALL}`,
  `reverse_positions.rotary_${SMALL}`,
  `sort_kind.encoder_positions.sinusoidal_${SMALL}`,
  `sort_kind.encoder_norm.rms_positions.rotary_${SMALL}`,
  `addition_kind.encoder_place.post_${SMALL}`,
  `modular_place.post_activation.silu_${SMALL}`,
  `translation_place.post_positions.sinusoidal_${SMALL}`,
  `induction_norm.rms_positions.rotary_activation.relu_${SMALL}`,
  `brackets_positions.none_scale.false_residuals.false_mask.false_dropout.0.1_${SMALL}`,
  `characters_method.sgd_schedule.cosine_clip.none_positions.sinusoidal_${SMALL}`,
  `pieces_seed.3_${SMALL}`,
];
const TEXT = "The cat sat on the mat, and the rat that the cat saw sat on the hat. ".repeat(18);

const file = new GoldenSections("trainings.txt");
afterAll(() => file.end());

const examplesOf = ({ examples, edits }: TrainingBatch): string[] => [
  ...examples.slice(0, 2).map((example) => JSON.stringify(example)),
  `${examples.length} examples ${JSON.stringify(edits)}`,
];

const tensorLines = (file: Uint8Array): string[] =>
  [...tensorsOf(file)].map(([name, { shape, values }]) =>
    [name, writtenValue({ data: values, shape })].join(" "),
  );

async function linesOf(link: string): Promise<string[]> {
  const settings = decodeSettings(link);
  const training = await openTraining(link, settings, null, () => undefined, TEXT);
  const { course } = training.run;
  const { config, weights, heldOut, text, edits, steps } = course;
  const tensors = tensorLines(weights);
  const { name, files, isWhole } = training.saved(weights);
  const saved = await Promise.all(
    files.map(async (one) => {
      const bytes = new Uint8Array(await one.arrayBuffer());
      const isText = one.name !== "model.safetensors";
      const content = isText ? [writtenValue(await one.text())] : tensorLines(bytes);
      return [one.name, ...content.filter((line) => !tensors.includes(line))];
    }),
  );
  const opened = training.folder(weights).files.map((one) => `${one.name} ${one.size}`);
  return [
    `config ${JSON.stringify(JSON.parse(config))}`,
    ...tensors,
    `trainer ${JSON.stringify(trainerSettings(settings))}, ${steps} steps`,
    ...[1, 2].flatMap((step) => [`batch ${step}`, ...examplesOf(course.batch(step))]),
    "held out",
    ...examplesOf(heldOut),
    `shown ${JSON.stringify(text)} under ${JSON.stringify(edits)}`,
    `tokens ${JSON.stringify(training.tokensOf(text.ids))}`,
    `opened ${JSON.stringify(training.opened)}: ${opened.join(", ")}`,
    `saved ${name}${isWhole ? "" : ", not whole"}`,
    // Of the weights those that are others than before.
    ...saved.flat(),
  ];
}

it.each(LINKS)("%s is the training of the golden file", async (link) => {
  const lines = await linesOf(link);
  expect(lines).toEqual(file.textOf(link, lines.join("\n")).split("\n"));
});
