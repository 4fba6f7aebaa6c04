import { formatNumber, message } from "../../../i18n/index.js";
import { refusedBuckets } from "../../bench/form.js";
import { curves, demo, matrix, placeNames, tensorOf } from "../demo.js";
import { HEADS, named, number, SEEDS } from "../fields.js";

/** T5's buckets: which distance falls into which, and what heads add for them, drawn and not trained. */
export const buckets = demo("buckets", {
  fields: {
    buckets: number(32, "bucketsLab.buckets", { least: 4, most: 128, step: 2, even: true }),
    maxDistance: number(128, "bucketsLab.maxDistance", {
      least: 3,
      most: 4096,
      // Beyond the distances that have a bucket each.
      within: (of) => ({ least: of("buckets") / 2 + 1 }),
    }),
    length: number(40, "schemeLab.tokens", { least: 2, most: 64 }),
    heads: number(8, "schemeLab.heads", { least: 1, most: 16 }),
    head: number(0, "schemeLab.head", { ...HEADS, most: 15 }),
    seed: number(1, "schemeLab.seed", SEEDS),
    sides: named("bucketsLab.sides", "bucketsLab.sides", ["one", "both"], "both"),
  },
  listed: { title: "posLab.buckets", place: 5 },
  paper: "bucketsLab.paper",
  intro: "bucketsLab.intro",
  refuse: (key, value, { maxDistance }) =>
    key === "buckets" ? refusedBuckets({ buckets: value, maxDistance }) : null,
  ask: ({ sides, ...numbers }, { lab, signal }) =>
    lab.ask("buckets", { ...numbers, bothSides: sides === "both" }, { signal }),
  views: (found, { buckets: count, length, heads, head, sides }) => {
    const [bucket, bias] = [message("bucketsLab.bucket"), message("schemeLab.bias")];
    const points = found.borders.map((border) => ({ x: border.distance, y: border.bucket }));
    const names = Array.from({ length: count }, (_, at) => String(at));
    return [
      {
        title: message("bucketsLab.steps"),
        notes: [message("bucketsLab.steps.hint")],
        name: "steps",
        figure: curves([{ name: bucket, points }], {
          stepped: true,
          x: message("bucketsLab.distance"),
          y: bucket,
          words: (at) => formatNumber(at),
          marked: 0,
          markedAs: message("bucketsLab.itself"),
        }),
      },
      {
        title: message("bucketsLab.matrix"),
        notes: [message(`bucketsLab.${sides}.hint`)],
        name: "pairs",
        figure: matrix({ tensor: tensorOf(found.matrix, length), values: bucket, counts: true }),
      },
      {
        title: message("bucketsLab.biases"),
        notes: [message("bucketsLab.untrained")],
        name: "biases",
        figure: matrix({
          tensor: tensorOf(found.biases, count, ["head", "bucket"]),
          values: bias,
          signed: true,
          height: 180,
          rows: { title: message("schemeLab.head"), names: placeNames(heads) },
          columns: { title: bucket, names },
        }),
      },
      {
        title: message("bucketsLab.bias", { head: formatNumber(head + 1) }),
        name: `head ${head + 1}`,
        figure: matrix({ tensor: tensorOf(found.bias, length), values: bias, signed: true }),
      },
    ];
  },
  file: {
    name: "t5",
    suffix: ({ buckets: count, maxDistance, sides, length, heads, seed }) =>
      `buckets ${count} to ${maxDistance} ${sides} tokens ${length} heads ${heads} seed ${seed}`,
    details: ["buckets", "maxDistance", "length", "heads", "seed", "sides"],
  },
});
