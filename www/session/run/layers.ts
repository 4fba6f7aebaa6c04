/** What each layer of the present run predicts: the question about it, and the chosen cell. */
import type {
  AttributionAsked,
  BlockStack,
  DepthPlace,
  EntryName,
  HeadRef,
  Lens,
  ModelInfo,
  Token,
} from "../../data/index.js";
import type { Run } from "../../headscope.js";

/** The predictions of a cell that the page lists. */
const LISTED = 10;

/** A question about the stack that predicts. */
export interface AskedLayers {
  stack: BlockStack;
  /** The entry of the vocabulary whose probability and rank are wanted; null for none. */
  entry: number | null;
  topK: number;
  vocabSize: number;
  /** Whether only the first token predicts: the class token of an image. */
  isOfFirst: boolean;
}

/** The predictions of all depths, with the tokens of their positions. */
export interface ReadLayers {
  tokens: readonly Token[];
  lens: Lens & { names: ReadonlyMap<number, EntryName> };
}

/** A question about a logit of the stack that predicts. */
export interface AskedAttribution {
  stack: BlockStack;
  asked: AttributionAsked;
}

/** The question about a model; null for a model that predicts nothing. */
export function askedLayers(info: ModelInfo, entry: number | null): AskedLayers | null {
  if (!info.predicts) return null;
  return {
    stack: info.architecture === "encoder" ? "encoder" : "decoder",
    entry: entry !== null && entry < info.vocabSize ? entry : null,
    topK: Math.min(LISTED, info.vocabSize),
    vocabSize: info.vocabSize,
    isOfFirst: info.image !== null,
  };
}

export async function readLayers(
  run: Run,
  { stack, entry, topK, isOfFirst }: AskedLayers,
): Promise<ReadLayers> {
  const all = stack === "encoder" ? run.tokens : run.targetTokens;
  const tokens = isOfFirst ? all.slice(0, 1) : all;
  const positions = tokens.map((_, position) => position);
  const ids = entry === null ? {} : { ids: positions.map(() => entry) };
  return { tokens, lens: await run.lens({ topK, positions, ...ids }) };
}

/** The chosen cell if there is one; otherwise the last depth of a masked, or the last, token. */
export function chosenDepth(
  { tokens, lens }: ReadLayers,
  chosen: DepthPlace | null,
): DepthPlace | null {
  const [depths = 0, n = 0] = lens.entropy.shape;
  if (depths === 0 || n === 0) return null;
  if (chosen && chosen.layer < depths && chosen.position < n) return chosen;
  const masked = tokens.findIndex(({ role }) => role === "mask");
  return { layer: depths - 1, position: masked < 0 ? n - 1 : masked };
}

/**
 * The logit of the chosen entry, or of the likeliest at the end, at the position of a cell; less
 * that of `against`, if it is another entry of the model.
 */
export function askedAttribution(
  { lens }: ReadLayers,
  { position }: DepthPlace,
  { stack, entry, vocabSize }: AskedLayers,
  head: HeadRef | null,
  against: number | null = null,
): AskedAttribution | null {
  const [depths = 0, n = 0, ranks = 0] = lens.ids.shape;
  const id = entry ?? lens.ids.data[((depths - 1) * n + position) * ranks];
  if (id === undefined) return null;
  // The encoder's heads do not write into the decoder's stream.
  const writes = stack === "encoder" || head?.stack !== "encoder";
  const isOther = against !== null && against !== id && against < vocabSize;
  const less = isOther && { against };
  return { stack, asked: { position, id, ...less, ...(head && writes && { head }) } };
}
