/** The element that draws a demo: its text, its form, its button, and its answer. */
import { adoptStyles, html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Memo } from "../../elements/shared/controllers.js";
import { Player } from "../../elements/shared/player.js";
import type { Model } from "../../headscope.js";
import { language, message } from "../../i18n/index.js";
import type { Values } from "../../kit/fields.js";
import { crashedWords, formStyles, renderFailed } from "../../kit/form.js";
import "../../kit/save-figure.js";
import { isCrash } from "../../session/run/failures.js";
import { GUIDES } from "../../session/guides.js";
import { SessionPart } from "../../session/session.js";
import type { Answered } from "../calculator/arithmetic.js";
import type { PatchTask } from "../patching/text-pair.js";
import { DemoForm, detailOf } from "./demo-form.js";
import { type Found, Inquiry } from "./demo-inquiry.js";
import type { Around, Demo, OnPage, Pointed, View } from "./demo.js";
import { FORMULAS } from "./formulas.js";
import styles from "./demo-element.css?inline";

type Work = NonNullable<Demo["work"]>;

/** The events by which a user may scroll. */
const SCROLLING = ["wheel", "touchmove", "keydown"] as const;
const HEARD_ONCE = { once: true, passive: true } as const;

/** The time between two steps of a playing number. */
const PLAY_MILLIS = 250;

/**
 * Draws a demo: its form, its question and answer, and each figure with its files, link and embed
 * code.
 */
@customElement("headscope-demo")
export class HeadscopeDemo extends SessionPart {
  static override styles = [formStyles, unsafeCSS(styles)];

  /** The demo, the same for as long as the element lives. */
  @property({ attribute: false }) demo: Demo | null = null;
  /** The calculator's answer, which a demo of the calculator reads in place of the page. */
  @property({ attribute: false }) calculator: Answered | null = null;
  /** The texts of a grid of patches, which a demo of patches reads beside the page. */
  @property({ attribute: false }) patches: PatchTask | null = null;
  @property({ reflect: true }) name = "";

  @state() private pointed: Pointed = {
    cell: null,
    at: null,
    put: (change) => (this.pointed = { ...this.pointed, ...change }),
  };
  /** Changes the State; the demo stays in its place. */
  private readonly change: Around["update"] = (change) => {
    this.keptTop = this.getBoundingClientRect().top;
    for (const type of SCROLLING) window.addEventListener(type, this.letGo, HEARD_ONCE);
    this.session.update(change);
    this.requestUpdate();
  };
  /** Where the demo lay before its last change, until all that the change causes is drawn. */
  private keptTop: number | null = null;
  private readonly letGo = (): void => {
    this.keptTop = null;
  };
  private readonly drawn = new Memo<ReturnType<Demo["views"]>>();
  private readonly player = new Player(this, () => this.advance(), PLAY_MILLIS);
  /** Whether there was an answer at the last update. */
  private hadAnswer = false;
  /** The form and the inquiry of the demo, once it is known. */
  private parts: { form: DemoForm; inquiry: Inquiry } | null = null;

  override connectedCallback(): void {
    if (this.demo && !this.parts) {
      this.name = this.demo.name;
      this.parts = {
        form: new DemoForm(this, this.demo),
        inquiry: new Inquiry(this, this.demo),
      };
    }
    super.connectedCallback();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.parts?.inquiry.study.stop();
    for (const type of SCROLLING) window.removeEventListener(type, this.letGo);
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    const { styles } = this.demo ?? {};
    if (styles && root instanceof ShadowRoot)
      adoptStyles(root, [...HeadscopeDemo.elementStyles, styles]);
    return root;
  }

  protected override willUpdate(): void {
    const { parts, on, model } = this;
    if (!parts) return;
    const { form, inquiry } = parts;
    form.fit(on, inquiry.study.answer?.answer ?? null);
    const { values, asking } = form;
    inquiry.follow({ on, values, asking, model });
    if (this.isAwaited(inquiry) && inquiry.subject !== null && typeof inquiry.subject === "object")
      inquiry.begin(inquiry.subject);
  }

  /** Whether a question of the help dialog waits for long work that was not started yet. */
  private isAwaited({ study, begun, isUnsure }: Inquiry): boolean {
    const { tour } = this.session.state;
    if (tour === null || GUIDES[tour].starts !== this.demo?.name) return false;
    return begun === null && !isUnsure && !study.working && study.answer === null;
  }

