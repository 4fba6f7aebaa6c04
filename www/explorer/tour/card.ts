import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, query } from "lit/decorators.js";
import { styled } from "../../elements/shared/templates.js";
import { message } from "../../i18n/index.js";
import { markedWords } from "../../panels/marked-words.js";
import type { AnswerItem } from "../../session/answer-items.js";
import { SessionPart } from "../../session/session.js";
import { isElsewhere } from "../../session/tour-steps.js";
import { type State, TOUR } from "../../state/index.js";
import { Later } from "../../ui/lazy.js";
import { guideStation, type Station } from "./station.js";
import styles from "./card.css?inline";

/** The lessons and what marks their tasks, and the height of a step until they are there. */
const LESSONS = new Later(() => import("../lessons/player.js"), "lessons", "notices");
const STEP_HEIGHT = 120;
/** The height of the card on a phone, and that of one with a task. */
const SHEET = "--headscope-tour-sheet";
const TASK_SHEET = "min(50vh, 420px)";

/**
 * The text of a step of the tour or of a lesson, or of a question with its answer, and the buttons
 * to others. Every step, and leaving, is one change that can be undone.
 */
@customElement("headscope-tour-card")
export class HeadscopeTourCard extends SessionPart {
  static override styles = unsafeCSS(styles);

  protected override readonly turn = 0;
  @query("h2") private readonly heading!: HTMLElement;
  /** The name of the station that was shown last. */
  private shown: string | null = null;
  /** The station of the last update; null while a lesson is not there. */
  private station: Station | null = null;
  /** The element that says which part of it the card is about. */
  private place: HTMLElement | null = null;
  /** The tag of the part of the page to which the page still has to scroll; null for none. */
  private arriving: string | null = null;
  /** Whether the step was opened from here: then the focus goes to its heading. */
  private asked = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.place?.removeAttribute("touring");
    this.place?.removeAttribute("stepping");
    this.place?.style.removeProperty(SHEET);
    this.place = null;
    this.shown = null;
  }

  override render(): TemplateResult | typeof nothing {
    const { session } = this;
    const { state } = session;
    this.station = null;
    if (state.tour !== null || state.lesson === null) {
      this.station = guideStation(state.tour ?? TOUR[0], session);
      return this.renderStation(this.station);
    }
    return LESSONS.show(
      this,
      ({ lessonStation }) => {
        this.station = lessonStation(session);
        return this.station ? this.renderStation(this.station) : nothing;
      },
      STEP_HEIGHT,
    );
  }

  private renderStation(station: Station): TemplateResult {
    const { session } = this;
    const { place, title, words, action, answer, task, before, after, list } = station;
    const { tour, lesson } = session.state;
    const isAway = (tour ?? lesson) !== null && isElsewhere(session.state, station.arrival);
    return html`<section class="band" aria-labelledby="title" @keydown=${this.pressed}>
      <h2 id="title" tabindex="-1" aria-describedby="words">
        ${
          place
            ? html`<span class="count muted">${message("tour.count", { ...place })}</span>`
            : nothing
        }
        ${title}
      </h2>
      <p id="words" class="words serif">${words}</p>
      ${answer ? renderAnswer(answer) : nothing}${task ?? nothing}
      <div class="ways inline">
        ${
          action && !isAway
            ? html`<button class="act" @click=${() => this.act(action.state)}>
                ${action.name}
              </button>`
            : nothing
        }
        ${
          isAway
            ? html`<button
                  class="act"
                  ?disabled=${session.store.undoes === null}
                  @click=${() => session.command("undo")}
                >
                  ${message("edits.undo")}
                </button>
                <button class="link" @click=${() => this.go(station.arrival)}>
                  ${message("tour.again")}
                </button>`
            : nothing
        }
        ${
          list
            ? html`<button class="link" @click=${() => session.page.showHelp?.(list)}>
                ${message(list === "lessons" ? "lesson.all" : "tour.all")}
              </button>`
            : nothing
        }
        ${
          place
            ? html`<button
                class="link"
                ?disabled=${before === null}
                @click=${() => before && this.go(before)}
              >
                ${message("tour.back")}
              </button>`
            : nothing
        }
        <button class="act" @click=${() => (after ? this.go(after) : this.leave())}>
          ${message(place ? (after ? "tour.next" : "tour.finish") : "tour.close")}
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
    const { session, asked, station, shown } = this;
    const { lesson, tour } = session.state;
    const isNew = station?.name !== shown;
    if (tour === null && lesson !== null && LESSONS.want()?.openLesson(session, isNew)) return;
    if (!station || (tour ?? lesson) === null) return;
    this.mark(station);
    if (station.name !== shown) {
      this.arriving = station.part;
      session.page.reveal?.(station.part);
    }
    this.shown = station.name;
    this.asked = false;
    if (asked) this.focus();
    // The parts above a picture have their full height once they have content.
    const { arriving } = this;
    if (arriving === null || !session.settled) return;
    this.arriving = null;
    // On a phone the card overlaps the lower end of the page, whose parts are below each other;
    // elsewhere nothing moves.
    requestAnimationFrame(() => {
      if (getComputedStyle(this).position === "sticky") this.partOfPage(arriving)?.scrollIntoView();
    });
  }

  /** Takes the action of the card; what an experiment answers is seen in its part. */
  private act(state: State): void {
    const { session } = this;
    session.store.step(state);
    if (state.experiment === null) return;
    this.arriving = "headscope-experiments";
    session.page.reveal?.(this.arriving);
  }

  /** Says to the page which part of it the card is about, and how tall the card is on a phone. */
  private mark({ part, answer, task }: Station): void {
    this.place ??= ((this.getRootNode() as Partial<ShadowRoot>).host ?? null) as HTMLElement | null;
    this.place?.setAttribute("touring", part);
    this.place?.toggleAttribute("stepping", answer === null && task === null);
    if (task) this.place?.style.setProperty(SHEET, TASK_SHEET);
    else this.place?.style.removeProperty(SHEET);
  }

  /** Moves the focus to the heading, where reading of the step starts. */
  override focus(): void {
    void this.updateComplete.then(() => this.heading.focus());
  }

  private go(state: State): void {
    this.asked = true;
    this.shown = null;
    this.session.store.step(state);
  }

  private readonly leave = (): void => {
    this.partOfPage("headscope-top-bar")?.focus();
    this.session.store.step({ tour: null, lesson: null });
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
