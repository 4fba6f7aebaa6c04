import { html, type TemplateResult } from "lit";
import type { Stack } from "../../data/index.js";
import type { State } from "../../state/index.js";
import type { Sight } from "../first/sight.js";
import "../parts/heads-panel.js";
import type { Computation } from "../run/computation.js";
import { ofHead, ofStack, type FigureDesk } from "../run/figures.js";
import { heldOutScores, measuresOf, roleCaptions, wornRoles } from "./head-roles.js";
import type { Scene } from "./scene.js";

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
