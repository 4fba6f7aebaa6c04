import { html } from "lit";
import { formatValue } from "../../../draw/text.js";
import { formatNumber, message } from "../../../i18n/index.js";
import { curveOf, curves, demo, matrix, table, linkedMatrix, type View } from "../demo.js";
import { placeNames, tensorOf } from "../../../kit/figure-data.js";
import { HEADS, number, named, SEEDS } from "../../../kit/fields.js";
import { refusedBuckets } from "../../../kit/form.js";
import { formatSigned } from "../../../draw/number-words.js";

/**
 * The most lines that can be distinguished: of more heads some are picked evenly, with the chosen
 * one.
 */
const MOST_LINES = 8;

/**
 * The demo of ALiBi: a slope for each of any number of heads, and the bias of their scores by
 * distance.
 */
export const alibi = demo("alibi", {
  fields: {
    heads: number(8, "schemeDemo.heads", { least: 1, most: 64 }),
    head: number(0, "schemeDemo.head", { ...HEADS, most: 63 }),
    length: number(24, "schemeDemo.tokens", { least: 2, most: 64 }),
    causal: { control: "flag", opens: true, label: "alibiDemo.causal", asks: false },
  },
  listed: { title: "posDemo.alibi", place: 4 },
  paper: "alibiDemo.paper",
  intro: "alibiDemo.intro",
  ask: ({ heads, length, head }, { core, signal }) =>
    core.ask("alibi", { heads, length, head }, { signal }),
  views: ({ slopes, biases, matrix: found }, { length, head, causal }) => {
    const heads = formatNumber(slopes.length);
    const distance = message("alibiDemo.distance");
    const bias = message("alibiDemo.bias");
    // The heads that have a line: all of them, or some of many.
    const most = Math.min(MOST_LINES, slopes.length);
    const evenly = Array.from({ length: most }, (_, at) =>
      Math.round((at * (slopes.length - 1)) / Math.max(1, most - 1)),
    );
    const picked = [...new Set([...evenly, head])].sort((one, other) => one - other);
    const lines = picked.map((at) => {
      const name = message("schemeDemo.headNumber", { head: formatNumber(at + 1) });
      const line = curveOf(name, biases.slice(at * length, (at + 1) * length));
      return { ...line, ...(at === head && { tone: "accent" as const }) };
    });
    // A cell that a causal mask masks has no number.
    const seen = found.map((value, at) =>
      causal && at % length > Math.floor(at / length) ? NaN : value,
    );
    const some = message("alibiDemo.some", { shown: formatNumber(lines.length), heads });
    const isPower = Number.isInteger(Math.log2(slopes.length));
    const row = (slope: number, at: number) => {
      const power = html`2<sup>${formatNumber(Math.log2(slope), 3)}</sup>`;
      const cells = [formatNumber(slope, 6), power];
      return { key: String(at), head: formatNumber(at + 1), chosen: at === head, cells };
    };
    const columns = ["schemeDemo.head", "alibiDemo.slope", "alibiDemo.powerOfTwo"] as const;
    const names = columns.map((key) => message(key));
    return [
      {
        title: message("alibiDemo.slopes"),
        notes: [
          message(isPower ? "alibiDemo.power" : "alibiDemo.noPower", {
            heads,
            ratio: formatValue(2 ** (-8 / slopes.length)),
            power: formatNumber(2 ** Math.floor(Math.log2(slopes.length))),
          }),
        ],
        figure: table(message("alibiDemo.slopes"), slopes.map(row), names),
      },
      {
        title: message("alibiDemo.lines"),
        notes: slopes.length > MOST_LINES ? [some] : [],
        name: "lines",
        figure: curves(lines, { x: distance, y: bias }),
      },
      {
        title: message("alibiDemo.matrix", { head: formatNumber(head + 1) }),
        notes: [message(causal ? "alibiDemo.matrix.causal" : "alibiDemo.matrix.both")],
        name: `head ${head + 1}${causal ? " causal" : ""}`,
        figure: matrix({ tensor: tensorOf(seen, length), values: bias, signed: true }),
      },
    ];
  },
  file: {
    name: "alibi",
    suffix: ({ heads, length }) => `heads ${heads} tokens ${length}`,
    details: ["heads", "length"],
  },
});

/**
 * The demo of T5's buckets: the bucket of each distance, and the biases that heads add for them,
 * drawn by seed and not trained.
 */
