import { html, type TemplateResult } from "lit";
import type { ModelInfo, Stack } from "../../data/index.js";
import { fittingEdits, hasEdits, type State } from "../../state/index.js";
import type { ExportSubject } from "../export/subject.js";
import type { Sight } from "../first/sight.js";
import type { PairSide } from "../pairs/side.js";
import "../parts/heads-panel.js";
import "../parts/inspector.js";
import "../parts/picture-panel.js";
import "../parts/sentence-bar.js";
import { type Computation, isBlank } from "../run/computation.js";
import { type FigureDesk, ofHead, ofStack, positionedStack } from "../run/figures.js";
import { limitsOf } from "../run/selection.js";
import { heldOutScores, measuresOf, roleCaptions, wornRoles } from "./head-roles.js";
import type { Scene } from "./scene.js";

/** Whether edits are at work: of a model that has not answered yet, any may be. */
function isChanged({ edits }: State, { model, run }: Computation): boolean {
  return model !== null && run !== null
    ? hasEdits(
        fittingEdits(edits, limitsOf(model.info, run.tokens.length, run.targetTokens.length)),
      )
    : hasEdits(edits);
}

/** The sentence of a scene and what the model makes of it. */
export function sentenceBarOf(
  scene: Scene,
  state: State,
  computation: Computation,
  desk: FigureDesk,
  first: Sight | null,
): TemplateResult {
  const { architecture } = scene;
  const { info = null } = computation.model ?? {};
  return html`<headscope-sentence-bar
    part="sentence"
    .text=${state.text}
    .target=${state.target}
    .translation=${first?.translation ?? computation.run?.targetText ?? ""}
    .edited=${isChanged(state, computation)}
    .stale=${computation.stale}
    .writing=${computation.progress?.finished === false}
    .model=${state.model}
    .architecture=${architecture}
    .hideable=${architecture === "encoder" && info?.predicts === true && info.maskToken !== null}
    .continuation=${computation.continuation}
    .expectation=${scene.place && desk.expectation.value}
    .endToken=${info?.endToken ?? null}
    .settled=${!computation.busy && computation.run !== null}
    .unit=${state.unit}
    .specials=${state.specials}
    .source=${first?.source ?? scene.source}
    .result=${first?.result ?? scene.result}
    .compare=${state.compare}
  ></headscope-sentence-bar>`;
}

/** What the panel shows beside the scene. */
interface Panelled {
  /** On a phone, where the panel is long. */
  folded: boolean;
  linkCopied: boolean;
  first: Sight | null;
}

/** The heads of a scene, with what is known and was read of them. */
export function headsPanelOf(
  scene: Scene,
  state: State,
  { model }: Computation,
  desk: FigureDesk,
  { folded, linkCopied, first }: Panelled,
): TemplateResult {
  const { chosen, shown, stacks } = scene;
  const { notes = null, notesProblem = null } = model ?? {};
  const measures = ofStack(desk.measures.value, shown?.stack);
  return html`<headscope-heads-panel
    part="heads"
    .stacks=${stacks}
    .stack=${chosen?.stack ?? stackBefore(state, stacks)}
    .chosen=${first?.head ?? chosen}
    .shown=${shown}
    .loading=${model === null}
    .notes=${notes}
    .notesProblem=${notesProblem}
    .captions=${roleCaptions(notes, chosen?.stack)}
    .worn=${first ? first.worn : wornRoles(notes, chosen?.stack)}
    .heldOut=${heldOutScores(notes, shown)}
    .here=${measuresOf(measures, shown)?.roles ?? null}
    .filter=${state.roleFilter}
    .sort=${state.headSort}
    .measures=${measures}
    .likeness=${ofHead(desk.likeness.value, chosen)}
    .thumbnails=${first ? first.thumbnails : ofStack(desk.thumbnails.value, chosen?.stack)}
    .early=${first !== null}
    .colours=${state.colours}
    .silenced=${scene.silenced}
    .edits=${state.edits}
    .sizes=${model?.info.stacks ?? {}}
    .state=${state}
    .linkCopied=${linkCopied}
    .folded=${folded}
  ></headscope-heads-panel>`;
}

/** Which of the stacks is asked for, before there is a model. */
function stackBefore({ stack }: State, stacks: readonly Stack[]): Stack {
  return stacks.includes(stack) ? stack : (stacks[0] ?? stack);
}

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
