import { adoptStyles, css, html, nothing, type CSSResult, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Memo, Player } from "../../elements/shared/controllers.js";
import { theLab, type Lab, type Model } from "../../headscope.js";
import { formatNumber, language, message, type MessageKey } from "../../i18n/index.js";
import { crashedWords, renderFailed } from "../bench/failed-words.js";
import { LabSettings } from "../bench/lab-settings.js";
import { LAB_TABLE } from "../bench/lab-table.js";
import {
  nearest,
  type Field,
  type LabValue,
  type NumberField,
  type Within,
} from "../bench/lab-values.js";
import type { Refusal } from "../bench/number-fields.js";
import "../bench/number-fields.js";
import { saysMore, type OnBench } from "../bench/on-bench.js";
import { RestingText } from "../bench/resting-text.js";
import type { Described } from "../bench/saving/figure-numbers.js";
import type { Table } from "../../export/provenance.js";
import "../bench/saving/save-figure.js";
import "../../ui/choice.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles, progressStyles, toggleStyles } from "../../ui/base-styles.js";
import { isCrash, isExpected } from "../run/failures.js";
import type { Pointed } from "./figures.js";
import { Asked, isSame, Study, type Working } from "./study.js";
import type { Answered } from "./workbench.js";

type Value = number | string | boolean | readonly string[];
type Values = Readonly<Record<string, Value>>;

/** The demos whose fields the table declares with a control. */
export type DemoName =
  | "stages"
  | "cost"
  | "cheat"
  | "pad"
  | "waves"
  | "learned"
  | "rotary"
  | "alibi"
  | "buckets"
  | "terms"
  | "scores"
  | "lengths"
  | "broken"
  | "kind"
  | "effect"
  | "pruning"
  | "stream"
  | "norm"
  | "worked"
  | "overflow"
  | "projection";
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

/** What the page shows: what a demo may be of. */
export type OnPage = Partial<OnBench> & { workbench?: Answered | null };

/** A figure or a table under its heading. */
export interface View {
  title?: string;
  /** What it is called on its picture, where that is not the title. */
  heading?: string;
  /** What is said under the heading. */
  notes?: readonly string[];
  /** A field whose control stands here. */
  field?: string;
  figure: (pointed: Pointed) => TemplateResult;
  /** What it is called in the names of files; without a name it is not saved. */
  name?: string;
  /** The fields that decide it, in place of those of the demo. */
  details?: readonly string[];
  /** What else decides it, in words. */
  said?: readonly string[];
  /** What it is of; without it, of the model where the demo is of the page. */
  of?: Described["of"];
  /** A table as a file has it. */
  csv?: Table;
  /** What stands below it. */
  foot?: TemplateResult;
}

interface State {
  /** Whether the next answer is on its way. */
  stale: boolean;
  /** Whether it is still being worked on, and how far. */
  working: boolean;
  done: number;
}

/** What a summary is drawn of besides its answer. */
interface Around<Subject> extends State {
  pointed: Pointed;
  subject: Subject;
}

/** What the page leaves of a field. */
export interface Fitted {
  within?: Within;
  /** What there is to choose from, in words. */
  options?: readonly { value: string | number; label: string }[];
  placeholder?: string;
  /** Whether it is of no account now. */
  hidden?: boolean;
  /** Options that cannot be chosen. */
  off?: readonly string[];
}

/** Long work, begun by a button: it is stopped between two of its steps and goes on from there. */
interface Work<Values, Answer, Subject> {
  /** The messages of its button and its progress begin with this. */
  words: "lengths" | "measure" | "pruning" | "ranking";
  /** What it is about: other work has to be begun anew. Null while the page cannot say. By default all that it reads and is asked by. */
  about?(on: OnPage, values: Values): readonly unknown[] | null;
  /** Whether it stays for as long as the model does, also when another part of the page is open. */
  stays?: boolean;
  /** Its steps that are counted on the button. */
  names?(values: Values, subject: Subject): readonly string[];
  /** What its progress is out of. */
  all?(values: Values, subject: Subject): number;
  run(values: Values, subject: Subject, working: Working<Answer>): Promise<void>;
}

