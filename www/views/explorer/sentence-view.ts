import { html, type TemplateResult } from "lit";
import { fittingEdits, hasEdits, type State } from "../../state/index.js";
import type { Sight } from "../first/sight.js";
import "../parts/sentence-bar.js";
import type { Computation } from "../run/computation.js";
import type { FigureDesk } from "../run/figures.js";
import { limitsOf } from "../run/selection.js";
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
