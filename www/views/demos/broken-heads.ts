import { css, html, nothing, type TemplateResult } from "lit";
import type { Edits, HeadLikeness, HeadRef, Stack, Tensor } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import type { Model, Run } from "../../headscope.js";
import { formatFixed, formatNumber, message, type MessageKey } from "../../i18n/index.js";
import {
  fittingEdits,
  standing,
  wholeOrder,
  type EditLists,
  type PlacedStack,
} from "../../state/index.js";
import { failedWords } from "../bench/failed-words.js";
import type { Table } from "../../export/provenance.js";
import { patch } from "../parts/events.js";
import { limitsOf } from "../run/selection.js";
import { targetIdsOf } from "../run/target-ids.js";
import { demo } from "./demo.js";
import { blockOf } from "./norm.js";
import { ofText } from "./ranking.js";
import type { Working } from "./study.js";

/** The largest divergence there is, in nats. */
const MOST = Math.LN2;
/** From here on a head is said to have changed: a tenth of what is possible. */
const BROKEN = MOST / 10;
/** What is left of rounding is this much smaller than what another order does under the model's own positions. */
const ROUNDING = 1e-4;

/** Which heads another scheme or order of positions breaks, and what permuting the tokens does; measured when it is asked for. */
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
    run: async (_, { model, run, edits, stack }, { step, tell }: Working<Measured>) =>
      tell(await step("heads", (signal) => measure(model, run, edits, stack, signal)), 1),
  },
  summary: ({ residue, own }, _, { subject: { stack } }) => {
    const isSame = residue.row <= (own?.row ?? 0) * ROUNDING;
    const said = message(isSame ? "at.permuted.same" : "at.permuted.other", numbersOf(residue));
    return html`<p role="status" data-residue=${residue.row} data-number=${residue.number}>${said} ${own ? html`<span data-own=${own.row} data-own-number=${own.number}>${message("at.permuted.own", numbersOf(own))}</span>` : nothing} ${!isSame && stack === "decoder" ? message("at.permuted.causal") : nothing}</p>`;
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
    return [
      {
        heading: message("at.heads"),
        notes: [message("at.heads.hint", numbers)],
        name: "broken-heads",
        of: {},
        csv: tableOf(heads),
        figure: () => html`${broken.length > 0 ? list(broken, "at.heads.broken") : nothing}
          ${whole.length > 0 ? html`<details ?open=${broken.length === 0}><summary>${message("at.heads.whole", { count: whole.length })}</summary>${list(whole, "at.heads.others")}</details>` : nothing}`,
      },
    ];
  },
  styles: css`
    .pictures {
      grid-template-columns: minmax(0, 1fr);
    }

    ol {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(min(270px, 100%), 1fr));
      gap: 2px 24px;
      margin: 6px 0;
      padding: 0;
      list-style: none;
    }

    li button {
      display: flex;
      justify-content: space-between;
      gap: 12px;
      width: 100%;
      min-height: 28px;
      text-align: left;
      font-variant-numeric: tabular-nums;
    }
  `,
});

function list(heads: readonly ChangedHead[], name: MessageKey): TemplateResult {
  const open = ({ currentTarget }: Event, { stack, layer, head }: HeadRef): void => {
    if (currentTarget) patch(currentTarget, { stack, layer, head });
  };
  return html`<ol aria-label=${message(name)}>
    ${heads.map(
      (one) => html`<li>
        <button @click=${(event: Event) => open(event, one)}>
          <span>${message(`stack.${one.stack}`)} · ${message("at.heads.head", { layer: one.layer + 1, head: one.head + 1 })}</span>
          <span data-divergence=${one.divergence}>${formatFixed(one.divergence)}</span>
        </button>
      </li>`,
    )}
  </ol>`;
}

function numbersOf({ number, row }: Residue): { number: string; row: string } {
  return { number: formatValue(number), row: formatValue(row) };
}

/** All of them, not only those that are listed. */
function tableOf(heads: readonly ChangedHead[]): Table {
  return {
    columns: [
      "stack",
      message("ranking.layer"),
      message("ranking.head"),
      message("saving.divergence"),
    ],
    rows: heads.map(({ stack, layer, head, divergence }) => [
      stack,
      layer + 1,
      head + 1,
      divergence,
    ]),
  };
}

/** What a head's divergence from itself is, in the stack that it belongs to. */
interface ChangedHead {
  stack: Stack;
  layer: number;
  head: number;
  divergence: number;
}

interface Measured {
  /** All heads, the most changed first; null where positions are the model's own. */
  heads: ChangedHead[] | null;
  /** How far states that belong to the same token are apart, once the tokens were permuted. */
  residue: Residue;
  /** The same with the model's own positions; null where these are its own. */
  own: Residue | null;
}

