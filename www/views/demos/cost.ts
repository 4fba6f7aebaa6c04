import { html, type TemplateResult } from "lit";
import type { AttentionCost, Layer } from "../../data/index.js";
import type { CurveLine } from "../../draw/charts.js";
import { largeWords, powerWords } from "../../draw/text.js";
import { formatNumber, formatPercent, message } from "../../i18n/index.js";
import type { ValuesOf } from "./fields.js";
import { curves, table } from "./figures.js";
import { demo, type View } from "./demo.js";

/** What is counted: pairs of a head, multiplications of a layer with their additions, bytes of a layer. */
type Quantity = ValuesOf<"cost">["of"];

/** The rows of the paper's Table 1, as it writes them. */
const TABLE: Readonly<
  Record<Layer["kind"], { operations: string; sequential: string; path: string }>
> = {
  attention: { operations: "n² · d", sequential: "1", path: "1" },
  recurrent: { operations: "n · d²", sequential: "n", path: "n" },
  convolutional: { operations: "k · n · d²", sequential: "1", path: "logₖ n" },
  restricted: { operations: "r · n · d", sequential: "1", path: "n ⁄ r" },
};

/** What attention costs under the rules in force, for texts of up to 100,000 tokens, beside full attention and other layers. */
export const cost = demo("cost", {
  reads: ({ run, revision, model, head, mask }) =>
    run && model && head && mask
      ? { run, revision, model, stack: head.stack, layer: head.layer, present: mask.shape[0] ?? 0 }
      : null,
  failed: "lab.failed",
  ask: (_, __, { run, stack, layer, present }) =>
    run.cost({ stack, layer, lengths: lengthsFor(present) }),
  summary: ([first], _, { subject: { model, stack, layer } }) =>
    html`<p class="small muted note">${message("cost.intro", { layer: layer + 1, heads: first?.heads ?? 0, size: model.info.stacks[stack]?.headDim ?? 0 })}</p>`,
  views: (costs, { of }, { model, stack, layer, present }) => {
    const width = (costs[0]?.heads ?? 0) * (model.info.stacks[stack]?.headDim ?? 0);
    return [
      {
        field: "of",
        heading: message("cost.title"),
        name: `cost ${of}`,
        of: { stack, layer },
        figure: curves(linesOf(costs, of), {
          x: message("cost.axis"),
          y: message(`cost.${of}`),
          scales: { x: "log", y: "log" },
          words: COST_WORDS[of],
          ...(present > 0 && { marked: present }),
          markedAs: message("cost.here"),
          marks: MARKED.map((x) => ({ x, words: formatNumber(x) })),
        }),
      },
      [countsView(costs, present), ...paperView(costs, present, width)],
    ];
  },
});

function countsView(costs: readonly AttentionCost[], present: number): View {
  const rows = listedLengths(present).flatMap(
    (tokens) => costs.find((one) => one.tokens === tokens) ?? [],
  );
  const title = message("cost.table");
  return {
    title,
    notes: rows.some(({ exact }) => !exact) ? [message("cost.estimated")] : [],
    figure: table(
      title,
      rows.map(({ tokens, heads, full, masked, exact }) => ({
        key: String(tokens),
        head: formatNumber(tokens),
        cells: [
          largeWords(full.cells / heads),
          `${exact ? "" : "≈ "}${largeWords(masked.cells / heads)}`,
          shareWords(masked.cells / full.cells),
          memoryWords(full.weightBytes / heads),
          memoryWords(masked.weightBytes / heads),
        ],
      })),
      (["tokens", "allPairs", "openPairs", "share", "headMemory", "openMemory"] as const).map(
        (column) => message(`cost.${column}`),
      ),
    ),
  };
}

