import { css, html } from "lit";
import type { Tensor, Token } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { tokenLabel } from "../../elements/shared/templates.js";
import type { Model, RunInput, RunOptions } from "../../headscope.js";
import { formatNumber, message } from "../../i18n/index.js";
import { table } from "./figures.js";
import { demo } from "./demo.js";
import { withRun } from "./study.js";

/** Two texts of different length in one batch: what padding is, and that a mask over it changes nothing. */
export const padding = demo("pad", {
  intro: "pad.intro",
  reads: ({ model, text: own = "" }, { text }) =>
    own.trim() === "" || text.trim() === ""
      ? message("pad.missing")
      : model
        ? { model, own }
        : null,
  waits: true,
  failed: "pad.failed",
  ask: ({ text }, { signal }, { model, own }) => readBatch(model, [own, text], { signal }),
  views: (batch, _, { model }) => {
    const longest = Math.max(...batch.map(({ tokens }) => tokens.length));
    const causal = model.info.architecture === "decoder";
    return [
      {
        title: message("pad.batch"),
        figure:
          () => html`<div class="scroll batch" tabindex="0" role="region" aria-label=${message("pad.batch")}><table><tbody>
          ${batch.map(
            ({ tokens, pads }, index) => html`<tr>
              <th scope="row">${formatNumber(index + 1)}</th>
              ${tokens.map((token) => html`<td><span><bdi>${tokenLabel(token)}</bdi></span></td>`)}
              ${Array.from({ length: pads }, () => html`<td><span class="pad">${message("token.pad")}</span></td>`)}
            </tr>`,
          )}
        </tbody></table></div>`,
      },
      {
        title: message("pad.numbers"),
        notes: [
          message("pad.table", { tokens: longest }),
          ...(causal ? [message("pad.causal")] : []),
        ],
        figure: table(
          message("pad.numbers"),
          batch.map(({ tokens, pads, masked, open, largest }, index) => ({
            key: String(index),
            head: formatNumber(index + 1),
            cells: [
              formatNumber(tokens.length),
              formatNumber(pads),
              ...[masked, open, largest].map((value) => formatValue(value)),
            ],
          })),
          (["text", "tokens", "pads", "masked", "open", "largest"] as const).map((column) =>
            message(`pad.${column}`),
          ),
        ),
      },
    ];
  },
  styles: css`
    .batch :is(td, th) {
      padding: 3px 2px;
      border: 0;
    }
    .batch span {
      display: block;
      padding: 2px 6px;
      text-align: center;
      border-radius: 3px;
      background: var(--_chip);
    }
    .batch .pad {
      background: repeating-linear-gradient(-45deg, var(--_line) 0 1px, transparent 1px 5px);
      color: var(--_muted);
    }
  `,
});

/** One text of a batch: alone, and as long as the longest. */
export interface Padded {
  tokens: Token[];
  pads: number;
  /** How far its own tokens' last states are from those of the text alone, at most: with the padding closed, and without. */
  masked: number;
  open: number;
  /** The largest number of those states, beside which the distances are read. */
  largest: number;
}

/** Texts are padded with what the model was trained to see there; one without such a token takes any. */
function padOf({ info: { padToken, endToken } }: Model): number {
  return padToken ?? endToken ?? 0;
}

/** Runs every text alone and padded to the length of the longest, as in a batch. */
export async function readBatch(
  model: Model,
  texts: readonly string[],
  options: RunOptions = {},
): Promise<Padded[]> {
  const tokens = texts.map((text) => model.tokenize(text));
  const longest = Math.max(...tokens.map(({ length }) => length));
  const batch: Padded[] = [];
  for (const own of tokens) {
    const ids = own.map(({ id }) => id);
    const pads = longest - own.length;
    const padded = [...ids, ...Array.from({ length: pads }, () => padOf(model))];
    const attentionMask = padded.map((_, at): 0 | 1 => (at < ids.length ? 1 : 0));
    const alone = await lastStates(model, { ids }, options);
    batch.push({
      tokens: own,
      pads,
      masked: apart(alone, await lastStates(model, { ids: padded, attentionMask }, options)),
      open: apart(alone, await lastStates(model, { ids: padded }, options)),
      largest: alone.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
    });
  }
  return batch;
}

/** The last hidden states of the stack that reads the text; a translator's decoder is asked for nothing but its beginning. */
function lastStates(model: Model, input: RunInput, options: RunOptions): Promise<Tensor> {
  const { architecture, startToken, stacks } = model.info;
  const targetIds = architecture === "encoder-decoder" ? [startToken ?? padOf(model)] : null;
  const stack = architecture === "decoder" ? "decoder" : "encoder";
  return withRun(
    model,
    { ...input, ...(targetIds && { targetIds }) },
    (run) => run.hidden({ stack, layer: stacks[stack]?.layers ?? 0 }),
    options,
  );
}

/** The largest difference in the rows that both have. */
export function apart({ data }: Tensor, other: Tensor): number {
  const length = Math.min(data.length, other.data.length);
  return data
    .subarray(0, length)
    .reduce((most, value, at) => Math.max(most, Math.abs(value - (other.data[at] ?? 0))), 0);
}
