/** What a link names and the model does not have. */
import type { ModelInfo, StepTensor } from "../data/index.js";
import type { Decoded, State } from "../state/index.js";
import { absentIn } from "./run/fitting.js";
import type { HeadFigures } from "./run/head.js";
import type { NoticeBoard } from "./run/notices.js";
import { heldNumber } from "./run/readings.js";
import { entryIn, joinedAt } from "./run/selection.js";

/**
 * Compares the indices that `asked` names (a stack, a layer, a head, a pair, tokens, a number of a
 * step) with the model and its run. If something does not exist, the nearest one or nothing is
 * shown, and a notice names it. `steps` are the steps of the block, if they are shown.
 */
export function comparePlaces(
  asked: Decoded,
  notices: NoticeBoard,
  state: State,
  { head, run }: HeadFigures,
  info: ModelInfo,
  steps: readonly StepTensor[] | null,
): void {
  const isSame = (name: keyof State): boolean => state[name] === asked.state[name];
  if (!(["model", "text", "stack"] as const).every(isSame)) return;
  const { stack, layer, locked, picked } = asked.state;
  const isAsked = (name: keyof State): boolean => asked.named.includes(name) && isSame(name);
  const absent = absentIn(state, info, run)
    .map(({ key }) => key)
    .filter(isAsked);
  const what = absent.find((key) => ["stack", "layer", "head"].includes(key));
  if (what && isSame("layer") && isSame("head")) {
    const values = {
      askedLayer: `${layer + 1}`,
      askedHead: `${asked.state.head + 1}`,
      layer: `${head.layer + 1}`,
      head: `${head.head + 1}`,
    };
    const names = { asked: `stack.${stack}`, stack: `stack.${head.stack}` } as const;
    const of = what === "stack" ? "stack" : "head";
    notices.post(`notice.place.${of}`, values, { code: `place/${of}`, names });
  }
  const { joined } = asked.state;
  const isRefused = joined !== null && joinedAt(asked.state, head.stack) === null;
  if (isRefused && asked.named.includes("joined") && state.joined === null)
    notices.post(
      "notice.place.joined",
      { layer: `${head.layer + 1}`, head: `${head.head + 1}` },
      {
        code: "place/joined",
        names: { asked: `stage.${joined}`, stack: `stack.${head.stack}` },
      },
    );
  const entry = (["entry", "against"] as const).find(
    (key) => asked.named.includes(key) && entryIn(asked.state[key], info) !== asked.state[key],
  );
  if (entry)
    notices.post(
      "notice.place.entry",
      { asked: `${asked.state[entry]}`, last: `${info.vocabSize - 1}` },
      { code: "place/entry" },
    );
  const tokens = picked?.side === "target" ? run.targetTokens : run.tokens;
  const isGone = picked?.tokens.some((token) => token >= tokens.length);
  if ((locked && absent.includes("locked")) || (isGone && isAsked("picked")))
    notices.post("notice.place.held", {}, { code: "place/held" });
  if (steps && state.number && isAsked("number") && !heldNumber(steps, state.number, null))
    notices.post("notice.place.number", {}, { code: "place/number" });
}
