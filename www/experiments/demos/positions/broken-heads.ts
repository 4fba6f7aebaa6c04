import { html, type TemplateResult } from "lit";
import { type BlockStack, blockStackOf, type HeadRef } from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import type { Model, Run } from "../../../headscope.js";
import { formatFixed, formatNumber, message, type MessageKey } from "../../../i18n/index.js";
import { sentEdits, standing, type EditLists } from "../../../state/index.js";
import { wholeOrder } from "../../../state/experiment-edits.js";
import { sentenceOf } from "../../../session/run/failures.js";
import { stacksOf } from "../../../session/run/selection.js";
import { originalInput } from "../../../session/run/original-input.js";
import { absentOfImages, demo, headList } from "../demo.js";
import { largest } from "../../../kit/study.js";

const MOST = Math.LN2;
/** The divergence from which a head is listed as changed. */
const BROKEN = MOST / 10;
/**
 * The largest ratio of a rounding error to the effect of another order with the model's own
 * positions.
 */
const ROUNDING = 1e-4;

/**
 * The difference of two outputs, row by row of the same token: the largest `‖Δ‖` of two rows and
 * `|Δ|` of two numbers.
 */
interface Residue {
  row: number;
  number: number;
}

/**
 * The demo of broken heads: the heads that another positional scheme or order breaks, and the
 * effect of permuting the tokens.
 */
export const brokenHeads = demo("broken", {
  title: "at.heads",
  intro: "at.permuted.hint",
  absent: absentOfImages,
  reads: ({ model, run, revision, edits, head }) =>
    model && run && edits && head
      ? { model, run, revision, edits, stack: blockStackOf(head) }
      : null,
  failed: (failure) => message("at.failed", { sentence: sentenceOf(failure) }),
  work: {
    words: "measure",
    names: () => ["heads"],
  },
  ask: (_, { step, signal }, { model, run, edits, stack }) =>
    step("heads", () => measure(model, run, edits, stack, signal)),
  summary: ({ residue, own }, _, { stack }) => {
    const isSame = residue.row <= (own?.row ?? 0) * ROUNDING;
    const words = ({ number, row }: Residue) => {
      return { number: formatValue(number), row: formatValue(row) };
    };
    return html`<p role="status" data-residue=${residue.row} data-number=${residue.number}>
      ${message(isSame ? "at.permuted.same" : "at.permuted.other", words(residue))}
      ${
        own
          ? html`<span data-own=${own.row} data-own-number=${own.number}
              >${message("at.permuted.own", words(own))}</span
            >`
          : ""
      }
      ${!isSame && stack === "decoder" ? message("at.permuted.causal") : ""}
    </p>`;
  },
  views: ({ heads }, _values, _subject, { update }) => {
    if (heads === null)
      return [{ figure: html`<p class="small muted">${message("at.heads.none")}</p>` }];
    const broken = heads.filter(({ divergence }) => divergence > BROKEN);
    const whole = heads.slice(broken.length);
    const list = (some: typeof heads, label: MessageKey): TemplateResult =>
      headList(
        message(label),
        some.map(({ head, divergence: raw }) => {
          const place = { layer: head.layer + 1, head: head.head + 1 };
          const name = `${message(`stack.${head.stack}`)} · ${message("at.heads.head", place)}`;
          return { head, name, value: formatFixed(raw), raw };
        }),
        update,
      );
    const folded = html`<details ?open=${broken.length === 0}>
      <summary>${message("at.heads.whole", { count: whole.length })}</summary>
      ${list(whole, "at.heads.others")}
    </details>`;
    const numbers = {
      most: formatFixed(MOST),
      count: formatNumber(heads.length),
      broken: formatNumber(broken.length),
      threshold: formatFixed(BROKEN),
    };
    const columns = ["ranking.layer", "ranking.head", "saving.divergence"] as const;
    return [
      {
        notes: [message("at.heads.hint", numbers)],
        name: "broken-heads",
        of: {},
        csv: {
          columns: ["stack", ...columns.map((key) => message(key))],
          rows: heads.map(({ head: { stack, layer, head }, divergence }) => {
            return [stack, layer + 1, head + 1, divergence];
          }),
        },
        figure: html`${broken.length > 0 ? list(broken, "at.heads.broken") : ""}
        ${whole.length > 0 ? folded : ""}`,
      },
    ];
  },
});

/**
 * The effect of another scheme or order on the heads, and whether permuted tokens give more than
 * permuted rows: all heads with the divergence from themselves under the model's own positions, the
 * most changed first, or null if the positions are these; the distance of the states of the same
 * token after permutation; and that distance with the model's own positions.
 */
async function measure(
  model: Model,
  run: Run,
  edits: EditLists,
  stack: BlockStack,
  signal: AbortSignal,
) {
  const { ids = [], targetIds } = originalInput(model, run);
  const { positions = [], ...others } = run.fit()?.edits ?? sentEdits(edits);
  const inTarget = targetIds !== undefined && stack === "decoder";
  const tokens = inTarget ? targetIds : ids;
  // The token at each position: the user's order, otherwise from the last to the first.
  const given = positions.findLast((edit) => (edit.stack ?? stack) === stack && edit.order)?.order;
  const whole = wholeOrder(given, tokens.length);
  const order = given ? standing(whole) : whole.reverse();
  const moved = order.map((token) => tokens[token] ?? 0);
  const made: Run[] = [];
  const begin = async (placed: typeof positions, isMoved = false): Promise<Run> => {
    const input = {
      ids: isMoved && !inTarget ? moved : ids,
      ...(targetIds && { targetIds: isMoved && inTarget ? moved : targetIds }),
      // The runs differ only in what is compared: token types have their default in all.
      edits: { ...others, ...(placed.length > 0 && { positions: placed }) },
      lenient: true,
    };
    const begun = await model.run(input, { signal });
    made.push(begun);
    return begun;
  };
  const residueOf = async (before: Run, placement: typeof positions): Promise<Residue> => {
    const after = await begin(placement, true);
    const { data, shape } = await after.distances({ stack, other: before, order });
    const [layers = 1, count = 0] = shape;
    const last = { stack, layer: layers - 1 };
    const one = await before.hidden(last);
    const other = await after.hidden(last);
    // The largest difference of two numbers: row `r` after permutation is the token of row
    // `order[r]` before.
    const width = other.shape[1] ?? 0;
    const apart = Array.from(other.data, (value, index) => {
      const row = order[Math.floor(index / width)] ?? 0;
      return Math.abs(value - (one.data[row * width + (index % width)] ?? NaN));
    });
    return { row: largest(data.subarray((layers - 1) * count)), number: largest(apart) };
  };
  try {
    const schemed = positions.filter(({ scheme }) => scheme !== undefined);
    const schemes = schemed.map((edit) => ({ ...edit, order: [] }));
    const plain = await begin([]);
    const edited = await begin(positions);
    const placed = await begin(schemes);
    const heads: { head: HeadRef; divergence: number }[] = [];
    for (const of of positions.length > 0 ? stacksOf(model.info) : [])
      for (const { layer, head, divergence } of await edited.runDivergences({
        stack: of,
        other: plain,
      }))
        heads.push({ head: { stack: of, layer, head }, divergence: divergence ?? 0 });
    heads.sort((one, other) => other.divergence - one.divergence);
    return {
      heads: positions.length > 0 ? heads : null,
      residue: await residueOf(placed, schemes),
      own: schemes.length > 0 ? await residueOf(plain, []) : null,
    };
  } finally {
    for (const one of made) one.release();
  }
}
