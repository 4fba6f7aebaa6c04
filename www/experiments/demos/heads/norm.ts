import { css, html, nothing } from "lit";
import { blockStackOf, type Step, type StepTensor, type StreamDepth } from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import { Memo } from "../../../elements/shared/controllers.js";
import type { Model, Run } from "../../../headscope.js";
import { message } from "../../../i18n/index.js";
import { hasEdits, sentEdits } from "../../../state/index.js";
import { asFailure } from "../../../session/run/failures.js";
import { originalInput } from "../../../session/run/original-input.js";
import { tokensOf } from "../../../session/run/selection.js";
import { absentOfImages, demo, table, tokenOptions, matrix } from "../demo.js";
import { tensorOf } from "../../../kit/figure-data.js";
import { choice, number, PLACES, named } from "../../../kit/fields.js";
import { mean, withRun } from "../../../kit/study.js";
import { tokenLabels } from "../../../elements/shared/templates.js";

/*
 * LayerNorm (Ba et al. 2016) takes mean and variance over the numbers of one token, BatchNorm
 * (Ioffe & Szegedy 2015) over one number of all tokens of a batch, of all texts, padding included:
 *
 *   x̂[t, j] = (x[t, j] − μ_t) / √(σ²_t + ε)      μ_t, σ²_t over j
 *   x̂[t, j] = (x[t, j] − μ_j) / √(σ²_j + ε)      μ_j, σ²_j over t
 */

const NORM_STEPS = ["entered", "normed", "cross-normed", "ff-entered", "ff-normed"] as const;
const SUBLAYERS = {
  entered: "attention",
  normed: "attention",
  "cross-normed": "cross",
  "ff-entered": "feed-forward",
  "ff-normed": "feed-forward",
} as const satisfies Record<(typeof NORM_STEPS)[number], string>;
let second = new Memo<Promise<StepTensor[]>>();

/**
 * One number of one norm by hand, with the model's own γ and β, and beside it BatchNorm's result.
 */
