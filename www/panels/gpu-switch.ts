import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { BlockRef } from "../data/index.js";
import { emit } from "../elements/events.js";
import { message } from "../i18n/index.js";
import type { BackendChoice } from "../session/models/backend-choice.js";
import { PagePart } from "../ui/page-part.js";

/**
 * The switch of the GPU, with the GPU's name and the layers of a run that the CPU computes. Fires
 * `headscope-gpu-turn` with whether the GPU is wanted.
 */
@customElement("headscope-gpu-switch")
export class HeadscopeGpuSwitch extends PagePart {
  /** The GPU; null where there is none, and nothing to switch. */
  @property({ attribute: false }) adapter: BackendChoice["adapter"] = null;
  /** Whether the GPU is wanted. */
  @property({ type: Boolean }) on = false;
  /** The attention sites that the CPU computes beside it. */
  @property({ attribute: false }) onCpu: readonly BlockRef[] = [];

  protected override render(): TemplateResult | typeof nothing {
    const { adapter, on, onCpu } = this;
    if (!adapter) return nothing;
    const { vendor, architecture, description } = adapter;
    const made = [vendor, architecture].filter(Boolean).join(" ");
    const name = description || made || message("gpu.unnamed");
    // A decoder's self-attention and cross-attention are in one layer.
    const layers = onCpu.map(({ stack, layer }) => `${stack === "encoder"} ${layer}`);
    const count = new Set(layers).size;
    return html`<div class="inline">
      <span>
        <label
          ><input
            type="checkbox"
            role="switch"
            aria-describedby="adapter"
            .checked=${on}
            @change=${this.turned}
          />
          ${message("gpu.use")}</label
        >
        <span id="adapter"
          >${adapter.software ? message("gpu.software", { adapter: name }) : name}</span
        >
      </span>
      ${on && count > 0 ? html`<span>${message("gpu.onCpu", { count })}</span>` : nothing}
    </div>`;
  }

  private readonly turned = ({ target }: Event): void => {
    emit(this, "headscope-gpu-turn", (target as HTMLInputElement).checked);
  };
}

declare global {
  interface HTMLElementEventMap {
    "headscope-gpu-turn": CustomEvent<boolean>;
  }
}
