/** The contents of `<headscope-difference>`, read from two runs. */
import type { HeadscopeDifference } from "../elements/index.js";
import type { Run } from "../headscope.js";
import { isSigned, mapCell, pairedHead } from "../session/alignment.js";
import { addressOf } from "../session/models/addresses.js";
import { pageHome } from "../session/models/home.js";
import { readHead } from "../session/run/head.js";
import { comparedStage } from "../session/run/pair-pictures.js";
import { cellWithin } from "../session/run/selection.js";
import { secondRequest } from "../session/second-run.js";
import { headBeside } from "../session/second-view.js";
import { editLists, hasEdits, nameOfHead, type State, writtenAttribute } from "../state/index.js";
import { type Lacking, type Reading, refuseAbsent, regionWithin, type Source } from "./reading.js";

/**
 * Reads the difference of a head in two runs. The second run has another text or model, or else no
 * edits.
 */
export async function readDifference({
  view,
  run,
  head,
  state,
  lease,
}: Source): Promise<Reading | Lacking> {
  const { model } = view;
  const named = [state.otherText, state.otherModel, state.otherHead].some((of) => of !== null);
  const edited = hasEdits(editLists(run.fit()?.edits ?? {}));
  const comparison = state.compare ?? (named ? "other" : edited ? "original" : null);
  const request = secondRequest(state, comparison, { model, run }, view.shownImage);
  if (!request) return { lacks: "embed.nothingBeside" };
  const beside = lease.beside(addressOf(request.model, pageHome()), request.input);
  const [otherModel, otherRun] = await Promise.all([beside.model, beside.run]);
  const asked = comparison === "other" ? (state.otherHead ?? head) : head;
  const otherHead = headBeside(head, { ...state, compare: comparison }, otherModel.info);
  if (!otherHead) throw new Error("The other model has no attention.");
  if (state.otherHead && nameOfHead(otherHead) !== nameOfHead(asked))
    throw refuseAbsent(
      writtenAttribute("otherHead", state),
      `… ${writtenAttribute("otherHead", { otherHead })}`,
    );
  for (const key of ["layer", "head"] as const)
    if (otherHead[key] !== asked[key])
      throw refuseAbsent(writtenAttribute(key, head), `1 … ${otherHead[key] + 1}`);
  refuseAbsentPairs(state, run, otherRun);

  const [other] = await Promise.all([readHead(otherRun, otherHead), view.read([view.headRead])]);
  const { figures } = view;
  if (!figures) throw new Error("A head that was read is not there.");
  const stage = comparedStage({ picture: "heatmap", stage: state.stage });
  const shown = { ...state, stage };
  const { shared } = pairedHead(figures, other, [model.info, otherModel.info], shown);
  if (!shared) return { lacks: "embed.noDifference" };
  const { queries, keys, tensor, range } = shared;
  const locked = cellWithin(state.locked, figures.stages.weights);
  return {
    // A pair of the second text alone cannot be locked: the page's positions are those of the
    // first text.
    cellAt: (place) => mapCell(place, queries.one, keys.one),
    properties: {
      tensor,
      range,
      queries: queries.tokens,
      keys: keys.tokens,
      signed: isSigned(shared),
      region: regionWithin(state, tensor),
      locked: mapCell(locked, queries.ofOne, keys.ofOne),
      focused: null,
    } satisfies Partial<HeadscopeDifference>,
  };
}

/** Refuses pairs of tokens that one of the texts does not have. */
function refuseAbsentPairs(state: State, run: Run, otherRun: Run): void {
  for (const { side, one, other } of state.pairs) {
    const count = ({ tokens, targetTokens }: Run): number =>
      (side === "source" ? tokens : targetTokens).length;
    if (one < count(run) && other < count(otherRun)) continue;
    const last = { pairs: [{ side, one: count(run) - 1, other: count(otherRun) - 1 }] };
    throw refuseAbsent(writtenAttribute("pairs", state), `… ${writtenAttribute("pairs", last)}`);
  }
}
