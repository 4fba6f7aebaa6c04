/** What each layer predicts, with the choice of what colours it, and the details of one cell. */
import "./layers-inspector.js";
import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { DepthPlace, Tensor } from "../data/index.js";
import type { HeadscopeLens } from "../elements/lens.js";
import "../elements/lens.js";
import { message } from "../i18n/index.js";
import { derived } from "../signals.js";
import { SHADES } from "../state/index.js";
import { quantityOf, shadedBy, wordsOf } from "../session/run/layer-words.js";
import { SessionPart } from "../session/session.js";
import { fieldChoice } from "./controls.js";

/** The picture of what each layer predicts. */
@customElement("headscope-layers-panel")
export class HeadscopeLayersPanel extends SessionPart {
  override render(): TemplateResult {
    const { session } = this;
    const { info, layers, state, depth } = session;
    if (info && !info.predicts) return html`<p class="muted">${message("inspect.nextNone")}</p>`;
    return html`
      <div class="inline next">
        ${fieldChoice(
          session,
          "shade",
          "layers.shade",
          SHADES,
          (shade) => message(`layers.${shade}`),
          "segments",
        )}
        ${
          state.entry === null
            ? nothing
            : html`<button class="act small" @click=${() => session.update({ entry: null })}>
                ${message("layers.likeliest")}
              </button>`
        }
      </div>
      ${
        layers
          ? html`<headscope-lens
                class="apart"
                .tokens=${layers.tokens}
                .words=${this.words}
                .numbers=${this.numbers}
                .quantity=${quantityOf(state)}
                .chosen=${depth}
                .colours=${state.colours}
                @headscope-depth-choose=${({ detail }: CustomEvent<DepthPlace>) =>
                  session.update({ depth: detail })}
              ></headscope-lens>
              ${layers.lens.finalNorm ? nothing : this.renderUnnormed()}`
          : nothing
      }
    `;
  }

  private renderUnnormed(): TemplateResult {
    return html`<p class="small muted next">${message("layers.unnormed")}</p>`;
  }

  @derived private get words(): string[] {
    const { layers, info } = this.session;
    return layers && info ? wordsOf(layers, info) : [];
  }

  @derived private get numbers(): Tensor | null {
    const { layers, state } = this.session;
    return layers && shadedBy(layers, state.shade);
  }

  /** The figure that is saved. */
  get figure(): HeadscopeLens | null {
    return this.renderRoot.querySelector<HeadscopeLens>("headscope-lens");
  }
}
