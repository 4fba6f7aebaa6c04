import { html, nothing, unsafeCSS, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Cell, HeadPattern, Region, Stack, Tensor } from "../data/index.js";
import { emit, type HeadDetail } from "../elements/events.js";
import type { PairFigure } from "../elements/matrix/pair-figure.js";
import { define, Memo } from "../elements/shared/controllers.js";
import { styled } from "../elements/shared/templates.js";
import { message } from "../i18n/index.js";
import { thumbnailsOf } from "../reduce/thumbnails.js";
import { choice } from "../ui/choice.js";
import { PagePart } from "../ui/page-part.js";
import { headOf, readSaved, VIEWS } from "./given.js";
import type { Given, GivenStack, Selection, View } from "./given.js";
import { download, fileOf, FORMATS, type Format } from "./saving.js";
import styles from "./attention.css?inline";
import "../elements/grid/element.js";
import "../elements/lines.js";
import "../elements/heatmap.js";

export const TAG = "headscope-attention";
/** The side of a small picture, in cells: that of the page's. */
const THUMBNAIL = 48;
/** The share of each query's weight that the lines add up to, in percent. */
const MASS = 90;

/**
 * The attention of all heads of given numbers: a grid of the heads, and one of them as a heatmap or
 * as lines. Fires `headscope-selection` with what the user changed.
 */
export class HeadscopeAttention extends PagePart {
  static override styles = unsafeCSS(styles);

  /** The numbers; null reads them from the JSON in the element. */
  @property({ attribute: false }) given: Given | null = null;
  @property({ attribute: false }) stack: Stack = "decoder";
  @property({ attribute: false }) layer = 0;
  @property({ attribute: false }) head = 0;
  @property({ attribute: false }) pair: Cell | null = null;
  @property({ attribute: false }) view: View = "heatmap";
  /** The reason why there is no figure. */
  @property({ attribute: false }) failure = "";
  @state() private mass = MASS;
  @state() private beside: readonly number[] = [];
  @state() private region: Region | null = null;
  @state() private report = "";
  private readonly small = new Memo<Tensor>();
  private readonly one = new Memo<Tensor>();
  private readonly patterns = new Memo<HeadPattern[]>();
  private readonly unmasked = new Memo<number[]>();

  override connectedCallback(): void {
    super.connectedCallback();
    const text = this.querySelector("script[type='application/json']")?.textContent;
    if (this.given === null && typeof text === "string") void this.read(this.saved(text));
  }

  /** The numbers of a saved figure, once what it shows of them is chosen. */
  private async saved(text: string): Promise<Given> {
    const { given, selection } = await readSaved(text);
    Object.assign(this, selection);
    return given;
  }

  /** Shows numbers once they are read, or the reason why they cannot be. */
  async read(reading: Promise<Given>): Promise<void> {
    try {
      this.given = await reading;
      this.failure = "";
    } catch (thrown) {
      this.given = null;
      this.failure = thrown instanceof Error ? thrown.message : String(thrown);
    }
  }