/** Table 1 of the paper with its numbers for the text on the page. */
function paperView(costs: readonly AttentionCost[], present: number, width: number): View[] {
  const here = costs.find(({ tokens }) => tokens === present);
  if (!here) return [];
  const cell = (written: string, value: number): TemplateResult =>
    html`<span class="muted">${written === "1" ? "" : `${written} = `}</span>${largeWords(value)}`;
  const neighbours = formatNumber(here.masked.cells / here.heads / here.tokens, 1);
  return [
    {
      title: message("cost.paper", {
        tokens: formatNumber(here.tokens),
        size: formatNumber(width),
      }),
      notes: [message("cost.paperNote", { neighbours })],
      figure: table(
        message("cost.layers"),
        here.layers.map((layer) => ({
          key: layer.kind,
          head: message(`cost.kind.${layer.kind}`),
          cells: (["operations", "sequential", "path"] as const).map((one) =>
            cell(TABLE[layer.kind][one], layer[one]),
          ),
        })),
        (["layer", "perLayer", "sequential", "path"] as const).map((one) => message(`cost.${one}`)),
      ),
    },
  ];
}

/** A share of which something is left to be read however small it is. */
function shareWords(share: number): string {
  return formatPercent(share, share > 0 && share < 0.001 ? 4 : 1);
}

/** Lengths that the page marks: 16.8 million cells, 64 MiB a head, which is named first where there is little room; a million pairs; and ten times as many tokens. */
export const MARKED = [4096, 1000, 10_000] as const;
const BETWEEN = [10, 20, 50, 100, 200, 500, 2000, 20_000, 50_000, 100_000];

/** The lengths that are counted, the present text's among them. */
export function lengthsFor(present: number): number[] {
  const own = present >= 1 && present <= 100_000 ? [present] : [];
  return [...new Set([...BETWEEN, ...MARKED, ...own])].sort((one, other) => one - other);
}

export function listedLengths(present: number): number[] {
  return [...new Set([...(present > 0 ? [present] : []), ...MARKED, 100_000])].sort(
    (one, other) => one - other,
  );
}

const LINES = ["full", "masked", "recurrent", "convolutional", "vectors"] as const;
type LineName = (typeof LINES)[number];

/** The lines of a quantity: with every pair, with the rules in force, and what else grows with the length. */
export function linesOf(costs: readonly AttentionCost[], quantity: Quantity): CurveLine[] {
  const layer =
    (kind: Layer["kind"]) =>
    (cost: AttentionCost): number =>
      cost.layers.find((one) => one.kind === kind)?.operations ?? NaN;
  const lines: Readonly<
    Record<Quantity, Partial<Record<LineName, (cost: AttentionCost) => number>>>
  > = {
    pairs: {
      full: ({ full, heads }) => full.cells / heads,
      masked: ({ masked, heads }) => masked.cells / heads,
    },
    operations: {
      full: ({ full }) => full.multiplyAdds,
      masked: ({ masked }) => masked.multiplyAdds,
      recurrent: layer("recurrent"),
      convolutional: layer("convolutional"),
    },
    memory: {
      full: ({ full }) => full.weightBytes,
      masked: ({ masked }) => masked.weightBytes,
      vectors: ({ full }) => full.vectorBytes,
    },
  };
  return LINES.flatMap((name) => {
    const value = lines[quantity][name];
    if (!value) return [];
    const points = costs.map((cost) => ({ x: cost.tokens, y: value(cost) }));
    const tone = name === "full" ? "ink" : name === "masked" ? "accent" : "quiet";
    return [{ name: message(`cost.line.${name}`), tone, points }];
  });
}

const BINARY = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Bytes by powers of 1024, as memory is counted. */
function memoryWords(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(BINARY.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${formatNumber(bytes / 1024 ** power, power === 0 ? 0 : 1)} ${BINARY[power]}`;
}

/** A count; powers of ten, which stand at the axis, as such. */
function countWords(value: number): string {
  return value >= 10 && Math.abs(Math.log10(value) % 1) < 1e-9
    ? powerWords(value)
    : largeWords(value);
}

const COST_WORDS: Readonly<Record<Quantity, (value: number) => string>> = {
  pairs: countWords,
  operations: countWords,
  memory: memoryWords,
};
