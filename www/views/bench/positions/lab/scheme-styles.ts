import { css } from "lit";

/** Facts in a table that scrolls in its place, boxes to tick, and a button. */
export const schemeStyles = css`
  .scroll {
    max-width: 100%;
    max-height: 260px;
    overflow: auto;
  }

  .facts {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }

  .facts th,
  .facts td {
    padding: 4px 24px 4px 0;
    border-bottom: 1px solid var(--headscope-line);
    font-weight: 400;
    text-align: right;
    white-space: nowrap;
  }

  .facts th {
    color: var(--headscope-muted);
  }

  .facts th:first-child {
    text-align: left;
  }

  .facts th[scope="row"] {
    white-space: normal;
  }

  .facts tr.chosen :is(th, td) {
    color: var(--headscope-accent);
  }

  .check {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    color: var(--headscope-muted);
  }

  .check input {
    accent-color: var(--headscope-accent);
  }

  .press {
    padding: 4px 12px;
    border: 1px solid var(--headscope-line);
    border-radius: 6px;
  }

  section > p,
  #sum {
    margin: 4px 0 12px;
  }

  section > * + h3 {
    margin-top: 12px;
  }

  @media (pointer: coarse) {
    .check {
      min-height: 40px;
    }
  }
`;