  /** The stack that is shown: the chosen one, or the first where it is not among the given ones. */
  private get shown(): GivenStack | undefined {
    const stacks = this.given?.stacks ?? [];
    return stacks.find(({ stack }) => stack === this.stack) ?? stacks[0];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("given") || changed.has("stack") || changed.has("layer")) this.beside = [];
    if (changed.has("given") || changed.has("stack")) this.region = null;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { failure, given, shown } = this;
    if (failure !== "")
      return html`<p role="alert">
        ${message("notebook.unreadable", { got: failure })}
        <code class="small muted">figure/unreadable</code>
      </p>`;
    if (!given || !shown) return nothing;
    const [layers = 0, heads = 0] = shown.weights.shape;
    const many = layers * heads > 1;
    return html`${this.renderBar(given)}
      <div class="body ${many ? "many" : ""}" style=${styled({ "--heads": `${heads}` })}>
        ${many ? this.renderGrid(shown) : nothing}
        <div>
          ${many ? html`<h3>${this.place()}</h3>` : nothing} ${this.renderPicture(shown)}
          ${shown.notes.map((note) => html`<p class="notes small muted">${note}</p>`)}
        </div>
      </div>`;
  }

  /** The name of the shown head. */
  private place(): string {
    const { layer, head } = this;
    return message("grid.cell", { layer: layer + 1, head: head + 1 });
  }

  private renderBar({ title, stacks }: Given): TemplateResult {
    const names = stacks.map(({ stack }) => stack);
    return html`<div class="bar">
      ${title === "" ? nothing : html`<span class="title">${title}</span>`}
      ${
        names.length > 1
          ? choice(
              message("stack.label"),
              names,
              this.shown?.stack ?? "",
              (stack) => message(`stack.${stack}`),
              (stack) => this.select({ stack, layer: 0, head: 0, pair: null }),
              "tabs",
            )
          : nothing
      }
      ${choice(
        message("picture.label"),
        VIEWS,
        this.view,
        (view) => message(`picture.${view}`),
        (view) => this.select({ view }),
        "segments",
      )}
      <span class="save small muted">
        ${message("notebook.save")}
        ${FORMATS.map(
          (format) =>
            html`<button @click=${() => this.save(format)}>${format.toUpperCase()}</button>`,
        )}
        <span role="status">${this.report}</span>
      </span>
    </div>`;
  }

  private renderGrid({ stack, weights }: GivenStack): TemplateResult {
    const { layer, head } = this;
    const choose = ({ detail }: CustomEvent<HeadDetail>): void =>
      this.select({ layer: detail.layer, head: detail.head });
    return html`<headscope-grid
      class="heads"
      .thumbnails=${this.small.get([weights], () => thumbnailsOf(weights, THUMBNAIL))}
      .selected=${{ layer, head }}
      .stack=${stack}
      @headscope-head-select=${choose}
    ></headscope-grid>`;
  }

  private renderPicture(shown: GivenStack): TemplateResult {
    const { layer, head, pair, view, region } = this;
    const { queries, keys } = shown;
    const weights = this.one.get([shown, layer, head], () => headOf(shown, layer, head));
    const empty = this.unmasked.get([weights], () => emptyRows(weights));
    const lock = ({ detail }: CustomEvent<Cell | null>): void => this.select({ pair: detail });
    if (view === "lines")
      return html`<headscope-lines
        class="picture"
        .patterns=${this.patternsOf(shown, weights)}
        .heads=${shown.weights.shape[1] ?? 0}
        .queries=${queries}
        .keys=${keys}
        .fullyMasked=${empty}
        .locked=${pair}
        .mass=${this.mass}
        @headscope-cell-lock=${lock}
        @headscope-mass-change=${({ detail }: CustomEvent<number>) => (this.mass = detail)}
        @headscope-beside-toggle=${({ detail }: CustomEvent<number>) => this.toggle(detail)}
      ></headscope-lines>`;
    return html`<headscope-heatmap
      class="picture"
      .tensor=${weights}
      .queries=${queries}
      .keys=${keys}
      .fullyMasked=${empty}
      .locked=${pair}
      .near=${pair ?? { query: 0, key: 0 }}
      .region=${region}
      @headscope-cell-lock=${lock}
      @headscope-region-change=${({ detail }: CustomEvent<Region | null>) => (this.region = detail)}
    ></headscope-heatmap>`;
  }

  private patternsOf(shown: GivenStack, weights: Tensor): HeadPattern[] {
    const { layer, head, beside } = this;
    return this.patterns.get([weights, beside], () => [
      { head, weights },
      ...beside
        .filter((other) => other !== head)
        .map((other) => ({ head: other, weights: headOf(shown, layer, other) })),
    ]);
  }

  private toggle(head: number): void {
    const { beside } = this;
    this.beside = beside.includes(head)
      ? beside.filter((other) => other !== head)
      : [...beside, head];
  }

  private select(change: Partial<Selection>): void {
    Object.assign(this, change);
    const { stack, layer, head, pair, view } = this;
    const selection = { stack, layer, head, pair, view, ...change };
    emit(this, "headscope-selection", selection);
  }

  /** The file of the picture on the screen; null where there is none. */
  async file(format: Format): Promise<Blob | null> {
    await this.updateComplete;
    const picture = this.renderRoot.querySelector<PairFigure>(".picture");
    const { shown, given } = this;
    if (!picture || !shown) return null;
    await picture.updateComplete;
    const where = this.within(() => `${message(`stack.${shown.stack}`)} · ${this.place()}`);
    const title = given?.title === "" ? where : `${given?.title ?? ""} · ${where}`;
    return fileOf(picture, format, { title, lines: shown.notes }, this.locale);
  }

  private async save(format: Format): Promise<void> {
    this.report = this.within(() => message("export.working"));
    try {
      const file = await this.file(format);
      const name = `headscope_layer-${this.layer + 1}_head-${this.head + 1}.${format}`;
      if (file) await download(file, name);
      this.report = this.within(() =>
        file ? message("export.saved", { name }) : message("export.nothing"),
      );
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      this.report = this.within(() => message("export.failed", { message: reason }));
    }
  }
}

/** The rows that have no weight at all. */
function emptyRows({ data, shape }: Tensor): number[] {
  const [rows = 0, columns = 0] = shape;
  return Array.from({ length: rows }, (_, row) => row).filter((row) =>
    data.subarray(row * columns, (row + 1) * columns).every((weight) => weight === 0),
  );
}

define(TAG, HeadscopeAttention);

declare global {
  interface HTMLElementEventMap {
    "headscope-selection": CustomEvent<Selection>;
  }
}
