/** The list of lessons in the help: how far the reader is in each, and the reader's own lessons. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, query } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { arrivalIn } from "../../lessons/arrival.js";
import { wordsOf } from "../../lessons/format.js";
import { LESSON_NAMES, lessonOf } from "../../lessons/list.js";
import { PROGRESS } from "../../lessons/progress.js";
import { SessionPart } from "../../session/session.js";
import { isShowable } from "../../session/showable.js";

/** Whether the page has the models of all steps of a lesson. */
const isLessonShowable = (name: string): boolean =>
  lessonOf({ lesson: name, step: 0 }).steps.every(({ state }) => isShowable(state));

/**
 * The lessons. Fires `headscope-lesson-opened` when one is opened, and `headscope-lesson-made` when
 * its user wants to make one.
 */
@customElement("headscope-lesson-list")
export class HeadscopeLessonList extends SessionPart {
  static override styles = css`
    ol {
      margin: 8px 0;
      padding-left: 28px;
      list-style: decimal;
    }
    li {
      padding: 3px 0;
    }
    .ways {
      gap: 4px 16px;
      margin: 8px 0 16px;
    }
  `;

  @query("input") private readonly input!: HTMLInputElement;

  override render(): TemplateResult {
    const shown = LESSON_NAMES.filter(isLessonShowable);
    return html`<p class="small muted">${message("lesson.intro")}</p>
      ${
        shown.length < LESSON_NAMES.length
          ? html`<p class="small muted">${message("help.lack")}</p>`
          : nothing
      }
      <ol>
        ${shown.map((name) => this.renderLesson(name))}
      </ol>
      <div class="ways inline">
        <button class="link" @click=${() => this.input.click()}>${message("lesson.open")}</button>
        ${html`<button class="link" @click=${() => this.close("headscope-lesson-made")}>
          ${message("lesson.make")}
        </button>`}
        ${
          PROGRESS.isEmpty
            ? nothing
            : html`<button class="link" @click=${() => PROGRESS.clear()}>
                ${message("lesson.forget")}
              </button>`
        }
      </div>
      <input
        type="file"
        hidden
        accept=".json,application/json"
        tabindex="-1"
        aria-label=${message("lesson.open")}
        @change=${this.picked}
      />`;
  }

  private renderLesson(name: string): TemplateResult {
    const { title, steps } = lessonOf({ lesson: name, step: 0 });
    const all = steps.filter(({ task }) => task !== null).length;
    const count = PROGRESS.count(name);
    return html`<li>
      <button class="link" @click=${() => this.open(name)}>${wordsOf(title)}</button>
      ${
        count > 0
          ? html` <span class="small muted">${message("lesson.done", { count, all })}</span>`
          : nothing
      }
    </li>`;
  }

  private open(name: string): void {
    const { store, state } = this.session;
    const place = { lesson: name, step: 0 };
    this.close();
    store.step(arrivalIn(lessonOf(place), place, state));
  }

  private readonly picked = (): void => {
    const [file] = this.input.files ?? [];
    // So that the same file can be picked again after it was corrected.
    this.input.value = "";
    if (!file) return;
    this.close();
    void this.session.links.openFile(file);
  };

  private close(name = "headscope-lesson-opened"): void {
    this.dispatchEvent(new CustomEvent(name));
  }
}
