import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { SessionPart } from "../../session/session.js";
import { isGuideShowable } from "../../session/guides.js";
import { isShowable } from "../../session/showable.js";
import { arrivalAt, HELP_PARTS, type HelpPart, stateOf } from "../../session/tour-steps.js";
import { QUESTIONS, type State } from "../../state/index.js";
import { choice } from "../../ui/choice.js";
import { Later } from "../../ui/lazy.js";
import keys from "./keys.json" with { type: "json" };
import { TERMS } from "./terms.js";
import styles from "./help-dialog.css?inline";

/** The action of each key; the page, the grid and the figures listen for them. */
const KEYS = Object.entries(keys) as [keyof typeof keys, string[]][];
/** The terms of the field, each with a State that shows it. */
const TERM_NAMES = Object.keys(TERMS) as (keyof typeof TERMS)[];

const LESSONS = new Later(() => import("../lessons/lesson-list.js"), "lessons");
const LIST_HEIGHT = 360;
const BUILDER = new Later(() => import("../lessons/builder.js"), "lessons", "notices");

/** The help: questions that a State answers, lessons, terms with an example each, and keys. */
@customElement("headscope-help-dialog")
export class HeadscopeHelpDialog extends SessionPart {
  static override styles = unsafeCSS(styles);

  @query("dialog") private readonly dialog!: HTMLDialogElement;
  @state() private shown: HelpPart = "questions";
  /** Whether a lesson is being made, beside the page. */
  @state() private isMaking = false;

  override render(): TemplateResult {
    const { shown } = this;
    const docs = documentation();
    const name = (one: HelpPart): string => message(`help.${one}`);
    const parts: Readonly<Record<HelpPart, () => TemplateResult | symbol>> = {
      questions: () => this.renderQuestions(),
      lessons: () =>
        LESSONS.show(
          this,
          () =>
            html`<headscope-lesson-list
              @headscope-lesson-opened=${() => this.dialog.close()}
              @headscope-lesson-made=${this.make}
            ></headscope-lesson-list>`,
          LIST_HEIGHT,
        ),
      terms: () => this.renderTerms(),
      keys: renderKeys,
    };
    return html`<dialog aria-label=${message("help.title")}>
        ${choice(
          message("help.part"),
          HELP_PARTS,
          shown,
          name,
          (chosen) => (this.shown = chosen),
          "tabs",
        )}
        ${parts[shown]()}
        <form method="dialog" class="inline">
          <button class="act">${message("help.close")}</button>
          ${
            docs === null
              ? nothing
              : html`<a class="link end" href=${docs} target="_blank">${message("help.docs")}</a>`
          }
        </form>
      </dialog>
      ${
        this.isMaking
          ? BUILDER.show(
              this,
              () =>
                html`<headscope-lesson-builder
                  @headscope-builder-closed=${() => (this.isMaking = false)}
                ></headscope-lesson-builder>`,
            )
          : nothing
      }`;
  }

  private readonly make = (): void => {
    this.dialog.close();
    this.isMaking = true;
  };

  private renderQuestions(): TemplateResult {
    const { state } = this.session;
    const shown = QUESTIONS.filter(isGuideShowable);
    return html`${shown.length < QUESTIONS.length ? renderLack() : nothing}
      <ul>
        ${shown.map(
          (question) =>
            html`<li>
              <button class="link" @click=${() => this.go(arrivalAt(question, state))}>
                ${message(`tour.${question}.title`)}
              </button>
            </li>`,
        )}
      </ul>`;
  }

  private renderTerms(): TemplateResult {
    const { state } = this.session;
    return html`<ul>
      ${TERM_NAMES.map(
        (term) =>
          html`<li>
            <b>${message(`term.${term}`)}</b>
            ${
              isShowable(TERMS[term])
                ? html`<button
                    class="link small"
                    aria-label=${`${message("help.see")}: ${message(`term.${term}`)}`}
                    @click=${() => this.go(stateOf(TERMS[term], state))}
                  >
                    ${message("help.see")}
                  </button>`
                : nothing
            }<br />${message(`term.${term}.means`)}
          </li>`,
      )}
    </ul>`;
  }

  private go(state: State): void {
    this.dialog.close();
    this.session.store.step(state);
  }

  /**
   * Opens a part of the help. The dialog renders again first: it is in the page before its
   * sentences are loaded.
   */
  async show(part: HelpPart): Promise<void> {
    this.shown = part;
    this.requestUpdate();
    await this.updateComplete;
    if (!this.dialog.open) this.dialog.showModal();
  }
}

/** The address of the documentation; null where none was built beside the page. */
const documentation = (): string | null =>
  document.querySelector<HTMLMetaElement>('meta[name="headscope-docs"]')?.content ?? null;

/** Says what is not offered, and where the models are that it needs. */
const renderLack = (): TemplateResult => html`<p class="small muted">${message("help.lack")}</p>`;

function renderKeys(): TemplateResult {
  return html`<dl>
      ${KEYS.map(
        ([meaning, pressed]) =>
          html`<dt>${pressed.map((key) => html`<kbd class="chip">${key}</kbd> `)}</dt>
            <dd>${message(`keys.${meaning}`)}</dd>`,
      )}
    </dl>
    <p class="small muted">${message("keys.undoable")}</p>`;
}