/** What makes a demo, besides its fields. */
export interface DemoParts<Values, Answer, Subject> {
  title?: MessageKey;
  formula?: TemplateResult | (() => TemplateResult);
  paper?: MessageKey;
  intro?: MessageKey | ((on: OnPage, values: Values) => TemplateResult);
  /** What stands in the place of its form and figures, where there is nothing to ask. */
  absent?(on: OnPage): string | null;
  /** What of the page it is of, by whose values it is asked anew: null while that is not there, or why it cannot be asked. */
  reads?(on: OnPage, values: Values): Subject | string | null;
  /** Whether a text that is still being written is not asked about. */
  rests?: boolean;
  /** What is said where there is no answer, in place of what went wrong. */
  failed?: MessageKey | ((failure: unknown, values: Values) => string);
  /** What the page leaves of its fields, by the last answer too; null while what bounds them is not there. */
  fit?(
    on: OnPage,
    values: Values,
    answer: Answer | null,
  ): Readonly<Record<string, Fitted>> | null | undefined;
  refuse?(key: string, value: number, values: Values): Refusal | null;
  /** The question that its answer is to, or the work that it takes. */
  ask?(values: Values, sources: Sources, subject: Subject): Promise<Answer>;
  work?: Work<Values, Answer, Subject>;
  /** What stands below the figures. */
  foot?(answer: Answer, values: Values, around: Around<Subject>): TemplateResult;
  /** What stands between the form and the figures. */
  summary?(answer: Answer, values: Values, around: Around<Subject>): TemplateResult;
  /** Views that stand in one list belong together. */
  views(
    answer: Answer,
    values: Values,
    subject: Subject,
    state: State,
  ): readonly (View | readonly View[])[];
  /** The number that a button moves on, one at a time. */
  plays?: string;
  /** What the files of its figures are called, and by which fields: `details` are those that the sheet names. */
  file?: { name?: string; suffix?(values: Values): string; details?: readonly string[] };
  /** The styles of its own templates. */
  styles?: CSSResult;
}

export interface Demo extends DemoParts<Values, unknown, object> {
  name: DemoName;
  fields: Readonly<Record<string, Field>>;
}

/** A demo is data: its fields stand in the table, and the kit draws the rest from these parts. */
export function demo<Name extends DemoName, Answer, Subject extends object = object>(
  name: Name,
  parts: DemoParts<ValuesOf<Name>, Answer, Subject>,
): Demo {
  // Only the kit hands values, answers and subjects to the parts, and these are the demo's own.
  const erased = parts as unknown as DemoParts<Values, unknown, object>;
  return { ...erased, name, fields: LAB_TABLE[name] as unknown as Demo["fields"] };
}

interface Found {
  answer: unknown;
  values: Values;
  subject: object;
  model: Model | null;
}

const LAB: Sources["lab"] = { ask: async (...asked) => (await theLab()).ask(...asked) };

/** Work that stays, by its model and what it is asked by. */
const studies = new WeakMap<Model, Map<string, Study<unknown>>>();

/** One position further this often: a slow pair is seen to turn, and a fast one not to jump. */
const PAUSE_MS = 250;

