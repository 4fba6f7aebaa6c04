import { html, unsafeCSS } from "lit";
import type { Tensor } from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import { tokenLabel } from "../../../elements/shared/templates.js";
import type { Model, RunInput, RunOptions } from "../../../headscope.js";
import { formatNumber, message } from "../../../i18n/index.js";
import { absentOfImages, demo, table } from "../demo.js";
import { largest, withRun } from "../../../kit/study.js";
import styles from "./padding.css?inline";

/**
 * The demo of padding: two texts of different length in one batch, and the effect of a mask over
 * the padding.
 */
export const padding = demo("pad", {
  fields: { text: { control: "text", opens: "The dog sleeps.", label: "pad.other" } },
  listed: { title: "pad.title", place: 4 },
  intro: "pad.intro",
  absent: absentOfImages,
  reads: ({ model, text: own = "" }, { text }) => {
    if (own.trim() === "" || text.trim() === "") return message("pad.missing");
    return model ? { model, own } : null;
  },
  waits: true,
  failed: "pad.failed",
  ask: ({ text }, { signal }, { model, own }) => readBatch(model, [own, text], { signal }),
  brief: (batch) => {
    const padded = batch.find(({ pads }) => pads > 0);
    if (!padded) return [];
    return (["masked", "open"] as const).map((of) => ({
      label: message(`pad.${of}`),
      value: formatValue(padded[of]),
    }));
  },
  views: (batch, _, { model }) => {
    const longest = Math.max(...batch.map(({ tokens }) => tokens.length));
    const causal = model.info.architecture === "decoder" ? [message("pad.causal")] : [];
    const texts = batch.map(({ tokens, pads }, index) => {
      const own = tokens.map((token) => html`<span><bdi>${tokenLabel(token)}</bdi></span>`);
      const pad = html`<span class="pad">${message("token.pad")}</span>`;
      const cells = [...own, ...new Array<typeof pad>(pads).fill(pad)];
      return { key: `text-${index}`, head: formatNumber(index + 1), cells };
    });
    const rows = batch.map(({ tokens, pads, masked, open, largest: most }, index) => {
      const distances = [masked, open, most].map((value) => formatValue(value));
      const cells = [formatNumber(tokens.length), formatNumber(pads), ...distances];
      return { key: String(index), head: formatNumber(index + 1), cells };
    });
    const columns = ["text", "tokens", "pads", "masked", "open", "largest"] as const;
    const names = columns.map((column) => message(`pad.${column}`));
    return [
      {
        title: message("pad.batch"),
        figure: html`<div class="batch">${table(message("pad.batch"), texts)}</div>`,
      },
      {
        title: message("pad.numbers"),
        notes: [message("pad.table", { tokens: longest }), ...causal],
        figure: table(message("pad.numbers"), rows, names),
      },
    ];
  },
  styles: unsafeCSS(styles),
});

/**
 * Runs every text alone and padded to the length of the longest. `masked` and `open` are the
 * largest differences between the last hidden states of its own tokens and those of the text alone,
 * with the padding masked and without; `largest` is the largest number of those states.
 */
export async function readBatch(model: Model, texts: readonly string[], options: RunOptions = {}) {
  const { architecture, startToken, padToken, endTokens, stacks } = model.info;
  // Texts are padded with the model's padding token; without one, any token will do.
  const pad = padToken ?? endTokens[0] ?? 0;
  const stack = architecture === "decoder" ? "decoder" : "encoder";
  const place = { stack, layer: stacks[stack]?.layers ?? 0 } as const;
  // The target of a translator is its start token alone.
  const target = architecture === "encoder-decoder" && { targetIds: [startToken ?? pad] };
  const lastStates = (input: RunInput): Promise<Tensor> =>
    withRun(model, { ...input, ...target }, (run) => run.hidden(place), options);
  const batch = texts.map((text) => model.tokenize(text));
  const longest = Math.max(...batch.map(({ length }) => length));
  const rows = [];
  for (const tokens of batch) {
    const { data } = await lastStates({ ids: tokens.map(({ id }) => id) });
    const ids = Array.from({ length: longest }, (_, at) => tokens[at]?.id ?? pad);
    const attentionMask = ids.map((_, at) => (at < tokens.length ? 1 : 0));
    // In the rows that both have.
    const apart = (padded: Tensor): number =>
      largest(Array.from(data, (value, at) => Math.abs(value - (padded.data[at] ?? 0))));
    rows.push({
      tokens,
      pads: longest - tokens.length,
      masked: apart(await lastStates({ ids, attentionMask })),
      open: apart(await lastStates({ ids })),
      largest: largest(data.map(Math.abs)),
    });
  }
  return rows;
}
