import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { readingWords } from "../../draw/number-words.js";
import { message } from "../../i18n/index.js";
import { type Task, wordsOf } from "../../lessons/format.js";
import { isActed, markOf } from "../../lessons/marking.js";
import { type Mark, PROGRESS } from "../../lessons/progress.js";
import { numberIn } from "../../export/read-matrix.js";
import { SessionPart } from "../../session/session.js";
import { isElsewhere } from "../../session/tour-steps.js";
import type { State } from "../../state/index.js";
import styles from "./lesson-task.css?inline";

/**
 * A task of a lesson: asks for a guess, then for what is to be done, and marks the guess by the
 * numbers of the run.
 */
@customElement("headscope-lesson-task")
export class HeadscopeLessonTask extends SessionPart {
  static override styles = unsafeCSS(styles);

  @property({ attribute: false }) task!: Task;
  /** The name of the task in the progress. */
  @property({ attribute: false }) name = "";
  /** The State at the start of the step. */
  @property({ attribute: false }) arrival!: State;

  /** What is chosen or typed, and whether it was given as the guess. */
  @state() private chosen: number | null = null;
  @state() private isGiven = false;
  @state() private isUnread = false;
  /** The task that these belong to. */
  private of = "";

  protected override willUpdate(): void {
    if (this.of === this.name) return;
    this.of = this.name;
    this.chosen = null;
    this.isGiven = this.isUnread = false;
  }

  override render(): TemplateResult {
    const { task, name, chosen, isGiven } = this;
    const mark = PROGRESS.of(name);
    if (mark)
      return html`<p class="ask">${wordsOf(task.ask)}</p>
        ${this.renderMark(mark)}`;
    if (!isGiven || chosen === null)
      return html`<form @submit=${this.give}>
        <p class="ask" id="ask">${wordsOf(task.ask)}</p>
        <div class="guess inline" role="group" aria-labelledby="ask">
          ${task.guess.kind === "choices" ? this.renderChoices() : this.renderNumber()}
          <button class="act" ?disabled=${chosen === null}>${message("lesson.guess")}</button>
        </div>
        <p class="small" role="alert">${this.isUnread ? message("lesson.noNumber") : nothing}</p>
      </form>`;
    return html`<p class="ask">${wordsOf(task.ask)}</p>
      <p role="status">
        ${message("lesson.guessed", { guess: this.wordsOfGuess(chosen) })} ${this.renderNext()}
      </p>`;
  }

  /** Renders what is to be done before the guess is marked. */
  private renderNext(): TemplateResult | string {
    const { task, session } = this;
    const { act } = task;
    if (act?.state)
      return html`<button class="act" @click=${this.act}>${wordsOf(act.words)}</button>`;
    if (act) return html`<b>${wordsOf(act.words)}</b>`;
    return isElsewhere(session.state, this.arrival)
      ? message("lesson.restore")
      : message("lesson.reading");
  }

  private readonly act = (): void => {
    const { arrival, session, task } = this;
    // All that the step itself decides, as it was at its start.
    const { backend, colours, theme, language } = session.state;
    const looks = { backend, colours, theme, language };
    session.store.step({ ...arrival, ...task.act?.state, ...looks });
  };

  protected override updated(): void {
    const { task, name, chosen, isGiven, session } = this;
    if (!isGiven || chosen === null || PROGRESS.of(name)) return;
    // Without anything to do, the numbers are those of the step itself.
    if (!task.act && isElsewhere(session.state, this.arrival)) return;
    const mark = isActed(task, session) ? markOf(task, chosen, session) : null;
    if (mark) PROGRESS.set(name, mark);
  }

  private renderChoices(): TemplateResult[] {
    const { task, chosen } = this;
    const choices = task.guess.kind === "choices" ? task.guess.choices : [];
    return choices.map(
      ({ words }, at) =>
        html`<label
          ><input
            type="radio"
            name="guess"
            .checked=${chosen === at}
            @change=${() => (this.chosen = at)}
          />${wordsOf(words)}</label
        >`,
    );
  }

  private renderNumber(): TemplateResult {
    return html`<input
      class="boxed"
      type="text"
      inputmode="decimal"
      autocomplete="off"
      aria-label=${message("lesson.number")}
      @input=${this.typed}
    />`;
  }

  private readonly typed = (event: Event): void => {
    const text = (event.target as HTMLInputElement).value;
    const number = numberIn(text) ?? NaN;
    this.chosen = Number.isFinite(number) ? number : null;
    this.isUnread = this.chosen === null && text.trim() !== "";
  };

  private readonly give = (event: Event): void => {
    event.preventDefault();
    this.isGiven = this.chosen !== null;
  };

  private wordsOfGuess(guess: number): string {
    const { task } = this;
    if (task.guess.kind === "number") return readingWords(guess);
    return wordsOf(task.guess.choices[guess]?.words ?? "");
  }

  private renderMark({ guess, right, found }: Mark): TemplateResult {
    const { task } = this;
    const isNumber = task.guess.kind === "number";
    const words = { guess: this.wordsOfGuess(guess), found: "" };
    if (found !== null) words.found = this.wordsOfGuess(found);
    const sentence = right
      ? isNumber
        ? message("lesson.near", words)
        : message("lesson.right", words)
      : found === null
        ? message("lesson.none", words)
        : message("lesson.wrong", words);
    return html`<p role="status">
      <b class=${right ? "right" : "wrong"}>${sentence}</b>
      ${task.then ? wordsOf(task.then) : nothing}
      <button class="link small" @click=${this.retry}>${message("lesson.retry")}</button>
    </p>`;
  }

  private readonly retry = (): void => {
    this.of = "";
    PROGRESS.set(this.name, null);
  };
}
