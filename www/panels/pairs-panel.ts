import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type {
  Cell,
  HeadRef,
  PatchEdit,
  Region,
  Stage,
  StepCell,
  StepPlace,
} from "../data/index.js";
import { formatSigned } from "../draw/number-words.js";
import { formatValue } from "../draw/text.js";
import type { Print, Inks } from "../draw/theme.js";
import { valueAt } from "../draw/layout.js";
import "../elements/bars.js";
import "../elements/difference.js";
import { emit } from "../elements/events.js";
import type { HeadscopeDifference } from "../elements/difference.js";
import { isWhole } from "../elements/heatmap.js";
import type { Companion } from "../elements/matrix/figure.js";
import { type Printable, type Scene, sceneOf } from "../elements/shared/figure.js";
import { labelAt, setProperties } from "../elements/shared/templates.js";
import { oneBelowAnother, PAPER_INKS, sideBySide } from "../export/sheet.js";
import { laterMessage, message } from "../i18n/index.js";
import { equals } from "../data/equal.js";
import { rowSums } from "../reduce/index.js";
import {
  ALIGNMENTS,
  BUNDLED_MODELS,
  headsOf,
  type ModelName,
  nameOfHead,
  unusualStages,
  withEdit,
} from "../state/index.js";
import type { PairPart } from "./export/pictures.js";
import "./export/export-menu.js";
import { offerStills } from "./export/stills.js";
import type { HeadFigures } from "../session/run/head.js";
import { lessName, pairVerb, stageHint } from "../session/run/head-words.js";
import "./notices.js";
import { stageChoice, samplePicker, textStyles, tokenStrip } from "./controls.js";
import { markedWords } from "./marked-words.js";
import {
  COMPARED_PICTURES,
  type ComparedPicture,
  comparedPicture,
  comparedStage,
  PAIR_PICTURES,
} from "../session/run/pair-pictures.js";
import { holding } from "../session/run/readings.js";
import { figure, offeredPictures, PICTURE_PARTS, stepsOf } from "./picture-parts.js";
import { SessionPart } from "../session/session.js";
import {
  cosineBars,
  cosinesTitle,
  isSigned,
  LARGEST_COSINE,
  headLabel,
  mapCell,
  type PairedHead,
  type SharedPattern,
  type WordPair,
} from "../session/alignment.js";
import "./edit-changes.js";
import type { Pairs } from "../session/pairs.js";
import { isOfHeads, otherTargetOf } from "../session/second-run.js";
import type { Side } from "../state/index.js";
import { choice } from "../ui/choice.js";
import "../ui/text-field.js";
import { isHere } from "../session/models/addresses.js";
import { cardOf, modelLabel } from "../session/models/models.js";
import type { Strip } from "../session/run/selection.js";
import { patchOffer } from "../session/patch-offer.js";
import { pairSamplesOf } from "../session/models/samples.js";

const COMFORTABLE_HEIGHT = 300;
const LEAST_HEIGHT = 300;

const captioned = (caption: string): TemplateResult =>
  html`<figcaption class="cut serif"><bdi>${caption}</bdi></figcaption>`;

/** What the figures beside a heatmap of a stage must know of it, to be laid out like it. */
function companionOf({ stages, queries, keys }: HeadFigures, stage: Stage): Companion {
  const sums = stage === "weights";
  const rows = sums && !rowSums(stages.weights).every(isWhole);
  return { queries, keys, legend: message(`stage.${stage}`), sums: { query: rows, key: sums } };
}

/** Edits are made in the first picture alone. */
const stop = (event: Event): void => event.stopPropagation();

