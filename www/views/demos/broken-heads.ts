import { html, type TemplateResult } from "lit";
import type { Edits, HeadRef, Tensor } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import type { Model, Run } from "../../headscope.js";
import { formatFixed, formatNumber, message, type MessageKey } from "../../i18n/index.js";
import {
  sentEdits,
  standing,
  wholeOrder,
  type EditLists,
  type PlacedStack,
} from "../../state/index.js";
import { failedWords } from "../bench/failures.js";
import { stacksOf } from "../run/selection.js";
import { originalInput } from "../run/target-ids.js";
import { demo } from "./demo.js";
import { ofText } from "./effects.js";
import { headList } from "./figures.js";
import { blockOf } from "./norm.js";
import type { Working } from "./study.js";

const MOST = Math.LN2;
/** Heads with a larger divergence are listed as changed. */
const BROKEN = MOST / 10;
/** What rounding leaves is this much smaller than what another order does under the model's own positions. */
const ROUNDING = 1e-4;

/** Which heads another scheme or order of positions breaks, and what permuting the tokens does. */
export const brokenHeads = demo("broken", {
  title: "at.heads",
  intro: "at.permuted.hint",
  reads: ({ model, run, revision, edits, head }) =>
    model && run && edits && head ? { model, run, revision, edits, stack: blockOf(head) } : null,
  failed: (failure) => message("at.failed", { sentence: failedWords(failure) }),
  work: {
    words: "measure",
    about: (on) => (on.head ? ofText(on, blockOf(on.head)) : null),
    names: () => ["heads"],
    run: async (_, { model, run, edits, stack }, { step, show }: Working<Measured>) =>
      show(await step("heads", (signal) => measure(model, run, edits, stack, signal)), 1),
  },
  summary: ({ residue, own }, _, { subject: { stack } }) => {
    const isSame = residue.row <= (own?.row ?? 0) * ROUNDING;
    const words = ({ number, row }: Residue): { number: string; row: string } => ({
      number: formatValue(number),
      row: formatValue(row),
    });
    return html`<p role="status" data-residue=${residue.row} data-number=${residue.number}>${message(isSame ? "at.permuted.same" : "at.permuted.other", words(residue))}
      ${own ? html`<span data-own=${own.row} data-own-number=${own.number}>${message("at.permuted.own", words(own))}</span>` : ""}
      ${!isSame && stack === "decoder" ? message("at.permuted.causal") : ""}</p>`;
  },
  views: ({ heads }) => {
    if (heads === null)
      return [{ figure: () => html`<p class="small muted">${message("at.heads.none")}</p>` }];
    const broken = heads.filter(({ divergence }) => divergence > BROKEN);
    const whole = heads.slice(broken.length);
    const numbers = {
      most: formatFixed(MOST),
      count: formatNumber(heads.length),
      broken: formatNumber(broken.length),
      threshold: formatFixed(BROKEN),
    };
    const folded = html`<details ?open=${broken.length === 0}><summary>${message("at.heads.whole", { count: whole.length })}</summary>${list(whole, "at.heads.others")}</details>`;
    return [
      {
        heading: message("at.heads"),
        notes: [message("at.heads.hint", numbers)],
        name: "broken-heads",
        of: {},
        csv: {
          columns: [
            "stack",
            message("ranking.layer"),
            message("ranking.head"),
            message("saving.divergence"),
          ],
          rows: heads.map(({ head, divergence }) => [
            head.stack,
            head.layer + 1,
            head.head + 1,
            divergence,
          ]),
        },
        figure: () => html`${broken.length > 0 ? list(broken, "at.heads.broken") : ""}
          ${whole.length > 0 ? folded : ""}`,
      },
    ];
  },
});

function list(heads: readonly ChangedHead[], label: MessageKey): TemplateResult {
  return headList(
    message(label),
    heads.map(({ head, divergence }) => ({
      head,
      name: `${message(`stack.${head.stack}`)} · ${message("at.heads.head", { layer: head.layer + 1, head: head.head + 1 })}`,
      value: formatFixed(divergence),
      raw: divergence,
    })),
  );
}

