import { html, type TemplateResult } from "lit";
import type { Cell, Palette, Region, Stage, StepCell, Tensor } from "../../data/index.js";
import "../../elements/heatmap/index.js";
import type { PairFigure } from "../../elements/matrix/pair-figure.js";
import { handed } from "../../elements/shared/handed.js";
import type { Picture } from "../../state/index.js";
import { Later } from "../later/later.js";
import type { Looked } from "../run/looked.js";
import { withoutName } from "./lens-words.js";

/** What every picture of pairs is told, its cells being places in the picture. */
type Pairs = Pick<PairFigure, "queries" | "keys" | "blocked" | "fullyMasked" | "focused" | "locked" | "blocking" | "comfortableHeight">;

/** A head as its pictures show it. */
interface Shown {
  looked: Looked;
  pairs: Pairs;
  stage: Stage;
  colours: Palette;
  positions: Tensor | null;
  headCount: number;
  tokenTypes: number;
  mass: number;
  /** The part of a matrix that is shown. */
  region: Region | null;
  /** The number of the steps that is held; without one it is that of the pair that is looked at, a cell of tokens. */
  number: StepCell | null;
  cell: Cell | null;
}

/** What draws each picture, fetched when it is opened; that of a first visit is always there. */
export const PICTURE_PARTS: Readonly<Record<Picture, Later<unknown> | null>> = {
  heatmap: null,
  lines: new Later(() => import("../../elements/lines/index.js")),
  dimensions: new Later(() => import("../../elements/dimensions/index.js")),
  steps: new Later(() => import("./steps-panel.js")),
  mask: new Later(() => import("../../elements/mask/index.js")),
  positions: new Later(() => import("../../elements/positions/index.js")),
};

const DRAWN: Readonly<Record<Picture, (shown: Shown) => TemplateResult>> = {
  heatmap: ({ looked, pairs, stage, colours, region }) => html`<headscope-heatmap
    ${handed({ ...pairs, ...renormalisedIn(looked) })}
    .tensor=${looked.whole?.stages[stage] ?? looked.weights}
    .mask=${looked.whole?.mask ?? null}
    .dropped=${looked.whole?.dropped ?? null}
    .stage=${stage}
    .colours=${colours}
    .region=${region}
  ></headscope-heatmap>`,
  lines: ({ looked, pairs, headCount, mass }) => html`<headscope-lines
    ${handed({ ...pairs, ...renormalisedIn(looked) })}
    .patterns=${looked.patterns}
    .heads=${headCount}
    .mass=${mass}
  ></headscope-lines>`,
  dimensions: ({ looked, pairs }) => html`<headscope-dimensions
    ${handed(pairs)}
    .stages=${looked.whole?.stages ?? null}
    .vectors=${looked.whole?.vectors ?? null}
  ></headscope-dimensions>`,
  steps: ({ looked, headCount, tokenTypes, number, colours, cell }) => html`<headscope-steps-panel
    .figures=${looked.figures}
    .heads=${headCount}
    .tokenTypes=${tokenTypes}
    .number=${number}
    .colours=${colours}
    .pair=${cell}
  ></headscope-steps-panel>`,
  mask: ({ looked, pairs, region }) => html`<headscope-mask ${handed(pairs)} .mask=${looked.whole?.mask ?? null} .region=${region}></headscope-mask>`,
  positions: ({ positions }) => html`<headscope-positions .tensor=${positions}></headscope-positions>`,
};

/** A picture of the head, once what draws it is here. */
export function drawnPicture(picture: Picture, shown: Shown): TemplateResult {
  return DRAWN[picture](shown);
}

/** What weights are told that are not the model's own. */
function renormalisedIn(looked: Looked): Pick<PairFigure, "emptied" | "without"> {
  return { emptied: looked.emptied, without: withoutName(looked) };
}
