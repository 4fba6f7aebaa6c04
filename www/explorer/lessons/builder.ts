import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { arrivalIn } from "../../lessons/arrival.js";
import { download } from "../../export/download.js";
import { readingWords } from "../../draw/number-words.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { renderCoded } from "../../kit/form.js";
import { holds, read } from "../../lessons/checks.js";
import {
  changed,
  type Draft,
  type DraftChoice,
  type DraftStep,
  type DraftTask,
  EMPTY_DRAFT,
  keepDraft,
  keptDraft,
  moved,
  recorded,
  removed,
  reshown,
  reworded,
} from "../../lessons/draft.js";
import { LOOK_NAMES, type Words, wordsOf } from "../../lessons/format.js";
import { ownLesson, placeOf } from "../../lessons/list.js";
import { checkOf, readingOf, readLesson } from "../../lessons/read-lesson.js";
import { type Offer, readingsOn, statementsOn } from "../../lessons/statements.js";
import { describeFailure, type Refusal } from "../../session/run/failures.js";
import { modelLabel } from "../../session/models/models.js";
import { SessionPart } from "../../session/session.js";
import { DEFAULT_STATE, linkTo, type State } from "../../state/index.js";
import styles from "./builder.css?inline";

const MOST_ANSWERS = 4;
/** How near a guessed number is to be, until its author says otherwise. */
const USUAL_WITHIN = 0.1;

const labelOf = ({ model }: State): string => modelLabel(model);

/**
 * The builder of lessons: records what the page shows as steps with words and tasks, while its user
 * goes on exploring. Fires `headscope-builder-closed`.
 */
@customElement("headscope-lesson-builder")
export class HeadscopeLessonBuilder extends SessionPart {
  static override styles = unsafeCSS(styles);

  @state() private draft: Draft = keptDraft();
  /** The step that is open; -1 for none. */
  @state() private at = -1;
  @state() private report: MessageKey | null = null;
  /** The link that could not be copied. */
  @state() private byHand: string | null = null;
  @query(".sheet") private readonly sheet!: HTMLElement;
  @query("input[type=file]") private readonly input!: HTMLInputElement;

  protected override firstUpdated(): void {
    this.sheet.showPopover();
  }

  override render(): TemplateResult {
    const { draft, report, byHand } = this;
    const refusal = this.refusal();
    const isReady = draft.steps.length > 0 && refusal === null;
    const act = (name: MessageKey, press: () => void, isOff = !isReady): TemplateResult =>
      html`<button class="act" ?disabled=${isOff} @click=${press}>${message(name)}</button>`;
    return html`<section class="sheet" popover="manual" aria-label=${message("builder.title")}>
      <header class="inline">
        <h2>${message("builder.title")}</h2>
        <button class="link end" @click=${this.close}>${message("help.close")}</button>
      </header>
      <p class="small muted">${message("builder.intro")}</p>
      ${this.line("builder.name", draft.title, (title) => this.put({ ...draft, title }))}
      <ol>
        ${draft.steps.map((step, at) => this.renderStep(step, at))}
      </ol>
      ${act("builder.record", this.record, false)}
      ${
        draft.steps.length > 0 && refusal
          ? html`<p class="small problem" role="status">${renderCoded(refusal)}</p>`
          : nothing
      }
      <div class="ways inline">
        ${act("builder.play", () => this.play(false))}
        ${this.session.page.present ? act("builder.present", () => this.play(true)) : nothing}
        ${act("builder.save", this.save)} ${act("builder.link", () => void this.copy())}
      </div>
      <div class="ways inline">
        <button class="link" @click=${() => this.input.click()}>${message("builder.edit")}</button>
        <button class="link" @click=${() => this.begin(EMPTY_DRAFT)}>
          ${message("builder.anew")}
        </button>
      </div>
      ${
        byHand === null
          ? nothing
          : html`<textarea
              class="boxed small"
              readonly
              rows="3"
              aria-label=${message("saving.byHand")}
              .value=${byHand}
            ></textarea>`
      }
      <p class="small muted" aria-live="polite">${report && message(report)}</p>
      <input
        type="file"
        hidden
        accept=".json,application/json"
        tabindex="-1"
        aria-label=${message("builder.edit")}
        @change=${this.picked}
      />
    </section>`;
  }

  /** Why the draft is no lesson yet; null for one that is. */
  private refusal(): Refusal | null {
    try {
      readLesson(this.draft);
      return null;
    } catch (thrown) {
      return describeFailure(thrown);
    }
  }

  private renderStep(step: DraftStep, at: number): TemplateResult {
    const { draft } = this;
    const title = wordsOf(step.title) || message("builder.untitled");
    const small = (name: MessageKey, press: () => void, isOff = false): TemplateResult =>
      html`<button
        class="link small"
        ?disabled=${isOff}
        aria-label=${`${message(name)}: ${title}`}
        @click=${press}
      >
        ${message(name)}
      </button>`;
    return html`<li>
      <div class="inline">
        <button
          class="name"
          aria-expanded=${this.at === at}
          @click=${() => (this.at = this.at === at ? -1 : at)}
        >
          ${title}
        </button>
        ${small("builder.show", () => this.show(at))}
        ${small("builder.up", () => this.move(at, -1), at === 0)}
        ${small("builder.down", () => this.move(at, 1), at === draft.steps.length - 1)}
        ${small("builder.delete", () => this.begin(removed(draft, at)))}
      </div>
      ${this.at === at ? this.renderOpen(step, at) : nothing}
    </li>`;
  }

