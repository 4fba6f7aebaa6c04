import { adoptStyles, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Memo, Player } from "../../elements/shared/controllers.js";
import { theLab, type Lab, type Model } from "../../headscope.js";
import { formatNumber, language, message } from "../../i18n/index.js";
import { PagePart } from "../../ui/page-part.js";
import { crashedWords, renderFailed } from "../bench/failures.js";
import { Fields, formStyles, type Control } from "../bench/form.js";
import "../bench/save-figure.js";
import { isCrash, isExpected } from "../run/failures.js";
import type { Demo, DemoName, Fitted, Found, OnPage, Progress, View } from "./demo.js";
import {
  nearest,
  optionName,
  type Field,
  type NumberField,
  type Range,
  type Value,
  type Values,
} from "./fields.js";
import type { Pointed } from "./figures.js";
import { Settings } from "./settings.js";
import { Asked, isSame, Study } from "./study.js";

const LAB: Pick<Lab, "ask"> = { ask: async (...asked) => (await theLab()).ask(...asked) };

/** Work that stays, by its model and what it is asked by. */
const studies = new WeakMap<Model, Map<string, Study<unknown>>>();

/** The time between two steps of a number that plays. */
const PAUSE_MS = 250;

/** Draws a demo: its form, what is asked and found, and each figure with its files, link and embed code. */
@customElement("headscope-demo")
export class HeadscopeDemo extends PagePart {
  static override styles = [
    formStyles,
    css`
      .formula,
      .controls,
      .work,
      .toggles {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px 20px;
        margin-bottom: 12px;
      }
      .formula {
        overflow-x: auto;
        font-size: 16px;
      }
      :is(.paper, p.note) {
        max-width: 80ch;
      }
      :is(.paper, p.note, section > p) {
        margin: 4px 0 12px;
      }
      textarea {
        min-height: 88px;
        resize: vertical;
      }
      .verdict {
        margin: 12px 0;
        font: 400 16px/1.5 var(--headscope-font-text);
      }
      .columns {
        --_least: 440px;
      }
      * + h3 {
        margin-top: 24px;
      }
      .line-field {
        width: min(100%, 560px);
        white-space: nowrap;
      }
      .line-field input {
        flex: 1 1 auto;
        min-width: 0;
      }
      .scroll {
        max-height: 260px;
      }
      .scroll :is(b, .right) {
        color: var(--_ink);
        font-weight: 600;
      }
      :is(.chosen > *, .scroll .right) {
        color: var(--_accent);
      }
      .heads {
        --_least: 270px;
        gap: 2px 24px;
        margin: 6px 0;
      }
      .heads button {
        display: grid;
        grid-template-columns: minmax(9em, max-content) 1fr max-content;
        gap: 12px;
        align-items: center;
        width: 100%;
        text-align: left;
      }
      #go {
        color: var(--_accent);
      }
      .press {
        padding: 4px 12px;
        border: 1px solid var(--_line);
        border-radius: 5px;
        color: inherit;
      }
    `,
  ];

  /** The same for as long as the element lives. */
  @property({ attribute: false }) demo: Demo | null = null;
  @property({ attribute: false }) on: OnPage = {};
  @property({ reflect: true }) name = "";

  @state() private pointed: Pointed = {
    cell: null,
    held: null,
    region: null,
    at: null,
    put: (change) => (this.pointed = { ...this.pointed, ...change }),
  };
  private readonly controls = new Fields(this);
  private settings: Settings<DemoName, Values> | null = null;
  private readonly asked = new Asked<Found>(this);
  private readonly drawn = new Memo<ReturnType<Demo["views"]>>();
  private readonly player = new Player(this, () => this.advance(), PAUSE_MS);
  /** What the page leaves of the fields, and the values that come of it. */
  private fitted: Readonly<Record<string, Fitted>> = {};
  private isFitted = false;
  private values: Values = {};
  private subject: object | string | null = null;
  private study = new Study<unknown>(() => this.requestUpdate());
  /** The inputs of the study, and the subject of its last run. */
  private about: readonly unknown[] | null = null;
  private begun: object | null = null;
  /** Whether the page cannot say whether the study is still about it. */
  private unsure = false;

