import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Adapter, BlockRef } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import { patch } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

/** Whether the GPU computes, which GPU that is, and how much of a run it leaves to the CPU. */
@customElement("headscope-gpu-switch")
export class HeadscopeGpuSwitch extends PagePart {
  static override styles = [
    partStyles,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 32px;
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
  /** The blocks of a run of which attention is left to the CPU; the cross-attention of a layer stands for itself. */
  @property({ attribute: false }) onCpu: readonly BlockRef[] | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const { adapter } = this;
    if (!adapter) return nothing;
    const name = nameOf(adapter);
    const count = layersOf(this.onCpu ?? []);
    return html`
      <span>
        <label><input type="checkbox" role="switch" aria-describedby="adapter" .checked=${this.on} @change=${this.turned} />${message("gpu.use")}</label>
        <span id="adapter">(${adapter.software ? message("gpu.software", { adapter: name }) : name})</span>
      </span>
      ${this.on && count > 0 ? html`<span>${message("gpu.onCpu", { count })}</span>` : nothing}
    `;
  }

  private readonly turned = ({ target }: Event): void => {
    patch(this, { backend: (target as HTMLInputElement).checked ? "webgpu" : "cpu" });
  };
}

/** How many layers these are: a decoder's own attention and that to the source are in one. */
function layersOf(blocks: readonly BlockRef[]): number {
  return new Set(
    blocks.map(({ stack, layer }) => `${stack === "encoder" ? "encoder" : "decoder"} ${layer}`),
  ).size;
}

function nameOf({ vendor, architecture, description }: Adapter): string {
  return (
    description ||
    [vendor, architecture].filter((part) => part !== "").join(" ") ||
    message("gpu.unnamed")
  );
}
