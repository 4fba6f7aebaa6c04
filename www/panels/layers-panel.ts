/** What each layer predicts, with the choice of what colours it, and the details of one cell. */
import "./layers-inspector.js";
import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { DepthPlace, Tensor } from "../data/index.js";
import type { HeadscopeLayers } from "../elements/layers.js";
import "../elements/layers.js";
import { predictionLabel } from "../elements/shared/templates.js";
import { message } from "../i18n/index.js";
import { derived } from "../signals.js";
import { type Shade, SHADES } from "../state/index.js";
import type { ReadLayers } from "../session/run/layers.js";
import { SessionPart } from "../session/session.js";
import { fieldChoice } from "./controls.js";

/** The numbers that colour the cells, `[layer, position]`. */
export function shadedBy({ lens }: ReadLayers, shade: Shade): Tensor {
  switch (shade) {
    case "entropy":
      return lens.entropy;
    case "divergence":
      return lens.divergence;
    case "rank":
      return mapped(lens.chosen?.ranks ?? firstRanks(lens.entropy), (rank) => 1 / (rank + 1));
    case "probability":
      return lens.chosen?.probabilities ?? firstOf(lens.probabilities);
  }
}

const mapped = (tensor: Tensor, change: (value: number) => number): Tensor => ({
  ...tensor,
  data: tensor.data.map(change),
});

const firstRanks = (cells: Tensor): Tensor => mapped(cells, () => 0);

/** The numbers of the likeliest entries. */
function firstOf({ data, shape: [layers = 0, positions = 0, ranks = 1], axes }: Tensor): Tensor {
  const first = Float32Array.from(
    { length: layers * positions },
    (_, cell) => data[cell * ranks] ?? NaN,
  );
  return { data: first, shape: [layers, positions], axes: axes.slice(0, 2) };
}

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
          ? html`<headscope-layers
                class="apart"
                .tokens=${layers.tokens}
                .words=${this.words}
                .numbers=${this.numbers}
                .quantity=${this.quantity}
                .chosen=${depth}
                .colours=${state.colours}
                @headscope-depth-choose=${({ detail }: CustomEvent<DepthPlace>) =>
                  session.update({ depth: detail })}
              ></headscope-layers>
              ${layers.lens.finalNorm ? nothing : this.renderUnnormed()}`
          : nothing
      }
    `;
  }

  private renderUnnormed(): TemplateResult {
    return html`<p class="small muted next">${message("layers.unnormed")}</p>`;
  }

  /** The likeliest entry of each cell, as the model writes it after the token there. */
  @derived private get words(): string[] {
    const { layers, info } = this.session;
    if (!layers) return [];
    const { lens, tokens } = layers;
    const [depths = 0, n = 0, ranks = 0] = lens.ids.shape;
    return Array.from({ length: depths * n }, (_, cell) => {
      const id = lens.ids.data[cell * ranks] ?? 0;
      const at = tokens[cell % n];
      const name = lens.names.get(id);
      return at && name ? predictionLabel({ ...name, logit: 0, probability: 0 }, at, info) : "";
    });
  }

  @derived private get numbers(): Tensor | null {
    const { layers, state } = this.session;
    return layers && shadedBy(layers, state.shade);
  }

  private get quantity(): string {
    const { shade, entry } = this.session.state;
    const isOfEntry = shade === "rank" || shade === "probability";
    const name = message(shade === "rank" ? "layers.reciprocal" : `layers.${shade}`);
    return isOfEntry && entry !== null ? message("layers.ofEntry", { name }) : name;
  }

  /** The figure that is saved. */
  get figure(): HeadscopeLayers | null {
    return this.renderRoot.querySelector<HeadscopeLayers>("headscope-layers");
  }
}
