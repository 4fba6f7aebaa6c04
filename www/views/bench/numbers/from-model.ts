import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import {
  type Explanation,
  type HeadRef,
  LARGEST_SIDE,
  type Step,
  type StepTensor,
  type Tensor,
  type Workbench,
} from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import { tokenLabels } from "../../../elements/shared/templates.js";
import { message } from "../../../i18n/index.js";
import { partStyles } from "../../../ui/base-styles.js";
import { PagePart } from "../../../ui/page-part.js";
import { isExpected } from "../../run/failures.js";
import { LONGEST_WORD, type BroughtNumbers, type Rows } from "../../../state/index.js";
import type { HeadFigures } from "../../run/figures.js";
import { renderTrouble, troubleOf, type Trouble } from "./trouble.js";

/*
 * A head of the loaded model as numbers of the workbench: its tokens, what stands before its projections as X, its own
 * columns of W_Q, W_K and W_V, its mask and its divisor, read of the steps of its block and of the sums behind them. Biases
 * become one more row of each matrix, and X a column of ones. Of cross-attention both texts stand in X, and the mask lets
 * the queries' see the keys' alone.
 *
 * Where one matrix cannot say what becomes of X (rotary positions turn each token by its own place) or X has more columns
 * than the workbench, X is the head's own queries, keys and values side by side, and each matrix takes its part of them.
 */

/** Tokens of a text at most, twice in cross-attention: a picture in which each can still be named. */
export const MOST_TAKEN = 64;

/** Digits that tell any two f32 apart. */
const DIGITS = 9;

/** A head on the workbench. */
export interface Taken {
  head: HeadRef;
  numbers: BroughtNumbers;
  /** The model's own weights between these tokens: over the keys that were taken, as softmax over them alone gives. */
  weights: Rows;
  /** Where they stand in the workbench's. */
  firstKey: number;
  /** How many tokens the longer text has. */
  tokens: number;
  biased: boolean;
  /** Why X is queries, keys and values and not what stands before them; null where it is that. */
  direct: "rotary" | "wide" | null;
  /** Columns of what stands before the projections. */
  width: number;
}

/** A head whose queries, keys and values side by side have more columns than the workbench; that is said on the page. */
export interface Untakable {
  why: "wide";
  width: number;
}

const PARTS = ["query", "key", "value"] as const;

interface Projection {
  /** What it is multiplied with. */
  from: Step;
  /** `[input, column]`. */
  rows: number[][];
  /** One for each column, or none. */
  bias: number[] | null;
}

type Read = Pick<HeadFigures, "run" | "head" | "stages" | "mask" | "queries" | "keys">;

/** X and the three matrices. */
type Source = Pick<BroughtNumbers, "x" | "query" | "key" | "value"> &
  Pick<Taken, "biased" | "direct" | "width">;

/** How many rows of queries and of keys are taken, and whether they are of two texts. */
interface Rowed {
  queries: number;
  keys: number;
  crossed: boolean;
}

/** Reads it; what cannot be taken says why. */
export async function takeFromModel(read: Read): Promise<Taken | Untakable> {
  const { run, head, stages, mask, queries, keys } = read;
  const taken = {
    queries: Math.min(queries.length, MOST_TAKEN),
    keys: Math.min(keys.length, MOST_TAKEN),
  };
  const steps = await run.steps(head);
  // A score says which columns of queries and keys are this head's; heads may share those of keys, and values go with them.
  const score = await run.explain({ ...head, step: "raw", row: 0, column: 0 });
  const [queried, keyed] = score.lines;
  if (queried?.source.kind !== "step" || keyed?.source.kind !== "step")
    throw new Error("a score of no queries and keys");
  const first: Columns = {
    width: queried.values.length,
    query: queried.source.column,
    key: keyed.source.column,
    value: keyed.source.column,
  };
  const rowed = { ...taken, crossed: head.stack === "cross" };
  const source = await sourceOf(read, steps, first, rowed);
  if ("why" in source) return source;
  const scale = await run.explain({ ...head, step: "scores", row: 0, column: 0 });
  const { biased, direct, width, ...brought } = source;
  const firstKey = rowed.crossed ? taken.queries : 0;
  const words = [
    ...tokenLabels(queries.slice(0, taken.queries)),
    ...(rowed.crossed ? tokenLabels(keys.slice(0, taken.keys)) : []),
  ];
  const own = rowsOf(mask, taken.queries, taken.keys);
  const weights = rowsOf(stages.weights, taken.queries, taken.keys);
  return {
    head,
    numbers: {
      ...brought,
      words: words.map((word) => word.slice(0, LONGEST_WORD)),
      output: null,
      mask: rowed.crossed
        ? brought.x.map((_, row) =>
            brought.x.map((__, column) => own[row]?.[column - firstKey] ?? -Infinity),
          )
        : own,
      heads: 1,
      divisor: divisorOf(scale, first.width),
    },
    weights: keys.length > taken.keys ? weights.map(sharesOf) : weights,
    firstKey,
    tokens: Math.max(queries.length, keys.length),
    biased,
    direct,
    width,
  };
}

