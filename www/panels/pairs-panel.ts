import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, query } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type { Cell, Region, Stage } from "../data/index.js";
import { formatValue } from "../draw/text.js";
import type { Print, Inks } from "../draw/theme.js";
import { valueAt } from "../draw/layout.js";
import "../elements/bars.js";
import { emit } from "../elements/events.js";
import { formatSigned } from "../elements/matrices.js";
import type { HeadscopeDifference, HeadscopeHeatmap } from "../elements/matrices.js";
import { type Printable, type Scene, sceneOf } from "../elements/shared/figure.js";
import { labelAt, setProperties } from "../elements/shared/templates.js";
import { sideBySide } from "../export/sheet.js";
import { message } from "../i18n/index.js";
import { equals } from "../signals.js";
import { unusualStages, ALIGNMENTS, BUNDLED_MODELS, type ModelName } from "../state/index.js";
import type { PairPart } from "./export/pictures.js";
import "./export/export-menu.js";
import { stageHint } from "../session/run/head-words.js";
import "./notices.js";
import { markedWords, stageChoice, samplePicker, textStyles, tokenStrip } from "./controls.js";
import type { HeadFigures } from "../session/run/head.js";
import { SessionPart } from "../session/session.js";
import {
  cosineBars,
  cosinesTitle,
  isSigned,
  LARGEST_COSINE,
  mapCell,
  type PairedHead,
  type WordPair,
} from "../session/alignment.js";
import "./edit-changes.js";
import type { Pairs } from "../session/pairs.js";
import type { Side } from "../state/index.js";
import { choice } from "../ui/choice.js";
import "../ui/text-field.js";
import { modelLabel } from "../session/models/models.js";
import type { Strip } from "../session/run/selection.js";
import { pairSamplesOf } from "../session/models/samples.js";

/**
 * One head in two runs: both patterns on one scale, their difference, and the cosines of the
 * focused words, layer by layer. Hovering one picture shows the pair's counterpart in the others.
 */
@customElement("headscope-pairs-panel")
export class HeadscopePairsPanel extends SessionPart implements Printable {
  static override styles = css`
    .controls {
      margin-bottom: 16px;
    }
    /* All three side by side where there is room. */
    .columns {
      --_least: max(300px, 100% / 3 - 19px);
      gap: 32px 28px;
    }
    figcaption {
      margin-bottom: 8px;
    }
    .pair {
      font-size: 20px;
    }
  `;

  @query("headscope-difference") private readonly difference!: HeadscopeDifference;
  protected override readonly turn = 0;

  get inks(): Inks {
    return this.difference.inks;
  }

  print(inks: Inks): Print | null {
    return this.snapshot()(inks);
  }

  snapshot(): Scene {
    const { one = "", other = "" } = this.session.pairs?.names ?? {};
    const names = [one, other, message("pairs.firstLess")];
    return sideBySide(this.figures.map((figure, at) => [names[at] ?? "", sceneOf(figure)]));
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("headscope-choice")?.focus();
  }

  override render(): TemplateResult {
    const { session } = this;
    const { pairs } = session;
    return html`<h2 class="visually-hidden">${message("picture.label")}</h2>
      <div class="controls inline">
        ${stageChoice(session)}
        <p class="small muted">${this.hint}</p>
        <div class="end inline">
          <headscope-export-menu .figure=${this.figure}></headscope-export-menu>
        </div>
      </div>
      ${pairs?.paired ? this.renderPair(pairs, pairs.paired) : this.renderWaiting()}`;
  }

  /**
   * The hint about the stage in the first run, and in the second if that differs: the second is
   * never edited.
   */
  private get hint(): string {
    const { state, shown, size, pairs, info } = this.session;
    const { stage, edits } = state;
    const { one, other } = pairs?.paired ?? {};
    const otherSize = other && pairs?.other.model?.info.stacks[other.head.stack];
    const hint = (
      of = size,
      fullyMasked: readonly number[] = [],
      unusual: readonly Stage[] = [],
    ): string => stageHint(stage, { headDim: of?.headDim ?? 0, unusual, fullyMasked });
    const first = hint(size, one?.fullyMasked, shown ? unusualStages(edits, shown, info) : []);
    const second = hint(otherSize ?? size, other?.fullyMasked);
    return first === second ? first : message("pairs.hints", { first, second });
  }