/** The divergence of a head from itself with the model's own positions. */
interface ChangedHead {
  head: HeadRef;
  divergence: number;
}

interface Measured {
  /** All heads, the most changed first; null where positions are the model's own. */
  heads: ChangedHead[] | null;
  /** How far states of the same token are apart once the tokens are permuted. */
  residue: Residue;
  /** The same with the model's own positions; null where these are its own. */
  own: Residue | null;
}

/** Between two outputs, row by row of the same token: the largest `‖Δ‖` of two rows, and the largest `|Δ|` of two numbers. */
interface Residue {
  row: number;
  number: number;
}

/** What another scheme or order does to the heads, and whether permuted tokens are anything else than permuted rows. */
export async function measure(
  model: Model,
  run: Run,
  edits: EditLists,
  stack: PlacedStack,
  signal: AbortSignal,
): Promise<Measured> {
  const { ids = [], targetIds } = originalInput(model, run);
  const { positions = [], ...others } = run.fit()?.edits ?? sentEdits(edits);
  const made: Run[] = [];
  const inTarget = targetIds !== undefined && stack === "decoder";
  const tokens = inTarget ? targetIds : ids;
  const order = permutation(
    positions.findLast((edit) => (edit.stack ?? stack) === stack && edit.order)?.order,
    tokens.length,
  );
  const moved = order.map((token) => tokens[token] ?? 0);
  const begin = async (placed: typeof positions, isMoved = false): Promise<Run> => {
    // The runs are of the same request but for what is compared: token types are left to their default in all.
    const wanted: Edits = { ...others, ...(placed.length > 0 && { positions: placed }) };
    const begun = await model.run(
      {
        ids: isMoved && !inTarget ? moved : ids,
        ...(targetIds && { targetIds: isMoved && inTarget ? moved : targetIds }),
        edits: wanted,
        lenient: true,
      },
      { signal },
    );
    made.push(begun);
    return begun;
  };
  try {
    const schemes = positions.flatMap((edit) =>
      edit.scheme === undefined ? [] : [{ ...edit, order: [] }],
    );
    const plain = await begin([]);
    const edited = await begin(positions);
    const placed = await begin(schemes);
    const heads = positions.length > 0 ? await changedHeads(model, edited, plain) : null;
    const residueOf = async (before: Run, placement: typeof positions): Promise<Residue> => {
      const after = await begin(placement, true);
      const { data, shape } = await after.distances({ stack, other: before, order });
      const [layers = 1, count = 0] = shape;
      const layer = layers - 1;
      const states = [await before.hidden({ stack, layer }), await after.hidden({ stack, layer })];
      return {
        row: data.subarray(layer * count).reduce((most, one) => Math.max(most, one), 0),
        number: states[0] && states[1] ? furthest(states[0], states[1], order) : NaN,
      };
    };
    const residue = await residueOf(placed, schemes);
    return { heads, residue, own: schemes.length > 0 ? await residueOf(plain, []) : null };
  } finally {
    for (const one of made) one.release();
  }
}

/** The largest difference of two numbers: row `r` of `after` is of the token that has row `order[r]` of `before`. */
function furthest(before: Tensor, after: Tensor, order: readonly number[]): number {
  const width = after.shape[1] ?? 0;
  return after.data.reduce((most, value, index) => {
    const row = order[Math.floor(index / width)] ?? 0;
    return Math.max(most, Math.abs(value - (before.data[row * width + (index % width)] ?? NaN)));
  }, 0);
}

/** The token at each place: as the user ordered them, otherwise from the last to the first. */
function permutation(order: readonly number[] | undefined, count: number): number[] {
  const whole = wholeOrder(order, count);
  return order ? standing(whole) : whole.reverse();
}

async function changedHeads(model: Model, edited: Run, plain: Run): Promise<ChangedHead[]> {
  const all: ChangedHead[] = [];
  for (const stack of stacksOf(model.info))
    for (const { layer, head, divergence } of await edited.divergences({ stack, other: plain }))
      all.push({ head: { stack, layer, head }, divergence: divergence ?? 0 });
  return all.sort((one, other) => other.divergence - one.divergence);
}
