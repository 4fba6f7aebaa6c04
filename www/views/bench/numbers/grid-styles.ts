import { css } from "lit";

/** A matrix whose cells are fields. */
export const gridStyles = css`
  .scroll {
    max-width: 100%;
    overflow-x: auto;
  }

  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }

  td,
  th {
    padding: 0;
  }

  thead td {
    padding: 0 4px 2px;
    color: var(--headscope-muted);
    font-size: 12px;
    text-align: center;
  }

  thead td,
  .name {
    max-width: 72px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .name {
    padding-right: 6px;
    color: var(--headscope-muted);
    font-weight: 400;
    font-size: 12px;
    text-align: right;
  }

  tbody td {
    border: 1px solid var(--headscope-line);
  }

  input {
    display: block;
    width: 44px;
    height: 30px;
    padding: 0 4px;
    border: 0;
    border-radius: 0;
    background: none;
    color: var(--headscope-ink);
    font: inherit;
    font-variant-numeric: inherit;
    text-align: center;
  }

  input.word {
    width: 72px;
    color: var(--headscope-muted);
    font-weight: 400;
    text-align: right;
  }

  input:focus-visible {
    outline-offset: -2px;
  }

  .forbidden {
    background: repeating-linear-gradient(45deg, var(--headscope-line) 0 1.5px, transparent 1.5px 6px);
  }

  [aria-invalid] {
    color: var(--headscope-accent);
    box-shadow: inset 0 -2px var(--headscope-accent);
  }

  .problem {
    max-width: 320px;
    color: var(--headscope-accent);
  }

  .problem:empty {
    display: none;
  }

  @media (pointer: coarse) {
    input {
      height: 40px;
      min-width: 44px;
    }
  }
`;
