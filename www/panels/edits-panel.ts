import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement } from "lit/decorators.js";
import "../elements/chips.js";
import { laterMessage, message } from "../i18n/index.js";
import { hasEdits, NO_EDITS, refOf, removeEdit, type StepKind } from "../state/index.js";
import { renderExperimentButtons } from "../experiments/experiments.js";
import { SessionPart } from "../session/session.js";
import { Later } from "../ui/lazy.js";
import { markedWords } from "./controls.js";
import styles from "./edits-panel.css?inline";

const RIBBON = new Later(() => import("./output-ribbon.js"));

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

  /** Renders what the model writes with the edits and without them, and the likeliest tokens. */
  private renderEffect(): TemplateResult | typeof nothing {
    const { state, computation, pairs, info } = this.session;
    if (!hasEdits(state.edits)) return nothing;
    const { output, unedited } = computation;
    const expectation = pairs?.changes?.expectation ?? null;
    const texts = output !== null && output.of === unedited?.of;
    if (!texts && expectation === null) return nothing;
    return html`<div class="effect">
      ${texts ? renderOutputs(output.words, unedited.words) : nothing}
      ${
        expectation
          ? RIBBON.show(
              this,
              () =>
                html`<headscope-output-ribbon
                  .changes=${expectation}
                  .info=${info}
                ></headscope-output-ribbon>`,
            )
          : nothing
      }
    </div>`;
  }
}

/** Renders the output with the edits beside that without them; each marks the words of its own. */
function renderOutputs(edited: string, unedited: string): TemplateResult {
  const same = edited === unedited;
  const line = (name: "edited" | "unedited", own: string, other: string): TemplateResult =>
    html`<p class="sentence ${name}">
      <span class="small muted">${message(`text.${name}`)}</span>
      ${own.trim() === "" ? message("go.nothing") : markedWords(own, other)}
    </p>`;
  return html`<div class="outputs" role="status">
    ${line("edited", edited, unedited)}
    ${
      same
        ? html`<p class="small muted">${message("text.unchanged")}</p>`
        : line("unedited", unedited, edited)
    }
  </div>`;
}
