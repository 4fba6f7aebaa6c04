import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { message } from "../i18n/index.js";
import { SessionPart } from "../session/session.js";

/** The switch of the GPU, with the GPU's name and the layers of a run that the CPU computes. */
@customElement("headscope-gpu-switch")
export class HeadscopeGpuSwitch extends SessionPart {
  protected override render(): TemplateResult | typeof nothing {
    const { backend, state, onCpu } = this.session;
    const { adapter } = backend;
    if (!adapter) return nothing;
    const { vendor, architecture, description } = adapter;
    const made = [vendor, architecture].filter(Boolean).join(" ");
    const name = description || made || message("gpu.unnamed");
    // A decoder's self-attention and cross-attention are in one layer.
    const layers = onCpu.map(({ stack, layer }) => `${stack === "encoder"} ${layer}`);
    const count = new Set(layers).size;
    const on = state.backend === "webgpu";
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
          >(${adapter.software ? message("gpu.software", { adapter: name }) : name})</span
        >
      </span>
      ${on && count > 0 ? html`<span>${message("gpu.onCpu", { count })}</span>` : nothing}
    </div>`;
  }

  private readonly turned = ({ target }: Event): void => {
    this.session.update({ backend: (target as HTMLInputElement).checked ? "webgpu" : "cpu" });
  };
}
