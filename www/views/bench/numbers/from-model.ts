import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import {
  type Explanation,
  type HeadRef,
  LARGEST_SIDE,
  type Step,
  type Tensor,
  type Workbench,
} from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import { tokenLabels } from "../../../elements/shared/templates.js";
import { message } from "../../../i18n/index.js";
import { equals } from "../../../signals.js";
import { LONGEST_WORD, sized, type MatrixInputs, type Rows } from "../../../state/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { isExpected } from "../../run/failures.js";
import type { HeadFigures } from "../../run/figures.js";
import { renderCoded } from "../failures.js";
import type { Refusal } from "../form.js";
import { refusalOf } from "./words.js";

/*
 * A head of the loaded model as inputs of the calculator: its tokens, the input of its projections as X, its own columns of
 * W_Q, W_K and W_V, its mask and its divisor, read of the steps of its block and of the sums behind them. Biases become one
 * more row of each matrix, and X a column of ones. Of cross-attention both texts are rows of X, and the mask lets the
 * queries' rows attend to the keys' alone.
 *
 * Where one matrix cannot express the projection (rotary positions rotate each token by its own position) or X has more
 * columns than the calculator, X is the head's own queries, keys and values side by side, and each matrix selects its part.
 */

/** Tokens of a text at most, twice in cross-attention: a picture in which each can still be named. */
export const MOST_TOKENS = 64;
/** Digits that tell any two f32 apart. */
const DIGITS = 9;
/** Weights that are this near are the same: the model computes in f32. */
const SAME = 1e-5;
const PARTS = ["query", "key", "value"] as const;
type Part = (typeof PARTS)[number];

/** X and the three matrices. */
interface Source extends Pick<MatrixInputs, "x" | Part> {
  biased: boolean;
  /** Why X is queries, keys and values and not the input of the projections; null where it is that. */
  direct: "rotary" | "wide" | null;
  width: number;
}

export interface ReadHead extends Pick<Source, "biased" | "direct" | "width"> {
  head: HeadRef;
  inputs: MatrixInputs;
  /** The model's own weights between these tokens: over the keys that were read, as softmax over them alone gives. */
  weights: Rows;
  /** The column of the calculator's weights at which they begin. */
  firstKey: number;
  tokens: number;
}

/** How many columns the queries, keys and values of a head have side by side, which are more than the calculator's. */
export interface TooWide {
  tooWide: number;
}