  private renderWaiting(): TemplateResult | typeof nothing {
    const { pairs, computation } = this.session;
    const blank = pairs?.blank ?? false;
    // A failed second run is reported beside its text.
    if ((pairs?.failure ?? null) !== null && !blank) return nothing;
    if (computation.download.phase !== "ready")
      return html`<headscope-download-status></headscope-download-status>`;
    return html`<p class="invitation muted">
      ${message(blank ? "pairs.blank" : "pairs.waiting")}
    </p>`;
  }

  private renderPair(pairs: Pairs, paired: PairedHead): TemplateResult {
    const { one, other, queries, keys, shared } = paired;
    const { focused, locked, blocked, state } = this.session;
    const { stage, colours, region } = state;
    const view = { region, comfortableHeight: 300 };
    const to = (cell: Cell | null): Cell | null => mapCell(cell, queries.toOther, keys.toOther);
    const toShared = (cell: Cell | null): Cell | null =>
      mapCell(cell, shared.queries.ofOne, shared.keys.ofOne);
    const heatmap = (own: HeadFigures, beside: HeadFigures): Partial<HeadscopeHeatmap> => ({
      ...view,
      tensor: own.stages[stage],
      beside: beside.stages[stage],
      stage,
      colours,
      queries: own.queries,
      keys: own.keys,
      fullyMasked: own.fullyMasked,
    });
    const first = { ...heatmap(one, other), blocked, focused, locked };
    const second = { ...heatmap(other, one), focused: to(focused), locked: to(locked) };
    const difference = {
      ...view,
      tensor: shared.tensor,
      signed: isSigned(shared),
      queries: shared.queries.tokens,
      keys: shared.keys.tokens,
      focused: toShared(focused),
      locked: toShared(locked),
    };
    const captioned = (caption: string): TemplateResult =>
      html`<figcaption class="cut serif"><bdi>${caption}</bdi></figcaption>`;
    const stop = (event: Event): void => event.stopPropagation();
    // Edits are made in the first run alone: the other has none.
    const ofSecond = this.mapped((cell) => mapCell(cell, queries.toOne, keys.toOne));
    const ofShared = this.mapped((cell) => mapCell(cell, shared.queries.one, shared.keys.one));
    const showRegion = ({ detail }: CustomEvent<Region | null>): void =>
      this.session.update({ region: detail });
    return html`<div
      class=${classMap({ columns: true, stale: pairs.stale })}
      @headscope-region-change=${showRegion}
    >
      <figure>
        ${captioned(pairs.names.one)}
        <headscope-heatmap ${setProperties(first)}></headscope-heatmap>
      </figure>
      <figure
        @headscope-cell-hover=${ofSecond}
        @headscope-cell-lock=${ofSecond}
        @headscope-cell-toggle=${stop}
      >
        ${captioned(pairs.names.other)}
        <headscope-heatmap ${setProperties(second)}></headscope-heatmap>
      </figure>
      <figure
        @headscope-cell-hover=${ofShared}
        @headscope-cell-lock=${ofShared}
        @headscope-cell-toggle=${stop}
      >
        ${captioned(message("pairs.firstLess"))}
        <headscope-difference ${setProperties(difference)}></headscope-difference>
      </figure>
      <div class="words">
        ${
          focused
            ? this.renderNumbers(paired, focused, second.focused, difference.focused)
            : nothing
        }
        ${pairs.words.map((pair) => renderWord(pairs, pair))}
      </div>
      ${
        pairs.moved
          ? html`<headscope-moved-states .moved=${pairs.moved}></headscope-moved-states
              ><headscope-edit-changes></headscope-edit-changes>`
          : nothing
      }
    </div>`;
  }

  private renderNumbers(
    { one, other, shared }: PairedHead,
    cell: Cell,
    to: Cell | null,
    at: Cell | null,
  ): TemplateResult {
    const { stage } = this.session.state;
    return html`<section aria-label=${message("pairs.pair")}>
      <p class="pair">
        <bdi>${labelAt(one.queries, cell.query)}</bdi> <span>${message("inspect.looksAt")}</span>
        <bdi>${labelAt(one.keys, cell.key)}</bdi>
      </p>
      <dl class="apart">
        <dt>${message("pairs.first")}</dt>
        <dd data-pair="one">${formatValue(valueAt(one.stages[stage], cell))}</dd>
        <dt>
          ${message("pairs.second")}${
            to
              ? html` <span class="small"
                  ><bdi>${labelAt(other.queries, to.query)}</bdi> →
                  <bdi>${labelAt(other.keys, to.key)}</bdi></span
                >`
              : nothing
          }
        </dt>
        <dd data-pair="other">
          ${to ? formatValue(valueAt(other.stages[stage], to)) : message("pairs.noCounterpart")}
        </dd>
        <dt>${message("pairs.difference")}</dt>
        <dd class="result" data-pair="difference">
          ${at ? formatSigned(valueAt(shared.tensor, at)) : "–"}
        </dd>
      </dl>
    </section>`;
  }