  protected override updated(): void {
    const { demo, parts, session, model } = this;
    this.showFirst(parts);
    this.keepPlace(parts);
    const { tour, lesson } = session.state;
    if (!demo?.brief || !parts || (tour ?? lesson) === null) return;
    // A task of a lesson is marked by what is there: not by the answer about an earlier run.
    if (lesson !== null && !session.settled) return;
    const { answer: found, stale } = parts.inquiry.study;
    if (found === null || stale || found.model !== model) return;
    const values = parts.form.shownWith(found.values);
    session.putDemoAnswer(demo.name, demo.brief(found.answer, values, found.subject));
  }

  /**
   * Scrolls to the first answer of work, where the window does not show it. Of work that a question
   * began, the card has the answer: it stays in view, above the figure or on a phone below it.
   */
  private showFirst(parts: HeadscopeDemo["parts"]): void {
    const { working = false, answer = null } = parts?.inquiry.study ?? {};
    const { page, state } = this.session;
    const isFirst = working && answer !== null && !this.hadAnswer;
    this.hadAnswer = answer !== null;
    const figures = ".pictures :is(headscope-numbers, headscope-curves)";
    const block = state.tour === null ? "nearest" : page.isNarrow?.() ? "start" : null;
    if (!isFirst || block === null) return;
    const show = (): void => this.renderRoot.querySelector(figures)?.scrollIntoView({ block });
    // A figure has its height a frame after the answer.
    requestAnimationFrame(() => requestAnimationFrame(show));
  }

  /**
   * Keeps the demo where it lay before its change, though rules come above it, and its sentence in
   * view, though the effect of edits comes at the lower edge of the window; a slow model brings
   * both late.
   */
  private keepPlace(parts: HeadscopeDemo["parts"]): void {
    const top = this.keptTop;
    if (top === null) return;
    const isDrawn = this.session.settled && !parts?.inquiry.study.stale;
    const stay = (): void => {
      if (this.keptTop === null || !this.isConnected) return;
      if (isDrawn) this.keptTop = null;
      window.scrollBy(0, this.getBoundingClientRect().top - top);
      this.renderRoot.querySelector("p[role=status]")?.scrollIntoView({ block: "nearest" });
    };
    requestAnimationFrame(() => requestAnimationFrame(stay));
  }

  override render(): TemplateResult | typeof nothing {
    const { demo, parts, on } = this;
    if (!demo || !parts) return nothing;
    const { name, title, paper, intro } = demo;
    const { values } = parts.form;
    const formula = FORMULAS[name];
    const absent = demo.absent?.(on) ?? null;
    return html`${title ? html`<h3>${message(title)}</h3>` : nothing}
    ${formula ? html`<div class="formula inline">${formula()}</div>` : nothing}
    ${paper ? html`<p class="small muted paper">${message(paper)}</p>` : nothing}
    ${
      intro
        ? html`<p class="small muted note">
            ${typeof intro === "function" ? intro(on, values, this.change) : message(intro)}
          </p>`
        : nothing
    }
    ${
      absent === null
        ? html`${parts.form.render(this.renderPlay(demo))}
          ${this.renderFound(demo, parts.form, parts.inquiry)}`
        : html`<p class="note">${absent}</p>`
    }`;
  }

  private renderPlay({ plays }: Demo): TemplateResult | typeof nothing {
    const { playing, isStill } = this.player;
    return plays === undefined || isStill
      ? nothing
      : html`<button class="boxed" id="play" @click=${() => this.player.toggle()}>
          ${message(playing ? "rotaryDemo.stop" : "rotaryDemo.play")}
        </button>`;
  }

  private renderFound(
    demo: Demo,
    form: DemoForm,
    inquiry: Inquiry,
  ): TemplateResult | typeof nothing {
    return demo.work
      ? this.renderWork(demo, demo.work, form, inquiry)
      : this.renderAsked(demo, form, inquiry);
  }

  /** Renders the answer of a demo that asks automatically. */
  private renderAsked(
    demo: Demo,
    form: DemoForm,
    { study, subject }: Inquiry,
  ): TemplateResult | typeof nothing {
    const { answer: found, failure } = study;
    if (failure !== null)
      return html`<p class="muted" role="status">${failedWords(demo, failure, form.values)}</p>`;
    if (found?.model !== this.model) return demo.reads ? renderMissing(subject) : nothing;
    const isStale = study.stale || (demo.waits === true && this.on.growing === true);
    const stale = demo.reads !== undefined && isStale;
    return this.renderAnswer(demo, form, found, { stale, working: false, done: 0 });
  }

