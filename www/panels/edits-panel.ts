import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement } from "lit/decorators.js";
import "../elements/chips.js";
import { message } from "../i18n/index.js";
import { hasEdits, NO_EDITS, refOf, removeEdit, type StepKind } from "../state/index.js";
import { renderExperimentButtons } from "../experiments/experiments.js";
import { changedWords } from "../session/alignment.js";
import { SessionPart } from "../session/session.js";
import styles from "./edits-panel.css?inline";

/** The active edits as chips that can be removed, their effects, and undo and redo. */
@customElement("headscope-edits-panel")
export class HeadscopeEditsPanel extends SessionPart {
  static override styles = unsafeCSS(styles);

  override render(): TemplateResult {
    const { session } = this;
    const { store, state } = session;
    const edited = hasEdits(state.edits);
    return html`<div class="band panel inline">
      ${this.renderTranslation()}
      <h2>${message("edits.title")}</h2>
      <div class="chips">
        ${edited ? this.renderChips() : html`<p class="muted">${message("edits.none")}</p>`}
      </div>
      <div class="history inline">
        ${
          !edited || state.compare === "original"
            ? nothing
            : html`<button class="act" @click=${() => store.step({ compare: "original" })}>
                ${message("pairs.withOriginal")}
              </button>`
        }
        ${this.renderStep("undo", store.undoes)} ${this.renderStep("redo", store.redoes)}
      </div>
      ${renderExperimentButtons(session)}
    </div>`;
  }

  private renderChips(): TemplateResult {
    const { session } = this;
    const { chips } = session;
    const clear = (): void => session.update({ edits: NO_EDITS });
    const remove = ({ detail }: CustomEvent<{ id: string }>): void => {
      const ref = refOf(detail.id);
      if (ref) session.update({ edits: removeEdit(session.state.edits, ref) });
    };
    // The words for the edits may not be loaded: all edits can be removed without them.
    return chips.length === 0
      ? html`<button class="clear" @click=${clear}>${message("edits.clear")}</button>`
      : html`<headscope-chips
          .chips=${chips}
          .label=${message("edits.title")}
          @headscope-chip-remove=${remove}
          @headscope-chips-clear=${clear}
        ></headscope-chips>`;
  }

  private renderStep(name: "undo" | "redo", kind: StepKind | null): TemplateResult {
    const title =
      kind === null ? nothing : message(`edits.${name}Step`, { step: message(`undo.${kind}`) });
    return html`<button
      ?disabled=${kind === null}
      title=${title}
      @click=${() => this.session.command(name)}
    >
      ${message(`edits.${name}`)}
    </button>`;
  }

  private renderTranslation(): TemplateResult | typeof nothing {
    const { state, architecture, computation, translation, writing } = this.session;
    const { unedited: before } = computation;
    const compared =
      hasEdits(state.edits) && state.target === null && architecture === "encoder-decoder";
    if (!compared) return nothing;
    const unedited = writing || before?.text !== state.text ? null : before.translation;
    const same = unedited === translation;
    const words = unedited === null || same ? [] : changedWords(unedited, translation);
    // On a narrow page the sentence is out of sight, so its translation is repeated here.
    return html`<p class="sentence narrow" aria-hidden="true">${translation}</p>
      ${
        unedited === null
          ? nothing
          : html`<p class="sentence unedited muted" role="status">
              <span class="small">${message(same ? "text.unchanged" : "text.unedited")}</span>
              ${words.map(({ text, changed }) =>
                changed ? html`<del>${text}</del> ` : html`${text} `,
              )}
            </p>`
      }`;
  }
}
