import { css } from "lit";

/**
 * The style of every element of the page and of the package. A property `--headscope-…` that the page does not set
 * follows the page's color-scheme.
 */
export const baseStyles = css`
  :host {
    --_ink: var(--headscope-ink, light-dark(#191b1f, #f2efe8));
    --_paper: var(--headscope-paper, light-dark(#fbfaf6, #15161a));
    --_muted: var(--headscope-muted, light-dark(#66645f, #a19e96));
    --_line: var(--headscope-line, light-dark(#e2e0d8, #2d2f35));
    --_accent: var(--headscope-accent, light-dark(#b3431b, #f0885e));
    --_chip: var(--headscope-chip, light-dark(#f1efe8, #22242a));
    --_cell: var(--headscope-cell, light-dark(#ffffff, #1c1d24));
    --_bar: var(--headscope-bar, light-dark(#37458c, #8ea0ec));
    --_font-ui: var(--headscope-font-ui, "Noto Sans", system-ui, "Segoe UI", Roboto, "Noto Sans SC", sans-serif);
    /* The least height of a control where there are fingers. */
    --_touch: 0px;
    display: block;
    color: var(--_ink);
    font: 400 14px/1.45 var(--_font-ui);
    font-variant-numeric: tabular-nums;
    overflow-wrap: break-word;
  }
  @media (pointer: coarse) {
    :host {
      --_touch: 40px;
    }
  }
  :host([hidden]) {
    display: none;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  :is(h1, h2, h3, p, dl, dd, ul, ol, figure, fieldset, input) {
    margin: 0;
  }
  :is(ul, ol, fieldset) {
    padding: 0;
    border: 0;
    list-style: none;
  }
  :is(h2, h3) {
    font-size: 14px;
    font-weight: 600;
  }
  h3 {
    margin-bottom: 4px;
  }
  :is(b, .strong, .result) {
    font-weight: 600;
  }
  :is(button, select) {
    padding: 4px 0;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  :where(button, select, summary, label:has([type="checkbox"]), input:not([type="checkbox"])) {
    min-height: var(--_touch);
  }
  :where(button) {
    min-width: min(24px, var(--_touch));
  }
  button:is(:disabled, [aria-disabled="true"]) {
    color: var(--_muted);
    opacity: 0.55;
    cursor: default;
  }
  input {
    accent-color: var(--_accent);
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
    border-radius: 3px;
  }
  :is(.muted, caption, th, dt, .foot, .empty) {
    color: var(--_muted);
  }
  .small {
    --headscope-segment: 1px 10px;
    font-size: 12px;
  }
  /* Space above. */
  .next {
    margin-top: 8px;
  }
  .apart {
    margin-top: 12px;
  }
  .far {
    margin-top: 16px;
  }
  .end {
    margin-left: auto;
  }
  :is(.inline, .foot) {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
  }
  .baseline {
    align-items: baseline;
  }
  .ends {
    display: flex;
    justify-content: space-between;
  }
  .columns {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(var(--_least), 100%), 1fr));
    align-items: start;
    gap: 16px 24px;
  }
  .cut {
    min-width: 0;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .chip {
    border-radius: 4px;
    background: var(--_chip);
  }
  /* What the model adds to a text, or may add. */
  .special {
    background: none;
    outline: 1px dashed var(--_line);
    outline-offset: -1px;
    color: var(--_muted);
  }
  .boxed {
    min-height: max(32px, var(--_touch));
    padding: 4px 10px;
    border: 1px solid var(--_line);
    border-radius: 5px;
    background: var(--_paper);
    color: var(--_ink);
  }
  .boxed:hover:not(:disabled) {
    border-color: var(--_muted);
  }
  :is(.underlined, .foot button) {
    color: var(--_muted);
    text-decoration: underline var(--_line);
    text-underline-offset: 3px;
  }
  :is(.underlined, .foot button):hover {
    color: var(--_ink);
  }
  .visually-hidden:not(:focus) {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  /* Contained: a new sentence does not lay out the page again. */
  .visually-hidden[aria-live] {
    top: 0;
    left: 0;
    contain: strict;
  }
  /* A bar whose length is a share of its track. Contained: a new bar does not lay out the page again. */
  :is(.track, .track i) {
    display: block;
    height: 8px;
    contain: layout size;
  }
  .track i {
    min-width: 1px;
    border-radius: 1px;
    background: var(--_bar);
  }
  /* A line at zero where some bars are negative; these have the hue of negative cells. */
  .track.signed {
    height: 20px;
    padding-block: 6px;
    background: linear-gradient(var(--_muted), var(--_muted)) var(--_zero) 0 / 1px 100% no-repeat;
  }
  .track .below {
    background: light-dark(#b9623a, #d9804f);
  }
  table {
    border-collapse: collapse;
    font-size: 13px;
    text-align: right;
  }
  caption {
    padding-bottom: 4px;
    text-align: left;
  }
  :is(th, td) {
    padding: 3px 0 3px 16px;
    border-bottom: 1px solid var(--_line);
    white-space: nowrap;
  }
  :is(th, td):first-child {
    padding-left: 0;
    text-align: left;
  }
  th {
    font-weight: 400;
  }
  /* The names of rows and columns stay while the numbers scroll. */
  .scroll {
    max-width: 100%;
    max-height: 360px;
    margin-top: 8px;
    overflow: auto;
  }
  .scroll th {
    position: sticky;
    background: var(--_paper);
  }
  .scroll thead th {
    top: 0;
  }
  .scroll tbody th {
    left: 0;
  }
  /* A figure: a stage whose canvases fill it, and the line under it. */
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
  .foot {
    gap: 4px 20px;
    justify-content: center;
    margin-top: 12px;
    font-size: 13px;
  }
  .empty {
    padding: 48px 16px;
    text-align: center;
  }
  .technical {
    display: inline-block;
    margin-inline: 8px;
  }
  .technical summary {
    margin: 0;
    color: inherit;
    text-decoration: underline dotted;
  }
`;

/** The style of a figure about pairs. */
export const matrixStyles = css`
  .controls {
    gap: 4px 32px;
    margin-bottom: 8px;
    color: var(--_muted);
    font-size: 13px;
  }
  table {
    margin: 0 auto;
  }
  .frame {
    overflow: auto hidden;
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
  /* What lies over the stage. Contained: a moved tooltip does not lay out the page again. */
  .tips {
    position: absolute;
    z-index: 1;
    inset: 0;
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
    white-space: nowrap;
    will-change: transform;
  }
  .tip b {
    flex: none;
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
    --_stroke: var(--_muted);
    width: 14px;
    height: 14px;
    border: 1px solid var(--_line);
  }
  .sign .blocked {
    --_stroke: var(--_accent);
    border-color: var(--_accent);
  }
  .sign :is(.forbidden, .blocked) {
    background: repeating-linear-gradient(-45deg, var(--_stroke) 0 1px, transparent 1px 4px);
  }
`;