/** What is left between two outputs, row by row of the same token. */
interface Residue {
  /** The largest difference of two rows, `‖Δ‖`. */
  row: number;
  /** The largest difference of two numbers, `|Δ|`. */
  number: number;
}

/** The ids of one stack's text in another order. */
interface Ids {
  ids: number[];
  targetIds?: number[];
}

const idsOf = (tokens: Run["tokens"]): number[] => tokens.map(({ id }) => id);

/**
 * What another scheme or order did to the heads, and whether tokens in another order are anything else than their rows in
 * another order. Every number is read of runs of the model; runs that are made for it are released.
 */
export async function measure(
  model: Model,
  run: Run,
  edits: EditLists,
  stack: PlacedStack,
  signal: AbortSignal,
): Promise<Measured> {
  const targetIds = targetIdsOf(run, model.info);
  const texts: Ids = { ids: idsOf(run.tokens), ...(targetIds && { targetIds }) };
  const fitting = fittingEdits(
    edits,
    limitsOf(model.info, texts.ids.length, texts.targetIds?.length ?? 0),
  );
  const { positions = [], ...others } = fitting;
  const held: Run[] = [];
  const begin = async (ids: Ids, wanted: Edits): Promise<Run> => {
    const begun = await model.run({ ...ids, edits: wanted }, { signal });
    held.push(begun);
    return begun;
  };
  try {
    // The runs have to be of the same request but for what is compared: token types are left to their default in all.
    const schemes = positions.flatMap((edit) =>
      edit.scheme === undefined ? [] : [{ ...edit, order: [] }],
    );
    const plain = await begin(texts, others);
    const edited = await begin(texts, { ...others, ...(positions.length > 0 && { positions }) });
    const placed = await begin(texts, {
      ...others,
      ...(schemes.length > 0 && { positions: schemes }),
    });
    const heads = positions.length > 0 ? await changedHeads(model, edited, plain) : null;

    const inTarget = targetIds !== undefined && stack === "decoder";
    const tokens = inTarget ? (texts.targetIds ?? []) : texts.ids;
    const row = permutation(
      positions.findLast((edit) => (edit.stack ?? stack) === stack && edit.order)?.order,
      tokens.length,
    );
    const moved = row.map((token) => tokens[token] ?? 0);
    const permuted: Ids = inTarget ? { ...texts, targetIds: moved } : { ...texts, ids: moved };
    const residueOf = async (ofText: Run, wanted: Edits): Promise<Residue> => {
      const other = await begin(permuted, wanted);
      const { data, shape } = await other.distances({ stack, other: ofText, order: row });
      const [layers = 1, count = 0] = shape;
      const layer = layers - 1;
      const [before, after] = await Promise.all(
        [ofText, other].map((one) => one.hidden({ stack, layer })),
      );
      return {
        row: data.subarray(layer * count).reduce((most, one) => Math.max(most, one), 0),
        number: before && after ? furthest(before, after, row) : NaN,
      };
    };
    const residue = await residueOf(placed, {
      ...others,
      ...(schemes.length > 0 && { positions: schemes }),
    });
    const own = schemes.length > 0 ? await residueOf(plain, others) : null;
    return { heads, residue, own };
  } finally {
    for (const one of held) one.release();
  }
}

/** The largest difference of two numbers: row `r` of `after` belongs to the token that row `order[r]` of `before` has. */
function furthest(before: Tensor, after: Tensor, order: readonly number[]): number {
  const width = after.shape[1] ?? 0;
  return after.data.reduce(
    (most, value, index) =>
      Math.max(
        most,
        Math.abs(
          value -
            (before.data[(order[Math.floor(index / width)] ?? 0) * width + (index % width)] ?? NaN),
        ),
      ),
    0,
  );
}

/** The token at each place: as the reader ordered them, otherwise from the last to the first. */
function permutation(order: readonly number[] | undefined, count: number): number[] {
  const whole = wholeOrder(order, count);
  return order ? standing(whole) : whole.reverse();
}

async function changedHeads(model: Model, edited: Run, plain: Run): Promise<ChangedHead[]> {
  const all: ChangedHead[] = [];
  for (const stack of ["encoder", "decoder", "cross"] as const) {
    if (!model.info.stacks[stack]) continue;
    const found: HeadLikeness[] = await edited.divergences({ stack, other: plain });
    all.push(
      ...found.map(({ layer, head, divergence }) => ({
        stack,
        layer,
        head,
        divergence: divergence ?? 0,
      })),
    );
  }
  return all.sort((one, other) => other.divergence - one.divergence);
}
