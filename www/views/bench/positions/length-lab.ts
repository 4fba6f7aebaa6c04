import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import "../../../elements/curves.js";
import type { CurveLine } from "../../../draw/curves.js";
import { Memo } from "../../../elements/shared/controllers.js";
import type { Model } from "../../../headscope.js";
import { formatFixed, language, message } from "../../../i18n/index.js";
import { SCHEMES, turnsIn, type PositionScheme } from "../../../state/index.js";
import "../../../ui/choice.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles, progressStyles, toggleStyles } from "../../../ui/base-styles.js";
import { isCrash, isExpected } from "../../run/failures.js";
import { crashedWords, failedWords, renderFailed } from "../failed-words.js";
import { LabSettings, setting } from "../lab-settings.js";
import { LAB_TABLE, LENGTH_TEXTS, LENGTH_TIMES, WINDOWS } from "../lab-table.js";
import { ruleStyles } from "../rule-styles.js";
import "../saving/save-figure.js";
import { fareOf, smoothed, type Fare } from "./length-fare.js";
import { GAPS_APART, studyLengths, trainingOf, type LengthLine } from "./length-study.js";
import { lengthName, signed, verdictOf } from "./length-verdict.js";
import { frameOf, heldOutText, ownText, type LongText } from "./long-text.js";

/** What is compared until somebody chooses. */
const USUAL: readonly PositionScheme[] = ["model", "none", "sinusoidal", "rotary", "alibi"];
/** Numbers come faster than anybody reads. */
const BETWEEN_RENDERS_MILLIS = 120;

