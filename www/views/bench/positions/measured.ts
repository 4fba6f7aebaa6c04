import type { Edits, HeadLikeness, Stack, Tensor } from "../../../data/index.js";
import type { Model, Run } from "../../../headscope.js";
import {
  fittingEdits,
  standing,
  wholeOrder,
  type EditLists,
  type PlacedStack,
} from "../../../state/index.js";
import { limitsOf } from "../../run/selection.js";
import { targetIdsOf } from "../../run/target-ids.js";

/** What a head's divergence from itself is, in the stack that it belongs to. */
export interface ChangedHead {
  stack: Stack;
  layer: number;
  head: number;
  divergence: number;
}

export interface Measured {
  /** All heads, the most changed first; null where positions are the model's own. */
  heads: ChangedHead[] | null;
  /** How far states that belong to the same token are apart, once the tokens were permuted. */
  residue: Residue;
  /** The same with the model's own positions; null where these are its own. */
  own: Residue | null;
}

/** What is left between two outputs, row by row of the same token. */
export interface Residue {
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
