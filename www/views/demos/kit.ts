import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Cell } from "../../data/index.js";
import { Memo } from "../../elements/shared/memo.js";
import { Player } from "../../elements/steps/player.js";
import { theLab, type Lab, type Model } from "../../headscope.js";
import { formatNumber, language, message, type MessageKey } from "../../i18n/index.js";
import { Asked } from "../bench/asked.js";
import { renderFailed } from "../bench/failed-words.js";
import { LabSettings, setting } from "../bench/lab-settings.js";
import { LAB_TABLE } from "../bench/lab-table.js";
import {
  nearest,
  type Field,
  type LabValue,
  type NumberField,
  type Within,
} from "../bench/lab-values.js";
import type { Refusal } from "../bench/number-fields.js";
import "../bench/number-slider.js";
import "../bench/saving/save-figure.js";
import "../../ui/choice.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";
import { isCrash, isExpected } from "../run/failures.js";
import type { Pointed } from "./figures.js";

type Value = number | string | boolean;
type Values = Readonly<Record<string, Value>>;

/** The demos whose fields the table declares with a control. */
export type DemoName = "waves" | "learned" | "rotary" | "alibi" | "buckets" | "terms";
type ValuesOf<Name extends DemoName> = {
  readonly [Key in keyof (typeof LAB_TABLE)[Name]]: (typeof LAB_TABLE)[Name][Key] extends LabValue<
    infer One
  >
    ? One
    : never;
};

/** What an answer may be asked of besides the fields. */
interface Sources {
  lab: Pick<Lab, "ask">;
  signal: AbortSignal;
}

/** A figure or a table under its heading. */
export interface View {
  title?: string;
  /** What is said under the heading. */
  notes?: readonly string[];
  /** A field whose control stands here. */
  field?: string;
  figure: (pointed: Pointed) => TemplateResult;
  /** What it is called in the names of files; without a name it is not saved. */
  name?: string;
  /** The fields that decide it, in place of those of the demo. */
  details?: readonly string[];
}

/** What makes a demo, besides its fields. */
export interface DemoParts<Values, Answer> {
  formula: TemplateResult | (() => TemplateResult);
  paper: MessageKey;
  intro?: MessageKey;
  /** Whether it is of the loaded model. */
  needsModel?: boolean;
  /** What stands in the place of its form and figures, where there is nothing to ask. */
  absent?(model: Model | null): string | null;
  /** What bounds its numbers besides each other. */
  limits?(model: Model): Readonly<Record<string, Within>>;
  refuse?(key: string, value: number, values: Values): Refusal | null;
  ask(values: Values, sources: Sources, model: Model | null): Promise<Answer>;
  /** What stands between the form and the figures. */
  summary?(answer: Answer, values: Values, pointed: Pointed, model: Model | null): TemplateResult;
  /** Views that stand in one list belong together. */
  views(answer: Answer, values: Values): readonly (View | readonly View[])[];
  /** The number that a button moves on, one at a time. */
  plays?: string;
  /** What the files of its figures are called, and by which fields: `details` are those that the sheet names. */
  file: { name: string; suffix?(values: Values): string; details?: readonly string[] };
}

export interface Demo extends DemoParts<Values, unknown> {
  name: DemoName;
  fields: Readonly<Record<string, Field>>;
}

/** A demo is data: its fields stand in the table, and the kit draws the rest from these parts. */
export function demo<Name extends DemoName, Answer>(
  name: Name,
  parts: DemoParts<ValuesOf<Name>, Answer>,
): Demo {
  // Only the kit hands values and answers to the parts, and these are the demo's own.
  const erased = parts as unknown as DemoParts<Values, unknown>;
  return { ...erased, name, fields: LAB_TABLE[name] as unknown as Demo["fields"] };
}

interface Found {
  answer: unknown;
  values: Values;
  model: Model | null;
}

/** One position further this often: a slow pair is seen to turn, and a fast one not to jump. */
const PAUSE_MS = 250;

