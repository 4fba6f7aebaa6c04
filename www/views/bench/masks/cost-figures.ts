import type { AttentionCost } from "../../../data/index.js";
import type { CurveLine } from "../../../draw/curves.js";
import { largeWords, powerWords } from "../../../draw/large.js";
import { formatNumber, message } from "../../../i18n/index.js";
import type { QUANTITIES } from "../lab-table.js";

/** What is counted: pairs of a head, multiplications of a layer with their additions, bytes of a layer. */
export type Quantity = (typeof QUANTITIES)[number];

/** Lengths that the page marks: 16.8 million cells, 64 MiB a head, which is named first where there is little room; a million pairs; and ten times as many tokens. */
export const MARKED = [4096, 1000, 10_000] as const;
const BETWEEN = [10, 20, 50, 100, 200, 500, 2000, 20_000, 50_000, 100_000];

/** The lengths that are counted, the present text's among them. */
export function lengthsFor(present: number): number[] {
  const own = present >= 1 && present <= 100_000 ? [present] : [];
  return [...new Set([...BETWEEN, ...MARKED, ...own])].sort((one, other) => one - other);
}

/** The lengths of the table's rows. */
export function listedLengths(present: number): number[] {
  return [...new Set([...(present > 0 ? [present] : []), ...MARKED, 100_000])].sort(
    (one, other) => one - other,
  );
}

type LineName = "full" | "masked" | "vectors" | "recurrent" | "convolutional";

/** The lines of a quantity: with every pair, with the rules in force, and what else grows with the length. */
export function linesOf(costs: readonly AttentionCost[], quantity: Quantity): CurveLine[] {
  const line = (name: LineName, value: (cost: AttentionCost) => number): CurveLine => ({
    name: message(`cost.line.${name}`),
    tone: name === "full" ? "ink" : name === "masked" ? "accent" : "quiet",
    points: costs.map((cost) => ({ x: cost.tokens, y: value(cost) })),
  });
  const layer =
    (kind: "recurrent" | "convolutional") =>
    (cost: AttentionCost): number =>
      cost.layers.find((one) => one.kind === kind)?.operations ?? NaN;
  switch (quantity) {
    case "pairs":
      return [
        line("full", ({ full, heads }) => full.cells / heads),
        line("masked", ({ masked, heads }) => masked.cells / heads),
      ];
    case "operations":
      return [
        line("full", ({ full }) => full.multiplyAdds),
        line("masked", ({ masked }) => masked.multiplyAdds),
        line("recurrent", layer("recurrent")),
        line("convolutional", layer("convolutional")),
      ];
    case "memory":
      return [
        line("full", ({ full }) => full.weightBytes),
        line("masked", ({ masked }) => masked.weightBytes),
        line("vectors", ({ full }) => full.vectorBytes),
      ];
  }
}

const BINARY = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Bytes by powers of 1024, as memory is counted. */
export function memoryWords(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(BINARY.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${formatNumber(bytes / 1024 ** power, power === 0 ? 0 : 1)} ${BINARY[power]}`;
}

/** A count; powers of ten, which stand at the axis, as such. */
function countWords(value: number): string {
  return value >= 10 && Math.abs(Math.log10(value) % 1) < 1e-9
    ? powerWords(value)
    : largeWords(value);
}

/** How the numbers of a quantity read. */
export const COST_WORDS: Readonly<Record<Quantity, { y: (value: number) => string }>> = {
  pairs: { y: countWords },
  operations: { y: countWords },
  memory: { y: memoryWords },
};
