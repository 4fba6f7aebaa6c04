import { html, nothing, render, type ReactiveElement } from "lit";
import { tellFailure, UNREACHED, type FailedDetail } from "../elements/events.js";
import { renderDetails } from "../elements/shared/templates.js";
import { loadSentences, message, type MessageKey } from "../i18n/index.js";

/** The code of a figure that has nothing to show, whatever is tried. */
export const NOTHING = "figure/nothing";

export interface NoticeWords {
  sentence: string;
  code?: string;
  again?: () => void;
}

const CSS = `
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
  .instead { display: none; }
  @media print {
    :host(:is([state="waiting"], [state="failed"])) { block-size: auto !important; }
    :host(:is([state="waiting"], [state="failed"])) .instead { display: contents !important; }
    :host(:is([state="waiting"], [state="failed"])) .instead + .notice { display: none; }
  }
`;

const sheets = new Map<string, CSSStyleSheet>();

/** The style sheet of a text, made when a figure first needs it: only a page can make one. */
export function sheetOf(text: string): CSSStyleSheet {
  const known = sheets.get(text);
  if (known) return known;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  sheets.set(text, sheet);
  return sheet;
}

/**
 * A message in a figure's shadow root in place of its picture, with the height that is reserved for
 * the picture. A page that is printed before the picture is there has what its author wrote into
 * the figure instead.
 */
export class Notice {
  private readonly place = document.createElement("div");
  private readonly instead = document.createElement("slot");
  private attached = false;
  private readonly reserved = new CSSStyleSheet();

  constructor(private readonly host: ReactiveElement) {
    this.instead.className = "instead";
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
    if (!(root instanceof ShadowRoot) || this.attached) return;
    this.attached = true;
    root.append(this.instead, this.place);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheetOf(CSS), this.reserved];
  }

  /** Puts the notice back, where an update of the figure has removed it. */
  keep(): void {
    if (!this.attached || this.place.parentNode !== null) return;
    this.host.renderRoot.append(this.instead, this.place);
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

  /** Shows a failure, which can be tried again unless there is nothing to try. */
  fail(words: FailedDetail, again?: () => void): void {
    tellFailure(this.host, words);
    this.show({ ...words, ...(again && { again }) }, 0, true);
  }

  /** Shows that a part of Headscope itself was not fetched. */
  unreached(again: () => void): void {
    this.fail(unreachedWords(), again);
  }

  /** Shows the message, and reserves `height`. A failure interrupts a screen reader. */
  show({ sentence, code, again }: NoticeWords, height = 0, fails = again !== undefined): void {
    this.reserved.replaceSync(
      // A height that the page sets overrides it.
      height > 0 ? `:host { block-size: ${Math.ceil(height)}px; }` : "",
    );
    const paragraph =
      sentence &&
      html`<p>${sentence} ${code ? renderDetails(html`<code>${code}</code>`) : nothing}</p>`;
    render(
      html`<div role="status">${fails ? nothing : paragraph}</div>
        <div role="alert">${fails ? paragraph : nothing}</div>
        ${again ? html`<button @click=${again}>${message("embed.again")}</button>` : nothing}`,
      this.place,
    );
  }
}

/** In words that a part of Headscope itself was not fetched. */
const unreachedWords = (): FailedDetail => ({
  sentence: message("embed.unreached"),
  code: UNREACHED,
});

/** A failure in words. The module with the words may itself be what could not be fetched. */
export async function wordsFor(thrown: unknown): Promise<FailedDetail> {
  try {
    const [{ describeFailure }] = await Promise.all([
      import("../session/run/failures.js"),
      loadSentences("notices"),
    ]);
    return describeFailure(thrown);
  } catch {
    return unreachedWords();
  }
}