/**
 * Two heads side by side, or one head in two runs: in any picture on one scale, as heatmaps with
 * their difference, and the cosines of the focused words, layer by layer. Hovering one picture
 * shows the pair's counterpart in the others.
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
    .whole > figure {
      grid-column: 1 / -1;
    }
    .pair {
      font-size: 20px;
    }
  `;

  protected override readonly turn = 0;

  get inks(): Inks {
    return this.figures[0]?.inks ?? PAPER_INKS;
  }

  print(inks: Inks): Print | null {
    return this.snapshot()(inks);
  }

  snapshot(): Scene {
    const { one = "", other = "" } = this.session.pairs?.names ?? {};
    const names = [one, other, message(lessName(this.session.state))];
    const named = this.figures.map((figure, at) => [names[at] ?? "", sceneOf(figure)] as const);
    // The steps of a block are a page wide.
    return this.picture === "steps" ? oneBelowAnother(named) : sideBySide(named);
  }

  private get picture(): ComparedPicture {
    return comparedPicture(this.session.state);
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("headscope-choice")?.focus();
  }

  override render(): TemplateResult {
    const { session, picture } = this;
    const { pairs } = session;
    const offered = COMPARED_PICTURES.filter((one) => offeredPictures(session).includes(one));
    return html`<h2 class="visually-hidden">${message("picture.label")}</h2>
      <div class="controls inline">
        ${choice(
          message("picture.label"),
          offered,
          picture,
          (one) => message(`picture.${one}`),
          (chosen) => session.update({ picture: chosen }),
          "tabs",
        )}
        ${picture === "heatmap" ? stageChoice(session, session.figures?.mask ?? null) : nothing}
        <p class="small muted">${this.hint}</p>
        <div class="end inline">
          <headscope-export-menu
            .figure=${this.figure}
            .ready=${session.subject !== null}
          ></headscope-export-menu>
        </div>
      </div>
      ${pairs?.paired ? this.renderPair(pairs, pairs.paired) : this.renderWaiting()}`;
  }

  /**
   * The hint about the picture; about a stage, in the first run, and in the second if that differs:
   * the second may have no edits.
   */
  private get hint(): string {
    const { picture } = this;
    if (picture !== "heatmap") return laterMessage("hints", `${picture}.hint`);
    const { state, shown, size, pairs, info } = this.session;
    const { edits } = state;
    const stage = comparedStage(state);
    const { one, other } = pairs?.paired ?? {};
    const second = pairs?.second;
    const otherSize = other && second?.info?.stacks[other.head.stack];
    const hint = (
      of = size,
      fullyMasked: readonly number[] = [],
      unusual: readonly Stage[] = [],
    ): string => stageHint(stage, { headDim: of?.headDim ?? 0, unusual, fullyMasked });
    const first = hint(size, one?.fullyMasked, shown ? unusualStages(edits, shown, info) : []);
    const beside = hint(otherSize ?? size, other?.fullyMasked, second?.unusual);
    return first === beside ? first : message("pairs.hints", { first, second: beside });
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
    const { picture, session } = this;
    const { names, second } = pairs;
    const { queries, keys, shared } = paired;
    // What is painted or held in the second picture is said in the words of the first.
    const ofSecond = this.mapped((cell) => mapCell(cell, queries.toOne, keys.toOne));
    const figures = PICTURE_PARTS.get(picture);
    const draw = (): TemplateResult => html`
      <figure
        @headscope-number-hover=${({ detail }: CustomEvent<StepCell | null>) =>
          session.hoverNumber(detail)}
        @headscope-number-go=${({ detail }: CustomEvent<StepPlace | null>) =>
          session.update(holding(detail))}
      >
        ${captioned(names.one)} ${this.renderSide(pairs, "one")}
      </figure>
      <figure
        @headscope-cell-hover=${ofSecond}
        @headscope-cell-lock=${ofSecond}
        @headscope-cell-toggle=${stop}
        @headscope-number-hover=${({ detail }: CustomEvent<StepCell | null>) =>
          second.hoverNumber(detail)}
        @headscope-number-go=${this.goBeside}
      >
        ${captioned(names.other)} ${this.renderSide(pairs, "other")}
      </figure>
    `;
    return html`<div
      class=${classMap({ columns: true, whole: picture === "steps", stale: pairs.stale })}
      @headscope-region-change=${({ detail }: CustomEvent<Region | null>) =>
        session.update({ region: detail })}
      @headscope-mass-change=${({ detail }: CustomEvent<number>) =>
        session.update({ mass: detail })}
    >
      ${figures ? figures.show(this, draw, LEAST_HEIGHT) : draw()}
      ${picture === "heatmap" && shared ? this.renderDifference(paired, shared) : nothing}
      <div class="words">
        ${this.renderNumbers(paired)} ${pairs.words.map((pair) => renderWord(pairs, pair))}
        ${shared ? nothing : html`<p class="small muted">${message("pairs.noDifference")}</p>`}
        ${this.renderPatch(pairs, paired)}
      </div>
      ${
        pairs.moved
          ? html`<headscope-moved-states .moved=${pairs.moved}></headscope-moved-states
              ><headscope-edit-changes></headscope-edit-changes>`
          : nothing
      }
    </div>`;
  }

  /** Renders what puts a part of the head in the other text into the first run. */
  private renderPatch(pairs: Pairs, paired: PairedHead): TemplateResult | typeof nothing {
    const offer = patchOffer(this.session, pairs, paired);
    if (offer === null) return nothing;
    if ("reason" in offer) return html`<p class="small muted next">${offer.reason}</p>`;
    const { edits } = this.session.state;
    const use = (patch: PatchEdit): void => {
      this.session.update({ edits: withEdit(edits, "patches", patch) });
    };
    return html`<p class="inline next">
      ${offer.patches.map(
        ({ step, patch }) =>
          html`<button class="act" title=${message("pairs.patchHint")} @click=${() => use(patch)}>
            ${message(`pairs.patch.${step}`)}
          </button>`,
      )}
    </p>`;
  }

  /** Renders one of the two heads, on one scale with the other. */
  private renderSide(pairs: Pairs, side: "one" | "other"): TemplateResult {
    const { picture, session } = this;
    const { sides, paired, second } = pairs;
    const view = side === "one" ? session : second;
    const beside = side === "one" ? second : session;
    if (!sides || !paired) return html``;
    if (picture === "steps")
      return figure("steps", { ...stepsOf(view), scaledWith: beside.block?.steps ?? [] });
    const displayed = sides[side];
    const other = sides[side === "one" ? "other" : "one"];
    const { state, unusual, info, image, focused, locked } = view;
    const around = { state, headCount: 1, unusual, info, image };
    const query = beside.focused?.query ?? 0;
    const scales = {
      heatmap: {
        beside: other.figures.stages[comparedStage(state)],
        company: this.company(paired),
      },
      lines: { scaledWith: other.weights },
      dimensions: {
        scaledWith: other.figures.vectors && { vectors: other.figures.vectors, query },
      },
      image: { scaledWith: { weights: other.weights, query } },
    };
    return figure(picture, {
      ...PAIR_PICTURES[picture].properties(displayed, around),
      ...scales[picture],
      blocked: side === "one" ? session.blocked : null,
      comfortableHeight: COMFORTABLE_HEIGHT,
      focused,
      locked,
    });
  }

  /** What the figures in a row of heatmaps have room for. */
  private company({ one, other, shared }: PairedHead): readonly Companion[] {
    const stage = comparedStage(this.session.state);
    const heads = [one, other].map((head) => companionOf(head, stage));
    if (!shared) return heads;
    const { queries, keys } = shared;
    const legend = message("pairs.difference");
    const sums = { query: false, key: false };
    return [...heads, { queries: queries.tokens, keys: keys.tokens, legend, sums }];
  }

  private renderDifference(paired: PairedHead, shared: SharedPattern): TemplateResult {
    const { queries, keys, tensor, range } = shared;
    const { focused, locked, state } = this.session;
    const ofShared = this.mapped((cell) => mapCell(cell, queries.one, keys.one));
    const to = (cell: Cell | null): Cell | null => mapCell(cell, queries.ofOne, keys.ofOne);
    const difference: Partial<HeadscopeDifference> = {
      tensor,
      range,
      region: state.region,
      comfortableHeight: COMFORTABLE_HEIGHT,
      company: this.company(paired),
      signed: isSigned(shared),
      queries: queries.tokens,
      keys: keys.tokens,
      focused: to(focused),
      locked: to(locked),
    };
    return html`<figure
      @headscope-cell-hover=${ofShared}
      @headscope-cell-lock=${ofShared}
      @headscope-cell-toggle=${stop}
    >
      ${captioned(message(lessName(this.session.state)))}
      <headscope-difference ${setProperties(difference)}></headscope-difference>
    </figure>`;
  }

  /** Holds a number of the second head, and goes to the head that it is in. */
  private readonly goBeside = ({ detail }: CustomEvent<StepPlace | null>): void => {
    const { session } = this;
    session.pairs?.second.hoverNumber(null);
    const { number = null, stack, layer, head } = holding(detail);
    const isNamed = stack !== undefined && layer !== undefined && head !== undefined;
    session.update({ number, ...(isNamed && { otherHead: { stack, layer, head } }) });
  };

  /** Renders the pair in focus, in both heads. */
  private renderNumbers({ one, other, queries, keys, shared }: PairedHead) {
    const { state, focused: cell } = this.session;
    if (!cell) return nothing;
    const stage = comparedStage(state);
    const to = mapCell(cell, queries.toOther, keys.toOther);
    const at = shared && mapCell(cell, shared.queries.ofOne, shared.keys.ofOne);
    return html`<section aria-label=${message("pairs.pair")}>
      <p class="pair">
        <bdi>${labelAt(one.queries, cell.query)}</bdi> <span>${pairVerb(one, cell)}</span>
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
        ${
          shared
            ? html`<dt>${message("pairs.difference")}</dt>
                <dd class="result" data-pair="difference">
                  ${at ? formatSigned(valueAt(shared.tensor, at)) : "–"}
                </dd>`
            : nothing
        }
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
    const tags = [...COMPARED_PICTURES, "difference"].map((name) => `headscope-${name}`).join();
    return [...this.renderRoot.querySelectorAll<Element & Printable>(`figure > :is(${tags})`)];
  }

  protected override firstUpdated(): void {
    offerStills(this.session, this.figure);
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
    const ofHeads = isOfHeads(state);
    const title = original ? "pairs.original" : ofHeads ? "pairs.besideHead" : "pairs.beside";
    return html`<section
      class="band"
      aria-label=${message(original ? "pairs.original" : "pairs.other")}
    >
      <div class="over inline small muted">
        <span>${message(title)}</span>
        ${original ? nothing : this.renderChoices()}
        ${
          ofHeads
            ? html`<button class="act" @click=${() => store.step({ otherText: "" })}>
                ${message("pairs.anotherText")}
              </button>`
            : nothing
        }
        <button class="link end" @click=${() => store.step({ compare: null })}>
          ${message("pairs.end")}
        </button>
      </div>
      ${
        original
          ? html`${this.renderOriginal()} ${this.renderState(pairs)}`
          : ofHeads
            ? this.renderState(pairs)
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
    const reads = this.session.info?.image ? "image" : "text";
    const readsTheSame = (name: ModelName): boolean => (cardOf(name)?.reads ?? reads) === reads;
    const others = [...BUNDLED_MODELS.filter(isHere), ...models.opened].filter(
      (name) => name !== model && readsTheSame(name),
    );
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
      </select>
      ${this.renderHeads()}`;
  }

  /** Renders the list of the second model's heads. */
  private renderHeads(): TemplateResult {
    const { state, store, pairs } = this.session;
    const { stacks = {} } = pairs?.second.info ?? {};
    const chosen = pairs?.second.chosen;
    const named = state.otherHead && chosen ? nameOfHead(chosen) : "";
    const heads = headsOf({}, stacks);
    const choose = ({ target }: Event): void => {
      const { value } = target as HTMLSelectElement;
      store.step({ otherHead: heads.find((head) => nameOfHead(head) === value) ?? null });
    };
    const option = (head: HeadRef): TemplateResult =>
      html`<option value=${nameOfHead(head)} .selected=${nameOfHead(head) === named}>
        ${headLabel(head)}
      </option>`;
    return html`<select aria-label=${message("pairs.otherHead")} @change=${choose}>
      <option value="" .selected=${named === ""}>${message("pairs.sameHead")}</option>
      ${heads.map(option)}
    </select>`;
  }

  /** What to do next: two runs of one text have no difference to look at. */
  private hintOf({ text }: Pairs, isHeld: boolean): "pairs.same" | "pairs.choose" | "pairs.hold" {
    const { state } = this.session;
    const isSame = text === state.text && otherTargetOf(state) === state.target;
    if (isSame && state.otherModel === null && !isOfHeads(state)) return "pairs.same";
    return isHeld ? "pairs.choose" : "pairs.hold";
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
                  <span class="small muted"
                    >${message(
                      otherTargetOf(state) === null ? "text.translation" : "pairs.otherTranslation",
                    )}</span
                  >
                  <bdi>${translation}</bdi>
                </p>
                ${strip("target", pairs.result, message("pairs.writtenTokens"))}
              </div>`
        }
      </div>
      <div class="hint inline ends small next">
        <p class="muted">${message(this.hintOf(pairs, locked !== null))}</p>
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
