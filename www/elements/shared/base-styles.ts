// The looks that all elements share. A page sets `--headscope-…`; what it leaves
// out follows the page's color-scheme, so an element is legible wherever it lands.
import { css } from "lit";

export const baseStyles = css`
  :host {
    --_ink: var(--headscope-ink, light-dark(#1b1c20, #eceae5));
    --_paper: var(--headscope-paper, light-dark(#fbfaf6, #16171b));
    --_muted: var(--headscope-muted, light-dark(#66645f, #9c9a95));
    --_line: var(--headscope-line, light-dark(#e3e1da, #2e2f36));
    --_accent: var(--headscope-accent, light-dark(#b4441a, #f08a5d));
    --_chip: var(--headscope-chip, light-dark(#f1efe7, #23242a));
    --_cell: var(--headscope-cell, light-dark(#ffffff, #1c1d24));
    --_bar: var(--headscope-bar, light-dark(#34408c, #8ea1f0));
    --_font-ui: var(--headscope-font-ui, "Noto Sans", system-ui, "Segoe UI", Roboto, "Noto Sans SC", sans-serif);
    display: block;
    color: var(--_ink);
    font: 14px/1.45 var(--_font-ui);
    font-variant-numeric: tabular-nums;
  }

  :host([hidden]) {
    display: none;
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  button {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    padding: 0;
    cursor: pointer;
  }

  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }

  .heard {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  /* What is said anew is laid out without the page around it, which takes a place of its own as well. */
  .heard[aria-live] {
    top: 0;
    left: 0;
    contain: strict;
  }
`;