/** Draws a demo: its form, its address, what is asked and found, and each figure with its files and links. */
@customElement("headscope-demo")
export class HeadscopeDemo extends PagePart {
  static override styles = [
    partStyles,
    progressStyles,
    toggleStyles,
    css`
      .formula,
      .controls,
      .work,
      .toggles,
      label.choice {
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

      .work,
      .toggles {
        gap: 8px 20px;
        margin-bottom: 12px;
      }

      label.choice {
        gap: 8px;
        min-width: 0;
        color: var(--headscope-muted);
      }

      select {
        max-width: 100%;
        padding: 3px 0;
        border: 0;
        border-bottom: 1px solid var(--headscope-line);
        border-radius: 0;
        background: none;
        color: var(--headscope-ink);
        font: inherit;
      }

      option {
        background: var(--headscope-paper);
      }

      textarea {
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

      #go {
        color: var(--headscope-accent);
      }

      input[type="range"] {
        width: min(280px, 60vw);
        accent-color: var(--headscope-accent);
      }

      .verdict {
        margin: 12px 0;
        font: 400 15px/1.5 var(--headscope-font-text);
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

      .said.text {
        display: flex;
        align-items: baseline;
        gap: 8px;
        width: min(100%, 560px);
        color: var(--headscope-muted);
        white-space: nowrap;
      }

      .text input {
        flex: 1 1 auto;
        min-width: 0;
        padding: 4px 0;
        border: 0;
        border-bottom: 1px solid var(--headscope-line);
        background: none;
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

      .facts thead th {
        position: sticky;
        top: 0;
        background: var(--headscope-paper);
      }

      .facts b {
        color: var(--headscope-ink);
        font-weight: 600;
      }

      .facts .right {
        font-weight: 600;
      }

      .facts :is(tr.chosen :is(th, td), .right) {
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
  @property({ attribute: false, hasChanged: saysMore }) on: OnPage = {};
  @property({ reflect: true }) name = "";

  @state() private values: Values = {};
  @state() private pointed: Pointed = {
    cell: null,
    held: null,
    region: null,
    at: null,
    put: (change) => (this.pointed = { ...this.pointed, ...change }),
  };
  private readonly texts = new Map<string, RestingText>();
  private settings: LabSettings | null = null;
  private readonly asked = new Asked<Found>(this);
  private readonly drawn = new Memo<ReturnType<Demo["views"]>>();
  private readonly player = new Player(this, () => this.advance(), PAUSE_MS);
  private fitted: Readonly<Record<string, Fitted>> = {};
  /** Whether what bounds the fields is there. */
  private ready = false;
  private study = new Study<unknown>(() => this.requestUpdate());
  /** What the study is about, and what it reads since it was begun. */
  private about: readonly unknown[] | null = null;
  private begun: object | null = null;
  /** Whether the page cannot say yet whether the study is still about it. */
  private unsure = false;

  override connectedCallback(): void {
    const { demo: shown } = this;
    if (shown && !this.settings) {
      const fields = Object.entries(shown.fields);
      this.name = shown.name;
      this.values = Object.fromEntries(fields.map(([key, { opens }]) => [key, opens]));
      for (const [key, field] of fields)
        if (field.control === "text") this.texts.set(key, new RestingText(this, field.opens));
      this.settings = new LabSettings(
        this,
        shown.name,
        {
          kinds: shown.fields,
          read: (key) => this.texts.get(key)?.value ?? this.values[key],
          put: (key, value) => this.put(key, value),
        },
        () => this.ready,
      );
    }
    super.connectedCallback();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.study.stop();
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    const { styles } = this.demo ?? {};
    if (styles && root instanceof ShadowRoot)
      adoptStyles(root, [...HeadscopeDemo.elementStyles, styles]);
    return root;
  }

  protected override willUpdate(): void {
    const { demo: shown } = this;
    if (!shown) return;
    for (const [key, { value }] of this.texts)
      if (value !== this.values[key]) this.values = { ...this.values, [key]: value };
    this.bound((key) => this.bounds(key));
    const answer = shown.work ? this.study.answer : this.asked.answer?.answer;
    const fitted = shown.fit ? shown.fit(this.on, this.values, answer ?? null) : {};
    this.ready = Boolean(fitted);
    if (fitted) this.fitted = fitted;
    // A link may ask for more than the model has; a model that comes later bounds only what is shown.
    if (this.settings?.arriving)
      for (const key of Object.keys(this.values)) {
        const fit = this.fit(key);
        if (typeof fit === "number" && fit !== this.values[key]) this.put(key, fit);
      }
    const values = this.shownValues;
    const asking = Object.entries(shown.fields)
      .filter(([, { asks = true }]) => asks)
      .map(([key]) => values[key]);
    const subject = this.subjectOf(shown, values);
    if (shown.work) this.turnTo(shown.work, subject, asking, values);
    else this.askAbout(shown, subject, asking, values);
  }

  private askAbout(
    shown: Demo,
    subject: object | string | null,
    asking: readonly unknown[],
    values: Values,
  ): void {
    if (subject === null || typeof subject === "string") this.asked.clear();
    else if (!shown.rests || !this.on.growing)
      this.asked.ask([...Object.values<unknown>({ ...subject }), ...asking], async (signal) => ({
        answer: await shown.ask?.(values, { lab: LAB, signal }, subject),
        values,
        subject,
        model: this.model,
      }));
  }

  /** Work about something else is let go, and whatever was begun of another run is stopped. */
  private turnTo(
    work: NonNullable<Demo["work"]>,
    subject: object | string | null,
    asking: readonly unknown[],
    values: Values,
  ): void {
    const read =
      subject && typeof subject === "object" ? Object.values<unknown>({ ...subject }) : null;
    const about = work.about ? work.about(this.on, values) : read && [...read, ...asking];
    if (this.begun && read && !isSame(read, Object.values<unknown>({ ...this.begun })))
      this.study.stop();
    this.unsure = about === null;
    if (!about || isSame(about, this.about)) return;
    this.study.stop();
    this.about = about;
    this.begun = null;
    const { model } = this.on;
    const known =
      (work.stays && model ? studies.get(model) : null) ?? new Map<string, Study<unknown>>();
    if (work.stays && model) studies.set(model, known);
    this.study = known.get(asking.join()) ?? new Study<unknown>(() => undefined);
    this.study.changed = () => this.requestUpdate();
    known.set(asking.join(), this.study);
  }

  private subjectOf(shown: Demo, values: Values): object | string | null {
    if ((shown.absent?.(this.on) ?? null) !== null) return null;
    return shown.reads ? shown.reads(this.on, values) : {};
  }

  override render(): TemplateResult | typeof nothing {
    const { demo: shown } = this;
    if (!shown) return nothing;
    const { title, formula, paper, intro } = shown;
    return html`${title ? html`<h3>${message(title)}</h3>` : nothing}
      ${formula ? html`<div class="formula">${typeof formula === "function" ? formula() : formula}</div>` : nothing}
      ${paper ? html`<p class="small muted paper">${message(paper)}</p>` : nothing}
      ${intro ? html`<p class="small muted said">${typeof intro === "function" ? intro(this.on, this.shownValues) : message(intro)}</p>` : nothing}
      ${this.renderBody(shown)}`;
  }

  private renderBody(shown: Demo): TemplateResult | typeof nothing {
    const absent = shown.absent?.(this.on) ?? null;
    if (absent !== null) return html`<p class="said">${absent}</p>`;
    const { playing, isStill } = this.player;
    const keys = Object.entries(shown.fields).filter(
      ([, field]) => !("inView" in field && field.inView),
    );
    const form =
      keys.length === 0
        ? nothing
        : html`<div class="controls">
        ${keys.map(([key]) => this.renderField(key))}
        ${shown.plays === undefined || isStill ? nothing : html`<button class="press" id="play" @click=${() => this.player.toggle()}>${message(playing ? "rotaryLab.stop" : "rotaryLab.play")}</button>`}
      </div>`;
    return html`${form}${shown.work ? this.renderWork(shown, shown.work) : this.renderAsked(shown)}`;
  }

  private renderField(key: string): TemplateResult | typeof nothing {
    const field = this.demo?.fields[key];
    const { hidden = false, placeholder, options, off = [] } = this.fitted[key] ?? {};
    if (!field || hidden) return nothing;
    const label = message(field.label);
    const value = this.shownValues[key];
    const named = (option: string | number): string => {
      const name =
        "named" in field
          ? field.named(String(option) === option ? option : (option as never))
          : null;
      return name === null ? String(option) : message(name);
    };
    switch (field.control) {
      case "flag":
        return html`<label class="check"><input id=${key} type="checkbox" .checked=${value === true} @change=${({ target }: Event) => target instanceof HTMLInputElement && this.put(key, target.checked)} /> ${label}</label>`;
      case "text":
        return field.long
          ? html`${this.texts.get(key)?.field({ id: key, label, placeholder, long: true })}`
          : html`<label class="said text">${label} ${this.texts.get(key)?.field({ id: key, placeholder })}</label>`;
      case "some":
        return html`<div class="toggles" id=${key} role="group" aria-label=${label}>
          ${field.options.map((option) => {
            const chosen = Array.isArray(value) ? value.map(String) : [];
            const others = chosen.filter((one) => one !== option);
            return html`<button class="toggle" data-option=${option} aria-pressed=${chosen.includes(option)} ?disabled=${off.includes(option)} @click=${() => this.put(key, others.length < chosen.length ? others : [...chosen, option])}>${named(option)}</button>`;
          })}
        </div>`;
      case "choice": {
        const choices =
          options ?? field.options.map((option) => ({ value: option, label: named(option) }));
        const take = (text: string): void => {
          const chosen = choices.find((one) => String(one.value) === text);
          if (chosen) this.put(key, chosen.value);
        };
        if (field.look === "list")
          return choices.length === 0
            ? nothing
            : html`<label class="choice">${label}
          <select id=${key} aria-label=${label} @change=${({ target }: Event) => target instanceof HTMLSelectElement && take(target.value)}>
            ${choices.map((one) => html`<option value=${one.value} .selected=${one.value === value}>${one.label}</option>`)}
          </select></label>`;
        return html`<headscope-choice
        id=${key}
        look="segments"
        .label=${label}
        .value=${String(value)}
        .choices=${choices.map((one) => ({ value: String(one.value), label: one.label }))}
        @headscope-choose=${(event: CustomEvent<string>) => {
          event.stopPropagation();
          take(event.detail);
        }}
      ></headscope-choice>`;
      }
      case "number":
        return this.renderNumber(key, field, label, Number(value));
    }
  }

  private renderNumber(
    key: string,
    field: NumberField,
    label: string,
    value: number,
  ): TemplateResult {
    const { least, most, step, even, from, told } = field;
    if (told)
      return html`<label class="choice">${label}
        <input id=${key} type="range" min=${least} max=${most} step=${step} .value=${String(value)} aria-valuetext=${told(value)} @input=${({ target }: Event) => target instanceof HTMLInputElement && this.put(key, Number(target.value))} />
        <output>${told(value)}</output></label>`;
    const within = [{ least, most }, this.bounds(key), this.fitted[key]?.within ?? {}];
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

  private renderAsked(shown: Demo): TemplateResult | typeof nothing {
    const { answer: found, failure } = this.asked;
    if (failure !== null) {
      // What is expected to fail of a model, the page says elsewhere.
      if (shown.reads && isExpected(failure) && !isCrash(failure)) return nothing;
      return html`<p class="muted" role="status">${this.failed(shown, failure)}</p>`;
    }
    if (found?.model !== this.model) return this.renderMissing(shown);
    const stale =
      shown.reads !== undefined &&
      (this.asked.stale || (shown.rests === true && this.on.growing === true));
    return this.renderFound(shown, found, { stale, working: false, done: 0 });
  }

  private renderMissing(shown: Demo): TemplateResult | typeof nothing {
    const missing = this.subjectOf(shown, this.shownValues);
    if (!shown.reads) return nothing;
    return html`<p class="muted">${typeof missing === "string" ? missing : message("lab.waiting")}</p>`;
  }

  private failed({ failed }: Demo, failure: unknown): TemplateResult {
    const sentence =
      typeof failed === "function" ? failed(failure, this.shownValues) : failed && message(failed);
    return renderFailed(failure, sentence);
  }

  private renderWork(
    shown: Demo,
    work: NonNullable<Demo["work"]>,
  ): TemplateResult | typeof nothing {
    const { study, shownValues: values } = this;
    const subject = this.subjectOf(shown, values);
    if (typeof subject === "string") return html`<p class="muted">${subject}</p>`;
    const of = subject ?? this.begun;
    if (!of) return this.renderMissing(shown);
    const { failure, answer, working, done } = study;
    const crash = isCrash(failure);
    const said = crash
      ? renderFailed(failure, crashedWords(failure, study.begun))
      : failure === null
        ? nothing
        : this.failed(shown, failure);
    const found = { answer, values, subject: this.begun ?? of, model: this.model };
    return html`${this.renderProgress(work, of, values)}
      <div role="status">${said === nothing ? nothing : html`<p class="small">${said}</p>`}</div>
      ${answer === null ? nothing : this.renderFound(shown, found, { stale: this.unsure, working, done })}`;
  }

  /** One button begins it and stops it, and keeps the focus of who pressed it. */
  private renderProgress(
    work: NonNullable<Demo["work"]>,
    subject: object,
    values: Values,
  ): TemplateResult {
    const { study, begun } = this;
    const { words } = work;
    const names = work.names?.(values, subject) ?? null;
    const missing = names?.filter((name) => !study.has(name)) ?? [];
    const finished = names ? missing.length === 0 : study.finished;
    const all = work.all?.(values, subject) ?? 0;
    const { done, working } = study;
    if (finished && !names)
      return html`<p class="work small muted">${message("pruning.finished", { count: all })}</p>`;
    const goesOn = study.begun && !finished;
    // Nothing can be asked of a run that was lost, until another has taken its place.
    const { run = null } = (begun ?? {}) as { run?: unknown };
    const lost = isCrash(study.failure) && run !== null && isSame([run], [this.on.run]);
    const go = (): void => {
      if (finished) study.forget();
      this.begun = subject;
      void study.go((one) => work.run(values, subject, one));
    };
    const count = goesOn ? missing.length : (names?.length ?? 0);
    return html`<div class="work">
      <button id=${working ? "stop" : "go"} ?disabled=${!working && (lost || this.unsure || names?.length === 0)} @click=${working ? () => study.stop() : go}>${working ? message(`${words}.stop`) : message(`${words}.${goesOn ? "goOn" : "go"}`, { count })}</button>
      ${
        (working || goesOn) && all > 0
          ? html`<progress max=${all} .value=${done} aria-label=${message(`${words}.progress`)}></progress>
            <span class="numbers small">${message(`${words}.done`, { done, all })}</span>`
          : nothing
      }
    </div>`;
  }

  private renderFound(shown: Demo, found: Found, state: State): TemplateResult {
    const values = { ...found.values };
    const live = Object.keys(shown.fields).filter((key) => shown.fields[key]?.asks === false);
    for (const key of live) values[key] = this.shownValues[key] ?? values[key] ?? NaN;
    const { answer, subject } = found;
    const drawnOf = [
      answer,
      subject,
      language(),
      state.working,
      state.done,
      ...Object.values(values),
    ];
    const views = this.drawn.get(drawnOf, () => shown.views(answer, values, subject, state));
    const { pointed } = this;
    const around = { pointed, subject, ...state };
    return html`${shown.summary?.(answer, values, around) ?? nothing}
      <div class="pictures">
        ${views.map((group) => html`<section>${[group].flat().map((view) => this.renderView(shown, view, values, state.stale))}</section>`)}
      </div>
      ${shown.foot?.(answer, values, around) ?? nothing}`;
  }

  private renderView(
    shown: Demo,
    view: View,
    values: Values,
    stale: boolean,
  ): (TemplateResult | typeof nothing)[] {
    const {
      title,
      heading = title ?? "",
      notes = [],
      field,
      figure,
      name,
      csv = null,
      foot,
    } = view;
    const { file = {} } = shown;
    const details = (view.details ?? file.details ?? []).flatMap((key) =>
      detailOf(shown.fields[key], values[key]),
    );
    const drawn = figure(this.pointed);
    const named = [file.name, name, file.suffix?.(values)].filter(Boolean).join(" ");
    const of = view.of ?? (shown.reads ? "model" : "lab");
    return [
      title === undefined ? nothing : html`<h3>${title}</h3>`,
      field === undefined ? nothing : html`${this.renderField(field)}`,
      html`${notes.map((note) => html`<p class="small muted">${note}</p>`)}`,
      name === undefined
        ? drawn
        : html`<headscope-save-figure name=${named} .heading=${heading} .details=${[...details, ...(view.said ?? [])]} .of=${of} .table=${csv} .stale=${stale}>${drawn}</headscope-save-figure>`,
      foot ?? nothing,
    ];
  }

  private put(key: string, value: Value): void {
    this.texts.get(key)?.put(String(value));
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

  /** A value as near as the page leaves it. */
  private fit(key: string): Value {
    const value = this.values[key] ?? NaN;
    const { within = {}, options } = this.fitted[key] ?? {};
    if (!options || options.some((one) => one.value === value))
      return typeof value === "number" ? nearest(value, within) : value;
    const numbers = options.flatMap((one) => (typeof one.value === "number" ? [one.value] : []));
    const [first] = options;
    if (typeof value !== "number" || numbers.length === 0) return first?.value ?? value;
    const far = (one: number): number => Math.abs(one - value);
    return numbers.reduce((best, one) => (far(one) < far(best) ? one : best));
  }

  /** The model that its answer is of; null where it is of none. */
  private get model(): Model | null {
    return (this.demo?.reads && this.on.model) ?? null;
  }

  private get shownValues(): Values {
    return Object.fromEntries(Object.keys(this.values).map((key) => [key, this.fit(key)]));
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
  if (field.control === "text") return [String(value)];
  if (field.control === "choice") {
    const named = field.named(value as never);
    return [named === null ? String(value) : message(named)];
  }
  if (field.control === "some") return [];
  return [`${message(field.label)} ${formatNumber(Number(value) + field.from, 2)}`];
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-demo": HeadscopeDemo;
  }
}
