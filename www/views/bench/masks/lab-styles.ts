import { css } from "lit";

/** Tables of the laboratories below the rules: quiet heads, numbers under each other, wide ones scroll in their place. */
export const labStyles = css`
  .wide {
    overflow-x: auto;
  }

  table {
    border-collapse: collapse;
    font-size: 12.5px;
    font-variant-numeric: tabular-nums;
  }

  caption {
    padding-bottom: 4px;
    text-align: left;
    font-weight: 600;
  }

  th,
  td {
    padding: 3px 16px 3px 0;
    border-bottom: 1px solid var(--headscope-line);
    text-align: right;
    white-space: nowrap;
  }

  th {
    color: var(--headscope-muted);
    font-weight: 400;
  }

  th:first-child {
    text-align: left;
  }

  p {
    max-width: 72ch;
    margin: 4px 0 8px;
  }

  p.failed {
    color: var(--headscope-accent);
  }

  .action {
    padding: 4px 0;
    color: var(--headscope-accent);
    text-decoration: underline;
    text-underline-offset: 3px;
  }
`;
