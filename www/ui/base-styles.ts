import { css } from "lit";

/** What every part of the page shares: the type scale, quiet buttons, focus rings. */
export const partStyles = css`
  :host {
    display: block;
    font: 400 14px/1.45 var(--headscope-font-ui);
    color: var(--headscope-ink);
  }

  :host([hidden]) {
    display: none;
  }

  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }

  :is(h1, h2, h3, p, dl, dd, ul, ol) {
    margin: 0;
  }

  :is(ul, ol) {
    padding: 0;
    list-style: none;
  }

  :is(h2, h3) {
    font-size: 14px;
    font-weight: 600;
  }

  :is(button, select) {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    padding: 4px 0;
    cursor: pointer;
  }

  :is(button:not(:disabled), select):hover {
    color: var(--headscope-accent);
  }

  button:disabled {
    color: var(--headscope-muted);
    opacity: 0.55;
    cursor: default;
  }

  :focus-visible {
    outline: 2px solid var(--headscope-accent);
    outline-offset: 2px;
    border-radius: 3px;
  }

  :is(option, optgroup) {
    background: var(--headscope-paper);
    color: var(--headscope-ink);
  }

  .muted {
    color: var(--headscope-muted);
  }

  /* In a row that wraps. */
  .inline {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
  }

  .ends {
    justify-content: space-between;
  }

  /* What a line offers to do. */
  .act {
    color: var(--headscope-accent);
    font-weight: 600;
  }

  .link {
    color: var(--headscope-accent);
  }

  :is(.act, .link):disabled {
    color: var(--headscope-muted);
  }

  .boxed {
    padding: 4px 8px;
    border: 1px solid var(--headscope-line);
    border-radius: 6px;
    background: var(--headscope-paper);
  }

  .serif {
    font-family: var(--headscope-font-text);
  }

  .sentence {
    font: 400 15px/1.5 var(--headscope-font-text);
  }

  .sentence .small {
    font: 400 12px/1.5 var(--headscope-font-ui);
  }

  .next {
    margin-top: 8px;
  }

  .end {
    margin-left: auto;
  }

  /* In one line: what does not fit is cut. */
  .cut {
    min-width: 0;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }

  /* Across the page, with this space above and below. */
  .band {
    padding-block: var(--_band, 12px);
    padding-inline: 28px;
    border-bottom: 1px solid var(--headscope-line);
  }

  /* What belongs to an earlier text loses its colour, not its contrast. */
  .stale {
    filter: grayscale(1);
  }

  .small {
    font-size: 12px;
  }

  .numbers {
    font-variant-numeric: tabular-nums;
  }

  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  .foot {
    border-top: 1px solid var(--headscope-line);
    border-bottom: 0;
  }

  @container (max-width: 820px) {
    .band {
      padding-inline: 16px;
    }
  }

  @media (pointer: coarse) {
    :is(button, select) {
      min-height: 40px;
    }
  }
`;

/** Names and numbers in rows. */
export const tableStyles = css`
  table {
    width: 100%;
    border-collapse: collapse;
    text-align: right;
  }

  caption {
    padding-bottom: 4px;
    text-align: left;
    font-weight: 600;
  }

  th {
    font-weight: 400;
    color: var(--headscope-muted);
  }

  :is(th, td) {
    padding: 2px 0 2px 8px;
  }

  :is(th, td):first-child {
    padding-left: 0;
    text-align: left;
  }
`;

/** A thin bar that fills. */
export const progressStyles = css`
  progress {
    flex: 1 1 120px;
    max-width: 320px;
    height: 4px;
    border: 0;
    border-radius: 2px;
    overflow: hidden;
    background: var(--headscope-line);
    appearance: none;
  }

  progress::-webkit-progress-bar {
    background: var(--headscope-line);
  }

  progress::-webkit-progress-value {
    background: var(--headscope-bar);
  }

  progress::-moz-progress-bar {
    background: var(--headscope-bar);
  }
`;

/** A button that is on or off: a small square that is hatched while it is on. */
export const toggleStyles = css`
  .toggle {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    color: var(--headscope-muted);
  }

  .toggle::before {
    content: "";
    width: 12px;
    height: 12px;
    border: 1.5px solid currentColor;
    border-radius: 2px;
  }

  .toggle[aria-pressed="true"] {
    color: var(--headscope-accent);
  }

  .toggle[aria-pressed="true"]::before {
    background: repeating-linear-gradient(45deg, currentColor 0 1.5px, transparent 1.5px 4px);
  }
`;

/** Names and numbers in two columns, and a pair of tokens as a heading. */
export const factsStyles = css`
  dl {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 4px 16px;
    font-variant-numeric: tabular-nums;
  }

  dt {
    color: var(--headscope-muted);
  }

  dd {
    text-align: right;
  }

  dd.result {
    font-weight: 600;
  }

  .pair {
    font: 400 24px/1.3 var(--headscope-font-text);
    overflow-wrap: anywhere;
  }

  section + section {
    margin-top: 20px;
    padding-top: 20px;
    border-top: 1px solid var(--headscope-line);
  }

  .pair span {
    font: 400 14px/1.3 var(--headscope-font-ui);
    color: var(--headscope-muted);
  }
`;

/** What can be folded out: a quiet word that says what is in it, as large as a finger where there are fingers. */
export const foldStyles = css`
  ${tableStyles}

  summary {
    margin-top: 8px;
    color: var(--headscope-accent);
    cursor: pointer;
  }

  details table {
    margin-top: 8px;
  }

  @media (pointer: coarse) {
    summary {
      min-height: 40px;
      align-content: center;
    }
  }
`;
