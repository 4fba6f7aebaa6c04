import { html, type TemplateResult } from "lit";
import type { ModelInfo } from "../../data/index.js";
import type { State } from "../../state/index.js";
import type { PairSide } from "../pairs/side.js";
import "../parts/inspector.js";
import { ofHead, ofStack, type FigureDesk } from "../run/figures.js";
import { measuresOf } from "./head-roles.js";
import type { Scene } from "./scene.js";

/** What the inspector shows beside the scene. */
export interface Inspected {
  /** Whether the pair is under the pointer. */
  pointed: boolean;
  info: ModelInfo | null;
  changes: PairSide["changes"];
  state: State;
  linkCopied: boolean;
}

/** The inspector of a scene, with what was read of it. */
export function inspectorOf(
  scene: Scene,
  desk: FigureDesk,
  { pointed, info, changes, state, linkCopied }: Inspected,
): TemplateResult {
  const { shown } = scene;
  return html`<headscope-inspector
    part="inspector"
    .figures=${scene.figures}
    .looked=${scene.looked}
    .together=${scene.together}
    .focused=${scene.focused}
    .pointed=${pointed}
    .info=${info}
    .expectation=${scene.place && desk.expectation.value}
    .headDim=${scene.headDim}
    .measures=${measuresOf(ofStack(desk.measures.value, shown?.stack), shown)}
    .spectrum=${ofHead(desk.spectrum.value, shown)}
    .changes=${changes}
    .state=${state}
    .linkCopied=${linkCopied}
  ></headscope-inspector>`;
}
