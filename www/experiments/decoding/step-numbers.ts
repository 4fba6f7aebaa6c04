/** What a step of decoding computes: the new row of attention in every head, and cached keys. */
import type { ModelInfo, Stack, StackInfo, Tensor } from "../../data/index.js";
import { tokenLabel } from "../../elements/shared/templates.js";
import { tensorOf } from "../../kit/figure-data.js";
import { type Line, positionOf } from "./lines.js";

/** The new row of every head of a stack, `[head, key]`. */
export interface HeadRows {
  stack: "decoder" | "cross";
  tensor: Tensor;
  /** The heads as `layer.head`, from one, and the tokens that they look at. */
  heads: string[];
  keys: string[];
}

/** Reads the row of attention that a step computed, in every head of self- and cross-attention. */
export async function readHeadRows(
  { stacks }: Pick<ModelInfo, "stacks">,
  line: Line,
  step: number,
): Promise<HeadRows[]> {
  const position = positionOf(line, step);
  const read = async (stack: HeadRows["stack"], info: StackInfo): Promise<HeadRows> => {
    // A decoder looks at the tokens up to its own position.
    const keys = stack === "cross" ? line.source : line.tokens.slice(0, position + 1);
    const heads = headsOf(info);
    const rows = await Promise.all(
      heads.map(({ layer, head }) =>
        line.run.attention({ stack, layer, head, rows: [position, position + 1] }),
      ),
    );
    const cells = rows.flatMap(({ data }) => [...data.subarray(0, keys.length)]);
    return {
      stack,
      tensor: tensorOf(cells, keys.length, ["head", "key"]),
      heads: heads.map(({ layer, head }) => `${layer + 1}.${head + 1}`),
      keys: keys.map(tokenLabel),
    };
  };
  const { decoder, cross } = stacks;
  return Promise.all([
    ...(decoder ? [read("decoder", decoder)] : []),
    ...(cross ? [read("cross", cross)] : []),
  ]);
}

function headsOf({ layers, heads }: StackInfo): { layer: number; head: number }[] {
  return Array.from({ length: layers * heads }, (_, index) => ({
    layer: Math.floor(index / heads),
    head: index % heads,
  }));
}

/** The keys and values that the decoder keeps at a step. */
export interface Cache {
  tokens: number;
  layers: number;
  /** The numbers of self-attention so far, and those that the step added. */
  floats: number;
  added: number;
  /** The numbers of cross-attention, which are computed once; null without it. */
  cross: { tokens: number; floats: number } | null;
  /** The step that added each key, `[layer, token]`, from one; 0 for the given text. */
  ages: Tensor;
}

const floatsOf = ({ layers, kvHeads, headDim }: StackInfo): number =>
  2 * layers * kvHeads * headDim;

/** The keys and values of a step: `2 · layers · kvHeads · headDim` numbers for each token. */
export function cacheAt(
  { stacks }: { stacks: Partial<Record<Stack, StackInfo>> },
  line: Pick<Line, "nGiven" | "source">,
  step: number,
): Cache {
  const tokens = positionOf(line, step) + 1;
  const { decoder, cross } = stacks;
  const each = decoder ? floatsOf(decoder) : 0;
  const layers = decoder?.layers ?? 0;
  const ages = Array.from({ length: tokens }, (_, at) => Math.max(0, at - line.nGiven + 1));
  const nSource = line.source.length;
  return {
    tokens,
    layers,
    floats: tokens * each,
    // The first step reads the whole text that was given.
    added: (step === 0 ? tokens : 1) * each,
    cross: cross ? { tokens: nSource, floats: nSource * floatsOf(cross) } : null,
    ages: tensorOf(Array.from({ length: layers }, () => ages).flat(), tokens, ["layer", "token"]),
  };
}
