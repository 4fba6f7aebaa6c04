import { css, html, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { QUESTIONS } from "../../state/index.js";
import { choice } from "../../ui/choice.js";
import { SessionPart } from "../session.js";
import { arrivalAt, HELP_PARTS, type HelpPart, stateAt } from "./steps.js";

/** What each key does; the page, the grid and the figures listen for them. */
const KEYS: readonly { keys: readonly string[]; meaning: MessageKey }[] = [
  { keys: ["↑ ↓ ← →"], meaning: "keys.move" },
  { keys: ["Enter"], meaning: "keys.lock" },
  { keys: ["Shift Enter"], meaning: "keys.pick" },
  { keys: ["Esc"], meaning: "keys.release" },
  { keys: ["b"], meaning: "keys.block" },
  { keys: ["s"], meaning: "keys.silence" },
  { keys: ["o"], meaning: "keys.solo" },
  { keys: ["+", "−", "0"], meaning: "keys.zoom" },
  { keys: ["[", "]"], meaning: "keys.layer" },
  { keys: [",", "."], meaning: "keys.head" },
  { keys: ["Ctrl Z", "Ctrl Y"], meaning: "keys.undo" },
  { keys: ["?"], meaning: "keys.help" },
];

const GPT = "model=models/tiny-gpt&text=The cat bites the dog.&stack=decoder";

/** Terms of the field, each with an address that shows it. */
export const TERMS = {
  token: "",
  embedding: "stack=encoder&layer=1&picture=steps&number=input.2-1",
  position: "stack=encoder&picture=positions",
  projection: "picture=dimensions&cell=5-5",
  raw: "stage=raw&cell=5-5",
  scaled: "stage=scores&cell=5-5",
  weights: "cell=5-5",
  head: "stack=encoder",
  context: "picture=steps&cell=5-5&number=context.5-1",
  output: "picture=steps&cell=5-5&number=attended.5-1",
  residual: "picture=steps&cell=5-5&number=sum.5-1",
  norm: "picture=steps&cell=5-5&number=normed.5-1",
  ffn: "picture=steps&cell=5-5&number=ff-hidden.5-1",
  encoder: "stack=encoder",
  decoder: "stack=decoder",
  cross: "",
  causal: `${GPT}&picture=mask`,
  padding: "stack=encoder&bench=masks&labs=masks(open-pad)",
  logits: `${GPT}&cell=5-5`,
  masked: "model=models/tiny-bert&text=He does not speak French.&hidden=5&stack=encoder",
  sink: `${GPT}&layer=3&head=1`,
  induction:
    "model=models/tiny-gpt&text=He has an old car. He has an old&stack=decoder&layer=3&head=3",
  ablation:
    "edits={'heads':[{'stack':'cross','layers':[1],'heads':[4],'gate':0}]}&compare=original",
  entropy: "sort=entropy",
  rope: "stack=encoder&bench=positions&labs=places(open-yes,part-rotary)",
} as const;
const TERM_NAMES = Object.keys(TERMS) as (keyof typeof TERMS)[];

/** Questions that a State answers, terms with an example each, and keys. */
@customElement("headscope-help-dialog")
export class HeadscopeHelpDialog extends SessionPart {
  static override styles = css`
    dialog {
      width: min(720px, 100vw - 32px);
      max-height: min(760px, 100dvh - 32px);
      margin: auto;
      padding: 24px 28px;
    }
    dialog::backdrop {
      background: rgb(0 0 0 / 35%);
    }
    ul {
      columns: 300px;
      column-gap: 32px;
    }
    li {
      break-inside: avoid;
      padding: 4px 0;
    }
    li button {
      text-align: left;
    }
    dl {
      grid-template-columns: auto 1fr;
      gap: 8px 24px;
    }
    dd {
      text-align: left;
    }
    :is(ul, dl, p) {
      margin: 16px 0;
    }
    kbd {
      padding: 2px 8px;
      color: var(--_ink);
      font: inherit;
    }
  `;

  @query("dialog") private readonly dialog!: HTMLDialogElement;
  @state() private shown: HelpPart = "questions";

  override render(): TemplateResult {
    const { shown } = this;
    const name = (one: HelpPart): string => message(`help.${one}`);
    return html`<dialog aria-label=${message("help.title")}>
      ${choice(message("help.part"), HELP_PARTS, shown, name, (chosen) => (this.shown = chosen), "tabs")}
      ${shown === "questions" ? this.renderQuestions() : shown === "terms" ? this.renderTerms() : renderKeys()}
      <form method="dialog"><button class="act">${message("help.close")}</button></form>
    </dialog>`;
  }

  private renderQuestions(): TemplateResult {
    const { store } = this.session;
    return html`<ul>${QUESTIONS.map(
      (question) =>
        html`<li><button class="link" @click=${() => this.go(arrivalAt(question, store.state))}>${message(`tour.${question}.title`)}</button></li>`,
    )}</ul>`;
  }

  private renderTerms(): TemplateResult {
    const { store } = this.session;
    return html`<ul>${TERM_NAMES.map(
      (term) =>
        html`<li><b>${message(`term.${term}`)}</b> <button class="link small" aria-label=${`${message("help.see")}: ${message(`term.${term}`)}`} @click=${() => this.go(stateAt(TERMS[term], store.state))}>${message("help.see")}</button><br />${message(`term.${term}.means`)}</li>`,
    )}</ul>`;
  }

  private go(state: ReturnType<typeof stateAt>): void {
    this.dialog.close();
    this.session.store.step(state);
  }

  /** Opens a part. It renders again before: it is on the page before its sentences are loaded. */
  async show(part: HelpPart): Promise<void> {
    this.shown = part;
    this.requestUpdate();
    await this.updateComplete;
    if (!this.dialog.open) this.dialog.showModal();
  }
}

function renderKeys(): TemplateResult {
  return html`<dl>${KEYS.map(({ keys, meaning }) => html`<dt>${keys.map((key) => html`<kbd class="chip">${key}</kbd> `)}</dt><dd>${message(meaning)}</dd>`)}</dl>
    <p class="small muted">${message("keys.undoable")}</p>`;
}
