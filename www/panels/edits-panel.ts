import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement } from "lit/decorators.js";
import { laterMessage, message } from "../i18n/index.js";
import { hasEdits, NO_EDITS, refOf, removeEdit, type StepKind } from "../state/index.js";
import { renderExperimentButtons } from "../experiments/experiments.js";
import { SessionPart } from "../session/session.js";
import { Later } from "../ui/lazy.js";
import styles from "./edits-panel.css?inline";

const EFFECT = new Later(() => import("./edit-effect.js"));

/**
 * The active edits as chips that can be removed, the model's output with and without them, and undo
 * and redo.
 */
@customElement("headscope-edits-panel")
export class HeadscopeEditsPanel extends SessionPart {
  static override styles = unsafeCSS(styles);

  override render(): TemplateResult {
    const { session } = this;
    const { store, state } = session;
    const edited = hasEdits(state.edits);
    return html`<div class="band panel inline">
      ${this.renderEffect()}
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
        ${this.renderStep("undo", store.undoes)}
        ${store.redoes === null ? nothing : this.renderStep("redo", store.redoes)}
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
    const step = kind === null ? "" : laterMessage("hints", `undo.${kind}`);
    const title = step === "" ? nothing : message(`edits.${name}Step`, { step });
    return html`<button
      ?disabled=${kind === null}
      title=${title}
      @click=${() => this.session.command(name)}
    >
      ${message(`edits.${name}`)}
    </button>`;
  }

  /** Renders the effect of the edits, which has no place until its part is there. */
  private renderEffect(): TemplateResult | typeof nothing {
    const { session } = this;
    if (!hasEdits(session.state.edits)) return nothing;
    if (EFFECT.failure) return EFFECT.show(this, () => nothing);
    return EFFECT.want()?.renderEffect(session) ?? nothing;
  }
}
