import { css, type CSSResult } from "lit";

/** The style of all elements. A property `--headscope-…` that the page does not set follows the page's color-scheme. */
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

  ul,
  ol {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  figure {
    margin: 0;
  }

  h3 {
    margin: 0 0 8px;
    font-size: 14px;
    font-weight: 600;
  }

  figcaption {
    font-size: 12px;
    color: var(--_muted);
  }

  .wrap {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
  }

  .edged {
    min-height: 32px;
    padding: 4px 10px;
    border: 1px solid var(--_line);
    border-radius: 4px;
  }

  .edged:hover:not(:disabled) {
    border-color: var(--_muted);
  }

  .underlined,
  .foot button {
    color: var(--_muted);
    text-decoration: underline;
    text-decoration-color: var(--_line);
    text-underline-offset: 3px;
  }

  .underlined:hover,
  .foot button:hover:not([aria-disabled="true"]) {
    color: var(--_ink);
  }

  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }

  .spoken {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  /* Contained: a new sentence does not lay out the page again. */
  .spoken[aria-live] {
    top: 0;
    left: 0;
    contain: strict;
  }
`;

/** The style of the line under a picture, and of tables. */
export const tableStyles = css`
  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 20px;
    align-items: center;
    justify-content: center;
    margin-top: 12px;
    color: var(--_muted);
    font-size: 12.5px;
  }

  .foot button {
    padding: 4px 0;
  }

  .foot button[aria-disabled="true"] {
    opacity: 0.55;
    text-decoration: none;
    cursor: default;
  }

  .numbers {
    margin-top: 8px;
    max-height: 360px;
    overflow: auto;
  }

  .numbers p {
    margin: 0 0 8px;
    color: var(--_muted);
  }

  table {
    margin: 0 auto;
    border-collapse: collapse;
    font-size: 12.5px;
  }

  caption {
    padding-bottom: 4px;
    color: var(--_muted);
    text-align: left;
  }

  th,
  td {
    padding: 3px 8px;
    text-align: right;
    white-space: nowrap;
    border-bottom: 1px solid var(--_line);
  }

  th {
    color: var(--_muted);
    font-weight: 400;
  }

  thead th {
    position: sticky;
    top: 0;
    background: var(--_paper);
  }

  /* The name of a row stays while its numbers scroll. */
  tbody th {
    position: sticky;
    left: 0;
    background: var(--_paper);
  }
`;

/** The style of a figure: a stage whose canvases fill it, the line under it, its table. */
export const figureStyles: CSSResult[] = [
  baseStyles,
  tableStyles,
  css`
    .stage {
      position: relative;
      cursor: crosshair;
      -webkit-tap-highlight-color: transparent;
    }

    .stage:focus-visible {
      outline-offset: -2px;
    }

    canvas {
      position: absolute;
      inset: 0;
      width: 100%;
      height: 100%;
    }

    .empty {
      margin: 0;
      padding: 48px 16px;
      color: var(--_muted);
      text-align: center;
    }
  `,
];

/** The style of a figure about pairs. */
export const matrixStyles: CSSResult[] = [
  ...figureStyles,
  css`
    .controls {
      color: var(--_muted);
      font-size: 12.5px;
    }

    .frame {
      overflow-x: auto;
      overflow-y: hidden;
    }

    /* A long text scrolls; the canvases stay in the window. */
    .scrolled {
      overflow-y: auto;
    }

    .window {
      position: sticky;
      top: 0;
    }

    /* The figure handles two fingers; in a region, also one. */
    .frame:not(.scrolled) .stage {
      touch-action: pan-x pan-y;
    }

    .frame.near .stage {
      cursor: grab;
      touch-action: none;
    }

    .frame.near .stage:active {
      cursor: grabbing;
    }

    .frame.painting .stage {
      cursor: crosshair;
      touch-action: none;
    }

    /* Contained: a moved tooltip does not lay out the page again. */
    .tips {
      position: absolute;
      inset: 0;
      z-index: 1;
      contain: layout size;
      pointer-events: none;
    }

    .tip {
      position: absolute;
      top: 0;
      display: flex;
      gap: 8px;
      padding: 4px 10px 5px;
      border-radius: 5px;
      background: var(--_ink);
      color: var(--_paper);
      font-size: 13px;
      line-height: 1.35;
      pointer-events: none;
      white-space: nowrap;
      will-change: transform;
    }

    .tip b {
      flex: none;
      font-weight: 600;
    }

    .pair {
      overflow: hidden;
      text-overflow: ellipsis;
    }

    .tip .arrow {
      opacity: 0.7;
      padding: 0 2px;
    }

    .sign {
      display: inline-flex;
      gap: 8px;
      align-items: center;
    }

    .sign i {
      width: 14px;
      height: 14px;
      border: 1px solid var(--_line);
    }

    .sign .forbidden {
      background: repeating-linear-gradient(-45deg, var(--_muted) 0 1px, transparent 1px 4px);
    }

    .sign .blocked {
      border-color: var(--_accent);
      background: repeating-linear-gradient(-45deg, var(--_accent) 0 1px, transparent 1px 4px);
    }
  `,
];