/** Where a head's columns begin, and how many they are. */
interface Columns {
  width: number;
  query: number;
  key: number;
  value: number;
}

async function sourceOf(
  { run, head }: Read,
  steps: readonly StepTensor[],
  first: Columns,
  rowed: Rowed,
): Promise<Source | Untakable> {
  const explained = (part: (typeof PARTS)[number]) => (column: number) =>
    run.explain({ ...head, step: part, row: 0, column: first[part] + column });
  // One column says how wide the model is, before all of them are asked for.
  const narrowest = await mapOf(1, explained("query"));
  const width = narrowest.rows.length;
  if (steps.some(({ step }) => step === "query-rotated"))
    return directOf(steps, first, rowed, { direct: "rotary", width });
  if (width + (narrowest.bias ? 1 : 0) > LARGEST_SIDE)
    return directOf(steps, first, rowed, { direct: "wide", width });
  const [query, key, value] = await Promise.all(
    PARTS.map((part) => mapOf(first.width, explained(part))),
  );
  if (!query || !key || !value) throw new Error("a head without projections");
  const biased = [query, key, value].some(({ bias }) => bias !== null);
  if (width + (biased ? 1 : 0) > LARGEST_SIDE)
    return directOf(steps, first, rowed, { direct: "wide", width });
  const x = [
    ...rowsOf(tensorOf(steps, query.from), rowed.queries),
    ...(rowed.crossed ? rowsOf(tensorOf(steps, key.from), rowed.keys) : []),
  ];
  return {
    x: biased ? x.map((row) => [...row, 1]) : x,
    query: withBias(query, biased),
    key: withBias(key, biased),
    value: withBias(value, biased),
    biased,
    direct: null,
    width,
  };
}

/** X as the head's queries, keys and values side by side; of cross-attention each text has its own of them. */
function directOf(
  steps: readonly StepTensor[],
  first: Columns,
  { queries, keys, crossed }: Rowed,
  { direct, width }: { direct: "rotary" | "wide"; width: number },
): Source | Untakable {
  const all = PARTS.length * first.width;
  if (all > LARGEST_SIDE) return { why: "wide", width: all };
  const turned = (step: "query" | "key"): Tensor =>
    tensorOf(steps, steps.some((one) => one.step === `${step}-rotated`) ? `${step}-rotated` : step);
  const part = (tensor: Tensor, name: (typeof PARTS)[number], count: number): number[][] =>
    rowsOf(tensor, count).map((row) => row.slice(first[name], first[name] + first.width));
  const [query, key, value] = [
    part(turned("query"), "query", queries),
    part(turned("key"), "key", keys),
    part(tensorOf(steps, "value"), "value", keys),
  ];
  const none = Array.from({ length: first.width }, () => 0);
  const x = crossed
    ? [
        ...query.map((row) => [...row, ...none, ...none]),
        ...key.map((row, at) => [...none, ...row, ...(value[at] ?? none)]),
      ]
    : query.map((row, at) => [...row, ...(key[at] ?? none), ...(value[at] ?? none)]);
  const picked = (at: number): Rows =>
    Array.from({ length: all }, (_, row) =>
      Array.from({ length: first.width }, (__, column) =>
        row === at * first.width + column ? 1 : 0,
      ),
    );
  return { x, query: picked(0), key: picked(1), value: picked(2), biased: false, direct, width };
}

/** The largest difference between the workbench's weights and the model's. */
export function residueOf(
  { weights, firstKey }: Pick<Taken, "weights" | "firstKey">,
  worked: Rows,
): number {
  return weights.reduce(
    (most, row, at) =>
      row.reduce(
        (more, weight, column) =>
          Math.max(more, Math.abs(weight - (worked[at]?.[firstKey + column] ?? NaN))),
        most,
      ),
    0,
  );
}

/** A head's columns of a matrix, each read as what a number of the first token is a sum of. */
async function mapOf(
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
    bias: all.some(({ bias }) => bias !== null && bias !== 0)
      ? all.map(({ bias }) => shortest(bias ?? 0))
      : null,
  };
}

function withBias({ rows, bias }: Projection, biased: boolean): Rows {
  return biased ? [...rows, bias ?? (rows[0] ?? []).map(() => 0)] : rows;
}

function divisorOf({ operation }: Explanation, width: number): BroughtNumbers["divisor"] {
  const divisor = operation.kind === "scale" ? shortest(1 / operation.factor) : NaN;
  return !(divisor > 0) || Math.abs(divisor - Math.sqrt(width)) < 1e-5 * divisor ? "root" : divisor;
}

/** A row as shares of what it adds up to: the weights over these keys alone. */
function sharesOf(row: readonly number[]): number[] {
  const sum = row.reduce((all, weight) => all + weight, 0);
  return row.map((weight) => (sum > 0 ? weight / sum : 0));
}

function tensorOf(steps: readonly StepTensor[], wanted: Step): Tensor {
  const found = steps.find(({ step }) => step === wanted)?.tensor;
  if (!found) throw new Error(`no step ${wanted}`);
  return found;
}

