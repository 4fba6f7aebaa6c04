import { css } from "lit";

/** The page's plan, by its own width, not the window's: three columns where it is wide, one on a phone. */
export const explorerStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    font-size: 14px;
    /* All parts ask how wide the explorer is. */
    container-type: inline-size;
    /* How tall the tour is where it lies at the bottom of the window. */
    --headscope-tour-sheet: min(36vh, 272px);
  }
  :host([page]) {
    min-height: 100dvh;
  }
  .parts {
    display: grid;
    flex: 1;
    grid-template-columns: clamp(308px, 24cqw, 480px) minmax(0, 1fr) 300px;
  }
  .parts > * {
    min-width: 0;
    padding: 20px 28px 24px;
  }
  .parts > * + * {
    border-left: 1px solid var(--_line);
  }
  /* What does not change while the pointer moves over the picture is not painted again with what does. */
  headscope-sentence-bar,
  headscope-heads-panel,
  headscope-inspector {
    isolation: isolate;
  }
  /* Positions are about no pair, so there is nothing to inspect. */
  .parts > :is(headscope-picture-panel:last-child, headscope-pairs-panel) {
    grid-column: 2 / -1;
  }
  /* What the card of the tour is about. */
  :host([touring="headscope-heads-panel"]) headscope-heads-panel,
  :host([touring="headscope-picture-panel"]) :is(headscope-picture-panel, headscope-pairs-panel),
  :host([touring="headscope-inspector"]) headscope-inspector,
  :host(:is([touring="headscope-edits-panel"], [touring="headscope-bench"])) headscope-bench {
    box-shadow: inset 0 2px var(--_accent);
  }
  .edits,
  .phone {
    background: var(--_paper);
  }
  /* Visible wherever the page is scrolled to: a file is opened from the footer. */
  headscope-notices {
    position: sticky;
    top: 0;
    z-index: 2;
  }
  /* Edits and experiments stay in sight below a tall picture; a low window cannot show both. */
  @media (min-height: 621px) {
    :host(:not([tab])) .edits {
      position: sticky;
      bottom: 0;
      z-index: 2;
    }
  }
  /* On a wide page of its own the open experiment has the right side, from top to bottom. */
  @media (min-width: 1240px) and (min-height: 621px) {
    :host([page][experimenting]) {
      --_side: clamp(420px, 34vw, 720px);
      position: relative;
      padding-right: var(--_side);
    }
    :host([page][experimenting]) .edits {
      display: contents;
      position: static;
    }
    :host([page][experimenting]) headscope-edits-panel {
      position: sticky;
      bottom: 0;
      z-index: 2;
      background: var(--_paper);
    }
    :host([page]) headscope-bench {
      position: absolute;
      inset: 0 0 0 auto;
      width: var(--_side);
    }
  }
  .skip {
    position: absolute;
    inset: 8px auto auto 8px;
    z-index: 1;
    padding: 8px 16px;
    background: var(--_ink);
    color: var(--_paper);
  }
  @container (max-width: 1100px) {
    .parts {
      grid-template-columns: 300px minmax(0, 1fr);
    }
    .parts > headscope-inspector {
      grid-column: 1 / -1;
      border: solid var(--_line);
      border-width: 1px 0 0;
    }
  }
  @container (max-width: 820px) {
    .parts {
      display: block;
    }
    .parts > * {
      padding: 8px 16px 16px;
    }
  }
`;

/** The tabs of a narrow page, and what else is different while one part of it is shown at a time. */
export const phoneStyles = css`
  /* Read before the parts, seen at the lower edge of the window. */
  .phone {
    order: 1;
    position: sticky;
    bottom: 0;
    z-index: 1;
    padding-bottom: env(safe-area-inset-bottom);
    border-top: 1px solid var(--_line);
  }
  .line {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 4px 16px;
    min-height: 44px;
    padding: 0 16px;
    border-bottom: 1px solid var(--_line);
  }
  .line .muted {
    font: 400 13px/1.4 var(--_font-ui);
  }
  .value {
    flex: none;
    max-width: 55%;
    text-align: end;
  }
  [role="tablist"] {
    display: flex;
  }
  [role="tab"] {
    flex: 1 1 0;
    min-height: 48px;
    margin-top: -1px;
    border-top: 2px solid transparent;
    color: var(--_muted);
    outline-offset: -3px;
  }
  [role="tab"][aria-selected="true"] {
    border-color: var(--_accent);
    color: var(--_ink);
    font-weight: 600;
  }
  .count {
    display: inline-block;
    min-width: 20px;
    padding: 0 5px;
    border-radius: 10px;
    background: var(--_ink);
    color: var(--_paper);
    font: 600 12px/20px var(--_font-ui);
  }
  /* The picture needs the height. */
  @media (max-height: 500px) {
    .line {
      display: none;
    }
  }
  /* Only one part is shown. */
  :host([tab]) .parts > * {
    border: 0;
  }
  :host([tab="edits"]) .parts {
    flex: none;
  }
  :host([tab="edits"]) .edits {
    flex: 1;
  }
  :host([tab][touring]) .phone {
    bottom: var(--headscope-tour-sheet);
  }
  /* The tour's text replaces it. */
  :host([tab][touring]) .line {
    display: none;
  }
`;