export const norm = demo("norm", {
  fields: {
    of: choice("norm.which", NORM_STEPS, "entered", { list: true }),
    token: number(0, "norm.token", { ...PLACES, list: true }),
    number: number(0, "norm.column", PLACES),
    text: { control: "text", opens: "", label: "norm.second" },
  },
  absent: absentOfImages,
  reads: ({ model, run, revision, head, edits }) =>
    model && run && head && edits
      ? { model, run, revision, edits, stack: blockStackOf(head), layer: head.layer }
      : null,
  failed: (failure, { text }) => {
    const isText = text.trim() !== "" && asFailure(failure).code.startsWith("input/");
    return message(isText ? "pad.failed" : "headsExperiment.numbersNotRead");
  },
  /**
   * A number before (`own`) and after its norm, γ and β included, with that number of all tokens of
   * this and of another text.
   */
  ask: async (values, _, { model, run, edits, stack, layer }) => {
    const block = { stack, layer };
    const steps = await run.steps({ ...block, head: 0 });
    // Under edits some norms may be left out.
    const norms = NORM_STEPS.filter((one) => steps.some(({ step }) => step === one));
    const step = norms.find((one) => one === values.of) ?? norms[0];
    if (step === undefined) return { norms, step: null, number: null };
    const { token: row, number: column } = values;
    // A second text in the same block under the same edits is read once for all its numbers.
    const text = values.text.trim();
    const own = text === "" ? textOf(model, run) : "";
    const stepsOf = (of: Run): Promise<StepTensor[]> => of.steps({ ...block, head: 0 });
    const reading = second.get([model, edits, text, block.stack, block.layer, own], () =>
      withRun(model, text === "" ? secondText(model, own) : { text }, (plain) => {
        // The length of the text, and of its translation, is known from a run without edits.
        const edited = { ...originalInput(model, plain), edits: sentEdits(edits), lenient: true };
        return hasEdits(edits) ? withRun(model, edited, stepsOf) : stepsOf(plain);
      }),
    );
    // A failed read is tried again.
    reading.catch(() => (second = new Memo()));
    const others = await reading;
    const { operation, lines, value } = await run.explain({
      ...block,
      head: 0,
      step,
      row,
      column,
    });
    const { source, values: terms = [] } = lines[0] ?? {};
    const isNorm = operation.kind === "norm" || operation.kind === "rmsNorm";
    // The norm may be of another block.
    if (!isNorm || source?.kind !== "step") return { norms, step, number: null };
    const columnOf = (some: readonly StepTensor[]): readonly number[] | null => {
      const { data, shape } = some.find((one) => one.step === source.step)?.tensor ?? {};
      return data && shape ? [...data].filter((_one, at) => at % (shape[1] ?? 1) === column) : null;
    };
    const all = columnOf(steps);
    const other = columnOf(others);
    const x = terms[operation.term] ?? NaN;
    return { norms, step, number: all && { operation, own: x, column: all, other, value } };
  },
  fit: ({ model, run, head, growing }, _, read) => {
    if (!model || !run || !head || growing) return null;
    const norms = read?.norms.map((step) => ({
      value: step,
      label: message(`norm.at.${SUBLAYERS[step]}`),
    }));
    return {
      of: { options: norms ?? [], hidden: norms?.length === 0 },
      token: { options: tokenOptions(tokensOf(run, head.stack).queries) },
      number: { within: { most: model.info.dModel - 1 } },
      text: { placeholder: secondText(model, textOf(model, run)).text },
    };
  },
  summary: ({ step, number }) =>
    number ? "" : html`<p class="muted">${message(step ? "norm.elsewhere" : "norm.none")}</p>`,
  views: ({ step, number }, { token, number: column }, { stack, layer }) => {
    if (!number) return [];
    const { operation, own, value, column: all, other } = number;
    const isNorm = operation.kind === "norm";
    const layered = isNorm
      ? normed(own, operation.mean, operation.variance, operation.epsilon)
      : normed(own, 0, operation.meanSquare, operation.epsilon);
    const batch = message("norm.batch");
    const batches = batchesOf(own, operation.epsilon, all, other);
    // The name of a number, a key for tests, and its name in a file if that is shorter.
    const lines: (readonly [name: string, value: number, mark?: string, file?: string])[] = [
      ["x", own],
      isNorm ? ["μ", operation.mean] : [message("norm.meanSquare"), operation.meanSquare],
      ...(isNorm ? ([["σ²", operation.variance]] as const) : []),
      ["ε", operation.epsilon],
      [isNorm ? "x̂ = (x − μ) / √(σ² + ε)" : message("norm.rmsFormula"), layered, "layer", "x̂"],
      ["γ", operation.gain],
      ...(isNorm ? ([["β", operation.bias]] as const) : []),
      [isNorm ? "γ · x̂ + β" : "γ · x̂", value, "value"],
    ];
    const rows = batches.map(({ kind, tokens, ...one }) => ({
      key: kind,
      head: message(`norm.in.${kind}`),
      cells: [
        String(tokens),
        ...[one.mean, one.variance].map((it) => formatValue(it)),
        html`<b>${formatValue(one.normed)}</b>`,
      ],
    }));
    return [
      {
        heading: message("norm.byHand"),
        name: `norm ${step} token ${token + 1} x ${column + 1}`,
        of: { stack, layer },
        csv: {
          columns: ["", "", message("norm.rows"), "μ", "σ²"],
          rows: [
            ...lines.map(([name, one, , file]) => [file ?? name, one]),
            ...batches.map((one) => {
              const name = `${batch} · ${message(`norm.in.${one.kind}`)}`;
              return [name, one.normed, one.tokens, one.mean, one.variance];
            }),
          ],
        },
        figure: html`<div class="sides columns">
          <section aria-label=${message("norm.byHand")}>
            <h3>${message(isNorm ? "norm.layer" : "norm.rms")}</h3>
            <dl>
              ${lines.map(
                ([name, one, mark]) =>
                  html`<dt>${name}</dt>
                    <dd class=${mark === "value" ? "result" : ""} data-norm=${mark ?? nothing}>
                      ${formatValue(one)}
                    </dd>`,
              )}
            </dl>
          </section>
          <section aria-label=${batch}>
            <h3>${batch}</h3>
            ${table(batch, rows, [message("norm.in"), message("norm.rows"), "μ", "σ²", "x̂"])}
            <p class="small muted">${message("norm.why", { layer: formatValue(layered) })}</p>
          </section>
        </div>`,
      },
    ];
  },
  styles: css`
    .sides {
      --_least: 320px;
    }
  `,
});

