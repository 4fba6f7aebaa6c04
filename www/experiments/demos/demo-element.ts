import { adoptStyles, html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Memo, Player } from "../../elements/shared/controllers.js";
import type { Model, Run } from "../../headscope.js";
import { formatNumber, language, message } from "../../i18n/index.js";
import { equals } from "../../signals.js";
import {
  crashedWords,
  renderFailed,
  bare,
  Fields,
  formStyles,
  oneOf,
  type Control,
} from "../../kit/form.js";
import type { Answered } from "../calculator/arithmetic.js";
import "../../kit/save-figure.js";
import { isCrash } from "../../session/run/failures.js";
import { SessionPart } from "../../session/session.js";
import type { Around, Demo, Fitted, OnPage, Pointed, View } from "./demo.js";
import { nearest, type Field, type Range, type Value, type Values } from "../../kit/fields.js";
import { Settings } from "../../kit/settings.js";
import { FORMULAS } from "./formulas.js";
import { Study, type Asking } from "../../kit/study.js";
import styles from "./demo-element.css?inline";

/** An answer, and what it is the answer to. */
interface Found {
  answer: unknown;
  values: Values;
  subject: object;
  model: Model | null;
}

type Work = NonNullable<Demo["work"]>;

/** MathML by the names of demos, with a message between braces. */

/** Work that stays, by its model and what it is asked by. */
const studies = new WeakMap<Model, Map<string, Study<Found>>>();

/**
 * Draws a demo: its form, what is asked and found, and each figure with its files, link and embed
 * code.
 */
@customElement("headscope-demo")
export class HeadscopeDemo extends SessionPart {
  static override styles = [formStyles, unsafeCSS(styles)];

  /** The same for as long as the element lives. */
  @property({ attribute: false }) demo: Demo | null = null;
  /** What a demo of the calculator reads in place of the page. */
  @property({ attribute: false }) calculator: Answered | null = null;
  @property({ reflect: true }) name = "";

  @state() private pointed: Pointed = {
    cell: null,
    at: null,
    put: (change) => (this.pointed = { ...this.pointed, ...change }),
  };
  private readonly change: Around["update"] = (change) => this.session.update(change);
  private readonly controls = new Fields(this);
  private settings: Settings<Demo["fields"]> | null = null;
  private readonly drawn = new Memo<ReturnType<Demo["views"]>>();
  /** A number that plays goes on every 250 ms. */
  private readonly player = new Player(this, () => this.advance(), 250);
  /** What the page leaves of the fields, and the values that come of it. */
  private fitted: Readonly<Record<string, Fitted>> = {};
  private isFitted = false;
  private values: Values = {};
  private subject: object | string | null = null;
  private study = new Study<Found>(this);
  /** The inputs of the work, and the subject of its last run. */
  private about: readonly unknown[] | null = null;
  private begun: object | null = null;
  /** Whether it is unknown whether the work is still about the page. */
  private unsure = false;

