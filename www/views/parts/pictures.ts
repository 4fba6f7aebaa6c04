import { html, type TemplateResult } from "lit";
import type {
  Cell,
  Palette,
  PositionOrigins,
  Region,
  Stage,
  StepCell,
  Tensor,
} from "../../data/index.js";
import "../../elements/heatmap.js";
import type { PairFigure } from "../../elements/matrix/pair-figure.js";
import { setProperties } from "../../elements/shared/templates.js";
import type { Picture } from "../../state/index.js";
import type { Sight } from "../first/sight.js";
import { Later } from "../../ui/lazy.js";
import type { Looked } from "../run/looked.js";
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
interface Heat extends Pick<Shown, "stage" | "colours" | "region"> {
  tensor: Tensor;
  mask?: Tensor | null | undefined;
  dropped?: Tensor | null | undefined;
  early?: boolean;
}

/** A head as its pictures show it. */
interface Shown {
  looked: Looked;
  pairs: Pairs;
  stage: Stage;
  colours: Palette;
  positions: Tensor | null;
  headCount: number;
  tokenTypes: number;
  origins: PositionOrigins | null;
  mass: number;
  /** The part of a matrix that is shown. */
  region: Region | null;
  /** The number of the steps that is held; without one it is that of the pair that is looked at, a cell of tokens. */
  number: StepCell | null;
  cell: Cell | null;
  /** Stages that edits make other than their formula. */
  unusual: readonly Stage[];
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

const DRAWN: Readonly<Record<Picture, (shown: Shown) => TemplateResult>> = {
  heatmap: ({ looked, pairs, stage, colours, region }) =>
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
  lines: ({ looked, pairs, headCount, mass }) => html`<headscope-lines
    ${setProperties({ ...pairs, ...renormalisedIn(looked) })}
    .patterns=${looked.patterns}
    .heads=${headCount}
    .mass=${mass}
  ></headscope-lines>`,
  dimensions: ({ looked, pairs, unusual }) => html`<headscope-dimensions
    ${setProperties(pairs)}
    .stages=${looked.whole?.stages ?? null}
    .vectors=${looked.whole?.vectors ?? null}
    .unusual=${unusual}
  ></headscope-dimensions>`,
  steps: ({
    looked,
    headCount,
    tokenTypes,
    origins,
    number,
    colours,
    cell,
    unusual,
  }) => html`<headscope-steps-panel
    .figures=${looked.figures}
    .heads=${headCount}
    .tokenTypes=${tokenTypes}
    .origins=${origins}
    .number=${number}
    .colours=${colours}
    .pair=${cell}
    .unusual=${unusual}
  ></headscope-steps-panel>`,
  mask: ({ looked, pairs, region }) =>
    html`<headscope-mask ${setProperties(pairs)} .mask=${looked.whole?.mask ?? null} .region=${region}></headscope-mask>`,
  positions: ({ positions }) =>
    html`<headscope-positions .tensor=${positions}></headscope-positions>`,
};

/** A picture of the head, once what draws it is here. */
export function drawnPicture(picture: Picture, shown: Shown): TemplateResult {
  return DRAWN[picture](shown);
}

/** The heatmap that was computed before there was a model. Nothing can be asked of it yet, and the live one takes it over as it stands. */
export function earlyHeatmap(
  { weights, sourceTokens, targetTokens, head: { stack } }: Sight,
  { colours, comfortableHeight }: { colours: Palette; comfortableHeight: number },
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
