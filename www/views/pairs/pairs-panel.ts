import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type { Cell, ModelInfo, Palette, Region, Stage } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import type { Print, Inks } from "../../draw/theme.js";
import { valueAt } from "../../draw/layout.js";
import "../../elements/bars.js";
import { formatSigned, type HeadscopeDifference } from "../../elements/matrices.js";
import { emit } from "../../elements/events.js";
import "../../elements/heatmap.js";
import { measurer } from "../../elements/matrix/canvas.js";
import { Memo } from "../../elements/shared/controllers.js";
import { sceneOf, type Printable, type Scene } from "../../elements/shared/scene.js";
import { labelAt } from "../../elements/shared/templates.js";
import { rowOf } from "../../export/sheet.js";
import { message } from "../../i18n/index.js";
import { factsStyles, partStyles } from "../../ui/base-styles.js";
import { PagePart } from "../../ui/page-part.js";
import type { PairPart } from "../export/pictures.js";
import type { ExportSubject } from "../export/subject.js";
import { patch } from "../parts/events.js";
import type { HeadscopeExportMenu } from "../parts/export-menu.js";
import "../parts/export-menu.js";
import { stageHint } from "../parts/lens-words.js";
import "../parts/notices.js";
import { colourChoice, stageChoice } from "../parts/picture-controls.js";
import type { Download } from "../run/download.js";
import {
  cosineBars,
  cosinesTitle,
  counterpartOf,
  fromShared,
  isSigned,
  LARGEST_COSINE,
  type PairNames,
  type PairedHead,
  toShared,
  type WordCosines,
  type WordPair,
} from "./alignment.js";
import type { MovedStates } from "./edit-changes.js";
import "./edit-changes.js";
import type { ExpectationChange, HeadChange } from "./head-change.js";

