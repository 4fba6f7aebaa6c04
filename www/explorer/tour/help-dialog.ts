import { html, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { message } from "../../i18n/index.js";
import { QUESTIONS, type State, type Store } from "../../state/index.js";
import { choice } from "../../ui/choice.js";
import { PagePart } from "../../ui/page-part.js";
import { arrivalAt, HELP_PARTS, type HelpPart, stateOf } from "../../session/tour-steps.js";
import keys from "./keys.json" with { type: "json" };
import { TERMS } from "./terms.js";
import styles from "./help-dialog.css?inline";

/** The action of each key; the page, the grid and the figures listen for them. */
const KEYS = Object.entries(keys) as [keyof typeof keys, string[]][];
/** The terms of the field, each with a State that shows it. */
const TERM_NAMES = Object.keys(TERMS) as (keyof typeof TERMS)[];

/** The help: questions that a State answers, terms with an example each, and keys. */
@customElement("headscope-help-dialog")
export class HeadscopeHelpDialog extends PagePart {
  static override styles = unsafeCSS(styles);

  /** The State that a question or a term changes. */
  @property({ attribute: false }) store!: Store;
  @query("dialog") private readonly dialog!: HTMLDialogElement;
  @state() private shown: HelpPart = "questions";

  override render(): TemplateResult {
    const { shown } = this;
    const name = (one: HelpPart): string => message(`help.${one}`);
    return html`<dialog aria-label=${message("help.title")}>
      ${choice(
        message("help.part"),
        HELP_PARTS,
        shown,
        name,
        (chosen) => (this.shown = chosen),
        "tabs",
      )}
      ${
        shown === "questions"
          ? this.renderQuestions()
          : shown === "terms"
            ? this.renderTerms()
            : renderKeys()
      }
      <form method="dialog"><button class="act">${message("help.close")}</button></form>
    </dialog>`;
  }

  private renderQuestions(): TemplateResult {
    const { store } = this;
    return html`<ul>
      ${QUESTIONS.map(
        (question) =>
          html`<li>
            <button class="link" @click=${() => this.go(arrivalAt(question, store.state))}>
              ${message(`tour.${question}.title`)}
            </button>
          </li>`,
      )}
    </ul>`;
  }

  private renderTerms(): TemplateResult {
    const { store } = this;
    return html`<ul>
      ${TERM_NAMES.map(
        (term) =>
          html`<li>
            <b>${message(`term.${term}`)}</b>
            <button
              class="link small"
              aria-label=${`${message("help.see")}: ${message(`term.${term}`)}`}
              @click=${() => this.go(stateOf(TERMS[term], store.state))}
            >
              ${message("help.see")}</button
            ><br />${message(`term.${term}.means`)}
          </li>`,
      )}
    </ul>`;
  }

  private go(state: State): void {
    this.dialog.close();
    this.store.step(state);
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
