import { css, html, nothing, type TemplateResult } from "lit";
import type { CellOperation, HeadRef, Step, StepTensor, Token } from "../../data/index.js";
import { isolated } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { tokenLabel } from "../../elements/shared/templates.js";
import type { Model, Run } from "../../headscope.js";
import { message } from "../../i18n/index.js";
import { hasEdits, sentEdits, type BlockStack, type EditLists } from "../../state/index.js";
import { NORM_STEPS } from "./fields.js";
import type { Table } from "../../export/provenance.js";
import { asFailure } from "../run/failures.js";
import { originalInput } from "../run/target-ids.js";
import { table } from "./figures.js";
import { isSame, mean, withRun } from "./study.js";
import { demo } from "./demo.js";

/*
 * One number of a norm and all that it is made of, as the model computed it, and what BatchNorm (Ioffe & Szegedy 2015)
 * would make of the same number: LayerNorm (Ba et al. 2016) takes mean and variance over the numbers of one token,
 *
 *   x̂[t, j] = (x[t, j] − μ_t) / √(σ²_t + ε)      μ_t, σ²_t over j
 *
 * BatchNorm over one number of all tokens of a batch:
 *
 *   x̂[t, j] = (x[t, j] − μ_j) / √(σ²_j + ε)      μ_j, σ²_j over t, of all texts, padding included
 */

type NormOperation = Extract<CellOperation, { kind: "norm" | "rmsNorm" }>;

/** A number with where it stands; both are null where the block has no norm, or where it reads another block. */
interface Reading {
  norms: readonly Step[];
  place: NormPlace | null;
  number: NormNumber | null;
}

/** One number of one norm by hand, with the model's own γ and β, and beside it what BatchNorm would make of it. */
export const norm = demo("norm", {
  fit: ({ model, run, head, growing }, _, read: Reading | null) => {
    if (!model || !run || !head || growing) return null;
    const tokens = tokensOf(run, blockOf(head));
    const norms = read?.norms.map((step) => ({
      value: step,
      label: message(`norm.at.${sublayerOf(step)}`),
    }));
    return {
      of: { options: norms ?? [], hidden: norms?.length === 0 },
      token: {
        options: tokens.map((token, at) => ({
          value: at,
          label: `${at + 1} · ${isolated(tokenLabel(token))}`,
        })),
      },
      number: { within: { most: model.info.dModel - 1 } },
      text: { placeholder: secondText(model, textOf(model, run)).text },
    };
  },
  reads: ({ model, run, revision, head, edits }) =>
    model && run && head && edits
      ? { model, run, revision, edits, stack: blockOf(head), layer: head.layer }
      : null,
  failed: (failure, { text }) =>
    message(
      text.trim() !== "" && asFailure(failure).code.startsWith("input/")
        ? "pad.failed"
        : "headBench.numbersNotRead",
    ),
  ask: async (
    { of, token, number: column, text },
    _,
    { model, run, edits, stack, layer },
  ): Promise<Reading> => {
    const norms = await normsOf(run, { stack, layer });
    const step = norms.find((one) => one === of) ?? norms[0];
    const place = step === undefined ? null : { stack, layer, step, token, column };
    const other = place && (await secondSteps(model, run, edits, text.trim(), place));
    return { norms, place, number: place && (await readNorm(run, other, place)) };
  },
  summary: ({ place, number }) =>
    number ? html`` : html`<p class="muted">${message(place ? "norm.elsewhere" : "norm.none")}</p>`,
  views: ({ place, number }) => {
    if (!place || !number) return [];
    const { stack, layer, step, token, column } = place;
    const { operation, own } = number;
    const layered =
      operation.kind === "norm"
        ? normed(own, operation.mean, operation.variance, operation.epsilon)
        : normed(own, 0, operation.meanSquare, operation.epsilon);
    return [
      {
        heading: message("norm.byHand"),
        name: `norm ${step} token ${token + 1} x ${column + 1}`,
        of: { stack, layer },
        csv: tableOf(number, layered),
        figure: () => sides(number, layered),
      },
    ];
  },
  styles: css`
    .sides {
      --_least: 320px;
    }
    .scroll td:last-child {
      font-weight: 600;
    }
  `,
});

