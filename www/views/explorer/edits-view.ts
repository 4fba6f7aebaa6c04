import { html, nothing, type TemplateResult } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { message } from "../../i18n/index.js";
import { hasEdits, type State, type Store } from "../../state/index.js";
import type { OnBench } from "../bench/on-bench.js";
import "../../ui/lazy.js";
import "../parts/edits-panel.js";
import type { Computation } from "../run/computation.js";
import { EDIT_LABELS, type Scene } from "./scene.js";
import type { Pointing } from "./pointing.js";

/** The edits of a scene, and what a translator writes with them and without. */
export function editsOf(
  scene: Scene,
  state: State,
  computation: Computation,
  { undoes, redoes }: Pick<Store, "undoes" | "redoes">,
  { blocking, reach }: Pick<Pointing, "blocking" | "reach">,
): TemplateResult {
  const { architecture } = scene;
  const { run, unedited, progress } = computation;
  const edited = hasEdits(state.edits);
  const compared = edited && state.target === null && architecture === "encoder-decoder";
  const before = compared && unedited?.text === state.text ? unedited.translation : null;
  return html`<section part="edits" aria-label=${message("edits.title")} class=${classMap({ edits: true, sticky: edited || state.bench !== null })}>${
    EDIT_LABELS.failure
      ? html`<headscope-later-status .failure=${EDIT_LABELS.failure} .again=${() => void EDIT_LABELS.come()}></headscope-later-status>`
      : nothing
  }<headscope-edits-panel
    .edits=${state.edits}
    .chips=${scene.chips}
    .translation=${compared ? (run?.targetText ?? "") : null}
    .unedited=${progress?.finished === false ? null : before}
    .architecture=${architecture}
    .undoes=${undoes}
    .redoes=${redoes}
    .bench=${state.bench}
    .on=${
      {
        edits: state.edits,
        head: scene.shown,
        mask: scene.looked?.whole?.mask ?? null,
        model: computation.model,
        run,
        revision: computation.revision,
        figures: scene.figures,
        text: state.text,
        growing: computation.busy,
        numbers: state.numbers,
        painting: { on: blocking, reach },
      } satisfies OnBench
    }
    .compare=${state.compare}
  ></headscope-edits-panel></section>`;
}
