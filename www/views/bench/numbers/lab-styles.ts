import { css } from "lit";

/** A laboratory of the workbench: a heading, a line that says what it is about, small controls and a table. */
export const labStyles = css`
  :host {
    margin-top: 20px;
    padding-top: 12px;
    border-top: 1px solid var(--headscope-line);
  }

  h3 {
    font-size: 14px;
    font-weight: 600;
  }

  .note {
    max-width: 720px;
    margin: 4px 0 8px;
    color: var(--headscope-muted);
  }

  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 20px;
    margin: 8px 0;
  }

  .line > span,
  .line > label {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    color: var(--headscope-muted);
  }

  .press {
    padding: 4px 12px;
    border: 1px solid var(--headscope-line);
    border-radius: 6px;
  }

  input[type="range"] {
    width: min(280px, 60vw);
    accent-color: var(--headscope-accent);
  }

  .scroll {
    max-width: 100%;
    overflow-x: auto;
  }

  .facts {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }

  .facts th,
  .facts td {
    padding: 4px 24px 4px 0;
    font-weight: 400;
    text-align: right;
    white-space: nowrap;
  }

  .facts th:first-child {
    text-align: left;
  }

  .facts thead th {
    color: var(--headscope-muted);
    font-size: 12px;
  }

  .facts tbody tr {
    border-top: 1px solid var(--headscope-line);
  }

  @media (pointer: coarse) {
    input[type="range"] {
      min-height: 40px;
    }
  }
`;
