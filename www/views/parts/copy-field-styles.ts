import { css } from "lit";

/** What could not be put where it can be pasted from, to be copied by hand. */
export const copyFieldStyles = css`
  textarea {
    width: 100%;
    padding: 8px;
    border: 1px solid var(--headscope-line);
    border-radius: 6px;
    background: var(--headscope-chip);
    color: var(--headscope-ink);
    font-family: ui-monospace, monospace;
    resize: vertical;
  }
`;