  /** Renders long work: its button, its progress, and its answer so far. */
  private renderWork(demo: Demo, work: Work, form: DemoForm, inquiry: Inquiry): TemplateResult {
    const { study, subject, begun, isUnsure } = inquiry;
    const { answer: found, failure, working, done } = study;
    const about = typeof subject === "string" ? null : (subject ?? begun);
    if (!about) return renderMissing(subject);
    const words = isCrash(failure)
      ? renderFailed(failure, crashedWords(failure, found !== null))
      : failure !== null && failedWords(demo, failure, form.values);
    return html`${this.renderProgress(work, form.values, inquiry, about)}
      <div role="status">${words ? html`<p class="small">${words}</p>` : nothing}</div>
      ${
        found ? this.renderAnswer(demo, form, found, { stale: isUnsure, working, done }) : nothing
      }`;
  }

  /**
   * Renders the progress with one button that starts and stops the work, so that the focus stays.
   */
  private renderProgress(
    work: Work,
    values: Values,
    inquiry: Inquiry,
    subject: object,
  ): TemplateResult {
    const { study, begun, isUnsure } = inquiry;
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
      inquiry.begin(subject);
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
        ?disabled=${!working && (lost || isUnsure || names?.length === 0)}
        @click=${working ? () => study.stop() : go}
      >
        ${working ? say("stop") : say(isPart ? "goOn" : "go", { count })}
      </button>
      ${(working || isPart) && all > 1 ? progress : nothing}
    </div>`;
  }

  private renderAnswer(
    demo: Demo,
    form: DemoForm,
    { answer, subject, values: asked }: Found,
    progress: Omit<Around, "update">,
  ): TemplateResult {
    const values = form.shownWith(asked);
    const { working, done, stale } = progress;
    const inputs = [answer, subject, language(), working, done, ...Object.values(values)];
    const around = { ...progress, update: this.change };
    const views = this.drawn.get(inputs, () => demo.views(answer, values, subject, around));
    const pointed = { ...around, pointed: this.pointed };
    return html`${demo.summary?.(answer, values, subject, pointed) ?? nothing}
      <div class="pictures columns">
        ${views.map(
          (column) =>
            html`<section>
              ${[column].flat().map((view) => this.renderView(demo, form, view, values, stale))}
            </section>`,
        )}
      </div>`;
  }

  private renderView(
    demo: Demo,
    form: DemoForm,
    view: View,
    values: Values,
    stale: boolean,
  ): TemplateResult {
    const { title, notes = [], field, name, csv = null, lines = [] } = view;
    const own = demo.title ?? demo.listed?.title;
    const heading = view.heading ?? title ?? (own ? message(own) : "");
    const { name: whole, suffix, details: all = [] } = demo.file ?? {};
    const details = (view.details ?? all).flatMap((key) => detailOf(demo.fields[key], values[key]));
    const written = [...details, ...lines];
    const figure = typeof view.figure === "function" ? view.figure(this.pointed) : view.figure;
    const named = [whole, name, suffix?.(values)].filter(Boolean).join(" ");
    const of = view.of ?? (demo.reads ? "model" : "none");
    return html`${title === undefined ? nothing : html`<h3>${title}</h3>`}
    ${field === undefined ? nothing : form.renderField(field)}
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
    const { calculator, patches, session } = this;
    if (calculator) return { calculator };
    return patches === null ? session.onPage : { ...session.onPage, patches };
  }

  /** The model on which the answer depends; null if the demo reads none. */
  private get model(): Model | null {
    return (this.demo?.reads && this.on.model) ?? null;
  }

  /** Increases the playing number by one, or restarts it. */
  private advance(): boolean {
    return this.parts?.form.advance(this.demo?.plays ?? "") ?? false;
  }
}

function renderMissing(subject: object | string | null): TemplateResult {
  return html`<p class="muted">
    ${typeof subject === "string" ? subject : message("demo.waiting")}
  </p>`;
}

function failedWords({ failed }: Demo, failure: unknown, values: Values): TemplateResult {
  const sentence =
    typeof failed === "function" ? failed(failure, values) : failed && message(failed);
  return renderFailed(failure, sentence);
}