const pairsPanelStyles = css`
  :host {
    container-type: inline-size;
  }

  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 24px;
    margin-bottom: 16px;
  }

  .tools {
    display: flex;
    align-items: center;
    gap: 16px;
    margin-left: auto;
  }

  .grid {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 32px 28px;
    align-items: start;
  }

  .stale {
    filter: grayscale(1);
  }

  figure {
    min-width: 0;
    margin: 0;
  }

  figcaption {
    margin-bottom: 8px;
    overflow: hidden;
    font: 400 16px/1.4 var(--headscope-font-text);
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .empty {
    padding: 15vh 0;
    text-align: center;
    font: 400 18px/1.5 var(--headscope-font-text);
  }

  .words section + section {
    margin-top: 20px;
    padding-top: 20px;
    border-top: 1px solid var(--headscope-line);
  }

  .words p + p,
  headscope-bars + p {
    margin-top: 8px;
  }

  h3 {
    font-size: 14px;
    font-weight: 600;
  }

  .pair {
    font-size: 20px;
  }

  dl {
    margin-top: 12px;
  }

  @container (max-width: 720px) {
    .grid {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;

/** Two pictures stand one above the other, so each is lower than one alone. */
const CELLS_HEIGHT = 300;

/**
 * One head in two runs: both patterns on one scale, what the first has more than the second, and how alike the words
 * that the page looks at are, layer by layer. Hovering one picture shows the pair's counterpart in the others.
 */
@customElement("headscope-pairs-panel")
export class HeadscopePairsPanel extends PagePart implements Printable {
  static override styles = [partStyles, factsStyles, pairsPanelStyles];

  @property() stage: Stage = "weights";
  @property() colours: Palette = "blue";
  /** Size of a head's queries and keys, of the first run and of the second. */
  @property({ type: Number }) headDim = 0;
  @property({ type: Number }) otherDim = 0;
  /** Stages of the first run that its edits make other than their formula. */
  @property({ attribute: false }) unusual: readonly Stage[] = [];
  /** Of the first run's model. */
  @property({ attribute: false }) info: ModelInfo | null = null;
  @property({ attribute: false }) paired: PairedHead | null = null;
  @property({ attribute: false }) names: PairNames = { one: "", other: "" };
  @property({ attribute: false }) focused: Cell | null = null;
  @property({ attribute: false }) locked: Cell | null = null;
  @property({ attribute: false }) blocked: Cell[] = [];
  @property({ attribute: false }) words: WordPair[] = [];
  /** Null until they were read. */
  @property({ attribute: false }) cosines: WordCosines[] | null = null;
  /** What edits did to the states and to what the model expects; null beside another text. */
  @property({ attribute: false }) moved: MovedStates | null = null;
  @property({ attribute: false }) expectation: ExpectationChange | null = null;
  /** Whether both runs are of one model, so that their states can be held against each other. */
  @property({ type: Boolean }) sameModel = true;
  @property({ type: Boolean }) stale = false;
  /** Of the first run's model; shown until there are pictures. */
  @property({ attribute: false }) download: Download = { phase: "ready" };
  /** Whether there is no second text. */
  @property({ type: Boolean }) blank = false;
  /** Whether the second run failed: it is said beside its text, and here nothing is waited for. */
  @property({ type: Boolean }) failed = false;

  /** The part that each of the three shows, in rows and columns of its own; one that does not have it shows all. */
  @property({ attribute: false }) region: Region | null = null;

  /** What can be exported; null while that would not be what is shown. */
  @property({ attribute: false }) subject: ExportSubject | null = null;
  @property({ type: Boolean }) linkCopied = false;

  private readonly changed = new Memo<HeadChange>();

  @query("headscope-difference") private readonly difference!: HeadscopeDifference;
  @query("headscope-export-menu") private readonly exports!: HeadscopeExportMenu;

  get inks(): Inks {
    return this.difference.inks;
  }

  /** Both pictures and their difference in a row, each under its name. */
  print(inks: Inks): Print | null {
    return this.snapshot()(inks);
  }

  snapshot(): Scene {
    const names = [this.names.one, this.names.other, message("pairs.firstLess")];
    const scenes = this.figures.map((figure) => sceneOf(figure));
    return (inks) => {
      const prints = scenes.flatMap((scene, index) => {
        const print = scene(inks);
        return print ? [{ name: names[index] ?? "", print }] : [];
      });
      return prints.length === names.length ? rowOf(prints, inks, measurer) : null;
    };
  }

  /** Opens what can be exported, under the button that asks for it. */
  openExport(under: Element): void {
    this.exports.open(under);
  }

  /** Takes the keyboard to the first control. */
  override focus(): void {
    this.renderRoot.querySelector("headscope-choice")?.focus();
  }

  override render(): TemplateResult {
    return html`<div class="controls">
        ${stageChoice(this, this.stage)}
        <p class="small muted">${this.hint}</p>
        <div class="tools">
          ${colourChoice(this, this.colours)}
          <headscope-export-menu .subject=${this.subject} .figure=${this.figure} .linkCopied=${this.linkCopied}></headscope-export-menu>
        </div>
      </div>
      ${this.paired ? this.renderPair(this.paired) : this.renderWaiting()}`;
  }

  /** What the stage is in the first run, and in the second where that is another thing: it is never edited. */
  private get hint(): string {
    const { stage, unusual, headDim, otherDim, paired } = this;
    const first = stageHint(stage, {
      headDim,
      unusual,
      fullyMasked: paired?.one.fullyMasked ?? [],
    });
    const second = stageHint(stage, {
      headDim: otherDim,
      unusual: [],
      fullyMasked: paired?.other.fullyMasked ?? [],
    });
    return first === second ? first : message("pairs.hints", { first, second });
  }

  private renderWaiting(): TemplateResult | typeof nothing {
    if (this.failed && !this.blank) return nothing;
    if (this.download.phase !== "ready")
      return html`<headscope-download-status .download=${this.download}></headscope-download-status>`;
    return html`<p class="empty muted">${message(this.blank ? "pairs.blank" : "pairs.waiting")}</p>`;
  }

  private renderPair(paired: PairedHead): TemplateResult {
    const { one, other, queries, keys, shared } = paired;
    const [first, second] = [one.stages[this.stage], other.stages[this.stage]];
    const to = (cell: Cell | null): Cell | null =>
      counterpartOf(cell, queries.toOther, keys.toOther);
    const back = (cell: Cell | null): Cell | null => counterpartOf(cell, queries.toOne, keys.toOne);
    const within = (cell: Cell | null): Cell | null =>
      cell && fromShared("one", cell, shared.queries, shared.keys);
    return html`<div class=${classMap({ grid: true, stale: this.stale })} @headscope-region-change=${this.showRegion}>
      <figure>
        <figcaption><bdi>${this.names.one}</bdi></figcaption>
        <headscope-heatmap
          .tensor=${first}
          .beside=${second}
          .stage=${this.stage}
          .colours=${this.colours}
          .queries=${one.queries}
          .keys=${one.keys}
          .blocked=${this.blocked}
          .fullyMasked=${one.fullyMasked}
          .focused=${this.focused}
          .locked=${this.locked}
          .comfortableHeight=${CELLS_HEIGHT}
          .region=${this.region}
        ></headscope-heatmap>
      </figure>
      <figure>
        <figcaption><bdi>${this.names.other}</bdi></figcaption>
        <headscope-heatmap
          .tensor=${second}
          .beside=${first}
          .stage=${this.stage}
          .colours=${this.colours}
          .queries=${other.queries}
          .keys=${other.keys}
          .fullyMasked=${other.fullyMasked}
          .focused=${to(this.focused)}
          .locked=${to(this.locked)}
          .comfortableHeight=${CELLS_HEIGHT}
          .region=${this.region}
          @headscope-cell-hover=${(event: CustomEvent<Cell | null>) => this.hoverAs(event, back)}
          @headscope-cell-lock=${(event: CustomEvent<Cell | null>) => this.lockAs(event, back)}
          @headscope-cell-toggle=${stop}
        ></headscope-heatmap>
      </figure>
      <figure>
        <figcaption>${message("pairs.firstLess")}</figcaption>
        <headscope-difference
          .tensor=${shared.tensor}
          .queries=${shared.queries.tokens}
          .keys=${shared.keys.tokens}
          .signed=${isSigned(shared)}
          .focused=${toShared("one", this.focused, shared)}
          .locked=${toShared("one", this.locked, shared)}
          .comfortableHeight=${CELLS_HEIGHT}
          .region=${this.region}
          @headscope-cell-hover=${(event: CustomEvent<Cell | null>) => this.hoverAs(event, within)}
          @headscope-cell-lock=${(event: CustomEvent<Cell | null>) => this.lockAs(event, within)}
          @headscope-cell-toggle=${stop}
        ></headscope-difference>
      </figure>
      <div class="words">
        ${this.renderNumbers(paired)}
        ${this.words.map((pair) => this.renderWord(pair))}
      </div>
      ${
        this.moved
          ? html`<headscope-moved-states .moved=${this.moved}></headscope-moved-states>
            <headscope-edit-changes .info=${this.info} .head=${this.change(paired)} .focused=${this.focused} .expectation=${this.expectation}></headscope-edit-changes>`
          : nothing
      }
    </div>`;
  }

  private change({ one, other }: PairedHead): HeadChange {
    const { weights: after } = one.stages;
    const { weights: before } = other.stages;
    return this.changed.get([before, after], () => ({ before, after }));
  }

  /** The pair that the page looks at, in three numbers. */
  private renderNumbers({
    one,
    other,
    queries,
    keys,
    shared,
  }: PairedHead): TemplateResult | typeof nothing {
    const cell = this.focused;
    if (!cell) return nothing;
    const to = counterpartOf(cell, queries.toOther, keys.toOther);
    const at = toShared("one", cell, shared);
    return html`<section aria-label=${message("pairs.pair")}>
      <p class="pair"><bdi>${labelAt(one.queries, cell.query)}</bdi> <span>${message("inspect.looksAt")}</span> <bdi>${labelAt(one.keys, cell.key)}</bdi></p>
      <dl>
        <dt>${message("pairs.first")}</dt>
        <dd data-pair="one">${formatValue(valueAt(one.stages[this.stage], cell))}</dd>
        <dt>${message("pairs.second")}${to ? html` <span class="small"><bdi>${labelAt(other.queries, to.query)}</bdi> → <bdi>${labelAt(other.keys, to.key)}</bdi></span>` : nothing}</dt>
        <dd data-pair="other">${to ? formatValue(valueAt(other.stages[this.stage], to)) : message("pairs.noCounterpart")}</dd>
        <dt>${message("pairs.difference")}</dt>
        <dd class="result" data-pair="difference">${at ? formatSigned(valueAt(shared.tensor, at)) : "–"}</dd>
      </dl>
    </section>`;
  }

  private renderWord(pair: WordPair): TemplateResult {
    const read = this.cosines?.find(
      ({ pair: known }) => JSON.stringify(known) === JSON.stringify(pair),
    );
    const heading = cosinesTitle(pair);
    if (!pair.other)
      return html`<section><h3>${heading}</h3><p class="small muted">${message("pairs.pairByHand")}</p></section>`;
    if (!this.sameModel)
      return html`<section><h3>${heading}</h3><p class="small muted">${message("pairs.otherSpace")}</p></section>`;
    return html`<section class="cosines">
      <headscope-bars .heading=${heading} .max=${LARGEST_COSINE} .items=${read ? cosineBars(read) : []}></headscope-bars>
      <p class="small muted">${message("pairs.cosineHint")}</p>
    </section>`;
  }

  private readonly showRegion = ({ detail: region }: CustomEvent<Region | null>): void => {
    patch(this, { region });
  };

  /** Says a pair of another picture in the words of the first one. */
  private hoverAs(event: CustomEvent<Cell | null>, map: (cell: Cell | null) => Cell | null): void {
    event.stopPropagation();
    emit(this, "headscope-cell-hover", map(event.detail));
  }

  private lockAs(event: CustomEvent<Cell | null>, map: (cell: Cell | null) => Cell | null): void {
    event.stopPropagation();
    const cell = map(event.detail);
    // A pair that the first text has not cannot be held there.
    if (cell || !event.detail) emit(this, "headscope-cell-lock", cell);
  }

  /** The first run's, the second's and their difference. */
  private get figures(): Printable[] {
    return [
      ...this.renderRoot.querySelectorAll<Element & Printable>(
        "figure > headscope-heatmap, figure > headscope-difference",
      ),
    ];
  }

  private readonly figure = (part: PairPart): Printable | null => {
    if (!this.paired) return null;
    const [first = null, second = null, difference = null] = this.figures;
    return { all: this, first, second, difference }[part];
  };
}

/** Edits are made in the first picture: the other run is never edited. */
function stop(event: Event): void {
  event.stopPropagation();
}
