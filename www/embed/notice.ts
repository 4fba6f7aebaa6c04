import { html, nothing, render, type ReactiveElement } from "lit";
import { renderDetails } from "../elements/shared/templates.js";
import { loadSentences, message, type MessageKey } from "../i18n/index.js";

interface NoticeWords {
  sentence: string;
  code?: string;
  again?: () => void;
}

const styles = new CSSStyleSheet();
styles.replaceSync(`
  :host([state="waiting"]) > :not(.notice),
  :host([state="failed"]) > :not(.notice) { display: none; }
  .notice { margin: 0; color: var(--_muted); }
  .notice p { margin: 0; max-width: 60ch; }
  .notice code { font-size: 12px; }
  .notice button {
    padding: 4px 0;
    color: var(--_accent);
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .notice button:hover { color: var(--_ink); }
`);

/**
 * A message in a figure's shadow root in place of its picture, with the height that is reserved for
 * the picture.
 */
export class Notice {
  private readonly place = document.createElement("div");
  private readonly reserved = new CSSStyleSheet();

  constructor(private readonly host: ReactiveElement) {
    this.place.className = "notice";
    this.place.setAttribute("part", "notice");
    this.clear();
  }

  /**
   * Puts the empty notice into the figure: screen readers announce only changes in an element that
   * exists.
   */
  attach(): void {
    const root = this.host.renderRoot;
    if (!(root instanceof ShadowRoot) || this.place.parentNode === root) return;
    root.append(this.place);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles, this.reserved];
  }

  clear(): void {
    this.show({ sentence: "" });
  }

  wait(key: MessageKey, height = 0): void {
    this.host.setAttribute("state", "waiting");
    this.show({ sentence: message(key) }, height);
  }

  ready(): void {
    this.host.setAttribute("state", "ready");
    this.clear();
  }

  fail(words: NoticeWords, again: () => void): void {
    this.host.setAttribute("state", "failed");
    this.show({ ...words, again });
  }

  /**
   * Shows the message, and reserves `height`. A failure, which can be tried again, interrupts a
   * screen reader.
   */
  show({ sentence, code, again }: NoticeWords, height = 0): void {
    this.reserved.replaceSync(
      // A height that the page sets overrides it.
      height > 0 ? `:host { block-size: ${Math.ceil(height)}px; }` : "",
    );
    const paragraph =
      sentence &&
      html`<p>${sentence} ${code ? renderDetails(html`<code>${code}</code>`) : nothing}</p>`;
    render(
      html`<div role="status">${again ? nothing : paragraph}</div>
        <div role="alert">${again ? paragraph : nothing}</div>
        ${again ? html`<button @click=${again}>${message("embed.again")}</button>` : nothing}`,
      this.place,
    );
  }
}

/** A failure in words. The module with the words may itself be what could not be fetched. */
export async function wordsFor(thrown: unknown): Promise<NoticeWords> {
  try {
    const [{ describeFailure }] = await Promise.all([
      import("./answer.js"),
      loadSentences("notices"),
    ]);
    return describeFailure(thrown);
  } catch {
    return { sentence: message("embed.unreached") };
  }
}