/** A line of the norm: what it is called on the page, and in a file where that is shorter; its number, and what a test finds it by. */
type Line = readonly [name: string, value: number, mark?: string, file?: string];

function linesOf({ operation, value, own }: NormNumber, layered: number): Line[] {
  const whole = operation.kind === "norm";
  const middle: Line[] = whole
    ? [
        ["μ", operation.mean],
        ["σ²", operation.variance],
      ]
    : [[message("norm.meanSquare"), operation.meanSquare]];
  const formula = whole ? "x̂ = (x − μ) / √(σ² + ε)" : message("norm.rmsFormula");
  return [
    ["x", own],
    ...middle,
    ["ε", operation.epsilon],
    [formula, layered, "layer", "x̂"],
    ["γ", operation.gain],
    ...(whole ? [["β", operation.bias] as const] : []),
    [whole ? "γ · x̂ + β" : "γ · x̂", value, "value"],
  ];
}

function sides(number: NormNumber, layered: number): TemplateResult {
  const batch = message("norm.batch");
  return html`<div class="sides columns">
    <section aria-label=${message("norm.byHand")}>
      <h3>${message(number.operation.kind === "norm" ? "norm.layer" : "norm.rms")}</h3>
      <dl>${linesOf(number, layered).map(([name, value, mark]) => html`<dt>${name}</dt><dd class=${mark === "value" ? "result" : ""} data-norm=${mark ?? nothing}>${formatValue(value)}</dd>`)}</dl>
    </section>
    <section aria-label=${batch}>
      <h3>${batch}</h3>
      ${table(
        batch,
        batchesOf(number).map((one) => ({
          key: one.kind,
          head: message(`norm.in.${one.kind}`),
          cells: [
            String(one.tokens),
            ...[one.mean, one.variance, one.normed].map((value) => formatValue(value)),
          ],
        })),
        [message("norm.in"), message("norm.rows"), "μ", "σ²", "x̂"],
      )()}
      <p class="small muted">${message("norm.why", { layer: formatValue(layered) })}</p>
    </section>
  </div>`;
}

function tableOf(number: NormNumber, layered: number): Table {
  return {
    columns: ["", "", message("norm.rows"), "μ", "σ²"],
    rows: [
      ...linesOf(number, layered).map(([name, value, , file]) => [file ?? name, value]),
      ...batchesOf(number).map(({ kind, normed: own, tokens, mean, variance }) => [
        `${message("norm.batch")} · ${message(`norm.in.${kind}`)}`,
        own,
        tokens,
        mean,
        variance,
      ]),
    ],
  };
}

/** Cross-attention is a sublayer of the decoder's blocks. */
export function blockOf({ stack }: HeadRef): BlockStack {
  return stack === "encoder" ? "encoder" : "decoder";
}

/** The tokens whose states a stack has. */
export function tokensOf(
  { tokens, targetTokens }: Pick<Run, "tokens" | "targetTokens">,
  stack: BlockStack,
): readonly Token[] {
  return stack === "encoder" || targetTokens.length === 0 ? tokens : targetTokens;
}

function sublayerOf(step: Step): "attention" | "cross" | "feed-forward" {
  if (step === "cross-normed") return "cross";
  return step === "entered" || step === "normed" ? "attention" : "feed-forward";
}

/** What a second text gives in the same block under the same edits, read once for all its numbers. */
function secondSteps(
  model: Model,
  run: Run,
  edits: EditLists,
  text: string,
  { stack, layer }: NormPlace,
): Promise<StepTensor[]> {
  const about = [model, edits, text, stack, layer, text === "" ? textOf(model, run) : ""];
  if (second && isSame(about, second.about)) return second.steps;
  const input = text === "" ? secondText(model, textOf(model, run)) : { text };
  const stepsOf = (of: Run): Promise<StepTensor[]> => of.steps({ stack, layer, head: 0 });
  const steps = withRun(model, input, (plain) => {
    // The length of the text, and of its translation, is known from a run without edits.
    const edited = { ...originalInput(model, plain), edits: sentEdits(edits), lenient: true };
    return hasEdits(edits) ? withRun(model, edited, stepsOf) : stepsOf(plain);
  });
  second = { about, steps };
  // What failed is read anew.
  steps.catch(() => (second = null));
  return steps;
}