function textOf(model: Model, run: Run): string {
  return model.decode(run.tokens.map(({ id }) => id));
}

/**
 * A second text for the batch: one of the model's own sentences with its translation, or the
 * beginning of the text.
 */
function secondText(model: Model, text: string): { text: string; target?: string } {
  const held = model.notes?.sentences.find((sentence) => sentence.text !== text);
  if (!held) return { text: text.split(/\s+/)[0] ?? text };
  const target = model.info.architecture === "encoder-decoder" ? held.targets?.[0] : undefined;
  return { text: held.text, ...(target !== undefined && { target }) };
}

/**
 * BatchNorm of the number in three batches: the text alone, with the second text, and with both
 * padded by zeros to twice the longer.
 */
export function batchesOf(
  own: number,
  epsilon: number,
  column: readonly number[],
  other: readonly number[] | null,
) {
  const both = [...column, ...(other ?? [])];
  // Twice the longer text, for each text.
  const rows = 2 * Math.max(column.length, other?.length ?? 0) * (other ? 2 : 1);
  const padded = [...both, ...new Array<number>(rows - both.length).fill(0)];
  const batches = [
    ["alone", column] as const,
    ["second", both] as const,
    ["padded", padded] as const,
  ];
  return batches.flatMap(([kind, numbers]) => {
    if (kind === "second" && !other) return [];
    const middle = mean(numbers);
    const variance = mean(numbers.map((one) => (one - middle) ** 2));
    const value = normed(own, middle, variance, epsilon);
    return [{ kind, tokens: numbers.length, mean: middle, variance, normed: value }];
  });
}

/** The normed number `(x − μ) / √(σ² + ε)`. */
function normed(value: number, center: number, variance: number, epsilon: number): number {
  return (value - center) / Math.sqrt(variance + epsilon);
}

const MEASURES = ["norm", "mean", "deviation", "share", "similarity"] as const;

/** The sentence that names the sublayer after which the stream is measured. */
function sublayerOf(step: Step) {
  if (step.startsWith("cross-")) return "sublayer.cross-attention";
  if (step.startsWith("ff-")) return "sublayer.feed-forward";
  if (step.startsWith("convolved-")) return "sublayer.convolution";
  return "sublayer.self-attention";
}

/** The demo of the residual stream, token by token and depth by depth. */
export const stream = demo("stream", {
  fields: {
    of: named("stream", "stream.measure", MEASURES, "norm", { asks: false }),
  },
  reads: ({ run, revision, head }) =>
    run && head ? { run, revision, stack: blockStackOf(head) } : null,
  failed: "headsExperiment.numbersNotRead",
  ask: async (_, __, { run, stack }) => ({
    depths: await run.residuals({ stack }),
    tokens: [...tokensOf(run, stack).queries],
  }),
  summary: (_, { of }) => html`<p class="small muted note">${message(`stream.${of}.hint`)}</p>`,
  views: ({ depths, tokens }, { of: measure }, { stack }) => {
    const values = message(`stream.${measure}`);
    const nameOf = ({ layer, step }: StreamDepth): string =>
      step === "input" || step === "final"
        ? message(`stream.at.${step}`)
        : message("stream.at", { layer: layer + 1, sublayer: message(sublayerOf(step)) });
    // NaN where a measure is undefined.
    const numbers = depths.flatMap((depth) => tokens.map((_, at) => depth[measure]?.[at] ?? NaN));
    return [
      {
        heading: values,
        name: `stream-${measure}`,
        of: { stack },
        figure: matrix({
          tensor: tensorOf(numbers, tokens.length, ["depth", "token"]),
          values,
          signed: measure === "mean" || measure === "similarity",
          height: 240,
          rows: { title: message("moved.depth"), names: depths.map(nameOf) },
          columns: { title: message("moved.token"), names: tokenLabels(tokens) },
        }),
      },
    ];
  },
});