/** Draws a demo: its form, its address, what is asked and found, and each figure with its files and links. */
@customElement("headscope-demo")
export class HeadscopeDemo extends PagePart {
  static override styles = [
    partStyles,
    css`
      .formula,
      .controls {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
      }

      .formula {
        gap: 8px 32px;
        padding: 4px 0;
        overflow-x: auto;
        font-size: 16px;
      }

      .paper,
      p.said {
        max-width: 80ch;
        margin: 4px 0 12px;
      }

      .controls {
        gap: 8px 28px;
        margin-bottom: 16px;
      }

      .pictures {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr));
        align-items: start;
        gap: 24px 40px;
      }

      section {
        min-width: 0;
      }

      section > p {
        margin: 4px 0 12px;
      }

      h3 {
        margin: 0 0 4px;
        font-size: 14px;
        font-weight: 600;
      }

      * + h3 {
        margin-top: 24px;
      }

      .scroll {
        max-width: 100%;
        max-height: 260px;
        overflow: auto;
      }

      .facts {
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }

      .facts th,
      .facts td {
        padding: 4px 24px 4px 0;
        border-bottom: 1px solid var(--headscope-line);
        font-weight: 400;
        text-align: right;
        white-space: nowrap;
      }

      .facts th {
        color: var(--headscope-muted);
      }

      .facts th:first-child {
        text-align: left;
      }

      .facts th[scope="row"] {
        white-space: normal;
      }

      .facts tr.chosen :is(th, td) {
        color: var(--headscope-accent);
      }

      .check {
        display: inline-flex;
        align-items: center;
        gap: 8px;
        color: var(--headscope-muted);
      }

      .check input {
        accent-color: var(--headscope-accent);
      }

      .press {
        padding: 4px 12px;
        border: 1px solid var(--headscope-line);
        border-radius: 6px;
      }

      @media (pointer: coarse) {
        .check {
          min-height: 40px;
        }
      }
    `,
  ];

  /** It stays the same for as long as the element does. */
  @property({ attribute: false }) demo: Demo | null = null;
  @property({ attribute: false }) model: Model | null = null;
  @property({ reflect: true }) name = "";

  @state() private values: Values = {};
  @state() private cell: Cell | null = null;
  private settings: LabSettings | null = null;
  private readonly asked = new Asked<Found | null>(this);
  private readonly drawn = new Memo<ReturnType<Demo["views"]>>();
  private readonly player = new Player(this, () => this.advance(), PAUSE_MS);

  override connectedCallback(): void {
    const { demo: shown } = this;
    if (shown && !this.settings) {
      const fields = Object.entries(shown.fields);
      this.name = shown.name;
      this.values = Object.fromEntries(fields.map(([key, { opens }]) => [key, opens]));
      this.settings = new LabSettings(
        this,
        shown.name,
        Object.fromEntries(
          fields.map(([key, field]) => [
            key,
            setting(
              field as LabValue<Value>,
              () => this.values[key] ?? field.opens,
              (value) => this.put(key, value),
            ),
          ]),
        ),
        () => !shown.needsModel || this.model !== null,
      );
    }
    super.connectedCallback();
  }

  protected override willUpdate(): void {
    const { demo: shown, model } = this;
    if (!shown) return;
    this.bound((key) => this.bounds(key));
    // A link may ask for more than the model has; a model that comes later bounds only what is shown.
    if (this.settings?.arriving) this.bound((key) => this.limits[key] ?? {});
    const values = this.shownValues;
    const asking = Object.entries(shown.fields)
      .filter(([, { asks = true }]) => asks)
      .map(([key]) => values[key]);
    const absent = shown.absent?.(model) ?? null;
    this.asked.ask([model, absent, ...asking], async (signal) =>
      absent === null
        ? {
            answer: await shown.ask(values, { lab: await theLab(), signal }, model),
            values,
            model,
          }
        : null,
    );
  }

  override render(): TemplateResult | typeof nothing {
    const { demo: shown } = this;
    if (!shown) return nothing;
    const { formula, paper, intro } = shown;
    return html`<div class="formula">${typeof formula === "function" ? formula() : formula}</div>
      <p class="small muted paper">${message(paper)}</p>
      ${intro ? html`<p class="small muted said">${message(intro)}</p>` : nothing}
      ${this.renderBody(shown)}`;
  }

  private renderBody(shown: Demo): TemplateResult {
    const absent = shown.absent?.(this.model) ?? null;
    if (absent !== null) return html`<p class="said">${absent}</p>`;
    const { playing, isStill } = this.player;
    const keys = Object.entries(shown.fields).filter(
      ([, field]) => field.control !== "number" || !field.inView,
    );
    return html`<div class="controls">
        ${keys.map(([key]) => this.renderField(key))}
        ${shown.plays === undefined || isStill ? nothing : html`<button class="press" id="play" @click=${() => this.player.toggle()}>${message(playing ? "rotaryLab.stop" : "rotaryLab.play")}</button>`}
      </div>
      ${this.renderFound(shown)}`;
  }

  private renderField(key: string): TemplateResult | typeof nothing {
    const field = this.demo?.fields[key];
    if (!field) return nothing;
    const label = message(field.label);
    const value = this.shownValues[key];
    if (field.control === "flag")
      return html`<label class="check"><input id=${key} type="checkbox" .checked=${value === true} @change=${({ target }: Event) => target instanceof HTMLInputElement && this.put(key, target.checked)} /> ${label}</label>`;
    if (field.control === "choice")
      return html`<headscope-choice
        id=${key}
        look="segments"
        .label=${label}
        .value=${value}
        .choices=${field.options.map((option) => ({ value: option, label: message(field.named(option)) }))}
        @headscope-choose=${(event: CustomEvent<string>) => {
          event.stopPropagation();
          this.put(key, event.detail);
        }}
      ></headscope-choice>`;
    return this.renderNumber(key, field, label, Number(value));
  }