  private renderOpen(step: DraftStep, at: number): TemplateResult {
    const change = (to: Partial<DraftStep>): void =>
      this.put(changed(this.draft, at, { ...step, ...to }));
    return html`<div class="open">
      ${this.line("builder.stepTitle", step.title, (title) => change({ title }))}
      ${this.lines("builder.words", step.words, (words) => change({ words }))}
      <label class="field"
        ><span>${message("builder.look")}</span
        ><select
          @change=${(event: Event) =>
            change({ look: LOOK_NAMES.find((one) => one === valueOf(event)) ?? "picture" })}
        >
          ${LOOK_NAMES.map(
            (look) =>
              html`<option value=${look} ?selected=${look === step.look}>
                ${message(`builder.look.${look}`)}
              </option>`,
          )}
        </select></label
      >
      <button
        class="link"
        @click=${() => this.put(reshown(this.draft, at, this.session.state, labelOf))}
      >
        ${message("builder.again")}
      </button>
      ${step.task ? this.renderTask(step.task, at) : this.renderNoTask(at)}
    </div>`;
  }

  private renderNoTask(at: number): TemplateResult {
    const [reading] = readingsOn(this.session);
    const task = (more: Partial<DraftTask>): void => this.putTask(at, { ask: "", ...more });
    return html`<div class="ways inline">
      <button class="link" @click=${() => task({ choices: [] })}>
        ${message("builder.choices")}
      </button>
      <button
        class="link"
        ?disabled=${!reading}
        @click=${() => reading && task({ number: { reading: reading.json, within: USUAL_WITHIN } })}
      >
        ${message("builder.number")}
      </button>
    </div>`;
  }

  private renderTask(task: DraftTask, at: number): TemplateResult {
    const put = (to: Partial<DraftTask>): void => this.putTask(at, { ...task, ...to });
    const { choices, number, act } = task;
    return html`<fieldset>
      <legend>${message("builder.task")}</legend>
      ${this.lines("builder.ask", task.ask, (ask) => put({ ask }))}
      ${choices?.map((choice, index) => this.renderChoice(choice, index, choices, put))}
      ${
        choices && choices.length < MOST_ANSWERS
          ? this.offer("builder.addChoice", statementsOn(this.session), "lesson.check", (check) =>
              put({ choices: [...choices, { words: "", check }] }),
            )
          : nothing
      }
      ${
        number
          ? html`${this.offer(
                "builder.reading",
                readingsOn(this.session),
                "lesson.reading",
                (reading) => put({ number: { ...number, reading } }),
              )}
              <p class="small">
                <code>${JSON.stringify(number.reading)}</code> ${this.valueNow(number.reading)}
              </p>
              <label class="field"
                ><span>${message("builder.within")}</span
                ><input
                  class="boxed"
                  type="number"
                  min="0"
                  step="any"
                  .value=${live(String(number.within))}
                  @change=${(event: Event) =>
                    put({ number: { ...number, within: Number(valueOf(event)) } })}
              /></label>`
          : nothing
      }
      ${
        act
          ? html`${this.lines("builder.act", act.words, (words) => put({ act: { ...act, words } }))}
              <p class="small"><code>${JSON.stringify(act.check)}</code></p>`
          : this.offer("builder.addAct", statementsOn(this.session), "lesson.check", (check) =>
              put({ act: { words: "", check } }),
            )
      }
      ${this.lines("builder.then", task.then ?? "", (then) => put({ then }))}
      <button class="link" @click=${() => this.putTask(at, null)}>
        ${message("builder.noTask")}
      </button>
    </fieldset>`;
  }

  private renderChoice(
    choice: DraftChoice,
    index: number,
    choices: readonly DraftChoice[],
    put: (to: Partial<DraftTask>) => void,
  ): TemplateResult {
    const change = (to: DraftChoice): void => put({ choices: choices.with(index, to) });
    const isNot = "is" in choice.check && choice.check.is === "not";
    const turned = (): object =>
      isNot ? (choice.check as { check: object }).check : { is: "not", check: choice.check };
    return html`<div class="choice">
      ${this.line("builder.choice", choice.words, (words) => change({ ...choice, words }))}
      <p class="small">
        <code>${JSON.stringify(choice.check)}</code> ${this.stateNow(choice.check)}
        <button class="link" @click=${() => change({ ...choice, check: turned() })}>
          ${message("builder.not")}
        </button>
        <button class="link" @click=${() => put({ choices: choices.toSpliced(index, 1) })}>
          ${message("builder.delete")}
        </button>
      </p>
    </div>`;
  }

