import { html } from "lit";
import type { AttentionCost, Layer } from "../../../data/index.js";
import type { CurveLine } from "../../../draw/charts.js";
import { largeWords } from "../../../draw/number-words.js";
import { powerWords } from "../../../draw/ticks.js";
import { equals } from "../../../data/equal.js";
import { formatNumber, formatPercent, message } from "../../../i18n/index.js";
import { curves, demo, table, type View } from "../demo.js";
import { IN_VIEW, named } from "../../../kit/fields.js";

const LAYER_COSTS = ["operations", "sequential", "path"] as const;
/**
 * The rows of the paper's Table 1: operations, sequential operations and path length, in the
 * paper's notation.
 */
const TABLE: Readonly<Record<Layer["kind"], Record<(typeof LAYER_COSTS)[number], string>>> = {
  attention: { operations: "n² · d", sequential: "1", path: "1" },
  recurrent: { operations: "n · d²", sequential: "n", path: "n" },
  convolutional: { operations: "k · n · d²", sequential: "1", path: "logₖ n" },
  restricted: { operations: "r · n · d", sequential: "1", path: "n ⁄ r" },
};

/**
 * The lengths that the chart marks: 16.8 million cells, 64 MiB a head, which is named first if
 * there is little room; a million pairs; and ten times as many tokens.
 */
const MARKED = [4096, 1000, 10_000];
const MOST = 100_000;
const BETWEEN = [10, 20, 50, 100, 200, 500, 2000, 20_000, 50_000];

/**
 * The demo of cost: attention under the active rules, for texts of up to 100,000 tokens, beside
 * full attention and other layer types.
 */
export const cost = demo("cost", {
  fields: {
    of: named("cost", "cost.quantity", ["pairs", "operations", "memory"], "pairs", IN_VIEW),
  },
  listed: { title: "cost.title", place: 2 },
  reads: ({ run, revision, model, head, mask }) =>
    run && model && head && mask
      ? {
          run,
          revision,
          model,
          stack: head.stack,
          layer: head.layer,
          present: mask.shape[0] ?? 0,
        }
      : null,
  failed: "demo.failed",
  ask: (_, __, { run, stack, layer, present }) => {
    const lengths = increasing([...BETWEEN, ...MARKED, MOST, Math.min(present, MOST)]);
    return run.cost({ stack, layer, lengths });
  },
  summary: ([first], _, { model, stack, layer }) =>
    html`<p class="small muted note">
      ${message("cost.intro", {
        layer: layer + 1,
        heads: first?.heads ?? 0,
        size: model.info.stacks[stack]?.headDim ?? 0,
      })}
    </p>`,
  views: (costs, { of }, { model, stack, layer, present }) => {
    const width = (costs[0]?.heads ?? 0) * (model.info.stacks[stack]?.headDim ?? 0);
    const listed = increasing([present, ...MARKED, MOST]);
    const rows = listed.flatMap((tokens) => costs.find((one) => one.tokens === tokens) ?? []);
    const here = rows.find(({ tokens }) => tokens === present);
    const columns = ["allPairs", "openPairs", "share", "headMemory", "openMemory"] as const;
    const counted = rows.map(({ tokens, heads, full, masked, exact }) => ({
      key: String(tokens),
      head: formatNumber(tokens),
      cells: [
        largeWords(full.cells / heads),
        `${exact ? "" : "≈ "}${largeWords(masked.cells / heads)}`,
        shareWords(masked.cells / full.cells),
        memoryWords(full.weightBytes / heads),
        memoryWords(masked.weightBytes / heads),
      ],
    }));
    const names = (["tokens", ...columns] as const).map((column) => message(`cost.${column}`));
    const counts: View = {
      title: message("cost.table"),
      notes: rows.some(({ exact }) => !exact) ? [message("cost.estimated")] : [],
      figure: table(message("cost.table"), counted, names),
    };
    return [
      {
        field: "of",
        name: `cost ${of}`,
        of: { stack, layer },
        figure: curves(linesOf(costs, of), {
          x: message("cost.axis"),
          y: message(`cost.${of}`),
          scales: { x: "log", y: "log" },
          words: of === "memory" ? memoryWords : countWords,
          ...(present > 0 && { marked: present }),
          markedAs: message("cost.here"),
          marks: MARKED.map((x) => ({ x, words: formatNumber(x) })),
        }),
      },
      [counts, ...(here ? [paperView(here, width)] : [])],
    ];
  },
});

