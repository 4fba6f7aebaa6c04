import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Adapter } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import { patch } from "./events.js";
import { PagePart } from "./page-part.js";
import { partStyles } from "./styles.js";

/** Whether the GPU computes, and which GPU that is. */
@customElement("headscope-gpu-switch")
export class HeadscopeGpuSwitch extends PagePart {
  static override styles = [
    partStyles,
    css`
      :host {
        font-size: 12px;
        color: var(--headscope-muted);
      }

      label {
        display: inline-flex;
        align-items: center;
        gap: 6px;
        cursor: pointer;
      }

      input {
        margin: 0;
        accent-color: var(--headscope-accent);
      }
    `,
  ];

  @property({ attribute: false }) adapter: Adapter | null = null;
  @property({ type: Boolean }) on = false;

  protected override render(): TemplateResult | typeof nothing {
    const { adapter } = this;
    if (!adapter) return nothing;
    const name = nameOf(adapter);
    return html`
      <label><input type="checkbox" role="switch" aria-describedby="adapter" .checked=${this.on} @change=${this.turned} />${message("gpu.use")}</label>
      <span id="adapter">(${adapter.software ? message("gpu.software", { adapter: name }) : name})</span>
    `;
  }

  private readonly turned = ({ target }: Event): void => {
    patch(this, { backend: (target as HTMLInputElement).checked ? "webgpu" : "cpu" });
  };
}

function nameOf({ vendor, architecture, description }: Adapter): string {
  return description || [vendor, architecture].filter((part) => part !== "").join(" ") || message("gpu.unnamed");
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-gpu-switch": HeadscopeGpuSwitch;
  }
}
