import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { ALIGNMENTS, BUNDLED_MODELS, type ModelName, type Side } from "../../state/index.js";
import { choice } from "../../ui/choice.js";
import "../../ui/text-field.js";
import { modelLabel } from "../models.js";
import { samplePicker, textStyles, tokenStrip } from "../parts/controls.js";
import type { Strip } from "../run/selection.js";
import { pairSamplesOf } from "../samples.js";
import { SessionPart } from "../session.js";
import type { Pairs } from "./pairs.js";

/**
 * What the sentence is compared with: another text, another model, or the same without the edits. A click on one of its
 * tokens makes it the counterpart of the locked token above.
 */
@customElement("headscope-other-bar")
export class HeadscopeOtherBar extends SessionPart {
  static override styles = [
    textStyles,
    css`
      .band {
        --_band: 12px 16px;
      }
      .over {
        gap: 0 16px;
      }
      .columns {
        --_least: 400px;
      }
    `,
  ];

  protected override readonly turn = 1;

  override render(): TemplateResult | typeof nothing {
    const { store, state, pairs } = this.session;
    if (!pairs) return nothing;
    const original = state.compare === "original";
    return html`<section class="band" aria-label=${message(original ? "pairs.original" : "pairs.other")}>
      <div class="over inline small muted">
        <span>${message(original ? "pairs.original" : "pairs.beside")}</span>
        ${original ? nothing : this.renderChoices()}
        <button class="link end" @click=${() => store.step({ compare: null })}>${message("pairs.end")}</button>
      </div>
      ${
        original
          ? html`<p class="sentence">${message("pairs.originalHint")}</p>${this.renderState(pairs)}`
          : this.renderTexts(pairs)
      }
    </section>`;
  }

  private renderChoices(): TemplateResult {
    const { models, state, store } = this.session;
    const { model, otherModel } = state;
    const others = [...BUNDLED_MODELS, ...models.opened].filter((name) => name !== model);
    const choose = ({ target }: Event): void => {
      const { value } = target as HTMLSelectElement;
      store.step({ otherModel: others.find((name) => name === value) ?? null, pairs: [] });
    };
    const option = (name: ModelName | null, words: string): TemplateResult =>
      html`<option value=${name ?? ""} .selected=${name === otherModel}>${words}</option>`;
    return html`${samplePicker(this.session, message("pairs.samples"), pairSamplesOf(model))}
      <select aria-label=${message("pairs.model")} @change=${choose}>
        ${option(null, message("pairs.sameModel"))}${others.map((name) => option(name, modelLabel(name)))}
      </select>`;
  }

  private renderState({ failure, other }: Pairs): TemplateResult | typeof nothing {
    if (failure !== null)
      return html`<p class="failure inline next" role="alert">${failure}
        <button class="act" @click=${() => other.again()}>${message("run.again")}</button></p>`;
    if (other.download?.phase !== "loading") return nothing;
    const { loadedBytes, totalBytes } = other.download;
    return html`<p class="inline small muted" role="status">${message("load.model")}
      <progress max=${totalBytes ?? nothing} value=${totalBytes === null ? nothing : loadedBytes} aria-label=${message("load.model")}></progress></p>`;
  }

  private renderTexts(pairs: Pairs): TemplateResult {
    const { locked, state, store } = this.session;
    const { translation, stale } = pairs;
    const strip = (side: Side, tokens: Strip, label: string): TemplateResult =>
      tokenStrip(tokens, label, stale, (index, action) =>
        pairs.touched({ side, index, action: action === "hover" ? "hover" : "lock" }),
      );
    return html`<div class="columns">
        <div>
          <headscope-growing-text
            .value=${pairs.text}
            .label=${message("pairs.other")}
            .placeholder=${message("pairs.placeholder")}
            @headscope-text=${({ detail }: CustomEvent<string>) => this.session.update({ otherText: detail, pairs: [] })}
          ></headscope-growing-text>
          ${this.renderState(pairs)}${strip("source", pairs.source, message("pairs.tokens"))}
        </div>
        ${
          translation === null
            ? nothing
            : html`<div><p class="sentence written apart"><span class="small muted">${message("text.translation")}</span> <bdi>${translation}</bdi></p>
              ${strip("target", pairs.result, message("pairs.writtenTokens"))}</div>`
        }
      </div>
      <div class="hint inline ends small next">
        <p class="muted">${message(locked ? "pairs.choose" : "pairs.hold")}</p>
        ${choice(
          message("pairs.aligned"),
          ALIGNMENTS,
          state.aligned,
          (one) => message(`pairs.aligned.${one}`),
          (aligned) => store.step({ aligned }),
        )}
      </div>`;
  }
}