/** The lengths of texts in increasing order, without repetition. */
function increasing(lengths: readonly number[]): number[] {
  const own = lengths.filter((length) => length > 0);
  return [...new Set(own)].sort((one, other) => one - other);
}

/** Table 1 of the paper, with its numbers for the text on the page. */
function paperView({ tokens, heads, masked, layers }: AttentionCost, width: number): View {
  const neighbours = formatNumber(masked.cells / heads / tokens, 1);
  const columns = ["layer", "perLayer", "sequential", "path"] as const;
  const rows = layers.map((layer) => {
    const cells = LAYER_COSTS.map((one) => {
      const written = TABLE[layer.kind][one];
      return html`<span class="muted">${written === "1" ? "" : `${written} = `}</span
        >${largeWords(layer[one])}`;
    });
    return { key: layer.kind, head: message(`cost.kind.${layer.kind}`), cells };
  });
  const names = columns.map((one) => message(`cost.${one}`));
  return {
    title: message("cost.paper", { tokens: formatNumber(tokens), size: formatNumber(width) }),
    notes: [message("cost.paperNote", { neighbours })],
    figure: table(message("cost.layers"), rows, names),
  };
}

const LINES = ["full", "masked", "recurrent", "convolutional", "vectors"] as const;
type Counts = Partial<Record<(typeof LINES)[number], number | undefined>>;

/**
 * The counts with every pair, with the active rules, and of what else grows with the length: of a
 * head, then of a layer, in multiplications with their additions and in bytes.
 */
const COUNTS = {
  pairs: ({ full, masked, heads }: AttentionCost): Counts => {
    return { full: full.cells / heads, masked: masked.cells / heads };
  },
  operations: ({ full, masked, layers }: AttentionCost): Counts => {
    const others = layers.map(({ kind, operations }) => [kind, operations] as const);
    const { recurrent, convolutional } = Object.fromEntries(others);
    return { full: full.multiplyAdds, masked: masked.multiplyAdds, recurrent, convolutional };
  },
  memory: ({ full, masked }: AttentionCost): Counts => {
    return { full: full.weightBytes, masked: masked.weightBytes, vectors: full.vectorBytes };
  },
};

export function linesOf(costs: readonly AttentionCost[], of: keyof typeof COUNTS): CurveLine[] {
  const pointsOf = (line: (typeof LINES)[number]): CurveLine["points"] =>
    costs.map((one) => ({ x: one.tokens, y: COUNTS[of](one)[line] ?? NaN }));
  return LINES.flatMap((line) => {
    const points = pointsOf(line);
    const isCounted = points.some(({ y }) => !Number.isNaN(y));
    const tone = line === "full" ? "ink" : line === "masked" ? "accent" : "quiet";
    // Without a mask two lines would lie on each other.
    const isDouble = line === "masked" && equals(points, pointsOf("full"));
    return isCounted && !isDouble ? [{ name: message(`cost.line.${line}`), tone, points }] : [];
  });
}

/** A share with enough decimals to be legible however small it is. */
function shareWords(share: number): string {
  return formatPercent(share, share > 0 && share < 0.001 ? 4 : 1);
}

/** Bytes in powers of 1024, as memory is counted. */
function memoryWords(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const unit = ["B", "KiB", "MiB", "GiB", "TiB"][power];
  return `${formatNumber(bytes / 1024 ** power, power === 0 ? 0 : 1)} ${unit}`;
}

/** A count as text; a power of ten, at the axis, as a power. */
function countWords(value: number): string {
  const isPower = value >= 10 && Math.abs(Math.log10(value) % 1) < 1e-9;
  return isPower ? powerWords(value) : largeWords(value);
}