  private renderNumber(
    key: string,
    field: NumberField,
    label: string,
    value: number,
  ): TemplateResult {
    const { least, most, step, even, from } = field;
    const within = [{ least, most }, this.bounds(key), this.limits[key] ?? {}];
    return html`<headscope-number-slider
      id=${key}
      .label=${label}
      .value=${value + from}
      .least=${from + Math.max(...within.map((one) => one.least ?? least))}
      .most=${from + Math.min(...within.map((one) => one.most ?? most))}
      .step=${step}
      .whole=${step > 0}
      .even=${even}
      .logarithmic=${step === 0}
      .refuse=${(typed: number) => this.demo?.refuse?.(key, typed, this.values) ?? null}
      @headscope-slide=${({ detail }: CustomEvent<number>) => this.put(key, detail - from)}
    ></headscope-number-slider>`;
  }

  private renderFound(shown: Demo): TemplateResult | typeof nothing {
    const { answer: found, failure } = this.asked;
    if (failure) {
      // What is expected to fail of a model, the page says elsewhere.
      if (shown.needsModel && isExpected(failure) && !isCrash(failure)) return nothing;
      return html`<p class="muted" role="status">${renderFailed(failure)}</p>`;
    }
    if (!found || found.model !== this.model) return nothing;
    const values = { ...found.values };
    const live = Object.keys(shown.fields).filter((key) => shown.fields[key]?.asks === false);
    for (const key of live) values[key] = this.shownValues[key] ?? values[key] ?? NaN;
    const views = this.drawn.get([found, language(), ...live.map((key) => values[key])], () =>
      shown.views(found.answer, values),
    );
    const pointed: Pointed = { cell: this.cell, point: (cell) => (this.cell = cell) };
    return html`${shown.summary?.(found.answer, values, pointed, found.model) ?? nothing}
      <div class="pictures">
        ${views.map((group) => html`<section>${[group].flat().map((view) => this.renderView(shown, view, values, pointed))}</section>`)}
      </div>`;
  }

  private renderView(
    shown: Demo,
    view: View,
    values: Values,
    pointed: Pointed,
  ): (TemplateResult | typeof nothing)[] {
    const { title, notes = [], field, figure, name } = view;
    const { file } = shown;
    const details = (view.details ?? file.details ?? []).flatMap((key) =>
      detailOf(shown.fields[key], values[key]),
    );
    const drawn = figure(pointed);
    return [
      title === undefined ? nothing : html`<h3>${title}</h3>`,
      field === undefined ? nothing : html`${this.renderField(field)}`,
      html`${notes.map((note) => html`<p class="small muted">${note}</p>`)}`,
      name === undefined
        ? drawn
        : html`<headscope-save-figure name=${`${file.name} ${name} ${file.suffix?.(values) ?? ""}`.trim()} .heading=${title ?? ""} .details=${details} .of=${shown.needsModel ? "model" : "lab"}>${drawn}</headscope-save-figure>`,
    ];
  }

  private put(key: string, value: Value): void {
    this.values = { ...this.values, [key]: value };
  }

  private bound(within: (key: string) => Within): void {
    for (const [key, value] of Object.entries(this.values)) {
      if (typeof value !== "number") continue;
      const fit = nearest(value, within(key));
      if (fit !== value) this.put(key, fit);
    }
  }

  /** What other fields leave of a number. */
  private bounds(key: string): Within {
    const field = this.demo?.fields[key];
    if (field?.control !== "number" || !field.within) return {};
    return field.within((other) => Number(this.values[other]), { numbers: null });
  }

  /** What the model leaves of its numbers. */
  private get limits(): Readonly<Record<string, Within>> {
    return (this.model && this.demo?.limits?.(this.model)) ?? {};
  }

  private get shownValues(): Values {
    const { limits } = this;
    return Object.fromEntries(
      Object.entries(this.values).map(([key, value]) => [
        key,
        typeof value === "number" ? nearest(value, limits[key] ?? {}) : value,
      ]),
    );
  }

  /** The number that plays goes one further, and begins anew at the end. */
  private advance(): boolean {
    const key = this.demo?.plays ?? "";
    const field = this.demo?.fields[key];
    if (field?.control !== "number") return false;
    const value = Number(this.values[key]);
    this.put(key, value < field.most ? value + 1 : field.least);
    return true;
  }
}

/** A field in words, as the sheet of a figure names it; a flag only while it is set. */
function detailOf(field: Field | undefined, value: Value | undefined): string[] {
  if (!field || value === false) return [];
  if (field.control === "flag") return [message(field.label)];
  if (field.control === "choice") return [message(field.named(String(value)))];
  return [`${message(field.label)} ${formatNumber(Number(value) + field.from, 2)}`];
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-demo": HeadscopeDemo;
  }
}