  override connectedCallback(): void {
    if (this.demo && !this.settings) {
      const { name } = this.demo;
      this.name = name;
      this.settings = new Settings<DemoName, Values>(this, name, () =>
        this.isFitted ? this.values : null,
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
    const { demo: shown, settings, on } = this;
    if (!shown || !settings) return;
    const set = settings.values;
    const answer = shown.work ? this.study.answer : this.asked.answer?.answer;
    const fitted = shown.fit ? shown.fit(on, set, answer ?? null) : {};
    this.isFitted = Boolean(fitted);
    if (fitted) this.fitted = fitted;
    this.values = Object.fromEntries(
      Object.entries(set).map(([key, value]) => [key, fitTo(value, this.fitted[key])]),
    );
    const { values } = this;
    const asking = Object.entries(shown.fields)
      .filter(([, { inView = false, asks = !inView }]) => asks)
      .map(([key]) => values[key]);
    const isAbsent = (shown.absent?.(on) ?? null) !== null;
    this.subject = isAbsent ? null : shown.reads ? shown.reads(on, values) : {};
    if (shown.work) this.follow(shown.work, asking);
    else this.ask(shown, asking);
  }

  private ask(shown: Demo, asking: readonly unknown[]): void {
    const { subject, values } = this;
    if (subject === null || typeof subject === "string") this.asked.clear();
    else if (!shown.waits || !this.on.growing)
      this.asked.ask([...inputsOf(subject), ...asking], async (signal) => ({
        answer: await shown.ask?.(values, { lab: LAB, signal }, subject),
        values,
        subject,
        model: this.model,
      }));
  }

  /** Work with other inputs begins anew, and work on another run is stopped. */
  private follow(work: NonNullable<Demo["work"]>, asking: readonly unknown[]): void {
    const { subject, on, begun } = this;
    const read = subject !== null && typeof subject === "object" ? inputsOf(subject) : null;
    const about = work.about ? work.about(on, this.values) : read && [...read, ...asking];
    if (begun && read && !isSame(read, inputsOf(begun))) this.study.stop();
    this.unsure = about === null;
    if (!about || isSame(about, this.about)) return;
    this.study.stop();
    this.about = about;
    this.begun = null;
    const model = work.isKept ? on.model : null;
    const known = (model && studies.get(model)) ?? new Map<string, Study<unknown>>();
    if (model) studies.set(model, known);
    this.study = known.get(asking.join()) ?? new Study<unknown>(() => undefined);
    this.study.changed = () => this.requestUpdate();
    known.set(asking.join(), this.study);
  }

  override render(): TemplateResult | typeof nothing {
    const { demo: shown } = this;
    if (!shown) return nothing;
    const { title, formula, paper, intro } = shown;
    return html`${title ? html`<h3>${message(title)}</h3>` : nothing}
      ${formula ? html`<div class="formula">${typeof formula === "function" ? formula() : formula}</div>` : nothing}
      ${paper ? html`<p class="small muted paper">${message(paper)}</p>` : nothing}
      ${intro ? html`<p class="small muted note">${typeof intro === "function" ? intro(this.on, this.values) : message(intro)}</p>` : nothing}
      ${this.renderBody(shown)}`;
  }

  private renderBody(shown: Demo): TemplateResult {
    const absent = shown.absent?.(this.on) ?? null;
    if (absent !== null) return html`<p class="note">${absent}</p>`;
    const { playing, isStill } = this.player;
    const keys = Object.keys(shown.fields).filter((key) => !shown.fields[key]?.inView);
    const play =
      shown.plays === undefined || isStill
        ? nothing
        : html`<button class="press" id="play" @click=${() => this.player.toggle()}>${message(playing ? "rotaryLab.stop" : "rotaryLab.play")}</button>`;
    return html`${keys.length === 0 ? nothing : html`<div class="controls">${keys.map((key) => this.renderField(key))} ${play}</div>${this.controls.troubles()}`}
      ${shown.work ? this.renderWork(shown, shown.work) : this.renderAsked(shown)}`;
  }

  private renderField(key: string): TemplateResult | typeof nothing {
    const field = this.demo?.fields[key];
    const { hidden = false, placeholder, options, off = [] } = this.fitted[key] ?? {};
    if (!field || hidden) return nothing;
    const label = field.label ? message(field.label) : "";
    const value = this.values[key] ?? field.opens;
    const put = (next: Value): void => this.settings?.set(key, next);
    const render = (control: Control): TemplateResult => this.controls.render(control);
    if (field.control === "flag")
      return render({ control: "flag", id: key, label, on: value === true, put });
    if (field.control === "text") {
      const control = field.long ? "lines" : "line";
      const hint = placeholder === undefined ? {} : { placeholder };
      return render({ control, id: key, label, text: String(value), ...hint, take: put });
    }
    if (field.control === "some") {
      const chosen = Array.isArray(value) ? value.map(String) : [];
      const toggled = (option: string): string[] =>
        chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option];
      const toggle = (option: string): TemplateResult =>
        render({
          control: "toggle",
          id: option,
          label: named(field, option),
          on: chosen.includes(option),
          off: off.includes(option),
          press: () => put(toggled(option)),
        });
      return html`<div class="toggles" id=${key} role="group" aria-label=${label}>${field.options.map(toggle)}</div>`;
    }
    if (field.control === "number" && !field.list)
      return render(this.slider(key, field, label, Number(value), put));
    const choices =
      options ??
      (field.control === "choice"
        ? field.options.map((option) => ({ value: option, label: named(field, option) }))
        : []);
    if (choices.length === 0) return nothing;
    return render({
      control: field.list ? "list" : "segments",
      id: key,
      label,
      ...(field.list && { caption: label }),
      value: String(value),
      options: choices.map((one) => ({ ...one, value: String(one.value) })),
      choose: (text) => {
        const one = choices.find((choice) => String(choice.value) === text);
        if (one) put(one.value);
      },
    });
  }

  private slider(
    key: string,
    field: NumberField,
    label: string,
    value: number,
    put: (value: number) => void,
  ): Control {
    const { values } = this;
    const { least, most, step: by = 1, even = false, from = 0, words, within } = field;
    const others = within?.((other) => Number(values[other]), { numbers: null }) ?? {};
    const bounds: readonly Range[] = [field, others, this.fitted[key]?.within ?? {}];
    return {
      control: "slider",
      id: key,
      label,
      value: value + from,
      least: from + Math.max(...bounds.map((one) => one.least ?? least)),
      most: from + Math.min(...bounds.map((one) => one.most ?? most)),
      by,
      whole: by > 0,
      even,
      logarithmic: by === 0,
      ...(words && { words }),
      refuse: (typed) => this.demo?.refuse?.(key, typed, values) ?? null,
      take: (next) => put(next - from),
    };
  }

  private renderAsked(shown: Demo): TemplateResult | typeof nothing {
    const { answer: found, failure, stale } = this.asked;
    if (failure !== null) {
      // What is expected to fail of a model, the page says elsewhere.
      if (shown.reads && isExpected(failure) && !isCrash(failure)) return nothing;
      return html`<p class="muted" role="status">${this.failed(shown, failure)}</p>`;
    }
    if (found?.model !== this.model) return this.renderMissing(shown);
    const isStale = stale || (shown.waits === true && this.on.growing === true);
    return this.renderFound(shown, found, {
      stale: shown.reads !== undefined && isStale,
      working: false,
      done: 0,
    });
  }

  private renderMissing(shown: Demo): TemplateResult | typeof nothing {
    const { subject } = this;
    if (!shown.reads) return nothing;
    return html`<p class="muted">${typeof subject === "string" ? subject : message("lab.waiting")}</p>`;
  }

  private failed({ failed }: Demo, failure: unknown): TemplateResult {
    const sentence =
      typeof failed === "function" ? failed(failure, this.values) : failed && message(failed);
    return renderFailed(failure, sentence);
  }

  private renderWork(
    shown: Demo,
    work: NonNullable<Demo["work"]>,
  ): TemplateResult | typeof nothing {
    const { study, values, subject, begun } = this;
    if (typeof subject === "string") return this.renderMissing(shown);
    const of = subject ?? begun;
    if (!of) return this.renderMissing(shown);
    const { failure, answer, working, done } = study;
    const words = isCrash(failure)
      ? renderFailed(failure, crashedWords(failure, study.begun))
      : failure !== null && this.failed(shown, failure);
    const found = { answer, values, subject: begun ?? of, model: this.model };
    return html`${this.renderProgress(work, of)}
      <div role="status">${words ? html`<p class="small">${words}</p>` : nothing}</div>
      ${answer === null ? nothing : this.renderFound(shown, found, { stale: this.unsure, working, done })}`;
  }

  /** One button begins it and stops it, so that the focus stays. */
  private renderProgress(work: NonNullable<Demo["work"]>, subject: object): TemplateResult {
    const { study, begun, values } = this;
    const { words } = work;
    const names = work.names?.(values, subject) ?? null;
    const missing = names?.filter((name) => !study.has(name)) ?? [];
    const finished = names ? missing.length === 0 : study.finished;
    const all = work.all?.(values, subject) ?? 0;
    const { done, working } = study;
    if (finished && !names)
      return html`<p class="work small muted">${message("pruning.finished", { count: all })}</p>`;
    const isPart = study.begun && !finished;
    // A lost run answers nothing until another replaces it.
    const { run = null } = (begun ?? {}) as { run?: unknown };
    const lost = isCrash(study.failure) && run !== null && run === this.on.run;
    const go = (): void => {
      if (finished) study.forget();
      this.begun = subject;
      void study.go((one) => work.run(values, subject, one));
    };
    const count = isPart ? missing.length : (names?.length ?? 0);
    const progress = html`<progress max=${all} .value=${done} aria-label=${message(`${words}.progress`)}></progress>
      <span class="small">${message(`${words}.done`, { done, all })}</span>`;
    return html`<div class="work">
      <button id=${working ? "stop" : "go"} ?disabled=${!working && (lost || this.unsure || names?.length === 0)} @click=${working ? () => study.stop() : go}>${working ? message(`${words}.stop`) : message(`${words}.${isPart ? "goOn" : "go"}`, { count })}</button>
      ${(working || isPart) && all > 0 ? progress : nothing}
    </div>`;
  }

  private renderFound(shown: Demo, found: Found, progress: Progress): TemplateResult {
    // What only the views depend on is as it is now.
    const values: Values = Object.fromEntries(
      Object.entries(shown.fields).map(([key, { opens, inView = false, asks = !inView }]) => [
        key,
        (asks ? found.values : this.values)[key] ?? opens,
      ]),
    );
    const { answer, subject } = found;
    const { working, done, stale } = progress;
    const inputs = [answer, subject, language(), working, done, ...Object.values(values)];
    const views = this.drawn.get(inputs, () => shown.views(answer, values, subject, progress));
    const around = { pointed: this.pointed, subject, ...progress };
    return html`${shown.summary?.(answer, values, around) ?? nothing}
      <div class="pictures columns">
        ${views.map((column) => html`<section>${[column].flat().map((view) => this.renderView(shown, view, values, stale))}</section>`)}
      </div>
      ${shown.foot?.(answer, values, around) ?? nothing}`;
  }

  private renderView(shown: Demo, view: View, values: Values, stale: boolean): TemplateResult {
    const { title, heading = title ?? "", notes = [], field, name, csv = null, foot } = view;
    const { file = {} } = shown;
    const details = (view.details ?? file.details ?? []).flatMap((key) =>
      detailOf(shown.fields[key], values[key]),
    );
    const figure = view.figure(this.pointed);
    const named = [file.name, name, file.suffix?.(values)].filter(Boolean).join(" ");
    const of = view.of ?? (shown.reads ? "model" : "lab");
    return html`${title === undefined ? nothing : html`<h3>${title}</h3>`}
      ${field === undefined ? nothing : this.renderField(field)}
      ${notes.map((note) => html`<p class="small muted">${note}</p>`)}
      ${
        name === undefined
          ? figure
          : html`<headscope-save-figure name=${named} .heading=${heading} .details=${[...details, ...(view.lines ?? [])]} .of=${of} .table=${csv} .stale=${stale}>${figure}</headscope-save-figure>`
      }
      ${foot ?? nothing}`;
  }

  /** The model that its answer depends on; null without one. */
  private get model(): Model | null {
    return (this.demo?.reads && this.on.model) ?? null;
  }

  /** The number that plays is one larger, or begins anew. */
  private advance(): boolean {
    const key = this.demo?.plays ?? "";
    const field = this.demo?.fields[key];
    if (field?.control !== "number") return false;
    const value = Number(this.settings?.values[key]);
    this.settings?.set(key, value < field.most ? value + 1 : field.least);
    return true;
  }
}

function inputsOf(subject: object): unknown[] {
  return Object.values<unknown>({ ...subject });
}

function named(field: Field, option: string | number): string {
  const name = "options" in field ? optionName(field, option) : null;
  return name === null ? String(option) : message(name);
}

/** A value as near as the page leaves it. */
function fitTo(value: Value, { within = {}, options }: Fitted = {}): Value {
  if (!options || options.some((one) => one.value === value))
    return typeof value === "number" ? nearest(value, within) : value;
  const [first] = options;
  const numbers = options.flatMap((one) => (typeof one.value === "number" ? [one.value] : []));
  if (typeof value !== "number" || numbers.length === 0) return first?.value ?? value;
  const distance = (one: number): number => Math.abs(one - value);
  return numbers.reduce((best, one) => (distance(one) < distance(best) ? one : best));
}

/** A field in words, as a saved picture names it; a flag only while it is set. */
function detailOf(field: Field | undefined, value: Value | undefined): string[] {
  if (!field?.label || value === undefined || value === false || field.control === "some")
    return [];
  const label = message(field.label);
  switch (field.control) {
    case "flag":
      return [label];
    case "text":
      return [String(value)];
    case "choice":
      return [named(field, String(value))];
    case "number":
      return [`${label} ${formatNumber(Number(value) + (field.from ?? 0), 2)}`];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-demo": HeadscopeDemo;
  }
}