export const buckets = demo("buckets", {
  fields: {
    buckets: number(32, "bucketsDemo.buckets", { least: 4, most: 128, step: 2, even: true }),
    maxDistance: number(128, "bucketsDemo.maxDistance", {
      least: 3,
      most: 4096,
      // Beyond the distances that have a bucket each.
      within: (of) => ({ least: of("buckets") / 2 + 1 }),
    }),
    length: number(40, "schemeDemo.tokens", { least: 2, most: 64 }),
    heads: number(8, "schemeDemo.heads", { least: 1, most: 16 }),
    head: number(0, "schemeDemo.head", { ...HEADS, most: 15 }),
    seed: number(1, "schemeDemo.seed", SEEDS),
    sides: named("bucketsDemo.sides", "bucketsDemo.sides", ["one", "both"], "both"),
  },
  listed: { title: "posDemo.buckets", place: 5 },
  paper: "bucketsDemo.paper",
  intro: "bucketsDemo.intro",
  refuse: (key, value, { maxDistance }) =>
    key === "buckets" ? refusedBuckets({ buckets: value, maxDistance }) : null,
  ask: ({ sides, ...numbers }, { core, signal }) =>
    core.ask("buckets", { ...numbers, bothSides: sides === "both" }, { signal }),
  views: (found, { buckets: count, length, heads, head, sides }) => {
    const bucket = message("bucketsDemo.bucket");
    const bias = message("schemeDemo.bias");
    const points = found.borders.map((border) => ({ x: border.distance, y: border.bucket }));
    const names = Array.from({ length: count }, (_, at) => String(at));
    return [
      {
        title: message("bucketsDemo.steps"),
        notes: [message("bucketsDemo.steps.hint")],
        name: "steps",
        figure: curves([{ name: bucket, points }], {
          stepped: true,
          x: message("bucketsDemo.distance"),
          y: bucket,
          words: (at) => formatNumber(at),
          marked: 0,
          markedAs: message("bucketsDemo.itself"),
        }),
      },
      {
        title: message("bucketsDemo.matrix"),
        notes: [message(`bucketsDemo.${sides}.hint`)],
        name: "pairs",
        figure: matrix({ tensor: tensorOf(found.matrix, length), values: bucket, counts: true }),
      },
      {
        title: message("bucketsDemo.biases"),
        notes: [message("bucketsDemo.untrained")],
        name: "biases",
        figure: matrix({
          tensor: tensorOf(found.biases, count, ["head", "bucket"]),
          values: bias,
          signed: true,
          height: 180,
          rows: { title: message("schemeDemo.head"), names: placeNames(heads) },
          columns: { title: bucket, names },
        }),
      },
      {
        title: message("bucketsDemo.bias", { head: formatNumber(head + 1) }),
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

const TERMS = ["a", "b", "c", "d", "sum"] as const;

/**
 * The demo of Transformer-XL's four terms of a score, each as a matrix beside their sum; drawn by
 * seed, untrained.
 */
export const fourTerms = demo("terms", {
  fields: {
    length: number(12, "schemeDemo.tokens", { least: 1, most: 48 }),
    dim: number(16, "fourTerms.dim", { least: 1, most: 128 }),
    seed: number(1, "schemeDemo.seed", SEEDS),
  },
  listed: { title: "posDemo.fourTerms", place: 6, name: "fourTerms" },
  paper: "fourTerms.paper",
  intro: "fourTerms.intro",
  ask: (values, { core, signal }) => core.ask("fourTerms", values, { signal }),
  /** The arithmetic of the pair under the pointer, or of the last one. */
  summary: (found, { length }, _, { pointed: { cell } }) => {
    const isWithin = cell && cell.query < length && cell.key < length;
    const last = { query: length - 1, key: Math.max(0, length - 2) };
    const { query, key } = isWithin ? cell : last;
    const at = query * length + key;
    const terms = found.terms
      .map((term) => formatSigned(term[at] ?? NaN).replace(/^([+−])/, "$1 "))
      .join(" ");
    return html`<p class="note" id="sum">
      <span data-cell="${query},${key}"
        >${message("fourTerms.pair", { query: query + 1, key: key + 1 })}
        ${terms.replace(/^\+ /, "")} = <b>${formatValue(found.scores[at] ?? NaN)}</b></span
      >
      <span class="small muted"
        >${message("fourTerms.residue", { residue: formatValue(found.residue) })}</span
      >
    </p>`;
  },
  views: ({ terms, scores }, { length }) => {
    const all = [...terms, scores];
    const beside = tensorOf(all.flat(), length);
    return TERMS.map((name, at): View => {
      const tensor = tensorOf(all[at] ?? [], length);
      const values = message(`fourTerms.${name}.short`);
      return {
        title: message(`fourTerms.${name}`),
        notes: [message(`fourTerms.${name}.hint`)],
        name,
        figure: linkedMatrix({ tensor, values, signed: true, height: 220, beside }),
      };
    });
  },
  file: {
    name: "four terms",
    suffix: ({ length, dim, seed }) => `tokens ${length} d ${dim} seed ${seed}`,
    details: ["length", "dim", "seed"],
  },
});