  override connectedCallback(): void {
    if (this.demo && !this.settings) {
      const { name, fields } = this.demo;
      this.name = name;
      const fitted = (): Values | null => (this.isFitted ? this.values : null);
      this.settings = new Settings(this, name, fields, fitted);
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
    const fitted = shown.fit ? shown.fit(on, set, this.study.answer?.answer ?? null) : {};
    this.isFitted = Boolean(fitted);
    if (fitted) this.fitted = fitted;
    const near = Object.entries(set).map(([key, value]) => [key, fitTo(value, this.fitted[key])]);
    const values = (this.values = Object.fromEntries(near) as Values);
    const fields = Object.entries(shown.fields);
    const asking = fields.flatMap(([key, { asks = true }]) => (asks ? [values[key]] : []));
    const subject = shown.absent?.(on) ? null : shown.reads ? shown.reads(on, values) : {};
    this.subject = subject;
    if (shown.work) this.follow(shown.work, asking);
    else if (subject === null || typeof subject === "string") this.study.forget();
    else if (!shown.waits || !on.growing)
      this.study.ask([...inputsOf(subject), ...asking], this.question(shown, subject));
  }

  /** The demo's question, whose answers are kept with what they are the answers to. */
  private question(shown: Demo, subject: object): (asking: Asking<Found>) => Promise<Found> {
    const { values, model } = this;
    const found = (answer: unknown): Found => ({ answer, values, subject, model });
    return async ({ show, ...asking }) => {
      const showFound: Asking["show"] = (answer, done) =>
        show(answer === null ? null : found(answer), done);
      return found(await shown.ask(values, { ...asking, show: showFound }, subject));
    };
  }

  /** Work with other inputs begins anew, and work on another run is stopped. */
  private follow(work: Work, asking: readonly unknown[]): void {
    const { subject, on, begun } = this;
    const read = typeof subject === "object" ? subject : null;
    const text = read && textOf(read, on);
    const about = text && [...text, ...asking];
    if (begun && read && !equals(read, begun)) this.study.stop();
    this.unsure = about === null;
    if (!about || equals(about, this.about)) return;
    this.study.stop();
    this.about = about;
    this.begun = null;
    const model = work.isKept ? on.model : null;
    const known = (model && studies.get(model)) ?? new Map<string, Study<Found>>();
    if (model) studies.set(model, known);
    this.study = known.get(asking.join()) ?? new Study<Found>();
    this.study.host = this;
    known.set(asking.join(), this.study);
  }

  override render(): TemplateResult | typeof nothing {
    const { demo: shown, on } = this;
    if (!shown) return nothing;
    const { name, title, paper, intro } = shown;
    const formula = FORMULAS[name];
    const absent = shown.absent?.(on) ?? null;
    return html`${title ? html`<h3>${message(title)}</h3>` : nothing}
    ${formula ? html`<div class="formula inline">${formula()}</div>` : nothing}
    ${paper ? html`<p class="small muted paper">${message(paper)}</p>` : nothing}
    ${
      intro
        ? html`<p class="small muted note">
            ${typeof intro === "function" ? intro(on, this.values, this.change) : message(intro)}
          </p>`
        : nothing
    }
    ${
      absent === null
        ? html`${this.renderForm(shown)} ${this.renderFound(shown)}`
        : html`<p class="note">${absent}</p>`
    }`;
  }

  private renderForm({ fields, plays }: Demo): TemplateResult | typeof nothing {
    const keys = Object.keys(fields).filter((key) => !fields[key]?.inView);
    const { playing, isStill } = this.player;
    const play = html`<button class="boxed" id="play" @click=${() => this.player.toggle()}>
      ${message(playing ? "rotaryDemo.stop" : "rotaryDemo.play")}
    </button>`;
    return keys.length === 0
      ? nothing
      : html`<div class="controls inline">
            ${keys.map((key) => this.renderField(key))}
            ${plays === undefined || isStill ? nothing : play}
          </div>
          ${this.controls.troubles()}`;
  }

  private renderField(id: string): unknown {
    const field = this.demo?.fields[id];
    const fitted = this.fitted[id] ?? {};
    const { within = {}, options, placeholder = "", hidden = false, off = [] } = fitted;
    if (!field?.label || hidden) return nothing;
    const label = message(field.label);
    const value = this.values[id] ?? field.opens;
    const put = (next: Value): void => this.settings?.set(id, next);
    const render = (control: Control): TemplateResult => this.controls.render(control);
    if (field.control === "flag") {
      const on = value === true;
      return render({ control: "toggle", id, label, on, press: () => put(!on) });
    }
    if (field.control === "some") {
      const chosen = typeof value === "object" ? value : [];
      const toggles = field.options.map((one) => {
        const on = chosen.includes(one);
        const next = on ? chosen.filter((other) => other !== one) : [...chosen, one];
        const shown = { id: one, label: nameOf(field, one), on, off: off.includes(one) };
        return render({ control: "toggle", ...shown, press: () => put(next) });
      });
      return html`<div id=${id} class="toggles inline" role="group" aria-label=${label}>
        ${toggles}
      </div>`;
    }
    if (field.control === "text") {
      const control = field.long ? "lines" : "line";
      return render({ control, id, label, text: String(value), placeholder, take: put });
    }
    if (field.control === "number" && !field.list) {
      const { from = 0 } = field;
      const others = field.within?.((key) => Number(this.values[key]), { numbers: null }) ?? {};
      const bounds: readonly Range[] = [field, others, within];
      return render({
        ...field,
        control: "slider",
        id,
        label,
        value: Number(value) + from,
        least: from + Math.max(...bounds.map(({ least = field.least }) => least)),
        most: from + Math.min(...bounds.map(({ most = field.most }) => most)),
        refuse: (typed) => this.demo?.refuse?.(id, typed, this.values) ?? null,
        take: (next) => put(next - from),
      });
    }
    const own = field.control === "choice" ? field.options : [];
    const known = options ?? own.map((one) => ({ value: one, label: nameOf(field, one) }));
    if (known.length === 0) return nothing;
    const names = new Map(known.map((one) => [one.value, one.label]));
    const nameAt = (one: string | number): string => names.get(one) ?? "";
    const look = field.list ? "list" : "segments";
    const choose = oneOf(look, field.label, [...names.keys()], String(value), put, nameAt);
    return render({ ...(field.list ? choose : bare(choose)), id });
  }

  private renderFound(shown: Demo): TemplateResult | typeof nothing {
    const { study, subject, begun, on, unsure } = this;
    const { answer: found, failure, working, done } = study;
    const missing = html`<p class="muted">
      ${typeof subject === "string" ? subject : message("demo.waiting")}
    </p>`;
    if (!shown.work) {
      if (failure !== null)
        return html`<p class="muted" role="status">${this.failed(shown, failure)}</p>`;
      if (found?.model !== this.model) return shown.reads ? missing : nothing;
      const isStale = study.stale || (shown.waits === true && on.growing === true);
      const stale = shown.reads !== undefined && isStale;
      return this.renderAnswer(shown, found, { stale, working: false, done: 0 });
    }
    const of = typeof subject === "string" ? null : (subject ?? begun);
    if (!of) return missing;
    const words = isCrash(failure)
      ? renderFailed(failure, crashedWords(failure, found !== null))
      : failure !== null && this.failed(shown, failure);
    return html`${this.renderProgress(shown, shown.work, of)}
      <div role="status">${words ? html`<p class="small">${words}</p>` : nothing}</div>
      ${found ? this.renderAnswer(shown, found, { stale: unsure, working, done }) : nothing}`;
  }

  private failed({ failed: of }: Demo, failure: unknown): TemplateResult {
    const sentence = typeof of === "function" ? of(failure, this.values) : of && message(of);
    return renderFailed(failure, sentence);
  }

  /** One button begins it and stops it, so that the focus stays. */
  private renderProgress(shown: Demo, work: Work, subject: object): TemplateResult {
    const { study, begun, values, unsure } = this;
    const { done, working } = study;
    const names = work.names?.(values, subject) ?? null;
    const missing = names?.filter((name) => !study.has(name)) ?? [];
    const finished = names ? missing.length === 0 : study.finished;
    const all = work.all?.(values, subject) ?? names?.length ?? 0;
    if (finished && !names)
      return html`<p class="work inline small muted">
        ${message("pruning.finished", { count: all })}
      </p>`;
    const isPart = study.answer !== null && !finished;
    // A lost run answers nothing until another replaces it.
    const { run = null } = (begun ?? {}) as { run?: unknown };
    const lost = isCrash(study.failure) && run !== null && run === this.on.run;
    const go = (): void => {
      if (finished) study.forget();
      this.begun = subject;
      void study.go(this.question(shown, subject));
    };
    const say = (key: "stop" | "goOn" | "go" | "progress" | "done", numbers = {}): string =>
      message(`${work.words}.${key}`, numbers);
    const count = isPart ? missing.length : (names?.length ?? 0);
    const progress = html`<progress
        max=${all}
        .value=${done}
        aria-label=${say("progress")}
      ></progress>
      <span class="small">${say("done", { done, all })}</span>`;
    return html`<div class="work inline">
      <button
        id=${working ? "stop" : "go"}
        class="act"
        ?disabled=${!working && (lost || unsure || names?.length === 0)}
        @click=${working ? () => study.stop() : go}
      >
        ${working ? say("stop") : say(isPart ? "goOn" : "go", { count })}
      </button>
      ${(working || isPart) && all > 1 ? progress : nothing}
    </div>`;
  }

  private renderAnswer(
    shown: Demo,
    found: Found,
    progress: Omit<Around, "update">,
  ): TemplateResult {
    const { answer, subject } = found;
    // What only the views depend on is as it is now.
    const fields = Object.entries(shown.fields).map(([key, { asks = true, opens }]) => {
      return [key, (asks ? found.values : this.values)[key] ?? opens];
    });
    const values = Object.fromEntries(fields) as Values;
    const { working, done, stale } = progress;
    const inputs = [answer, subject, language(), working, done, ...Object.values(values)];
    const around = { ...progress, update: this.change };
    const views = this.drawn.get(inputs, () => shown.views(answer, values, subject, around));
    const pointed = { ...around, pointed: this.pointed };
    return html`${shown.summary?.(answer, values, subject, pointed) ?? nothing}
      <div class="pictures columns">
        ${views.map(
          (column) =>
            html`<section>
              ${[column].flat().map((view) => this.renderView(shown, view, values, stale))}
            </section>`,
        )}
      </div>`;
  }

  private renderView(shown: Demo, view: View, values: Values, stale: boolean): TemplateResult {
    const { title, notes = [], field, name, csv = null, lines = [] } = view;
    const own = shown.title ?? shown.listed?.title;
    const heading = view.heading ?? title ?? (own ? message(own) : "");
    const { name: whole, suffix, details: all = [] } = shown.file ?? {};
    const details = (view.details ?? all).flatMap((key) =>
      detailOf(shown.fields[key], values[key]),
    );
    const written = [...details, ...lines];
    const figure = typeof view.figure === "function" ? view.figure(this.pointed) : view.figure;
    const named = [whole, name, suffix?.(values)].filter(Boolean).join(" ");
    const of = view.of ?? (shown.reads ? "model" : "none");
    return html`${title === undefined ? nothing : html`<h3>${title}</h3>`}
    ${field === undefined ? nothing : this.renderField(field)}
    ${notes.map((note) => html`<p class="small muted">${note}</p>`)}
    ${
      name === undefined
        ? figure
        : html`<headscope-save-figure
            name=${named}
            .heading=${heading}
            .details=${written}
            .of=${of}
            .table=${csv}
            .stale=${stale}
            >${figure}</headscope-save-figure
          >`
    }
    ${view.foot ?? nothing}`;
  }

  private get on(): OnPage {
    const { calculator, session } = this;
    return calculator ? { calculator } : session.onPage;
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

/**
 * What work depends on: of a run its text alone, whichever run of it is on the page; null while
 * that is being generated.
 */
function textOf(subject: object, { growing }: OnPage): unknown[] | null {
  const { run, ...others } = { ...subject, revision: null } as { run?: Run; revision: null };
  if (!run) return inputsOf(others);
  const texts = [run.tokens, run.targetTokens].map((text) => text.map(({ id }) => id).join());
  return growing ? null : [...inputsOf(others), ...texts];
}

function nameOf(field: Field, option: string | number): string {
  const name = "names" in field ? field.names[option] : undefined;
  return name === undefined ? String(option) : message(name);
}

/** A value as near as the page leaves it. */
function fitTo(value: Value, { within = {}, options }: Fitted = {}): Value {
  if (!options || options.some((one) => one.value === value))
    return typeof value === "number" ? nearest(value, within) : value;
  const numbers = options.map((one) => one.value).filter((one) => typeof one === "number");
  if (typeof value !== "number" || numbers.length === 0) return options[0]?.value ?? value;
  const distance = (one: number): number => Math.abs(one - value);
  return numbers.reduce((best, one) => (distance(one) < distance(best) ? one : best));
}

/** A field in words, as a saved picture names it; a flag only while it is set. */
function detailOf(field: Field | undefined, value: Value | undefined): string[] {
  if (!field?.label || value === undefined || value === false || field.control === "some")
    return [];
  const label = message(field.label);
  if (field.control === "flag") return [label];
  if (field.control !== "number") return [nameOf(field, String(value))];
  return [`${label} ${formatNumber(Number(value) + (field.from ?? 0), 2)}`];
}
