/** The form that writes a text as a chat: a system line, what the user says, and the template. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { message } from "../i18n/index.js";
import { formStyles } from "../kit/form.js";
import { asFailure, describeFailure } from "../session/run/failures.js";
import { SessionPart } from "../session/session.js";
import { Popover } from "../ui/popover.js";

/** The width of the sheet with the form. */
const SHEET_WIDTH = 420;

/** The button above the text of a model with a chat template, and the sheet that it opens. */
@customElement("headscope-chat-menu")
export class HeadscopeChatMenu extends SessionPart {
  static override styles = [
    formStyles,
    css`
      .form {
        display: grid;
        gap: 10px;
      }
      p {
        margin: 0;
      }
      p:empty {
        display: none;
      }
      label.line {
        display: grid;
        gap: 4px;
      }
      textarea {
        box-sizing: border-box;
        width: 100%;
        resize: vertical;
      }
    `,
  ];

  /** The lines of the form; null for those of the text. */
  @state() private system = "";
  @state() private user: string | null = null;
  /** The sentence with which the template was refused. */
  @state() private trouble = "";

  private readonly sheet = new Popover(this, SHEET_WIDTH, () => (this.trouble = ""));

  override render(): TemplateResult {
    const isOn = this.session.state.chat === "on";
    return html`<button
        popovertarget="sheet"
        aria-haspopup="dialog"
        aria-expanded=${this.sheet.expanded}
      >
        ${message(isOn ? "chat.on" : "chat.open")}
      </button>
      <div id="sheet" popover role="dialog" aria-label=${message("chat.label")}>
        ${this.sheet.expanded ? this.renderForm(isOn) : nothing}
      </div>`;
  }

  /** What the user says: what was typed here, else the text unless the template wrote it. */
  private get said(): string {
    const { text, chat } = this.session.state;
    return this.user ?? (chat === "on" ? "" : text);
  }

  private renderForm(isOn: boolean): TemplateResult {
    const field = (
      name: "system" | "user",
      value: string,
      take: (text: string) => void,
    ): TemplateResult =>
      html`<label class="line"
        >${message(`chat.${name}`)}
        <textarea
          id=${name}
          rows=${name === "system" ? 1 : 3}
          dir="auto"
          .value=${value}
          @input=${({ target }: Event) => take((target as HTMLTextAreaElement).value)}
        ></textarea>
      </label>`;
    return html`<div class="form">
      <p class="small muted">${message("chat.about")}</p>
      ${field("system", this.system, (text) => (this.system = text))}
      ${field("user", this.said, (text) => (this.user = text))}
      <div class="inline">
        <button class="act" id="write" @click=${() => void this.write()}>
          ${message("chat.write")}
        </button>
        ${
          isOn
            ? html`<button id="plain" @click=${this.readPlainly}>${message("chat.plain")}</button>`
            : nothing
        }
      </div>
      ${isOn ? html`<p class="small muted">${message("chat.isOn")}</p>` : nothing}
      <p role="alert">${this.trouble}</p>
    </div>`;
  }

  private async write(): Promise<void> {
    const { session, system, said } = this;
    const { model } = session.computation;
    if (!model) return;
    const lines = [
      ...(system.trim() === "" ? [] : [{ role: "system", content: system }]),
      { role: "user", content: said },
    ];
    try {
      const text = await model.chatText(lines);
      // Another model may have come meanwhile.
      if (session.computation.model !== model) return;
      this.user = said;
      session.store.step({ ...FRESH, text, chat: "on" });
      this.sheet.close();
    } catch (thrown) {
      this.trouble = troubleOf(thrown);
    }
  }

  private readonly readPlainly = (): void => {
    const { session, user } = this;
    session.store.step({ ...FRESH, ...(user !== null && { text: user }), chat: "off" });
    this.sheet.close();
  };
}

/** What belongs to the tokens of the text before. */
const FRESH = { target: null, masked: [], pairs: [], locked: null } as const;

function troubleOf(thrown: unknown): string {
  const failure = asFailure(thrown);
  const { code, got, expected } = failure;
  if (code === "chat/refused") return message("chat.refused", { got });
  if (code === "chat/unsupported") return message("chat.unsupported", { got });
  if (code === "chat/no-template") return message("chat.names", { expected });
  return describeFailure(failure).sentence;
}
