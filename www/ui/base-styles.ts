import { css } from "lit";

/** What the parts of the page have beyond the style of every element. */
export const partStyles = css`
  :host {
    font-size: inherit;
  }
  :where(button:not(:disabled), select, summary):hover {
    color: var(--_accent);
  }
  :is(option, optgroup) {
    background: var(--_paper);
    color: var(--_ink);
  }
  .invitation {
    padding: 15vh 0;
    text-align: center;
    font: 400 20px/1.5 var(--headscope-font-text);
  }
  :is(.act, .link, .problem, .refusal) {
    color: var(--_accent);
  }
  /* An action; what only leads elsewhere is a link. */
  button.act {
    padding: 3px 12px;
    border: 1px solid var(--_line);
    border-radius: 6px;
  }
  button.act:hover {
    border-color: currentColor;
  }
  :is(.serif, .sentence) {
    font: 400 16px/1.5 var(--headscope-font-text);
  }
  .sentence .small {
    font: 400 12px/1.5 var(--_font-ui);
  }
  .ruled:not(:first-child) {
    margin-top: 16px;
    padding-top: 16px;
    border-top: 1px solid var(--_line);
  }
  /* Across the page, with this space above and below. */
  .band {
    padding-block: var(--_band, 12px);
    padding-inline: 28px;
    border-bottom: 1px solid var(--_line);
  }
  /* A text of the reader or of the model. */
  .large {
    margin: 0;
    padding: 2px 0 8px;
    font: 400 24px/1.35 var(--headscope-font-text);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  /* What belongs to an earlier text loses its colour, not its contrast. */
  .stale {
    filter: grayscale(1);
  }
  .failure {
    padding-left: 16px;
    border-left: 4px solid var(--_accent);
  }
  progress {
    flex: 1 1 120px;
    max-width: 320px;
    height: 6px;
    accent-color: var(--_bar);
  }
  textarea {
    width: 100%;
    color: inherit;
    font: inherit;
  }
  :is(.toggle, .candidate, [popovertarget]) {
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }
  /* A button that is on or off: a small square that is hatched while it is on. */
  .toggle {
    color: var(--_muted);
  }
  .toggle::before {
    content: "";
    width: 12px;
    height: 12px;
    border: 1.5px solid currentColor;
    border-radius: 2px;
  }
  .toggle[aria-pressed="true"] {
    color: var(--_accent);
  }
  .toggle[aria-pressed="true"]::before {
    background: repeating-linear-gradient(45deg, currentColor 0 1.5px, transparent 1.5px 4px);
  }
  /* Names and numbers in two columns, and a pair of tokens as a heading. */
  dl {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 4px 16px;
  }
  dd {
    text-align: right;
  }
  .pair {
    font: 400 24px/1.3 var(--headscope-font-text);
  }
  .pair span {
    font: 400 14px/1.3 var(--_font-ui);
    color: var(--_muted);
  }
  /* What can be folded out: a quiet word that says what is in it. */
  summary {
    align-content: center;
    margin-top: 8px;
    color: var(--_accent);
    cursor: pointer;
  }
  th[scope="row"] {
    white-space: normal;
    overflow-wrap: anywhere;
  }
  /* A sheet of choices under a button, which a small arrow head marks. */
  [popovertarget] {
    white-space: nowrap;
  }
  [popovertarget]::after {
    content: "";
    flex: none;
    width: 5px;
    height: 5px;
    margin-top: -4px;
    border: solid currentColor;
    border-width: 0 1.5px 1.5px 0;
    rotate: 45deg;
  }
  :is([popover], dialog) {
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: var(--_paper);
    color: inherit;
  }
  [popover] {
    inset: auto;
    margin: 0;
    width: min(var(--_width), 100vw - 32px);
    max-height: calc(100dvh - 32px);
    padding: 12px 16px;
    box-shadow: 0 8px 32px rgb(0 0 0 / 12%);
  }
  .dot {
    align-self: center;
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--_accent);
  }
  @container not (max-width: 820px) {
    .narrow {
      display: none;
    }
  }
  @container (max-width: 820px) {
    .band {
      padding-inline: 16px;
    }
    .wide {
      display: none;
    }
  }
  @container (max-width: 700px) {
    .large {
      font-size: 20px;
    }
  }
`;
