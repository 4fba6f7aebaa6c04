import { html, type TemplateResult } from "lit";
import "../../elements/heatmap.js";
import { setProperties } from "../../elements/shared/templates.js";
import type { Picture, State } from "../../state/index.js";
import type { Sight } from "../first/sight.js";
import { Later } from "../../ui/lazy.js";
import { FIGURE_PROPERTIES } from "../run/figure-properties.js";
import { type DisplayedPattern, placeIn } from "../run/displayed.js";
import type { Session } from "../session.js";

/** What draws each picture, fetched when it is opened; that of a first visit is always there. */
export const PICTURE_PARTS: Readonly<Record<Picture, Later<unknown> | null>> = {
  heatmap: null,
  lines: new Later(() => import("../../elements/lines.js")),
  dimensions: new Later(() => import("../../elements/dimensions.js")),
  steps: new Later(() => import("./steps-panel.js")),
  mask: new Later(() => import("../../elements/matrices.js")),
  positions: new Later(() => import("../../elements/positions.js")),
};

/** A picture of the head, once what draws it is here. Its cells are places in the picture. */
export function drawnPicture(
  displayed: DisplayedPattern,
  session: Session,
  comfortableHeight: number,
): TemplateResult {
  const { focused, locked, pointing, state, headCount, unusual } = session;
  const { picture } = state;
  if (picture === "steps") return html`<headscope-steps-panel></headscope-steps-panel>`;
  if (picture === "positions")
    return html`<headscope-positions .tensor=${session.positionTensor}></headscope-positions>`;
  const properties = {
    ...FIGURE_PROPERTIES[picture](displayed, { state, headCount, unusual }),
    blocked: session.blockedPlaces,
    focused: placeIn(displayed, focused),
    locked: placeIn(displayed, locked),
    blocking: pointing.blocking,
    comfortableHeight,
  };
  switch (picture) {
    case "heatmap":
      return heatmapOf(properties);
    case "lines":
      return html`<headscope-lines ${setProperties(properties)}></headscope-lines>`;
    case "dimensions":
      return html`<headscope-dimensions ${setProperties(properties)}></headscope-dimensions>`;
    case "mask":
      return html`<headscope-mask ${setProperties(properties)}></headscope-mask>`;
  }
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
  const properties = {
    queries,
    keys,
    blocked: [],
    fullyMasked: [],
    emptied: [],
    without: "",
    focused: null,
    locked: null,
    blocking: false,
    comfortableHeight,
    tensor: weights,
    mask: null,
    dropped: null,
    stage: "weights",
    colours,
    region: null,
  };
  return heatmapOf(properties, true);
}

/** One template for both, so that one element shows them: another would have no height at first, and the page would jump. */
function heatmapOf(properties: object, early = false): TemplateResult {
  return html`<headscope-heatmap ${setProperties(properties)} ?inert=${early}></headscope-heatmap>`;
}
