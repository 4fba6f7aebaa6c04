import { html, mathml, nothing, type MathMLTemplateResult, type TemplateResult } from "lit";
import type { CellOperation, Explanation, MadePart, Step } from "../../data/index.js";
import type { StepCell, TermSource, Weight } from "../../data/index.js";
import { message, type MessageKey } from "../../i18n/index.js";
import symbols from "./symbols.json" with { type: "json" };

const PATTERNS: readonly Step[] = ["raw", "scores", "masked", "weights"];
const OF_KEYS: readonly Step[] = ["key", "key-normed", "key-rotated", "value", "memory"];
const CHANGED: readonly Step[] = ["query-normed", "key-normed", "query-rotated", "key-rotated"];
const BANDED: readonly Step[] = ["query", "key", "value", ...CHANGED, "context"];
/** Whether the columns of a matrix are keys, not dimensions. */
export const isPattern = (step: Step): boolean => PATTERNS.includes(step);
/** Whether the rows of a matrix are keys. */
export const isOfKeys = (step: Step): boolean => OF_KEYS.includes(step);
/** Whether the columns of a matrix belong to heads. */
export const isBanded = (step: Step): boolean => BANDED.includes(step);
/**
 * The symbol of a step, and the operation that leads to it (an index follows an underscore); for a
 * map, the symbol of its input and the index of its weight.
 */
const SYMBOLS: Readonly<Record<Step, { symbol: string; operation: string; mapped?: string[] }>> =
  symbols.steps;

export interface StepMaking {
  /** Whether the model has token types. */
  typed: boolean;
  /** Steps that an edit computes by another formula than their own. */
  unusual: readonly Step[];
}

export interface StepLabels extends StepMaking {
  queries: readonly string[];
  keys: readonly string[];
}

const LETTERS: Partial<Readonly<Record<Step, string>>> = { raw: "S₀", scores: "S" };

export function symbolOf(step: Step, { typed, unusual }: StepMaking): string {
  if (step === "embedded" && typed) return "E + P + T";
  return (unusual.includes(step) ? LETTERS[step] : undefined) ?? SYMBOLS[step].symbol;
}

/**
 * The operation that leads to a step; empty if an edit replaces it. A mask is added in any case.
 */
export function operationOf(step: Step, { unusual }: StepMaking): string {
  return step !== "masked" && unusual.includes(step) ? "" : SYMBOLS[step].operation;
}

export function stepName(step: Step, { typed, unusual }: StepMaking): string {
  const key: MessageKey =
    step === "embedded" && typed
      ? "step.embedded.typed"
      : (step === "raw" || step === "scores") && unusual.includes(step)
        ? `stage.${step}`
        : `step.${step}`;
  return message(key);
}

export function stepWords(step: Step, made: StepMaking): string {
  return `${symbolOf(step, made)} · ${stepName(step, made)}`;
}

/** The name of a cell: its token, and its column or key. */
export function cellWords({ step, row, column }: StepCell, labels: StepLabels): string {
  const { queries, keys } = labels;
  const symbol = symbolOf(step, labels);
  const token = (isOfKeys(step) ? keys : queries)[row] ?? String(row + 1);
  return isPattern(step)
    ? message("sum.pair", { step: symbol, query: token, key: keys[column] ?? String(column + 1) })
    : message("sum.place", { step: symbol, token, column: column + 1 });
}

export const WEIGHTS: Readonly<Record<Weight, string>> = symbols.weights;

const mapped = (x: string, index: string, biased: boolean): TemplateResult => {
  const bias = mathml`<mo>+</mo><msub><mi>b</mi><mi>${index}</mi></msub>`;
  return html`<math
    ><mrow
      ><munder><mo>∑</mo><mi>i</mi></munder
      ><msub><mi>${x}</mi><mi>i</mi></msub
      ><msub
        ><mi>W</mi><mrow><mi>${index}</mi><mo>,</mo><mi>i</mi></mrow></msub
      >${biased ? bias : nothing}</mrow
    ></math
  >`;
};

const MULTIPLIED: Partial<Readonly<Record<Step, TemplateResult>>> = {
  raw: html`<math
    ><mrow
      ><munder><mo>∑</mo><mi>i</mi></munder
      ><msub><mi>q</mi><mi>i</mi></msub
      ><msub><mi>k</mi><mi>i</mi></msub></mrow
    ></math
  >`,
  "ff-gated": html`<math
    ><mrow><mi>φ</mi><mo>(</mo><mi>h</mi><mo>)</mo><mo>·</mo><mi>g</mi></mrow></math
  >`,
  context: html`<math
    ><mrow
      ><mi>g</mi><munder><mo>∑</mo><mi>j</mi></munder
      ><msub><mi>a</mi><mi>j</mi></msub
      ><msub><mi>v</mi><mi>j</mi></msub></mrow
    ></math
  >`,
};

/** The features that attention variants compute from queries and keys. */
export const FEATURES: Readonly<Record<MadePart, string>> = symbols.features;

/**
 * The formula of a sum of products of features; null if queries and keys are multiplied directly.
 */
function featureFormula(lines: Explanation["lines"]): TemplateResult | null {
  const isFeature = lines.some(({ source }) => source.kind === "made");
  const factor = ({ source }: Explanation["lines"][number]): MathMLTemplateResult =>
    mathml`<msub><mi>${source.kind === "made" ? FEATURES[source.part] : "q"}</mi><mi>i</mi></msub>`;
  return isFeature
    ? html`<math
        ><mrow
          ><munder><mo>∑</mo><mi>i</mi></munder
          >${lines.map(factor)}</mrow
        ></math
      >`
    : null;
}

