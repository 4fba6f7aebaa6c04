import { html, type TemplateResult } from "lit";
import type { Tensor } from "../../data/index.js";
import "../../elements/heatmap.js";
import type { PairFigure } from "../../elements/matrix/pair-figure.js";
import { setProperties } from "../../elements/shared/templates.js";
import type { Picture, State } from "../../state/index.js";
import type { Sight } from "../first/sight.js";
import { Later } from "../../ui/lazy.js";
import { placeIn } from "../run/looked-cells.js";
import type { Looked } from "../run/looked.js";
import type { Session } from "../session.js";
import { withoutName } from "./lens-words.js";

/** What every picture of pairs is told, its cells being places in the picture. */
type Pairs = Pick<
  PairFigure,
  | "queries"
  | "keys"
  | "blocked"
  | "fullyMasked"
  | "focused"
  | "locked"
  | "blocking"
  | "comfortableHeight"
>;

type Renormalised = Pick<PairFigure, "emptied" | "without">;

/** What a heatmap draws. */
interface Heat extends Pick<State, "stage" | "colours" | "region"> {
  tensor: Tensor;
  mask?: Tensor | null | undefined;
  dropped?: Tensor | null | undefined;
  early?: boolean;
}

/** What draws each picture, fetched when it is opened; that of a first visit is always there. */
export const PICTURE_PARTS: Readonly<Record<Picture, Later<unknown> | null>> = {
  heatmap: null,
  lines: new Later(() => import("../../elements/lines.js")),
  dimensions: new Later(() => import("../../elements/dimensions.js")),
  steps: new Later(() => import("./steps-panel.js")),
  mask: new Later(() => import("../../elements/matrices.js")),
  positions: new Later(() => import("../../elements/positions.js")),
};

const DRAWN: Readonly<
  Record<Picture, (looked: Looked, pairs: Pairs, session: Session) => TemplateResult>
> = {
  heatmap: (looked, pairs, { state: { stage, colours, region } }) =>
    heatmapOf(
      { ...pairs, ...renormalisedIn(looked) },
      {
        tensor: looked.whole?.stages[stage] ?? looked.weights,
        mask: looked.whole?.mask,
        dropped: looked.whole?.dropped,
        stage,
        colours,
        region,
      },
    ),
  lines: (looked, pairs, { headCount, state }) => html`<headscope-lines
    ${setProperties({ ...pairs, ...renormalisedIn(looked) })}
    .patterns=${looked.patterns}
    .heads=${headCount}
    .mass=${state.mass}
  ></headscope-lines>`,
  dimensions: (looked, pairs, { unusual }) => html`<headscope-dimensions
    ${setProperties(pairs)}
    .stages=${looked.whole?.stages ?? null}
    .vectors=${looked.whole?.vectors ?? null}
    .unusual=${unusual}
  ></headscope-dimensions>`,
  steps: () => html`<headscope-steps-panel></headscope-steps-panel>`,
  mask: (looked, pairs, { state }) =>
    html`<headscope-mask ${setProperties(pairs)} .mask=${looked.whole?.mask ?? null} .region=${state.region}></headscope-mask>`,
  positions: (_looked, _pairs, { positionTensor }) =>
    html`<headscope-positions .tensor=${positionTensor}></headscope-positions>`,
};

/** A picture of the head, once what draws it is here. */
export function drawnPicture(
  looked: Looked,
  session: Session,
  comfortableHeight: number,
): TemplateResult {
  const { focused, locked, pointing, state } = session;
  const pairs: Pairs = {
    queries: looked.queries,
    keys: looked.keys,
    fullyMasked: looked.fullyMasked,
    blocked: session.blockedPlaces,
    focused: placeIn(looked, focused),
    locked: placeIn(looked, locked),
    blocking: pointing.blocking,
    comfortableHeight,
  };
  return DRAWN[state.picture](looked, pairs, session);
}

/** The heatmap that was computed before there was a model. Nothing can be asked of it yet, and the live one takes it over as it stands. */
export function earlyHeatmap(
  { weights, sourceTokens, targetTokens, head: { stack } }: Sight,
  colours: State["colours"],
  comfortableHeight: number,
): TemplateResult {
  const [queries, keys] = [
    stack === "encoder" ? sourceTokens : targetTokens,
    stack === "decoder" ? targetTokens : sourceTokens,
  ];
  const pairs: Pairs = {
    queries,
    keys,
    blocked: [],
    fullyMasked: [],
    focused: null,
    locked: null,
    blocking: false,
    comfortableHeight,
  };
  return heatmapOf(
    { ...pairs, emptied: [], without: "" },
    { tensor: weights, stage: "weights", colours, region: null, early: true },
  );
}

/** One template for both, so that one element shows them: another would have no height at first, and the page would jump. */
function heatmapOf(
  told: Pairs & Renormalised,
  { tensor, mask = null, dropped = null, stage, colours, region, early = false }: Heat,
): TemplateResult {
  return html`<headscope-heatmap
    ${setProperties(told)}
    ?inert=${early}
    .tensor=${tensor}
    .mask=${mask}
    .dropped=${dropped}
    .stage=${stage}
    .colours=${colours}
    .region=${region}
  ></headscope-heatmap>`;
}

/** What weights are told that are not the model's own. */
function renormalisedIn(looked: Looked): Renormalised {
  return { emptied: looked.emptied, without: withoutName(looked) };
}