export async function readHeadInputs(figures: HeadFigures): Promise<ReadHead | TooWide> {
  const { run, head, stages, mask, queries, keys } = figures;
  const height = Math.min(queries.length, MOST_TOKENS);
  const across = Math.min(keys.length, MOST_TOKENS);
  const crossed = head.stack === "cross";
  const steps = await run.steps(head);
  const stepOf = (wanted: Step): Tensor | undefined =>
    steps.find(({ step }) => step === wanted)?.tensor;
  // A score tells which columns of queries and keys are this head's; heads may share those of keys, and values go with them.
  const score = await run.explain({ ...head, step: "raw", row: 0, column: 0 });
  const [queried, keyed] = score.lines;
  if (queried?.source.kind !== "step" || keyed?.source.kind !== "step")
    throw new Error("a score of no queries and keys");
  const count = queried.values.length;
  const [ofQueries, ofKeys] = [queried.source.column, keyed.source.column];
  const first: Record<Part, number> = { query: ofQueries, key: ofKeys, value: ofKeys };

  /** The input of the projections and the maps, or why they cannot be used. */
  const projected = async (): Promise<Source | Pick<Source, "direct" | "width">> => {
    const read = (part: Part, columns: number): Promise<Projection> =>
      readProjection(columns, (column) =>
        run.explain({ ...head, step: part, row: 0, column: first[part] + column }),
      );
    // One column tells how wide the model is, before all of them are asked for.
    const one = await read("query", 1);
    const width = one.rows.length;
    if (stepOf("query-rotated")) return { direct: "rotary", width };
    if (width + (one.bias ? 1 : 0) > LARGEST_SIDE) return { direct: "wide", width };
    const [query, key, value] = await Promise.all([
      read("query", count),
      read("key", count),
      read("value", count),
    ]);
    const biased = [query, key, value].some(({ bias }) => bias !== null);
    if (width + (biased ? 1 : 0) > LARGEST_SIDE) return { direct: "wide", width };
    const x = [
      ...rowsOf(present(stepOf(query.from)), height),
      ...(crossed ? rowsOf(present(stepOf(key.from)), across) : []),
    ];
    const withBias = ({ rows, bias }: Projection): Rows =>
      biased ? [...rows, bias ?? new Array<number>(count).fill(0)] : rows;
    return {
      x: biased ? x.map((row) => [...row, 1]) : x,
      query: withBias(query),
      key: withBias(key),
      value: withBias(value),
      biased,
      direct: null,
      width,
    };
  };

  /** X as the head's queries, keys and values side by side; of cross-attention each text has its own of them. */
  const sideBySide = (why: Pick<Source, "direct" | "width">): Source => {
    const [query, key, value] = PARTS.map((part) =>
      rowsOf(
        present((part === "value" ? undefined : stepOf(`${part}-rotated`)) ?? stepOf(part)),
        part === "query" ? height : across,
      ).map((row) => row.slice(first[part], first[part] + count)),
    ) as [number[][], number[][], number[][]];
    const none = new Array<number>(count).fill(0);
    const x = crossed
      ? [
          ...query.map((row) => [...row, ...none, ...none]),
          ...key.map((row, at) => [...none, ...row, ...(value[at] ?? none)]),
        ]
      : query.map((row, at) => [...row, ...(key[at] ?? none), ...(value[at] ?? none)]);
    const selecting = (at: number): Rows =>
      sized(PARTS.length * count, count, (row, column) => (row === at * count + column ? 1 : 0));
    const maps = { query: selecting(0), key: selecting(1), value: selecting(2) };
    return { x, ...maps, biased: false, ...why };
  };

  const found = await projected();
  if (!("x" in found) && PARTS.length * count > LARGEST_SIDE)
    return { tooWide: PARTS.length * count };
  const { biased, direct, width, ...matrices } = "x" in found ? found : sideBySide(found);
  const scale = await run.explain({ ...head, step: "scores", row: 0, column: 0 });
  const firstKey = crossed ? height : 0;
  const own = rowsOf(mask, height, across);
  const weights = rowsOf(stages.weights, height, across);
  const tokens = [...queries.slice(0, height), ...(crossed ? keys.slice(0, across) : [])];
  return {
    head,
    inputs: {
      ...matrices,
      words: tokenLabels(tokens).map((word) => word.slice(0, LONGEST_WORD)),
      output: null,
      mask: crossed
        ? sized(
            tokens.length,
            tokens.length,
            (row, column) => own[row]?.[column - firstKey] ?? -Infinity,
          )
        : own,
      heads: 1,
      divisor: divisorOf(scale, count),
    },
    weights: keys.length > across ? weights.map(sharesOf) : weights,
    firstKey,
    tokens: Math.max(queries.length, keys.length),
    biased,
    direct,
    width,
  };
}

/** The largest difference between the calculator's weights and the model's. */
export function residueOf(
  { weights, firstKey }: Pick<ReadHead, "weights" | "firstKey">,
  worked: Rows,
): number {
  return Math.max(
    0,
    ...weights.flatMap((row, at) =>
      row.map((weight, column) => Math.abs(weight - (worked[at]?.[firstKey + column] ?? NaN))),
    ),
  );
}

interface Projection {
  from: Step;
  /** `[input, column]`. */
  rows: number[][];
  /** One for each column, or none. */
  bias: number[] | null;
}

/** A head's columns of a matrix, each read as what a number of the first token is a sum of. */
async function readProjection(
  width: number,
  explain: (column: number) => Promise<Explanation>,
): Promise<Projection> {
  const columns = await Promise.all(Array.from({ length: width }, (_, column) => explain(column)));
  const all = columns.map(({ operation, lines }) => {
    const trained = lines.find(({ source }) => source.kind === "weight");
    const source = lines.find((line) => line.source.kind === "step")?.source;
    if (operation.kind !== "product" || !trained || source?.kind !== "step")
      throw new Error("a projection that is no product");
    const { factor, bias } = operation;
    return {
      from: source.step,
      values: Array.from(trained.values, (value) => shortest(value * factor)),
      bias,
    };
  });
  return {
    from: all[0]?.from ?? "input",
    rows: Array.from(all[0]?.values ?? [], (_, row) => all.map(({ values }) => values[row] ?? 0)),
    bias: all.some(({ bias }) => bias) ? all.map(({ bias }) => shortest(bias ?? 0)) : null,
  };
}

function divisorOf({ operation }: Explanation, width: number): MatrixInputs["divisor"] {
  const divisor = operation.kind === "scale" ? shortest(1 / operation.factor) : NaN;
  return !(divisor > 0) || Math.abs(divisor - Math.sqrt(width)) < 1e-5 * divisor ? "root" : divisor;
}

