import { css } from "lit";

/** The looks of the line under a picture, and of its numbers as a table. */
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
    color: var(--_muted);
    padding: 4px 0;
    text-decoration: underline;
    text-decoration-color: var(--_line);
    text-underline-offset: 3px;
  }

  .foot button:hover:not([aria-disabled="true"]) {
    color: var(--_ink);
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

  /* In a narrow column a row of many numbers would be nobody's. */
  tbody th {
    position: sticky;
    left: 0;
    background: var(--_paper);
  }
`;
