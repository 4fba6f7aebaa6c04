import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, query } from "lit/decorators.js";
import { styled } from "../../elements/shared/templates.js";
import { message } from "../../i18n/index.js";
import { type Guide, type Question, QUESTIONS, TOUR } from "../../state/index.js";
import { SessionPart } from "../../session/session.js";
import { GUIDES } from "../../session/guides.js";
import { arrivalAt, isElsewhere } from "../../session/tour-steps.js";
import { markedWords } from "../../panels/controls.js";
import type { AnswerItem } from "../../session/answer-items.js";
import { ANSWERS } from "./answers.js";
import styles from "./card.css?inline";

/**
 * The text of a tour step, or of a question with its answer, and the buttons to others. Every step,
 * and leaving the tour, is one change that can be undone.
 */
@customElement("headscope-tour-card")
export class HeadscopeTourCard extends SessionPart {
  static override styles = unsafeCSS(styles);

  protected override readonly turn = 0;
  @query("h2") private readonly heading!: HTMLElement;
  private shown: Guide | null = null;
  /** Whether the page still has to scroll to the part of the step. */
  private arriving = false;
  /** Whether the step was opened from here: then the focus goes to its heading. */
  private asked = false;

  override render(): TemplateResult {
    const { session } = this;
    const { state } = session;
    const step = state.tour ?? TOUR[0];
    const at = TOUR.findIndex((one) => one === step);
    const isQuestion = at < 0;
    const { action } = GUIDES[step];
    const [before, after] = isQuestion ? [] : [at > 0 ? TOUR[at - 1] : undefined, TOUR[at + 1]];
    return html`<section class="band" aria-labelledby="title" @keydown=${this.pressed}>
      <h2 id="title" tabindex="-1" aria-describedby="words">
        ${
          isQuestion
            ? nothing
            : html`<span class="count muted"
                >${message("tour.count", { step: at + 1, count: TOUR.length })}</span
              >`
        }
        ${message(`tour.${step}.title`)}
      </h2>
      <p id="words" class="words serif">${message(`tour.${step}.words`)}</p>
      ${isQuestionName(step) ? renderAnswer(ANSWERS[step](session)) : nothing}
      <div class="ways inline">
        ${
          action && !isElsewhere(state)
            ? html`<button
                class="act"
                @click=${() => session.store.step(arrivalAt(step, state, action.state))}
              >
                ${message(action.name)}
              </button>`
            : nothing
        }
        ${
          isElsewhere(state)
            ? html`<button
                  class="act"
                  ?disabled=${session.store.undoes === null}
                  @click=${() => session.command("undo")}
                >
                  ${message("edits.undo")}
                </button>
                <button class="link" @click=${() => this.go(step)}>
                  ${message("tour.again")}
                </button>`
            : nothing
        }
        ${
          isQuestion
            ? html`<button class="link" @click=${() => session.page.showHelp?.("questions")}>
                ${message("tour.all")}
              </button>`
            : html`<button
                class="link"
                ?disabled=${before === undefined}
                @click=${() => before && this.go(before)}
              >
                ${message("tour.back")}
              </button>`
        }
        <button class="act" @click=${() => (after ? this.go(after) : this.leave())}>
          ${message(isQuestion ? "tour.close" : after ? "tour.next" : "tour.finish")}
        </button>
        ${
          after
            ? html`<button class="link leave end" @click=${this.leave}>
                ${message("tour.leave")}
              </button>`
            : nothing
        }
      </div>
    </section>`;
  }

  protected override updated(): void {
    const { session, asked, shown } = this;
    const { tour } = session.state;
    if (tour === null) return;
    if (tour !== shown) {
      this.arriving = true;
      session.page.reveal?.(GUIDES[tour].part);
    }
    this.shown = tour;
    this.asked = false;
    if (asked) this.focus();
    // The parts above a picture have their full height once they have content.
    if (!this.arriving || !session.settled) return;
    this.arriving = false;
    // On a phone the card overlaps the lower end of the page, whose parts are below each other;
    // elsewhere nothing moves.
    requestAnimationFrame(() => {
      if (getComputedStyle(this).position === "sticky")
        this.partOfPage(GUIDES[tour].part)?.scrollIntoView();
    });
  }

  /** Moves the focus to the heading, where reading of the step starts. */
  override focus(): void {
    void this.updateComplete.then(() => this.heading.focus());
  }

  private go(step: Guide): void {
    const { store } = this.session;
    this.asked = true;
    this.shown = null;
    store.step(arrivalAt(step, store.state));
  }

  private readonly leave = (): void => {
    this.partOfPage("headscope-top-bar")?.focus();
    this.session.store.step({ tour: null });
  };

  private partOfPage(tag: string): HTMLElement | null {
    return (this.getRootNode() as ShadowRoot).querySelector<HTMLElement>(tag);
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    // Elsewhere on the page this key unlocks a cell.
    event.preventDefault();
    this.leave();
  };
}

const isQuestionName = (guide: Guide): guide is Question =>
  (QUESTIONS as readonly Guide[]).includes(guide);

/** Renders the numbers or the texts that answer a question; its place is there before them. */
function renderAnswer(items: readonly AnswerItem[]): TemplateResult {
  return html`<ul
    class="answer"
    aria-label=${message("answer.label")}
    aria-busy=${items.length === 0}
  >
    ${items.map(
      ({ label, value, share, beside }) =>
        html`<li>
          <span class="label muted"><bdi>${label}</bdi></span>
          ${
            share === undefined
              ? nothing
              : html`<span class="track" aria-hidden="true"
                  ><i style=${styled({ width: `${share * 100}%` })}></i
                ></span>`
          }
          ${
            beside === undefined
              ? html`<b>${value}</b>`
              : html`<span class="serif">${markedWords(value, beside)}</span>`
          }
        </li>`,
    )}
  </ul>`;
}
