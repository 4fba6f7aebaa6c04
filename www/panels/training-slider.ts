import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { emit } from "../elements/events.js";
import { formatPercent, message } from "../i18n/index.js";
import { type TrainedStep, trainedSteps } from "../session/models/trained-steps.js";
import type { ModelName } from "../state/index.js";
import { PagePart } from "../ui/page-part.js";

/**
 * A slider over the kept steps of the training of a bundled model; nothing for any other model.
 * Fires `headscope-model-choose` with the model of the chosen step.
 */
@customElement("headscope-training-slider")
export class HeadscopeTrainingSlider extends PagePart {
  @property() model: ModelName = "models/en-fr";

  protected override render(): TemplateResult | typeof nothing {
    const steps = trainedSteps(this.model);
    const at = steps.findIndex(({ model }) => model === this.model);
    const shown = steps[at];
    if (!shown) return nothing;
    const words = wordsOf(shown);
    return html`<label class="inline small">
      ${message("trained.label")}
      <input
        type="range"
        min="0"
        max=${steps.length - 1}
        .value=${live(String(at))}
        aria-valuetext=${words}
        @input=${({ target }: Event) => {
          const chosen = steps[Number((target as HTMLInputElement).value)];
          if (chosen) emit(this, "headscope-model-choose", chosen.model);
        }}
      />
      <output>${words}</output>
    </label>`;
  }
}

function wordsOf({ step, right }: TrainedStep): string {
  return message("trained.step", { step, right: formatPercent(right, 0) });
}

declare global {
  interface HTMLElementEventMap {
    "headscope-model-choose": CustomEvent<ModelName>;
  }
}