/** A row as shares of its sum: the weights over these keys alone. */
function sharesOf(row: readonly number[]): number[] {
  const sum = row.reduce((all, weight) => all + weight, 0);
  return row.map((weight) => (sum > 0 ? weight / sum : 0));
}

function present(tensor: Tensor | undefined): Tensor {
  if (!tensor) throw new Error("a block without one of its steps");
  return tensor;
}

function rowsOf({ data, shape: [, whole = 0] }: Tensor, count: number, width = whole): number[][] {
  return Array.from({ length: count }, (_, row) =>
    Array.from(data.subarray(row * whole, row * whole + width), shortest),
  );
}

/** The shortest number that is still the same f32; -∞ stays. */
function shortest(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** Puts the displayed head into the calculator, and tells whether its weights are the model's own. */
@customElement("headscope-from-model")
export class HeadscopeFromModel extends PagePart {
  static override styles = css`
    button {
      color: var(--_accent);
    }
  `;

  /** The displayed head; null while nothing was read of one. */
  @property({ attribute: false }) figures: HeadFigures | null = null;
  /** The inputs of the calculator, and what came out of them. */
  @property({ attribute: false }) numbers: MatrixInputs | null = null;
  @property({ attribute: false }) worked: Workbench | null = null;
  /** Whether the model runs with edits, which may be why its weights are others. */
  @property({ type: Boolean }) edited = false;
  @property({ attribute: false }) put: (inputs: MatrixInputs) => void = () => undefined;

  @state() private read: ReadHead | null = null;
  @state() private refusal: Refusal | null = null;
  @state() private busy = false;

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const before = changed.get("figures") as HeadFigures | null | undefined;
    if (changed.has("figures") && !isSame(before ?? null, this.figures)) this.refusal = null;
  }

  override render(): TemplateResult | typeof nothing {
    const { figures, read, refusal } = this;
    const at = figures?.head ?? read?.head;
    if (!at) return nothing;
    const { stack, layer, head } = at;
    const name = message("edits.head", {
      stack: message(`stack.${stack}`),
      layer: layer + 1,
      head: head + 1,
    });
    return html`<button id="read" ?disabled=${!figures} aria-disabled=${this.busy} @click=${this.readHead}>${message("numbers.use", { head: name })}</button>
      <div class="small" role="status">
        ${refusal ? html`<p>${renderCoded(refusal)}</p>` : nothing}
        ${read?.inputs === this.numbers ? this.renderRead(read) : nothing}
      </div>`;
  }

  private renderRead(read: ReadHead): TemplateResult {
    const { worked, edited } = this;
    const residue = worked ? residueOf(read, worked.heads[0]?.weights ?? []) : null;
    const parts = [
      message(read.direct ? `numbers.used.${read.direct}` : "numbers.used.what", {
        width: read.width,
      }),
      ...(read.biased ? [message("numbers.used.bias")] : []),
      ...(read.firstKey > 0 ? [message("numbers.used.crossed")] : []),
      ...(read.tokens > MOST_TOKENS
        ? [message("numbers.used.part", { most: MOST_TOKENS, tokens: read.tokens })]
        : []),
    ];
    return html`<p class="muted">${parts.join(" ")}</p>
      ${residue === null ? nothing : html`<p data-residue=${residue}>${message(residue <= SAME ? "numbers.used.same" : edited ? "numbers.used.edited" : "numbers.used.other", { residue: formatValue(residue) })}</p>`}`;
  }

  private readonly readHead = async (): Promise<void> => {
    const { figures } = this;
    if (!figures || this.busy) return;
    this.busy = true;
    this.refusal = null;
    try {
      const found = await readHeadInputs(figures);
      if (!isSame(this.figures, figures) || !this.isConnected) return;
      if ("tooWide" in found)
        this.refusal = {
          sentence: message("numbers.use.wide", { width: found.tooWide, most: LARGEST_SIDE }),
          code: "selection/too-large",
        };
      else {
        this.read = found;
        this.put(found.inputs);
      }
    } catch (thrown) {
      if (!isSame(this.figures, figures) || isExpected(thrown)) return;
      const { sentence, code } = refusalOf(thrown);
      this.refusal = { sentence: message("numbers.use.failed", { sentence }), code };
    } finally {
      this.busy = false;
    }
  };
}

/** Whether both are of one head of one run: what is read of a run comes anew as it goes on. */
function isSame(one: HeadFigures | null, other: HeadFigures | null): boolean {
  return one?.run === other?.run && equals(one?.head, other?.head);
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-from-model": HeadscopeFromModel;
  }
}
