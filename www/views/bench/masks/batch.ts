import type { Tensor, Token } from "../../../data/index.js";
import type { Model, Run, RunInput } from "../../../headscope.js";

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
export async function readBatch(model: Model, texts: readonly string[]): Promise<Padded[]> {
  const tokens = texts.map((text) => model.tokenize(text));
  const longest = Math.max(...tokens.map(({ length }) => length));
  const batch: Padded[] = [];
  for (const own of tokens) {
    const ids = own.map(({ id }) => id);
    const pads = longest - own.length;
    const padded = [...ids, ...Array.from({ length: pads }, () => padOf(model))];
    const attentionMask = padded.map((_, at): 0 | 1 => (at < ids.length ? 1 : 0));
    const alone = await lastStates(model, { ids });
    const masked = await lastStates(model, { ids: padded, attentionMask });
    const open = await lastStates(model, { ids: padded });
    const largest = alone.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    batch.push({
      tokens: own,
      pads,
      masked: apart(alone, masked),
      open: apart(alone, open),
      largest,
    });
  }
  return batch;
}

/** What the stack that reads the text makes of it; a translator's decoder is asked for nothing but its beginning. */
async function lastStates(model: Model, input: RunInput): Promise<Tensor> {
  const { architecture, startToken, stacks } = model.info;
  const run: Run = await model.run(
    architecture === "encoder-decoder"
      ? { ...input, targetIds: [startToken ?? padOf(model)] }
      : input,
  );
  const stack = architecture === "decoder" ? "decoder" : "encoder";
  try {
    return await run.hidden({ stack, layer: stacks[stack]?.layers ?? 0 });
  } finally {
    run.release();
  }
}

/** The largest difference in the rows that both have. */
export function apart(one: Tensor, other: Tensor): number {
  const length = Math.min(one.data.length, other.data.length);
  let most = 0;
  for (let at = 0; at < length; at += 1)
    most = Math.max(most, Math.abs((one.data[at] ?? 0) - (other.data[at] ?? 0)));
  return most;
}
