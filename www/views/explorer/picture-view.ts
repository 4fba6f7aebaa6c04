import { html, type TemplateResult } from "lit";
import type { State } from "../../state/index.js";
import type { ExportSubject } from "../export/subject.js";
import type { Sight } from "../first/sight.js";
import "../parts/picture-panel.js";
import { isBlank, type Computation } from "../run/computation.js";
import { ofStack, positionedStack, type FigureDesk } from "../run/figures.js";
import type { Scene } from "./scene.js";

/** What the picture shows beside the scene. */
export interface Pictured {
  /** Whether clicks on cells block them. */
  blocking: boolean;
  /** What can be exported. */
  subject: ExportSubject | null;
  linkCopied: boolean;
  /** What is shown before there is a run. */
  first: Sight | null;
}

/** The head of a scene in one of its pictures. */
export function picturePanelOf(
  scene: Scene,
  state: State,
  { download, run, failure }: Computation,
  desk: FigureDesk,
  { blocking, subject, linkCopied, first }: Pictured,
): TemplateResult {
  const { shown } = scene;
  return html`<headscope-picture-panel
    part="picture-panel"
    .picture=${state.picture}
    .stage=${state.stage}
    .colours=${state.colours}
    .looked=${scene.looked}
    .positions=${shown && ofStack(desk.positions.value, positionedStack(shown.stack))}
    .blank=${isBlank(state.text)}
    .tooLong=${run === null && failure?.code === "input/too-long"}
    .blocked=${scene.blocked}
    .focused=${scene.focused}
    .locked=${scene.locked}
    .blocking=${blocking}
    .edits=${state.edits}
    .headDim=${scene.headDim}
    .headCount=${scene.headCount}
    .tokenTypes=${scene.tokenTypes}
    .origins=${scene.origins}
    .mass=${state.mass}
    .region=${state.region}
    .beside=${state.beside}
    .number=${state.number}
    .download=${download}
    .first=${first}
    .subject=${subject}
    .linkCopied=${linkCopied}
  ></headscope-picture-panel>`;
}