const FORMULAS: Readonly<
  Record<
    Exclude<CellOperation["kind"], "product" | "same" | "nearby" | "patched" | "embedding">,
    TemplateResult
  >
> = {
  logarithm: html`<math
    ><mrow
      ><mi>ln</mi><mo>∑</mo><mi>φ</mi><mo>(</mo><mi>q</mi><mo>)</mo><mi>φ</mi><mo>(</mo><mi>k</mi
      ><mo>)</mo></mrow
    ></math
  >`,
  softCap: html`<math
    ><mrow
      ><mi>c</mi><mo>·</mo><mi>tanh</mi><mo>(</mo><mi>f</mi><mi>a</mi><mo>/</mo><mi>c</mi
      ><mo>)</mo></mrow
    ></math
  >`,
  shared: html`<math
    ><mrow
      ><mi>f</mi><mi>q</mi><mo>·</mo><mover><mi>k</mi><mo>‾</mo></mover
      ><mo>−</mo><mi>ln</mi><mi>n</mi></mrow
    ></math
  >`,
  scale: html`<math
    ><mrow
      ><mi>q</mi><mo>·</mo><mi>k</mi><mo>/</mo
      ><msqrt
        ><msub><mi>d</mi><mi>h</mi></msub></msqrt
      ></mrow
    ></math
  >`,
  mask: html`<math
    ><mrow><mi>s</mi><mo>+</mo><mi>m</mi></mrow></math
  >`,
  softmax: html`<math
    ><mfrac
      ><msup
        ><mi>e</mi><mrow><mi>s</mi><mo>−</mo><mi>max</mi></mrow></msup
      ><mrow
        ><munder><mo>∑</mo><mi>j</mi></munder
        ><msup
          ><mi>e</mi
          ><mrow
            ><msub><mi>s</mi><mi>j</mi></msub
            ><mo>−</mo><mi>max</mi></mrow
          ></msup
        ></mrow
      ></mfrac
    ></math
  >`,
  given: html`<math
    ><mfrac
      ><mi>p</mi
      ><mrow
        ><munder><mo>∑</mo><mi>j</mi></munder
        ><msub><mi>p</mi><mi>j</mi></msub></mrow
      ></mfrac
    ></math
  >`,
  add: html`<math
    ><mrow><mi>x</mi><mo>+</mo><mi>f</mi><mo>(</mo><mi>x</mi><mo>)</mo></mrow></math
  >`,
  norm: html`<math
    ><mrow
      ><mfrac
        ><mrow><mi>x</mi><mo>−</mo><mi>μ</mi></mrow
        ><msqrt
          ><mrow
            ><msup><mi>σ</mi><mn>2</mn></msup
            ><mo>+</mo><mi>ε</mi></mrow
          ></msqrt
        ></mfrac
      ><mi>γ</mi><mo>+</mo><mi>β</mi></mrow
    ></math
  >`,
  rmsNorm: html`<math
    ><mrow
      ><mfrac
        ><mi>x</mi
        ><msqrt
          ><mrow
            ><mover
              ><msup><mi>x</mi><mn>2</mn></msup
              ><mo>‾</mo></mover
            ><mo>+</mo><mi>ε</mi></mrow
          ></msqrt
        ></mfrac
      ><mi>γ</mi></mrow
    ></math
  >`,
  rotation: html`<math
    ><mrow
      ><msub><mi>x</mi><mi>i</mi></msub
      ><mi>cos</mi><mi>θ</mi><mo>±</mo><msub><mi>x</mi><mi>j</mi></msub
      ><mi>sin</mi><mi>θ</mi></mrow
    ></math
  >`,
  activation: html`<math
    ><mrow><mi>φ</mi><mo>(</mo><mi>h</mi><mo>)</mo></mrow></math
  >`,
};

const entry = (table: string, at: string): MathMLTemplateResult =>
  mathml`<mi>${table}</mi><mo>[</mo><mi>${at}</mi><mo>]</mo>`;

const TABLES: Partial<Readonly<Record<TermSource["kind"], MathMLTemplateResult>>> = {
  token: entry("E", "id"),
  position: entry("P", "p"),
  tokenType: entry("T", "t"),
};

function embeddingFormula(scale: number, lines: Explanation["lines"]): TemplateResult {
  const tables = lines.flatMap(({ source: { kind } }) => TABLES[kind] ?? []);
  return html`<math
    ><mrow
      >${scale === 1 ? nothing : mathml`<mi>s</mi>`}${tables.map((table, at) =>
        at === 0 ? table : mathml`<mo>+</mo>${table}`,
      )}</mrow
    ></math
  >`;
}

/** The formula of the cells of a step; null if the step copies another. */
export function formulaOf(
  step: Step,
  { operation, lines }: Pick<Explanation, "operation" | "lines">,
): TemplateResult | null {
  switch (operation.kind) {
    case "same":
    case "nearby":
    case "patched":
      return null;
    case "product": {
      const [x, index] = SYMBOLS[step].mapped ?? [];
      return x === undefined || index === undefined
        ? (featureFormula(lines) ?? MULTIPLIED[step] ?? null)
        : mapped(x, index, operation.bias !== null);
    }
    case "embedding":
      return embeddingFormula(operation.scale, lines);
    default:
      return FORMULAS[operation.kind];
  }
}