  /** What a statement is on the page as it is. */
  private stateNow(json: object): string {
    const is = holds(checkOf(json), this.session);
    return is === null ? "" : message(is ? "builder.isSo" : "builder.isNotSo");
  }

  private valueNow(json: object): string {
    const value = read(readingOf(json), this.session);
    return value === null ? "" : message("builder.now", { value: readingWords(value) });
  }

  /** Renders a list of what is so on the page, from which one is taken. */
  private offer<Kind extends string>(
    label: MessageKey,
    offers: readonly Offer<Kind>[],
    names: "lesson.check" | "lesson.reading",
    take: (json: object) => void,
  ): TemplateResult {
    return html`<label class="field"
      ><span>${message(label)}</span
      ><select
        .value=${live("")}
        @change=${(event: Event) => {
          const chosen = offers[Number(valueOf(event))];
          if (chosen) take(chosen.json);
        }}
      >
        <option value="">…</option>
        ${offers.map(
          ({ kind }, at) =>
            html`<option value=${at}>${message(`${names}.${kind}` as MessageKey)}</option>`,
        )}
      </select></label
    >`;
  }

  private line(label: MessageKey, words: Words, take: (words: Words) => void): TemplateResult {
    return html`<label class="field"
      ><span>${message(label)}</span
      ><input
        class="boxed"
        type="text"
        .value=${live(wordsOf(words))}
        @input=${(event: Event) => take(reworded(words, valueOf(event)))}
    /></label>`;
  }

  private lines(label: MessageKey, words: Words, take: (words: Words) => void): TemplateResult {
    return html`<label class="field"
      ><span>${message(label)}</span
      ><textarea
        class="boxed"
        rows="2"
        .value=${live(wordsOf(words))}
        @input=${(event: Event) => take(reworded(words, valueOf(event)))}
      ></textarea>
    </label>`;
  }

  private put(draft: Draft): void {
    this.draft = draft;
    this.byHand = null;
    this.report = keepDraft(draft) ? null : "builder.notKept";
  }

  private putTask(at: number, task: DraftTask | null): void {
    const step = this.draft.steps[at];
    if (!step) return;
    const { task: _, ...bare } = step;
    // A text that says nothing is no field.
    const { then, ...rest } = task ?? { ask: "" };
    const kept = then === undefined || wordsOf(then) === "" ? rest : { ...rest, then };
    this.put(changed(this.draft, at, task ? { ...bare, task: kept } : bare));
  }

  /** Takes another draft, with no step open. */
  private begin(draft: Draft): void {
    this.at = -1;
    this.put(draft);
  }

  private readonly record = (): void => {
    const { draft, session } = this;
    const title = message("builder.step", { number: draft.steps.length + 1 });
    this.put(recorded(draft, session.state, title, labelOf));
    this.at = draft.steps.length;
  };

  private move(at: number, by: number): void {
    this.begin(moved(this.draft, at, by));
  }

  private show(at: number): void {
    const { draft, session } = this;
    try {
      const lesson = readLesson({ ...draft, title: "…", steps: [showable(draft.steps[at])] });
      const state = arrivalIn(lesson, { lesson: "", step: 0 }, session.state);
      session.store.step({ ...state, lesson: null });
    } catch {
      this.report = "builder.wrongStep";
    }
  }

  private play(isPresented: boolean): void {
    const { draft, session } = this;
    const place = placeOf(ownLesson(draft));
    if (isPresented) session.page.present?.(true);
    this.close();
    session.store.step(arrivalIn(readLesson(draft), place, session.state));
  }

  private readonly save = (): void => {
    const { draft } = this;
    const words = wordsOf(draft.title).replace(/[^\p{L}\p{N}]+/gu, " ");
    const text = `${JSON.stringify(draft, null, 2)}\n`;
    void download(new Blob([text], { type: "application/json" }), `${words.trim()}.json`);
  };

  private async copy(): Promise<void> {
    const { draft, session } = this;
    const link = linkTo({ ...DEFAULT_STATE, lesson: ownLesson(draft) }, session.home);
    this.byHand = null;
    this.report = link === null ? "builder.tooLong" : "bar.linkCopied";
    if (link === null) return;
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      this.byHand = link;
      this.report = "saving.byHand";
    }
  }

  private readonly picked = async (): Promise<void> => {
    const [file] = this.input.files ?? [];
    this.input.value = "";
    const text = await file?.text().catch(() => "");
    if (text === undefined) return;
    try {
      const json = JSON.parse(text) as unknown;
      readLesson(json);
      this.begin(json as Draft);
    } catch {
      // The explorer says what is wrong with the file.
      if (file) void this.session.links.openFile(file);
    }
  };

  private readonly close = (): void => {
    this.dispatchEvent(new CustomEvent("headscope-builder-closed"));
  };
}

/** A step of which only the State matters. */
const showable = (step: DraftStep | undefined): object => ({
  title: "…",
  words: "…",
  state: step?.state ?? {},
});

const valueOf = (event: Event): string =>
  (event.target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value;
