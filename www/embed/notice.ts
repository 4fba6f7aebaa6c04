import { html, nothing, render, type ReactiveElement } from "lit";
import { message } from "../i18n/index.js";

/** What stands in a figure's place. */
export interface NoticeWords {
  sentence: string;
  /** The stable code of a failure. */
  code?: string;
  /** Tries once more. */
  again?: () => void;
}

const looks = new CSSStyleSheet();
looks.replaceSync(`
  :host([state="waiting"]) > :not(.notice),
  :host([state="failed"]) > :not(.notice) { display: none; }
  .notice { margin: 0; color: var(--_muted); }
  .notice p { margin: 0; max-width: 60ch; }
  .notice code { font-size: 12px; }
  .notice button { padding: 4px 0; color: var(--_accent); text-decoration: underline; text-underline-offset: 3px; }
  .notice button:hover { color: var(--_ink); }
`);

/** Words in a figure's shadow root in place of its picture, and the room that is kept for the picture. */
export class Notice {
  private readonly place = document.createElement("div");
  private readonly room = new CSSStyleSheet();

  constructor(private readonly host: ReactiveElement) {
    this.place.className = "notice";
    this.place.setAttribute("part", "notice");
    this.place.setAttribute("role", "status");
  }

  /** Puts the words into the figure, and keeps that height free. */
  show({ sentence, code, again }: NoticeWords, height: number): void {
    const root = this.host.renderRoot;
    if (!(root instanceof ShadowRoot)) return;
    if (!this.place.isConnected) {
      root.append(this.place);
      root.adoptedStyleSheets = [...root.adoptedStyleSheets.filter((sheet) => sheet !== looks && sheet !== this.room), looks, this.room];
    }
    this.room.replaceSync(`:host { min-block-size: ${Math.ceil(height)}px; }`);
    render(
      html`<p>${sentence} ${code === undefined ? nothing : html`<code>${code}</code>`}</p>
        ${again ? html`<button @click=${again}>${message("load.again")}</button>` : nothing}`,
      this.place,
    );
  }

  /** The picture is there. */
  clear(): void {
    render(nothing, this.place);
    this.room.replaceSync("");
  }
}
