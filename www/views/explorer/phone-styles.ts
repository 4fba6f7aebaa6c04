import { css } from "lit";

/** The tabs of a narrow page, and what else is different while one part of it is shown at a time. */
export const phoneStyles = css`
  /* Read before the parts, seen at the lower edge of the window. */
  .phone {
    order: 1;
    position: sticky;
    bottom: 0;
    z-index: 1;
    padding-bottom: env(safe-area-inset-bottom);
    border-top: 1px solid var(--headscope-line);
    background: var(--headscope-paper);
  }

  .phone .line {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 4px 16px;
    min-height: 44px;
    padding: 0 16px;
    border-bottom: 1px solid var(--headscope-line);
  }

  .phone .line > :first-child {
    min-width: 0;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
    font: 400 16px/1.4 var(--headscope-font-text);
  }

  .phone .pair .muted {
    font: 400 13px/1.4 var(--headscope-font-ui);
  }

  .phone .value {
    flex: none;
    max-width: 55%;
    text-align: end;
  }

  .phone .look {
    flex: none;
    color: var(--headscope-accent);
    font-weight: 600;
  }

  .phone [role="tablist"] {
    display: flex;
  }

  .phone [role="tab"] {
    flex: 1 1 0;
    min-height: 48px;
    margin-top: -1px;
    padding: 0 4px;
    border-top: 2px solid transparent;
    color: var(--headscope-muted);
  }

  .phone [role="tab"][aria-selected="true"] {
    border-top-color: var(--headscope-accent);
    color: var(--headscope-ink);
    font-weight: 600;
  }

  .phone [role="tab"]:focus-visible {
    outline-offset: -3px;
  }

  .phone .count {
    display: inline-block;
    min-width: 20px;
    padding: 0 5px;
    border-radius: 10px;
    background: var(--headscope-ink);
    color: var(--headscope-paper);
    font-size: 12px;
    font-weight: 600;
    line-height: 20px;
  }

  /* One part has the room that all had, and nothing beside it to be parted from. */
  :host([tab]) .parts > * {
    border: 0;
  }

  :host([tab]) .sticky {
    position: static;
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

  /* The tour's own words say what to look at, and need the room. */
  :host([tab][touring]) .line {
    display: none;
  }
`;
