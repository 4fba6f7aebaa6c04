import type { ModelInfo } from "../../data/index.js";
import type { Model, Run, RunInput } from "../../headscope.js";

/** Whether a run read the very tokens of another, what a translator wrote included: cells and places have counterparts then. */
export function hasTokensOf(
  one: Pick<Run, "tokens" | "targetTokens">,
  run: Pick<Run, "tokens" | "targetTokens">,
  info: Pick<ModelInfo, "architecture" | "maxTokens">,
): boolean {
  const same = (ids: readonly number[], others: readonly number[]): boolean =>
    ids.length === others.length && ids.every((id, at) => id === others[at]);
  const sources = [one, run].map(({ tokens }) => tokens.map(({ id }) => id));
  return (
    same(sources[0] ?? [], sources[1] ?? []) &&
    same(targetIdsOf(one, info) ?? [], targetIdsOf(run, info) ?? [])
  );
}

/**
 * The ids that a translator's decoder read, to have it read them again; undefined for a model without a second text. Of a
 * translation that filled all positions the last token was written, and never read.
 */
export function targetIdsOf(
  { targetTokens }: Pick<Run, "targetTokens">,
  { architecture, maxTokens }: Pick<ModelInfo, "architecture" | "maxTokens">,
): number[] | undefined {
  return architecture === "encoder-decoder"
    ? targetTokens.slice(0, maxTokens).map(({ id }) => id)
    : undefined;
}

/** The very same tokens without any edit. */
export function originalInput({ info }: Model, run: Run): RunInput {
  const ids = run.tokens.map(({ id }) => id);
  const targetIds = targetIdsOf(run, info);
  return { ids, ...(targetIds && { targetIds }) };
}