  private mapped(map: (cell: Cell | null) => Cell | null) {
    return (event: CustomEvent<Cell | null>): void => {
      event.stopPropagation();
      const cell = map(event.detail);
      if (event.type === "headscope-cell-hover") emit(this, "headscope-cell-hover", cell);
      // A pair that the first text lacks cannot be locked there.
      else if (cell || !event.detail) emit(this, "headscope-cell-lock", cell);
    };
  }

  private get figures(): Printable[] {
    const pictures = "figure > :is(headscope-heatmap, headscope-difference)";
    return [...this.renderRoot.querySelectorAll<Element & Printable>(pictures)];
  }

  private readonly figure = (part: PairPart): Printable | null => {
    if (!this.session.pairs?.paired) return null;
    const [first = null, second = null, difference = null] = this.figures;
    return { all: this, first, second, difference }[part];
  };
}

function renderWord({ cosines, sameModel }: Pairs, pair: WordPair): TemplateResult {
  const read = cosines.value?.find(({ pair: known }) => equals(known, pair));
  const heading = cosinesTitle(pair);
  const missing = pair.other ? (sameModel ? null : "pairs.otherSpace") : "pairs.pairByHand";
  if (missing)
    return html`<section>
      <h3>${heading}</h3>
      <p class="small muted next">${message(missing)}</p>
    </section>`;
  return html`<section class="cosines">
    <headscope-bars
      .heading=${heading}
      .max=${LARGEST_COSINE}
      .items=${read ? cosineBars(read) : []}
    ></headscope-bars>
    <p class="small muted next">${message("pairs.cosineHint")}</p>
  </section>`;
}

/**
 * The compared text: another text, another model, or the same without the edits. A click on one of
 * its tokens makes it the counterpart of the locked token above.
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
    return html`<section
      class="band"
      aria-label=${message(original ? "pairs.original" : "pairs.other")}
    >
      <div class="over inline small muted">
        <span>${message(original ? "pairs.original" : "pairs.beside")}</span>
        ${original ? nothing : this.renderChoices()}
        <button class="link end" @click=${() => store.step({ compare: null })}>
          ${message("pairs.end")}
        </button>
      </div>
      ${
        original
          ? html`${this.renderOriginal()} ${this.renderState(pairs)}`
          : this.renderTexts(pairs)
      }
    </section>`;
  }

  /** Renders what the model writes without the edits; where it writes nothing, what is compared. */
  private renderOriginal(): TemplateResult {
    const { output, unedited } = this.session.computation;
    if (!unedited || unedited.of !== output?.of)
      return html`<p class="sentence">${message("pairs.originalHint")}</p>`;
    return html`<p class="sentence original">${markedWords(unedited.words, output.words)}</p>`;
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
        ${option(null, message("pairs.sameModel"))}${others.map((name) =>
          option(name, modelLabel(name)),
        )}
      </select>`;
  }

  private renderState({ failure, other }: Pairs): TemplateResult | typeof nothing {
    if (failure !== null)
      return html`<p class="failure inline next" role="alert">
        ${failure}
        <button class="act" @click=${() => other.again()}>${message("run.again")}</button>
      </p>`;
    if (other.download?.phase !== "loading") return nothing;
    const { loadedBytes, totalBytes } = other.download;
    return html`<p class="inline small muted" role="status">
      ${message("load.model")}
      <progress
        max=${totalBytes ?? nothing}
        value=${totalBytes === null ? nothing : loadedBytes}
        aria-label=${message("load.model")}
      ></progress>
    </p>`;
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
            @headscope-text=${({ detail }: CustomEvent<string>) =>
              this.session.update({ otherText: detail, pairs: [] })}
          ></headscope-growing-text>
          ${this.renderState(pairs)}${strip("source", pairs.source, message("pairs.tokens"))}
        </div>
        ${
          translation === null
            ? nothing
            : html`<div>
                <p class="sentence written apart">
                  <span class="small muted">${message("text.translation")}</span>
                  <bdi>${translation}</bdi>
                </p>
                ${strip("target", pairs.result, message("pairs.writtenTokens"))}
              </div>`
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