let second: { about: readonly unknown[]; steps: Promise<StepTensor[]> } | null = null;

function textOf(model: Model, run: Run): string {
  return model.decode(run.tokens.map(({ id }) => id));
}

/** One number of a norm, read from a run. */
interface NormNumber {
  operation: NormOperation;
  /** Before the norm: the token's number in question, and that of all tokens of the text. */
  own: number;
  column: readonly number[];
  /** That of all tokens of another text; null where there is none. */
  other: readonly number[] | null;
  /** After it, γ and β included. */
  value: number;
}

/** Where a number stands: `[token, column]` of what a step of a block gives. */
interface NormPlace {
  stack: BlockStack;
  layer: number;
  step: Step;
  token: number;
  column: number;
}

/** The norms that a block has, in their order. Under edits some may be left out. */
async function normsOf(
  run: Run,
  { stack, layer }: Pick<NormPlace, "stack" | "layer">,
): Promise<Step[]> {
  const steps = await run.steps({ stack, layer, head: 0 });
  return NORM_STEPS.filter((norm) => steps.some(({ step }) => step === norm));
}

/** Reads it; null where the step is no norm of a stream that stands in this block. */
export async function readNorm(
  run: Run,
  other: readonly StepTensor[] | null,
  { token, step, column: at, ...block }: NormPlace,
): Promise<NormNumber | null> {
  const head: HeadRef = { ...block, head: 0 };
  const { operation, lines, value } = await run.explain({
    ...head,
    step,
    row: token,
    column: at,
  });
  const [line] = lines;
  if ((operation.kind !== "norm" && operation.kind !== "rmsNorm") || line?.source.kind !== "step")
    return null;
  const entered = line.source.step;
  const column = (steps: readonly StepTensor[]): readonly number[] | null => {
    const { data, shape } = steps.find((one) => one.step === entered)?.tensor ?? {};
    return data && shape ? [...data].filter((_, index) => index % (shape[1] ?? 1) === at) : null;
  };
  const own = column(await run.steps(head));
  const term = line.values[operation.term] ?? NaN;
  return own && { operation, own: term, column: own, other: other && column(other), value };
}

/** A second text for the batch: one that the model brings along with its translation, or the text's own beginning. */
function secondText(model: Model, text: string): { text: string; target?: string } {
  const held = model.notes?.sentences.find((sentence) => sentence.text !== text);
  if (!held) return { text: text.split(/\s+/)[0] ?? text };
  const target = model.info.architecture === "encoder-decoder" ? held.targets?.[0] : undefined;
  return { text: held.text, ...(target !== undefined && { target }) };
}

/** A batch, and what BatchNorm makes of the number in it. */
interface Batch {
  kind: "alone" | "second" | "padded";
  tokens: number;
  mean: number;
  variance: number;
  normed: number;
}

/** The same number in a batch of the text alone, with the second text, and with both padded by zeros to twice the longer. */
export function batchesOf({ own, column, other, operation }: NormNumber): Batch[] {
  const second = other ?? [];
  const both = [...column, ...second];
  // Twice the longer text, for each text.
  const rows = 2 * Math.max(column.length, second.length) * (other ? 2 : 1);
  const padded = [...both, ...new Array<number>(rows - both.length).fill(0)];
  const batches: { kind: Batch["kind"]; numbers: readonly number[] }[] = [
    { kind: "alone", numbers: column },
    ...(other ? [{ kind: "second" as const, numbers: both }] : []),
    { kind: "padded", numbers: padded },
  ];
  return batches.map(({ kind, numbers }) => {
    const middle = mean(numbers);
    const variance = mean(numbers.map((number) => (number - middle) ** 2));
    const value = normed(own, middle, variance, operation.epsilon);
    return { kind, tokens: numbers.length, mean: middle, variance, normed: value };
  });
}

/** `(x − μ) / √(σ² + ε)`. */
export function normed(value: number, mean: number, variance: number, epsilon: number): number {
  return (value - mean) / Math.sqrt(variance + epsilon);
}