/** The loss at each place of a text that is longer than any that the model was trained on, under one scheme of positions or another. */
@customElement("headscope-length-lab")
export class HeadscopeLengthLab extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    progressStyles,
    toggleStyles,
    css`
      :host {
        display: block;
        padding: 10px 0;
        border-top: 1px solid var(--headscope-line);
      }

      .line {
        padding: 6px 0;
      }

      textarea {
        display: block;
        box-sizing: border-box;
        width: 100%;
        min-height: 88px;
        padding: 8px;
        border: 1px solid var(--headscope-line);
        border-radius: 4px;
        background: none;
        color: var(--headscope-ink);
        font: inherit;
        resize: vertical;
      }

      .go {
        color: var(--headscope-accent);
      }

      .verdict {
        margin: 12px 0;
        font: 400 15px/1.5 var(--headscope-font-text);
      }

      .fares {
        overflow-x: auto;
      }

      table {
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }

      th,
      td {
        padding: 3px 24px 3px 0;
        font-weight: 400;
        text-align: right;
        vertical-align: top;
      }

      th:first-child {
        text-align: left;
      }

      thead th {
        color: var(--headscope-muted);
      }
    `,
  ];

  @property({ attribute: false }) model: Model | null = null;

  /** Whose text is wished for; `source` is what the model can be given. */
  @state() private from: (typeof LENGTH_TEXTS)[number] = "heldOut";
  @state() private written = "";
  @state() private times: (typeof LENGTH_TIMES)[number] = 2;
  @state() private schemes: readonly PositionScheme[] = USUAL;
  @state() private window: (typeof WINDOWS)[number] = 16;
  @state() private lines: readonly LengthLine[] = [];
  @state() private done = 0;
  @state() private all = 1;
  @state() private running: AbortController | null = null;
  @state() private failed: unknown = null;
  /** Whether the text has no token behind another, or none to hide. */
  @state() private empty = false;
  protected readonly settings = new LabSettings(this, "lengths", {
    from: setting(
      LAB_TABLE.lengths.from,
      () => this.from,
      (from) => (this.from = from),
    ),
    text: setting(
      LAB_TABLE.lengths.text,
      () => this.written,
      (written) => (this.written = written),
    ),
    times: setting(
      LAB_TABLE.lengths.times,
      () => this.times,
      (times) => (this.times = times),
    ),
    mean: setting(
      LAB_TABLE.lengths.mean,
      () => this.window,
      (window) => (this.window = window),
    ),
    schemes: setting(
      LAB_TABLE.lengths.schemes,
      () => this.schemes,
      (schemes) => (this.schemes = schemes),
    ),
  });
  private rendered = 0;
  private readonly curves = new Memo<CurveLine[]>();
  private readonly fares = new Memo<Fare[]>();
  private readonly marks = new Memo<{ x: number; words: string }[]>();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    // Numbers of another text would stand under its name.
    if (["model", "from", "written", "times"].some((name) => changed.has(name))) this.forget();
  }

  override render(): TemplateResult | typeof nothing {
    const { model } = this;
    if (!model) return nothing;
    const { architecture, predicts } = model.info;
    const title = html`<h3 id="title">${message("lengths.title")}</h3>`;
    const fills = architecture === "encoder";
    if (!predicts || (fills && model.info.maskToken === null))
      return html`${title}<p class="small muted">${message(predicts ? "lengths.noMask" : "lengths.silent")}</p>`;
    const { known, trained, source } = trainingOf(model);
    return html`<section aria-labelledby="title">
      ${title}
      <p class="small muted">${message("lengths.intro")} ${message(known ? "lengths.trainedTo" : "lengths.trainedUnknown", { trained, positions: model.info.maxTokens })} ${fills ? message("lengths.gaps", { apart: GAPS_APART, around: frameOf(model).around }) : architecture === "encoder-decoder" ? message("lengths.translator", { source }) : nothing}</p>
      ${architecture === "encoder-decoder" && this.sentences.length === 0 ? html`<p id="unread">${message("lengths.noSentences")}</p>` : this.renderStudy(model)}
    </section>`;
  }

  private renderStudy(model: Model): TemplateResult {
    return html`${this.renderText(model)} ${this.renderSchemes(model)} ${this.renderProgress(model)}
      <div class="failed" role="status">${this.empty ? html`<p>${message(this.model?.info.architecture === "encoder" ? "lengths.empty.gaps" : "lengths.empty")}</p>` : this.failed === null ? nothing : html`<p>${renderFailed(this.failed, isCrash(this.failed) ? crashedWords(this.failed, this.lines.length > 0) : message("at.failed", { sentence: failedWords(this.failed) }))}</p>`}</div>
      ${this.lines.length > 0 ? this.renderLines(model) : nothing}`;
  }

  private get sentences(): NonNullable<Model["notes"]>["sentences"] {
    return this.model?.notes?.sentences ?? [];
  }

  /** A text of the reader's own has no translation that a translator could be read with. */
  private get choosable(): boolean {
    return this.model?.info.architecture !== "encoder-decoder" && this.sentences.length > 0;
  }

  private get source(): (typeof LENGTH_TEXTS)[number] {
    if (this.choosable) return this.from;
    return this.sentences.length > 0 ? "heldOut" : "own";
  }

  private renderText({ info }: Model): TemplateResult {
    const { choosable, source } = this;
    const locked = this.running !== null;
    const own = source === "own";
    return html`<div class="line">
        ${
          choosable
            ? html`<label
              >${message("lengths.text")}
              <select id="text" ?disabled=${locked} @change=${this.chooseText}>
                ${LENGTH_TEXTS.map((one) => html`<option value=${one} .selected=${one === source}>${message(`lengths.text.${one}`)}</option>`)}
              </select></label
            >`
            : nothing
        }
        <label
          >${message("lengths.length")}
          <select id="times" ?disabled=${locked} @change=${this.chooseTimes}>
            ${LENGTH_TIMES.map((times) => html`<option value=${times} .selected=${times === this.times}>${message("lengths.times", { times, tokens: times * info.maxTokens })}</option>`)}
          </select></label
        >
      </div>
      ${own ? html`<textarea dir="auto" aria-label=${message("lengths.text.own")} placeholder=${message("lengths.text.hint", { positions: info.maxTokens })} ?disabled=${locked} .value=${this.written} @input=${this.write}></textarea>` : nothing}`;
  }

  private renderSchemes(model: Model): TemplateResult {
    return html`<div class="line" role="group" aria-label=${message("lengths.schemes")}>
      ${SCHEMES.map(
        (scheme) =>
          html`<button class="toggle" data-scheme=${scheme} aria-pressed=${this.schemes.includes(scheme)} ?disabled=${this.running !== null || !fits(scheme, model)} @click=${() => this.toggle(scheme)}>${message(`at.${scheme}`)}</button>`,
      )}
    </div>`;
  }

  private renderProgress(model: Model): TemplateResult {
    const { running, done, all } = this;
    const chosen = this.chosen(model);
    const missing = this.missing(model);
    const goesOn = this.lines.length > 0 && missing.length > 0;
    const nothingToRead =
      chosen.length === 0 || (this.source === "own" && this.written.trim() === "");
    // One button for both, which keeps the focus of who pressed it.
    return html`<div class="line">
      <button id=${running ? "stop" : "go"} class="go" ?disabled=${!running && nothingToRead} @click=${running ? this.stop : () => void this.study(model)}>${running ? message("lengths.stop") : message(goesOn ? "lengths.goOn" : "lengths.go", { count: (goesOn ? missing : chosen).length })}</button>
      ${
        running
          ? html`<progress max=${all} .value=${done} aria-label=${message("lengths.progress")}></progress>
            <span class="numbers small">${message("lengths.done", { done, all })}</span>`
          : nothing
      }
    </div>`;
  }

  private renderLines(model: Model): TemplateResult {
    const { maxTokens, positions } = model.info;
    const { lines, window } = this;
    // What stands around a text is no row of it.
    const { around } = frameOf(model);
    const trained = trainingOf(model).trained - around;
    const last = maxTokens - around;
    // Where training went as far as there are positions, one mark says both.
    const mark = { at: trained, as: message(trained < last ? "lengths.trained" : "lengths.last") };
    // A table that is computed has no last row: there it is the model's size that ends.
    const refused = lines
      .filter(({ refused }) => refused)
      .map(({ name }) =>
        name === "model" && positions !== "learned"
          ? ("lengths.refused.computed" as const)
          : ("lengths.refused" as const),
      );
    const details = [
      `${message("lengths.text")}: ${message(`lengths.text.${this.source}`)}`,
      `${message("lengths.window")}: ${window === 1 ? message("lengths.window.none") : window}`,
    ];
    const curves = this.curves.get([lines, window, language()], () =>
      lines.map(({ name, losses }) => ({
        name: lengthName(name),
        points: smoothed(losses, window),
        ...(name === "anew" && { tone: "quiet" as const }),
      })),
    );
    const fares = this.fares.get([lines], () =>
      lines.map((line) => fareOf(line, lines[0] ?? line, trained)),
    );
    return html`<div class="line">
        <span class="reach"
          >${message("lengths.window")}
          <headscope-choice
            look="segments"
            .label=${message("lengths.window")}
            .value=${String(window)}
            .choices=${WINDOWS.map((one) => ({ value: String(one), label: one === 1 ? message("lengths.window.none") : String(one) }))}
            @headscope-choose=${this.chooseWindow}
          ></headscope-choice
        ></span>
      </div>
      <headscope-save-figure name=${`loss by position to ${this.times * maxTokens} mean ${window}`} .heading=${message("lengths.title")} .details=${details} .of=${"model"}><headscope-curves .lines=${curves} .titles=${{ x: message(model.info.architecture === "encoder" ? "lengths.x.gaps" : "lengths.x"), y: message("lengths.y") }} .range=${{ x: [0, this.times * maxTokens] }} .marked=${mark.at} .markedAs=${mark.as} .marks=${this.marks.get([trained, last, language()], () => (trained < last ? [{ x: last, words: message("lengths.last") }] : []))}></headscope-curves></headscope-save-figure>
      <div class="verdict" role="status">${this.running ? nothing : verdictOf(fares, { trained, positions: last }).map((sentence) => html`<p>${sentence}</p>`)}</div>
      ${this.renderFares(fares)}
      <p class="small muted">${message("lengths.how", { trained })} ${[...new Set(refused)].map((key) => message(key, { positions: last })).join(" ")}</p>`;
  }

  private renderFares(fares: readonly Fare[]): TemplateResult {
    const number = (value: number | null): string =>
      value === null || Number.isNaN(value) ? "–" : formatFixed(value, 2);
    return html`<div class="fares" tabindex="0" role="region" aria-label=${message("lengths.fares")}>
      <table>
        <thead>
          <tr>${(["scheme", "rows", "within", "beyond", "rise"] as const).map((column) => html`<th scope="col">${message(`lengths.column.${column}`)}</th>`)}</tr>
        </thead>
        <tbody>
          ${fares.map(
            ({
              name,
              rows,
              within,
              beyond,
              rise,
            }) => html`<tr data-line=${name} data-within=${within} data-beyond=${beyond ?? ""}>
              <th scope="row">${lengthName(name)}</th>
              <td>${rows}</td>
              <td>${number(within)}</td>
              <td>${number(beyond)}</td>
              <td>${rise === null || name === "anew" ? "–" : signed(rise)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private async study(model: Model): Promise<void> {
    const chosen = this.chosen(model);
    const known =
      this.missing(model).length > 0
        ? this.lines.filter(({ name }) => name === "anew" || chosen.includes(name))
        : [];
    this.forget();
    this.lines = known;
    const text = this.textOf(model);
    this.empty = text.wanted.length === 0;
    if (this.empty) return;
    const running = new AbortController();
    this.running = running;
    const { signal } = running;
    try {
      await studyLengths(
        model,
        { text, schemes: chosen, known },
        {
          signal,
          line: (line) => {
            if (!signal.aborted)
              this.lines = [...this.lines, line].toSorted(
                (one, other) => rankOf(one) - rankOf(other),
              );
          },
          progress: (done, all) => {
            if (signal.aborted || performance.now() - this.rendered < BETWEEN_RENDERS_MILLIS)
              return;
            this.rendered = performance.now();
            [this.done, this.all] = [done, all];
          },
        },
      );
    } catch (thrown) {
      if (!signal.aborted && (isCrash(thrown) || !isExpected(thrown))) this.failed = thrown;
    }
    if (this.running === running) this.running = null;
  }

  private textOf(model: Model): LongText {
    const rows = this.times * model.info.maxTokens;
    return this.source === "own"
      ? ownText(model, this.written, rows)
      : heldOutText(model, this.sentences, rows);
  }

  private chosen(model: Model): PositionScheme[] {
    return SCHEMES.filter((scheme) => this.schemes.includes(scheme) && fits(scheme, model));
  }

  /** Of those that are chosen, what was not read of this text. */
  private missing(model: Model): PositionScheme[] {
    return this.chosen(model).filter((scheme) => !this.lines.some(({ name }) => name === scheme));
  }

  /** What was read until then stays. */
  private readonly stop = (): void => {
    this.running?.abort();
    this.running = null;
  };

  private forget(): void {
    this.stop();
    this.lines = [];
    this.failed = null;
    this.empty = false;
    [this.done, this.all] = [0, 1];
  }

  private toggle(scheme: PositionScheme): void {
    this.schemes = this.schemes.includes(scheme)
      ? this.schemes.filter((one) => one !== scheme)
      : [...this.schemes, scheme];
  }

  private readonly write = ({ target }: Event): void => {
    if (!(target instanceof HTMLTextAreaElement)) return;
    this.written = target.value;
  };

  private readonly chooseText = ({ target }: Event): void => {
    const from =
      target instanceof HTMLSelectElement
        ? LENGTH_TEXTS.find((one) => one === target.value)
        : undefined;
    if (from) this.from = from;
  };

  private readonly chooseTimes = ({ target }: Event): void => {
    const times =
      target instanceof HTMLSelectElement
        ? LENGTH_TIMES.find((one) => String(one) === target.value)
        : undefined;
    if (times) this.times = times;
  };

  private readonly chooseWindow = ({ detail }: CustomEvent<string>): void => {
    this.window = WINDOWS.find((one) => String(one) === detail) ?? this.window;
  };
}

/** The one that all are compared with is first. */
function rankOf({ name }: LengthLine): number {
  return name === "anew" ? -1 : SCHEMES.indexOf(name);
}

/** Whether every head can have its positions by a scheme. */
function fits(scheme: PositionScheme, { info }: Model): boolean {
  return (
    scheme !== "rotary" ||
    (["encoder", "decoder"] as const).every((stack) => turnsIn(info.stacks[stack]?.headDim ?? 0))
  );
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-length-lab": HeadscopeLengthLab;
  }
}