function rowsOf({ data, shape }: Tensor, count: number, width = shape[1] ?? 0): number[][] {
  const whole = shape[1] ?? 0;
  return Array.from({ length: count }, (_, row) =>
    Array.from(data.subarray(row * whole, row * whole + width), shortest),
  );
}

/** The shortest number that is still the same f32; what forbids stays. */
function shortest(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** Weights that are this near are the same: the model computes in f32. */
const SAME = 1e-5;

/** Puts the head that is looked at on the workbench, and says whether its weights are the model's own. Fires `headscope-taken`. */
@customElement("headscope-from-model")
export class HeadscopeFromModel extends PagePart {
  static override styles = [
    partStyles,
    css`
      button {
        color: var(--headscope-accent);
      }

      button[aria-disabled="true"] {
        color: var(--headscope-muted);
        cursor: default;
      }

      p {
        margin: 4px 0 0;
      }
    `,
  ];

  /** The head that is looked at; null while nothing was read of one. */
  @property({ attribute: false }) figures: HeadFigures | null = null;
  /** What is on the workbench, and what came out of it. */
  @property({ attribute: false }) numbers: BroughtNumbers | null = null;
  @property({ attribute: false }) worked: Workbench | null = null;
  /** Whether the model runs with edits, which may be why its weights are others. */
  @property({ type: Boolean }) edited = false;

  @state() private taken: Taken | null = null;
  @state() private untakable: Untakable | null = null;
  @state() private failed: unknown = null;
  @state() private busy = false;

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const before = changed.get("figures") as HeadFigures | null | undefined;
    if (changed.has("figures") && !isSame(before ?? null, this.figures))
      this.untakable = this.failed = null;
  }

  override render(): TemplateResult | typeof nothing {
    const { figures, taken, untakable, failed } = this;
    if (!figures && !taken) return nothing;
    const { stack, layer, head } = figures?.head ??
      taken?.head ?? { stack: "encoder", layer: 0, head: 0 };
    const name = message("edits.head", {
      stack: message(`stack.${stack}`),
      layer: layer + 1,
      head: head + 1,
    });
    return html`<button id="take" ?disabled=${!figures} aria-disabled=${this.busy} @click=${this.take}>${message("numbers.take", { head: name })}</button>
      <div class="small" role="status">
        ${untakable ? html`<p>${message("numbers.take.wide", { width: untakable.width, most: LARGEST_SIDE })} <code class="muted">selection/too-large</code></p>` : nothing}
        ${failed === null ? nothing : html`<p>${renderTrouble(failedTrouble(failed))}</p>`}
        ${taken?.numbers === this.numbers ? this.renderTaken(taken) : nothing}
      </div>`;
  }

  private renderTaken(taken: Taken): TemplateResult {
    const { worked, edited } = this;
    const residue = worked ? residueOf(taken, worked.heads[0]?.weights ?? []) : null;
    const parts = [
      message(taken.direct ? `numbers.taken.${taken.direct}` : "numbers.taken.what", {
        width: taken.width,
      }),
      ...(taken.biased ? [message("numbers.taken.bias")] : []),
      ...(taken.firstKey > 0 ? [message("numbers.taken.crossed")] : []),
      ...(taken.tokens > MOST_TAKEN
        ? [message("numbers.taken.part", { most: MOST_TAKEN, tokens: taken.tokens })]
        : []),
    ];
    return html`<p class="muted">${parts.join(" ")}</p>
      ${residue === null ? nothing : html`<p data-residue=${residue}>${message(residue <= SAME ? "numbers.taken.same" : edited ? "numbers.taken.edited" : "numbers.taken.other", { residue: formatValue(residue) })}</p>`}`;
  }

  private readonly take = async (): Promise<void> => {
    const { figures } = this;
    if (!figures || this.busy) return;
    this.busy = true;
    this.untakable = this.failed = null;
    try {
      const found = await takeFromModel(figures);
      if (!isSame(this.figures, figures) || !this.isConnected) return;
      if ("why" in found) this.untakable = found;
      else {
        this.taken = found;
        this.dispatchEvent(
          new CustomEvent("headscope-taken", {
            detail: found.numbers,
            bubbles: true,
            composed: true,
          }),
        );
      }
    } catch (thrown) {
      if (isSame(this.figures, figures) && !isExpected(thrown)) this.failed = thrown;
    } finally {
      this.busy = false;
    }
  };
}

function failedTrouble(thrown: unknown): Trouble {
  const { sentence, code } = troubleOf(thrown);
  return { sentence: message("numbers.take.failed", { sentence }), code };
}

/** Whether both are of one head of one run: what is read of a run comes anew as it goes on. */
function isSame(one: HeadFigures | null, other: HeadFigures | null): boolean {
  return (
    one?.run === other?.run &&
    one?.head.stack === other?.head.stack &&
    one?.head.layer === other?.head.layer &&
    one?.head.head === other?.head.head
  );
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-from-model": HeadscopeFromModel;
  }
  interface HTMLElementEventMap {
    /** A head of the model is to stand on the workbench. */
    "headscope-taken": CustomEvent<BroughtNumbers>;
  }
}
